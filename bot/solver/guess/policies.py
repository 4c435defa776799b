"""Policies: choose the cell to open on a board without a safe cell, for compiled callers.

They play whole games in machine code: the games that a guess simulates (`rollouts`), and those that
measure and train the player. VALUE chooses as `deciding` does, by the same functions. The others
are cheaper and weaker. On Expert (300 weighted games, first cell safe; rollouts of 8 to 11 guesses
in mid-game):

| policy | ms a game | points less than VALUE | ms a rollout | correlation with VALUE's |
|---|---|---|---|---|
| VALUE | 4.7 | | 3.8 to 6.4 | |
| FAST | 2.1 | 0.4 +- 1.2 | 1.6 to 2.4 | 0.53 to 0.95 |
| QUICK | 0.6 | 0.9 +- 1.6 | 0.3 to 0.6 | 0.53 to 0.89 |

The correlation is that of the differences between cells in the same rollouts. Differences by QUICK
are up to 4 points away from those by VALUE, those by FAST about 1, so the rollouts of a guess play
by FAST.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.solver.compiled import compiled
from bot.solver.endgame.forced import INDEPENDENT, NOTHING, find_forced
from bot.solver.endgame.search import (
    BUDGET,
    NONE,
    ONE_BEST,
    Budget,
    Search,
    new_search,
    solve_table,
)
from bot.solver.endgame.solutions import TOO_MANY, covered_cells, list_solutions
from bot.solver.guess.choice import (
    GuessWork,
    allocate_for_guess,
    better_guess,
    evaluate_guess,
    is_endgame,
    list_candidates,
    list_other_cells,
    solution_bits,
)
from bot.solver.guess.features import RESOLVED, classify, sum_neighbours
from bot.solver.guess.network import Network, load_network
from bot.solver.kernel.tables import Work

VALUE: Final = 0
"""The player's own choice."""
QUICK: Final = 1
"""Safety, with a bonus for a hint that may decide all neighbours: no cell is tried."""
FAST: Final = 2
"""VALUE with smaller end games, and with fewer candidates: those with the best scores by QUICK."""

QUICK_BITS: Final = 8.0
"""Binary logarithm of the solutions up to which QUICK treats a position as an end game."""
QUICK_SHARE: Final = 0.15
"""QUICK's bonus for the probability that all neighbours are decided."""
FAST_BITS: Final = 10.0
"""Binary logarithm of the solutions up to which FAST treats a position as an end game."""
FAST_TRIED: Final = 3
"""Candidates that FAST tries."""
UNKNOWN: Final = -1.0
"""The estimate of a policy that does not compute one."""

# How a cell was chosen.
COMPARED: Final = 0
"""By comparison with others."""
FORCED: Final = 1
"""It is a forced guess."""
EXACT: Final = 2
"""By the search of an end game: the chance to win is exact, under perfect play."""


class PolicyWork(NamedTuple):
    """The arrays of a policy: for one thread at a time."""

    space: GuessWork
    network: Network
    search: Search
    stop: NDArray[np.int8]
    """(1,): another thread sets it to break off."""


def allocate_for_policy(cells: int, network: Network | None = None) -> PolicyWork:
    """Allocate for boards with up to so many cells; by default with the trained network."""
    return PolicyWork(
        allocate_for_guess(cells),
        network or load_network(),
        new_search(BUDGET.solutions),
        np.zeros(1, np.int8),
    )


@compiled
def pick_guess(
    tiles: NDArray[np.int8], mines: int, policy: int, p: PolicyWork
) -> tuple[int, float, int]:
    """Choose a cell on a board that is solved in `p.space.work` and has no safe cell.

    Args:
        tiles: (rows, cols) int8; the same again afterwards.
        mines: On the whole board.
        policy: One of those above.
        p: VALUE and FAST fill `space.hint_values[1]` for the cell, unless the chance is exact.

    Returns:
        The cell as a flat index; the estimated chance to win, UNKNOWN if there is none; and
        COMPARED, FORCED or EXACT.
    """
    space = p.space
    if policy == QUICK:
        return pick_quickly(p)
    if is_endgame(space.work) and (policy != FAST or solution_bits(space.work) <= FAST_BITS):
        found, wins, cell = solve_board(space.work, BUDGET, p.stop, p.search)
        if wins >= 0 and cell >= 0:
            return cell, wins / found, EXACT
    cell = forced_cell(space.work, BUDGET, p.stop, p.search)
    if cell >= 0:
        value, _, _ = evaluate_guess(tiles, mines, cell, space, p.network)
        space.hint_values[1] = space.hint_values[0]
        return cell, value, FORCED
    tried = FAST_TRIED if policy == FAST else tiles.size
    place = choose(tiles, mines, space, p.network, tried)
    return space.cells[place], space.values[place], COMPARED


@compiled
def choose(
    tiles: NDArray[np.int8], mines: int, space: GuessWork, network: Network, tried: int
) -> int:
    """Choose a cell by the score of `choice`, on a board that is solved in `space.work`.

    Args:
        tiles: (rows, cols) int8; written on while it works.
        mines: On the whole board.
        space: Its values and the rule's scores are filled.
        network: The value function.
        tried: Candidates to compare, those with the best scores by QUICK.

    Returns:
        The cell's place among the candidates; -1 if there is none.
    """
    count = list_candidates(space.work, space.cells, space.risks)
    if count > tried:
        keep_quick_best(space, count, tried)
        count = tried
    best = -1
    for place in range(count):
        best = better_guess(tiles, mines, place, best, space, network)
    if best >= 0 and space.uninformative[best]:
        for place in range(count, list_other_cells(space.work, space.cells, space.risks, count)):
            best = better_guess(tiles, mines, place, best, space, network)
            if not space.uninformative[best]:
                break
    return best


@compiled
def keep_quick_best(space: GuessWork, count: int, keep: int) -> None:
    """Move the candidates with the best scores by QUICK to the front, the best first."""
    classify(space.work, space.scratch.kind)
    sum_neighbours(space.work, space.scratch)
    for place in range(keep):
        best = place
        most = -1.0
        for other in range(place, count):
            info = space.scratch.info[space.cells[other]]
            score = (1.0 - space.risks[other]) * (1.0 + QUICK_SHARE * info[RESOLVED])
            if score > most:
                best, most = other, score
        cell, risk = space.cells[best], space.risks[best]
        for other in range(best, place, -1):
            space.cells[other] = space.cells[other - 1]
            space.risks[other] = space.risks[other - 1]
        space.cells[place] = cell
        space.risks[place] = risk


@compiled
def pick_quickly(p: PolicyWork) -> tuple[int, float, int]:
    """Choose a cell by QUICK; return what `pick_guess` returns."""
    space, work = p.space, p.space.work
    if solution_bits(work) <= QUICK_BITS:
        found, wins, cell = solve_board(work, BUDGET, p.stop, p.search)
        if wins >= 0 and cell >= 0:
            return cell, wins / found, EXACT
    keep_quick_best(space, list_candidates(work, space.cells, space.risks), 1)
    return space.cells[0], UNKNOWN, COMPARED


@compiled
def solve_board(
    work: Work, budget: Budget, stop: NDArray[np.int8], search: Search
) -> tuple[int, int, int]:
    """Search an end game for the best cell to open first.

    Args:
        work: The board, solved.
        budget: What may be spent; `search` has room for so many solutions.
        stop: (1,) int8; another thread sets it to break off.
        search: One for each thread.

    Returns:
        The number of solutions, or TOO_MANY beyond the budget; how many of them perfect play
        wins, -1 beyond the budget; and a best cell as a flat index, -1 if every covered cell
        is a mine.
    """
    number, table = list_solutions(work, budget.solutions)
    if number == TOO_MANY:
        return number, NONE, NONE
    covered = covered_cells(work)
    won = np.full(len(covered), NONE)
    total, column = solve_table(search, table, budget.nodes, ONE_BEST, stop, won)
    return number, total, covered[column] if column >= 0 else NONE


@compiled
def forced_cell(work: Work, budget: Budget, stop: NDArray[np.int8], search: Search) -> int:
    """Return the cell of a forced guess, as `endgame.forced_guess` does; -1 if there is none."""
    first = 0
    while True:
        kind, component, cells, table = find_forced(work, first, budget.solutions)
        if kind != INDEPENDENT:
            return NONE if kind == NOTHING else int(cells[0])
        won = np.full(len(cells), NONE)
        total, column = solve_table(search, table, budget.nodes, ONE_BEST, stop, won)
        if total > 0:
            return int(cells[column])
        first = component + 1
