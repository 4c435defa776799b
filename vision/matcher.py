"""Naming tile pictures: template matching behind an exact memory of what was decided before.

A tile that is a picture of the skin, byte for byte, is that. Any other is described as
screens and remote desktops leave it (`vision.naming.description`), seen in the light of its whole
board (`vision.naming.light`), and believed or not (`vision.naming.deciding`): UNREAD is an answer.

Finding boards compares tiles in its own, lighter way: `vision.finding.resemblance`.
"""

from __future__ import annotations

from collections import Counter
from itertools import compress
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.board import UNREAD
from vision.naming.deciding import (
    FAMILIAR,
    IN_OTHER_LIGHT,
    LIKELY,
    LIMITS,
    SCALED,
    decide,
)
from vision.naming.description import describe
from vision.naming.light import UNKNOWN, USUAL, Lights
from vision.naming.memory import Memory, decided_of, looks_of
from vision.skins import Skin

Tiles = NDArray[np.uint8]
"""(n, h, w, 3) uint8, BGR."""
Named = tuple[NDArray[np.int8], NDArray[np.float32]]
"""Codes (n,) and confidence (n,)."""

_FINEST: Final = 40
"""Pixels a tile beyond which more of them tell nothing more: XBomb draws its digits thin."""
A_BOARD: Final = 16
"""Tiles that are enough to tell the light from."""
_A_PART: Final = 0.5
"""Part of a board under which tiles are seen in the light that is known, if they can be."""
_MOSTLY: Final = 0.9
_OFTEN: Final = 3
"""Times that a board shows a tile for it to count as familiar."""
_EXACT: Final = 0.1
"""Part of a board that has to be pictures exactly for the light to be the usual one."""
_UNNAMED: Final = (UNREAD, 0.0)


class Matcher:
    """Names the tiles of one skin, and remembers what it has decided.

    Args:
        skin: Reference pictures.
    """

    def __init__(self, skin: Skin) -> None:
        self.skin = skin
        self._usual = Memory(skin, USUAL)
        self._lit = Memory(skin, UNKNOWN)
        """In the light of the last board that was named."""
        self._board = 0
        """Tiles of the largest board so far."""
        looks, codes = looks_of(skin)
        self._lights = Lights(looks, codes)
        keys = [(skin.tile[0], look.tobytes()) for look in looks]
        self._own = frozenset(keys)
        for memory in (self._usual, self._lit):
            memory.keep(keys, codes, np.ones(len(codes), np.float32))

    def match(self, tiles: Tiles) -> Named:
        """Name each tile picture.

        Sixteen tiles and more also tell the light that the board is seen in; fewer are
        taken to be of the board that was named last.

        Args:
            tiles: (n, h, w, 3) uint8, BGR, of any one size.

        Returns:
            Codes (n,) int8, UNREAD where no picture is close enough or two states are
            almost equally close, and confidence (n,) float32 in 0..1: one minus nearest
            over second-nearest distance, where the two states differ.
        """
        if len(tiles) == 0:
            return np.empty(0, np.int8), np.empty(0, np.float32)
        width = int(tiles.shape[2])
        rows = np.ascontiguousarray(tiles).reshape(len(tiles), -1)
        keys = [(width, row.tobytes()) for row in rows]
        memory = self._memory_for(tiles, keys)
        known = memory.known
        unknown = {key: at for at, key in enumerate(keys) if key not in known}
        if unknown:
            often = Counter(keys)
            familiar = np.array([often[key] >= _OFTEN for key in unknown])
            named = self._compare(tiles[list(unknown.values())], memory, familiar)
            # Seen oftener, an unread tile may yet be read.
            kept = familiar | (named[0] != UNREAD)
            memory.keep(compress(unknown, kept), named[0][kept], named[1][kept])
            known = known | decided_of(unknown, *named)
        decided = [known[key] for key in keys]
        return (
            np.array([code for code, _ in decided], np.int8),
            np.array([trust for _, trust in decided], np.float32),
        )

    def compare(self, tiles: Tiles) -> Named:
        """The same without the memory, in the light of the last board: every tile anew."""
        return self._compare(tiles, self._lit)

    def _memory_for(self, tiles: Tiles, keys: list[tuple[int, bytes]]) -> Memory:
        """What is known in the light of these tiles."""
        known = self._lit.known
        if len(tiles) < A_BOARD or all(known.get(key, _UNNAMED)[0] != UNREAD for key in keys):
            return self._lit
        if self._lit.light is not UNKNOWN and len(tiles) < _A_PART * self._board:
            read = self._compare(tiles, self._lit)[0] != UNREAD
            if read.mean() >= _MOSTLY:
                return self._lit
        self._board = max(self._board, len(tiles))
        exact = sum(key in self._own for key in keys)
        light = USUAL if exact >= _EXACT * len(keys) else self._lights.of(tiles)
        self._lit = self._usual if light.usual else Memory(self.skin, light)
        return self._lit

    def _compare(
        self, tiles: Tiles, memory: Memory, familiar: NDArray[np.bool_] | None = None
    ) -> Named:
        size, scaled = self._meeting(tiles)
        values = describe(tiles, size)
        references = memory.references(0, size, scaled)
        limits = (SCALED if scaled else LIMITS) if memory.light.usual else IN_OTHER_LIGHT
        codes, trust = decide(values, references, limits)
        if familiar is not None and memory.light is USUAL:
            again = np.nonzero(familiar & (codes == UNREAD))[0]
            if len(again):
                read, sure = decide(values[again], references, FAMILIAR)
                hint = read > 0
                codes[again[hint]], trust[again[hint]] = read[hint], sure[hint]
        for number in range(1, 1 + len(memory.light.others)):
            references = memory.references(number, size, scaled)
            rivals, _ = decide(values, references, LIKELY)
            codes[(rivals != codes) & (rivals != UNREAD)] = UNREAD
        return codes, trust

    def _meeting(self, tiles: Tiles) -> tuple[tuple[int, int], bool]:
        """The size (width, height) at which they meet the pictures, and whether they differ."""
        width, height = int(tiles.shape[2]), int(tiles.shape[1])
        size = (
            min(width, self.skin.tile[0], _FINEST),
            min(height, self.skin.tile[1], _FINEST),
        )
        return size, (width, height) != self.skin.tile
