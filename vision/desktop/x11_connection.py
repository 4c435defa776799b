"""Connections to an X server: opened with a time limit, one for each thread, with batched requests.

Xlib, mss, pyautogui and Qt all wait for ever for a server that accepts a connection and then does
not respond (a stopped one, or a forwarded display whose network is gone). So a request is first
sent on a separate socket. `require_display` does that before any other access to the display.

Source: X Window System Protocol, X11R7: Connection Setup, GetInputFocus.
"""

from __future__ import annotations

import os
import socket
import struct
import sys
import threading
import warnings
import weakref
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, nullcontext, redirect_stdout, suppress
from functools import cache
from pathlib import Path
from time import perf_counter
from traceback import walk_tb
from typing import Any, Final, TextIO

from bot.frame import Point, Region
from vision.desktop.base import ANSWER_SECONDS

_SUCCESS: Final = 1
_GET_INPUT_FOCUS: Final = 43
_REPLY_BYTES: Final = 32
_LONGEST: Final = 1 << 16
"""Longest property, in units of four bytes."""


class NoServer(RuntimeError):
    """No X server answers; the message names the display."""


def connected() -> Connection | None:
    """Return this thread's connection; None if the display does not answer."""
    display = os.environ.get("DISPLAY")
    if not display:
        return None
    if getattr(_local, "display", None) != display:
        try:
            _local.connection = Connection()
        except NoServer:
            return None
        _local.display = display
    connection: Connection | None = _local.connection
    return connection


def disconnect() -> None:
    """Drop this thread's broken connection: Xlib would wait on it for ever."""
    _local.__dict__.clear()


def is_lost(error: Exception) -> bool:
    """Return whether an Xlib error means that the server has gone."""
    from Xlib.error import ConnectionClosedError  # noqa: PLC0415 - only on X11

    # python3-xlib 0.15 mishandles a broken socket.
    stumbled = isinstance(error, TypeError) and isinstance(error.__context__, OSError)
    return stumbled or isinstance(error, ConnectionClosedError)


class Connection:
    """One thread's connection to the X server, and requests through it.

    A method `ask_...` sends a request and returns a function that returns the reply. The first such
    call waits for the server and receives all replies requested until then: requests made together
    cost one exchange. The functions raise Xlib's errors if a window is gone.
    """

    def __init__(self) -> None:
        from Xlib import X  # noqa: PLC0415 - only on X11
        from Xlib.protocol import request  # noqa: PLC0415 - only on X11

        self.x: Any = X
        self.display: Any = open_display()
        # A thread's connection ends with the thread; Xlib would leave its socket open.
        weakref.finalize(self, close_display, self.display)
        # Errors of requests without a reply: the window has gone, which is expected.
        self.display.set_error_handler(lambda *_: None)
        self.root: Any = self.display.screen().root
        self.atom: Callable[[str], int] = self.display.get_atom
        self.extensions = frozenset(self.display.list_extensions())
        """Extensions of the server, including those that Xlib does not support."""
        self.redirected: set[int] = set()
        """Windows that are redirected to their own buffers."""
        self._request: Any = request
        self._server: Any = self.display.display

    def window(self, window_id: int) -> Any:
        """Return Xlib's object for a window."""
        return self.display.create_resource_object("window", window_id)

    def client_of(self, window_id: int) -> int:
        """Return the number of the connection by which a program has created a window."""
        return window_id & ~int(self._server.info.resource_id_mask)

    def send_button(self, number: int, *, down: bool) -> None:
        """Press or release a button, by its physical number."""
        from Xlib.ext import xtest  # noqa: PLC0415 - only on X11

        kind = self.x.ButtonPress if down else self.x.ButtonRelease
        xtest.fake_input(self.display, kind, number)
        self.display.flush()

    def ask_pointer(self) -> Callable[[], Any]:
        """Request the pointer's position, its window, and pressed buttons and keys."""
        asked = self._asked(self._request.QueryPointer, window=self.root)

        def answer() -> Any:
            asked.reply()
            return asked

        return answer

    def ask_place(self, window_id: int) -> Callable[[], Region | None]:
        """Request the client area of a window; None if it is not shown."""
        state = self._asked(self._request.GetWindowAttributes, window=window_id)
        size = self._asked(self._request.GetGeometry, drawable=window_id)
        corner = self._asked(
            self._request.TranslateCoords, src_wid=window_id, dst_wid=self.root, src_x=0, src_y=0
        )

        def answer() -> Region | None:
            for one in (state, size, corner):
                one.reply()
            place = Region(corner.x, corner.y, size.width, size.height)
            return place if state.map_state == self.x.IsViewable else None

        return answer

    def ask_parent(self, window_id: int) -> Callable[[], int | None]:
        """Request the window around a window; None if that is the screen."""
        tree = self._asked(self._request.QueryTree, window=window_id)

        def answer() -> int | None:
            tree.reply()
            return None if tree.parent in (self.root, self.x.NONE) else number_of(tree.parent)

        return answer

    def ask_top(self, point: Point) -> Callable[[], int]:
        """Request the outermost frame at a point; 0 on the bare desktop."""
        at = self._asked(
            self._request.TranslateCoords,
            src_wid=self.root,
            dst_wid=self.root,
            src_x=int(point.x),
            src_y=int(point.y),
        )

        def answer() -> int:
            at.reply()
            return number_of(at.child)

        return answer

    def ask_cardinals(self, window: Any, name: str) -> Callable[[], list[int]]:
        """Request a property that is a list of numbers; empty if there is none."""
        asked = self._property(window, name)

        def answer() -> list[int]:
            found = asked()
            if found is None or found.value[0] != 32:
                return []
            return [int(value) for value in found.value[1]]

        return answer

    def ask_text(self, window: Any, name: str) -> Callable[[], str]:
        """Request a property's text: UTF-8 if declared so, else Latin-1 (ICCCM, STRING)."""
        asked = self._property(window, name)

        def answer() -> str:
            found = asked()
            if found is None or found.value[0] != 8:
                return ""
            value = found.value[1]
            utf8 = found.property_type == self.atom("UTF8_STRING")
            data = value if isinstance(value, bytes) else str(value).encode()
            return data.decode("utf-8" if utf8 else "latin-1", "replace").rstrip("\0")

        return answer

    def _property(self, window: Any, name: str) -> Callable[[], Any]:
        """Request a property of a window; None if it has none of that name."""
        found = self._asked(
            self._request.GetProperty,
            delete=0,
            window=window,
            property=self.atom(name),
            type=self.x.AnyPropertyType,
            long_offset=0,
            long_length=_LONGEST,
        )

        def answer() -> Any:
            found.reply()
            return found if found.property_type else None

        return answer

    def _asked(self, kind: Any, **fields: Any) -> Any:
        return kind(display=self._server, defer=True, **fields)


def number_of(window: Any) -> int:
    """Return a window's id; Xlib returns 0 for no window."""
    return window if isinstance(window, int) else int(window.id)


def close_display(display: Any) -> None:
    """Close an Xlib connection, even if its server ended first."""
    with suppress(Exception):
        display.close()
    # Xlib leaves it open if it could not send what was left.
    display.display.socket.close()


_local = threading.local()


def open_display() -> Any:
    """Return an Xlib connection to the display of this process.

    Raises:
        NoServer: The server does not answer, or does not admit this user.
    """
    from Xlib import display  # noqa: PLC0415 - only on X11

    name = os.environ.get("DISPLAY", "")
    with authority():
        try:
            server = _greeted(name)
        except OSError as silent:
            raise NoServer(f"the display {name or '(none)'} does not answer") from silent
        # A server that loses its last client restarts, and refuses others meanwhile.
        with closing(server):
            try:
                return display.Display()
            except Exception as refused:  # Xlib raises any exception
                _close_half_open(refused)
                raise NoServer(f"the display {name} cannot be used: {refused}") from refused


def _close_half_open(refused: Exception) -> None:
    """Close the socket that Xlib leaves open if it cannot open a display."""
    for frame, _ in walk_tb(refused.__traceback__):
        # Xlib's `__getattr__` does not end on an object that is not complete.
        opened = getattr(frame.f_locals.get("self"), "__dict__", {}).get("socket")
        if isinstance(opened, socket.socket):
            opened.close()


@contextmanager
def authority() -> Iterator[None]:
    """Let Xlib work without an Xauthority file, even if the server needs no cookie.

    If that file has no entry, Xlib prints a message to this process's output. It also leaves the
    file open, which causes a Python warning.
    """
    _accept_any_number()
    default = Path.home() / ".Xauthority"
    # One thread at a time: Python's warning filters and the environment are global.
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


@cache
def _accept_any_number() -> None:
    """Let Xlib accept cookies for any display, such as XWayland's on GNOME.

    python3-xlib 0.15 requires the display's number, which is empty in such entries.
    """
    from Xlib import error, xauth  # noqa: PLC0415 - only on X11

    find = xauth.Xauthority.get_best_auth

    def find_any(kept: Any, family: int, address: str, number: int, *types: Any) -> Any:
        try:
            return find(kept, family, address, number, *types)
        except error.XNoAuthError:
            with suppress(error.XNoAuthError):
                return find(kept, family, address, "", *types)
            raise

    xauth.Xauthority.get_best_auth = find_any


def _greeted(name: str) -> socket.socket:
    """Return a connection to a server that admits this user and answered a request in time.

    Raises:
        OSError: There is none.
    """
    from Xlib import error  # noqa: PLC0415 - only on X11
    from Xlib.support import connect  # noqa: PLC0415 - only on X11

    deadline = perf_counter() + ANSWER_SECONDS
    with ExitStack() as refused:
        try:
            _, host, number, _ = connect.get_display(name)
            server = refused.enter_context(_connected(host, number))
            cookie = connect.get_auth(server, name, host, number)
        except (ValueError, error.DisplayError, error.XauthError) as wrong:
            raise OSError(str(wrong)) from wrong
        _send(server, deadline, _setup(*cookie))
        status, length = struct.unpack("=B5xH", _receive(server, deadline, 8))
        if status != _SUCCESS:
            raise PermissionError("the server does not admit this user")
        _receive(server, deadline, 4 * length)
        _send(server, deadline, struct.pack("=BxH", _GET_INPUT_FOCUS, 1))
        _receive(server, deadline, _REPLY_BYTES)
        refused.pop_all()
    return server


def _connected(host: str, number: int) -> socket.socket:
    """Return a socket to a server, at the address that Xlib uses."""
    if host:
        return socket.create_connection((host, 6000 + number), timeout=ANSWER_SECONDS)
    with ExitStack() as refused:
        server = refused.enter_context(socket.socket(socket.AF_UNIX))
        server.settimeout(ANSWER_SECONDS)
        server.connect(f"/tmp/.X11-unix/X{number}")  # noqa: S108 - where X servers listen
        refused.pop_all()
        return server


def _setup(protocol: bytes | str, cookie: bytes | str) -> bytes:
    """Return the request that begins a connection, in this machine's byte order."""
    parts = [part if isinstance(part, bytes) else part.encode() for part in (protocol, cookie)]
    order = b"l" if struct.pack("=H", 1) == b"\1\0" else b"B"
    head = struct.pack("=cxHHHHxx", order, 11, 0, *map(len, parts))
    return head + b"".join(part + bytes(-len(part) % 4) for part in parts)


def _send(server: socket.socket, deadline: float, request: bytes) -> None:
    server.settimeout(_left(deadline))
    server.sendall(request)


def _receive(server: socket.socket, deadline: float, length: int) -> bytes:
    """Return the given number of bytes.

    Raises:
        OSError: They do not arrive in time, or the server ends the connection.
    """
    received = b""
    while len(received) < length:
        server.settimeout(_left(deadline))
        part = server.recv(length - len(received))
        if not part:
            raise ConnectionResetError("the server ended the connection")
        received += part
    return received


def _left(deadline: float) -> float:
    """Return the seconds left, never zero, which would mean not to wait."""
    return max(deadline - perf_counter(), 0.001)


_SILENCE: Final = threading.RLock()
"""A lock, because standard output is global: two threads that replace it at once could restore it
wrongly."""


@contextmanager
def silence_stdout() -> Iterator[None]:
    """Drop what this thread prints in the block: some libraries print warnings."""
    # A build without a console has no standard output.
    with _SILENCE, redirect_stdout(_ForOthers(sys.stdout)) if sys.stdout else nullcontext():
        yield


class _ForOthers:
    """Standard output for all threads except the creating one, whose output is dropped."""

    def __init__(self, stdout: TextIO) -> None:
        self._stdout = stdout
        self._silent = threading.get_ident()

    def write(self, text: str) -> int:
        if threading.get_ident() == self._silent:
            return len(text)
        return self._stdout.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stdout, name)
