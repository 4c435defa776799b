"""The registry of solvers; each is a function of a board and a limit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeVar

from bot.analysis import SolverInfo

_T = TypeVar("_T")

PLAYER: Final = "lookahead"
"""The strongest solver, which is the default."""

_ALL_EXACT: Final = {"sound": True, "complete": True, "exact": True}
_PROOFS_ONLY: Final = {"sound": True, "complete": False, "exact": False}
_SLAGLE: Final = "J. Slagle, Minesweeper Solver Analysis, 2019"
_LITTLE: Final = "J. Little, The Minesweeper Algorithim: key points and a queue"
_LOCAL: Final = "Minesweeper-Solver, 2021: single-square, edge and sub-edge search"
_PUBLISHED: Final = "bot.solver.published"
_SMALL: Final = "Small boards only: estimates elsewhere"


def _wins(percent: float, milliseconds: float) -> str:
    return f"Wins {percent}% of Expert games, {milliseconds:g} ms a decision"


SOLVERS: Final[dict[str, SolverInfo]] = {
    name: SolverInfo(name, function, **promises, summary=summary, source=source)
    for name, function, promises, summary, source in (
        (
            PLAYER,
            "bot.solver.player:solve",
            _ALL_EXACT,
            f"Recommended. {_wins(38.8, 0.05)}",
            "exact probabilities; the guess that wins most by a trained value function",
        ),
        (
            "exact",
            "bot.solver.exact:solve",
            _ALL_EXACT,
            _wins(37.2, 0.04),
            "dynamic programme over boxes and components",
        ),
        (
            "enumeration",
            f"{_PUBLISHED}.enumeration:solve",
            _ALL_EXACT,
            _SMALL,
            f"{_SLAGLE}: BruteSolve, all subsets",
        ),
        (
            "perimeter",
            f"{_PUBLISHED}.placements:solve_perimeter",
            _ALL_EXACT,
            _SMALL,
            f"{_SLAGLE}: BruteSolve, version 2",
        ),
        (
            "backtracking",
            f"{_PUBLISHED}.placements:solve_backtracking",
            _ALL_EXACT,
            _SMALL,
            f"{_SLAGLE}: BruteSolve, version 3",
        ),
        (
            "human",
            f"{_PUBLISHED}.deduction:solve",
            _PROOFS_ONLY,
            _wins(27.9, 5.3),
            f"{_SLAGLE}: strategies 1 to 7, HumanSolve",
        ),
        ("consistency", f"{_PUBLISHED}.consistency:solve", _PROOFS_ONLY, _wins(30.1, 2.6), _LITTLE),
        ("local", f"{_PUBLISHED}.local:solve", _PROOFS_ONLY, _wins(29.0, 1.1), _LOCAL),
        (
            "local-backtracking",
            f"{_PUBLISHED}.local:solve_backtracking",
            _PROOFS_ONLY,
            _wins(29.5, 1.0),
            _LOCAL,
        ),
        ("local-cache", f"{_PUBLISHED}.local:solve_cache", _PROOFS_ONLY, _wins(29.4, 1.1), _LOCAL),
        (
            "local-lookahead",
            f"{_PUBLISHED}.local:solve_lookahead",
            _PROOFS_ONLY,
            _wins(28.9, 1.2),
            _LOCAL,
        ),
        (
            "local-improved",
            f"{_PUBLISHED}.local:solve_improved",
            _PROOFS_ONLY,
            _wins(29.6, 1.0),
            _LOCAL,
        ),
    )
}
"""`complete` and `exact` hold within the `Limit`; beyond it only `sound` does."""


class UnknownSolver(ValueError):
    """No solver or player has that name; the message lists the names that exist."""


def solver(name: str) -> SolverInfo:
    """Return the solver of that name.

    Raises:
        UnknownSolver: There is none.
    """
    return find_by_name(SOLVERS, name, "solver")


def find_by_name(registry: Mapping[str, _T], name: str, kind: str) -> _T:
    """Return an entry of a registry; `kind` names its entries in the message.

    Raises:
        UnknownSolver: There is no such entry.
    """
    if name not in registry:
        known = ", ".join(registry)
        raise UnknownSolver(f"there is no {kind} {name!r}; there are: {known}")
    return registry[name]
