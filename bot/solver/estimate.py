"""Estimate mine probabilities if counting costs too much: the maximum-entropy distribution.

Among all distributions in which cells are independent, this is the one of largest entropy for
which every constraint, and the number of mines on the board, is met *on average*. The log odds of
a cell are then the sum of one number for the whole board and one for each of its constraints, found
by iterative proportional fitting (Deming and Stephan 1940).

It is an estimate: it proves nothing. Components that could be counted keep their exact
counts, each weighted with the same odds of a mine instead of the exact number of mines.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.analysis import Limit
from bot.board import Board, InconsistentBoard
from bot.solver.constraints import Contradiction, conflict, simplify, system_of
from bot.solver.kernel.counting import weigh, write_probabilities
from bot.solver.kernel.interface import continue_run
from bot.solver.kernel.tables import (
    BOX_CONSTRAINT,
    BOX_CONSTRAINTS,
    BUDGET,
    COMPONENT_BOXES,
    COMPONENT_COUNT,
    FEWEST,
    FIRST_BOX,
    FLOATING,
    FLOATING_RISK,
    JOIN,
    LAYER,
    LENGTH,
    MINES_LEFT,
    NO_BUDGET,
    POSSIBLE,
    REMAINING,
    SIZE,
    TILT,
    TOTALS,
    WIDE,
    Work,
)
from bot.solver.phrases import quantity
from bot.solver.published import deduction
from bot.solver.safest_cell import safest

Floats = NDArray[np.float64]

_ROUNDS: Final = 300
"""Iterations. On tests/positions ten times as many change a probability by at most 0.003 in the
mean; the cells that still change are those that are certain in truth."""
_UNPROVED: Final = 1e-6
"""The least distance of an estimate from 0 and 1, which are reserved for proofs."""


def estimated(board: Board, work: Work, limit: Limit) -> tuple[Floats, int]:
    """Estimate all mine probabilities if a component was too wide to be counted.

    Args:
        board: The board.
        work: As `kernel.interface.run` left it with the status `TOO_WIDE`.
        limit: Checked for a stop by the user.

    Returns:
        (rows, cols) probabilities, 0.0 and 1.0 only where proved; the flat index of the
        safest cell, -1 if there is none.

    Raises:
        InconsistentBoard: No placing of the mines agrees with the board.
        Cancelled: The user stopped.
    """
    system = system_of(board)
    continue_run(work, JOIN, limit)
    number = work.number
    parts = range(number[COMPONENT_COUNT])
    counted = [_Counted(work, at) for at in parts if not work.component[at, WIDE]]
    wide = [_Wide(work, at) for at in parts if work.component[at, WIDE]]
    mines, floating = int(number[MINES_LEFT]), int(number[FLOATING])
    cells = floating + sum(part.cells for part in counted) + sum(part.cells for part in wide)
    if not sum(part.fewest for part in counted) <= mines <= cells:
        raise InconsistentBoard(
            f"the hints and {quantity(board.mines, 'mine')} on the board contradict each other"
        )
    fitted: list[_Counted | _Wide] = [*counted, *wide]
    log_odds = _fitted(fitted, floating, mines, limit)
    for part in fitted:
        part.write(log_odds)
    work.real[FLOATING_RISK] = _chance(log_odds)
    write_probabilities(work)
    flat = work.probability[: board.tiles.size].copy()
    unproved = (flat > 0) & (flat < 1)
    flat[unproved] = flat[unproved].clip(_UNPROVED, 1 - _UNPROVED)
    try:
        # Single hints may prove cells of wide components as well.
        known = simplify(system.constraints, lambda: limit.spent(0)).known
    except Contradiction:
        raise conflict(system, limit) from None
    flat[list(known)] = list(known.values())
    probability = flat.reshape(board.tiles.shape)
    # Pairs of hints prove more, as far as the limit allows.
    proved = deduction.solve(board, limit)
    for cell in (*proved.safe, *proved.mines):
        probability[cell] = proved.mine_probability[cell]
    best = safest(probability, system.floating)
    return probability, -1 if best is None else best


def _fitted(parts: Sequence[_Counted | _Wide], floating: int, mines: int, limit: Limit) -> float:
    """Return the log odds of a mine for which the mean number of mines is right."""
    cells = floating + sum(part.cells for part in parts)
    log_odds = _log_odds(mines, cells)
    for _ in range(_ROUNDS):
        limit.spent(0)
        expected = floating * _chance(log_odds)
        expected += sum(part.expected(log_odds) for part in parts)
        log_odds += 0.5 * (_log_odds(mines, cells) - _log_odds(expected, cells))
    return log_odds


class _Wide:
    """A component that was too wide to be counted: its boxes are fitted."""

    def __init__(self, work: Work, at: int) -> None:
        first, count = work.component[at, FIRST_BOX], work.component[at, COMPONENT_BOXES]
        self._work = work
        self._boxes = work.order[1, first : first + count].copy()
        self._sizes = work.box[self._boxes, SIZE].astype(np.float64)
        pairs = [
            (constraint, place)
            for place, box in enumerate(self._boxes.tolist())
            for constraint in work.box[
                box, BOX_CONSTRAINT : BOX_CONSTRAINT + work.box[box, BOX_CONSTRAINTS]
            ].tolist()
        ]
        constraints, self._box = np.array(pairs).T
        names, self._constraint = np.unique(constraints, return_inverse=True)
        self._scales = np.zeros(len(names))
        self._remaining = work.constraint[names, REMAINING].astype(np.float64)
        self._room = self._within(self._sizes)
        self._degree = np.bincount(self._box).max()
        self.cells = int(self._sizes.sum())
        self.fewest = 0

    def expected(self, log_odds: float) -> float:
        """Scale every constraint once; return the expected number of mines."""
        chances = self._chances(log_odds)
        expected = self._within(self._sizes * chances)
        # All constraints are scaled at once, so each takes only its part of the step.
        self._scales += (
            np.log(self._remaining / (self._room - self._remaining))
            - np.log(expected / (self._room - expected))
        ) / self._degree
        return float(self._sizes @ chances)

    def write(self, log_odds: float) -> None:
        """Write the result to the kernel's tables."""
        self._work.share[self._boxes] = self._sizes * self._chances(log_odds)
        self._work.box[self._boxes, POSSIBLE] = 3

    def _chances(self, log_odds: float) -> Floats:
        over = np.bincount(self._box, self._scales[self._constraint], len(self._sizes))
        chances: Floats = 1 / (1 + np.exp(-(log_odds + over).clip(-30, 30)))
        return chances.clip(_UNPROVED, 1 - _UNPROVED)

    def _within(self, values: Floats) -> Floats:
        """Return, for each constraint, the sum of the values of its boxes."""
        sums = np.bincount(self._constraint, values[self._box], len(self._scales))
        return sums.astype(np.float64)


class _Counted:
    """A component whose placements are known."""

    def __init__(self, work: Work, at: int) -> None:
        part = work.component[at]
        self._work = work
        self._at = at
        boxes = work.order[1, part[FIRST_BOX] : part[FIRST_BOX] + part[COMPONENT_BOXES]]
        self.cells = int(work.box[boxes, SIZE].sum())
        self.fewest = int(part[FEWEST])
        self._numbers = np.arange(part[LENGTH])
        self._tilt = float(work.number[TILT] * np.log(2))
        totals = work.forward[part[TOTALS] : part[TOTALS] + part[LENGTH]]
        with np.errstate(divide="ignore"):
            # Some numbers of mines may be impossible.
            self._logs = np.log(totals)

    def expected(self, log_odds: float) -> float:
        """Return the expected number of mines."""
        logs = self._logs + (log_odds - self._tilt) * self._numbers
        weights = np.exp(logs - logs.max())
        return self.fewest + float(weights @ self._numbers) / float(weights.sum())

    def write(self, log_odds: float) -> None:
        """Write the result to the kernel's tables, with the odds for the rest of the board."""
        weights = (log_odds - self._tilt) * (self._numbers - self._numbers.mean())
        self._work.others[: len(weights)] = np.exp(weights.clip(-300, 300))
        self._work.number[LAYER] = self._work.component[self._at, COMPONENT_BOXES]
        budget, self._work.number[BUDGET] = self._work.number[BUDGET], NO_BUDGET
        weigh(self._at, self._work)
        self._work.number[BUDGET] = budget


def _chance(log_odds: float) -> float:
    return float(1 / (1 + np.exp(-log_odds)))


def _log_odds(expected: float, cells: int) -> float:
    return float(np.log((expected + 1e-3) / (cells - expected + 1e-3)))
