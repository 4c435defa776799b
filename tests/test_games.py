"""The real programs: their skins are whole, and each of them starts and shows its board."""

from __future__ import annotations

import os
import select
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from time import monotonic

import numpy as np
import pytest

from bot.board import COVERED, EXPLODED, FLAG, MINE, MISFLAG, QUESTION
from gui.private_screen import PrivateScreen
from tests.games import PROGRAMS, GameError, packages, start
from vision.skins import BUNDLED, STATES, load_skin
from vision.windows import Window, list_windows

SKINS = {
    "winemine": "winemine",
    "sgt-mines": "sgt-mines",
    "xdemineur": "xdemineur",
    "xbomb": "xbomb",
    "xbomb-large": "xbomb",
}
"""Folder in `templates/` -> program."""
NEVER_SHOWN = {
    "sgt-mines": {QUESTION, MINE, MISFLAG},
    "xbomb": {QUESTION, MISFLAG},
    "xbomb-large": {8, QUESTION, MISFLAG},
}
"""States that a program does not have; an 8 comes up once in 100,000 small XBomb boards."""
WINDOW_SECONDS = 120.0


@pytest.mark.parametrize("name", SKINS)
def test_skin_is_whole(name: str) -> None:
    """Every state that the program shows has its picture; none is there by mistake."""
    skin = load_skin(BUNDLED / name)
    expected = set(STATES.values()) - NEVER_SHOWN.get(name, set())
    assert set(skin.pictures) == expected
    assert {COVERED, FLAG, EXPLODED} <= set(skin.pictures)


@pytest.mark.parametrize("name", SKINS)
def test_pictures_differ(name: str) -> None:
    """No two pictures of a skin are alike, whatever their states, and all are of one size."""
    skin = load_skin(BUNDLED / name)
    pictures = [picture for looks in skin.pictures.values() for picture in looks]
    assert {picture.shape for picture in pictures} == {(skin.tile[1], skin.tile[0], 3)}
    for one, other in pairwise(sorted(pictures, key=lambda picture: picture.tobytes())):
        assert not np.array_equal(one, other)


@pytest.mark.parametrize("name", SKINS)
def test_skin_names_its_origin(name: str) -> None:
    """The licence of the art lies beside it, and the levels are those it is started at."""
    folder = BUNDLED / name
    skin = load_skin(folder)
    program = PROGRAMS[SKINS[name]]
    assert skin.name == name
    assert skin.title in program.title
    assert skin.licence
    assert any(path.stat().st_size for path in folder.glob("LICENSE*"))
    for level, size in skin.levels.items():
        assert program.levels[level] == size


def test_packages_are_named_once() -> None:
    """The set-up asks for each package once, in an order that does not change."""
    assert packages() == tuple(sorted(set(packages())))


def test_unknown_level_is_refused(tmp_path: Path) -> None:
    """A level that a program does not have is named, with those that it has."""
    with pytest.raises(GameError, match="beginner, intermediate, expert"):
        PROGRAMS["winemine"].level("hopeless")
    with pytest.raises(GameError, match="no other size"):
        PROGRAMS["xbomb"].level("9x9x10")
    assert PROGRAMS["sgt-mines"].level("30x16x99") == (16, 30, 99)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", PROGRAMS)
def test_program_starts(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The program opens its window on a private screen, and is gone afterwards.

    With CI set it must be installed; elsewhere what was not run is said aloud.
    """
    if PROGRAMS[name].path() is None and not os.environ.get("CI"):
        with capsys.disabled():
            needed = " ".join(PROGRAMS[name].packages)
            print(f"\n\nNOT RUN: {name} is not installed (apt-get install {needed})\n")
        return
    with PrivateScreen(1280, 900) as screen:
        for key in ("DISPLAY", "XAUTHORITY"):
            monkeypatch.setenv(key, screen.environment[key])
        with start(name, "beginner", screen.environment, tmp_path / "home") as process:
            with _changes() as changed:
                window = _wait_for_window(PROGRAMS[name].title, changed)
            assert window.region.width > 100
            assert process.poll() is None
        assert process.poll() is not None
        assert not [w for w in list_windows() if w.id == window.id]


@contextmanager
def _changes() -> Iterator[Callable[[], None]]:
    """A function that waits until something on the screen's top level changes."""
    from Xlib import X, display  # noqa: PLC0415 - opens nothing until a screen is there

    connection = display.Display()
    mask = X.SubstructureNotifyMask | X.PropertyChangeMask
    connection.screen().root.change_attributes(event_mask=mask)
    connection.sync()

    def wait() -> None:
        # A second at most: a title may be set without anything else changing.
        select.select([connection.fileno()], [], [], 1.0)
        while connection.pending_events():
            connection.next_event()

    try:
        yield wait
    finally:
        connection.close()


def _wait_for_window(title: str, wait: Callable[[], None]) -> Window:
    deadline = monotonic() + WINDOW_SECONDS
    while monotonic() < deadline:
        for window in list_windows():
            if title in window.title:
                return window
        wait()
    raise AssertionError(f"no window whose title contains {title!r} was opened")
