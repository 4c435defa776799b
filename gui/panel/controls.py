"""The rows of buttons: start, pause, step, stop; and what is shown under the probabilities."""

from __future__ import annotations

from typing import Final

from PyQt6.QtCore import pyqtSignal
from PyQt6.QtGui import QKeySequence, QShortcut
from PyQt6.QtWidgets import QButtonGroup, QHBoxLayout, QPushButton, QWidget

from gui.panel.boardview import Show
from gui.panel.icons import icon
from gui.panel.theme import SPACE, Theme
from gui.player import State

KEYS: Final = {"start": "F5", "pause": "F6", "step": "F7", "stop": "Esc"}
"""The shortcut of every button, as its text shows it."""
_TIPS: Final = {
    "start": "Play the chosen window",
    "pause": "No further move until you resume",
    "step": "Carry out one turn, show the next one and pause before it",
    "stop": "Stop at once: nothing more is clicked",
}


class Controls(QWidget):
    """The four buttons, each with its shortcut."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.start, self.pause, self.step, self.stop = (QPushButton() for _ in KEYS)
        self.start.setProperty("primary", True)
        self.sidebar = QPushButton()
        self.sidebar.setCheckable(True)
        self.sidebar.setChecked(True)
        self.sidebar.setAccessibleName("Show the list of windows and the options")
        self.sidebar.setToolTip("Show the list of windows and the options (F9)")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SPACE)
        row.addWidget(self.sidebar)
        for name, button in self._named():
            button.setToolTip(f"{_TIPS[name]} ({KEYS[name]})")
            # `click` and not the button's own shortcut, which acts a tenth of a second later.
            QShortcut(QKeySequence(KEYS[name]), self).activated.connect(button.click)
            row.addWidget(button)
        QShortcut(QKeySequence("F9"), self).activated.connect(self.sidebar.click)
        row.addStretch(1)
        self.show_state(State.IDLE, can_step=False)

    def show_state(self, state: State, *, opening: bool = False, can_step: bool = True) -> None:
        """Enable what makes sense.

        Args:
            state: What the player is doing.
            opening: A simulated window is being opened.
            can_step: There is a board to begin with.
        """
        idle = state is State.IDLE and not opening
        paused = state is State.PAUSED
        self.start.setEnabled(idle)
        self.pause.setEnabled(state in (State.PLAYING, State.PAUSED))
        self.step.setEnabled(paused or (idle and can_step))
        self.stop.setEnabled(opening or state in (State.PLAYING, State.PAUSED, State.ASKING))
        words = {"start": "Start", "pause": "Resume" if paused else "Pause"}
        for name, button in self._named():
            word = words.get(name, name.capitalize())
            button.setText(f"{word}  {KEYS[name]}")
            button.setAccessibleName(f"{word}, {KEYS[name]}")

    def show_stop_key(self, key: str) -> None:
        """Say which key stops from everywhere; empty for none."""
        elsewhere = f"; {key} from every other window" if key else ""
        self.stop.setToolTip(f"{_TIPS['stop']} ({KEYS['stop']}{elsewhere})")

    def set_theme(self, theme: Theme) -> None:
        """The signs in the theme's colours."""
        for name, button in self._named():
            color = theme.accent_text if name == "start" else theme.text
            button.setIcon(icon(name, color, theme.border))
        self.sidebar.setIcon(icon("sidebar", theme.text, theme.border))
        text = self.pause.text()
        self.pause.setText(f"Resume  {KEYS['pause']}")
        self.pause.setMinimumWidth(self.pause.sizeHint().width())
        self.pause.setText(text)

    def _named(self) -> list[tuple[str, QPushButton]]:
        return list(zip(KEYS, (self.start, self.pause, self.step, self.stop), strict=True))


class LayerSwitch(QWidget):
    """Frame, parsed, or both.

    Signals:
        chosen(Show): Another one is to be shown.
    """

    chosen = pyqtSignal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.buttons: dict[Show, QPushButton] = {}
        group = QButtonGroup(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2)
        for number, (show, tip) in enumerate(
            (
                (Show.FRAME, "The frame as it was captured"),
                (Show.PARSED, "The board as it was read"),
                (Show.BOTH, "The board as it was read, over the frame"),
            ),
            1,
        ):
            button = QPushButton(show.value.capitalize())
            button.setCheckable(True)
            button.setChecked(show is Show.BOTH)
            button.setAccessibleName(f"Show {show.value}")
            button.setToolTip(f"{tip} (Ctrl+{number})")
            QShortcut(QKeySequence(f"Ctrl+{number}"), self).activated.connect(button.click)
            button.clicked.connect(lambda _checked, show=show: self.chosen.emit(show))
            group.addButton(button)
            row.addWidget(button)
            self.buttons[show] = button
