"""The button that compares the cells of a guess."""

from __future__ import annotations

import re
from dataclasses import replace

from pytestqt.qtbot import QtBot

from bot.analysis import Limit
from bot.board import Board
from bot.loop import Turn
from bot.solver import PLAYER, solver
from bot.solver.warmup import ROLLOUT_PREPARATION
from tests.gui.panel.conftest import Bench
from tests.support.boards import reading_of

GUESS = "\n".join(["#" * 16] * 7 + ["###3####2#######"] + ["#" * 16] * 8)
"""No cell is certain, with 50 mines."""


def show_board(bench: Bench, text: str, mines: int) -> None:
    """Show a board with its analysis."""
    board = Board.parse(text, mines)
    bench.view.show_turn(Turn(0, reading_of(board), solver(PLAYER).solve(board, Limit()), ()))


def test_it_shows_the_chances_of_the_best_cells(bench: Bench, qtbot: QtBot) -> None:
    """The best first, with the number of games; another board ends it.

    Only a guess can be thought over.
    """
    ROLLOUT_PREPARATION.wait()
    button = bench.button
    show_board(bench, GUESS, 50)
    with qtbot.waitSignal(bench.jobs.started) as started:
        button.click()
    assert not button.isEnabled()
    with qtbot.waitSignal(started.args[0].ended):
        show_board(bench, "1##/###", 1)
    assert not button.isEnabled()
    assert not button.card.isVisible()
    show_board(bench, GUESS, 50)
    button.click()
    qtbot.waitUntil(button.isEnabled)
    assert button.card.isVisible()
    *cells, why = button.card.hints.text().split("\n")
    assert len(cells) > 1
    found = [re.fullmatch(r"Row \d+, column \d+: about (\d+)%", line) for line in cells]
    chances = [int(one[1]) for one in found]
    assert chances == sorted(chances, reverse=True)
    assert why.startswith(cells[0].partition(":")[0])
    assert "games simulated" in why
    bench.view.show_turn(replace(bench.view.turn, number=1))
    assert not button.card.isVisible()
