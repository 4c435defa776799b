"""Obstacles: how long each is waited for, what is reported, what ends the wait."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from bot.board import Board, Cell
from bot.frame import Status
from bot.loop import Stopped
from bot.mouse import AdaptiveTiming
from bot.planner import Action, Move
from bot.waiting import BoardNotSettled
from gui.runner import timeouts
from gui.runner.recovery import Recovery
from gui.runner.runner import Games
from gui.settings import Settings
from tests.support.boards import reading_of
from tests.support.operators import Scripted
from vision.counters.mines import MinesUnknown
from vision.desktop.user_mouse import Interrupted
from vision.focus import NotInFront, StrangeDialog
from vision.skins import BUNDLED, load_skin
from vision.tracking.tracked_board import WindowClosed, WindowHidden

HIDDEN = WindowHidden("it is minimised")
CLOSED = WindowClosed("it was closed")
_FRESH = Board.parse("###/###", 1)
MISSED = BoardNotSettled("no effect", reading_of(_FRESH), (Move(Action.OPEN, Cell(0, 0)),))
COVERED = BoardNotSettled("covered", reading_of(_FRESH, Status.BLOCKED))


class Way:
    """What is in the way, and for how many seconds by a clock that a wait moves on."""

    def __init__(self, error: Exception, seconds: float, *, stops: bool = False) -> None:
        self.now = 0.0
        self.reports: list[str] = []
        self.pauses: list[tuple[float, str]] = []
        self.closed = 0
        self.forgotten = 0
        self.check_program: Callable[[], object] = lambda: None
        """The program responds, and has opened no dialog."""
        self.leave_dialogs: Callable[[], bool] = lambda: False
        self._error, self._until, self._stops = error, seconds, stops

    def obstacles(
        self,
        hold: Callable[[Exception], None] | None,
        ask: Callable[[MinesUnknown], None] | None = None,
    ) -> Recovery:
        """Who deals with it."""
        stopped: Any = SimpleNamespace(wait=self._wait)
        self.operator = Scripted(ask, hold, stopped, self.reports.append)
        self.ask_mines = ask
        return Recovery(self, lambda: self.now)

    def hold(self, why: Exception) -> None:
        """The run pauses; the user resumes it a minute later."""
        self.pauses.append((round(self.now), str(why)))
        self.now += 60

    def find_obstacle(self) -> None:
        """It is there for so long."""
        if self.now < self._until:
            raise self._error

    def forget_moves(self) -> None:
        """Count it."""
        self.forgotten += 1

    def await_other_window(self, _successor: object) -> None:
        """Count it."""
        self.closed += 1

    def _wait(self, seconds: float) -> bool:
        self.now += seconds
        return self._stops


@pytest.mark.parametrize("error", [HIDDEN, NotInFront("covered"), COVERED])
def test_passing_obstacle_is_waited_for(error: Exception) -> None:
    """The user is not asked; in an unattended run it may last a minute, and is reported."""
    way = Way(error, timeouts.UNATTENDED - 1)
    assert not way.obstacles(None).overcome(error)
    assert way.reports == [f"Waiting: {error}", ""]
    way = Way(HIDDEN, timeouts.OBSTACLE_PASSES - 1)
    assert not way.obstacles(way.hold).overcome(HIDDEN)
    assert way.pauses == []


@pytest.mark.parametrize(
    ("error", "seconds"),
    [
        (HIDDEN, timeouts.OBSTACLE_PASSES),
        (StrangeDialog("Options"), timeouts.USER_NEEDED),
        (COVERED, 0),
        (MISSED, 0),
    ],
)
def test_lasting_obstacle_pauses_the_run_with_its_message(error: Exception, seconds: float) -> None:
    """After its time the run pauses; resuming too early pauses it again.

    The user may have played before each *Resume*.
    """
    way = Way(error, 100)
    assert way.obstacles(way.hold).overcome(error)
    assert not way.reports or way.reports[-1] == ""
    (first, message), *more = way.pauses
    assert (first, message) == (round(seconds), str(error))
    assert len(more) == 1
    assert more[0][0] >= first + 60
    assert way.forgotten == 2


@pytest.mark.parametrize(
    ("error", "seconds"),
    [
        (HIDDEN, timeouts.UNATTENDED),
        (COVERED, timeouts.UNATTENDED),
        (MISSED, 0),
        (CLOSED, timeouts.WINDOW_RETURNS),
    ],
)
def test_lasting_obstacle_ends_a_run_that_cannot_be_resumed(
    error: Exception, seconds: float
) -> None:
    """With the error itself: its words are what the command line prints."""
    way = Way(error, 1000)
    with pytest.raises(type(error), match=str(error)):
        way.obstacles(None).overcome(error)
    assert round(way.now) == round(seconds)
    assert not way.reports or way.reports[-1] == ""


def test_a_dialog_over_an_unstable_board_is_the_obstacle() -> None:
    """With its own words and patience; one that is left to the user is not waited for again."""
    way = Way(dialog := StrangeDialog("Options"), 100)
    way.check_program = way.find_obstacle
    assert way.obstacles(way.hold).overcome(COVERED)
    assert way.pauses[0] == (timeouts.USER_NEEDED, str(dialog))
    way = Way(dialog, 100)
    way.check_program, way.leave_dialogs = way.find_obstacle, lambda: True
    assert way.obstacles(way.hold).overcome(COVERED)
    assert (way.now, way.pauses) == (0, [])


def test_a_window_that_is_closed_ends_it_unless_one_of_its_kind_is_opened() -> None:
    """Nobody is asked to go on with a window that is gone."""
    way = Way(CLOSED, timeouts.WINDOW_REPLACED / 2)
    assert way.obstacles(way.hold).overcome(CLOSED)
    assert way.closed
    way = Way(CLOSED, 1000)
    with pytest.raises(WindowClosed):
        way.obstacles(way.hold).overcome(CLOSED)
    assert way.pauses == []
    # Somebody who has closed it can play another one at once.
    assert way.now < timeouts.WINDOW_REPLACED + 1
    # Where it seemed covered at first, the patience is that for a closed one.
    way = Way(CLOSED, 1000)
    with pytest.raises(WindowClosed):
        way.obstacles(None).overcome(HIDDEN)
    assert timeouts.WINDOW_RETURNS <= way.now < timeouts.WINDOW_RETURNS + 1


def test_obstacle_that_is_gone_for_a_moment_is_waited_for() -> None:
    """A menu that closes may have chosen what is in the way next."""
    way, clear = Way(HIDDEN, 0), iter([None, HIDDEN, None, None])

    def find_obstacle() -> None:
        if (error := next(clear)) is not None:
            raise error

    way.find_obstacle = find_obstacle  # type: ignore[method-assign]
    assert not way.obstacles(None).overcome(HIDDEN)
    assert next(clear, "asked as often as that") == "asked as often as that"


def test_obstacle_that_returns_too_often_is_not_waited_for() -> None:
    """A click that is refused again and again, though nothing seems to be in the way."""
    way = Way(HIDDEN, 0)
    assert way.obstacles(way.hold).overcome(HIDDEN, again=True)
    assert way.pauses == [(0, "it is minimised")]


def test_a_stop_ends_the_waiting() -> None:
    """The wait between two tries is on the stop event."""
    way = Way(HIDDEN, 1000, stops=True)
    with pytest.raises(Stopped):
        way.obstacles(None).overcome(HIDDEN)
    assert way.now < 1


def test_unknown_mines_are_asked_for_without_a_pause() -> None:
    """Soon, in the panel and in the terminal alike; the run goes on with the answer."""
    unknown = MinesUnknown("no counter: say how many mines with --mines")
    for hold in (True, False):
        way = Way(unknown, timeouts.UNATTENDED)

        def answer(error: MinesUnknown, way: Way = way) -> None:
            assert error is unknown
            assert round(way.now) == timeouts.USER_NEEDED
            way.now += timeouts.UNATTENDED

        assert way.obstacles(way.hold if hold else None, answer).overcome(unknown)
        assert way.now > timeouts.UNATTENDED, "it was asked"
        assert way.pauses == []
    way = Way(unknown, timeouts.UNATTENDED + 1)
    with pytest.raises(MinesUnknown, match="--mines"):
        way.obstacles(None).overcome(unknown)


def test_no_move_is_known_once_the_user_has_played() -> None:
    """The last click of the run does not tell which mine the user has hit."""
    noted: list[tuple[Move, ...]] = []
    looks = iter((Interrupted(), Stopped()))

    def look() -> None:
        raise next(looks)

    access: Any = SimpleNamespace(
        reader=SimpleNamespace(
            skin=load_skin(BUNDLED / "winemine"),
            window=None,
            unchanged=lambda: False,
            note_moves=noted.append,
        ),
        mouse=SimpleNamespace(pop_events=tuple),
        user=None,
        operator=Scripted(),
        choices=Settings,
        dialogs=None,
        conventions=SimpleNamespace(timing=AdaptiveTiming()),
        look=look,
    )
    with pytest.raises(Stopped):
        next(Games(access, "").turns())
    assert noted == [()]
