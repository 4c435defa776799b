"""The run as the panel sees it: its turns, its statistics, its keys, and old recordings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from PyQt6.QtCore import QObject, Qt, pyqtSignal

from bot.game import Rules
from bot.loop import Turn
from bot.solver.explain import note_explanation
from gui.panel.assist import Assisting, CoachCard
from gui.panel.jobs import Job, Jobs, Progress
from gui.panel.widgets import sentence
from gui.questions import ProgramAnswer
from gui.run_statistics import RunStatistics
from gui.runner import protocol
from gui.runner.client import PlayerClient
from gui.runner.protocol import Event as PlayerEvent
from gui.runner.states import Event, after
from gui.settings import Choices, KeyName, Settings

_INSTEAD: Final[Mapping[KeyName, str]] = {
    "stop key": "Esc in the panel stops as well.",
    "pause key": "The Pause button in the panel pauses as well.",
}
"""What remains if a key is not available."""
RUN: Final = "run"
"""The subject of messages about the run."""


def prune_recordings(jobs: Jobs, settings: Settings) -> Job | None:
    """Remove the oldest recordings beyond the limits; None without limits."""
    limits = settings.keep_sessions, settings.keep_megabytes
    if limits == (None, None):
        return None

    def work(progress: Progress) -> int:
        # Imported here: it loads OpenCV, which would slow down the panel's start.
        from vision.sessions.session_files import prune  # noqa: PLC0415

        return prune(settings.sessions_folder, *limits, lambda: progress.report(None))

    return jobs.start("Removing the oldest recordings", work)


class Run(QObject):
    """The panel's end of one run at a time, with all calls and signals in the main thread.

    Args:
        backend: Reads the screen, solves and clicks.
        choices: Returns the current settings.
        coach: Shows the advice on the user's moves.

    Signals:
        state_changed(): The player's state changed.
        turn_played(Turn): Every turn, counted and before it is carried out; only some have their
            picture.
        turn_shown(Turn): The newest turn with its picture, as often as it can be painted.
        turn_explained(Turn): The newest turn, as often as its text can be read.
        interim_shown(Turn): The state of a long decision, a turn without moves.
        asked(Question | ProgramQuestion, Around | None): The player waits for `answer`.
        held(Failure): It paused by itself because of an obstacle.
        failed(Failure): Something went wrong.
        statistics_reset(): The statistics were reset.
        ended(): The player ended, for whatever reason.
        key_pressed(str): The key of this name was pressed; the player obeys it.
        key_refused(str, str): A key's name, and why it cannot be heard.
    """

    state_changed = pyqtSignal()
    turn_played = pyqtSignal(object)
    turn_shown = pyqtSignal(object)
    turn_explained = pyqtSignal(object)
    interim_shown = pyqtSignal(object)
    asked = pyqtSignal(object, object)
    held = pyqtSignal(object)
    failed = pyqtSignal(object)
    statistics_reset = pyqtSignal()
    ended = pyqtSignal()
    key_pressed = pyqtSignal(str)
    key_refused = pyqtSignal(str, str)
    _received = pyqtSignal(object)

    def __init__(
        self,
        backend: PlayerClient,
        choices: Choices,
        coach: CoachCard,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._backend, self._choices = backend, choices
        self._send: Callable[[protocol.Message], None] = _nothing
        self._orders = 0
        """Number of orders that the player was given."""
        self._status: protocol.Status | None = None
        """The player's state as far as known, with all orders carried out; None without a run."""
        self._question: protocol.Asked | None = None
        self._obstacle: protocol.Held | None = None
        """The obstacle that belongs to the player's next state."""
        self._newest: Turn | None = None
        self.thinking = False
        """Whether the player takes time for a decision."""
        self._played: object = None
        self._ended_games = 0
        """Games of this run that have ended."""
        self._keys = choices().keys
        self.statistics = RunStatistics()
        """Statistics of the current level; kept for the next run if it continues with it."""
        self.watching = False
        """Whether the user plays."""
        self.reason = ""
        """The reason why the last run was stopped, in a sentence; empty if it ended by itself."""
        self.stop_failed = False
        """Whether that stop counts as a failure."""
        self.outcome = ""
        """The result of the last run in a sentence or two; empty before."""
        self.assist = Assisting(coach, choices().marks, self)
        # A run that cannot begin ends at once: not before it counts as begun.
        how = Qt.ConnectionType.QueuedConnection
        self._received.connect(self._receive, how)  # type: ignore[call-arg]  # PyQt's own gap
        backend.listen(self._received.emit)

    @property
    def playing(self) -> bool:
        """Whether there is a run, paused or not."""
        return self._status is not None

    @property
    def state(self) -> protocol.State:
        """The player's state, as the user has asked for it."""
        return protocol.State.IDLE if self._status is None else self._status.state

    @property
    def why(self) -> str:
        """Why the player paused by itself; else empty."""
        return "" if self._status is None else self._status.why

    @property
    def waiting(self) -> str:
        """The reason for waiting during a game; else empty."""
        status = self._status
        return (
            status.waiting if status is not None and status.state is protocol.State.PLAYING else ""
        )

    @property
    def hears_keys(self) -> bool:
        """Whether a key can be heard here while another window has the focus."""
        return self._backend.hears_keys

    @property
    def hears_stop_key(self) -> bool:
        """Whether the stop key can be heard then; known after a search."""
        return self._backend.hears_stop_key

    def begin(
        self, board: protocol.Candidate, mines: int | None, *, paused: bool, assist: bool = False
    ) -> None:
        """Play a board.

        Args:
            board: The board to play.
            mines: The number of mines, if the user entered it.
            paused: Show the first turn and wait.
            assist: Assist the user instead of playing.
        """
        settings = self._choices()
        # The user's games and the bot's are counted separately.
        played = (board.key, settings.rules, assist)
        if played != self._played:
            self._played = played
            self._reset_statistics(settings.rules)
        self.statistics.begin_run()
        self.watching = assist
        self.assist.begin(watching=self.watching)
        self._ended_games = 0
        self._orders, status = 0, protocol.Status()
        self._status = after(status, Event.PAUSE) if paused else status
        self._question = self._obstacle = self._newest = None
        self._hold_keys(settings.keys)
        chosen = settings.model_copy(update={"mines": mines})
        begin = protocol.Begin(board, chosen, paused=paused, watch=assist)
        self._send = self._backend.begin(begin, self._received.emit)
        self.state_changed.emit()

    @property
    def progress(self) -> str:
        """Which game of how many is played, as text."""
        number, games = self._ended_games + 1, self._choices().games
        if games is None:
            return f"Playing game {number:,}"
        return f"Playing game {min(number, games):,} of {games:,}"

    def step(self) -> None:
        """Carry out one turn, then pause and show the next one."""
        self._order(Event.STEP)

    def pause(self) -> None:
        """Make no further moves until `resume` or `step`."""
        self._order(Event.PAUSE)

    def resume(self) -> None:
        """Resume a paused player."""
        if self.state is protocol.State.PAUSED:
            self._order(Event.RESUME)

    def move_now(self) -> None:
        """End a long decision with what was found so far."""
        self._order(Event.MOVE_NOW)
        self._think(None, thinking=False)

    def stop(self, reason: str = "") -> None:
        """End as soon as possible without further clicks.

        Args:
            reason: Why it stops, in a sentence.
        """
        self._order(Event.STOP, reason)

    def answer(self, answer: int | ProgramAnswer | None) -> None:
        """Answer the player's question; None leaves it open."""
        if self._status is not None and self._status.asking:
            self._order(Event.ANSWER, answer)

    def apply_settings(self, settings: Settings) -> None:
        """Apply other settings, in the middle of a game too."""
        self._send(protocol.Change(settings))
        self.state_changed.emit()
        self.assist.set_marked(settings.marks)
        keys = settings.keys
        changed = {name: key for name, key in keys.items() if key != self._keys[name]}
        if changed:
            # One of two keys that change places is released before the other one takes it.
            self._hold_keys(dict.fromkeys(changed, ""))
        self._keys = keys
        self._hold_keys(changed, keep=self.playing)

    def _hold_keys(self, keys: Mapping[KeyName, str], *, keep: bool = True) -> None:
        for name, key in keys.items():
            self._backend.hold_key(name, key, keep=keep)

    def _order(self, event: Event, argument: object = "") -> None:
        """Give the player an order, and show the state that follows at once."""
        if self._status is None:
            return
        self._orders += 1
        self._status = after(self._status, event)
        self._send(protocol.Order(self._orders, event, argument))
        self.state_changed.emit()

    def _receive(self, event: PlayerEvent) -> None:
        match event:
            case protocol.Played():
                self._take(event)
            case protocol.Interim():
                self._think(event.turn, thinking=True)
            case protocol.Asked():
                self._question = event
            case protocol.Held():
                self._obstacle = event
            case protocol.Status():
                self._update(event)
            case protocol.Ended():
                self._finish(event)
            case protocol.KeyPressed():
                if event.name == "stop key":
                    self.stop(f"Stopped with {event.key}.")
                self.key_pressed.emit(event.name)
            case protocol.KeyRefused():
                self.key_refused.emit(event.name, f"{event.why} {_INSTEAD[event.name]}")

    def _update(self, status: protocol.Status) -> None:
        """Take over the player's state, unless it does not include all orders yet."""
        if status.acknowledged != self._orders or self._status is None:
            return
        self._status = status
        question, obstacle = self._question, self._obstacle
        if question is not None and status.asking:
            self._question = None
            self.asked.emit(question.question, question.around)
        if obstacle is not None:
            self._obstacle = None
            if status.obstructed:
                self.held.emit(obstacle.failure)
        self.state_changed.emit()

    def _think(self, turn: Turn | None, *, thinking: bool) -> None:
        """Note whether a decision takes long, and show its state."""
        if turn is not None:
            self.interim_shown.emit(turn)
        if thinking != self.thinking:
            self.thinking = thinking
            self.state_changed.emit()

    def _take(self, played: protocol.Played) -> None:
        """Count turns and emit them; each level of a game is counted separately."""
        if played.turns:
            self._think(None, thinking=False)
        for turn in played.turns:
            if not self.statistics.counts(turn.reading.board):
                self._reset_statistics(self.statistics.rules)
            before = self.statistics.games
            self.statistics.add(turn)
            if self.statistics.games > before:
                self._ended_games += 1
                self.state_changed.emit()
            self.assist.take(turn)
            self.turn_played.emit(turn)
            self._newest = turn
        newest = self._newest
        if newest is None:
            return
        if played.why is not None and newest.analysis is not None:
            note_explanation(newest.analysis, played.why)
        if played.turns:
            self.turn_shown.emit(newest)
        if played.explained:
            self.turn_explained.emit(newest)

    def _reset_statistics(self, rules: Rules) -> None:
        self.statistics = RunStatistics(rules)
        self.statistics_reset.emit()

    def _finish(self, ended: protocol.Ended) -> None:
        if ended.failure is not None:
            self.failed.emit(ended.failure)
        self._status, self._send, self.thinking = None, _nothing, False
        self._hold_keys(dict.fromkeys(self._keys, ""))
        self.assist.end()
        self.reason = sentence(ended.reason) if ended.reason else ""
        self.stop_failed = ended.failed
        counted = self.statistics
        games = f"{counted.games} game{'' if counted.games == 1 else 's'} played"
        won = f"{games}, {counted.won} won with this board. " if counted.games else ""
        self.outcome = f"{self.reason} {won}".lstrip()
        self.ended.emit()


def _nothing(_message: protocol.Message) -> None:
    """Do nothing, as no game is played."""
