"""From a board without a safe cell to the one to open, and why that one.

The limit is looked at between candidates, about every millisecond on Expert.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.analysis import Evidence, Limit
from bot.board import Board, Cell, neighbours
from bot.solver.endgame import Endgame, Forced, forced_guess, solve_endgame
from bot.solver.guess.candidates import all_others, gather
from bot.solver.guess.choice import Desk, compare, desk_for, few_left
from bot.solver.guess.network import load
from bot.solver.kernel.position import MOST_NODES, solve_position
from bot.solver.kernel.status import SOLVED
from bot.solver.phrases import percent

PRICE: Final = 100
"""Nodes that a candidate counts for."""

EVEN: Final = "a 50/50 that nothing can change"

_kept = threading.local()


@dataclass(frozen=True)
class Decision:
    """A guess."""

    board: Board
    cell: Cell
    reason: Callable[[], str]
    """Why this one, in one sentence."""

    def evidence(self) -> Evidence:
        """The cell, and the hints that it touches."""
        index = self.cell.row * self.board.cols + self.cell.col
        around = neighbours(self.board.rows, self.board.cols)[index]
        cells = [Cell(*divmod(other, self.board.cols)) for other in around]
        return Evidence(tuple(c for c in cells if self.board[c] >= 0), (self.cell,))


def decide(board: Board, limit: Limit) -> Decision | None:
    """The guess on a board that has no safe cell; None where it cannot be solved.

    Raises:
        Cancelled: The user stopped.
    """
    desk = _desk(board.tiles.size)
    tiles = np.array(board.tiles, np.int8, order="C")
    if solve_position(tiles, board.mines, desk.work, MOST_NODES) != SOLVED:
        return None
    if few_left(desk.work):
        ending = solve_endgame(board, limit)
        if ending is not None and ending.best:
            return Decision(board, ending.best[0], lambda: why_ending(ending))
    forced = forced_guess(board, limit)
    if forced is not None:
        return Decision(board, forced.cell, lambda: why_forced(forced))
    return estimated(board, tiles, desk, limit)


def estimated(board: Board, tiles: NDArray[np.int8], desk: Desk, limit: Limit) -> Decision | None:
    """The guess that the value function likes best."""
    count = gather(desk.work, desk.cells, desk.risks)
    network = load()
    best = -1
    place, end = 0, count
    while place < end and not (limit.spent(place * PRICE) and best >= 0):
        best = compare(tiles, board.mines, place, best, desk, network)
        place += 1
        if place == count and best >= 0 and desk.dead[best]:
            end = all_others(desk.work, desk.cells, desk.risks, count)
        elif place > count and not desk.dead[best]:
            break
    if best < 0:
        return None
    cell = Cell(*divmod(int(desk.cells[best]), board.cols))
    value, risk, least = (float(x) for x in (desk.values[best], desk.risks[best], desk.risks[0]))
    looked_at = count if best < count else 0
    return Decision(board, cell, lambda: why_estimated(value, risk, least, looked_at))


def why_ending(ending: Endgame) -> str:
    """What perfect play makes of it."""
    left = f"the {ending.solutions:,} solutions left"
    have = "has" if ending.mined == 1 else "have"
    start = f"{ending.mined:,} of {left} {have} a mine here"
    if ending.solutions == 2 and ending.won == 1:
        return f"{EVEN}: {start}"
    if ending.settled:
        start += f"; opening it settles the rest in {ending.settled:,} of them"
    return f"{start}; perfect play wins {ending.won:,} ({percent(ending.chance)})"


def why_forced(forced: Forced) -> str:
    """Why it may as well be taken at once."""
    if forced.solutions == 2 and forced.won == 1:
        return EVEN
    return (
        f"a part of the board that nothing else can tell of: perfect play wins "
        f"{forced.won:,} of its {forced.solutions:,} placements, now or later"
    )


def why_estimated(value: float, risk: float, least: float, looked_at: int) -> str:
    """What speaks for a guess in mid-game.

    Args:
        value: The estimated chance to win.
        risk: Of a mine.
        least: The least risk there is.
        looked_at: Cells that are about as safe as the safest; 0 where all of them are dead.
    """
    wins = f"wins an estimated {percent(value)} with {risk:.1%} risk of a mine here"
    if looked_at == 0:
        return f"{wins}: where it is safer, opening would tell nothing, and can wait"
    if looked_at == 1:
        return f"{wins}: no other cell is nearly as safe"
    if risk > least + 5e-4:
        gap = 100 * (risk - least)
        return f"{wins}: another cell is {gap:.1f} points safer, but this one promises more"
    return f"{wins}: the best of {looked_at} cells that are about as safe"


def _desk(cells: int) -> Desk:
    """This thread's, large enough for so many cells."""
    desk: Desk | None = getattr(_kept, "desk", None)
    if desk is None or len(desk.cells) < cells:
        desk = _kept.desk = desk_for(cells)
    return desk
