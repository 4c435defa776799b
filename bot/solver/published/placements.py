"""Try placements on the perimeter: every subset of it (version 2), or by backtracking (version 3).

Source: BruteSolve versions 2 and 3 of sources 000 and 001. Version 1 is `enumeration`. The names
are the source's: *fringe* (the hints that touch a covered cell), *perimeter* (the covered cells
that touch a hint), *placement* (cells assumed to be mines), *Mines* and *Free* (the cells on which
all placements agree), SPHelper.

Differences from the source, each with a test:

- Version 2 of 001 collects `Mines := Mines | P`; the certain mines are the intersection, as 000 has
  it.
- A placement counts only if the floating cells can hold the remaining mines, and it counts as many
  solutions as they can hold them in. So the probabilities are exact, and floating cells can be
  certain. Both texts claim that floating cells are never certain, which is true only if the number
  of mines is unknown.
- If no placement satisfies the hints, the board is inconsistent; as published, everything would be
  flagged and revealed.
- The base case of SPHelper lacks a `return`, and yields the placement that it goes on changing.
  Here it returns, and yields a copy.
- Both texts bound the calls of SPHelper by 2^p. A point that needs no more mines calls it again
  with the same placement: `111/1#1/111` takes 9 calls with p = 1. At most (f + 1) 2^p calls are
  made, with f hints in the fringe.

Only the present placement and a count for each cell are kept: O(p) space.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from math import comb, nextafter
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.analysis import Analysis, Evidence, Limit, clip_estimate
from bot.board import Board, InconsistentBoard
from bot.solver.constraints import Meter, OutOfBudget, System, conflict, system_of
from bot.solver.phrases import percent, wrong_number
from bot.solver.safest_cell import equally_safe, safest

PERIMETER: Final = "perimeter"
BACKTRACKING: Final = "backtracking"
MOST_PERIMETER: Final = 20
"""Most cells of the perimeter: a million subsets."""
MOST_FRINGE: Final = 400
"""Most hints: each is one more nested call, and Python allows 1,000."""

Placement = frozenset[int]
Generator = Callable[[System, Meter], Iterator[Placement]]


def solve_perimeter(board: Board, limit: Limit | None = None) -> Analysis:
    """Analyse a board by trying all subsets of its perimeter.

    With more than `MOST_PERIMETER` cells there, or beyond the limit (a node is one subset), all
    covered cells get the same estimate and `exact` is False.

    Raises:
        InconsistentBoard: No placement agrees with the board.
        ValueError: A tile is unread.
        Cancelled: The user stopped.
    """
    system = system_of(board)
    too_large = len(system.perimeter) > MOST_PERIMETER
    return brute_solve(system, PERIMETER, None if too_large else every_subset, limit)


def solve_backtracking(board: Board, limit: Limit | None = None) -> Analysis:
    """Analyse a board by completing placements along the fringe.

    With more than `MOST_FRINGE` hints there, or beyond the limit (a node is one call of
    `sp_helper`; at most a million), all covered cells get the same estimate and `exact` is False.

    Raises:
        InconsistentBoard: No placement agrees with the board.
        ValueError: A tile is unread.
        Cancelled: The user stopped.
    """
    system = system_of(board)
    too_large = len(system.constraints) > MOST_FRINGE
    return brute_solve(system, BACKTRACKING, None if too_large else backtrack, limit)


def every_subset(system: System, meter: Meter) -> Iterator[Placement]:
    """Yield all satisfactory placements by testing 2^p subsets.

    Source: SatisfactoryPlacements, version 2.
    """
    perimeter = system.perimeter
    place = {cell: 1 << number for number, cell in enumerate(perimeter)}
    fringe = [(sum(place[cell] for cell in p.cells), p.mines) for p in system.constraints]
    for subset in range(1 << len(perimeter)):
        meter.spend(1)
        if all((subset & cells).bit_count() == mines for cells, mines in fringe):
            yield frozenset(cell for cell in perimeter if subset & place[cell])


def backtrack(system: System, meter: Meter) -> Iterator[Placement]:
    """Yield all satisfactory placements by backtracking.

    Source: SatisfactoryPlacements, version 3.
    """
    seen: set[int] = set()
    fresh = []
    for point in system.constraints:
        fresh.append(tuple(cell for cell in point.cells if cell not in seen))
        seen.update(point.cells)
    yield from sp_helper(system, fresh, 0, set(), meter)


def sp_helper(
    system: System, fresh: list[tuple[int, ...]], i: int, placement: set[int], meter: Meter
) -> Iterator[Placement]:
    """Yield all completions of a placement that satisfies the first i points.

    Source: SPHelper.

    Args:
        system: The board; its constraints are the fringe.
        fresh: For each point, its cells that no point before it touches.
        i: The point to satisfy.
        placement: Mines placed so far; changed during the call and restored after it.
        meter: Counts the calls.
    """
    meter.spend(1)
    if i == len(system.constraints):
        yield frozenset(placement)
        return
    point = system.constraints[i]
    missing = point.mines - len(placement.intersection(point.cells))
    if missing < 0:
        return
    if missing == 0:
        yield from sp_helper(system, fresh, i + 1, placement, meter)
    else:
        for new_flags in combinations(fresh[i], missing):
            placement.update(new_flags)
            yield from sp_helper(system, fresh, i + 1, placement, meter)
            placement.difference_update(new_flags)


def brute_solve(
    system: System, method: str, satisfactory_placements: Generator | None, limit: Limit | None
) -> Analysis:
    """Return the analysis that follows from all satisfactory placements.

    Source: BruteSolve, version 2.

    Args:
        system: The board.
        method: The solver's name.
        satisfactory_placements: Generates them; None if there would be too many.
        limit: The budget.

    Raises:
        InconsistentBoard: No placement agrees with the number of mines. Names the hints, or the
            number of mines that they need.
        Cancelled: The user stopped.
    """
    floating = len(system.floating)
    mines, free = set(system.perimeter), set(system.perimeter)
    mined = dict.fromkeys(system.perimeter, 0)
    solutions = mines_floating = 0
    sizes: set[int] = set()
    if satisfactory_placements is None:
        return _unknown(system, method)
    try:
        for placement in satisfactory_placements(system, Meter(limit or Limit())):
            sizes.add(len(placement))
            rest = system.mines - len(placement)
            if not 0 <= rest <= floating:
                continue
            mines &= placement
            free -= placement
            ways = comb(floating, rest)
            solutions += ways
            mines_floating += ways * rest
            for cell in placement:
                mined[cell] += ways
    except OutOfBudget:
        return _unknown(system, method)
    if not solutions:
        raise _impossible(system, sizes, limit or Limit())
    flat = np.full(system.board.tiles.size, np.nan)
    for cell, count in mined.items():
        flat[cell] = 1.0 if cell in mines else 0.0 if cell in free else _share(count, solutions)
    for cell in system.floating:
        flat[cell] = _share(mines_floating, solutions * floating)
    return _analysis(system, method, flat.reshape(system.board.tiles.shape), solutions)


def _share(part: int, whole: int) -> float:
    """Return a share; rounding never makes it 0.0 or 1.0."""
    if part in {0, whole}:
        return float(part > 0)
    return min(max(part / whole, 5e-324), nextafter(1.0, 0.0))


def _analysis(
    system: System, method: str, probability: NDArray[np.float64], solutions: int
) -> Analysis:
    best = safest(probability, system.floating)
    if best is None:
        reason = "every covered cell is a mine" if system.covered else "no cell is covered"
        return Analysis(probability, None, True, method, reason, solutions)
    cell = system.cell(best)
    chance = float(probability[cell])
    if chance == 0:
        reason = f"safe: a mine here is in none of the solutions left ({solutions:,})"
    else:
        equals = equally_safe(probability)
        same = f", the same in {len(equals)} cells" if len(equals) > 1 else ""
        reason = f"{percent(chance, 1)} of the {solutions:,} solutions left have a mine here{same}"
    around = [system.constraints[index].hint for index in system.touching.get(best, ())]
    evidence = Evidence(tuple(map(system.cell, around)), (cell,))
    return Analysis(probability, cell, True, method, reason, solutions, evidence=evidence)


def _impossible(system: System, sizes: set[int], limit: Limit) -> InconsistentBoard:
    """Return the error for a board without solutions.

    Args:
        system: The board.
        sizes: The numbers of mines of the placements that satisfy all hints.
        limit: The budget.
    """
    if not sizes:
        return conflict(system, limit)
    shown = system.board.mines - system.mines
    most = shown + max(sizes) + len(system.floating)
    return InconsistentBoard(wrong_number(system.board.mines, shown + min(sizes), most))


def _unknown(system: System, method: str) -> Analysis:
    chance = clip_estimate(system.mines / max(len(system.covered), 1))
    probability = np.where(system.board.unopened, chance, np.nan)
    best = safest(probability, system.floating)
    return Analysis(
        probability,
        None if best is None else system.cell(best),
        False,
        method,
        f"too many placements to try them all, on a perimeter of {len(system.perimeter)} cells",
        error=max(chance, 1 - chance),
    )
