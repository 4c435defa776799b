"""Find the boards in a picture: their places, skins and sizes.

Neither place nor scale is known. `vision.finder.lattice` proposes lattices of equal faces,
`vision.finder.placing` the skins that these resemble. From there the board grows line by
line for as long as the tiles of a line look as the tiles inside do. A board that is cut off, by
another window or by the edge of its own one, is never taken for a smaller board
(`vision.finder.cutoff`).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.board import UNREAD
from bot.frame import Frame, Grid, Region
from vision import MOST_LINES
from vision.desktop import Window
from vision.finder.cutoff import CutOff, Remark, area_of, extent_of
from vision.finder.growing import READ, Found, faces_beyond, goes_on, whole_board
from vision.finder.lattice import BLURS, Lattice, edges, find_large_lattices, find_lattices
from vision.finder.outline import CellPictures, edge_share, kinds_of, of_few_kinds
from vision.finder.placing import SIDES, Place, Side, Span, fit_skins, native_fits
from vision.finder.resemblance import resemblance_to
from vision.finder.texture import CORE, find_textures, fit_texture
from vision.matcher import Matcher
from vision.skins import Skin

_log = logging.getLogger(__name__)

_WAYS: Final[tuple[int | str, ...]] = (*BLURS, "large", "textured")
"""In which a picture is looked at until boards are found: see `_lattices`."""


@dataclass(frozen=True)
class FinderLimits:
    """Limits of which lattices are tried and which boards are accepted.

    `python -m tests.benchmarks.finding` measures the time of a search; `vision/RESULTS.md` says
    what single ones are worth.
    """

    max_lattices: int = 80
    most: float = 0.5
    """Least part of a further line of cells without faces that must look like tiles."""
    polishes: int = 3
    """Times that the pitch of a board without faces is measured anew on all that was found of
    it."""
    block: int = 16
    """Pixels across a part of the picture that is tested for hatching."""
    dense: float = 0.75 * 255
    """Part of its pixels that are edges then, 255 being all: XBomb's covered cells."""
    blocks: int = 16
    """Such parts that may be a board."""
    small: float = 14.0
    """Pixels of a cell under which a board of another size than its pictures has to end at
    edges."""
    ended: tuple[float, float, float] = 0.5, 0.97, 0.13
    """Least part of a side along which an edge runs; the part from which on nothing else is
    tested; and how much less similar an outer line may be. Measured on boards of 9.6 to 12 px in
    pictures made smaller: 23 of 25 right ones pass, and none of 4 of a wrong size."""
    hardly: float = 0.1
    """Part of its tiles that must be read for a board to be of a skin, not only like it."""
    exact: float = 0.001
    """Mean distance of a board's tiles under which no other skin is tried."""
    as_oblong: float = 0.1
    """Part by which the shape of oblong cells may differ from that of a skin's."""


_FINDER: Final = FinderLimits()


class BoardNotFound(RuntimeError):
    """No board that can be read; the message says what was seen and what to do.

    `frame` is the picture that it is about, if there is one to show, and `window` the window in
    which a board can be marked.
    """

    def __init__(
        self, message: object, frame: Frame | None = None, window: Window | None = None
    ) -> None:
        super().__init__(message)
        self.frame, self.window = frame, window


class BoardCut(BoardNotFound):
    """Only part of the board is visible."""


@dataclass(frozen=True, eq=False)
class Sighting:
    """A board that was found."""

    grid: Grid
    skin: Skin
    tiles: NDArray[np.int8]
    """(rows, cols) int8 tile codes."""
    confidence: float
    """Part of the tiles that could be read, 0..1."""
    unsure: tuple[Side, ...] = ()
    """Sides at which the end of the board is uncertain."""


def survey(
    frame: Frame,
    skins: Iterable[Skin],
    shown: Sequence[Region] = (),
    knows: Callable[[Skin, Grid], bool] = lambda _skin, _grid: True,
) -> tuple[list[Sighting], list[str]]:
    """Return every whole board of a known skin in a frame, from the top down.

    `shown` are the windows in the frame, the topmost first; without, it shows one. `knows` returns
    whether a skin is that of a board's program, and does not merely look like it.

    Returns:
        One sighting a board; and a remark for each that was seen but cannot be used, a `Remark`: a
        `CutOff` where only a part of it is visible.
    """
    image, skins = frame.image, tuple(skins)
    good: list[Found] = []
    faulty: list[tuple[Found, Remark]] = []
    marks, tried = edges(image), list[Lattice]()
    for way in _WAYS:
        lattices = _lattices(image, marks, way)
        if way == "textured":
            seen = _textured(image, skins)
        else:
            fresh = [one for one in lattices if not any(map(one.repeats, tried))]
            seen = _boards(image, fresh, skins, good)
            tried += fresh
        for board in seen:
            if way == "textured" and any(board.meets(other) for other, _ in faulty):
                continue  # with faces, it was seen for something else
            fault = _fault(frame, board, lattices)
            if fault is None:
                good += [] if any(map(board.meets, good)) else [board]
            elif not any(board.meets(other) for other, _ in faulty):
                faulty.append((board, fault))
        if good and not _hatched(marks, good):
            break
    # Another program's board may look like one of a skin that reads none of its tiles.
    remarks: list[str] = [
        fault
        for board, fault in faulty
        if not any(map(board.meets, good)) and _sighting(frame, board).confidence >= _FINDER.hardly
    ]
    sightings = []
    for board in good:
        sighting = _sighting(frame, board)
        read = 100 * sighting.confidence
        _log.debug("Skin '%s' at %s reads %.0f %%", board.skin.name, sighting.grid.region, read)
        if sighting.confidence < _FINDER.hardly:
            # Keys of a keyboard resemble tiles when reduced in size.
            cells = CellPictures(image, board.place)
            few = of_few_kinds(kinds_of(cells.of(board.span), cells.loose))
            remarks += [_unread(board, sighting.grid)] if few else []
            continue
        area = area_of(sighting.grid, shown)
        known = knows(board.skin, sighting.grid)
        levels = board.skin.levels if known else {}
        extent = extent_of(frame, sighting.grid, sighting.tiles, levels, area, known=known)
        if extent.cut:
            remarks.append(CutOff(board.skin.label, sighting.grid, extent.cut, extent.side))
        else:
            sightings.append(replace(sighting, unsure=extent.unsure))
    sightings.sort(key=lambda one: (one.grid.top, one.grid.left))
    return sightings, remarks


def _lattices(image: NDArray[np.uint8], marks: NDArray[np.uint8], way: int | str) -> list[Lattice]:
    """Return the lattices of a picture, blurred or made smaller; none for boards with texture."""
    if way == "textured":
        return []
    if way == "large":
        return find_large_lattices(image)[: _FINDER.max_lattices]
    blur = int(way)
    return find_lattices(image, blur, None if blur else marks)[: _FINDER.max_lattices]


def _hatched(marks: NDArray[np.uint8], boards: list[Found]) -> bool:
    """Return whether something is left of a picture that only shows its faces when it is blurred.

    `marks` (H, W) uint8 are its edges.
    """
    height, width = (length // _FINDER.block for length in marks.shape)
    if min(height, width) == 0:
        return False
    dense = cv2.resize(marks, (width, height), interpolation=cv2.INTER_AREA) > _FINDER.dense
    for board in boards:
        left, right = (
            round(float(at) / _FINDER.block) for at in board.place.x(np.array(board.span[1::2]))
        )
        top, bottom = (
            round(float(at) / _FINDER.block) for at in board.place.y(np.array(board.span[::2]))
        )
        dense[max(top - 1, 0) : bottom + 1, max(left - 1, 0) : right + 1] = False
    return int(dense.sum()) >= _FINDER.blocks


def _boards(
    image: NDArray[np.uint8],
    lattices: list[Lattice],
    skins: tuple[Skin, ...],
    known: list[Found],
) -> list[Found]:
    """Return the boards that lattices belong to, whole or not, beside those that are known."""
    seen: list[Found] = []
    for lattice in lattices:
        # On a board that is largely hidden another one may lie.
        whole = [board for board in (*known, *seen) if board.read >= READ]
        fitting = skins if lattice.possible else _oblong(skins, lattice)
        if not fitting or any(board.holds(lattice.center) for board in whole):
            continue
        board = _likest_board(image, lattice, fitting)
        if board is not None and _log.isEnabledFor(logging.DEBUG):
            _log.debug(
                "Lattice at %.0f, %.0f: likest skin '%s', %d x %d cells, read %.0f %%",
                *lattice.center,
                board.skin.name,
                board.span.cols,
                board.span.rows,
                100 * board.read,
            )
        if board is not None and not any(other.over(board) for other in whole):
            # What is found later and is larger was there before as a part of itself.
            hidden = board.read < READ
            seen = [one for one in seen if (hidden and one.read >= READ) or not board.over(one)]
            seen.append(board)
    return seen


def _oblong(skins: tuple[Skin, ...], lattice: Lattice) -> tuple[Skin, ...]:
    """Return the skins whose cells are as oblong as those of a lattice, if these are."""
    if not lattice.oblong:
        return ()
    length = lattice.pitch_x / lattice.pitch_y
    return tuple(
        skin for skin in skins if abs(skin.tile[0] / skin.tile[1] / length - 1) < _FINDER.as_oblong
    )


def _likest_board(
    image: NDArray[np.uint8], lattice: Lattice, skins: tuple[Skin, ...]
) -> Found | None:
    """Return the board of the skin that its tiles are nearest to, else what was read best."""
    best: Found | None = None
    span = Span(0, 0, int(lattice.rows.max()) + 1, int(lattice.cols.max()) + 1)
    for fit in (native_fits, fit_skins):
        for skin, place in fit(image, lattice, skins):
            board = whole_board(image, place, span, skin)
            if board is not None and (best is None or board.rank > best.rank):
                best = board
        if best is not None and best.read >= READ and best.distance <= _FINDER.exact:
            break
    return best


def _textured(image: NDArray[np.uint8], skins: tuple[Skin, ...]) -> list[Found]:
    """Return the boards whose cells have no faces, only texture."""
    seen: list[Found] = []
    for texture in find_textures(image):
        fit = fit_texture(image, texture, skins)
        board = whole_board(image, fit[1], CORE, fit[0], _FINDER.most) if fit else None
        if board is None or board.read < READ or any(other.over(board) for other in seen):
            continue
        for _ in range(_FINDER.polishes):
            again = whole_board(image, board.place, board.span, board.skin, _FINDER.most)
            if again is None or again.place == board.place:
                break
            board = again
        seen.append(board)
    return seen


def _fault(frame: Frame, board: Found, lattices: list[Lattice]) -> Remark | None:
    """Return why a board cannot be used, else None.

    It is too large, largely unread, of cells too small to tell where it ends, or cut off.
    """
    image, span, name = frame.image, board.span, board.skin.name
    grid = grid_of(frame, board.place, span)
    size = f"{span.rows} rows and {span.cols} columns"
    if max(span.rows, span.cols) > MOST_LINES:
        return Remark(f"a board of skin '{name}' has more than {MOST_LINES} rows or columns", grid)
    if board.read < READ:
        return Remark(
            f"a board of skin '{name}' shows {size}, but {1 - board.read:.0%} of its tiles cannot "
            "be read: something may lie over it, or its colours or sharpness were changed",
            grid,
        )
    if min(board.place.pitch_x, board.place.pitch_y) < _FINDER.small and not _ended(image, board):
        return Remark(
            f"a board of skin '{name}' is seen, but its cells are too small to tell where it ends",
            grid,
        )
    more = faces_beyond(board.place, span, lattices)
    sides = (
        side
        for side in SIDES
        if side == more or goes_on(image, board.skin, board.place, span, board.tiles, side)
    )
    side = next(sides, None)
    if side is None:
        return None
    return CutOff(f"skin '{name}'", grid, f"it is cut off at its {side}", side)


def _unread(board: Found, grid: Grid) -> Remark:
    return Remark(
        f"a board of {board.span.rows} rows and {board.span.cols} columns is seen that looks like "
        f"{board.skin.name} from afar, but hardly one of its tiles can be read",
        grid,
    )


def _ended(image: NDArray[np.uint8], board: Found) -> bool:
    """Return whether edges run along the sides of a board of small cells, which may be blurred."""
    place, span, skin = board.place, board.span, board.skin
    if resemblance_to(skin).own_size(place.pitch_x, place.pitch_y):
        return True
    least = min(edge_share(image, board, side) for side in SIDES)
    if least < _FINDER.ended[0]:
        return False
    if least >= _FINDER.ended[1]:
        return True
    alike = resemblance_to(skin).likeness(place.cut(image, span), grey=True).correlation
    alike = alike.reshape(span.rows, span.cols)
    sides = (alike[0], alike[-1], alike[:, 0], alike[:, -1])
    worst = min(float(np.median(side)) for side in sides)
    return float(np.median(alike)) - worst <= _FINDER.ended[2]


def _sighting(frame: Frame, board: Found) -> Sighting:
    place, span = board.place, board.span
    grid = grid_of(frame, place, span)
    face = board.skin.restart.face
    if face is not None:
        grid = replace(grid, face=face.region(grid))
    # A matcher keeps the last colour correction: an exact board needs none.
    matcher = _matcher_of(board.skin) if board.distance <= _FINDER.exact else Matcher(board.skin)
    tiles = place.cut(frame.image, span, exactly=True)
    codes = matcher.match(tiles, (span.rows, span.cols))[0]
    codes = codes.reshape(span.rows, span.cols)
    return Sighting(grid, board.skin, codes, float((codes != UNREAD).mean()))


def grid_of(frame: Frame, place: Place, span: Span) -> Grid:
    """Return a board in pixels of a frame as a grid on the desktop."""
    scale = frame.scale
    return Grid(
        left=frame.region.left + float(place.x(span.left)) / scale,
        top=frame.region.top + float(place.y(span.top)) / scale,
        pitch_x=place.pitch_x / scale,
        pitch_y=place.pitch_y / scale,
        wide_cols=_wider(place.wide_cols, span.left, span.cols),
        wide_rows=_wider(place.wide_rows, span.top, span.rows),
        wider=place.wider / scale,
        rows=span.rows,
        cols=span.cols,
        scale=scale,
    )


def place_of(frame: Frame, grid: Grid) -> Place:
    """Return where the cells of a grid, all of one size, are in the pixels of a frame."""
    scale, region = frame.scale, frame.region
    left, top = (grid.left - region.left) * scale, (grid.top - region.top) * scale
    return Place(left, top, grid.pitch_x * scale, grid.pitch_y * scale)


def _wider(wide: int | None, first: int, count: int) -> int:
    """Return how many of a board's lines are wider."""
    return 0 if wide is None else min(max(wide - first, 0), count)


@lru_cache(maxsize=64)
def _matcher_of(skin: Skin) -> Matcher:
    """Return a skin's matcher for exact boards; a reader has one of its own."""
    return Matcher(skin)
