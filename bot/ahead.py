"""Thinking ahead: about a board that may turn out to be the one to act on."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from bot.analysis import Analysis
from bot.board import Board, InconsistentBoard
from bot.frame import Reading, Status


class SpeculativeSolver:
    """A solver that is asked before it is certain that the answer will be needed.

    Args:
        solve: Asked.
    """

    def __init__(self, solve: Callable[[Board], Analysis]) -> None:
        self._solve = solve
        self._known: tuple[Board, Analysis] | None = None

    def solve_ahead(self, reading: Reading) -> None:
        """Think about what may turn out to be the board."""
        self._known = None
        if reading.status is Status.PLAYING:
            # A board in motion may contradict itself; of one that does not move, it is told.
            with suppress(InconsistentBoard):
                self._known = reading.board, self._solve(reading.board)

    def consider(self, board: Board) -> None:
        """Think about the board that will be asked about next; raises what the solver raises."""
        if self._known is None or self._known[0] != board:
            self._known = board, self._solve(board)

    def __call__(self, board: Board) -> Analysis:
        """Return what the solver thinks of a board; raises what it raises."""
        known, self._known = self._known, None
        return known[1] if known is not None and known[0] == board else self._solve(board)
