"""The states of one component, for those who go through them from Python; and what was spent.

A component is given as a `Shape`, without its place on a board. The kernel finds the
states (see `kernel/components.py`, which says what a state is).
"""

from __future__ import annotations

from typing import Final, NamedTuple

from bot.analysis import Limit
from bot.solver.constraints import Shape

MOST_NODES: Final = 1_000_000
"""Steps that are taken for one board, whatever the limit."""
_NODES_A_LOOK: Final = 300_000
"""Work (see `Meter.work`) between two looks at the limit: about 10 ms."""


class TooWide(Exception):
    """Counting would exceed what may be spent."""


class Meter:
    """What has been spent on a board, against its limit."""

    def __init__(self, limit: Limit) -> None:
        self._limit = limit
        self._work = 0.0
        self.nodes = 0

    @property
    def left(self) -> int:
        """Nodes that may still be spent."""
        most = MOST_NODES if self._limit.nodes is None else min(self._limit.nodes, MOST_NODES)
        return max(most - self.nodes, 0)

    def spend(self, nodes: int) -> None:
        """Note `nodes` more.

        Raises:
            TooWide: The limit is reached.
            Cancelled: The user stopped.
        """
        self.nodes += nodes
        if self.nodes > MOST_NODES or self._limit.spent(self.nodes):
            raise TooWide

    def work(self, words: float) -> None:
        """Look at the limit now and then, after so many steps that are no nodes."""
        self._work += words**1.5 + 10
        if self._work > _NODES_A_LOOK:
            self._work = 0
            self.spend(0)


class Layer(NamedTuple):
    """One box decided: from each state, the fewest mines it may get and the states after."""

    box: int
    lows: list[int]
    targets: list[list[int]]
    states: int
    """States after it."""


def explore(shape: Shape, meter: Meter) -> list[Layer]:
    """Which states can be reached, box by box; empty where none reaches the end.

    Raises:
        TooWide: Over the limit.
        Cancelled: The user stopped.
    """
    # numba takes half a second to import.
    from bot.solver.kernel.interface import list_layers  # noqa: PLC0415

    meter.spend(0)
    found, nodes = list_layers(shape, meter.left)
    meter.spend(nodes)
    return [Layer(*layer) for layer in found]


def feasible(shape: Shape, meter: Meter) -> bool:
    """Whether any placement satisfies the component.

    Raises:
        TooWide: Over the limit.
        Cancelled: The user stopped.
    """
    # numba takes half a second to import.
    from bot.solver.kernel.interface import is_satisfiable  # noqa: PLC0415

    meter.spend(0)
    possible, nodes = is_satisfiable(shape, meter.left)
    meter.spend(nodes)
    return possible
