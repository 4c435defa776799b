"""The key that begins the next game, where nobody knows it."""

from __future__ import annotations

from itertools import count

import pytest

from bot.board import Board
from bot.frame import Reading, Status
from bot.loop import Stopped
from bot.mouse import HandError
from bot.restart import USUAL_KEYS, find_restart_key
from tests.boards import reading_of

OVER = reading_of(Board.parse("*1\n1#", mines=1), Status.LOST)
FRESH = reading_of(Board.covered(2, 2, 1))


@pytest.mark.parametrize("works", USUAL_KEYS)
def test_the_keys_are_tried_until_the_board_is_fresh(works: str) -> None:
    """Each in turn, and none after the one that works."""
    pressed: list[str] = []
    seconds = count()

    def look() -> Reading:
        return FRESH if works in pressed else OVER

    def never(_seconds: float) -> bool:
        return False

    assert find_restart_key(pressed.append, look, never, lambda: next(seconds) / 4) == works
    assert tuple(pressed) == USUAL_KEYS[: USUAL_KEYS.index(works) + 1]


def test_where_no_key_works_the_user_is_told() -> None:
    """The message names the keys, and a skin's own [restart]."""
    seconds = count()
    with pytest.raises(HandError, match=r"f2.*\[restart\]"):
        find_restart_key(
            lambda _key: None, lambda: OVER, lambda _seconds: False, lambda: next(seconds) / 4
        )


def test_a_stop_ends_the_search() -> None:
    """No further key is pressed."""
    pressed: list[str] = []
    with pytest.raises(Stopped):
        find_restart_key(pressed.append, lambda: OVER, lambda _seconds: True, lambda: 0.0)
    assert len(pressed) == 1
