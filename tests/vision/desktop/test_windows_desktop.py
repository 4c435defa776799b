"""What only the desktop of Windows has: its geometry, its refusals, and strange windows."""

from __future__ import annotations

import ctypes
import itertools
import os
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

if sys.platform == "win32":
    import win32api
    import win32con
    import win32gui

    from vision.desktop import windows_api, windows_input, windows_screen

from bot.frame import Point, Region
from tests.support.clients import PictureWindow
from tests.support.forked import simulated
from vision.click_guard import ClickGuard, InputRefused, NotAnswering, refuse_hanging
from vision.desktop import InputKind, Window, desktop
from vision.desktop.session import SessionKind, session_kind

pytestmark = [pytest.mark.windows, pytest.mark.desktop]

GREY = np.full((200, 300, 3), 120, np.uint8)
HIGHER, OURS, SYSTEM = 0x3000, 0x2000, 0x4000
"""Integrity levels: of an administrator's program, of a user's, and of the system's."""


def seen(window: PictureWindow) -> Window:
    """The window as it is listed at this moment."""
    return next(one for one in desktop().list_windows() if one.id == window.id)


@pytest.mark.parametrize("size", [1280, 1920, 2560, 3840, 1920 + 3840, 2880 + 1280, 7680])
def test_a_motion_ends_on_its_pixel(size: int) -> None:
    """On monitors of any sizes beside each other: Windows rounds an absolute position down."""
    for pixel in range(size):
        sent = windows_input.absolute(pixel, size)
        assert 0 <= sent < 65536
        assert sent * size // 65536 == pixel


def test_a_monitor_left_of_the_main_one_is_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its positions are negative; the motion counts from the left edge of all monitors."""
    # From x = -2560, y = -200; in all 4480 x 1640.
    metrics = {76: -2560, 77: -200, 78: 4480, 79: 1640}
    monkeypatch.setattr("win32api.GetSystemMetrics", metrics.__getitem__)
    for point in (Point(-2560, -200), Point(-1, 5), Point(0, 0), Point(1919, 1439)):
        motion = windows_input._motion(point, 0)
        assert motion.dx * 4480 // 65536 - 2560 == point.x
        assert motion.dy * 1640 // 65536 - 200 == point.y


@pytest.mark.parametrize(
    ("ours", "its", "refused"),
    [(OURS, HIGHER, True), (OURS, None, True), (OURS, OURS, False), (HIGHER, SYSTEM, False)],
)
def test_a_program_of_an_administrator_is_not_clicked_on(
    monkeypatch: pytest.MonkeyPatch, ours: int, its: int | None, refused: bool
) -> None:
    """Windows would drop the clicks without a word; an administrator may click everywhere."""
    levels = {None: ours}
    monkeypatch.setattr(windows_api, "integrity_of", lambda process: levels.get(process, its))
    with PictureWindow(GREY, (200, 150), "Mines") as game:
        window = seen(game)
        guard = ClickGuard(lambda: window, lambda _points: None)
        if refused:
            with pytest.raises(InputRefused, match="'Mines' runs as administrator"):
                guard.check_batch([window.region.center])
        else:
            guard.check_batch([window.region.center])


def test_processes_that_cannot_be_asked() -> None:
    """Of the system, and one that has ended: no executable and no error."""
    for process in (0, 4, 0x7FFFFFF0):
        assert isinstance(windows_api.executable_of(process), str)
        windows_api.integrity_of(process)
    assert windows_api.integrity_of(None) == windows_api.integrity_of(os.getpid())


def test_thousands_of_windows_of_which_most_are_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Closed while they are listed: skipped, and quickly."""
    listed = win32gui.EnumWindows

    def many(call: Any, extra: Any) -> None:
        listed(call, extra)
        for handle in range(0x7000_0000, 0x7000_0000 + 10_000):
            call(handle, extra)

    with PictureWindow(GREY, (200, 150), "Mines") as game:
        monkeypatch.setattr(win32gui, "EnumWindows", many)
        begin = time.perf_counter()
        found = desktop().list_windows()
        assert time.perf_counter() - begin < 10
        assert game.id in [window.id for window in found]
        assert len(found) < 1000


def test_strange_titles_and_sizes() -> None:
    """Half a character, control characters, none at all; an area of nothing."""
    for title in ("\ud800", "a\x1b[2J\nb", "", "\u202eevil", "x" * 9000):
        with PictureWindow(GREY, (200, 150), title) as game:
            shown = seen(game).title
            shown.encode("utf-8")
            assert len(shown) <= 300
            assert shown.isprintable()
    with PictureWindow(GREY, (200, 150), "nothing", popup=True) as empty:
        win32gui.SetWindowPos(empty.id, 0, 0, 0, 0, 0, 0x2 | 0x4 | 0x10)
        place = desktop().place_of(empty.id)
        assert place is None or place[2:] == (0, 0)
        assert desktop().uncovered(empty.id, [Point(200, 150)]) == [False]
        desktop().list_windows()


def test_a_variable_of_another_system_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """X servers and Linux tools on Windows set them."""
    for name, value in itertools.product(("DISPLAY", "WAYLAND_DISPLAY"), (":0", "nowhere")):
        monkeypatch.setenv(name, value)
        assert session_kind() is SessionKind.WINDOWS
    assert isinstance(desktop().monitors()[0], Region)


def raw(**values: Any) -> windows_api.RawEvent:
    """An event of a device, of which only some values are named."""
    usual = {"mouse": True, "device": 1, "moved": False, "buttons": 0, "key": 0, "extra": 0}
    return windows_api.RawEvent(**usual | values)


@pytest.mark.parametrize("device", [7, 0], ids=["a mouse", "a touchpad"])
def test_input_of_devices_is_the_users(device: int) -> None:
    """A precision touchpad names no device. A function key, such as F8, is no typing."""
    press = windows_input.reported(raw(device=device, buttons=1))
    key = windows_input.reported(raw(mouse=False, device=device, key=ord("A")))
    assert press is not None
    assert key is not None
    assert (press.kind, press.sent) == (InputKind.PRESS, False)
    assert (key.kind, key.sent) == (InputKind.KEY, False)
    assert windows_input.reported(raw(mouse=False, device=device, key=0x77)) is None


@pytest.mark.parametrize(
    ("call", "value", "said"),
    [
        ("input_desktop", None, "the screen is locked, or Windows asks"),
        ("input_desktop", "Winlogon", "the screen is locked, or Windows asks"),
        ("is_disconnected", True, "this session is not on a screen"),
        ("is_full_screen", True, "exclusive full screen"),
    ],
)
def test_a_screen_that_the_user_does_not_see(
    monkeypatch: pytest.MonkeyPatch, call: str, value: object, said: str
) -> None:
    """Each is said in a sentence, and nothing is clicked."""
    monkeypatch.setattr(windows_api, call, lambda: value)
    made = type(desktop())()
    assert said in (made.find_absence() or "")
    assert not made.answers()


def test_a_program_that_hangs_is_neither_clicked_on_nor_asked_to_draw(tmp_path: Path) -> None:
    """The simulated window answers, until all its threads are suspended."""
    wait = threading.Event().wait
    with simulated(None, tmp_path) as game:
        window = next(one for one in desktop().list_windows() if one.id == game)
        assert window.pid is not None
        refuse_hanging(window, wait)
        process = win32api.OpenProcess(win32con.PROCESS_ALL_ACCESS, False, window.pid)
        suspend, resume = ctypes.windll.ntdll.NtSuspendProcess, ctypes.windll.ntdll.NtResumeProcess
        suspend(int(process))
        try:
            with pytest.raises(NotAnswering, match="does not answer"):
                refuse_hanging(window, wait)
            begin = time.perf_counter()
            with desktop().open_screen() as screen:
                assert screen.grab_window(window) is None
            assert time.perf_counter() - begin < 5
        finally:
            resume(int(process))


def test_a_window_below_others_is_read_from_its_own_picture(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As a window draws it; where it draws nothing, as it is on the screen."""
    drawn = np.zeros((200, 300, 3), np.uint8)
    drawn[10:20, 30:50] = 200
    with PictureWindow(GREY, (200, 150), "Mines") as game, desktop().open_screen() as screen:
        window = seen(game)
        monkeypatch.setattr(windows_screen, "_drawn", lambda *_: drawn)
        whole = screen.grab_window(window)
        assert whole is not None
        assert np.array_equal(whole.image, drawn)
        assert screen.select_window(window.id)
        left, top = window.region[:2]
        part = screen.grab(Region(left + 30, top + 10, 20, 10)).image
        assert (part == 200).all()
        monkeypatch.setattr(windows_screen, "_drawn", lambda *_: None)
        assert screen.grab_window(window) is None
        assert (screen.grab(window.region).image == GREY).all()
        assert not screen.select_window(window.id)
