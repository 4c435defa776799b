"""A picture of a board becomes a reading: on the screen look after look, or once from a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

from bot.board import EXPLODED, FLAG, UNREAD, Board
from bot.frame import Frame, Grid, Reading, Status
from bot.game import Rules
from vision.counters.header import Header
from vision.finder import survey
from vision.finder.cutoff import doubts_about
from vision.finder.placing import Side
from vision.learning.learner import Learner
from vision.learning.learning_reader import LearningReader
from vision.skins import Skin
from vision.tracking.cells import Cells
from vision.tracking.lookalikes import is_weak, unknown_boards_in, without
from vision.tracking.tracker import Tracker, believable, standing

TileReader = Tracker | LearningReader
"""Whoever follows the tiles of one board."""


def tile_readers_of(frame: Frame, skins: Iterable[Skin]) -> tuple[list[TileReader], list[str]]:
    """Who can read the boards of a picture, of known skins and of others, before they have looked.

    Returns:
        One a board, and a remark for each that is seen but cannot be used.
    """
    sightings, remarks = survey(frame, skins)
    weak = [one for one in sightings if is_weak(one) and not one.skin.learned]
    trusted = [one.grid for one in sightings if one not in weak]
    unknown, cut = unknown_boards_in(frame, weak, trusted, remarks)
    # A remark may be about this very board, which only looks like a known skin.
    doubted = bool(remarks or weak)
    sure = [one for one in unknown if not doubted or UNREAD not in one.result.codes]
    known = without(sightings, [one.grid for one in sure])
    tile_readers = [tile_reader_of(one.grid, one.skin, None, unsure=one.unsure) for one in known]
    tile_readers += [LearningReader(one.grid, one.learner, unsure=one.unsure) for one in sure]
    return tile_readers, remarks + cut


def tile_reader_of(
    grid: Grid,
    skin: Skin,
    learner: Learner | None,
    whole: Callable[[Grid], bool] | None = None,
    unsure: tuple[Side, ...] = (),
) -> TileReader:
    """Return what follows a board: a skin that was learned goes on being learned.

    Args:
        grid: Where the board is.
        skin: What is known of its skin.
        learner: Where it was never seen before.
        whole: On a screen, whether nothing lies over a board.
        unsure: Sides at which nothing tells whether the board ends there.
    """
    if learner is not None:
        return LearningReader(grid, learner, whole=whole, unsure=unsure)
    if skin.learned:
        learner = Learner(skin.name, Cells(grid).size, skin)
        return LearningReader(grid, learner, skin, whole=whole, unsure=unsure)
    return Tracker(grid, skin, unsure=unsure)


def reading_of(
    frame: Frame,
    tile_reader: TileReader,
    header: Header,
    status: Status = Status.PLAYING,
    rules: Rules = Rules.CLASSIC,
    *,
    doubt_hints: bool = False,
) -> Reading:
    """Return what a frame shows: the tiles, and what stands around them.

    Args:
        frame: The frame that the tile reader has seen.
        tile_reader: Knows the tiles.
        header: Knows what is around them.
        status: BLOCKED, or else the tiles tell.
        rules: Which game.
        doubt_hints: Whether hints that cannot all be true become UNREAD, so that no move relies on
            them. Of a picture, they are told as they were read.
    """
    codes = believable(tile_reader.codes, rules, flood=tile_reader.flood, doubt_hints=doubt_hints)
    shown = header.read(frame, tile_reader.grid, tile_reader.skin, _counted(codes, rules))
    board = Board(codes, shown.mines)
    if status is not Status.BLOCKED:
        status = standing(board, tile_reader.skin, rules)
    return Reading(
        frame,
        header.placed(tile_reader.grid),
        board,
        status,
        tile_reader.confidence,
        shown.mines_left,
        shown.clock,
        shown.remarks + doubts_about(tile_reader.unsure),
    )


def _counted(codes: NDArray[np.int8], rules: Rules) -> NDArray[np.int8]:
    """Return the tiles as a mine counter takes them.

    In the game of digging it takes off dug mines too.
    """
    if rules is Rules.DIGGING:
        return np.where(codes == EXPLODED, np.int8(FLAG), codes)
    return codes
