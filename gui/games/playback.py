"""The playback of a session: the position, and the controls below the board."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import partial
from typing import Final

from PyQt6.QtCore import QElapsedTimer, QObject, QSize, Qt, QTimer, pyqtSignal
from PyQt6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from gui.panel.icons import icon
from gui.panel.theme import SPACE, on_theme_change
from gui.panel.widgets import act_as_pressed, add_key, box, name_control, plain_label, tip_text

AS_RECORDED: Final = None
SPEEDS: Final = (AS_RECORDED, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0)
"""Turns per second, or the recorded intervals."""
KEYS: Final = {"first": "Home", "previous": "Left", "play": "Space", "step": "Right", "last": "End"}
"""The shortcut of every button; each is named like its icon."""
_NAMES: Final = {
    "first": "First turn",
    "previous": "Previous turn",
    "play": "Play",
    "step": "Next turn",
    "last": "Last turn",
}
SLOWER, FASTER = "[", "]"


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
        """The turn at which the clock was started."""
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(15)
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


def speed_text(speed: float | None) -> str:
    """Return the text of a speed in the list."""
    if speed is AS_RECORDED:
        return "As recorded"
    return f"{speed:g}\N{MULTIPLICATION SIGN}"


class Transport(QWidget):
    """A row of buttons that control a playback."""

    def __init__(self, playback: Playback) -> None:
        super().__init__()
        self._playback = playback
        self.buttons = {name: QToolButton() for name in KEYS}
        self.speed = box({speed_text(speed): speed for speed in SPEEDS}, AS_RECORDED)
        self.speed.setAccessibleName("Speed")
        self.speed.setToolTip(
            tip_text(
                f"Playback speed: as recorded, or in turns per second "
                f"({SLOWER} slower, {FASTER} faster)"
            )
        )
        self.where = plain_label("Turn")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SPACE // 2)
        for name, button in self.buttons.items():
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            button.setIconSize(QSize(18, 18))
            button.setMinimumSize(QSize(34, 32))
            name_control(button, f"{_NAMES[name]}, {KEYS[name]}", f"{_NAMES[name]} ({KEYS[name]})")
            row.addWidget(button)
        row.addSpacing(SPACE // 2)
        row.addWidget(self.speed)
        row.addSpacing(SPACE // 2)
        row.addWidget(self.where, 1)
        self.buttons["first"].clicked.connect(lambda: playback.jump(0))
        self.buttons["previous"].clicked.connect(lambda: playback.step(-1))
        act_as_pressed(self.buttons["play"], lambda: playback.playing, playback.switch)
        self.buttons["step"].clicked.connect(lambda: playback.step(1))
        self.buttons["last"].clicked.connect(lambda: playback.jump(playback.last))
        self.speed.activated.connect(lambda index: playback.set_speed(self.speed.itemData(index)))
        playback.playing_changed.connect(self._show_playing)
        playback.speed_changed.connect(self._show_speed)
        on_theme_change(self._draw)

    def add_shortcuts(self, page: QWidget) -> None:
        """Add shortcuts for a whole page, except Space, which the page handles."""
        for name, button in self.buttons.items():
            if name != "play":
                add_key(KEYS[name], page, button.click, focused=True)
        for key, steps in ((SLOWER, -1), (FASTER, 1)):
            add_key(key, page, partial(self._playback.faster, steps), focused=True)

    def show_turn(self, turn: int, last: int, seconds: float) -> None:
        """Show the position, and disable buttons without effect."""
        self.where.setText(f"{turn} of {last} \N{MIDDLE DOT} {seconds:.2f} s")
        self.where.setToolTip("The turn, and its time since the first frame; 0 is the first board")
        for name in ("first", "previous"):
            self.buttons[name].setEnabled(turn > 0)
        for name in ("step", "last"):
            self.buttons[name].setEnabled(turn < last)
        self.buttons["play"].setEnabled(last > 0)

    def _show_speed(self, speed: float | None) -> None:
        self.speed.setCurrentIndex(SPEEDS.index(speed))

    def _show_playing(self, playing: bool) -> None:
        """Show Pause or Play on the middle button."""
        word = "Pause" if playing else "Play"
        button = self.buttons["play"]
        name_control(button, f"{word}, {KEYS['play']}", f"{word} ({KEYS['play']})")
        self._draw()

    def _draw(self) -> None:
        for name, button in self.buttons.items():
            sign = "pause" if name == "play" and self._playback.playing else name
            button.setIcon(icon(sign))
