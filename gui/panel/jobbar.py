"""The progress of a job, with a Cancel button."""

from __future__ import annotations

from typing import Final

from PyQt6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QPushButton, QWidget

from gui.panel.jobs import Job
from gui.panel.theme import SPACE

_STEPS: Final = 1000


class JobBar(QWidget):
    """A progress bar for one job, hidden without one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._job: Job | None = None
        self.words = QLabel()
        self.words.setAccessibleName("Current task")
        self.bar = QProgressBar()
        self.bar.setAccessibleName("Progress")
        self.bar.setTextVisible(False)
        self.cancel = QPushButton("Cancel")
        self.cancel.setAccessibleName("Cancel the current task")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SPACE)
        row.addWidget(self.words)
        row.addWidget(self.bar, 1)
        row.addWidget(self.cancel)
        self.cancel.clicked.connect(self._cancel)
        self.hide()

    def follow(self, job: Job) -> None:
        """Show a job until it ends, in place of the previous one."""
        self._job = job
        self._tell(None, job.title)
        self.cancel.setEnabled(True)
        job.progressed.connect(lambda share, words: self._told(job, share, words))
        job.ended.connect(lambda: self._over(job))
        self.show()

    def leave(self, job: Job) -> None:
        """Stop showing a job that has not ended yet."""
        self._over(job)

    def _told(self, job: Job, share: float | None, words: str) -> None:
        if job is self._job:
            self._tell(share, words or job.title)

    def _tell(self, share: float | None, words: str) -> None:
        self.words.setText(words)
        self.bar.setRange(0, _STEPS if share is not None else 0)
        if share is not None:
            self.bar.setValue(round(share * _STEPS))

    def _cancel(self) -> None:
        if self._job is not None:
            self.cancel.setEnabled(False)
            self._job.cancel()

    def _over(self, job: Job) -> None:
        if job is self._job:
            self._job = None
            self.hide()
