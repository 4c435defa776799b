"""Texts on pictures of windows, in a font of Linux."""

from __future__ import annotations

import numpy as np

from tests.support.glyphs import application, written
from tests.vision.scenes import Image


def write(
    image: Image,
    text: str,
    left: int,
    top: int,
    size: int = 12,
    style: str = "Book",
    *,
    light: bool = False,
) -> Image:
    """Write a text in black or white on a picture, and return it; `size` is in pixels."""
    application()
    ink = written(text, ("DejaVu Sans", style), size)[..., None]
    part = image[top : top + ink.shape[0], left : left + ink.shape[1]]
    part[:] = np.maximum(part, ink) if light else np.minimum(part, 255 - ink)
    return image
