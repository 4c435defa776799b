"""How many mines a board has: by its counter, by the level of its size, by the user.

The counter on the screen comes first, because it knows the game that is on; then what
the user says; then the level of that size in the skin. Whoever is overruled is named in
a remark. A user who says something else than the counter is asked to decide: playing on
with a wrong number makes every probability wrong.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.board import FLAG, MISFLAG
from bot.frame import Grid
from vision.skins import Skin

if TYPE_CHECKING:
    from vision.numbers.counters import Counters


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


def settle_mines(skin: Skin, grid: Grid, told: int | None, shown: int | None) -> Mines:
    """The number of mines on a board.

    Args:
        skin: Knows the levels of its program.
        grid: Of the board.
        told: By the user.
        shown: By the counter; see `shown_mines`.

    Raises:
        MinesUnknown: Nobody says, so many do not fit, or the user and the counter
            contradict each other.
    """
    size = f"the {skin.name} board of {grid.rows} rows and {grid.cols} columns"
    if told is not None and not 0 < told < grid.rows * grid.cols:
        raise MinesUnknown(f"{told} mines do not fit on {size}: give the right number with --mines")
    if told is not None and shown is not None and told != shown:
        raise MinesUnknown(
            f"the counter of {size} shows {shown} mines, but {told} were given with --mines: "
            f"leave --mines out, or give {shown}"
        )
    level = skin.mines_of(grid.rows, grid.cols)
    count = next((number for number in (shown, told, level) if number is not None), None)
    if count is None:
        levels = ", ".join(f"{name} {r} x {c}" for name, (r, c, _) in skin.levels.items())
        raise MinesUnknown(
            f"{size} has no counter that could be read, and is no level that is known "
            f"({levels or 'none is'}): say how many mines with --mines"
        )
    if level is None or level == count:
        return Mines(count)
    source = "its counter shows" if shown is not None else "you say that it has"
    return Mines(count, f"{size} is the program's level with {level} mines, but {source} {count}")
