"""The light that a board is seen in: what a screen or a person did to all of its colours.

A night light, a dimmed desktop, another gamma: each value of a channel becomes another
one, the same all over the board. One tile alone cannot tell a covered cell in dim light
from an empty one in full light; all of a board's tiles together can, because one light
has to explain them all. It is sought among

    value -> clip(offset + gain * value ** gamma)

with an offset and a gain for each channel and one gamma, by assigning tiles to pictures
and fitting offsets and gains in turns, from several beginnings. Where lights that explain
the tiles about equally well name a tile differently, nobody knows what it shows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.naming.description import Floats, Tiles, resized

_BLOCKS: Final = (5, 5)
"""Blocks that a tile is averaged to."""
_EXEMPLARS: Final = 28
"""Tiles, as different as can be, that stand for all."""
_GAMMAS: Final = (0.4, 0.55, 0.75, 1.0, 1.35, 1.8, 2.5)
_FINE: Final = (0.84, 0.92, 1.0, 1.09, 1.19)
"""Of a gamma, tried around each that is likely."""
_BEGINNINGS: Final = (
    (0.0, 1.0),
    (0.0, 0.5),
    (0.0, 0.2),
    (0.3, 0.4),
    (-0.25, 1.3),
    (0.3, 1.0),
    (1.0, -1.0),
)
"""Offsets and gains."""
_TURNS: Final = 2
_KEPT: Final = 6
_SHADE: Final = 4 / 255
"""Difference of mean colours that scaling and JPEG may leave."""
_MOSTLY: Final = 0.75
_NOISE: Final = (3 / 255) ** 2
"""Mean square difference that says nothing."""
_NEARLY: Final = (10 / 255) ** 2
"""The same where all tiles look alike: another light could be made to fit any of them."""
_CAP: Final = (40 / 255) ** 2
"""Mean square difference beyond which a tile is none of the pictures."""
_AS_WELL: Final = 1.5
"""How many times worse the usual light may explain the tiles and be preferred."""
_RIVAL: Final = 3.0
"""How many times worse another light may explain the tiles and still be possible."""
_RIVALS: Final = 4
_EXPLAINED: Final = 0.08
"""Part of the exemplars' variance that a light may leave unexplained. Measured: 0.06 in any
light, 0.16 and more where a light was only made up for a blur or a dialog."""
_EXACTLY: Final = (1.5 / 255) ** 2
_LOOKS: Final = 4
"""Looks of a state that count."""
_SLACK: Final = 0.02
"""Gain that tells no direction."""
_LIFTED: Final = 0.3
_COLOURED: Final = (4 / 255) ** 2
_NO_COLOUR: Final = (2 / 255) ** 2
_SEVERAL: Final = 5
"""Different tiles among which one must be coloured where a skin has colours."""
_FADED: Final = 0.35
"""Part of the colours' energy under which a screen counts as grey."""
_CLIPPED: Final = 0.004
_TIE: Final = 1e-4


@dataclass(frozen=True, eq=False)
class Light:
    """A light, and which states it cannot tell."""

    table: NDArray[np.uint8]
    """(256, 3): the value that each value of B, G, R became."""
    others: tuple[NDArray[np.uint8], ...] = ()
    """Tables of lights that explain the tiles about as well."""

    @property
    def usual(self) -> bool:
        """Whether colours are as they were."""
        return self is USUAL


_RAMP: Final = np.repeat(np.arange(256, dtype=np.uint8)[:, None], 3, axis=1)
USUAL: Final = Light(_RAMP)
DARK: Final = Light(np.zeros_like(_RAMP))
"""Nothing can be told: the colours of the pictures are not on the screen."""
UNKNOWN: Final = Light(_RAMP)
"""No board was seen so far: tiles are compared as they are, shades alone tell nothing."""


def under(pictures: Tiles, table: NDArray[np.uint8]) -> Tiles:
    """The pictures in another light; (256, 3)."""
    lit = np.empty_like(pictures)
    for channel in range(3):
        lit[..., channel] = table[pictures[..., channel], channel]
    return lit


class Lights:
    """Tells the light from many tiles of a board.

    Args:
        pictures: (k, h, w, 3) uint8, of the skin.
        codes: (k,) int8.
    """

    def __init__(self, pictures: Tiles, codes: NDArray[np.int8]) -> None:
        first = np.array([np.count_nonzero(codes[:at] == codes[at]) for at in range(len(codes))])
        chosen = first < _LOOKS
        self._codes = codes[chosen]
        self._pictures = pictures[chosen]
        self._coloured = bool((_colour(_blocks(self._pictures)) > _COLOURED).mean() > 0.2)
        self._powers: dict[float, Floats] = {}

    def of(self, tiles: Tiles) -> Light:
        """The light of a board.

        Args:
            tiles: (n, h, w, 3) uint8; the more of a board, the surer.
        """
        exemplars, counts = _exemplars(_blocks(tiles))
        several = self._coloured and len(exemplars) >= _SEVERAL
        if several and _colour(exemplars).max() <= _NO_COLOUR:
            return DARK
        weights = (np.sqrt(counts) / np.sqrt(counts).sum()).astype(np.float32)
        usual = self._fitted(exemplars, weights, _Begun.of([1.0], [(0.0, 1.0)]), turns=0)
        if usual.misfit[0] <= _NOISE or self._same_shades(exemplars, weights):
            return USUAL
        begun = _Begun.of(
            [gamma for gamma in _GAMMAS for _ in _BEGINNINGS], list(_BEGINNINGS) * len(_GAMMAS)
        )
        rough = self._fitted(exemplars, weights, begun, turns=_TURNS).best(_KEPT)
        fine = self._fitted(exemplars, weights, rough.finer(), turns=_TURNS)
        best, *others = fine.distinct()
        misfit = float(fine.misfit[best])
        if self._grey(exemplars, weights, fine, best):
            return DARK
        alike = len(set(usual.codes[0].tolist())) == 1 and usual.misfit[0] <= _NEARLY
        if alike or usual.misfit[0] <= _AS_WELL * misfit + _NOISE:
            return USUAL
        middle = np.einsum("m,mbc->bc", weights, exemplars)
        variance = float((weights * np.square(exemplars - middle).mean(axis=(1, 2))).sum())
        if misfit > max(_EXPLAINED * variance, _EXACTLY):
            return Light(_RAMP, (fine.table(best),))
        tables = [
            fine.table(other) for other in others if fine.misfit[other] <= _RIVAL * misfit + _NOISE
        ]
        return Light(fine.table(best), tuple(tables[:_RIVALS]))

    def _grey(self, exemplars: Floats, weights: Floats, fits: _Fits, at: int) -> bool:
        """Whether the pictures have colours in a light that the tiles have not."""
        lit = (fits.offset[at] + fits.gain[at] * self._power(fits.gamma[at])).clip(0, 1)
        shown = _colour(lit[fits.pictures[at]]) @ weights
        seen = _colour(exemplars) @ weights
        return bool(shown > _COLOURED and seen < _FADED * shown)

    def _same_shades(self, exemplars: Floats, weights: Floats) -> bool:
        """Whether most tiles have the mean colours of the picture that they look like.

        Thin lines do not survive scaling as they were, mean colours do.
        """
        flat, pictures = exemplars.reshape(len(exemplars), -1), self._power(1.0)
        lines = pictures.reshape(len(pictures), -1)
        best = (np.square(lines).sum(axis=1) - 2 * flat @ lines.T).argmin(axis=1)
        gaps = exemplars.mean(axis=1) - pictures[best].mean(axis=1)
        same = np.abs(gaps).max(axis=1) <= _SHADE
        return float(weights[same].sum()) >= _MOSTLY

    def _power(self, gamma: float) -> Floats:
        """(k, blocks, 3): the pictures' blocks, averaged after the gamma."""
        if gamma not in self._powers:
            ramp = 255 * (np.arange(256) / 255) ** gamma
            table = np.repeat(ramp.round().astype(np.uint8)[:, None], 3, axis=1)
            self._powers[gamma] = _blocks(under(self._pictures, table))
        return self._powers[gamma]

    def _fitted(self, exemplars: Floats, weights: Floats, begun: _Begun, turns: int) -> _Fits:
        """Every beginning, after tiles were assigned and lines were fitted in turns."""
        powers = np.stack([self._power(gamma) for gamma in begun.gamma])
        offset, gain = begun.offset, begun.gain
        flat = exemplars.reshape(len(exemplars), -1)
        energy = np.square(flat).sum(axis=1)
        pick = np.arange(len(powers))[:, None]
        for turn in range(turns + 1):
            lit = (offset[:, None, None] + gain[:, None, None] * powers).clip(0, 1)
            lines = lit.reshape(*lit.shape[:2], -1)
            squares = np.square(lines).sum(axis=2)[:, None] - 2 * flat @ lines.transpose(0, 2, 1)
            best = squares.argmin(axis=2)
            least = (squares.min(axis=2) + energy).clip(0) / np.float32(flat.shape[1])
            if turn < turns:
                trust = weights * np.minimum(1, _CAP / np.maximum(least, _CAP / 100))
                offset, gain = _line(powers[pick, best], exemplars, trust)
        misfit = (weights * np.minimum(least, _CAP)).sum(axis=1)
        misfit[~_natural(offset, gain)] = _CAP
        return _Fits(begun.gamma, offset, gain, misfit, self._codes[best], best)


@dataclass(frozen=True, eq=False)
class _Begun:
    """Lights to begin with."""

    gamma: list[float]
    offset: Floats
    """(s, 3)"""
    gain: Floats

    @classmethod
    def of(cls, gamma: list[float], lines: list[tuple[float, float]]) -> _Begun:
        both = np.repeat(np.array(lines, np.float32)[:, :, None], 3, axis=2)
        return cls(gamma, both[:, 0], both[:, 1])


@dataclass(frozen=True, eq=False)
class _Fits(_Begun):
    """Lights as they were fitted."""

    misfit: Floats
    """(s,)"""
    codes: NDArray[np.int8]
    """(s, m), of the exemplars."""
    pictures: NDArray[np.intp]
    """(s, m), their numbers."""

    def best(self, most: int) -> _Fits:
        """Those that explain the tiles best, each way of naming them once."""
        kept = self.distinct()[:most]
        return _Fits(
            [self.gamma[at] for at in kept],
            self.offset[kept],
            self.gain[kept],
            self.misfit[kept],
            self.codes[kept],
            self.pictures[kept],
        )

    def distinct(self) -> list[int]:
        """Numbers, the best first, each way of naming the tiles once."""
        found: dict[bytes, int] = {}
        for at in self.misfit.argsort(kind="stable").tolist():
            found.setdefault(self.codes[at].tobytes(), at)
        return list(found.values())

    def finer(self) -> _Begun:
        """With gammas around."""
        gamma = [one * factor for one in self.gamma for factor in _FINE]
        return _Begun(
            [round(one, 3) for one in gamma],
            np.repeat(self.offset, len(_FINE), axis=0),
            np.repeat(self.gain, len(_FINE), axis=0),
        )

    def table(self, at: int) -> NDArray[np.uint8]:
        """(256, 3) uint8."""
        ramp = (np.arange(256) / 255) ** self.gamma[at]
        lit = self.offset[at] + self.gain[at] * ramp[:, None]
        return np.asarray((255 * lit).round().clip(0, 255), np.uint8)


def _colour(blocks: Floats) -> Floats:
    """(n,) how far the channels of (n, blocks, 3) lie from their mean, squared."""
    squares: Floats = np.square(blocks - blocks.mean(axis=2, keepdims=True)).mean(axis=(1, 2))
    return squares


def _blocks(tiles: Tiles) -> Floats:
    """(n, blocks, 3) float32, 0..1."""
    small = resized(tiles, _BLOCKS)
    return (small.reshape(len(tiles), -1, 3) / np.float32(255)).astype(np.float32)


def _exemplars(blocks: Floats) -> tuple[Floats, NDArray[np.float64]]:
    """Tiles that are far from each other, each the mean of those next to it, and how many."""
    flat = blocks.reshape(len(blocks), -1)
    chosen = [0]
    nearest = np.square(flat - flat[0]).mean(axis=1)
    owner = np.zeros(len(flat), np.intp)
    while len(chosen) < min(_EXEMPLARS, len(flat)):
        far = int(nearest.argmax())
        if nearest[far] <= _NOISE:
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
    return exemplars, np.asarray(counts[kept], np.float64)


def _natural(offset: Floats, gain: Floats) -> NDArray[np.bool_]:
    """(s,): which lights can be: no channel upside down alone, none lifted far over another."""
    alike = (gain.min(axis=1) > -_SLACK) | (gain.max(axis=1) < _SLACK)
    natural: NDArray[np.bool_] = alike & (np.ptp(offset, axis=1) <= _LIFTED)
    return natural


def _line(x: Floats, y: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Offsets (s, 3) and gains (s, 3) of y (m, b, 3) over x (s, m, b, 3).

    Clipped values do not count. A little of 'as bright as the mean says' is mixed in: one
    shade alone does not give a line.
    """
    whole = ((y > _CLIPPED) & (y < 1 - _CLIPPED)).astype(np.float32)
    seen = whole * y

    def total(values: Floats) -> NDArray[np.float32]:
        """Weighted over tiles and blocks: (m, b, 3) or (s, m, b, 3) -> (s, 3)."""
        each = np.broadcast_to(values.sum(axis=-2), (len(x), len(y), 3))
        return np.asarray(np.einsum("sm,smc->sc", weights, each), np.float32)

    number: Floats = total(whole) + np.float32(1e-9)
    masked = x * whole
    mean_x, mean_y = total(masked) / number, total(seen) / number
    spread = total(masked * x) / number - np.square(mean_x)
    common = total(masked * y) / number - mean_x * mean_y
    gain = (common + _TIE * mean_y / np.maximum(mean_x, 0.05)) / (np.maximum(spread, 0) + _TIE)
    return (mean_y - gain * mean_x).astype(np.float32), gain.astype(np.float32)
