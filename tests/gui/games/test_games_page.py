"""The page of games: what it lists, what is chosen, done with games, and drawn."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from PyQt6.QtCore import QPoint, Qt
from PyQt6.QtWidgets import (
    QComboBox,
    QLineEdit,
    QTableView,
)
from pytestqt.qtbot import QtBot

from bot.game import Rules
from gui.games.games_table import COLUMNS, NOTHING
from gui.history.schema import history_file
from gui.history.store import Entry, History, Player, Result
from gui.panel.theme import DARK, apply
from tests.gui.games.shelf import GAMES, RECORDED, Shelf
from tests.gui.history.made import fill, game, games
from tests.gui.panels import takes_wheel
from tests.support.boards import SESSIONS

pytestmark = pytest.mark.long


def test_without_a_game_it_says_so(opened: Callable[..., Shelf]) -> None:
    """No file is made; there is nothing to export, to replay or to forget."""
    seen = opened()
    assert seen.notice == "No games yet"
    assert not history_file().exists()
    commands = seen.page.controls.commands
    enabled = {name for name, button in commands.items() if button.isEnabled()}
    assert enabled == {"other"}
    assert seen.page.cards.figure("Won")[0] == "\N{EN DASH}"


def test_games_are_listed_newest_first_with_their_figures(
    opened: Callable[..., Shelf], many: list[Entry], qtbot: QtBot
) -> None:
    """As the history has them, then by another column."""
    seen = opened(2400)
    assert seen.column("Began") == [f"{e.started:%Y-%m-%d %H:%M}" for e in many[:20]]
    assert seen.column("Time") == [f"{e.seconds:.2f} s" for e in many[:20]]
    assert [text.split()[1] for text in seen.column("Result")] == [e.result for e in many[:20]]
    assert seen.page.model.rowCount() == GAMES
    won = sum(e.result is Result.WON for e in many)
    ended = sum(e.result is not Result.STOPPED for e in many)
    cards = seen.page.cards
    assert cards.figure("Games") == (f"{GAMES}", f"{GAMES - ended} unfinished")
    assert cards.figure("Won")[0] == f"{won / ended:.1%}"
    fastest = min(e.seconds for e in many if e.result is Result.WON)
    assert cards.figure("Fastest win")[0] == f"{fastest:.2f} s"
    # A click on a column's title sorts by it and shows the top, a second one the other way.
    header = seen.page.view.horizontalHeader()
    number = [column.title for column in COLUMNS].index("Time")
    place = QPoint(header.sectionViewportPosition(number) + 12, 8)
    sorted_times = sorted(e.seconds for e in many)
    orders = []
    for _ in range(2):
        qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)
        seen.settle()
        orders.append(seen.column("Time")[0])
        assert seen.page.view.rows_seen()[0] == 0
    assert orders == [f"{sorted_times[-1]:.2f} s", f"{sorted_times[0]:.2f} s"]


def test_a_choice_shows_the_games_that_agree(
    opened: Callable[..., Shelf], many: list[Entry], qtbot: QtBot
) -> None:
    """By a choice or by words; and 'Clear filters' shows the others again."""
    seen = opened()
    filters = seen.page.filters
    for box, text, agrees in (
        ("search", "exact", lambda e: e.solver == "exact"),
        ("search", "9x9", lambda e: e.rows == 9),
        ("search", "find all mines", lambda e: e.rules is Rules.DIGGING),
        ("player", "You", lambda e: e.player is Player.USER),
        ("result", "Lost", lambda e: e.result is Result.LOST),
        ("span", "7 days", lambda _e: False),
    ):
        chooser: QComboBox | QLineEdit = getattr(filters, box)
        assert not filters.everything.isEnabled()
        chooser.setFocus()
        if isinstance(chooser, QLineEdit):
            qtbot.keyClicks(chooser, text)
        while isinstance(chooser, QComboBox) and chooser.currentText() != text:
            before = chooser.currentIndex()
            qtbot.keyClick(chooser, Qt.Key.Key_Down)
            assert chooser.currentIndex() > before
        seen.settle()
        expected = [e for e in many if agrees(e)]
        assert seen.page.model.rowCount() == len(expected)
        assert seen.page.cards.figure("Games")[0] == str(len(expected))
        assert seen.column("Window") == [e.window for e in expected[:20]]
        assert (seen.notice == "No games match the filters") == (not expected)
        qtbot.keyClick(seen.page, Qt.Key.Key_L, Qt.KeyboardModifier.AltModifier)
        qtbot.waitUntil(lambda: seen.page.model.rowCount() == GAMES)
        seen.settle()
        assert not seen.notice


def test_unreadable_history_is_reported_once(opened: Callable[..., Shelf], qtbot: QtBot) -> None:
    """On the page for as long as it is so, in the banner once; moved away, all is well."""
    words = "the history is broken"
    history_file().parent.mkdir()
    history_file().write_text("no database" * 100, encoding="utf-8")
    before = history_file().read_bytes()
    seen = opened()
    seen.page.refreshing.setInterval(20)
    seen.page.ask()
    seen.settle()
    assert seen.notice == "The history cannot be read"
    assert words in seen.page.advice.text()
    assert [words in failure.message for failure in seen.failed] == [True]
    assert not seen.failed[0].report
    assert history_file().read_bytes() == before
    # Windows moves no file that is being read.
    seen.page.refreshing.stop()
    seen.settle()
    history_file().rename(history_file().with_name("moved-away"))
    for rest in history_file().parent.glob("history.sqlite-*"):
        rest.unlink()
    fill(history_file(), 3)
    seen.page.ask()
    qtbot.waitUntil(lambda: seen.page.model.rowCount() == 3)
    assert seen.notice == ""


def test_games_that_are_played_meanwhile_are_added(
    opened: Callable[..., Shelf], many: list[Entry], qtbot: QtBot
) -> None:
    """By another program too; what was chosen stays chosen, and where it is."""
    seen = opened()
    page = seen.page
    page.refreshing.setInterval(20)
    page.view.selectRow(150)
    page.view.scrollTo(page.model.index(150, 0), QTableView.ScrollHint.PositionAtTop)
    qtbot.keyClick(page.view, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    before = [page.model.numbers[row] for row in page.view.rows_chosen()]
    first = page.view.rows_seen()[0]
    with History.to_write(history_file()) as history:
        history.add([(game(9999), [])] * 3)
    qtbot.waitUntil(lambda: page.model.rowCount() == GAMES + 3)
    assert [page.model.numbers[row] for row in page.view.rows_chosen()] == before
    assert page.view.rows_chosen() == [153, 154]
    assert page.view.rows_seen()[0] == first + 3
    assert page.cards.figure("Games")[0] == str(len(many) + 3)
    page.hide()
    assert not page.refreshing.isActive()


def test_ten_thousand_games(opened: Callable[..., Shelf], recorded: Path, qtbot: QtBot) -> None:
    """Only what is looked at is read; recordings that were never scrolled to are protected."""
    fill(history_file(), 100)
    with closing(sqlite3.connect(history_file(), isolation_level=None)) as plain:
        names = [row[1] for row in plain.execute("PRAGMA table_info(games)")][1:]
        moved = ", ".join("at - 6000 * series.value" if name == "at" else name for name in names)
        columns = ", ".join(names)
        plain.execute(
            f"INSERT INTO games ({columns}) WITH RECURSIVE series(value) AS (SELECT 1 UNION ALL "  # noqa: S608
            f"SELECT value + 1 FROM series LIMIT 99) SELECT {moved} FROM series CROSS JOIN games"
        )
    seen = opened()
    page = seen.page
    assert page.cards.figure("Games")[0] == "10,000"
    view = page.view
    qtbot.keyClick(view, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    for _ in range(30):
        qtbot.keyClick(view, Qt.Key.Key_PageUp)
    seen.settle()
    qtbot.keyClick(view, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    last = 9_999 + len(RECORDED)
    qtbot.waitUntil(lambda: page.model.entry(last) is not None)
    assert page.model.entry(last) == game(0, **vars(next(games(1))[0]))
    loaded = sum(page.model.entry(row) is not None for row in range(10_000))
    assert loaded < 5000
    view.selectAll()
    assert len(view.rows_chosen()) == 10_000 + len(RECORDED)
    qtbot.keyClick(view, Qt.Key.Key_K)
    qtbot.waitUntil(lambda: all((recorded / one / "kept").exists() for one in RECORDED))
    qtbot.waitUntil(lambda: not page.loading)


def test_the_graphs_say_what_they_show(
    opened: Callable[..., Shelf], many: list[Entry], qtbot: QtBot
) -> None:
    """They follow the filter and the theme; words say the same to who does not see them."""
    assert many
    seen = opened()
    page = seen.page
    qtbot.keyClick(page, Qt.Key.Key_H, Qt.KeyboardModifier.AltModifier)
    seen.wait_for_graphs()
    assert not page.view.isVisible()
    assert len(page.graphs.rate.curve.getData()[0]) > 100
    assert page.graphs.rate.curve.isVisible()
    graphs = (page.graphs.rate, page.graphs.calibration, page.graphs.times)
    assert not any(takes_wheel(graph.view) for graph in graphs)
    assert "95%" in page.graphs.rate.view.accessibleDescription()
    assert "dashed line crosses" in page.graphs.calibration.words.text()
    won = page.cards.figure("Won")[0]
    assert won in page.graphs.rate.words.text()
    apply(DARK, page)
    assert page.graphs.rate.view.backgroundBrush().color().name() == DARK.card
    page.filters.player.setCurrentText("You")
    seen.settle()
    assert page.cards.figure("Won")[0] != won
    assert page.cards.figure("Won")[0] in page.graphs.rate.words.text()
    page.filters.search.setText("find all mines")
    seen.settle()
    assert seen.notice == "No games match the filters"
    page.filters.clear()
    seen.settle()
    assert page.graphs.isVisible()
    qtbot.keyClick(page, Qt.Key.Key_H, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(page.view.isVisible)


def test_the_history_loads_no_qt_and_the_panel_no_plots() -> None:
    """A run in a terminal loads no widget; the plots are loaded when they are opened."""
    program = (
        "import sys, gui.history.writer, gui.history.statistics, gui.history.store;"
        "early = {name for name in sys.modules if name.startswith('PyQt6')};"
        "import gui.commands.panel, gui.games.games_page;"
        "print(sorted(early | {'pyqtgraph', 'gui.games.graphs'} & set(sys.modules)))"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True,
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
    )  # fmt: skip
    assert loaded.stdout.strip() == "[]"


def test_games_are_found_opened_protected_and_exported(
    shelf: Shelf, recorded: Path, qtbot: QtBot, tmp_path: Path, opened_folders: list[str]
) -> None:
    """By mouse and keyboard: rows with a recording, recordings without a row, rows without one."""
    won, sgt, lost = RECORDED
    page, table, commands = shelf.page, shelf.page.view, shelf.page.controls.commands
    with History.to_write(history_file()) as history:
        history.add([(game(session=won), []), (game(1, session=""), [])])
        history.add([(game(2, session="gone", program="other", window="Other"), [])])

    def listed(words: str, count: int) -> None:
        # The offscreen platform has no window manager that does it.
        page.activateWindow()
        shelf.wait(page.isActiveWindow)
        qtbot.keyClick(table, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
        assert page.filters.search.hasFocus()
        page.filters.search.setText(words)
        shelf.wait(lambda: not page.loading and page.model.rowCount() == count)
        qtbot.keyClick(page.filters.search, Qt.Key.Key_Return)
        assert table.hasFocus() == bool(count)

    page.ask()
    shelf.wait(lambda: not page.loading and page.model.rowCount() == 5)
    assert page.cards.figure("Games")[0] == "3"
    # A game without a recording says why it cannot be opened.
    listed("gone", 1)
    qtbot.keyClick(table, Qt.Key.Key_Return)
    assert "It was deleted, or is in the folder" in shelf.messages[-1]
    page.filters.recording.setCurrentText("Not recorded")
    listed("winemine", 1)
    commands["open"].click()
    assert "was not recorded" in shelf.messages[-1]
    page.filters.clear()
    # A recording without a row is opened, and left again.
    listed("LOST intermediate", 1)
    by = [column.by for column in COLUMNS]
    texts = [page.model.data(page.model.index(0, by.index(name))) for name in ("guesses", "clicks")]
    assert texts == [NOTHING, NOTHING]
    place = table.visualRect(page.model.index(0, 1)).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.mouseDClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    shelf.wait(lambda: page.viewer.film is not None)
    assert "Lost" in page.viewer.title.text()
    assert page.viewer.isVisible()
    qtbot.keyClick(page.viewer, Qt.Key.Key_K)
    shelf.wait((recorded / lost / "kept").exists)
    shelf.wait(page.viewer.keep.isChecked)
    qtbot.keyClick(page.viewer, Qt.Key.Key_Escape)
    assert page.viewer.film is None
    shelf.wait(lambda: not page.loading)
    assert table.hasFocus()
    assert table.rows_chosen() == [0]
    assert commands["keep"].isChecked()
    commands["reveal"].click()
    assert opened_folders == [str(recorded / lost)]
    # The selection is exported, protected and deleted.
    page.exporter.actions["zip"].trigger()
    shelf.choose(tmp_path / "lost.zip")
    shelf.wait(lambda: shelf.messages[-1] == f"Saved to {tmp_path / 'lost.zip'}")
    listed("protected", 0)
    listed("", 5)
    table.selectAll()
    qtbot.keyClick(table, Qt.Key.Key_K)
    shelf.wait((recorded / won / "kept").exists)
    shelf.wait(lambda: not page.loading and commands["keep"].isChecked())
    page.filters.recording.setCurrentText("Protected")
    shelf.wait(lambda: not page.loading and page.model.rowCount() == 3)
    page.filters.recording.setCurrentText("All")
    shelf.wait(lambda: not page.loading and page.model.rowCount() == 5)
    page.menu.actions()[1].trigger()
    shelf.choose(tmp_path / "games.csv")
    shelf.wait(lambda: "3 games saved" in shelf.messages[-1])
    assert len((tmp_path / "games.csv").read_text().splitlines()) == 4
    listed(won, 1)
    qtbot.keyClick(table, Qt.Key.Key_Delete)
    assert f"{recorded / won}?" in shelf.dialogs[0].text()
    assert "1 recording protected" in shelf.dialogs[0].text()
    shelf.press("Cancel")
    commands["delete"].click()
    shelf.press("Only the recordings")
    shelf.wait(lambda: not (recorded / won).exists())
    shelf.wait(lambda: not page.loading and page.model.recording(0) is None)
    assert page.model.rowCount() == 1
    listed(sgt, 1)
    commands["delete"].click()
    shelf.press("Delete")
    shelf.wait(lambda: not (recorded / sgt).exists())
    shelf.wait(lambda: not page.loading and page.model.rowCount() == 0)
    with History.to_read(history_file()) as history:
        assert len(history.numbers()) == 3


def test_a_broken_recording_and_one_from_elsewhere_are_listed(
    shelf: Shelf, recorded: Path, qtbot: QtBot, tmp_path: Path
) -> None:
    """The first says why it cannot be opened; the second stays in the list after it was opened."""
    (recorded / RECORDED[1] / "turns.jsonl").write_bytes(b"nothing\n")
    page = shelf.page
    page.filters.recording.setCurrentText("Broken")
    shelf.wait(lambda: not page.loading and page.model.rowCount() == 1)
    page.view.selectRow(0)
    qtbot.keyClick(page.view, Qt.Key.Key_Return)
    assert "turns.jsonl" in shelf.messages[-1]
    assert page.viewer.film is None
    page.filters.clear()
    other = tmp_path / "elsewhere" / "report"
    shutil.copytree(SESSIONS / "xbomb-large-hint-6", other)
    qtbot.keyClick(page.view, Qt.Key.Key_O, Qt.KeyboardModifier.ControlModifier)
    shelf.choose(other)
    shelf.wait(lambda: page.viewer.film is not None)
    page.viewer.back.click()
    shelf.wait(lambda: not page.loading and page.model.rowCount() == len(RECORDED) + 1)
