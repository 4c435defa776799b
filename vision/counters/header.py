"""The mine counter and the clock around a board, in each reading.

The number of mines is determined at the first reading and again for every fresh board. During a
game, the counter and the flags must add up to that number; if they do not, the reading reports it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from bot.board import COVERED
from bot.frame import Frame, Grid, Region
from vision.counters import DENSEST, find_counters, seen_again
from vision.counters.mines import (
    KnownBoards,
    Mines,
    Recalled,
    as_before,
    decided,
    determine_mines,
    level_mines,
    proved_side,
    revealed_mines,
    shown_mines,
    sided,
    undecided_mines,
)
from vision.desktop import Window
from vision.focus import names_program
from vision.skins import Skin

_AROUND: Final = 5
"""Pitches around a board within which its counters are searched."""
_AROUND_POINTS: Final = 260


@dataclass(frozen=True)
class Shown:
    """The values read around a board."""

    mines: int
    assumed: bool
    """Whether `mines` is only assumed; see `Mines.assumed`."""
    mines_left: int | None
    clock: int | None
    remarks: tuple[str, ...]


class Header:
    """Follows the surroundings of one board; `given` is the number of mines that the user gave."""

    def __init__(
        self,
        frame: Frame,
        grid: Grid,
        given: int | None,
        window: Window | None = None,
        known: KnownBoards | None = None,
    ) -> None:
        self._given = given
        self._window = window
        self._remembered = known or KnownBoards()
        self._mines: Mines | None = None
        self._noted: int | None = None
        """Number of mines by the counter that was registered last."""
        self.proved: int | None = None
        """Number of mines that the last game has shown when it was lost, or proved by its hints."""
        self.alone: int | None = None
        """The only number beside the board at the last reading, if the board was fresh."""
        self._shown: int | None = None
        """The counter's value at the last reading, if the board was fresh."""
        self.side: Literal["left", "right"] | None = None
        """The side of the mine counter among two numbers, if the game in progress decides it."""
        self.replacement: int | None = None
        """Number of mines of the game in progress if its hints contradict the decided one."""
        self._backed = False
        """Whether the only number beside the board is the number of mines that was decided."""
        self.find(frame, grid)

    def find(self, frame: Frame, grid: Grid) -> None:
        """Search for the counters at the board's current position; the game goes on."""
        self.frame = frame
        """The frame in which the counters were searched."""
        self._counters = self._decided = find_counters(frame, grid)

    def answer(self, mines: int) -> None:
        """Use the user's number of mines from the next reading on."""
        self._given, self._mines = mines, None

    def placed(self, grid: Grid) -> Grid:
        """Return the grid with the positions of the counters."""
        counters = self._decided.either[0] if self._decided.either else self._decided
        return replace(grid, mine_counter=counters.mine_counter, clock=counters.clock)

    def read(self, frame: Frame, grid: Grid, skin: Skin, codes: NDArray[np.int8]) -> Shown:
        """Return the values in a frame; `codes` (rows, cols) int8 is the board in the same frame.

        Raises:
            MinesUnknown: The number of mines must be given, or the given one is wrong.
        """
        counters = seen_again(frame, self._counters)
        named = _names(skin, self._window)
        read = counters
        counters = sided(counters, skin.counter if named else None)
        fresh = bool((codes == COVERED).all())
        alone = counters.alone if fresh and (skin.learned or not named) else None
        self.alone = None if alone is None else alone.mines_left
        labelled = counters.worded
        fitting = self._remembered.alone_fits(self._window, skin)
        if fresh:  # A fresh board may have another number of mines than the last one.
            counters = decided(counters, codes, None)
        plausible = self.alone is not None and 0 < self.alone <= DENSEST * codes.size
        may_be = self.alone if fitting != frozenset() and plausible else None
        if alone is not None and may_be is not None and len(fitting or ()) > 1:
            counters, may_be = alone, None
        counters = self._decided = decided(counters, codes, self._known(skin, grid, named=named))
        self._note_revealed(skin, grid, codes, fresh=fresh)
        shown = shown_mines(counters, codes)
        if shown is not None and self._remembered.is_refuted(
            self._window, skin, grid.rows, grid.cols, shown
        ):
            shown = None
        if self._mines is None or self._changed(may_be if shown is None else shown, fresh=fresh):
            others = undecided_mines(counters, codes)
            recalled = self._recalled(skin, grid)
            self._mines = determine_mines(
                skin,
                grid,
                self._given,
                shown,
                others,
                recalled,
                may_be,
                labelled=labelled,
                named=named,
            )
            self._backed = may_be == self._mines.number
        mines, remark, assumed = self._mines
        if fresh:
            self.replacement = None
        elif self.replacement is not None:
            mines, assumed = self.replacement, True
        if not fresh:
            self.side = proved_side(read, codes, mines) or self.side
        if self.alone is not None and (fitting is None or self.alone == mines):
            self.note_alone(skin, mines)
        if shown == mines != self._noted:
            self._noted = mines
            self._remembered.note_counter(self._window, skin, grid.rows, grid.cols, mines)
        remarks = [remark] if remark else []
        if shown is not None and shown != mines:
            remarks.append(
                f"the mine counter and the flags make {shown} mines, but this game began "
                f"with {mines}"
            )
        # A ratio that does not fit the flags counts something else.
        believed = counters.mines_total is None or shown_mines(counters, codes) is not None
        left = counters.mines_left if believed else None
        return Shown(mines, assumed, left, counters.seconds, tuple(remarks))

    @property
    def usual(self) -> int | None:
        """The number of mines, if only the board's size determines it."""
        if self._mines is None or not self._mines.assumed or self._backed:
            return None
        return self._mines.number

    def _note_revealed(
        self, skin: Skin, grid: Grid, codes: NDArray[np.int8], *, fresh: bool
    ) -> None:
        """Assume the mines of a lost game for the next one, if only the board's size sets them.

        Mines may be shown one after the other: the last reading of the game counts.
        """
        if not fresh:
            revealed = revealed_mines(codes)
            self.proved = self.proved if revealed is None else revealed
        elif self.proved is not None:
            size = grid.rows, grid.cols
            if self.usual not in (None, self.proved) and not self._remembered.is_refuted(
                self._window, skin, *size, self.proved
            ):
                self._mines = as_before(grid, skin, self.proved)
            self.proved = None

    def note_alone(self, skin: Skin, mines: int) -> None:
        """Register the number of mines of a board with a single number beside it."""
        fitting = self._remembered.alone_fits(self._window, skin)
        if self.alone is None or fitting == frozenset():
            return
        fits = self.alone == mines
        if not fits or self.alone not in (fitting or ()):
            self._remembered.note_alone(self._window, skin, self.alone, fits=fits)

    @property
    def undecided(self) -> bool:
        """Whether another reading of the same picture may give another number of mines."""
        known = self._mines.number if self._mines is not None else None
        return self._shown not in (None, known)

    def _known(self, skin: Skin, grid: Grid, *, named: bool) -> int | None:
        """Return the mines of this game as far as they are known without its counter."""
        if self._mines is not None:
            return self._mines.number
        level = level_mines(skin, grid, named=named)
        recalled = self._recalled(skin, grid)
        said = (self._given, recalled.shown, level[0], recalled.said, level[1])
        return next((number for number in said if number is not None), None)

    def _recalled(self, skin: Skin, grid: Grid) -> Recalled:
        return self._remembered.recall(self._window, skin, grid.rows, grid.cols)

    def _changed(self, shown: int | None, *, fresh: bool) -> bool:
        """Return whether a fresh board has another number of mines, in two readings in a row."""
        before, self._shown = self._shown, shown if fresh else None
        known = self._mines.number if self._mines is not None else None
        return self._shown is not None and self._shown == before != known


def _names(skin: Skin, window: Window | None) -> bool:
    """Return whether a skin names the program of a window; see `determine_mines`."""
    if window is None:
        return True
    return window.title == skin.title if skin.learned else names_program(skin, window)


def around(grid: Grid, window: Window | None) -> Region:
    """Return the board and the part of its window that may contain its counters."""
    reach = round(_AROUND * max(grid.pitch_x, grid.pitch_y)) + _AROUND_POINTS
    board = grid.region
    near = Region(
        board.left - reach, board.top - reach, board.width + 2 * reach, board.height + 2 * reach
    )
    return (near.intersection(window.region) or near) if window else near
