"""The user comes first: what is done when he takes the mouse, and when he gives it back."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bot.frame import Point
from bot.loop import Stopped
from bot.manners import Interrupted, Manners, MouseTaken
from bot.mouse import HandError


class Table:
    """A mouse and somebody who goes on, both of this test's making; writes down what is asked."""

    def __init__(self) -> None:
        self.taken = self.cornered = False
        self.asked: list[str] = []
        self.while_waiting: Callable[[], None] = lambda: None

    def expect(self, point: Point, presses: int) -> None:
        """Write it down."""
        self.asked.append(f"expect {point.x:.0f} {presses}")

    def mind(self, wait: Callable[[float], bool]) -> None:
        """Write it down; at rest at once."""
        assert not wait(0)
        self.asked.append("mind")
        self.taken = False

    @property
    def allowed(self) -> bool:
        """Nobody asks."""
        return True

    def pause(self, why: str) -> None:
        """Write it down."""
        self.asked.append(f"pause {why}")

    def resume(self) -> None:
        """Write it down."""
        self.asked.append("resume")

    def waits(self, why: str) -> None:
        """Write it down."""
        self.asked.append(f"waits {why}")

    def until_resumed(self) -> None:
        """Write it down; what happens meanwhile happens."""
        self.asked.append("wait")
        self.while_waiting()


def test_a_mouse_at_rest_is_in_nobodys_way() -> None:
    """What is about to be sent is announced, and nothing else happens."""
    table = Table()
    manners = Manners(table, table, lambda _seconds: False)
    manners.begin()
    manners.give_way()
    manners.expect(Point(3, 4), 1)
    assert table.asked == ["mind", "expect 3 1"]


def test_whoever_takes_the_mouse_is_waited_for() -> None:
    """Until he goes on and it is at rest; then everything is looked at again, once."""
    table = Table()
    manners = Manners(table, table, lambda _seconds: False)
    table.taken = True
    with pytest.raises(Interrupted):
        manners.give_way()
    assert table.asked == ["wait", "mind"]
    manners.give_way()


def test_nobody_who_could_go_on_ends_it() -> None:
    """An unattended run says what happened."""
    table = Table()
    table.taken = True
    with pytest.raises(MouseTaken, match="you took the mouse"):
        Manners(table, None, lambda _seconds: False).give_way()


@pytest.mark.parametrize("late", [False, True])
def test_a_corner_ends_it(late: bool) -> None:
    """At once, or where the pointer gets there while he is waited for."""
    table = Table()
    table.taken, table.cornered = True, not late
    table.while_waiting = lambda: setattr(table, "cornered", True)
    with pytest.raises(HandError, match="corner"):
        Manners(table, table, lambda _seconds: False).give_way()
    assert table.asked == (["wait"] if late else [])


def test_a_stop_ends_the_waiting() -> None:
    """The user may stop in place of going on."""
    table = Table()
    table.taken = True

    def stop() -> None:
        raise Stopped

    table.while_waiting = stop
    with pytest.raises(Stopped):
        Manners(table, table, lambda _seconds: False).give_way()
