"""The interface of a solver: its limit, its analysis, its entry in the registry."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.board import Board, Cell


class Cancelled(Exception):
    """The user stopped a solver."""


@dataclass(frozen=True)
class Comparison:
    """The state of a comparison of cells by simulated games."""

    chances: Mapping[Cell, float]
    """The approximate chance to win with each cell; the best first."""
    left: tuple[Cell, ...]
    """The cells that may still be the best."""
    games: int
    """Games that were simulated."""


@dataclass(frozen=True)
class Thinking:
    """The budget of simulated games at a guess (`bot.solver.guess.rollouts`); the first counts."""

    seconds: float | None = None
    """Wall-clock time; None for no limit."""
    rollouts: int | None = None
    """Simulated games, in total; None for no limit. Not in seconds: the result must not depend on
    the load of the machine."""
    threads: int | None = None
    """Threads that play them; None for one on each core. The result does not depend on it."""
    is_enough: Callable[[Comparison], bool] | None = None
    """Called about every 10 ms in the thread that decides; returns whether to end with what was
    found so far."""


@dataclass(frozen=True)
class Limit:
    """The budget of one decision, counted from its creation.

    A solver calls `spent` often enough that a stop takes effect within 50 ms.
    """

    nodes: int | None = None
    """Steps of the search, in the solver's own measure; None for no limit. Tests limit these."""
    seconds: float | None = None
    """Wall-clock time; None for no limit."""
    cancel: threading.Event | None = None
    """Set to cancel the decision."""
    thinking: Thinking | None = None
    """Whether to simulate games at a guess, if the solver can; None for no simulation."""
    _started: float = field(default_factory=time.perf_counter, repr=False)

    def spent(self, nodes: int) -> bool:
        """Return whether the budget is used up after `nodes` steps.

        Raises:
            Cancelled: The user stopped.
        """
        if self.cancel is not None and self.cancel.is_set():
            raise Cancelled
        if self.nodes is not None and nodes > self.nodes:
            return True
        return self.seconds is not None and time.perf_counter() - self._started > self.seconds


class Evidence(NamedTuple):
    """The cells that a reason refers to; the panel highlights them."""

    hints: tuple[Cell, ...] = ()
    cells: tuple[Cell, ...] = ()


NO_EVIDENCE: Final = Evidence()


@dataclass(frozen=True, eq=False)
class Analysis:
    """The result of a solver for one board."""

    mine_probability: NDArray[np.float64]
    """(rows, cols) float64 in 0..1, NaN where opened. 0.0 and 1.0 are reserved for proofs."""
    best: Cell | None
    """The cell to open next; None where only mines are covered."""
    exact: bool
    """Whether the probabilities are exact, not an estimate."""
    method: str
    """The solver's name in the registry."""
    reason: str | None = None
    """The reason for `best`, in one sentence for the user, if the decision computed it; else None,
    and `bot.solver.explain.explain` computes it."""
    solutions: int | None = None
    """The number of solutions, if the decision counted them; else see
    `bot.solver.explain.count_solutions`."""
    error: float = 0.0
    """Bound on the error of an estimated probability; 0 where exact."""
    evidence: Evidence = NO_EVIDENCE
    """The hints and cells that `reason` refers to."""
    seconds: float = 0.0
    """Time spent, measured by the caller."""

    def __post_init__(self) -> None:
        probability = np.array(self.mine_probability, np.float64)
        probability.flags.writeable = False
        object.__setattr__(self, "mine_probability", probability)

    @property
    def safe(self) -> tuple[Cell, ...]:
        """The cells proved free of mines, row by row."""
        return _cells(self.mine_probability == 0.0)

    @property
    def mines(self) -> tuple[Cell, ...]:
        """The cells proved to be mines, row by row."""
        return _cells(self.mine_probability == 1.0)


LEAST_ESTIMATE: Final = 1e-6
"""Estimated probabilities stay this far from 0 and 1, which are reserved for proofs."""


def clip_estimate(chance: float) -> float:
    """Return an estimated probability, kept off 0 and 1."""
    return min(max(chance, LEAST_ESTIMATE), 1 - LEAST_ESTIMATE)


def _cells(mask: NDArray[np.bool_]) -> tuple[Cell, ...]:
    return tuple(Cell(int(row), int(col)) for row, col in np.argwhere(mask))


Solver = Callable[[Board, Limit], Analysis]
"""A function from board to analysis; it keeps no state that changes the result."""


@dataclass(frozen=True)
class SolverInfo:
    """An entry of the registry of solvers."""

    name: str
    function: str
    """'module:function'; the module is imported at the first use."""
    sound: bool
    """Cells reported as certain are certain."""
    complete: bool
    """It finds every certain cell."""
    exact: bool
    """Its probabilities are exact."""
    summary: str
    """Description for the player: wins on Expert and decision time, from bot/RESULTS.md."""
    source: str
    """The publication of the algorithm."""

    @property
    def solve(self) -> Solver:
        """The function, imported at the first use.

        It calls nothing certain because of a number of mines that is only assumed.
        """
        solve: Solver = load_function("bot.solver.assumed:sound")(load_function(self.function))
        return solve


def load_function(name: str) -> Any:
    """Import a function by its name, 'module:function', from a module that is slow to import."""
    module, _, function = name.partition(":")
    return getattr(import_module(module), function)
