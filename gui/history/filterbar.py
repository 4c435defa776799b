"""The controls of the history's filter."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from datetime import datetime, timedelta
from typing import Any, Final

from PyQt6.QtCore import QSignalBlocker, pyqtSignal
from PyQt6.QtWidgets import QComboBox, QLabel, QPushButton, QVBoxLayout, QWidget

from bot.game import Rules
from gui.history.entry import Player, Result
from gui.history.filters import Filter
from gui.history.reflow import Reflow
from gui.history.store import Choices
from gui.history.table import board_text

_WIDTH: Final = 118
"""Width in points of a choice."""
_HEIGHT: Final = 26
_ALL: Final[list[tuple[str, Any]]] = [("All", None)]
_RESULTS: Final = [
    ("Won", Result.WON),
    ("Lost", Result.LOST),
    ("Unknown", Result.ENDED),
    ("Unfinished", Result.STOPPED),
]
_PLAYERS: Final = [("The bot", Player.BOT), ("You", Player.USER)]
_GAMES: Final = [("Minesweeper", Rules.CLASSIC), ("Find all mines", Rules.DIGGING)]
_SPANS: Final = [("Today", 0), ("7 days", 7), ("30 days", 30), ("A year", 365)]
"""Numbers of days before today."""


class FilterBar(Reflow):
    """A bar with the controls of a filter.

    Signals:
        changed(): The user changed the filter.
    """

    changed = pyqtSignal()

    def __init__(self, parent: QWidget | None = None) -> None:
        self.program, self.board, self.solver = QComboBox(), QComboBox(), QComboBox()
        self.game, self.player = QComboBox(), QComboBox()
        self.result, self.span = QComboBox(), QComboBox()
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
        )
        super().__init__(
            [*(_labelled(*one) for one in named), _below(self.everything)], _WIDTH, parent
        )
        for box, choices in (
            (self.game, _GAMES), (self.player, _PLAYERS), (self.result, _RESULTS),
            (self.span, _SPANS),
        ):  # fmt: skip
            _list(box, choices)
        self.set_choices(Choices())
        for _, _, box in named:
            box.currentIndexChanged.connect(self._tell)
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
        )

    @property
    def choices(self) -> int:
        """The number of boxes with a choice."""
        return sum(box.currentIndex() > 0 for box in self.boxes)

    def set_choices(self, choices: Choices) -> None:
        """Set the available choices; current choices are kept."""
        with ExitStack() as quiet:
            for box in (self.program, self.board, self.solver):
                quiet.enter_context(QSignalBlocker(box))
            _list(self.program, ((name, name) for name in choices.programs))
            _list(self.solver, ((name, name) for name in choices.solvers))
            _list(self.board, ((board_text(*size, level), size) for size, level in choices.sizes))

    def clear(self) -> None:
        """Reset all choices so that every game is shown."""
        if self.choices:
            with ExitStack() as quiet:
                for box in self.boxes:
                    quiet.enter_context(QSignalBlocker(box))
                    box.setCurrentIndex(0)
            self._tell()

    @property
    def boxes(self) -> tuple[QComboBox, ...]:
        """All boxes, in reading order."""
        first = self.program, self.board, self.solver, self.game
        return (*first, self.player, self.result, self.span)

    def _tell(self) -> None:
        self.everything.setEnabled(self.choices > 0)
        self.changed.emit()


def _list(box: QComboBox, choices: Iterable[tuple[str, Any]]) -> None:
    """Fill a box; a current choice that no longer exists stays visible."""
    chosen, text = box.currentData(), box.currentText()
    listed = [*_ALL, *choices]
    if chosen not in [value for _, value in listed]:
        listed.append((text, chosen))
    box.clear()
    for words, value in listed:
        box.addItem(words, value)
    box.setCurrentIndex([value for _, value in listed].index(chosen))


def _labelled(text: str, name: str, box: QComboBox) -> QWidget:
    """Return a box with its label above; it may be narrower than its longest choice."""
    label = QLabel(text)
    label.setProperty("muted", True)
    label.setBuddy(box)
    box.setAccessibleName(name)
    box.setToolTip(name)
    box.setMinimumHeight(_HEIGHT)
    box.setMinimumContentsLength(6)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    part = QWidget()
    column = QVBoxLayout(part)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(2)
    column.addWidget(label)
    column.addWidget(box)
    return part


def _below(button: QPushButton) -> QWidget:
    """Return a button aligned with the boxes beside it."""
    part = QWidget()
    column = QVBoxLayout(part)
    column.setContentsMargins(0, 0, 0, 0)
    column.addStretch(1)
    column.addWidget(button)
    return part
