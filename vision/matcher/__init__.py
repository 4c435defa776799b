"""Match tile pictures to states, with an exact cache of earlier decisions.

A tile that equals a picture of the skin byte for byte has its state. Any other tile is reduced to
the features that screens and remote desktops preserve (`vision.matcher.description`) and corrected
for the colours of its whole board (`vision.matcher.colour_correction`). Then it is accepted or
rejected (`vision.matcher.decision`): UNREAD is a valid answer.

The stages for a tile, the first one that names it first:

1. equal to a picture, or decided earlier on this board (`cache`);
2. compared at its own size, or at that of the pictures (`decide`);
3. at another size than the pictures: with fewer pixels (`_coarser`);
4. a hint that occurs several times: with wider limits (`FAMILIAR`);
5. at another size: compared with the pictures scaled as the board was (`_redrawn`), which may also
   reject an earlier decision;
6. UNREAD if it may be a hint of which the skin has no picture (`_doubt`).

With an estimated colour correction, stage 2 leaves ambiguous tiles unread. `Matcher.explain`
reports the result of each stage for one tile.

The search for boards compares tiles in a cheaper way: `vision.finder.resemblance`.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import compress
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.board import COVERED, UNREAD
from vision.digits import read_tiles
from vision.matcher.cache import MatchCache, decided_of, drawn_like, looks_of, usual_of
from vision.matcher.colour_correction import UNKNOWN, USUAL, ColourEstimator
from vision.matcher.decision import (
    CORRECTED,
    FAMILIAR,
    LIKELY,
    LIMITS,
    SCALED,
    SHRUNK,
    Limits,
    decide,
    decide_redrawn,
    examine,
    likely_pictures,
)
from vision.matcher.description import Floats, References, describe
from vision.matcher.scaling import Way
from vision.skins import Skin

_log = logging.getLogger(__name__)

Tiles = NDArray[np.uint8]
"""(n, h, w, 3) uint8, BGR."""
Named = tuple[NDArray[np.int8], NDArray[np.float32]]
"""Codes (n,) and confidence (n,)."""


@dataclass(frozen=True, eq=False)
class Cut:
    """Tiles as cut from a board, none of them stretched to the size of the others."""

    tiles: Tiles
    pitch: tuple[float, float]
    """Width and height of a cell, in pixels, not rounded."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of a tile."""
        return int(self.tiles.shape[2]), int(self.tiles.shape[1])


@dataclass(frozen=True)
class Measure:
    """A limit of `vision.matcher.decision.Limits`, and a tile's value."""

    name: str
    """The field of `Limits`; 'rest' includes 'floor'."""
    value: float
    limit: float
    upper: bool
    """Whether the limit is the largest value, not the least one."""
    passed: bool


@dataclass(frozen=True)
class TileExplanation:
    """The decision on a tile, with its reasons."""

    code: int
    """The tile code; UNREAD if it is not accepted."""
    confidence: float
    """0..1."""
    stages: tuple[tuple[str, int], ...]
    """Each stage that was reached, and the code after it."""
    nearest: tuple[tuple[int, float], ...]
    """The codes of the nearest pictures, one a state, and their root mean square differences of
    brightness and colour, 0..1."""
    measures: tuple[Measure, ...]
    """The comparison with the nearest picture, at the tile's own size or the pictures': the one
    that decided, so after the pictures were fitted if the first one was not enough. Empty if the
    tile equals a picture, as none was made."""
    limits: str
    """The name of its limits in `vision.matcher.decision`."""

    @property
    def stage(self) -> str:
        """The stage that decided, the last one that changed the code; empty if none did."""
        before = UNREAD
        decided = ""
        for name, code in self.stages:
            if code != before:
                before, decided = code, name
        return decided


_LIMIT_SETS: Final = {
    "LIMITS": LIMITS, "SCALED": SCALED, "SHRUNK": SHRUNK, "CORRECTED": CORRECTED
}  # fmt: skip
_COARSER: Final = (2 / 3, 1 / 2, 1 / 3)
"""Lower resolutions, as shares of the usual one, at which unread tiles are compared again."""
_COARSEST: Final = 12
"""Side of a tile, in pixels, at which all skins are still readable."""
_SAMPLE: Final = 24
"""Number of tiles of a board from which its scaling is determined."""
_FINEST: Final = 40
"""Side of a tile, in pixels, above which more pixels give no further information: XBomb draws its
digits thin."""
A_BOARD: Final = 16
"""Number of tiles that suffice to estimate the colour correction."""
_MANY: Final = 60
"""Number of tiles that suffice to find out whether all of a board's tiles look alike."""
_OFTEN: Final = 3
"""Number of times that a board shows a tile for it to count as familiar."""
_EXACT: Final = 0.1
"""Share of a board's tiles that must equal pictures for its colours to need no correction."""
_HINTS: Final = range(1, 9)
_PERHAPS: Final = 0.02
"""Probability above which a tile may be a digit: a skin's pictures reach at most 0.005 for another
digit, except WineMine's 6."""
_UNNAMED: Final = (UNREAD, 0.0)
_NEAREST: Final = 5
"""Number of states whose nearest pictures an explanation lists."""


class Matcher:
    """Matcher of the tiles of one skin, with a cache of its decisions."""

    def __init__(self, skin: Skin) -> None:
        self.skin = skin
        self._usual = usual_of(skin)
        self._cache = MatchCache(skin, UNKNOWN)
        """The cache for the colours of the last board."""
        self._ways: tuple[Way, ...] = ()
        """Ways in which the last board may have been scaled."""
        self._estimators: dict[Skin, ColourEstimator] = {}
        self._own = frozenset((skin.tile[0], look.tobytes()) for look in looks_of(skin)[0])

    def match(
        self,
        tiles: Tiles,
        shape: tuple[int, int] | None = None,
        cut: Cut | None = None,
    ) -> Named:
        """Return the state of each tile picture (n, h, w, 3), of any one size.

        Sixteen or more tiles also determine the colour correction of the board; fewer are assumed
        to belong to the last board. `shape` is rows and columns if they are all of a board's, row
        by row; `cut` the same tiles before stretching, if any.

        Returns:
            Codes (n,) int8, UNREAD if no picture is close enough (as a whole, or in one spot) or
            another state's picture is almost as close, and confidence (n,) float32 in 0..1: one
            minus the distance to the nearest picture over that to another state's, the least of
            all, where the two pictures differ.
        """
        if len(tiles) == 0:
            return np.empty(0, np.int8), np.empty(0, np.float32)
        cut = cut or _uncut(tiles)
        keys = _keys(tiles)
        cache = self._cache_for(tiles, keys, shape)
        if len(tiles) >= A_BOARD and any(key not in cache.known for key in keys):
            self._ways = self._ways_of(cut, cache)
        return self._named(tiles, keys, cache, cut)

    def explain(
        self,
        tiles: Tiles,
        number: int,
        shape: tuple[int, int] | None = None,
        cut: Cut | None = None,
    ) -> TileExplanation:
        """Return why one of the tiles is named as `match` names it."""
        codes, trust = self.match(tiles, shape, cut)
        code, keys, cache = int(codes[number]), _keys(tiles), self._cache
        tile = tiles[number : number + 1]
        stages = []
        if cache.shows(keys[number]):
            stages.append(("equal to a picture of the skin", code))
        else:
            cut = cut or _uncut(tiles)
            familiar = np.array([keys.count(keys[number]) >= _OFTEN])
            one = Cut(cut.tiles[number : number + 1], cut.pitch)
            for name, named in self._stages(tile, cache, familiar, one):
                stages.append((name, int(named[0][0])))
            if stages[-1][1] != code:
                stages.append(("decided before on this board", code))
        references, limits, scaled = self._compared_with(tile, cache)
        values = describe(tile, references.size)
        measures: tuple[Measure, ...] = ()
        if not cache.shows(keys[number]):
            evidence = examine(values, references, limits, scaled=scaled)
            measures = tuple(
                Measure(name, float(value[0]), float(np.ravel(limit)[0]), upper, bool(kept[0]))
                for name, (value, limit, upper, kept) in evidence.within(limits).items()
            )
        return TileExplanation(
            code,
            float(trust[number]),
            tuple(stages),
            _nearest(values, references),
            measures,
            next(name for name, value in _LIMIT_SETS.items() if value is limits),
        )

    def _named(
        self, tiles: Tiles, keys: list[tuple[int, bytes]], cache: MatchCache, cut: Cut
    ) -> Named:
        """Return the cached decisions on the tiles; decide the others."""
        known = cache.known
        unknown = {key: at for at, key in enumerate(keys) if key not in known}
        if unknown:
            often = Counter(keys)
            familiar = np.array([often[key] >= _OFTEN for key in unknown])
            which = list(unknown.values())
            anew = tiles[which]
            named = self._compare(anew, cache, familiar, Cut(cut.tiles[which], cut.pitch))
            # An unread tile seen more often may still become readable.
            kept = familiar | (named[0] != UNREAD)
            cache.keep(compress(unknown, kept), named[0][kept], named[1][kept])
            known = known | decided_of(unknown, *named)
        decided = [known[key] for key in keys]
        return (
            np.array([code for code, _ in decided], np.int8),
            np.array([trust for _, trust in decided], np.float32),
        )

    def _cache_for(
        self, tiles: Tiles, keys: list[tuple[int, bytes]], shape: tuple[int, int] | None
    ) -> MatchCache:
        """Return the cache for tiles with the colours of these."""
        known = self._cache.known
        if len(tiles) < A_BOARD or all(known.get(key, _UNNAMED)[0] != UNREAD for key in keys):
            return self._cache
        exact = sum(key in self._own for key in keys)
        if exact >= _EXACT * len(keys) or (shape is not None and self._fresh(tiles)):
            self._cache = self._usual
            return self._cache
        skin = drawn_like(tiles, self.skin)
        if skin not in self._estimators:
            self._estimators[skin] = ColourEstimator(*looks_of(skin))
        correction = self._estimators[skin].of(tiles, shape)
        same = correction is USUAL and skin is self.skin
        self._cache = self._usual if same else MatchCache(skin, correction)
        if not same and _log.isEnabledFor(logging.DEBUG):
            values = correction.table[[0, 128, 255]].tolist()
            _log.debug(
                "Skin '%s' of %d x %d pixels: colours 0, 128, 255 are seen as %s, grey %s",
                self.skin.name,
                *skin.tile,
                values,
                correction.grey,
            )
        return self._cache

    def _doubt(self, tiles: Tiles, codes: NDArray[np.int8], skin: Skin) -> None:
        """Leave opened cells unread that may show a hint without a picture in the skin."""
        absent = [hint for hint in _HINTS if hint not in skin.pictures]
        hints = np.nonzero(codes >= 0)[0]
        if absent and len(hints):
            likely = read_tiles(tiles[hints]).scores[:, absent].sum(axis=1)
            codes[hints[likely > _PERHAPS]] = UNREAD

    def _fresh(self, tiles: Tiles) -> bool:
        """Return whether a board is shown in its own colours and is all covered."""
        for some in (tiles[:4], tiles[:: max(len(tiles) // _MANY, 1)]):
            if (self._compare(some, self._usual)[0] != COVERED).any():
                return False
        return True

    def _compare(
        self,
        tiles: Tiles,
        cache: MatchCache,
        familiar: NDArray[np.bool_] | None = None,
        cut: Cut | None = None,
    ) -> Named:
        """Return the last stage's result for tiles; without `cut` stages 5 and 6 are skipped."""
        *_, (_, named) = self._stages(tiles, cache, familiar, cut)
        return named

    def _stages(
        self,
        tiles: Tiles,
        cache: MatchCache,
        familiar: NDArray[np.bool_] | None,
        cut: Cut | None,
    ) -> Iterator[tuple[str, Named]]:
        """Yield each stage from the second one on, with the codes of the tiles after it.

        The next stage may change the arrays.
        """
        references, limits, scaled = self._compared_with(tiles, cache)
        size = references.size
        values = describe(tiles, size)
        resized = (int(tiles.shape[2]), int(tiles.shape[1])) != cache.skin.tile
        codes, trust = decide(values, references, limits, scaled=scaled)
        yield "compared with the pictures", (codes, trust)
        if resized and cache.correction is USUAL:
            again = np.nonzero(codes == UNREAD)[0]
            if len(again):
                codes[again], trust[again] = self._coarser(tiles[again], cache, size, limits)
                yield "compared with fewer pixels", (codes, trust)
        if cache.correction.states is not None:
            codes[~np.isin(codes, list(cache.correction.states))] = UNREAD
            yield "left to the states that the colour correction tells apart", (codes, trust)
        if familiar is not None and cache.correction is USUAL:
            again = np.nonzero(familiar & (codes == UNREAD))[0]
            if len(again):
                read, sure = decide(values[again], references, FAMILIAR)
                hint = read > 0
                codes[again[hint]], trust[again[hint]] = read[hint], sure[hint]
                yield "compared with wider limits, as a hint that occurs often", (codes, trust)
        for number in range(1, 1 + len(cache.correction.others)):
            other = cache.references(size, resized, int(tiles.shape[2]), number)
            named = decide(values, other, LIKELY)[0]
            codes[(named != codes) & ((named != UNREAD) | (not cache.correction.sure))] = UNREAD
            yield "compared with another possible colour correction", (codes, trust)
        if cut is None:
            return
        if self._ways:
            codes, trust = self._redrawn(cut, (codes, trust), cache)
            yield "compared with the pictures scaled as the board", (codes, trust)
        if any(hint not in cache.skin.pictures for hint in _HINTS):
            self._doubt(tiles, codes, cache.skin)
            yield "doubted if it may be a hint without a picture", (codes, trust)

    def _compared_with(self, tiles: Tiles, cache: MatchCache) -> tuple[References, Limits, bool]:
        """Return the pictures for tiles, the limits, and whether the sizes may differ."""
        size, scaled = self._comparison_size(tiles, cache.skin)
        width = int(tiles.shape[2])
        limits = CORRECTED
        if cache.correction.usual:
            smaller = width < cache.skin.tile[0]
            limits = (SHRUNK if smaller else SCALED) if scaled else LIMITS
        references = cache.references(size, scaled, width)
        return references, limits, scaled or len(self.skin.family) > 1

    def _coarser(
        self,
        tiles: Tiles,
        cache: MatchCache,
        size: tuple[int, int],
        limits: Limits,
    ) -> Named:
        """Match tiles of another size, not matched at `size`, with less of their detail.

        A board that was drawn small and then enlarged has none of the detail that the pictures
        have: its tiles resemble the pictures only at the number of pixels of the original drawing.
        """
        codes, trust = np.full(len(tiles), UNREAD, np.int8), np.zeros(len(tiles), np.float32)
        doubted = np.zeros(len(tiles), bool)
        for part in _COARSER:
            less = round(size[0] * part), round(size[1] * part)
            if min(less) < _COARSEST:
                continue
            references = cache.references(less, True, int(tiles.shape[2]))
            named, sure = decide(describe(tiles, less), references, limits, scaled=True)
            read = named != UNREAD
            doubted |= read & (codes != UNREAD) & (codes != named)
            codes, trust = np.where(read, named, codes), np.where(read, sure, trust)
        codes[doubted] = UNREAD
        return codes, trust

    def _ways_of(self, cut: Cut, cache: MatchCache) -> tuple[Way, ...]:
        """Return the ways in which a board may have been scaled; none if unknown."""
        size, scaled = self._comparison_size(cut.tiles, cache.skin)
        if not scaled or cache.correction is not USUAL:
            return ()
        some = np.random.default_rng(0).permutation(len(cut.tiles))[:_SAMPLE]
        values = describe(cut.tiles[some], size)
        references = cache.references(size, scaled, cut.size[0])
        likely = references.numbers[likely_pictures(values, references)]
        return cache.redrawn(cut.size, cut.pitch, size).ways(values, likely)

    def _redrawn(self, cut: Cut, named: Named, cache: MatchCache) -> Named:
        """Compare tiles with the pictures scaled like their board; the last stage.

        An accepted tile replaces the earlier decision. Any other becomes UNREAD unless the nearest
        picture has the earlier state; if scaling may have removed thin lines, it always does.
        """
        size, scaled = self._comparison_size(cut.tiles, cache.skin)
        if not scaled:
            return named
        smaller = cut.size[0] < cache.skin.tile[0]
        codes, sure, trust = decide_redrawn(
            describe(cut.tiles, size),
            cache.references(size, scaled, cut.size[0]),
            cache.redrawn(cut.size, cut.pitch, size),
            self._ways,
            smaller=smaller,
        )
        believed = sure if smaller and self._ways[0].thins else sure | (named[0] == codes)
        codes = np.where(believed, codes, UNREAD).astype(np.int8)
        return codes, np.where(sure, trust, named[1]).astype(np.float32)

    def _comparison_size(self, tiles: Tiles, skin: Skin) -> tuple[tuple[int, int], bool]:
        """Return the size (width, height) to compare at, and whether the pictures' differs."""
        width, height = int(tiles.shape[2]), int(tiles.shape[1])
        size = min(width, skin.tile[0], _FINEST), min(height, skin.tile[1], _FINEST)
        return size, (width, height) != skin.tile


def _uncut(tiles: Tiles) -> Cut:
    """Return tiles none of which was stretched."""
    return Cut(tiles, (float(tiles.shape[2]), float(tiles.shape[1])))


def _keys(tiles: Tiles) -> list[tuple[int, bytes]]:
    """Return a key for each tile that identifies its bytes."""
    width = int(tiles.shape[2])
    rows = np.ascontiguousarray(tiles).reshape(len(tiles), -1)
    return [(width, row.tobytes()) for row in rows]


def _nearest(values: Floats, references: References) -> tuple[tuple[int, float], ...]:
    """Return the nearest picture of each state to a described tile (1, d), and its distance."""
    distances = np.sqrt(np.square(references.values - values).mean(axis=1))
    found: dict[int, float] = {}
    for at in np.argsort(distances):
        found.setdefault(int(references.codes[at]), float(distances[at]))
    return tuple(found.items())[:_NEAREST]
