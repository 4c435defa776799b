"""Opening a connection to an X server: with a time limit, and without what Xlib prints and leaks.

Xlib, mss, pyautogui and Qt all wait for ever for a server that accepts a connection and then says
nothing (one that is stopped, or a forwarded display whose network is gone). So the server is asked
for something on a socket of our own first. `windows.supported()` does that before anything else
opens the display.

Source: X Window System Protocol, X11R7: Connection Setup, GetInputFocus.
"""

from __future__ import annotations

import os
import socket
import struct
import warnings
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from time import monotonic
from typing import Any, Final

from bot.mouse import silence_stdout

ANSWER_SECONDS: Final = 5.0
"""How long a server may take; one on the same machine takes a millisecond."""
_SUCCESS: Final = 1
_GET_INPUT_FOCUS: Final = 43
_REPLY_BYTES: Final = 32


class NoServer(RuntimeError):
    """No X server answers; the message names the display."""


def open_display() -> Any:
    """Return a connection of Xlib's to the display of this process.

    Raises:
        NoServer: It does not answer, or does not let this user in.
    """
    from Xlib import display  # noqa: PLC0415 - only where there is X11

    name = os.environ.get("DISPLAY", "")
    with authority():
        if not answers(name):
            raise NoServer(f"the display {name or '(none)'} does not answer")
        try:
            return display.Display()
        except Exception as refused:  # Xlib raises whatever the cookie or the server gives
            raise NoServer(f"the display {name} cannot be used: {refused}") from refused


@contextmanager
def authority() -> Iterator[None]:
    """Let Xlib do without an Xauthority file, which it wants even if the server asks for no cookie.

    If that has no entry Xlib prints so, into whatever this process was to print. It also
    leaves the file to the garbage collector, which Python warns of.
    """
    default = Path.home() / ".Xauthority"
    # One thread at a time: what Python warns of, and the environment, are of the whole process.
    with silence_stdout(), warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        missing = "XAUTHORITY" not in os.environ and not default.exists()
        if missing:
            os.environ["XAUTHORITY"] = os.devnull
        try:
            yield
        finally:
            if missing:
                del os.environ["XAUTHORITY"]


def answers(name: str) -> bool:
    """Return whether a server lets this user in and answers a request in time."""
    from Xlib import error  # noqa: PLC0415 - only where there is X11
    from Xlib.support import connect  # noqa: PLC0415 - only where there is X11

    deadline = monotonic() + ANSWER_SECONDS
    try:
        _, host, number, _ = connect.get_display(name)
        with closing(_connected(host, number)) as door:
            cookie = connect.get_auth(door, name, host, number)
            _send(door, deadline, _setup(*cookie))
            status, length = struct.unpack("=B5xH", _receive(door, deadline, 8))
            if status != _SUCCESS:
                return False
            _receive(door, deadline, 4 * length)
            _send(door, deadline, struct.pack("=BxH", _GET_INPUT_FOCUS, 1))
            _receive(door, deadline, _REPLY_BYTES)
    except (OSError, ValueError, error.DisplayError, error.XauthError):
        return False
    return True


def _connected(host: str, number: int) -> socket.socket:
    """Return a socket to a server, where Xlib would look for it."""
    if host:
        return socket.create_connection((host, 6000 + number), timeout=ANSWER_SECONDS)
    door = socket.socket(socket.AF_UNIX)
    try:
        door.settimeout(ANSWER_SECONDS)
        door.connect(f"/tmp/.X11-unix/X{number}")  # noqa: S108 - where X servers listen
    except BaseException:
        door.close()
        raise
    return door


def _setup(protocol: bytes | str, cookie: bytes | str) -> bytes:
    """Return the request that begins a connection, in this machine's order of bytes."""
    parts = [part if isinstance(part, bytes) else part.encode() for part in (protocol, cookie)]
    order = b"l" if struct.pack("=H", 1) == b"\1\0" else b"B"
    head = struct.pack("=cxHHHHxx", order, 11, 0, *map(len, parts))
    return head + b"".join(part + bytes(-len(part) % 4) for part in parts)


def _send(door: socket.socket, deadline: float, request: bytes) -> None:
    door.settimeout(_left(deadline))
    door.sendall(request)


def _receive(door: socket.socket, deadline: float, length: int) -> bytes:
    """Return so many bytes.

    Raises:
        OSError: They do not come in time, or the server ends the connection.
    """
    received = b""
    while len(received) < length:
        door.settimeout(_left(deadline))
        part = door.recv(length - len(received))
        if not part:
            raise ConnectionResetError("the server ended the connection")
        received += part
    return received


def _left(deadline: float) -> float:
    """Return the seconds that are left; no timeout may be zero, which means not to wait."""
    return max(deadline - monotonic(), 0.001)
