"""What a guess is worth: every hint that it may show, and the position after it solved."""

from __future__ import annotations

from math import isnan, log2
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.board import EXPLODED, MINE
from bot.solver.compiled import compiled
from bot.solver.guess.candidates import all_others, gather
from bot.solver.guess.features import describe
from bot.solver.guess.layout import RISK, RISK_SCALE, Scratch, scratch_for
from bot.solver.guess.network import Network, evaluate
from bot.solver.kernel.position import solve_position
from bot.solver.kernel.status import SOLVED
from bot.solver.kernel.workspace import (
    COLS,
    EXPONENT_ALL,
    ROWS,
    SOLUTIONS,
    Bytes,
    Floats,
    Ints,
    Work,
    work_for,
)

NODES: Final = 100_000
"""What each position after a guess may cost; one that costs more is left out."""
TAIL: Final = 0.003
"""Hints that are rarer, all together, are not looked at."""
FEW_BITS: Final = log2(5_000) + 1e-9
"""The largest number of solutions that is an end game."""
PROGRESS: Final = 0.1
"""What a proved safe cell after the guess adds, by the published rule."""
RULE_SHARE: Final = 0.4
"""The published rule's score counts with this power."""
_EQUAL: Final = 1e-12
_WHOLE: Final = 1e-9
_STATES: Final = 1 << 13


class Desk(NamedTuple):
    """What a choice works on: for one thread at a time."""

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
    """(cells,): the published rule's score of each."""
    dead: Bytes
    """(cells,): 1 where only one hint can show if the cell is safe: opening it tells nothing."""
    shown: Ints
    """(1,): how many hints the cell may show that `worth` was asked about last."""


def desk_for(cells: int) -> Desk:
    """A desk for boards with up to so many cells."""
    return Desk(
        work_for(1, cells, _STATES),
        work_for(1, cells, _STATES),
        scratch_for(cells),
        np.zeros(cells, np.int32),
        np.zeros(cells),
        np.zeros(cells),
        np.zeros(cells),
        np.zeros(cells, np.uint8),
        np.zeros(1, np.int32),
    )


@compiled
def few_left(work: Work) -> bool:
    """Whether a solved board has so few solutions that all that can happen is looked at."""
    bits = log2(work.real[SOLUTIONS]) + work.number[EXPONENT_ALL]
    return bool(bits <= FEW_BITS)


@compiled
def choose(tiles: NDArray[np.int8], mines: int, desk: Desk, network: Network) -> int:
    """The cell to open on a board that is solved in `desk.work` and has no safe cell.

    Args:
        tiles: (rows, cols) int8; written on while it works.
        mines: On the whole board.
        desk: Its values and the rule's scores are filled.
        network: The value function.

    Returns:
        The cell's place among the candidates; -1 where there is none.
    """
    count = gather(desk.work, desk.cells, desk.risks)
    best = -1
    for place in range(count):
        best = compare(tiles, mines, place, best, desk, network)
    if best >= 0 and desk.dead[best]:
        for place in range(count, all_others(desk.work, desk.cells, desk.risks, count)):
            best = compare(tiles, mines, place, best, desk, network)
            if not desk.dead[best]:
                break
    return best


@compiled
def compare(
    tiles: NDArray[np.int8], mines: int, place: int, best: int, desk: Desk, network: Network
) -> int:
    """The better one of a candidate and the best so far (-1: none), by place.

    A dead cell waits for all others: opened last, it can only have become surer.
    """
    desk.values[place], desk.rules[place] = worth(tiles, mines, desk.cells[place], desk, network)
    desk.dead[place] = desk.shown[0] < 2
    if best >= 0 and desk.dead[place] != desk.dead[best]:
        return best if desk.dead[place] else place
    return place if best < 0 or score(desk, place) > score(desk, best) + _EQUAL else best


@compiled
def score(desk: Desk, place: int) -> float:
    """What candidates are compared by: what the two get wrong is not the same."""
    result: float = desk.values[place] * desk.rules[place] ** RULE_SHARE
    return result


@compiled
def worth(
    tiles: NDArray[np.int8], mines: int, cell: int, desk: Desk, network: Network
) -> tuple[float, float]:
    """The chance to win by opening a cell, and what the published rule says of it.

    Args:
        tiles: (rows, cols) int8; the same again afterwards.
        mines: On the whole board.
        cell: The cell.
        desk: Holds the solved board.
        network: The value function.

    Returns:
        The estimated chance, and the rule's score: the safety times that of the best next
        move, and a little for safe cells that are proved.
    """
    work, trial = desk.work, desk.trial
    cols = work.number[COLS]
    row, col = cell // cols, cell % cols
    before = tiles[row, col]
    safe: float = 1.0 - work.probability[cell]
    low, middle, high = hints_at(tiles, work, cell)
    seen = 0.0
    value: float = 0.0
    next_safety: float = 0.0
    progress = 0.0
    shown = 0
    for step in range(2 * (high - low) + 2):
        away = (step + 1) // 2
        hint = middle + (away if step % 2 else -away)
        if hint < low or hint > high:
            continue
        tiles[row, col] = hint
        if solve_position(tiles, mines, trial, NODES) != SOLVED:
            continue
        power = trial.number[EXPONENT_ALL] - work.number[EXPONENT_ALL]
        weight = trial.real[SOLUTIONS] / work.real[SOLUTIONS] * 2.0**power
        describe(trial, desk.scratch)
        value += weight * evaluate(network, desk.scratch.feature, desk.scratch.hidden)
        safety = 1.0 - desk.scratch.feature[RISK] / RISK_SCALE
        next_safety += weight * safety
        progress += weight * (safety == 1.0)
        seen += weight
        shown += 1
        if seen >= safe * (1.0 - TAIL):
            break
    tiles[row, col] = before
    # What was not looked at, being rare, may show as well.
    desk.shown[0] = shown if seen >= safe * (1.0 - _WHOLE) else max(shown, 2)
    if seen <= 0.0:
        return 0.0, 0.0
    value *= safe / seen
    rule = safe * next_safety / seen * (1.0 + PROGRESS * progress / seen)
    return value, rule


@compiled
def hints_at(tiles: NDArray[np.int8], work: Work, cell: int) -> tuple[int, int, int]:
    """The least and the largest hint that a cell may show, and the likeliest between them."""
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
