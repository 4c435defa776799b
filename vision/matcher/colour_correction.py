"""Colour correction: a change of all colours of a board by a screen or a person.

A night light, a dimmed desktop, another gamma: each value of a channel becomes another one, the
same all over the board. One tile alone cannot tell a dimmed covered cell from an empty one; all of
a board's tiles together can, because one correction has to explain them all. It is sought among

    value -> clip(offset + gain * value ** gamma)

with an offset and a gain for each channel and one gamma, by alternately assigning tiles to pictures
and fitting offsets and gains, from several starting points.

If the tiles are all cells of a board, corrections that give an impossible board are excluded:
otherwise a dimmed fresh board could be one of empty cells.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.board import COVERED
from vision.matcher.description import Floats, Tiles, resized

NOISE: Final = (3 / 255) ** 2
"""Mean square difference that is within the noise."""
BLOCKS: Final = (5, 5)
"""Blocks to which a tile is averaged."""


@dataclass(frozen=True)
class ColourLimits:
    """Limits of the search for a correction; colours are 0..1.

    Measured by `python -m tests.benchmarks.reading`; `vision/RESULTS.md` says what single ones
    are worth.
    """

    exemplars: int = 28
    """Number of representative tiles, as different as possible."""
    fine: tuple[float, ...] = (0.84, 0.92, 1.0, 1.09, 1.19)
    """Factors on a gamma, tried around each likely one."""
    clipped: float = 0.004
    tie: float = 1e-4
    gammas: tuple[float, ...] = (0.4, 0.55, 0.75, 1.0, 1.35, 1.8, 2.5)
    beginnings: tuple[tuple[float, float], ...] = (
        (0.0, 1.0),
        (0.0, 0.5),
        (0.0, 0.2),
        (0.3, 0.4),
        (-0.25, 1.3),
        (0.3, 1.0),
        (1.0, -1.0),
    )
    """Offsets and gains."""
    turns: int = 2
    kept: int = 6
    nearly: float = (10 / 255) ** 2
    """Mean square difference that the uncorrected colours may leave if all tiles look alike: a
    correction could be made to fit any of them."""
    cap: float = (40 / 255) ** 2
    """Mean square difference above which a tile is none of the pictures."""
    as_well: float = 2.5
    """Factor by which the uncorrected colours may explain the tiles worse and still be preferred.
    Measured: 1.7 for JPEG pictures of small coloured tiles."""
    explained: float = 0.08
    """Share of the tiles' variance that a correction may leave unexplained. Measured: 0.06 for
    real corrections, 0.16 and more for a blur or a dialog mistaken for one."""
    rival: float = 3.0
    """Factor by which another correction may explain the tiles worse and still be possible."""
    rivals: int = 4
    looks: int = 6
    """Most variants of a state that count."""
    coloured: float = (4 / 255) ** 2
    no_colour: float = (2 / 255) ** 2
    some: float = 0.2
    """Least share of coloured pictures in a skin with colours."""
    alike: float = 0.03
    """Share of their structure by which similar tiles may differ."""
    impossible: float = 0.25
    """Share of the zeros beside covered cells above which a correction is impossible: some may be
    objects that cover the board."""


_COLOUR: Final = ColourLimits()

FINER: Final = (20, 20)
"""Finer blocks, which show hatching and lines: the smallest pictures have so many pixels."""


@dataclass(frozen=True, eq=False)
class ColourCorrection:
    """The change of each colour, and the states that it makes ambiguous."""

    table: NDArray[np.uint8]
    """(256, 3): the new value of each value of B, G, R."""
    others: tuple[NDArray[np.uint8], ...] = ()
    """The tables of corrections that explain the tiles about as well: a tile that one of them shows
    as another state is not accepted."""
    sure: bool = True
    """Whether the correction explains the tiles; if not, only tiles read alike with the others are
    accepted."""
    states: frozenset[int] | None = None
    """The states from which it was estimated, if it says nothing about others."""
    grey: bool = False
    """Whether no colours are left, so that only brightness distinguishes the states."""

    @property
    def usual(self) -> bool:
        """Whether the brightness is unchanged."""
        return self is USUAL or self is GREY


_RAMP: Final = np.repeat(np.arange(256, dtype=np.uint8)[:, None], 3, axis=1)
USUAL: Final = ColourCorrection(_RAMP)
GREY: Final = ColourCorrection(_RAMP, grey=True)
UNKNOWN: Final = ColourCorrection(_RAMP)
"""No board was seen so far: tiles are compared unchanged, and shades alone decide nothing."""


def greyed(pictures: Tiles) -> Tiles:
    """Return (n, h, w, 3) pictures without their colours."""
    shape = pictures.shape
    grey = cv2.cvtColor(pictures.reshape(-1, shape[2], 3), cv2.COLOR_BGR2GRAY)
    return np.repeat(grey.reshape(*shape[:3], 1), 3, axis=3).astype(np.uint8)


def recoloured(pictures: Tiles, table: NDArray[np.uint8]) -> Tiles:
    """Return the pictures with a table (256, 3) applied to their colours."""
    shown = np.empty_like(pictures)
    for channel in range(3):
        shown[..., channel] = table[pictures[..., channel], channel]
    return shown


class ColourEstimator:
    """Estimates the colour correction from many tiles of a board, each averaged to `blocks`."""

    def __init__(
        self, pictures: Tiles, codes: NDArray[np.int8], blocks: tuple[int, int] = BLOCKS
    ) -> None:
        self._blocks = blocks
        first = np.array([np.count_nonzero(codes[:at] == codes[at]) for at in range(len(codes))])
        chosen = first < _COLOUR.looks
        self._codes = codes[chosen]
        self._pictures = pictures[chosen]
        coloured = colour_of(blocks_of(self._pictures)) > _COLOUR.coloured
        self._coloured = bool(coloured.mean() > _COLOUR.some)
        self._powers: dict[float, Floats] = {}

    def of(self, tiles: Tiles, shape: tuple[int, int] | None = None) -> ColourCorrection:
        """Return the colour correction of a board; more tiles make it more certain.

        `shape` is rows and columns if the tiles are all of a board's, row by row.
        """
        exemplars, counts, owner = exemplars_of(blocks_of(tiles))
        if self._coloured and colour_of(exemplars).max() <= _COLOUR.no_colour:
            correction = ColourEstimator(greyed(self._pictures), self._codes).of(tiles, shape)
            return GREY if correction is USUAL else replace(correction, grey=True)
        weights = (np.sqrt(counts) / np.sqrt(counts).sum()).astype(np.float32)
        usual = self._fitted(exemplars, weights, Begun.of([1.0], [(0.0, 1.0)]), turns=0)
        states = np.unique(usual.codes[0])
        natural = shape is None or bool((states < 0).any())
        if natural and usual.misfit[0] <= NOISE:
            return USUAL
        if shape is not None and _alike(tiles, exemplars):
            return self._alone(tiles)
        fine = self._found(exemplars, weights)
        alike = len(states) == 1 and usual.misfit[0] <= _COLOUR.nearly
        as_well = _COLOUR.as_well * float(fine.misfit.min()) + NOISE
        if natural and (alike or usual.misfit[0] <= as_well):
            return USUAL
        numbers = fine.distinct()
        variance = weights @ np.square(exemplars - exemplars.mean(axis=0)).mean(axis=(1, 2))
        explained = fine.misfit <= max(_COLOUR.explained * float(variance), NOISE)
        likely = [
            one
            for one in numbers
            if shape is None or _can_be(fine.codes[one][owner].reshape(shape))
        ]
        if not likely or not explained[likely[0]]:
            return ColourCorrection(_RAMP, (fine.table(numbers[0]),), sure=False)
        best, *others = likely
        limit = _COLOUR.rival * float(fine.misfit[best]) + NOISE
        tables = [fine.table(other) for other in others if fine.misfit[other] <= limit]
        return ColourCorrection(fine.table(best), tuple(tables[: _COLOUR.rivals]))

    def _alone(self, tiles: Tiles) -> ColourCorrection:
        """Return the correction of a board with only covered cells, valid only for these."""
        some = self._codes == COVERED
        covered = ColourEstimator(self._pictures[some], self._codes[some], FINER)
        mean = blocks_of(tiles, FINER).mean(axis=0, keepdims=True)
        fits = covered._found(mean, np.ones(1, np.float32))
        best = int(fits.misfit.argmin())
        return ColourCorrection(fits.table(best), states=frozenset({COVERED}))

    def _found(self, exemplars: Floats, weights: Floats) -> Fits:
        """Return corrections that explain the exemplars, from many starting points."""
        begun = Begun.of(
            [gamma for gamma in _COLOUR.gammas for _ in _COLOUR.beginnings],
            list(_COLOUR.beginnings) * len(_COLOUR.gammas),
        )
        rough = self._fitted(exemplars, weights, begun, turns=_COLOUR.turns).best(_COLOUR.kept)
        return self._fitted(exemplars, weights, rough.finer(), turns=_COLOUR.turns)

    def _power(self, gamma: float) -> Floats:
        """Return (k, blocks, 3): the pictures' blocks, averaged after applying gamma."""
        if gamma not in self._powers:
            ramp = 255 * (np.arange(256) / 255) ** gamma
            table = np.repeat(ramp.round().astype(np.uint8)[:, None], 3, axis=1)
            self._powers[gamma] = blocks_of(recoloured(self._pictures, table), self._blocks)
        return self._powers[gamma]

    def _fitted(self, exemplars: Floats, weights: Floats, begun: Begun, turns: int) -> Fits:
        """Return fits of all starting points, by alternating assignment and line fitting."""
        powers = np.stack([self._power(gamma) for gamma in begun.gamma])
        offset, gain = begun.offset, begun.gain
        flat = exemplars.reshape(len(exemplars), -1)
        energy = np.square(flat).sum(axis=1)
        pick = np.arange(len(powers))[:, None]
        for turn in range(turns + 1):
            shown = (offset[:, None, None] + gain[:, None, None] * powers).clip(0, 1)
            lines = shown.reshape(*shown.shape[:2], -1)
            squares = np.square(lines).sum(axis=2)[:, None] - 2 * flat @ lines.transpose(0, 2, 1)
            best = squares.argmin(axis=2)
            least = (squares.min(axis=2) + energy).clip(0) / np.float32(flat.shape[1])
            if turn < turns:
                trust = weights * np.minimum(1, _COLOUR.cap / np.maximum(least, _COLOUR.cap / 100))
                offset, gain = line_through(powers[pick, best], exemplars, trust)
        misfit = (weights * np.minimum(least, _COLOUR.cap)).sum(axis=1)
        return Fits(begun.gamma, offset, gain, misfit, self._codes[best], best)


def _alike(tiles: Tiles, exemplars: Floats) -> bool:
    """Return whether tiles differ by almost nothing compared with the variation within each."""
    fine = blocks_of(tiles, FINER).mean(axis=0)
    structure = float(np.square(fine - fine.mean(axis=0)).mean())
    differ = np.square(exemplars - exemplars.mean(axis=0)).mean(axis=(1, 2)).max()
    return structure >= NOISE and bool(differ <= _COLOUR.alike * structure)


def _can_be(codes: NDArray[np.int8]) -> bool:
    """Return whether a board may have these states, (rows, cols), approximately.

    No board has all cells open, or equal opened cells only; a zero opens its neighbours.
    """
    if (codes == codes.flat[0]).all():
        return bool(codes.flat[0] == COVERED)
    beside = cv2.dilate((codes == COVERED).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    zeros = codes == 0
    few = np.count_nonzero(zeros & beside) <= _COLOUR.impossible * np.count_nonzero(zeros)
    return bool((codes < 0).any() and few)


@dataclass(frozen=True, eq=False)
class Begun:
    """Corrections to start with."""

    gamma: list[float]
    offset: Floats
    """(s, 3)"""
    gain: Floats

    @classmethod
    def of(cls, gamma: list[float], lines: list[tuple[float, float]]) -> Begun:
        """Return starting corrections with the same offsets and gains for all channels."""
        both = np.repeat(np.array(lines, np.float32)[:, :, None], 3, axis=2)
        return cls(gamma, both[:, 0], both[:, 1])


@dataclass(frozen=True, eq=False)
class Fits(Begun):
    """Fitted corrections."""

    misfit: Floats
    """(s,)"""
    codes: NDArray[np.int8]
    """(s, m), the codes of the exemplars."""
    pictures: NDArray[np.intp]
    """(s, m), the numbers of their pictures."""

    def best(self, most: int) -> Fits:
        """Return the fits that explain the tiles best, each assignment of states once."""
        kept = self.distinct()[:most]
        return Fits(
            [self.gamma[at] for at in kept],
            self.offset[kept],
            self.gain[kept],
            self.misfit[kept],
            self.codes[kept],
            self.pictures[kept],
        )

    def distinct(self) -> list[int]:
        """Return the indices of the fits, the best first, each assignment of states once."""
        found: dict[bytes, int] = {}
        for at in self.misfit.argsort(kind="stable").tolist():
            found.setdefault(self.codes[at].tobytes(), at)
        return list(found.values())

    def finer(self) -> Begun:
        """Return fits with neighbouring gammas."""
        gamma = [one * factor for one in self.gamma for factor in _COLOUR.fine]
        return Begun(
            [round(one, 3) for one in gamma],
            np.repeat(self.offset, len(_COLOUR.fine), axis=0),
            np.repeat(self.gain, len(_COLOUR.fine), axis=0),
        )

    def table(self, at: int) -> NDArray[np.uint8]:
        """Return the table (256, 3) uint8."""
        ramp = (np.arange(256) / 255) ** self.gamma[at]
        shown = self.offset[at] + self.gain[at] * ramp[:, None]
        return np.asarray((255 * shown).round().clip(0, 255), np.uint8)


def colour_of(blocks: Floats) -> Floats:
    """Return (n,): the squared distances of the channels of (n, blocks, 3) from their mean."""
    squares: Floats = np.square(blocks - blocks.mean(axis=2, keepdims=True)).mean(axis=(1, 2))
    return squares


def blocks_of(tiles: Tiles, size: tuple[int, int] = BLOCKS) -> Floats:
    """Return (n, blocks, 3) float32, 0..1."""
    small = resized(tiles, size)
    return (small.reshape(len(tiles), -1, 3) / np.float32(255)).astype(np.float32)


def exemplars_of(blocks: Floats) -> tuple[Floats, NDArray[np.float64], NDArray[np.intp]]:
    """Return tiles that are far from each other, each the mean of its neighbours.

    Returns:
        The exemplars (m, blocks, 3), the number of tiles represented by each (m,), and the exemplar
        of each tile (n,).
    """
    flat = blocks.reshape(len(blocks), -1)
    chosen = [0]
    nearest = np.square(flat - flat[0]).mean(axis=1)
    owner = np.zeros(len(flat), np.intp)
    while len(chosen) < min(_COLOUR.exemplars, len(flat)):
        far = int(nearest.argmax())
        if nearest[far] <= NOISE:
            break
        squares = np.square(flat - flat[far]).mean(axis=1)
        owner[squares < nearest] = len(chosen)
        nearest = np.minimum(nearest, squares)
        chosen.append(far)
    counts = np.bincount(owner, minlength=len(chosen)).astype(np.float64)
    sums = np.zeros((len(chosen), flat.shape[1]), np.float32)
    np.add.at(sums, owner, flat)
    kept = counts > 0
    means = sums[kept] / counts[kept, None].astype(np.float32)
    exemplars = np.asarray(means.reshape(-1, *blocks.shape[1:]), np.float32)
    numbers = np.cumsum(kept) - 1
    return exemplars, np.asarray(counts[kept], np.float64), numbers[owner]


def line_through(x: Floats, y: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Return offsets (s, 3) and gains (s, 3) of y (m, b, 3) over x (s, m, b, 3).

    Clipped values do not count. A weak prior for the mean brightness is added, because one
    shade alone does not define a line.
    """
    whole = ((y > _COLOUR.clipped) & (y < 1 - _COLOUR.clipped)).astype(np.float32)
    seen = whole * y

    def total(values: Floats) -> NDArray[np.float32]:
        """Return the sum weighted over tiles and blocks: (m, b, 3) or (s, m, b, 3) -> (s, 3)."""
        each = np.broadcast_to(values.sum(axis=-2), (len(x), len(y), 3))
        return np.asarray(np.einsum("sm,smc->sc", weights, each), np.float32)

    number: Floats = total(whole) + np.float32(1e-9)
    masked = x * whole
    mean_x, mean_y = total(masked) / number, total(seen) / number
    spread = total(masked * x) / number - np.square(mean_x)
    common = total(masked * y) / number - mean_x * mean_y
    gain = (common + _COLOUR.tie * mean_y / np.maximum(mean_x, 0.05)) / (
        np.maximum(spread, 0) + _COLOUR.tie
    )
    return (mean_y - gain * mean_x).astype(np.float32), gain.astype(np.float32)
