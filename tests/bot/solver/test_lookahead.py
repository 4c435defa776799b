"""The player: safe cells first, then the end game, then forced guesses."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from bot.analysis import Limit
from bot.board import Board, Cell
from bot.frame import Status
from bot.game import FirstClick, Game
from bot.solver.explain import explain
from bot.solver.outcomes import possible_outcomes
from bot.solver.player import solve, solve_uncompiled
from bot.solver.published import enumeration
from tests.bot.solver.boards import possible_boards

LIMIT = Limit(nodes=100_000)


@pytest.mark.parametrize(
    ("rows", "cols", "mines", "won", "placings"),
    [(3, 3, 3, 33, 84), (3, 4, 3, 124, 220), (4, 4, 4, 961, 1820)],
)
def test_tiny_boards_are_played_perfectly_from_the_first_click(
    rows: int, cols: int, mines: int, won: int, placings: int
) -> None:
    """Every placing of the mines is played; the shares won are the published optima."""
    choice: dict[Board, Cell | None] = {}
    victories = played = 0
    for mined in combinations(range(rows * cols), mines):
        played += 1
        layout = np.zeros(rows * cols, dtype=bool)
        layout[list(mined)] = True
        game = Game.from_mines(layout.reshape(rows, cols))
        while not game.status.over:
            board = game.board
            if board not in choice:
                choice[board] = solve(board).best
            cell = choice[board]
            assert cell is not None
            game.open(cell)
        victories += game.status is Status.WON
    assert (victories, played) == (won, placings)


@pytest.mark.parametrize(("promise", "boards"), [(FirstClick.SAFE, "1,365"), (None, "1,820")])
def test_the_first_click_on_a_tiny_board_is_the_one_that_wins_most(
    promise: FirstClick | None, boards: str
) -> None:
    """On 4x4 with 4 mines not a corner, which wins 949; the published optimum is 961."""
    found = solve(Board.covered(4, 4, 4), promise=promise)
    assert found.reason == f"the first click: from here perfect play wins 961 of {boards} boards"
    assert found.best is not None
    at_a_side = [at in (0, 3) for at in found.best]
    assert sorted(at_a_side) == [False, True]
    # With a promised zero other placings are played.
    assert solve(Board.covered(4, 4, 4), promise=FirstClick.ZERO).best == Cell(2, 2)


def test_too_small_a_limit_still_gives_a_guess() -> None:
    """One candidate is looked at whatever the limit."""
    board = Board.parse("\n".join(["#" * 16] * 7 + ["###3####2#######"] + ["#" * 16] * 8), 50)
    analysis = solve(board, Limit(nodes=2))
    assert analysis.best is not None
    assert "chance of winning" in analysis.reason


UNINFORMATIVE = """\
12##1.111....111.112#21.1####2
1#43113#2.1112#311#22#112#####
12#223##411#12##11122322#4####
.123##4##11111344222#2#22#22##
111#32333211..1###3#33211111##
#1111.1#11#1..1244#22#21..12##
1211..22322211..1#3233#21.2###
.1#1..1#2#22#1..112#2#3#1.2#4#
.1221.23545#31...13331211.112#
..1#1.1#####2.1122##1.....112#
11222.124#421.1#2#322111122#2#
#11#1...22311.22422.1#23#3#3##
11111...2#3#222#3#21223##412##
...111..2#33#3#3#22#11#5#2.12#
...1#1..1123#3232122223#3333##
...111....1#211#1.1#11#22#####"""


def test_an_uninformative_cell_waits_while_an_informative_one_is_left() -> None:
    """By far the safest cell here shows one thing only: opening it first tells nothing."""
    board = Board.parse(UNINFORMATIVE, 99)
    analysis = solve(board)
    risks = analysis.mine_probability
    assert analysis.best is not None
    least = Cell(*(int(x) for x in np.unravel_index(np.nanargmin(risks), risks.shape)))
    assert len(possible_outcomes(board, least).by_hint) == 1
    assert len(possible_outcomes(board, analysis.best).by_hint) > 1
    assert "Opening a safer cell would give no information" in analysis.reason


@settings(max_examples=100, deadline=None)
@given(board=possible_boards())
def test_without_machine_code_only_proved_and_safest_cells_are_opened(board: Board) -> None:
    """Proved cells are those of the oracle; a guess is its safest cell, but for the first click."""
    found, true = solve_uncompiled(board, LIMIT), enumeration.solve(board)
    assert found is not None
    assert explain(board, found).reason
    assert set(found.safe) <= set(true.safe)
    if found.best is not None and not true.safe and not (board.tiles < 0).all():
        assert np.isclose(true.mine_probability[found.best], np.nanmin(true.mine_probability))
    assert (found.best is None) == (true.best is None)


def test_the_first_moves_need_no_machine_code(tmp_path: Path) -> None:
    """Games are played, explained and counted, and no function was compiled."""
    program = """
from bot.analysis import Limit
from bot.game import LEVELS, Game
from bot.solver.explain import count_solutions, explain
from bot.solver.player import solve_uncompiled
guesses = 0
for seed in range(5):
    game = Game.of_level(LEVELS["beginner"], seed=seed)
    while not game.status.over:
        found = solve_uncompiled(game.board, Limit())
        explain(game.board, found), count_solutions(game.board, found)
        guesses += game.started and not found.safe
        game.open(found.best)
print(guesses > 0)
"""
    there = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    run = subprocess.run(
        [sys.executable, "-c", program], env=there, capture_output=True, text=True, check=True
    )
    assert run.stdout == "True\n"
    assert list(tmp_path.rglob("*.nbc")) == []
