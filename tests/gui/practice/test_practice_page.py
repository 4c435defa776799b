"""The page Practice, by mouse and by keyboard."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtTest import QTest
from pytestqt.qtbot import QtBot

from bot.analysis import Limit
from bot.board import COVERED, FLAG, Cell
from bot.frame import Status
from bot.solver import exact
from gui.history.schema import history_file
from gui.history.store import History, Result, today
from gui.panel import Panel
from gui.panel.boardview import BoardView
from gui.practice.board_part import BoardPart
from gui.practice.practice_page import PracticePage
from tests.gui.panels import PATIENCE, Shown
from tests.gui.practice.made import MISSED, play
from tests.gui.tabletop import Tabletop

pytestmark = pytest.mark.long

LEFT, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton
OTHER = ("#1#/12#/.1#", "*1#/12#/.1!")
"""A proved mine was opened, of 2 mines, although a single hint proves a cell safe."""
Opened = Callable[[], PracticePage]


@pytest.fixture
def panel(shown: Shown, sessions: Path) -> Panel:
    """A panel with a home of its own."""
    assert sessions
    return shown(Tabletop())


@pytest.fixture
def opened(panel: Panel, qtbot: QtBot) -> Opened:
    """Opens the page, and waits until a puzzle is shown."""

    def open_page() -> PracticePage:
        panel.shell.open("practice")
        page = panel.shell.page("practice")
        settled(qtbot, page)
        return page

    return open_page


def settled(qtbot: QtBot, page: PracticePage) -> None:
    """Wait until a puzzle, or the daily board, can be answered, and all is written."""
    qtbot.waitUntil(
        lambda: (
            page.puzzles.analysis is not None
            and not page.puzzles.busy
            and not page.daily.busy
            and not page.context.jobs.running
        ),
        timeout=PATIENCE,
    )


def click(view: BoardView, cell: tuple[int, int], button: Qt.MouseButton = LEFT) -> None:
    """Click on a cell."""
    QTest.mouseClick(view, button, pos=view.place().cell(Cell(*cell)).center().toPoint())


def walk(qtbot: QtBot, part: BoardPart, to: Cell) -> None:
    """Move the cursor to a cell with the arrow keys."""
    part.view.setFocus()
    for _ in range(100):
        cell = part.input.cell
        if cell == to:
            return
        key = Qt.Key.Key_Right
        if cell is not None and cell.row != to.row:
            key = Qt.Key.Key_Down if cell.row < to.row else Qt.Key.Key_Up
        elif cell is not None and cell.col > to.col:
            key = Qt.Key.Key_Left
        qtbot.keyClick(part.view, key)
    raise AssertionError


def test_examples_are_shown_before_any_game(panel: Panel, opened: Opened, qtbot: QtBot) -> None:
    """It says that they are examples; the history shows the progress once one is answered."""
    page = opened()
    part = page.puzzles
    assert part.count.text() == "8 of 8 due today\n40 mines on the board"
    assert "This is an example" in part.notice.text()
    assert part.title.text() == "Find a safe cell"
    panel.shell.open("games")
    history = panel.shell.page("games")
    qtbot.waitUntil(lambda: history.answer is not None, timeout=PATIENCE)
    assert not history.practice.isVisible()
    panel.shell.open("practice")
    settled(qtbot, page)
    part.answer(part.analysis.best)
    settled(qtbot, page)
    panel.shell.open("games")
    qtbot.waitUntil(history.practice.isVisible, timeout=PATIENCE)
    assert history.practice.text() == ("Practice: 1 position solved, 1 today; 7 of 8 due.")


def test_own_positions_are_answered_by_keyboard(
    opened: Opened, sessions: Path, qtbot: QtBot
) -> None:
    """They come before the examples. A wrong answer counts though the next one is right.

    It shows the risk and not the solution. S shows the solution, and counts as a mistake; N shows
    the next position; each pattern can be practised alone.
    """
    play(sessions, "missed", MISSED, 3)
    play(sessions, "other", OTHER, 2)
    page = opened()
    part = page.puzzles
    assert part.count.text().startswith("10 of 10 due today\n")
    texts = [part.pattern.itemText(row) for row in range(part.pattern.count())]
    assert texts[0] == "All patterns (10)"
    assert "A number that has all its mines (1)" in texts
    first, place = part.puzzle, part.next.pos()
    walk(qtbot, part, Cell(3, 2))
    qtbot.keyClick(part.view, Qt.Key.Key_Space)
    assert part.title.text() == "Wrong"
    assert part.reason.text().startswith("Row 4, column 3: ")
    assert "% mine. Another cell is proved safe" in part.reason.text()
    assert part.view.turn.analysis is None
    walk(qtbot, part, Cell(2, 0))
    qtbot.keyClick(part.view, Qt.Key.Key_Return)
    assert part.title.text() == "Right"
    qtbot.waitUntil(lambda: part.count.height() >= part.count.heightForWidth(part.count.width()))
    assert part.next.pos() == place, "the longer text moved the button from under the pointer"
    tomorrow = today() + timedelta(days=1)
    again = f"of 10 due today. This one again on {tomorrow}\n"
    assert part.count.text().startswith(f"9 {again}")
    qtbot.keyClick(part.view, Qt.Key.Key_N)
    settled(qtbot, page)
    assert part.puzzle.board != first.board
    assert part.puzzle.day
    qtbot.keyClick(part.view, Qt.Key.Key_S)
    assert part.title.text() == "Solution"
    assert part.count.text().startswith(f"8 {again}")
    settled(qtbot, page)
    with History.to_read(history_file()) as history:
        attempts = [one for puzzle in history.puzzles() for one in puzzle.attempts]
    assert [attempt.solved for attempt in attempts] == [False, False]
    part.pattern.setCurrentIndex(part.pattern.findData(first.pattern))
    settled(qtbot, page)
    assert part.puzzle.pattern == first.pattern


def test_the_daily_board_is_won_and_kept(panel: Panel, opened: Opened, qtbot: QtBot) -> None:
    """By the keyboard at first, then by mouse; the result is in the list and in the history."""
    page = opened()
    qtbot.keyClick(panel, Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
    part = page.daily
    part.level.setCurrentText("Beginner")
    settled(qtbot, page)
    assert part.results.item(0).text() == "No results yet"
    game, view = part.game, part.view
    assert view.isVisible()
    assert part.title.text() == "Begin at row 5, column 5"
    click(view, (0, 0))
    assert part.title.text() == "Open the marked cell first"
    walk(qtbot, part, game.start)
    qtbot.keyClick(view, Qt.Key.Key_Space)
    assert part.title.text() == "Playing"
    assert "3BV: 1 of " in part.figures.text()
    while game.status is Status.PLAYING:
        safe = exact.solve(game.board, Limit()).safe
        assert safe, "no guess is needed"
        for cell in safe:
            if game.board.unopened[cell]:
                click(view, cell)
    assert part.title.text().startswith("Won in ")
    assert view.accessibleDescription() == part.title.text()
    settled(qtbot, page)
    assert "beginner: won in " in part.results.item(0).text()
    with History.to_read(history_file()) as history:
        (entry,) = history.entries(history.numbers().tolist()).values()
    assert (entry.program, entry.result, entry.level) == ("daily-board", Result.WON, "beginner")


def test_a_lost_daily_board_is_started_again(panel: Panel, opened: Opened, qtbot: QtBot) -> None:
    """The right button and F flag; R starts the same board again; elsewhere the time stands."""
    page = opened()
    page.show_daily.click()
    settled(qtbot, page)
    part, view = page.daily, page.daily.view
    game = part.game
    assert not part.again.isEnabled()
    click(view, game.start)
    opened_board = game.board
    for leave, come_back in (
        (partial(panel.shell.open, "help"), partial(panel.shell.open, "practice")),
        (page.show_puzzles.click, page.show_daily.click),
    ):
        leave()
        before = game.seconds
        assert game.seconds == before
        come_back()
        qtbot.waitUntil(lambda before=before: game.seconds > before)
    covered = list(game.board.cells(COVERED))
    click(view, covered[0], RIGHT)
    assert game.board[covered[0]] == FLAG
    walk(qtbot, part, covered[0])
    qtbot.keyClick(view, Qt.Key.Key_F)
    assert game.board == opened_board
    for cell in covered:
        if not game.status.over:
            click(view, cell)
    assert part.title.text().startswith("Lost")
    settled(qtbot, page)
    assert "lost after" in part.results.item(0).text()
    qtbot.keyClick(panel, Qt.Key.Key_R)
    assert game.board.unopened.all()
    click(view, game.start)
    assert np.array_equal(game.board.tiles, opened_board.tiles)


def test_a_cancelled_search_leaves_the_examples(panel: Panel, sessions: Path, qtbot: QtBot) -> None:
    """The games are searched at the next visit, a daily board by Restart."""
    for number in range(20):
        play(sessions, f"game-{number}", MISSED, 3)
    panel.shell.open("practice")
    page = panel.shell.page("practice")
    qtbot.waitUntil(lambda: page.bar.words.text() == "Searching your games", timeout=PATIENCE)
    assert page.puzzles.title.text() == "Searching your games"
    page.bar.cancel.click()
    settled(qtbot, page)
    assert page.puzzles.puzzle is not None
    page.puzzles.next.click()
    assert page.puzzles.title.text() == "Analysing the position"
    page.show_daily.click()
    part = page.daily
    part.level.setCurrentText("Expert")
    assert part.busy
    page.bar.cancel.click()
    assert not part.busy
    assert part.game is None
    assert "Restart" in part.title.text()
    part.again.click()
    settled(qtbot, page)
    assert part.game is not None
