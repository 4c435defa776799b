"""What a run does when the user moves the mouse, and when the user resumes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bot.frame import Point
from bot.loop import Stopped
from bot.waiting import Waits
from tests.support.operators import Unattended
from vision.desktop.user_mouse import Interrupted, MouseInUse, UserMouse


class Table(Unattended):
    """A simulated mouse and operator, which record the calls."""

    can_override = True

    def __init__(self) -> None:
        super().__init__()
        self.place: Point | None = None
        self.asked: list[str] = []
        self.while_waiting: Callable[[], None] = lambda: None
        self.moves_until: Callable[[], bool] = lambda: True
        """Returns whether the mouse comes to rest."""
        self.mouse = TestedMouse(self)

    @property
    def position(self) -> Point:
        """Where the pointer is."""
        if not self.moves_until():
            return Point(len(self.asked), self.mouse.looks)
        return Point(0, 0)

    def move(self, point: Point) -> None:
        """Write it down."""
        self.asked.append(f"put {point.x:.0f}")

    def report(self, waiting: str, /) -> None:
        """Write it down."""
        self.asked.append(waiting)

    def wait_until_resumed(self) -> None:
        """Write it down; what happens meanwhile happens."""
        self.asked.append("wait")
        self.while_waiting()


class TestedMouse(UserMouse):
    """The user's mouse without a window system: the test says what the user does."""

    __test__ = False
    overridden = False
    used = 0
    """Number of times that the user is found in a window of this program."""
    looks = 0

    def __init__(self, table: Any) -> None:
        super().__init__(table, table)
        self._table = table
        self._waits = Waits(self._pass, table.report, lambda: self.looks)

    def _pass(self, _seconds: float) -> bool:
        self.looks += 1
        return False

    def _note_rest(self) -> None:
        self._table.asked.append("mind")
        self.overridden = False

    def _is_used(self) -> bool:
        self.used -= 1
        return self.used >= 0

    def position_to_restore(self) -> Point | None:
        """Where the test has it."""
        return self._table.place

    def return_pointer(self) -> None:
        """Write it down."""
        super().return_pointer()
        self._table.asked.append("give back")


@pytest.fixture
def table() -> Table:
    """A mouse at rest."""
    return Table()


def test_run_waits_until_the_user_resumes(table: Table) -> None:
    """Until he goes on and it is at rest; then everything is looked at again, once."""
    table.mouse.overridden = True
    with pytest.raises(Interrupted):
        table.mouse.yield_to_user()
    assert table.asked == ["wait", "mind"]
    table.mouse.yield_to_user()


def test_unattended_run_ends_when_the_mouse_is_moved(table: Table) -> None:
    """An unattended run says what happened."""
    table.mouse.overridden, table.can_override = True, False
    with pytest.raises(MouseInUse, match="you moved the mouse"):
        table.mouse.yield_to_user()


def test_the_pointer_is_borrowed_and_put_back(table: Table) -> None:
    """To where the user had it; it stays if that was outside our windows, or the user moved it."""
    mouse = table.mouse
    with mouse.borrowed():
        pass
    assert table.asked == ["give back"]
    table.asked.clear()
    table.place = Point(7, 8)

    def use() -> None:
        mouse.in_use = True
        mouse.yield_to_user()

    with pytest.raises(Interrupted), mouse.borrowed():
        use()
    assert table.asked == ["put 7", "give back"]
    mouse.yield_to_user()
    table.asked.clear()
    with mouse.borrowed():
        mouse.overridden = True
    assert table.asked == ["give back"]


def test_board_is_read_again_after_a_wait(table: Table) -> None:
    """The user used the panel: the board may be another one by now."""
    table.mouse.used = 1
    with pytest.raises(Interrupted), table.mouse.borrowed():
        table.asked.append("never")
    assert table.asked == ["give back"]


def test_a_stop_ends_the_waiting(table: Table) -> None:
    """The user may stop in place of going on."""
    table.mouse.overridden = True

    def stop() -> None:
        raise Stopped

    table.while_waiting = stop
    with pytest.raises(Stopped):
        table.mouse.yield_to_user()


def test_a_mouse_that_does_not_rest_is_reported(table: Table) -> None:
    """Nothing is clicked meanwhile, so the user has to know what the run waits for."""
    table.moves_until = lambda: bool(table.asked)
    table.mouse.wait_until_idle()
    assert table.asked == [
        "Waiting until you leave the mouse and the keyboard for a moment",
        "",
        "mind",
    ]


def test_user_may_use_the_mouse_when_asked_to_act(table: Table) -> None:
    """Then it is waited for, also where an answer ends the run."""
    with table.mouse.acting():
        assert table.mouse.expected
    assert not table.mouse.expected
    assert table.asked == ["mind"]
    with pytest.raises(Stopped), table.mouse.acting():
        raise Stopped
    assert not table.mouse.expected
    assert table.asked == ["mind"]
