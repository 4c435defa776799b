"""Small boards for tests of solvers: drawn at random, and the ones in tests/positions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import strategies as st

from bot.board import COVERED, FLAG, MINE, QUESTION, Board
from bot.metrics import hints_of

POSITIONS = Path(__file__).parents[2] / "positions"
MOST_COVERED = 12
"""The oracle tries 4,096 subsets."""


def positions(name: str) -> list[dict[str, Any]]:
    """The lines of a file of positions."""
    return [json.loads(line) for line in (POSITIONS / name).read_text().splitlines()]


def board_of(position: dict[str, Any]) -> Board:
    """The board of such a line."""
    return Board.parse("\n".join(position["board"]), position["mines"])


@st.composite
def possible_boards(draw: st.DrawFn) -> Board:
    """Boards with true hints; flags and question marks at random, some mines showing."""
    rows, cols = draw(st.integers(1, 6)), draw(st.integers(1, 7))
    cells = list(range(rows * cols))
    covered = draw(st.lists(st.sampled_from(cells), unique=True, max_size=MOST_COVERED))
    mined = [cell for cell in covered if draw(st.booleans())]
    layout = np.zeros(rows * cols, dtype=bool)
    layout[mined] = True
    tiles = hints_of(layout.reshape(rows, cols)).ravel()
    for cell in covered:
        tiles[cell] = draw(st.sampled_from((COVERED, COVERED, COVERED, FLAG, QUESTION)))
    for cell in mined:
        if draw(st.integers(0, 9)) == 0:
            tiles[cell] = MINE
    return Board(tiles.reshape(rows, cols), len(mined))


@st.composite
def any_boards(draw: st.DrawFn) -> Board:
    """The same, mostly spoilt: another number on some hint, or another number of mines."""
    board = draw(possible_boards())
    tiles = board.tiles.copy()
    hints = np.argwhere(tiles >= 0)
    for _ in range(draw(st.integers(0, 2)) if len(hints) else 0):
        row, col = hints[draw(st.integers(0, len(hints) - 1))]
        tiles[row, col] = draw(st.integers(0, 8))
    mines = min(max(board.mines + draw(st.sampled_from((0, 0, -1, 1))), 0), tiles.size)
    return Board(tiles, mines)
