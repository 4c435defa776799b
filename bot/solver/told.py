"""What is worked out only when somebody asks: why a move, and the number of solutions."""

from __future__ import annotations

from functools import cached_property

from bot.analysis import Evidence
from bot.board import Board
from bot.solver.constraints import simplify, system_of
from bot.solver.reasons import why_guess, why_nothing, why_safe


class Told:
    """What there is to say of one answer of the exact solver.

    Args:
        board: The board.
        best: The flat index of the cell to open; -1 where there is none.
        risk: The mine probability there.
        equals: How many cells are as safe.
        exact: Whether all solutions were counted.
    """

    def __init__(self, board: Board, best: int, risk: float, equals: int, exact: bool) -> None:
        self._board = board
        self._best = best
        self._risk = risk
        self._equals = equals
        self._exact = exact

    def reason(self) -> str:
        """Why this move, in one sentence."""
        return self._why[0]

    def evidence(self) -> Evidence:
        """What the sentence speaks of."""
        return self._why[1]

    def solutions(self) -> int | None:
        """How many solutions there are; None where they were not counted."""
        return self._solutions

    @cached_property
    def _solutions(self) -> int | None:
        if not self._exact:
            return None
        from bot.solver.kernel.interface import count_solutions  # noqa: PLC0415 - numba is imported late

        return count_solutions(self._board)

    @cached_property
    def _why(self) -> tuple[str, Evidence]:
        system = system_of(self._board)
        if self._best < 0:
            return why_nothing(len(system.covered)), Evidence()
        if self._risk == 0:
            return why_safe(system, simplify(system.constraints), self._best, self._solutions)
        return why_guess(system, self._risk, self._best, self._equals, self._solutions)
