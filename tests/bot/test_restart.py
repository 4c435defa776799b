"""What begins the next game, where nobody knows it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import count

import pytest

from bot.board import Board
from bot.frame import Reading, Status
from bot.loop import Stopped
from bot.mouse import HandError
from bot.restart import USUAL_KEYS, Way, find_restart
from tests.boards import reading_of

OVER = reading_of(Board.parse("*11\n1##\n1##", mines=1), Status.LOST)
FRESH = reading_of(Board.covered(3, 3, 1))
OPENED = reading_of(Board.parse("1##\n###\n###", mines=1))


def never(_seconds: float) -> bool:
    """Nobody stops."""
    return False


def quarters() -> Callable[[], float]:
    """A clock that goes on by a quarter of a second whenever it is asked."""
    ticks = count()
    return lambda: next(ticks) / 4


@pytest.mark.parametrize("begun", [FRESH, OPENED], ids=["fresh", "opened by the program"])
@pytest.mark.parametrize("works", USUAL_KEYS)
def test_the_keys_are_tried_until_a_game_is_on(works: str, begun: Reading) -> None:
    """Each in turn, and none after the one that works."""
    pressed: list[str] = []
    ways = [Way(key, partial(pressed.append, key)) for key in USUAL_KEYS]

    def look() -> Reading:
        return begun if works in pressed else OVER

    assert find_restart(ways, look, never, quarters()).name == works
    assert tuple(pressed) == USUAL_KEYS[: USUAL_KEYS.index(works) + 1]


def test_where_nothing_works_the_user_is_told() -> None:
    """The message names what was tried, and a skin's own [restart]."""
    ways = [Way(name, lambda: None) for name in ("f2", "the button above the board")]
    with pytest.raises(HandError, match=r"f2, the button above the board.*\[restart\]"):
        find_restart(ways, lambda: OVER, never, quarters())


def test_a_stop_ends_the_search() -> None:
    """Nothing further is tried."""
    pressed: list[str] = []
    ways = [Way(key, partial(pressed.append, key)) for key in USUAL_KEYS]
    with pytest.raises(Stopped):
        find_restart(ways, lambda: OVER, lambda _seconds: True, lambda: 0.0)
    assert len(pressed) == 1
