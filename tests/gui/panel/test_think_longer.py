"""The button that compares the cells of a guess."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from PyQt6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from bot.analysis import Limit
from bot.board import Board
from bot.loop import Turn
from bot.solver import PLAYER, solver
from bot.solver.warmup import ROLLOUT_PREPARATION
from gui.failures import Failure
from gui.panel.boardview import BoardView
from gui.panel.jobs import Jobs
from gui.panel.think_longer import ThinkLonger
from tests.support.boards import reading_of

GUESS = "\n".join(["#" * 16] * 7 + ["###3####2#######"] + ["#" * 16] * 8)
"""No cell is certain, with 50 mines."""


class Bench(QWidget):
    """A board view with the button beside it."""

    def __init__(self) -> None:
        super().__init__()
        self.view, self.jobs = BoardView(), Jobs(lambda error: Failure(str(error)), self)
        self.button = ThinkLonger(self.view, self.jobs)
        column = QVBoxLayout(self)
        column.addWidget(self.view)
        column.addWidget(self.button)
        self.resize(700, 560)

    def show_board(self, text: str, mines: int) -> None:
        """Show a board with its analysis."""
        board = Board.parse(text, mines)
        turn = Turn(0, reading_of(board), solver(PLAYER).solve(board, Limit()), ())
        self.view.show_turn(turn)


@pytest.fixture
def bench(qtbot: QtBot) -> Bench:
    """The bench, shown, with a guess."""
    ROLLOUT_PREPARATION.wait()
    made = Bench()
    qtbot.addWidget(made)
    with qtbot.waitExposed(made):
        made.show()
    made.show_board(GUESS, 50)
    return made


def test_it_shows_the_chances_of_the_best_cells(bench: Bench, qtbot: QtBot) -> None:
    """The best first, with the number of games; beside the board until another is shown."""
    button = bench.button
    button.click()
    assert not button.isEnabled()
    qtbot.waitUntil(button.isEnabled, timeout=60_000)
    assert button.card.isVisible()
    *cells, why = button.card.hints.text().split("\n")
    assert len(cells) > 1
    found = [re.fullmatch(r"Row \d+, column \d+: about (\d+)%", line) for line in cells]
    chances = [int(one[1]) for one in found if one is not None]
    assert len(chances) == len(cells)
    assert chances == sorted(chances, reverse=True)
    assert why.startswith(cells[0].partition(":")[0])
    assert "games simulated" in why
    turn = bench.view.turn
    assert turn is not None
    bench.view.show_turn(replace(turn, number=1))
    assert not button.card.isVisible()


def test_another_board_ends_it(bench: Bench, qtbot: QtBot) -> None:
    """And only a guess can be thought over."""
    jobs = []
    bench.jobs.started.connect(jobs.append)
    bench.button.click()
    (job,) = jobs
    with qtbot.waitSignal(job.ended, timeout=60_000):
        bench.show_board("1##/###", 1)
    assert not bench.button.isEnabled()
    assert not bench.button.card.isVisible()
