"""What the user can be asked about a tile, in words: shared by the panel and the command line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from bot.board import COVERED, EXPLODED, FLAG, MINE, MISFLAG, QUESTION, Cell
from bot.frame import Frame, Grid, Reading, Region

if TYPE_CHECKING:
    # Words load nothing of the eye.
    from vision.learning.learner import Question

STATE_WORDS: Final[dict[int, str]] = {
    0: "empty",
    **{hint: str(hint) for hint in range(1, 9)},
    COVERED: "covered",
    FLAG: "flag",
    QUESTION: "question mark",
    MINE: "mine",
    EXPLODED: "exploded mine",
    MISFLAG: "wrong flag",
}
"""Every state that a tile can have, in the order in which they are offered."""

_NAMED: Final = 2
"""Cells named one by one; the others are counted."""
_REACH: Final = 3
"""Cells on each side of the tile that are shown with it."""
_FRAME_COLOR: Final = (0, 0, 255)


@dataclass(frozen=True, eq=False)
class ProgramQuestion:
    """A question about the program that is played, and not about a tile."""

    title: str
    """What is asked."""
    why: str
    picture: NDArray[np.uint8]
    """(h, w, 3) uint8 BGR, the window as it looks."""
    leave: str
    """What it means to leave it open."""
    by_user: str = ""
    """What it means to answer `ByUser`; empty if that is no answer."""
    yes: str = ""
    """What it means to answer `Yes`; empty if that is no answer."""
    buttons: tuple[Region, ...] = ()
    """What looks like buttons in the picture, in pixels, the likeliest first."""
    keys: bool = True
    """Whether a key is an answer."""
    key: str = ""
    """A key that may be the answer."""
    points: bool = False
    """Whether a place in the picture is an answer."""
    most: int = 0
    """The highest number that is an answer, from 1 on; 0 if a number is no answer."""
    likely: int | None = None
    """The number that may be the answer."""
    refused: str = ""
    """What is wrong with the answer that was given before."""


@dataclass(frozen=True)
class PressKey:
    """The key that does it; the user allows it for this program."""

    key: str
    """As `vision.skintext.check_key` returns it."""


@dataclass(frozen=True)
class ClickAt:
    """A click on a place in the question's picture does it."""

    x: float
    """In pixels, from the left."""
    y: float


@dataclass(frozen=True)
class ByUser:
    """The user does it; the run waits."""


@dataclass(frozen=True)
class Yes:
    """What the question asks is so."""


@dataclass(frozen=True)
class Number:
    """The number that the question asks for."""

    value: int


ProgramAnswer = PressKey | ClickAt | ByUser | Yes | Number


class LeftOpen(RuntimeError):
    """The user did not say what a tile is, and the run cannot go on without.

    Attributes:
        reading: Where it was met, so that its frame can be saved.
    """

    def __init__(self, question: Question, reading: Reading) -> None:
        super().__init__(
            f"the tile in {_place(question.cells[0])} was left open. A board with an unknown tile "
            "is not played: the run ended and nothing more was clicked. Play again to be asked "
            "again"
        )
        self.reading = reading


@dataclass(frozen=True, eq=False)
class Around:
    """A tile among its neighbours, so that one can find it on the board."""

    picture: NDArray[np.uint8]
    """(h, w, 3) uint8 BGR, whole cells."""
    tile: Region
    """Where the tile is in it, in pixels."""

    def framed(self) -> NDArray[np.uint8]:
        """The picture with a line around the tile."""
        picture, tile = self.picture.copy(), self.tile
        thick = max(1, tile.width // 8)
        inside = picture[tile.top : tile.bottom, tile.left : tile.right].copy()
        top, left = max(0, tile.top - thick), max(0, tile.left - thick)
        picture[top : tile.bottom + thick, left : tile.right + thick] = _FRAME_COLOR
        picture[tile.top : tile.bottom, tile.left : tile.right] = inside
        return picture


def around(reading: Reading, cell: Cell) -> Around:
    """A cell of a board as it was seen, and up to three cells on each side of it."""
    return around_in(reading.frame, reading.grid, cell)


def around_in(frame: Frame, grid: Grid, cell: Cell) -> Around:
    """The same of a board in a picture that nobody has read."""
    spans, places = [], []
    for at, count, edges in (
        (cell.row, grid.rows, grid.row_edges(frame.region)),
        (cell.col, grid.cols, grid.column_edges(frame.region)),
    ):
        begin, end = max(0, at - _REACH), min(count, at + _REACH + 1)
        spans.append(slice(int(edges[begin]), int(edges[end])))
        places.append((int(edges[at] - edges[begin]), int(edges[at + 1] - edges[at])))
    (top, height), (left, width) = places
    return Around(frame.image[spans[0], spans[1]].copy(), Region(left, top, width, height))


def cells_in_words(question: Question) -> str:
    """How many cells show the tile, and where, as a sentence."""
    cells = question.cells
    if not cells:
        return "No cell of the last picture looks like this."
    if len(cells) == 1:
        return f"One cell looks like this: {_place(cells[0])}."
    places = [_place(cell) for cell in cells[:_NAMED]]
    if len(cells) > _NAMED:
        places.append(f"and {len(cells) - _NAMED} more")
    return f"{len(cells)} cells look like this: {'; '.join(places)}."


def likely_in_words(question: Question) -> str:
    """What it looks most like, as a sentence; empty where it looks like nothing."""
    words = [STATE_WORDS[code] for code in question.likely]
    if len(words) < 2:
        return f"It looks most like: {words[0]}." if words else ""
    return f"It looks most like: {', '.join(words[:-1])} or {words[-1]}."


def refused_in_words(question: Question) -> str:
    """Which answers cannot be, as a sentence; empty where none was given so far."""
    words = [f"'{STATE_WORDS[code]}'" for code in question.refused]
    if not words:
        return ""
    listed = " or ".join(words)
    return (
        f"It cannot be {listed}: the board would break the rules of the game. Look again; "
        "the same answer once more is taken."
    )


def _place(cell: Cell) -> str:
    return cell.position_text
