"""Boards of which nothing tells how many mines they have, on a real screen: asked about once."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from bot.board import Board
from gui.private_screen import PrivateScreen
from gui.questions import LeftOpen, Number, ProgramAnswer, ProgramQuestion, Yes
from gui.runner.backend import Desktop
from gui.runner.protocol import Candidate
from gui.runner.startup import WrongLevel
from gui.settings import Settings
from tests.e2e.test_confirming import first_reading, flat_skin
from tests.support.answers import kept_file
from tests.support.family.options import Options
from tests.support.forked import bot
from tests.support.games import start
from tests.support.operators import Scripted
from tests.support.programs import start as start_own
from tests.support.real_programs import PROGRAMS
from tests.support.runs import sessions
from tests.support.shown import require, windows_shown
from tests.support.xclient import PictureWindow, wait_until
from tests.vision.scenes import tiled
from vision.counters.mines import MinesUnknown

pytestmark = pytest.mark.usefixtures("home", "screen")

ROWS, COLS, MINES = 9, 11, 14
TK = "Tk Minesweeper"
NOT_ONE = Board.parse(f"{'1##########/' * 2}{'###########/' * 5}##########1/##########1", 99)
"""A board whose hints contradict a single mine."""


@dataclass
class User:
    """Confirms what there is to confirm, and answers questions for the mines one by one."""

    answers: list[int | None]
    asked: list[ProgramQuestion] = field(default_factory=list)
    meanwhile: Callable[[], object] = lambda: None
    """Done while the question for the mines is open."""

    def __call__(self, question: object, _around: object = None, /) -> ProgramAnswer | None:
        """Give the next answer."""
        assert isinstance(question, ProgramQuestion)
        if not question.most:
            return Yes()
        self.asked.append(question)
        self.meanwhile()
        answer = self.answers.pop(0)
        return None if answer is None else Number(answer)


def window_picture(
    cols: int = COLS, counted: int | None = None, shown: Board | None = None
) -> NDArray[np.uint8]:
    """Return a picture of a window with a fresh board, and with a mine counter above it."""
    board = tiled(flat_skin(), shown or Board.covered(ROWS, cols, 1))
    picture = np.full((board.shape[0] + 90, board.shape[1] + 60, 3), 200, np.uint8)
    picture[60:-30, 30:-30] = board
    if counted is not None:
        cv2.putText(picture, f"0/{counted}", (60, 45), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (0, 0, 0), 2)
    return picture


def custom(title: str = "Custom tiles", cols: int = COLS, **picture: Any) -> PictureWindow:
    """Return a window with a board of a size that is no level, unless another one is shown."""
    # Not where a window of another size was just closed.
    place = (200 if cols == COLS else 700, 150)
    return PictureWindow(window_picture(cols, **picture), place, title, "Custom")


def tk(board: str, label: str) -> Options:
    """Return the options of a program with a counter behind a label."""
    return Options("tk", art="flat", board=board, button="text", counter="text", label=label,
                   clock=False, first="zero", title=TK)  # fmt: skip


def mines_of_first_turn(
    desktop: Desktop, ask: Callable[..., Any] | None = None, window: str = "Custom", **chosen: Any
) -> int:
    """Play until the first turn is known; return the mines of its board."""
    return first_reading(ask, window, desktop, assume_yes=ask is None, **chosen).board.mines


def listed(desktop: Desktop) -> tuple[int | None, bool]:
    """Return how many mines the board has in the panel's list, and whether the user said so."""
    found: list[Candidate] = []
    wait_until(lambda: bool(found.extend(desktop.boards().boards) or found))
    (board,) = found
    return board.mines, board.mines_said


def test_the_mines_are_asked_once_for_a_program_and_size() -> None:
    """Before the first click, with a picture; kept for later processes, not for other sizes."""
    user = User([None, MINES, 20])
    desktop = Desktop()
    with custom():
        assert listed(desktop) == (None, False)
        with pytest.raises(LeftOpen, match="mines of the 11x9 board is unknown"):
            mines_of_first_turn(desktop, user)
        assert mines_of_first_turn(desktop, user) == MINES
        assert mines_of_first_turn(desktop, user) == MINES
        assert mines_of_first_turn(Desktop(), user) == MINES
        assert listed(Desktop()) == (MINES, True)
    with custom(cols=12):
        assert mines_of_first_turn(desktop, user) == 20
    question, *others = user.asked
    assert len(others) == 2
    assert question.title == "How many mines does this 11x9 board have?"
    assert question.most == ROWS * COLS - 1
    assert question.picture.shape[0] >= ROWS * 20
    assert "--mines" not in question.why


def test_another_window_is_confirmed_before_anything_is_asked_about_it() -> None:
    """One of the same class that is taken when the first is closed; its mines are not known."""
    confirmed: list[str] = []
    mines = User([MINES])

    def ask(question: object, around: object = None) -> ProgramAnswer | None:
        assert isinstance(question, ProgramQuestion)
        if question.most:
            return mines(question, around)
        confirmed.append(question.title)
        return None

    settings = Settings(record=False)
    turns = Desktop().play("Custom", lambda: settings, Scripted(ask))
    with closing(turns), custom() as shown:  # type: ignore[type-var]  # a generator
        next(turns)
        with custom("Another page", cols=12):
            shown.close()
            with pytest.raises(LeftOpen):
                next(turns)
    assert confirmed == ["Play 'Another page'?"]
    (question,) = mines.asked
    assert "confirms that this is the game to play" in question.why, "one question for both"


def test_an_answer_is_replaced_by_the_option_and_forgotten() -> None:
    """As the panel does it, if its field is '?'. A number that does not fit is asked about."""
    user = User([MINES, None])
    with custom():
        assert mines_of_first_turn(Desktop(), user, mines=ROWS * COLS) == MINES
        assert mines_of_first_turn(Desktop(), mines=15) == 15
        assert mines_of_first_turn(Desktop(), User([])) == 15
        with pytest.raises(LeftOpen):
            mines_of_first_turn(Desktop(), user, mines=0)
        assert listed(Desktop()) == (None, False)
    assert "99 mines do not fit" in user.asked[0].why
    assert "--mines" not in user.asked[0].why


def test_a_number_for_a_window_that_is_not_confirmed_is_not_kept() -> None:
    """It may have been given for another window; a board of another level is not played."""
    with custom():
        with pytest.raises(LeftOpen):
            mines_of_first_turn(Desktop(), lambda *_: None, mines=MINES)
        assert not kept_file().exists()
        with pytest.raises(WrongLevel):
            mines_of_first_turn(Desktop(), User([]), mines=MINES, level="expert")
        assert not kept_file().exists()


def test_a_counter_that_contradicts_the_answer_is_named() -> None:
    """The answer is not kept, and the user decides."""
    with custom() as shown:

        def show_counter() -> None:
            shown.show(window_picture(counted=12))

        user = User([MINES, 12], meanwhile=show_counter)
        assert mines_of_first_turn(Desktop(), user) == 12
    _, question = user.asked
    assert f"shows 12 mines, but {MINES} were given" in question.why
    assert question.likely == 12


@pytest.mark.parametrize("given", [True, False], ids=["given", "counted"])
def test_a_number_that_the_hints_contradict_is_asked_about(*, given: bool) -> None:
    """Once: the answer is believed, whatever a counter that was misread goes on showing.

    It is for the board that is being played, which is not searched for again.
    """
    chosen = {"mines": 1} if given else {}
    with custom(shown=NOT_ONE, counted=None if given else 1):
        with ExitStack() as others:

            def show_another() -> None:
                others.enter_context(custom(cols=12))

            user = User([MINES], meanwhile=show_another)
            assert mines_of_first_turn(Desktop(), user, **chosen) == MINES
        assert mines_of_first_turn(Desktop(), User([])) == MINES
    (question,) = user.asked
    assert "cannot be true with 1 mine." in question.why


def test_an_answer_that_the_hints_contradict_is_replaced() -> None:
    """By the nearest number that is possible, as some programs lay fewer mines than they show."""
    board = Board.parse("/".join(["1##########", "1##########", *["###########"] * 7]), 99)
    user = User([95])
    with custom(shown=board):
        assert mines_of_first_turn(Desktop(), user, mines=96) == 94
    assert len(user.asked) == 1


def test_a_usual_number_is_replaced_without_a_question_by_the_only_possible_one() -> None:
    """As the hints prove it, in a window that says that it is the game."""
    board = Board.parse("/".join(["##1......", "111......", *["........."] * 7]), 10)
    with custom("Minesweeper", shown=board):
        assert mines_of_first_turn(Desktop(), User([]), "Minesweeper") == 1


@pytest.mark.parametrize("asked", [True, False], ids=["not answered", "nobody to ask"])
def test_a_run_ends_if_a_contradicted_number_is_not_replaced(*, asked: bool) -> None:
    """It neither waits for ever nor asks again."""
    user = User([None]) if asked else None
    with (
        custom(shown=NOT_ONE),
        pytest.raises(
            LeftOpen if asked else MinesUnknown,
            match="is unknown, so the run ended" if asked else "give the right",
        ),
    ):
        mines_of_first_turn(Desktop(), user, mines=1)


def test_the_game_comes_to_the_front_when_the_answer_is_given() -> None:
    """What the user typed it in lies over the board, however long that took."""
    over = np.full((300, 400, 3), 90, np.uint8)
    with ExitStack() as windows, custom():

        def cover() -> None:
            windows.enter_context(PictureWindow(over, (150, 120), "Terminal", "Terminal"))

        assert mines_of_first_turn(Desktop(), User([MINES], meanwhile=cover)) == MINES


@pytest.mark.slow
def test_without_a_terminal_the_run_names_the_option(tmp_path: Path, screen: PrivateScreen) -> None:
    """In one sentence, and nothing is clicked or kept."""
    with custom():
        run = bot(tmp_path, "play", "--window", "Custom", "--yes", "--no-panel", screen=screen)
        watched = bot(tmp_path, "assist", "--window", "Custom", screen=screen)
    for one in (run, watched):
        assert one.returncode == 1
        (reported,) = [line for line in one.stderr.splitlines() if "--mines" in line]
        assert "has no counter that could be read" in reported
    assert not kept_file().exists()


@pytest.mark.slow
def test_a_number_beside_the_board_is_believed_when_it_has_fitted(
    tmp_path: Path, screen: PrivateScreen
) -> None:
    """It is offered as the answer; when it was right twice it is the counter, at any size."""
    require("tk")
    user = User([23, 17])
    for rows, cols, mines in ((12, 14, 23), (10, 13, 17), (11, 15, 19), (12, 14, 30)):
        with start_own(tk(f"{cols}x{rows}x{mines}", "Left"), screen.environment, tmp_path):
            assert mines_of_first_turn(Desktop(), user, window=TK) == mines
            assert listed(Desktop())[0] == mines
    assert [question.likely for question in user.asked] == [23, 17]


def test_a_number_that_is_said_to_count_mines_is_believed(
    tmp_path: Path, screen: PrivateScreen
) -> None:
    """Though it stands alone, and another number is usual for the size."""
    require("tk")
    with start_own(tk("9x9x14", "Mines"), screen.environment, tmp_path):
        assert mines_of_first_turn(Desktop(), User([]), window=TK) == 14


@pytest.mark.slow
def test_a_number_that_was_wrong_is_not_offered_again(
    tmp_path: Path, screen: PrivateScreen
) -> None:
    """It is no counter of mines; a usual size is not believed against it, but after the answer."""
    require("tk")
    user = User([10])
    for mines in (12, 14):
        with start_own(tk(f"9x9x{mines}", "Left"), screen.environment, tmp_path):
            assert mines_of_first_turn(Desktop(), user, window=TK) == 10
    (question,) = user.asked
    assert question.likely == 12


@pytest.mark.slow
def test_mines_by_a_counter_are_remembered(tmp_path: Path, screen: PrivateScreen) -> None:
    """Simon Tatham's Mines writes 'COMPLETED!' in its place; it is read again in the next game."""
    require("sgt-mines")
    title, desktop = PROGRAMS["sgt-mines"].title, Desktop()
    play = ("play", "--window", title, "--games", "2", "--no-panel")
    with start("sgt-mines", "12x16x40", screen.environment, tmp_path / "program") as program:
        windows_shown(screen.environment, title, program=program)
        wait_until(lambda: len(desktop.boards().boards) == 1)
        assert listed(desktop) == (40, False)
        run = bot(tmp_path, *play, screen=screen)
        assert run.returncode == 0, run
        # The game is over, and this process has not seen the counter.
        assert listed(Desktop()) == (None, False)
        assert listed(desktop) == (40, False)
        assert mines_of_first_turn(desktop, User([]), window=title) == 40
    for session in sessions(tmp_path):
        turns = list(session.turns())
        assert {turn.reading.board.mines for turn in turns} == {40}
        assert turns[-1].reading.status.over
