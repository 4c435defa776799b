"""What starts the next game of a program that is not known, and what a new game looks like."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import count

import pytest

from bot.board import Board
from bot.frame import Reading, Status
from bot.loop import Stopped
from bot.restart import Way, find_restart, is_new_game
from tests.boards import reading_of

LOST = Board.parse("1*1###/112###/01####/02####/01####", mines=4)
OVER = reading_of(LOST, Status.LOST)
FRESH = Board.covered(5, 6, 4)
OPENED = Board.parse("######/######/##211#/##100#/##100#", mines=4)
NAMES = ("left", "centre", "right")


def never(_seconds: float) -> bool:
    """Nobody stops."""
    return False


def quarters() -> Callable[[], float]:
    """A clock that goes on by a quarter of a second whenever it is asked."""
    ticks = count()
    return lambda: next(ticks) / 4


@pytest.mark.parametrize("begun", [FRESH, OPENED], ids=["fresh", "opened by the program"])
@pytest.mark.parametrize("works", NAMES)
def test_ways_are_tried_until_a_game_is_on(works: str, begun: Board) -> None:
    """Each in turn, and none after the one that works."""
    taken: list[str] = []
    ways = [Way(name, partial(taken.append, name)) for name in NAMES]

    def look() -> Reading:
        return reading_of(begun) if works in taken else OVER

    found = find_restart(ways, LOST, look, never, quarters())
    assert found is not None
    assert found.name == works
    assert tuple(taken) == NAMES[: NAMES.index(works) + 1]


def test_no_way_is_found_where_none_works() -> None:
    """All are tried, also where the old game goes on, as after taking back its last move."""
    taken: list[str] = []
    ways = [Way(name, partial(taken.append, name)) for name in NAMES]
    back = Board.parse("1#1###/112###/01####/02####/01####", mines=4)
    for seen in (OVER, reading_of(back)):
        taken.clear()
        assert find_restart(ways, LOST, lambda seen=seen: seen, never, quarters()) is None
        assert taken == [*NAMES]


def test_a_stop_ends_the_search() -> None:
    """Nothing further is tried."""
    taken: list[str] = []
    ways = [Way(name, partial(taken.append, name)) for name in NAMES]
    with pytest.raises(Stopped):
        find_restart(ways, LOST, lambda: OVER, lambda _seconds: True, lambda: 0.0)
    assert len(taken) == 1


@pytest.mark.parametrize(
    ("after", "new"),
    [
        (FRESH, True),
        (OPENED, True),
        (Board.parse("######/###1##/######/######/######", mines=4), True),
        # The same opening as before: the old game, loaded again.
        (Board.parse("######/112###/01####/02####/01####", mines=4), False),
        (Board.parse("###1##/######/######/######/1#####", mines=4), False),
        (Board.parse("######/###F##/######/######/######", mines=4), False),
        (Board.parse("######/###?##/######/######/######", mines=4), False),
        (Board.parse("######/###*##/######/######/######", mines=4), False),
        (Board.parse("######/###!##/######/######/######", mines=4), False),
        (Board.covered(8, 8, 10), True),
    ],
)  # fmt: skip
def test_what_a_new_game_looks_like(after: Board, new: bool) -> None:
    """At most one opening, no mark, no mine, and other hints than the old game had there."""
    assert is_new_game(LOST, after) is new


def test_an_untouched_board_is_no_new_one() -> None:
    """A board that was covered already does not tell that anything happened."""
    assert not is_new_game(FRESH, FRESH)
