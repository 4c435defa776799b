"""Outlines: boards of a skin never seen, by visual evidence alone.

A lattice of equal faces may be a board that no known skin reads. A board is a rectangle of
cells of few kinds, most of them of very few: keys, icons and calendars show something else in
every cell. It ends where the cells of the next line look like none of those inside, and there
an edge runs along it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.finding.kinds import FLAT, CellPictures, Floats, Image, Kinds, Tolerance, kinds_of
from vision.finding.lattice import Lattice
from vision.finding.placing import SIDES, Place, Side, Span

MIN_SIDE: Final = 4
MAX_SIDE: Final = 100

_MAX_LATTICES: Final = 40
_SHAPED: Final = 0.6
"""Least correlation of a cell with its kind for its lines to count."""
_CERTAIN: Final = 0.9
"""The same for it to show that a board goes on under something that hides the rest."""
_KINDS: Final = 16
"""A board shows fourteen tile states, some of them in two shades."""
_FEW: Final = 0.12
"""Part of the cells that may be of further kinds: a pointer, a hover, an animation."""
_USUAL: Final = 0.45
"""Least part of the cells that belong to the three commonest kinds."""
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
_CHESS: Final = (36.0, 12, 0.7)
"""Grey levels between the shades of a chess board, its most squares along a side with what it
is mistaken for around it, and the part of them that alternate."""


_INNER_SHADES: Final = 12.0
"""Grey levels within a cell that make a glyph, or between two that make them different."""
_WRITTEN: Final = 0.03
"""Part of the cells with a glyph from which on there is something to read."""
_OTHERS: Final = 0.05
"""Part of cells without one that may have another shade: a pointer, a hover."""


@dataclass(frozen=True, eq=False)
class Outline:
    """A board-like rectangle of equal, squarish cells that no known skin reads."""

    place: Place
    """In pixels."""
    span: Span

    def holds(self, point: tuple[float, float]) -> bool:
        """Whether a pixel (x, y) lies on it."""
        col = (point[0] - self.place.left) / self.place.pitch_x
        row = (point[1] - self.place.top) / self.place.pitch_y
        return self.span.left <= col < self.span.right and self.span.top <= row < self.span.bottom


def find_outlines(
    image: Image, lattices: Sequence[Lattice], taken: Callable[[Lattice], bool]
) -> list[Outline]:
    """The rectangles of a picture that look like boards of an unknown skin.

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
    """The board that a lattice belongs to; None where there is none."""
    place = Place(
        _begin(lattice.left, lattice.face_width, lattice.pitch_x),
        _begin(lattice.top, lattice.face_height, lattice.pitch_y),
        lattice.pitch_x,
        lattice.pitch_y,
    )
    span = _span_of(image, place, [one for one in others if _kin(place, one)])
    if span is None or max(span.rows, span.cols) > MAX_SIDE:
        return None
    cells = CellPictures(image, place)
    tolerance = Tolerance.of(place)
    span = _settled(cells, span, tolerance)
    if span is None:
        return None
    described = cells.of(span)
    if not _fewkinds_of(kinds_of(described, tolerance)):
        return None
    if _chess(described, span) or _patchwork(described):
        return None
    outline = Outline(place, span)
    return outline if _edged(image, outline) else None


def _begin(face: float, size: float, pitch: float) -> float:
    """Where the cell of a face begins: half the gap before it.

    The first pixel after an edge counts as one, hence the pixel more.
    """
    begin = face - (pitch - size + 1) / 2
    return float(np.floor(begin + 0.5)) if pitch == round(pitch) else begin


def _kin(place: Place, other: Lattice) -> bool:
    """Whether a lattice's faces lie in the cells of a place."""
    for near, far, origin, at, size, count in (
        (place.pitch_x, other.pitch_x, place.left, other.left, other.face_width, other.cols),
        (place.pitch_y, other.pitch_y, place.top, other.top, other.face_height, other.rows),
    ):
        middle = (at + (size - 1) / 2 - origin) / near - 0.5
        drift = abs(far - near) / near * float(count.max())
        if abs(middle - round(middle)) > _SAME_PHASE or drift > _SAME_PHASE:
            return False
    return True


def _span_of(image: Image, place: Place, kin: Sequence[Lattice]) -> Span | None:
    """The cells of a lattice and of those that touch it; None where they are too few."""
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
    col = round((lattice.left + lattice.face_width / 2 - place.left) / place.pitch_x - 0.5)
    row = round((lattice.top + lattice.face_height / 2 - place.top) / place.pitch_y - 0.5)
    return Span(row, col, row + int(lattice.rows.max()) + 1, col + int(lattice.cols.max()) + 1)


def _settled(cells: CellPictures, span: Span, tolerance: Tolerance) -> Span | None:
    """The span moved to where the lines look like those inside; None where nobody can tell."""
    kinds = kinds_of(cells.of(span), tolerance)
    looks = kinds.looks[kinds.counts > 1][:_KINDS]
    solid = kinds.looks[(kinds.counts > 1) & ~kinds.plain][:_KINDS]
    for side in SIDES:
        while min(span.rows, span.cols) >= MIN_SIDE:
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
    if any(_cut_off(cells, span, side, solid, tolerance) for side in SIDES):
        return None
    whole = min(span.rows, span.cols) >= MIN_SIDE and max(span.rows, span.cols) <= MAX_SIDE
    return span if whole else None


def _cut_off(
    cells: CellPictures, span: Span, side: Side, solid: Floats, tolerance: Tolerance
) -> bool:
    """Whether what lies next to a side begins as most of the board's cells do."""
    if not len(solid) or not cells.fits(span.line(side, out=1), _SLIVER):
        return False
    near = {
        "top": np.s_[:, -2:],
        "bottom": np.s_[:, :2],
        "left": np.s_[:, :, -2:],
        "right": np.s_[:, :, :2],
    }[side]
    strips = cells.line(span.line(side, out=1))[near]
    return bool(tolerance.shaped(strips, solid[near], _CERTAIN).mean() >= _LINE)


def _coloured(line: Floats, looks: Floats, tolerance: Tolerance) -> bool:
    """Whether a line of plain cells goes on in shades that alternate, as those inside do."""
    shades = line.mean(axis=(1, 2))
    steps = np.abs(np.diff(shades, axis=0)).max(axis=1)
    known = tolerance.known(line, looks)
    return bool(known.mean() >= _ALTERNATING and (steps > FLAT / 2).mean() >= _ALTERNATING)


def _fewkinds_of(kinds: Kinds) -> bool:
    """Whether most cells are of very few kinds, as those of a game are."""
    shares = kinds.counts / kinds.counts.sum()
    rare = shares[_KINDS:].sum() + shares[:_KINDS][kinds.counts[:_KINDS] == 1].sum()
    return bool(shares[:3].sum() >= _USUAL and rare <= _FEW)


def _chess(described: Floats, span: Span) -> bool:
    """Whether the cells' corners alternate between two shades as on a board for chess.

    Where a game alternates its shades, they are much nearer to each other.
    """
    if max(span.rows, span.cols) > _CHESS[1]:
        return False
    corner = described[:, :, 0, 0].mean(axis=-1)
    odd = np.add.outer(np.arange(span.rows), np.arange(span.cols)) % 2 == 1
    usual = np.where(odd, np.median(corner[odd]), np.median(corner[~odd]))
    gap = abs(float(usual[0, 0] - usual[0, 1]))
    return gap > _CHESS[0] and float((np.abs(corner - usual) < gap / 3).mean()) > _CHESS[2]


def _patchwork(described: Floats) -> bool:
    """Whether plain cells of several shades lie side by side without a glyph among them.

    In a game there are hints between covered and empty cells; where it alternates two shades,
    each cell has that of its place. Calendars of work done have as many as days are busy.
    """
    inner = described[:, :, 2:-2, 2:-2]
    written = np.ptp(inner, axis=(2, 3)).max(axis=-1) > _INNER_SHADES
    if written.mean() > _WRITTEN:
        return False
    shades = inner.mean(axis=(2, 3))
    odd = np.add.outer(*map(np.arange, written.shape)) % 2 == 1
    for some in (shades[odd & ~written], shades[~odd & ~written]):
        usual = np.median(some, axis=0)
        if (np.abs(some - usual).max(axis=1) > _INNER_SHADES).mean() > _OTHERS:
            return True
    return False


def _edged(image: Image, outline: Outline) -> bool:
    """Whether an edge runs along the sides, somewhere within the gap between two cells."""
    shares = [_edge_share(image, outline, side) for side in SIDES]
    return min(shares) >= _EDGED[0] and sum(shares) / len(shares) >= _EDGED[1]


def _edge_share(image: Image, outline: Outline, side: Side) -> float:
    """Part of a side along which there is an edge."""
    place, span = outline.place, outline.span
    across = side in ("left", "right")
    left, right = (place.left + col * place.pitch_x for col in (span.left, span.right))
    top, bottom = (place.top + row * place.pitch_y for row in (span.top, span.bottom))
    at = {"left": left, "right": right, "top": top, "bottom": bottom}[side]
    pitch = place.pitch_x if across else place.pitch_y
    reach = max(2.0, 0.15 * pitch)
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
    """Whether two share pixels."""
    return any(other.holds(corner) for corner in _corners(one)) or any(
        one.holds(corner) for corner in _corners(other)
    )


def _corners(outline: Outline) -> Iterator[tuple[float, float]]:
    place, span = outline.place, outline.span
    for row in (span.top, span.bottom - 1):
        for col in (span.left, span.right - 1):
            yield (
                place.left + (col + 0.5) * place.pitch_x,
                place.top + (row + 0.5) * place.pitch_y,
            )
