"""Asking in a terminal: what is shown, what counts as an answer, and what is printed at the end."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from bot.board import (
    COVERED,
    EXPLODED,
    FLAG,
    MINE,
    MISFLAG,
    QUESTION,
    STATE_WORDS,
    Board,
    Cell,
)
from bot.frame import Region
from bot.loop import Stop
from gui.commands.learn import (
    Asked,
    answer_named,
    may_replace,
    print_learned,
    state_named,
)
from gui.commands.progress import GameLog
from gui.commands.terminal_run import TerminalRun
from gui.console import Console
from gui.questions import (
    Around,
    ByUser,
    ClickAt,
    LeftOpen,
    MarkedArea,
    Number,
    PressKey,
    ProgramAnswer,
    ProgramQuestion,
    Yes,
)
from gui.runner.startup import ask_about
from tests.gui.tabletop import LocalClient, Tabletop
from tests.support.boards import reading_of
from tests.support.operators import Scripted, Unattended
from vision.learning.questions import AnswerRefused, AnswersNeeded, Question, TileUnknown, answered
from vision.learning.skin_learner import LearnedSkin
from vision.skins import SkinLibrary

pytestmark = pytest.mark.usefixtures("home")

PLAIN: dict[str, object] = {"force_terminal": False, "color_system": None}
Type = Callable[..., None]


def terminal(**options: object) -> tuple[Console, StringIO]:
    """Return a console as a colour terminal has it, and what is printed on it."""
    printed = StringIO()
    options = {"force_terminal": True, "color_system": "truecolor"} | options
    return Console(file=printed, width=100, legacy_windows=False, **options), printed


def shown(printed: StringIO) -> str:
    """Return what was printed without its colours."""
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", printed.getvalue())


def asking(console: Console) -> tuple[Callable[..., object], Stop]:
    """Return what asks in the terminal in which a run is followed, and the run's stop."""
    stop = Stop()
    return TerminalRun(LocalClient(Tabletop()), console, GameLog(console, 3), stop).ask, stop


def a_question(*cells: tuple[int, int], likely: tuple[int, ...] = ()) -> Question:
    """About a small tile of two colours: the left half red, the right half blue."""
    picture = np.zeros((6, 4, 3), np.uint8)
    picture[:, :2], picture[:, 2:] = (0, 0, 255), (255, 0, 0)
    return Question(picture, tuple(Cell(*cell) for cell in cells), likely)


@pytest.fixture
def type_in(monkeypatch: pytest.MonkeyPatch) -> Iterator[Type]:
    """Put lines into the standard input, which ends after them."""
    with tempfile.TemporaryFile("w+", encoding="utf-8") as file:

        def put(*lines: str) -> None:
            file.write("".join(f"{line}\n" for line in lines))
            file.seek(0)
            monkeypatch.setattr("sys.stdin", file)

        yield put


def test_a_tile_is_named_by_a_word_or_its_clear_beginning() -> None:
    """Or by a digit; what is not clear is never guessed, and the message says what is possible."""
    words = {"c": COVERED, " F ": FLAG, "q": QUESTION, "min": MINE, "Misflag": MISFLAG,
             "e": EXPLODED}  # fmt: skip
    words |= {text: state for state, text in STATE_WORDS.items()}
    words |= {str(hint): hint for hint in range(9)}
    assert {text: state_named(text) for text in words} == words
    unclear = {"m": "mine or misflag", "9": "0 to 8", "-1": "0 to 8", "bomb": "flag"}
    for text, said in unclear.items():
        with pytest.raises(ValueError, match=said):
            state_named(text)


def test_a_question_in_a_colour_terminal(type_in: Type) -> None:
    """The picture, the places, and what is likely; what is not an answer is asked again.

    In a run also where it is on the board, and that an empty answer ends the run.
    """
    console, printed = terminal()
    type_in("bomb", "m", "fl", "")
    ask, stop = asking(console)
    assert ask(a_question((0, 5), (3, 7), (4, 4), likely=(3, FLAG))) == FLAG
    plain = shown(printed)
    assert "38;2;255;0;0" in printed.getvalue()
    assert "48;2;0;0;255" in printed.getvalue()
    assert "3 cells look like this: row 1, column 6; row 4, column 8; and 1 more." in plain
    assert "It looks most like: 3 or flag." in plain
    assert "'bomb' is not a tile" in plain
    assert "'m' is ambiguous: mine or misflag" in plain
    assert "where it is" not in plain
    where = Around(np.zeros((240, 240, 3), np.uint8), Region(80, 80, 80, 80))
    assert ask(a_question((1, 1)), where) is None
    plain = shown(printed)
    assert "where it is, in the red frame:" in plain
    assert "row 2, column 2" in plain
    assert "(empty: end the run)" in plain
    assert not stop.is_set()


def test_a_question_without_colours(type_in: Type, home: Path) -> None:
    """The picture is saved enlarged, and its path printed; nothing is drawn."""
    console, printed = terminal(**PLAIN)
    type_in("7")
    question = a_question((2, 2))
    assert Asked(console)(question) == 7
    path = home / "questions" / "tile-1.png"
    assert str(path) in printed.getvalue()
    assert "One cell looks like this: row 3, column 3." in printed.getvalue()
    assert "most like" not in printed.getvalue()
    saved = cv2.imread(str(path))
    assert saved.shape[1] == 160
    assert np.array_equal(saved[::40, ::40], question.picture)
    assert "\u2580" not in printed.getvalue()


def test_learned_skin_is_summarised_with_the_questions_left_open(type_in: Type, home: Path) -> None:
    """One by an empty line, and not asked again; all that are left where the input ends.

    The summary also says where the skin is, what it has and what is missing.
    """
    console, printed = terminal(**PLAIN)
    type_in("", "3")
    asked = Asked(console)
    answers = [asked(a_question((4, number))) for number in (0, 0, 1, 2, 3)]
    assert answers == [None, None, 3, None, None]
    skin = next(skin for skin in SkinLibrary().skins() if skin.name == "winemine")
    folder = home / "skins" / "winemine"
    print_learned(console, LearnedSkin(skin, folder, ("question", "8")), asked)
    output = printed.getvalue()
    assert f"Skin 'winemine' saved to {folder}" in output
    assert "it has: empty, 1, 2, 3" in output
    assert "not seen yet: 8, question mark; they are learned when a game shows them" in output
    for number in (1, 3, 4):
        assert f"left open: ({number}) One cell looks like this: row 5, column {number}." in output
    assert "left open: (2)" not in output
    assert "to undo this: minesweeper-bot learn --forget winemine" in output


@pytest.mark.parametrize(("answer", "agreed"), [("y", True), ("n", False), ("", False)])
def test_a_skin_is_replaced_only_if_one_says_so(type_in: Type, answer: str, agreed: bool) -> None:
    """By name; an empty answer keeps it, and so does the end of the input."""
    console, printed = terminal()
    type_in(*answer)
    assert may_replace(console, "mine") is agreed
    assert "a skin of your own is called 'mine' already: replace it?" in shown(printed)


# What becomes of an answer


def test_an_answer_that_cannot_be_is_asked_again(type_in: Type) -> None:
    """The terminal says why, and takes the next one."""
    console, printed = terminal(color_system=None)
    type_in("0", "3")
    taken: list[int] = []

    def take(_question: Question, state: int) -> None:
        if state == 0:
            raise AnswerRefused("the board cannot be so")
        taken.append(state)

    assert answered(a_question((1, 1)), Asked(console), take)
    assert taken == [3]
    assert printed.getvalue().count("It cannot be 'empty': the board would break") == 1


def test_a_question_left_open_ends_the_run() -> None:
    """It says which tile, that nothing more was clicked, and keeps the frame.

    A mark of the board may be wrong then. Nothing is asked if the board itself says it.
    """
    reading = reading_of(Board.parse("~~~/~~~/~~~", 2))
    puzzle = AnswersNeeded(reading, (a_question((2, 1)),))
    reader: Any = SimpleNamespace(conclude=lambda: False, pass_over=lambda: False, answer=None)
    for marked, said in ((False, "asked again"), (True, "asked where the board is")):
        reader.unmark = lambda marked=marked: marked
        with pytest.raises(LeftOpen, match="row 3, column 2 was not identified") as caught:
            ask_about(reader, puzzle, Scripted(lambda *_: None))
        assert caught.value.reading is reading
        assert said in str(caught.value)
    with pytest.raises(TileUnknown, match="row 3, column 2"):
        ask_about(reader, puzzle, Unattended())
    reader.conclude = lambda: True
    ask_about(reader, puzzle, Unattended())


# About the program


def about_program(**changed: object) -> ProgramQuestion:
    """How the next game starts, with two buttons."""
    asked = {
        "title": "How does the next game start?",
        "why": "'[red]Mines' is not known.",
        "picture": np.full((60, 200, 3), 90, np.uint8),
        "by_user": "I start it myself",
        "leave": "End the run",
        "buttons": (Region(10, 10, 20, 20), Region(100, 10, 20, 20)),
        "points": True,
    }
    return ProgramQuestion(**asked | changed)


BOX = Region(20, 10, 90, 40)
BOARD = {"buttons": (), "marks": True, "keys": False}
SUGGESTED = {**BOARD, "board": BOX}
"""A question for a board, without and with a suggestion."""


@pytest.mark.parametrize(
    ("asked", "text", "answer"),
    [
        ({}, "2", ClickAt(110, 20)),
        ({}, "key F2", PressKey("f2")),
        ({}, "key Ctrl+N", PressKey("ctrl+n")),
        ({}, " me ", ByUser()),
        ({}, "", None),
        (SUGGESTED, "9x8", MarkedArea(BOX, 9, 8)),
        (SUGGESTED, " 30 X 16 from 5,6 to 185, 56 ", MarkedArea(Region(5, 6, 180, 50), 30, 16)),
        (SUGGESTED, "", None),
    ],
)
def test_answers_about_a_program(
    asked: dict[str, object], text: str, answer: ProgramAnswer | None
) -> None:
    """A number, a key, the user, or nothing; for a board its size, or its corners too."""
    assert answer_named(text, about_program(**asked)) == answer


FORM = r"as '?(in '?)?9x9 from \d+,\d+ to \d+,\d+'"


@pytest.mark.parametrize(
    ("asked", "text", "said"),
    [({}, "3", "from 1 to 2"), ({}, "0", "is not an answer"), ({}, "n", "key NAME"),
     ({}, "key", "there is no key"), ({}, "key hyper+x", "there is no key"),
     ({}, "2 please", "is not an answer"), (BOARD, "9x9", FORM), (SUGGESTED, "9", FORM),
     (SUGGESTED, "9x9 from 5,6", FORM), (SUGGESTED, "9x9 from 50,6 to 5,60", FORM),
     (SUGGESTED, "9x9 from 5,6 to 999999,60", FORM), (SUGGESTED, "yes", FORM)],
)  # fmt: skip
def test_what_is_no_answer_about_a_program(asked: dict[str, object], text: str, said: str) -> None:
    """The error shows what is one. A letter alone is no key: it could be typed by accident."""
    with pytest.raises(ValueError, match=said):
        answer_named(text, about_program(**asked))


NUMBER = {"most": 191, "leave": "End the run"}
YES = {"yes": "Yes, all of it", "leave": "No, end"}


@pytest.mark.parametrize(
    ("asked", "possible", "lines", "answer"),
    [
        (NUMBER, "a number from 1 to 191, or nothing",
         ("0", "192", "40 mines", "9" * 5000, "key n", "40"), Number(40)),
        (NUMBER, "a number from 1 to 191, or nothing", ("",), None),
        (NUMBER, "a number from 1 to 191, or nothing", (), None),
        (YES, "yes, no, or nothing", ("no",), None),
        (YES, "yes, no, or nothing", (), None),
        (YES, "yes, no, or nothing", ("me", "key n", "yep", "YES"), Yes()),
    ],
)  # fmt: skip
def test_the_terminal_asks_for_a_number_or_a_yes(
    type_in: Type,
    asked: dict[str, object],
    possible: str,
    lines: tuple[str, ...],
    answer: ProgramAnswer | None,
) -> None:
    """Within its bounds, or by the word; neither Enter nor the input's end is an answer."""
    console, printed = terminal(**PLAIN)
    type_in(*lines)
    ask, _ = asking(console)
    question = about_program(buttons=(), points=False, keys=False, by_user="", **asked)
    assert ask(question) == answer
    assert f"or nothing ({asked['leave']})" in printed.getvalue()
    refused = printed.getvalue().count(f"is not an answer: enter {possible}")
    assert refused == max(0, len(lines) - 1)


def test_the_terminal_is_asked_about_the_program(type_in: Type, home: Path) -> None:
    """What is asked, a picture with numbers, and what can be answered; foreign text is plain."""
    console, printed = terminal(**PLAIN)
    type_in("n", "1")
    ask, _ = asking(console)
    assert ask(about_program(key="ctrl+r")) == ClickAt(20, 20)
    output = printed.getvalue()
    assert "'[red]Mines' is not known." in output
    assert "'n' is not an answer" in output
    assert "'key ctrl+r'" in output
    path = home / "questions" / "window.png"
    assert str(path) in output
    saved = cv2.imread(str(path))
    assert saved is not None
    assert (saved != 90).any()
