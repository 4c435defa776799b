"""The fringe of a board as the end game takes it.

Beside `kernel.fringe`, which reads the same board for counting: there cells that nothing
tells apart become one box, and what is settled is left out. A tree looks at single cells,
floating ones too: at their neighbours, at what each would show, and it draws cells and
takes them back. Neither table would serve the other.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.board import COVERED, EXPLODED, MINE, QUESTION
from bot.solver.compiled import compiled, merged
from bot.solver.ending.bits import constant

UNKNOWN, MINED, SAFE = constant(0), constant(1), constant(2)
START = constant(0)
"""Of an empty trail."""


class Fringe(NamedTuple):
    """The covered cells of a board, and the hints on them."""

    place: NDArray[np.int64]
    """(cells,): flat index of each covered cell, row by row."""
    known: NDArray[np.int64]
    """(cells,): mines that show next to each."""
    around: NDArray[np.int64]
    """(cells, 8): the covered neighbours by number, -1 after the last."""
    rules: NDArray[np.int64]
    """(cells, 8): the hints next to each by number, -1 after the last."""
    inside: NDArray[np.int64]
    """(hints, 8): the covered cells next to each hint, -1 after the last."""
    state: NDArray[np.int8]
    """(cells,): what single hints settle, one after the other: UNKNOWN, MINED or SAFE."""
    owed: NDArray[np.int64]
    """(hints,): mines each hint has among the unknown ones."""
    left: NDArray[np.int64]
    """(hints,): how many unknown ones there are."""
    part: NDArray[np.int64]
    """(cells,): component by number, -1 where settled or where no hint is near."""
    parts: int
    """Number of components."""
    mines: int
    """Mines under the unknown cells together; -1 where a hint alone is wrong."""


@compiled
def fringe_of(tiles: NDArray[np.int8], mines: int) -> Fringe:  # noqa: PLR0912, PLR0915
    """Read a board.

    Args:
        tiles: (rows, cols) int8, codes of `bot.board`; flags count as covered.
        mines: On the whole board.
    """
    rows, cols = tiles.shape
    number = np.full((rows, cols), -1, np.int64)
    cells = hints = 0
    shown_mines = 0
    for row in range(rows):
        for col in range(cols):
            code = tiles[row, col]
            if QUESTION <= code <= COVERED:
                number[row, col] = cells
                cells += 1
            elif code in (MINE, EXPLODED):
                shown_mines += 1
            elif code >= 0:
                hints += 1
    mines -= shown_mines
    place = np.zeros(cells, np.int64)
    known = np.zeros(cells, np.int64)
    around = np.full((cells, 8), -1, np.int64)
    rules = np.full((cells, 8), -1, np.int64)
    rules_of = np.zeros(cells, np.int64)
    inside = np.full((hints, 8), -1, np.int64)
    owed = np.zeros(hints, np.int64)
    left = np.zeros(hints, np.int64)
    hints = 0
    for row in range(rows):
        for col in range(cols):
            one = number[row, col]
            code = tiles[row, col]
            if one < 0 and code < 0:
                continue
            near = shown = 0
            for r in range(max(row - 1, 0), min(row + 2, rows)):
                for c in range(max(col - 1, 0), min(col + 2, cols)):
                    if r == row and c == col:
                        continue
                    other = number[r, c]
                    shown += tiles[r, c] in (MINE, EXPLODED)
                    if other >= 0 and one >= 0:
                        around[one, near] = other
                        near += 1
                    elif other >= 0:
                        inside[hints, near] = other
                        near += 1
            if one >= 0:
                place[one] = row * cols + col
                known[one] = shown
                continue
            owed[hints] = code - shown
            left[hints] = near
            if near == 0:
                if owed[hints] != 0:
                    mines = -cells - 1
                continue
            for index in range(near):
                other = inside[hints, index]
                rules[other, rules_of[other]] = hints
                rules_of[other] += 1
            hints += 1
    return settle_all(
        Fringe(
            place,
            known,
            around,
            rules,
            inside[:hints],
            np.zeros(cells, np.int8),
            owed[:hints],
            left[:hints],
            np.full(cells, -1, np.int64),
            START,
            mines,
        )
    )


@merged
def settle_all(fringe: Fringe) -> Fringe:
    """Settle what single hints settle, and find the components of the rest."""
    cells = len(fringe.place)
    mines = fringe.mines
    trail = np.zeros(cells, np.int64)
    done = START
    for rule in range(len(fringe.owed)):
        if not 0 <= fringe.owed[rule] <= fringe.left[rule]:
            mines = -1
    changed = mines >= 0
    while changed:
        changed = False
        for rule in range(len(fringe.owed)):
            if fringe.left[rule] > 0 and fringe.owed[rule] in (0, fringe.left[rule]):
                right, done = settle(
                    fringe, rule, fringe.state, fringe.owed, fringe.left, trail, done
                )
                changed = True
                if not right:
                    mines = -1
        changed &= mines >= 0
    if mines >= 0:
        for cell in range(cells):
            mines -= fringe.state[cell] == MINED
    part, parts = components(fringe.state, fringe.rules, fringe.inside)
    return Fringe(
        fringe.place,
        fringe.known,
        fringe.around,
        fringe.rules,
        fringe.inside,
        fringe.state,
        fringe.owed,
        fringe.left,
        part,
        parts,
        max(mines, -1),
    )


@merged
def components(
    state: NDArray[np.int8], rules: NDArray[np.int64], inside: NDArray[np.int64]
) -> tuple[NDArray[np.int64], int]:
    """What hints tie together: (cells,) numbers from 0, and how many there are."""
    cells = len(rules)
    part = np.full(cells, -1, np.int64)
    queue = np.zeros(cells, np.int64)
    parts = 0
    for begin in range(cells):
        if part[begin] >= 0 or rules[begin, 0] < 0 or state[begin] != UNKNOWN:
            continue
        part[begin] = parts
        queue[0] = begin
        head = 0
        tail = 1
        while head < tail:
            for rule in rules[queue[head]]:
                if rule < 0:
                    break
                for other in inside[rule]:
                    if other < 0:
                        break
                    if part[other] < 0 and state[other] == UNKNOWN:
                        part[other] = parts
                        queue[tail] = other
                        tail += 1
            head += 1
        parts += 1
    return part, parts


@compiled
def cells_of(fringe: Fringe, part: int) -> NDArray[np.int64]:
    """(n,): the cells of a component by number; of -1 those that float."""
    found = np.empty(len(fringe.part), np.int64)
    number = 0
    for cell in range(len(fringe.part)):
        if fringe.part[cell] == part and (part >= 0 or fringe.state[cell] == UNKNOWN):
            found[number] = cell
            number += 1
    return found[:number]


@compiled
def settle(
    fringe: Fringe,
    rule: int,
    state: NDArray[np.int8],
    owed: NDArray[np.int64],
    left: NDArray[np.int64],
    trail: NDArray[np.int64],
    done: int,
) -> tuple[bool, int]:
    """Draw the cells of a hint that has all its mines, or as many cells as mines."""
    what = MINED if owed[rule] > 0 else SAFE
    right = True
    for cell in fringe.inside[rule]:
        if cell < 0:
            break
        if state[cell] == UNKNOWN:
            right &= put(fringe, cell, what, state, owed, left)
            trail[done] = cell
            done += 1
    return right, done


@compiled
def put(
    fringe: Fringe,
    cell: int,
    what: int,
    state: NDArray[np.int8],
    owed: NDArray[np.int64],
    left: NDArray[np.int64],
) -> bool:
    """Draw one cell; whether no hint is broken."""
    right = True
    state[cell] = what
    for rule in fringe.rules[cell]:
        if rule < 0:
            break
        left[rule] -= 1
        owed[rule] -= what == MINED
        right &= 0 <= owed[rule] <= left[rule]
    return right
