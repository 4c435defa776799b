"""Opening a connection to an X server, quietly: Xlib prints, leaks and insists on a file."""

from __future__ import annotations

import os
import re
import socket
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from bot.quiet import quiet


@contextmanager
def authority() -> Iterator[None]:
    """Xlib wants an Xauthority file to exist, even for a server that asks for no cookie.

    Where it has no entry Xlib prints so, into whatever this process was to print. It also
    leaves that file to the garbage collector, which Python warns of.
    """
    default = Path.home() / ".Xauthority"
    missing = "XAUTHORITY" not in os.environ and not default.exists()
    if missing:
        os.environ["XAUTHORITY"] = os.devnull
    try:
        with warnings.catch_warnings(), quiet():
            warnings.simplefilter("ignore", ResourceWarning)
            yield
    finally:
        if missing:
            del os.environ["XAUTHORITY"]


def answers(name: str) -> bool:
    """Whether a server listens; Xlib, told of one that does not, forgets to close its socket."""
    local = re.fullmatch(r"(?:unix)?:(\d+)(?:\.\d+)?", name)
    if local is None:
        return True
    path = f"/tmp/.X11-unix/X{local[1]}"  # noqa: S108 - where X servers listen
    for address in (path, f"\0{path}"):
        with socket.socket(socket.AF_UNIX) as door, suppress(OSError):
            door.connect(address)
            return True
    return False
