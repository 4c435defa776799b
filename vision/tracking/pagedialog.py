"""Detect a dialog that a web page draws over its board: a box in the same window."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.board import UNREAD
from bot.frame import Frame, Grid, Reading, Region
from vision.captions import end_button, says_count, says_new_game
from vision.learning.button import EDGES, buttons_in, texts_in
from vision.learning.clustering import Grouping
from vision.text import lines


@dataclass(frozen=True)
class BoxLimits:
    """When a rectangle of a picture is a box of the page; `tests/vision/tracking` has examples."""

    wide: float = 3.0
    """Least width of a box, in pitches."""
    high: float = 1.5
    """Least height of a box, in pitches."""
    high_points: float = 60.0
    """The same in points if that is less: the cells may be large."""
    filled: float = 0.9
    """Least share of its bounding box that the outline of a box encloses."""
    off: float = 0.15
    """Distance in pitches between an edge of a box and the nearest edge of a cell: opened regions
    end at cells."""
    unread: float = 0.3
    """Least share of the cells beneath a box that are unreadable: an empty cell may be as white."""
    hidden: float = 0.9
    """The same beneath a box that ends at lines of cells."""
    block: float = 0.7
    """Least share of unread cells in a rectangle of them that may be a box without an edge."""
    shifted: int = 4
    """Most similar pictures that are compared with a tile at shifts of a pixel, too: 0.2 to 1.1 s a
    board, 0.5 to 4.3 s with all; with two, one of three texts was read otherwise."""
    button: float = 1.5
    """Least ratio of the sides of a button with a text."""
    rim: int = 2
    """Pixels at the picture's edges in which every line may be that edge."""
    known: float = 0.3
    """Least share of a side of a box on which there was an edge before that makes it an old side. A
    box of the page that has grown has three of them; a new one that crosses a text may have one."""
    beside: int = 4
    """Pixels by which an edge of the page and that of a box around or in it may differ."""


BOX: Final = BoxLimits()


class PageDialog(RuntimeError):
    """The page has drawn a box over its board.

    Attributes:
        reading: The reading of the visible part of the board.
    """

    def __init__(self, reading: Reading) -> None:
        super().__init__("a box in the game's window covers part of the board: close it")
        self.reading = reading


def box_over(
    frame: Frame, grid: Grid, codes: NDArray[np.int8], *, may_dim: bool = False
) -> Region | None:
    """Return the box that covers cells of a board, in points; None if there is none.

    Args:
        frame: The board and its surroundings.
        grid: The board's grid.
        codes: (rows, cols) the reading of its cells.
        may_dim: Whether a board without a readable cell may be darkened around a box.
    """
    found = [box for box in _boxes(frame, grid) if _covers(box, frame, grid, codes)]
    if found:
        return frame.region_of(found[0])
    if (codes == UNREAD).all():
        return _dimmed_box(frame, grid) if may_dim else None
    return _unlined_box(frame, grid, codes)


def _unlined_box(frame: Frame, grid: Grid, codes: NDArray[np.int8]) -> Region | None:
    """Return a rectangle of unread cells with a button that closes it, in points, if there is one.

    A box without an edge has no outline.
    """
    unread = codes == UNREAD
    rows, cols = np.flatnonzero(unread.any(axis=1)), np.flatnonzero(unread.any(axis=0))
    if len(rows) < BOX.high or len(cols) < BOX.wide:
        return None
    top, left, bottom, right = rows[0], cols[0], rows[-1] + 1, cols[-1] + 1
    if unread[top:bottom, left:right].mean() < BOX.block:
        return None
    x, y = grid.left + left * grid.pitch_x, grid.top + top * grid.pitch_y
    wide, high = (right - left) * grid.pitch_x, (bottom - top) * grid.pitch_y
    region = Region(round(x), round(y), round(wide), round(high)).intersection(frame.region)
    if region is None:
        return None
    shown = Frame(np.ascontiguousarray(frame.image[frame.pixels(region)]), region)
    button = end_button(texts_in(shown, min(grid.pitch_x, grid.pitch_y)))
    return None if button is None else region


def _dimmed_box(frame: Frame, grid: Grid, *, off: bool = False) -> Region | None:
    """Return the surroundings of the only wide button over a board, in points, if there is one.

    A page that darkens its board may draw a box that is as dark. With `off`, the button must not
    end at cells. Otherwise, lines of cells may hide its outline: then it is the text of a button
    that starts the next game.
    """
    board = grid.region.intersection(frame.region)
    if board is None:
        return None
    rows, cols = frame.pixels(board)
    place = Region(cols.start, rows.start, cols.stop - cols.start, rows.stop - rows.start)
    button = wide_button(frame, place, grid)
    if button is None and not off:
        return _dimmed_text(frame, place, grid)
    if button is None or button.width < BOX.wide * grid.pitch_x:
        return None
    if off and not _is_off(button, grid):
        return None
    return _around(button, grid)


def _dimmed_text(frame: Frame, place: Region, grid: Grid) -> Region | None:
    """Return the surroundings of the text in a part of a picture that starts the next game."""
    rows, cols = slice(place.top, place.bottom), slice(place.left, place.right)
    texts = lines(np.ascontiguousarray(frame.image[rows, cols]))
    found = [one.region for one in texts if says_new_game(one.text, in_dialog=True)]
    if len(found) != 1:
        return None
    left, top = place.left + found[0].left, place.top + found[0].top
    return _around(frame.region_of(found[0]._replace(left=left, top=top)), grid)


def _around(button: Region, grid: Grid) -> Region:
    """Return a button and half a cell around it, in points."""
    across, down = round(grid.pitch_x / 2), round(grid.pitch_y / 2)
    left, top = button.left - across, button.top - down
    return Region(left, top, button.width + 2 * across, button.height + 2 * down)


def wide_button(frame: Frame, box: Region, grid: Grid) -> Region | None:
    """Return the only wide button in a box of a picture, in points; None if there is another.

    A frame around a count, as 'Mines: 10', is none.

    Args:
        frame: The picture.
        box: The box, in pixels.
        grid: The board's grid.
    """
    inside = np.ascontiguousarray(frame.image[box.top : box.bottom, box.left : box.right])
    dialog = Frame(inside, frame.region_of(box))
    found = [
        one
        for one in buttons_in(dialog, min(grid.pitch_x, grid.pitch_y))
        if one.width >= BOX.button * one.height
    ]
    if len(found) != 1:
        return None
    texts = lines(np.ascontiguousarray(dialog.image[dialog.pixels(found[0])]))
    return None if any(says_count(one.text) for one in texts) else found[0]


def new_box(frame: Frame, before: Frame, grid: Grid) -> Region | None:
    """Return a new box with a button, in points; None if there is none.

    It need not cover the board: the page may still block clicks beside it. Over the board, it may
    be a button alone, which does not end at cells.
    """
    if frame.region != before.region or frame.image.shape != before.image.shape:
        return None
    # A page may become darker around its dialog: existing outlines remain.
    near = np.ones((2 * BOX.beside + 1, 2 * BOX.beside + 1), np.uint8)
    was = cv2.dilate(_framed(_edges(before)), near) > 0
    for box in _boxes(frame, grid):
        place = frame.region_of(box)
        both = place.intersection(grid.region)
        if both == grid.region or (both == place and not _is_off(place, grid)):
            # The board's own surroundings, or a part of it.
            continue
        dialog = Frame(frame.image[box.top : box.bottom, box.left : box.right], place)
        if _is_new(was, box) and buttons_in(dialog, min(grid.pitch_x, grid.pitch_y)):
            return dialog.region
    return _dimmed_box(frame, grid, off=True)


def _is_new(was: NDArray[np.bool_], box: Region) -> bool:
    """Return whether there was no edge before at two sides of a box, or at the only one.

    `was` (H, W) are the edges before; where the picture ends there was one.
    """
    height, width = was.shape
    sides = [
        was[row, box.left : box.right]
        for row in (box.top, box.bottom - 1)
        if BOX.rim < row < height - 1 - BOX.rim
    ] + [
        was[box.top : box.bottom, col]
        for col in (box.left, box.right - 1)
        if BOX.rim < col < width - 1 - BOX.rim
    ]
    shares = sorted(float(side.mean()) for side in sides)
    return bool(shares) and shares[:2][-1] < BOX.known


def drawn_over(frame: Frame, grid: Grid) -> NDArray[np.uint8]:
    """Return what is drawn over the tiles of a board, dark on white, such as a text without a box.

    It is what distinguishes each tile from the most similar picture that the board shows twice: the
    board as it is if it shows none twice.

    Args:
        frame: The picture of the board alone.
        grid: The board's grid.
    """
    rows, cols = grid.row_edges(frame.region), grid.column_edges(frame.region)
    high, wide = (int(np.diff(edges).max()) for edges in (rows, cols))
    image = np.pad(frame.image, ((1, high + 1), (1, wide + 1), (0, 0)), "edge")
    corners = [(y + 1, x + 1) for y in rows[:-1].tolist() for x in cols[:-1].tolist()]
    tiles = np.stack([image[y : y + high, x : x + wide] for y, x in corners])
    _, first, counts = np.unique(Grouping().group(tiles), return_index=True, return_counts=True)
    # Cells that begin at fractions of a pixel are cut a pixel more or less apart.
    down, across = ((0,) if np.ptp(np.diff(edges)) == 0 else (-1, 0, 1) for edges in (rows, cols))
    shifts = [(dy, dx) for dy in down for dx in across]
    known = [
        [image[y + dy : y + dy + high, x + dx : x + dx + wide] for dy, dx in shifts]
        for y, x in (corners[at] for at in first[counts > 1].tolist())
    ]
    if not known:
        return frame.image
    pictures, over = np.array(known, np.int16), np.full_like(image, 255)
    middle = pictures[:, len(shifts) // 2]
    for (y, x), tile in zip(corners, tiles, strict=True):
        near = np.abs(middle - tile).mean(axis=(1, 2, 3)).argsort()[: BOX.shifted]
        apart = np.abs(pictures[near].reshape(-1, high, wide, 3) - tile).max(axis=3)
        nearest = apart[apart.mean(axis=(1, 2)).argmin()]
        over[y : y + high, x : x + wide] = 255 - nearest[..., None]
    return over[1 : 1 + frame.image.shape[0], 1 : 1 + frame.image.shape[1]]


def _is_off(box: Region, grid: Grid) -> bool:
    """Return whether an edge of a box (points) over a board is at no edge of a cell."""
    left, top, wide, high = box
    return any(
        BOX.off < (edge - begin) / pitch % 1 < 1 - BOX.off and 0 < edge - begin < count * pitch
        for begin, pitch, count, edges in (
            (grid.left, grid.pitch_x, grid.cols, (left, left + wide)),
            (grid.top, grid.pitch_y, grid.rows, (top, top + high)),
        )
        for edge in edges
    )


def _edges(frame: Frame) -> NDArray[np.uint8]:
    edges = cv2.Canny(cv2.cvtColor(frame.image, cv2.COLOR_BGR2GRAY), *EDGES)
    return np.asarray(edges, np.uint8)


def _framed(edges: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return edges together with the border of the picture."""
    edges[[0, -1]] = 255
    edges[:, [0, -1]] = 255
    return edges


def _boxes(frame: Frame, grid: Grid) -> list[Region]:
    """Return the rectangles in a picture that may be dialogs, in pixels, the largest first."""
    # Where lines of the board end at a thin border, the edge between them has gaps. A box that
    # extends beyond the picture is closed by the picture's border.
    edges = cv2.dilate(_framed(_edges(frame)), np.ones((3, 3), np.uint8))
    outlines, _ = cv2.findContours(edges, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    wide = BOX.wide * grid.pitch_x * frame.scale
    high = min(BOX.high * grid.pitch_y, BOX.high_points) * frame.scale
    found = []
    for outline in outlines:
        box = Region(*cv2.boundingRect(outline))
        large = box.width >= wide and box.height >= high
        if large and cv2.contourArea(outline) >= BOX.filled * box.width * box.height:
            found.append(box)
    return sorted(found, key=lambda box: -box.width * box.height)


def _covers(box: Region, frame: Frame, grid: Grid, codes: NDArray[np.int8]) -> bool:
    """Return whether a rectangle of a picture covers cells, and is no part of the board itself."""
    inside = []
    for edges, begin, end in (
        (grid.row_edges(frame.region), box.top, box.bottom),
        (grid.column_edges(frame.region), box.left, box.right),
    ):
        middles = (edges[:-1] + edges[1:]) / 2
        inside.append((middles > begin) & (middles < end))
    off = _is_off(frame.region_of(box), grid)
    beneath = codes[np.ix_(*inside)]
    unread = float((beneath == UNREAD).mean()) if beneath.size else 0.0
    if off or beneath.size == codes.size:
        return off and unread >= BOX.unread
    # A box that happens to end at cells has a button.
    return unread >= BOX.hidden and wide_button(frame, box, grid) is not None
