"""The light that a board is seen in: what a screen or a person did to all of its colours.

A night light, a dimmed desktop, another gamma: each value of a channel becomes another
one, the same all over the board. One tile alone cannot tell a covered cell in dim light
from an empty one in full light; all of a board's tiles together can, because one light
has to explain them all. It is sought among

    value -> clip(offset + gain * value ** gamma)

with an offset and a gain for each channel and one gamma, by assigning tiles to pictures
and fitting offsets and gains in turns, from several beginnings. Where lights that explain
the tiles about equally well name a tile differently, nobody knows what it shows.

Where the tiles are all cells of a board, lights under which there is no such board are left
out: without that, a fresh board in dim light may as well be one of empty cells in full light.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.board import COVERED
from vision.matcher.colour_fit import (
    BLOCKS,
    NOISE,
    Begun,
    Fits,
    blocks_of,
    colour_of,
    exemplars_of,
    line_through,
    natural,
)
from vision.matcher.description import Floats, Tiles

_GAMMAS: Final = (0.4, 0.55, 0.75, 1.0, 1.35, 1.8, 2.5)
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
_NEARLY: Final = (10 / 255) ** 2
"""The same where all tiles look alike: another light could be made to fit any of them."""
_CAP: Final = (40 / 255) ** 2
"""Mean square difference beyond which a tile is none of the pictures."""
_AS_WELL: Final = 2.5
"""How many times worse the usual light may explain the tiles and be preferred. Measured: 1.7
for JPEG pictures of small coloured tiles."""
_SAME: Final = 4.0
"""The same where tiles have the mean colours of the pictures: thin lines may be blurred.
Measured: up to 3.3 for blurred and scaled boards, 700 and more in another light."""
_RIVAL: Final = 3.0
"""How many times worse another light may explain the tiles and still be possible."""
_RIVALS: Final = 4
_EXPLAINED: Final = 0.08
"""Part of the exemplars' variance that a light may leave unexplained. Measured: 0.06 in any
light, 0.16 and more where a light was only made up for a blur or a dialog."""
_EXACTLY: Final = (1.5 / 255) ** 2
_LOOKS: Final = 6
"""Looks of a state that count."""
_COLOURED: Final = (4 / 255) ** 2
_NO_COLOUR: Final = (2 / 255) ** 2
_SOME: Final = 0.2
"""Part of the pictures that have colours where a skin has them."""
_FINER: Final = (20, 20)
"""Blocks of tiles that all look alike: hatching and lines tell the light then."""
_STRUCTURE: Final = (3 / 255) ** 2
"""Mean square of structure that such a tile must have."""
_ALIKE: Final = 0.03
"""Part of it by which such tiles may differ."""
_IMPOSSIBLE: Final = 0.25
"""Part of the zeros that must lie beside covered cells for a light to be impossible: some may
be something else that lies over the board."""
_FADED: Final = 0.35
"""Part of the colours' energy under which a screen counts as grey."""


@dataclass(frozen=True, eq=False)
class Light:
    """A light, and which states it cannot tell."""

    table: NDArray[np.uint8]
    """(256, 3): the value that each value of B, G, R became."""
    others: tuple[NDArray[np.uint8], ...] = ()
    """Tables of lights that explain the tiles about as well."""
    told: frozenset[int] | None = None
    """The states that it was told from, where it says nothing about others."""
    sure: bool = True
    """Whether it explains the tiles; else only what the other lights agree on can be told."""
    grey: bool = False
    """Whether no colours are left, and states must be told by brightness."""

    @property
    def usual(self) -> bool:
        """Whether brightness is as it was."""
        return self is USUAL or self is GREY


_RAMP: Final = np.repeat(np.arange(256, dtype=np.uint8)[:, None], 3, axis=1)
USUAL: Final = Light(_RAMP)
GREY: Final = Light(_RAMP, grey=True)
DARK: Final = Light(np.zeros_like(_RAMP))
"""Nothing can be told: the colours of the pictures are not on the screen."""
UNKNOWN: Final = Light(_RAMP)
"""No board was seen so far: tiles are compared as they are, shades alone tell nothing."""


def greyed(pictures: Tiles) -> Tiles:
    """(n, h, w, 3) pictures without their colours."""
    shape = pictures.shape
    grey = cv2.cvtColor(pictures.reshape(-1, shape[2], 3), cv2.COLOR_BGR2GRAY)
    return np.repeat(grey.reshape(*shape[:3], 1), 3, axis=3).astype(np.uint8)


def under(pictures: Tiles, table: NDArray[np.uint8]) -> Tiles:
    """Return the pictures in another light; (256, 3)."""
    lit = np.empty_like(pictures)
    for channel in range(3):
        lit[..., channel] = table[pictures[..., channel], channel]
    return lit


class Lights:
    """Tells the light from many tiles of a board.

    Args:
        pictures: (k, h, w, 3) uint8, of the skin.
        codes: (k,) int8.
        blocks: What a tile is averaged to.
    """

    def __init__(
        self, pictures: Tiles, codes: NDArray[np.int8], blocks: tuple[int, int] = BLOCKS
    ) -> None:
        self._blocks = blocks
        first = np.array([np.count_nonzero(codes[:at] == codes[at]) for at in range(len(codes))])
        chosen = first < _LOOKS
        self._codes = codes[chosen]
        self._pictures = pictures[chosen]
        coloured = colour_of(blocks_of(self._pictures)) > _COLOURED
        self._coloured = bool(coloured.mean() > _SOME)
        self._powers: dict[float, Floats] = {}

    def of(self, tiles: Tiles, shape: tuple[int, int] | None = None) -> Light:
        """Return the light of a board.

        Args:
            tiles: (n, h, w, 3) uint8; the more of a board, the surer.
            shape: Rows and columns, where the tiles are all of a board's, row by row.
        """
        exemplars, counts, owner = exemplars_of(blocks_of(tiles))
        if self._coloured and colour_of(exemplars).max() <= _NO_COLOUR:
            light = Lights(greyed(self._pictures), self._codes).of(tiles, shape)
            return GREY if light is USUAL else replace(light, grey=True)
        weights = (np.sqrt(counts) / np.sqrt(counts).sum()).astype(np.float32)
        usual = self._fitted(exemplars, weights, Begun.of([1.0], [(0.0, 1.0)]), turns=0)
        states = np.unique(usual.codes[0])
        natural = shape is None or bool((states < 0).any())
        same = self._same_shades(exemplars, weights)
        fresh = same and states.tolist() == [COVERED]
        if natural and (fresh or usual.misfit[0] <= NOISE):
            return USUAL
        if shape is not None and _alike(tiles, exemplars):
            return self._alone(tiles)
        fine = self._found(exemplars, weights)
        misfit = float(fine.misfit.min())
        if self._grey(exemplars, weights, fine, int(fine.misfit.argmin())):
            return DARK
        alike = len(states) == 1 and usual.misfit[0] <= _NEARLY
        as_well = (_SAME if same else _AS_WELL) * misfit + NOISE
        if natural and (alike or usual.misfit[0] <= as_well):
            return USUAL
        middle = np.einsum("m,mbc->bc", weights, exemplars)
        variance = float((weights * np.square(exemplars - middle).mean(axis=(1, 2))).sum())
        return self._likely(fine, owner, shape, max(_EXPLAINED * variance, _EXACTLY))

    def _likely(
        self, fits: Fits, owner: NDArray[np.intp], shape: tuple[int, int] | None, most: float
    ) -> Light:
        """Return the best fit under which the board is possible, and fits about as good."""
        numbers = fits.distinct()
        likely = [
            one
            for one in numbers
            if shape is None or _can_be(fits.codes[one][owner].reshape(shape))
        ]
        if not likely or fits.misfit[likely[0]] > most:
            return Light(_RAMP, (fits.table(numbers[0]),), sure=False)
        best, *others = likely
        limit = _RIVAL * float(fits.misfit[best]) + NOISE
        tables = [fits.table(other) for other in others if fits.misfit[other] <= limit]
        return Light(fits.table(best), tuple(tables[:_RIVALS]))

    def _alone(self, tiles: Tiles) -> Light:
        """Return the light of a board that shows covered cells alone.

        Of others it tells nothing.
        """
        some = self._codes == COVERED
        covered = Lights(self._pictures[some], self._codes[some], _FINER)
        mean = blocks_of(tiles, _FINER).mean(axis=0, keepdims=True)
        fits = covered._found(mean, np.ones(1, np.float32))
        best = int(fits.misfit.argmin())
        return Light(fits.table(best), (), frozenset({COVERED}))

    def _found(self, exemplars: Floats, weights: Floats) -> Fits:
        """Lights that explain the exemplars, from many beginnings."""
        begun = Begun.of(
            [gamma for gamma in _GAMMAS for _ in _BEGINNINGS], list(_BEGINNINGS) * len(_GAMMAS)
        )
        rough = self._fitted(exemplars, weights, begun, turns=_TURNS).best(_KEPT)
        return self._fitted(exemplars, weights, rough.finer(), turns=_TURNS)

    def _grey(self, exemplars: Floats, weights: Floats, fits: Fits, at: int) -> bool:
        """Return whether the pictures have colours in a light that the tiles have not."""
        lit = (fits.offset[at] + fits.gain[at] * self._power(fits.gamma[at])).clip(0, 1)
        shown = colour_of(lit[fits.pictures[at]]) @ weights
        seen = colour_of(exemplars) @ weights
        return bool(shown > _COLOURED and seen < _FADED * shown)

    def _same_shades(self, exemplars: Floats, weights: Floats) -> bool:
        """Return whether most tiles have the mean colours of the picture that they look like.

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
            self._powers[gamma] = blocks_of(under(self._pictures, table), self._blocks)
        return self._powers[gamma]

    def _fitted(self, exemplars: Floats, weights: Floats, begun: Begun, turns: int) -> Fits:
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
                offset, gain = line_through(powers[pick, best], exemplars, trust)
        misfit = (weights * np.minimum(least, _CAP)).sum(axis=1)
        misfit[~natural(offset, gain)] = _CAP
        return Fits(begun.gamma, offset, gain, misfit, self._codes[best], best)


def _alike(tiles: Tiles, exemplars: Floats) -> bool:
    """Return whether tiles differ by next to nothing of what each one's parts do."""
    fine = blocks_of(tiles, _FINER).mean(axis=0)
    structure = float(np.square(fine - fine.mean(axis=0)).mean())
    differ = np.square(exemplars - exemplars.mean(axis=0)).mean(axis=(1, 2)).max()
    return structure >= _STRUCTURE and bool(differ <= _ALIKE * structure)


def _can_be(codes: NDArray[np.int8]) -> bool:
    """Return whether a board may look like (rows, cols) about.

    On none all cells are open, nor do all show the same but where they are covered; a zero
    opens what is around it.
    """
    if (codes == codes.flat[0]).all():
        return bool(codes.flat[0] == COVERED)
    beside = cv2.dilate((codes == COVERED).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    zeros = codes == 0
    few = np.count_nonzero(zeros & beside) <= _IMPOSSIBLE * np.count_nonzero(zeros)
    return bool((codes < 0).any() and few)
