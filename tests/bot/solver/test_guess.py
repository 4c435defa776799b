"""The guess in mid-game: what a candidate is worth, against all solutions written out."""

from __future__ import annotations

from collections import Counter

import cv2
import numpy as np
import pytest

from bot.analysis import Limit
from bot.board import COVERED, Board, Cell, neighbours
from bot.game import FirstClick
from bot.metrics import hints_of
from bot.solver.guess.choice import (
    PROGRESS,
    SCORED,
    allocate_for_guess,
    better_guess,
)
from bot.solver.guess.draws import draw
from bot.solver.guess.features import (
    FEATURES,
    FROM_COMPONENTS,
    RISK,
    RISK_SCALE,
    compute_features,
)
from bot.solver.guess.network import Network
from bot.solver.guess.policies import VALUE, allocate_for_policy, pick_guess
from bot.solver.kernel.position import solve_position
from bot.solver.kernel.tables import SOLVED
from bot.solver.player import first_click, solve
from tests.bot.solver.boards import all_solutions
from tests.support.sampling import sampled

GUESS = Board.parse("#####/#####/##2##/#####/##1##", 6)
BLIND = Network(
    np.zeros((1, FEATURES, 2), np.float32),
    np.zeros((1, 2), np.float32),
    np.zeros((1, 2, 2), np.float32),
    np.zeros((1, 2), np.float32),
    np.zeros((1, 2), np.float32),
    np.zeros(1, np.float32),
    np.zeros((2, 2 + SCORED), np.float32),
)
"""Says one half of all that comes after the next move."""


def by_hand(board: Board, cell: int) -> tuple[float, float]:
    """What `better_guess` computes with a blind network."""
    solutions = all_solutions(board)
    table = neighbours(board.rows, board.cols)
    after: dict[int, list[frozenset[int]]] = {}
    for mines in solutions:
        if cell not in mines:
            after.setdefault(len(mines.intersection(table[cell])), []).append(mines)
    covered = [place for place in range(board.tiles.size) if board.tiles.ravel()[place] < 0]
    left = [place for place in covered if place != cell]
    alive = sum(map(len, after.values()))
    safe = alive / len(solutions)
    mean = progress = 0.0
    for rest in after.values():
        best = max(sum(place not in mines for mines in rest) / len(rest) for place in left)
        mean += best * len(rest) / alive
        progress += (best == 1.0) * len(rest) / alive
    value = 0.5 * safe * mean
    return value, safe * mean * (1 + PROGRESS * progress)


@pytest.mark.parametrize("cell", sampled([11, 23, 0, 6, 13, 17], 2))
def test_worth_is_the_mean_over_all_solutions(cell: int) -> None:
    """Hints, their odds and the positions after them agree with all solutions written out."""
    tiles = GUESS.tiles.copy()
    space = allocate_for_guess(tiles.size)
    assert solve_position(tiles, GUESS.mines, space.work, 1_000_000) == SOLVED
    space.cells[0] = cell
    coefficients = np.zeros((2, 2 + SCORED), np.float32)
    coefficients[1, [0, 1, 2 + RISK]] = 0.5, 0.25, -2
    better_guess(tiles, GUESS.mines, 0, -1, space, BLIND._replace(score=coefficients))
    value, rule = by_hand(GUESS, cell)
    # Hints of 0.3 % together are left out.
    assert (space.values[0], space.rules[0]) == pytest.approx((value, rule), rel=5e-3)
    assert (tiles == GUESS.tiles).all()
    # The score has the logarithms of both and the features of what follows: here the mean of the
    # least risk after the cell, times RISK_SCALE.
    safe = 1 - space.work.probability[cell]
    risk = 1 - value / 0.5 / safe
    expected = 0.5 * np.log(value) + 0.25 * np.log(rule) - 2 * RISK_SCALE * risk
    assert space.scores[0] == pytest.approx(expected, rel=5e-3)


def test_regions_are_those_of_the_connected_components() -> None:
    """Their number, the small ones, the largest, and those that touch no safe cell."""
    random = np.random.default_rng(0)
    space = allocate_for_guess(150)
    for _ in range(200):
        rows, cols = random.integers(1, 13, 2)
        layout = random.random((rows, cols)) < 0.2
        covered = layout | (random.random((rows, cols)) < 0.6)
        tiles = np.where(covered, np.int8(COVERED), hints_of(layout)).astype(np.int8)
        assert solve_position(tiles, int(layout.sum()), space.work, 1_000_000) == SOLVED
        compute_features(space.work, space.scratch)
        risk = space.work.probability[: rows * cols].reshape(rows, cols)
        number, regions, sizes, _ = cv2.connectedComponentsWithStats(
            ((risk > 0) & (risk < 1)).astype(np.uint8), connectivity=8
        )
        areas = sizes[1:, cv2.CC_STAT_AREA]
        beside = np.unique(regions[cv2.dilate((risk == 0).astype(np.uint8), np.ones((3, 3))) > 0])
        alone = [n for n in range(1, number) if n not in beside and areas[n - 1] <= 20]
        found = space.scratch.feature[FROM_COMPONENTS + 16 : FROM_COMPONENTS + 20]
        largest = 0.3 * np.log1p(max(areas, default=0))
        expected = (number - 1) / 4, (areas <= 4).sum() / 2, largest, len(alone) / 2
        assert found == pytest.approx(expected)


def test_among_equal_candidates_the_first_one_is_opened() -> None:
    """The cells around a lone 1 in the middle are equal by symmetry; rows are counted first."""
    rows = ["#########"] * 9
    rows[4] = "####1####"
    assert solve(Board.parse("/".join(rows), 20)).best == Cell(3, 4)


@pytest.mark.parametrize("text", ["##1##/#####/#####/#####/#####", "1####/#####/2####/#####"])
def test_the_simulator_guesses_as_the_solver_does(text: str) -> None:
    """Where the solver guesses, games in machine code open the same cell."""
    board = Board.parse(text, 5)
    policy = allocate_for_policy(board.tiles.size)
    assert solve_position(board.tiles.copy(), 5, policy.space.work, 1_000_000) == SOLVED
    cell, _, _ = pick_guess(board.tiles.copy(), 5, VALUE, policy)
    best = solve(board, Limit()).best
    assert best == Cell(*divmod(cell, board.cols))


@pytest.mark.parametrize(
    ("text", "mines"),
    [("##1##/####1/#####/1#2#1/#####", 6), ("###/1##/###/###/##1/###", 3), ("####/####", 3)],
)
def test_solutions_are_drawn_evenly(text: str, mines: int) -> None:
    """Each solution as often as any other: chi-square, within four standard deviations."""
    board = Board.parse(text, mines)
    solutions = all_solutions(board)
    work = allocate_for_guess(board.tiles.size).work
    assert solve_position(board.tiles.copy(), mines, work, 1_000_000) == SOLVED
    mined = np.zeros(board.tiles.size, np.int8)
    draws = 200 * len(solutions)
    count: Counter[frozenset[int]] = Counter()
    for _ in range(draws):
        draw(work, mined)
        count[frozenset(np.flatnonzero(mined).tolist())] += 1
    assert set(count) <= set(solutions)
    square = sum((count[one] - 200) ** 2 / 200 for one in solutions)
    free = len(solutions) - 1
    assert abs(square - free) < 4 * (2 * free) ** 0.5


@pytest.mark.parametrize(
    ("size", "rule", "cell"),
    [
        ((16, 30), FirstClick.SAFE, (0, 0)),
        ((16, 30), FirstClick.ZERO, (3, 3)),
        ((9, 9), FirstClick.ZERO, (2, 2)),
        ((1, 5), FirstClick.ZERO, (0, 2)),
        ((16, 30), None, (0, 0)),
    ],
)
def test_first_clicks_are_the_known_ones(
    size: tuple[int, int], rule: FirstClick | None, cell: tuple[int, int]
) -> None:
    """The known ones."""
    assert first_click(*size, rule) == cell
