"""The form of a run: players, boards and limits."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final

from PyQt6.QtCore import Qt, pyqtSignal
from PyQt6.QtWidgets import (
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QSpinBox,
    QWidget,
)

from bot.digging import HUNTERS
from bot.game import LEVELS, FirstClick
from bot.lab.worker import CLASSIC, DIGGING
from bot.solver import SOLVERS
from gui.commands.lab_graphs import SWEEPS, Sweep
from gui.lab.runs import MOST_GAMES, Order, sweep_named
from gui.panel.dialogs import ask_open
from gui.panel.theme import SPACE
from gui.panel.widgets import Card, NumberBox, box, choose

_GAMES: Final = {"Minesweeper": CLASSIC, "Find all mines": DIGGING}
_FIRST: Final = {
    "Is safe": FirstClick.SAFE,
    "Opens a zero": FirstClick.ZERO,
    "May be a mine": FirstClick.NONE,
}
_SIZE: Final = "a size"
_FILE: Final = "a file"
_SWEEP: Final = "graph "
_AT_FIRST: Final = {CLASSIC: ("lookahead", "exact"), DIGGING: ("hunter", "algorithm-b")}
"""The initial selection."""


class Form(Card):
    """The form of a run.

    Signals:
        started(Order): The button was pressed.
        refused(str): It was pressed, but something is missing.
    """

    started = pyqtSignal(object)
    refused = pyqtSignal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("New run", parent)
        self.game = box(_GAMES, CLASSIC)
        self.players, self.boards = QListWidget(), box(_boards(), "expert")
        self.cols, self.rows, self.mines = (
            _number(1, 100, 16),
            _number(1, 100, 16),
            _number(0, 10_000, 40),
        )
        self.file = QPushButton("Choose a file …")
        self.games, self.seed = _number(1, MOST_GAMES, 100), _number(0, 1_000_000_000, 0)
        self.first = box(_FIRST, FirstClick.SAFE)
        self.nodes, self.workers = (
            _number(0, 1_000_000_000, 100_000),
            _number(1, 1024, os.cpu_count() or 1),
        )
        self.start = QPushButton("&Start the run")
        self.path: Path | None = None
        self.nodes.setSpecialValueText("No limit")
        self.start.setProperty("primary", True)
        self._size = QWidget()
        self._lay_out()
        self._list_players()
        self.game.currentIndexChanged.connect(self._list_players)
        self.boards.currentIndexChanged.connect(self._choose_boards)
        self.file.clicked.connect(self._browse)
        self.start.clicked.connect(self._start)

    def chosen(self) -> tuple[str, ...]:
        """Return the players whose boxes are ticked."""
        items = (self.players.item(row) for row in range(self.players.count()))
        ticked = (item for item in items if item and item.checkState() is Qt.CheckState.Checked)
        return tuple(item.text() for item in ticked)

    def _lay_out(self) -> None:
        size = QHBoxLayout(self._size)
        size.setContentsMargins(0, 0, 0, 0)
        size.setSpacing(SPACE // 2)
        for spin, name in ((self.cols, "Columns"), (self.rows, "Rows"), (self.mines, "Mines")):
            spin.setAccessibleName(name)
            spin.setToolTip(name)
            size.addWidget(spin, 1)
        self.players.setMinimumHeight(96)
        self.players.setMaximumHeight(150)
        self.row("G&ame", self.game, "Which game is played", "Open everything, or find all mines")
        self.row(
            "Sol&vers",
            self.players,
            "Solvers that play",
            "Press Space to tick a solver. All play the same boards",
        )
        self.row("&Boards", self.boards, "Boards", "A level, a size, a file, or a graph's boards")
        self.row("Size", self._size, "Columns, rows and mines", "Columns, rows and mines")
        self.row(
            "File", self.file, "File of boards", "# rows=R cols=C mines=M, then a board a line"
        )
        self.row("First click", self.first, "First click", "What the first click is guaranteed")
        self.row("&Games", self.games, "Boards, each for all solvers", "Boards, each for all")
        self.row("See&d", self.seed, "Seed of the first board", "The next board's is one more")
        self.row("Node limit", self.nodes, "Node limit per move",
                 "Nodes, not seconds: results do not depend on the load")  # fmt: skip
        self.row("&Workers", self.workers, "Worker processes",
                 "Processes on this machine; they run with low priority")  # fmt: skip
        self.start.setAccessibleName("Start the run")
        self.start.setToolTip("Start, and save every game at once")
        self.whole(self.start)

    def _list_players(self) -> None:
        game = self.game.currentData()
        sweep = self._sweep
        at_first = _AT_FIRST[game] if sweep is None else sweep.players
        self.players.clear()
        for name, info in (HUNTERS if game == DIGGING else SOLVERS).items():
            item = QListWidgetItem(name)
            ticked = name in at_first
            item.setCheckState(Qt.CheckState.Checked if ticked else Qt.CheckState.Unchecked)
            item.setToolTip(f"{info.summary}\nSource: {info.source}")
            self.players.addItem(item)
        self.players.setCurrentRow(0)
        self._show_rows()

    @property
    def _sweep(self) -> Sweep | None:
        """The selected graph, or None."""
        kind = self.boards.currentData()
        return sweep_named(kind.removeprefix(_SWEEP)) if kind.startswith(_SWEEP) else None

    def _choose_boards(self) -> None:
        """Set game and players of the selected graph, which determines them."""
        sweep = self._sweep
        self.game.setEnabled(sweep is None)
        if sweep is not None:
            choose(self.game, sweep.game)
            self._list_players()
        self._show_rows()

    def _show_rows(self) -> None:
        """Show the fields that the choice of boards requires."""
        kind = self.boards.currentData()
        drawn = kind != _FILE and self._sweep is None
        digging = self.game.currentData() == DIGGING
        self.form.setRowVisible(self._size, kind == _SIZE)
        self.form.setRowVisible(self.file, kind == _FILE)
        self.form.setRowVisible(self.seed, kind != _FILE)
        self.form.setRowVisible(self.first, drawn and not digging)

    def _browse(self) -> None:
        ask_open(self, "Choose a file of boards", "", self._choose_file)

    def _choose_file(self, paths: list[Path]) -> None:
        (self.path,) = paths
        self.file.setText(self.path.name)

    def _start(self) -> None:
        kind = self.boards.currentData()
        players = self.chosen()
        if not players:
            self.refused.emit("Tick at least one solver.")
        elif kind == _FILE and self.path is None:
            self.refused.emit("Choose the file of boards first.")
        else:
            self.started.emit(self._order(kind, players))

    def _order(self, kind: str, players: tuple[str, ...]) -> Order:
        chosen: dict[str, Any] = {"game": self.game.currentData()}
        if kind.startswith(_SWEEP):
            chosen["sweep"] = kind.removeprefix(_SWEEP)
        elif kind == _FILE:
            chosen["boards"] = str(self.path)
        elif kind == _SIZE:
            chosen["size"] = (self.rows.value(), self.cols.value(), self.mines.value())
        else:
            chosen["level"] = kind
        return Order(
            players=players,
            games=self.games.value(),
            first_click=self.first.currentData(),
            seed=self.seed.value(),
            nodes=self.nodes.value() or None,
            workers=self.workers.value(),
            **chosen,
        )


def _boards() -> dict[str, str]:
    levels = {name.capitalize(): name for name in LEVELS}
    graphs = {f"Graph: {sweep.name.replace('-', ' ')}": _SWEEP + sweep.name for sweep in SWEEPS}
    return levels | {"A size …": _SIZE, "A file of boards …": _FILE} | graphs


def _number(least: int, most: int, value: int) -> QSpinBox:
    spin = NumberBox()
    spin.setRange(least, most)
    spin.setValue(value)
    spin.setGroupSeparatorShown(True)
    spin.setKeyboardTracking(False)
    return spin
