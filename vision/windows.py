"""Which windows there are, where, and which lies under a point: the window system's seam.

X11 through Xlib is what is written and tested here. Elsewhere `supported` is false and
every function answers that it knows nothing, so that boards are still found and played,
without the safety of knowing whose window they are in.

Regions are client areas: without the frame that a window manager draws around them.
Windows come and go while one asks about them; one that has gone is simply not listed.
"""

from __future__ import annotations

import os
import re
import socket
import sys
import threading
import warnings
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, ParamSpec, TypeVar

from bot.frame import Point, Region
from bot.quiet import quiet

OWN_CLASS: Final = "minesweeper-bot"
_BUTTONS: Final = 0x1F00
"""Button1Mask to Button5Mask of the X protocol."""
SIMULATOR_CLASS: Final = "minesweeper-bot-simulator"

_P = ParamSpec("_P")
_T = TypeVar("_T")


@dataclass(frozen=True)
class Window:
    """A window on the screen."""

    id: int
    title: str
    class_name: str
    """Second part of WM_CLASS; empty where there is none."""
    region: Region
    """Client area, in points."""
    pid: int | None
    own: bool
    """Belongs to this program, and is no simulated game."""


def supported() -> bool:
    """Whether windows can be asked about here."""
    return _connection() is not None


def list_windows() -> list[Window]:
    """The windows that are shown, the topmost first."""
    return [] if (connection := _connection()) is None else _or(connection.windows, [])


def place_of(window_id: int) -> Region | None:
    """Where a window's client area is; None where it is closed or minimised."""
    connection = _connection()
    return None if connection is None else _or(connection.place, None, window_id)


def window_at(point: Point) -> Window | None:
    """What really lies under a point.

    Returns:
        The application's window; where a menu, a tooltip or a window's frame lies there
        instead, that one (its id is in no list). None on the bare desktop.
    """
    connection = _connection()
    return None if connection is None else _or(connection.under, None, point)


def uncovered(window_id: int, points: Sequence[Point]) -> list[bool]:
    """For each point, whether nothing lies between it and a window's client area.

    One exchange with the server for all points: cheap enough for every batch of clicks.
    """
    connection = _connection()
    nothing = [False] * len(points)
    return nothing if connection is None else _or(connection.uncovered, nothing, window_id, points)


def focused() -> Window | None:
    """The window that the keyboard speaks to."""
    connection = _connection()
    return None if connection is None else _or(connection.focused, None)


def button_held() -> bool:
    """Whether a mouse button is down in the eyes of the window system.

    A window manager may hold a click back until it has looked at it (openbox does so with
    every one); what is sent meanwhile is lost or lands where the pointer is by then. While
    a click is held back its button counts as down.
    """
    connection = _connection()
    return False if connection is None else _or(connection.button_held, False)


def exists(window_id: int) -> bool:
    """Whether there is such a window, shown or minimised."""
    return (connection := _connection()) is not None and _or(connection.exists, False, window_id)


def paint_apart(window_id: int) -> tuple[int, int] | None:
    """Paint a window apart from the screen, for this thread; its depth and visual, or None."""
    connection = _connection()
    return None if connection is None else _or(connection.paint_apart, None, window_id)


def activate(window: Window) -> None:
    """Raise a window and give it the keyboard."""
    if (connection := _connection()) is not None:
        _or(connection.activate, None, window.id)


def maximise(window_id: int) -> None:
    """Make a window as large as the screen, where a window manager does that."""
    if (connection := _connection()) is not None:
        _or(connection.maximise, None, window_id)


def _or(ask: Callable[_P, _T], otherwise: _T, *args: _P.args, **kwargs: _P.kwargs) -> _T:
    """An answer, or the other one where a window vanished meanwhile or the display did.

    Args:
        ask: A connection's method; asked again where its server was replaced by another one.
        otherwise: The other answer.
        args: For `ask`.
        kwargs: For `ask`.
    """
    from Xlib import error  # noqa: PLC0415 - only where there is X11

    for _ in range(2):
        try:
            return ask(*args, **kwargs)
        except error.ConnectionClosedError:
            pass
        except error.XError:
            return otherwise
        except TypeError as stumble:
            # python3-xlib 0.15 trips over its own handling of a socket that broke.
            if not isinstance(stumble.__context__, OSError):
                raise
        _local.__dict__.clear()
        connection = _connection()
        if connection is None:
            return otherwise
        ask = getattr(connection, ask.__name__)
    return otherwise


class _Connection:
    """One thread's connection to the X server."""

    def __init__(self) -> None:
        from Xlib import X, display  # noqa: PLC0415 - only where there is X11

        self.x: Any = X
        with authority():
            self.display: Any = display.Display()
        # A thread's connection goes with the thread; Xlib would leave its socket open.
        weakref.finalize(self, _close, self.display)
        # Errors of requests without an answer: the window has gone, which is no news.
        self.display.set_error_handler(lambda *_: None)
        self.root: Any = self.display.screen().root
        self.atom: Callable[[str], int] = self.display.intern_atom

    def windows(self) -> list[Window]:
        return list(self._described(reversed(self._stacking())))

    def window(self, window_id: int) -> Window | None:
        return next(iter(self._described([window_id])), None)

    def place(self, window_id: int) -> Region | None:
        window = self._resource(window_id)
        if window.get_attributes().map_state != self.x.IsViewable:
            return None
        size = window.get_geometry()
        corner = self.root.translate_coords(window, 0, 0)
        return Region(corner.x, corner.y, size.width, size.height)

    def under(self, point: Point) -> Window | None:
        x, y = int(point.x), int(point.y)
        clients = set(self._stacking())
        top = child = self.root.translate_coords(self.root, x, y).child
        while child != self.x.NONE:
            if child.id in clients:
                return self.window(child.id)
            child = child.translate_coords(self.root, x, y).child
        return None if top == self.x.NONE else self.window(top.id)

    def uncovered(self, window_id: int, points: Sequence[Point]) -> list[bool]:
        from Xlib.protocol import request  # noqa: PLC0415 - only where there is X11

        place = self.place(window_id)
        frame = self._resource(window_id)
        while (parent := frame.query_tree().parent) not in (self.root, self.x.NONE):
            frame = parent
        asked = [
            request.TranslateCoords(
                display=self.root.display,
                defer=True,
                src_wid=self.root,
                dst_wid=self.root,
                src_x=int(point.x),
                src_y=int(point.y),
            )
            for point in points
        ]
        for one in asked:
            one.reply()
        return [
            place is not None and place.holds(point) and one.child == frame
            for point, one in zip(points, asked, strict=True)
        ]

    def exists(self, window_id: int) -> bool:
        return self._resource(window_id).get_attributes() is not None

    def paint_apart(self, window_id: int) -> tuple[int, int] | None:
        from Xlib.ext import composite  # noqa: PLC0415 - only where there is X11

        if not self.display.has_extension(composite.extname):
            return None
        # Xlib's own request for the version leaves the version out.
        server = self.display.display
        opcode = server.get_extension_major(composite.extname)
        composite.QueryVersion(display=server, opcode=opcode, major_version=0, minor_version=4)
        window = self._resource(window_id)
        window.composite_redirect_window(composite.RedirectAutomatic)
        return window.get_geometry().depth, window.get_attributes().visual

    def button_held(self) -> bool:
        return bool(self.root.query_pointer().mask & _BUTTONS)

    def focused(self) -> Window | None:
        active = self._cardinals(self.root, "_NET_ACTIVE_WINDOW")
        if active:
            return self.window(active[0])
        focus = self.display.get_input_focus().focus
        return None if isinstance(focus, int) or focus == self.root else self.window(focus.id)

    def activate(self, window_id: int) -> None:
        from Xlib.protocol import event  # noqa: PLC0415 - only where there is X11

        window = self._resource(window_id)
        if self._cardinals(self.root, "_NET_SUPPORTING_WM_CHECK"):
            message = event.ClientMessage(
                window=window,
                client_type=self.atom("_NET_ACTIVE_WINDOW"),
                data=(32, [2, self.x.CurrentTime, 0, 0, 0]),
            )
            mask = self.x.SubstructureRedirectMask | self.x.SubstructureNotifyMask
            self.root.send_event(message, event_mask=mask)
        else:
            window.configure(stack_mode=self.x.Above)
            window.set_input_focus(self.x.RevertToParent, self.x.CurrentTime)
        self.display.sync()

    def maximise(self, window_id: int) -> None:
        from Xlib.protocol import event  # noqa: PLC0415 - only where there is X11

        ways = (self.atom(f"_NET_WM_STATE_MAXIMIZED_{way}") for way in ("HORZ", "VERT"))
        message = event.ClientMessage(
            window=self._resource(window_id),
            client_type=self.atom("_NET_WM_STATE"),
            data=(32, [1, *ways, 2, 0]),
        )
        mask = self.x.SubstructureRedirectMask | self.x.SubstructureNotifyMask
        self.root.send_event(message, event_mask=mask)
        self.display.sync()

    def _stacking(self) -> list[int]:
        """Window ids from the bottom to the top."""
        listed = self._cardinals(self.root, "_NET_CLIENT_LIST_STACKING")
        if listed or self._cardinals(self.root, "_NET_SUPPORTING_WM_CHECK"):
            return listed
        return [window.id for window in self.root.query_tree().children]

    def _described(self, ids: Iterable[int]) -> Iterable[Window]:
        from Xlib import error  # noqa: PLC0415 - only where there is X11

        for window_id in ids:
            try:
                region = self.place(window_id)
                if region is not None:
                    yield self._describe(window_id, region)
            except error.XError:
                continue

    def _describe(self, window_id: int, region: Region) -> Window:
        window = self._resource(window_id)
        classes = (self._text(window, "WM_CLASS") or "").split("\0")
        class_name = classes[1] if len(classes) > 1 else classes[0]
        title = self._text(window, "_NET_WM_NAME") or self._text(window, "WM_NAME") or ""
        pid = self._cardinals(window, "_NET_WM_PID")
        own = class_name.startswith(OWN_CLASS) and class_name != SIMULATOR_CLASS
        return Window(window_id, title, class_name, region, pid[0] if pid else None, own)

    def _resource(self, window_id: int) -> Any:
        return self.display.create_resource_object("window", window_id)

    def _cardinals(self, window: Any, name: str) -> list[int]:
        found = window.get_full_property(self.atom(name), self.x.AnyPropertyType)
        return [] if found is None or found.format != 32 else [int(value) for value in found.value]

    def _text(self, window: Any, name: str) -> str | None:
        """A property's text: UTF-8 where it says so, else Latin-1 (ICCCM, STRING)."""
        found = window.get_full_property(self.atom(name), self.x.AnyPropertyType)
        if found is None or found.format != 8:
            return None
        value = found.value if isinstance(found.value, bytes) else str(found.value).encode()
        utf8 = found.property_type == self.atom("UTF8_STRING")
        return value.decode("utf-8" if utf8 else "latin-1", "replace").rstrip("\0")


def _close(display: Any) -> None:
    with suppress(Exception):  # the server may have gone first
        display.close()


_local = threading.local()


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


def _connection() -> _Connection | None:
    """This thread's connection; None where there is no X display."""
    display = os.environ.get("DISPLAY") if sys.platform.startswith("linux") else None
    if not display:
        return None
    if getattr(_local, "display", None) != display:
        if not _answers(display):
            return None
        try:
            _local.connection = _Connection()
        except Exception:  # noqa: BLE001 - Xlib raises whatever the cookie or the server gives
            return None
        _local.display = display
    connection: _Connection | None = _local.connection
    return connection


def _answers(name: str) -> bool:
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
