"""The pointer's way against the shortest one, which is found by trying all."""

from __future__ import annotations

import random
from itertools import pairwise, permutations
from math import dist

import pytest

from bot.board import Board, Cell
from bot.planner import short_path


def length(cells: list[Cell] | tuple[Cell, ...]) -> float:
    """From the first cell to the last one."""
    return sum(dist(one, other) for one, other in pairwise(cells))


def random_cells(seed: int, number: int) -> list[Cell]:
    """Cells of a board of 8 x 8, each once."""
    cells = [Cell(row, col) for row in range(8) for col in range(8)]
    return random.Random(seed).sample(cells, number)


@pytest.mark.parametrize("number", [0, 1, 2, 3, 4, 5, 6, 7])
def test_few_cells_are_visited_on_the_shortest_way_mostly(number: int) -> None:
    """Each cell once; 40 sets, in all hardly longer than the best of all orders."""
    found = best = 0.0
    for seed in range(40 if number < 7 else 8):
        cells = random_cells(seed, number)
        way = short_path(cells)
        assert sorted(way) == sorted(cells)
        found += length(way)
        best += min(map(length, permutations(cells)))
    assert found <= 1.01 * best


def test_the_way_begins_near_the_upper_left_corner() -> None:
    """That is where the hand parks the pointer."""
    for seed in range(20):
        way = short_path(random_cells(seed, 6))
        assert sum(way[0]) <= sum(way[-1])


def test_many_cells_are_walked_with_hardly_a_jump() -> None:
    """A full board of 16 x 30, each cell once."""
    cells = list(Board.covered(16, 30, 0).cells())
    way = short_path(cells)
    assert sorted(way) == cells
    assert length(way) < 1.25 * len(cells)
