"""The options beside the board: number of games, solver, speed and colours."""

from __future__ import annotations

from contextlib import ExitStack

from PyQt6.QtCore import QSignalBlocker, pyqtSignal
from PyQt6.QtWidgets import QCheckBox, QComboBox, QFormLayout, QFrame, QWidget

from bot.game import Rules
from gui.panel.choices import (
    GAMES,
    STYLES,
    THEMES,
    NumberBox,
    box,
    choose,
    choose_pace,
    list_players,
    paces,
    set_least_height,
)
from gui.panel.overlay import can_mark
from gui.panel.theme import SPACE
from gui.runner.protocol import Candidate
from gui.settings import ENDLESS, Settings


class Options(QFrame):
    """A set of controls for the settings.

    Signals:
        changed(Settings): The user changed a setting.
    """

    changed = pyqtSignal(object)

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("card", True)
        self._settings = settings
        self._asked = self._playing = False
        self._asked_about: object = None
        self._told = settings.mines or 0
        """The board's number of mines as the user entered it; 0 if they did not."""
        self._said: int | None = None
        """The number that the user entered earlier, which the run uses."""
        self.games = NumberBox()
        self.games.setRange(ENDLESS, 1_000_000)
        self.games.setSpecialValueText("No limit")
        self.games.setValue(ENDLESS if settings.games is None else settings.games)
        self.game_box = box(GAMES, settings.rules)
        self.solver_box = QComboBox()
        self.style_box = box(STYLES, settings.style)
        list_players(self.solver_box, settings)
        self.pace = box(paces(settings.pace), settings.pace)
        self.theme = box(THEMES, settings.theme)
        self.record = QCheckBox("&Record every game")
        self.record.setChecked(settings.record)
        self.marks = QCheckBox("Mar&ks over the game")
        self.marks.setChecked(settings.marks)
        self.mines = NumberBox()
        self.mines.setRange(0, 10_000)
        self.mines.setSpecialValueText("?")
        self.mines.setValue(settings.mines or 0)
        self._form = QFormLayout(self)
        self._lay_out()
        self._explain()
        self._connect()

    def _lay_out(self) -> None:
        self._form.setContentsMargins(*[SPACE + 4] * 4)
        self._form.setSpacing(SPACE)
        for text, name, control in (
            ("&Mines", "Mines on this board", self.mines),
            ("&Games", "Games to play", self.games),
            ("G&ame", "Which game", self.game_box),
            ("Sol&ver", "Solver", self.solver_box),
            ("St&yle", "Style of play", self.style_box),
            ("Spee&d", "Speed of play", self.pace),
            ("&Theme", "Colours", self.theme),
        ):
            control.setAccessibleName(name)
            set_least_height(control)
            self._form.addRow(text, control)
        self._form.addRow(self.record)
        self._form.addRow(self.marks)
        self._form.setRowVisible(self.marks, can_mark())
        self._enable(self.mines, enabled=False)

    def _explain(self) -> None:
        self.record.setAccessibleName("Record every game")
        self.marks.setAccessibleName("Marks over the game's own window, while you play")
        self.marks.setToolTip(
            "Shows what is known in the corners of the game's cells while you play"
        )
        self.mines.setToolTip(
            "Number of mines on this board. Enter it if the screen does not show it"
        )
        self.games.setToolTip("How many games to play")
        self.game_box.setToolTip(
            "Open everything but the mines, or find all mines with the fewest digs"
        )
        self.solver_box.setToolTip("Which solver chooses the moves. Can be changed during a game")
        self.style_box.setToolTip("Whether flags and chords are used. Can be changed during a game")
        self.pace.setToolTip(
            "At a lower speed you can follow each click. Can be changed during a game"
        )

    def _connect(self) -> None:
        self.mines.valueChanged.connect(self._note_mines)
        self.games.valueChanged.connect(self._tell)
        self.game_box.currentIndexChanged.connect(self._choose_game)
        for control in (self.solver_box, self.style_box, self.pace, self.theme):
            control.currentIndexChanged.connect(self._tell)
        self.record.toggled.connect(self._tell)
        self.marks.toggled.connect(self._tell)

    @property
    def settings(self) -> Settings:
        """The settings that the controls show."""
        return self._settings

    @property
    def mines_told(self) -> int | None:
        """The number of mines that the user entered; 0 to clear an old one; None for neither."""
        if not self._asked:
            return self._settings.mines
        return self.mines.value() or (None if self._said is None else 0)

    def take(self, settings: Settings) -> None:
        """Show settings that were chosen on another page, and report them as changed."""
        self._settings = settings
        with ExitStack() as quiet:
            for control in (self.games, self.record, self.marks):
                quiet.enter_context(QSignalBlocker(control))
            self.games.setValue(ENDLESS if settings.games is None else settings.games)
            self.record.setChecked(settings.record)
            self.marks.setChecked(settings.marks)
        choose(self.game_box, settings.rules)
        choose(self.style_box, settings.style)
        choose_pace(self.pace, settings.pace)
        choose(self.theme, settings.theme)
        list_players(self.solver_box, self._settings)
        self.changed.emit(settings)

    def ask_mines(self, candidate: Candidate | None) -> None:
        """Show a board's number of mines, editable if the screen does not show it."""
        known = 0 if candidate is None else candidate.mines
        said = known if candidate is not None and candidate.mines_said else None
        with ExitStack() as quiet:
            if known is not None and said is None:
                # The program gives this number, not the user.
                quiet.enter_context(QSignalBlocker(self.mines))
            if candidate is not None:
                board = (candidate.key, candidate.rows, candidate.cols)
                if board != self._asked_about:
                    # The number belongs to the board for which it was entered.
                    self._asked, self._asked_about = False, board
                    self._told, self._said = self._settings.mines or said or 0, said
                if said is not None and said != self._said:
                    self._told = said
                self._said = said
                self.mines.setMaximum(candidate.rows * candidate.cols - 1)
            self._asked = known is None or said is not None
            self.mines.setValue(self._told if self._asked else known or 0)
        self._enable(self.mines, self._asked and not self._playing)

    def set_playing(self, playing: bool) -> None:
        """Disable the choices that cannot change during a game: the rules and the mines."""
        self._playing = playing
        self._enable(self.game_box, not playing)
        self._enable(self.mines, self._asked and not playing)
        # With the other rules there is no choice: cells that stay covered are flagged at the end.
        self._enable(self.style_box, not self._settings.digging)

    def _enable(self, control: QWidget, enabled: bool) -> None:
        control.setEnabled(enabled)
        label = self._form.labelForField(control)
        if label is not None:
            label.setEnabled(enabled)

    def _note_mines(self, mines: int) -> None:
        if self._asked:
            self._told = mines

    def _choose_game(self) -> None:
        digging = self.game_box.currentData() is Rules.DIGGING
        self._settings = self._settings.model_copy(update={"digging": digging})
        list_players(self.solver_box, self._settings)
        self._enable(self.style_box, not digging)
        self._tell()

    def _tell(self) -> None:
        self._settings = self._settings.model_copy(
            update={
                "games": None if self.games.value() == ENDLESS else self.games.value(),
                "hunter" if self._settings.digging else "solver": self.solver_box.currentData(),
                "style": self.style_box.currentData(),
                "pace": self.pace.currentData(),
                "theme": self.theme.currentData(),
                "record": self.record.isChecked(),
                "marks": self.marks.isChecked(),
            }
        )
        self.changed.emit(self._settings)
