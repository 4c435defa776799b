"""Another program on Windows, for tests: its windows, its keys, its mouse. See `xclient`.

All windows belong to one thread, which handles their messages.
"""

from __future__ import annotations

import ctypes
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from ctypes import wintypes
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Self, TypeVar

import cv2
import numpy as np
import pytest
import pywintypes
import win32api
import win32con
import win32gui
from numpy.typing import NDArray

from bot.frame import Point, Region
from vision.desktop import OWN_CLASS, Desktop, desktop, windows_api

T = TypeVar("T")
PATIENCE = 60.0
"""Seconds after which Windows counts as stuck; a busy machine may take many."""
_APPEARS: Final = 1.0
"""Seconds after which a window that is not seen counts as covered."""
_MOMENT: Final = 0.05
_RUN: Final = win32con.WM_APP + 7
_KEYS: Final = {
    "Control_L": win32con.VK_CONTROL,
    "Alt_L": win32con.VK_MENU,
    "Shift_L": win32con.VK_SHIFT,
    "Super_L": win32con.VK_LWIN,
    "Caps_Lock": win32con.VK_CAPITAL,
    "Num_Lock": win32con.VK_NUMLOCK,
    "Escape": win32con.VK_ESCAPE,
    "Return": win32con.VK_RETURN,
    "Up": win32con.VK_UP,
}
"""X11's names of keys."""
_FRAMED: Final = win32con.WS_OVERLAPPED | win32con.WS_CAPTION | win32con.WS_SYSMENU
_PRESSED: Final = {1: 0x2, 2: 0x20, 3: 0x8}
_RELEASED: Final = {1: 0x4, 2: 0x40, 3: 0x10}
_WHEEL: Final = {4: win32con.WHEEL_DELTA, 5: -win32con.WHEEL_DELTA}


def adopt(_screen: object, _monkeypatch: pytest.MonkeyPatch) -> None:
    """Do nothing: a process has the desktop of its session."""


class _Desktop:
    """The desktop of this session, in place of a private screen."""

    access: Final = MappingProxyType({})
    environment: Final = MappingProxyType({})

    def adopt(self) -> None:
        """Do nothing: a process has the desktop of its session."""

    @property
    def region(self) -> Region:
        """The main monitor."""
        return desktop().monitors()[0]


@contextmanager
def screen_of_tests(_width: int, _height: int) -> Iterator[Any]:
    """Return the desktop of this session."""
    yield _Desktop()


def program_of(class_name: str) -> str:
    """Return the identity of the program whose windows have a class: that of these tests."""
    return f"{class_name}@{Path(sys.executable).name}" if class_name else ""


def client_desktop() -> Desktop:
    """Return the desktop of these clients."""
    return desktop()


def wait_until(ready: Callable[[], object], seconds: float = PATIENCE) -> None:
    """Poll a condition in another process until it holds."""
    deadline = time.perf_counter() + seconds
    while not ready():
        assert time.perf_counter() < deadline, f"it did not come about within {seconds:.0f} s"
        threading.Event().wait(0.01)


def suspend(process: int) -> None:
    """Stop a process, as if it hung."""
    _call_process("NtSuspendProcess", process)


def resume(process: int) -> None:
    """Let a stopped process run again."""
    _call_process("NtResumeProcess", process)


def _call_process(name: str, process: int) -> None:
    handle = win32api.OpenProcess(win32con.PROCESS_SUSPEND_RESUME, False, process)
    try:
        getattr(ctypes.windll.ntdll, name)(wintypes.HANDLE(int(handle)))
    finally:
        win32api.CloseHandle(handle)


def button_held() -> bool:
    """Return whether a mouse button is down."""
    state = desktop().pointer_state()
    return state is not None and state.button


def focus(window: int) -> None:
    """Give a window the keyboard, and wait until it has it."""
    desktop().activate(next(one for one in desktop().list_windows() if one.id == window))
    wait_until(lambda: (seen := desktop().focused()) is not None and seen.id == window)


class _Thread:
    """The thread of all windows."""

    def __init__(self) -> None:
        self._work: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._begun = threading.Event()
        self.number = 0
        threading.Thread(target=self._run, name="windows", daemon=True).start()
        self._begun.wait()

    def call(self, function: Callable[[], T]) -> T:
        """Call a function in the thread, and return its result."""
        done: queue.SimpleQueue[Any] = queue.SimpleQueue()

        def work() -> None:
            try:
                done.put((function(), None))
            except Exception as error:  # noqa: BLE001 - raised below
                done.put((None, error))

        self._work.put(work)
        win32gui.PostThreadMessage(self.number, _RUN, 0, 0)
        value, error = done.get(timeout=PATIENCE)
        if error is not None:
            raise error
        return value  # type: ignore[no-any-return]

    def _run(self) -> None:
        self.number = win32api.GetCurrentThreadId()
        win32gui.PeekMessage(0, 0, 0, win32con.PM_NOREMOVE)
        self._begun.set()
        while True:
            _, message = win32gui.GetMessage(0, 0, 0)
            if message[0] == 0 and message[1] == _RUN:
                self._work.get()()
            else:
                win32gui.DispatchMessage(message)  # type: ignore[no-untyped-call]


_thread: _Thread | None = None
_classes: set[str] = set()
_shown: dict[int, PictureWindow] = {}


def _in_thread(function: Callable[[], T]) -> T:
    global _thread  # noqa: PLW0603 - started for the first window
    _thread = _thread or _Thread()
    return _thread.call(function)


class _MinMax(ctypes.Structure):
    """MINMAXINFO."""

    _fields_ = tuple(
        (name, wintypes.POINT) for name in ("reserved", "size", "place", "least", "most")
    )


def _on_size_limit(_window: int, _message: int, _wparam: int, lparam: int) -> int:
    # A window as small as a tile.
    _MinMax.from_address(lparam).least = wintypes.POINT(1, 1)
    return 0


def _on_paint(window: int, _message: int, _wparam: int, _lparam: int) -> int:
    context, painted = win32gui.BeginPaint(window)
    if (one := _shown.get(window)) is not None:
        one.paint(context)
    win32gui.EndPaint(window, painted)
    return 0


def _on_button(window: int, message: int, _wparam: int, lparam: int) -> int:
    if (one := _shown.get(window)) is not None:
        x, y = lparam & 0xFFFF, lparam >> 16 & 0xFFFF
        one.events.append((message, x, y))
    return 0


_BUTTON_MESSAGES: Final = (
    win32con.WM_LBUTTONDOWN,
    win32con.WM_LBUTTONUP,
    win32con.WM_RBUTTONDOWN,
    win32con.WM_RBUTTONUP,
    win32con.WM_MBUTTONDOWN,
    win32con.WM_MBUTTONUP,
)


def _register(name: str) -> None:
    if name.lower() in _classes:
        return
    kind: Any = win32gui.WNDCLASS()
    kind.lpszClassName = name
    kind.hInstance = win32api.GetModuleHandle(None)
    kind.hCursor = win32gui.LoadCursor(0, win32con.IDC_ARROW)
    kind.lpfnWndProc = {
        win32con.WM_PAINT: _on_paint,
        win32con.WM_GETMINMAXINFO: _on_size_limit,
        **dict.fromkeys(_BUTTON_MESSAGES, _on_button),
    }
    win32gui.RegisterClass(kind)
    _classes.add(name.lower())


class Client:
    """What another program can do, during the block."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def configure(self, window: int, **to: int) -> None:
        """Give a window another position or size, and wait until that has changed."""
        before = desktop().place_of(window)
        left, top, right, bottom = win32gui.GetWindowRect(window)
        x, y = to.get("x", left), to.get("y", top)
        width, height = to.get("width", right - left), to.get("height", bottom - top)
        win32gui.SetWindowPos(window, 0, x, y, width, height, _UNRAISED)
        wait_until(lambda: desktop().place_of(window) != before)

    def keep_above(self, window: int) -> None:
        """Keep a window above the others."""
        win32gui.SetWindowPos(window, win32con.HWND_TOPMOST, 0, 0, 0, 0, _UNMOVED)

    def minimise(self, window: int) -> None:
        """Minimise a window like its button, and wait until it is not shown."""
        win32gui.ShowWindow(window, win32con.SW_MINIMIZE)
        wait_until(lambda: desktop().place_of(window) is None)

    def restore(self, window: int) -> None:
        """Restore it like the task bar, and wait until it is shown."""
        win32gui.ShowWindow(window, win32con.SW_RESTORE)
        wait_until(lambda: desktop().place_of(window) is not None)

    def ask_to_close(self, window: int) -> None:
        """Ask a window to close, like its button."""
        win32gui.PostMessage(window, win32con.WM_CLOSE, 0, 0)


_UNRAISED: Final = win32con.SWP_NOZORDER | win32con.SWP_NOACTIVATE
_UNMOVED: Final = win32con.SWP_NOMOVE | win32con.SWP_NOSIZE | win32con.SWP_NOACTIVATE


class PictureWindow(Client):
    """A window that shows a picture.

    Args:
        image: (H, W, 3) BGR.
        at: Position of its client area or frame, (x, y).
        title: Its title.
        class_name: Its class; an empty one is replaced.
        popup: Without a frame, and in no list, as menus and tooltips.
    """

    def __init__(
        self,
        image: NDArray[np.uint8],
        at: tuple[int, int] = (0, 0),
        title: str = "Picture",
        class_name: str = "Picture",
        *,
        popup: bool = False,
    ) -> None:
        self.events: list[tuple[int, int, int]] = []
        """Messages of buttons: kind, x and y in the client area."""
        self._pixels = cv2.cvtColor(image, cv2.COLOR_BGR2BGRA)
        self._popup = popup
        # A mark of the process: during its life all windows of these tests are this program's.
        self._mark = windows_api.mark_process(class_name) if class_name == OWN_CLASS else 0
        self.id = _in_thread(lambda: self._create(image, at, title, class_name or "Nameless"))
        if not popup:
            wait_until(lambda: self.id in [window.id for window in desktop().list_windows()])
        self._painted()

    def __exit__(self, *error: object) -> None:
        with suppress(pywintypes.error):  # Closed before.
            self.close()

    @property
    def region(self) -> Region:
        """The client area."""
        place = desktop().place_of(self.id)
        assert place is not None
        return place

    def pressed(self) -> list[Point]:
        """Return the positions of presses since the last call."""
        events, self.events = self.events, []
        downs = [(x, y) for kind, x, y in events if kind in _BUTTON_MESSAGES[::2]]
        return [Point(self.region.left + x, self.region.top + y) for x, y in downs]

    def show(self, image: NDArray[np.uint8]) -> None:
        """Show another picture of the same size."""
        self._pixels = cv2.cvtColor(image, cv2.COLOR_BGR2BGRA)
        win32gui.InvalidateRect(self.id, None, False)
        self._painted()

    def move(self, x: int, y: int) -> None:
        """Move the window, and wait until it has moved."""
        self.configure(self.id, x=x, y=y)

    def resize(self, image: NDArray[np.uint8]) -> None:
        """Give it the size of another picture and show that."""
        height, width = image.shape[:2]
        self._pixels = cv2.cvtColor(image, cv2.COLOR_BGR2BGRA)
        size = self._outer(width, height)
        win32gui.SetWindowPos(self.id, 0, 0, 0, *size, _UNRAISED | win32con.SWP_NOMOVE)
        wait_until(lambda: self.region[2:] == (width, height))
        self.show(image)

    def hide(self) -> None:
        """Hide it, as a program does, and wait until it is hidden."""
        win32gui.ShowWindow(self.id, win32con.SW_HIDE)
        wait_until(lambda: desktop().place_of(self.id) is None)

    def lift(self) -> None:
        """Raise it above the others."""
        self.keep_above(self.id)

    def join_program(self, leader: int) -> None:
        """Do nothing: all windows of these tests are of one process."""

    def belong_to(self, owner: int) -> None:
        """Make it a dialog of another window."""
        set_long = ctypes.windll.user32.SetWindowLongPtrW
        set_long(wintypes.HWND(self.id), win32con.GWL_HWNDPARENT, ctypes.c_void_p(owner))

    def close(self) -> None:
        """Close it, and wait until it is gone."""
        if win32gui.IsWindow(self.id):
            _in_thread(lambda: win32gui.DestroyWindow(self.id))
        _shown.pop(self.id, None)
        if self._mark:
            win32api.CloseHandle(self._mark)
            self._mark = 0
        wait_until(lambda: not win32gui.IsWindow(self.id))

    def paint(self, context: int) -> None:
        """Paint it, in its thread."""
        height, width = self._pixels.shape[:2]
        header = (ctypes.c_int32 * 10)(40, width, -height, 1 | 32 << 16)
        ctypes.windll.gdi32.SetDIBitsToDevice(
            wintypes.HDC(context), 0, 0, width, height, 0, 0, 0, height,
            np.ascontiguousarray(self._pixels).ctypes.data_as(ctypes.c_void_p),
            header, 0,
        )  # fmt: skip

    def _create(
        self, image: NDArray[np.uint8], at: tuple[int, int], title: str, class_name: str
    ) -> int:
        _register(class_name)
        height, width = image.shape[:2]
        extended = win32con.WS_EX_TOOLWINDOW | win32con.WS_EX_TOPMOST if self._popup else 0
        window = win32gui.CreateWindowEx(
            extended,
            class_name,
            title,
            win32con.WS_POPUP if self._popup else _FRAMED,
            *at,
            *self._outer(width, height),
            0,
            0,
            win32api.GetModuleHandle(None),
            None,
        )
        _shown[window] = self
        win32gui.ShowWindow(window, win32con.SW_SHOWNOACTIVATE if self._popup else win32con.SW_SHOW)
        win32gui.UpdateWindow(window)
        return int(window)

    def _outer(self, width: int, height: int) -> tuple[int, int]:
        if self._popup:
            return width, height
        frame = wintypes.RECT(0, 0, width, height)
        ctypes.windll.user32.AdjustWindowRectEx(ctypes.byref(frame), _FRAMED, False, 0)
        return frame.right - frame.left, frame.bottom - frame.top

    def _painted(self) -> None:
        """Wait until it has painted itself, and is on the screen unless something covers it."""
        _in_thread(lambda: win32gui.UpdateWindow(self.id))
        place = self.region
        with desktop().open_screen() as screen, suppress(AssertionError):
            wait_until(lambda: self._is_shown(screen.grab(place).image), _APPEARS)

    def _is_shown(self, image: NDArray[np.uint8]) -> bool:
        own = self._pixels[..., :3]
        return own.shape == image.shape and bool((own == image).all())


class Desk(PictureWindow):
    """A window below all others, which receives each press that no other window gets."""

    def __init__(self) -> None:
        left, top, width, height = desktop().monitors()[0]
        super().__init__(np.zeros((height, width, 3), np.uint8), (left, top), "Desk", popup=True)
        win32gui.SetWindowPos(self.id, win32con.HWND_BOTTOM, 0, 0, 0, 0, _UNMOVED)


class Keyboard(Client):
    """Sends keys, by X11's names, to the focused window."""

    def press(self, *names: str) -> None:
        """Press keys, one after the other; release them in reverse order."""
        for name in names:
            self.hold(name)
        for name in reversed(names):
            self.let_go(name)

    def hold(self, name: str) -> None:
        """Press a key and keep it down."""
        win32api.keybd_event(_virtual_key(name), 0, 0, 0)

    def let_go(self, name: str) -> None:
        """Release it."""
        win32api.keybd_event(_virtual_key(name), 0, win32con.KEYEVENTF_KEYUP, 0)


def _virtual_key(name: str) -> int:
    if name in _KEYS:
        return _KEYS[name]
    if len(name) > 1 and name.startswith("F"):
        return int(win32con.VK_F1) + int(name[1:]) - 1
    return ord(name.upper())


class Mice(Client):
    """The user's mouse, and a program that sends events like a remote user."""

    @property
    def place(self) -> Point:
        """The pointer's position."""
        return Point(*map(float, win32api.GetCursorPos()))

    def push(self, x: int, y: int, times: int = 1) -> None:
        """Move the mouse, by the given pixels each time."""
        for _ in range(times):
            win32api.mouse_event(win32con.MOUSEEVENTF_MOVE, x, y, 0, 0)
        self._rests()

    def click(self, button: int = 1) -> None:
        """Click at the pointer's position; the buttons 4 and 5 turn the wheel."""
        if button in _WHEEL:
            win32api.mouse_event(win32con.MOUSEEVENTF_WHEEL, 0, 0, _WHEEL[button], 0)
            return
        win32api.mouse_event(_PRESSED[button], 0, 0, 0, 0)
        win32api.mouse_event(_RELEASED[button], 0, 0, 0, 0)

    def send(self, x: int, y: int) -> None:
        """Move the pointer by events: to a place far away in steps, as a remote user does."""
        while (at := self.place) != (x, y):
            right, down = x - int(at.x), y - int(at.y)
            steps = 4 if max(abs(right), abs(down)) >= 4 else 1
            win32api.mouse_event(win32con.MOUSEEVENTF_MOVE, right // steps, down // steps, 0, 0)

    send_click = click

    @contextmanager
    def button_down(self) -> Iterator[None]:
        """Hold the left button down within the block, at any position."""
        win32api.mouse_event(_PRESSED[1], 0, 0, 0, 0)
        try:
            yield
        finally:
            win32api.mouse_event(_RELEASED[1], 0, 0, 0, 0)

    def warp(self, x: int, y: int) -> None:
        """Move the pointer without an event, like window managers and games."""
        win32api.SetCursorPos((x, y))
        self._rests()

    def _rests(self) -> None:
        """Wait until the pointer rests: Wine moves that of the screen a moment later.

        A motion from before may still arrive at a window; 0.1 s after it Wine asks the screen.
        While a run plays, the pointer does not rest: the wait has a limit.
        """
        last, deadline = None, time.perf_counter() + _APPEARS
        while last != (last := self.place) and time.perf_counter() < deadline:
            threading.Event().wait(3 * _MOMENT)
