"""What a tile picture is made of: ground, rim and mark."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.learning.features import features_of
from vision.learning.puzzle import mark_of

GROUND, INK = (230, 240, 235), (110, 40, 60)
PLACES = ((-1, -1), (1, 1), (1, -1), (-1, 1), (-1, 0), (1, 0), (0, -1), (0, 1))


def read_as(tile: np.ndarray) -> int:
    """The hint that a mark is surely read as; 0 if it is none."""
    digits = mark_of(features_of(tile), tile).digits
    return int(digits[1:9].argmax()) + 1 if digits[1:9].max() > 0.9 else 0


@pytest.mark.parametrize("side", [20, 24, 33])
@pytest.mark.parametrize("number", range(2, 9))
def test_dots_are_counted(side: int, number: int) -> None:
    """As on a die, where they lie in the corners as well."""
    tile = np.full((side, side, 3), GROUND, np.uint8)
    for x, y in PLACES[:number]:
        at = round(side / 2 + x * side / 4), round(side / 2 + y * side / 4)
        cv2.circle(tile, at, side // 11, INK, -1)
    assert np.abs(features_of(tile).ground - GROUND).max() < 8
    assert read_as(tile) == number


def test_strokes_are_counted_and_other_parts_are_not() -> None:
    """Of a roman 4 the parts are not alike, and the two segments of a 1 are a digit."""
    bars, four, one = (np.full((32, 32, 3), GROUND, np.uint8) for _ in range(3))
    for left in (8, 15, 22):
        bars[8:24, left : left + 3] = INK
    assert read_as(bars) == 3
    four[8:24, 8:11] = INK
    cv2.polylines(four, [np.array([(14, 8), (18, 23), (22, 8)])], False, INK, 2)
    assert read_as(four) == 0
    one[5:15, 15:18] = one[17:27, 15:18] = INK
    assert read_as(one) != 2
