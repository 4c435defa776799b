"""The panel's controls for games on a private screen: start, view, play and end."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Final

from PyQt6.QtCore import QObject, QTimer, pyqtSignal
from PyQt6.QtGui import QImage
from PyQt6.QtWidgets import QPushButton, QWidget

from bot.analysis import Cancelled
from bot.loop import Stopped
from gui.failures import Failure
from gui.panel.jobs import Job, Jobs, Progress
from gui.panel.labels import sentence
from gui.panel.privatedialog import GameDialog
from gui.panel.privateview import PrivateBox
from gui.private.game import PrivateGame
from gui.private.known import installed, remember, remembered
from gui.private.picture import live_picture
from gui.private.screens import PrivateScreens
from gui.runner.protocol import Candidate

_LOOK_EVERY: Final = 500
"""Milliseconds between checks whether the game has ended."""


class PrivateCorner(QObject):
    """Controls that start a game on a private screen.

    Args:
        screens: Starts it.
        jobs: Runs long work.
        window: The dialog's parent.

    Signals:
        found(Candidate): Its board was found and is to be played.
        starting(): Another game is being started.
        ending(): The game is about to end: stop playing it.
        changed(): The boards may have changed.
        failed(Failure): It could not be started, or shows no board.
    """

    found = pyqtSignal(object)
    starting = pyqtSignal()
    ending = pyqtSignal()
    changed = pyqtSignal()
    failed = pyqtSignal(object)
    _started = pyqtSignal(object)

    def __init__(
        self,
        screens: PrivateScreens,
        jobs: Jobs,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._screens, self._jobs, self._window = screens, jobs, window
        self._game: PrivateGame | None = None
        self._job: Job | None = None
        self._unwanted = False
        self.button = QPushButton("Game on a &private screen …")
        self.button.setToolTip("Start a game on a separate screen and play it there")
        self.box = PrivateBox()
        self.button.clicked.connect(self.ask)
        self.box.closed.connect(self.end)
        # Reuses the signal of the job's thread.
        self._started.connect(self._show)
        self._clock = QTimer(self)
        self._clock.setInterval(_LOOK_EVERY)
        self._clock.timeout.connect(self._look)

    def ask(self) -> None:
        """Ask which game to start, and start it."""
        dialog = GameDialog(remembered(), self._window)
        job = self._jobs.start("Looking for games", lambda _progress: installed())
        job.done.connect(dialog.offer)
        dialog.wanted.connect(self._wanted)
        dialog.open()

    def start(self, command: Sequence[str], size: tuple[int, int]) -> None:
        """Start a game in place of the current one; `found` is emitted with its board."""
        if self._job is not None:
            return
        self.starting.emit()
        if self._game is not None:
            self._forget()
            self.ending.emit()

        def work(progress: Progress) -> Candidate:
            self._started.emit(self._screens.start(command, size))
            try:
                return self._screens.await_board(progress.cancelled)
            except Stopped:
                raise Cancelled from None

        self.box.show_game(command[0], QImage())
        self.box.tell("Starting …")
        job = self._jobs.start(f"Starting {command[0]}", work)
        job.done.connect(self._found)
        job.failed.connect(self._failed)
        self._follow(job)

    def end(self) -> None:
        """End the game and its screen."""
        self._forget()
        self.box.hide()
        self.ending.emit()
        if self._job is not None:
            # The job ends it when it has finished.
            self._job.cancel()
            self._unwanted = True
            return
        job = self._jobs.start("Ending the game", lambda _progress: self._screens.close())
        job.done.connect(self.changed)
        job.failed.connect(self.failed)
        self._follow(job)

    def _wanted(self, typed: str, size: tuple[int, int]) -> None:
        job = self._jobs.start("Remembering the game", lambda _progress: remember(typed))
        job.failed.connect(self.failed)
        self.start(shlex.split(typed), size)

    def _show(self, game: PrivateGame) -> None:
        if self._unwanted:
            return
        self._game = game
        self.box.show_game(game.name, live_picture(game.framebuffer))
        self.box.tell("Looking for its board …")
        self._clock.start()

    def _found(self, board: Candidate) -> None:
        if not self._unwanted:
            self.box.tell("")
            self.found.emit(board)

    def _failed(self, failure: Failure) -> None:
        self.failed.emit(failure)
        if self._game is None:
            self.box.hide()
        else:
            self.box.tell("Not played: the message above says why.")
            self.changed.emit()

    def _look(self) -> None:
        """Check whether the game still runs."""
        ended = self._game.ended() if self._game is not None else ""
        if ended and self._job is None:
            self._forget()
            self.box.tell(sentence(ended))
            self.changed.emit()

    def _forget(self) -> None:
        self._clock.stop()
        self._game = None
        self.box.forget()

    def _follow(self, job: Job) -> None:
        """Disable the button until the job ends."""
        self._job = job
        self.button.setEnabled(False)
        job.ended.connect(self._ended)

    def _ended(self) -> None:
        self._job = None
        self.button.setEnabled(True)
        if self._unwanted:
            self._unwanted = False
            self.end()
