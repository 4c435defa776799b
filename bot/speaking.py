"""The one sentence of a turn: it is about what is done, also where the plan left out the best."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bot.analysis import Analysis, Evidence
from bot.board import Board, Cell
from bot.planner import Action

if TYPE_CHECKING:
    from bot.planner import Move


def spoken(board: Board, analysis: Analysis, moves: tuple[Move, ...]) -> Analysis:
    """The same opinion, its reason about the moves.

    A plan leaves out a safe cell that a zero or a chord beside it is likely to open, be it
    the one that the solver named; a turn may also be a single flag.

    Args:
        board: What was analysed.
        analysis: By a solver; its reason is about `analysis.best`.
        moves: What is done.

    Returns:
        `analysis` where one of the moves opens its best cell, or nothing is opened or
        flagged; else with the first cell that they open, or flag where they open none, and
        why that is.
    """
    opened = _opened(board, analysis, moves)
    if not moves or analysis.best in opened:
        return analysis
    if opened:
        cell = opened[0]
        # Late: whoever plays no game loads no solver.
        from bot.solver.told import Told  # noqa: PLC0415

        index = cell.row * board.cols + cell.col
        told = Told(board, index, float(analysis.mine_probability[cell]), 1, analysis.exact)
        return replace(analysis, best=cell, reason=told.reason, evidence=told.evidence)
    flagged = next((move.cell for move in moves if move.cell is not None), None)
    if flagged is None:
        return analysis
    reason = f"a flag on a proved mine at {flagged.words}"
    if analysis.mine_probability[flagged] != 1.0:
        reason = f"the flag at {flagged.words} is on no mine: it goes"
    return replace(analysis, reason=reason, evidence=Evidence((), (flagged,)))


def _opened(board: Board, analysis: Analysis, moves: tuple[Move, ...]) -> list[Cell]:
    """What the moves open by themselves, in their order."""
    opened: list[Cell] = []
    for move in moves:
        if move.cell is None:
            continue
        if move.action is Action.OPEN:
            opened.append(move.cell)
        elif move.action is Action.CHORD:
            around = board.around(move.cell)
            opened += [cell for cell in around if analysis.mine_probability[cell] == 0.0]
    return opened
