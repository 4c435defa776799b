"""The laboratory's page: real workers, real files, the words of `lab show`, real pictures."""

from __future__ import annotations

import multiprocessing
from collections.abc import Sequence
from pathlib import Path

import pytest
from PyQt6.QtCore import QPoint, Qt
from PyQt6.QtGui import QImage, QWheelEvent
from PyQt6.QtWidgets import QAbstractButton, QAbstractSpinBox, QApplication, QComboBox
from pyqtgraph import GraphicsLayoutWidget
from pytestqt.qtbot import QtBot

from bot.game import BEGINNER, FirstClick
from bot.lab.boards import drawn
from bot.lab.playing import play_batch
from bot.lab.results import Plan, opened, read_results
from gui.commands.lab import put_together
from gui.commands.lab_graphs import SWEEPS
from gui.commands.lab_tables import sheets_of
from gui.lab.order import Order, read_order, sweep_of, write_order
from gui.lab.page import LabPage
from gui.lab.running import Standings, left_in_words
from gui.lab.sheetview import SheetView
from gui.panel import Panel
from gui.settings import Settings
from tests.gui.panels import Shown, message, playing
from tests.gui.tabletop import Tabletop

SMALL = Order(players=("local", "human"), games=6, size=(6, 6, 4), workers=1)
"""Done in a moment."""
LONG = Order(players=("human",), games=60, level="intermediate", workers=1)
"""Takes some seconds."""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Everything is kept in a folder of the test."""
    monkeypatch.setenv("MINESWEEPER_BOT_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def panel(shown: Shown) -> Panel:
    """A panel with the page open."""
    made = shown(Tabletop(BEGINNER))
    made.shell.open("lab")
    return made


def page_of(panel: Panel) -> LabPage:
    """The page."""
    page = panel.shell.page("lab")
    assert isinstance(page, LabPage)
    return page


def ended(qtbot: QtBot, page: LabPage) -> None:
    """Wait until the run has ended and is listed."""
    qtbot.waitUntil(lambda: page.job is None and bool(page.chosen()), timeout=60_000)


def results(path: Path, players: Sequence[str], games: int = 12, seed: int = 0) -> Path:
    """A file of results as the laboratory writes it, of boards of 6 x 6."""
    path.parent.mkdir(parents=True, exist_ok=True)
    boards = drawn(6, 6, 6, games, seed, FirstClick.SAFE, "6 x 6, 6 mines")
    deals = [boards.deal(number) for number in range(games)]
    with opened(path, Plan("classic", (boards.key,), (boards.label,), None)) as file:
        for player in players:
            file.add(0, play_batch("classic", player, deals, None))
    return path


def words(view: SheetView) -> list[list[str]]:
    """What a table shows."""
    model = view.model
    return [
        [model.data(model.index(row, col)) for col in range(model.columnCount())]
        for row in range(model.rowCount())
    ]


# Runs


def test_a_run_is_started_with_the_form(panel: Panel, qtbot: QtBot, home: Path) -> None:
    """Ticked solvers, a size, a number of games; kept with its order, listed, and shown."""
    page = page_of(panel)
    form = page.form
    for row in range(form.players.count()):
        item = form.players.item(row)
        assert item is not None
        wanted = item.text() in SMALL.players
        item.setCheckState(Qt.CheckState.Checked if wanted else Qt.CheckState.Unchecked)
    form.boards.setCurrentIndex(form.boards.findText("A size …"))
    for spin, value in ((form.rows, 6), (form.cols, 6), (form.mines, 4), (form.games, 6)):
        spin.setValue(value)
    form.workers.setValue(1)
    form.start.click()
    assert not form.start.isEnabled()
    ended(qtbot, page)
    assert form.start.isEnabled()
    (run,) = page.chosen()
    assert run.path.parent == home / "lab"
    assert run.whole
    order = read_order(run.path)
    assert order is not None
    assert order == SMALL.model_copy(update={"players": ("human", "local")})
    found = read_results(run.path)
    assert len(found.outcomes) == 12
    assert [row[:2] for row in words(page.live)] == [["human", "6"], ["local", "6"]]
    qtbot.waitUntil(page.findings.isVisible)
    shown = [words(view) for view in page.findings.sheets]
    wanted_sheets = sheets_of(found, ["human", "local"])
    assert sorted(shown[0]) == sorted([list(row) for row in wanted_sheets[0].rows])
    assert not page.go_on.isEnabled()


def test_a_cancelled_run_goes_on(panel: Panel, qtbot: QtBot) -> None:
    """What was played is kept; later the rest is played, nothing twice, and all as it would be."""
    page = page_of(panel)
    with qtbot.waitSignal(page.advanced, timeout=30_000):
        page.start(LONG)
    assert "games" in page.bar.words.text()
    page.bar.cancel.click()
    ended(qtbot, page)
    assert "What it played is kept" in message(panel)
    (run,) = page.chosen()
    first = read_results(run.path).outcomes
    assert 0 < len(first) < LONG.games
    assert page.go_on.isEnabled()
    page.go_on.click()
    qtbot.waitUntil(lambda: page.job is None, timeout=60_000)
    outcomes = read_results(run.path).outcomes
    assert sorted(number for _, _, number in outcomes) == list(range(LONG.games))
    lines = run.path.read_text().splitlines()
    assert len(lines) == 1 + LONG.games
    assert all(outcomes[key] == outcome for key, outcome in first.items())


def test_closing_the_panel_cancels_the_run(shown: Shown, qtbot: QtBot) -> None:
    """Hidden at once, closed when the workers have ended; what was played is kept."""
    panel = shown(Tabletop(BEGINNER))
    panel.shell.open("lab")
    page = page_of(panel)
    with qtbot.waitSignal(page.advanced, timeout=30_000):
        page.start(LONG)
    with qtbot.waitSignal(panel.closed, timeout=30_000):
        assert not panel.close()
        assert panel.isHidden()
    assert multiprocessing.active_children() == []
    (path,) = (Path(panel_file) for panel_file in _files())
    assert read_results(path).outcomes


def _files() -> list[Path]:
    from gui.settings import lab_folder  # noqa: PLC0415 - the test's own home

    return list(lab_folder().glob("*.jsonl"))


def test_it_tells_when_the_bot_plays_too(shown: Shown, qtbot: QtBot) -> None:
    """The note comes and goes with the games."""
    # At full speed on one core it would leave the workers, which stand back, next to nothing.
    panel = shown(Tabletop(BEGINNER), Settings(games=None, theme="light", pace=10))
    panel.start()
    playing(qtbot, panel)
    panel.shell.open("lab")
    page = page_of(panel)
    assert not page.both.isVisible()
    with qtbot.waitSignal(page.advanced, timeout=30_000):
        page.start(LONG)
    qtbot.waitUntil(page.both.isVisible)
    assert "moves come first" in page.both.text()
    panel.stop()
    qtbot.waitUntil(lambda: not page.both.isVisible(), timeout=20_000)
    page.bar.cancel.click()
    ended(qtbot, page)


def test_one_run_at_a_time(panel: Panel, qtbot: QtBot) -> None:
    """A second one is refused with the reason."""
    page = page_of(panel)
    page.start(LONG)
    page.start(SMALL)
    assert "cancel it first" in message(panel)
    page.bar.cancel.click()
    qtbot.waitUntil(lambda: page.job is None, timeout=30_000)
    assert len(_files()) <= 1


def test_what_cannot_be_played_is_told(panel: Panel, qtbot: QtBot, tmp_path: Path) -> None:
    """Nobody ticked, no file chosen, a file that is none, a size that cannot be."""
    page = page_of(panel)
    form = page.form
    form.boards.setCurrentIndex(form.boards.findText("A file of boards …"))
    form.start.click()
    assert "Choose the file" in message(panel)
    broken = tmp_path / "boards.csv"
    broken.write_text("no boards")
    form.take_file(str(broken))
    form.start.click()
    qtbot.waitUntil(lambda: "boards.csv" in message(panel))
    form.boards.setCurrentIndex(form.boards.findText("A size …"))
    form.mines.setValue(9999)
    form.start.click()
    qtbot.waitUntil(lambda: "no game" in message(panel))
    for row in range(form.players.count()):
        item = form.players.item(row)
        assert item is not None
        item.setCheckState(Qt.CheckState.Unchecked)
    form.start.click()
    assert "at least one solver" in message(panel)
    assert _files() == []


def test_a_graph_says_who_plays_what(panel: Panel) -> None:
    """Its game and its players are chosen with it; the boards' own questions go."""
    form = page_of(panel).form
    form.boards.setCurrentIndex(form.boards.findText("Graph: digs by size"))
    assert form.game.currentText() == "Find all mines"
    assert not form.game.isEnabled()
    assert set(form.chosen()) == set(SWEEPS[0].players)
    assert not form.first.isVisible()
    assert form.seed.isVisible()
    orders: list[Order] = []
    form.started.disconnect()
    form.started.connect(orders.append)
    form.start.click()
    assert orders[0].sweep == "digs-by-size"
    sets = orders[0].sets()
    assert [boards.rows for boards in sets] == [6, 8, 10, 12, 14, 16, 18, 20]
    assert sweep_of(orders[0].plan(sets)) is SWEEPS[0]


# Results


def test_runs_are_compared(panel: Panel, qtbot: QtBot, home: Path) -> None:
    """Two files side by side: the tables of `lab show`, with McNemar's test."""
    paths = [results(home / "lab" / f"{name}.jsonl", [name]) for name in ("local", "human")]
    page = page_of(panel)
    page.enter()
    qtbot.waitUntil(lambda: len(page.model.runs) == 2)
    page.list.selectAll()
    qtbot.waitUntil(page.findings.isVisible)
    chosen = [run.path for run in page.chosen()]
    assert sorted(chosen) == sorted(paths)
    wanted = sheets_of(*put_together(chosen, ()))
    assert [view.title.text() for view in page.findings.sheets] == [one.title for one in wanted]
    shown = [words(view) for view in page.findings.sheets]
    assert shown == [[list(row) for row in sheet.rows] for sheet in wanted]
    assert "McNemar p" in wanted[2].head
    qtbot.waitUntil(lambda: page.findings.graphs is not None)
    page.list.clearSelection()
    qtbot.waitUntil(lambda: not page.findings.isVisible())


def test_other_boards_are_not_compared(panel: Panel, qtbot: QtBot, home: Path) -> None:
    """It says why, and shows nothing."""
    results(home / "lab" / "one.jsonl", ["local"])
    results(home / "lab" / "two.jsonl", ["local"], seed=5)
    page = page_of(panel)
    page.enter()
    qtbot.waitUntil(lambda: len(page.model.runs) == 2)
    page.list.selectAll()
    qtbot.waitUntil(lambda: "cannot be put beside" in message(panel))
    assert not page.findings.isVisible()


def test_a_file_from_elsewhere_is_opened(panel: Panel, qtbot: QtBot, tmp_path: Path) -> None:
    """With the dialog; one that is no file of results is told."""
    page = page_of(panel)
    page.open_file.click()
    assert page.dialog is not None
    qtbot.waitUntil(page.dialog.isVisible)
    page.dialog.close()
    page.dialog.fileSelected.emit(str(results(tmp_path / "elsewhere.jsonl", ["local"])))
    qtbot.waitUntil(page.findings.isVisible)
    assert not page.go_on.isEnabled()
    broken = tmp_path / "broken.jsonl"
    broken.write_text("{}\n{}\n")
    page.open_results(str(broken))
    qtbot.waitUntil(lambda: "is no result" in message(panel))
    assert len(page.model.runs) == 2


def test_graphs_are_saved(panel: Panel, qtbot: QtBot, tmp_path: Path) -> None:
    """As a PNG, as `lab plot` draws it; a folder that is not there is told."""
    page = page_of(panel)
    page.open_results(str(results(tmp_path / "some.jsonl", ["local", "human"])))
    qtbot.waitUntil(page.findings.isVisible)
    page.findings.save.click()
    dialog = page.findings.dialog
    assert dialog is not None
    qtbot.waitUntil(dialog.isVisible)
    dialog.close()
    dialog.fileSelected.emit(str(tmp_path / "graphs.png"))
    qtbot.waitUntil(lambda: "graphs.png" in message(panel))
    picture = QImage(str(tmp_path / "graphs.png"))
    assert (picture.width(), picture.height()) == (1800, 2240)
    dialog.fileSelected.emit(str(tmp_path / "nowhere" / "graphs.png"))
    qtbot.waitUntil(lambda: "cannot be written" in message(panel))


def test_the_graphs_follow_the_theme(panel: Panel, qtbot: QtBot, tmp_path: Path) -> None:
    """Drawn again in the other colours; the wheel scrolls the page, and zooms none of them."""
    page = page_of(panel)
    page.open_results(str(results(tmp_path / "some.jsonl", ["local"])))
    qtbot.waitUntil(page.findings.isVisible)
    qtbot.waitUntil(lambda: page.findings.graphs is not None)
    before = page.findings.graphs
    assert isinstance(before, GraphicsLayoutWidget)
    seen = before.getItem(0, 0).viewRange()
    middle = before.getItem(0, 0).sceneBoundingRect().center()
    wheel = QWheelEvent(
        middle, before.mapToGlobal(middle), QPoint(), QPoint(0, -120), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(before.viewport(), wheel)
    assert before.getItem(0, 0).viewRange() == seen
    panel.surface.options.theme.setCurrentIndex(2)
    assert page.findings.graphs is None
    qtbot.waitUntil(lambda: page.findings.graphs is not None)
    assert page.findings.graphs is not before


def test_standings_are_those_of_the_results(tmp_path: Path) -> None:
    """The live table's shares and intervals are the final table's."""
    found = read_results(results(tmp_path / "some.jsonl", ["local", "human"]))
    standings = Standings("classic", ["local", "human"])
    standings.add(found.outcomes.values())
    final = sheets_of(found, ["local", "human"])[0]
    live = standings.sheet("some")
    assert live.head[1:4] == final.head[1:4]
    assert [row[:4] for row in live.rows] == [row[:4] for row in final.rows]


def test_an_order_is_kept(tmp_path: Path) -> None:
    """Beside its results; a strange one counts as none."""
    path = tmp_path / "lab" / "some.jsonl"
    write_order(LONG, path)
    assert read_order(path) == LONG
    (tmp_path / "lab" / "some.order.json").write_text('{"players": []}')
    assert read_order(path) is None
    assert read_order(tmp_path / "other.jsonl") is None


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(0.4, "0 s"), (89, "89 s"), (100, "2 min"), (3600, "60 min"), (11_100, "3 h 5 min")],
)
def test_time_that_is_left(seconds: float, told: str) -> None:
    """In words that are short."""
    assert left_in_words(seconds) == told


def test_every_control_has_a_name_and_a_tip(panel: Panel) -> None:
    """For screen readers, and for whoever hovers."""
    page = page_of(panel)
    form = page.form
    controls = [page.go_on, page.open_file, page.findings.save, form.start, form.file, page.list]
    controls += [form.players, form.boards, form.game, form.first, form.games, form.seed]
    controls += [form.nodes, form.workers, form.cols, form.rows, form.mines]
    for control in controls:
        assert control.accessibleName(), control
        assert control.toolTip(), control
    named = (QComboBox, QAbstractSpinBox, QAbstractButton)
    assert all(isinstance(one, named) or one in (page.list, form.players) for one in controls)
