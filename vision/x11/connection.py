"""One connection to the X server for every thread, and what is asked through it."""

from __future__ import annotations

import os
import sys
import threading
import weakref
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple, ParamSpec, TypeVar

from bot.frame import Point, Region
from vision.plaintext import one_line
from vision.window import (
    OWN_CLASS,
    SIMULATOR_CLASS,
    Beneath,
    Decoration,
    PointerState,
    Window,
)
from vision.x11.opening import NoServer, open_display
from vision.x11.questions import Questions, number_of

_BUTTONS: Final = 0x1F00
"""Button1Mask to Button5Mask of the X protocol."""
_MODIFIERS: Final = 0x4D
"""ShiftMask, ControlMask, Mod1Mask (Alt) and Mod4Mask (Super): none of the locks."""

_MWM_DECORATIONS: Final = 1 << 1
"""Flag of _MOTIF_WM_HINTS: its third number says what a window manager draws around the window."""
_BROWSER_ROLES: Final = ("browser", "pop-up", "Popup")
"""WM_WINDOW_ROLE of the windows of Chromium and Firefox."""

_TITLE_CHARACTERS: Final = 300
"""Of a title: a message or a tooltip with a longer one would cover the screen."""

_P = ParamSpec("_P")
_T = TypeVar("_T")


def connected() -> Connection | None:
    """This thread's connection; None where there is no X display."""
    display = os.environ.get("DISPLAY") if sys.platform.startswith("linux") else None
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


def ask(question: Callable[_P, _T], otherwise: _T, *args: _P.args, **kwargs: _P.kwargs) -> _T:
    """An answer, or the other one where a window vanished meanwhile or the display did.

    Args:
        question: A connection's method; asked again where its server was replaced by another one.
        otherwise: The other answer.
        args: For `question`.
        kwargs: For `question`.
    """
    from Xlib import error  # noqa: PLC0415 - only where there is X11

    for _ in range(2):
        try:
            return question(*args, **kwargs)
        except error.XError:
            return otherwise
        except Exception as broken:
            if not lost(broken):
                raise
        forget()
        connection = connected()
        if connection is None:
            return otherwise
        question = getattr(connection, question.__name__)
    return otherwise


def forget() -> None:
    """Leave this thread's connection, which broke: Xlib would wait on it for ever."""
    _local.__dict__.clear()


def lost(error: Exception) -> bool:
    """Whether an error of Xlib's says that the server has gone."""
    from Xlib.error import ConnectionClosedError  # noqa: PLC0415 - only where there is X11

    # python3-xlib 0.15 trips over its own handling of a socket that broke.
    stumbled = isinstance(error, TypeError) and isinstance(error.__context__, OSError)
    return stumbled or isinstance(error, ConnectionClosedError)


class Shown(NamedTuple):
    """Whether a screen is to be seen."""

    visible: bool
    """Its virtual terminal is the one that is shown, as far as anybody says."""
    locked: bool
    """A screen saver says that it has locked it."""


class Connection:
    """One thread's connection to the X server."""

    def __init__(self) -> None:
        from Xlib import X  # noqa: PLC0415 - only where there is X11

        self.x: Any = X
        self.display: Any = open_display()
        # A thread's connection goes with the thread; Xlib would leave its socket open.
        weakref.finalize(self, _close, self.display)
        # Errors of requests without an answer: the window has gone, which is no news.
        self.display.set_error_handler(lambda *_: None)
        self.root: Any = self.display.screen().root
        self.atom: Callable[[str], int] = self.display.get_atom
        self._asking = Questions(self.display)
        self._apart: set[int] = set()
        """Windows that are painted apart from the screen."""

    def windows(self) -> list[Window]:
        """See `vision.windows.list_windows`."""
        return list(self._described(reversed(self._stacking())))

    def window(self, window_id: int) -> Window | None:
        """One window; None where it is not shown."""
        return next(iter(self._described([window_id])), None)

    def place(self, window_id: int) -> Region | None:
        """See `vision.windows.place_of`."""
        return self._asking.place(window_id)()

    def under(self, point: Point) -> Window | None:
        """See `vision.windows.window_at`."""
        x, y = int(point.x), int(point.y)
        clients = set(self._stacking())
        top = child = self.root.translate_coords(self.root, x, y).child
        while child != self.x.NONE:
            if child.id in clients:
                return self.window(child.id)
            child = child.translate_coords(self.root, x, y).child
        return None if top == self.x.NONE else self.window(top.id)

    def uncovered(self, window_id: int, points: Sequence[Point]) -> list[bool]:
        """See `vision.windows.uncovered`."""
        place, parent = self._asking.place(window_id), self._asking.parent(window_id)
        tops = [self._asking.top(point) for point in points]
        seen = place()
        above = parent()
        frame = window_id if above is None else self.frame(above)
        return [
            top() == frame and seen is not None and seen.contains(point)
            for point, top in zip(points, tops, strict=True)
        ]

    def decoration(self, window_id: int) -> Decoration:
        """See `vision.windows.decoration`."""
        window = self._resource(window_id)
        hints, role, extents = (
            self._asking.cardinals(window, "_MOTIF_WM_HINTS"),
            self._asking.text(window, "WM_WINDOW_ROLE"),
            self._asking.cardinals(window, "_GTK_FRAME_EXTENTS"),
        )
        flags, _, decorations = (*hints(), 0, 0, 0)[:3]
        bare = bool(flags & _MWM_DECORATIONS) and decorations == 0
        left, right, top, bottom = (*extents(), 0, 0, 0, 0)[:4]
        return Decoration(bare or role() in _BROWSER_ROLES, (left, right, top, bottom))

    def frame(self, window_id: int) -> int:
        """See `vision.windows.frame_of`."""
        while (above := self._asking.parent(window_id)()) is not None:
            window_id = above
        return window_id

    def beneath(self, window_id: int, pixel: tuple[int, int] | None = None) -> Beneath:
        """See `vision.windows.beneath`."""
        before = None
        if pixel is not None:
            before = self._asking.pointer()
            self.steer(window_id, *pixel)
        where, place = self._asking.pointer(), self._asking.place(window_id)
        found, pointer = before and before(), where()
        return Beneath(
            Point(pointer.root_x, pointer.root_y),
            number_of(pointer.child),
            # Its frame stays for a moment when it is taken away.
            place(),
            bool(pointer.mask & _BUTTONS),
            bool(pointer.mask & _MODIFIERS),
            Point(found.root_x, found.root_y) if found else None,
        )

    def shown(self) -> Shown:
        """Whether this screen is to be seen; see `vision.session`."""
        terminal = self._asking.cardinals(self.root, "XFree86_has_VT")
        saver = self._asking.cardinals(self.root, "_SCREENSAVER_STATUS")
        return Shown(visible=terminal() != [0], locked=saver()[:1] == [self.atom("LOCK")])

    def monitors(self) -> list[Region]:
        """The monitors, the whole screen where nobody tells of any."""
        if not self.display.has_extension("XINERAMA"):
            size = self.root.get_geometry()
            return [Region(0, 0, size.width, size.height)]
        screens = self.display.xinerama_query_screens().screens
        return [Region(one.x, one.y, one.width, one.height) for one in screens]

    def pointer(self) -> Point:
        """Where the pointer is."""
        found = self.root.query_pointer()
        return Point(found.root_x, found.root_y)

    def button_mapping(self) -> list[int]:
        """What each button of the mouse counts as, the first button first."""
        return list(self.display.get_pointer_mapping())

    def move_pointer(self, x: int, y: int) -> Point:
        """Put the pointer there, in pixels; return where it was just before.

        Both are sent as one: a program that puts it elsewhere in between is not missed.
        """
        from Xlib.ext import xtest  # noqa: PLC0415 - only where there is X11

        before = self._asking.pointer()
        xtest.fake_input(self.display, self.x.MotionNotify, x=x, y=y)
        found = before()
        return Point(found.root_x, found.root_y)

    def steer(self, window_id: int, x: int, y: int) -> None:
        """See `vision.windows.steer`."""
        self._resource(window_id).warp_pointer(x, y)

    def turn_button(self, number: int, *, down: bool) -> None:
        """Press or release a button, by the number that the mouse itself gives it."""
        from Xlib.ext import xtest  # noqa: PLC0415 - only where there is X11

        kind = self.x.ButtonPress if down else self.x.ButtonRelease
        xtest.fake_input(self.display, kind, number)
        self.display.flush()

    def exists(self, window_id: int) -> bool:
        """See `vision.windows.exists`."""
        return self._resource(window_id).get_attributes() is not None

    def paint_apart(self, window_id: int) -> tuple[int, int] | None:
        """See `vision.windows.paint_apart`."""
        from Xlib.ext import composite  # noqa: PLC0415 - only where there is X11

        if not self.display.has_extension(composite.extname):
            return None
        # Xlib's own request for the version leaves the version out.
        server = self.display.display
        opcode = server.get_extension_major(composite.extname)
        composite.QueryVersion(display=server, opcode=opcode, major_version=0, minor_version=4)
        window = self._resource(window_id)
        if window_id not in self._apart:
            window.composite_redirect_window(composite.RedirectAutomatic)
        described = window.get_geometry().depth, window.get_attributes().visual
        self._apart.add(window_id)
        return described

    def paint_together(self, window_id: int) -> None:
        """See `vision.windows.paint_together`."""
        from Xlib.ext import composite  # noqa: PLC0415 - only where there is X11

        if window_id in self._apart:
            self._apart.discard(window_id)
            window = self._resource(window_id)
            window.composite_unredirect_window(composite.RedirectAutomatic)
            self.display.sync()

    def pointer_state(self) -> PointerState:
        """See `vision.windows.pointer_state`."""
        found = self.root.query_pointer()
        return PointerState(
            Point(found.root_x, found.root_y),
            number_of(found.child),
            bool(found.mask & _BUTTONS),
            bool(found.mask & _MODIFIERS),
        )

    def popup(self, window_id: int) -> bool:
        """See `vision.windows.popup`."""
        attributes = self._resource(window_id).get_attributes()
        return attributes is not None and bool(attributes.override_redirect)

    def own(self, top: int) -> bool:
        """See `vision.windows.own`."""
        from Xlib import error  # noqa: PLC0415 - only where there is X11

        if (window := self.window(top)) is not None and _is_own(window):
            return True
        for window in filter(_is_own, self.windows()):
            # Others may be closed meanwhile.
            with suppress(error.XError):
                if self.frame(window.id) == top:
                    return True
        return False

    def focused(self) -> Window | None:
        """See `vision.windows.focused`."""
        active = self._asking.cardinals(self.root, "_NET_ACTIVE_WINDOW")()
        if active:
            return self.window(active[0])
        focus = self.display.get_input_focus().focus
        return None if isinstance(focus, int) or focus == self.root else self.window(focus.id)

    def activate(self, window_id: int) -> None:
        """See `vision.windows.activate`."""
        from Xlib.protocol import event  # noqa: PLC0415 - only where there is X11

        window = self._resource(window_id)
        if self._asking.cardinals(self.root, "_NET_SUPPORTING_WM_CHECK")():
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
        """See `vision.windows.maximise`."""
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
        listed = self._asking.cardinals(self.root, "_NET_CLIENT_LIST_STACKING")()
        if listed or self._asking.cardinals(self.root, "_NET_SUPPORTING_WM_CHECK")():
            return listed
        return [window.id for window in self.root.query_tree().children]

    def _described(self, ids: Iterable[int]) -> Iterable[Window]:
        from Xlib import error  # noqa: PLC0415 - only where there is X11

        for window_id in ids:
            try:
                window = self._describe(window_id)
            except error.XError:
                continue
            if window is not None:
                yield window

    def _describe(self, window_id: int) -> Window | None:
        window, place = self._resource(window_id), self._asking.place(window_id)
        name, classes, titles, *numbers = (
            self._asking.text(window, "WM_NAME"),
            self._asking.text(window, "WM_CLASS"),
            self._asking.text(window, "_NET_WM_NAME"),
            self._asking.cardinals(window, "_NET_WM_PID"),
            self._asking.cardinals(window, "WM_TRANSIENT_FOR"),
            self._asking.cardinals(window, "WM_CLIENT_LEADER"),
        )
        region = place()
        if region is None:
            return None
        named = classes().split("\0")
        class_name = one_line(named[1] if len(named) > 1 else named[0])
        own = class_name.startswith(OWN_CLASS) and class_name != SIMULATOR_CLASS
        process, owner, leader = (next(iter(number()), None) for number in numbers)
        return Window(
            window_id,
            one_line(titles() or name())[:_TITLE_CHARACTERS],
            class_name,
            region,
            process,
            own,
            owner or 0,
            leader or 0,
        )

    def _resource(self, window_id: int) -> Any:
        return self.display.create_resource_object("window", window_id)


def _is_own(window: Window) -> bool:
    return window.own or window.pid == os.getpid()


def _close(display: Any) -> None:
    with suppress(Exception):  # the server may have gone first
        display.close()


_local = threading.local()
