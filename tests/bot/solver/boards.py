"""Small boards for tests of solvers: drawn at random, and the ones in tests/positions.

And what is true of them, by trying all placings.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any, Final

import numpy as np
from hypothesis import strategies as st

from bot.analysis import Analysis
from bot.board import (
    COVERED,
    EXPLODED,
    FLAG,
    MINE,
    MISFLAG,
    QUESTION,
    UNOPENED,
    Board,
    Cell,
    InconsistentBoard,
    neighbours,
)
from bot.metrics import hints_of
from bot.solver.published import enumeration

POSITIONS = Path(__file__).parents[2] / "positions"
MOST_COVERED = 10
"""The oracle tries 1,024 subsets."""

_OPENED: Final = 0
"""Any hint."""
_SAFE: Final = (*[COVERED] * 6, *[_OPENED] * 3, FLAG, QUESTION, MISFLAG)
_MINES: Final = (*[COVERED] * 3, FLAG, QUESTION, MINE)
_TILES: Final = np.array(_SAFE + _MINES, np.int8)
"""What a cell may be, as often as it is named; a counterexample shrinks to the first."""
_OPEN: Final = _SAFE.index(_OPENED)
_MINED: Final = np.arange(len(_TILES)) >= len(_SAFE)


def positions(name: str) -> list[dict[str, Any]]:
    """The lines of a file of positions."""
    return [json.loads(line) for line in (POSITIONS / name).read_text("utf-8").splitlines()]


def board_of(position: dict[str, Any]) -> Board:
    """The board of such a line."""
    return Board.parse("\n".join(position["board"]), position["mines"])


def all_solutions(board: Board) -> list[frozenset[int]]:
    """Every way to lay the mines under closed cells that agrees with all hints, one by one."""
    flat, table = board.tiles.ravel(), neighbours(board.rows, board.cols)
    shown = set(np.flatnonzero(np.isin(flat, (MINE, EXPLODED))).tolist())
    hints = [(cell, int(flat[cell])) for cell in np.flatnonzero(flat >= 0).tolist()]
    return [
        mines
        for mines in map(
            frozenset,
            combinations(np.flatnonzero(board.unopened).tolist(), board.mines - len(shown)),
        )
        if all(len((mines | shown).intersection(table[cell])) == hint for cell, hint in hints)
    ]


def perfect_play(board: Board) -> tuple[int, dict[int, int]]:
    """Return the solutions that perfect play wins, and those that it wins after each first cell.

    Tries all orders of opening. Cells that are a mine in all solutions are left out.
    """
    solutions = frozenset(all_solutions(board))
    around = neighbours(board.rows, board.cols)
    covered = frozenset(np.flatnonzero(board.unopened).tolist())

    @cache
    def try_cell(left: frozenset[frozenset[int]], opened: frozenset[int], cell: int) -> int:
        seen: dict[int, set[frozenset[int]]] = {}
        for solution in left:
            if cell not in solution:
                seen.setdefault(len(solution.intersection(around[cell])), set()).add(solution)
        return sum(value(frozenset(part), opened | {cell}) for part in seen.values())

    @cache
    def value(left: frozenset[frozenset[int]], opened: frozenset[int]) -> int:
        if any(covered - opened == solution for solution in left):
            return 1
        return max(try_cell(left, opened, cell) for cell in sorted(covered - opened))

    cells = [cell for cell in covered if any(cell not in s for s in solutions)]
    return value(solutions, frozenset()), {
        cell: try_cell(solutions, frozenset(), cell) for cell in cells
    }


@st.composite
def possible_boards(draw: st.DrawFn) -> Board:
    """Boards with true hints, joined at any moment; flags right and wrong, some mines showing.

    Up to 4x4 cells of all kinds, with a row or column of opened ones at any of the sides.
    """
    rows, cols = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    # One draw for all cells: drawn one by one they would take longer than a solver does.
    cells = draw(st.binary(min_size=rows * cols + 1, max_size=rows * cols + 1))
    drawn = np.frombuffer(cells[1:], np.uint8).reshape(rows, cols) % len(_TILES)
    top, bottom, left, right = (int(cells[0] >> side & 3 == 3) for side in (0, 2, 4, 6))
    chosen = np.pad(drawn, ((top, bottom), (left, right)), constant_values=_OPEN)
    # What would be too much for the oracle is opened.
    chosen.ravel()[np.flatnonzero(np.isin(_TILES[chosen], UNOPENED))[MOST_COVERED:]] = _OPEN
    mined = _MINED[chosen]
    tiles = np.where(_TILES[chosen] == _OPENED, hints_of(mined), _TILES[chosen])
    return Board(tiles, int(np.count_nonzero(mined)))


@cache
def oracle(board: Board) -> Analysis | None:
    """What the enumeration of all subsets says; None for an impossible board."""
    try:
        return enumeration.solve(board)
    except InconsistentBoard:
        return None


def at_odds(board: Board, hints: Collection[Cell]) -> bool:
    """Return whether no placement, of any number of mines, satisfies these hints.

    Args:
        board: With few covered cells around the hints: all subsets of these are tried.
        hints: Opened cells.
    """
    shown = {
        hint: sum(_touch(hint, mine) for mine in board.cells(MINE, EXPLODED)) for hint in hints
    }
    near = [
        cell
        for cell in board.cells()
        if board.unopened[cell] and any(_touch(hint, cell) for hint in hints)
    ]
    return not any(
        all(
            board[hint] == shown[hint] + sum(_touch(hint, mine) for mine in placing)
            for hint in hints
        )
        for placing in enumeration.subsets(near)
    )


def _touch(one: Cell, other: Cell) -> bool:
    return max(abs(one.row - other.row), abs(one.col - other.col)) == 1


@st.composite
def any_boards(draw: st.DrawFn) -> Board:
    """The same, every second one spoilt: other numbers on hints, or another number of mines."""
    board = draw(possible_boards())
    tiles = board.tiles.copy()
    hints = np.argwhere(tiles >= 0)
    wrong = draw(st.integers(0, 5))
    for _ in range(min(wrong % 3, len(hints))):
        row, col = hints[draw(st.integers(0, len(hints) - 1))]
        tiles[row, col] = draw(st.integers(0, 8))
    mines = board.mines + (draw(st.integers(-1, 1)) if wrong > 2 else 0)
    return Board(tiles, min(max(mines, 0), tiles.size))


def small_games(number: int, seed: int) -> Iterator[Board]:
    """Boards in the middle of a game, of all shapes, with 4 to 10 covered cells; some mines show.

    Args:
        number: Of boards.
        seed: The same seed draws the same boards.
    """
    random = np.random.default_rng(seed)
    for _ in range(number):
        rows, cols = random.integers(1, 6, 2)
        covered = random.permutation(rows * cols)[: random.integers(4, 11)]
        mined = covered[: random.integers(1, 1 + max(len(covered) // 2, 1))]
        layout = np.zeros(rows * cols, dtype=bool)
        layout[mined] = True
        tiles = hints_of(layout.reshape(rows, cols)).ravel()
        tiles[covered] = COVERED
        tiles[mined[random.random(len(mined)) < 0.1]] = MINE
        yield Board(tiles.reshape(rows, cols), len(mined))
