"""The few choices of the panel: how many games, how, how fast, in which colours."""

from __future__ import annotations

from typing import Any, Final

from PyQt6.QtCore import Qt, pyqtSignal
from PyQt6.QtWidgets import QCheckBox, QComboBox, QFormLayout, QFrame, QSpinBox, QWidget

from bot.planner import Style
from bot.solver import SOLVERS
from gui.panel.theme import SPACE
from gui.player import Candidate
from gui.settings import ENDLESS, Settings

CONTROL_HEIGHT: Final = 26
_PACES: Final[dict[str, float | None]] = {
    "As fast as it goes": None,
    "10 turns a second": 10.0,
    "3 turns a second": 3.0,
    "1 turn a second": 1.0,
}
_STYLES: Final[dict[str, Style]] = {
    "No flags": Style.NO_FLAGS,
    "Flag every mine": Style.FLAGS,
    "Chords, fewest clicks": Style.CHORDS,
}
_THEMES: Final[dict[str, str]] = {
    "Like the system": "system",
    "Light": "light",
    "Dark": "dark",
}


class Options(QFrame):
    """Controls for the settings.

    Signals:
        changed(Settings): The user changed one.
    """

    changed = pyqtSignal(object)

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("card", True)
        self._settings = settings
        self._asked = False
        self._asked_about: object = None
        self.games = QSpinBox()
        self.games.setRange(ENDLESS, 1_000_000)
        self.games.setSpecialValueText("Without end")
        self.games.setValue(ENDLESS if settings.games is None else settings.games)
        self.solver_box = _box(_solvers(settings.solver), settings.solver)
        for at in range(self.solver_box.count()):
            info = SOLVERS.get(self.solver_box.itemData(at))
            source = info.source if info else "not in this version: choose another one"
            self.solver_box.setItemData(at, source, Qt.ItemDataRole.ToolTipRole)
        self.style_box = _box(_STYLES, settings.style)
        self.pace = _box(_paces(settings.pace), settings.pace)
        self.theme = _box(_THEMES, settings.theme)
        self.record = QCheckBox("&Record every game")
        self.record.setChecked(settings.record)
        self.mines = QSpinBox()
        self.mines.setRange(0, 10_000)
        self.mines.setSpecialValueText("?")
        self.mines.setValue(settings.mines or 0)
        self._form = QFormLayout(self)
        self._form.setContentsMargins(*[SPACE + 4] * 4)
        self._form.setSpacing(SPACE)
        for text, name, control in (
            ("&Mines", "Mines on this board", self.mines),
            ("&Games", "Games to play", self.games),
            ("Sol&ver", "Who decides", self.solver_box),
            ("St&yle", "Style of play", self.style_box),
            ("Spee&d", "Speed of play", self.pace),
            ("&Theme", "Colours", self.theme),
        ):
            control.setAccessibleName(name)
            control.setMinimumHeight(CONTROL_HEIGHT)
            self._form.addRow(text, control)
        self.record.setAccessibleName("Record every game")
        self._form.addRow(self.record)
        self.mines.setToolTip("How many mines this board has: the screen does not tell")
        self.games.setToolTip("How many games to play; from the next start on")
        self.solver_box.setToolTip("Who decides; from the next start on")
        self.style_box.setToolTip("Whether flags are set and chords made; from the next start on")
        self.pace.setToolTip("Slow down to watch; at once, in the middle of a game too")
        self._form.setRowVisible(self.mines, False)
        self.games.valueChanged.connect(self._tell)
        for control in (self.solver_box, self.style_box, self.pace, self.theme):
            control.currentIndexChanged.connect(self._tell)
        self.record.toggled.connect(self._tell)

    @property
    def settings(self) -> Settings:
        """The settings as the controls show them."""
        return self._settings

    @property
    def mines_missing(self) -> bool:
        """Whether the number of mines has to come from the user, and has not."""
        return self._asked and self.mines.value() == 0

    @property
    def mines_told(self) -> int | None:
        """The number of mines that the user told; None where the board tells itself."""
        told = self.mines.value() if self._asked else 0
        return told or self._settings.mines

    def ask_mines(self, candidate: Candidate | None) -> None:
        """Ask for the number of mines where nobody knows it of this board."""
        unknown = candidate is not None and candidate.mines is None
        if candidate is not None:
            self.mines.setMaximum(candidate.rows * candidate.cols - 1)
            board = (candidate.key, candidate.rows, candidate.cols)
            if board != self._asked_about:
                # The number told belongs to the board it was told of.
                self._asked_about = board
                self.mines.setValue(self._settings.mines or 0)
        self._asked = unknown
        self._form.setRowVisible(self.mines, unknown)

    def set_playing(self, playing: bool) -> None:
        """While a game is on, only what takes effect at once can be changed."""
        chosen = (self.games, self.solver_box, self.style_box, self.mines)
        for control in (*chosen, self.record):
            control.setEnabled(not playing)
        for control in chosen:
            label = self._form.labelForField(control)
            if label is not None:
                label.setEnabled(not playing)

    def _tell(self) -> None:
        self._settings = self._settings.model_copy(
            update={
                "games": None if self.games.value() == ENDLESS else self.games.value(),
                "solver": self.solver_box.currentData(),
                "style": self.style_box.currentData(),
                "pace": self.pace.currentData(),
                "theme": self.theme.currentData(),
                "record": self.record.isChecked(),
            }
        )
        self.changed.emit(self._settings)


def _paces(pace: float | None) -> dict[str, float | None]:
    """The usual ones, and the one of the settings file."""
    return _PACES if pace in _PACES.values() else {f"{pace:g} turns a second": pace, **_PACES}


def _solvers(solver: str) -> dict[str, str]:
    """Those that there are, and the one of the settings file."""
    return {name: name for name in dict.fromkeys([*SOLVERS, solver])}


def _box(choices: dict[str, Any], current: object) -> QComboBox:
    box = QComboBox()
    for text, value in choices.items():
        box.addItem(text, value)
    box.setCurrentIndex(list(choices.values()).index(current))
    return box
