"""The run: one player after another, their statistics, the stop key, and old recordings."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import Final

from PyQt6.QtCore import QObject, pyqtSignal

from bot.game import Rules
from bot.loop import Turn
from gui.panel.assist import Assisting, CoachCard
from gui.panel.jobs import Job, Jobs, Progress
from gui.questions import ProgramAnswer
from gui.run_statistics import RunStatistics
from gui.runner.player import Player, State, pauses_before
from gui.runner.protocol import Backend, Candidate
from gui.settings import Choices, Settings
from vision.desktop import StopKey

RUN: Final = "run"
"""The subject of messages about the run."""


class StopWatch(QObject):
    """A listener for the stop key.

    Args:
        backend: Provides the keys that can be listened for.

    Signals:
        pressed(): The key was pressed and the run has been stopped.
        refused(str): Why the key is not available.
    """

    pressed = pyqtSignal()
    refused = pyqtSignal(str)

    def __init__(self, backend: Backend, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._backend = backend
        self._key: StopKey | None = None
        self._text = ""
        self._halt: Callable[[str], None] = _nothing

    def can_hear(self) -> bool:
        """Return whether a key can be heard here while another window has the focus."""
        return self._opened() is not None

    def hold(self, text: str, halt: Callable[[str], None]) -> None:
        """Listen for a key from now on, without waiting.

        Args:
            text: The key; empty for none.
            halt: Called in the key's thread, at once, with the key.
        """
        self._halt = halt
        self._order(text)

    def try_key(self, text: str, *, keep: bool) -> None:
        """Grab a key, and release it unless it is to be kept; `refused` reports a failure."""
        self._order(text)
        if not keep:
            self.release()

    def release(self) -> None:
        """Release the key for other programs."""
        if self._key is not None:
            self._key.release()

    def end(self) -> None:
        """Stop listening."""
        if self._key is not None:
            self._key.close()
            self._key = None

    def _order(self, text: str) -> None:
        self._text = text
        if not text:
            self.release()
            return
        key = self._opened()
        if key is not None:
            key.hold(text).add_done_callback(self._told)

    def _opened(self) -> StopKey | None:
        self._key = self._key or self._backend.stop_key(self._heard)
        return self._key

    def _heard(self) -> None:
        self._halt(self._text)
        self.pressed.emit()

    def _told(self, answer: Future[None]) -> None:
        error = answer.exception()
        if error is not None:
            self.refused.emit(f"{error}. Esc in the panel stops as well.")


def _nothing(_key: str) -> None:
    """Ignore the key: nothing is played."""


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
    """A controller of one player at a time, with all calls and signals in the main thread.

    Args:
        backend: Reads the screen, solves and clicks.
        choices: Returns the current settings.
        coach: Shows the advice on the user's moves.

    Signals:
        state_changed(): The player's state changed.
        turn_played(Turn): Every turn, counted and before it is carried out.
        asked(Question | ProgramQuestion, Around | None): The player waits for `answer`.
        held(Failure): It paused by itself because of an obstacle.
        failed(Failure): Something went wrong.
        statistics_reset(): The statistics were reset.
        ended(): The player ended, for whatever reason.
    """

    state_changed = pyqtSignal()
    turn_played = pyqtSignal(object)
    asked = pyqtSignal(object, object)
    held = pyqtSignal(object)
    failed = pyqtSignal(object)
    statistics_reset = pyqtSignal()
    ended = pyqtSignal()

    def __init__(
        self, backend: Backend, choices: Choices, coach: CoachCard, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._backend, self._choices = backend, choices
        self._player: Player | None = None
        self._played: object = None
        self._stop_key = choices().stop_key
        self.statistics = RunStatistics()
        """Statistics of the current level; kept for the next run if it continues with it."""
        self._whole = RunStatistics()
        self.watching = False
        """Whether the user plays."""
        self.reason = ""
        """Why the last run was stopped, in a sentence; empty if it ended by itself."""
        self.stop_failed = False
        """Whether that stop counts as a failure."""
        self.outcome = ""
        """The result of the last run in a sentence or two; empty before."""
        self.assist = Assisting(coach, choices().marks, self)
        self.stop_watch = StopWatch(backend, self)
        self.stop_watch.pressed.connect(self.stop)

    @property
    def playing(self) -> bool:
        """Whether there is a player, paused or not."""
        return self._player is not None

    @property
    def state(self) -> State:
        """The player's state."""
        return State.IDLE if self._player is None else self._player.state

    @property
    def why(self) -> str:
        """Why the player paused by itself; else empty."""
        return "" if self._player is None else self._player.why

    @property
    def waiting(self) -> str:
        """What the player waits for during a game; else empty."""
        player = self._player
        return player.waiting if player is not None and player.state is State.PLAYING else ""

    def begin(
        self, board: Candidate, mines: int | None, *, paused: bool, assist: bool = False
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
        self._whole = RunStatistics(settings.rules)
        self.watching = assist
        self.assist.begin(watching=self.watching)
        player = self._player = self._make_player(board, mines)
        player.turn_played.connect(self.take)
        player.asked.connect(self.asked)
        player.state_changed.connect(self.state_changed)
        player.held.connect(self.held)
        player.failed.connect(self.failed)
        player.finished.connect(self._finish)
        if paused:
            player.pause()
        self.stop_watch.hold(settings.stop_key, lambda key: player.halt(f"Stopped with {key}."))
        player.start()
        self.state_changed.emit()

    def _make_player(self, board: Candidate, mines: int | None) -> Player:
        """Create a player that follows the current settings; rules and mines stay fixed."""
        backend = self._backend
        fixed = {"digging": self._choices().digging, "mines": mines}

        def now() -> Settings:
            return self._choices().model_copy(update=fixed)

        if self.watching:
            # Nothing waits and nothing is clicked.
            return Player(partial(backend.watch, board, now), backend.failure, self)

        turns = partial(backend.turns, board, now)
        player = Player(turns, backend.failure, self, lambda turn: pauses_before(now(), turn))
        player.set_pace(self._choices().pace)
        return player

    def step(self) -> None:
        """Carry out one turn, then pause and show the next one."""
        if self._player is not None:
            self._player.step()

    def pause(self) -> None:
        """Make no further moves until `resume` or `step`."""
        if self._player is not None:
            self._player.pause()

    def resume(self) -> None:
        """Resume a paused player."""
        if self._player is not None and self.state is State.PAUSED:
            self._player.resume()

    def stop(self, reason: str = "") -> None:
        """End as soon as possible without further clicks.

        Args:
            reason: Why it stops, in a sentence.
        """
        if self._player is not None:
            self._player.stop(reason)

    def answer(self, answer: int | ProgramAnswer | None) -> None:
        """Answer the player's question; None leaves it open."""
        if self._player is not None:
            self._player.answer(answer)

    def take(self, turn: Turn) -> None:
        """Count a turn and emit it; each level of a game is counted separately."""
        if not self.statistics.counts(turn.reading.board):
            self._reset_statistics(self.statistics.rules)
        self.statistics.add(turn)
        self._whole.add(turn)
        self.assist.take(turn)
        self.turn_played.emit(turn)

    def apply_settings(self, settings: Settings) -> None:
        """Apply other settings, in the middle of a game too."""
        if self._player is not None and not self.watching:
            self._player.set_pace(settings.pace)
        self.assist.set_marked(settings.marks)
        if settings.stop_key != self._stop_key:
            self._stop_key = settings.stop_key
            self.stop_watch.try_key(settings.stop_key, keep=self.playing)

    def _reset_statistics(self, rules: Rules) -> None:
        self.statistics = RunStatistics(rules)
        self.statistics_reset.emit()

    def _finish(self) -> None:
        player, self._player = self._player, None
        self.stop_watch.release()
        if player is not None:
            player.deleteLater()
        self.assist.end()
        played = self._whole.games
        if player is not None:
            self.reason, self.stop_failed = player.stopped.reason, player.stopped.failed
        games = f"{played} game{'' if played == 1 else 's'} played, {self._whole.won} won. "
        self.outcome = f"{self.reason} {games}".lstrip()
        self.ended.emit()
