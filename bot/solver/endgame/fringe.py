"""The fringe of a board as the end game reads it.

`kernel.fringe` reads the same board for counting: it merges cells that no hint tells apart
into one box and leaves out cells that are already decided. The end game needs single
cells, floating ones too, with their neighbours and what each would show, and it assigns
cells and takes the assignments back.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.board import COVERED, EXPLODED, MINE, QUESTION
from bot.solver.compiled import compiled, int64, internal, internal_kernel, merged

UNKNOWN, MINED, SAFE = int64(0), int64(1), int64(2)
"""States of a covered cell."""
FLOATING = int64(-1)
"""In place of a component: no hint touches the cell, or the cell is decided."""
EMPTY = int64(0)
"""Length of an empty stack."""


class Fringe(NamedTuple):
    """The covered cells of a board, and the hints on them."""

    place: NDArray[np.int64]
    """(cells,): flat index of each covered cell on the board, row by row."""
    known: NDArray[np.int64]
    """(cells,): number of mines that show next to each."""
    around: NDArray[np.int64]
    """(cells, 8): the covered neighbours by number, -1 after the last."""
    hints: NDArray[np.int64]
    """(cells, 8): the hints next to each by number, -1 after the last."""
    inside: NDArray[np.int64]
    """(hints, 8): the covered cells next to each hint, -1 after the last."""
    state: NDArray[np.int8]
    """(cells,): UNKNOWN, or MINED or SAFE where repeated single-hint deduction decides it."""
    owed: NDArray[np.int64]
    """(hints,): mines that each hint still has among its unknown cells."""
    left: NDArray[np.int64]
    """(hints,): number of those unknown cells."""
    component: NDArray[np.int64]
    """(cells,): number of its component, FLOATING where decided or no hint is near."""
    components: int
    """Number of components."""
    mines: int
    """Mines under all unknown cells together; -1 if a single hint contradicts the board."""


@compiled
def fringe_of(tiles: NDArray[np.int8], mines: int) -> Fringe:  # noqa: PLR0912, PLR0915
    """Read the fringe of a board.

    Args:
        tiles: (rows, cols) int8, codes of `bot.board`; flags count as covered.
        mines: Number of mines on the whole board.
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
    hints_of = np.full((cells, 8), -1, np.int64)
    hint_counts = np.zeros(cells, np.int64)
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
                hints_of[other, hint_counts[other]] = hints
                hint_counts[other] += 1
            hints += 1
    return propagate_all(
        Fringe(
            place,
            known,
            around,
            hints_of,
            inside[:hints],
            np.zeros(cells, np.int8),
            owed[:hints],
            left[:hints],
            np.full(cells, FLOATING, np.int64),
            EMPTY,
            mines,
        )
    )


@merged
def propagate_all(fringe: Fringe) -> Fringe:
    """Decide what single hints decide, and find the components of the rest."""
    cells = len(fringe.place)
    mines = fringe.mines
    trail = np.zeros(cells, np.int64)
    done = EMPTY
    for hint in range(len(fringe.owed)):
        if not 0 <= fringe.owed[hint] <= fringe.left[hint]:
            mines = -1
    changed = mines >= 0
    while changed:
        changed = False
        for hint in range(len(fringe.owed)):
            if fringe.left[hint] > 0 and fringe.owed[hint] in (0, fringe.left[hint]):
                consistent, done = assign_rest(
                    fringe, hint, fringe.state, fringe.owed, fringe.left, trail, done
                )
                changed = True
                if not consistent:
                    mines = -1
        changed &= mines >= 0
    if mines >= 0:
        for cell in range(cells):
            mines -= fringe.state[cell] == MINED
    component, components = find_components(fringe.state, fringe.hints, fringe.inside)
    return Fringe(
        fringe.place,
        fringe.known,
        fringe.around,
        fringe.hints,
        fringe.inside,
        fringe.state,
        fringe.owed,
        fringe.left,
        component,
        components,
        max(mines, -1),
    )


@merged
def find_components(
    state: NDArray[np.int8], hints: NDArray[np.int64], inside: NDArray[np.int64]
) -> tuple[NDArray[np.int64], int]:
    """Return the component of each cell, (cells,), and the number of components."""
    cells = len(hints)
    component = np.full(cells, FLOATING, np.int64)
    queue = np.zeros(cells, np.int64)
    components = 0
    for begin in range(cells):
        if component[begin] >= 0 or hints[begin, 0] < 0 or state[begin] != UNKNOWN:
            continue
        component[begin] = components
        queue[0] = begin
        head = 0
        tail = 1
        while head < tail:
            for hint in hints[queue[head]]:
                if hint < 0:
                    break
                for other in inside[hint]:
                    if other < 0:
                        break
                    if component[other] < 0 and state[other] == UNKNOWN:
                        component[other] = components
                        queue[tail] = other
                        tail += 1
            head += 1
        components += 1
    return component, components


@internal
def cells_of(fringe: Fringe, component: int) -> NDArray[np.int64]:
    """Return the cells of a component by number, or the FLOATING ones."""
    found = np.empty(len(fringe.component), np.int64)
    number = 0
    for cell in range(len(fringe.component)):
        if fringe.component[cell] == component and fringe.state[cell] == UNKNOWN:
            found[number] = cell
            number += 1
    return found[:number]


@internal_kernel
def assign_rest(
    fringe: Fringe,
    hint: int,
    state: NDArray[np.int8],
    owed: NDArray[np.int64],
    left: NDArray[np.int64],
    trail: NDArray[np.int64],
    done: int,
) -> tuple[bool, int]:
    """Assign the unknown cells of a hint that are all safe or all mines.

    Returns:
        Whether no hint is violated, and the new length of `trail`.
    """
    what = MINED if owed[hint] > 0 else SAFE
    consistent = True
    for cell in fringe.inside[hint]:
        if cell < 0:
            break
        if state[cell] == UNKNOWN:
            consistent &= assign(fringe, cell, what, state, owed, left)
            trail[done] = cell
            done += 1
    return consistent, done


@internal_kernel
def assign(
    fringe: Fringe,
    cell: int,
    what: int,
    state: NDArray[np.int8],
    owed: NDArray[np.int64],
    left: NDArray[np.int64],
) -> bool:
    """Make one cell MINED or SAFE; return whether no hint is violated."""
    consistent = True
    state[cell] = what
    for hint in fringe.hints[cell]:
        if hint < 0:
            break
        left[hint] -= 1
        owed[hint] -= what == MINED
        consistent &= 0 <= owed[hint] <= left[hint]
    return consistent


@internal_kernel
def unassign(
    fringe: Fringe,
    cell: int,
    state: NDArray[np.int8],
    owed: NDArray[np.int64],
    left: NDArray[np.int64],
) -> None:
    """Take back the assignment of one cell."""
    for hint in fringe.hints[cell]:
        if hint < 0:
            break
        left[hint] += 1
        owed[hint] += state[cell] == MINED
    state[cell] = UNKNOWN
