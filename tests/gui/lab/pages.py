"""The laboratory's page for tests: opened, its runs waited for, files of results made."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PyQt6.QtCore import Qt
from pytestqt.qtbot import QtBot

from bot.game import Level
from bot.lab.boards import draw_boards
from bot.lab.results import Plan, open_results
from bot.lab.worker import play_batch
from gui.lab.lab_page import Form, LabPage, SheetView
from gui.lab.runs import Order
from gui.panel import Panel
from tests.gui.panels import PATIENCE

SMALL = Order(players=("local", "human"), games=6, size=(6, 6, 4), workers=1)
"""Done in a moment."""
LONG = Order(players=("human",), games=60, level="intermediate", workers=1)
"""Takes some seconds."""
NODES = LONG.nodes
"""The limit of a decision in the results of a run."""


def page_of(panel: Panel) -> LabPage:
    """Open the page."""
    panel.shell.open("lab")
    page = panel.shell.page("lab")
    assert isinstance(page, LabPage)
    return page


def tick(form: Form, *players: str) -> None:
    """Tick these players, and no others."""
    for row in range(form.players.count()):
        item = form.players.item(row)
        wanted = item.text() in players
        item.setCheckState(Qt.CheckState.Checked if wanted else Qt.CheckState.Unchecked)


def choose_size(form: Form, side: int, mines: int, games: int) -> None:
    """Choose square boards, so many games, and one worker."""
    form.boards.setCurrentIndex(form.boards.findText("A size …"))
    for field in (form.rows, form.cols):
        field.setValue(side)
    form.mines.setValue(mines)
    form.games.setValue(games)
    form.workers.setValue(1)


def ended(qtbot: QtBot, page: LabPage) -> None:
    """Wait until the run has ended and is listed."""
    qtbot.waitUntil(lambda: page.job is None and bool(page.chosen()), timeout=PATIENCE)


def results(path: Path, players: Sequence[str], games: int = 12, seed: int = 0) -> Path:
    """A file of results as the laboratory writes it, of boards of 6 x 6."""
    path.parent.mkdir(parents=True, exist_ok=True)
    boards = draw_boards(Level("6 x 6, 6 mines", 6, 6, 6), games, seed)
    deals = [boards.spec(number) for number in range(games)]
    with open_results(path, Plan("classic", (boards.key,), (boards.label,), NODES)) as file:
        for player in players:
            file.add(0, play_batch("classic", player, deals, NODES))
    return path


def words(view: SheetView) -> list[list[str]]:
    """What a table shows."""
    model = view.table.model()
    return [
        [model.data(model.index(row, col)) for col in range(model.columnCount())]
        for row in range(model.rowCount())
    ]
