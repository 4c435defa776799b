"""How many mines boards have that the user was asked about: kept, and by whom they are found."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.frame import Region
from gui.known_mines import KeptMines, mines_file
from vision.skins import BUNDLED, load_skin
from vision.windows import Window

SKINS = load_skin(BUNDLED / "classic"), load_skin(BUNDLED / "winemine")


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINESWEEPER_BOT_HOME", str(tmp_path / "home"))


def window(number: int = 1, title: str = "Some mines", class_name: str = "Some") -> Window:
    """A window of a program that no skin names."""
    return Window(number, title, class_name, Region(0, 0, 300, 300), None, own=False)


def test_an_answer_is_kept_for_the_program_and_size() -> None:
    """In any window, with any skin, in a later process and in one that runs at the same time."""
    skin, other = SKINS
    running, asking = KeptMines(), KeptMines()
    assert running.recall(window(), skin, 16, 12) is None
    asking.keep(window(), skin, 16, 12, 40)
    asking.keep(window(), skin, 5, 5, 3)
    for known in (running, asking, KeptMines()):
        assert known.recall(window(2), other, 16, 12) == 40
        assert known.recall(window(), skin, 5, 5) == 3
        assert known.recall(window(), skin, 12, 16) is None
        assert known.recall(window(title="Another game"), skin, 16, 12) is None
        assert known.recall(window(class_name="Another"), skin, 16, 12) is None


def test_another_answer_takes_its_place() -> None:
    """Also over what a counter has shown; deleting the file forgets all answers."""
    skin, _ = SKINS
    known = KeptMines()
    known.note_counter(window(), skin, 16, 12, 39)
    known.keep(window(), skin, 16, 12, 40)
    known.keep(window(), skin, 16, 12, 41)
    assert known.recall(window(), skin, 16, 12) == 41
    assert KeptMines().said(window(), skin, 16, 12) == 41
    mines_file().unlink()
    assert KeptMines().recall(window(), skin, 16, 12) is None


def test_what_a_counter_showed_is_not_kept() -> None:
    """The next time the program may be started with others."""
    known = KeptMines()
    known.note_counter(window(), SKINS[0], 16, 12, 39)
    assert known.recall(window(), SKINS[0], 16, 12) == 39
    assert known.said(window(), SKINS[0], 16, 12) is None
    assert not mines_file().exists()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "nonsense",
        '{"boards": [1, [2]], "numbers": [[3], ["Some", "Some mines", 4]]}',
        '{"boards": [["Some", "Some mines", 16, 12, 192]], "numbers": []}',
        "[" * 100_000,
    ],
)
def test_a_file_of_another_form_is_no_answer(text: str) -> None:
    """It is written anew by the next one."""
    mines_file().parent.mkdir(parents=True)
    mines_file().write_text(text)
    known = KeptMines()
    assert known.recall(window(), SKINS[0], 16, 12) is None
    known.keep(window(), SKINS[0], 16, 12, 40)
    assert KeptMines().recall(window(), SKINS[0], 16, 12) == 40


def test_what_the_only_number_beside_a_board_counts_is_kept() -> None:
    """At which values it fitted, or that it counts something else."""
    known, skin = KeptMines(), SKINS[0]
    assert known.alone_fits(window(), skin) is None
    known.note_alone(window(), skin, 23, fits=True)
    known.note_alone(window(), skin, 10, fits=True)
    known.note_alone(window(title="Another game"), skin, 3, fits=False)
    for one in (known, KeptMines()):
        assert one.alone_fits(window(2), skin) == {10, 23}
        assert one.alone_fits(window(title="Another game"), skin) == frozenset()
    known.note_alone(window(), skin, 9, fits=False)
    assert KeptMines().alone_fits(window(), skin) == frozenset()
