"""The rows of buttons: start, pause, step, stop; and what is shown under the probabilities."""

from __future__ import annotations

from typing import Final

from PyQt6.QtCore import QSignalBlocker, pyqtSignal
from PyQt6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PyQt6.QtWidgets import QButtonGroup, QHBoxLayout, QPushButton, QWidget

from gui.panel.boardview import Show
from gui.panel.icons import icon
from gui.panel.theme import SPACE, Theme
from gui.player import State

KEYS: Final = {"start": "F5", "pause": "F6", "step": "F7", "stop": "Esc"}
"""The shortcut of every button, as its text shows it."""
_TIPS: Final = {
    "start": "Play the chosen window",
    "watch": "Watch the chosen window while you play",
    "pause": "No further move until you resume",
    "step": "Carry out one turn, show the next one and pause before it",
    "stop": "Stop at once: nothing more is clicked",
}


ASSIST_KEY: Final = "F4"


class Controls(QWidget):
    """The four buttons, each with its shortcut."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.start, self.pause, self.step, self.stop = (QPushButton() for _ in KEYS)
        self.start.setProperty("primary", True)
        self._tip = ""
        self._words: dict[QPushButton, tuple[str, str]] = {}
        """What each button says, and its key: left out where there is no room."""
        self._rooms = (0, 0)
        """Points that it takes to say both, and to say the words alone."""
        self.sidebar = QPushButton()
        self.sidebar.setCheckable(True)
        self.sidebar.setChecked(True)
        self.sidebar.setAccessibleName("Show the list of windows and the options")
        self.sidebar.setToolTip("Show the list of windows and the options (F9)")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SPACE)
        row.addWidget(self.sidebar)
        self.assist = _assist_button()
        QShortcut(QKeySequence(ASSIST_KEY), self).activated.connect(self.assist.click)
        for name, button in self._named():
            button.setToolTip(f"{_TIPS[name]} ({KEYS[name]})")
            # `click` and not the button's own shortcut, which acts a tenth of a second later.
            QShortcut(QKeySequence(KEYS[name]), self).activated.connect(button.click)
            row.addWidget(button)
            if name == "start":
                row.addWidget(self.assist)
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
        self.assist.setEnabled(idle)
        self.pause.setEnabled(state in (State.PLAYING, State.PAUSED))
        self.step.setEnabled(paused or (idle and can_step))
        self.stop.setEnabled(opening or state in (State.PLAYING, State.PAUSED, State.ASKING))
        for name, button in self._named():
            word = "Resume" if paused and name == "pause" else name.capitalize()
            self._words[button] = word, KEYS[name]
            button.setAccessibleName(f"{word}, {KEYS[name]}")
        self._words[self.assist] = "Assist", ASSIST_KEY
        self._label()

    def show_mode(self, *, assist: bool) -> None:
        """Whether Start plays, or watches the user play."""
        with QSignalBlocker(self.assist):
            self.assist.setChecked(assist)
        self._tip = f"{_TIPS['watch' if assist else 'start']} ({KEYS['start']})"
        self.start.setToolTip(self._tip)

    def show_missing(self, lost: str) -> None:
        """Say at Start what keeps it from playing: a chosen board is gone; empty for nothing."""
        missing = f"'{lost}' is not seen any more: choose another window in the list"
        self.start.setToolTip(missing if lost else self._tip)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """A narrow window leaves out the keys, a very narrow one the words too."""
        super().resizeEvent(event)
        self._label()

    def show_stop_key(self, key: str) -> None:
        """Say which key stops from everywhere; empty for none."""
        elsewhere = f"; {key} from every other window" if key else ""
        self.stop.setToolTip(f"{_TIPS['stop']} ({KEYS['stop']}{elsewhere})")

    def set_theme(self, theme: Theme) -> None:
        """The signs in the theme's colours."""
        for name, button in self._named():
            color = theme.accent_text if name == "start" else theme.text
            button.setIcon(icon(name, color, theme.border))
        self.assist.setIcon(icon("assist", theme.text, theme.border))
        self.sidebar.setIcon(icon("sidebar", theme.text, theme.border))
        self._measure()

    @property
    def room_for_words(self) -> int:
        """Points below which the buttons show their signs alone."""
        return self._rooms[1]

    def _measure(self) -> None:
        """What the buttons need with words and keys, with words and, at the least, with signs."""
        kept = self._words
        self._words = kept | {self.pause: ("Resume", KEYS["pause"])}
        beside = self.sidebar.sizeHint().width() + SPACE * len(kept)
        rooms = []
        for said in (2, 1, 0):
            self._label(said)
            needed = {button: button.sizeHint().width() for button in kept}
            rooms.append(sum(needed.values()) + beside)
        for button, least in needed.items():
            button.setMinimumWidth(least)
        self._rooms = rooms[0], rooms[1]
        self._words = kept
        self._label()

    def _label(self, said: int | None = None) -> None:
        """Say the words and keys (2), the words (1) or nothing (0): by default what has room."""
        if said is None:
            said = sum(self.width() >= room for room in self._rooms)
        for button, (word, key) in self._words.items():
            short = word if said and button is not self.assist else ""
            button.setText(f"{word}  {key}" if said == len(self._rooms) else short)

    def _named(self) -> list[tuple[str, QPushButton]]:
        return list(zip(KEYS, (self.start, self.pause, self.step, self.stop), strict=True))


def _assist_button() -> QPushButton:
    """Play, or assist: pressed in, the user plays and the bot clicks nothing."""
    button = QPushButton()
    button.setCheckable(True)
    button.setAccessibleName(f"Assist: you play, and nothing is clicked, {ASSIST_KEY}")
    button.setToolTip(
        f"Off: the bot plays. On: you play, and it shows what it knows ({ASSIST_KEY})"
    )
    return button


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
