"""The buttons that play, assist, pause, step and stop."""

from __future__ import annotations

from enum import Enum
from typing import Final

from PyQt6.QtCore import QSize, pyqtSignal
from PyQt6.QtGui import QIcon, QResizeEvent
from PyQt6.QtWidgets import QPushButton, QWidget

from gui.panel.icons import icon
from gui.panel.theme import SPACE, on_theme_change
from gui.panel.widgets import act_as_pressed, add_key, lay_row, tip_text
from gui.runner.protocol import State

KEYS: Final = {"play": "F5", "assist": "F4", "pause": "F6", "step": "F7", "stop": "Esc"}
"""The shortcut of every button, as its text shows it."""
_TIPS: Final = {
    "play": "Let the bot play the chosen window",
    "assist": "You play the chosen window. The bot shows every probability and clicks nothing",
    "pause": "Make no move until you resume",
    "step": "Carry out one turn, then pause and show the next one",
    "stop": "Stop at once: nothing more is clicked",
}
_OTHER_WORDS: Final = {"pause": "Resume"}
"""The text of a button in its other state; its width fits both."""


class _Detail(Enum):
    """Levels of detail of the buttons, from the most to the least."""

    KEYS = "sign, word and keys"
    SINGLE_KEYS = "sign, word, and keys without modifiers"
    OWN_KEYS = "sign, word and one key"
    WORDS = "sign and word"
    WORDS_ALONE = "word"
    SIGNS = "sign"


class Controls(QWidget):
    """The five buttons, each with its shortcut.

    Signals:
        pause_pressed(bool): Pause was pressed; True if it said Resume at that moment.
        stop_pressed(str): Stop was pressed, by that button or key.
    """

    pause_pressed = pyqtSignal(bool)
    stop_pressed = pyqtSignal(str)

    def __init__(self) -> None:
        super().__init__()
        self.play, self.assist, self.pause, self.step, self.stop = (QPushButton() for _ in KEYS)
        self.play.setProperty("primary", True)
        self._keeps_focus = False
        """Whether the sidebar button holds the focus in place of a disabled button."""
        self._words = {name: name.capitalize() for name in KEYS}
        self._keys = dict(KEYS)
        """The keys of every button, as its text shows them."""
        self._signs = {name: QIcon() for name in KEYS}
        self._least_widths: dict[_Detail, int] = {}
        """Width of the row in points."""
        self._width: dict[_Detail, dict[str, int]] = {}
        """Width of each button in points."""
        self.sidebar = QPushButton()
        self.sidebar.setCheckable(True)
        self.sidebar.setChecked(True)
        self.sidebar.setAccessibleName("Show the list of windows and the options")
        self.sidebar.toggled.connect(self._describe_sidebar)
        self._describe_sidebar(shown=True)
        row = lay_row(self.sidebar, on=self)
        for name, button in self._named():
            button.setToolTip(tip_text(f"{_TIPS[name]} ({KEYS[name]})"))
            act = self._stop_by_key if name == "stop" else button.click
            # Holding the key steps repeatedly; it must not alternate between Pause and Resume.
            add_key(KEYS[name], self, act, repeated=name == "step")
            row.addWidget(button)
        act_as_pressed(
            self.pause,
            lambda: self._words["pause"] == _OTHER_WORDS["pause"],
            self.pause_pressed.emit,
        )
        self.stop.clicked.connect(lambda: self.stop_pressed.emit("the Stop button"))
        add_key("F9", self, self.sidebar.click, repeated=False)
        row.addStretch(1)
        on_theme_change(self._draw_icons)
        self.show_state(State.IDLE, can_step=False)

    def show_state(self, state: State, *, opening: bool = False, can_step: bool = True) -> None:
        """Enable the buttons that can be used.

        Args:
            state: The player's state.
            opening: A built-in game is being opened to be played.
            can_step: There is a board to begin with.
        """
        idle = state is State.IDLE and not opening
        paused = state is State.PAUSED
        can_stop = opening or state in (State.PLAYING, State.PAUSED, State.ASKING)
        enabled = {
            self.play: idle,
            self.assist: idle,
            self.pause: state in (State.PLAYING, State.PAUSED),
            self.step: paused or (idle and can_step),
            self.stop: can_stop,
        }
        self._move_focus(enabled)
        for button, able in enabled.items():
            button.setEnabled(able)
        self._words["pause"] = _OTHER_WORDS["pause"] if paused else "Pause"
        self._name_buttons()
        self._label()

    def _name_buttons(self) -> None:
        for name, button in self._named():
            button.setAccessibleName(f"{self._words[name]}, {self._keys[name]}")

    def _move_focus(self, enabled: dict[QPushButton, bool]) -> None:
        """Move the focus from a button that will be disabled to one that stays enabled.

        Otherwise Qt moves it to the next widget. While all are disabled, the sidebar button holds
        it.
        """
        focused = next((button for button in enabled if button.hasFocus()), None)
        if focused is None and not (self._keeps_focus and self.sidebar.hasFocus()):
            self._keeps_focus = False
            return
        if focused is not None and enabled[focused]:
            return
        able = next((button for button, able in enabled.items() if able), None)
        self._keeps_focus = able is None
        if able is not None:
            able.setEnabled(True)
        (able or self.sidebar).setFocus()

    def show_obstacles(self, play: str = "", assist: str = "") -> None:
        """Show in the tooltips why Play or Assist cannot start; empty if it can."""
        for name, obstacle in (("play", play), ("assist", assist or play)):
            button = self._button(name)
            button.setToolTip(tip_text(obstacle or f"{_TIPS[name]} ({KEYS[name]})"))

    def minimumSizeHint(self) -> QSize:
        """Return the size of the icons alone; the buttons show as much as fits."""
        return QSize(self._least_widths[_Detail.SIGNS], super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Choose the level of detail: keys are dropped first, long ones before short ones."""
        super().resizeEvent(event)
        self._label()

    def _describe_sidebar(self, shown: bool) -> None:
        what = "the list of windows and the options"
        self.sidebar.setToolTip(f"{'Hide' if shown else 'Show'} {what} (F9)")

    def show_keys(self, stop: str, pause: str) -> None:
        """Show which keys stop and pause the run from every window; empty for none."""
        for name, key in (("stop", stop), ("pause", pause)):
            keys = KEYS[name]
            if key == keys:
                keys = f"{key} in every window"
            elif key:
                keys = f"{keys} in this window, {key} in every window"
            self._button(name).setToolTip(tip_text(f"{_TIPS[name]} ({keys})"))
            self._keys[name] = ", ".join(dict.fromkeys(filter(None, (KEYS[name], key))))
        self._name_buttons()
        self._measure()
        self._label()
        self.updateGeometry()

    def _draw_icons(self) -> None:
        self._signs = {name: icon(name, on_accent=name == "play") for name in KEYS}
        self._signs["resume"] = icon("play")
        self.sidebar.setIcon(icon("sidebar"))
        self._measure()
        self._label()

    @property
    def width_with_words(self) -> int:
        """Width in points below which the buttons show only their icons."""
        return self._least_widths[_Detail.WORDS_ALONE]

    def _stop_by_key(self) -> None:
        if self.stop.isEnabled():
            self.stop_pressed.emit(KEYS["stop"])

    def _measure(self) -> None:
        """Measure the buttons and the row at every level of detail."""
        for detail in _Detail:
            self._width[detail] = {}
            for name, button in self._named():
                words = {name.capitalize(), _OTHER_WORDS.get(name, name.capitalize())}
                widths = []
                for word in words:
                    self._write(name, word, detail)
                    widths.append(button.sizeHint().width())
                self._width[detail][name] = max(widths)
            beside = self.sidebar.sizeHint().width() + SPACE * len(KEYS)
            self._least_widths[detail] = sum(self._width[detail].values()) + beside

    def _label(self) -> None:
        """Show on the buttons as much as fits."""
        fitting = (detail for detail in _Detail if self._least_widths[detail] <= self.width())
        detail = next(fitting, _Detail.SIGNS)
        for name, button in self._named():
            self._write(name, self._words[name], detail)
            button.setFixedWidth(self._width[detail][name])

    def _write(self, name: str, word: str, detail: _Detail) -> None:
        keys = self._keys[name].split(", ")
        # While it plays, the game has the keyboard: the last key works in every window.
        short = [key for key in keys if "+" not in key]
        own = short[-1] if name == "stop" else KEYS[name]
        text = {
            _Detail.KEYS: f"{word}  {', '.join(keys)}",
            _Detail.SINGLE_KEYS: f"{word}  {', '.join(key for key in keys if '+' not in key)}",
            _Detail.OWN_KEYS: f"{word}  {own}",
            # It must be known how a run is stopped.
            _Detail.SIGNS: own if name == "stop" else "",
        }.get(detail, f"{word}  {own}" if name == "stop" else word)
        button = self._button(name)
        button.setText(text)
        button.setIcon(QIcon() if detail is _Detail.WORDS_ALONE else self._signs[word.lower()])

    def _button(self, name: str) -> QPushButton:
        return dict(self._named())[name]

    def _named(self) -> list[tuple[str, QPushButton]]:
        buttons = (self.play, self.assist, self.pause, self.step, self.stop)
        return list(zip(KEYS, buttons, strict=True))
