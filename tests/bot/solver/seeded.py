"""Small boards drawn by seed, possible and impossible, and the oracle's answer to each, kept."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from bot.analysis import Analysis, Limit, Solver
from bot.board import (
    COVERED,
    FLAG,
    MINE,
    QUESTION,
    Board,
    Cell,
    InconsistentBoard,
)
from bot.metrics import hints_of
from bot.solver import exact
from bot.solver.published import enumeration

MOST_COVERED = 12
"""The oracle tries 4,096 subsets."""
_UNOPENED = (COVERED, COVERED, COVERED, COVERED, FLAG, QUESTION)


def possible_board(rng: np.random.Generator) -> Board:
    """A board with true hints: some mines show, flags and question marks lie anywhere.

    The covered cells come in patches, as in a game, or scattered.
    """
    rows, cols = int(rng.integers(1, 7)), int(rng.integers(1, 8))
    most = min(MOST_COVERED, rows * cols)
    # Few boards have many covered cells: each one doubles what the oracle has to try.
    covered = _patch(
        rng, rows, cols, int(min(rng.integers(0, most + 1), rng.integers(3, 13), most))
    )
    layout = np.zeros(rows * cols, dtype=bool)
    layout[covered] = rng.random(len(covered)) < rng.uniform(0.05, 0.8)
    tiles = hints_of(layout.reshape(rows, cols)).ravel()
    for cell in covered:
        tiles[cell] = rng.choice(_UNOPENED)
    for cell in np.flatnonzero(layout):
        if rng.random() < 0.1:
            tiles[cell] = MINE
    return Board(tiles.reshape(rows, cols), int(layout.sum()))


def spoilt(board: Board, rng: np.random.Generator) -> Board:
    """The same with another number on one hint or two, or another number of mines."""
    tiles = board.tiles.copy()
    hints = np.argwhere(tiles >= 0)
    for row, col in rng.permutation(hints)[: rng.integers(0, 3)]:
        tiles[row, col] = rng.integers(0, 9)
    mines = board.mines + int(rng.choice((0, 0, -1, 1)))
    return Board(tiles, min(max(mines, 0), tiles.size))


@cache
def boards(count: int, seed: int = 0) -> tuple[Board, ...]:
    """So many boards; every third one spoilt, and so mostly impossible."""
    rng = np.random.default_rng(seed)
    found = []
    for number in range(count):
        board = possible_board(rng)
        found.append(spoilt(board, rng) if number % 3 == 2 else board)
    return tuple(found)


@cache
def oracle(board: Board) -> Analysis | None:
    """What the enumeration of all subsets says; None for an impossible board."""
    try:
        return enumeration.solve(board)
    except InconsistentBoard:
        return None


def answered(count: int, seed: int = 0) -> Iterator[tuple[Board, Analysis | None]]:
    """So many boards, each with the oracle's answer."""
    for board in boards(count, seed):
        yield board, oracle(board)


def can_be(board: Board) -> bool:
    """Whether any placing agrees, by the exact solver (which is held against the oracle)."""
    try:
        exact.solve(board)
    except InconsistentBoard:
        return False
    return True


def blamed(solve: Solver, board: Board) -> tuple[Cell, ...]:
    """The hints that a solver names where it refuses a board; none where it does not."""
    try:
        solve(board, Limit())
    except InconsistentBoard as impossible:
        return impossible.hints
    return ()


def _patch(rng: np.random.Generator, rows: int, cols: int, size: int) -> list[int]:
    cells = rng.permutation(rows * cols).tolist()
    if rng.random() < 0.3 or not size:
        return cells[:size]
    row, col = divmod(cells[0], cols)
    return sorted(cells, key=lambda c: max(abs(c // cols - row), abs(c % cols - col)))[:size]
