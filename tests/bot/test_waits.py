"""The waits of a run: ended by an event, a limit or a stop, and reported where they are long."""

from __future__ import annotations

import threading
import time
from itertools import count

import pytest

from bot.loop import Stopped
from bot.waiting import SILENT, Waits


def seconds_waited(reported: list[str]) -> Waits:
    """Return waits that take no time, and a clock that moves on with them."""
    now = [0.0]

    def wait(seconds: float) -> bool:
        now[0] += seconds
        return False

    return Waits(wait, reported.append, lambda: now[0])


def test_a_condition_ends_a_wait() -> None:
    """Also where it holds at once, which is then not waited for."""
    reported: list[str] = []
    waits = seconds_waited(reported)
    assert waits.until(lambda: True, why="nothing")
    looks = count()
    assert waits.until(lambda: next(looks) == 5, SILENT, why="it is drawn")
    assert reported == []


def test_a_limit_ends_a_wait() -> None:
    """The condition is asked for once more at its end."""
    reported: list[str] = []
    looks = count()
    assert not seconds_waited(reported).until(
        lambda: next(looks) < 0, 5.0, every=1.0, why="no window"
    )
    assert next(looks) == 7
    assert reported == ["no window", ""]


def test_a_wait_may_be_reported_at_once() -> None:
    """Where only the user can end it."""
    reported: list[str] = []
    looks = count()
    assert seconds_waited(reported).until(lambda: next(looks) == 1, why="close it", silent=0)
    assert reported == ["close it", ""]


@pytest.mark.parametrize("every", [0.01, 30.0])
def test_a_stop_ends_a_wait_at_once(every: float) -> None:
    """However long the interval is."""
    stop = threading.Event()
    threading.Timer(0.05, stop.set).start()
    begin = time.perf_counter()
    with pytest.raises(Stopped):
        Waits(stop.wait).until(lambda: False, every=every)
    assert time.perf_counter() - begin < 10
