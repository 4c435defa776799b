"""The sets of boards of source 002's graphs, and of those of the solvers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.game import FirstClick, Level
from bot.lab.boards import BoardSet, draw_boards
from bot.lab.worker import CLASSIC, DIGGING


@dataclass(frozen=True)
class Sweep:
    """A series of board sets that grow in one way, with its players."""

    name: str
    """The file's name."""
    title: str
    x: str
    game: str
    players: tuple[str, ...]
    sizes: tuple[tuple[float, int, int, int], ...]
    """(x, rows, columns, mines)"""
    y: str
    first_click: FirstClick = FirstClick.NONE

    def sets(self, games: int, seed: int) -> list[BoardSet]:
        """Return the sets of boards."""
        return [
            draw_boards(Level(f"{at:g}", rows, cols, mines), games, seed, self.first_click)
            for at, rows, cols, mines in self.sizes
        ]


_HUNTERS: Final = ("algorithm-a", "algorithm-a-loose", "algorithm-b", "hunter")
_SOLVERS: Final = ("human", "perimeter", "backtracking", "local", "lookahead",
                   "consistency", "exact", "enumeration", "local-backtracking", "local-cache",
                   "local-lookahead", "local-improved")  # fmt: skip
"""Variants of the first ones come last and have dashed lines."""

SWEEPS: Final = (
    Sweep(
        "digs-by-size",
        "The game of digging, 10 mines",
        "rows and columns, tiles",
        DIGGING,
        _HUNTERS,
        tuple((side, side, side, 10) for side in (6, 8, 10, 12, 14, 16, 18, 20)),
        "tiles dug, mean",
    ),
    Sweep(
        "digs-by-density",
        "The game of digging, 20 x 20 tiles",
        "mines, % of the tiles",
        DIGGING,
        _HUNTERS,
        tuple((share, 20, 20, 4 * share) for share in (5, 10, 15, 20, 25, 30)),
        "tiles dug, mean",
    ),
    Sweep(
        "wins-by-density",
        "Minesweeper, 9 x 9 cells, the first one is safe",
        "mines, % of the cells",
        CLASSIC,
        _SOLVERS,
        tuple((round(100 * mines / 81, 1), 9, 9, mines) for mines in (4, 8, 10, 12, 16, 20, 24)),
        "won, %",
        FirstClick.SAFE,
    ),
)
