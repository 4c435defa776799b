"""What a solver is asked, what it may spend, and what it answers."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, Generic, NamedTuple, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from bot.board import Board, Cell


class Cancelled(Exception):
    """The user stopped while a solver was thinking."""


@dataclass(frozen=True)
class Limit:
    """What a solver may spend on one decision; counts from when it is made.

    A solver asks `spent` often enough that a stop while thinking takes under 50 ms.
    """

    nodes: int | None = None
    """Steps of the search, in the solver's own measure; None for no limit. Tests limit these."""
    seconds: float | None = None
    """Wall-clock time; None for no limit."""
    cancel: threading.Event | None = None
    """Set by whoever wants the answer no longer."""
    _started: float = field(default_factory=time.monotonic, repr=False)

    def spent(self, nodes: int) -> bool:
        """Whether the budget is used up after `nodes` steps.

        Raises:
            Cancelled: The user stopped.
        """
        if self.cancel is not None and self.cancel.is_set():
            raise Cancelled
        if self.nodes is not None and nodes > self.nodes:
            return True
        return self.seconds is not None and time.monotonic() - self._started > self.seconds


class Evidence(NamedTuple):
    """What a reason speaks of, for the panel to light up."""

    hints: tuple[Cell, ...] = ()
    cells: tuple[Cell, ...] = ()


NO_EVIDENCE: Final = Evidence()


T = TypeVar("T")


class Later(Generic[T]):
    """A field that is given as it is, or as a function that tells it when somebody asks.

    What explains an answer takes longer to work out than the answer, and nobody reads it
    of most. The function may be called more than once, and from any thread.
    """

    def __init__(self, *default: T) -> None:
        self._default = default

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> T: ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...
    def __get__(self, instance: object | None, owner: type) -> T:
        if instance is None:
            # What a dataclass takes for the default; without one the field must be given.
            if not self._default:
                raise AttributeError(self._name)
            return self._default[0]
        value: Any = instance.__dict__[self._name]
        told: T = value() if callable(value) else value
        instance.__dict__[self._name] = told
        return told

    def __set__(self, instance: object, value: T | Callable[[], T]) -> None:
        instance.__dict__[self._name] = value


@dataclass(frozen=True, eq=False)
class Analysis:
    """What a solver thinks of a board."""

    mine_probability: NDArray[np.float64]
    """(rows, cols) float64 in 0..1, NaN where opened. 0.0 and 1.0 are reserved for proofs."""
    best: Cell | None
    """The cell to open next; None where only mines are covered."""
    exact: bool
    """Whether the probabilities are exact, not an estimate."""
    method: str
    """The solver's name in the registry."""
    reason: Later[str] = Later()
    """Why `best`, in one sentence for the user."""
    solutions: Later[int | None] = Later(None)
    """Placings of all mines that agree with the board, where they were counted."""
    error: float = 0.0
    """Bound on the error of an estimated probability; 0 where exact."""
    evidence: Later[Evidence] = Later(NO_EVIDENCE)
    seconds: float = 0.0
    """Time spent, as measured by the caller: no algorithm reads a clock."""

    def __post_init__(self) -> None:
        probability = np.array(self.mine_probability, np.float64)
        probability.flags.writeable = False
        object.__setattr__(self, "mine_probability", probability)

    def timed(self, seconds: float) -> Analysis:
        """The same with the time that it took.

        `dataclasses.replace` would work out all that is told later.
        """
        timed = object.__new__(Analysis)
        timed.__dict__.update(self.__dict__, seconds=seconds)
        return timed

    def __getstate__(self) -> dict[str, Any]:
        """What goes to another process: what is told later is told now."""
        return self.__dict__ | {name: getattr(self, name) for name in _TOLD_LATER}

    @property
    def safe(self) -> tuple[Cell, ...]:
        """The cells proved free of mines, row by row."""
        return _cells(self.mine_probability == 0.0)

    @property
    def mines(self) -> tuple[Cell, ...]:
        """The cells proved to be mines, row by row."""
        return _cells(self.mine_probability == 1.0)


_TOLD_LATER: Final = [name for name, kind in vars(Analysis).items() if isinstance(kind, Later)]


def _cells(mask: NDArray[np.bool_]) -> tuple[Cell, ...]:
    return tuple(Cell(int(row), int(col)) for row, col in np.argwhere(mask))


Solver = Callable[[Board, Limit], Analysis]
"""One way to play: a board in, an opinion out, no state kept that changes the answer."""


@dataclass(frozen=True)
class SolverInfo:
    """A solver as the registry lists it."""

    name: str
    solve: Solver
    sound: bool
    """What it calls certain is certain."""
    complete: bool
    """It finds every certain cell."""
    exact: bool
    """Its probabilities are exact."""
    source: str
    """Where the idea comes from."""
