"""Decide what is a guess, a mistake and a forced guess, for all that count or rate them."""

from __future__ import annotations

from enum import Enum
from typing import Final

from bot.board import Board
from bot.game import Rules
from bot.planner import Action, Move

EQUAL_RISK: Final = 0.005
"""Risks, or chances, that differ by less count as equal: a player cannot tell them apart."""


class GuessKind(Enum):
    """The judgement of a guess."""

    FORCED = "forced"
    """Nothing was proved, and no other cell was better."""
    MISSED = "missed"
    """A mistake: a cell was proved safe."""
    RISKIER = "riskier"
    """A mistake: another cell was better."""


def is_uncertain(move: Move, rules: Rules = Rules.CLASSIC) -> bool:
    """Return whether a move opens a cell that is not proved safe; a proved mine is none, too.

    In the game of digging a proved mine is what one looks for.
    """
    opens = move.cell is not None and move.action in (Action.OPEN, Action.CHORD)
    return opens and move.risk > 0 and (rules is Rules.CLASSIC or move.risk < 1)


def is_guess(board: Board, move: Move, rules: Rules = Rules.CLASSIC) -> bool:
    """Return whether a move is a guess; the first click of a game is none.

    Args:
        board: The board before the move.
        move: The move, with its risk.
        rules: The rules of the game.
    """
    return board.has_hints and is_uncertain(move, rules)


def guess_kind(
    risk: float, least: float, *, proved: bool, best: bool = False, lost: float | None = None
) -> GuessKind:
    """Return the judgement of a guess.

    Args:
        risk: Its risk.
        least: The least risk of any covered cell.
        proved: Whether a cell was proved safe.
        best: Whether the solver would have opened the same cell.
        lost: Decrease of the chance to win, which decides if it is known: a riskier cell may be
            as good, because it reveals more.
    """
    if proved:
        return GuessKind.MISSED
    equal = best or risk <= least + EQUAL_RISK if lost is None else lost < EQUAL_RISK
    return GuessKind.FORCED if equal else GuessKind.RISKIER
