"""Play at any speed."""

from __future__ import annotations

import pytest

from gui.replay.playback import SPEEDS, Playback

# A timer needs an application.
pytestmark = pytest.mark.usefixtures("qapp")


def test_speeds_are_turns_a_second() -> None:
    """1x is one turn a second; as recorded they are as far apart as their frames."""
    playback = Playback()
    playback.open([0.0, 0.5, 0.6, 3.0, 10.0])
    assert [playback.due(s) for s in (0.0, 0.49, 0.5, 0.7, 3.0, 99.0)] == [0, 0, 1, 2, 3, 4]
    for speed in SPEEDS[1:]:
        playback.set_speed(speed)
        assert speed is not None
        assert playback.due(0.0) == 0
        assert playback.due(2.02 / speed) == 2
        assert playback.due(1000 / speed) == 4


def test_a_change_of_speed_begins_at_the_turn_that_is_shown() -> None:
    """Neither jumps back nor ahead."""
    playback = Playback()
    playback.open([0.0, 1.0, 2.0, 3.0])
    playback.go(2)
    playback.set_speed(4.0)
    assert playback.due(0.0) == 2
    assert playback.due(0.26) == 3


def test_a_single_turn_does_not_play() -> None:
    """There is nowhere to go."""
    playback = Playback()
    playback.open([0.0])
    playback.toggle()
    assert not playback.playing
    playback.step(1)
    assert playback.at == 0
