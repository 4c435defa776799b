"""What one counter says: its pixels to numbers, and a memory of what was read before."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from bot.frame import Frame, Region
from vision.counters.numbers import numbers
from vision.counters.words import Number


@dataclass(frozen=True)
class CounterText:
    """A number that was surely read."""

    text: str
    """'-07', '012', '0/10', '3:25'."""
    numbers: tuple[int, ...]
    """(-7,), (12,), (0, 10), (3, 25)."""

    @property
    def seconds(self) -> int | None:
        """As the time of a clock; None for 'flags / total' and for negative numbers."""
        if "/" in self.text or self.numbers[0] < 0:
            return None
        total = 0
        for part in self.numbers:
            total = 60 * total + part
        return total


def read_counter(image: NDArray[np.uint8]) -> CounterText | None:
    """Read a picture of one counter.

    Args:
        image: (h, w, 3) uint8 BGR, with a little of what is around the digits.

    Returns:
        None where there is no number or more than one, and where a digit is not certain.
    """
    found = numbers(np.ascontiguousarray(image), stroke_beside(image.shape[0] / 2))
    return text_of(found[0]) if len(found) == 1 else None


def read_at(frame: Frame, region: Region) -> CounterText | None:
    """Read the counter at a region of the desktop; what looks as before is not read anew."""
    pixels = crop(frame, region)
    if pixels is None:
        return None
    return _remembered(pixels.tobytes(), pixels.shape[0], pixels.shape[1])


@lru_cache(maxsize=512)
def _remembered(pixels: bytes, height: int, width: int) -> CounterText | None:
    return read_counter(np.frombuffer(pixels, np.uint8).reshape(height, width, 3))


def crop(frame: Frame, region: Region) -> NDArray[np.uint8] | None:
    """Return the pixels of a region; None if it is not wholly on the frame."""
    if region.intersection(frame.region) != region:
        return None
    scale = frame.scale
    left, top = (region.left - frame.region.left) * scale, (region.top - frame.region.top) * scale
    x0, y0 = round(left), round(top)
    x1, y1 = round(left + region.width * scale), round(top + region.height * scale)
    return np.ascontiguousarray(frame.image[y0:y1, x0:x1])


def stroke_beside(pitch: float) -> int:
    """Pixels, odd: wider than the strokes of the counters beside cells of that pitch."""
    return int(np.clip(0.2 * pitch, 7, 20)) * 2 + 1


def text_of(number: Number) -> CounterText:
    """Return a number's text with its parts."""
    parts = number.text.replace("/", ":").split(":")
    return CounterText(number.text, tuple(int(part) for part in parts))
