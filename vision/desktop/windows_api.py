"""Calls of Windows for which pywin32 has no function, each in one function, and what they need.

Source: the Windows API reference, by the names of the functions called.
"""

from __future__ import annotations

import sys

assert sys.platform == "win32"

import ctypes
from ctypes import wintypes
from functools import cache
from typing import Final, NamedTuple

import pywintypes
import win32api
import win32con
import win32security

_user: Final = ctypes.WinDLL("user32", use_last_error=True)
_kernel: Final = ctypes.WinDLL("kernel32", use_last_error=True)

_PER_MONITOR_AWARE_2: Final = -4
"""DPI_AWARENESS_CONTEXT_PER_MONITOR_AWARE_V2, since Windows 10 1703."""
_PER_MONITOR_AWARE: Final = 2
_CLOAKED: Final = 14
"""DWMWA_CLOAKED: on another virtual desktop, or a suspended program."""
_FULL_SCREEN_3D: Final = 3
"""QUNS_RUNNING_D3D_FULL_SCREEN."""
_CONNECT_STATE: Final = 8
"""WTSConnectState."""
_ACTIVE: Final = 0
"""WTSActive."""
_READ_ONLY: Final = 0x1
"""DESKTOP_READOBJECTS."""
_NAME: Final = 2
"""UOI_NAME."""
_QUERY_LIMITED: Final = 0x1000
"""PROCESS_QUERY_LIMITED_INFORMATION."""
_LONGEST_PATH: Final = 32_768
_ACCESS_DENIED: Final = 5
_TICK_MS: Final = 1


def declare_scale_aware() -> None:
    """Let this process see physical pixels on every monitor; without effect once it has windows."""
    function = getattr(_user, "SetProcessDpiAwarenessContext", None)
    if function is not None:
        function.argtypes = [wintypes.HANDLE]
        function(_PER_MONITOR_AWARE_2)


def is_scale_aware() -> bool:
    """Return whether this thread sees physical pixels on every monitor."""
    context = _user.GetThreadDpiAwarenessContext
    context.restype = wintypes.HANDLE
    awareness = _user.GetAwarenessFromDpiAwarenessContext
    awareness.argtypes = [wintypes.HANDLE]
    return bool(awareness(context()) == _PER_MONITOR_AWARE)


def scales() -> list[int]:
    """Return the scale of each monitor, in percent."""
    return [round(_dpi_of(int(one)) * 100 / 96) for one, _, _ in win32api.EnumDisplayMonitors()]


def _dpi_of(monitor: int) -> int:
    """Return the dots per inch at which programs should draw on a monitor."""
    x, y = wintypes.UINT(), wintypes.UINT()
    ctypes.WinDLL("shcore").GetDpiForMonitor(
        wintypes.HANDLE(int(monitor)), 0, ctypes.byref(x), ctypes.byref(y)
    )
    return x.value


def is_scaled_by_windows(window: int) -> bool:
    """Return whether Windows scales a window's picture, as its program ignores the scale."""
    try:
        monitor = win32api.MonitorFromWindow(window, win32con.MONITOR_DEFAULTTONEAREST)
    except pywintypes.error:
        return False
    return _user.GetDpiForWindow(wintypes.HWND(window)) not in (0, _dpi_of(monitor))


def set_short_ticks() -> None:
    """Let waits of this process end within a millisecond instead of sixteen, until it ends."""
    ctypes.WinDLL("winmm").timeBeginPeriod(_TICK_MS)


def set_application_id(name: str) -> None:
    """Give the windows of this process a place of their own in the task bar."""
    ctypes.WinDLL("shell32").SetCurrentProcessExplicitAppUserModelID(ctypes.c_wchar_p(name))


def is_cloaked(window: int) -> bool:
    """Return whether a window that counts as visible is not shown."""
    value = wintypes.DWORD()
    _dwm().DwmGetWindowAttribute(
        wintypes.HWND(window), _CLOAKED, ctypes.byref(value), ctypes.sizeof(value)
    )
    return bool(value.value)


@cache
def _dwm() -> ctypes.WinDLL:
    return ctypes.WinDLL("dwmapi")


def is_hung(window: int) -> bool:
    """Return whether Windows calls the program of a window 'not responding' (after 5 seconds)."""
    return bool(_user.IsHungAppWindow(wintypes.HWND(window)))


def answers_within(window: int, seconds: float) -> bool:
    """Return whether a window's program answers a message that does nothing (WM_NULL)."""
    result = ctypes.c_size_t()
    milliseconds = max(round(seconds * 1000), 1)
    send = _user.SendMessageTimeoutW
    send.argtypes = [
        wintypes.HWND,
        wintypes.UINT,
        wintypes.WPARAM,
        wintypes.LPARAM,
        wintypes.UINT,
        wintypes.UINT,
        ctypes.POINTER(ctypes.c_size_t),
    ]
    return bool(send(window, 0, 0, 0, 0, milliseconds, ctypes.byref(result)))


def executable_of(process: int) -> str:
    """Return the path of a process's program; empty if it is not accessible."""
    handle = _kernel.OpenProcess(_QUERY_LIMITED, False, process)
    if not handle:
        return ""
    try:
        path = ctypes.create_unicode_buffer(_LONGEST_PATH)
        length = wintypes.DWORD(_LONGEST_PATH)
        found = _kernel.QueryFullProcessImageNameW(
            wintypes.HANDLE(handle), 0, path, ctypes.byref(length)
        )
        return path.value if found else ""
    finally:
        _kernel.CloseHandle(wintypes.HANDLE(handle))


def integrity_of(process: int | None) -> int | None:
    """Return the integrity level of a process, by default this one.

    Returns:
        0x2000 for a usual program, 0x3000 for one that runs as administrator; None if that is not
        accessible, as for most programs of a higher level.
    """
    try:
        handle = (
            win32api.GetCurrentProcess()
            if process is None
            else win32api.OpenProcess(_QUERY_LIMITED, False, process)
        )
        token = win32security.OpenProcessToken(handle, win32con.TOKEN_QUERY)
        level, _ = win32security.GetTokenInformation(token, win32security.TokenIntegrityLevel)
    except pywintypes.error:
        return None
    last: int = level.GetSubAuthority(level.GetSubAuthorityCount() - 1)
    return last


def input_desktop() -> str | None:
    """Return the name of the desktop that gets the input; None if it may not be opened.

    It is 'Default', unless the screen is locked or Windows asks for a permission.
    """
    opened = _user.OpenInputDesktop
    opened.restype = wintypes.HANDLE
    desktop = opened(0, False, _READ_ONLY)
    if not desktop:
        return None
    try:
        name = ctypes.create_unicode_buffer(256)
        _user.GetUserObjectInformationW(
            wintypes.HANDLE(desktop), _NAME, name, ctypes.sizeof(name), None
        )
        return name.value
    finally:
        _user.CloseDesktop(wintypes.HANDLE(desktop))


def is_disconnected() -> bool:
    """Return whether no screen shows this session (another user's, or a closed remote one)."""
    library = ctypes.WinDLL("wtsapi32")
    state, length = ctypes.POINTER(ctypes.c_int)(), wintypes.DWORD()
    found = library.WTSQuerySessionInformationW(
        None, wintypes.DWORD(-1), _CONNECT_STATE, ctypes.byref(state), ctypes.byref(length)
    )
    if not found or not state:
        return False
    disconnected = state[0] != _ACTIVE
    library.WTSFreeMemory(state)
    return bool(disconnected)


def is_full_screen() -> bool:
    """Return whether a program has the screen to itself: no other one can be seen or captured."""
    state = ctypes.c_int()
    found = ctypes.WinDLL("shell32").SHQueryUserNotificationState(ctypes.byref(state))
    return found == 0 and state.value == _FULL_SCREEN_3D


# Marks of processes


def mark_process(name: str) -> int:
    """Let other processes of this user recognise this one by a name, until it ends.

    Returns:
        The handle that holds the mark.
    """
    create = _kernel.CreateEventW
    create.restype = wintypes.HANDLE
    text = _mark(name, win32api.GetCurrentProcessId())
    handle: int = create(None, True, False, ctypes.c_wchar_p(text))
    return handle


def is_marked(process: int, name: str) -> bool:
    """Return whether a process has marked itself with a name."""
    opened = _kernel.OpenEventW
    opened.restype = wintypes.HANDLE
    handle = opened(win32con.SYNCHRONIZE, False, ctypes.c_wchar_p(_mark(name, process)))
    if handle:
        _kernel.CloseHandle(wintypes.HANDLE(handle))
        return True
    # It runs as administrator.
    return ctypes.get_last_error() == _ACCESS_DENIED


def _mark(name: str, process: int) -> str:
    return f"Local\\{name}.{process}"


# Input


class MouseInput(ctypes.Structure):
    """MOUSEINPUT."""

    _fields_ = (
        ("dx", wintypes.LONG),
        ("dy", wintypes.LONG),
        ("data", wintypes.DWORD),
        ("flags", wintypes.DWORD),
        ("time", wintypes.DWORD),
        ("extra", ctypes.c_size_t),
    )


class _Input(ctypes.Structure):
    """INPUT, with the largest of its union's members."""

    _fields_ = (("kind", wintypes.DWORD), ("mouse", MouseInput))


def send_mouse(*events: MouseInput) -> bool:
    """Send events of a mouse, between which no other event comes; return whether all were sent."""
    inputs = (_Input * len(events))(*(_Input(0, event) for event in events))
    sent = _user.SendInput(len(events), inputs, ctypes.sizeof(_Input))
    return bool(sent == len(events))


class RawEvent(NamedTuple):
    """An event of a device (RAWINPUT)."""

    mouse: bool
    device: int
    """0 for a program that sends events."""
    moved: bool
    buttons: int
    """RI_MOUSE_... flags."""
    key: int
    """The virtual key that was pressed; 0 for none."""
    extra: int
    """What the sending program has added."""


class _RawDevice(ctypes.Structure):
    """RAWINPUTDEVICE."""

    _fields_ = (
        ("page", wintypes.USHORT),
        ("usage", wintypes.USHORT),
        ("flags", wintypes.DWORD),
        ("window", wintypes.HWND),
    )


class _RawHeader(ctypes.Structure):
    """RAWINPUTHEADER."""

    _fields_ = (
        ("kind", wintypes.DWORD),
        ("size", wintypes.DWORD),
        ("device", wintypes.HANDLE),
        ("parameter", wintypes.WPARAM),
    )


class _RawMouse(ctypes.Structure):
    """RAWINPUTHEADER and RAWMOUSE."""

    _fields_ = (
        ("header", _RawHeader),
        ("flags", wintypes.USHORT),
        ("unused", wintypes.USHORT),
        ("buttons", wintypes.USHORT),
        ("data", wintypes.USHORT),
        ("raw_buttons", wintypes.ULONG),
        ("x", wintypes.LONG),
        ("y", wintypes.LONG),
        ("extra", wintypes.ULONG),
    )


class _RawKeyboard(ctypes.Structure):
    """RAWINPUTHEADER and RAWKEYBOARD."""

    _fields_ = (
        ("header", _RawHeader),
        ("scan_code", wintypes.USHORT),
        ("flags", wintypes.USHORT),
        ("unused", wintypes.USHORT),
        ("key", wintypes.USHORT),
        ("message", wintypes.UINT),
        ("extra", wintypes.ULONG),
    )


_MOUSE_USAGE, _KEYBOARD_USAGE = 2, 6
_GENERIC_DESKTOP: Final = 1
_IN_BACKGROUND: Final = 0x100
"""RIDEV_INPUTSINK."""
_REMOVED: Final = 1
"""RIDEV_REMOVE."""
_RAW_INPUT: Final = 0x10000003
"""RID_INPUT."""
_MOUSE: Final = 0
"""RIM_TYPEMOUSE."""
_ABSOLUTE: Final = 1
"""MOUSE_MOVE_ABSOLUTE."""
_KEY_UP: Final = 1
"""RI_KEY_BREAK."""


def register_raw_input(window: int | None) -> bool:
    """Let a window receive the events of all mice and keyboards; None ends it for this process."""
    flags = _REMOVED if window is None else _IN_BACKGROUND
    devices = (_RawDevice * 2)(
        *(
            _RawDevice(_GENERIC_DESKTOP, usage, flags, window)
            for usage in (_MOUSE_USAGE, _KEYBOARD_USAGE)
        )
    )
    done = _user.RegisterRawInputDevices(devices, 2, ctypes.sizeof(_RawDevice))
    return bool(done)


def read_raw_input(message: int) -> RawEvent | None:
    """Return the event of a message WM_INPUT, by its LPARAM; None if it is of another kind."""
    buffer = (ctypes.c_byte * 256)()
    size = wintypes.UINT(ctypes.sizeof(buffer))
    read = _user.GetRawInputData
    read.argtypes = [
        wintypes.HANDLE,
        wintypes.UINT,
        ctypes.c_void_p,
        ctypes.POINTER(wintypes.UINT),
        wintypes.UINT,
    ]
    length = read(message, _RAW_INPUT, buffer, ctypes.byref(size), ctypes.sizeof(_RawHeader))
    if not 0 < length <= ctypes.sizeof(buffer):
        return None
    header = _RawHeader.from_buffer(buffer)
    device = header.device or 0
    if header.kind == _MOUSE:
        mouse = _RawMouse.from_buffer(buffer)
        moved = bool(mouse.flags & _ABSOLUTE or mouse.x or mouse.y)
        return RawEvent(True, device, moved, mouse.buttons, 0, mouse.extra)
    key = _RawKeyboard.from_buffer(buffer)
    pressed = 0 if key.flags & _KEY_UP else key.key
    return RawEvent(False, device, False, 0, pressed, key.extra)
