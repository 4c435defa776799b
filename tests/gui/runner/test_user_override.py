"""The user comes first: what is done when he takes the mouse, and when he gives it back."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

import pytest

from bot.frame import Point
from bot.loop import Stopped
from gui.runner.protocol import Unattended
from gui.runner.user_override import Interrupted, MouseInUse, UserOverride


class Table(Unattended):
    """A mouse and somebody who goes on, both of this test's making; writes down what is asked."""

    can_override = True

    def __init__(self) -> None:
        super().__init__()
        self.overridden = self.in_use = self.waits_to_borrow = False
        self.place: Point | None = None
        self.asked: list[str] = []
        self.while_waiting: Callable[[], None] = lambda: None
        self.moves_until: Callable[[], bool] = lambda: True
        """Returns whether the mouse comes to rest."""

    def report(self, waiting: str, /) -> None:
        """Write it down."""
        self.asked.append(waiting)

    def expect(self, point: Point, presses: int) -> None:
        """Write it down."""
        self.asked.append(f"expect {point.x:.0f} {presses}")

    def judging_delayed(self) -> AbstractContextManager[object]:
        """Judge nothing: the test says when the mouse is taken."""
        return nullcontext()

    def note_position(self, place: Point) -> None:
        """Leave it: there are no corners."""

    def wait_until_idle(self, wait: Callable[[float], bool]) -> None:
        """Write it down; at rest at once, unless the test says otherwise."""
        assert not wait(0)
        while not self.moves_until():
            assert not wait(0.05)
        self.asked.append("mind")
        self.overridden = False

    def pause(self, why: object, /) -> None:
        """Write it down."""
        self.asked.append(f"pause {why}")

    def borrow_pointer(self, wait: Callable[[float], bool]) -> bool:
        """Write it down."""
        assert not wait(0)
        self.asked.append("borrow")
        return self.waits_to_borrow

    def position_to_restore(self) -> Point | None:
        """Where the test has it."""
        return self.place

    def return_pointer(self) -> None:
        """Write it down."""
        self.asked.append("give back")

    def note_resumption(self) -> None:
        """Leave it: nothing is in use here for long."""

    def wait_until_resumed(self) -> None:
        """Write it down; what happens meanwhile happens."""
        self.asked.append("wait")
        self.while_waiting()


def test_whoever_takes_the_mouse_is_waited_for() -> None:
    """Until he goes on and it is at rest; then everything is looked at again, once."""
    table = Table()
    manners = UserOverride(table, table)
    table.overridden = True
    with pytest.raises(Interrupted):
        manners.yield_to_user()
    assert table.asked == ["wait", "mind"]
    manners.yield_to_user()


def test_nobody_who_could_go_on_ends_it() -> None:
    """An unattended run says what happened."""
    table = Table()
    table.overridden = True
    with pytest.raises(MouseInUse, match="you moved the mouse"):
        UserOverride(table, Unattended()).yield_to_user()


def test_the_pointer_is_borrowed_and_put_back() -> None:
    """Where the user had it; where that was nowhere of ours, or he took it, it stays."""
    table = Table()
    manners = UserOverride(table, table, lambda _point: table.asked.append("put"))
    with manners.borrowed():
        pass
    assert table.asked == ["borrow", "give back"]
    table.asked.clear()
    table.place = Point(7, 8)
    table.in_use = True
    with pytest.raises(Interrupted), manners.borrowed():
        manners.yield_to_user()
    assert table.asked == ["borrow", "expect 7 0", "put", "give back"]
    manners.yield_to_user()
    table.asked.clear()
    with manners.borrowed():
        table.overridden = True
    assert table.asked == ["borrow", "give back"]


def test_what_was_waited_for_is_looked_at_again() -> None:
    """The user used the panel: the board may be another one by now."""
    table = Table()
    table.waits_to_borrow = True
    with pytest.raises(Interrupted), UserOverride(table, table).borrowed():
        table.asked.append("never")
    assert table.asked == ["borrow", "give back"]


def test_a_stop_ends_the_waiting() -> None:
    """The user may stop in place of going on."""
    table = Table()
    table.overridden = True

    def stop() -> None:
        raise Stopped

    table.while_waiting = stop
    with pytest.raises(Stopped):
        UserOverride(table, table).yield_to_user()


def test_a_mouse_that_does_not_rest_is_reported() -> None:
    """Nothing is clicked meanwhile, so the user has to know what the run waits for."""
    table = Table()
    table.moves_until = lambda: bool(table.asked)
    UserOverride(table, table).begin()
    assert table.asked == [
        "Waiting until you leave the mouse and the keyboard for a moment",
        "mind",
        "",
    ]
