"""Keeps a fast stream of values from repainting a window more often than eyes can see."""

from __future__ import annotations

from typing import Final

from PyQt6.QtCore import QElapsedTimer, QObject, QTimer, pyqtSignal

REPAINTS: Final = 30
"""A second, of what moves."""
FIGURES: Final = 5
"""A second, of what is read."""


class Throttle(QObject):
    """Passes the newest value on; those that came in between are dropped.

    Args:
        repaints: How many values a second are passed at most.

    Signals:
        passed(object): The newest value.
    """

    passed = pyqtSignal(object)

    def __init__(self, repaints: int = REPAINTS, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._interval = -(-1000 // repaints)
        self._newest: object = None
        self._since = QElapsedTimer()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.flush)

    def offer(self, value: object) -> None:
        """Pass the value on, at once where nothing was passed for long enough."""
        self._newest = value
        if self._timer.isActive():
            return
        waited = self._since.elapsed() if self._since.isValid() else self._interval
        if waited >= self._interval:
            self.flush()
        else:
            self._timer.start(self._interval - int(waited))

    def flush(self) -> None:
        """Pass on what is waiting, at once."""
        self._timer.stop()
        if self._newest is None:
            return
        value, self._newest = self._newest, None
        self._since.start()
        self.passed.emit(value)
