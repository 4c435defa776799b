"""The field for the recordings' folder, which is checked before it is used."""

from __future__ import annotations

from pathlib import Path

from PyQt6.QtCore import pyqtSignal
from PyQt6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from gui.failures import Failure
from gui.panel.dialogs import ask_folder
from gui.panel.jobs import Jobs, Progress
from gui.panel.theme import SPACE
from gui.panel.widgets import explanation, sentence
from gui.settings import check_writable, sessions_folder


class FolderBox(QWidget):
    """A field for a folder.

    Args:
        jobs: Checks whether it can be written.

    Signals:
        chosen(object): Another folder as text, checked; None for the default.
    """

    chosen = pyqtSignal(object)

    def __init__(self, jobs: Jobs, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._shown: str | None = None
        self.edit = QLineEdit()
        self.edit.setAccessibleName("Folder for recorded games")
        self.edit.setToolTip("Folder for recorded games; leave empty for the default")
        self.browse = QPushButton("&Choose …")
        self.browse.setAccessibleName("Choose the folder for recorded games")
        self.browse.setToolTip("Choose a folder")
        self.told: QLabel = explanation("About the folder")
        row = QHBoxLayout()
        row.setSpacing(SPACE)
        row.addWidget(self.edit, 1)
        row.addWidget(self.browse)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE)
        column.addLayout(row)
        column.addWidget(self.told)
        self.told.hide()
        self.setFocusProxy(self.edit)
        self.edit.editingFinished.connect(self._typed)
        self.browse.clicked.connect(self._browse)

    def show_folder(self, folder: str | None) -> None:
        """Show the current folder."""
        self._shown = folder
        self.edit.setText(folder or "")
        self.edit.setPlaceholderText(str(sessions_folder()))
        self.told.hide()

    def _typed(self) -> None:
        text = self.edit.text().strip() or None
        if text != self._shown:
            self._try(text)

    def _browse(self) -> None:
        folder = Path(self._shown) if self._shown else sessions_folder().parent
        ask_folder(
            self, "Folder for recorded games", lambda path: self._try(str(path)), folder=folder
        )

    def _try(self, text: str | None) -> None:
        folder = Path(text).expanduser() if text else sessions_folder()
        self.edit.setText(text or "")

        def work(_progress: Progress) -> None:
            check_writable(folder)

        job = self._jobs.start("Trying the folder", work)
        job.done.connect(lambda _answer: self._take(text))
        job.failed.connect(self._refuse)

    def _take(self, text: str | None) -> None:
        self.show_folder(text)
        self.chosen.emit(text)

    def _refuse(self, failure: Failure) -> None:
        self.told.setText(sentence(failure.message))
        self.told.show()
