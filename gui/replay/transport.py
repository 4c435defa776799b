"""The buttons under a replay: first, previous, play, next, last, and how fast."""

from __future__ import annotations

from typing import Final

from PyQt6.QtCore import QSize, Qt, pyqtSignal
from PyQt6.QtGui import QKeySequence, QShortcut
from PyQt6.QtWidgets import QComboBox, QHBoxLayout, QToolButton, QWidget

from gui.panel.buttons import act_as_pressed
from gui.panel.icons import icon
from gui.panel.labels import plain_label
from gui.panel.theme import SPACE, Theme
from gui.replay.playback import AS_RECORDED, SPEEDS

KEYS: Final = {"first": "Home", "previous": "Left", "play": "Space", "step": "Right", "last": "End"}
"""The shortcut of every button; each is named like its sign."""
_NAMES: Final = {
    "first": "First turn",
    "previous": "Previous turn",
    "play": "Play",
    "step": "Next turn",
    "last": "Last turn",
}
SLOWER, FASTER = "[", "]"


def speed_text(speed: float | None) -> str:
    """A speed as the list has it."""
    if speed is AS_RECORDED:
        return "As recorded"
    return f"{speed:g}\N{MULTIPLICATION SIGN}"


class Transport(QWidget):
    """Says what was pressed; what it does is the playback's business.

    Signals:
        first(): Show the first turn.
        stepped(int): So many turns on, or back.
        played(bool): Play or pause was pressed; True if it played at that moment.
        last(): Show the last turn.
        speed_chosen(object): One of `SPEEDS`.
        faster(int): So many speeds on, or back.
    """

    first = pyqtSignal()
    stepped = pyqtSignal(int)
    played = pyqtSignal(bool)
    last = pyqtSignal()
    speed_chosen = pyqtSignal(object)
    faster = pyqtSignal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme: Theme | None = None
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

    def add_shortcuts(self, page: QWidget) -> None:
        """Let the keys work wherever on a page the focus is; Space is the page's own business."""
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
        """Mark the speed that it plays at."""
        self.speed.setCurrentIndex(SPEEDS.index(speed))

    def show_playing(self, playing: bool) -> None:
        """The button in the middle pauses, or plays."""
        self._playing = playing
        word = "Pause" if playing else "Play"
        button = self.buttons["play"]
        button.setAccessibleName(f"{word}, {KEYS['play']}")
        button.setToolTip(f"{word} ({KEYS['play']})")
        self._draw()

    def show_turn(self, turn: int, last: int, seconds: float) -> None:
        """Say where one is; what leads nowhere cannot be pressed."""
        self.where.setText(f"{turn} of {last} \N{MIDDLE DOT} {seconds:.2f} s")
        self.where.setToolTip("The turn that is shown, and its time since the first frame")
        for name in ("first", "previous"):
            self.buttons[name].setEnabled(turn > 0)
        for name in ("step", "last"):
            self.buttons[name].setEnabled(turn < last)
        self.buttons["play"].setEnabled(last > 0)

    def set_theme(self, theme: Theme) -> None:
        """The signs in the theme's colours."""
        self._theme = theme
        self._draw()

    def _draw(self) -> None:
        if self._theme is None:
            return
        for name, button in self.buttons.items():
            sign = "pause" if name == "play" and self._playing else name
            button.setIcon(icon(sign, self._theme.text, self._theme.border))
