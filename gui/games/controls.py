"""The controls above the games: buttons, and the choices of the filter."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from PyQt6.QtCore import QSignalBlocker, pyqtSignal
from PyQt6.QtWidgets import (
    QComboBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QWidget,
)

from gui.history.store import Filter, Player, RecordingState, Result
from gui.panel.icons import icon
from gui.panel.theme import on_theme_change
from gui.panel.widgets import Flow, add_key, box, choose, lay_column, name_control, named_button

_RESULTS: Final = {
    "Won": Result.WON,
    "Lost": Result.LOST,
    "Unknown": Result.ENDED,
    "Unfinished": Result.STOPPED,
}
_PLAYERS: Final = {"The bot": Player.BOT, "You": Player.USER}
_RECORDINGS: Final = {
    "Recorded": RecordingState.ANY,
    "Protected": RecordingState.PROTECTED,
    "Broken": RecordingState.BROKEN,
    "Not recorded": RecordingState.NONE,
}
_SPANS: Final = {"Today": 0, "7 days": 7, "30 days": 30, "A year": 365}
"""Numbers of days before today."""


KEYS: Final = {
    "open": "Return",
    "keep": "K",
    "delete": "Del",
    "export": "Ctrl+E",
    "reveal": "Ctrl+D",
    "other": "Ctrl+O",
    "search": "Ctrl+F",
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
        self.graphs = named_button(
            "Grap&hs", "Show graphs", "Show the games as graphs, or as a table (Alt+H)"
        )
        self.commands = {
            name: named_button(text, tip, f"{tip} ({KEYS[name]})")
            for name, text, tip in (
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
        self.setLayout(Flow(self.graphs, *acts.values()))
        self.graphs.setCheckable(True)
        acts["open"].setProperty("primary", True)
        acts["keep"].setCheckable(True)
        self.graphs.toggled.connect(self.turned)
        on_theme_change(self._draw_icons)

    def add_keys(self, part: QWidget, table: QWidget) -> None:
        """Add the keys of the buttons to the list of games, some to its table alone."""
        for name, button in self.commands.items():
            # The table opens the row of Enter itself.
            if name != "open":
                place = table if name in _ON_TABLE else part
                add_key(KEYS[name], place, button.click, focused=True)

    def _draw_icons(self) -> None:
        self.graphs.setIcon(icon("graphs"))
        self.commands["open"].setIcon(icon("play"))


class FilterBar(QWidget):
    """A bar with the controls of a filter.

    Signals:
        changed(): The user changed the filter.
    """

    changed = pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        self.player, self.result, self.span, self.recording = (
            box({"All": None} | choices, None)
            for choices in (_PLAYERS, _RESULTS, _SPANS, _RECORDINGS)
        )
        self.search = QLineEdit()
        self.search.setPlaceholderText("Program, size \N{HORIZONTAL ELLIPSIS}")
        self.search.setClearButtonEnabled(True)
        self.everything = named_button(
            "C&lear filters", "Clear the filters", "Clear the filters (Alt+L)"
        )
        self.everything.setEnabled(False)
        named = (
            ("Played b&y", "Only games of this player", self.player),
            ("&Result", "Only games that ended so", self.result),
            ("&When", "Only games of this time", self.span),
            ("Re&cording", "Only games with such a recording", self.recording),
        )
        words = (
            f"Games with all these words ({KEYS['search']}): of a program, a window, a size, a "
            "level, a solver, a style or a day"
        )
        parts = (
            _labelled("&Search", words, self.search),
            *(_labelled(*one) for one in named),
            _below(self.everything),
        )
        self.setLayout(Flow(*parts, filled=True))
        self.boxes = tuple(control for _, _, control in named)
        """All boxes, in reading order."""
        for control in self.boxes:
            control.currentIndexChanged.connect(self._report)
        self.search.textChanged.connect(self._report)
        self.everything.clicked.connect(self.clear)

    @property
    def chosen(self) -> Filter:
        """The filter, with its time span relative to now."""
        days = self.span.currentData()
        midnight = datetime.now().astimezone().replace(hour=0, minute=0, second=0, microsecond=0)
        return Filter(
            player=self.player.currentData(),
            result=self.result.currentData(),
            since=None if days is None else midnight - timedelta(days=days),
            recording=self.recording.currentData(),
            words=self.search.text(),
        )

    @property
    def _chosen_any(self) -> bool:
        boxes = (control.currentIndex() > 0 for control in self.boxes)
        return any(boxes) or bool(self.search.text().strip())

    def clear(self) -> None:
        """Reset all choices so that every game is shown."""
        if self._chosen_any:
            for control in self.boxes:
                choose(control, None)
            with QSignalBlocker(self.search):
                self.search.clear()
            self._report()

    def _report(self) -> None:
        self.everything.setEnabled(self._chosen_any)
        self.changed.emit()


def _labelled(text: str, name: str, control: QComboBox | QLineEdit) -> QWidget:
    """Return a box with its label above; it may be narrower than its longest choice."""
    label = QLabel(text)
    label.setProperty("muted", True)
    label.setBuddy(control)
    name_control(control, name)
    control.setMinimumHeight(max(26, control.sizeHint().height()))
    if isinstance(control, QComboBox):
        control.setMinimumContentsLength(6)
        control.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
    part = QWidget()
    part.setMinimumWidth(118)
    lay_column(label, control, on=part, gap=2)
    return part


def _below(button: QPushButton) -> QWidget:
    """Return a button aligned with the boxes beside it."""
    part = QWidget()
    lay_column(1, button, on=part, gap=-1)
    return part
