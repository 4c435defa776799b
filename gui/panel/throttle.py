"""Limits how often a fast stream of values repaints a window."""

from __future__ import annotations

from typing import Final

from PyQt6.QtCore import QElapsedTimer, QObject, QTimer, pyqtSignal

REPAINTS: Final = 30
"""Per second, for graphics."""
FIGURES: Final = 5
"""Per second, for text."""


class Throttle(QObject):
    """A filter that passes the newest value and drops those in between.

    Args:
        repaints: The largest number of values per second.

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
        """Pass a value, at once if the last one was passed long enough ago."""
        self._newest = value
        if self._timer.isActive():
            return
        waited = self._since.elapsed() if self._since.isValid() else self._interval
        if waited >= self._interval:
            self.flush()
        else:
            self._timer.start(self._interval - int(waited))

    def flush(self) -> None:
        """Pass the pending value at once."""
        self._timer.stop()
        if self._newest is None:
            return
        value, self._newest = self._newest, None
        self._since.start()
        self.passed.emit(value)
