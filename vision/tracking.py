"""Following one board: what its tiles say, one look after another, and how the game stands.

A look costs only what has changed since the last one: cells whose pixels are the same
keep their reading.
"""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.board import EXPLODED, FLAG, MINE, UNOPENED, UNREAD, Board
from bot.frame import Frame, Grid, Status
from vision.matcher import Matcher
from vision.placing import cut_tiles, gather_tiles
from vision.skins import Skin


class MinesUnknown(RuntimeError):
    """Neither the skin's levels nor the user say how many mines a board has, or too many."""


class Tracker:
    """What is read of a board: one look after another, changed cells alone."""

    def __init__(self, grid: Grid, skin: Skin, matcher: Matcher | None = None) -> None:
        self.grid = grid
        self.skin = skin
        self.matcher = matcher or Matcher(skin)
        self.codes: NDArray[np.int8] = np.full((grid.rows, grid.cols), UNREAD, np.int8)
        self.confidence: NDArray[np.float32] = np.zeros((grid.rows, grid.cols), np.float32)
        self._size = (
            max(round(grid.pitch_x * grid.scale), 1),
            max(round(grid.pitch_y * grid.scale), 1),
        )
        self._last: Frame | None = None

    def see(self, frame: Frame) -> bool:
        """Read a frame; whether anything in the picture has changed, on the board or near it."""
        last, self._last = self._last, frame
        comparable = (
            last is not None
            and last.region == frame.region
            and last.image.shape == frame.image.shape
        )
        if last is None or not comparable:
            self._read(frame, np.ones(self.codes.shape, bool))
            return True
        if cv2.norm(frame.image, last.image, cv2.NORM_INF) == 0:
            return False
        self._read(frame, self._changed(frame, last))
        return True

    def _read(self, frame: Frame, changed: NDArray[np.bool_]) -> None:
        rows, cols = np.nonzero(changed)
        if not len(rows):
            return
        tops = self.grid.row_edges(frame.region)
        lefts = self.grid.column_edges(frame.region)
        if len(rows) == changed.size:
            tiles = cut_tiles(frame.image, tops[:-1], lefts[:-1], self._size)
        else:
            tiles = gather_tiles(frame.image, tops[rows], lefts[cols], self._size)
        codes, confidence = self.matcher.match(tiles)
        self.codes, self.confidence = self.codes.copy(), self.confidence.copy()
        self.codes[rows, cols] = codes
        self.confidence[rows, cols] = confidence

    def _changed(self, frame: Frame, last: Frame) -> NDArray[np.bool_]:
        """(rows, cols): the cells of which a pixel is another one."""
        tops = self.grid.row_edges(frame.region)
        lefts = self.grid.column_edges(frame.region)
        height, width = frame.image.shape[:2]
        if tops[0] < 0 or lefts[0] < 0 or tops[-1] > height or lefts[-1] > width:
            return np.ones(self.codes.shape, bool)
        board = slice(tops[0], tops[-1]), slice(lefts[0], lefts[-1])
        differs = cv2.absdiff(frame.image[board], last.image[board])
        flat = differs.reshape(differs.shape[0], -1)
        # Not `reduceat`, which is ten times slower along this axis.
        bands = np.stack([flat[one:other].max(axis=0) for one, other in pairwise(tops - tops[0])])
        changed: NDArray[np.bool_] = (
            np.maximum.reduceat(bands, 3 * (lefts[:-1] - lefts[0]), axis=1) > 0
        )
        return changed


def mines_on(skin: Skin, grid: Grid, mines: int | None) -> int:
    """The number of mines: what the user says, else the skin's level of that size.

    Raises:
        MinesUnknown: Neither says, or so many do not fit.
    """
    known = skin.mines_of(grid.rows, grid.cols) if mines is None else mines
    if known is None:
        levels = ", ".join(f"{name} {r} x {c}" for name, (r, c, _) in skin.levels.items())
        raise MinesUnknown(
            f"the {skin.name} board has {grid.rows} rows and {grid.cols} columns, which is no "
            f"level that is known ({levels or 'none is'}): say how many mines with --mines"
        )
    if not 0 < known < grid.rows * grid.cols:
        raise MinesUnknown(
            f"{known} mines do not fit on the {skin.name} board of {grid.rows} rows and "
            f"{grid.cols} columns: give the right number with --mines"
        )
    return known


def impossible_zeros(codes: NDArray[np.int8]) -> NDArray[np.bool_]:
    """(rows, cols) bool: zeros beside a cell that is not open. A zero opens its neighbours."""
    closed = np.isin(codes, UNOPENED).astype(np.uint8)
    beside = cv2.dilate(closed, np.ones((3, 3), np.uint8)) > 0
    impossible: NDArray[np.bool_] = (codes == 0) & beside
    return impossible


def believable(codes: NDArray[np.int8]) -> NDArray[np.int8]:
    """The tiles as read, less the zeros that cannot be.

    A zero opens all its neighbours. One beside a cell that is not open is a covered cell
    that is held down (most skins draw both alike), or a region that is still opening: it
    becomes UNREAD, and the next look tells.
    """
    return np.where(impossible_zeros(codes), np.int8(UNREAD), codes)


def status_of(board: Board, *, flags_to_win: bool = False) -> Status:
    """How the game stands by its tiles alone; a board that is blocked is not judged here."""
    tiles = board.tiles
    if ((tiles == EXPLODED) | (tiles == MINE)).any():
        return Status.LOST
    closed = tiles[tiles < 0]
    won = closed.size == board.mines and not (closed == UNREAD).any()
    if won and flags_to_win:
        won = bool((closed == FLAG).all())
    return Status.WON if won else Status.PLAYING


def standing(board: Board, skin: Skin) -> Status:
    """How the game stands by the rules of the skin's program."""
    return status_of(board, flags_to_win=skin.flags_to_win)
