"""A window looked at with nothing over it: real windows on a real X server."""

from __future__ import annotations

import numpy as np
import pytest

from bot.frame import Region
from tests.support.xclient import PictureWindow, wait_until
from vision.desktop import Screen, desktop

pytestmark = [pytest.mark.linux, pytest.mark.usefixtures("display")]

RNG = np.random.default_rng(1)
PICTURE = RNG.integers(0, 256, (120, 200, 3), np.uint8)
COVER = np.full((40, 50, 3), (30, 160, 90), np.uint8)


def shows(screen: Screen, region: Region, picture: np.ndarray) -> bool:
    """Whether exactly this is captured, all of it."""
    frame = screen.grab(region)
    return frame.region == region and np.array_equal(frame.image, picture)


def test_covering_windows_are_not_captured() -> None:
    """Captured as the screen shows it, then covered by a window, managed or not.

    A region is clipped to the window, and the frame says what was captured.
    """
    with PictureWindow(PICTURE, (200, 150)) as game, desktop().open_screen() as screen:
        wait_until(lambda: shows(screen, game.region, PICTURE))
        assert screen.select_window(game.id)
        wait_until(lambda: shows(screen, game.region, PICTURE))
        place = game.region
        at = place.left + 30, place.top + 20
        with PictureWindow(COVER, at) as one, PictureWindow(COVER, at, popup=True) as other:
            with desktop().open_screen() as plain:
                wait_until(lambda: shows(plain, other.region, COVER))
            assert one.region.intersection(place) is not None
            assert shows(screen, place, PICTURE)
        part = Region(place.left + 10, place.top + 20, 60, 50)
        assert shows(screen, part, PICTURE[20:70, 10:70])
        assert screen.grab(Region(place.left - 30, place.top - 30, 400, 300)).region == place


def test_capture_follows_the_window() -> None:
    """The same picture, elsewhere on the desktop; and what it shows by then."""
    with PictureWindow(PICTURE, (100, 100)) as game, desktop().open_screen() as screen:
        assert screen.select_window(game.id)
        before = game.region
        game.move(400, 300)
        assert game.region != before
        # Where it was there is nothing: whatever follows it has to notice.
        wait_until(lambda: not screen.grab(before).image.any())
        wait_until(lambda: shows(screen, game.region, PICTURE))
        game.show(PICTURE[::-1].copy())
        wait_until(lambda: shows(screen, game.region, PICTURE[::-1]))


def test_a_window_that_is_gone_shows_what_is_there() -> None:
    """The desktop, as any capture would; whether it still exists is reported."""
    with PictureWindow(PICTURE, (100, 100)) as game, desktop().open_screen() as screen:
        place = game.region
        assert screen.select_window(game.id)
        assert desktop().exists(game.id)
        game.window.unmap()
        game.display.sync()
        wait_until(lambda: desktop().place_of(game.id) is None)
        assert desktop().exists(game.id)
        wait_until(lambda: not shows(screen, place, PICTURE))
        assert screen.grab(place).region == place
        game.close()
        assert not desktop().exists(game.id)
