"""Solve a board while it is not yet certain that it is the one to act on."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from bot.analysis import Analysis
from bot.board import Board, InconsistentBoard
from bot.frame import Reading, Status


class SpeculativeSolver:
    """A solver that keeps the analysis of the last board solved in advance.

    Args:
        solve: Solves a board.
    """

    def __init__(self, solve: Callable[[Board], Analysis]) -> None:
        self._solve = solve
        self._kept: tuple[Board, Analysis] | None = None

    def solve_ahead(self, reading: Reading) -> None:
        """Solve the board of a reading that may turn out to be the one to act on."""
        self._kept = None
        if reading.status is Status.PLAYING:
            # A board that is still changing may be inconsistent; a stable one is solved again.
            with suppress(InconsistentBoard):
                self._kept = reading.board, self._solve(reading.board)

    def consider(self, board: Board) -> None:
        """Solve the board that will be asked about next; raises what the solver raises."""
        if self._kept is None or self._kept[0] != board:
            self._kept = board, self._solve(board)

    def __call__(self, board: Board) -> Analysis:
        """Return the analysis of a board, the kept one if it is of the same board."""
        kept, self._kept = self._kept, None
        return kept[1] if kept is not None and kept[0] == board else self._solve(board)
