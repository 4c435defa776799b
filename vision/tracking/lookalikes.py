"""Bundled skins as a prior: which boards they may claim, and the change to the learning reader.

A skin that fits a board need not be that of its program. The program is known if its window has the
class that the skin names. Any other board that a skin fits is a look-alike: the skin reads it as
long as it can read all of it. When a tile stays unread, the learning reader takes over, with the
skin's pictures as a prior.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.board import COVERED, FLAG, UNREAD
from bot.frame import Frame, Grid, Region
from bot.planner import Move
from vision.desktop import Window
from vision.finder import Sighting
from vision.finder.growing import READ
from vision.finder.unknown_boards import UnknownBoard, find_unknown_boards
from vision.focus import names_program
from vision.learning.learner import Learner
from vision.skins import Skin
from vision.skins.skin import UNSEEN
from vision.tracking.cells import Cells, near


@dataclass(frozen=True)
class WholeReading:
    """A reading without an unread tile."""

    grid: Grid
    frame: Frame
    codes: NDArray[np.int8]

    @property
    def fresh(self) -> bool:
        """Whether every cell is covered."""
        return bool((self.codes == COVERED).all())

    def beside(self, one: Grid, other: Grid) -> WholeReading:
        """Return the reading in the cells of `other`, if its own are now those of `one`."""
        dx, dy = round(self.grid.left - one.left), round(self.grid.top - one.top)
        return replace(self, grid=other.moved(dx, dy))


LOOKALIKE_SECONDS: Final = 0.7
"""Seconds that a tile of a look-alike must stay unread before the learning reader takes over. By
then the loop has parked the pointer (after 0.5 s): some programs draw the cell under it
differently."""


def is_lookalike(skin: Skin, window: Window | None) -> bool:
    """Return whether a bundled skin fits a board in a window of another program."""
    return window is not None and not skin.learned and not names_program(skin, window)


def is_weak(sighting: Sighting) -> bool:
    """Return whether so much of a board is unread that its skin may be another one."""
    return sighting.confidence < READ


def is_doubtful(sighting: Sighting, window: Window | None) -> bool:
    """Return whether a bundled skin matches another program's board but leaves many tiles unread.

    A program that the skin names may have another font or theme: that is detected later.
    """
    return is_weak(sighting) and is_lookalike(sighting.skin, window)


def unknown_boards_in(
    frame: Frame,
    claims: Sequence[Sighting],
    known: Sequence[Grid] = (),
    remarks: Sequence[str] = (),
    shown: Sequence[Region] = (),
) -> tuple[list[UnknownBoard], list[str]]:
    """Return the boards of unknown skins, each with the skin that claims its place.

    Claims were found with a skin that may be wrong. Otherwise as `find_unknown_boards`.
    """
    unknown, cut = find_unknown_boards(frame, known, remarks, shown)
    for one in unknown:
        skins = (claim.skin for claim in claims if overlap(claim.grid, one.grid))
        one.learner.resembled = next(skins, None)
    return unknown, cut


def unknown_board_in_cells(
    frame: Frame,
    claim: Sighting,
    before: WholeReading | None = None,
    moves: tuple[Move, ...] = (),
) -> UnknownBoard | None:
    """Return the board in the cells that a skin claims; None if it cannot be a game.

    `before` is the last reading of all of the board, if there was one: the changes since then, by
    these moves, show the states of its tiles. If all of it was covered, those tiles are known.
    """
    grid = claim.grid
    cells = Cells(grid)
    learner = Learner(UNSEEN, cells.size)
    learner.resembled = claim.skin
    if before is not None and (before.grid.rows, before.grid.cols) == (grid.rows, grid.cols):
        earlier = learner.cut(Cells(before.grid), before.frame)
        see = learner.see_covered if before.fresh else learner.see
        see(earlier, grid.rows, grid.cols)
    learner.note_moves(moves)
    tiles = learner.cut(cells, frame)
    result = learner.see(tiles, grid.rows, grid.cols)
    if not result.believable and learner.conclude():
        result = learner.see(tiles, grid.rows, grid.cols)
    return UnknownBoard(grid, learner, result, claim.unsure) if result.believable else None


def unknown_board_instead(
    frame: Frame,
    claim: Sighting,
    before: WholeReading | None = None,
    moves: tuple[Move, ...] = (),
) -> UnknownBoard | None:
    """Return the board that a skin claims as one of an unknown skin; None if impossible.

    Both the cells that the skin found and those that are found without it are learned from. Of two
    lattices at the same place the better one leaves fewer tiles unread, and then has fewer kinds of
    tile: a lattice that is one pixel off includes different parts of the neighbours in each tile.
    `before` and `moves` as of `unknown_board_in_cells`, for both lattices.
    """
    here = unknown_board_in_cells(frame, claim, before, moves)
    there = next(
        (one for one in unknown_boards_in(frame, [claim])[0] if overlap(one.grid, claim.grid)), None
    )
    if there is not None and before is not None and near(there.grid, claim.grid):
        # The earlier board had this lattice, too, which begins some pixels beside the claimed one.
        at = replace(claim, grid=there.grid, unsure=there.unsure)
        again = unknown_board_in_cells(frame, at, before.beside(claim.grid, there.grid), moves)
        misread = before.fresh and FLAG in there.result.codes
        there = again if again is not None or misread else there
    if here is None or there is None or not near(here.grid, there.grid):
        return there or here
    return min(here, there, key=_blur)


def unknown_board_in(frame: Frame, grid: Grid, codes: NDArray[np.int8]) -> UnknownBoard | None:
    """Return a board of a known program as one of an unknown skin: another theme or font.

    Only if it is then read without an unread tile, or if the skin reads no opened cell at all. Not
    if the skin read more hints than it left tiles unread, or every tile, some of them closed: then
    the skin is the right one, and the board opens slowly.

    Args:
        frame: The board's surroundings.
        grid: The board's grid.
        codes: (rows, cols) int8, the skin's reading.
    """
    unread = np.count_nonzero(codes == UNREAD)
    if np.count_nonzero(codes >= 1) > unread or (unread == 0 and (codes < 0).any()):
        return None
    for found in find_unknown_boards(frame)[0]:
        same = overlap(found.grid, grid)
        if same and (UNREAD not in found.result.codes or not (codes >= 0).any()):
            return found
    return None


def _blur(found: UnknownBoard) -> tuple[int, int]:
    """Return the numbers of unread tiles and of kinds of tile."""
    unread = int(np.count_nonzero(found.result.codes == UNREAD))
    return unread, len(found.learner.kinds())


def overlap(one: Grid, other: Grid) -> bool:
    """Return whether two boards share a part of the screen."""
    return one.region.intersection(other.region) is not None


def without(sightings: Iterable[Sighting], others: Sequence[Grid]) -> list[Sighting]:
    """Return the sightings that share no part of the screen with other boards."""
    return [one for one in sightings if not any(overlap(one.grid, grid) for grid in others)]
