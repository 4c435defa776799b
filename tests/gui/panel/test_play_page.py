"""The list of windows: found, refreshed, chosen; the simulated window among them."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest
from PyQt6.QtCore import QItemSelectionModel, QPoint, QPointF, Qt
from PyQt6.QtGui import QWheelEvent
from PyQt6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from bot.game import BEGINNER, EXPERT, Level
from gui.panel import board_search
from gui.panel.play_page import SIMULATED
from gui.runner.protocol import Found, State
from gui.settings import Settings
from tests.gui import panels
from tests.gui.tabletop import Tabletop

# The list of windows


def test_boards_are_listed_with_all_that_is_known(shown: panels.Shown, qtbot: QtBot) -> None:
    """Title, skin, size and mines of every board, the first one chosen, a picture beside it."""
    panel = shown(Tabletop(EXPERT, BEGINNER))
    view = panel.surface.chooser.view
    assert view.count() == 3
    spoken = view.item(0).data(Qt.ItemDataRole.AccessibleTextRole)
    for part in ("Tabletop expert", "classic", "30", "16", "99 mines"):
        assert part in spoken
    assert not view.item(0).icon().isNull()
    assert view.item(2).text().startswith(SIMULATED)
    assert panel.surface.chooser.current.cols == 30
    assert panels.title(panel) == "Ready to play"
    # A screen reader selects a row without making it the current one.
    row, select = view.model().index(1, 0), QItemSelectionModel.SelectionFlag.ClearAndSelect
    view.selectionModel().select(row, select)
    qtbot.waitUntil(lambda: panel.surface.chooser.current.key == ("beginner", 1))


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
    qtbot.waitUntil(lambda: chooser.current is not None)
    assert len(chooser.found) == 1
    chooser.every.click()
    qtbot.waitUntil(lambda: len(chooser.found) == 2)
    chooser.select(1)
    assert "No board recognised" in chooser.view.item(1).text()
    assert panels.title(panel) == "No board recognised in this window"
    chooser.every.click()
    qtbot.waitUntil(lambda: len(chooser.found) == 1)


def test_failing_search_is_reported_once(shown: panels.Shown, qtbot: QtBot) -> None:
    """What goes wrong at every look does not come back after it was dismissed."""
    table = Tabletop(BEGINNER)
    panel = shown(table)
    table.levels.clear()
    table.error = RuntimeError("the screen cannot be read")
    panel.look()
    qtbot.waitUntil(lambda: "cannot be read" in panels.message(panel))
    assert table.threads["failure"] is not threading.main_thread()
    panel.surface.banner.dismiss.click()
    looks = table.looks
    panel.look()
    qtbot.waitUntil(lambda: table.looks > looks)
    table.error, table.levels = None, [EXPERT]
    # Asked for until the look under way is over.
    qtbot.waitUntil(lambda: panel.look() or panel.surface.chooser.current is not None)
    assert panels.message(panel) == ""
    other = Tabletop()
    other.error = RuntimeError("the screen cannot be read")
    panel = shown(other)
    assert panels.title(panel) == "The screen could not be searched"
    other.error = None
    qtbot.waitUntil(lambda: panel.look() or panels.title(panel) == "No Minesweeper window found")


def test_unplayable_boards_are_reported(shown: panels.Shown, qtbot: QtBot) -> None:
    """In place of 'none found', below the list where others can be, and no longer than true."""
    table = Tabletop()
    table.unplayable = (
        "'Notes' covers part of a board of skin 'classic', or touches it: move it aside",
    )
    panel = shown(table)
    assert panels.title(panel) == "No board that can be played"
    assert "'Notes' covers part" in panel.surface.empty.advice.text()
    remarks = panel.surface.chooser.remarks
    assert not remarks.isVisibleTo(panel.surface.chooser)
    table.levels.append(BEGINNER)
    panel.look()
    qtbot.waitUntil(lambda: panel.surface.chooser.current is not None)
    assert panels.title(panel) == "Ready to play"
    assert remarks.isVisibleTo(panel.surface.chooser)
    assert (
        remarks.text()
        == "'Notes' covers part of a board of skin 'classic', or touches it: move it aside."
    )
    table.unplayable = ()
    qtbot.waitUntil(lambda: panel.look() or not remarks.isVisibleTo(panel.surface.chooser))


def test_unusable_skin_is_reported_once(shown: panels.Shown, qtbot: QtBot) -> None:
    """Everything else goes on; another one is reported again."""
    table = Tabletop(BEGINNER)
    table.broken = ("skins/taught/covered.png is missing",)
    panel = shown(table)
    assert "skins/taught/covered.png is missing" in panels.message(panel)
    assert panel.surface.chooser.current is not None
    panel.surface.banner.dismiss.click()
    looks = table.looks
    panel.look()
    qtbot.waitUntil(lambda: panel.look() or table.looks > looks + 1)
    assert panels.message(panel) == ""
    table.broken += ("skins/other/skin.toml is not TOML",)
    qtbot.waitUntil(lambda: panel.look() or "skins/other" in panels.message(panel))


def test_a_board_that_went_away_is_not_replaced(shown: panels.Shown, qtbot: QtBot) -> None:
    """Play says so and opens nothing; who chooses the simulated window gets it."""
    table = Tabletop(BEGINNER)
    panel = shown(table)
    chooser = panel.surface.chooser
    assert chooser.current is not None
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
    viewport = chooser.view.viewport()
    assert viewport is not None
    place = chooser.view.visualItemRect(chooser.view.item(0)).center()
    qtbot.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=place)
    assert chooser.lost == ""


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


@pytest.mark.parametrize("way", ["play", "page"])
def test_starting_with_none_open_opens_and_plays(
    way: str, shown: panels.Shown, qtbot: QtBot
) -> None:
    """Play, or the button of the empty page, which says what to do: opened, found and played."""
    table = Tabletop()
    panel = shown(table)
    surface = panel.surface
    assert panels.title(panel) == "No Minesweeper window found"
    assert "built-in game" in surface.empty.advice.text()
    assert "cells of at least 10 pixels" in surface.empty.advice.text()
    assert surface.chooser.view.item(0).text().startswith(SIMULATED)
    assert surface.chooser.current is None
    assert "no boards" in surface.status.text()
    button = surface.controls.play if way == "play" else surface.empty.simulate
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert not surface.controls.play.isEnabled()
    assert "Opening" in surface.status.text()
    panels.playing(qtbot, panel)
    assert table.simulators == 1


def test_a_built_in_game_that_does_not_appear(
    shown: panels.Shown, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a while the panel says so; stopped meanwhile, it is not played when it comes."""
    monkeypatch.setattr(board_search, "OPENING_PATIENCE", 1000)
    table = Tabletop()
    table.appears = False
    panel = shown(table)
    panel.start()
    qtbot.waitUntil(lambda: table.simulators == 1)
    panels.press(qtbot, panel, Qt.Key.Key_Escape)
    assert panel.surface.controls.play.isEnabled()
    panel.start()
    qtbot.waitUntil(lambda: "cannot be seen" in panels.message(panel))
    assert panel.surface.controls.play.isEnabled()
    table.levels.append(BEGINNER)
    qtbot.waitUntil(lambda: panel.look() or panel.surface.chooser.current is not None)
    assert panel.state is State.IDLE


class SlowTabletop(Tabletop):
    """A screen whose first search takes until `go_on` is set."""

    def __init__(self, *levels: Level) -> None:
        super().__init__(*levels)
        self.go_on = threading.Event()

    def boards(self, thorough: bool = False, every: bool = False) -> Found:
        """Search the screen."""
        assert self.go_on.wait(60)
        return super().boards(thorough, every)


@pytest.mark.parametrize("open_games", [(BEGINNER,), ()])
def test_play_before_the_search_has_ended_plays_the_game_that_is_found(
    qtbot: QtBot, open_games: tuple[Level, ...]
) -> None:
    """The built-in game is opened only if there is no other."""
    table = SlowTabletop(*open_games)
    panel = panels.panel_of(table)
    with qtbot.waitSignal(panel.closed):
        panel.show()
        assert panel.surface.controls.play.isEnabled()
        panel.surface.controls.play.click()
        assert "Looking" in panels.title(panel)
        table.go_on.set()
        panels.playing(qtbot, panel)
        assert table.simulators == (0 if open_games else 1)
        panel.close()
    panel.deleteLater()


def test_a_click_in_the_groove_moves_the_slider_there(shown: panels.Shown, qtbot: QtBot) -> None:
    """The wheel over it, without the focus, changes nothing."""
    panel = shown(Tabletop(BEGINNER))
    slider = panel.surface.options.pace.slider
    for share, value in ((0.98, slider.maximum()), (0.02, slider.minimum())):
        place = QPoint(round(slider.width() * share), slider.height() // 2)
        qtbot.mouseClick(slider, Qt.MouseButton.LeftButton, pos=place)
        assert slider.value() == value
    panel.surface.controls.play.setFocus()
    at = QPointF(slider.rect().center())
    wheel = QWheelEvent(
        at, slider.mapToGlobal(at), QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(slider, wheel)
    assert slider.value() == slider.minimum()


def test_the_list_keeps_its_order_and_numbers_equal_names(
    shown: panels.Shown, qtbot: QtBot
) -> None:
    """Whichever window is in front; a board stays chosen by what it is, not by its row."""
    table = Tabletop(BEGINNER, BEGINNER)
    panel = shown(table)
    chooser = panel.surface.chooser
    chooser.select(1)
    chosen = chooser.current.key
    titles = ["Tabletop beginner (1)", "Tabletop beginner (2)"]
    assert [chooser.view.item(row).text().splitlines()[0] for row in range(2)] == titles
    keys = [board.key for board in chooser.found]
    boards = table.boards
    table.boards = lambda *how: replace(boards(*how), boards=boards(*how).boards[::-1])
    looks = table.looks
    qtbot.waitUntil(lambda: panel.look() or table.looks > looks + 4)
    assert [board.key for board in chooser.found] == keys
    assert chooser.current.key == chosen
