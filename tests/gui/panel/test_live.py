"""The selected board is analysed before anything is started."""

from __future__ import annotations

from PyQt6.QtCore import Qt
from pytestqt.qtbot import QtBot

from bot.game import BEGINNER, INTERMEDIATE
from bot.loop import Turn
from gui.runner.protocol import Candidate
from gui.settings import Settings
from tests.gui.panels import PATIENCE, Shown, idle, playing
from tests.gui.tabletop import Tabletop


def test_a_covered_board_says_so_in_place_of_another(shown: Shown, qtbot: QtBot) -> None:
    """With what to do; the board that was shown before is gone."""
    table = Tabletop(BEGINNER, INTERMEDIATE)
    panel = shown(table)
    surface = panel.surface
    looks = table.looks
    panel.look()
    qtbot.waitUntil(lambda: table.looks > looks, timeout=PATIENCE)
    assert not surface.board_shown, "it has not been read yet"
    table.live = ()
    surface.chooser.select_board(table.candidate(0))
    qtbot.waitUntil(lambda: surface.board_shown, timeout=PATIENCE)
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
    qtbot.waitUntil(lambda: "board hidden" not in view.item(0).text(), timeout=PATIENCE)
    panel.stop()
    idle(qtbot, panel)
    table.covered_boards = table.hidden_boards = False
    panel.look()
    qtbot.waitUntil(lambda: surface.empty.title.text() == "Ready to play")


class Changing(Tabletop):
    """A screen whose board has always changed."""

    def analyse(self, candidate: Candidate, solver_name: str, fresh: bool) -> Turn | None:
        """Analyse the board."""
        del fresh
        return super().analyse(candidate, solver_name, fresh=True)


def test_a_watched_board_shows_its_own_values(shown: Shown, qtbot: QtBot) -> None:
    """Those of the run before stay beside the board on which it ended only."""
    table = Changing(BEGINNER)
    panel = shown(table, Settings(games=1, theme="light"))
    details = panel.surface.details
    panel.start()
    playing(qtbot, panel, 1)
    idle(qtbot, panel)
    assert details.game.value("Status") in ("Won", "Lost")
    turn = panel.surface.view.turn
    assert turn is not None
    details.show_live(turn, panel.settings.rules)
    assert details.game.value("Turn") == str(turn.number)
    assert details.game.value("Status") in ("Won", "Lost")
    table.live = ()
    qtbot.waitUntil(lambda: details.game.value("Status") == "Watched", timeout=PATIENCE)
    assert details.game.value("Mines") == "10"
    assert details.game.value("Turn") == "\N{EN DASH}"
