"""The message bar of the panel: errors, instructions and confirmations."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from platform import platform, python_version
from typing import Final

from PyQt6.QtCore import QEvent, Qt, QTimer, QUrl
from PyQt6.QtGui import QDesktopServices, QEnterEvent, QGuiApplication, QResizeEvent
from PyQt6.QtWidgets import QFrame, QGridLayout, QLabel, QPushButton, QWidget

from gui.dialogs import open_folder
from gui.failures import Failure
from gui.logfile import last_lines
from gui.panel.pages import PLAY
from gui.panel.theme import SPACE, restyle
from gui.panel.widgets import WIDE, lay_row, name_control, sentence
from vision.files import PROGRAM

FADES_AFTER: Final = 6000
"""Milliseconds for which a success message is shown while the pointer is elsewhere ..."""
FADES_WITH_BUTTON: Final = 30_000
"""... and one that offers the folder of a file: there must be time to press the button."""


@dataclass(frozen=True)
class _Message:
    text: str
    page: str
    """The message's page. It is shown there and on the page that was open when it was added."""
    shown_on: str
    about: Hashable
    """A later message with the same value replaces this one, and `retract` removes it."""
    failure: Failure | None = None
    fades: bool = False
    saved: Path | None = None
    """The file or folder that was written."""


class Banner(QFrame):
    """A bar that shows the newest valid message, hidden if there is none.

    A message is removed when a newer one about the same subject is added, when `retract` is called,
    or when the user dismisses it. A success message disappears by itself, and on another page.
    """

    def __init__(self) -> None:
        super().__init__()
        self._page = PLAY
        self._messages: list[_Message] = []
        """The newest is last."""
        self._shown: _Message | None = None
        self.message = QLabel()
        self.message.setWordWrap(True)
        self.message.setTextFormat(Qt.TextFormat.PlainText)
        self.message.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.message.setAccessibleName("Message")
        self.picture = QPushButton("Open picture")
        name_control(self.picture, "Open the picture of what was seen")
        self.folder = QPushButton("Open folder")
        name_control(self.folder, "Open the folder of the saved file")
        self.copy = QPushButton("Copy report")
        name_control(self.copy, "Copy the report to the clipboard")
        self.dismiss = QPushButton("Dismiss")
        name_control(self.dismiss, "Dismiss the message")
        self._actions = QWidget()
        lay_row(1, self.picture, self.folder, self.copy, on=self._actions)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(*[SPACE + 4] * 4)
        self._grid.setSpacing(SPACE)
        self._grid.setColumnStretch(0, 1)
        self._grid.addWidget(self.message, 0, 0)
        self._grid.addWidget(self.dismiss, 0, 2, Qt.AlignmentFlag.AlignTop)
        self._place_actions()
        self._clock = QTimer(self)
        self._clock.setSingleShot(True)
        self._clock.timeout.connect(self._dismiss)
        self.picture.clicked.connect(self._open_picture)
        self.folder.clicked.connect(self._open_folder)
        self.copy.clicked.connect(self._copy_report)
        self.dismiss.clicked.connect(self._dismiss)
        self.hide()

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Place the buttons beside the message, or below it if the width is small."""
        super().resizeEvent(event)
        if self._wide is not (self.width() >= WIDE):
            self._place_actions()

    def _place_actions(self) -> None:
        self._wide = self.width() >= WIDE
        place = (0, 1, 1, 1) if self._wide else (1, 0, 1, 3)
        self._grid.addWidget(self._actions, *place, Qt.AlignmentFlag.AlignTop)

    def turn_to(self, page: str) -> None:
        """Show the messages of the page that is now open, without a success that was seen."""
        if page != self._page and self._shown is not None and self._shown.fades:
            self._messages.remove(self._shown)
        self._page = page
        self._update()

    def show_message(self, text: str, page: str = PLAY, about: Hashable = None) -> None:
        """Show what the user should know or do.

        Args:
            text: The message.
            page: The page that it is about.
            about: Its subject; by default the page as a whole.
        """
        self._add(_Message(text, page, self._page, about or page))

    def show_success(
        self, text: str, saved: Path | None = None, *, page: str = PLAY, about: Hashable = None
    ) -> None:
        """Show for some seconds that something was done.

        Args:
            text: The message.
            saved: The file or folder that was written; None if there is none.
            page: The page that it is about.
            about: As for `show_message`.
        """
        self._add(_Message(text, page, self._page, about or page, fades=True, saved=saved))

    def show_failure(self, failure: Failure, page: str = PLAY, about: Hashable = None) -> None:
        """Show what went wrong, with its picture and its report if there are any.

        Args:
            failure: The failure.
            page: The page that it is about.
            about: As for `show_message`.
        """
        where = f"\nThe picture is in {failure.picture}" if failure.picture else ""
        text = sentence(failure.message) + where
        self._add(_Message(text, page, self._page, about or page, failure))

    def retract(self, about: Hashable) -> None:
        """Remove the messages about a subject."""
        self._messages = [one for one in self._messages if one.about != about]
        self._update()

    def clear(self, page: str = PLAY) -> None:
        """Remove all messages of a page."""
        self._messages = [one for one in self._messages if one.page != page]
        self._update()

    def enterEvent(self, event: QEnterEvent | None) -> None:
        """Keep the message while the pointer is over it."""
        super().enterEvent(event)
        self._clock.stop()

    def leaveEvent(self, event: QEvent | None) -> None:
        """Let a success message disappear some seconds after the pointer has left."""
        super().leaveEvent(event)
        self._let_fade()

    def _add(self, message: _Message) -> None:
        self._messages = [one for one in self._messages if one.about != message.about]
        self._messages.append(message)
        self._shown = None
        self._update()

    def _update(self) -> None:
        here = [one for one in self._messages if self._page in (one.page, one.shown_on)]
        message = here[-1] if here else None
        if message is not None and message is not self._shown:
            self._put(message)
        self._shown = message
        self.setVisible(message is not None)
        self._let_fade()

    def _put(self, message: _Message) -> None:
        failure = message.failure
        self.picture.setVisible(failure is not None and failure.picture is not None)
        self.folder.setVisible(message.saved is not None)
        self.copy.setVisible(failure is not None)
        self._actions.setVisible(failure is not None or message.saved is not None)
        self.copy.setText("Copy report")
        self.message.setText(message.text)
        self.setProperty("message", "note" if failure is None else "alarm")
        restyle(self)
        self.message.setAccessibleDescription(message.text)

    def _let_fade(self) -> None:
        shown = self._shown
        if shown is not None and shown.fades and not self.underMouse():
            self._clock.start(FADES_AFTER if shown.saved is None else FADES_WITH_BUTTON)
        else:
            self._clock.stop()

    def _dismiss(self) -> None:
        self._messages = [one for one in self._messages if one is not self._shown]
        self._update()

    def _open_picture(self) -> None:
        failure = self._shown.failure if self._shown is not None else None
        if failure is not None and failure.picture:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(failure.picture)))

    def _open_folder(self) -> None:
        saved = self._shown.saved if self._shown is not None else None
        if saved is not None:
            folder = saved if saved.is_dir() else saved.parent
            open_folder(folder, partial(self.show_message, page=self._page, about=folder))

    def _copy_report(self) -> None:
        clipboard = QGuiApplication.clipboard()
        failure = self._shown.failure if self._shown is not None else None
        if failure is not None and clipboard:
            where = f"{PROGRAM} {version(PROGRAM)}, Python {python_version()}, {platform()}"
            parts = self.message.text(), where, failure.report, last_lines()
            clipboard.setText("\n\n".join(filter(None, parts)))
            self.copy.setText("Copied")
