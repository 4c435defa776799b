"""Trying out placements on the perimeter alone: every subset of it, or by backtracking.

Source: BruteSolve versions 2 and 3 of J. Slagle, 'Minesweeper Solver Analysis', 2019 (000,
001); version 1 is `enumeration`, the oracle, which shares no code with these on purpose.
The names are the source's: *fringe* (the hints that touch a covered cell), *perimeter*
(the covered cells that touch a hint), *placement* (cells taken to be mines), *Mines* and
*Free* (what all placements agree on), SPHelper.

Where this differs from the source, each with a test that shows the difference:

- Version 2 of 001 collects `Mines := Mines | P`; what is certain is the intersection, as
  000 has it.
- A placement counts only if the floating cells can take what is left of the mines, and it
  stands for as many solutions as they can take them in. So probabilities are exact, and
  floating cells can be certain: both texts claim that none ever is, which is true only of
  a board whose number of mines nobody knows.
- With no satisfactory placement everything would be flagged and revealed: an error.
- The base case of SPHelper lacks a `return`, and yields the placement that it goes on
  changing: here it returns, and yields a copy.
- Both texts bound the calls of SPHelper by 2^p. Where nothing is to be placed it calls
  itself with the same placement: `111/1#1/111` takes 9 calls, and p is 1. What holds is
  (f + 1) 2^p, with f hints in the fringe.

Nothing but the placement at hand is kept, and a count for each cell: O(p) space.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from math import comb, nextafter
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.analysis import Analysis, Evidence, Limit
from bot.board import Board, InconsistentBoard
from bot.solver.constraints import Meter, System, TooWide, conflict, system_of
from bot.solver.guessing import equally_safe, safest
from bot.solver.phrases import wrong_number
from bot.solver.published.shares import UNPROVED

PERIMETER: Final = "perimeter"
BACKTRACKING: Final = "backtracking"
MOST_PERIMETER: Final = 20
"""Cells of which all subsets are tried: a million."""
MOST_FRINGE: Final = 400
"""Hints that are gone through: one Python call inside the other for each."""

Placement = frozenset[int]
Generator = Callable[[System, Meter], Iterator[Placement]]


def solve_perimeter(board: Board, limit: Limit | None = None) -> Analysis:
    """Analyse a board by trying all subsets of its perimeter.

    With more than `MOST_PERIMETER` cells there, or beyond its limit (a node is one
    subset), it says that every covered cell is equally likely a mine, and `exact` is False.

    Raises:
        InconsistentBoard: No placement agrees with the board.
        ValueError: A tile is unread.
        Cancelled: The user stopped.
    """
    system = system_of(board)
    too_large = len(system.perimeter) > MOST_PERIMETER
    return brute_solve(system, PERIMETER, None if too_large else every_subset, limit)


def solve_backtracking(board: Board, limit: Limit | None = None) -> Analysis:
    """Analyse a board by building up placements along the fringe.

    With more than `MOST_FRINGE` hints there, or beyond its limit (a node is one call of
    `sp_helper`; a million at the most), it says that every covered cell is equally likely
    a mine, and `exact` is False.

    Raises:
        InconsistentBoard: No placement agrees with the board.
        ValueError: A tile is unread.
        Cancelled: The user stopped.
    """
    system = system_of(board)
    too_large = len(system.constraints) > MOST_FRINGE
    return brute_solve(system, BACKTRACKING, None if too_large else built_up, limit)


def every_subset(system: System, meter: Meter) -> Iterator[Placement]:
    """Source: SatisfactoryPlacements, version 2. Costs 2^p looks at a subset."""
    perimeter = system.perimeter
    place = {cell: 1 << number for number, cell in enumerate(perimeter)}
    fringe = [(sum(place[cell] for cell in p.cells), p.mines) for p in system.constraints]
    for subset in range(1 << len(perimeter)):
        meter.spend(1)
        if all((subset & cells).bit_count() == mines for cells, mines in fringe):
            yield frozenset(cell for cell in perimeter if subset & place[cell])


def built_up(system: System, meter: Meter) -> Iterator[Placement]:
    """Source: SatisfactoryPlacements, version 3."""
    seen: set[int] = set()
    fresh = []
    for point in system.constraints:
        fresh.append(tuple(cell for cell in point.cells if cell not in seen))
        seen.update(point.cells)
    yield from sp_helper(system, fresh, 0, set(), meter)


def sp_helper(
    system: System, fresh: list[tuple[int, ...]], i: int, placement: set[int], meter: Meter
) -> Iterator[Placement]:
    """Source: SPHelper. All ways to go on from a placement that is right for the first i points.

    Args:
        system: The board; its constraints are the fringe.
        fresh: For each point, its cells that are not around any point before it.
        i: The point to satisfy.
        placement: Mines placed so far; changed on the way, and put back.
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
    """Source: BruteSolve, version 2. What all satisfactory placements agree on, and how often.

    Args:
        system: The board.
        method: The solver's name.
        satisfactory_placements: Generates them; None if there would be too many.
        limit: What may be spent.

    Raises:
        InconsistentBoard: There is none that agrees with the number of mines; names the hints,
            or says which number they call for.
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
    except TooWide:
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
    """0.0 and 1.0 only if that is what it is."""
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
        reason = f"{chance:.1%} of the {solutions:,} solutions left have a mine here{same}"
    around = [system.constraints[index].hint for index in system.touching.get(best, ())]
    evidence = Evidence(tuple(map(system.cell, around)), (cell,))
    return Analysis(probability, cell, True, method, reason, solutions, evidence=evidence)


def _impossible(system: System, sizes: set[int], limit: Limit) -> InconsistentBoard:
    """Return the error for a board without solutions; `sizes`: mines that satisfy all hints."""
    if not sizes:
        return conflict(system, limit)
    shown = system.board.mines - system.mines
    most = shown + max(sizes) + len(system.floating)
    return InconsistentBoard(wrong_number(system.board.mines, shown + min(sizes), most))


def _unknown(system: System, method: str) -> Analysis:
    chance = min(max(system.mines / max(len(system.covered), 1), UNPROVED), 1 - UNPROVED)
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
