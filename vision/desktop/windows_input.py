"""Input on Windows: the pointer, the events of all devices, and keys for all windows.

The mouse sends its events by `SendInput`, several in one call, between which nothing else comes:
pyautogui's `mouse_event` sends one at a time, so that the user could move the pointer between the
motion and the press. Each event carries a number that no other program sends, by which the events
of the devices are told apart from it. Keys are typed by pyautogui, as virtual keys.
In Wine a click takes 8 ms with its checks, 1.3 ms on X11 (`python -m tests.benchmarks.systems`).

The events of all devices are *raw input*. A hook for all input (`WH_MOUSE_LL`) would pass each
motion of the user's mouse through this process, which is too busy for that. As on X11, neither a
program that sets the pointer's position nor a window that is drawn below it causes an event.

Source: SendInput, Raw Input, RegisterHotKey in the Windows API reference.
"""

from __future__ import annotations

import sys

assert sys.platform == "win32"

import itertools
import logging
import queue
import socket
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, Final

import pywintypes
import win32api
import win32con
import win32gui

from bot.frame import Point
from bot.mouse import MouseError
from vision.desktop import windows_api
from vision.desktop.base import InputEvent, InputKind, Key, KeyTaken, parse_key
from vision.desktop.pyautogui_pointer import PyautoguiPointer

_log = logging.getLogger(__name__)

_TAG: Final = 0x4D53
"""The upper half of the number that this program's events carry; the lower half counts."""
_UNREPORTED: Final = 0
"""The count of a motion that is not reported: see `Desktop.steer`."""
_COUNTS: Final = 0xFFFF
_RECENT: Final = 512
"""Number of points that are remembered: those of some batches of clicks. Where another system draws
the pointer (a remote desktop, a virtual machine), motions come back later, as those of a mouse."""
_MOVE: Final = 0x1 | 0x4000 | 0x8000
"""MOUSEEVENTF_MOVE, VIRTUALDESK and ABSOLUTE: a position among all monitors."""
_SPAN: Final = 65536
"""Units of an absolute position across all monitors."""
_PRESSED: Final = {"left": 0x2, "right": 0x8, "middle": 0x20}
_RELEASED: Final = {"left": 0x4, "right": 0x10, "middle": 0x40}
"""MOUSEEVENTF_... flags of the buttons."""
_RAW_PRESSES: Final = 0x1 | 0x4 | 0x10 | 0x40 | 0x100 | 0x400 | 0x800
"""RI_MOUSE_... flags of presses and of the wheel."""
_FUNCTION_KEYS: Final = range(win32con.VK_F1, win32con.VK_F12 + 1)
_RAW_INPUT_MESSAGE: Final = 0xFF
"""WM_INPUT."""
_MESSAGE_ONLY: Final = -3
"""HWND_MESSAGE: the parent of a window that is never shown."""
_NOT_REPEATED: Final = 0x4000
"""MOD_NOREPEAT."""
_WAKE: Final = win32con.WM_APP

_VIRTUAL_KEYS: Final = {
    "Pause": win32con.VK_PAUSE,
    "ScrollLock": win32con.VK_SCROLL,
    "Print": win32con.VK_SNAPSHOT,
    "Ins": win32con.VK_INSERT,
    "Del": win32con.VK_DELETE,
    "Home": win32con.VK_HOME,
    "End": win32con.VK_END,
    "PgUp": win32con.VK_PRIOR,
    "PgDown": win32con.VK_NEXT,
    "Backspace": win32con.VK_BACK,
    "Space": win32con.VK_SPACE,
    "Left": win32con.VK_LEFT,
    "Right": win32con.VK_RIGHT,
    "Up": win32con.VK_UP,
    "Down": win32con.VK_DOWN,
}
_MODIFIERS: Final = {
    "Ctrl": win32con.MOD_CONTROL,
    "Alt": win32con.MOD_ALT,
    "Shift": win32con.MOD_SHIFT,
    "Meta": win32con.MOD_WIN,
}


class _Sent:
    """The points of the motions that this process has sent, by the number that they carry."""

    def __init__(self) -> None:
        self._counts = itertools.cycle(range(1, _COUNTS + 1))
        self._points: dict[int, Point] = {}
        self._lock = threading.Lock()
        self._recent: deque[Point] = deque(maxlen=_RECENT)
        """The last points at which this process put the pointer."""

    def number(self, point: Point | None) -> int:
        """Return the number for a reported event; `point` is a motion's target."""
        with self._lock:
            count = next(self._counts)
            self._points.pop(count, None)
            if point is not None:
                self._points[count] = point
            return _TAG << 16 | count

    def note(self, point: Point) -> None:
        """Register a point at which the pointer is about to be put."""
        self._recent.append(point)

    def has_put(self, point: Point) -> bool:
        """Return whether this process has put the pointer there a moment ago."""
        return point in self._recent

    def event_of(self, raw: windows_api.RawEvent) -> InputEvent | None:
        """Return an event of this process as it is reported; None if it is not reported."""
        count = raw.extra & _COUNTS
        if count == _UNREPORTED:
            return None
        if raw.buttons & _RAW_PRESSES:
            return InputEvent(InputKind.PRESS, sent=True, point=None)
        point = self._points.get(count)
        return None if point is None else InputEvent(InputKind.MOTION, sent=True, point=point)


_sent: Final = _Sent()
_steered = threading.local()
"""The point to which the next event of a thread puts the pointer first, as `point`."""


def steer(point: Point | None) -> None:
    """Put the pointer onto a point together with the next event of this thread; None cancels."""
    _steered.point = point


def put_pointer(point: Point) -> None:
    """Put the pointer onto a point at once; the motion is not reported."""
    _send(_motion(point, _TAG << 16))


class WindowsPointer:
    """The mouse and the keyboard of this desktop, for the thread that plays.

    Raises:
        MouseError: No input can be sent.
    """

    def __init__(self) -> None:
        self._keys: PyautoguiPointer | None = None
        windows_api.set_short_ticks()
        swapped = bool(win32api.GetSystemMetrics(win32con.SM_SWAPBUTTON))
        # Windows swaps the buttons of a left-handed mouse after they are sent.
        self._buttons = {"left": "right", "right": "left"} if swapped else {}
        # A process that was killed between press and release leaves its button down.
        down = win32con.VK_LBUTTON, win32con.VK_RBUTTON, win32con.VK_MBUTTON
        if any(win32api.GetAsyncKeyState(key) < 0 for key in down):
            for flags in _RELEASED.values():
                _send(_button(flags, _TAG << 16))

    @property
    def position(self) -> Point:
        """The pointer's position, in points."""
        return _position()

    def move(self, point: Point) -> Point:
        """Move the pointer to a point; return its position just before."""
        steer(None)
        before, target = _position(), Point(round(point.x), round(point.y))
        _send(_motion(target, _sent.number(target)))
        if _position() != target and win32api.GetAsyncKeyState(win32con.VK_LBUTTON) >= 0:
            # The motion has no effect yet, or the user moves the mouse: the next check finds out.
            _sent.note(target)
            with suppress(pywintypes.error):
                win32api.SetCursorPos((int(target.x), int(target.y)))
        return before

    def click(
        self,
        point: Point,  # noqa: ARG002 - the pointer is there already
        button: str,
        hold: Callable[[], object] | None,
    ) -> None:
        """Press and release at the pointer's position; call `hold` between the two."""
        pressed: list[str] = []
        try:
            for one in button.split("+"):
                name = self._buttons.get(one, one)
                self._send_press(name)
                pressed.append(name)
            if hold is not None:
                hold()
        finally:
            for name in reversed(pressed):
                _send_with_motion(_button(_RELEASED[name], _sent.number(None)))

    def press(self, key: str) -> None:
        """Type a key, by pyautogui's name for it; several held together as `ctrl+n`."""
        # Loaded for the first key: most games need none.
        self._keys = self._keys or PyautoguiPointer(fail_safe=False)
        self._keys.press(key)

    def _send_press(self, button: str) -> None:
        _send_with_motion(_button(_PRESSED[button], _sent.number(None)))


def _position() -> Point:
    """Return the pointer's position.

    Raises:
        MouseError: The screen is locked, or Windows asks for a permission.
    """
    try:
        return Point(*map(float, win32api.GetCursorPos()))
    except pywintypes.error as error:
        raise MouseError(
            "Windows shows another desktop: the screen is locked, or it asks for a permission"
        ) from error


def _motion(point: Point, number: int) -> windows_api.MouseInput:
    """Return a motion to a point, which Windows rounds down to that point exactly."""
    _sent.note(Point(round(point.x), round(point.y)))
    metric = win32api.GetSystemMetrics
    left, top = metric(win32con.SM_XVIRTUALSCREEN), metric(win32con.SM_YVIRTUALSCREEN)
    width, height = metric(win32con.SM_CXVIRTUALSCREEN), metric(win32con.SM_CYVIRTUALSCREEN)
    x, y = absolute(round(point.x) - left, width), absolute(round(point.y) - top, height)
    return windows_api.MouseInput(x, y, 0, _MOVE, 0, number)


def absolute(pixel: int, size: int) -> int:
    """Return a pixel's absolute position: the least one that Windows maps to it.

    Args:
        pixel: From the left or top edge of all monitors together.
        size: Their width or height, in pixels.
    """
    return -(-pixel * _SPAN // max(size, 1))


def _button(flags: int, number: int) -> windows_api.MouseInput:
    return windows_api.MouseInput(0, 0, 0, flags, 0, number)


def _send_with_motion(event: windows_api.MouseInput) -> None:
    """Send an event, after the motion that `steer` has put off, in one call."""
    point: Point | None = getattr(_steered, "point", None)
    steer(None)
    _send(*(() if point is None else (_motion(point, _TAG << 16),)), event)


def _send(*events: windows_api.MouseInput) -> None:
    if not windows_api.send_mouse(*events):
        raise MouseError(
            "Windows accepts no input from this program now: another program blocks it, or the "
            "screen is locked"
        )


class _MessageLoop:
    """A thread that receives messages of Windows."""

    def __init__(self, name: str) -> None:
        self._begun = threading.Event()
        self._number = 0
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()
        self._begun.wait()

    def join(self) -> None:
        """Wait until the thread has ended."""
        self._thread.join()

    def _begin(self) -> None:
        """Prepare, in the thread."""

    def _receive(self, message: int) -> None:
        """Handle a message to the thread itself."""

    def _finish(self) -> None:
        """Clean up, in the thread."""

    def _post(self, message: int) -> None:
        """Send a message to the thread."""
        with suppress(pywintypes.error):
            win32gui.PostThreadMessage(self._number, message, 0, 0)

    def _run(self) -> None:
        self._number = win32api.GetCurrentThreadId()
        # Creates the thread's queue of messages.
        win32gui.PeekMessage(0, 0, 0, win32con.PM_NOREMOVE)
        try:
            self._begin()
            self._begun.set()
            while True:
                more, message = win32gui.GetMessage(0, 0, 0)
                if more <= 0:
                    return
                if message[0]:
                    win32gui.DispatchMessage(message)  # type: ignore[no-untyped-call]
                else:
                    self._receive(message[1])
        finally:
            self._begun.set()
            self._finish()


class WindowsInputEvents(_MessageLoop):
    """The events of every mouse and keyboard, for one thread; one object at a time in a process."""

    def __init__(self) -> None:
        self._events: deque[InputEvent] = deque(maxlen=4096)
        self._reading, self._writing = socket.socketpair()
        self._writing.setblocking(False)
        self._window: Any = 0
        self._atom: Any = 0
        self.works = False
        """Whether the events are received."""
        super().__init__("input events")

    @property
    def handle(self) -> int:
        """A descriptor for `select`."""
        return self._reading.fileno()

    @property
    def pending(self) -> bool:
        """Whether `pop_events` has something without waiting."""
        return bool(self._events)

    def pop_events(self) -> list[InputEvent]:
        """Return the events since the last call; wait for some if there are none."""
        self._reading.recv(4096)
        return [self._events.popleft() for _ in range(len(self._events))]

    def close(self) -> None:
        """Stop listening."""
        self._post(win32con.WM_QUIT)
        self.join()
        self._reading.close()
        self._writing.close()

    def _begin(self) -> None:
        kind: Any = win32gui.WNDCLASS()
        kind.lpszClassName = f"minesweeper-bot-input-{self._number}"
        kind.hInstance = win32api.GetModuleHandle(None)
        kind.lpfnWndProc = {_RAW_INPUT_MESSAGE: self._on_raw_input}
        self._atom = win32gui.RegisterClass(kind)
        self._window = win32gui.CreateWindow(
            self._atom, None, 0, 0, 0, 0, 0, _MESSAGE_ONLY, 0, kind.hInstance, None
        )
        self.works = windows_api.register_raw_input(self._window)

    def _finish(self) -> None:
        windows_api.register_raw_input(None)
        if self._window:
            win32gui.DestroyWindow(self._window)
            win32gui.UnregisterClass(self._atom, win32api.GetModuleHandle(None))

    def _on_raw_input(self, window: int, message: int, wparam: int, lparam: int) -> int:
        raw = windows_api.read_raw_input(lparam)
        event = None if raw is None else reported(raw)
        if event is not None:
            self._events.append(event)
            # Full: many events wait already.
            with suppress(BlockingIOError):
                self._writing.send(b".")
        result: int = win32gui.DefWindowProc(window, message, wparam, lparam)
        return result


def reported(raw: windows_api.RawEvent) -> InputEvent | None:
    """Return an event of a device as it is reported; None if it is not.

    Events of other programs cannot be told from those of a touchpad, which name no device either.
    """
    if not raw.mouse:
        if raw.key and raw.key not in _FUNCTION_KEYS:
            return InputEvent(InputKind.KEY, sent=False, point=None)
        return None
    if raw.extra >> 16 == _TAG:
        return _sent.event_of(raw)
    if raw.buttons & _RAW_PRESSES:
        return InputEvent(InputKind.PRESS, sent=False, point=None)
    # A motion that leaves the pointer where this program has put it is an echo of its own.
    if raw.moved:
        with suppress(MouseError):
            if not _sent.has_put(_position()):
                return InputEvent(InputKind.MOTION, sent=False, point=None)
    return None


class WindowsGlobalKey(_MessageLoop):
    """Detects a key in any window (RegisterHotKey), in a thread of its own; see `GlobalKey`."""

    def __init__(self, name: str, pressed: Callable[[], None]) -> None:
        self._name, self._pressed = name, pressed
        self._orders: queue.SimpleQueue[tuple[Future[None], Key | None]] = queue.SimpleQueue()
        self._held = self._closed = False
        super().__init__(name)

    def hold(self, text: str) -> Future[None]:
        return self._order(parse_key(text))

    def release(self) -> Future[None]:
        return self._order(None)

    def close(self) -> None:
        self._closed = True
        self._post(win32con.WM_QUIT)

    def _order(self, key: Key | None) -> Future[None]:
        future: Future[None] = Future()
        if self._closed:
            future.set_exception(KeyTaken(f"the {self._name} is not heard any more"))
            return future
        self._orders.put((future, key))
        self._post(_WAKE)
        return future

    def _receive(self, message: int) -> None:
        if message == win32con.WM_HOTKEY:
            self._pressed()
        elif message == _WAKE:
            future, key = self._orders.get()
            try:
                self._unregister()
                if key is not None:
                    self._register(key)
            except (KeyTaken, LookupError, ValueError) as error:
                future.set_exception(error)
            else:
                future.set_result(None)

    def _register(self, key: Key) -> None:
        flags = _NOT_REPEATED
        for name in key.modifiers:
            flags |= _MODIFIERS[name]
        try:
            win32gui.RegisterHotKey(None, 1, flags, virtual_key(key))
        except pywintypes.error as error:
            _log.info("The %s is not available: %s", self._name, error)
            raise KeyTaken(
                f"another program has the key {key} (another panel that plays, perhaps): choose "
                f"another {self._name} in the settings"
            ) from error
        self._held = True

    def _finish(self) -> None:
        self._unregister()
        # Orders that came with the end.
        self._closed = True
        while not self._orders.empty():
            future, _ = self._orders.get()
            future.set_exception(KeyTaken(f"the {self._name} is not heard any more"))

    def _unregister(self) -> None:
        if self._held:
            with suppress(pywintypes.error):
                win32gui.UnregisterHotKey(None, 1)
        self._held = False


def virtual_key(key: Key) -> int:
    """Return the virtual key of a key that `parse_key` accepts."""
    if len(key.name) == 1:
        return ord(key.name.upper())
    if key.name in _VIRTUAL_KEYS:
        return _VIRTUAL_KEYS[key.name]
    return win32con.VK_F1 + int(key.name.removeprefix("F")) - 1
