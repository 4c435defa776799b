"""The hints next to a cell, and the outcomes of opening it.

Every hint that a covered cell may show is tried: the board with it is solved, and the
probability of the hint is its share of the solutions.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from bot.analysis import Analysis, Limit, Solver, load_function
from bot.board import EXPLODED, MINE, UNOPENED, Board, Cell, InconsistentBoard, neighbours
from bot.solver.assumed import without_total
from bot.solver.explain import count_solutions


@dataclass(frozen=True)
class NearbyHint:
    """A hint next to a cell."""

    hint: Cell
    value: int
    """The number that the hint shows, 0 to 8."""
    mines: int
    """Mines around the hint that do not show."""
    covered: int
    """Covered cells around the hint."""


@dataclass(frozen=True)
class Outcome:
    """A hint that a cell may show, and its consequences."""

    value: int
    """The hint, 0 to 8."""
    chance: float
    """Its probability; those of all outcomes and the risk of a mine add up to 1."""
    safe: int
    """Number of other cells that the hint would newly prove safe."""
    mines: int
    """Number of cells that the hint would newly prove to be mines."""
    win: float | None
    """The chance to win by perfect play after the hint; None if too many solutions are left."""


@dataclass(frozen=True)
class Outcomes:
    """All outcomes of opening a cell."""

    by_hint: tuple[Outcome, ...]
    """By value; empty if the cell is certainly a mine, or the solutions cannot be counted."""
    win: float | None
    """The chance to win if the cell is opened now; None if too many solutions are left."""


def nearby_hints(board: Board, cell: Cell) -> tuple[NearbyHint, ...]:
    """Return the hints next to a covered cell, row by row; for a hint, that hint alone."""
    if board[cell] >= 0:
        return (_nearby_hint(board, cell),)
    if not board.unopened[cell]:
        return ()
    return tuple(_nearby_hint(board, one) for one in board.around(cell) if board[one] >= 0)


def _nearby_hint(board: Board, hint: Cell) -> NearbyHint:
    around = board.around(hint)
    shown = sum(board[cell] in (MINE, EXPLODED) for cell in around)
    covered = sum(board[cell] in UNOPENED for cell in around)
    return NearbyHint(hint, board[hint], board[hint] - shown, covered)


def possible_outcomes(board: Board, cell: Cell, limit: Limit | None = None) -> Outcomes:
    """Try every hint that a covered cell may show.

    Args:
        board: The visible board of a game that is not over.
        cell: A covered one.
        limit: The budget for each board that is tried.

    Raises:
        InconsistentBoard: No placing of the mines agrees with the board.
        ValueError: A tile is unread, or the cell is not covered.
        Cancelled: The user stopped.
    """
    if not board.unopened[cell]:
        raise ValueError(f"the cell at {cell.position_text} is not covered")
    limit = limit or Limit()
    # numba takes half a second to import.
    solve: Solver = load_function("bot.solver.exact:solve")
    known = solve(board, limit)
    total = count_solutions(board, known)
    if total is None or known.mine_probability[cell] == 1.0:
        return Outcomes((), None)
    most: int = load_function("bot.solver.endgame:BUDGET").solutions
    playable = total <= most and EXPLODED not in board.tiles
    proved = without_total(board, known, limit)
    by_hint, won = [], 0.0
    for value in _possible(board, cell):
        after = _shown(board, cell, value)
        try:
            analysis = solve(after, limit)
        except InconsistentBoard:
            continue
        share = count_solutions(after, analysis)
        if share is None:
            return Outcomes((), None)
        win = _win(after, limit) if playable else None
        chance = share / total
        by_hint.append(
            Outcome(value, chance, *_gain(proved, without_total(after, analysis, limit), cell), win)
        )
        playable = playable and win is not None
        won += chance * (win or 0.0)
    return Outcomes(tuple(by_hint), won if playable else None)


def _possible(board: Board, cell: Cell) -> range:
    """Return the hints that the tiles around a cell allow by themselves."""
    table = neighbours(board.rows, board.cols)
    around = list(table[cell.row * board.cols + cell.col])
    tiles = board.tiles.ravel()[around]
    fewest = int(np.isin(tiles, (MINE, EXPLODED)).sum())
    return range(fewest, fewest + int(board.unopened.ravel()[around].sum()) + 1)


def _shown(board: Board, cell: Cell, value: int) -> Board:
    tiles = board.tiles.copy()
    tiles[cell] = value
    return replace(board, tiles=tiles)


def _gain(before: Analysis, after: Analysis, cell: Cell) -> tuple[int, int]:
    """Count the cells that become proved safe, and proved mines, without the opened one."""
    gained = []
    for proof in (0.0, 1.0):
        fresh = (after.mine_probability == proof) & (before.mine_probability != proof)
        fresh[cell] = False
        gained.append(int(fresh.sum()))
    return gained[0], gained[1]


def _win(board: Board, limit: Limit) -> float | None:
    solve_endgame = load_function("bot.solver.endgame:solve_endgame")
    ending = solve_endgame(board, Limit(seconds=limit.seconds, cancel=limit.cancel))
    return None if ending is None else float(ending.chance)
