"""Windows: its windows, the pointer, and whether the user sees the screen.

A window is identified by its handle. Points are physical pixels of all monitors together, where the
main monitor's corner is (0, 0) and others may lie at negative positions; this needs a process that
is aware of each monitor's scale, which `WindowsDesktop` declares.

The program of a window is identified by the window's class and the file of its process: many
programs share a class, such as those of one browser or toolkit. Windows of this program are those
of its processes, which carry a mark.

Not seen on a real Windows yet: scales other than 100 %, `PrintWindow` of windows that the graphics
card draws, programs that run as administrator, the lock screen, exclusive full screen, and remote
sessions. Each is in one function of `windows_api`.

Source: the Windows API reference.
"""

from __future__ import annotations

import sys

assert sys.platform == "win32"

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import PureWindowsPath
from typing import Final

import pywintypes
import win32api
import win32con
import win32gui
import win32process

from bot.frame import Point, Region
from bot.mouse import Pointer
from vision.desktop import windows_api
from vision.desktop.base import (
    OWN_CLASS,
    SIMULATOR_CLASS,
    ClickState,
    Decoration,
    Desktop,
    Diagnosis,
    Feature,
    GlobalKey,
    InputEvents,
    PointerState,
    Screen,
    Window,
)
from vision.desktop.windows_input import (
    WindowsGlobalKey,
    WindowsInputEvents,
    WindowsPointer,
    put_pointer,
    steer,
)
from vision.plaintext import one_line

_SHELL: Final = frozenset({"Progman", "WorkerW", "Shell_TrayWnd", "Shell_SecondaryTrayWnd"})
"""The classes of the desktop and the task bar."""
_BROWSERS: Final = ("Chrome_WidgetWin_", "MozillaWindowClass", "ApplicationFrameWindow")
"""The beginnings of the classes of browsers, which draw their bars in the client area, and of
programs from the store."""
_STORE_FRAME: Final = "ApplicationFrameWindow"
"""A frame in another process than the program from the store that is shown in it."""
_MENU: Final = "#32768"
_BUTTONS: Final = (
    win32con.VK_LBUTTON,
    win32con.VK_RBUTTON,
    win32con.VK_MBUTTON,
    win32con.VK_XBUTTON1,
    win32con.VK_XBUTTON2,
)
_MODIFIERS: Final = (
    win32con.VK_SHIFT,
    win32con.VK_CONTROL,
    win32con.VK_MENU,
    win32con.VK_LWIN,
    win32con.VK_RWIN,
)
_CAPTION_HEIGHT: Final = 4
"""SM_CYCAPTION."""
_WINDOWS_11: Final = 22000
"""The first build of Windows 11."""
_REMOTE_SESSION: Final = 0x1000
"""SM_REMOTESESSION."""
_INPUT_DESKTOP: Final = "Default"
"""The name of the desktop that shows the user's windows."""
_ADMINISTRATOR: Final = 0x3000
"""The integrity level of a program that runs as administrator."""
_TITLE_CHARACTERS: Final = 300
"""Longest title: a message or a tooltip with a longer one would cover the screen."""
_RESPONSE_SECONDS: Final = 1.0
"""Time for a program to answer a message."""
_RESPONSE_INTERVAL: Final = 0.02
_ABSENCE_SECONDS: Final = 0.25
"""Seconds for which the screen is assumed to stay visible: a check takes 0.3 ms."""


class WindowsDesktop(Desktop):
    """The desktop of this Windows session."""

    lists_windows = True
    overlays = True

    def __init__(self) -> None:
        windows_api.declare_scale_aware()
        self._visible_until = 0.0

    @property
    def name(self) -> str:
        version = sys.getwindowsversion()
        # Windows 11 calls itself 10, too.
        name = 11 if version.build >= _WINDOWS_11 else version.major
        return f"Windows {name}, build {version.build}"

    @property
    def lacks(self) -> Mapping[Feature, str]:
        return {}

    def identify_process(self, class_name: str) -> None:
        windows_api.mark_process(class_name)
        windows_api.set_application_id(class_name)

    def diagnose(self) -> list[Diagnosis]:
        aware = windows_api.is_scale_aware()
        scales = ", ".join(f"{scale} %" for scale in windows_api.scales())
        administrator = (windows_api.integrity_of(None) or 0) >= _ADMINISTRATOR
        remote = bool(win32api.GetSystemMetrics(_REMOTE_SESSION))
        return [
            Diagnosis(
                "scale",
                aware,
                scales,
                "" if aware else "unset the compatibility settings of python.exe about high DPI",
            ),
            Diagnosis(
                "administrator",
                True,
                "this program runs as administrator"
                if administrator
                else "no: a game that runs as administrator can be read, but takes no clicks",
            ),
            Diagnosis(
                "session",
                True,
                "remote: do not minimise its window, or the screen is no longer drawn"
                if remote
                else "on this computer",
            ),
        ]

    def answers(self) -> bool:
        return self.find_absence() is None

    def find_absence(self) -> str | None:
        now = time.perf_counter()
        if now < self._visible_until:
            return None
        if windows_api.is_disconnected():
            return "this session is not on a screen: another user's is, or a remote one was closed"
        if windows_api.input_desktop() != _INPUT_DESKTOP:
            return "the screen is locked, or Windows asks for an administrator's permission"
        if windows_api.is_full_screen():
            return "a program has the whole screen to itself (exclusive full screen)"
        self._visible_until = now + _ABSENCE_SECONDS
        return None

    # Windows

    def list_windows(self) -> list[Window]:
        found = (_describe(handle) for handle in _top_levels() if _is_listed(handle))
        return [window for window in found if window is not None]

    def exists(self, window_id: int) -> bool:
        return bool(win32gui.IsWindow(window_id))

    def is_same(self, window: Window) -> bool:
        found = _describe(window.id)
        return found is not None and (found.program, found.pid) == (window.program, window.pid)

    def place_of(self, window_id: int) -> Region | None:
        return _client_area(window_id) if _is_shown(window_id) else None

    def frame_of(self, window_id: int) -> int:
        return _root(window_id)

    def decoration(self, window_id: int) -> Decoration:
        bare = not _has_caption(window_id) or _draws_caption(window_id)
        return Decoration(bare or _class(window_id).startswith(_BROWSERS), (0, 0, 0, 0))

    def is_popup(self, window_id: int) -> bool:
        return bool(win32gui.IsWindow(window_id)) and _is_popup(window_id)

    def is_own(self, top: int) -> bool:
        return top != 0 and _own_name(_process(top)) == OWN_CLASS

    def window_at(self, point: Point) -> Window | None:
        root = _root_at(point)
        return None if root == 0 else _describe(root)

    def uncovered(self, window_id: int, points: Sequence[Point]) -> list[bool]:
        place, root = self.place_of(window_id), _root(window_id)
        if place is None:
            return [False] * len(points)
        above = list(_rectangles_above(root))

        def is_free(point: Point) -> bool:
            if not place.contains(point):
                return False
            # A window above may be transparent or shaped there: then Windows is asked.
            return not any(one.contains(point) for one in above) or _root_at(point) == root

        return [is_free(point) for point in points]

    def monitors(self) -> list[Region]:
        return [
            Region(left, top, right - left, bottom - top)
            for _, _, (left, top, right, bottom) in win32api.EnumDisplayMonitors()
        ]

    def find_refusal(self, window: Window) -> str | None:
        if window.pid is None:
            return None
        ours, its = windows_api.integrity_of(None), windows_api.integrity_of(window.pid)
        # The level of a higher process is usually not accessible.
        higher = its is None or (ours is not None and its > ours)
        if not higher or (ours or 0) >= _ADMINISTRATOR or not self.exists(window.id):
            return None
        return (
            f"the program of the window '{window.title}' runs as administrator or as another user, "
            "so Windows passes no clicks and keys of this program on to it: start it without such "
            "rights"
        )

    def activate(self, window: Window) -> None:
        with suppress(pywintypes.error):
            if win32gui.IsIconic(window.id):
                win32gui.ShowWindow(window.id, win32con.SW_RESTORE)
            if not _set_foreground(window.id):
                _set_foreground_as(win32gui.GetForegroundWindow(), window.id)

    def close_window(self, window_id: int) -> None:
        with suppress(pywintypes.error):
            win32gui.PostMessage(window_id, win32con.WM_CLOSE, 0, 0)

    def maximise(self, window_id: int) -> None:
        with suppress(pywintypes.error):
            win32gui.ShowWindow(window_id, win32con.SW_MAXIMIZE)

    def focused(self) -> Window | None:
        handle = win32gui.GetForegroundWindow()
        return _describe(handle) if handle and _is_listed(handle) else None

    def responds(self, window_id: int, wait: Callable[[float], bool]) -> bool:
        deadline = time.perf_counter() + _RESPONSE_SECONDS
        while not windows_api.answers_within(window_id, _RESPONSE_INTERVAL):
            if wait(_RESPONSE_INTERVAL / 10) or not win32gui.IsWindow(window_id):
                return True
            if windows_api.is_hung(window_id) or time.perf_counter() > deadline:
                return False
        return True

    # Screen

    def open_screen(self) -> Screen:
        from vision.desktop.windows_screen import WindowsScreen  # noqa: PLC0415 - loads OpenCV

        return WindowsScreen(self)

    # Pointer and keys

    def open_pointer(self) -> Pointer:
        return WindowsPointer()

    def pointer_state(self) -> PointerState | None:
        try:
            place = Point(*map(float, win32api.GetCursorPos()))
        except pywintypes.error:
            # The screen is locked.
            return None
        return PointerState(place, _root_at(place), _is_down(_BUTTONS), _is_down(_MODIFIERS))

    def click_state(
        self, window_id: int, pixel: tuple[int, int] | None = None
    ) -> ClickState | None:
        before = self.pointer_state() if pixel is not None else None
        region = _client_area(window_id)
        if region is None:
            return None
        if pixel is not None:
            put_pointer(Point(region.left + pixel[0], region.top + pixel[1]))
        pointer = self.pointer_state()
        if pointer is None:
            return None
        shown = region if _is_shown(window_id) else None
        return ClickState(pointer, shown, None if before is None else before.place)

    def steer(self, window_id: int, x: int, y: int) -> None:
        region = _client_area(window_id)
        steer(None if region is None else Point(region.left + x, region.top + y))

    def open_input_events(self) -> InputEvents | None:
        events = WindowsInputEvents()
        if events.works:
            return events
        events.close()
        return None

    def open_global_key(self, name: str, pressed: Callable[[], None]) -> GlobalKey | None:
        return WindowsGlobalKey(name, pressed)


def _top_levels() -> Iterator[int]:
    """Yield the handles of all top-level windows, the topmost first."""
    found: list[int] = []

    def add(handle: int, _: object) -> bool:
        found.append(handle)
        return True

    with suppress(pywintypes.error):
        win32gui.EnumWindows(add, None)
    yield from found


def _describe(handle: int) -> Window | None:
    """Return a window; None if it is closed or not shown."""
    if not _is_shown(handle):
        return None
    region, class_name = _client_area(handle), _class(handle)
    if region is None or not class_name:
        return None
    process = _process(handle)
    if class_name == _STORE_FRAME:
        process = _shown_in(handle, process)
    own_name = _own_name(process)
    file = "" if own_name else PureWindowsPath(windows_api.executable_of(process)).name.casefold()
    return Window(
        handle,
        _title(handle),
        own_name or one_line(class_name),
        region,
        process or None,
        own_name == OWN_CLASS,
        _owner(handle),
        executable=None if own_name else one_line(file),
    )


def _own_name(process: int) -> str:
    """Return the name by which a process of this program has identified itself, else nothing."""
    if process == 0:
        return ""
    names = (name for name in (OWN_CLASS, SIMULATOR_CLASS) if windows_api.is_marked(process, name))
    return next(names, "")


def _title(handle: int) -> str:
    with suppress(pywintypes.error):
        return one_line(win32gui.GetWindowText(handle))[:_TITLE_CHARACTERS]
    return ""


def _class(handle: int) -> str:
    with suppress(pywintypes.error):
        return win32gui.GetClassName(handle) or ""
    return ""


def _process(handle: int) -> int:
    """Return the id of a window's process; 0 if the window is closed."""
    with suppress(pywintypes.error):
        process: int = win32process.GetWindowThreadProcessId(handle)[1]
        return process
    return 0


def _shown_in(frame: int, process: int) -> int:
    """Return the process of the program from the store in a frame, else the frame's own."""
    children: list[int] = []

    def add(handle: int, _: object) -> bool:
        children.append(handle)
        return True

    with suppress(pywintypes.error):
        win32gui.EnumChildWindows(frame, add, None)
    return next((one for one in map(_process, children) if one not in (0, process)), process)


def _owner(handle: int) -> int:
    with suppress(pywintypes.error):
        owner: int = win32gui.GetWindow(handle, win32con.GW_OWNER)
        return owner
    return 0


def _client_area(handle: int) -> Region | None:
    """Return a window's client area; None if it is closed, or has none."""
    try:
        _, _, width, height = win32gui.GetClientRect(handle)
        left, top = win32gui.ClientToScreen(handle, (0, 0))
    except pywintypes.error:
        return None
    return Region(left, top, width, height) if width > 0 and height > 0 else None


def _is_shown(handle: int) -> bool:
    return (
        bool(win32gui.IsWindowVisible(handle))
        and not win32gui.IsIconic(handle)
        and not windows_api.is_cloaked(handle)
    )


def _is_listed(handle: int) -> bool:
    return _is_shown(handle) and _class(handle) not in _SHELL and not _is_popup(handle)


def _is_popup(handle: int) -> bool:
    if _class(handle) == _MENU:
        return True
    extended = _style(handle, win32con.GWL_EXSTYLE)
    aside = extended & (win32con.WS_EX_TOOLWINDOW | win32con.WS_EX_NOACTIVATE)
    return not _has_caption(handle) and bool(aside or _owner(handle))


def _has_caption(handle: int) -> bool:
    style = _style(handle, win32con.GWL_STYLE)
    return style & win32con.WS_CAPTION == win32con.WS_CAPTION


def _draws_caption(handle: int) -> bool:
    """Return whether a program draws its title bar itself, in the client area."""
    with suppress(pywintypes.error):
        _, top = win32gui.ClientToScreen(handle, (0, 0))
        return top - win32gui.GetWindowRect(handle)[1] < win32api.GetSystemMetrics(_CAPTION_HEIGHT)
    return False


def _style(handle: int, kind: int) -> int:
    with suppress(pywintypes.error):
        style: int = win32gui.GetWindowLong(handle, kind)
        return style
    return 0


def _root(handle: int) -> int:
    """Return the top-level window around a window; 0 if it is closed."""
    with suppress(pywintypes.error):
        root: int = win32gui.GetAncestor(handle, win32con.GA_ROOT)
        return root
    return 0


def _root_at(point: Point) -> int:
    """Return the top-level window under a point; 0 on the bare desktop."""
    handle = 0
    with suppress(pywintypes.error):
        handle = win32gui.WindowFromPoint((int(point.x), int(point.y)))
    root = _root(handle) if handle else 0
    return 0 if root == 0 or _class(root) in _SHELL else root


def _rectangles_above(root: int) -> Iterator[Region]:
    """Yield the outer rectangles of the visible windows above a top-level window."""
    for handle in _top_levels():
        if handle == root:
            return
        if _is_shown(handle):
            with suppress(pywintypes.error):
                left, top, right, bottom = win32gui.GetWindowRect(handle)
                yield Region(left, top, right - left, bottom - top)


def _is_down(keys: Sequence[int]) -> bool:
    return any(win32api.GetAsyncKeyState(key) < 0 for key in keys)


def _set_foreground(handle: int) -> bool:
    """Raise a window and give it the keyboard; return whether Windows permits that."""
    with suppress(pywintypes.error):
        win32gui.SetForegroundWindow(handle)
    return bool(win32gui.GetForegroundWindow() == handle)


def _set_foreground_as(other: int, handle: int) -> None:
    """Raise a window with the input queue of the foreground's thread, to which it is permitted."""
    ours, theirs = win32api.GetCurrentThreadId(), win32process.GetWindowThreadProcessId(other)[0]
    # Attached to a thread that hangs, this one would wait for it.
    if not other or ours == theirs or windows_api.is_hung(other):
        return
    win32process.AttachThreadInput(ours, theirs, True)
    try:
        _set_foreground(handle)
    finally:
        win32process.AttachThreadInput(ours, theirs, False)
