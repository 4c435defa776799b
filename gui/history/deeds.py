"""Deletes and exports games of the history after the user's confirmation."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QObject, pyqtSignal
from PyQt6.QtWidgets import QFileDialog, QMessageBox, QWidget

from gui.history import asking
from gui.panel.dialogs import WHEREABOUTS
from gui.panel.jobs import JobBar, Jobs


class Deeds(QObject):
    """Actions on the games of the history.

    Args:
        jobs: Runs them.
        bar: Shows their progress.
        window: Parent of dialogs.

    Signals:
        began(): An action has started.
        succeeded(str): What was done.
        failed(Failure): What could not be done, and why.
        forgotten(): Games were deleted.
    """

    began = pyqtSignal()
    succeeded = pyqtSignal(str)
    failed = pyqtSignal(object)
    forgotten = pyqtSignal()

    def __init__(self, jobs: Jobs, bar: JobBar, window: QWidget) -> None:
        super().__init__(window)
        self._jobs, self._bar, self._window = jobs, bar, window
        self.dialog: QFileDialog | QMessageBox | None = None
        """The open dialog."""

    def ask_forget(self, numbers: list[int]) -> None:
        """Delete games after confirmation.

        Args:
            numbers: Numbers of the games.
        """
        games = "this game" if len(numbers) == 1 else f"these {len(numbers):,} games"
        box = QMessageBox(
            QMessageBox.Icon.Question,
            "Delete games",
            f"Delete {games} from the history? Recordings are kept.",
            QMessageBox.StandardButton.Cancel,
            self._window,
        )
        yes = box.addButton("&Delete", QMessageBox.ButtonRole.DestructiveRole)
        box.setDefaultButton(QMessageBox.StandardButton.Cancel)
        if yes is not None:
            yes.clicked.connect(partial(self._forget, numbers))
        self._open(box)

    def ask_file(self, numbers: NDArray[np.int64]) -> None:
        """Write games as CSV into a file that the user chooses.

        Args:
            numbers: Numbers of the games, in the wanted order: (n,).
        """
        dialog = QFileDialog(self._window, "Export games", "", "Tables (*.csv)")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("csv")
        WHEREABOUTS.guide(dialog)
        dialog.selectFile("minesweeper-games.csv")
        dialog.fileSelected.connect(partial(self._export, numbers))
        self._open(dialog)

    def _open(self, dialog: QFileDialog | QMessageBox) -> None:
        if self.dialog is not None:
            dialog.deleteLater()
            return
        self.dialog = dialog
        dialog.finished.connect(self._closed)
        dialog.open()

    def _closed(self) -> None:
        if self.dialog is not None:
            self.dialog.deleteLater()
            self.dialog = None

    def _forget(self, numbers: list[int]) -> None:
        self.began.emit()
        job = self._jobs.start("Deleting games", partial(asking.forget, numbers=numbers))
        job.failed.connect(self.failed)
        job.done.connect(self.forgotten)
        self._bar.follow(job)

    def _export(self, numbers: NDArray[np.int64], name: str) -> None:
        path = Path(name)
        self.began.emit()
        work = partial(asking.export, numbers=numbers, path=path)
        job = self._jobs.start(f"Writing {path.name}", work)
        job.failed.connect(self.failed)
        job.done.connect(lambda games: self.succeeded.emit(f"{games:,} games saved to {path}"))
        self._bar.follow(job)
