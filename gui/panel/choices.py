"""Labels of the choices that the playing page and the settings page share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from PyQt6.QtCore import QSignalBlocker, Qt
from PyQt6.QtGui import QKeyEvent
from PyQt6.QtWidgets import QComboBox, QSpinBox, QWidget

from bot.digging import HUNTERS
from bot.game import Rules
from bot.planner import Style
from bot.solver import SOLVERS
from gui.settings import AfterDialog, AfterGame, Settings

CONTROL_HEIGHT: Final = 26
DEMO_PACE: Final = 5.0
"""Clicks per second at which a game can be followed."""
PACES: Final[dict[str, float | None]] = {
    "Maximum speed": None,
    "10 clicks a second": 10.0,
    "3 clicks a second": 3.0,
    "1 click a second": 1.0,
}
STYLES: Final[dict[str, Style]] = {
    "No flags": Style.NO_FLAGS,
    "Flag every mine": Style.FLAGS,
    "Chords, fewest clicks": Style.CHORDS,
}
GAMES: Final[dict[str, Rules]] = {
    "Minesweeper": Rules.CLASSIC,
    "Find all mines": Rules.DIGGING,
}
THEMES: Final[dict[str, str]] = {
    "Same as system": "system",
    "Light": "light",
    "Dark": "dark",
}
AFTER_GAME: Final[dict[str, AfterGame]] = {
    "Continue with the next game": AfterGame.GO_ON,
    "Pause": AfterGame.PAUSE,
    "Stop": AfterGame.STOP,
}
AFTER_DIALOG: Final[dict[str, AfterDialog]] = {
    "Close it and continue": AfterDialog.CLOSE,
    "Leave it and pause": AfterDialog.PAUSE,
    "Leave it and stop": AfterDialog.STOP,
}


class NumberBox(QSpinBox):
    """A number field with a text in place of its minimum; typing a digit replaces the text."""

    def keyPressEvent(self, event: QKeyEvent | None) -> None:
        """Select the text before a digit is typed."""
        if event is not None and event.text().isdigit() and self.text() == self.specialValueText():
            self.selectAll()
        super().keyPressEvent(event)


def paces(pace: float | None) -> dict[str, float | None]:
    """Return the usual speeds and the one of the settings file."""
    return PACES if pace in PACES.values() else {f"{pace:g} clicks a second": pace, **PACES}


def box(choices: Mapping[str, Any], current: object) -> QComboBox:
    """Return a control for one of several choices."""
    made = QComboBox()
    for text, value in choices.items():
        made.addItem(text, value)
    made.setCurrentIndex(list(choices.values()).index(current))
    return made


def choose(control: QComboBox, value: object) -> None:
    """Show another choice without emitting signals."""
    with QSignalBlocker(control):
        control.setCurrentIndex(control.findData(value))


def choose_pace(control: QComboBox, pace: float | None) -> None:
    """Show another speed, listed or not."""
    if control.findData(pace) < 0:
        with QSignalBlocker(control):
            control.addItem(f"{pace:g} clicks a second", pace)
    choose(control, pace)


def set_least_height(control: QWidget) -> None:
    """Make a control large enough for touch and for its text."""
    control.setMinimumHeight(max(CONTROL_HEIGHT, control.sizeHint().height()))


def list_players(control: QComboBox, settings: Settings) -> None:
    """List the players for the chosen game, and the one of the settings file."""
    known = HUNTERS if settings.digging else SOLVERS
    names = list(dict.fromkeys([*known, settings.player_name]))
    with QSignalBlocker(control):
        control.clear()
        for at, name in enumerate(names):
            control.addItem(name, name)
            info = known.get(name)
            control.setItemData(
                at,
                f"{info.summary}\nSource: {info.source}"
                if info
                else "not available in this version: choose another one",
                Qt.ItemDataRole.ToolTipRole,
            )
        control.setCurrentIndex(names.index(settings.player_name))
