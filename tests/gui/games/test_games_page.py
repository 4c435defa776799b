"""The page of games: what it lists, what is chosen, done with games, and drawn."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from PyQt6.QtCore import QPoint, Qt
from PyQt6.QtWidgets import QTableView
from pytestqt.qtbot import QtBot

from gui.games.games_table import COLUMNS, NOTHING
from gui.history.schema import history_file
from gui.history.store import Entry, History, Player, Result
from gui.panel.theme import DARK, apply
from tests.gui.games.shelf import GAMES, RECORDED, Opened, Shelf
from tests.gui.history.made import fill, game
from tests.gui.panels import takes_wheel
from tests.support.boards import SESSIONS

pytestmark = pytest.mark.long


def test_without_a_game_it_says_so(opened: Opened) -> None:
    """No file is made; there is nothing to export, to replay or to forget."""
    seen = opened()
    assert seen.notice == "No games yet"
    assert not history_file().exists()
    commands = seen.page.controls.commands.items()
    assert [name for name, button in commands if button.isEnabled()] == ["other"]


def test_games_are_listed_newest_first_with_their_figures(
    opened: Opened, many: list[Entry], qtbot: QtBot
) -> None:
    """As the history has them, then by another column."""
    seen = opened()
    seen.page.resize(2400, 740)
    assert seen.column("Began") == [f"{e.started:%Y-%m-%d %H:%M}" for e in many[:20]]
    assert seen.column("Time") == [f"{e.seconds:.2f} s" for e in many[:20]]
    assert [text.split()[1] for text in seen.column("Result")] == [e.result for e in many[:20]]
    assert seen.page.model.rowCount() == GAMES
    won = [e.seconds for e in many if e.result is Result.WON]
    ended = sum(e.result is not Result.STOPPED for e in many)
    cards = seen.page.cards
    assert cards.figure("Games") == (f"{GAMES}", f"{GAMES - ended} unfinished")
    assert cards.figure("Won")[0] == f"{len(won) / ended:.1%}"
    assert cards.figure("Fastest win")[0] == f"{min(won):.2f} s"
    # A click on a column's title sorts by it and shows the top, a second one the other way.
    header = seen.page.view.horizontalHeader()
    number = [column.title for column in COLUMNS].index("Time")
    place = QPoint(header.sectionViewportPosition(number) + 12, 8)
    times = [e.seconds for e in many]
    for top in (max(times), min(times)):
        qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)
        seen.settle()
        assert seen.column("Time")[0] == f"{top:.2f} s"
        assert seen.page.view.rows_seen()[0] == 0


def test_a_choice_shows_the_games_that_agree(
    opened: Opened, many: list[Entry], qtbot: QtBot
) -> None:
    """By a choice or by words; and 'Clear filters' shows the others again."""
    seen = opened()
    filters = seen.page.filters
    for box, text, agrees in (
        ("search", "exact", lambda e: e.solver == "exact"),
        ("player", "You", lambda e: e.player is Player.USER),
        ("result", "Lost", lambda e: e.result is Result.LOST),
        ("span", "7 days", lambda _e: False),
    ):
        assert not filters.everything.isEnabled()
        if box == "search":
            qtbot.keyClicks(filters.search, text)
        else:
            getattr(filters, box).setCurrentText(text)
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


def test_unreadable_history_is_reported_once(opened: Opened, qtbot: QtBot) -> None:
    """On the page for as long as it is so, in the banner once; moved away, all is well."""
    history_file().parent.mkdir()
    history_file().write_text("no database" * 100, encoding="utf-8")
    seen = opened()
    seen.page.refreshing.setInterval(20)
    seen.page.ask()
    seen.settle()
    assert seen.notice == "The history cannot be read"
    (failure,) = seen.failed
    assert "the history is broken" in failure.message
    assert seen.page.advice.text() == failure.message
    assert not failure.report
    seen.page.refreshing.stop()
    seen.settle()

    def removed() -> bool:
        # Windows removes no file that is being read.
        with suppress(PermissionError):
            for file in history_file().parent.glob("history.sqlite*"):
                file.unlink()
        return not history_file().exists()

    qtbot.waitUntil(removed)
    fill(history_file(), 3)
    seen.page.ask()
    qtbot.waitUntil(lambda: seen.page.model.rowCount() == 3)
    assert seen.notice == ""


def test_games_that_are_played_meanwhile_are_added(
    opened: Opened, many: list[Entry], qtbot: QtBot
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


def test_ten_thousand_games(opened: Opened, recorded: Path, qtbot: QtBot) -> None:
    """Only what is looked at is read; recordings that were never scrolled to are protected."""
    with History.to_write(history_file()) as history:
        history.add((game(minute), []) for minute in range(10_000))
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
    assert page.model.entry(last) == game(0)
    loaded = sum(page.model.entry(row) is not None for row in range(10_000))
    assert loaded < 5000
    view.selectAll()
    assert len(view.rows_chosen()) == 10_000 + len(RECORDED)
    qtbot.keyClick(view, Qt.Key.Key_K)
    qtbot.waitUntil(lambda: all((recorded / one / "kept").exists() for one in RECORDED))
    qtbot.waitUntil(lambda: not page.loading)


def test_the_graphs_say_what_they_show(opened: Opened, many: list[Entry], qtbot: QtBot) -> None:
    """They follow the filter and the theme; words say the same to who does not see them."""
    assert many
    seen = opened()
    page = seen.page
    qtbot.keyClick(page, Qt.Key.Key_H, Qt.KeyboardModifier.AltModifier)
    seen.wait(lambda: page.graphs is not None and page.graphs.isVisible())
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
        # The offscreen platform has no window manager that does it after a dialog.
        page.activateWindow()
        shelf.wait(page.isActiveWindow)
        qtbot.keyClick(table, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
        assert page.filters.search.hasFocus()
        page.filters.search.setText(words)
        shelf.wait_for_rows(count)
        qtbot.keyClick(page.filters.search, Qt.Key.Key_Return)
        assert table.hasFocus() == bool(count)

    page.ask()
    shelf.wait_for_rows(5)
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
    assert shelf.column("Guesses") == shelf.column("Clicks") == [NOTHING]
    place = table.visualRect(page.model.index(0, 1)).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.mouseDClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    shelf.wait(lambda: page.viewer.film is not None)
    assert "Lost" in page.viewer.title.text()
    qtbot.keyClick(page.viewer, Qt.Key.Key_K)
    shelf.wait((recorded / lost / "kept").exists)
    shelf.wait(lambda: "protected" in page.viewer.title.toolTip())
    assert page.viewer.keep.isChecked()
    qtbot.keyClick(page.viewer, Qt.Key.Key_Escape)
    shelf.wait(lambda: not page.loading)
    assert page.viewer.film is None
    assert table.hasFocus()
    assert table.rows_chosen() == [0]
    assert commands["keep"].isChecked()
    commands["reveal"].click()
    assert opened_folders == [str(recorded / lost)]
    # The selection is protected, exported and deleted.
    listed("protected", 0)
    listed("", 5)
    table.selectAll()
    qtbot.keyClick(table, Qt.Key.Key_K)
    shelf.wait((recorded / won / "kept").exists)
    shelf.wait(lambda: not page.loading and commands["keep"].isChecked())
    for state, count in (("Protected", 3), ("All", 5)):
        page.filters.recording.setCurrentText(state)
        shelf.wait_for_rows(count)
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
    listed(sgt, 1)
    commands["delete"].click()
    shelf.press("Delete")
    shelf.wait(lambda: not (recorded / sgt).exists())
    shelf.wait_for_rows(0)
    with History.to_read(history_file()) as history:
        assert len(history.numbers()) == 3


def test_a_broken_recording_and_one_from_elsewhere_are_listed(
    shelf: Shelf, recorded: Path, qtbot: QtBot, tmp_path: Path
) -> None:
    """The first says why it cannot be opened; the second stays in the list after it was opened."""
    (recorded / RECORDED[1] / "turns.jsonl").write_bytes(b"nothing\n")
    page = shelf.page
    page.filters.recording.setCurrentText("Broken")
    shelf.wait_for_rows(1)
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
    shelf.wait_for_rows(len(RECORDED) + 1)
