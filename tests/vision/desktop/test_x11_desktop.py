"""The window system, asked on a real X server with a real window manager."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from bot.frame import Point, Region
from bot.mouse import CORNER
from bot.processes import start_dependent
from gui.private_screen import PrivateScreen
from tests.support.forked import simulated
from tests.support.xclient import PATIENCE, Mice, PictureWindow, button_held, wait_until
from vision.click_guard import NotAnswering, refuse_hanging
from vision.desktop import Screen, Window, desktop
from vision.desktop.x11_desktop import X11Pointer
from vision.desktop.x11_input import X11GlobalKey

pytestmark = [pytest.mark.linux, pytest.mark.usefixtures("display")]

PICTURE = np.full((120, 200, 3), (30, 160, 90), np.uint8)


def _listed(window: PictureWindow) -> Window:
    return next(one for one in desktop().list_windows() if one.id == window.id)


def test_windows_are_listed_topmost_first() -> None:
    """The simulated window is played like any other: it is not one of the panel's."""
    with (
        PictureWindow(PICTURE, (50, 60), "lower", "minesweeper-bot-simulator") as lower,
        PictureWindow(PICTURE, (90, 80), "upper", "minesweeper-bot") as upper,
    ):
        found = [one for one in desktop().list_windows() if one.id in (lower.id, upper.id)]
        assert [one.title for one in found] == ["upper", "lower"]
        assert [one.own for one in found] == [True, False]


def test_box_over_a_game_is_its_programs_window_without_a_frame() -> None:
    """Not another program's, and no menu."""
    with PictureWindow(PICTURE, (50, 60), "game", "Game") as game:
        shown = _listed(game)
        with PictureWindow(PICTURE, (90, 80), "other", "Game", popup=True):
            assert desktop().box_over(shown) is None
        root, depth = game.root, game.display.screen().root_depth
        box = root.create_window(80, 90, 60, 40, 0, depth, override_redirect=True)
        box.map()
        game.display.sync()
        found = desktop().box_over(shown)
        assert found is not None
        assert found.id == box.id
        box.set_wm_class("menu", "Menu")
        game.display.sync()
        assert desktop().box_over(shown) is None


@contextmanager
def _bare_server(name: str = "") -> Iterator[str]:
    """An X server that lets everybody in, under a name or one of its own choice; yields the name.

    It is killed at the end.
    """
    reading, writing = os.pipe()
    command = ["Xvfb", *filter(None, [name]), "-noreset", "-nolisten", "tcp"]
    server = start_dependent(
        [*command, "-displayfd", str(writing)], pass_fds=(writing,), stderr=subprocess.DEVNULL
    )
    try:
        os.close(writing)
        with os.fdopen(reading) as answer:
            number = answer.readline().strip()
        assert number
        yield f":{number}"
    finally:
        server.kill()
        server.wait()


def test_a_display_without_cookies_is_used_in_silence() -> None:
    """Xlib would print that there is none, into the command's own output."""
    both = (
        "from vision.desktop import desktop; from vision.desktop.pyautogui_pointer import "
        "PyautoguiPointer; from vision.desktop.x11_connection import authority; "
        "PyautoguiPointer(importing=authority); print(desktop().list_windows())"
    )
    with _bare_server() as name:
        reported = subprocess.run(
            [sys.executable, "-c", both],
            env=os.environ | {"DISPLAY": name, "XAUTHORITY": os.devnull},
            stdout=subprocess.PIPE,
            check=True,
            timeout=60,
        )
    assert reported.stdout == b"[]\n"


_CORNERED = """
from bot.frame import Point
from bot.mouse import MouseError
from tests.support.xclient import Mice
from vision.desktop.pyautogui_pointer import PyautoguiPointer

with Mice() as mice:
    try:
        PyautoguiPointer().click(Point(300, 300), "left", lambda: mice.warp(0, 0))
    except MouseError as error:
        print(error)
    print("down" if mice.root.query_pointer().mask & 0x100 else "up")
"""


def run_on(display: PrivateScreen, program: str) -> str:
    """Run a program of its own, as pyautogui keeps the display of its first import."""
    return subprocess.run(
        [sys.executable, "-c", program],
        env=display.environment,
        stdout=subprocess.PIPE,
        check=True,
        text=True,
        timeout=60,
    ).stdout


def test_pyautogui_releases_a_button_in_a_corner_too(display: PrivateScreen) -> None:
    """The run ends there, and no button stays down."""
    assert run_on(display, _CORNERED).splitlines() == [CORNER, "up"]


def test_pyautogui_holds_keys_together(display: PrivateScreen) -> None:
    """`ctrl+alt+s` is one stroke of three keys, and is heard as such."""
    X11Pointer().move(Point(300, 300))  # Out of the corners, in which pyautogui refuses.
    heard = threading.Event()
    key = X11GlobalKey("stop key", heard.set)
    try:
        key.hold("Ctrl+Alt+S").result()
        press = (
            "from vision.desktop.pyautogui_pointer import PyautoguiPointer; "
            "PyautoguiPointer().press({!r})"
        )
        run_on(display, press.format("s"))
        # What was pressed before is heard before this is carried out.
        key.hold("Ctrl+Alt+S").result()
        assert not heard.is_set()
        run_on(display, press.format("ctrl+alt+s"))
        assert heard.wait(PATIENCE)
    finally:
        key.close()
        key.join()


def test_a_server_that_was_replaced_is_asked(
    display: PrivateScreen, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Under the same name there is another one: what was known of the first counts no more."""
    # A number that no other test's server is given when the first one has gone.
    name = f":{10_000 + os.getpid() % 10_000}"
    monkeypatch.setenv("DISPLAY", name)
    monkeypatch.setenv("XAUTHORITY", os.devnull)
    with _bare_server(name):
        assert desktop().list_windows() == []
    with _bare_server(name), PictureWindow(PICTURE, (10, 10), "risen", popup=True) as window:
        assert desktop().place_of(window.id) == window.region
    with _bare_server(name):
        X11Pointer().move(Point(30, 40))
        assert X11Pointer().position == Point(30, 40)
    monkeypatch.setenv("DISPLAY", display.environment["DISPLAY"])


def test_titles_and_classes_are_plain_text() -> None:
    """Whatever a program calls itself: one line of reasonable length, and nothing to act on.

    An old program's title is Latin-1, and it may have no class at all.
    """
    with PictureWindow(PICTURE, (0, 0), "\x1b[31mA\n\u202eB [b]<b>", "Ga\x07me\x1b[1m") as odd:
        found = _listed(odd)
        assert (found.title, found.class_name) == ("A B [b]<b>", "Game")
    with PictureWindow(PICTURE, (0, 0), "Mines " * 10_000) as long:
        assert _listed(long).title.startswith("Mines Mines")
        assert len(_listed(long).title) <= 500
    with PictureWindow(PICTURE, (0, 0), "xdémineur", "", latin=True) as old:
        found = _listed(old)
        assert (found.title, found.class_name, found.pid) == ("xdémineur", "", None)


def test_a_maximised_window_is_as_wide_as_the_screen(display: PrivateScreen) -> None:
    """And as high, but for its title."""
    with PictureWindow(PICTURE, (50, 60)) as window:
        desktop().maximise(window.id)
        whole = display.region
        wait_until(
            lambda: (
                (place := desktop().place_of(window.id)) is not None
                and place.width > whole.width - 20
                and place.height > whole.height - 60
            )
        )


def test_every_thread_has_its_connection() -> None:
    """Xlib's connection must not be shared: a second thread asks on its own."""
    answers: list[list[Window]] = []
    with PictureWindow(PICTURE, (50, 60), "shared") as window:
        threads = [
            threading.Thread(target=lambda: answers.append(desktop().list_windows()))
            for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(answers) == 4
        assert all(window.id in [one.id for one in answer] for answer in answers)


def test_a_button_that_a_killed_process_left_down_is_released() -> None:
    """When the next one takes the pointer; a button of the user's own mouse stays down."""
    press = (
        "from vision.desktop.x11_connection import connected; "
        "connected().send_button(1, down=True); connected().display.sync()"
    )
    subprocess.run([sys.executable, "-c", press], check=True)
    assert button_held()
    desktop().open_pointer()
    assert not button_held()
    with Mice() as mice, mice.own_button_down():
        desktop().open_pointer()
        assert button_held()


def test_a_program_is_asked_whether_it_answers(
    display: PrivateScreen, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The simulated window does, until it is halted; a window that cannot be asked counts."""
    wait = threading.Event().wait
    with simulated(display, tmp_path) as game:
        window = next(one for one in desktop().list_windows() if one.id == game)
        assert window.pid is not None
        refuse_hanging(window, wait)
        monkeypatch.setattr("vision.desktop.x11_desktop._RESPONSE_SECONDS", 0.5)
        os.kill(window.pid, signal.SIGSTOP)
        try:
            with pytest.raises(NotAnswering, match="does not answer"):
                refuse_hanging(window, wait)
        finally:
            os.kill(window.pid, signal.SIGCONT)
    refuse_hanging(window, wait)  # gone: others tell of that
    with PictureWindow(PICTURE, (10, 10)) as plain:
        refuse_hanging(_listed(plain), wait)


def shows(screen: Screen, region: Region, picture: np.ndarray) -> bool:
    """Whether exactly this is captured, all of it."""
    frame = screen.grab(region)
    return frame.region == region and np.array_equal(frame.image, picture)


def test_a_window_is_captured_without_those_over_it() -> None:
    """Covered by a window, managed or not; where it is moved to, and what it shows by then.

    A region is clipped to the window, and the frame says what was captured. When it is gone, that
    is the desktop.
    """
    picture = np.random.default_rng(1).integers(0, 256, (120, 200, 3), np.uint8)
    cover = np.full((40, 50, 3), (30, 160, 90), np.uint8)
    with PictureWindow(picture, (200, 150)) as game, desktop().open_screen() as screen:
        wait_until(lambda: shows(screen, game.region, picture))
        assert screen.select_window(game.id)
        wait_until(lambda: shows(screen, game.region, picture))
        place = game.region
        at = place.left + 30, place.top + 20
        with PictureWindow(cover, at) as one, PictureWindow(cover, at, popup=True) as other:
            with desktop().open_screen() as plain:
                wait_until(lambda: shows(plain, other.region, cover))
            assert one.region.intersection(place) is not None
            assert shows(screen, place, picture)
        part = Region(place.left + 10, place.top + 20, 60, 50)
        assert shows(screen, part, picture[20:70, 10:70])
        assert screen.grab(Region(place.left - 30, place.top - 30, 400, 300)).region == place
        game.move(500, 400)
        # Where it was there is nothing: whatever follows it has to notice.
        wait_until(lambda: not screen.grab(place).image.any())
        wait_until(lambda: shows(screen, game.region, picture))
        game.show(picture[::-1].copy())
        wait_until(lambda: shows(screen, game.region, picture[::-1]))
        place = game.region
        game.hide()
        wait_until(lambda: not shows(screen, place, picture[::-1]))
        assert screen.grab(place).region == place
