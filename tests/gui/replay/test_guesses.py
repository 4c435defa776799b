"""The ratings of guesses, and what is said of them."""

from __future__ import annotations

import pytest

from bot.assist.rating import Rating, WinningChance
from bot.board import Cell
from bot.planner import Action, Move
from gui.replay.film import load_film
from gui.replay.guesses import Verdict, as_text, judge
from tests.gui.replay.shelf import silent
from tests.support.boards import SESSIONS


def verdict(**changes: object) -> str:
    """What is said of a guess of 20 %."""
    values: dict[str, object] = {
        "risk": 0.2,
        "least_risk": 0.1,
        "safe_cells": (),
        "chance_before": 0.5,
        "chance_with": 0.4,
        "best_cell": Cell(7, 8),
        "exact": True,
        "risks_exact": True,
        "opening": False,
    } | changes
    rating = Rating(**values)  # type: ignore[arg-type]
    move = Move(Action.OPEN, Cell(1, 2), 0.2)
    return " ".join(as_text(Verdict(3, move, rating, WinningChance(0.6, exact=True, best=None))))


def test_a_verdict_is_put_into_words() -> None:
    """Risk, the least there was, the three chances, and what would have been better."""
    said = verdict()
    assert "Opened row 2, column 3: 20.0% risk; the lowest possible was 10.0%." in said
    assert "Chance to win: 50.0% before, 40.0% with it, 60.0% after the cell was opened." in said
    assert "Row 8, column 9 was the better choice." in said
    assert "estimated" not in said
    assert "estimated" in verdict(exact=False)
    assert "would have kept" not in verdict(chance_with=0.5)
    assert "not needed: row 5, column 5" in verdict(safe_cells=(Cell(4, 4),))
    assert "cannot be computed" in verdict(chance_before=None)


def test_a_board_that_cannot_be_is_not_rated() -> None:
    """The recording says so, and the list goes on."""
    film = load_film(SESSIONS / "winemine-intermediate-lost", silent())
    turn = film.guesses()[-1]
    good = judge(film, turn, silent())
    assert good.rating is not None
    assert good.after.value == 0.0
    with pytest.raises(ValueError, match="makes no guess"):
        judge(film, len(film) - 1, silent())
