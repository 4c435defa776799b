"""Choose among the cells that are nearly as safe as the safest.

For each candidate and each hint it may show, the position after it is solved exactly and
valued by the network; the sum over the hints, weighted by their probability, is the chance
to win. It is combined with the score of Hill's rule (safety times that of the best next move,
and a bonus for proved safe cells: `guess`), and with the features of the positions after it:
`score`.
"""

from __future__ import annotations

from math import isnan, log, log2
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.board import EXPLODED, MINE
from bot.solver.compiled import compiled, internal_kernel, kernel, merged
from bot.solver.endgame.search import BUDGET
from bot.solver.guess.features import (
    FROM_COMPONENTS,
    RISK,
    RISK_SCALE,
    Scratch,
    allocate_scratch,
    compute_features,
)
from bot.solver.guess.network import Network, evaluate
from bot.solver.kernel.position import MOST_NODES, solve_position
from bot.solver.kernel.tables import (
    COLS,
    CONSTRAINTS,
    ROWS,
    SOLUTIONS,
    SOLUTIONS_EXPONENT,
    SOLVED,
    Bytes,
    Floats,
    Ints,
    Work,
    allocate,
)
from bot.solver.safest_cell import EQUAL

BAND: Final = 0.1
"""Share of the safety of the safest cell that a candidate may give up."""
_WORK: Final = 40_000
"""Candidates times cells of the board, to bound the time on large boards. On Expert 83 candidates
are allowed and at most 24 were met (450 guesses); on 100x100 `_LEAST`, which take up to 26 ms:
all of them, up to 122, would take 430 ms."""
_LEAST: Final = 4
"""Candidates on even larger boards."""
_KINDS: Final = 10
"""Kinds of floating cells: see `_describe_floating`."""


@compiled
def list_candidates(work: Work, cells: Ints, risks: Floats) -> int:
    """List the candidates on a board that has no safe cell, the safest first.

    Cells that touch a hint are all listed; of the floating ones only the likeliest zero of
    each kind: by how many uncertain perimeter cells they touch, else at a side or not.

    Args:
        work: The board, solved.
        cells: (cells,) gets flat indices.
        risks: (cells,) gets their mine probabilities.

    Returns:
        How many there are to look at.
    """
    rows, cols = work.number[ROWS], work.number[COLS]
    p = work.probability
    least = 1.0
    for cell in range(rows * cols):
        if p[cell] < least:  # noqa: PLR1730 - NaN where opened
            least = p[cell]
    bound = 1.0 - (1.0 - least) * (1.0 - BAND)
    count: int = 0
    zeros = np.full(_KINDS, -1.0)
    chosen = np.full(_KINDS, -1)
    for cell in range(rows * cols):
        if not p[cell] <= bound or p[cell] == 1.0:
            continue
        if work.cell[cell, CONSTRAINTS]:
            cells[count] = cell
            count += 1
            continue
        kind, zero = _describe_floating(work, cell)
        if zero > zeros[kind] + EQUAL:
            zeros[kind] = zero
            chosen[kind] = cell
    for kind in range(_KINDS):
        if chosen[kind] >= 0:
            cells[count] = chosen[kind]
            count += 1
    _sort(p, cells, risks, 0, count)
    most: int = max(_LEAST, _WORK // (rows * cols))
    return min(count, most)


@compiled
def list_other_cells(work: Work, cells: Ints, risks: Floats, count: int) -> int:
    """Append the cells that `list_candidates` left out, the safest first.

    Args:
        work: The board, solved.
        cells: (cells,) as `list_candidates` filled it.
        risks: (cells,) likewise.
        count: What `list_candidates` returned.

    Returns:
        How many there are now: every cell that may be safe.
    """
    p = work.probability
    listed = np.zeros(len(p), np.bool_)
    for place in range(count):
        listed[cells[place]] = True
    end = count
    for cell in range(work.number[ROWS] * work.number[COLS]):
        if p[cell] < 1.0 and not listed[cell]:
            cells[end] = cell
            end += 1
    _sort(p, cells, risks, count, end)
    return end


@internal_kernel
def _sort(p: Floats, cells: Ints, risks: Floats, begin: int, end: int) -> None:
    """Sort a part of the list by mine probability; equals stay as they were."""
    for place in range(begin, end):
        cell = cells[place]
        at = place
        while at > begin and risks[at - 1] > p[cell] + EQUAL:
            risks[at] = risks[at - 1]
            cells[at] = cells[at - 1]
            at -= 1
        risks[at] = p[cell]
        cells[at] = cell


@internal_kernel
def _describe_floating(work: Work, cell: int) -> tuple[int, float]:
    """Return the kind of a floating cell, and about how likely it is a zero."""
    rows, cols = work.number[ROWS], work.number[COLS]
    p = work.probability
    row, col = cell // cols, cell % cols
    near = 0
    zero = 1.0 - p[cell]
    for r in range(max(row - 1, 0), min(row + 2, rows)):
        for c in range(max(col - 1, 0), min(col + 2, cols)):
            other = r * cols + c
            if other != cell and p[other] == p[other]:
                zero *= 1.0 - p[other]
                near += work.cell[other, CONSTRAINTS] > 0 and 0.0 < p[other] < 1.0
    if near:
        return min(near, _KINDS - 3), zero
    side = row == 0 or row == rows - 1 or col == 0 or col == cols - 1
    return _KINDS - 2 if side else _KINDS - 1, zero


TAIL: Final = 0.003
"""The share of a cell's safety in the rarest hints, which are not tried. Trying them too changes
one of 450 guesses and plays 13 % fewer Expert games a second."""
FEW_BITS: Final = log2(BUDGET.solutions) + 1e-9
"""The binary logarithm of the largest number of solutions that is an end game."""
PROGRESS: Final = 0.1
"""Bonus for a proved safe cell after the guess, by Hill's rule."""
SCORED: Final = FROM_COMPONENTS
"""The features that `score` uses: those of the whole board, and the extremes over the cells."""
OPENING: Final = 0.965
"""Share of covered cells above which the prospects do not count: nothing is to be gained there, and
the score was fitted to later positions."""
_TINY: Final = 1e-9
_WHOLE: Final = 1e-9
"""The relative error of a sum of probabilities, at most."""


class GuessWork(NamedTuple):
    """The arrays of a choice: for one thread at a time."""

    work: Work
    """The board itself, solved."""
    trial: Work
    """The board with one more hint."""
    scratch: Scratch
    cells: Ints
    """(cells,): the candidates, the safest first."""
    risks: Floats
    """(cells,): their mine probabilities."""
    values: Floats
    """(cells,): the estimated chance to win with each."""
    rules: Floats
    """(cells,): the score of each by Hill's rule."""
    prospects: Floats
    """(SCORED,): the mean features of the positions after the cell evaluated last."""
    scores: Floats
    """(cells,): the score of each, by which they are compared."""
    uninformative: Bytes
    """(cells,): 1 if the cell can show one hint only, so that opening it tells nothing."""
    hint_values: Floats
    """(2, 9): the estimated chance to win after each hint, NaN if it was not tried: of the cell
    evaluated last, and of the best so far (`better_guess`)."""


def allocate_for_guess(cells: int) -> GuessWork:
    """Allocate for boards with up to so many cells."""
    return GuessWork(
        allocate(1, cells),
        allocate(1, cells),
        allocate_scratch(cells),
        np.zeros(cells, np.int32),
        np.zeros(cells),
        np.zeros(cells),
        np.zeros(cells),
        np.zeros(SCORED),
        np.zeros(cells),
        np.zeros(cells, np.uint8),
        np.zeros((2, 9)),
    )


@kernel
def is_endgame(work: Work) -> bool:
    """Return whether a solved board has few enough solutions for the exhaustive search."""
    return bool(solution_bits(work) <= FEW_BITS)


@internal_kernel
def solution_bits(work: Work) -> float:
    """Return the number of solutions of a solved board, as its binary logarithm."""
    bits: float = log2(work.real[SOLUTIONS]) + work.number[SOLUTIONS_EXPONENT]
    return bits


@kernel
def better_guess(
    tiles: NDArray[np.int8], mines: int, place: int, best: int, space: GuessWork, network: Network
) -> int:
    """Evaluate a candidate; return its place if it is better than the best so far, else that one's.

    -1 means no best so far. An uninformative cell comes after all others: when it is opened
    later, its risk can only be known better.
    """
    space.values[place], space.rules[place], hints = evaluate_guess(
        tiles, mines, space.cells[place], space, network
    )
    space.uninformative[place] = hints < 2
    space.scores[place] = score(space, place, network)
    better = best < 0 or space.scores[place] > space.scores[best] + EQUAL
    if best >= 0 and space.uninformative[place] != space.uninformative[best]:
        better = space.uninformative[place] == 0
    if not better:
        return best
    for hint in range(space.hint_values.shape[1]):
        space.hint_values[1, hint] = space.hint_values[0, hint]
    return place


@internal_kernel
def score(space: GuessWork, place: int, network: Network) -> float:
    """Return the score of the candidate evaluated last: the greater, the better.

    It is a linear function of the logarithms of its value and of its score by Hill's rule, and of
    its prospects. A difference of 0.01 means about 1 % more games won.
    """
    work = space.work
    cells = work.number[ROWS] * work.number[COLS]
    covered = 0
    for cell in range(cells):
        covered += not isnan(work.probability[cell])
    weights = network.score[0 if covered > OPENING * cells else 1]
    result: float = weights[0] * log(max(space.values[place], _TINY))
    result += weights[1] * log(max(space.rules[place], _TINY))
    for number in range(SCORED):
        result += weights[2 + number] * space.prospects[number]
    return result


@merged
def evaluate_guess(
    tiles: NDArray[np.int8], mines: int, cell: int, space: GuessWork, network: Network
) -> tuple[float, float, int]:
    """Return the chance to win by opening a cell, and its score by Hill's rule.

    Args:
        tiles: (rows, cols) int8; the same again afterwards.
        mines: On the whole board.
        cell: The cell.
        space: Holds the solved board; gets `prospects`.
        network: The value function.

    Returns:
        The estimated chance; the rule's score: the safety times that of the best next move, and a
        bonus for proved safe cells; and the number of hints that the cell may show, or 2 if that
        is unknown. Hints that are rare (`TAIL`) or too expensive to solve are left out of the
        first two.
    """
    work, trial = space.work, space.trial
    cols = work.number[COLS]
    row, col = cell // cols, cell % cols
    before = tiles[row, col]
    safe: float = 1.0 - work.probability[cell]
    low, middle, high = possible_hints(tiles, work, cell)
    seen = 0.0
    value: float = 0.0
    next_safety: float = 0.0
    progress = 0.0
    hints = 0
    for hint in range(space.hint_values.shape[1]):
        space.hint_values[0, hint] = np.nan
    for number in range(SCORED):
        space.prospects[number] = 0.0
    # The likeliest hint first.
    for step in range(2 * (high - low) + 2):
        away = (step + 1) // 2
        hint = middle + (away if step % 2 else -away)
        if hint < low or hint > high:
            continue
        tiles[row, col] = hint
        if solve_position(tiles, mines, trial, MOST_NODES) != SOLVED:
            continue
        power = trial.number[SOLUTIONS_EXPONENT] - work.number[SOLUTIONS_EXPONENT]
        weight = trial.real[SOLUTIONS] / work.real[SOLUTIONS] * 2.0**power
        compute_features(trial, space.scratch)
        after: float = evaluate(network, space.scratch.feature, space.scratch.hidden)
        space.hint_values[0, hint] = after
        value += weight * after
        for number in range(SCORED):
            space.prospects[number] += weight * space.scratch.feature[number]
        safety = 1.0 - space.scratch.feature[RISK] / RISK_SCALE
        next_safety += weight * safety
        progress += weight * (safety == 1.0)
        seen += weight
        hints += 1
        if seen >= safe * (1.0 - TAIL):
            break
    tiles[row, col] = before
    if seen < safe * (1.0 - _WHOLE):
        hints = max(hints, 2)
    if seen == 0.0:
        return 0.0, 0.0, hints
    for number in range(SCORED):
        space.prospects[number] /= seen
    rule = safe * next_safety / seen * (1.0 + PROGRESS * progress / seen)
    return value * safe / seen, rule, hints


@internal_kernel
def possible_hints(tiles: NDArray[np.int8], work: Work, cell: int) -> tuple[int, int, int]:
    """Return the least hint that a cell may show, about the likeliest one, and the largest."""
    rows, cols = work.number[ROWS], work.number[COLS]
    row, col = cell // cols, cell % cols
    low = high = 0
    mean = 0.5
    for r in range(max(row - 1, 0), min(row + 2, rows)):
        for c in range(max(col - 1, 0), min(col + 2, cols)):
            q = work.probability[r * cols + c]
            if r == row and c == col:
                continue
            if not isnan(q):
                low += q == 1.0
                high += q > 0.0
                mean += q
            elif tiles[r, c] == MINE or tiles[r, c] == EXPLODED:
                low += 1
                high += 1
                mean += 1.0
    return low, min(max(int(mean), low), high), high
