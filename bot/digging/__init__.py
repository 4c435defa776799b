"""The game of source 002, find all mines with the fewest digs: registry of its players."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from bot.analysis import Solver, load_function
from bot.solver import find_by_name


@dataclass(frozen=True)
class HunterInfo:
    """An entry of the registry of players of this game."""

    name: str
    function: str
    """'module:function'; the module is imported at the first use."""
    summary: str
    """Description for the player: digs and time of a game, from bot/RESULTS.md."""
    source: str
    """The publication of the algorithm."""
    strict: bool = True
    """It never digs a tile that is known to be safe."""

    @property
    def start(self) -> Callable[[int], Solver]:
        """The function that creates the player of one game from a random seed."""
        start: Callable[[int], Solver] = load_function(self.function)
        return start


_SOURCE: Final = "bot.digging.published"


def _digs(digs: int, seconds: float) -> str:
    return f"Finds 80 mines on 20 x 20 cells with {digs} digs, in {seconds:g} s"


HUNTERS: Final[dict[str, HunterInfo]] = {
    info.name: info
    for info in (
        HunterInfo(
            "hunter",
            "bot.digging.entropy:EntropyPlayer",
            f"Recommended. {_digs(134, 2.5)}",
            "greedy by entropy, on the exact engine",
        ),
        HunterInfo(
            "algorithm-a",
            f"{_SOURCE}:AlgorithmA",
            _digs(164, 0.03),
            "source 002, Algorithm A, strict",
        ),
        HunterInfo(
            "algorithm-a-loose",
            f"{_SOURCE}:loose_algorithm_a",
            _digs(259, 0.06),
            "source 002, Algorithm A, safe tiles may be probed",
            strict=False,
        ),
        HunterInfo(
            "algorithm-b", f"{_SOURCE}:AlgorithmB", _digs(187, 0.03), "source 002, Algorithm B"
        ),
    )
}
"""The strongest first."""


def hunter(name: str) -> HunterInfo:
    """Return the player of that name.

    Raises:
        UnknownSolver: There is none.
    """
    return find_by_name(HUNTERS, name, "hunter")
