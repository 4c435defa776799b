"""The panel beside a game that the user plays: advice, the coach's words, every control."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from itertools import product

import numpy as np
import pytest
from PyQt6.QtCore import QPoint, QSize, Qt
from PyQt6.QtGui import QColor, QImage, QPainter
from pytestqt.qtbot import QtBot

from bot.analysis import Limit
from bot.assist.watcher import WatchedTurn
from bot.board import Board, Cell
from bot.game import BEGINNER, Game
from bot.planner import Action, Move
from bot.solver import solver
from gui.images import from_qimage
from gui.panel import Panel
from gui.panel.assist import marks_of, paint_marks, placed, shape_of
from gui.runner.protocol import State
from gui.settings import Settings
from tests.gui import panels
from tests.gui.tabletop import Tabletop
from tests.support.boards import reading_of

pytestmark = pytest.mark.long

GREY = 150


def watching(
    shown: panels.Shown, qtbot: QtBot, table: Tabletop, settings: Settings = panels.ENDLESS
) -> tuple[Panel, list[WatchedTurn]]:
    """A panel that has shown the first turn of the game it watches, and all its turns."""
    panel = shown(table, settings)
    turns: list[WatchedTurn] = []
    panel.turn_played.connect(turns.append)
    panel.surface.controls.assist.click()
    qtbot.waitUntil(lambda: bool(turns) and panel.surface.view.turn is not None)
    return panel, turns


def after(
    qtbot: QtBot, table: Tabletop, turns: list[WatchedTurn], move: Callable[[Game], object]
) -> None:
    """Make a move and wait until it was judged."""
    before = len(turns)
    table.hand.put(move)
    qtbot.waitUntil(lambda: any(turn.verdicts for turn in turns[before:]))


def safe_cells(game: Game) -> list[Cell]:
    """The covered cells without a mine."""
    return [cell for cell in game.board.cells(-1) if not game.layout[cell]]


# Play or assist


def test_the_users_games_and_the_bots_are_counted_apart(shown: panels.Shown, qtbot: QtBot) -> None:
    """F5 plays, F4 assists, each at once: neither leaves anything behind that the other obeys."""
    table = Tabletop(BEGINNER)
    panel = shown(table, Settings(games=2, theme="light"))
    controls, score = panel.surface.controls, panel.surface.details.score
    for key, began, other, games in (
        (Qt.Key.Key_F5, "play", "assist", 2),
        (Qt.Key.Key_F4, "assist", "play", 0),
        (Qt.Key.Key_F5, "play", "assist", 2),
    ):
        table.threads.clear()
        panels.press(qtbot, panel, key)
        assert not controls.play.isEnabled()
        assert not controls.assist.isEnabled()
        qtbot.waitUntil(lambda: panel.statistics.turns > 0)
        if began == "assist":
            qtbot.waitUntil(lambda: score.value("Games") == "0")
            panel.stop()
        panels.idle(qtbot, panel)
        assert began in table.threads
        assert other not in table.threads
        assert panel.statistics.games == games


def test_the_game_of_digging_is_not_watched(shown: panels.Shown, qtbot: QtBot) -> None:
    """Its hunters dig mines on purpose: Assist says so and begins nothing, Play plays."""
    table = Tabletop(BEGINNER)
    panel = shown(table, panels.ENDLESS.model_copy(update={"digging": True}))
    controls = panel.surface.controls
    assert "only with the game 'Minesweeper'" in controls.assist.toolTip()
    controls.assist.click()
    assert "only with the game 'Minesweeper'" in panels.message(panel)
    assert panel.state is State.IDLE
    panels.change(panel, digging=False)
    assert panels.message(panel) == "", "the message goes as soon as that is settled"
    panels.change(panel, digging=True)
    controls.assist.click()
    controls.play.click()
    qtbot.waitUntil(lambda: "play" in table.threads)
    assert "assist" not in table.threads
    assert panels.message(panel) == ""


# What is shown


def test_the_coach_speaks_after_a_move_and_at_the_end(shown: panels.Shown, qtbot: QtBot) -> None:
    """A guess beside proved cells: which one, and why. Then a summary, which a stop leaves."""
    table = Tabletop(BEGINNER, seed=12)
    panel, turns = watching(shown, qtbot, table)
    coach, view = panel.surface.details.coach, panel.surface.view
    assert coach.isVisible()
    after(qtbot, table, turns, lambda game: game.open(Cell(0, 0)))
    assert coach.line.text().startswith("First click")
    assert coach.property("message") == ""
    # The board marks what the user did, not the advice, which was never carried out.
    qtbot.waitUntil(lambda: bool(view.trail))
    ((done,),) = view.trail
    assert turns[1].reading.board[done] == 0

    def needless(game: Game) -> None:
        known = solver("exact").solve(game.board, Limit())
        assert known.safe
        risks = known.mine_probability
        game.open(next(cell for cell in safe_cells(game) if 0 < risks[cell] < 1))

    after(qtbot, table, turns, needless)
    assert "was proved safe" in coach.line.text()
    assert coach.property("message") == "note"
    assert coach.line.accessibleDescription() == coach.line.text()
    assert panel.statistics.guesses == 1
    assert panel.statistics.game_clicks == 2
    table.hand.put(lambda _game: setattr(table, "game", Game.of_level(BEGINNER, 3)))
    qtbot.waitUntil(lambda: not view.trail)

    def win(game: Game) -> None:
        game.open(Cell(0, 0))
        while not game.status.over:
            game.open(safe_cells(game)[0])

    after(qtbot, table, turns, win)
    assert coach.line.text().startswith("Won")
    assert coach.points.isVisible()
    assert coach.statistics.isVisible()
    qtbot.waitUntil(lambda: "Won" in panel.surface.details.reason.text())
    assert "next game" not in panel.surface.details.reason.text()
    panel.stop()
    panels.idle(qtbot, panel)
    assert coach.isVisible()
    assert coach.points.isVisible()
    assert "1 game played, 1 won" in panel.surface.status.text()
    panel.surface.controls.assist.click()
    qtbot.waitUntil(lambda: not coach.points.isVisible())


def test_a_move_that_is_taken_back_after_the_end(shown: panels.Shown, qtbot: QtBot) -> None:
    """The coach no longer says that the game is lost; it stays until the next one begins."""
    table = Tabletop(BEGINNER, seed=12)
    panel, turns = watching(shown, qtbot, table)
    details = panel.surface.details
    after(qtbot, table, turns, lambda game: game.open(Cell(0, 0)))
    before = deepcopy(table.game)

    def lose(game: Game) -> None:
        game.open(next(cell for cell in game.board.cells(-1) if game.layout[cell]))

    after(qtbot, table, turns, lose)
    assert details.coach.line.text().startswith("Lost")
    table.hand.put(lambda _game: setattr(table, "game", deepcopy(before)))
    qtbot.waitUntil(lambda: not details.coach.line.text().startswith("Lost"))
    after(qtbot, table, turns, lose)
    assert details.coach.line.text().startswith("Lost")
    table.hand.put(lambda _game: setattr(table, "game", Game.of_level(BEGINNER, 3)))
    qtbot.waitUntil(lambda: turns[-1].number == 0)
    assert details.coach.line.text().startswith("Lost")


# The marks


def watched(board: str, mines: int) -> WatchedTurn:
    """A turn of such a board."""
    parsed = Board.parse(board, mines)
    analysis = solver("exact").solve(parsed, Limit())
    moves = (Move(Action.OPEN, analysis.best),)
    return WatchedTurn(0, reading_of(parsed), analysis, moves, markable=True)


def test_marks_are_on_proofs_and_cells_beside_hints() -> None:
    """Proofs, cells beside a hint, the one to open; no floating cell, no flag on a proved mine."""
    turn = watched("1##/1##/###/###/###/###", 3)
    risks = {mark.cell: mark.risk for mark in marks_of(turn)}
    assert risks[Cell(2, 0)] == 0.0
    assert 0.0 < risks[Cell(0, 1)] < 1.0
    assert Cell(5, 2) not in risks
    assert sum(mark.best for mark in marks_of(turn)) == 1
    flagged = watched("#F#/12#/.1#", 2)
    assert all(mark.cell != Cell(0, 1) for mark in marks_of(flagged) if mark.risk == 1.0)


@pytest.mark.usefixtures("qtbot")
@pytest.mark.parametrize("scale", [1.0, 0.5])
def test_the_shape_is_that_of_the_marks(scale: float) -> None:
    """Nothing is painted beside it, nothing of the game shows in it, a flag stays visible."""
    turn = watched("1##/1##/###/###", 3)
    region = turn.reading.grid.region
    places = placed(marks_of(turn), turn.reading.grid, scale)
    image = QImage(QSize(region.width, region.height) * scale, QImage.Format.Format_RGB32)
    image.fill(QColor(GREY, GREY, GREY))
    with QPainter(image) as painter:
        paint_marks(painter, places, scale)
    painted = (from_qimage(image) != GREY).any(axis=2)
    shape = shape_of(places, scale)
    inside = np.array(
        [[shape.contains(QPoint(x, y)) for x in range(painted.shape[1])]
         for y in range(painted.shape[0])]
    )  # fmt: skip
    assert (painted == inside).all()
    if scale == 1.0:
        # The cells have 16 pixels: what is left of them is where a flag is drawn.
        for row, col in product(range(4), range(3)):
            middle = np.s_[row * 16 + 8 : row * 16 + 16, col * 16 + 10 : col * 16 + 16]
            assert not inside[middle].any() or (row, col) == (2, 0)
