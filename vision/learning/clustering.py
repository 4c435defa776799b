"""Group tile pictures of a board into clusters by similarity.

Equal pictures are one kind, and so are nearly equal ones: a fractional pitch moves a tile by a part
of a pixel, compression and noise change it a little. Several kinds may have one state (a checkered
board has two shades of each), but no kind may contain two states: doubtful tiles are separate
kinds.

`Propagation` then copies a known state to kinds with the same inside. Programs draw neighbours'
lines into a tile, a fractional pitch cuts tiles differently, an interpolated picture bleeds over
borders: the same state, another rim. A kind with the same inside as a settled kind gets its state,
unless a kind of another state resembles it. A covered cell may differ from an empty one only in its
rim, and likewise a mine from the exploded one, or a flag from a wrong one: such states are copied
only when both are known.

Some boards change all their colours when a game is over. Opened cells never close and hints never
change: if nearly every opened cell looks new, but equal cells are still equal, the states are
unchanged (`retinted`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.board import COVERED, EXPLODED, FLAG, MINE, MISFLAG, QUESTION
from vision.digits import NO_DIGIT, glyph_masks, read_glyphs
from vision.learning.evidence import Reading, kin_mark, resemblance
from vision.learning.features import SIDE, Features, at_most, features_of, ground_of, legible, moved

Tiles = NDArray[np.uint8]
"""(n, h, w, 3) uint8, BGR."""
Ints = NDArray[np.intp]


@dataclass(frozen=True)
class ClusteringLimits:
    """Limits within which tiles belong to one cluster, in grey levels where no unit is given.

    Measured by `python -m tests.benchmarks.learning`; `vision/RESULTS.md` says what single ones
    are worth.
    """

    unlike: int = 20
    """Grey levels by which a blurred pixel of one kind's pictures may differ from another's. On
    the four built-in looks and the skins of `tests/support/strange.py` at 12 to 60 px two states
    differ by 26 or more."""
    plain: float = 12.0
    """Contrast within a picture, in grey levels, below which it is plain but for noise."""
    faint: float = 0.35
    """Share of the contrast by which a pixel may differ where that is less than `unlike`."""
    shade: int = 5
    """Difference in grey levels of the backgrounds within one kind: a covered and an opened cell
    of a flat look may have few other differences."""
    sure: float = 0.9
    """Least probability at which a mark certainly is a digit. The reduced pictures of two small
    digits may differ by no more than two pictures of the same one."""
    many: int = 48
    """Number of kinds above which pictures are assumed to be spoiled by noise or compression."""
    coarser: float = 1.6
    rims: tuple[float, float] = (0.14, 0.07)
    """Parts of a side that are excluded: lines and bevels, or what bleeds over a border."""
    same_at_rest: float = 40.0
    """`unlike` for a board that has been unchanged for some seconds: roman numbers on cells of
    20 pixels, enlarged by 1.25 pixel by pixel, differ by 38 from the same one elsewhere, by 80
    from another one."""
    least: int = 5
    """Least number of opened cells to distinguish a change of colours from a new game."""
    least_changed: float = 0.8
    """Least share of the opened or of the covered cells, whichever is larger, that look new after a
    change of colours."""
    same_shape: float = 0.97
    same_ink: float = 40.0
    """Difference in grey levels between the colours of one mark on two backgrounds."""
    apart: float = 10.0
    """Least difference in grey levels between a covered and an opened background."""
    hidden: float = 0.3
    """Largest share of a tile that a pointer may hide."""
    distinct: float = 0.03
    """Least share of a tile beside the pointer in which every other state looks different."""


_CLUSTERING: Final = ClusteringLimits()

_MEMORY_BYTES: Final = 16 << 20
_MOVES: Final = tuple((x / 2, y / 2) for y in (-1, 0, 1) for x in (-1, 0, 1) if x or y)


class Grouping:
    """Kinds seen so far, numbered from 0; pictures of one size.

    Args:
        inner: Whether only the insides of pictures are compared, and faint marks more closely.
            Where cells begin at fractions of a pixel, the outermost ones show the neighbours.
    """

    def __init__(self, *, inner: bool = False) -> None:
        self.inner = inner
        self.pictures: list[NDArray[np.uint8]] = []
        """The first picture of each kind, (h, w, 3)."""
        self.features: list[Features] = []
        self._met: list[_Met] = []
        self._known: dict[bytes, int] = {}
        self._bytes = 0
        self._coarse = 1.0

    def __len__(self) -> int:
        return len(self.pictures)

    def group(self, tiles: Tiles) -> Ints:
        """Return the kind of each tile, (n,), and add new kinds."""
        if self._bytes > _MEMORY_BYTES:
            self._known, self._bytes = {}, 0
        keys = [tile.tobytes() for tile in tiles]
        pictures = dict(zip(keys, tiles, strict=True))
        counts = Counter(key for key in keys if key not in self._known)
        # The commonest first: rare ones are compared with them.
        for key, _ in counts.most_common():
            self._known[key] = self._kind_of(pictures[key])
            self._bytes += len(key)
        return np.array([self._known[key] for key in keys], np.intp)

    def find(self, tiles: Tiles) -> Ints:
        """Return the kind of each tile, (n,), as `group` does; -1 for an unknown one."""
        keys = [tile.tobytes() for tile in tiles]
        pictures = dict(zip(keys, tiles, strict=True))
        kinds = {key: self._known.get(key, -1) for key in pictures}
        kinds |= {key: self._nearest(pictures[key]) for key, kind in kinds.items() if kind < 0}
        return np.array([kinds[key] for key in keys], np.intp)

    def add(self, picture: NDArray[np.uint8]) -> int:
        """Add a kind for a picture, without comparison."""
        self.pictures.append(np.array(picture))
        self.features.append(features_of(self.inside(picture)))
        self._met.append(self._met_of(picture))
        return len(self.pictures) - 1

    def split(self, picture: NDArray[np.uint8]) -> None:
        """Add a kind for a picture that was taken for another kind; the nearest kind counts."""
        self.add(picture)
        self._known, self._bytes = {}, 0

    def other_digits(self, one: int, other: int) -> bool:
        """Return whether one kind certainly shows a digit, and the other not the same."""
        return self._met[one].digit != self._met[other].digit

    def inside(self, picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return the part of a picture that is compared."""
        return np.ascontiguousarray(picture[1:-1, 1:-1]) if self.inner else picture

    def _met_of(self, picture: NDArray[np.uint8]) -> _Met:
        return _Met.of(self.inside(picture), faint=self.inner)

    def _kind_of(self, tile: NDArray[np.uint8]) -> int:
        if len(self) >= _CLUSTERING.many * self._coarse:
            self._coarse *= _CLUSTERING.coarser
        nearest = self._nearest(tile)
        return self.add(tile) if nearest < 0 else nearest

    def _nearest(self, tile: NDArray[np.uint8]) -> int:
        """Return the kind of a picture, -1 if there is none."""
        met = self._met_of(tile)
        nearest, least = -1, self._coarse
        for kind, other in enumerate(self._met):
            unlike = met.unlike(other, least)
            if unlike < least and met.digit == other.digit:
                nearest, least = kind, unlike
        return nearest


@dataclass(frozen=True, eq=False)
class _Met:
    """A picture prepared for comparison, at the common size."""

    soft: NDArray[np.int16]
    """(h, w, 3), blurred."""
    ground: NDArray[np.float32]
    tolerance: float
    """Grey levels by which a pixel may differ from another picture's."""
    moved: list[NDArray[np.int16]]
    """The picture shifted by half a pixel to every side; computed at the first use."""
    low: NDArray[np.int16]
    """Darkest of the neighbouring pixels, for each pixel."""
    high: NDArray[np.int16]
    picture: NDArray[np.uint8]
    contrast: float
    """Grey levels between its ground and what stands on it."""

    @cached_property
    def digit(self) -> int | None:
        """The digit that it shows; None if it is not certain."""
        if self.contrast < _CLUSTERING.plain:
            return None
        scores = read_glyphs(glyph_masks(legible(self.picture)[None])).scores[0]
        digit = int(scores.argmax())
        return digit if digit < NO_DIGIT and scores[digit] >= _CLUSTERING.sure else None

    @classmethod
    def of(cls, picture: NDArray[np.uint8], *, faint: bool = False) -> _Met:
        small = at_most(picture, SIDE)
        soft = cv2.GaussianBlur(small, (3, 3), 0)
        around = np.ones((3, 3), np.uint8)
        ground = ground_of(small)
        contrast = float(np.abs(soft[2:-2, 2:-2] - ground).max(initial=0))
        within = faint and contrast >= _CLUSTERING.plain
        return cls(
            soft.astype(np.int16),
            ground,
            min(_CLUSTERING.unlike, _CLUSTERING.faint * contrast) if within else _CLUSTERING.unlike,
            [],
            cv2.erode(soft, around).astype(np.int16),
            cv2.dilate(soft, around).astype(np.int16),
            picture,
            contrast,
        )

    def unlike(self, other: _Met, least: float) -> float:
        """Return the difference of two pictures, 1 within a kind; inexact above `least`."""
        shade = float(np.abs(self.ground - other.ground).max()) / _CLUSTERING.shade
        if self.soft.shape != other.soft.shape or shade >= least:
            return np.inf
        unlike = min(self.tolerance, other.tolerance)
        differs = np.abs(self.soft - other.soft)
        far = max(float(differs.max()) / unlike, shade)
        if far < least:
            return far
        if max(self._rims_apart(other), other._rims_apart(self)) / _CLUSTERING.unlike >= least:
            return np.inf
        if not other.moved:
            other.moved.extend(moved(other.soft, x, y) for x, y in _MOVES)
        inner = slice(1, -1), slice(1, -1)
        least = min(int(np.abs((self.soft - one)[inner]).max()) for one in other.moved)
        return max(least / unlike, shade)

    def _rims_apart(self, other: _Met) -> int:
        """Return the grey levels by which the rim exceeds the range of the other's nearby pixels.

        In a large tile the outermost pixels may belong to neighbours if the pitch is fractional:
        then the pixels next to them count.
        """
        below, above = other.low - self.soft, self.soft - other.high
        beyond = np.maximum(below, above)
        at = 1 if min(beyond.shape[:2]) >= SIDE else 0
        rims = beyond[at], beyond[-1 - at], beyond[:, at], beyond[:, -1 - at]
        return max(int(rim.max()) for rim in rims)


def have_changed(before: Tiles, now: Tiles) -> NDArray[np.bool_]:
    """Return (n,) which tiles have changed, by more than noise changes all of them."""
    changes = cv2.absdiff(before, now).reshape(len(now), -1).max(axis=1)
    return np.asarray(changes > int(changes.min()) + _CLUSTERING.shade, np.bool_)


def resized(picture: NDArray[np.uint8], tile: tuple[int, int]) -> NDArray[np.uint8]:
    """Return a picture at another size (width, height)."""
    if picture.shape[1::-1] == tile:
        return picture
    smaller = picture.shape[1] * picture.shape[0] > tile[0] * tile[1]
    how = cv2.INTER_AREA if smaller else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(picture, tile, interpolation=how), np.uint8)


_RIVALS: Final = {0: COVERED, COVERED: 0, MINE: EXPLODED, EXPLODED: MINE, FLAG: MISFLAG}
"""State -> the state that may differ from it only in its rim."""


class Propagation:
    """Comparison of the insides of a grouping's kinds."""

    def __init__(self, grouping: Grouping) -> None:
        self._grouping = grouping
        self._insides: dict[tuple[int, float], NDArray[np.float32]] = {}
        self._apart: dict[tuple[int, int, float], float] = {}

    def state_of(
        self,
        kind: int,
        settled: Mapping[int, int],
        tiles: int = 1,
        *,
        over: bool,
        at_rest: bool = False,
        edge: bool = False,
    ) -> int | None:
        """Return the state of an open kind as implied by settled ones, else None.

        `tiles` is the number of such tiles on the board: at most one mine is hit. Wrong flags may
        be shown once the game is `over`. Tiles that are just an outer line of the board, its
        `edge`, are no zeros beside covered cells. On a board `at_rest` nothing temporary covers a
        tile, so that it may differ by more: the pixels of an enlarged picture have different sizes.
        """
        same = min(
            _CLUSTERING.same_at_rest if at_rest else _CLUSTERING.unlike, self._tolerance(kind)
        )
        known = set(settled.values())
        for rim in _CLUSTERING.rims:
            nearest: dict[int, float] = {}
            for other, state in settled.items():
                apart = self.unlike(kind, other, rim)
                nearest[state] = min(nearest.get(state, np.inf), apart)
            if not nearest:
                return None
            state = min(nearest, key=lambda one: nearest[one])
            apart = nearest.pop(state)
            rival = _RIVALS.get(state)
            open_to_doubt = rival not in (None, *known) and (state != FLAG or over)
            open_to_doubt &= not (state == MINE and tiles > 1) and not (state == COVERED and edge)
            alone = min(nearest.values(), default=np.inf) >= same
            if apart <= same and alone and not open_to_doubt:
                return state
        return None

    def negative(self, kind: int, settled: Mapping[int, int]) -> int | None:
        """Return the state of which a tile is the negative, as under a keyboard cursor, else None.

        Only where opened cells are known to have another ground: in two colours, an opened cell may
        be the negative of a covered one.
        """
        features, its = self._grouping.features, self._inside(kind, _CLUSTERING.rims[1])
        opened = [features[other].ground for other, state in settled.items() if state >= 0]
        apart = [float(np.abs(features[kind].ground - ground).max()) for ground in opened]
        if min(apart, default=0.0) < _CLUSTERING.apart or np.ptp(its) < 2 * _CLUSTERING.unlike:
            return None
        for other, state in settled.items():
            known = self._inside(other, _CLUSTERING.rims[1])
            if known.shape == its.shape and np.abs(255 - known - its).max() <= _CLUSTERING.unlike:
                return state
        return None

    def under_pointer(self, kind: int, settled: Mapping[int, int]) -> int | None:
        """Return the state of a tile of which a pointer hides a part beside its middle, else None.

        What differs from the known picture comes in over an edge, and every other known state
        differs elsewhere too.
        """
        pictures = self._grouping.pictures
        its = cv2.GaussianBlur(pictures[kind], (3, 3), 0).astype(np.int16)
        differs: dict[int, list[NDArray[np.bool_]]] = {}
        for other, state in settled.items():
            known = cv2.GaussianBlur(pictures[other], (3, 3), 0).astype(np.int16)
            far = np.abs(its - known).max(axis=2) > _CLUSTERING.unlike
            differs.setdefault(state, []).append(far)
        nearest = {state: min(some, key=np.count_nonzero) for state, some in differs.items()}
        state = min(nearest, key=lambda one: np.count_nonzero(nearest[one]))
        hidden = nearest.pop(state)
        count, pieces = cv2.connectedComponents(hidden.astype(np.uint8))
        height, width = hidden.shape
        middle = hidden[2 * height // 5 : -(2 * height // 5), 2 * width // 5 : -(2 * width // 5)]
        rim = np.r_[pieces[0], pieces[-1], pieces[:, 0], pieces[:, -1]]
        beside = not middle.any() and hidden.mean() <= _CLUSTERING.hidden
        if not beside or len(np.unique(rim[rim > 0])) != count - 1:
            return None
        seen = cv2.dilate(hidden.astype(np.uint8), np.ones((3, 3), np.uint8)) == 0
        apart = min(((far & seen).mean() for far in nearest.values()), default=0.0)
        return state if apart >= _CLUSTERING.distinct else None

    def _tolerance(self, kind: int) -> float:
        """Return by how much another picture of a mark may differ: a faint one by less."""
        features = self._grouping.features[kind]
        contrast = float(np.abs(self._inside(kind, _CLUSTERING.rims[0]) - features.ground).max())
        return np.inf if features.plain else _CLUSTERING.faint * contrast

    def hit(self, counts: Mapping[int, int], mines: Sequence[int]) -> int | None:
        """Return the only mine of several with a different rim, else None.

        A neighbour's line is in the outermost pixels; if it extends further, the rims of several
        mines differ, and none is returned.
        """
        rimmed = [
            kind
            for kind in counts
            if min(self.unlike(kind, mine) for mine in mines) <= _CLUSTERING.unlike
            and max(self._own_apart(kind, mine) for mine in mines) >= _CLUSTERING.unlike
        ]
        return rimmed[0] if len(rimmed) == 1 and counts[rimmed[0]] == 1 else None

    def _own_apart(self, one: int, other: int) -> float:
        """Return the difference of two kinds in grey levels, without their outermost pixels."""
        a, b = (self._grouping.pictures[kind][1:-1, 1:-1].astype(np.int16) for kind in (one, other))
        return float(np.abs(a - b).max())

    def same_inside(self, one: int, other: int) -> bool:
        """Return whether two kinds differ in nothing but their rims."""
        return self.unlike(one, other) <= 1

    def unlike(self, one: int, other: int, rim: float = _CLUSTERING.rims[0]) -> float:
        """Return the largest difference in grey levels between the insides of two kinds."""
        key = min(one, other), max(one, other), rim
        if key not in self._apart:
            self._apart[key] = self._differ(*key)
        return self._apart[key]

    def _differ(self, one: int, other: int, rim: float) -> float:
        a, b = self._inside(one, rim), self._inside(other, rim)
        most = _CLUSTERING.shade if self._grouping.features[one].plain else 2 * _CLUSTERING.unlike
        if a.shape != b.shape or np.abs(a.mean(axis=(0, 1)) - b.mean(axis=(0, 1))).max() > most:
            return np.inf
        if self._grouping.other_digits(one, other):
            return np.inf
        straight = float(np.abs(a - b)[1:-1, 1:-1].max())
        if straight <= 1 or self._grouping.features[one].plain:
            return straight
        others = (moved(b, x, y) for x, y in _MOVES)
        return min(straight, *(float(np.abs(a - one)[1:-1, 1:-1].max()) for one in others))

    def _inside(self, kind: int, rim: float) -> NDArray[np.float32]:
        if (kind, rim) not in self._insides:
            small = at_most(self._grouping.pictures[kind], SIDE)
            cut = max(round(rim * min(small.shape[:2])), 1)
            inner = small[cut:-cut, cut:-cut].astype(np.float32)
            self._insides[kind, rim] = np.asarray(cv2.GaussianBlur(inner, (3, 3), 0))
        return self._insides[kind, rim]


def retinted(
    last: NDArray[np.intp],
    cells: NDArray[np.intp],
    was: NDArray[np.int8],
    features: Sequence[Features],
    readings: Sequence[Reading],
) -> dict[int, int]:
    """Return kind -> state of those that replaced others all over the board.

    `last` and `cells` are (rows, cols) kinds of the previous and the present reading, `was` the
    previous states, UNREAD if unknown. `features` and `readings` are those of each kind.
    """
    opened = was >= 0
    states = np.unique(was[opened])
    if opened.sum() < _CLUSTERING.least or len(states) < 2:
        return {}
    covered = was == COVERED
    changed = [(last != cells)[of].mean() for of in (opened, covered) if of.any()]
    if max(changed) < _CLUSTERING.least_changed:
        return {}
    found: dict[int, int] = {}
    for kind in np.unique(cells[opened]).tolist():
        before = np.unique(was[(cells == kind) & opened]).tolist()
        if len(before) > 1:
            return {}
        (state,) = before
        if features[kind].plain == (state == 0) and (
            state == 0 or readings[kind].digits[state] > 0.5
        ):
            found[kind] = state
    grounds = [features[kind].ground for kind in found]
    closed: list[Features] = []
    # The plain ones first: marks are compared with their backgrounds.
    others = set(np.unique(cells[~opened]).tolist()) - set(found)
    for kind in sorted(others, key=lambda kind: not features[kind].plain):
        olds, before = (np.unique(of[cells == kind]).tolist() for of in (last, was))
        trait = features[kind]
        if trait.plain:
            apart = [float(np.abs(trait.ground - ground).max()) for ground in grounds]
            if before == [COVERED] and min(apart, default=0.0) > _CLUSTERING.apart:
                found[kind] = COVERED
                closed.append(trait)
        elif len(olds) == 1 and same_mark(trait, features[olds[0]]):
            if not any(
                float(np.abs(trait.ground - one.ground).max()) < _CLUSTERING.apart for one in closed
            ):
                continue
            if before[0] in (FLAG, QUESTION):
                found[kind] = before[0]
    return found


def redressed(
    last: NDArray[np.intp],
    cells: NDArray[np.intp],
    was: NDArray[np.int8],
    features: Sequence[Features],
) -> dict[int, int]:
    """Return kind -> QUESTION of those that replaced question marks by a similar mark."""
    found: dict[int, int] = {}
    for kind in np.unique(cells[(was == QUESTION) & (last != cells)]).tolist():
        olds = np.unique(last[cells == kind]).tolist()
        alone = len(olds) == 1 and bool((was[cells == kind] == QUESTION).all())
        if alone and kin_mark(features[kind], features[olds[0]]):
            found[kind] = QUESTION
    return found


def same_mark(one: Features, other: Features) -> bool:
    """Return whether two marks have one shape and colour, on any grounds."""
    ink = float(np.abs(one.colours[0] - other.colours[0]).max())
    return ink < _CLUSTERING.same_ink and resemblance(one, other) > _CLUSTERING.same_shape
