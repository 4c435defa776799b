"""Find boards of unknown skins by their lattice, and check them by the rules of the game.

`vision.finder.outline` proposes rectangles of equal cells. A first pass of the learner
(`vision.learning.learner`) decides whether they can show a game of Minesweeper.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Final

from bot.board import COVERED, UNREAD
from bot.frame import Frame, Grid, Region
from vision import LEAST_CELL
from vision.finder import Sighting, grid_of, place_of
from vision.finder.cutoff import CutOff, area_of, extent_of
from vision.finder.lattice import BLURS, FAINT, Lattice, bridged, edges, find_lattices
from vision.finder.outline import edged, find_outlines, sharpened
from vision.finder.placing import Rectangle, Side, Span
from vision.learning.learner import Learner, see_board
from vision.learning.questions import LearningResult
from vision.skins import Skin, is_reserved
from vision.skins.skin import LEARNED, UNSEEN
from vision.tracking.cells import Cells

_GAPS: Final = tuple(LEAST_CELL << doubled for doubled in range(5))
"""Pixels between the corners of rounded cells that touch, at most."""
_BLURRED: Final = 0.5
"""Share of unread tiles above which a scaled board may begin elsewhere than it seems."""


@dataclass(frozen=True, eq=False)
class UnknownBoard:
    """A board of a skin never seen."""

    grid: Grid
    learner: Learner
    result: LearningResult
    unsure: tuple[Side, ...] = ()
    """Sides at which the end of the board is uncertain."""

    @property
    def skin(self) -> Skin:
        """What is known of its skin so far."""
        return self.learner.skin()

    @property
    def sighting(self) -> Sighting:
        """As boards of known skins are seen, with what is known of the skin so far."""
        read = float((self.result.codes != UNREAD).mean())
        return Sighting(self.grid, self.skin, self.result.codes, read, self.unsure)

    @property
    def fresh(self) -> bool:
        """Whether nothing is opened: then only the look of its cells is evidence of a board."""
        return bool((self.result.codes == COVERED).all())


def find_unknown_boards(
    frame: Frame,
    known: Sequence[Grid] = (),
    remarks: Sequence[str] = (),
    shown: Sequence[Region] = (),
    *,
    again: bool = False,
) -> tuple[list[UnknownBoard], list[str]]:
    """Return the boards that no skin reads, beside those that are known.

    `remarks` are those of `survey`: no part of a board that it saw is taken for an unknown one.
    `shown` as there. `again` is whether a board was seen here before: a frame that is now missing
    was left out of sight.

    Returns:
        The boards; and a remark for each of which only a part is visible.
    """
    image, scale, region = frame.image, frame.scale, frame.region

    def taken(lattice: Lattice) -> bool:
        x, y = lattice.center
        return any(
            grid.region.contains((region.left + x / scale, region.top + y / scale))
            for grid in known
        )

    refused = [remark.grid for remark in remarks if isinstance(remark, CutOff)]
    unknown: list[UnknownBoard] = []
    cut: list[str] = []
    tried = set[tuple[int, int, Region]]()
    # Only a blurred picture shows the faces of hatched cells.
    lattices = cache(partial(find_lattices, image))
    marks = cache(partial(edges, image))

    def across_gaps(gap: int) -> list[Lattice]:
        return find_lattices(image, found=bridged(marks(), gap))

    ways: list[tuple[Callable[[], list[Lattice]], bool, bool]] = [
        *((partial(lattices, blur), False, False) for blur in (*BLURS, FAINT)),
        (partial(lattices, 0), True, False),
        # Lines of text may look like a part of a board then.
        (partial(lattices, 0, diagonal=True), False, True),
        (partial(lattices, 0, apart=True), True, True),
        *((partial(across_gaps, gap), False, True) for gap in _GAPS),
    ]
    # On a screen, a board without an opened cell counts only in a window that names the game.
    checkered = again or bool(shown)
    for find, oblong, whole in ways:
        for outline in find_outlines(image, find(), taken, checkered=checkered, oblong=oblong):
            proposed = grid_of(frame, outline.place, outline.span)
            cells = proposed.rows, proposed.cols, proposed.region
            if cells in tried:
                continue
            tried.add(cells)
            seen = _read(frame, proposed)
            if _unread(seen) > _BLURRED:
                exact = sharpened(image, outline)
                if exact != outline.place:
                    other = _read(frame, grid_of(frame, exact, outline.span))
                    seen = min(seen, other, key=_unread)
            grid, learner, result = seen
            area = area_of(grid, shown)
            outside = bool(shown) and (
                area is None or area.intersection(grid.region) != grid.region
            )
            if not result.believable or any(_is_part(grid, part, outside) for part in refused):
                continue
            # No user can be asked whether a picture shows the whole board.
            picture = not (again or shown)
            extent = extent_of(
                frame, grid, result.codes, {}, area, known=again or picture, cropped=picture
            )
            evidence = extent.cut or (outline.cut and f"it is cut off at its {outline.cut}")
            if not evidence:
                unknown.append(UnknownBoard(grid, learner, result, extent.unsure))
            elif not whole:
                side = extent.side if extent.cut else outline.cut
                cut.append(CutOff("an unknown skin", grid, evidence, side))
        if unknown or cut:
            break
    return unknown, cut


def unknown_board_at(frame: Frame, grid: Grid) -> UnknownBoard:
    """Return the board of an unknown skin that the user has marked, even if not believable.

    If all of its cells look the same, they are covered, unless there is no edge around them.
    """
    grid, learner, result = _read(frame, grid)
    place = place_of(frame, grid)
    if len(learner.kinds()) == 1 and edged(
        frame.image, Rectangle(place, Span(0, 0, grid.rows, grid.cols))
    ):
        learner = Learner(UNSEEN, Cells(grid).size)
        tiles = learner.cut(Cells(grid), frame)
        learner.see_covered(tiles, grid.rows, grid.cols)
        result = learner.see(tiles, grid.rows, grid.cols)
    return UnknownBoard(grid, learner, result)


def _read(frame: Frame, grid: Grid) -> tuple[Grid, Learner, LearningResult]:
    """Return a board's grid, with what a learner makes of it at first sight."""
    cells = Cells(grid)
    learner = Learner(UNSEEN, cells.size)
    return grid, *see_board(learner, learner.cut(cells, frame), grid.rows, grid.cols)


def _unread(seen: tuple[Grid, Learner, LearningResult]) -> float:
    """Return the share of a board's tiles that are unread; all are if it cannot be a game."""
    _, _, result = seen
    return float((result.codes == UNREAD).mean()) if result.believable else 1.0


def _is_part(grid: Grid, part: Grid, outside: bool) -> bool:
    """Return whether a board lies within a part of one, or meets it and leaves its window."""
    one, other = grid.region, part.region
    if outside or one.intersection(other) is None:
        return one.intersection(other) is not None
    near = round(max(grid.pitch_x, grid.pitch_y) / 2)
    around = Region(
        other.left - near, other.top - near, other.width + 2 * near, other.height + 2 * near
    )
    return one.intersection(around) == one


def skin_name(title: str) -> str:
    """Return a skin's name made of a window's title or a file's name."""
    words = re.findall(r"[a-z0-9]+", title.casefold())
    name = "-".join(words)[:60].strip("-") or LEARNED
    return f"{name}-game" if is_reserved(name) or name == UNSEEN else name


def free_name(name: str, skins: Iterable[Skin]) -> str:
    """Return the name, with a number behind it where a skin has it already."""
    taken = {skin.name for skin in skins}
    names = (name, *(f"{name}-{number}" for number in range(2, len(taken) + 3)))
    return next(one for one in names if one not in taken)
