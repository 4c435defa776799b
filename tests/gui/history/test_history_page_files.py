"""The page of the history over files that change, are spoiled, or are large."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import (
    QTableView,
)
from pytestqt.qtbot import QtBot

from gui.history.schema import history_file
from gui.history.store import Entry, History
from tests.gui.history.made import fill, game, games
from tests.gui.history.pages import GAMES, Seen, settle


def later(path: Path) -> None:
    """Of a later version."""
    fill(path, 2)
    with closing(sqlite3.connect(path)) as plain:
        plain.execute("PRAGMA user_version = 9")


def broken(path: Path) -> None:
    """No database."""
    path.parent.mkdir()
    path.write_text("no database" * 100)


@pytest.mark.parametrize(
    ("spoil", "words"), [(later, "later version"), (broken, "the history is broken")]
)
def test_a_history_that_cannot_be_read_is_told_once(
    opened: Callable[..., Seen], qtbot: QtBot, spoil: Callable[[Path], None], words: str
) -> None:
    """On the page for as long as it is so, in the banner once; moved away, all is well."""
    spoil(history_file())
    before = history_file().read_bytes()
    seen = opened()
    seen.page.refreshing.setInterval(20)
    seen.page.ask()
    settle(qtbot, seen)
    assert seen.notice == "The history cannot be read"
    assert words in seen.page.advice.text()
    assert [words in failure.message for failure in seen.failures] == [True]
    assert not seen.failures[0].report
    assert history_file().read_bytes() == before
    history_file().rename(history_file().with_name("moved-away"))
    for rest in history_file().parent.glob("history.sqlite-*"):
        rest.unlink()
    fill(history_file(), 3)
    seen.page.ask()
    qtbot.waitUntil(lambda: seen.page.model.rowCount() == 3)
    assert seen.notice == ""


def test_games_that_are_played_meanwhile_are_added(
    opened: Callable[..., Seen], many: list[Entry], qtbot: QtBot
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


def test_a_hundred_thousand_games(opened: Callable[..., Seen], qtbot: QtBot) -> None:
    """The end is as near as the beginning, and only what is looked at is read."""
    fill(history_file(), 100)
    with closing(sqlite3.connect(history_file(), isolation_level=None)) as plain:
        names = [row[1] for row in plain.execute("PRAGMA table_info(games)")][1:]
        moved = ", ".join("at - 6000 * series.value" if name == "at" else name for name in names)
        columns = ", ".join(names)
        plain.execute(
            f"INSERT INTO games ({columns}) WITH RECURSIVE series(value) AS (SELECT 1 UNION ALL "  # noqa: S608
            f"SELECT value + 1 FROM series LIMIT 999) SELECT {moved} FROM series CROSS JOIN games"
        )
    seen = opened()
    page = seen.page
    assert page.cards.figure("Games")[0] == "100,000"
    view = page.view
    qtbot.keyClick(view, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    for _ in range(30):
        qtbot.keyClick(view, Qt.Key.Key_PageUp)
    settle(qtbot, seen)
    qtbot.keyClick(view, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: page.model.entry(99_999) is not None)
    assert page.model.entry(99_999) == game(0, **vars(next(games(1))[0]))
    loaded = sum(page.model.entry(row) is not None for row in range(100_000))
    assert loaded < 5000
    view.selectAll()
    assert len(view.rows_chosen()) == 100_000
