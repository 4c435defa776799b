"""How many mines boards have that the user was asked about: kept, and by whom they are found."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace

import pytest

from bot.frame import Grid, Region
from gui.runner.stored_answers import (
    ConfirmedProgram,
    KeptBoards,
    Place,
    forget_place,
    is_confirmed,
    keep_confirmed,
    keep_place,
    kept_answers,
    place_in,
)
from tests.support.answers import kept_file
from vision.counters.mines import Recalled
from vision.desktop import Window
from vision.skins import BUNDLED, load_skin

pytestmark = pytest.mark.usefixtures("home")

SKINS = load_skin(BUNDLED / "classic"), load_skin(BUNDLED / "winemine")


def window(number: int = 1, title: str = "Some mines", class_name: str = "Some") -> Window:
    """A window of a program that no skin names."""
    return Window(number, title, class_name, Region(0, 0, 300, 300), None, own=False)


def later() -> KeptBoards:
    """Read the answers from the file, as a later process does."""
    if kept_file().exists():
        os.utime(kept_file())
    return KeptBoards()


def test_an_answer_is_kept_for_the_program_and_size() -> None:
    """In any window, with any skin, in a later process and in one that runs at the same time.

    It takes the place of an earlier one, and of what a counter has shown, which is not kept.
    Deleting the file forgets all.
    """
    skin, other = SKINS
    running, asking = KeptBoards(), KeptBoards()
    assert running.recall(window(), skin, 16, 12).number is None
    asking.note_counter(window(), skin, 16, 12, 39)
    assert asking.recall(window(), skin, 16, 12) == Recalled(shown=39)
    assert not kept_file().exists()
    for mines in (41, 40):
        asking.keep(window(), skin, 16, 12, mines)
    asking.keep(window(), skin, 5, 5, 3)
    for known in (running, asking, later()):
        assert known.recall(window(2), other, 16, 12).number == 40
        assert known.recall(window(), skin, 5, 5).number == 3
        assert known.recall(window(), skin, 12, 16).number is None
        assert known.recall(window(title="Another game"), skin, 16, 12).number is None
        assert known.recall(window(class_name="Another"), skin, 16, 12).number is None
    kept_file().unlink()
    assert later().recall(window(), skin, 16, 12).number is None


def test_a_title_with_other_numbers_is_another_board() -> None:
    """The numbers may be the mines: the answer is only offered there."""
    known, skin = KeptBoards(), SKINS[0]
    ten, many = window(title="Sweeper (10 mines)"), window(title="Sweeper (35 mines)")
    known.keep(ten, skin, 9, 9, 10)
    for one in (known, later()):
        assert one.recall(ten, skin, 9, 9) == Recalled(said=10)
        assert one.recall(many, skin, 9, 9) == Recalled(likely=10)
        assert one.recall(many, skin, 9, 10) == Recalled()
    known.keep(many, skin, 9, 9, 35)
    assert known.recall(ten, skin, 9, 9).said == 10
    assert known.recall(many, skin, 9, 9).said == 35
    known.forget(many, skin, 9, 9)
    assert later().recall(many, skin, 9, 9) == Recalled(likely=10)


@pytest.mark.slow
def test_two_processes_that_write_at_once_lose_no_answer() -> None:
    """Each reads what the other has written before it writes."""
    write = (
        "import sys\nfrom gui.runner.stored_answers import KeptRows\n"
        "for row in range(150): KeptRows().put(sys.argv[1], (row,), 1)"
    )
    both = [subprocess.Popen([sys.executable, "-c", write, kind]) for kind in ("mines", "boards")]
    assert [process.wait(60) for process in both] == [0, 0]
    kept = json.loads(kept_file().read_text("utf-8"))
    assert {kind: len(rows) for kind, rows in kept.items()} == {"mines": 150, "boards": 150}


def test_long_titles_do_not_make_the_file_too_large_to_be_read() -> None:
    """The oldest answers are left out."""
    title = "x" * 300_000
    for number in range(8):
        keep_confirmed(ConfirmedProgram("Some", f"{title}{number}"))
    later()
    assert is_confirmed(ConfirmedProgram("Some", f"{title}7"))
    assert not is_confirmed(ConfirmedProgram("Some", f"{title}0"))


def test_a_number_that_was_refuted_is_believed_again_if_the_user_says_so() -> None:
    """A hint may have been misread: the counter counts again. Another number stays wrong."""
    skin, _ = SKINS
    known = KeptBoards()
    for mines in (40, 41):
        known.refute(window(), skin, 16, 12, mines)
        assert later().is_refuted(window(), skin, 16, 12, mines)
    known.keep(window(), skin, 16, 12, 40)
    assert not later().is_refuted(window(), skin, 16, 12, 40)
    assert later().is_refuted(window(), skin, 16, 12, 41)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "nonsense",
        '{"mines": [1, [2]], "numbers": [[3], ["Some", "Some mines", 4]]}',
        '{"mines": [["Some", "Some mines", 16, 12, 192]], "numbers": []}',
        "[" * 100_000,
    ],
)
def test_a_file_of_another_form_is_no_answer(text: str) -> None:
    """It is written anew by the next one."""
    kept_file().parent.mkdir(parents=True)
    kept_file().write_text(text)
    known = KeptBoards()
    assert known.recall(window(), SKINS[0], 16, 12).number is None
    known.keep(window(), SKINS[0], 16, 12, 40)
    assert later().recall(window(), SKINS[0], 16, 12).number == 40


def test_what_the_only_number_beside_a_board_counts_is_kept() -> None:
    """At which values it fitted, or that it counts something else."""
    known, skin = KeptBoards(), SKINS[0]
    assert known.alone_fits(window(), skin) is None
    known.note_alone(window(), skin, 23, fits=True)
    known.note_alone(window(), skin, 10, fits=True)
    known.note_alone(window(title="Another game"), skin, 3, fits=False)
    for one in (known, later()):
        assert one.alone_fits(window(2), skin) == {10, 23}
        assert one.alone_fits(window(title="Another game"), skin) == frozenset()
    known.note_alone(window(), skin, 9, fits=False)
    assert later().alone_fits(window(), skin) == frozenset()


def test_a_marked_board_is_kept() -> None:
    """For windows of the program and size, wherever they are; what no board can be is ignored."""
    place = window().region
    grid = Grid(place.left + 12.0, place.top + 50.0, 30.0, 30.5, 9, 8)
    KeptBoards().mark(window(), grid)
    elsewhere = replace(window(2), region=place._replace(left=place.left + 100))
    moved = later().marked_in(elsewhere)
    assert moved == replace(grid, left=grid.left + 100)
    assert later().marked_in(window(title="Another game")) is None
    larger = replace(window(), region=place._replace(width=place.width + 1))
    assert later().marked_in(larger) is None
    (kept,) = kept_answers()
    assert kept.words == "You marked a board of 8 columns and 9 rows"
    assert (KeptBoards().unmark(window(2)), later().unmark(window())) == (True, False)
    assert kept_answers() == []
    later().mark(window(), grid)
    file = kept_file()
    rows = json.loads(file.read_text("utf-8"))
    for wrong in ([12, 50, 30, float("nan"), 9, 8], ["x", 50, 30, 30, 9, 8],
                  [1e9, 50, 30, 30, 9, 8], [12, 50, 0, 30, 9, 8],
                  [12, 50, 30, 30, 9, 10**6], [12, 50, 30, 30, 9, 8, 1]):  # fmt: skip
        rows["marked"][0][4:] = wrong
        file.write_text(json.dumps(rows), "utf-8")
        assert later().marked_in(window()) is None
        assert kept_answers() == []


def test_where_a_dialog_is_clicked_is_kept() -> None:
    """For the program and the dialog's title, until it is forgotten."""
    skin, _ = SKINS
    keep_place(window(), skin, "Won", Place(0.9, 0.95))
    keep_place(window(), skin, "", Place(0.5, 0.5, 1.0, -2.0))
    later()
    assert place_in(window(2), skin, "Won") == (0.9, 0.95, 0.0, 0.0)
    assert place_in(window(), skin, "") == (0.5, 0.5, 1.0, -2.0)
    assert place_in(window(title="Another game"), skin, "Won") is None
    box, dialog = (one.words for one in kept_answers())
    assert "click the middle of the box that the page shows (50% from its left" in box
    assert "click the bottom right of the dialog 'Won' (90% from its left, 95%" in dialog
    forget_place(window(), skin, "Won")
    assert place_in(window(), skin, "Won") is None
