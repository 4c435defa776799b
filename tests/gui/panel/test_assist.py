"""The panel beside a game that the user plays: advice, the coach's words, every control."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from itertools import product

import numpy as np
import pytest
from PyQt6.QtCore import QPoint, QSize, Qt
from PyQt6.QtGui import QColor, QImage, QPainter, QRegion
from pytestqt.qtbot import QtBot

from bot.analysis import Limit
from bot.assist.watcher import WatchedTurn
from bot.board import Board, Cell
from bot.game import BEGINNER, Game
from bot.loop import Turn
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
) -> tuple[Panel, list[Turn]]:
    """A panel that has shown the first turn of the game it watches, and all its turns."""
    panel = shown(table, settings)
    turns: list[Turn] = []
    panel.turn_played.connect(turns.append)
    panel.surface.controls.assist.click()
    qtbot.waitUntil(lambda: bool(turns) and panel.surface.view.turn is not None)
    return panel, turns


def after(qtbot: QtBot, table: Tabletop, turns: list[Turn], move: Callable[[Game], object]) -> None:
    """Make a move and wait until it was judged."""
    before = len(turns)
    table.hand.put(move)
    qtbot.waitUntil(lambda: any(has_advice(turn) for turn in turns[before:]))


def has_advice(turn: Turn) -> bool:
    """Whether a turn says what the user did."""
    return isinstance(turn, WatchedTurn) and bool(turn.verdicts)


# Play or assist


def test_play_and_assist_each_begin_at_once(shown: panels.Shown, qtbot: QtBot) -> None:
    """F4 assists, F5 plays; neither leaves anything behind that the other one would obey."""
    table = Tabletop(BEGINNER)
    panel = shown(table)
    controls = panel.surface.controls
    for button, key, word in (
        (controls.assist, Qt.Key.Key_F4, "Assist"),
        (controls.play, Qt.Key.Key_F5, "Play"),
    ):
        assert not button.isCheckable()
        assert button.text().startswith(word)
        table.threads.clear()
        panels.press(qtbot, panel, key)
        wanted = {"Assist": "assist", "Play": "play"}[word]
        qtbot.waitUntil(lambda wanted=wanted: wanted in table.threads)
        assert len({"assist", "play"} & table.threads.keys()) == 1
        assert not controls.play.isEnabled()
        assert not controls.assist.isEnabled()
        panel.stop()
        panels.idle(qtbot, panel)


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


def test_the_coach_speaks_after_a_move_that_calls_for_it(shown: panels.Shown, qtbot: QtBot) -> None:
    """A guess while cells are proved safe: which one, and why; a good move is called good."""
    table = Tabletop(BEGINNER, seed=12)
    panel, turns = watching(shown, qtbot, table)
    coach = panel.surface.details.coach
    assert coach.isVisible()
    after(qtbot, table, turns, lambda game: game.open(Cell(0, 0)))
    assert coach.line.text().startswith("First click")
    assert coach.property("message") == ""

    def needless(game: Game) -> None:
        known = solver("exact").solve(game.board, Limit())
        assert known.safe
        risky = [
            cell
            for cell in game.board.cells(-1)
            if 0 < known.mine_probability[cell] < 1
            and game.layout is not None
            and not game.layout[cell]
        ]
        game.open(risky[0])

    # The board marks what the user did, not the advice, which was never carried out.
    view = panel.surface.view
    qtbot.waitUntil(lambda: bool(view.trail))
    ((done,),) = view.trail
    assert turns[1].reading.board[done] == 0
    after(qtbot, table, turns, needless)
    assert "was proved safe" in coach.line.text()
    assert coach.property("message") == "note"
    assert coach.line.accessibleDescription() == coach.line.text()
    assert panel.statistics.guesses == 1
    assert panel.statistics.game_clicks == 2
    table.hand.put(lambda _game: setattr(table, "game", Game.of_level(BEGINNER, 3)))
    qtbot.waitUntil(lambda: not view.trail)


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
    shown_so_far = len(turns)
    table.hand.put(lambda _game: setattr(table, "game", Game.of_level(BEGINNER, 3)))
    qtbot.waitUntil(lambda: len(turns) > shown_so_far and turns[-1].number == 0)
    assert details.coach.line.text().startswith("Lost")


def test_the_users_games_and_the_bots_are_counted_apart(shown: panels.Shown, qtbot: QtBot) -> None:
    """On the same board: another score begins when the other one plays."""
    table = Tabletop(BEGINNER)
    panel = shown(table, Settings(games=2, theme="light"))
    with qtbot.waitSignal(panel.run_finished):
        panel.start()
    assert panel.statistics.games == 2
    panel.surface.controls.assist.click()
    qtbot.waitUntil(lambda: panel.statistics.turns > 0)
    assert panel.statistics.games == 0
    qtbot.waitUntil(lambda: panel.surface.details.score.value("Games") == "0")


def test_the_summary_at_the_end(shown: panels.Shown, qtbot: QtBot) -> None:
    """Won, with the figures and a lesson; it stays when the run is stopped, until the next one."""
    table = Tabletop(BEGINNER)
    panel, turns = watching(shown, qtbot, table)
    coach = panel.surface.details.coach

    def win(game: Game) -> None:
        game.open(Cell(0, 0))
        for cell in game.board.cells(-1):
            if not game.layout[cell] and game.board[cell] < 0:
                game.open(cell)

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


# The marks


def watched(board: str, mines: int) -> WatchedTurn:
    """A turn of such a board."""
    parsed = Board.parse(board, mines)
    analysis = solver("exact").solve(parsed, Limit())
    assert analysis.best is not None
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


def drawn(turn: WatchedTurn, scale: float = 1.0) -> tuple[np.ndarray, QRegion]:
    """The marks over a board of 16 pixels a cell, on grey, and their shape in points."""
    size = QSize(turn.reading.grid.region.width, turn.reading.grid.region.height) * scale
    places = placed(marks_of(turn), turn.reading.grid, scale)
    image = QImage(size, QImage.Format.Format_RGB32)
    image.fill(QColor(GREY, GREY, GREY))
    painter = QPainter(image)
    paint_marks(painter, places, scale)
    painter.end()
    return from_qimage(image), shape_of(places, scale)


@pytest.mark.usefixtures("qtbot")
@pytest.mark.parametrize("scale", [1.0, 0.5])
def test_the_shape_is_that_of_the_marks(scale: float) -> None:
    """Nothing is painted beside it, nothing of the game shows in it, a flag stays visible."""
    image, shape = drawn(watched("1##/1##/###/###", 3), scale)
    painted = (image != GREY).any(axis=2)
    inside = np.array(
        [[shape.contains(QPoint(x, y)) for x in range(painted.shape[1])]
         for y in range(painted.shape[0])]
    )  # fmt: skip
    assert (painted == inside).all()
    if scale == 1.0:
        for row, col in product(range(4), range(3)):
            middle = np.s_[row * 16 + 8 : row * 16 + 16, col * 16 + 10 : col * 16 + 16]
            assert not inside[middle].any() or (row, col) == (2, 0)
