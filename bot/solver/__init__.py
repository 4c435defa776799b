"""The solvers, by name: each is a function of a board and a limit."""

from __future__ import annotations

from typing import Final

from bot.analysis import SolverInfo
from bot.solver import enumeration, exact

SOLVERS: Final[dict[str, SolverInfo]] = {
    info.name: info
    for info in (
        SolverInfo(
            exact.METHOD,
            exact.solve,
            sound=True,
            complete=True,
            exact=True,
            source="dynamic programme over boxes and components",
        ),
        SolverInfo(
            enumeration.METHOD,
            enumeration.solve,
            sound=True,
            complete=True,
            exact=True,
            source="J. Slagle, Minesweeper Solver Analysis, 2019: BruteSolve",
        ),
    )
}
"""What they promise holds within the `Limit`; beyond it only `sound` does."""


class UnknownSolver(ValueError):
    """No solver has that name; the message lists those that there are."""


def solver(name: str) -> SolverInfo:
    """The solver of that name.

    Raises:
        UnknownSolver: There is none.
    """
    try:
        return SOLVERS[name]
    except KeyError:
        known = ", ".join(SOLVERS)
        raise UnknownSolver(f"there is no solver {name!r}; there are: {known}") from None
