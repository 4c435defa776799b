"""What is certain where the number of mines is only assumed, against the oracle."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.analysis import Limit
from bot.board import EXPLODED, MINE, Board, InconsistentBoard
from bot.game import INTERMEDIATE, FirstClick, Game
from bot.solver import exact
from bot.solver.assumed import without_total
from bot.solver.warmup import PREPARATION
from tests.bot.solver.boards import all_solutions, possible_boards


@settings(max_examples=200, deadline=None)
@given(possible_boards(), st.integers(-2, 2))
def test_certain_is_what_every_number_of_mines_proves(board: Board, wrong: int) -> None:
    """No cell more and none less, whatever number is assumed."""
    shown = int(np.isin(board.tiles, (MINE, EXPLODED)).sum())
    totals = range(shown, shown + int(board.unopened.sum()) + 1)
    assumed = Board(board.tiles, min(max(board.mines + wrong, 0), board.tiles.size), assumed=True)
    try:
        analysis = exact.solve(assumed, Limit())
    except InconsistentBoard:
        return
    solutions = [one for mines in totals for one in all_solutions(Board(board.tiles, mines))]
    found = without_total(assumed, analysis, Limit())
    cells = {cell.row * board.cols + cell.col: cell for cell in board.cells()}
    closed = np.flatnonzero(board.unopened).tolist()
    assert set(found.safe) == {cells[at] for at in closed if not any(at in s for s in solutions)}
    assert set(found.mines) == {cells[at] for at in closed if all(at in s for s in solutions)}
    assert found.best == analysis.best or found.best in found.safe


@pytest.mark.parametrize("compiling", [False, True])
@pytest.mark.parametrize("mines", [30, 52])
def test_no_cell_called_safe_is_a_mine_in_a_game_of_another_number(
    mines: int, compiling: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In games that are played to their end, of which the count alone would be wrong."""
    monkeypatch.setattr(PREPARATION, "compiling", compiling)
    by_count = opened = 0
    for seed in range(40):
        game = Game(16, 16, mines, seed, FirstClick.ZERO)
        game.open((3, 3))
        layout = game.layout
        while not game.status.over:
            board = Board(game.board.tiles, INTERMEDIATE.mines, assumed=True)
            try:
                analysis = exact.solve(board, Limit())
            except InconsistentBoard:
                break
            by_count += sum(bool(layout[cell]) for cell in analysis.safe)
            found = without_total(board, analysis, Limit())
            assert not any(layout[cell] for cell in found.safe)
            assert all(layout[cell] for cell in found.mines)
            if analysis.best is None:
                break
            opened += len(found.safe)
            for cell in found.safe or [found.best]:
                game.open(cell)
    assert opened > 1_000
    assert by_count > 0 or mines < INTERMEDIATE.mines
