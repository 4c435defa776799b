"""Outlines: boards of a skin never seen, by visual evidence alone.

A lattice of equal faces may be a board that no known skin reads. A board is a rectangle of
cells of few kinds, most of them of very few: keys, icons and calendars show something else in
every cell. It ends where the cells of the next line look like none of those inside, and there
an edge runs along it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from vision.finder.lattice import Lattice
from vision.finder.placing import SIDES, Place, Side, Span
from vision.finder.plausibility import KINDS, like_a_game
from vision.finder.tile_clusters import FLAT, CellPictures, Floats, Image, Tolerance, kinds_of
from vision.supported import LEAST_LINES

MAX_SIDE: Final = 100

_MAX_LATTICES: Final = 40
_BENT: Final = 16
"""Faces that show that some lines are wider: of a few, any may be."""
_SHAPED: Final = 0.6
"""Least correlation of a cell with its kind for its lines to count."""
_CERTAIN: Final = 0.9
"""The same for it to show that a board goes on under something that hides the rest."""
_LINE: Final = 0.5
"""Least part of an outer line's cells that must be of a kind seen elsewhere."""
_ALTERNATING: Final = 0.75
"""The same for cells without lines, and least part of them that differ from the next one."""
_BEGUN: Final = 2
"""Cells of the next line, of a kind that is not plain, that show that a board goes on."""
_SLIVER: Final = 0.3
"""Part of a line that has to lie in the picture to show that a board goes on."""
_SAME_PHASE: Final = 0.15
"""Part of a pitch by which the middles of faces in one board may differ."""
_EDGED: Final = (0.1, 0.5)
"""Least part of each side, and of all four, along which an edge runs: opened cells that have a
line at two sides only, as WineMine's, run into what lies around the board at the others."""
_STEP: Final = 6.0
"""Grey levels that make such an edge."""


@dataclass(frozen=True, eq=False)
class Outline:
    """A board-like rectangle of equal, squarish cells that no known skin reads."""

    place: Place
    """In pixels."""
    span: Span
    cut: Side | None = None
    """Where it is cut off in the middle of its cells, if it is."""

    def holds(self, point: tuple[float, float]) -> bool:
        """Return whether a pixel (x, y) lies on it."""
        place, span = self.place, self.span
        across = place.x(span.left) <= point[0] < place.x(span.right)
        return bool(across and place.y(span.top) <= point[1] < place.y(span.bottom))


def find_outlines(
    image: Image, lattices: Sequence[Lattice], taken: Callable[[Lattice], bool]
) -> list[Outline]:
    """Return the rectangles of a picture that look like boards of an unknown skin.

    Args:
        image: (H, W, 3) uint8 BGR.
        lattices: Of that picture, as `find_lattices` orders them.
        taken: Whether a lattice belongs to a board that is known already.

    Returns:
        With the exact number of rows and columns each. What only looks like a board and is
        none by the rules of the game may be among them.
    """
    possible = [one for one in lattices[:_MAX_LATTICES] if one.possible and not taken(one)]
    found: list[Outline] = []
    for lattice in possible:
        if any(outline.holds(lattice.center) for outline in found):
            continue
        outline = _outlined(image, lattice, possible)
        if outline is not None and not any(_meet(outline, other) for other in found):
            found.append(outline)
    return found


def _outlined(image: Image, lattice: Lattice, others: Sequence[Lattice]) -> Outline | None:
    """Return the board that a lattice belongs to; None if there is none."""
    if len(lattice) < _BENT:
        lattice = replace(lattice, wide_cols=None, wide_rows=None)
    place = Place(
        _begin(lattice.left, lattice.face_width, lattice.pitch_x),
        _begin(lattice.top, lattice.face_height, lattice.pitch_y),
        lattice.pitch_x,
        lattice.pitch_y,
        lattice.wide_cols,
        lattice.wide_rows,
    )
    kin = [one for one in others if one is not lattice and _kin(place, one)]
    span = _span_of(image, place, [lattice, *kin])
    if span is None or max(span.rows, span.cols) > MAX_SIDE:
        return None
    cells = CellPictures(image, place)
    tolerance = Tolerance.of(place)
    settled = _settled(cells, span, tolerance)
    if settled is None:
        return None
    outline = Outline(place, *settled)
    if not _edged(image, outline):
        gaps = place.pitch_x - lattice.face_width + 1, place.pitch_y - lattice.face_height + 1
        outline = replace(outline, place=_moved(image, outline, gaps))
        if not _edged(image, outline, gaps):
            return None
        cells = CellPictures(image, outline.place)
    return outline if like_a_game(cells, outline.span, tolerance) else None


def _moved(image: Image, outline: Outline, gaps: tuple[float, float]) -> Place:
    """Return the place moved to the middle of what looks the same a cell further on.

    A face with a shadow at one side only is not in the middle of its cell.

    Args:
        image: (H, W, 3) uint8.
        outline: Without edges along its sides.
        gaps: Pixels between two faces of a row, and of a column: within it a cell begins.
    """
    place, span = outline.place, outline.span
    left, right = float(place.x(span.left)), float(place.x(span.right))
    top, bottom = float(place.y(span.top)), float(place.y(span.bottom))
    inside = image[round(top) : round(bottom), :], image[:, round(left) : round(right)]
    across = _off_middle(inside[0].transpose(1, 0, 2), left, right, place.pitch_x, gaps[0])
    down = _off_middle(inside[1], top, bottom, place.pitch_y, gaps[1])
    return replace(place, left=place.left + across, top=place.top + down)


def _off_middle(lines: Image, first: float, last: float, pitch: float, gap: float) -> int:
    """Return how far the middle of the lines that repeat is from that of the board, in pixels.

    Args:
        lines: (n, m, 3) the rows or columns of a picture.
        first: Where the board is taken to begin.
        last: Where it is taken to end.
        pitch: Of its cells.
        gap: Pixels between two faces.
    """
    step, half = round(pitch), int(gap / 2)

    def alike(at: int, other: int) -> bool:
        if not 0 <= min(at, other) <= max(at, other) < len(lines):
            return False
        differs = np.abs(lines[at].astype(np.int16) - lines[other]).max(axis=1)
        return bool((differs < _STEP).mean() >= _LINE)

    begin, end = round(first) + half, round(last) - half
    while begin > first - half and alike(begin - 1, begin - 1 + step):
        begin -= 1
    while end < last + half and alike(end, end - step):
        end += 1
    return round((begin + end - first - last) / 2)


def _begin(face: float, size: float, pitch: float) -> float:
    """Where the cell of a face begins: half the gap before it.

    The first pixel after an edge counts as one, hence the pixel more.
    """
    begin = face - (pitch - size + 1) / 2
    return float(np.floor(begin + 0.5)) if pitch == round(pitch) else begin


def _kin(place: Place, other: Lattice) -> bool:
    """Return whether a lattice's faces lie in the cells of a place."""
    cols, rows = int(other.cols.max()), int(other.rows.max())
    across, down = (other.face_width - 1) / 2, (other.face_height - 1) / 2
    for first, last, count in (
        (place.col_at(other.left + across), place.col_at(float(other.x(cols)) + across), cols),
        (place.row_at(other.top + down), place.row_at(float(other.y(rows)) + down), rows),
    ):
        middle, drift = first - 0.5, abs(last - first - count)
        if abs(middle - round(middle)) > _SAME_PHASE or drift > _SAME_PHASE:
            return False
    return True


def _span_of(image: Image, place: Place, kin: Sequence[Lattice]) -> Span | None:
    """Return the cells of the first lattice and of those that touch it.

    None if they are too few.
    """
    spans = [_cells_of(place, one) for one in kin]
    span = spans[0]
    waiting, before = spans[1:], -1
    while before != len(waiting):
        before = len(waiting)
        for other in list(waiting):
            apart = max(
                max(span.top, other.top) - min(span.bottom, other.bottom),
                max(span.left, other.left) - min(span.right, other.right),
            )
            if apart <= 1:
                waiting.remove(other)
                span = Span(
                    min(span.top, other.top),
                    min(span.left, other.left),
                    max(span.bottom, other.bottom),
                    max(span.right, other.right),
                )
    for side in SIDES:
        while min(span.rows, span.cols) > 0 and not place.inside(image, span.line(side)):
            span = span.grown(side, -1)
    return span if min(span.rows, span.cols) > 1 else None


def _cells_of(place: Place, lattice: Lattice) -> Span:
    col = round(place.col_at(lattice.left + lattice.face_width / 2) - 0.5)
    row = round(place.row_at(lattice.top + lattice.face_height / 2) - 0.5)
    return Span(row, col, row + int(lattice.rows.max()) + 1, col + int(lattice.cols.max()) + 1)


def _settled(
    cells: CellPictures, span: Span, tolerance: Tolerance
) -> tuple[Span, Side | None] | None:
    """Return the span moved to where the lines look like those inside; None where it is none.

    With it the side at which the board is cut off, if it is.
    """
    kinds = kinds_of(cells.of(span), tolerance)
    looks = kinds.looks[kinds.counts > 1][:KINDS]
    solid = kinds.looks[(kinds.counts > 1) & ~kinds.plain][:KINDS]
    for side in SIDES:
        while min(span.rows, span.cols) >= LEAST_LINES:
            if tolerance.known(cells.line(span.line(side)), looks).mean() >= _LINE:
                break
            span = span.grown(side, -1)
    before = None
    while before != span and max(span.rows, span.cols) <= MAX_SIDE:
        before = span
        for side in SIDES:
            beyond = span.line(side, out=1)
            if not cells.fits(beyond):
                continue
            line = cells.line(beyond)
            shaped = tolerance.shaped(line, solid, _SHAPED).sum() >= _BEGUN
            if tolerance.known(line, looks).mean() >= _LINE:
                if shaped or _coloured(line, looks, tolerance):
                    span = span.grown(side)
            elif tolerance.shaped(line, solid, _CERTAIN).sum() >= _BEGUN:
                return None  # something hides the rest of a line
    if min(span.rows, span.cols) < LEAST_LINES or max(span.rows, span.cols) > MAX_SIDE:
        return None
    cut = (side for side in SIDES if _cut_off(cells, span, side, solid, tolerance))
    return span, next(cut, None)


def _cut_off(
    cells: CellPictures, span: Span, side: Side, solid: Floats, tolerance: Tolerance
) -> bool:
    """Return whether what lies next to a side begins as most of the board's cells do."""
    if not len(solid) or not cells.fits(span.line(side, out=1), _SLIVER):
        return False
    near = {
        "top": np.s_[:, -2:],
        "bottom": np.s_[:, :2],
        "left": np.s_[:, :, -2:],
        "right": np.s_[:, :, :2],
    }[side]
    strips, own = cells.line(span.line(side, out=1))[near], solid[near]
    # A frame around the board is the same all along a side, cells have lines between them.
    along = 2 if side in ("top", "bottom") else 1
    lines, own_lines = (some - some.mean(axis=along, keepdims=True) for some in (strips, own))
    divided = tolerance.shaped(lines, own_lines, _CERTAIN)
    return bool((divided & tolerance.shaped(strips, own, _CERTAIN)).mean() >= _LINE)


def _coloured(line: Floats, looks: Floats, tolerance: Tolerance) -> bool:
    """Return whether a line of plain cells goes on in shades that alternate, as those inside do."""
    shades = line.mean(axis=(1, 2))
    steps = np.abs(np.diff(shades, axis=0)).max(axis=1)
    known = tolerance.known(line, looks)
    return bool(known.mean() >= _ALTERNATING and (steps > FLAT / 2).mean() >= _ALTERNATING)


def _edged(image: Image, outline: Outline, gaps: tuple[float, float] | None = None) -> bool:
    """Return whether an edge runs along the sides, somewhere within the gap between two cells.

    Args:
        image: (H, W, 3) uint8.
        outline: Of the board.
        gaps: Pixels between two faces of a row and of a column, if they tell how wide the gap is.
    """
    reach = (
        dict.fromkeys(SIDES, None)
        if gaps is None
        else {side: gaps[side in ("top", "bottom")] / 2 for side in SIDES}
    )
    shares = [edge_share(image, outline, side, reach[side]) for side in SIDES]
    return min(shares) >= _EDGED[0] and sum(shares) / len(shares) >= _EDGED[1]


def edge_share(image: Image, outline: Outline, side: Side, reach: float | None = None) -> float:
    """Return the part of a side along which there is an edge.

    Args:
        image: (H, W, 3) uint8.
        outline: Of the board.
        side: Of it.
        reach: Pixels on each side of it within which the edge may be, if not as usual.
    """
    place, span = outline.place, outline.span
    across = side in ("left", "right")
    left, right = (float(place.x(col)) for col in (span.left, span.right))
    top, bottom = (float(place.y(row)) for row in (span.top, span.bottom))
    at = {"left": left, "right": right, "top": top, "bottom": bottom}[side]
    pitch = place.pitch_x if across else place.pitch_y
    reach = max(2.0, 0.15 * pitch) if reach is None else reach
    length = image.shape[1 if across else 0]
    if at - reach < 0 or at + reach > length:
        return 1.0  # the picture ends there
    first, last = round(at - reach), round(at + reach)
    if across:
        strip = image[round(top) : round(bottom), first:last].astype(np.int16)
    else:
        strip = image[first:last, round(left) : round(right)].transpose(1, 0, 2).astype(np.int16)
    steps = np.abs(np.diff(strip, axis=1)).max(axis=(1, 2)) if strip.shape[1] > 1 else np.zeros(1)
    return float((steps >= _STEP).mean())


def _meet(one: Outline, other: Outline) -> bool:
    """Return whether two share pixels."""
    return any(other.holds(corner) for corner in _corners(one)) or any(
        one.holds(corner) for corner in _corners(other)
    )


def _corners(outline: Outline) -> Iterator[tuple[float, float]]:
    place, span = outline.place, outline.span
    for row in (span.top, span.bottom - 1):
        for col in (span.left, span.right - 1):
            yield (
                float(place.x(col)) + place.pitch_x / 2,
                float(place.y(row)) + place.pitch_y / 2,
            )
