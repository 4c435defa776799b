"""The options beside the board, and the choices that the settings page shares with it."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Final

from PyQt6.QtCore import QSignalBlocker, Qt, pyqtSignal
from PyQt6.QtWidgets import QComboBox, QFormLayout, QFrame, QWidget

from bot.digging import HUNTERS
from bot.planner import Style
from bot.solver import PLAYER, SOLVERS
from gui.panel import widgets
from gui.panel.theme import SPACE
from gui.runner.protocol import Candidate
from gui.settings import ENDLESS, AfterDialog, AfterGame, Settings

PACES: Final = (1.0, 2.0, 3.0, 5.0, 7.0, 10.0, 15.0, 20.0, 30.0, 50.0, None)
"""Clicks per second along the slider; None for as fast as possible."""
THINKING: Final = {"Instant": 0.0, "1 second": 1.0, "5 seconds": 5.0, "20 seconds": 20.0}
"""Seconds of simulated games at each guess."""
THINKING_TIP: Final = (
    "Time for each guess. The bot simulates thousands of games from the best cells, and opens the "
    "cell that wins most. It wins a little more often: about 2 more of 1,000 Expert games.\n"
    "Instant estimates the chances without a simulation. A certain move never waits."
)
STYLES: Final[dict[str, Style]] = {
    "No flags": Style.NO_FLAGS,
    "Flag every mine": Style.FLAGS,
    "Chords, fewest clicks": Style.CHORDS,
}
_OFFERED: Final = {PLAYER: "Best", "human": "Human (strategies 1 to 7)"}
"""The solvers of the menu, with their names there."""
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


class SpeedSlider(QWidget):
    """A slider for the speed of play, with the speed below it.

    Args:
        pace: Clicks per second; None for as fast as possible.

    Signals:
        chosen(float | None): The user chose another speed.
    """

    chosen = pyqtSignal(object)

    def __init__(self, pace: float | None) -> None:
        super().__init__()
        self.pace = pace
        """The speed in clicks per second; None for as fast as possible."""
        self.slider, self.words = widgets.JumpingSlider(), widgets.plain_label("Speed")
        widgets.name_control(
            self.slider, "Speed of play", "Clicks a second, up to the maximum speed"
        )
        self.slider.setRange(0, len(PACES) - 1)
        self.slider.setPageStep(1)
        # Beside the slider, the text would leave a pixel for each speed.
        widgets.lay_column(self.slider, self.words, on=self, gap=0)
        self.setFocusProxy(self.slider)
        self.slider.valueChanged.connect(self._choose)
        self.set_pace(pace)

    def set_pace(self, pace: float | None) -> None:
        """Show another speed, without emitting `chosen`."""
        self.pace = pace
        distances = [abs(_as_number(one) - _as_number(pace)) for one in PACES]
        with QSignalBlocker(self.slider):
            self.slider.setValue(distances.index(min(distances)))
        self._show()

    def _choose(self, step: int) -> None:
        self.pace = PACES[step]
        self._show()
        self.chosen.emit(self.pace)

    def _show(self) -> None:
        self.words.setText(_pace_text(self.pace))
        self.slider.setAccessibleDescription(_pace_text(self.pace))


def _as_number(pace: float | None) -> float:
    """Return a speed for comparison; no limit is the highest that can be set."""
    return 1000.0 if pace is None else pace


def _pace_text(pace: float | None) -> str:
    if pace is None:
        return "Maximum"
    return f"{pace:g} click{'' if pace == 1 else 's'} a second"


def choose_thinking(control: QComboBox, seconds: float) -> None:
    """Show another thinking time, listed or not."""
    if control.findData(seconds) < 0:
        with QSignalBlocker(control):
            control.addItem(f"{seconds:g} seconds", seconds)
    widgets.choose(control, seconds)


def list_players(control: QComboBox, settings: Settings) -> None:
    """List the players for the chosen game, and the one of the settings file.

    The laboratory compares all solvers.
    """
    known = HUNTERS if settings.digging else SOLVERS
    offered = known if settings.digging else _OFFERED
    names = list(dict.fromkeys([*offered, settings.player_name]))
    with QSignalBlocker(control):
        control.clear()
        for at, name in enumerate(names):
            control.addItem(_OFFERED.get(name, name), name)
            info = known.get(name)
            control.setItemData(
                at,
                widgets.tip_text(f"{info.summary}\nSource: {info.source}")
                if info
                else "not available in this version: choose another one",
                Qt.ItemDataRole.ToolTipRole,
            )
        control.setCurrentIndex(names.index(settings.player_name))


class Options(QFrame):
    """A set of controls for the settings.

    Signals:
        changed(Settings): The user changed a setting.
    """

    changed = pyqtSignal(object)

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.setProperty("card", True)
        self._settings = settings
        self._asked = self._playing = False
        self._asked_about: object = None
        self._mines_entered = settings.mines or 0
        """The board's number of mines as the user entered it; 0 if they did not."""
        self._mines_known: int | None = None
        """The number that the user entered earlier, which the run uses."""
        games = ENDLESS if settings.games is None else settings.games
        self.games = widgets.NumberBox(ENDLESS, 1_000_000, games, "No limit")
        self.simulate = widgets.box(THINKING, 0.0)
        choose_thinking(self.simulate, settings.simulate)
        self.pace = SpeedSlider(settings.pace)
        self.mines = widgets.NumberBox(0, 10_000, settings.mines or 0, "?")
        self._form = QFormLayout(self)
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        self._form.setContentsMargins(*[SPACE + 4] * 4)
        self._form.setSpacing(SPACE)
        at_once = "Can be changed during a game"
        for text, name, control, tip in (
            ("&Mines", "Mines on this board", self.mines,
             "Number of mines on this board. Enter it if the screen does not show it"),
            ("&Games", "Games to play", self.games, "How many games to play"),
            ("Spee&d", "Speed of play", self.pace,
             f"Clicks a second. At a lower speed you can follow each click. {at_once}"),
            ("Th&inking", "Thinking time per guess", self.simulate,
             f"{THINKING_TIP} {at_once}"),
        ):  # fmt: skip
            widgets.name_control(control, name, tip)
            widgets.set_least_height(control)
            self._form.addRow(text, control)
        self._enable(self.mines, enabled=False)

    def _connect(self) -> None:
        self.mines.valueChanged.connect(self._note_mines)
        self.games.valueChanged.connect(self._report)
        self.simulate.currentIndexChanged.connect(self._report)
        self.pace.chosen.connect(self._report)

    @property
    def settings(self) -> Settings:
        """The settings that the controls show."""
        return self._settings

    @property
    def mines_entered(self) -> int | None:
        """The number of mines that the user entered; 0 to clear an old one; None for neither."""
        if not self._asked:
            return self._settings.mines
        return self.mines.value() or (None if self._mines_known is None else 0)

    def take(self, settings: Settings) -> None:
        """Show settings that were chosen on another page, and report them as changed."""
        self._settings = settings
        with QSignalBlocker(self.games):
            self.games.setValue(ENDLESS if settings.games is None else settings.games)
        choose_thinking(self.simulate, settings.simulate)
        self.pace.set_pace(settings.pace)
        self._enable(self.simulate, settings.player_name == PLAYER)
        self.changed.emit(settings)

    def ask_mines(self, candidate: Candidate | None) -> None:
        """Show a board's number of mines, editable if the screen does not show it."""
        if candidate is not None and not candidate.rows:
            candidate = None
        known = 0 if candidate is None else candidate.mines
        known_mines = known if candidate is not None and candidate.mines_said else None
        with ExitStack() as quiet:
            if known is not None and known_mines is None:
                # The program gives this number, not the user.
                quiet.enter_context(QSignalBlocker(self.mines))
            if candidate is not None:
                board = (candidate.key, candidate.rows, candidate.cols)
                if board != self._asked_about:
                    # The number belongs to the board for which it was entered.
                    self._asked, self._asked_about = False, board
                    self._mines_entered, self._mines_known = (
                        self._settings.mines or known_mines or 0,
                        known_mines,
                    )
                if known_mines is not None and known_mines != self._mines_known:
                    self._mines_entered = known_mines
                self._mines_known = known_mines
                self.mines.setMaximum(candidate.rows * candidate.cols - 1)
            self._asked = known is None or known_mines is not None
            self.mines.setValue(self._mines_entered if self._asked else known or 0)
        self._enable(self.mines, self._asked and not self._playing)

    def set_playing(self, playing: bool) -> None:
        """Disable the number of mines, which cannot change during a game."""
        self._playing = playing
        self._enable(self.mines, self._asked and not playing)
        self._enable(self.simulate, self._settings.player_name == PLAYER)

    def _enable(self, control: QWidget, enabled: bool) -> None:
        control.setEnabled(enabled)
        label = self._form.labelForField(control)
        if label is not None:
            label.setEnabled(enabled)

    def _note_mines(self, mines: int) -> None:
        if self._asked:
            self._mines_entered = mines

    def _report(self) -> None:
        self._settings = self._settings.model_copy(
            update={
                "games": None if self.games.value() == ENDLESS else self.games.value(),
                "simulate": self.simulate.currentData(),
                "pace": self.pace.pace,
            }
        )
        self.changed.emit(self._settings)
