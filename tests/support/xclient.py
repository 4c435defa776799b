"""Another program on a real X server, for tests: its windows, its keys, its mouse."""

from __future__ import annotations

import os
import select
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final, Self

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from Xlib import XK, X, Xatom
from Xlib.error import BadWindow
from Xlib.ext import xtest
from Xlib.protocol import event, rq

from bot.frame import Point, Region
from gui.private_screen import PrivateScreen
from vision.desktop import Desktop, SessionKind, session_kind
from vision.desktop.x11_connection import open_display
from vision.desktop.x11_desktop import X11Desktop

PATIENCE = 60.0
"""Seconds after which a window manager counts as stuck; a busy machine may take many."""
_DEVICE: Final = 6
"""The mouse of an Xvfb, which no other client uses: 2 to 5 are the server's own devices."""
_PRESS, _RELEASE, _MOTION = 3, 4, 5
"""Event types of the X Input Extension, added to its first event."""


def adopt(screen: PrivateScreen, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a screen this process's own, until the test ends."""
    for name, value in screen.access.items():
        monkeypatch.setenv(name, value)


def screen_of_tests(width: int, height: int) -> PrivateScreen:
    """Return a screen on which tests may do anything."""
    return PrivateScreen(width, height)


def program_of(class_name: str) -> str:
    """Return the identity of the program whose windows have a class."""
    return class_name


def client_desktop() -> Desktop:
    """Return the desktop of these clients: that of XWayland in a Wayland session."""
    return X11Desktop()


def wait_until(ready: Callable[[], object], seconds: float = PATIENCE) -> None:
    """Poll a condition in another process until it holds."""
    deadline = time.monotonic() + seconds
    while not ready():
        assert time.monotonic() < deadline, f"it did not come about within {seconds:.0f} s"
        select.select([], [], [], 0.01)


def suspend(process: int) -> None:
    """Stop a process, as if it hung."""
    os.kill(process, signal.SIGSTOP)


def resume(process: int) -> None:
    """Let a stopped process run again."""
    os.kill(process, signal.SIGCONT)


def button_held() -> bool:
    """Return whether a mouse button is down, including that of a delayed click."""
    state = client_desktop().pointer_state()
    return state is not None and state.button


def focus(window: int) -> None:
    """Give a window the keyboard, and wait until it has it."""
    client_desktop().activate(
        next(one for one in client_desktop().list_windows() if one.id == window)
    )
    wait_until(lambda: (seen := client_desktop().focused()) is not None and seen.id == window)


class Client:
    """A connection of its own, open during the block."""

    def __init__(self) -> None:
        self.display: Any = open_display()
        self.root: Any = self.display.screen().root

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.display.close()

    def configure(self, window: int, **to: int) -> None:
        """Give a window another position or size, and wait until that has changed."""
        before = client_desktop().place_of(window)
        self.resource(window).configure(**to)
        self.display.sync()
        wait_until(lambda: client_desktop().place_of(window) != before)

    def keep_above(self, window: int) -> None:
        """Ask the window manager to keep a window above the others, like its menu."""
        above = self.display.intern_atom("_NET_WM_STATE_ABOVE")
        self._ask_manager(window, "_NET_WM_STATE", 1, above, 0, 1)

    def ask_to_close(self, window: int) -> None:
        """Ask the window manager to close a window, like its button."""
        self._ask_manager(window, "_NET_CLOSE_WINDOW", 0, 2)

    def ask_to_move(self, window: int, left: int, top: int) -> None:
        """Ask the window manager to move a window, without waiting."""
        self.resource(window).configure(x=left, y=top)
        self.display.sync()

    def minimise(self, window: int) -> None:
        """Minimise a window like its button, and wait until it is not shown."""
        self._ask_manager(window, "WM_CHANGE_STATE", 3)
        wait_until(lambda: self._is_hidden(window))

    def restore(self, window: int) -> None:
        """Restore it like a taskbar, and wait until it is shown."""
        self._ask_manager(window, "_NET_ACTIVE_WINDOW", 2)
        wait_until(lambda: not self._is_hidden(window))

    def _ask_manager(self, window: int, name: str, *data: int) -> None:
        """Send the window manager a request about a window."""
        kind, numbers = self.display.intern_atom(name), [*data, 0, 0, 0, 0][:5]
        asked = event.ClientMessage(
            window=self.resource(window), client_type=kind, data=(32, numbers)
        )
        mask = X.SubstructureRedirectMask | X.SubstructureNotifyMask
        self.root.send_event(asked, event_mask=mask)
        self.display.sync()

    def _is_hidden(self, window: int) -> bool:
        """Return whether a window is minimised; GNOME keeps such a window mapped."""
        state, hidden = map(self.display.intern_atom, ("_NET_WM_STATE", "_NET_WM_STATE_HIDDEN"))
        found = self.resource(window).get_full_property(state, Xatom.ATOM)
        return found is not None and hidden in found.value

    def grab(self) -> None:
        """Grab all clicks of the mouse, like a program that draws a rectangle."""
        events, mode = X.ButtonPressMask, X.GrabModeAsync

        def grabbed() -> bool:
            # A window with a pressed button has the pointer until the release.
            asked = self.root.grab_pointer(False, events, mode, mode, X.NONE, X.NONE, 0)
            return asked == X.GrabSuccess

        wait_until(grabbed)

    def let_go(self) -> None:
        """Release the grab."""
        self.display.ungrab_pointer(X.CurrentTime)
        self.display.sync()

    def resource(self, window: int) -> Any:
        """Return any window, for queries."""
        return self.display.create_resource_object("window", window)


class PictureWindow(Client):
    """A window that shows a picture; the X server itself repaints it.

    Args:
        image: (H, W, 3) BGR.
        at: Requested position, (x, y).
        title: Its title; with `latin` it is only in WM_NAME.
        class_name: The second part of WM_CLASS; no WM_CLASS at all when empty.
        popup: Opens without asking the window manager, as menus and tooltips do.
        opener: Another window, whose program opens this one, too.
    """

    def __init__(
        self,
        image: NDArray[np.uint8],
        at: tuple[int, int] = (0, 0),
        title: str = "Picture",
        class_name: str = "Picture",
        *,
        popup: bool = False,
        latin: bool = False,
        opener: PictureWindow | None = None,
    ) -> None:
        super().__init__()
        self._opener = opener
        if opener is not None:
            self.display.close()
            self.display, self.root = opener.display, opener.root
        self._depth = self.display.screen().root_depth
        height, width = image.shape[:2]
        self.window: Any = self.root.create_window(
            *at, width, height, 0, self._depth,
            override_redirect=popup, event_mask=X.ButtonPressMask,
        )  # fmt: skip
        self._paint(image)
        if class_name:
            self.window.set_wm_class(class_name.lower(), class_name)
        if latin:
            self._set("WM_NAME", "STRING", title.encode("latin-1"))
        else:
            self._set("_NET_WM_NAME", "UTF8_STRING", title.encode())
        self.window.set_wm_normal_hints(flags=1, min_width=0, min_height=0)
        self.window.map()
        self.display.sync()
        if not popup:
            wait_until(self._shown)

    def __exit__(self, *error: object) -> None:
        with suppress(BadWindow):  # Closed before.
            self.close()
        if self._opener is None:
            super().__exit__(*error)

    @property
    def id(self) -> int:
        """The window's number."""
        return int(self.window.id)

    @property
    def region(self) -> Region:
        """The client area."""
        place = client_desktop().place_of(self.id)
        assert place is not None
        return place

    def pressed(self) -> list[Point]:
        """Return the positions of presses since the last call."""
        return _presses(self.display)

    def show(self, image: NDArray[np.uint8]) -> None:
        """Show another picture of the same size."""
        self._paint(image)
        self.window.clear_area()
        self.display.sync()

    def move(self, x: int, y: int) -> None:
        """Move the window, and wait until it has moved."""
        self.configure(self.id, x=x, y=y)

    def resize(self, image: NDArray[np.uint8]) -> None:
        """Give it the size of another picture and show that."""
        height, width = image.shape[:2]
        self.window.configure(width=width, height=height)
        self.display.sync()
        wait_until(lambda: self.region[2:] == (width, height))
        self.show(image)

    def hide(self) -> None:
        """Hide it, as a program does, and wait until it is hidden."""
        self.window.unmap()
        self.display.sync()
        wait_until(lambda: client_desktop().place_of(self.id) is None)

    def stop_drawing(self) -> None:
        """Put it below all others, as one whose program does not draw any more."""
        self.window.change_attributes(background_pixmap=X.NONE)
        self.window.configure(stack_mode=X.Below)
        self.display.sync()

    def lift(self) -> None:
        """Raise it above the others."""
        self.window.configure(stack_mode=X.Above)
        self.display.sync()

    def join_program(self, leader: int) -> None:
        """Make it a window of the same program as another one."""
        self.window.change_property(
            self.display.get_atom("WM_CLIENT_LEADER"), Xatom.WINDOW, 32, [leader]
        )
        self.display.sync()

    def show_pages(self, *, shown: bool = True) -> None:
        """Make it a window of a browser, or none any more."""
        role = self.display.get_atom("WM_WINDOW_ROLE")
        self.window.change_property(role, Xatom.STRING, 8, b"browser" if shown else b"")
        self.display.sync()

    def belong_to(self, owner: int) -> None:
        """Make it a dialog of another window."""
        transient = self.display.get_atom("WM_TRANSIENT_FOR")
        self.window.change_property(transient, Xatom.WINDOW, 32, [owner])
        self.display.sync()

    def close(self) -> None:
        """Close it, and wait until it is gone, with the frame that covers what lies below."""
        frame = self.window
        # The frame of a hidden window may go meanwhile.
        with suppress(BadWindow):
            while (above := frame.query_tree().parent) != self.root:
                frame = above
        self.window.destroy()
        self.display.sync()
        wait_until(lambda: frame.id not in {one.id for one in self.root.query_tree().children})

    def _shown(self) -> bool:
        """Return whether the window manager has listed it, and has shown the frame around it."""
        listed = self.id in [window.id for window in client_desktop().list_windows()]
        return listed and self.window.get_attributes().map_state == X.IsViewable

    def _paint(self, image: NDArray[np.uint8]) -> None:
        height, width = image.shape[:2]
        pixmap = self.window.create_pixmap(width, height, self._depth)
        context = pixmap.create_gc()
        pixels = cv2.cvtColor(image, cv2.COLOR_BGR2BGRA)
        for top in range(0, height, 16):
            stripe = pixels[top : top + 16]
            pixmap.put_image(
                context, 0, top, width, len(stripe), X.ZPixmap, self._depth, 0, stripe.tobytes()
            )
        self.window.change_attributes(background_pixmap=pixmap)
        context.free()
        pixmap.free()

    def _set(self, name: str, kind: str, value: bytes) -> None:
        atom = self.display.intern_atom
        self.window.change_property(atom(name), atom(kind), 8, value)


class Desk:
    """A window below all others, which receives each press that no other window gets."""

    def __init__(self) -> None:
        self._display: Any = open_display()
        screen = self._display.screen()
        size = screen.width_in_pixels, screen.height_in_pixels
        # GNOME puts an unmanaged window above all others, so this one is managed there.
        unmanaged = session_kind() is SessionKind.X11
        self._window: Any = screen.root.create_window(
            0, 0, *size, 0, screen.root_depth,
            override_redirect=unmanaged, event_mask=X.ButtonPressMask,
        )  # fmt: skip
        atom = self._display.intern_atom
        kind, lowest = map(atom, ("_NET_WM_WINDOW_TYPE", "_NET_WM_WINDOW_TYPE_DESKTOP"))
        self._window.change_property(kind, Xatom.ATOM, 32, [lowest])
        self._window.configure(stack_mode=X.Below)
        self._window.map()
        self._display.sync()

    @property
    def id(self) -> int:
        """The window's number."""
        return int(self._window.id)

    def pressed(self) -> list[Point]:
        """Return the positions of presses since the last call."""
        return _presses(self._display)

    def close(self) -> None:
        """Close the window."""
        self._display.close()


def _presses(display: Any) -> list[Point]:
    """Return the positions of presses since the last call that a client's windows received."""
    display.sync()
    reported = [display.next_event() for _ in range(display.pending_events())]
    return [Point(one.root_x, one.root_y) for one in reported if one.type == X.ButtonPress]


class Keyboard(Client):
    """Sends keys, by X11's names, to the focused window, like a real one."""

    def press(self, *names: str) -> None:
        """Press keys, one after the other; release them in reverse order."""
        for name in names:
            self.hold(name)
        for name in reversed(names):
            self.let_go(name)

    def hold(self, name: str) -> None:
        """Press a key and keep it down."""
        self._turn(X.KeyPress, name)

    def let_go(self, name: str) -> None:
        """Release it."""
        self._turn(X.KeyRelease, name)

    def _turn(self, kind: int, name: str) -> None:
        code = self.display.keysym_to_keycode(XK.string_to_keysym(name))
        # Only a key that repeats is pressed in the millisecond in which it was released.
        xtest.fake_input(self.display, kind, code, time=2 if kind == X.KeyPress else X.CurrentTime)
        self.display.sync()


_INPUT: Final = (
    rq.Card8("opcode"),
    rq.Opcode(2),
    rq.RequestLength(),
    rq.Card8("event_type"),
    rq.Card8("detail"),
    rq.Pad(2),
    rq.Card32("time"),
    rq.Pad(23),
    rq.Card8("device"),
)
"""The event of a device of the X Input Extension."""
_AXES: Final = (
    rq.Card8("valuator_type"),
    rq.Card8("valuator_device"),
    rq.Pad(4),
    rq.Card8("count"),
    rq.Card8("first"),
    rq.Int32("x"),
    rq.Int32("y"),
    rq.Pad(16),
)


class _DeviceButton(rq.Request):  # type: ignore[misc]  # Xlib has no types
    """The request XTestFakeDeviceButtonEvent."""

    _request = rq.Struct(*_INPUT)


class _DeviceMotion(rq.Request):  # type: ignore[misc]
    """The request XTestFakeDeviceMotionEvent, with the motion's two axes."""

    _request = rq.Struct(*_INPUT, *_AXES)


class Mice(Client):
    """The user's mouse, and a program that sends events like a remote user."""

    def __init__(self) -> None:
        super().__init__()
        self._xtest = self.display.query_extension("XTEST").major_opcode
        self._first = self.display.query_extension("XInputExtension").first_event

    @property
    def place(self) -> Point:
        """The pointer's position."""
        found = self.root.query_pointer()
        return Point(found.root_x, found.root_y)

    def push(self, x: int, y: int, times: int = 1) -> None:
        """Move the real mouse, by the given pixels each time."""
        axes = {"valuator_type": self._first, "valuator_device": _DEVICE, "count": 2, "first": 0}
        for _ in range(times):
            self._does(_DeviceMotion, _MOTION, True, **axes, x=x, y=y)
        self.display.sync()

    def click(self, button: int = 1) -> None:
        """Click with the real mouse at the pointer's position."""
        for kind in (_PRESS, _RELEASE):
            self._does(_DeviceButton, kind, button)
        self.display.sync()

    def send(self, x: int, y: int) -> None:
        """Move the pointer by an event, like x11vnc and xdotool."""
        xtest.fake_input(self.display, X.MotionNotify, x=x, y=y)
        self.display.sync()

    def send_click(self, button: int = 1) -> None:
        """Click by events at the pointer's position."""
        for kind in (X.ButtonPress, X.ButtonRelease):
            xtest.fake_input(self.display, kind, button)
        self.display.sync()

    @contextmanager
    def button_down(self) -> Iterator[None]:
        """Hold the left button down within the block, by events, at any position."""
        xtest.fake_input(self.display, X.ButtonPress, 1)
        self.display.sync()
        try:
            yield
        finally:
            xtest.fake_input(self.display, X.ButtonRelease, 1)
            self.display.sync()

    @contextmanager
    def own_button_down(self) -> Iterator[None]:
        """Hold the left button of the real mouse down within the block."""
        self._does(_DeviceButton, _PRESS, 1)
        self.display.sync()
        try:
            yield
        finally:
            self._does(_DeviceButton, _RELEASE, 1)
            self.display.sync()

    def warp(self, x: int, y: int) -> None:
        """Move the pointer without an event, like window managers and games."""
        self.root.warp_pointer(x, y)
        self.display.sync()

    def tell(self, name: str, kind: str, value: int) -> None:
        """Write a number into a property of the root window."""
        atom = self.display.intern_atom
        self.root.change_property(atom(name), atom(kind), 32, [value])
        self.display.sync()

    def unsay(self, name: str) -> None:
        """Remove a property of the root window."""
        self.root.delete_property(self.display.intern_atom(name))
        self.display.sync()

    def _does(self, request: type[rq.Request], kind: int, detail: int, **more: int) -> None:
        request(
            display=self.display.display,
            opcode=self._xtest,
            event_type=self._first + kind,
            detail=detail,
            time=0,
            device=_DEVICE,
            **more,
        )
