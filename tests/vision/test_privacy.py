"""What is kept of a picture is the game's window, whatever else was on the screen."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np

from bot.frame import Frame, Point, Region
from vision.desktop import Window
from vision.privacy import cut, without_others


def frame(region: tuple[int, int, int, int], scale: int = 1) -> Frame:
    """A white picture."""
    place = Region(*region)
    return Frame(np.full((place.height * scale, place.width * scale, 3), 255, np.uint8), place, 7.0)


def test_the_margin_beyond_the_window_is_cut_off() -> None:
    """A frame within the window is itself; one off the window, which has moved, shows nothing."""
    game = Window(1, "title", "class", Region(100, 50, 200, 100), pid=1, own=False)
    whole = frame((90, 40, 150, 80), 2)
    part = cut(whole, game)
    assert part.region == Region(100, 50, 140, 70)
    assert part.image.shape == (140, 280, 3)
    assert part.time == whole.time
    assert cut(part, game) is part
    assert cut(whole, None) is whole
    assert cut(frame((0, 0, 20, 20)), game).image.sum() == 0


def test_other_programs_over_the_game_are_painted_out() -> None:
    """A menu and a notice at any place, wholly; not the game's own dialog."""
    whole = frame((10, 20, 100, 90), 2)
    dialog = Region(70, 70, 20, 20)
    for others in ([Region(33, 47, 17, 16)], [Region(0, 0, 30, 200), Region(101, 20, 40, 40)]):

        def shows(points: Sequence[Point], others: Sequence[Region] = others) -> list[bool]:
            return [not any(one.contains(point) for one in (*others, dialog)) for point in points]

        white = without_others(whole, shows, [dialog]).image[:, :, 0] > 0
        for y, x in product(range(90), range(100)):
            place = Point(10 + x, 20 + y)
            if any(one.contains(place) for one in others):
                assert not white[2 * y : 2 * y + 2, 2 * x : 2 * x + 2].any()
        assert white.mean() > 0.3
        assert white[100:140, 120:160].all()
    assert without_others(whole, lambda points: [True] * len(points)) is whole
