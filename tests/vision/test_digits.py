"""Digits by their shape: of programs that the reader was not trained on."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.support.glyphs import cropped
from tests.support.marks import NO_DIGITS
from vision.counters.numbers import CERTAIN
from vision.digits import read_tiles
from vision.skins import Skin

pytestmark = pytest.mark.long

PLAIN = (
    "classic",
    "dark",
    "flat",
    "rounded",
    "sgt-mines",
    "winemine",
    "xbomb",
    "xbomb-large",
    "xdemineur",
)
"""Skins whose hints are written on plain ground, in one colour each."""


def pictures(skin: Skin, digits: bool) -> tuple[np.ndarray, np.ndarray]:
    """All pictures of a skin's hints 1..8, or of everything else, and what they are."""
    chosen = [
        (picture, code)
        for code, looks in skin.pictures.items()
        if (1 <= code <= 8) == digits
        for picture in looks
    ]
    return np.stack([picture for picture, _ in chosen]), np.array([code for _, code in chosen])


@pytest.mark.parametrize("name", PLAIN)
def test_hints_of_skins_never_seen_are_read(skins: tuple[Skin, ...], name: str) -> None:
    """Every hint on plain ground, bitmap or smooth, 16 to 50 px, thick or one pixel thin."""
    tiles, truth = pictures(next(skin for skin in skins if skin.name == name), digits=True)
    assert read_tiles(tiles).digit.tolist() == truth.tolist()


def test_hints_on_a_gradient_are_read(skins: tuple[Skin, ...]) -> None:
    """White digits on a plate that gets lighter towards its top, with a rim around it."""
    skin = next(skin for skin in skins if skin.name == "sgt-mines")
    tiles = np.stack([skin.pictures[code][0] for code in range(1, 9)])
    height, width = tiles.shape[1:3]
    ink = np.abs(tiles.astype(int) - tiles[0, 4, 4]).max(axis=3) > 60
    shades = np.linspace(80, 0, height)[:, None, None] + (99, 134, 165)
    plate = np.minimum(np.broadcast_to(shades, (height, width, 3)), 255)
    shown = np.where(ink[..., None], 255, plate).astype(np.uint8)
    for side in (0, -1):
        shown[:, side] = shown[:, :, side] = (255, 0, 0)
    assert read_tiles(shown).digit.tolist() == [*range(1, 9)]


def test_frame_around_a_digit_is_no_part_of_it(skins: tuple[Skin, ...]) -> None:
    """Swing draws a line around the text of the button that was clicked last."""
    skin = next(skin for skin in skins if skin.name == "sgt-mines")
    shown = np.full((8, 44, 44, 3), 255, np.uint8)
    for tile, code in zip(shown, range(1, 9), strict=True):
        picture = skin.pictures[code][0]
        ink = np.abs(picture.astype(int) - picture[4, 4]).max(axis=2) > 60
        ink[[0, -1]] = ink[:, [0, -1]] = False
        x, y, w, h = cv2.boundingRect(ink.astype(np.uint8))
        tile[12 : 12 + h, 14 : 14 + w][ink[y : y + h, x : x + w]] = (160, 0, 0)
        cv2.rectangle(tile, (11, 7), (16 + w, 14 + h), (200, 170, 150))
    read = read_tiles(shown)
    assert read.digit.tolist() == [*range(1, 9)]
    assert read.confidence.min() > CERTAIN


def test_confident_digits_are_right(skins: tuple[Skin, ...]) -> None:
    """In no skin, at no scale, is a wrong digit sure, nor a flag or a mine a digit."""
    for skin in skins:
        for scale in (0.8, 1.0, 1.5):
            size = [round(side * scale) for side in skin.tile]
            for digits in (True, False):
                tiles, truth = pictures(skin, digits)
                scaled = np.stack([cv2.resize(tile, size) for tile in tiles])
                read = read_tiles(scaled)
                sure = (read.digit >= 0) & (read.confidence >= CERTAIN)
                expected = truth if digits else np.full(len(truth), -1)
                assert (read.digit[sure] == expected[sure]).all(), (skin.name, scale)


def test_drawings_are_no_digits() -> None:
    """Flags and mines of many forms: at most a few are digits, none of them surely."""
    rng = np.random.default_rng(11)
    tiles = []
    for painter in dict.fromkeys(NO_DIGITS):
        for _ in range(60):
            shape = cropped(painter(rng, 22))
            tile = np.full((30, 30, 3), 192, np.uint8)
            tile[4 : 4 + shape.shape[0], 4 : 4 + shape.shape[1]][shape > 100] = 0
            tiles.append(tile)
    read = read_tiles(np.stack(tiles))
    assert not ((read.digit >= 0) & (read.confidence >= CERTAIN)).any()
    assert (read.digit >= 0).mean() < 0.05
