"""The panel's part of games on a private screen: start, live view, and end."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QObject, QSize, Qt, QTimer, pyqtSignal
from PyQt6.QtGui import QImage, QKeyEvent
from PyQt6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QFrame,
    QLabel,
    QLineEdit,
    QPushButton,
    QWidget,
)

from bot.analysis import Cancelled
from bot.loop import Stopped
from gui.failures import Failure
from gui.images import Borrowed
from gui.panel import widgets
from gui.panel.jobs import Job, Jobs, Progress
from gui.panel.picture_view import PictureView
from gui.panel.theme import SPACE
from gui.private import PrivateScreenError
from gui.private.game import SIZE, PrivateGame
from gui.private.games import checked, installed, remember, remembered
from gui.private.screens import PrivateScreens
from gui.runner.protocol import Candidate

_SIZES: Final = (SIZE, (1920, 1080), (2560, 1440))
_ABOUT: Final = (
    "The game runs on a separate screen, so your mouse and your windows stay free. The panel shows "
    "that screen live. The game ends when you close the panel."
)
PICTURE_EVERY: Final = 200
"""Milliseconds between pictures."""
_NARROW: Final = 200
"""Least width in points; the list beside it determines the actual width."""
# The server keeps the picture in an X window dump (`X11/XWDFile.h`): its header consists of
# big-endian numbers of four bytes, and its pixels are the server's own memory, 24 bits in 32. To
# read it costs the game and its server nothing, and works while the player is busy.
_NUMBERS: Final = 25
_HEAD, _WIDTH, _HEIGHT, _ROW, _COLOURS = 0, 4, 5, 12, 19
"""Positions of the numbers in the header."""
_BYTES_A_COLOUR: Final = 12


class GameDialog(QDialog):
    """A dialog for the command and the size of the screen.

    Signals:
        wanted(str, tuple): Start this command on a screen of this size.
    """

    wanted = pyqtSignal(str, tuple)

    def __init__(self, commands: Iterable[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Play on a private screen")
        about = QLabel(_ABOUT)
        about.setWordWrap(True)
        self.command = QComboBox()
        self.size_box = widgets.box({f"{size[0]} x {size[1]}": size for size in _SIZES}, SIZE)
        self.command.setEditable(True)
        # A shorter command must not become a longer one that was used before.
        self.command.setCompleter(None)
        self.command.setAccessibleName("Command that starts the game")
        self.command.addItems(list(commands))
        self.size_box.setAccessibleName("Size of the private screen")
        self.trouble = widgets.explanation("Problem with the command")
        self.trouble.hide()
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.addRow("&Command", self.command)
        form.addRow("&Screen", self.size_box)
        self.buttons, roles = QDialogButtonBox(), QDialogButtonBox.ButtonRole
        self.start = self.buttons.addButton("Start and play", roles.AcceptRole)
        self.buttons.addButton("Cancel", roles.RejectRole)
        widgets.lay_column(about, form, self.trouble, 1, self.buttons, on=self, margins=2 * SPACE)
        self.setMinimumWidth(420)
        self.buttons.accepted.connect(self._take)
        self.buttons.rejected.connect(self.reject)
        self._line = self.command.lineEdit() or QLineEdit()
        self._line.setPlaceholderText("gnome-mines --big")
        self._line.selectAll()
        self.command.setFocus()

    def offer(self, commands: Iterable[str]) -> None:
        """Offer more commands below the present ones."""
        typed = self.command.currentText()
        known = {self.command.itemText(row) for row in range(self.command.count())}
        self.command.addItems([one for one in commands if one not in known])
        if not typed:
            self._line.selectAll()
        elif typed != self.command.currentText():
            self.command.setEditText(typed)

    def _take(self) -> None:
        typed = self.command.currentText().strip()
        try:
            words = shlex.split(typed)
            checked(words)
        except (ValueError, PrivateScreenError) as error:
            self.trouble.setText(widgets.sentence(str(error)))
            self.trouble.show()
            self.adjustSize()
            self.command.setFocus()
            return
        self.accept()
        self.wanted.emit(typed, self.size_box.currentData())


class LiveView(PictureView):
    """A live picture, as high as its width requires.

    Signals:
        enlarged(): It was clicked, or Enter was pressed on it.
    """

    enlarged = pyqtSignal()

    def __init__(self) -> None:
        super().__init__("The private screen, live")
        self._clock = QTimer(self)
        self._clock.setInterval(PICTURE_EVERY)
        self._clock.timeout.connect(self.update)
        self.clicked.connect(self.enlarged)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        policy = self.sizePolicy()
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_live(self, picture: QImage) -> None:
        """Show a picture whose content changes by itself; a null one for nothing."""
        self.show_picture(picture)
        if picture.isNull():
            self._clock.stop()
        else:
            self._clock.start()
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        """Return the smallest width, in the picture's aspect ratio."""
        return QSize(_NARROW, self.heightForWidth(_NARROW))

    def heightForWidth(self, width: int) -> int:
        """Return the height in the picture's aspect ratio."""
        shape = self.picture.size()
        return width * shape.height() // shape.width() if shape.width() else 0

    def keyPressEvent(self, event: QKeyEvent | None) -> None:
        """Emit `enlarged` on Enter."""
        if event is not None and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.enlarged.emit()
        else:
            super().keyPressEvent(event)


class PrivateBox(QFrame):
    """A box for the private screen: its name, its picture, and a button that ends it.

    Signals:
        closed(): The user ends the game.
    """

    closed = pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("card", True)
        self.heading = widgets.ElidedLabel("Game on the private screen")
        self.heading.setProperty("heading", True)
        self.close_game = widgets.named_button(
            "End", "End the game on the private screen", "End this game and its screen"
        )
        self.view, self.words = LiveView(), widgets.explanation("About the private screen")
        self.view.setToolTip("Your mouse is not on this screen. Click to see it larger")
        self._large: LiveView | None = None
        top = widgets.lay_row((self.heading, 1), self.close_game, gap=-1)
        widgets.lay_column(top, self.view, self.words, on=self, margins=SPACE)
        self.close_game.clicked.connect(self.closed)
        self.view.enlarged.connect(self._enlarge)
        self.hide()

    def show_game(self, name: str, picture: QImage) -> None:
        """Show a game's screen."""
        self.heading.setText(name)
        self.view.show_live(picture)
        self.view.setVisible(not picture.isNull())
        self.show()

    def tell(self, words: str) -> None:
        """Show a message about it; nothing if empty."""
        self.words.setText(words)
        self.words.setVisible(bool(words))

    def forget(self) -> None:
        """Hide the box's screen after the game has ended."""
        self.view.show_live(QImage())
        self.view.hide()
        self._shrink()

    def _enlarge(self) -> None:
        self._shrink()
        large = LiveView()
        large.setWindowTitle(f"{self.heading.text()} on a private screen")
        large.show_live(self.view.picture)
        large.resize(self.view.picture.size())
        large.show()
        self._large = large

    def _shrink(self) -> None:
        if self._large is not None:
            self._large.close()
            self._large = None


class PrivateCorner(QObject):
    """Controls that start a game on a private screen.

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
        self._clock.setInterval(500)
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
        job.done.connect(partial(self._found, command))
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
        job = self._jobs.start("Ending the game", lambda _progress: self._screens.end_game())
        job.done.connect(self.changed)
        job.failed.connect(self.failed)
        self._follow(job)

    def _wanted(self, typed: str, size: tuple[int, int]) -> None:
        self.start(shlex.split(typed), size)

    def _show(self, game: PrivateGame) -> None:
        if self._unwanted:
            return
        self._game = game
        self.box.show_game(game.name, live_picture(game.framebuffer))
        self.box.tell("Looking for its board …")
        self._clock.start()

    def _found(self, command: Sequence[str], board: Candidate) -> None:
        if self._unwanted:
            return
        typed = shlex.join(command)
        job = self._jobs.start(
            "Remembering the game", lambda _progress: remember(typed), keeps=True
        )
        job.failed.connect(self.failed)
        self.box.tell("")
        self.found.emit(board)

    def _failed(self, failure: Failure) -> None:
        self.failed.emit(failure)
        if self._game is None or self._game.ended():
            self.end()
        else:
            self.box.tell("Not played: the message above says why.")
            self.changed.emit()

    def _look(self) -> None:
        """Check whether the game still runs."""
        ended = self._game.ended() if self._game is not None else ""
        if ended and self._job is None:
            self._forget()
            self.box.tell(widgets.sentence(ended))
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


def live_picture(file: Path) -> QImage:
    """Return a picture that changes with the screen; do not store it or write to it.

    Raises:
        PrivateScreenError: There is no such picture.
    """
    try:
        memory: NDArray[np.uint8] = np.memmap(file, np.uint8, "r")
        numbers = memory[: 4 * _NUMBERS].view(">u4")
        begin = int(numbers[_HEAD]) + _BYTES_A_COLOUR * int(numbers[_COLOURS])
        height, row = int(numbers[_HEIGHT]), int(numbers[_ROW])
        rows = memory[begin : begin + height * row].reshape(height, row // 4, 4)
    except (OSError, ValueError, IndexError) as error:
        raise PrivateScreenError(f"the private screen cannot be shown: {error}") from error
    return Borrowed(rows[:, : int(numbers[_WIDTH])], QImage.Format.Format_RGB32)
