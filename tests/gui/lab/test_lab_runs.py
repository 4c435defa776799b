"""The laboratory's runs: real workers, ordered with the form, cancelled, and gone on with."""

from __future__ import annotations

import multiprocessing
from pathlib import Path

import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QFileDialog, QMessageBox
from pytestqt.qtbot import QtBot

from bot.game import BEGINNER
from bot.lab.results import read_results
from gui.lab.lab_page import COMPARED, STRENGTHS
from gui.lab.runs import Order, read_order, sweep_of
from gui.lab.sheets import sheets_of
from gui.lab.sweeps import SWEEPS
from gui.panel import Panel
from gui.settings import Settings
from tests.gui.lab.pages import LONG, SMALL, ended, page_of, words
from tests.gui.panels import PATIENCE, Shown, message, playing
from tests.gui.tabletop import Tabletop

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("home")]


def test_a_run_is_started_with_the_form(panel: Panel, qtbot: QtBot, home: Path) -> None:
    """Ticked solvers, a size, a number of games; kept with its order, listed, and shown."""
    page = page_of(panel)
    form = page.form
    for row in range(form.players.count()):
        item = form.players.item(row)
        wanted = item.text() in SMALL.players
        item.setCheckState(Qt.CheckState.Checked if wanted else Qt.CheckState.Unchecked)
    form.boards.setCurrentIndex(form.boards.findText("A size …"))
    for spin, value in ((form.rows, 6), (form.cols, 6), (form.mines, 4), (form.games, 6)):
        spin.setValue(value)
    form.workers.setValue(1)
    form.start.setFocus()
    form.start.click()
    assert not form.start.isEnabled()
    assert page.list.hasFocus(), "the page does not scroll to the next control"
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


@pytest.mark.slow
def test_a_cancelled_run_is_continued_and_deleted(panel: Panel, qtbot: QtBot) -> None:
    """Its games are kept; later the rest is played, nothing twice. Deleted, no message is left."""
    page = page_of(panel)
    with qtbot.waitSignal(page.advanced, timeout=PATIENCE):
        page.start(LONG)
    assert "games" in page.bar.words.text()
    page.bar.cancel.click()
    ended(qtbot, page)
    assert "Its games are kept" in message(panel)
    (run,) = page.chosen()
    first = read_results(run.path).outcomes
    assert 0 < len(first) < LONG.games
    assert page.go_on.isEnabled()
    page.go_on.click()
    qtbot.waitUntil(lambda: page.job is None, timeout=PATIENCE)
    outcomes = read_results(run.path).outcomes
    assert sorted(number for _, _, number in outcomes) == list(range(LONG.games))
    assert len(run.path.read_text("utf-8").splitlines()) == 1 + LONG.games
    assert all(outcomes[key] == outcome for key, outcome in first.items())
    qtbot.waitUntil(page.delete.isEnabled, timeout=PATIENCE)
    page.ask_delete()
    (question,) = page.findChildren(QMessageBox)
    (yes,) = (one for one in question.buttons() if "Delete" in one.text())
    qtbot.mouseClick(yes, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not page.runs, timeout=PATIENCE)
    assert not message(panel)


@pytest.mark.slow
def test_solvers_are_compared_with_one_click(panel: Panel, qtbot: QtBot) -> None:
    """The ticked ones, always on the same boards; published figures stand beside them."""
    page = page_of(panel)
    form = page.form
    form.boards.setCurrentIndex(form.boards.findText("Beginner"))
    for row in range(form.players.count()):
        item = form.players.item(row)
        wanted = item.text() in ("exact", "human")
        item.setCheckState(Qt.CheckState.Checked if wanted else Qt.CheckState.Unchecked)
    form.seed.setValue(7)
    assert form.compare.text().endswith(f": {2 * COMPARED:,} games")
    assert f"{COMPARED:,} boards" in form.compare.toolTip()
    qtbot.mouseClick(form.compare, Qt.MouseButton.LeftButton)
    ended(qtbot, page)
    (run,) = page.chosen()
    assert run.order is not None
    assert (run.order.level, run.order.seed, run.order.games) == ("beginner", 0, COMPARED)
    qtbot.waitUntil(lambda: len(page.findings.sheets) == 4, timeout=PATIENCE)
    wins, _, cited, *_ = page.findings.sheets
    assert {row[0] for row in words(wins)} == {"exact", "human"}
    assert ["David N. Hill's Java solver", "91.95", "10,000"] in [row[:3] for row in words(cited)]
    assert all(row[3] for row in words(cited))


@pytest.mark.slow
def test_levels_of_strength_are_shown_together(panel: Panel, qtbot: QtBot) -> None:
    """Each is a run of its own; a graph shows the wins against the time."""
    page = page_of(panel)
    form = page.form
    form.boards.setCurrentIndex(form.boards.findText("A size …"))
    for spin, value in ((form.rows, 5), (form.cols, 5), (form.mines, 6), (form.games, 3)):
        spin.setValue(value)
    form.workers.setValue(1)
    qtbot.mouseClick(form.levels, Qt.MouseButton.LeftButton)
    ended(qtbot, page)
    assert {run.order.rollouts for run in page.chosen() if run.order} == set(STRENGTHS)
    assert len(page.chosen()) == len(STRENGTHS)
    qtbot.waitUntil(lambda: page.findings.graphs is not None, timeout=PATIENCE)
    assert page.findings.graphs is not None
    assert "strength against time" in page.findings.graphs.accessibleName()
    assert [row[0] for row in words(page.findings.sheets[0])] == [
        f"lookahead, {level:,} simulations" for level in STRENGTHS
    ]


@pytest.mark.slow
def test_cancelling_a_level_ends_all(panel: Panel, qtbot: QtBot) -> None:
    """No further level begins by itself."""
    page = page_of(panel)
    with qtbot.waitSignal(page.advanced, timeout=PATIENCE):
        page.start_all([LONG, LONG])
    page.bar.cancel.click()
    ended(qtbot, page)
    assert len(page.runs) == 1


def test_closing_the_panel_cancels_the_run(shown: Shown, qtbot: QtBot) -> None:
    """Hidden at once, closed when the workers have ended; what was played is kept."""
    panel = shown(Tabletop(BEGINNER))
    panel.shell.open("lab")
    page = page_of(panel)
    with qtbot.waitSignal(page.advanced, timeout=PATIENCE):
        page.start(LONG)
    with qtbot.waitSignal(panel.closed):
        assert not panel.close()
        assert panel.isHidden()
    assert multiprocessing.active_children() == []
    (path,) = (Path(panel_file) for panel_file in _files())
    assert read_results(path).outcomes


def _files() -> list[Path]:
    from gui.settings import lab_folder  # noqa: PLC0415 - the test's own home

    return list(lab_folder().glob("*.jsonl"))


@pytest.mark.slow
def test_lab_notes_that_the_bot_plays_too(shown: Shown, qtbot: QtBot) -> None:
    """The note comes and goes with the games; a second run is refused with the reason."""
    # At full speed on one core it would leave the workers, which stand back, next to nothing.
    panel = shown(Tabletop(BEGINNER), Settings(games=None, theme="light", pace=10))
    panel.start()
    playing(qtbot, panel)
    panel.shell.open("lab")
    page = page_of(panel)
    assert not page.both.isVisible()
    page.start(LONG)
    qtbot.waitUntil(page.both.isVisible)
    assert "has priority" in page.both.text()
    page.start(SMALL)
    assert "Cancel it first" in message(panel)
    panel.stop()
    qtbot.waitUntil(lambda: not page.both.isVisible(), timeout=PATIENCE)
    page.bar.cancel.click()
    qtbot.waitUntil(lambda: page.job is None, timeout=PATIENCE)
    assert len(_files()) <= 1


def test_invalid_run_is_reported(panel: Panel, qtbot: QtBot, tmp_path: Path) -> None:
    """No solver ticked, no file chosen, an invalid file, an impossible size."""
    page = page_of(panel)
    form = page.form
    form.boards.setCurrentIndex(form.boards.findText("A file of boards …"))
    form.start.click()
    assert "Choose the file" in message(panel)
    broken = tmp_path / "boards.csv"
    broken.write_text("no boards")
    form.file.click()
    (dialog,) = form.findChildren(QFileDialog)
    dialog.filesSelected.emit([str(broken)])
    dialog.close()
    form.start.click()
    qtbot.waitUntil(lambda: "boards.csv" in message(panel))
    form.boards.setCurrentIndex(form.boards.findText("A size …"))
    form.mines.setValue(9999)
    form.start.click()
    qtbot.waitUntil(lambda: "no game" in message(panel))
    for row in range(form.players.count()):
        item = form.players.item(row)
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
    assert not form.seed.isVisible()
    form.more.click()
    assert form.seed.isVisible()
    orders: list[Order] = []
    form.started.disconnect()
    form.started.connect(orders.extend)
    form.start.click()
    assert not form.compare.isVisible()
    assert not form.levels.isVisible()
    assert orders[0].sweep == "digs-by-size"
    sets = orders[0].sets()
    assert [boards.rows for boards in sets] == [6, 8, 10, 12, 14, 16, 18, 20]
    assert sweep_of(orders[0].plan(sets)) is SWEEPS[0]
    # Not played here: a worker would compile what simulates games.
    form.boards.setCurrentIndex(form.boards.findText("Beginner"))
    form.game.setCurrentIndex(0)
    form.rollouts.setValue(50)
    form.start.click()
    assert orders[1].plan(orders[1].sets()).rollouts == 50


def test_the_bot_plays_the_other_game(panel: Panel, qtbot: QtBot) -> None:
    """It is chosen here, for the page that plays, but not while a game is played."""
    form = page_of(panel).form
    assert not form.digging.isVisible()
    form.game.setCurrentIndex(1)
    form.digging.click()
    assert panel.settings.digging
    form.digging.click()
    assert not panel.settings.digging
    panel.start()
    playing(qtbot, panel)
    panel.shell.open("lab")
    assert not form.digging.isEnabled()
