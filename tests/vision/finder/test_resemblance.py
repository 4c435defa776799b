"""How alike tiles are to a skin's pictures: as OpenCV says, and not at all where they are plain."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.finder.resemblance import LARGEST, Resemblance
from vision.skins import Skin, SkinLibrary

SKINS = SkinLibrary().skins()
SMALL = [skin for skin in SKINS if max(skin.tile) <= LARGEST]
"""Others are compared at a smaller size."""


@pytest.mark.parametrize("skin", SKINS, ids=lambda skin: skin.name)
def test_a_plain_tile_is_alike_to_nothing(skin: Skin) -> None:
    """Whatever its colour: rounding errors are no structure."""
    width, height = skin.tile
    colours = np.random.default_rng(1).integers(60, 256, (300, 1, 1, 3), np.uint8)
    tiles = np.broadcast_to(colours, (300, height, width, 3))
    assert not Resemblance(skin).likeness(tiles).correlation.any()


@pytest.mark.parametrize("skin", SMALL, ids=lambda skin: skin.name)
def test_likeness_is_that_of_opencv(skin: Skin) -> None:
    """Of noisy tiles to the picture that they are nearest to."""
    pictures = np.stack([look for looks in skin.pictures.values() for look in looks])
    pictures = pictures[[bool(picture.std(axis=(0, 1)).max() > 2) for picture in pictures]]
    noise = np.random.default_rng(2).normal(0, 6, pictures.shape)
    tiles = (pictures + noise).round().clip(0, 255).astype(np.uint8)
    found = Resemblance(skin).likeness(tiles)
    for tile, distance, correlation in zip(tiles, found.distance, found.correlation, strict=True):
        every = [look for looks in skin.pictures.values() for look in looks]
        apart = [float(cv2.matchTemplate(tile, one, cv2.TM_SQDIFF_NORMED)[0, 0]) for one in every]
        nearest = every[int(np.argmin(apart))]
        alike = float(cv2.matchTemplate(tile, nearest, cv2.TM_CCOEFF_NORMED)[0, 0])
        assert distance == pytest.approx(min(apart), abs=1e-4)
        assert correlation == pytest.approx(alike, abs=1e-3)
