"""The exact kernel as other kernels call it: statuses, counts, slices, workspaces."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from bot.board import Board
from bot.solver.kernel import tables as status
from bot.solver.kernel.interface import count_placements
from bot.solver.kernel.position import MOST_NODES, resume, solve_position
from bot.solver.kernel.tables import BUDGET, NODES, Work, allocate, enlarged
from tests.bot.solver.boards import board_of, positions

POSITIONS = {position["id"]: position for position in positions("positions.jsonl")}


def solved(board: Board, work: Work, nodes: int = MOST_NODES) -> int:
    """The status of one call."""
    return int(solve_position(board.tiles.copy(), board.mines, work, nodes))


def probabilities(board: Board, work: Work) -> NDArray[np.float64]:
    """A copy of what was found."""
    return work.probability[: board.tiles.size].copy()


@pytest.mark.parametrize("name", ["stress-02", "stress-14", "wild-00"])
def test_slices_change_nothing(name: str) -> None:
    """Stopped after every layer and taken up again: the same floats."""
    board = board_of(POSITIONS[name])
    work = allocate(board.rows, board.cols, 1 << 14)
    assert solved(board, work) == status.SOLVED
    whole = probabilities(board, work)
    work.number[BUDGET] = 0
    ended, slices = solved(board, work), 0
    while ended == status.PAUSED:
        ended, slices = resume(work, status.DONE), slices + 1
    assert ended == status.SOLVED
    assert slices > 20
    assert np.array_equal(whole, probabilities(board, work), equal_nan=True)


def test_a_small_workspace_says_so_and_grows() -> None:
    """No write outside of it; the answer is the same once it is large enough."""
    board = board_of(POSITIONS["stress-14"])
    large = allocate(board.rows, board.cols, 1 << 14)
    assert solved(board, large) == status.SOLVED
    work, steps = allocate(board.rows, board.cols, 4), 0
    while (ended := solved(board, work)) == status.TOO_SMALL:
        work, steps = enlarged(work), steps + 1
    assert ended == status.SOLVED
    assert steps >= 3
    found = probabilities(board, work)
    assert np.array_equal(found, probabilities(board, large), equal_nan=True)


@pytest.mark.parametrize("name", ["stress-00", "stress-05", "stress-15", "wild-00"])
def test_whole_numbers_by_remainders(name: str) -> None:
    """Remainders and floats below 2 ** 53 give the same placements."""
    board = board_of(POSITIONS[name])
    assert count_placements(board, by_remainders=True) == count_placements(board)


def test_the_limit_counts_nodes() -> None:
    """Exactly as many as are needed are enough, one less is not, every time."""
    board = board_of(POSITIONS["stress-14"])
    work = allocate(board.rows, board.cols, 1 << 14)
    assert solved(board, work) == status.SOLVED
    needed = int(work.number[NODES])
    for _ in range(2):
        assert solved(board, work, needed) == status.SOLVED
        assert solved(board, work, needed - 1) == status.TOO_WIDE
