"""Analysis of a picture: its boards, the solver's results, and the open questions.

Shared by the terminal and the panel; nothing here prints or paints.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.analysis import Analysis
from bot.board import UNREAD, Board, Cell, InconsistentBoard
from bot.frame import Frame, Grid, Reading, Status
from bot.loop import unplayed_turn
from bot.unread import Unread
from vision import SUPPORTED
from vision.counters.header import Header
from vision.counters.mines import MinesUnknown
from vision.finder import BoardCut, BoardNotFound
from vision.finder.cutoff import CutOff
from vision.finder.unknown_boards import unknown_board_at
from vision.learning.learning_reader import LearningReader
from vision.skins import Skin
from vision.tracking.tile_reader import (
    TileReader,
    prove_marks,
    reading_of,
    tile_readers_of,
)

_NAMED: Final = 8
"""Number of unread tiles of one cause that are listed; the others are counted."""

Solve = Callable[[Board], Analysis]
ReportProgress = Callable[[float | None, str], None]
"""Called with the share of the work done, 0..1 if known, and the current task."""


@dataclass(frozen=True, eq=False)
class AnalysedBoard:
    """A board of a picture with its results."""

    tile_reader: TileReader
    """The reader of the board, used again after answers."""
    frame: Frame
    """The picture."""
    reading: Reading | None
    """None if it could not be read."""
    analysis: Analysis | None
    """None if the game is over, a tile was not read, or the board is inconsistent."""
    trouble: str = ""
    """The reason why it could not be read or analysed; else empty."""

    @property
    def grid(self) -> Grid:
        """The board's grid."""
        return self.tile_reader.grid if self.reading is None else self.reading.grid

    @property
    def skin(self) -> Skin:
        """The board's skin."""
        return self.tile_reader.skin

    @property
    def whole(self) -> bool:
        """Whether the whole board was read and is consistent."""
        return not self.trouble and self.reading is not None and not self.reading.unread

    @property
    def tiles(self) -> NDArray[np.int8]:
        """The tiles as read, even if the number of mines is unknown."""
        return self.tile_reader.codes if self.reading is None else self.reading.board.tiles

    def why_unread(self, cell: Cell) -> Unread:
        """Return why a tile is unread."""
        if self.reading is None:
            return self.tile_reader.why_unread(cell)
        return self.reading.unread[cell]

    @property
    def title(self) -> str:
        """Its size and its skin as text."""
        return f"{self.grid.cols} x {self.grid.rows} cells, {self.skin.label}"


def analyse_image(
    frame: Frame,
    skins: Iterable[Skin],
    mines: int | None,
    solve: Solve | None,
    report: ReportProgress = lambda _share, _words: None,
    marked: Grid | None = None,
) -> tuple[list[AnalysedBoard], list[str]]:
    """Find and analyse every board in a picture; an unusable one does not hide others.

    Args:
        frame: The picture.
        skins: The known skins.
        mines: Number of mines on each board, if the picture does not show it.
        solve: Analyses a board; None to read only.
        report: Receives the progress; may raise to cancel.
        marked: The only board, if the user has marked it; it is read without a skin.

    Returns:
        The boards, and a remark for each board that is incomplete.

    Raises:
        BoardNotFound: The picture contains no board.
        BoardCut: The picture contains only part of a board.
    """
    report(None, "Looking for boards")
    if marked is None:
        tile_readers, remarks = tile_readers_of(frame, skins)
    else:
        board = unknown_board_at(frame, marked)
        tile_readers, remarks = [LearningReader(marked, board.learner)], []
    if not tile_readers and any(isinstance(remark, CutOff) for remark in remarks):
        raise BoardCut("; ".join(remarks))
    if not tile_readers:
        none = (
            f"no Minesweeper board found in this picture. {SUPPORTED}; a dark or blurred picture "
            "may not be"
        )
        raise BoardNotFound("; ".join(remarks) or none)
    found = []
    for number, tile_reader in enumerate(tile_readers):
        report(number / len(tile_readers), f"Reading board {number + 1} of {len(tile_readers)}")
        tile_reader.see(frame)
        if isinstance(tile_reader, LearningReader):
            tile_reader.conclude()
        found.append(read_again(frame, tile_reader, mines, solve))
    return found, remarks


def read_again(
    frame: Frame, tile_reader: TileReader, mines: int | None, solve: Solve | None
) -> AnalysedBoard:
    """Read a board again with a tile reader that may have new answers."""
    remarks = prove_marks(tile_reader)
    header = Header(frame, tile_reader.grid, mines)
    try:
        reading = reading_of(frame, tile_reader, header)
    except MinesUnknown as error:
        return AnalysedBoard(tile_reader, frame, None, None, str(error))
    reading = replace(reading, remarks=(*reading.remarks, *remarks))
    if solve is None or reading.status is not Status.PLAYING or UNREAD in reading.board.tiles:
        return AnalysedBoard(tile_reader, frame, reading, None)
    try:
        turn = unplayed_turn(reading, solve(reading.board))
    except InconsistentBoard as error:
        return AnalysedBoard(tile_reader, frame, reading, None, str(error))
    return AnalysedBoard(tile_reader, frame, reading, turn.analysis)


def unread_lines(reading: Reading) -> list[str]:
    """Return how many tiles are unread, if any, and a line for each cause with its tiles."""
    count, alike = len(reading.unread), defaultdict[str, list[Cell]](list)
    for cell in reading.unread:
        alike[reading.why_unread(cell)].append(cell)
    tiles = "1 tile (~) was" if count == 1 else f"{count} tiles (~) were"
    lines = [f"{tiles} not recognised."] if count else []
    for why, cells in alike.items():
        named = "; ".join(cell.position_text for cell in cells[:_NAMED])
        more = f"; and {len(cells) - _NAMED} more" if len(cells) > _NAMED else ""
        lines.append(f"{named[0].upper()}{named[1:]}{more}: {why}")
    return lines


def header_text(reading: Reading) -> str:
    """Return the values beside the board that were read, as text."""
    left = "" if reading.mines_left is None else f", its counter shows {reading.mines_left}"
    return left if reading.clock is None else f"{left}, its clock {reading.clock} s"
