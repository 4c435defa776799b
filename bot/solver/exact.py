"""Exact mine probabilities, the number of solutions, and the safest cell.

A solution places *all* mines, floating cells included. Simple deduction shrinks the
board (`constraints`), each component that is left is counted by number of mines
(`counting`), and the counts are weighed against each other and the floating cells
(`combining`). A cell is certain if and only if whole numbers say that no solution, or
every solution, has a mine there; a float that comes out as zero is never a proof.

Beyond its `Limit` a component is not counted but estimated (`estimate`): then `exact` is
False, `error` bounds what the estimate can be off, and what simple deduction and the
other components prove stays certain.
"""

from __future__ import annotations

from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.analysis import Analysis, Evidence, Limit
from bot.board import Board, InconsistentBoard
from bot.solver.combining import combine
from bot.solver.conflict import conflict
from bot.solver.constraints import Contradiction, Simplified, System, simplify, system_of
from bot.solver.counting import Meter, TooWide, count
from bot.solver.counts import Count
from bot.solver.estimate import estimate
from bot.solver.guessing import safest
from bot.solver.reasons import why_guess, why_nothing, why_safe

METHOD: Final = "exact"


def solve(board: Board, limit: Limit | None = None) -> Analysis:
    """Analyse a board.

    Args:
        board: What is visible; flags count as covered.
        limit: What may be spent; a node is one way to go on from one state of the count.

    Raises:
        InconsistentBoard: No placing of the mines agrees with the board; names the hints.
        ValueError: A tile is unread.
        Cancelled: The user stopped.
    """
    limit = limit or Limit()
    system = system_of(board)
    check = partial(limit.spent, 0)
    try:
        simple = simplify(system.constraints, check)
    except Contradiction:
        raise conflict(system, limit) from None
    counts = _counts(system, simple, limit)
    floating = len(system.floating)
    mines = system.mines - sum(simple.known.values())
    whole = [found for found in counts if found is not None]
    exact = len(whole) == len(counts)
    solutions: int | None = None
    if exact:
        combined = combine(whole, floating, mines, check)
        if combined is None:
            raise InconsistentBoard(_wrong_number(system, whole, mines))
        boxes, loose, solutions = combined.boxes, combined.floating, combined.solutions
    else:
        _check_room(system, simple, counts, mines)
        shapes = [part.shape for part in simple.components]
        boxes, loose = estimate(shapes, counts, floating, mines, check)
    probability = _lay_out(system, simple, boxes, loose)
    return _analysis(system, simple, probability, solutions, exact)


def _counts(system: System, simple: Simplified, limit: Limit) -> list[Count | None]:
    """Each component's count; None where it is too wide."""
    shapes = [part.shape for part in simple.components]
    counts: list[Count | None] = [None] * len(shapes)
    meter = Meter(limit)
    # Small ones first: a wide one takes all that is left.
    for place in sorted(range(len(shapes)), key=lambda place: len(shapes[place].rules)):
        try:
            found = count(shapes[place], meter)
        except TooWide:
            continue
        if not found.support:
            raise conflict(system, limit)
        counts[place] = found
    return counts


def _lay_out(
    system: System, simple: Simplified, boxes: list[list[float]], loose: float
) -> NDArray[np.float64]:
    """(rows, cols) float64: the probabilities in their places, NaN where opened."""
    flat = [float("nan")] * system.board.tiles.size
    for cell in system.floating:
        flat[cell] = loose
    for cell, value in simple.known.items():
        flat[cell] = float(value)
    for part, chances in zip(simple.components, boxes, strict=True):
        for cells, chance in zip(part.boxes, chances, strict=True):
            for cell in cells:
                flat[cell] = chance
    return np.array(flat).reshape(system.board.tiles.shape)


def _analysis(
    system: System,
    simple: Simplified,
    probability: NDArray[np.float64],
    solutions: int | None,
    exact: bool,
) -> Analysis:
    best, equals = safest(probability, system.floating)
    evidence = Evidence()
    if best is None:
        reason = why_nothing(len(system.covered))
    else:
        certain = probability.ravel()[best] == 0.0
        reason, evidence = (
            why_safe(system, simple, best, solutions)
            if certain
            else why_guess(system, probability, best, len(equals), solutions)
        )
    return Analysis(
        probability,
        None if best is None else system.cell(best),
        exact,
        METHOD,
        reason,
        solutions,
        0.0 if exact else _error(probability),
        evidence,
    )


def _error(probability: NDArray[np.float64]) -> float:
    """How far an estimate can be off at the most: the truth lies between 0 and 1."""
    estimated = probability[(probability > 0) & (probability < 1)]
    return float(np.maximum(estimated, 1 - estimated).max()) if estimated.size else 0.0


def _check_room(system: System, simple: Simplified, counts: list[Count | None], mines: int) -> None:
    """What can be said of the number of mines without counting everything."""
    fewest = sum(found.low for found in counts if found is not None)
    room = len(system.covered) - len(simple.known)
    if not fewest <= mines <= room:
        raise InconsistentBoard(
            f"the hints and {system.board.mines} mines on the board contradict each other"
        )


def _wrong_number(system: System, counts: list[Count], mines: int) -> str:
    """Words for a number of mines that does not agree with the hints."""
    taken = system.board.mines - mines
    fewest = taken + sum(c.low for c in counts)
    most = taken + sum(c.low + c.support.bit_length() - 1 for c in counts) + len(system.floating)
    needed = f"at least {fewest}" if system.board.mines < fewest else f"at most {most}"
    if fewest <= system.board.mines <= most:
        needed = "another number"
    return (
        f"the board is said to hold {system.board.mines} mines, but its hints call for {needed}: "
        f"is the number of mines right?"
    )
