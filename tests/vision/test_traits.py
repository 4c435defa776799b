"""What a tile picture is made of: ground, rim and mark."""

from __future__ import annotations

import pytest

from bot.board import COVERED
from vision.learning.traits import traits_of
from vision.skin import Skin

PLAIN = ("classic", "flat", "dark", "rounded", "sgt-mines", "winemine", "xbomb", "xdemineur")
"""Skins that paint nothing on covered and empty cells; some of KMines' are pictures."""


@pytest.mark.parametrize("name", PLAIN)
def test_plain_tiles_are_told_from_marked_ones(skins: tuple[Skin, ...], name: str) -> None:
    """Covered and empty cells are plain, bevelled, hatched and lined ones too; no other is."""
    (skin,) = (one for one in skins if one.name == name)
    for code, looks in skin.pictures.items():
        for look in looks:
            assert traits_of(look).plain == (code in (COVERED, 0)), code
