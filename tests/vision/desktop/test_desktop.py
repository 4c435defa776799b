"""What every implementation of the desktop does, and what each of them says that it lacks."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from bot.frame import Point
from gui.private_screen import PrivateScreen
from tests.support.clients import PictureWindow, button_held, focus, wait_until
from tests.support.forked import simulated
from tests.support.runs import environment
from tests.support.strays import Strays
from vision.desktop import NOWHERE, Desktop, Feature, Window, desktop
from vision.desktop.base import ClickState
from vision.desktop.pyautogui_pointer import PyautoguiPointer

PICTURE = np.full((60, 160, 3), (30, 160, 90), np.uint8)
GONE = Window(0x7FFFFFF, "closed", "Closed", NOWHERE, None, own=False)
UNKNOWN: dict[str, tuple[object, ...]] = {
    "exists": (GONE.id,),
    "is_same": (GONE,),
    "place_of": (GONE.id,),
    "frame_of": (GONE.id,),
    "decoration": (GONE.id,),
    "is_popup": (GONE.id,),
    "is_own": (GONE.id,),
    "uncovered": (GONE.id, [Point(5, 5), Point(9, 9)]),
    "activate": (GONE,),
    "close_window": (GONE.id,),
    "maximise": (GONE.id,),
    "click_state": (GONE.id, (3, 3)),
    "steer": (GONE.id, 3, 3),
    "responds": (GONE.id, lambda _seconds: False),
    "release_window": (GONE.id,),
    "find_dialog": ("gnome-mines", ("Best Times",)),
    "find_refusal": (GONE,),
    "box_over": (GONE,),
}
"""What is answered alike where nothing is known and where a window is gone."""
EVERYWHERE: dict[str, object] = {
    "request_access": None,
    "keeps_access": False,
    "forget_access": None,
    "answers": True,
    "find_absence": None,
    "find_obstacle": None,
    "has_screen": True,
    "points_are_pixels": True,
    "moves_windows": True,
}
"""What each says on a display that works and asks for no permission."""
KNOWING = {
    "list_windows": Feature.WINDOWS,
    "window_at": Feature.PLACES,
    "monitors": Feature.POINTER,
    "focused": Feature.FOCUS,
    "pointer_state": Feature.POINTER,
    "open_input_events": Feature.USER_INPUT,
    "open_global_key": Feature.GLOBAL_KEYS,
}
"""What tells nothing without a feature."""
OTHERS = {
    "diagnose",
    "name",
    "lacks",
    "lists_windows",
    "overlays",
    "access_hint",
    "identify_process",
    "same_client",
    "open_screen",
    "open_pointer",
}


@pytest.fixture(params=["own", "defaults"])
def made(request: pytest.FixtureRequest, display: PrivateScreen) -> Desktop:
    """The desktop of this system, and one about which nothing is known, on a real display."""
    assert display
    return desktop() if request.param == "own" else Desktop()


def ask(made: Desktop, name: str, *args: object) -> object:
    """Call a method, or read a property."""
    found = getattr(made, name)
    return found(*args) if callable(found) else found


def test_every_member_of_the_interface_is_tested() -> None:
    """A method that is new in it has to be added here."""
    members = {name for name, _ in inspect.getmembers(Desktop) if not name.startswith("_")}
    assert members == UNKNOWN.keys() | EVERYWHERE.keys() | KNOWING.keys() | OTHERS


def test_a_window_that_is_gone_is_unknown(made: Desktop) -> None:
    """No error, and the same answer everywhere."""
    for name, args in UNKNOWN.items():
        assert ask(made, name, *args) == ask(Desktop(), name, *args), name


def test_a_working_display_needs_nothing(made: Desktop) -> None:
    """No permission, a user who sees it, and an answer."""
    assert {name: ask(made, name) for name in EVERYWHERE} == EVERYWHERE
    assert isinstance(made.access_hint, str)
    assert all(one.works for one in made.diagnose())


def test_missing_features_are_unknown(made: Desktop) -> None:
    """Nothing is known without the feature; with it something is."""
    args: dict[str, tuple[object, ...]] = {
        "window_at": (Point(105, 135),),
        "open_global_key": ("stop key", lambda: None),
    }
    with PictureWindow(PICTURE, (100, 100)) as window:
        focus(window.id)
        for name, feature in KNOWING.items():
            found: Any = ask(made, name, *args.get(name, ()))
            assert bool(found) == (feature not in made.lacks), name
            if hasattr(found, "close"):
                found.close()


def test_a_window_is_described(made: Desktop) -> None:
    """Where windows are listed: title, class and place, and whether something lies over it."""
    with PictureWindow(PICTURE, (100, 100), "A game", "SomeGame") as window:
        listed = [one for one in made.list_windows() if one.id == window.id]
        assert bool(listed) == made.lists_windows
        for one in listed:
            assert (one.title, one.class_name, one.own) == ("A game", "SomeGame", False)
            assert one.region[2:] == (160, 60)
            assert made.is_same(one)
            assert not made.is_popup(one.id)
            middle = one.region.center
            assert made.window_at(middle) == one
            assert made.uncovered(one.id, [middle, Point(900, 700)]) == [True, False]
            corner = (round(middle.x) - 10, round(middle.y) - 10)
            with PictureWindow(PICTURE, corner, popup=True) as cover:
                assert made.uncovered(one.id, [middle]) == [False]
                assert made.is_popup(cover.id)
                assert cover.id not in [other.id for other in made.list_windows()]
            window.move(300, 200)
            moved = made.place_of(one.id)
            assert moved is not None
            assert moved != one.region
            window.hide()
            assert made.place_of(one.id) is None
            assert made.exists(one.id)
            window.close()
            assert not made.exists(one.id)


def test_a_press_is_steered_onto_a_pixel_of_a_window(
    display: PrivateScreen, strays: Strays
) -> None:
    """The pointer is where it was put, and the state before a click tells what lies there."""
    assert display
    with PictureWindow(PICTURE, (100, 100)) as window:
        focus(window.id)
        pointer, place = desktop().open_pointer(), window.region
        target = Point(place.left + 20, place.top + 15)
        pointer.move(target)
        wait_until(lambda: pointer.position == target)
        # Windows may tell an earlier place of the pointer for a moment.
        before = None

        def there() -> bool:
            nonlocal before, seen
            seen = desktop().click_state(window.id, (25, 15))
            before = before or (seen and seen.before)
            return seen is not None and seen.pointer.place == Point(target.x + 5, target.y)

        seen: ClickState | None = None
        wait_until(there)
        assert seen is not None
        assert seen.region == place
        assert before == target
        assert seen.pointer.top == desktop().frame_of(window.id)
        assert not seen.pointer.button
        desktop().steer(window.id, 30, 20)
        pointer.click(target, "left", None)
        wait_until(lambda: not button_held())
        wait_until(lambda: pointer.position == Point(place.left + 30, place.top + 20))
    # No game was played.
    assert len(strays.found) == 1
    strays.found.clear()


def test_every_implementation_captures_the_same_pixels(made: Desktop) -> None:
    """The same pixels; a single window where that is possible, and said where it is not."""
    with PictureWindow(PICTURE, (100, 100)) as window, made.open_screen() as screen:
        wait_until(lambda: np.array_equal(screen.grab(window.region).image, PICTURE))
        alone = screen.select_window(window.id)
        assert not (alone and Feature.WINDOW_CAPTURE in made.lacks)
        assert screen.is_selected(window.id) == alone
        listed = next(one for one in desktop().list_windows() if one.id == window.id)
        assert (screen.grab_window(listed) is not None) == alone
        screen.select_desktop()
        assert not screen.is_selected(window.id)


OTHER = """
from vision import desktop
from vision.desktop.other import OtherDesktop
desktop._implementation = lambda _kind: OtherDesktop()
if __name__ == "__main__":
    from gui.__main__ import main
    main()
"""
"""A file, which the process that plays imports, too."""


@pytest.mark.linux
def test_portable_implementation_plays(tmp_path: Path) -> None:
    """By mss and pyautogui alone, on a screen without a window manager."""
    play = ("play", "--window", "classic", "--games", "1", "--no-panel", "--yes")
    program = tmp_path / "other.py"
    program.write_text(OTHER, "utf-8")
    with PrivateScreen() as screen:
        manager = screen.processes[1]
        manager.terminate()
        manager.wait()
        with simulated(screen, tmp_path, "--level", "beginner"):
            run = subprocess.run(
                [sys.executable, str(program), *play],
                env=environment(tmp_path, screen),
                capture_output=True,
                check=False,
                text=True,
                timeout=300,
            )
    assert run.returncode == 0, run.stderr
    assert "game 1 of 1: " in run.stdout


@pytest.mark.linux
def test_nothing_of_wayland_is_loaded_on_x11() -> None:
    """No D-Bus and no PipeWire, which need not be installed there."""
    program = (
        "import os, sys; os.environ |= {'DISPLAY': ':987', 'XDG_SESSION_TYPE': 'x11'}; "
        "os.environ.pop('WAYLAND_DISPLAY', None); "
        "from vision.desktop import desktop; print(desktop().name); "
        "sys.exit(bool({'jeepney', 'vision.desktop.wayland'} & sys.modules.keys()))"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, text=True
    )
    assert "X11" in run.stdout


def test_pyautogui_is_loaded_where_there_is_no_xlib(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on Windows and macOS, whose packages do not include it."""
    library = SimpleNamespace(position=lambda: (3, 4))
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.setitem(sys.modules, "Xlib", None)
    monkeypatch.setitem(sys.modules, "pyautogui", library)
    assert PyautoguiPointer().position == (3, 4)
