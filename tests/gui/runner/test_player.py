"""The player's thread: what pause, step and stop promise, and what an error becomes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any, cast

import pytest

from bot.analysis import Cancelled
from bot.board import FLAG
from bot.game import BEGINNER
from bot.loop import Stopped, Turn
from gui.failures import Failure
from gui.questions import LeftOpen
from gui.runner.player import Player
from gui.runner.protocol import (
    Asked,
    Begin,
    Candidate,
    Change,
    Ended,
    Operator,
    Order,
    State,
    Status,
)
from gui.runner.states import Activity, Event
from gui.settings import Settings
from tests.gui.tabletop import Tabletop, asked_about
from tests.support.clients import wait_until


class Recorded(Player):
    """A player, and what it has reported so far.

    Args:
        plays: What it plays with.
        board: The board.
    """

    def __init__(self, plays: Tabletop, board: Candidate | None = None) -> None:
        self.events: list[Any] = []
        self.react: Callable[[object], object] = lambda _event: None
        """Called with each event in the player's thread."""
        self._came = threading.Condition()
        super().__init__(plays, Begin(board, Settings(games=None)), self._record)

    def _record(self, event: object) -> None:
        with self._came:
            self.events.append(event)
            self._came.notify_all()
        self.react(event)

    def order(self, event: Event) -> None:
        """Give an order."""
        self.take(Order(0, event))

    def wait_for(self, condition: Callable[[], object]) -> None:
        """Wait until the events fulfil a condition."""
        with self._came:
            assert self._came.wait_for(condition, 60)

    def of(self, kind: type) -> list[Any]:
        """Return the events of a kind."""
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def turns(self) -> list[Turn]:
        """The turns that were shown."""
        return self.of(Turn)

    @property
    def states(self) -> list[State]:
        """The states that were reported."""
        return [status.state for status in self.of(Status)]

    def ended(self) -> Ended:
        """Wait for the end of the run."""
        self.wait_for(lambda: self.of(Ended))
        (ended,) = self.of(Ended)
        return cast("Ended", ended)


def backend(
    turns: Callable[[Operator], Iterator[Turn]], failure: Callable[[BaseException], Failure]
) -> Tabletop:
    """Return what plays these turns, and describes an error like this."""
    plays = SimpleNamespace(play=lambda _board, _choices, operator: turns(operator))
    plays.failure = failure
    return cast("Tabletop", plays)


@pytest.fixture
def table() -> Tabletop:
    """A beginner's board that is played without end."""
    return Tabletop(BEGINNER)


@pytest.fixture
def player(table: Tabletop) -> Iterator[Recorded]:
    """A player that has not begun; ended at the test's end."""
    made = Recorded(table, table.candidate(0))
    yield made
    made.end()


def test_nothing_is_carried_out_after_a_stop(player: Recorded, table: Tabletop) -> None:
    """The turn that was shown last is not carried out, and the generator is closed."""
    player.react = lambda event: isinstance(event, Turn) and player.stop()
    player.pause()
    player.start()
    assert player.ended().failure is None
    assert table.stopped.is_set()
    assert [turn.number for turn in player.turns] == [0]
    assert table.carried_out == []


@pytest.mark.parametrize("goes_on", [Event.STEP, Event.RESUME])
def test_a_turn_is_held_while_the_user_has_paused(goes_on: Event) -> None:
    """Resume and Step both go on with it: the step is for the rest of this turn."""
    held: list[bool] = []

    def turns(operator: Operator) -> Iterator[Turn]:
        held.append(operator.hold_turn())
        player.pause()
        held.append(operator.hold_turn())
        held.append(operator.allowed)
        yield from ()

    player = Recorded(backend(turns, Failure), Tabletop(BEGINNER).candidate(0))
    player.start()
    wait_until(lambda: player.status.turn_held)
    player.order(goes_on)
    player.ended()
    assert held == [False, True, True]


def test_stopped_before_it_began(player: Recorded, table: Tabletop) -> None:
    """A stop that comes first wins: not even a look is taken."""
    player.stop()
    player.start()
    player.ended()
    assert player.turns == []
    assert table.carried_out == []


def test_steps_one_by_one(player: Recorded, table: Tabletop) -> None:
    """Paused before the start, each step carries out exactly the turn that was shown.

    So does a pause in mid-game: at most the turn under way comes in, until it goes on.
    """
    player.pause()
    player.start()
    for number in range(5):
        player.wait_for(lambda number=number: len(player.turns) == number + 1)
        player.wait_for(lambda number=number: player.states.count(State.PAUSED) >= number + 2)
        assert table.carried_out == player.turns[:-1]
        player.order(Event.STEP)
    player.order(Event.RESUME)
    player.wait_for(lambda: len(player.turns) > 8)
    pauses = player.states.count(State.PAUSED)
    player.pause()
    # Said again from within, where it waits.
    player.wait_for(lambda: player.states.count(State.PAUSED) == pauses + 2)
    assert table.carried_out == player.turns[:-1]


def test_a_pause_after_the_stop_does_not_hold_the_thread(player: Recorded) -> None:
    """Whatever is pressed after it, a stop ends the thread."""
    player.start()
    player.stop()
    player.pause()
    player.order(Event.STEP)
    player.ended()


def test_the_pace_can_be_waited_out_of(player: Recorded, table: Tabletop) -> None:
    """A slow pace shows one turn and waits; a stop does not wait with it."""
    player.take(Change(Settings(games=None, pace=0.001)))
    player.start()
    player.wait_for(lambda: len(player.turns) == 1)
    player.stop()
    player.ended()
    assert table.carried_out == []


def test_an_error_of_the_first_look_ends_the_search(player: Recorded, table: Tabletop) -> None:
    """The thread ends with a failure, found in that thread; until then the run searches."""
    table.error = RuntimeError("the window is gone")
    player.start()
    failure = player.ended().failure
    assert failure is not None
    assert failure.message == "the window is gone"
    assert {status.activity for status in player.of(Status)} == {Activity.SEARCHING}
    assert table.threads["failure"] is table.threads["play"]
    assert table.stopped.is_set()


def test_error_while_reporting_an_error_hides_neither() -> None:
    """A full disk on top of it hides neither of the two."""

    def broken(_operator: Operator) -> Iterator[Turn]:
        raise RuntimeError("first")

    def failure(_error: BaseException) -> Failure:
        raise OSError("second")

    player = Recorded(backend(broken, failure))
    player.run()
    failure = player.ended().failure
    assert failure is not None
    assert "first" in failure.message
    assert "second" in failure.message
    assert "OSError" in failure.report


@pytest.mark.parametrize("attended", [True, False])
@pytest.mark.parametrize("error", [Stopped, Cancelled, LeftOpen, RuntimeError])
def test_only_an_error_is_a_failure(error: type[Exception], attended: bool) -> None:
    """A stop is none, nor what the user left open: its reason is said without a report.

    For a script, which cannot resume, the latter is one.
    """

    def turns(operator: Operator) -> Iterator[Turn]:
        operator.ask(asked_about(3, [(0, 1)]))
        yield from ()
        raise error("the run ended, as you said")

    player = Recorded(backend(turns, lambda error: Failure(str(error))))
    player.react = lambda event: isinstance(event, Asked) and player.answer(None)
    player.can_resume = attended
    player.run()
    left = error is LeftOpen and attended
    assert player.ended().reason == ("the run ended, as you said" if left else "")
    fails = error is RuntimeError or (error is LeftOpen and not attended)
    assert (player.ended().failure is not None) is fails


# Asking


def test_a_question_waits_for_its_own_answer(player: Recorded, table: Tabletop) -> None:
    """Asked in the player's thread, answered from the main one; meanwhile nothing is shown.

    What comes too early, twice or too late answers nothing.
    """
    first, second = (asked_about(3, [(0, 1)]) for _ in range(2))
    table.questions |= {0: first, 1: second}
    player.pause()
    player.answer(1)
    player.start()
    player.wait_for(lambda: State.ASKING in player.states)
    (asked,) = player.of(Asked)
    assert asked.question is first
    assert (asked.around.tile.left, asked.around.tile.top) == (16, 0)
    assert player.turns == []
    assert table.threads["ask"] is table.threads["play"]
    player.answer(2)
    # The player pauses before the look that asks the next question.
    player.answer(FLAG)
    player.wait_for(lambda: len(player.turns) == 1)
    player.order(Event.STEP)
    player.wait_for(lambda: len(player.of(Asked)) == 2)
    player.answer(FLAG)
    player.answer(5)
    player.wait_for(lambda: len(player.turns) == 2)
    assert table.answers == [2, FLAG]
    player.order(Event.RESUME)
    player.wait_for(lambda: len(player.turns) > 5)
