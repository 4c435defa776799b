"""The laboratory's runs: real workers, ordered with the form, cancelled, and gone on with."""

from __future__ import annotations

import multiprocessing
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QFileDialog, QMessageBox
from pytestqt.qtbot import QtBot

from bot.game import BEGINNER
from bot.lab.results import read_results
from gui.lab import lab_page
from gui.lab.lab_page import COMPARED, STRENGTHS, Findings, LabPage, find_out
from gui.lab.runs import Order, read_order, sweep_of
from gui.lab.sheets import sheets_of
from gui.lab.sweeps import SWEEPS
from gui.panel import Panel
from gui.panel.jobs import Progress
from gui.settings import Settings
from tests.gui.lab.pages import LONG, SMALL, choose_size, ended, page_of, results, tick, words
from tests.gui.panels import PATIENCE, Shown, message, playing
from tests.gui.tabletop import Tabletop

pytestmark = pytest.mark.long


def test_a_run_is_started_with_the_form(page: LabPage, qtbot: QtBot, home: Path) -> None:
    """Ticked solvers, a size, a number of games; kept with its order, listed, and shown."""
    form = page.form
    tick(form, *SMALL.players)
    choose_size(form, 6, mines=4, games=6)
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
def test_a_cancelled_run_is_continued_and_deleted(
    panel: Panel, page: LabPage, qtbot: QtBot
) -> None:
    """Its games are kept; later the rest is played, nothing twice. Deleted, no message is left.

    The runs that were to follow it do not begin.
    """
    with qtbot.waitSignal(page.advanced, timeout=PATIENCE):
        page.start_all([LONG, LONG])
    assert "games" in page.bar.words.text()
    page.bar.cancel.click()
    ended(qtbot, page)
    assert "Its games are kept" in message(panel)
    (run,) = page.runs
    assert page.chosen() == [run]
    first = read_results(run.path).outcomes
    assert 0 < len(first) < LONG.games
    assert page.go_on.isEnabled()
    page.go_on.click()
    qtbot.waitUntil(lambda: page.job is None, timeout=PATIENCE)
    outcomes = read_results(run.path).outcomes
    assert sorted(number for _, _, number in outcomes) == list(range(LONG.games))
    assert len(run.path.read_text("utf-8").splitlines()) == 1 + LONG.games
    assert all(outcomes[key] == outcome for key, outcome in first.items())
    # All results are shown: nothing reads the file any more.
    qtbot.waitUntil(
        lambda: [words(sheet)[0][:2] for sheet in page.findings.sheets[:1]] == [["human", "60"]],
        timeout=PATIENCE,
    )
    page.ask_delete()
    (question,) = page.findChildren(QMessageBox)
    (yes,) = (one for one in question.buttons() if "Delete" in one.text())
    qtbot.mouseClick(yes, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not page.runs, timeout=PATIENCE)
    assert not message(panel)


def test_a_run_that_is_being_read_is_deleted(
    panel: Panel, page: LabPage, qtbot: QtBot, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That its file is missing then is no message."""
    begun, deleted = threading.Event(), threading.Event()

    def read_late(paths: Sequence[Path], progress: Progress) -> Findings:
        begun.set()
        assert deleted.wait(PATIENCE / 1000)
        return find_out(paths, progress)

    monkeypatch.setattr(lab_page, "find_out", read_late)
    results(home / "lab" / "run.jsonl", ["local"])
    page.enter()
    qtbot.waitUntil(lambda: len(page.runs) == 1)
    page.list.selectAll()
    qtbot.waitUntil(begun.is_set)
    page.ask_delete()
    (question,) = page.findChildren(QMessageBox)
    (yes,) = (one for one in question.buttons() if "Delete" in one.text())
    qtbot.mouseClick(yes, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not page.runs)
    deleted.set()
    qtbot.waitUntil(lambda: not page.context.jobs.running)
    assert not message(panel)


@pytest.mark.slow
def test_solvers_are_compared_with_one_click(page: LabPage, qtbot: QtBot) -> None:
    """The ticked ones, always on the same boards; published figures stand beside them."""
    form = page.form
    form.boards.setCurrentIndex(form.boards.findText("Beginner"))
    tick(form, "exact", "human")
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
def test_levels_of_strength_are_shown_together(page: LabPage, qtbot: QtBot) -> None:
    """Each is a run of its own; a graph shows the wins against the time."""
    choose_size(page.form, 5, mines=6, games=3)
    qtbot.mouseClick(page.form.levels, Qt.MouseButton.LeftButton)
    ended(qtbot, page)
    assert {run.order.rollouts for run in page.chosen() if run.order} == set(STRENGTHS)
    assert len(page.chosen()) == len(STRENGTHS)
    qtbot.waitUntil(lambda: page.findings.graphs is not None, timeout=PATIENCE)
    assert "strength against time" in page.findings.graphs.accessibleName()
    assert [row[0] for row in words(page.findings.sheets[0])] == [
        f"lookahead, {level:,} simulations" for level in STRENGTHS
    ]


def test_closing_the_panel_cancels_the_run(
    panel: Panel, page: LabPage, qtbot: QtBot, home: Path
) -> None:
    """Hidden at once, closed when the workers have ended; what was played is kept."""
    with qtbot.waitSignal(page.advanced, timeout=PATIENCE):
        page.start(LONG)
    with qtbot.waitSignal(panel.closed):
        assert not panel.close()
        assert panel.isHidden()
    assert multiprocessing.active_children() == []
    (path,) = (home / "lab").glob("*.jsonl")
    assert read_results(path).outcomes


@pytest.mark.slow
def test_lab_notes_that_the_bot_plays_too(shown: Shown, qtbot: QtBot, home: Path) -> None:
    """The note comes and goes with the games; a second run is refused with the reason."""
    # At full speed on one core it would leave the workers, which stand back, next to nothing.
    panel = shown(Tabletop(BEGINNER), Settings(games=None, theme="light", pace=10))
    panel.start()
    playing(qtbot, panel)
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
    assert len(list((home / "lab").glob("*.jsonl"))) <= 1


def test_invalid_run_is_reported(
    panel: Panel, page: LabPage, qtbot: QtBot, home: Path, tmp_path: Path
) -> None:
    """No solver ticked, no file chosen, an invalid file, an impossible size."""
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
    tick(form)
    form.start.click()
    assert "at least one solver" in message(panel)
    assert not list((home / "lab").glob("*.jsonl"))


def test_a_graph_says_who_plays_what(page: LabPage) -> None:
    """Its game and its players are chosen with it; the boards' own questions go."""
    form = page.form
    form.boards.setCurrentIndex(form.boards.findText("Graph: digs by size"))
    assert form.game.currentText() == "Find all mines"
    assert not form.game.isEnabled()
    assert set(form.chosen()) == set(SWEEPS[0].players)
    for hidden in (form.first, form.seed, form.compare, form.levels):
        assert not hidden.isVisible()
    form.more.click()
    assert form.seed.isVisible()
    # Not played here: a worker would compile what simulates games.
    orders: list[Order] = []
    form.started.disconnect()
    form.started.connect(orders.extend)
    form.start.click()
    assert orders[0].sweep == "digs-by-size"
    sets = orders[0].sets()
    assert [boards.rows for boards in sets] == [6, 8, 10, 12, 14, 16, 18, 20]
    assert sweep_of(orders[0].plan(sets)) is SWEEPS[0]
    form.boards.setCurrentIndex(form.boards.findText("Beginner"))
    form.game.setCurrentIndex(0)
    form.rollouts.setValue(50)
    form.start.click()
    assert orders[1].plan(orders[1].sets()).rollouts == 50


def test_the_bot_plays_the_other_game(panel: Panel, page: LabPage, qtbot: QtBot) -> None:
    """It is chosen here, for the page that plays, but not while a game is played."""
    form = page.form
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
