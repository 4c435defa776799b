"""The list of windows: found, chosen, analysed; the simulated window among them."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest
from PyQt6.QtCore import QItemSelectionModel, Qt
from pytestqt.qtbot import QtBot

from bot.game import BEGINNER, EXPERT, INTERMEDIATE, Level
from gui.panel import board_search
from gui.panel.play_page import SIMULATED
from gui.runner.protocol import State
from gui.settings import Settings
from tests.gui import panels
from tests.gui.tabletop import Tabletop

# The list of windows


def test_boards_are_listed_with_all_that_is_known(shown: panels.Shown, qtbot: QtBot) -> None:
    """Each with a picture, the first one chosen; equal names are numbered.

    A board keeps its row, whichever window is in front, and stays chosen by what it is.
    """
    table = Tabletop(EXPERT, BEGINNER, BEGINNER)
    panel = shown(table)
    chooser, view = panel.surface.chooser, panel.surface.chooser.view
    titles = [view.item(row).text().splitlines()[0] for row in range(view.count())]
    beginners = ["Tabletop beginner (1)", "Tabletop beginner (2)"]
    assert titles == ["Tabletop expert", *beginners, SIMULATED]
    spoken = view.item(0).data(Qt.ItemDataRole.AccessibleTextRole)
    for part in ("Tabletop expert", "classic", "30", "16", "99 mines"):
        assert part in spoken
    assert not view.item(0).icon().isNull()
    assert chooser.current.cols == 30
    assert panels.title(panel) == "Ready to play"
    # A screen reader selects a row without making it the current one.
    row, select = view.model().index(1, 0), QItemSelectionModel.SelectionFlag.ClearAndSelect
    view.selectionModel().select(row, select)
    qtbot.waitUntil(lambda: chooser.current.key == ("beginner", 1))
    keys, boards, looks = [board.key for board in chooser.found], table.boards, table.looks
    table.boards = lambda *how: replace(boards(*how), boards=boards(*how).boards[::-1])
    qtbot.waitUntil(lambda: panel.look() or table.looks > looks + 4)
    assert [board.key for board in chooser.found] == keys
    assert chooser.current.key == ("beginner", 1)


def test_boards_are_searched_for_unless_a_game_is_played(
    shown: panels.Shown, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every few seconds, in likely windows alone; by Refresh in all; and when a run has ended."""
    monkeypatch.setattr(board_search, "LOOK_EVERY", 5)
    table = Tabletop()
    panel = shown(table, Settings(games=None, theme="light"))
    table.levels.append(BEGINNER)
    chooser = panel.surface.chooser
    qtbot.waitUntil(lambda: chooser.current is not None)
    assert (table.thorough, table.released) == (0, 0)
    chooser.refresh.click()
    qtbot.waitUntil(lambda: table.thorough == 1)
    assert table.released == 0
    panel.start()
    panels.playing(qtbot, panel)
    assert table.released > 0
    # One may have been asked for just before.
    looks = table.looks + 1
    panels.playing(qtbot, panel, panel.statistics.turns + 30)
    assert table.looks <= looks
    table.look = "flat"
    panel.stop()
    qtbot.waitUntil(lambda: chooser.found[0].skin == "flat")


def test_a_window_without_a_recognised_board_is_chosen(shown: panels.Shown, qtbot: QtBot) -> None:
    """Listed if the user wants that, with what to do; gone if not."""
    table = Tabletop(BEGINNER)
    table.others = ("Mines & more",)
    panel = shown(table)
    chooser = panel.surface.chooser
    assert len(chooser.found) == 1
    chooser.every.click()
    qtbot.waitUntil(lambda: len(chooser.found) == 2)
    chooser.select(1)
    assert "No board recognised" in chooser.view.item(1).text()
    assert panels.title(panel) == "No board recognised in this window"
    chooser.every.click()
    qtbot.waitUntil(lambda: len(chooser.found) == 1)


def test_unplayable_boards_are_reported(shown: panels.Shown, qtbot: QtBot) -> None:
    """In place of 'none found', below the list where others can be, and no longer than true."""
    cover = "'Notes' covers part of a board of skin 'classic', or touches it: move it aside"
    table = Tabletop()
    table.unplayable = (cover,)
    panel = shown(table)
    chooser, remarks = panel.surface.chooser, panel.surface.chooser.remarks
    assert panels.title(panel) == "No board that can be played"
    assert "'Notes' covers part" in panel.surface.empty.advice.text()
    assert not remarks.isVisibleTo(chooser)
    table.levels.append(BEGINNER)
    panel.look()
    qtbot.waitUntil(lambda: chooser.current is not None)
    assert panels.title(panel) == "Ready to play"
    assert remarks.isVisibleTo(chooser)
    assert remarks.text() == f"{cover}."
    table.unplayable = ()
    qtbot.waitUntil(lambda: panel.look() or not remarks.isVisibleTo(chooser))


def test_what_fails_in_every_search_is_reported_once(shown: panels.Shown, qtbot: QtBot) -> None:
    """It does not come back after it was dismissed. With an unusable skin all else goes on."""
    table = Tabletop(BEGINNER)
    table.broken = ("skins/taught/covered.png is missing",)
    panel = shown(table)
    dismiss = panel.surface.banner.dismiss

    def look_again() -> None:
        looks = table.looks
        qtbot.waitUntil(lambda: panel.look() or table.looks > looks + 1)

    assert "skins/taught/covered.png is missing" in panels.message(panel)
    assert panel.surface.chooser.current is not None
    dismiss.click()
    look_again()
    assert panels.message(panel) == ""
    table.broken += ("skins/other/skin.toml is not TOML",)
    qtbot.waitUntil(lambda: panel.look() or "skins/other" in panels.message(panel))
    table.broken = ()
    qtbot.waitUntil(lambda: panel.look() or panels.message(panel) == "")
    table.levels, table.error = [], RuntimeError("the screen cannot be read")
    qtbot.waitUntil(lambda: panel.look() or "cannot be read" in panels.message(panel))
    assert table.threads["failure"] is not threading.main_thread()
    assert panels.title(panel) == "The screen could not be searched"
    dismiss.click()
    look_again()
    assert panels.message(panel) == ""
    table.error, table.levels = None, [BEGINNER]
    qtbot.waitUntil(lambda: panel.look() or panels.title(panel) == "Ready to play")
    assert panels.message(panel) == ""


def test_a_board_that_went_away_is_not_replaced(shown: panels.Shown, qtbot: QtBot) -> None:
    """Play says so and opens nothing; who chooses the simulated window gets it."""
    table = Tabletop(BEGINNER)
    panel = shown(table)
    chooser = panel.surface.chooser
    key = chooser.current.key
    table.live = ()
    qtbot.waitUntil(lambda: panel.surface.board_shown)
    table.levels.clear()
    qtbot.waitUntil(lambda: panel.look() or chooser.current is None)
    assert not panel.surface.board_shown
    assert panels.title(panel) == "No board to show"
    panel.surface.controls.play.click()
    assert "'Tabletop beginner' shows no board" in panels.message(panel)
    assert not chooser.view.currentIndex().isValid()
    assert "'Tabletop beginner' shows no board" in panel.surface.empty.advice.text()
    assert "choose another window" in panel.surface.controls.play.toolTip()
    assert table.simulators == 0
    table.closed = frozenset({key})
    closed = "'Tabletop beginner' was closed"
    qtbot.waitUntil(lambda: panel.look() or closed in panel.surface.empty.advice.text())
    panel.surface.controls.play.click()
    assert closed in panels.message(panel)
    table.levels.append(BEGINNER)
    qtbot.waitUntil(lambda: panel.look() or chooser.current is not None)
    assert panels.message(panel) == ""
    table.levels.clear()
    qtbot.waitUntil(lambda: panel.look() or chooser.current is None)
    place = chooser.view.visualItemRect(chooser.view.item(0)).center()
    qtbot.mouseClick(chooser.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert chooser.lost == ""


# The selected board, analysed before anything is started


def test_a_covered_board_says_so_in_place_of_another(shown: panels.Shown, qtbot: QtBot) -> None:
    """With what to do; the board that was shown before is gone."""
    table = Tabletop(BEGINNER, INTERMEDIATE)
    panel = shown(table)
    surface = panel.surface
    looks = table.looks
    panel.look()
    qtbot.waitUntil(lambda: table.looks > looks, timeout=panels.PATIENCE)
    assert not surface.board_shown, "it has not been read yet"
    table.live = ()
    surface.chooser.select_board(table.candidate(0))
    qtbot.waitUntil(lambda: surface.board_shown, timeout=panels.PATIENCE)
    table.live, table.covered_boards = None, True
    panel.look()
    qtbot.waitUntil(lambda: all(one.covered for one in surface.chooser.found))
    view = surface.chooser.view
    for row in (1, 0, 0):
        place = view.visualItemRect(view.item(row)).center()
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
        assert not surface.board_shown
        assert surface.view.turn is None
        assert surface.empty.title.text() == "The game's window is not fully visible"
        assert "Play (F5)" in surface.empty.advice.text()
    table.hidden_boards = True
    panel.look()
    qtbot.waitUntil(lambda: surface.empty.title.text() == "This game hides its board")
    assert "resume it" in surface.empty.advice.text()
    assert "board hidden" in view.item(0).text()
    panel.start(paused=True)
    qtbot.waitUntil(lambda: "board hidden" not in view.item(0).text(), timeout=panels.PATIENCE)
    panel.stop()
    panels.idle(qtbot, panel)
    table.covered_boards = table.hidden_boards = False
    panel.look()
    qtbot.waitUntil(lambda: surface.empty.title.text() == "Ready to play")


def test_a_watched_board_shows_its_own_values(shown: panels.Shown, qtbot: QtBot) -> None:
    """Those of the run before stay beside the board on which it ended only."""
    table = Tabletop(BEGINNER)
    analyse = table.analyse
    # A screen whose board has always changed.
    table.analyse = lambda board, name, fresh: analyse(board, name, fresh=True)  # noqa: ARG005
    panel = shown(table, Settings(games=1, theme="light"))
    details = panel.surface.details
    panel.start()
    panels.playing(qtbot, panel, 1)
    panels.idle(qtbot, panel)
    assert details.game.value("Status") in ("Won", "Lost")
    turn = panel.surface.view.turn
    details.show_live(turn, panel.settings.rules)
    assert details.game.value("Turn") == str(turn.number)
    assert details.game.value("Status") in ("Won", "Lost")
    table.live = ()
    qtbot.waitUntil(lambda: details.game.value("Status") == "Watched", timeout=panels.PATIENCE)
    assert details.game.value("Mines") == "10"
    assert details.game.value("Turn") == "\N{EN DASH}"


# The simulated window


def test_choosing_the_built_in_game_opens_nothing(shown: panels.Shown, qtbot: QtBot) -> None:
    """Play opens it, in another thread, and plays it, even beside another board."""
    table = Tabletop(BEGINNER)
    panel = shown(table)
    view = panel.surface.chooser.view
    place = view.visualRect(view.model().index(1, 0)).center()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.keyClick(view, Qt.Key.Key_Return)
    assert panel.surface.chooser.current is None
    assert panels.title(panel) == "Built-in game"
    qtbot.waitUntil(lambda: panel.look() or table.looks > 2)
    assert table.simulators == 0
    panel.surface.controls.play.click()
    panels.playing(qtbot, panel)
    assert table.simulators == 1
    assert table.threads["open"] is not threading.main_thread()
    assert panel.surface.chooser.current.title == "Tabletop simulated 1"


def test_the_empty_page_offers_the_built_in_game(
    shown: panels.Shown, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says what else to do. A game that does not appear is not played when it comes later."""
    monkeypatch.setattr(board_search, "OPENING_PATIENCE", 1000)
    table = Tabletop()
    table.appears = False
    panel = shown(table)
    surface = panel.surface
    assert panels.title(panel) == "No Minesweeper window found"
    assert "built-in game" in surface.empty.advice.text()
    assert "cells of at least 10 pixels" in surface.empty.advice.text()
    assert "no boards" in surface.status.text()
    qtbot.mouseClick(surface.empty.simulate, Qt.MouseButton.LeftButton)
    assert not surface.controls.play.isEnabled()
    assert "Opening" in surface.status.text()
    qtbot.waitUntil(lambda: table.simulators == 1)
    panels.press(qtbot, panel, Qt.Key.Key_Escape)
    assert surface.controls.play.isEnabled()
    panel.start()
    qtbot.waitUntil(lambda: "cannot be seen" in panels.message(panel))
    assert surface.controls.play.isEnabled()
    table.levels.append(BEGINNER)
    qtbot.waitUntil(lambda: panel.look() or surface.chooser.current is not None)
    assert panel.state is State.IDLE


@pytest.mark.parametrize("open_games", [(BEGINNER,), ()])
def test_play_before_the_search_has_ended_plays_the_game_that_is_found(
    qtbot: QtBot, open_games: tuple[Level, ...]
) -> None:
    """The built-in game is opened only if there is no other."""
    table, go_on = Tabletop(*open_games), threading.Event()
    boards = table.boards
    table.boards = lambda *how: go_on.wait(60) and boards(*how)
    panel = panels.panel_of(table)
    with qtbot.waitSignal(panel.closed):
        panel.show()
        assert panel.surface.controls.play.isEnabled()
        panel.surface.controls.play.click()
        assert "Looking" in panels.title(panel)
        go_on.set()
        panels.playing(qtbot, panel)
        assert table.simulators == (0 if open_games else 1)
        panel.close()
    panel.deleteLater()
