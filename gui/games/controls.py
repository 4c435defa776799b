"""The controls above the games: buttons, and the choices of the filter."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import Any, Final

from PyQt6.QtCore import QSignalBlocker, Qt, pyqtSignal
from PyQt6.QtGui import QKeySequence, QShortcut
from PyQt6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QWidget,
)

from bot.game import Rules
from gui.games.games_table import board_text
from gui.history.store import Choices, Filter, Player, RecordingState, Result
from gui.panel.icons import icon
from gui.panel.theme import on_theme_change
from gui.panel.widgets import Flow, choose, lay_column, name_control, tip_text

_ALL: Final[list[tuple[str, Any]]] = [("All", None)]
_RESULTS: Final = [
    ("Won", Result.WON),
    ("Lost", Result.LOST),
    ("Unknown", Result.ENDED),
    ("Unfinished", Result.STOPPED),
]
_PLAYERS: Final = [("The bot", Player.BOT), ("You", Player.USER)]
_GAMES: Final = [("Minesweeper", Rules.CLASSIC), ("Find all mines", Rules.DIGGING)]
_RECORDINGS: Final = [
    ("Recorded", RecordingState.ANY),
    ("Protected", RecordingState.PROTECTED),
    ("Broken", RecordingState.BROKEN),
    ("Not recorded", RecordingState.NONE),
]
_SPANS: Final = [("Today", 0), ("7 days", 7), ("30 days", 30), ("A year", 365)]
"""Numbers of days before today."""


KEYS: Final = {
    "open": "Return",
    "keep": "K",
    "delete": "Del",
    "export": "Ctrl+E",
    "reveal": "Ctrl+D",
    "other": "Ctrl+O",
    "search": "Ctrl+F",
    "refresh": "F5",
}
_ON_TABLE: Final = ("keep", "delete")
"""Keys that edit text in the search field."""


class Controls(QWidget):
    """Buttons that choose what is shown and act on the selected games.

    Signals:
        turned(): Switch between the table and the graphs.
    """

    turned = pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        self.filter = _button("&Filter", "Choose games (Alt+F)", "Choose games by a filter")
        self.games = _button("&Table", "Show the games as a table (Alt+T)", "Show a table")
        self.graphs = _button("Grap&hs", "Show the games as graphs (Alt+H)", "Show graphs")
        self.commands = {
            name: _button(text, f"{tip} ({KEYS[name]})")
            for name, text, tip in (
                ("refresh", "", "Look for games again"),
                ("open", "Open", "Show the selected game turn by turn"),
                ("keep", "Protect", "Never delete the selected recordings automatically"),
                ("delete", "Delete \N{HORIZONTAL ELLIPSIS}", "Delete the selected games"),
                ("reveal", "Show folder", "Open the folder of the selected game"),
                ("other", "Open other \N{HORIZONTAL ELLIPSIS}",
                 "Open the folder of a recorded game from elsewhere, such as a bug report"),
                ("export", "Export", "Save games as a table, or the selected recording"),
            )
        }  # fmt: skip
        """The buttons with a key, in reading order."""
        acts = self.commands
        self.buttons = (self.filter, self.games, self.graphs, *acts.values())
        """The buttons in reading order."""
        self.setLayout(Flow(*self.buttons))
        shown = QButtonGroup(self)
        for button in (self.games, self.graphs):
            shown.addButton(button)
        for button in (self.filter, self.games, self.graphs):
            button.setCheckable(True)
            button.setChecked(button is not self.graphs)
        acts["open"].setProperty("primary", True)
        acts["keep"].setCheckable(True)
        self.graphs.toggled.connect(self.turned)
        on_theme_change(self._draw_icons)

    def add_keys(self, part: QWidget, table: QWidget) -> None:
        """Add the keys of the buttons to the list of games, some to its table alone."""
        for name, button in self.commands.items():
            # The table opens the row of Enter itself.
            if name != "open":
                add_key(KEYS[name], table if name in _ON_TABLE else part, button.click)

    def show_chosen(self, choices: int) -> None:
        """Show the number of the filter's choices, as the filter may be hidden."""
        self.filter.setText(f"&Filter ({choices})" if choices else "&Filter")

    def _draw_icons(self) -> None:
        self.graphs.setIcon(icon("graphs"))
        self.commands["open"].setIcon(icon("play"))
        self.commands["refresh"].setIcon(icon("refresh"))


def add_key(key: str, part: QWidget, act: Callable[[], object]) -> None:
    """Add a key that works while a part of the window has the focus."""
    shortcut = QShortcut(QKeySequence(key), part)
    shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
    shortcut.activated.connect(act)


def _button(text: str, tip: str, name: str = "") -> QPushButton:
    button = QPushButton(text)
    button.setToolTip(tip_text(tip))
    button.setAccessibleName(name or tip.partition(" (")[0])
    return button


class FilterBar(QWidget):
    """A bar with the controls of a filter.

    Signals:
        changed(): The user changed the filter.
    """

    changed = pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        self.program, self.board, self.solver = QComboBox(), QComboBox(), QComboBox()
        self.game, self.player = QComboBox(), QComboBox()
        self.result, self.span, self.recording = QComboBox(), QComboBox(), QComboBox()
        self.search = QLineEdit()
        self.search.setPlaceholderText("Program, size, day \N{HORIZONTAL ELLIPSIS}")
        self.search.setClearButtonEnabled(True)
        self.everything = QPushButton("C&lear filters")
        self.everything.setToolTip("Clear the filters (Alt+L)")
        self.everything.setAccessibleName("Clear the filters")
        self.everything.setEnabled(False)
        named = (
            ("&Program", "Only games of this program", self.program),
            ("&Board", "Only games of this size", self.board),
            ("Sol&ver", "Only games of this solver", self.solver),
            ("G&ame", "Only this game", self.game),
            ("Played b&y", "Only games of this player", self.player),
            ("&Result", "Only games that ended so", self.result),
            ("&When", "Only games of this time", self.span),
            ("Re&cording", "Only games with such a recording", self.recording),
        )
        words = f"Games that contain all these words ({KEYS['search']})"
        parts = (
            _labelled("&Search", words, self.search),
            *(_labelled(*one) for one in named),
            _below(self.everything),
        )
        self.setLayout(Flow(*parts, filled=True))
        for box, choices in (
            (self.game, _GAMES), (self.player, _PLAYERS), (self.result, _RESULTS),
            (self.span, _SPANS), (self.recording, _RECORDINGS),
        ):  # fmt: skip
            _list(box, choices)
        self.set_choices(Choices())
        self.boxes = tuple(box for _, _, box in named)
        """All boxes, in reading order."""
        for box in self.boxes:
            box.currentIndexChanged.connect(self._report)
        self.search.textChanged.connect(self._report)
        self.everything.clicked.connect(self.clear)

    @property
    def chosen(self) -> Filter:
        """The filter, with its time span relative to now."""
        days = self.span.currentData()
        midnight = datetime.now().astimezone().replace(hour=0, minute=0, second=0, microsecond=0)
        return Filter(
            program=self.program.currentData(),
            size=self.board.currentData(),
            rules=self.game.currentData(),
            solver=self.solver.currentData(),
            player=self.player.currentData(),
            result=self.result.currentData(),
            since=None if days is None else midnight - timedelta(days=days),
            recording=self.recording.currentData(),
            words=self.search.text(),
        )

    @property
    def choices(self) -> int:
        """The number of boxes with a choice, and of the search."""
        return sum(box.currentIndex() > 0 for box in self.boxes) + bool(self.search.text().strip())

    def set_choices(self, choices: Choices) -> None:
        """Set the available choices; current choices are kept."""
        sizes = ((board_text(*size, level), size) for size, level in choices.sizes)
        _list(self.program, zip(choices.programs, choices.programs, strict=True))
        _list(self.solver, zip(choices.solvers, choices.solvers, strict=True))
        _list(self.board, sizes)

    def clear(self) -> None:
        """Reset all choices so that every game is shown."""
        if self.choices:
            for box in self.boxes:
                choose(box, None)
            with QSignalBlocker(self.search):
                self.search.clear()
            self._report()

    def _report(self) -> None:
        self.everything.setEnabled(self.choices > 0)
        self.changed.emit()


def _list(box: QComboBox, choices: Iterable[tuple[str, Any]]) -> None:
    """Fill a box; a current choice that no longer exists stays visible."""
    chosen, text = box.currentData(), box.currentText()
    listed = [*_ALL, *choices]
    if chosen not in [value for _, value in listed]:
        listed.append((text, chosen))
    with QSignalBlocker(box):
        box.clear()
        for words, value in listed:
            box.addItem(words, value)
        box.setCurrentIndex([value for _, value in listed].index(chosen))


def _labelled(text: str, name: str, box: QComboBox | QLineEdit) -> QWidget:
    """Return a box with its label above; it may be narrower than its longest choice."""
    label = QLabel(text)
    label.setProperty("muted", True)
    label.setBuddy(box)
    name_control(box, name)
    box.setMinimumHeight(max(26, box.sizeHint().height()))
    if isinstance(box, QComboBox):
        box.setMinimumContentsLength(6)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    part = QWidget()
    part.setMinimumWidth(118)
    lay_column(label, box, on=part, gap=2)
    return part


def _below(button: QPushButton) -> QWidget:
    """Return a button aligned with the boxes beside it."""
    part = QWidget()
    lay_column(1, button, on=part, gap=-1)
    return part
