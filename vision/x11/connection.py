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
from vision.window import OWN_CLASS, SIMULATOR_CLASS, Beneath, Window
from vision.x11.opening import answers, authority
from vision.x11.questions import Questions, number_of

_BUTTONS: Final = 0x1F00
"""Button1Mask to Button5Mask of the X protocol."""
_MODIFIERS: Final = 0x4D
"""ShiftMask, ControlMask, Mod1Mask (Alt) and Mod4Mask (Super): none of the locks."""

_P = ParamSpec("_P")
_T = TypeVar("_T")


def connected() -> Connection | None:
    """This thread's connection; None where there is no X display."""
    display = os.environ.get("DISPLAY") if sys.platform.startswith("linux") else None
    if not display:
        return None
    if getattr(_local, "display", None) != display:
        if not answers(display):
            return None
        try:
            _local.connection = Connection()
        except Exception:  # noqa: BLE001 - Xlib raises whatever the cookie or the server gives
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
        from Xlib import X, display  # noqa: PLC0415 - only where there is X11

        self.x: Any = X
        with authority():
            self.display: Any = display.Display()
        # A thread's connection goes with the thread; Xlib would leave its socket open.
        weakref.finalize(self, _close, self.display)
        # Errors of requests without an answer: the window has gone, which is no news.
        self.display.set_error_handler(lambda *_: None)
        self.root: Any = self.display.screen().root
        self.atom: Callable[[str], int] = self.display.get_atom
        self._asking = Questions(self.display)

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
            top() == frame and seen is not None and seen.holds(point)
            for point, top in zip(points, tops, strict=True)
        ]

    def frame(self, window_id: int) -> int:
        """See `vision.windows.frame_of`."""
        while (above := self._asking.parent(window_id)()) is not None:
            window_id = above
        return window_id

    def beneath(self, window_id: int) -> Beneath:
        """See `vision.windows.beneath`."""
        where, place = self._asking.pointer(), self._asking.place(window_id)
        pointer = where()
        return Beneath(
            Point(pointer.root_x, pointer.root_y),
            number_of(pointer.child),
            # Its frame stays for a moment when it is taken away.
            place(),
            bool(pointer.mask & _BUTTONS),
            bool(pointer.mask & _MODIFIERS),
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

    def move_pointer(self, x: int, y: int) -> None:
        """Put the pointer there, in pixels."""
        from Xlib.ext import xtest  # noqa: PLC0415 - only where there is X11

        xtest.fake_input(self.display, self.x.MotionNotify, x=x, y=y)
        self.display.flush()

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
        window.composite_redirect_window(composite.RedirectAutomatic)
        return window.get_geometry().depth, window.get_attributes().visual

    def button_held(self) -> bool:
        """See `vision.windows.button_held`."""
        return bool(self.root.query_pointer().mask & _BUTTONS)

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
        name, classes, titles, pid = (
            self._asking.text(window, "WM_NAME"),
            self._asking.text(window, "WM_CLASS"),
            self._asking.text(window, "_NET_WM_NAME"),
            self._asking.cardinals(window, "_NET_WM_PID"),
        )
        region = place()
        if region is None:
            return None
        named = classes().split("\0")
        class_name = named[1] if len(named) > 1 else named[0]
        own = class_name.startswith(OWN_CLASS) and class_name != SIMULATOR_CLASS
        process = next(iter(pid()), None)
        return Window(window_id, titles() or name(), class_name, region, process, own)

    def _resource(self, window_id: int) -> Any:
        return self.display.create_resource_object("window", window_id)


def _close(display: Any) -> None:
    with suppress(Exception):  # the server may have gone first
        display.close()


_local = threading.local()
