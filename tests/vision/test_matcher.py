"""Naming tiles: right or UNREAD, never wrong."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from bot.board import COVERED, UNREAD
from bot.frame import Frame
from tests.vision.scenes import REAL, Image, real
from vision.finder import find_boards
from vision.matcher import Matcher, Tiles
from vision.skins import Skin

Change = Callable[[Image, np.random.Generator], Image]


def _tiles_of(skin: Skin) -> tuple[Tiles, np.ndarray]:
    looks = [(code, look) for code, some in skin.pictures.items() for look in some]
    return np.stack([look for _, look in looks]), np.array([code for code, _ in looks])


def _noisy(tile: Image, rng: np.random.Generator) -> Image:
    noise = rng.normal(0, rng.uniform(0, 4), tile.shape)
    return (tile + noise).round().clip(0, 255).astype(np.uint8)


def _gamma(tile: Image, rng: np.random.Generator) -> Image:
    return (255 * (tile / 255.0) ** rng.uniform(0.8, 1.25)).round().astype(np.uint8)


def _jpeg(tile: Image, rng: np.random.Generator) -> Image:
    wide = np.tile(tile, (3, 3, 1))
    quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(75, 101))]
    back = cv2.imdecode(cv2.imencode(".jpg", wide, quality)[1], cv2.IMREAD_COLOR)
    height, width = tile.shape[:2]
    return back[height : 2 * height, width : 2 * width]


def _scaled(tile: Image, rng: np.random.Generator) -> Image:
    factor = rng.uniform(0.8, 2.5)
    wide = cv2.resize(
        np.tile(tile, (3, 3, 1)), None, fx=factor, fy=factor, interpolation=cv2.INTER_LINEAR
    )
    side = round(tile.shape[0] * factor)
    start = round(tile.shape[0] * factor)
    return np.ascontiguousarray(wide[start : start + side, start : start + side])


def test_a_skin_knows_its_own_pictures(skins: tuple[Skin, ...]) -> None:
    """Every picture of every skin is read as what it is, with certainty."""
    for skin in skins:
        tiles, codes = _tiles_of(skin)
        read, confidence = Matcher(skin).match(tiles)
        assert np.array_equal(read, codes), skin.name
        assert confidence.min() > 0.9, skin.name


@pytest.mark.parametrize(
    ("change", "unread_at_most"), [(_noisy, 0.0), (_gamma, 0.0), (_scaled, 0.05), (_jpeg, 0.25)]
)
def test_changed_tiles_are_never_misread(
    skins: tuple[Skin, ...], change: Change, unread_at_most: float
) -> None:
    """Noise, gamma and scaling cost certainty at worst, and seldom; JPEG's colours oftener."""
    rng = np.random.default_rng(3)
    unread = total = 0
    for skin in skins:
        matcher = Matcher(skin)
        tiles, codes = _tiles_of(skin)
        for _ in range(-(-120 // len(tiles))):
            for tile, code in zip(tiles, codes, strict=True):
                read = matcher.match(change(tile, rng)[None])[0][0]
                assert read in (code, UNREAD), f"{skin.name}: {code} read as {read}"
                unread += read == UNREAD
                total += 1
    assert unread <= unread_at_most * total


def test_strong_changes_are_never_misread(skins: tuple[Skin, ...]) -> None:
    """Far beyond what can be read, tiles become UNREAD, not something else."""
    rng = np.random.default_rng(4)
    for skin in skins:
        matcher = Matcher(skin)
        tiles, codes = _tiles_of(skin)
        for sigma in (10, 20, 40, 80):
            noise = rng.normal(0, sigma, tiles.shape)
            read, _ = matcher.match((tiles + noise).round().clip(0, 255).astype(np.uint8))
            assert np.isin(read[read != codes], [UNREAD]).all(), (skin.name, sigma)


def test_other_things_are_unread(skins: tuple[Skin, ...]) -> None:
    """A black, white or colourful square, half a pointer, a cell of a table: no tile."""
    rng = np.random.default_rng(5)
    for skin in skins:
        width, height = skin.tile
        others = rng.integers(0, 256, (50, height, width, 3), np.uint8)
        read, _ = Matcher(skin).match(others)
        assert (read == UNREAD).all(), skin.name


def test_memory_gives_the_same_answer(skins: tuple[Skin, ...]) -> None:
    """What was decided before is answered from memory, and not differently."""
    for name in REAL:
        image, _ = real(name)
        (seen,) = find_boards(Frame.of_image(image), skins)
        matcher = Matcher(seen.skin)
        tiles, _ = _tiles_of(seen.skin)
        cold = matcher.match(tiles)
        warm = matcher.match(tiles)
        assert all(map(np.array_equal, cold, warm))
        assert np.array_equal(cold[0], matcher.compare(tiles)[0])


def test_no_tiles_at_all(skins: tuple[Skin, ...]) -> None:
    """An empty batch is answered by an empty batch."""
    codes, confidence = Matcher(skins[0]).match(np.empty((0, 16, 16, 3), np.uint8))
    assert codes.shape == confidence.shape == (0,)
    assert COVERED not in codes
