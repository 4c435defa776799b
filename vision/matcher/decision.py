"""Decide the state of a tile: compare pictures as screens and remote desktops change them.

A tile is described by its brightness, pixel by pixel, and by its colours at half the
resolution, which JPEG and video preserve. A tile is accepted if all of these conditions hold
(`Evidence.sure`; in brackets the fields of `Limits`); else it is UNREAD:

- it differs little from the nearest picture (`rest` with `floor`), has no spot that is missing in
  the picture (`spot`), and that picture is not plain (`contrast`);
- in the direction from the nearest picture to any picture of another state, it lies near
  the nearest one: not half-way (`toward`, `local`, `firm`), farther from half-way than its own
  noise reaches (`sigmas`), in no part of the tile nearer to the other (`contradicted`), and the
  two pictures themselves differ enough (`apart`, `shaped`);
- and likewise in the direction to no structure at all (`plain`): a plain patch of another window
  has the colour of an empty cell, but not its lines.

The directions make thin differences count. Two mines that differ by one line of pixels are
distinguished by that line, not by the similarity of the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.board import UNREAD
from bot.unread import BrokenLimit, Cause, Unread
from vision.matcher.description import (
    Floats,
    Ints,
    References,
    coarse,
    fitted,
    fringe_of,
    largest_spot,
    parts_of,
    planes_of,
    worst_spot,
)
from vision.matcher.scaling import GRAIN, Redrawn, Way


@dataclass(frozen=True)
class Limits:
    """Limits for accepting a tile. `vision/RESULTS.md` says what each is worth."""

    rest: float = 0.35
    """Share of the nearest picture's contrast that is added to `floor`: together the largest root
    mean square difference from that picture."""
    floor: float = 0.02
    """Root mean square difference, of brightness 0..1, that a tile may have at any contrast."""
    contrast: float = 0.006
    """Least contrast (root mean square of the structure) of the nearest picture."""
    spot: float = 1.5
    """Largest difference of a spot of a few pixels, in units of the difference that noise and JPEG
    cause (`worst_spot`)."""
    apart: float = 0.03
    """Least difference, in brightness 0..1, of the worst spot of two states' pictures."""
    shaped: float = 2.0
    """Factor on that difference if no change of brightness explains it."""
    toward: float = 0.27
    """Largest share of the way to another state's picture at which a tile may lie."""
    local: float = 0.7
    """Least confidence 0..1: one minus the tile's difference from the nearest picture over that
    from another state's, where the two pictures differ."""
    firm: float = -1.0
    """Least confidence if differences along the tile's sides count less."""
    sigmas: float = 6.0
    """Least distance from half-way to another state's picture, in units of the tile's noise."""
    plain: float = 0.75
    """Largest share of the way to no structure at all at which a tile may lie."""
    contradicted: float = 0.75
    """Largest share of the difference in one part of the tile that another state's picture, which
    shows more there, may explain."""


LIMITS: Final = Limits()
SCALED: Final = Limits(floor=0.025, rest=0.4, local=0.55, apart=0.01)
"""For tiles drawn at another size than the pictures: pixels are at other positions."""
SHRUNK: Final = replace(SCALED, firm=0.61)
"""For tiles drawn smaller: lines along the sides may be missing, or the neighbour's."""
FAMILIAR: Final = Limits(floor=0.04, rest=0.4, spot=1.7, plain=0.3)
"""For hints that a board shows several times, pixel by pixel, without colour correction: possibly
in another font, but no temporary object."""
CORRECTED: Final = Limits(apart=0.06, shaped=4.0, toward=0.2, local=0.8, sigmas=8.0, plain=0.5)
"""For boards whose colour correction was estimated: it is not exact and may change shades, but no
glyph. A picture washed out to one shade is nearer to no structure than to any picture."""
REDRAWN: Final = replace(LIMITS, firm=SHRUNK.firm)
"""For tiles that were reduced in a known way; enlarged ones have `LIMITS`."""
LIKELY: Final = Limits(toward=0.5, shaped=0.0, local=0.0, sigmas=0.0, contradicted=1.0)
"""Limits at which a tile may be the state it resembles: enough to contradict another one."""


@dataclass(frozen=True)
class Tolerances:
    """Differences that decide beside `Limits`, in brightness 0..1.

    Measured by `python -m tests.benchmarks.reading`; `vision/RESULTS.md` says what single ones
    are worth.
    """

    hopeless: float = 0.2
    """Difference above which a tile is not tried again."""
    explained: float = 0.01
    """Root mean square difference of brightness that distinguishes states."""
    colourless: float = 0.1
    """Tolerance by which brightness alone may lie farther toward a rival: a grey screen has no
    colours."""
    fringe: float = 0.25
    """Confidence subtracted for two states that differ only along the sides."""
    part: float = 0.05
    """Least root mean square difference that counts in a part of a tile."""
    clearly: float = 0.03
    """The same for states distinguished although colours bled: thin lines on black lose theirs in
    a JPEG."""
    bled: float = 0.1
    """Tolerance by which brightness alone may place such a tile nearer."""
    few: int = 4
    """Number of likely pictures with which a tile is compared first."""


_TOLERANCE: Final = Tolerances()

_UNLIKE: Final = {"rest", "plain", "contrast"}
"""Limits that a tile breaks only if no picture is near enough."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """Evidence for and against the nearest picture of each tile; all (n,)."""

    codes: NDArray[np.int8]
    """The codes of the pictures."""
    rest: Floats
    """Root mean square difference from the picture."""
    contrast: Floats
    """Root mean square of that picture's structure."""
    spot: Floats
    """Largest difference of a spot, relative to the tolerated one."""
    toward: Floats
    """Position on the way from the nearest picture to another state's, as a share; the worst."""
    apart: Floats
    """Largest mean difference, over a spot, of the nearest two states' pictures."""
    local: Floats
    """One minus the difference from the nearest picture over that from the rival, where they
    differ."""
    sigmas: Floats
    """Distance from half-way to the rival, on the near side, in units of the tile's noise."""
    plain: Floats
    """Position on the way to no structure, as a share."""
    contradicted: Floats
    """Share of the difference in a part of the tile that another state's picture explains; the
    worst."""
    firm: Floats
    """The confidence, reduced by differences only along the sides: neighbours may bleed into
    them."""

    labels: NDArray[np.int8]
    """(n, m): the codes of all pictures that were compared."""
    squares: Floats
    """(n, m): sums of the square differences from them."""

    def within(
        self, limits: Limits
    ) -> dict[str, tuple[Floats, Floats | float, bool, NDArray[np.bool_]]]:
        """Return by each limit's name: values, limit, whether it is an upper one, whether kept.

        The values and the last item are (n,).
        """
        most: dict[str, tuple[Floats, Floats | float]] = {
            "rest": (self.rest, limits.floor + limits.rest * self.contrast),
            "spot": (self.spot, limits.spot),
            "toward": (self.toward, limits.toward),
            "plain": (self.plain, limits.plain),
            "contradicted": (self.contradicted, limits.contradicted),
        }
        least: dict[str, tuple[Floats, Floats | float]] = {
            "contrast": (self.contrast, limits.contrast),
            "apart": (self.apart, limits.apart),
            "local": (self.local, limits.local),
            "firm": (self.firm, limits.firm),
            "sigmas": (self.sigmas, limits.sigmas),
        }
        return {name: (value, one, True, value <= one) for name, (value, one) in most.items()} | {
            name: (value, one, False, value >= one) for name, (value, one) in least.items()
        }

    def sure(self, limits: Limits) -> NDArray[np.bool_]:
        """Return (n,): whether each tile is accepted."""
        kept = (kept for *_, kept in self.within(limits).values())
        return reduce(np.logical_and, kept)

    def unread(
        self, rows: Iterable[int], limits: Limits, missing: tuple[int, ...]
    ) -> Iterator[Unread]:
        """Yield why some of the tiles are not accepted: the limits that they break.

        `missing` are the states without a picture.
        """
        within = [
            (name, value, np.broadcast_to(limit, value.shape), upper, kept)
            for name, (value, limit, upper, kept) in self.within(limits).items()
        ]
        for row in rows:
            broken = tuple(
                BrokenLimit(name, float(value[row]), float(limit[row]), upper)
                for name, value, limit, upper, kept in within
                if not kept[row]
            )
            if self.codes[row] == UNREAD:
                yield Unread(Cause.CHANGING, missing=missing)
                continue
            names = {one.name for one in broken}
            # A tile between two states has spots that differ from both.
            unlike = bool(names & _UNLIKE) or names == {"spot"}
            cause = Cause.UNLIKE if unlike else Cause.AMBIGUOUS
            yield Unread(cause, broken, self._nearest(row), missing=missing)

    def _nearest(self, row: int) -> tuple[tuple[int, float], ...]:
        """Return the nearest two states of a tile, and one minus their differences."""
        found: dict[int, float] = {}
        order = self.squares[row].argsort()
        differences = np.sqrt(self.squares[row, order] / max(self.squares[row, order[0]], 1e-12))
        for at, times in zip(order.tolist(), differences.tolist(), strict=True):
            if self.labels[row, at] != UNREAD:
                found.setdefault(int(self.labels[row, at]), 1 - times * float(self.rest[row]))
        return tuple(found.items())[:2]


Weighed = tuple[tuple[Ints, Evidence, Limits], ...]
"""Comparisons of some tiles (by number), the last one for a tile decides: evidence and limits."""
Decided = tuple[NDArray[np.int8], Floats, Weighed]
"""Codes and confidence (n,), and the comparisons."""


@dataclass(frozen=True, eq=False)
class _Differs:
    """Differences between the inside of tiles and pictures, in each of the parts."""

    parts: Floats
    """(d, p)"""
    differs: Floats
    """(n, p)"""
    drawn: Floats
    """(n, p): the structure of the picture."""

    @classmethod
    def of(cls, own: Floats, gap: Floats, size: tuple[int, int]) -> _Differs:
        """Return the differences of tiles that differ by `gap` from the pictures, both (n, d)."""
        inner = parts_of(size) * (1 - fringe_of(size))[:, None]
        return cls(inner, np.square(gap) @ inner, _drawn(own, inner))

    def explained(self, pictures: Floats, gap: Floats) -> Floats:
        """Return (n,): the largest share that additions in other pictures explain."""
        some = np.maximum(self.parts.sum(axis=0), 1) * _TOLERANCE.part**2
        explained = 1 - np.square(gap) @ self.parts / np.maximum(self.differs, 1e-9)
        explained[(self.differs < some) | (_drawn(pictures, self.parts) <= self.drawn)] = -np.inf
        most: Floats = explained.max(axis=1)
        return most


def decide(
    values: Floats,
    references: References,
    limits: Limits = LIMITS,
    *,
    scaled: bool = False,
) -> Decided:
    """Return the states of described tiles.

    Tiles that are not accepted at once are compared again with the likeliest pictures, which are
    slightly moved, blurred or sharpened to fit best. Tiles of another size are always compared
    again: the first result is kept if the second one agrees within wider limits, else the second
    one decides.

    Returns:
        Codes (n,), UNREAD if not accepted, confidence (n,) in 0..1, and the evidence.
    """
    likely = likely_pictures(values, references)
    evidence = _weigh_few(values, references, likely, limits)
    sure = evidence.sure(limits)
    codes = np.where(sure, evidence.codes, UNREAD).astype(np.int8)
    trust = evidence.local.clip(0, 1)
    weighed: Weighed = ((np.arange(len(values)), evidence, limits),)
    again = np.nonzero((scaled | ~sure) & (evidence.rest <= _TOLERANCE.hopeless))[0]
    if len(again):
        evidence = _weigh_fitted(values[again], references, likely[again], limits)
        kept = sure[again] & (evidence.codes == codes[again])
        kept &= evidence.sure(_half(limits))
        codes[again] = np.where(evidence.sure(limits) | kept, evidence.codes, UNREAD)
        trust[again] = np.where(kept, trust[again], evidence.local.clip(0, 1))
        weighed += ((again, evidence, limits),)
    return codes, trust, weighed


def decide_redrawn(
    values: Floats,
    references: References,
    redrawn: Redrawn,
    ways: Sequence[Way],
    *,
    smaller: bool,
) -> tuple[NDArray[np.int8], NDArray[np.bool_], Floats, Weighed]:
    """Return the states of described tiles by pictures redrawn with a known scaling.

    Returns:
        Codes (n,) of the nearest picture, whether each is accepted, confidence, and the evidence.
    """
    limits = REDRAWN if smaller else LIMITS
    likely = references.numbers[likely_pictures(values, references)]
    likely = np.concatenate([likely, redrawn.closest(values, ways)], axis=1)
    drawn = redrawn.nearest(values, likely, ways)
    pictures = fitted(values, drawn, references.size)
    evidence = _weigh(values, redrawn.codes[likely], references.size, pictures, limits)
    sure = evidence.sure(limits)
    weighed: Weighed = ((np.arange(len(values)), evidence, limits),)
    if smaller and ways[0].thins:
        best = np.square(values[:, None] - drawn).sum(axis=2).argmin(axis=1)
        own = drawn[np.arange(len(values)), best]
        sure &= ~redrawn.fragile(own, evidence.codes, ways)
        exact = redrawn.exact(values, ways)
        codes = np.where(exact != UNREAD, exact, evidence.codes)
        sure = (exact != UNREAD) | (sure & (codes == evidence.codes))
        return codes, sure, evidence.local.clip(0, 1), weighed
    return evidence.codes, sure, evidence.local.clip(0, 1), weighed


def _half(limits: Limits) -> Limits:
    """Return the limits for the second comparison of a tile that the first one accepted."""
    return replace(
        limits,
        toward=0.5,
        local=limits.local / 2,
        firm=-1.0,
        sigmas=limits.sigmas / 2,
        apart=0.0,
    )


def likely_pictures(values: Floats, references: References) -> Ints:
    """Return (n, 8): likely pictures of each tile, in pairs of two states.

    First the nearest picture, paired with the most similar one of the state toward which the tile
    lies farthest; then that state's likeliest picture, the next such state's, and the next nearest,
    each paired with the most similar one of the nearest picture's state. Pictures of one state may
    differ in the lines around them, so similar ones are compared.
    """
    rows = np.arange(len(values))
    rough, looks, codes = coarse(values, references.size), references.coarse, references.codes
    energy = np.einsum("kc,kc->k", looks, looks)
    squares = np.einsum("nc,nc->n", rough, rough)[:, None] + energy - 2 * rough @ looks.T
    best = squares.argmin(axis=1)
    apart = references.apart[best]
    same = codes == codes[best][:, None]
    toward = (squares[rows, best][:, None] + apart - squares) / np.maximum(apart, 1e-6)
    toward[same] = -np.inf
    squares[same] = np.inf
    first = toward.argmax(axis=1)
    rival = codes == codes[first][:, None]
    like_best = np.where(rival, apart, np.inf).argmin(axis=1)
    toward[rival] = -np.inf
    pairs = [best, like_best]
    for other in (first, toward.argmax(axis=1), squares.argmin(axis=1)):
        pairs += [np.where(same, references.apart[other], np.inf).argmin(axis=1), other]
    return np.stack(pairs, axis=1)


def _weigh_few(values: Floats, references: References, likely: Ints, limits: Limits) -> Evidence:
    """Return the evidence for the nearest of the first few likely pictures, unchanged."""
    few = likely[:, : _TOLERANCE.few]
    return _weigh(values, references.codes[few], references.size, references.values[few], limits)


def _weigh_fitted(values: Floats, references: References, likely: Ints, limits: Limits) -> Evidence:
    """Return the evidence for the nearest likely picture, each fitted to its tile."""
    pictures = fitted(values, references.values[likely], references.size)
    return _weigh(values, references.codes[likely], references.size, pictures, limits)


def _weigh(
    values: Floats, codes: NDArray[np.int8], size: tuple[int, int], pictures: Floats, limits: Limits
) -> Evidence:
    """Return the evidence for the nearest of the likely pictures (n, m, d)."""
    n, d = values.shape
    rows = np.arange(n)
    gaps = values[:, None] - pictures
    squares = np.einsum("nmd,nmd->nm", gaps, gaps)
    best = squares.argmin(axis=1)
    own, gap, least = pictures[rows, best], gaps[rows, best], squares[rows, best]
    differs = _Differs.of(own, gap, size)
    noise = np.maximum(np.sqrt(least / d), GRAIN)
    luma = planes_of(size)[0]
    structure = _structure(own, size)
    contrast = np.maximum(np.einsum("nd,nd->n", structure, structure), 1e-9)
    toward, local, sigmas, apart = (np.full(n, start) for start in (-np.inf, 1.0, np.inf, np.inf))
    contradicted, firm = np.full(n, -np.inf), np.ones(n)
    fringe = _TOLERANCE.fringe * fringe_of(size)
    for rival in range(codes.shape[1]):
        other = codes[:, rival] != codes[rows, best]
        partner = np.where(codes[:, rival ^ 1] == codes[rows, best], rival ^ 1, best)
        first = _along(pictures[:, rival] - own, least, squares[:, rival])
        second = pictures[:, rival] - pictures[rows, partner]
        second = _along(second, squares[rows, partner], squares[:, rival])
        # A tile that equals its picture except for noise needs no other variant of the same state.
        partner = np.where((second < first) & (noise > GRAIN), partner, best)
        step = pictures[:, rival] - pictures[rows, partner]
        support = np.square(step)
        way = np.maximum(support.sum(axis=1), 1e-9)
        along = np.minimum(first, second)
        weights = np.square(gaps[rows, partner])
        own_luma = weights[:, luma].sum(axis=1)
        mine = np.einsum("nd,nd->n", support, weights)
        its = np.einsum("nd,nd->n", support, np.square(gaps[:, rival]))
        surely = 1 - mine / np.maximum(its, 1e-12)
        firm = np.where(other, np.minimum(firm, surely - support @ fringe / way), firm)
        bright = np.maximum(support[:, luma].sum(axis=1), 1e-9)
        shade = 0.5 + 0.5 * (own_luma - np.square(gaps[:, rival, luma]).sum(axis=1)) / bright
        apart_in_shade = np.sqrt(bright / d) >= _TOLERANCE.explained
        along = np.where(apart_in_shade, np.maximum(along, shade - _TOLERANCE.colourless), along)
        clearly = np.sqrt(bright / d) >= _TOLERANCE.clearly
        along = np.where(
            clearly, np.minimum(along, np.maximum(along - _TOLERANCE.bled, shade)), along
        )
        toward = np.where(other, np.maximum(toward, along), toward)
        local = np.where(other, np.minimum(local, surely), local)
        partly = differs.explained(pictures[:, rival], gaps[:, rival])
        contradicted = np.where(other, np.maximum(contradicted, partly), contradicted)
        spot = largest_spot(step, size)
        if limits.shaped:
            shape = _structure(step, size)
            share = np.einsum("nd,nd->n", shape, structure) / contrast
            shape -= share[:, None] * structure
            spot = np.maximum(spot, limits.shaped * largest_spot(shape, size))
        apart = np.where(other, np.minimum(apart, spot), apart)
        sigmas = np.where(other, np.minimum(sigmas, (0.5 - along) * np.sqrt(way) / noise), sigmas)
    return Evidence(
        codes=codes[rows, best],
        rest=np.sqrt(least / d),
        contrast=np.sqrt(contrast / d),
        spot=worst_spot(gap, own, size),
        toward=toward.astype(np.float32),
        apart=apart.astype(np.float32),
        local=local.astype(np.float32),
        sigmas=sigmas.astype(np.float32),
        plain=-np.einsum("nd,nd->n", structure, gap) / contrast,
        contradicted=contradicted.astype(np.float32),
        firm=firm.astype(np.float32),
        labels=codes,
        squares=squares,
    )


def _drawn(pictures: Floats, parts: Floats) -> Floats:
    """Return (n, parts): the variation in each part of a picture."""
    uneven: Floats = np.square(pictures) @ parts - np.square(pictures @ parts) / np.maximum(
        parts.sum(axis=0), 1
    )
    return uneven


def _structure(values: Floats, size: tuple[int, int]) -> Floats:
    """Return (n, d): the values without the mean brightness and colours."""
    structure = values.copy()
    for part in planes_of(size):
        structure[:, part] -= structure[:, part].mean(axis=1, keepdims=True)
    return structure


def _along(step: Floats, near: Floats, far: Floats) -> Floats:
    """Return (n,): positions of tiles along a step, by squared distances from its ends."""
    way = np.maximum(np.einsum("nd,nd->n", step, step), 1e-9)
    along: Floats = (near + way - far) / (2 * way)
    return along
