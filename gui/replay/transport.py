"""The playback controls: first, previous, play, next, last, and the speed."""

from __future__ import annotations

from typing import Final

from PyQt6.QtCore import QSize, Qt, pyqtSignal
from PyQt6.QtGui import QKeySequence, QShortcut
from PyQt6.QtWidgets import QComboBox, QHBoxLayout, QToolButton, QWidget

from gui.panel.icons import icon
from gui.panel.theme import SPACE, on_theme_change
from gui.panel.widgets import act_as_pressed, plain_label
from gui.replay.playback import AS_RECORDED, SPEEDS

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


def speed_text(speed: float | None) -> str:
    """Return the text of a speed in the list."""
    if speed is AS_RECORDED:
        return "As recorded"
    return f"{speed:g}\N{MULTIPLICATION SIGN}"


class Transport(QWidget):
    """A row of playback buttons that only emit signals.

    Signals:
        first(): Show the first turn.
        stepped(int): Step by so many turns, negative for back.
        played(bool): Play or Pause was pressed; True if it was playing at that moment.
        last(): Show the last turn.
        speed_chosen(object): One of `SPEEDS`.
        faster(int): Change the speed by so many entries, negative for slower.
    """

    first = pyqtSignal()
    stepped = pyqtSignal(int)
    played = pyqtSignal(bool)
    last = pyqtSignal()
    speed_chosen = pyqtSignal(object)
    faster = pyqtSignal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._playing = False
        self.buttons = {name: QToolButton() for name in KEYS}
        self.speed = QComboBox()
        self.speed.setAccessibleName("Speed")
        self.speed.setToolTip(
            f"How fast it plays: as it was recorded, or so many turns a second "
            f"({SLOWER} slower, {FASTER} faster)"
        )
        for speed in SPEEDS:
            self.speed.addItem(speed_text(speed), speed)
        self.where = plain_label("Turn")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SPACE // 2)
        for name, button in self.buttons.items():
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            button.setIconSize(QSize(18, 18))
            button.setMinimumSize(QSize(34, 32))
            button.setAccessibleName(f"{_NAMES[name]}, {KEYS[name]}")
            button.setToolTip(f"{_NAMES[name]} ({KEYS[name]})")
            row.addWidget(button)
        row.addSpacing(SPACE // 2)
        row.addWidget(self.speed)
        row.addSpacing(SPACE // 2)
        row.addWidget(self.where, 1)
        self.buttons["first"].clicked.connect(self.first)
        self.buttons["previous"].clicked.connect(lambda: self.stepped.emit(-1))
        act_as_pressed(self.buttons["play"], lambda: self._playing, self.played.emit)
        self.buttons["step"].clicked.connect(lambda: self.stepped.emit(1))
        self.buttons["last"].clicked.connect(self.last)
        self.speed.activated.connect(
            lambda index: self.speed_chosen.emit(self.speed.itemData(index))
        )
        on_theme_change(self._draw)

    def add_shortcuts(self, page: QWidget) -> None:
        """Add shortcuts for a whole page, except Space, which the page handles."""
        context = Qt.ShortcutContext.WidgetWithChildrenShortcut
        for name, button in self.buttons.items():
            if name != "play":
                QShortcut(QKeySequence(KEYS[name]), page, context=context).activated.connect(
                    button.click
                )
        for key, steps in ((SLOWER, -1), (FASTER, 1)):
            shortcut = QShortcut(QKeySequence(key), page, context=context)
            shortcut.activated.connect(lambda steps=steps: self.faster.emit(steps))

    def show_speed(self, speed: float | None) -> None:
        """Show the current speed."""
        self.speed.setCurrentIndex(SPEEDS.index(speed))

    def show_playing(self, playing: bool) -> None:
        """Show Pause or Play on the middle button."""
        self._playing = playing
        word = "Pause" if playing else "Play"
        button = self.buttons["play"]
        button.setAccessibleName(f"{word}, {KEYS['play']}")
        button.setToolTip(f"{word} ({KEYS['play']})")
        self._draw()

    def show_turn(self, turn: int, last: int, seconds: float) -> None:
        """Show the position, and disable buttons without effect."""
        self.where.setText(f"{turn} of {last} \N{MIDDLE DOT} {seconds:.2f} s")
        self.where.setToolTip("The turn that is shown, and its time since the first frame")
        for name in ("first", "previous"):
            self.buttons[name].setEnabled(turn > 0)
        for name in ("step", "last"):
            self.buttons[name].setEnabled(turn < last)
        self.buttons["play"].setEnabled(last > 0)

    def _draw(self) -> None:
        for name, button in self.buttons.items():
            sign = "pause" if name == "play" and self._playing else name
            button.setIcon(icon(sign))
