"""The playback position: steps, jumps and playing at any speed."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

from PyQt6.QtCore import QElapsedTimer, QObject, Qt, QTimer, pyqtSignal

AS_RECORDED: Final = None
SPEEDS: Final = (AS_RECORDED, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0)
"""Turns per second, or the recorded intervals."""
_TICK: Final = 15
"""Milliseconds between checks of the clock."""


class Playback(QObject):
    """A playback of a session's turns.

    Signals:
        moved(int): Another turn is to be shown.
        playing_changed(bool): Playing started or stopped.
        speed_changed(object): One of `SPEEDS`.
    """

    moved = pyqtSignal(int)
    playing_changed = pyqtSignal(bool)
    speed_changed = pyqtSignal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._times: Sequence[float] = ()
        self._at = 0
        self._speed: float | None = AS_RECORDED
        self._clock = QElapsedTimer()
        self._from = 0
        """The turn that was shown when the clock was started."""
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(_TICK)
        self._timer.timeout.connect(self._tick)

    @property
    def at(self) -> int:
        """The turn that is shown."""
        return self._at

    @property
    def last(self) -> int:
        """The index of the last turn."""
        return max(0, len(self._times) - 1)

    @property
    def playing(self) -> bool:
        """Whether it is playing."""
        return self._timer.isActive()

    @property
    def speed(self) -> float | None:
        """The speed, one of `SPEEDS`."""
        return self._speed

    def open(self, times: Sequence[float]) -> None:
        """Load another session; `times` are non-decreasing seconds, one for each turn."""
        self.pause()
        self._times, self._at = times, 0

    def go(self, turn: int) -> None:
        """Show a turn; playing continues from there."""
        turn = min(max(turn, 0), self.last)
        self._begin(turn)
        self._show(turn)

    def step(self, turns: int) -> None:
        """Step forward or backward and stop playing."""
        self.pause()
        self.go(self._at + turns)

    def jump(self, turn: int) -> None:
        """Show a turn and stop playing."""
        self.pause()
        self.go(turn)

    def toggle(self) -> None:
        """Play or pause; at the end, play from the beginning."""
        self.switch(self.playing)

    def switch(self, playing: bool) -> None:
        """Do the opposite of what it did when a button was pressed.

        Args:
            playing: Whether it was playing then; it may have ended since.
        """
        if playing:
            self.pause()
        elif len(self._times) > 1 and not self.playing:
            if self._at == self.last:
                self._show(0)
            self._begin(self._at)
            self._timer.start()
            self.playing_changed.emit(True)

    def pause(self) -> None:
        """Stop at this turn."""
        if self.playing:
            self._timer.stop()
            self.playing_changed.emit(False)

    def set_speed(self, speed: float | None) -> None:
        """Set the speed from this turn on."""
        if speed != self._speed:
            self._speed = speed
            self._begin(self._at)
            self.speed_changed.emit(speed)

    def faster(self, steps: int = 1) -> None:
        """Increase the speed by so many entries of `SPEEDS`; negative to decrease it."""
        place = SPEEDS.index(self._speed) + steps
        self.set_speed(SPEEDS[min(max(place, 0), len(SPEEDS) - 1)])

    def due(self, seconds: float) -> int:
        """Return the turn to show so many seconds after the clock was started."""
        if self._speed is AS_RECORDED:
            return bisect_right(self._times, self._times[self._from] + seconds) - 1
        return min(self._from + int(seconds * self._speed), self.last)

    def _begin(self, turn: int) -> None:
        self._from = turn
        self._clock.start()

    def _tick(self) -> None:
        self._show(max(self._at, self.due(self._clock.elapsed() / 1000)))
        if self._at == self.last:
            self.pause()

    def _show(self, turn: int) -> None:
        if turn != self._at:
            self._at = turn
            self.moved.emit(turn)
