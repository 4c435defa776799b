"""The selected board is analysed before anything is started."""

from __future__ import annotations

import numpy as np
from pytestqt.qtbot import QtBot

from bot.board import Cell
from bot.game import BEGINNER, INTERMEDIATE
from bot.solver.exact import solve
from tests.gui.panels import PATIENCE, Shown, idle, playing
from tests.gui.tabletop import Tabletop


def test_the_selected_board_is_analysed_at_once(shown: Shown, qtbot: QtBot) -> None:
    """With its probabilities and the reason; then another one, and the turns of a run."""
    table = Tabletop(BEGINNER, INTERMEDIATE)
    table.live = (Cell(0, 0),)
    panel = shown(table)
    surface = panel.surface
    surface.chooser.select_board(table.candidate(0))
    qtbot.waitUntil(lambda: surface.board_shown, timeout=PATIENCE)
    turn = surface.view.turn
    assert turn is not None
    assert turn.analysis is not None
    exact = solve(turn.reading.board).mine_probability
    assert np.allclose(turn.analysis.mine_probability, exact, equal_nan=True)
    assert turn.reading.board.rows == BEGINNER.rows
    assert surface.details.reason.text()
    assert surface.controls.play.isEnabled()
    surface.chooser.select_board(table.candidate(1))
    qtbot.waitUntil(
        lambda: (
            surface.view.turn is not None
            and surface.view.turn.reading.board.rows == INTERMEDIATE.rows
        ),
        timeout=PATIENCE,
    )
    panel.start()
    playing(qtbot, panel)
    panel.stop()
    idle(qtbot, panel)


def test_a_board_that_cannot_be_read_shows_the_first_steps(shown: Shown, qtbot: QtBot) -> None:
    """Until it can be."""
    table = Tabletop(BEGINNER)
    panel = shown(table)
    looks = table.looks
    panel.look()
    qtbot.waitUntil(lambda: table.looks > looks, timeout=PATIENCE)
    assert not panel.surface.board_shown
    table.live = ()
    qtbot.waitUntil(lambda: panel.surface.board_shown, timeout=PATIENCE)
