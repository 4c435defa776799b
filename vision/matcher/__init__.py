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

With an estimated colour correction, stage 2 leaves ambiguous tiles unread. An unread tile carries
the reason of the stage that rejected it (`bot.unread`).

The search for boards compares tiles in a cheaper way: `vision.finder.resemblance`.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import compress
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.board import COVERED, OPENED, STATE_WORDS, UNREAD
from bot.unread import Cause, Unread
from vision.digits import read_tiles
from vision.matcher.cache import MatchCache, drawn_like, looks_of, usual_of
from vision.matcher.colour_correction import UNKNOWN, USUAL, ColourEstimator
from vision.matcher.decision import (
    CORRECTED,
    FAMILIAR,
    LIKELY,
    LIMITS,
    SCALED,
    SHRUNK,
    Decided,
    Limits,
    decide,
    decide_redrawn,
    likely_pictures,
)
from vision.matcher.description import Floats, References, describe
from vision.matcher.scaling import Way
from vision.skins import Skin

_log = logging.getLogger(__name__)

Tiles = NDArray[np.uint8]
"""(n, h, w, 3) uint8, BGR."""


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


class Match(NamedTuple):
    """The states of tiles."""

    codes: NDArray[np.int8]
    """(n,) UNREAD if no picture is close enough (as a whole, or in one spot) or another state's
    picture is almost as close."""
    confidence: NDArray[np.float32]
    """(n,) in 0..1: one minus the distance to the nearest picture over that to another state's, the
    least of all, where the two pictures differ."""
    unread: Mapping[int, Unread]
    """Why each unread tile is, by its number."""


@dataclass(frozen=True)
class MatcherLimits:
    """Limits of which sizes, tiles and boards are tried.

    Measured by `python -m tests.benchmarks.reading`; `vision/RESULTS.md` says what single ones
    are worth.
    """

    coarser: tuple[float, float, float] = (2 / 3, 1 / 2, 1 / 3)
    """Lower resolutions, as shares of the usual one, at which unread tiles are compared again."""
    coarsest: int = 12
    """Side of a tile, in pixels, at which all skins are still readable."""
    sample: int = 24
    """Number of tiles of a board from which its scaling is determined."""
    finest: int = 40
    """Side of a tile, in pixels, above which more pixels give no further information: XBomb draws
    its digits thin."""
    many: int = 60
    """Number of tiles that suffice to find out whether all of a board's tiles look alike."""
    often: int = 3
    """Number of times that a board shows a tile for it to count as familiar."""
    exact: float = 0.1
    """Share of a board's tiles that must equal pictures for its colours to need no correction."""
    perhaps: float = 0.02
    """Probability above which a tile may be a digit: a skin's pictures reach at most 0.005 for
    another digit, except WineMine's 6."""


_MATCHING: Final = MatcherLimits()

A_BOARD: Final = 16
"""Number of tiles that suffice to estimate the colour correction."""
_HINTS: Final = range(1, 9)
_UNNAMED: Final = (UNREAD, 0.0, None)


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
    ) -> Match:
        """Return the state of each tile picture (n, h, w, 3), of any one size.

        Sixteen or more tiles also determine the colour correction of the board; fewer are assumed
        to belong to the last board. `shape` is rows and columns if they are all of a board's, row
        by row; `cut` the same tiles before stretching, if any.
        """
        if len(tiles) == 0:
            return Match(np.empty(0, np.int8), np.empty(0, np.float32), {})
        cut = cut or _uncut(tiles)
        keys = _keys(tiles)
        cache = self._cache_for(tiles, keys, shape)
        if len(tiles) >= A_BOARD and any(key not in cache.known for key in keys):
            self._ways = self._ways_of(cut, cache)
        return self._named(tiles, keys, cache, cut)

    def _named(
        self, tiles: Tiles, keys: list[tuple[int, bytes]], cache: MatchCache, cut: Cut
    ) -> Match:
        """Return the cached decisions on the tiles; decide the others."""
        known = cache.known
        unknown = {key: at for at, key in enumerate(keys) if key not in known}
        if unknown:
            often = Counter(keys)
            familiar = np.array([often[key] >= _MATCHING.often for key in unknown])
            which = list(unknown.values())
            anew = tiles[which]
            codes, trust, unread = self._compare(
                anew, cache, familiar, Cut(cut.tiles[which], cut.pitch)
            )
            why = map(unread.get, range(len(which)))
            values = zip(codes.tolist(), trust.tolist(), why, strict=True)
            decided = dict(zip(unknown, values, strict=True))
            # An unread tile seen more often may still become readable.
            kept = familiar | (codes != UNREAD)
            cache.keep({key: decided[key] for key in compress(unknown, kept)})
            known = known | decided
        named, sure, causes = zip(*(known[key] for key in keys), strict=True)
        reasons = {at: one for at, one in enumerate(causes) if one} if UNREAD in named else {}
        return Match(np.array(named, np.int8), np.array(sure, np.float32), reasons)

    def _cache_for(
        self, tiles: Tiles, keys: list[tuple[int, bytes]], shape: tuple[int, int] | None
    ) -> MatchCache:
        """Return the cache for tiles with the colours of these."""
        known = self._cache.known
        if len(tiles) < A_BOARD or all(known.get(key, _UNNAMED)[0] != UNREAD for key in keys):
            return self._cache
        exact = sum(key in self._own for key in keys)
        if exact >= _MATCHING.exact * len(keys) or (shape is not None and self._fresh(tiles)):
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

    def _doubted(self, tiles: Tiles, codes: NDArray[np.int8], skin: Skin) -> NDArray[np.intp]:
        """Return the numbers of opened cells that may show a hint without a picture in the skin."""
        absent = [hint for hint in _HINTS if hint not in skin.pictures]
        hints = np.nonzero(codes >= 0)[0]
        if not (absent and len(hints)):
            return np.empty(0, np.intp)
        likely = read_tiles(tiles[hints]).scores[:, absent].sum(axis=1)
        found: NDArray[np.intp] = hints[likely > _MATCHING.perhaps]
        return found

    def _fresh(self, tiles: Tiles) -> bool:
        """Return whether a board is shown in its own colours and is all covered."""
        for some in (tiles[:4], tiles[:: max(len(tiles) // _MATCHING.many, 1)]):
            if (self._compare(some, self._usual)[0] != COVERED).any():
                return False
        return True

    def _compare(
        self,
        tiles: Tiles,
        cache: MatchCache,
        familiar: NDArray[np.bool_] | None = None,
        cut: Cut | None = None,
    ) -> Match:
        """Return the states of tiles by all stages; without `cut` stages 5 and 6 are skipped."""
        references, limits, scaled = self._compared_with(tiles, cache)
        size = references.size
        values = describe(tiles, size)
        resized = (int(tiles.shape[2]), int(tiles.shape[1])) != cache.skin.tile
        codes, trust, weighed = decide(values, references, limits, scaled=scaled)
        rescaled = cut is not None and bool(self._ways)
        if resized and cache.correction is USUAL and not rescaled:
            again = np.nonzero(codes == UNREAD)[0]
            if len(again):
                codes[again], trust[again] = self._coarser(tiles[again], cache, size, limits)
        # Rejected as the colours do not tell it, or as a hint of which there is no picture.
        shades, doubted = np.zeros(len(tiles), bool), np.empty(0, np.intp)
        if cache.correction.states is not None:
            shades = ~np.isin(codes, (UNREAD, *cache.correction.states))
            codes[shades] = UNREAD
        if familiar is not None and cache.correction is USUAL:
            again = np.nonzero(familiar & (codes == UNREAD))[0]
            if len(again):
                read, sure, _ = decide(values[again], references, FAMILIAR)
                hint = read > 0
                codes[again[hint]], trust[again[hint]] = read[hint], sure[hint]
        for number in range(1, 1 + len(cache.correction.others)):
            other = cache.references(size, resized, int(tiles.shape[2]), number)
            named = decide(values, other, LIKELY)[0]
            differs = (named != codes) & ((named != UNREAD) | (not cache.correction.sure))
            shades |= differs & (codes != UNREAD)
            codes[differs] = UNREAD
        if cut is not None and rescaled:
            codes, trust, weighed = self._redrawn(cut, (codes, trust, weighed), cache)
        if cut is not None:
            doubted = self._doubted(tiles, codes, cache.skin)
            codes[doubted] = UNREAD
        unread: dict[int, Unread] = {}
        if UNREAD not in codes:
            return Match(codes, trust, unread)
        missing = tuple(code for code in STATE_WORDS if code not in (OPENED, *cache.skin.pictures))
        for rows, evidence, its_limits in weighed:
            which = np.nonzero(codes[rows] == UNREAD)[0].tolist()
            causes = evidence.unread(which, its_limits, missing)
            unread |= zip(rows[which].tolist(), causes, strict=True)
        for at in np.nonzero(shades & (codes == UNREAD))[0].tolist():
            unread[at] = replace(unread[at], cause=Cause.COLOURS)
        unread |= dict.fromkeys(doubted.tolist(), Unread(Cause.NO_PICTURE))
        return Match(codes, trust, unread)

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
    ) -> tuple[NDArray[np.int8], Floats]:
        """Match tiles of another size, not matched at `size`, with less of their detail.

        A board that was drawn small and then enlarged has none of the detail that the pictures
        have: its tiles resemble the pictures only at the number of pixels of the original drawing.
        """
        codes, trust = np.full(len(tiles), UNREAD, np.int8), np.zeros(len(tiles), np.float32)
        doubted = np.zeros(len(tiles), bool)
        for part in _MATCHING.coarser:
            less = round(size[0] * part), round(size[1] * part)
            if min(less) < _MATCHING.coarsest:
                continue
            references = cache.references(less, True, int(tiles.shape[2]))
            named, sure, _ = decide(describe(tiles, less), references, limits, scaled=True)
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
        some = np.random.default_rng(0).permutation(len(cut.tiles))[: _MATCHING.sample]
        values = describe(cut.tiles[some], size)
        references = cache.references(size, scaled, cut.size[0], fading=False)
        likely = references.numbers[likely_pictures(values, references)]
        return cache.redrawn(cut.size, cut.pitch, size).ways(values, likely)

    def _redrawn(self, cut: Cut, decided: Decided, cache: MatchCache) -> Decided:
        """Compare tiles with the pictures scaled like their board; the last stage.

        An accepted tile replaces the earlier decision. Any other becomes UNREAD unless the nearest
        picture has the earlier state; if scaling may have removed thin lines, it always does.
        """
        size, scaled = self._comparison_size(cut.tiles, cache.skin)
        if not scaled:
            return decided
        codes, trust, before = decided
        fading = np.zeros(len(codes), bool)
        for rows, evidence, _ in before:
            fading[rows] = evidence.codes == UNREAD
        smaller = cut.size[0] < cache.skin.tile[0]
        named, sure, anew, weighed = decide_redrawn(
            describe(cut.tiles, size),
            cache.references(size, scaled, cut.size[0], fading=False),
            cache.redrawn(cut.size, cut.pitch, size),
            self._ways,
            smaller=smaller,
        )
        believed = sure if smaller and self._ways[0].thins else sure | (codes == named)
        codes = np.where(believed & ~fading, named, UNREAD).astype(np.int8)
        return codes, np.where(sure, anew, trust).astype(np.float32), weighed

    def _comparison_size(self, tiles: Tiles, skin: Skin) -> tuple[tuple[int, int], bool]:
        """Return the size (width, height) to compare at, and whether the pictures' differs."""
        width, height = int(tiles.shape[2]), int(tiles.shape[1])
        size = (
            min(width, skin.tile[0], _MATCHING.finest),
            min(height, skin.tile[1], _MATCHING.finest),
        )
        return size, (width, height) != skin.tile


def _uncut(tiles: Tiles) -> Cut:
    """Return tiles none of which was stretched."""
    return Cut(tiles, (float(tiles.shape[2]), float(tiles.shape[1])))


def _keys(tiles: Tiles) -> list[tuple[int, bytes]]:
    """Return a key for each tile that identifies its bytes."""
    width = int(tiles.shape[2])
    rows = np.ascontiguousarray(tiles).reshape(len(tiles), -1)
    return [(width, row.tobytes()) for row in rows]
