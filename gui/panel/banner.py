"""A message across the panel: what went wrong, or what one should know."""

from __future__ import annotations

from importlib.metadata import version
from platform import platform, python_version

from PyQt6.QtCore import Qt, QUrl
from PyQt6.QtGui import QDesktopServices, QGuiApplication
from PyQt6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from gui.failures import Failure
from gui.panel.labels import sentence
from gui.panel.pages import PLAY
from gui.panel.theme import SPACE, restyle
from gui.settings import PROGRAM


class Banner(QFrame):
    """Hidden until there is something to say; shown where it was said, and on its own page."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._page = PLAY
        self._pages: frozenset[str] = frozenset()
        """Where the message is shown; nowhere once it was dismissed."""
        self._failure: Failure | None = None
        self.message = QLabel()
        self.message.setWordWrap(True)
        self.message.setTextFormat(Qt.TextFormat.PlainText)
        self.message.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.message.setAccessibleName("Message")
        self.picture = QPushButton("Open picture")
        self.picture.setAccessibleName("Open the picture of what was seen")
        self.copy = QPushButton("Copy report")
        self.copy.setAccessibleName("Copy the report to the clipboard")
        self.dismiss = QPushButton("Dismiss")
        self.dismiss.setAccessibleName("Dismiss the message")
        buttons = QHBoxLayout()
        buttons.setSpacing(SPACE)
        buttons.addStretch(1)
        for button in (self.picture, self.copy, self.dismiss):
            buttons.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(*[SPACE + 4] * 4)
        column.setSpacing(SPACE)
        column.addWidget(self.message)
        column.addLayout(buttons)
        self.picture.clicked.connect(self._open_picture)
        self.copy.clicked.connect(self._copy_report)
        self.dismiss.clicked.connect(self.clear)
        self.hide()

    def turn_to(self, page: str) -> None:
        """Another page is open."""
        self._page = page
        self.setVisible(page in self._pages)

    def clear(self) -> None:
        """Nothing to say any more."""
        self._pages = frozenset()
        self.hide()

    def tell(self, text: str, page: str = PLAY) -> None:
        """Something that one should know.

        Args:
            text: What.
            page: Which page it is about.
        """
        self._failure = None
        self._show("note", text, page)

    def retract(self, text: str) -> None:
        """Take a message back, where it is the one that is shown."""
        if self.message.text() == text:
            self.clear()

    def tell_failure(self, failure: Failure, page: str = PLAY) -> None:
        """Something that went wrong, with its picture and its report where there are any."""
        self._failure = failure
        where = f"\nThe picture is in {failure.picture}" if failure.picture else ""
        self._show("alarm", sentence(failure.message) + where, page)

    def _show(self, kind: str, text: str, page: str) -> None:
        self._pages = frozenset((page, self._page))
        failure = self._failure
        self.picture.setVisible(failure is not None and failure.picture is not None)
        self.copy.setVisible(failure is not None)
        self.copy.setText("Copy report")
        self.message.setText(text)
        self.setProperty("message", kind)
        restyle(self)
        self.message.setAccessibleDescription(text)
        self.show()

    def _open_picture(self) -> None:
        if self._failure and self._failure.picture:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._failure.picture)))

    def _copy_report(self) -> None:
        clipboard = QGuiApplication.clipboard()
        if self._failure and clipboard:
            where = f"{PROGRAM} {version(PROGRAM)}, Python {python_version()}, {platform()}"
            clipboard.setText(f"{self.message.text()}\n\n{where}\n\n{self._failure.report}")
            self.copy.setText("Copied")
