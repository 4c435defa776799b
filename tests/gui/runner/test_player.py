"""The player's thread: what pause, step and stop promise, and what an error becomes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import cast

import pytest
from PyQt6.QtCore import QThread, pyqtSignal
from pytestqt.qtbot import QtBot

from bot.analysis import Cancelled
from bot.board import FLAG
from bot.game import BEGINNER
from bot.loop import Stopped, Turn
from gui.failures import Failure
from gui.questions import LeftOpen
from gui.runner.player import Player
from gui.runner.protocol import (
    Asked,
    Backend,
    Begin,
    Candidate,
    Change,
    Held,
    Operator,
    State,
    Status,
)
from gui.settings import Settings
from tests.gui.tabletop import Tabletop, asked_about


class Signals(QThread):
    """A thread that plays, and what its player tells as signals in the main thread."""

    turn_played = pyqtSignal(object)
    asked = pyqtSignal(object, object)
    state_changed = pyqtSignal(object)
    held = pyqtSignal(object)
    failed = pyqtSignal(object)

    def __init__(self, play: Callable[[], None]) -> None:
        super().__init__()
        self.run = play

    def put(self, what: object) -> None:
        """Emit the signal of a turn, a question, an obstacle or a state."""
        if isinstance(what, Turn):
            self.turn_played.emit(what)
        elif isinstance(what, Asked):
            self.asked.emit(what.question, what.around)
        elif isinstance(what, Held):
            self.held.emit(what.failure)
        elif isinstance(what, Status):
            self.state_changed.emit(what.state)


def backend(
    turns: Callable[[Operator], Iterator[Turn]], failure: Callable[[BaseException], Failure]
) -> Backend:
    """Return what plays these turns, and describes an error like this."""
    plays = SimpleNamespace(play=lambda _board, _choices, operator: turns(operator))
    plays.failure = failure
    return cast("Backend", plays)


class ThreadedPlayer(Player):
    """A player with a thread of its own."""

    def __init__(self, plays: Backend, board: Candidate | None = None) -> None:
        self.signals = Signals(self._drive)
        self.turn_played, self.state_changed = self.signals.turn_played, self.signals.state_changed
        self.asked, self.held = self.signals.asked, self.signals.held
        self.failed, self.finished = self.signals.failed, self.signals.finished
        self.start, self.isRunning = self.signals.start, self.signals.isRunning
        super().__init__(plays, Begin(board, Settings(games=None)), self.signals.put)

    @property
    def state(self) -> State:
        """The state that was asked for."""
        return self.status.state

    def _drive(self) -> None:
        self.run()
        if self.failure is not None:
            self.failed.emit(self.failure)


@pytest.fixture
def table() -> Tabletop:
    """A beginner's board that is played without end."""
    return Tabletop(BEGINNER)


@pytest.fixture
def player(table: Tabletop, qtbot: QtBot) -> Iterator[ThreadedPlayer]:
    """A player that has not begun; ended at the test's end."""
    made = ThreadedPlayer(table, table.candidate(0))
    yield made
    made.stop()
    qtbot.waitUntil(lambda: not made.isRunning())


def watched(player: ThreadedPlayer) -> tuple[list[Turn], list[State], list[Failure]]:
    """Return lists that what the player signals is appended to, in this thread, as it comes.

    All of it has come when the player's `finished` has; when the thread has ended it may not have.
    """
    turns: list[Turn] = []
    states: list[State] = []
    failures: list[Failure] = []
    player.turn_played.connect(turns.append)
    player.state_changed.connect(states.append)
    player.failed.connect(failures.append)
    return turns, states, failures


def test_nothing_is_carried_out_after_a_stop(
    player: ThreadedPlayer, table: Tabletop, qtbot: QtBot
) -> None:
    """The turn that was shown last is not carried out, and the generator is closed."""
    turns, _, failures = watched(player)
    player.turn_played.connect(lambda turn: turn.number == 0 and player.stop())
    player.pause()
    with qtbot.waitSignal(player.finished):
        player.start()
    assert table.stopped.is_set()
    assert [turn.number for turn in turns] == [0]
    assert table.carried_out == []
    assert failures == []


def test_stopped_before_it_began(player: ThreadedPlayer, table: Tabletop, qtbot: QtBot) -> None:
    """A stop that comes first wins: not even a look is taken."""
    turns, _, _ = watched(player)
    player.stop()
    with qtbot.waitSignal(player.finished):
        player.start()
    assert turns == []
    assert table.carried_out == []


def test_steps_one_by_one(player: ThreadedPlayer, table: Tabletop, qtbot: QtBot) -> None:
    """Paused before the start, each step carries out exactly the turn that was shown."""
    turns, states, _ = watched(player)
    player.pause()
    player.start()
    for number in range(5):
        qtbot.waitUntil(lambda number=number: len(turns) == number + 1)
        qtbot.waitUntil(lambda number=number: states.count(State.PAUSED) >= number + 2)
        assert table.carried_out == turns[:-1]
        player.step()


def test_a_pause_holds_until_it_is_resumed(
    player: ThreadedPlayer, table: Tabletop, qtbot: QtBot
) -> None:
    """While paused at most the turn under way comes in; then it goes on."""
    turns, states, _ = watched(player)
    player.start()
    qtbot.waitUntil(lambda: len(turns) > 3)
    player.pause()
    # Said again from within, where it waits.
    qtbot.waitUntil(lambda: states.count(State.PAUSED) == 2)
    held = len(turns)
    assert table.carried_out == turns[:-1]
    player.resume()
    qtbot.waitUntil(lambda: len(turns) > held + 3)


def test_a_pause_after_the_stop_does_not_hold_the_thread(
    player: ThreadedPlayer, qtbot: QtBot
) -> None:
    """Whatever is pressed after it, a stop ends the thread."""
    with qtbot.waitSignal(player.finished):
        player.start()
        player.stop()
        player.pause()
        player.step()


def test_the_pace_can_be_waited_out_of(
    player: ThreadedPlayer, table: Tabletop, qtbot: QtBot
) -> None:
    """A slow pace shows one turn and waits; a stop does not wait with it."""
    turns, _, _ = watched(player)
    player.take(Change(Settings(games=None, pace=0.001)))
    player.start()
    qtbot.waitUntil(lambda: len(turns) == 1)
    with qtbot.waitSignal(player.finished):
        player.stop()
    assert table.carried_out == []


def test_an_error_is_told_in_words(player: ThreadedPlayer, table: Tabletop, qtbot: QtBot) -> None:
    """What the look raises ends the thread with a failure, found in that thread."""
    table.error = RuntimeError("the window is gone")
    with qtbot.waitSignals([player.failed, player.finished]):
        _, _, failures = watched(player)
        player.start()
    assert [failure.message for failure in failures] == ["the window is gone"]
    assert table.threads["failure"] is table.threads["play"]
    assert table.stopped.is_set()


def test_an_error_while_telling_the_error(qtbot: QtBot) -> None:
    """A full disk on top of it hides neither of the two."""

    def broken(_operator: Operator) -> Iterator[Turn]:
        raise RuntimeError("first")

    def failure(_error: BaseException) -> Failure:
        raise OSError("second")

    player = ThreadedPlayer(backend(broken, failure))
    with qtbot.waitSignal(player.failed) as told, qtbot.waitSignal(player.finished):
        player.start()
    assert "first" in told.args[0].message
    assert "second" in told.args[0].message
    assert "OSError" in told.args[0].report


@pytest.mark.parametrize("error", [Stopped, Cancelled])
def test_to_stop_is_no_failure(error: type[Exception], qtbot: QtBot) -> None:
    """Where the generator ends with the word for a stop, nobody is told of an error."""

    def stopped(_operator: Operator) -> Iterator[Turn]:
        raise error

    player = ThreadedPlayer(backend(stopped, lambda _error: Failure("must not be asked")))
    _, _, failures = watched(player)
    with qtbot.waitSignal(player.finished):
        player.start()
    assert failures == []


@pytest.mark.parametrize("error", [LeftOpen, RuntimeError])
def test_a_run_that_an_answer_ended_is_no_failure(error: type[RuntimeError]) -> None:
    """Its reason is said without a report; any other error after the answer is a failure."""

    def turns(operator: Operator) -> Iterator[Turn]:
        operator.ask(asked_about(3, [(0, 1)]))
        yield from ()
        raise error("the run ended, as you said")

    def put(what: object) -> None:
        if isinstance(what, Asked):
            player.answer(None)

    player = Player(backend(turns, lambda error: Failure(str(error))), Begin(None, Settings()), put)
    player.run()
    ended = error is LeftOpen
    assert player.stopped.reason == ("the run ended, as you said" if ended else "")
    assert (player.failure is None) is ended


# Asking


def test_it_waits_for_an_answer(player: ThreadedPlayer, table: Tabletop, qtbot: QtBot) -> None:
    """Asked in the player's thread, answered from the main one; meanwhile nothing is shown."""
    table.questions[3] = question = asked_about(3, [(0, 1)])
    turns, states, _ = watched(player)
    with qtbot.waitSignal(player.asked) as asked:
        player.start()
    assert asked.args is not None
    told, around = asked.args
    assert told is question
    assert (around.tile.left, around.tile.top) == (16, 0)
    assert player.state is State.ASKING
    assert [turn.number for turn in turns] == [0, 1, 2]
    assert table.threads["ask"] is table.threads["play"]
    qtbot.waitUntil(lambda: State.ASKING in states)
    player.answer(FLAG)
    qtbot.waitUntil(lambda: len(turns) > 5)
    assert table.answers == [FLAG]
    assert states[:3] == [State.PLAYING, State.ASKING, State.PLAYING]


def test_an_answer_without_a_question_is_ignored(
    player: ThreadedPlayer, table: Tabletop, qtbot: QtBot
) -> None:
    """What comes too early, twice or too late answers nothing."""
    table.questions |= {0: asked_about(3, [(0, 1)]), 1: asked_about(3, [(0, 1)])}
    turns, _, _ = watched(player)
    player.pause()
    player.answer(1)
    with qtbot.waitSignal(player.asked):
        player.start()
    player.answer(2)
    # The player pauses before the look that asks the next question.
    player.answer(3)
    qtbot.waitUntil(lambda: len(turns) == 1)
    with qtbot.waitSignal(player.asked):
        player.step()
    player.answer(4)
    player.answer(5)
    qtbot.waitUntil(lambda: len(turns) == 2)
    assert table.answers == [2, 4]


def test_a_stop_ends_the_wait_for_an_answer(
    player: ThreadedPlayer, table: Tabletop, qtbot: QtBot
) -> None:
    """The generator is closed, nobody is told of an error, and an answer comes too late."""
    table.questions[2] = asked_about(3, [(0, 1)])
    _, _, failures = watched(player)
    with qtbot.waitSignal(player.asked):
        player.start()
    carried_out = len(table.carried_out)
    with qtbot.waitSignal(player.finished):
        player.stop()
        assert player.state is State.STOPPING
        player.answer(3)
    assert table.stopped.is_set()
    assert table.answers == []
    assert len(table.carried_out) == carried_out
    assert failures == []


@pytest.mark.parametrize("steps", [True, False])
def test_an_obstacle_pauses_until_it_is_resumed(
    player: ThreadedPlayer, table: Tabletop, qtbot: QtBot, *, steps: bool
) -> None:
    """A step at an obstacle belongs to the turn under way: the next one is shown first."""
    table.dialogs = {1}
    turns, _, _ = watched(player)
    held: list[Failure] = []
    player.held.connect(held.append)
    if steps:
        player.pause()
        player.step()
    player.start()
    qtbot.waitUntil(lambda: len(held) == 1)
    qtbot.waitUntil(lambda: player.state is State.PAUSED)
    player.pause()
    assert (len(turns), player.status.why) == (1, "")
    if not steps:
        player.resume()
        qtbot.waitUntil(lambda: len(turns) > 3)
        return
    shown: list[object] = []
    player.turn_played.connect(shown.append)
    player.state_changed.connect(shown.append)
    player.step()

    def has_paused() -> bool:
        """Return whether a turn was shown, and a pause after it, as this list has them."""
        kinds = [type(one) for one in shown]
        return Turn in kinds and State.PAUSED in shown[kinds.index(Turn) :]

    qtbot.waitUntil(has_paused)
    assert table.carried_out == turns[:1]
    player.step()
    qtbot.waitUntil(lambda: len(turns) == 3)
    assert table.carried_out == turns[:2]
