"""Fitting lights: one gamma, and a line for each channel, through tiles and their pictures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.matcher.description import Floats, Tiles, resized

NOISE: Final = (3 / 255) ** 2
"""Mean square difference that says nothing."""
BLOCKS: Final = (5, 5)
"""Blocks that a tile is averaged to."""
_EXEMPLARS: Final = 28
"""Tiles, as different as can be, that stand for all."""
_FINE: Final = (0.84, 0.92, 1.0, 1.09, 1.19)
"""Of a gamma, tried around each that is likely."""
_SLACK: Final = 0.02
"""Gain that tells no direction."""
_LIFTED: Final = 0.3
_CLIPPED: Final = 0.004
_TIE: Final = 1e-4


@dataclass(frozen=True, eq=False)
class Begun:
    """Lights to begin with."""

    gamma: list[float]
    offset: Floats
    """(s, 3)"""
    gain: Floats

    @classmethod
    def of(cls, gamma: list[float], lines: list[tuple[float, float]]) -> Begun:
        """From offsets and gains that are the same for all channels."""
        both = np.repeat(np.array(lines, np.float32)[:, :, None], 3, axis=2)
        return cls(gamma, both[:, 0], both[:, 1])


@dataclass(frozen=True, eq=False)
class Fits(Begun):
    """Lights as they were fitted."""

    misfit: Floats
    """(s,)"""
    codes: NDArray[np.int8]
    """(s, m), of the exemplars."""
    pictures: NDArray[np.intp]
    """(s, m), their numbers."""

    def best(self, most: int) -> Fits:
        """Those that explain the tiles best, each way of naming them once."""
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
        """Numbers, the best first, each way of naming the tiles once."""
        found: dict[bytes, int] = {}
        for at in self.misfit.argsort(kind="stable").tolist():
            found.setdefault(self.codes[at].tobytes(), at)
        return list(found.values())

    def finer(self) -> Begun:
        """With gammas around."""
        gamma = [one * factor for one in self.gamma for factor in _FINE]
        return Begun(
            [round(one, 3) for one in gamma],
            np.repeat(self.offset, len(_FINE), axis=0),
            np.repeat(self.gain, len(_FINE), axis=0),
        )

    def table(self, at: int) -> NDArray[np.uint8]:
        """(256, 3) uint8."""
        ramp = (np.arange(256) / 255) ** self.gamma[at]
        lit = self.offset[at] + self.gain[at] * ramp[:, None]
        return np.asarray((255 * lit).round().clip(0, 255), np.uint8)


def colour_of(blocks: Floats) -> Floats:
    """(n,) how far the channels of (n, blocks, 3) lie from their mean, squared."""
    squares: Floats = np.square(blocks - blocks.mean(axis=2, keepdims=True)).mean(axis=(1, 2))
    return squares


def blocks_of(tiles: Tiles, size: tuple[int, int] = BLOCKS) -> Floats:
    """(n, blocks, 3) float32, 0..1."""
    small = resized(tiles, size)
    return (small.reshape(len(tiles), -1, 3) / np.float32(255)).astype(np.float32)


def exemplars_of(blocks: Floats) -> tuple[Floats, NDArray[np.float64], NDArray[np.intp]]:
    """Tiles that are far from each other, each the mean of those next to it.

    Returns:
        The exemplars (m, blocks, 3), how many tiles each stands for (m,), and which one stands
        for each tile (n,).
    """
    flat = blocks.reshape(len(blocks), -1)
    chosen = [0]
    nearest = np.square(flat - flat[0]).mean(axis=1)
    owner = np.zeros(len(flat), np.intp)
    while len(chosen) < min(_EXEMPLARS, len(flat)):
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


def natural(offset: Floats, gain: Floats) -> NDArray[np.bool_]:
    """(s,): which lights can be: no channel upside down alone, none lifted far over another."""
    alike = (gain.min(axis=1) > -_SLACK) | (gain.max(axis=1) < _SLACK)
    natural: NDArray[np.bool_] = alike & (np.ptp(offset, axis=1) <= _LIFTED)
    return natural


def line_through(x: Floats, y: Floats, weights: Floats) -> tuple[Floats, Floats]:
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
