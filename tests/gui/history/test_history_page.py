"""The page of the history: what it shows, and what can be chosen."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PyQt6.QtCore import QPoint, Qt
from PyQt6.QtWidgets import (
    QComboBox,
)
from pytestqt.qtbot import QtBot

from bot.game import Rules
from gui.history.games_table import COLUMNS
from gui.history.schema import history_file
from gui.history.store import ORDERS, Entry, Filter, History, Player, Result
from tests.gui.history.pages import GAMES, Seen, settle


def test_without_a_game_it_says_so(opened: Callable[..., Seen]) -> None:
    """No file is made; there is nothing to export, to replay or to forget."""
    seen = opened()
    assert seen.notice == "No games yet"
    assert not history_file().exists()
    controls = seen.page.controls
    assert not any(one.isEnabled() for one in (controls.export, controls.replay, controls.forget))
    assert seen.page.cards.figure("Won")[0] == "\N{EN DASH}"


def test_it_shows_the_newest_games_and_their_figures(
    opened: Callable[..., Seen], many: list[Entry]
) -> None:
    """As the history has them."""
    seen = opened()
    assert seen.column("Began") == [f"{e.started:%Y-%m-%d %H:%M:%S}" for e in many[:20]]
    assert seen.column("Time") == [f"{e.seconds:.2f} s" for e in many[:20]]
    assert [text.split()[1] for text in seen.column("Result")] == [e.result for e in many[:20]]
    assert seen.page.model.rowCount() == GAMES
    won = sum(e.result is Result.WON for e in many)
    ended = sum(e.result is not Result.STOPPED for e in many)
    cards = seen.page.cards
    assert cards.figure("Games") == (f"{GAMES}", f"{GAMES - ended} unfinished")
    assert cards.figure("Won")[0] == f"{won / ended:.1%}"
    assert cards.figure("Fastest win")[0] == (
        f"{min(e.seconds for e in many if e.result is Result.WON):.2f} s"
    )


@pytest.mark.parametrize(
    ("box", "text", "agrees"),
    [
        ("program", "winemine", lambda e: e.program == "winemine"),
        ("board", "9 \N{MULTIPLICATION SIGN} 9, 10 (beginner)", lambda e: e.rows == 9),
        ("solver", "exact", lambda e: e.solver == "exact"),
        ("player", "You", lambda e: e.player is Player.USER),
        ("result", "Lost", lambda e: e.result is Result.LOST),
        ("game", "Find all mines", lambda e: e.rules is Rules.DIGGING),
        ("span", "7 days", lambda _e: False),
    ],
)
def test_a_choice_shows_the_games_that_agree(
    opened: Callable[..., Seen],
    many: list[Entry],
    qtbot: QtBot,
    box: str,
    text: str,
    agrees: Callable[[Entry], bool],
) -> None:
    """And 'Show all' shows the others again; the button counts what is chosen."""
    seen = opened()
    filters, controls = seen.page.filters, seen.page.controls
    chooser: QComboBox = getattr(filters, box)
    assert not filters.everything.isEnabled()
    chooser.setFocus()
    while chooser.currentText() != text:
        before = chooser.currentIndex()
        qtbot.keyClick(chooser, Qt.Key.Key_Down)
        assert chooser.currentIndex() > before
    settle(qtbot, seen)
    assert chooser.currentText() == text
    expected = [e for e in many if agrees(e)]
    assert seen.page.model.rowCount() == len(expected)
    assert seen.page.cards.figure("Games")[0] == str(len(expected))
    assert seen.column("Window") == [e.window for e in expected[:20]]
    assert (seen.notice == "No games match the filters") == (not expected)
    assert controls.filter.text() == "&Filter (1)"
    qtbot.keyClick(seen.page, Qt.Key.Key_L, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: seen.page.model.rowCount() == GAMES)
    assert (seen.notice, controls.filter.text()) == ("", "&Filter")


def test_a_choice_that_is_gone_stays_to_be_seen(
    opened: Callable[..., Seen], many: list[Entry], qtbot: QtBot
) -> None:
    """All games of a program were forgotten meanwhile: it is not another one that is shown."""
    assert many
    seen = opened()
    program = seen.page.filters.program
    program.setCurrentText("gnome-mines")
    settle(qtbot, seen)
    with History.to_write(history_file()) as history:
        history.forget(history.numbers(Filter(program="gnome-mines")).tolist())
    seen.page.ask()
    settle(qtbot, seen)
    assert program.currentText() == "gnome-mines"
    assert seen.notice == "No games match the filters"


@pytest.mark.parametrize("number", range(len(COLUMNS)))
def test_a_click_on_a_title_sorts(
    opened: Callable[..., Seen], many: list[Entry], qtbot: QtBot, number: int
) -> None:
    """By that column, and by a second click the other way."""
    assert many
    seen = opened(2400)
    header = seen.page.view.horizontalHeader()
    viewport = header.viewport()
    by = COLUMNS[number].by
    assert by in ORDERS
    for _ in range(2):
        place = QPoint(header.sectionViewportPosition(number) + 12, 8)
        qtbot.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=place)
        settle(qtbot, seen)
        order = seen.page.model.order
        assert order.by == by
        falling = header.sortIndicatorOrder() is Qt.SortOrder.DescendingOrder
        assert order.falling == falling
        with History.to_read(history_file()) as history:
            assert seen.page.model.numbers.tolist() == history.numbers(order=order).tolist()
