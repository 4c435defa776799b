"""Boards of skins never seen: found by their lattice, believed by the rules of the game.

The eye proposes rectangles of equal cells (`vision.finding.outline`); a first lesson
(`vision.learning.learner`) tells whether what they show can be a game of Minesweeper at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from bot.board import COVERED, UNREAD
from bot.frame import Frame, Grid
from vision.finder import Sighting, grid_of
from vision.finding.lattice import Lattice, find_lattices
from vision.finding.outline import find_outlines
from vision.following.cells import Cells
from vision.learning.learner import Learner, Lesson
from vision.skins import Skin

UNSEEN: Final = "unseen"
"""What a skin is called before it has a name."""


@dataclass(frozen=True, eq=False)
class Stranger:
    """A board of a skin never seen."""

    grid: Grid
    learner: Learner
    lesson: Lesson

    @property
    def skin(self) -> Skin:
        """What is known of its skin so far."""
        return self.learner.skin()

    @property
    def sighting(self) -> Sighting:
        """As boards of known skins are seen, with what is known of the skin so far."""
        read = float((self.lesson.codes != UNREAD).mean())
        return Sighting(self.grid, self.skin, self.lesson.codes, read)

    @property
    def fresh(self) -> bool:
        """Whether nothing is opened: then only the look of its cells speaks for it."""
        return bool((self.lesson.codes == COVERED).all())


def find_strangers(frame: Frame, known: Sequence[Grid] = ()) -> list[Stranger]:
    """The boards that no skin reads.

    Args:
        frame: Any part of the desktop, or a picture.
        known: Boards that were found with a skin.
    """
    image, scale, region = frame.image, frame.scale, frame.region

    def taken(lattice: Lattice) -> bool:
        x, y = lattice.center
        return any(
            grid.region.holds((region.left + x / scale, region.top + y / scale)) for grid in known
        )

    strangers = []
    for outline in find_outlines(image, find_lattices(image), taken):
        grid = grid_of(frame, outline.place, outline.span)
        cells = Cells(grid)
        learner = Learner(UNSEEN, cells.size)
        lesson = learner.see(cells.tiles(frame), grid.rows, grid.cols)
        if lesson.believable:
            strangers.append(Stranger(grid, learner, lesson))
    return strangers


def skin_name(title: str) -> str:
    """A skin's name made of a window's title."""
    words = re.findall(r"[a-z0-9]+", title.casefold())
    return "-".join(words)[:60].strip("-") or UNSEEN


def free_name(name: str, skins: Iterable[Skin]) -> str:
    """The name, with a number behind it where a skin has it already."""
    taken = {skin.name for skin in skins}
    names = (name, *(f"{name}-{number}" for number in range(2, len(taken) + 3)))
    return next(one for one in names if one not in taken)
