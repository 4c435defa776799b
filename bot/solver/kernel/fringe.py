"""From tiles to constraints, boxes and components.

Each hint that touches covered cells is a constraint: its cells, and its *remaining* mines, those
among its undecided cells. A constraint without remaining mines, or with as many as it has undecided
cells, decides them; that changes other constraints, until none decides another cell. The undecided
cells are grouped in boxes (cells in the same constraints), constraints with the same boxes are
merged, and boxes that share constraints form a component.

This is the only place where machine code reads the hints of a board.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bot.board import COVERED, EXPLODED, MINE, QUESTION, UNREAD
from bot.solver.compiled import internal_kernel, kernel, merged
from bot.solver.kernel.tables import (
    BOX,
    BOX_CELL,
    BOX_CONSTRAINT,
    BOX_CONSTRAINTS,
    BOX_COUNT,
    BOXES,
    CELL,
    CELLS,
    CELLS_LEFT,
    COLS,
    COMPONENT,
    COMPONENT_BOXES,
    COMPONENT_CONSTRAINTS,
    COMPONENT_COUNT,
    CONFLICT,
    CONSTRAINT,
    CONSTRAINT_BOX,
    CONSTRAINT_COMPONENT,
    CONSTRAINT_COUNT,
    CONSTRAINTS,
    COVERED_CELLS,
    COVERED_KIND,
    FIRST_BOX,
    FIRST_CONSTRAINT,
    FLOATING,
    HINT,
    KNOWN,
    MINED,
    MINES,
    MINES_DO_NOT_FIT,
    MINES_LEFT,
    NEIGHBOUR,
    NEIGHBOURS,
    PLACED,
    QUEUED,
    RANK,
    REMAINING,
    ROWS,
    SAFE,
    SHOWN_KIND,
    SHOWN_MINES,
    SIZE,
    SLOT,
    SOLVED,
    UNREAD_TILE,
    WRONG_CELL,
    WRONG_HINT,
    Bytes,
    Ints,
    Longs,
)


@internal_kernel
def read_board(
    tiles: NDArray[np.int8], mines: int, number: Longs, kind: Bytes, cell: Ints, constraint: Ints
) -> int:
    """Fill `cell` and `constraint` from a board.

    Args:
        tiles: (rows, cols) int8.
        mines: On the whole board.
        number: Overwritten, as the other tables of `Work`.
        kind: Likewise.
        cell: Likewise.
        constraint: Likewise.

    Returns:
        A status.
    """
    rows, cols = tiles.shape
    width = cols + 2
    number[ROWS], number[COLS], number[MINES] = rows, cols, mines
    if not _classify_tiles(tiles, number, kind):
        return UNREAD_TILE
    number[MINES_LEFT] = mines - number[SHOWN_MINES]
    number[CONSTRAINT_COUNT] = 0
    for place in range(rows * cols):
        cell[place, KNOWN] = 0
        cell[place, CONSTRAINTS] = 0
        cell[place, BOX] = -1
    for row in range(rows):
        for col in range(cols):
            if tiles[row, col] >= 0:
                near = kind[1, (row + 1) * width + col + 1]
                remaining = tiles[row, col] - (near >> 4)
                if remaining < 0 or remaining > near & 15:
                    number[WRONG_CELL] = row * cols + col
                    return WRONG_HINT
                if near & 15:
                    _add_constraint(row, col, remaining, number, kind[0], cell, constraint)
    floating = 0
    for row in range(rows):
        for col in range(cols):
            covered = kind[0, (row + 1) * width + col + 1] == COVERED_KIND
            floating += covered & (cell[row * cols + col, CONSTRAINTS] == 0)
    number[FLOATING] = floating
    return SOLVED if 0 <= number[MINES_LEFT] <= number[COVERED_CELLS] else MINES_DO_NOT_FIT


@merged
def _classify_tiles(tiles: NDArray[np.int8], number: Longs, kind: Bytes) -> bool:
    """Classify each tile and sum its neighbours; return False if a tile is unread."""
    rows, cols = tiles.shape
    width = cols + 2
    what, around = kind[0], kind[1]
    for place in range(width * (rows + 2)):
        what[place] = 0
    covered = shown = unread = 0
    for row in range(rows):
        start = (row + 1) * width + 1
        for col in range(cols):
            tile = tiles[row, col]
            is_covered = (tile <= COVERED) & (tile >= QUESTION)
            is_shown = (tile == MINE) | (tile == EXPLODED)
            what[start + col] = is_covered * COVERED_KIND + is_shown * SHOWN_KIND
            covered += is_covered
            shown += is_shown
            unread += tile == UNREAD
    number[COVERED_CELLS], number[SHOWN_MINES] = covered, shown
    for place in range(width + 1, width * (rows + 1) - 1):
        around[place] = (
            what[place - width - 1]
            + what[place - width]
            + what[place - width + 1]
            + what[place - 1]
            + what[place + 1]
            + what[place + width - 1]
            + what[place + width]
            + what[place + width + 1]
        )
    return unread == 0


@merged
def _add_constraint(
    row: int,
    col: int,
    remaining: int,
    number: Longs,
    what: Bytes,
    cell: Ints,
    constraint: Ints,
) -> None:
    """Add one constraint, to the table and to each of its cells."""
    index, cols = number[CONSTRAINT_COUNT], number[COLS]
    number[CONSTRAINT_COUNT] += 1
    width = cols + 2
    found = 0
    for down in range(-1, 2):
        for right in range(-1, 2):
            if what[(row + 1 + down) * width + col + 1 + right] == COVERED_KIND:
                place = (row + down) * cols + col + right
                constraint[index, CELL + found] = place
                cell[place, CONSTRAINT + cell[place, CONSTRAINTS]] = index
                cell[place, CONSTRAINTS] += 1
                found += 1
    constraint[index, HINT] = row * cols + col
    constraint[index, REMAINING] = remaining
    constraint[index, CELLS_LEFT] = found
    constraint[index, CELLS] = found
    constraint[index, QUEUED] = 0


@internal_kernel
def apply_constraints(number: Longs, cell: Ints, constraint: Ints, queue: Ints) -> int:
    """Decide cells by single constraints until none decides another one.

    Returns:
        `CONFLICT` if the hints contradict each other; `SOLVED` says nothing about that.
    """
    waiting = 0
    for index in range(number[CONSTRAINT_COUNT]):
        if (
            constraint[index, REMAINING] == 0
            or constraint[index, REMAINING] == constraint[index, CELLS_LEFT]
        ):
            constraint[index, QUEUED] = 1
            queue[waiting] = index
            waiting += 1
    done = 0
    while done < waiting:
        index = queue[done]
        done += 1
        mined = constraint[index, REMAINING] > 0
        for step in range(constraint[index, CELLS]):
            place = constraint[index, CELL + step]
            if cell[place, KNOWN]:
                continue
            cell[place, KNOWN] = MINED if mined else SAFE
            number[MINES_LEFT] -= mined
            for turn in range(cell[place, CONSTRAINTS]):
                other = cell[place, CONSTRAINT + turn]
                constraint[other, CELLS_LEFT] -= 1
                constraint[other, REMAINING] -= mined
                remaining = constraint[other, REMAINING]
                if remaining < 0 or remaining > constraint[other, CELLS_LEFT]:
                    return CONFLICT
                if not constraint[other, QUEUED] and (
                    remaining == 0 or remaining == constraint[other, CELLS_LEFT]
                ):
                    constraint[other, QUEUED] = 1
                    queue[waiting] = other
                    waiting += 1
    return SOLVED


@internal_kernel
def group_cells(
    number: Longs, cell: Ints, constraint: Ints, box: Ints, component: Ints, order: Ints
) -> int:
    """Put cells in boxes, drop duplicate constraints, and find the components.

    Returns:
        A status: `CONFLICT` if two constraints on the same cells differ.
    """
    number[BOX_COUNT] = 0
    number[COMPONENT_COUNT] = 0
    for index in range(number[CONSTRAINT_COUNT]):
        constraint[index, CONSTRAINT_COMPONENT] = -1
        constraint[index, BOXES] = 0
        constraint[index, QUEUED] = 0
        if constraint[index, CELLS_LEFT]:
            _make_boxes(index, number, cell, constraint, box)
    boxes = number[BOX_COUNT]
    if not boxes:
        return SOLVED
    for index in range(boxes):
        for turn in range(box[index, BOX_CONSTRAINTS]):
            under = box[index, BOX_CONSTRAINT + turn]
            constraint[under, CONSTRAINT_BOX + constraint[under, BOXES]] = index
            constraint[under, BOXES] += 1
    for index in range(number[CONSTRAINT_COUNT]):
        if constraint[index, CELLS_LEFT] and not _drop_duplicate(index, constraint, box):
            return CONFLICT
    for index in range(boxes):
        kept = 0
        for turn in range(box[index, BOX_CONSTRAINTS]):
            under = box[index, BOX_CONSTRAINT + turn]
            if not constraint[under, QUEUED]:
                box[index, BOX_CONSTRAINT + kept] = under
                kept += 1
        box[index, BOX_CONSTRAINTS] = kept
    find_components(number, constraint, box, component, order[0])
    return SOLVED


@merged
def _make_boxes(index: int, number: Longs, cell: Ints, constraint: Ints, box: Ints) -> None:
    """Make boxes for the cells of a constraint that have none."""
    cells = constraint[index, CELLS]
    for step in range(cells):
        place = constraint[index, CELL + step]
        if cell[place, KNOWN] or cell[place, BOX] >= 0:
            continue
        made = number[BOX_COUNT]
        number[BOX_COUNT] = made + 1
        constraints = cell[place, CONSTRAINTS]
        box[made, COMPONENT] = -1
        box[made, PLACED] = 0
        box[made, BOX_CONSTRAINTS] = constraints
        for turn in range(constraints):
            box[made, BOX_CONSTRAINT + turn] = cell[place, CONSTRAINT + turn]
        size = 0
        for later in range(step, cells):
            other = constraint[index, CELL + later]
            if (
                cell[other, KNOWN]
                or cell[other, BOX] >= 0
                or cell[other, CONSTRAINTS] != constraints
            ):
                continue
            same = True
            for turn in range(constraints):
                same &= cell[other, CONSTRAINT + turn] == cell[place, CONSTRAINT + turn]
            if same:
                cell[other, BOX] = made
                box[made, BOX_CELL + size] = other
                size += 1
        box[made, SIZE] = size


@merged
def _drop_duplicate(index: int, constraint: Ints, box: Ints) -> bool:
    """Drop a constraint equal to an earlier one; return False if the two contradict."""
    boxes = constraint[index, BOXES]
    first = constraint[index, CONSTRAINT_BOX]
    for turn in range(box[first, BOX_CONSTRAINTS]):
        other = box[first, BOX_CONSTRAINT + turn]
        if other >= index:
            break
        if constraint[other, BOXES] != boxes or constraint[other, QUEUED]:
            continue
        same = True
        for step in range(boxes):
            same &= (
                constraint[other, CONSTRAINT_BOX + step] == constraint[index, CONSTRAINT_BOX + step]
            )
        if same:
            constraint[index, QUEUED] = 1
            return bool(constraint[other, REMAINING] == constraint[index, REMAINING])
    return True


@kernel
def find_components(
    number: Longs, constraint: Ints, box: Ints, component: Ints, found: Ints
) -> None:
    """Find the components and each constraint's neighbours; `found` is ordered by component."""
    end = 0
    components = 0
    boxes = 0
    for start in range(number[CONSTRAINT_COUNT]):
        if (
            constraint[start, CONSTRAINT_COMPONENT] >= 0
            or not constraint[start, CELLS_LEFT]
            or constraint[start, QUEUED]
        ):
            continue
        component[components, FIRST_CONSTRAINT] = end
        component[components, FIRST_BOX] = boxes
        constraint[start, CONSTRAINT_COMPONENT] = components
        found[end] = start
        at = end
        end += 1
        while at < end:
            index = found[at]
            at += 1
            near = 0
            for step in range(constraint[index, BOXES]):
                shared = constraint[index, CONSTRAINT_BOX + step]
                if box[shared, COMPONENT] < 0:
                    box[shared, COMPONENT] = components
                    boxes += 1
                for turn in range(box[shared, BOX_CONSTRAINTS]):
                    other = box[shared, BOX_CONSTRAINT + turn]
                    if other == index:
                        continue
                    if constraint[other, CONSTRAINT_COMPONENT] < 0:
                        constraint[other, CONSTRAINT_COMPONENT] = components
                        found[end] = other
                        end += 1
                    known = False
                    for place in range(near):
                        known |= constraint[index, NEIGHBOUR + place] == other
                    if not known:
                        constraint[index, NEIGHBOUR + near] = other
                        near += 1
            constraint[index, NEIGHBOURS] = near
            constraint[index, RANK] = -1
            constraint[index, SLOT] = -1
        component[components, COMPONENT_CONSTRAINTS] = end - component[components, FIRST_CONSTRAINT]
        component[components, COMPONENT_BOXES] = boxes - component[components, FIRST_BOX]
        components += 1
    number[COMPONENT_COUNT] = components
