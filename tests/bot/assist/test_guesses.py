"""What is a guess, a mistake, a forced guess: the same for all that count them."""

from __future__ import annotations

from bot.assist.coach import MoveKind, judge_moves, review_game
from bot.assist.guesses import GuessKind, guess_kind, is_guess
from bot.assist.rating import rate_move
from bot.board import Board, Cell
from bot.frame import Status
from bot.game import Rules
from bot.planner import Action, Move
from bot.solver import exact


def test_a_proved_mine_that_is_opened_is_one_guess_for_all() -> None:
    """It is a mistake, and no guess when digging."""
    before, after = Board.parse("01##/011#", 1), Board.parse("01!#/011#", 1)
    analysis = exact.solve(before)
    assert analysis.mines == (Cell(0, 2),)
    (verdict,) = judge_moves(before, analysis, after, exact.solve, over=True)
    assert verdict.guess
    assert is_guess(before, verdict.move)
    assert not is_guess(before, verdict.move, Rules.DIGGING)
    assert verdict.kind in (MoveKind.MISSED, MoveKind.RISKIER)
    assert review_game([verdict], Status.LOST).statistics.startswith("1 move, 1 guess:")
    assert rate_move(before, Cell(0, 2)).kind in (GuessKind.MISSED, GuessKind.RISKIER)


def test_proofs_flags_and_first_clicks_are_no_guesses() -> None:
    """A proof, a flag, and the first click of a game."""
    fresh, begun = Board.parse("###", 1), Board.parse("1##", 1)
    risky = Move(Action.OPEN, Cell(0, 2), 0.5)
    assert is_guess(begun, risky)
    assert not is_guess(fresh, risky)
    assert not is_guess(begun, Move(Action.OPEN, Cell(0, 2), 0.0))
    assert not is_guess(begun, Move(Action.FLAG, Cell(0, 2), 0.5))


def test_the_chance_to_win_decides_if_it_is_known() -> None:
    """A riskier cell that reveals more is no mistake; the safest one may be."""
    assert guess_kind(0.3, 0.2, proved=False) is GuessKind.RISKIER
    assert guess_kind(0.3, 0.2, proved=False, best=True) is GuessKind.FORCED
    assert guess_kind(0.3, 0.2, proved=False, lost=0.0) is GuessKind.FORCED
    assert guess_kind(0.2, 0.2, proved=False, lost=0.1) is GuessKind.RISKIER
    assert guess_kind(0.2, 0.2, proved=True, lost=0.0) is GuessKind.MISSED
