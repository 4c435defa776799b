"""From tiles to constraints, and what single ones settle: the kernels' reader of geometry."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bot.board import COVERED, EXPLODED, MINE, QUESTION, UNREAD
from bot.solver.compiled import compiled
from bot.solver.kernel.status import CONFLICT, SOLVED, UNREAD_TILE, WRONG_HINT, WRONG_ROOM
from bot.solver.kernel.workspace import (
    BAD,
    BOX,
    CELL,
    CELLS,
    COLS,
    COVERED_CELLS,
    COVERED_KIND,
    HINT,
    KNOWN,
    LEFT,
    LOOSE,
    MINED,
    MINES,
    MINES_LEFT,
    OWED,
    QUEUED,
    ROWS,
    RULE,
    RULE_COUNT,
    RULES,
    SAFE,
    SHOWN,
    SHOWN_KIND,
    Bytes,
    Ints,
    Longs,
)


@compiled
def read(
    tiles: NDArray[np.int8], mines: int, number: Longs, kind: Bytes, cell: Ints, rule: Ints
) -> int:
    """Fill `cell` and `rule` from a board.

    Args:
        tiles: (rows, cols) int8.
        mines: On the whole board.
        number: And the other tables of `Work`.
        kind: Overwritten.
        cell: Overwritten.
        rule: Overwritten.

    Returns:
        A status.
    """
    rows, cols = tiles.shape
    width = cols + 2
    number[ROWS], number[COLS], number[MINES] = rows, cols, mines
    if not _look(tiles, number, kind):
        return UNREAD_TILE
    number[MINES_LEFT] = mines - number[SHOWN]
    number[RULE_COUNT] = 0
    for place in range(rows * cols):
        cell[place, KNOWN] = 0
        cell[place, RULES] = 0
        cell[place, BOX] = -1
    for row in range(rows):
        for col in range(cols):
            if tiles[row, col] >= 0:
                near = kind[1, (row + 1) * width + col + 1]
                owed = tiles[row, col] - (near >> 4)
                if owed < 0 or owed > near & 15:
                    number[BAD] = row * cols + col
                    return WRONG_HINT
                if near & 15:
                    _constrain(row, col, cols, owed, number[RULE_COUNT], kind[0], cell, rule)
                    number[RULE_COUNT] += 1
    loose = 0
    for row in range(rows):
        for col in range(cols):
            covered = kind[0, (row + 1) * width + col + 1] == COVERED_KIND
            loose += covered & (cell[row * cols + col, RULES] == 0)
    number[LOOSE] = loose
    return SOLVED if 0 <= number[MINES_LEFT] <= number[COVERED_CELLS] else WRONG_ROOM


@compiled
def _look(tiles: NDArray[np.int8], number: Longs, kind: Bytes) -> bool:
    """What lies where, and around each cell; False where a tile is unread."""
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
    number[COVERED_CELLS], number[SHOWN] = covered, shown
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


@compiled
def _constrain(
    row: int, col: int, cols: int, owed: int, index: int, what: Bytes, cell: Ints, rule: Ints
) -> None:
    """Note one constraint, and in its cells that it lies on them."""
    width = cols + 2
    found = 0
    for down in range(-1, 2):
        for right in range(-1, 2):
            if what[(row + 1 + down) * width + col + 1 + right] == COVERED_KIND:
                place = (row + down) * cols + col + right
                rule[index, CELL + found] = place
                cell[place, RULE + cell[place, RULES]] = index
                cell[place, RULES] += 1
                found += 1
    rule[index, HINT] = row * cols + col
    rule[index, OWED] = owed
    rule[index, LEFT] = found
    rule[index, CELLS] = found
    rule[index, QUEUED] = 0


@compiled
def settle(number: Longs, cell: Ints, rule: Ints, queue: Ints) -> int:
    """Settle what single constraints settle, as long as there are any.

    Returns:
        A status: `CONFLICT` proves that the hints contradict each other, `SOLVED` nothing.
    """
    waiting = 0
    for index in range(number[RULE_COUNT]):
        if rule[index, OWED] == 0 or rule[index, OWED] == rule[index, LEFT]:
            rule[index, QUEUED] = 1
            queue[waiting] = index
            waiting += 1
    done = 0
    while done < waiting:
        index = queue[done]
        done += 1
        mined = rule[index, OWED] > 0
        for step in range(rule[index, CELLS]):
            place = rule[index, CELL + step]
            if cell[place, KNOWN]:
                continue
            cell[place, KNOWN] = MINED if mined else SAFE
            number[MINES_LEFT] -= mined
            for turn in range(cell[place, RULES]):
                other = cell[place, RULE + turn]
                rule[other, LEFT] -= 1
                rule[other, OWED] -= mined
                owed = rule[other, OWED]
                if owed < 0 or owed > rule[other, LEFT]:
                    return CONFLICT
                if not rule[other, QUEUED] and (owed == 0 or owed == rule[other, LEFT]):
                    rule[other, QUEUED] = 1
                    queue[waiting] = other
                    waiting += 1
    return SOLVED
