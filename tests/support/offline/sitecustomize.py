"""End every Python process that uses the network: processes of tests load this module first.

`tests.support.runs.environment` puts this folder on the path, so that the command and all its child
processes load it. Unix sockets, such as the display's, are no network. As an exception could be
caught and hidden, the process ends at once with a special exit code.

In a process that plays, every event that it sends is checked, too (`tests.support.strays`).
"""

from __future__ import annotations

import os
import socket
import sys
import traceback
from pathlib import Path
from typing import Any

CODE = 97
_SENDING = ("socket.connect", "socket.bind", "socket.sendto", "socket.sendmsg")
_ASKING = ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr", "urllib.Request")


def _named(host: object, port: object, *_: object) -> bool:
    """Return whether the user named this address: `lab --scheduler ADDRESS`."""
    return f"tcp://{host}:{port}" in sys.argv


def _hear(event: str, arguments: tuple[Any, ...]) -> None:
    if event in _SENDING:
        address = arguments[1] if len(arguments) > 1 else ()
        # Windows makes the pairs of sockets within a process of TCP.
        within = sys.platform == "win32" and address[:1] in (("127.0.0.1",), ("::1",))
        outward = not within and arguments[0].family != getattr(socket, "AF_UNIX", None)
    else:
        outward, address = event in _ASKING, arguments
    if outward and not (isinstance(address, tuple) and len(address) > 1 and _named(*address)):
        sys.stderr.write(f"THE NETWORK: {event} {arguments}\n")
        traceback.print_stack()
        sys.stderr.flush()
        os._exit(CODE)


sys.addaudithook(_hear)

_STARTED = sys.orig_argv
if (
    _STARTED[1:4] == ["-m", "gui", "play"]
    or "gui.runner.process" in _STARTED[1:3]
    # The process that plays for a panel; a worker of the laboratory sends nothing.
    or "--multiprocessing-fork" in _STARTED
):
    sys.path.insert(0, str(Path(__file__).parents[3]))
    from tests.support.strays import look

    look()
