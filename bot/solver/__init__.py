"""The solvers, by name: each is a function of a board and a limit."""

from __future__ import annotations

from typing import Final

from bot.analysis import SolverInfo
from bot.solver import exact, lookahead
from bot.solver.published import consistency, deduction, enumeration, local, placements

_SLAGLE: Final = "J. Slagle, Minesweeper Solver Analysis, 2019"

SOLVERS: Final[dict[str, SolverInfo]] = {
    info.name: info
    for info in (
        SolverInfo(
            lookahead.METHOD,
            lookahead.solve,
            sound=True,
            complete=True,
            exact=True,
            source="exact probabilities; the guess that wins most by a trained value function",
        ),
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
            source=f"{_SLAGLE}: BruteSolve, all subsets",
        ),
        SolverInfo(
            placements.PERIMETER,
            placements.solve_perimeter,
            sound=True,
            complete=True,
            exact=True,
            source=f"{_SLAGLE}: BruteSolve, version 2",
        ),
        SolverInfo(
            placements.BACKTRACKING,
            placements.solve_backtracking,
            sound=True,
            complete=True,
            exact=True,
            source=f"{_SLAGLE}: BruteSolve, version 3",
        ),
        SolverInfo(
            deduction.METHOD,
            deduction.solve,
            sound=True,
            complete=False,
            exact=False,
            source=f"{_SLAGLE}: strategies 1 to 7, HumanSolve",
        ),
        SolverInfo(
            consistency.METHOD,
            consistency.solve,
            sound=True,
            complete=False,
            exact=False,
            source="J. Little, The Minesweeper Algorithim: key points and a queue",
        ),
        *(
            SolverInfo(
                name,
                solve,
                sound=True,
                complete=False,
                exact=False,
                source="Minesweeper-Solver, 2021: single-square, edge and sub-edge search",
            )
            for name, solve in local.VARIANTS.items()
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
