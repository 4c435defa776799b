"""Boards drawn at one size and shown at another."""

from __future__ import annotations

import pytest

from bot.board import UNREAD
from tests.support.reading_sources import Source
from tests.support.sampling import sampled
from tests.support.scaled import ASKED, METHODS, chosen, read, scaled
from vision.matcher import Matcher
from vision.skins import Skin

pytestmark = pytest.mark.long

NAMES = ("classic", "rounded", "dark", "kmines-classic", "sgt-mines")
THIN = ("winemine", "xbomb", "xdemineur")
"""Skins with lines of one pixel."""


def boards(name: str, skins: tuple[Skin, ...]) -> list[Source]:
    """A recorded board of a skin, at a small and at a large size."""
    return chosen(next(skin for skin in skins if skin.name == name))


@pytest.mark.parametrize("name", sampled(NAMES, 2))
@pytest.mark.parametrize("method", sampled(METHODS))
@pytest.mark.parametrize("scale", sampled([1.5, 2.0]))
def test_a_scaled_board_is_read(
    skins: tuple[Skin, ...], name: str, method: str, scale: float
) -> None:
    """As browsers and toolkits scale pictures: no tile is wrong, and next to none unread."""
    matchers: dict[Skin, Matcher] = {}
    for source in boards(name, skins):
        for one in scaled(source, scale, method):
            codes = read(source, one, matchers)
            seen = codes != UNREAD
            assert (codes[seen] == source.tiles[seen]).all()
            assert 1 - seen.mean() <= ASKED


@pytest.mark.parametrize(
    ("name", "scale"),
    [
        pytest.param(name, scale, marks=[] if one == other else pytest.mark.slow)
        for one, name in enumerate(THIN)
        for other, scale in enumerate((1.5, 0.75))
    ],
)
def test_lines_of_one_pixel_are_seen_as_scaling_draws_them(
    skins: tuple[Skin, ...], name: str, scale: float
) -> None:
    """A smooth picture is read; where lines are left out, a 1 is unread that looks like a 0."""
    matchers: dict[Skin, Matcher] = {}
    (source,) = boards(name, skins)
    for method in ("nearest", "bilinear"):
        for one in scaled(source, scale, method):
            codes = read(source, one, matchers)
            seen = codes != UNREAD
            assert (codes[seen] == source.tiles[seen]).all(), (method, one.whole)
            if scale > 1 or (method != "nearest" and name != "xbomb"):
                assert 1 - seen.mean() <= ASKED, (method, one.whole)
