"""Outlines: boards of a skin never seen, by visual evidence alone.

A lattice of equal faces may be a board that no known skin reads. A board is a rectangle of
cells of few kinds, most of them of very few: keys, icons and calendars show something else in
every cell. It ends where the cells of the next line look like none of those inside, and there
an edge runs along it.

A cell is described by the mean colours of its blocks, six to twelve along a side, taken over
fractions of pixels, so that the description does not depend on pitch and rounding.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision import LEAST_LINES, MOST_KINDS, MOST_LINES
from vision.finder.lattice import Lattice
from vision.finder.placing import SIDES, Place, Rectangle, Side, Span, place_at, visible


@dataclass(frozen=True)
class OutlineLimits:
    """When a rectangle of equal cells is the whole of a board."""

    max_lattices: int = 40
    shaped: float = 0.6
    """Least correlation of a cell with its kind for its lines to count."""
    line: float = 0.5
    """Least part of an outer line's cells that must be of a kind seen elsewhere."""
    sliver: float = 0.3
    """Part of a line that has to lie in the picture to show that a board goes on."""
    whole: float = 0.9
    """Part of a line in a picture that was cut out by hand from which on it counts as whole."""
    same_phase: float = 0.15
    """Part of a pitch by which the middles of faces in one board may differ."""
    edged: tuple[float, float] = (0.1, 0.5)
    """Least part of each side, and of all four, along which an edge runs: opened cells that have a
    line at two sides only, as WineMine's, run into what lies around the board at the others."""
    step: float = 6.0
    """Grey levels that make such an edge."""
    drift: float = 2.0
    """Pixels by which a scaled board may begin and end elsewhere than it seems."""
    sharp: float = 0.95
    """Part of the sharpest edges with which others are as sharp."""
    shade: float = 4.0
    """Grey levels between the shades of a checkered board."""
    two_shades: float = 0.9
    """Least part of its rows and columns that alternate."""
    around: int = 6
    """Cells around a few marks that show the kinds of cells of a board without lines."""


_OUTLINE: Final = OutlineLimits()


@dataclass(frozen=True)
class GameLimits:
    """When cells look like those of a game."""

    few: float = 0.12
    """Part of the cells that may be of further kinds: a pointer, a hover, an animation."""
    single: int = 6
    """Cells that may be alone of their kind on the smallest board: it has 15 states to
    show."""
    usual: float = 0.45
    """Least part of the cells that belong to the three commonest kinds."""
    chess: tuple[float, int, float] = (36.0, 12, 0.7)
    """Grey levels between the shades of a chess board, its most squares along a side with what it
    is mistaken for around it, and the part of them that alternate."""
    inner_shades: float = 12.0
    """Grey levels within a cell that make a glyph, or between two that make them different."""
    written: float = 0.03
    """Part of the cells with a glyph from which on there is something to read."""
    others: float = 0.05
    """Part of cells without one that may have another shade: a pointer, a hover."""
    grounds: int = 2
    """Kinds that what is written stands on: covered and empty."""
    ink: float = 20.0
    """Grey levels between a block and its ground that count as written."""
    common: float = 0.12
    """Least part of the cells that are of such a kind."""
    filled: float = 0.8
    """Part of a cell beyond which it is not written on, but of another colour."""
    beside: tuple[int, float, float] = (3, 0.08, 0.2)
    """Cells with something written that tell, at least so many and that part of all, and the part
    of a cell by which half of them may have it beside their middle. Measured: boards 0.19 at most,
    calendars 0.18 to 0.31."""


_GAME: Final = GameLimits()


@dataclass(frozen=True)
class ClusterLimits:
    """When two cells look the same."""

    block: float = 4.0
    """Pixels across a block, about."""
    blocks: tuple[int, int] = (6, 12)
    """Least and largest number of blocks along a cell."""
    inner: float = 20.0
    """Largest difference of a block, in grey levels, between cells of one kind. Noise of sigma 4
    and JPEG of quality 75 stay under 12 over blocks of three pixels, a thin hint reaches 25."""
    outer: float = 36.0
    """The same along a cell's border, where lines are drawn at whole pixels and cells are not."""
    flat: float = 16.0
    """Range of its blocks, in grey levels, up to which a cell is plain: without lines."""
    rounding: float = 200.0
    """Grey levels, divided by the pitch, that are added where a pitch is no whole number: half a
    pixel of a contrast of seventy, over a sixth of a cell."""
    strength: float = 0.5
    """How strong lines must be, relative to those of their kind."""


_CLUSTER: Final = ClusterLimits()
_STRIPS: Final = {
    "top": np.s_[:, -2:],
    "bottom": np.s_[:, :2],
    "left": np.s_[:, :, -2:],
    "right": np.s_[:, :, :2],
}
"""The blocks of (n, b, b, 3) cells beyond a side that are next to it."""
_BEYOND: Final = {
    "top": np.s_[:, -2:-1],
    "bottom": np.s_[:, 1:2],
    "left": np.s_[:, :, -2:-1],
    "right": np.s_[:, :, 1:2],
}
"""The second ones: the first may show a pixel of a board without lines."""
_WITHOUT_END: Final = {
    "top": np.s_[:, 1:],
    "bottom": np.s_[:, :-1],
    "left": np.s_[:, :, 1:],
    "right": np.s_[:, :, :-1],
}
"""All blocks of such cells but those farthest from it."""
Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
Ints = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Outline(Rectangle):
    """A rectangle of equal cells like a board's that no known skin reads.

    The cells are at most 2.5 times as long in one direction as in the other.
    """

    cut: Side | None = None
    """Where it is cut off in the middle of its cells, if it is."""


def find_outlines(
    image: Image,
    lattices: Sequence[Lattice],
    taken: Callable[[Lattice], bool],
    *,
    checkered: bool = False,
    oblong: bool = False,
) -> list[Outline]:
    """Return the rectangles of a picture that look like boards of an unknown skin.

    `taken` tells whether a lattice belongs to a known board. What only looks like a board and is
    none by the rules of the game may be among them. With `checkered`, plain cells in two shades
    that alternate may be a game in which nothing is opened yet. With `oblong`, only boards of
    unusually oblong cells are returned.
    """
    largest = lattices[: _OUTLINE.max_lattices]
    possible = [
        one for one in largest if (one.oblong if oblong else one.possible) and not taken(one)
    ]
    found: list[Outline] = []
    for lattice in possible:
        if any(outline.holds(lattice.center) for outline in found):
            continue
        outline = _outlined(image, lattice, possible, checkered=checkered)
        if outline is not None and not any(map(outline.meets, found)):
            found.append(outline)
    return found


def _outlined(
    image: Image, lattice: Lattice, others: Sequence[Lattice], *, checkered: bool
) -> Outline | None:
    """Return the board that a lattice belongs to; None if there is none."""
    place = place_at(
        lattice,
        _begin(lattice.left, lattice.face_width, lattice.pitch_x),
        _begin(lattice.top, lattice.face_height, lattice.pitch_y),
    )
    kin = [one for one in others if one is not lattice and _kin(place, one)]
    span = _span_of(image, place, [lattice, *kin])
    if span is None or max(span.rows, span.cols) > MOST_LINES:
        return None
    cells = CellPictures(image, place)
    two_shades = _checkered(cells, span)
    settled = two_shades or _settled(cells, span)
    if settled is None and (few := _settled(cells, _around(cells, span))) is not None:
        # The cells found so far show more kinds than those around the marks.
        settled = _settled(cells, few[0])
    if settled is None:
        return None
    outline = Outline(place, *settled)
    if not edged(image, outline):
        gaps = place.pitch_x - lattice.face_width + 1, place.pitch_y - lattice.face_height + 1
        if max(gaps) < min(lattice.face_width, lattice.face_height):
            outline = replace(outline, place=_moved(image, outline, gaps))
        if not edged(image, outline, gaps):
            return None
        cells = CellPictures(image, outline.place)
    shades = 2 if two_shades else 1
    return outline if like_a_game(cells, outline.span, shades, checkered=checkered) else None


def _moved(image: Image, outline: Outline, gaps: tuple[float, float]) -> Place:
    """Return the place moved to the middle of what looks the same a cell further on.

    A face with a shadow at one side only is not in the middle of its cell: within the gaps, in
    pixels between two faces of a row and of a column, a cell begins.
    """
    place, span = outline.place, outline.span
    left, right = float(place.x(span.left)), float(place.x(span.right))
    top, bottom = float(place.y(span.top)), float(place.y(span.bottom))
    inside = image[round(top) : round(bottom), :], image[:, round(left) : round(right)]
    across = _off_middle(inside[0].transpose(1, 0, 2), left, right, place.pitch_x, gaps[0])
    down = _off_middle(inside[1], top, bottom, place.pitch_y, gaps[1])
    return replace(place, left=place.left + across, top=place.top + down)


def _off_middle(lines: Image, first: float, last: float, pitch: float, gap: float) -> int:
    """Return how far the middle of the lines that repeat is from the board's, in pixels."""
    step, half = round(pitch), int(gap / 2)

    def alike(at: int, other: int) -> bool:
        if not (lines.shape[1] and 0 <= min(at, other) <= max(at, other) < len(lines)):
            return False
        differs = np.abs(lines[at].astype(np.int16) - lines[other]).max(axis=1)
        return bool((differs < _OUTLINE.step).mean() >= _OUTLINE.line)

    begin, end = round(first) + half, round(last) - half
    while begin > first - half and alike(begin - 1, begin - 1 + step):
        begin -= 1
    while end < last + half and alike(end, end - step):
        end += 1
    return round((begin + end - first - last) / 2)


def sharpened(image: Image, outline: Outline) -> Place:
    """Return the place of a scaled board where its cells have the sharpest edges between them.

    Faces are measured in whole pixels: over a board, their pitch may be off by a pixel or two, and
    then equal cells look different at its two ends. The same place if the board is not scaled.
    """
    place, span = outline.place, outline.span
    if place.wide_cols or place.wide_rows or place.pitch_x == round(place.pitch_x):
        return place
    rows = slice(*(int(place.y(row).clip(0)) for row in (span.top, span.bottom)))
    cols = slice(*(int(place.x(col).clip(0)) for col in (span.left, span.right)))
    across = image[rows].transpose(1, 0, 2), float(place.x(span.left)), place.pitch_x
    down = image[:, cols], float(place.y(span.top)), place.pitch_y
    left, pitch_x = _sharpest(*across, span.cols)
    top, pitch_y = _sharpest(*down, span.rows)
    return Place(left - span.left * pitch_x, top - span.top * pitch_y, pitch_x, pitch_y)


def _sharpest(lines: Image, begin: float, pitch: float, count: int) -> tuple[float, float]:
    """Return where cells begin, and their pitch, so that there is most of an edge between them."""
    edges = np.abs(np.diff(lines.astype(np.int16), axis=0)).sum(axis=(1, 2))
    moves = np.linspace(-_OUTLINE.drift, _OUTLINE.drift, round(16 * _OUTLINE.drift) + 1)
    first, last = (one.ravel() for one in np.meshgrid(begin + moves, begin + count * pitch + moves))
    places = np.linspace(first, last, count + 1)
    sharp = np.interp(places, np.arange(1, len(lines)), edges).sum(axis=0)
    # Rounding makes an edge sharper here and there: the pitch as measured, if it is as good.
    drifts = np.abs(last - first - count * pitch)
    drifts[sharp < _OUTLINE.sharp * sharp.max()] = np.inf
    best = int(np.lexsort((-sharp, drifts))[0])
    return float(first[best]), float(last[best] - first[best]) / count


def _begin(face: float, size: float, pitch: float) -> float:
    """Return where the cell of a face begins: half the gap and the edge's pixel before it."""
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
        if abs(middle - round(middle)) > _OUTLINE.same_phase or drift > _OUTLINE.same_phase:
            return False
    return True


def _around(cells: CellPictures, span: Span) -> Span:
    """Return a span with some cells around it, as far as they have a shape.

    Where cells have no lines between them, only marks stand apart, and few side by side.
    """
    for side in SIDES:
        for _ in range(_OUTLINE.around):
            beyond = span.line(side, out=1)
            if not cells.fits(beyond):
                break
            line = cells.line(beyond)
            if np.ptp(line.reshape(len(line), -1, 3), axis=1).max() <= _CLUSTER.flat:
                break
            span = span.grown(side)
    return span


def _span_of(image: Image, place: Place, kin: Sequence[Lattice]) -> Span | None:
    """Return the cells of the first lattice and of those that touch it; None if too few."""
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
    span = place.clipped(image, span, _OUTLINE.whole)
    return span if min(span.rows, span.cols) > 1 else None


def _cells_of(place: Place, lattice: Lattice) -> Span:
    col = round(place.col_at(lattice.left + lattice.face_width / 2) - 0.5)
    row = round(place.row_at(lattice.top + lattice.face_height / 2) - 0.5)
    return Span(row, col, row + int(lattice.rows.max()) + 1, col + int(lattice.cols.max()) + 1)


def _settled(cells: CellPictures, span: Span) -> tuple[Span, Side | None] | None:
    """Return the span moved to where the lines look like those inside; None where it is none.

    With it the side at which the board is cut off, if it is.
    """
    kinds = kinds_of(cells.of(span), cells.loose)
    looks = kinds.looks[kinds.counts > 1][:MOST_KINDS]
    for side in SIDES:
        while min(span.rows, span.cols) >= LEAST_LINES:
            if known(cells.line(span.line(side)), looks, cells.loose).mean() >= _OUTLINE.line:
                break
            span = span.grown(side, -1)
    before = None
    while before != span and max(span.rows, span.cols) <= MOST_LINES:
        before = span
        for side in SIDES:
            beyond = span.line(side, out=1)
            if not cells.fits(beyond):
                continue
            line = cells.line(beyond)
            if not shaped(line, looks, cells.loose).any():
                continue
            if known(line, looks, cells.loose).mean() < _OUTLINE.line:
                return None  # something hides the rest of a line
            span = span.grown(side)
    if min(span.rows, span.cols) < LEAST_LINES or max(span.rows, span.cols) > MOST_LINES:
        return None
    for side in SIDES:
        if _ends(cells, span, side, looks):
            span = span.grown(side)
    cut = (side for side in SIDES if _cut_off(cells, span, side, looks))
    return span, next(cut, None)


def _ends(cells: CellPictures, span: Span, side: Side, looks: Floats) -> bool:
    """Return whether the line next to a side is the last one, with a border in place of a line."""
    beyond, inner = span.line(side, out=1), _WITHOUT_END[side]
    if not (cells.fits(beyond) and cells.divided(beyond)):
        return False
    line = known(cells.line(beyond)[inner], looks[inner], cells.loose)
    return bool(line.mean() >= _OUTLINE.line)


def _checkered(cells: CellPictures, span: Span) -> tuple[Span, Side | None] | None:
    """Return what `_settled` does of a checkered board, by the shades alone; None if it is none.

    A line between covered and opened cells changes the look of the cells on both sides of it, and
    an empty line of a plain board looks like a background.
    """
    described = cells.of(span)
    lines = [*described, *described.swapaxes(0, 1)]
    if sum(map(_alternates, lines)) < _OUTLINE.two_shades * len(lines):
        return None
    before = None
    while before != span and max(span.rows, span.cols) <= MOST_LINES:
        before = span
        for side in SIDES:
            beyond = span.line(side, out=1)
            if not cells.fits(beyond) or not _alternates(line := cells.line(beyond)):
                continue
            # In a picture beside the board, hardly two cells look the same.
            strips = line[_BEYOND[side]]
            alike = [same(strips, strip, cells.loose).sum() > 1 for strip in strips]
            if np.mean(alike) >= _OUTLINE.line:
                span = span.grown(side)
    looks = kinds_of(cells.of(span), cells.loose).looks

    def is_cut(side: Side) -> bool:
        near, beyond = _BEYOND[side], span.line(side, out=1)
        if not cells.fits(beyond, _OUTLINE.sliver):
            return False
        strips = cells.line(beyond)[near]
        # A picture beside the board may alternate as well, in other colours.
        own = known(strips, looks[near], cells.loose).mean() >= _OUTLINE.line
        return own and _alternates(strips)

    cut = filter(is_cut, SIDES)
    fits = min(span.rows, span.cols) >= LEAST_LINES and max(span.rows, span.cols) <= MOST_LINES
    return (span, next(cut, None)) if fits else None


def _alternates(line: Floats) -> bool:
    """Return whether (n, b, b, 3) cells of a line alternate between two shades."""
    if len(line) < 3:
        return False
    steps = np.diff(np.median(line, axis=(1, 2)), axis=0)
    back = (np.abs(steps).max(axis=1) >= _OUTLINE.shade)[1:] & ((steps[1:] * steps[:-1]).sum(1) < 0)
    return bool(back.mean() >= _OUTLINE.line)


def _cut_off(cells: CellPictures, span: Span, side: Side, looks: Floats) -> bool:
    """Return whether what lies next to a side begins as most of the board's cells do."""
    if not cells.fits(span.line(side, out=1), _OUTLINE.sliver):
        return False
    near = _STRIPS[side]
    strips, own = cells.line(span.line(side, out=1))[near], looks[near]
    # A frame around the board is the same all along a side, cells have lines between them.
    along = 2 if side in ("top", "bottom") else 1
    lines, own_lines = (some - some.mean(axis=along, keepdims=True) for some in (strips, own))
    divided = shaped(lines, own_lines, cells.loose)
    return bool((divided & shaped(strips, own, cells.loose)).mean() >= _OUTLINE.line)


def edged(image: Image, area: Rectangle, gaps: tuple[float, float] | None = None) -> bool:
    """Return whether an edge runs along the sides, somewhere within the gap between two cells.

    `gaps` are the pixels between two faces of a row and of a column, if known.
    """
    reach = (
        dict.fromkeys(SIDES, None)
        if gaps is None
        else {side: float(np.ceil(gaps[side in ("top", "bottom")] / 2)) for side in SIDES}
    )
    shares = [edge_share(image, area, side, reach[side]) for side in SIDES]
    return min(shares) >= _OUTLINE.edged[0] and sum(shares) / len(shares) >= _OUTLINE.edged[1]


def edge_share(image: Image, area: Rectangle, side: Side, reach: float | None = None) -> float:
    """Return the part of a side along which there is an edge, within `reach` pixels of it."""
    place, span = area.place, area.span
    across = side in ("left", "right")
    left, right = (max(float(place.x(col)), 0.0) for col in (span.left, span.right))
    top, bottom = (max(float(place.y(row)), 0.0) for row in (span.top, span.bottom))
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
    return float((steps >= _OUTLINE.step).mean())


def like_a_game(
    cells: CellPictures, span: Span, shades: int = 1, *, checkered: bool = False
) -> bool:
    """Return whether cells are of so few kinds, and look as those of a game may.

    `shades` is the number of shades of a state; `checkered` as in `find_outlines`.
    """
    described = cells.of(span)
    kinds = kinds_of(described, cells.loose)
    if not (of_few_kinds(kinds) or (shades > 1 and _of_few_insides(described, cells.loose))):
        return False
    chess = not (checkered and len(kinds.counts) == 2) and _chess(described, span)
    return not (chess or _patchwork(described) or _aside(described, kinds))


def of_few_kinds(kinds: Kinds) -> bool:
    """Return whether most cells are of very few kinds, as those of a game are."""
    shares = kinds.counts / kinds.counts.sum()
    rare = shares[MOST_KINDS:].sum() + shares[:MOST_KINDS][kinds.counts[:MOST_KINDS] == 1].sum()
    few = max(_GAME.few, _GAME.single / kinds.counts.sum())
    return bool(shares[:3].sum() >= _GAME.usual and rare <= few)


def _of_few_insides(described: Floats, loose: float) -> bool:
    """Return whether the insides of cells in each of two shades are of few kinds."""
    odd = np.add.outer(*map(np.arange, described.shape[:2])) % 2 == 1
    inner = described[:, :, 1:-1, 1:-1]
    return all(of_few_kinds(kinds_of(inner[some][None], loose)) for some in (odd, ~odd))


def _chess(described: Floats, span: Span) -> bool:
    """Return whether corners alternate between shades that are as far apart as in chess."""
    if max(span.rows, span.cols) > _GAME.chess[1]:
        return False
    corner = described[:, :, 0, 0].mean(axis=-1)
    odd = np.add.outer(np.arange(span.rows), np.arange(span.cols)) % 2 == 1
    usual = np.where(odd, np.median(corner[odd]), np.median(corner[~odd]))
    gap = abs(float(usual[0, 0] - usual[0, 1]))
    return (
        gap > _GAME.chess[0] and float((np.abs(corner - usual) < gap / 3).mean()) > _GAME.chess[2]
    )


def _patchwork(described: Floats) -> bool:
    """Return whether plain cells of several shades lie side by side without a glyph among them.

    In a game there are hints between covered and empty cells; where it alternates two shades,
    each cell has that of its place. Calendars of work done have as many as days are busy.
    """
    inner = described[:, :, 2:-2, 2:-2]
    written = np.ptp(inner, axis=(2, 3)).max(axis=-1) > _GAME.inner_shades
    if written.mean() > _GAME.written:
        return False
    shades = inner.mean(axis=(2, 3))
    odd = np.add.outer(*map(np.arange, written.shape)) % 2 == 1
    for some in (shades[odd & ~written], shades[~odd & ~written]):
        usual = np.median(some, axis=0)
        if (np.abs(some - usual).max(axis=1) > _GAME.inner_shades).mean() > _GAME.others:
            return True
    return False


def _aside(described: Floats, kinds: Kinds) -> bool:
    """Return whether text in cells is off-centre, as in tables and calendars."""
    n = described.shape[2]
    cells = described.reshape(-1, n, n, 3)
    common = int((kinds.counts[: _GAME.grounds] >= _GAME.common * len(cells)).sum())
    if not common:
        return False
    cells, grounds = cells[kinds.which >= common], kinds.looks[:common]
    differs = np.abs(cells[:, None] - grounds).max(axis=-1)
    ground = differs.mean(axis=(2, 3)).argmin(axis=1)
    ink = differs[np.arange(len(cells)), ground][:, 1:-1, 1:-1]
    ink = np.where(ink > _GAME.ink, ink, 0)
    part = (ink > 0).mean(axis=(1, 2))
    written = (part > 0) & (part <= _GAME.filled)
    rows, cols = np.divmod(np.flatnonzero(kinds.which >= common)[written], described.shape[1])
    if _on_one_side(rows, cols, described.shape[:2]):
        return False
    ink = ink[written]
    if len(ink) < max(_GAME.beside[0], _GAME.beside[1] * len(kinds.which)):
        return False
    at = (np.arange(n - 2) - (n - 3) / 2) / n
    across, down = ((ink.sum(axis=axis) * at).sum(axis=1) for axis in (1, 2))
    return bool(np.median(np.hypot(across, down) / ink.sum(axis=(1, 2))) > _GAME.beside[2])


def _on_one_side(rows: Ints, cols: Ints, shape: tuple[int, ...]) -> bool:
    """Return whether cells are all in the same outer line: what they show is a border."""
    return any(
        len(set(lines.tolist())) <= 1 and bool(np.isin(lines, (0, count - 1)).all())
        for lines, count in zip((rows, cols), shape, strict=True)
    )


class CellPictures:
    """Describes the cells of a place by the mean colours of their blocks."""

    def __init__(self, image: Image, place: Place) -> None:
        self._image = image
        self._place = place
        whole = place.pitch_x == round(place.pitch_x) and place.pitch_y == round(place.pitch_y)
        # Lines at whole pixels are off by half a pixel if cells are fractional.
        self.loose = 0.0 if whole else _CLUSTER.rounding / min(place.pitch_x, place.pitch_y)
        blocks = round(min(place.pitch_x, place.pitch_y) / _CLUSTER.block)
        self._blocks = min(max(blocks, _CLUSTER.blocks[0]), _CLUSTER.blocks[1])

    def fits(self, span: Span, part: float = _OUTLINE.whole) -> bool:
        """Return whether a span, or that part of it, lies in the picture."""
        return self._place.inside(self._image, span, part)

    def divided(self, line: Span) -> bool:
        """Return whether edges run between the cells of a line."""
        side: Side = "left" if line.rows == 1 else "top"
        cells = [line._replace(left=at, right=at + 1) for at in range(line.left + 1, line.right)]
        if side == "top":
            cells = [
                line._replace(top=at, bottom=at + 1) for at in range(line.top + 1, line.bottom)
            ]
        shares = [edge_share(self._image, Rectangle(self._place, one), side) for one in cells]
        # A border may cover the outermost blocks of the line.
        least = _OUTLINE.whole * (1 - 1 / self._blocks)
        return bool(np.mean(np.array(shares) >= least) >= _OUTLINE.line)

    def of(self, span: Span) -> Floats:
        """(rows, cols, b, b, 3) float32, in grey levels."""
        place, n = self._place, self._blocks
        xs = self._parted(place.x(np.arange(span.left, span.right + 1)), axis=1)
        ys = self._parted(place.y(np.arange(span.top, span.bottom + 1)), axis=0)
        first = max(int(xs[0]), 0)
        near = self._image[:, first : int(np.ceil(xs[-1])) + 1]
        sums = _summed(_summed(near, ys, 0), xs - first, 1)
        blocks = np.diff(np.diff(sums, axis=0), axis=1)
        means = blocks / np.multiply.outer(np.diff(ys), np.diff(xs))[..., None]
        means = means.reshape(span.rows, n, span.cols, n, 3)
        return means.transpose(0, 2, 1, 3, 4).astype(np.float32)

    def line(self, span: Span) -> Floats:
        """(n, b, b, 3) the cells of a span, row by row."""
        described = self.of(span)
        return described.reshape(-1, *described.shape[2:])

    def _parted(self, edges: NDArray[np.float64], axis: int) -> NDArray[np.float64]:
        """Return the edges of cells along an axis, and those of the blocks of each.

        Of a cell that the picture's edge cuts a little short, the rest is described.
        """
        length = self._image.shape[axis]
        whole = visible(edges, length, _OUTLINE.whole)
        inside = np.union1d(whole, whole + 1)
        edges[inside] = edges[inside].clip(0, length)
        numbers, parts = np.arange(len(edges)), self._blocks
        return np.interp(np.linspace(0, numbers[-1], numbers[-1] * parts + 1), numbers, edges)


def _summed(values: NDArray[np.number], places: NDArray[np.float64], axis: int) -> Floats:
    """Return running sums along an axis up to each place, which may lie between two pixels."""
    length = values.shape[axis]
    places = places.clip(0, length)
    first = int(places[0])
    last = min(int(np.ceil(places[-1])), length)
    part = values[first:last] if axis == 0 else values[:, first:last]
    sums = np.cumsum(part, axis=axis, dtype=np.float64)
    sums = np.insert(sums, 0, 0, axis=axis)
    low = np.floor(places).astype(np.intp).clip(first, last)
    high = np.minimum(low + 1, last)
    share = (places - low).reshape((-1, 1, 1) if axis == 0 else (1, -1, 1))
    at_low, at_high = (np.take(sums, at - first, axis=axis) for at in (low, high))
    summed: Floats = at_low + (at_high - at_low) * share
    return summed


class Kinds(NamedTuple):
    """What the cells of a rectangle look like."""

    looks: Floats
    """(k, b, b, 3) one of each kind, the commonest first."""
    counts: NDArray[np.intp]
    """(k,) cells of each kind."""
    which: NDArray[np.intp]
    """(n,) kind of each cell."""


def kinds_of(described: Floats, loose: float) -> Kinds:
    """Return groups of cells that look the same, the most common first."""
    cells = described.reshape(-1, *described.shape[2:])
    which = np.full(len(cells), -1)
    leaders: list[int] = []
    for number in range(len(cells)):
        if which[number] < 0:
            left = np.flatnonzero(which < 0)
            which[left[same(cells[left], cells[number], loose)]] = len(leaders)
            leaders.append(number)
    counts = np.bincount(which, minlength=len(leaders))
    order = np.argsort(-counts, kind="stable")
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return Kinds(cells[leaders][order], counts[order], rank[which])


def same(cells: Floats, look: Floats, loose: float) -> NDArray[np.bool_]:
    """(n,) which of (n, b, b, 3) cells look like one, to some more grey levels."""
    differs = np.abs(cells - look).mean(axis=-1)
    inner = differs[..., 1:-1, 1:-1].max(axis=(-2, -1), initial=0) <= _CLUSTER.inner + loose
    return np.asarray(inner & (differs.max(axis=(-2, -1)) <= _CLUSTER.outer + loose), np.bool_)


def known(cells: Floats, looks: Floats, loose: float) -> NDArray[np.bool_]:
    """(n,) which of (n, b, b, 3) cells are of any of the kinds."""
    found = np.zeros(len(cells), np.bool_)
    for look in looks:
        found |= same(cells, look, loose)
    return found


def shaped(cells: Floats, looks: Floats, loose: float) -> NDArray[np.bool_]:
    """(n,) which also have the lines and bevels of one of them: a background has none."""
    found = np.zeros(len(cells), np.bool_)
    free = cells - cells.mean(axis=(1, 2), keepdims=True)
    energy = np.square(free).sum(axis=(1, 2, 3))
    for look in looks:
        if np.ptp(look.reshape(-1, 3), axis=0).max() <= _CLUSTER.flat:
            continue
        own = look - look.mean(axis=(0, 1))
        products = (free * own).sum(axis=(1, 2, 3))
        full = float(np.square(own).sum())
        alike = products >= _OUTLINE.shaped * np.sqrt(energy * full)
        found |= same(cells, look, loose) & alike & (products >= _CLUSTER.strength * full)
    return found
