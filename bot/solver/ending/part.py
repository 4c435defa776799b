"""The placements of one component, one by one.

Cell after cell is drawn, a mine first, with everything that a hint then settles.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bot.solver.compiled import compiled
from bot.solver.ending.fringe import MINED, SAFE, START, UNKNOWN, Fringe, put, settle

TOO_MANY = -1


@compiled
def list_part(
    fringe: Fringe, cells: NDArray[np.int64], most: int, effort: int, stop: NDArray[np.int8]
) -> tuple[int, NDArray[np.uint8]]:
    """All placements of a component.

    Args:
        fringe: The board.
        cells: The component's, by number.
        most: Placements to list at the most.
        effort: Steps to take at the most.
        stop: Anything but 0 breaks off.

    Returns:
        How many there are (TOO_MANY for more, or more steps), and (n or more, cells)
        uint8, 1 for a mine.
    """
    size = len(cells)
    found = np.zeros((16, size), np.uint8)
    state = fringe.state.copy()
    owed = fringe.owed.copy()
    left = fringe.left.copy()
    trail = np.zeros(size, np.int64)
    guessed = np.zeros(size + 1, np.int64)
    done = depth = number = steps = START
    right = True
    while True:
        steps += 1
        if steps > effort or stop[0] != 0:
            return TOO_MANY, found
        if right and done == size:
            if number == most:
                return TOO_MANY, found
            if number == len(found):
                found = longer(found)
            for index in range(size):
                found[number, index] = state[cells[index]] == MINED
            number += 1
            right = False
        if right:
            index = 0
            while state[cells[index]] != UNKNOWN:
                index += 1
            guessed[depth] = done
            depth += 1
            right, done = place_one(fringe, cells[index], MINED, state, owed, left, trail, done)
            continue
        # Back to the last guess that was a mine: it is safe then.
        again = False
        while depth > 0 and not again:
            depth -= 1
            cell = trail[guessed[depth]]
            again = state[cell] == MINED
            while done > guessed[depth]:
                done -= 1
                lift(fringe, trail[done], state, owed, left)
        if not again:
            return number, found
        guessed[depth] = done
        depth += 1
        right, done = place_one(fringe, cell, SAFE, state, owed, left, trail, done)


@compiled
def longer(found: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The same with twice as many rows."""
    number, size = found.shape
    more = np.zeros((2 * number, size), np.uint8)
    for row in range(number):
        for index in range(size):
            more[row, index] = found[row, index]
    return more


@compiled
def place_one(
    fringe: Fringe,
    cell: int,
    what: int,
    state: NDArray[np.int8],
    owed: NDArray[np.int64],
    left: NDArray[np.int64],
    trail: NDArray[np.int64],
    done: int,
) -> tuple[bool, int]:
    """Draw a cell and all that follows; whether no hint is broken, and the trail's length."""
    head = done
    right = put(fringe, cell, what, state, owed, left)
    trail[done] = cell
    done += 1
    while right and head < done:
        for rule in fringe.rules[trail[head]]:
            if rule < 0 or not right:
                break
            if left[rule] > 0 and owed[rule] in (0, left[rule]):
                right, done = settle(fringe, rule, state, owed, left, trail, done)
        head += 1
    return right, done


@compiled
def lift(
    fringe: Fringe,
    cell: int,
    state: NDArray[np.int8],
    owed: NDArray[np.int64],
    left: NDArray[np.int64],
) -> None:
    """Take back one cell."""
    for rule in fringe.rules[cell]:
        if rule < 0:
            break
        left[rule] += 1
        owed[rule] += state[cell] == MINED
    state[cell] = UNKNOWN


@compiled
def mines_in(placements: NDArray[np.uint8], row: int) -> int:
    """How many mines a placement has."""
    number = 0
    for column in range(placements.shape[1]):
        number += placements[row, column]
    return number
