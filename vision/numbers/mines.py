"""How many mines a board has: by its counter, by the level of its size, by the user.

The counter on the screen comes first, because it knows the game that is on; then what
the user says; then the level of that size in the skin. Whoever is overruled is named in
a remark. A user who says something else than the counter is asked to decide: playing on
with a wrong number makes every probability wrong.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.board import COVERED, EXPLODED, FLAG, MINE, MISFLAG, QUESTION, UNREAD
from bot.frame import Grid
from vision.numbers.assigning import DENSEST, Counters
from vision.skins import Skin


class MinesUnknown(RuntimeError):
    """Nobody says how many mines a board has, or what they say cannot be."""


class Mines(NamedTuple):
    """A number of mines that was settled on."""

    number: int
    remark: str = ""
    """Who said something else; empty where nobody did."""


def shown_mines(counters: Counters, tiles: NDArray[np.int8]) -> int | None:
    """The mines of a board as its counter tells; None where it does not.

    Args:
        counters: As they were read together with the tiles.
        tiles: (rows, cols) int8; a counter that counts down has taken off the flags.
    """
    total = counters.mines_total
    if total is None and counters.mines_left is not None:
        total = counters.mines_left + int(np.isin(tiles, (FLAG, MISFLAG)).sum())
    return total if total is not None and 0 < total < tiles.size else None


def sided(counters: Counters, side: Literal["left", "right"] | None) -> Counters:
    """Which of two numbers is the mine counter, where the program has it always on one side.

    Args:
        counters: As they were read.
        side: See `SkinFile.counter`.

    Returns:
        One of `counters.either`, or what came in where that does not tell.
    """
    if side is None or counters.worded:
        return counters
    for one in counters.either:
        counter, clock = one.mine_counter, one.clock
        if counter is None or clock is None:
            continue
        across, down = clock.left - counter.left, clock.top - counter.top
        if abs(across) > abs(down) and (across > 0) == (side == "left"):
            return one
    return counters


def decided(counters: Counters, tiles: NDArray[np.int8], known: int | None) -> Counters:
    """Which of two numbers is the mine counter, as far as the game tells.

    It is the one that makes the number of mines with the flags; where that number is not
    known, it is not the one that would make no mines at all.

    Args:
        counters: As they were read together with the tiles.
        tiles: (rows, cols) int8.
        known: The number of mines.

    Returns:
        One of `counters.either`, or what came in where the game does not tell.
    """
    readings = [
        (shown_mines(one, tiles), one) for one in counters.either if one.seconds is not None
    ]
    if (tiles == UNREAD).any():
        return counters
    if known is not None:
        # Where both make it they are the same number, whichever is which.
        fitting = [one for number, one in readings if number == known]
        return fitting[0] if fitting else counters
    read = [one for one in counters.either if one.mines_left is not None]
    possible = [(number, one) for number, one in readings if number is not None]
    if counters.worded or len(read) != 2 or len(possible) != 1:
        return counters
    number, one = possible[0]
    return one if number <= DENSEST * tiles.size else counters


def undecided_mines(counters: Counters, tiles: NDArray[np.int8]) -> tuple[int, ...]:
    """The numbers of mines of which a game in progress has one, if its counter is beside it.

    Args:
        counters: As they were decided.
        tiles: (rows, cols) int8.

    Returns:
        Empty where nothing is undecided, and where what is beside the board may be no counter.
    """
    told = [shown_mines(one, tiles) for one in counters.either if one.mines_left is not None]
    over = np.isin(tiles, (MINE, EXPLODED, MISFLAG)).any()
    if counters.worded or over or len(told) != 2 or (tiles == UNREAD).any():
        return ()
    numbers = {number for number in told if number is not None}
    closed = int(np.isin(tiles, (COVERED, FLAG, QUESTION)).sum())
    # A game that is won is over as well; its counter may do as it likes.
    return tuple(sorted(numbers)) if all(number < closed for number in numbers) else ()


def settle_mines(
    skin: Skin,
    grid: Grid,
    told: int | None,
    shown: int | None,
    undecided: tuple[int, ...] = (),
) -> Mines:
    """The number of mines on a board.

    Args:
        skin: Knows the levels of its program.
        grid: Of the board.
        told: By the user.
        shown: By the counter; see `shown_mines`.
        undecided: See `undecided_mines`.

    Raises:
        MinesUnknown: Nobody says, so many do not fit, or the user and the counter
            contradict each other.
    """
    size = f"the board of {grid.rows} rows and {grid.cols} columns (skin '{skin.name}')"
    if told is not None and not 0 < told < grid.rows * grid.cols:
        raise MinesUnknown(f"{told} mines do not fit on {size}: give the right number with --mines")
    level = skin.mines_of(grid.rows, grid.cols)
    if shown is None and level in undecided and told not in (None, *undecided):
        shown = level
    if told is not None and shown is not None and told != shown:
        raise MinesUnknown(
            f"the counter of {size} shows {shown} mines, but {told} were given with --mines: "
            f"leave --mines out, or give {shown}"
        )
    count = next((number for number in (shown, told, level) if number is not None), None)
    if count is None:
        levels = ", ".join(f"{name} {r} x {c}" for name, (r, c, _) in skin.levels.items())
        other = f", and is no level that is known ({levels})" if levels else ""
        raise MinesUnknown(
            f"{size} has no counter that could be read{other}: say how many mines with --mines"
        )
    if shown is None and undecided and count not in undecided:
        either = " or ".join(str(number) for number in undecided)
        others = f"the numbers beside {size} and its flags make {either} mines, not {count}"
        if told is not None and skin.levels:
            raise MinesUnknown(f"{others}, which were given with --mines: give the right number")
        # What stands beside the board of a program that nobody knows may count anything.
        return Mines(count, others)
    if level is None or level == count:
        return Mines(count)
    source = "its counter shows" if shown is not None else "you say that it has"
    return Mines(count, f"{size} is the program's level with {level} mines, but {source} {count}")
