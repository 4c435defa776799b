"""What is decided in a run, by the settings and the program's skin."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from bot.analysis import Analysis
from bot.board import Board, Cell
from bot.planner import Action, Move, Style
from gui.brain import planning, thinking
from gui.settings import Settings
from tests.boards import reading_of
from vision.skins import BUNDLED, bundled_names, load_skin

CHANCE = [[0.0, 1.0, 0.0], [0.0, np.nan, 0.0], [np.nan, np.nan, np.nan]]
"""Four safe cells around a 1, and its mine."""


def decided(*, chords: bool) -> tuple[Move, ...]:
    """The moves of the style with chords in a program that chords, or does not."""
    skin = load_skin(BUNDLED / "classic")
    board = Board.parse("###/#1#/222", 1)
    choose = planning(lambda: Settings(style=Style.CHORDS), lambda: skin, lambda: chords)
    return choose(reading_of(board), Analysis(np.array(CHANCE), Cell(0, 0), True, "exact", ""))


def test_with_a_pace_the_reason_is_that_of_the_click() -> None:
    """The one click of a turn is at the cell that the sentence speaks of, if that is planned."""
    skin = load_skin(BUNDLED / "classic")
    choose = planning(lambda: Settings(pace=3), lambda: skin)
    reading = reading_of(Board.parse("###/#1#/222", 1))
    for best in (Cell(0, 0), Cell(0, 2), Cell(1, 2)):
        made = choose(reading, Analysis(np.array(CHANCE), best, True, "exact", ""))
        assert made == (Move(Action.OPEN, best),)


def test_with_a_pace_flags_are_set_too() -> None:
    """One click a turn: a flag is set before what it would always come after."""
    skin = load_skin(BUNDLED / "classic")
    choose = planning(lambda: Settings(pace=3, style=Style.FLAGS), lambda: skin)
    reading = reading_of(Board.parse("###/#1#/222", 1))
    made = choose(reading, Analysis(np.array(CHANCE), Cell(0, 0), True, "exact", ""))
    assert made == (Move(Action.FLAG, Cell(0, 1)),)


def test_chords_are_made_in_a_program_that_chords() -> None:
    """A flag and a chord open what four clicks would."""
    assert [move.action for move in decided(chords=True)] == [Action.FLAG, Action.CHORD]


def test_without_a_way_to_chord_it_is_played_without_flags() -> None:
    """They would be clicks for nothing."""
    assert {move.action for move in decided(chords=False)} == {Action.OPEN}


@pytest.mark.parametrize("name", sorted(bundled_names()))
def test_every_bundled_skin_says_how_its_program_chords(name: str) -> None:
    """As it was played."""
    assert load_skin(BUNDLED / name).chord == ("left" if name == "gnome-mines" else "middle")


@pytest.mark.parametrize("name", sorted(bundled_names()))
def test_the_first_click_goes_where_the_program_makes_it_worth_most(name: str) -> None:
    """A little way in where it opens a region, a corner where that is not known."""
    skin = load_skin(BUNDLED / name)
    zero = name.startswith(("gnome", "kmines", "sgt"))
    assert skin.first_click == ("zero" if zero else None)
    think = thinking(lambda: Settings(solver="lookahead"), lambda: skin, threading.Event())
    found = think(Board.covered(16, 30, 99))
    assert found.best == (Cell(3, 3) if zero else Cell(0, 0))
    assert found.reason.startswith("the first click")
