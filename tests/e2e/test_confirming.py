"""What is confirmed before the first click, on a real screen: the program, the whole board.

A board of which a part is missing for certain is refused.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from bot.board import Board
from bot.frame import Reading, Region
from gui.private_screen import PrivateScreen
from gui.questions import (
    ByUser,
    LeftOpen,
    MarkedArea,
    Number,
    ProgramAnswer,
    ProgramQuestion,
    Yes,
)
from gui.runner.backend import Desktop
from gui.runner.startup import NotConfirmed
from gui.runner.stored_answers import ConfirmedProgram, keep_confirmed
from gui.settings import Settings
from tests.support.answers import kept_file
from tests.support.clients import PictureWindow, wait_until
from tests.support.family.options import Options
from tests.support.forked import bot
from tests.support.operators import Scripted
from tests.support.programs import start
from tests.support.shown import require
from tests.vision.scenes import tiled
from vision.desktop import Screen, desktop
from vision.finder import BoardCut, BoardNotFound
from vision.reader import Reader
from vision.skins import LEARNED, Skin, SkinLibrary, save_skin, user_folder
from vision.tracking.targets import survey_screen

pytestmark = pytest.mark.usefixtures("home", "screen")

CELL = 24
PAGE = "HTML Minesweeper"


@pytest.mark.slow
@pytest.mark.parametrize("scale", [1, 1.5])
def test_a_page_that_is_scrolled(tmp_path: Path, screen: PrivateScreen, scale: float) -> None:
    """Without its header the board is found; cut between rows it is asked about, else refused."""
    require("html")
    page = Options("html", board="16x16x40", scale=scale, above=400, below=1600, title=PAGE)
    with start(page, screen.environment, tmp_path / "top") as game:
        board = game.wait_for("ready")["board"]
    skins = SkinLibrary().skins()
    top = round(board[1] / scale)
    for scroll, rows in (
        (top - 30, 16),
        (top, 16),
        (top + 6 * CELL, 10),
        (top + 13 * CELL // 2, 0),
    ):
        scrolled = replace(page, scroll=scroll)
        with (
            start(scrolled, screen.environment, tmp_path / str(scroll)) as game,
            desktop().open_screen() as seen,
        ):
            game.wait_for("ready")
            if rows:
                wait_until(lambda rows=rows, seen=seen: rows_found(seen, skins) == [rows])
            else:
                wait_until(partial(shows_part, seen, skins))
            if rows == 10:
                with pytest.raises(NotConfirmed, match=r"may go on beyond what is visible \(top\)"):
                    rows_of_first_turn(window=PAGE, mines=20)
            elif not rows:
                assert rows_found(seen, skins) == []
                with pytest.raises(BoardCut, match=r"Only part .* until the whole board shows"):
                    Reader(seen, skins, PAGE).look()


def rows_found(screen: Screen, skins: tuple[Skin, ...]) -> list[int]:
    """Return the rows of each board that is found on the screen."""
    return [target.grid.rows for target in survey_screen(screen, skins)[0]]


def shows_part(screen: Screen, skins: tuple[Skin, ...]) -> bool:
    """Return whether a part of a board is seen on the screen."""
    return any("Only part of the board" in remark for remark in survey_screen(screen, skins)[1])


@dataclass
class User:
    """Answers questions about the program, one answer after the other."""

    answers: list[ProgramAnswer | None]
    asked: list[ProgramQuestion] = field(default_factory=list)

    def __call__(self, question: object, _around: object = None, /) -> ProgramAnswer | None:
        """Give the next answer."""
        assert isinstance(question, ProgramQuestion)
        self.asked.append(question)
        return self.answers.pop(0)


def flat_skin() -> Skin:
    """Return the skin in which the boards of these windows are drawn."""
    return next(skin for skin in SkinLibrary().skins() if skin.name == "flat")


def frameless(title: str) -> PictureWindow:
    """Return a window that a board of 9 rows and 9 columns fills."""
    picture = tiled(flat_skin(), Board.covered(9, 9, 10))
    return PictureWindow(picture, (200, 150), title, "Frameless")


def framed(title: str) -> PictureWindow:
    """Return a window with a board of 9 rows and 9 columns, and with room on all sides of it."""
    picture = tiled(flat_skin(), Board.covered(9, 9, 10))
    around = cv2.copyMakeBorder(picture, 60, 40, 40, 40, cv2.BORDER_CONSTANT, value=(90, 60, 30))
    return PictureWindow(np.asarray(around, np.uint8), (200, 150), title, "Framed")


def rows_of_first_turn(ask: User | None = None, window: str = "Frameless", **chosen: Any) -> int:
    """Play until the first turn is known; return the rows of its board."""
    return first_reading(ask, window, **chosen).grid.rows


def first_reading(
    ask: Callable[..., Any] | None, window: str, backend: Desktop | None = None, **chosen: Any
) -> Reading:
    """Play until the first turn is known; return what was read."""
    # Not validated: the panel gives 0 mines where the field is "?".
    settings = Settings(record=False).model_copy(update=chosen)
    turns = (backend or Desktop()).play(window, lambda: settings, Scripted(ask))
    with closing(turns):  # type: ignore[type-var]  # a generator
        return next(turns).reading


def test_a_board_that_is_not_recognised_is_asked_for() -> None:
    """Again if none can be there, or what is marked cannot be read; not of a known program.

    The program is confirmed with it.
    """
    image = np.full((300, 400, 3), 220, np.uint8)
    image[60:276, 30:246] = 140, 112, 86
    board, ground = Region(30, 60, 216, 216), Region(256, 20, 126, 126)
    with PictureWindow(image, (200, 150), "Game", "winemine.exe"):
        user = User([])
        with pytest.raises(BoardNotFound):
            first_reading(user, "Game")
    with PictureWindow(image, (200, 150), "Seamless", "Seamless"):
        user = User([MarkedArea(board, 30, 9), None])
        with pytest.raises(BoardNotFound, match="shows no Minesweeper board"):
            first_reading(user, "Seamless")
        first, again = user.asked
        assert (first.board, first.refused) == (board, "")
        assert (again.board, again.cells) == (board, (30, 9))
        assert "7x24 pixels" in again.refused
        user = User([MarkedArea(ground, 9, 9)])
        with pytest.raises(BoardNotFound, match="marked cannot be read as a board"):
            first_reading(user, "Seamless")
        user = User([MarkedArea(board, 9, 9)])
        assert first_reading(user, "Seamless").grid.rows == 9
        assert first_reading(User([]), "Seamless").grid.cols == 9


def test_a_board_that_fills_its_window_is_asked_about() -> None:
    """Before the first click; without a yes the run ends, and the next one asks again."""
    user = User([None, ByUser(), Yes()])
    with frameless("Frameless tiles"):
        for _ in range(2):
            with pytest.raises(LeftOpen, match=r"not confirm .* nothing more was clicked"):
                rows_of_first_turn(user)
        assert rows_of_first_turn(user) == 9
    (question, *others) = user.asked
    assert len(others) == 2
    assert question.yes
    assert not question.keys
    assert not question.points
    assert "9 rows and 9 columns" in question.why
    assert question.picture.shape[0] >= 9 * CELL


def test_a_yes_is_kept_for_the_window_at_its_size(home: Path) -> None:
    """No other page of a browser counts as confirmed; the file can be deleted to be asked again."""
    with frameless("Frameless tiles"):
        assert rows_of_first_turn(User([Yes()])) == 9
        assert rows_of_first_turn() == 9
    with frameless("Frameless page"), pytest.raises(NotConfirmed, match="--yes"):
        rows_of_first_turn()
    kept_file().unlink()
    assert kept_file().is_relative_to(home)
    with frameless("Frameless tiles"), pytest.raises(NotConfirmed, match="--yes"):
        rows_of_first_turn()


def test_assume_yes_counts_for_one_run() -> None:
    """The user is not asked, and nothing is kept: the next run asks again, and this one says so."""
    with frameless("Frameless tiles"):
        reading = first_reading(User([]), "Frameless", assume_yes=True)
        assert any("for this run only" in remark for remark in reading.remarks)
        with pytest.raises(NotConfirmed, match="--yes"):
            rows_of_first_turn()
    assert not kept_file().exists()


def test_a_program_that_no_skin_names_is_confirmed_once() -> None:
    """By its window's class and title, whatever numbers stand in that; a skin that fits is no name.

    Nobody to ask, or no yes: the run ends before the first click.
    """
    user = User([None, Yes()])
    with framed("Tiles: 10"):
        with pytest.raises(NotConfirmed, match=r"'Tiles: 10' has not been played before.* --yes"):
            rows_of_first_turn(window="Tiles")
        assert rows_of_first_turn(window="Tiles", assume_yes=True) == 9
        with pytest.raises(LeftOpen, match=r"not confirm .* nothing more was clicked"):
            rows_of_first_turn(user, "Tiles")
        assert rows_of_first_turn(user, "Tiles") == 9
    with framed("Tiles: 7"):
        assert rows_of_first_turn(window="Tiles") == 9
    # It says by its name that it is the game.
    with framed("Minesweeper"):
        assert rows_of_first_turn(window="Minesweeper") == 9
    with framed("Another page"), pytest.raises(NotConfirmed, match="'Another page'"):
        rows_of_first_turn(window="Another page")
    assert [question.title for question in user.asked] == ["Play 'Tiles: 10' with 10 mines?"] * 2
    assert all("9 rows and 9 columns" in question.why for question in user.asked)


def test_a_usual_number_of_mines_is_confirmed_with_the_program() -> None:
    """By one question. Its counter, where it has one, needs no answer; nor does a known program."""
    user = User([Number(12)])
    with framed("Tiles"):
        assert first_reading(user, "Tiles").board.mines == 12
        assert first_reading(None, "Tiles").board.mines == 12
    (question,) = user.asked
    assert (question.most, question.likely) == (80, 10)
    assert "usually have 10 mines" in question.why


def test_a_learned_skin_confirms_no_other_page() -> None:
    """Its class is the browser's. The page it was learned on is confirmed by class and title."""
    page = {"name": "page", "program": LEARNED, "window_class": "Framed", "title": "Page 1"}
    learned = flat_skin().model_copy(update={**page, "sizes": (), "sets": ()})
    save_skin(learned, user_folder() / "page")
    keep_confirmed(ConfirmedProgram("Framed", "Page 0"))
    with framed("Page 2"):
        assert rows_of_first_turn(window="Page 2") == 9
    user = User([Yes()])
    with framed("Another page"):
        with pytest.raises(NotConfirmed, match=r"'Another page' has not been played.* --yes"):
            rows_of_first_turn(window="Another page")
        assert rows_of_first_turn(user, "Another page") == 9
        assert rows_of_first_turn(window="Another page") == 9


_ENDS_WHEN_CLICKED = """
from Xlib import X
from tests.e2e.test_confirming import frameless
shown = frameless("Frameless tiles")
shown.window.change_attributes(event_mask=X.ButtonReleaseMask)
while shown.display.next_event().type != X.ButtonRelease:
    pass
"""


@pytest.mark.slow
@pytest.mark.parametrize("panel", ["--panel", "--no-panel"])
def test_assume_yes_holds_on_a_private_screen(
    tmp_path: Path, screen: PrivateScreen, panel: str
) -> None:
    """The board is clicked, by the command and by the panel."""
    play = ("play", "--private", panel, "--yes", "--no-record")
    run = bot(tmp_path, *play, "--", sys.executable, "-c", _ENDS_WHEN_CLICKED, screen=screen)
    # The panel tells of the window; the box with the game's screen says why it was closed.
    told = "was closed" if panel == "--panel" else "ended unexpectedly (without an error)"
    assert told in run.stderr, run
    assert not (tmp_path / "answers.json").exists()
