"""Questions to the user about tiles and programs, shared by the panel and the command line."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from bot.board import STATE_WORDS, Cell
from bot.frame import Frame, Grid, Reading, Region

if TYPE_CHECKING:
    # The texts must not load the reader.
    from vision.learning.questions import Question

_NAMED: Final = 2
"""Number of cells that are listed; the others are counted."""
_REACH: Final = 3
"""Cells on each side of the tile that are shown with it."""
_MARKED: Final = re.compile(
    r"(\d{1,3})\s*x\s*(\d{1,3})"
    r"(?:\s+from\s+(?P<left>\d{1,5})\s*,\s*(\d{1,5})\s+to\s+(\d{1,5})\s*,\s*(\d{1,5}))?"
)
"""A marked board: columns, rows, and the corners in a picture."""
_FRAME_COLOR: Final = (0, 0, 255)


@dataclass(frozen=True, eq=False)
class ProgramQuestion:
    """A question about the program, as opposed to a tile."""

    title: str
    """The question."""
    why: str
    picture: NDArray[np.uint8]
    """(h, w, 3) uint8 BGR, the window's picture."""
    leave: str
    """The consequence of leaving it open."""
    by_user: str = ""
    """The meaning of the answer `ByUser`; empty if it is not allowed."""
    yes: str = ""
    """The meaning of the answer `Yes`; empty if it is not allowed."""
    buttons: tuple[Region, ...] = ()
    """Regions in the picture that look like buttons, in pixels, the likeliest first."""
    keys: bool = True
    """Whether a key is an answer."""
    key: str = ""
    """A likely key."""
    points: bool = False
    """Whether a point in the picture is an answer."""
    marks: bool = False
    """Whether a board in the picture is an answer: `MarkedArea`."""
    board: Region | None = None
    """A likely board in the picture, in pixels."""
    cells: tuple[int, int] | None = None
    """Its columns and rows, if the user has entered them before."""
    most: int = 0
    """The largest allowed number, from 1 on; 0 if a number is no answer."""
    likely: int | None = None
    """A likely number."""
    refused: str = ""
    """The error in the previous answer."""


@dataclass(frozen=True)
class PressKey:
    """An answer: a key that the user allows for this program."""

    key: str
    """In the form that `vision.skins.skin.check_key` returns."""


@dataclass(frozen=True)
class ClickAt:
    """An answer: a click at a point of the question's picture."""

    x: float
    """Distance from the left edge, in pixels."""
    y: float


@dataclass(frozen=True)
class ByUser:
    """An answer: the user does it, and the run waits."""


@dataclass(frozen=True)
class Yes:
    """An answer: yes."""


@dataclass(frozen=True)
class Number:
    """An answer: a number."""

    value: int


@dataclass(frozen=True)
class MarkedArea:
    """An answer: a board in the question's picture."""

    region: Region
    """Outer edge to outer edge, in pixels."""
    cols: int
    rows: int
    tolerance: int = 0
    """Pixels by which each side may be off."""


ProgramAnswer = PressKey | ClickAt | ByUser | Yes | Number | MarkedArea


class LeftOpen(RuntimeError):
    """The user left a question open, and the run cannot continue without an answer.

    Args:
        message: What follows from that, in a sentence.
        reading: The reading that the question is about, so that its frame can be saved.
    """

    def __init__(self, message: str, reading: Reading | None = None) -> None:
        super().__init__(message)
        self.reading = reading


@dataclass(frozen=True, eq=False)
class Around:
    """A tile among its neighbours, so that the user can find it on the board."""

    picture: NDArray[np.uint8]
    """(h, w, 3) uint8 BGR, whole cells."""
    tile: Region
    """The tile's region in it, in pixels."""

    def framed(self) -> NDArray[np.uint8]:
        """Return the picture with a frame around the tile."""
        picture, tile = self.picture.copy(), self.tile
        thick = max(1, tile.width // 8)
        inside = picture[tile.top : tile.bottom, tile.left : tile.right].copy()
        top, left = max(0, tile.top - thick), max(0, tile.left - thick)
        picture[top : tile.bottom + thick, left : tile.right + thick] = _FRAME_COLOR
        picture[tile.top : tile.bottom, tile.left : tile.right] = inside
        return picture


def around(reading: Reading, cell: Cell) -> Around:
    """Return a cell of a board with up to three cells on each side of it."""
    return around_in(reading.frame, reading.grid, cell)


def around_in(frame: Frame, grid: Grid, cell: Cell) -> Around:
    """Return the same for a board in a picture that was not read."""
    spans, places = [], []
    for at, count, edges in (
        (cell.row, grid.rows, grid.row_edges(frame.region)),
        (cell.col, grid.cols, grid.column_edges(frame.region)),
    ):
        begin, end = max(0, at - _REACH), min(count, at + _REACH + 1)
        # The first cells of a cropped picture begin outside of it.
        first, *_, last = inside = np.maximum(edges[begin : end + 1], 0).tolist()
        spans.append(slice(first, last))
        start, stop = inside[at - begin : at - begin + 2]
        places.append((start - first, stop - start))
    (top, height), (left, width) = places
    return Around(frame.image[spans[0], spans[1]].copy(), Region(left, top, width, height))


def marked_area(text: str, board: Region | None = None) -> MarkedArea:
    """Return the board that a text marks, such as '9x9 from 12,80 to 228,296'.

    Args:
        text: Columns and rows, and the corners in pixels, which may be left out if there is a
            likely board.
        board: The likely board.

    Raises:
        ValueError: It marks none; the message shows the form.
    """
    match = _MARKED.fullmatch(text.strip().lower())
    example = f"9x9 {corners(board or Region(12, 80, 216, 216))}"
    if match is None or (match["left"] is None and board is None):
        raise ValueError(f"'{text.strip()[:48]}' marks no board: enter it as '{example}'")
    cols, rows, *sides = (int(number) for number in match.groups() if number is not None)
    if sides:
        left, top, right, bottom = sides
        board = Region(left, top, right - left, bottom - top)
        if min(board.width, board.height) < 1:
            raise ValueError(f"the left and upper edges come first, as in '{example}'")
    assert board is not None  # noqa: S101 - checked above
    return MarkedArea(board, cols, rows)


def marked_again(
    question: ProgramQuestion, refused: MarkedArea, why: ValueError
) -> ProgramQuestion:
    """Return the question with the error in an answer, and what was marked and entered."""
    return replace(
        question,
        refused=f"This cannot be a board: {why}.",
        board=refused.region,
        cells=(refused.cols, refused.rows),
    )


def corners(region: Region) -> str:
    """Return a region in the form that `marked_area` reads."""
    return f"from {region.left},{region.top} to {region.right},{region.bottom}"


def cells_text(question: Question) -> str:
    """Return a sentence about how many cells show the tile, and where."""
    cells = question.cells
    if not cells:
        return "No cell of the last picture looks like this."
    if len(cells) == 1:
        return f"One cell looks like this: {_place(cells[0])}."
    places = [_place(cell) for cell in cells[:_NAMED]]
    if len(cells) > _NAMED:
        places.append(f"and {len(cells) - _NAMED} more")
    return f"{len(cells)} cells look like this: {'; '.join(places)}."


def likely_text(question: Question) -> str:
    """Return a sentence with the likeliest labels; empty if there are none."""
    words = [STATE_WORDS[code] for code in question.likely]
    if len(words) < 2:
        return f"It looks most like: {words[0]}." if words else ""
    return f"It looks most like: {', '.join(words[:-1])} or {words[-1]}."


def refused_text(question: Question) -> str:
    """Return a sentence about the refused answers; empty if there are none."""
    words = [f"'{STATE_WORDS[code]}'" for code in question.refused]
    if not words:
        return ""
    listed = " or ".join(words)
    return (
        f"It cannot be {listed}: the board would break the rules of the game. Look again; "
        "give the same answer again to confirm it."
    )


def _place(cell: Cell) -> str:
    return cell.position_text
