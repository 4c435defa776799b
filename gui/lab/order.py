"""What the laboratory is asked for in the panel, kept beside its results so that it can go on.

`NAME.jsonl` holds the results, `NAME.order.json` the order: a run that was cancelled goes on
with the same boards and the same players.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from bot.game import LEVELS, FirstClick
from bot.lab.boards import BoardSet
from bot.lab.results import Plan
from bot.lab.worker import CLASSIC
from gui.commands.lab import LabOptions, board_set, check_players, plan_of
from gui.commands.lab_graphs import SWEEPS, Sweep
from vision.files import read_whole, write_whole

ENDING: Final = ".jsonl"
_ORDER_ENDING: Final = ".order.json"
_MOST_BYTES: Final = 1 << 20
MOST_GAMES: Final = 1_000_000


class OrderError(RuntimeError):
    """An order cannot be read or written; the message names the file and the reason."""


def _level(name: str) -> str:
    if name not in LEVELS:
        raise ValueError(f"there is no level {name!r}")
    return name


class Order(BaseModel):
    """One run."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    game: str = CLASSIC
    players: tuple[str, ...] = Field(min_length=1)
    games: int = Field(default=100, ge=1, le=MOST_GAMES)
    """Boards, each for all players; of a sweep: of each of its sets."""
    level: Annotated[str, AfterValidator(_level)] = "expert"
    size: tuple[int, int, int] | None = None
    """Rows, columns and mines, instead of a level."""
    boards: str | None = None
    """A file of boards, instead of boards drawn by seed."""
    sweep: str | None = None
    """A graph's sets of boards, by its name, instead of one set."""
    first_click: Annotated[FirstClick, Field(strict=False)] = FirstClick.SAFE
    seed: int = Field(default=0, ge=0)
    nodes: int | None = Field(default=100_000, ge=1)
    """Steps that a decision may take; None for no limit."""
    workers: int = Field(default_factory=lambda: os.cpu_count() or 1, ge=1, le=1024)

    @property
    def label(self) -> str:
        """What is played, as a file may be called."""
        if self.sweep is not None:
            return self.sweep
        if self.boards is not None:
            return Path(self.boards).stem
        if self.size is not None:
            rows, cols, mines = self.size
            return f"{cols}x{rows}x{mines}"
        return self.level

    def sets(self) -> list[BoardSet]:
        """The boards.

        Raises:
            UnknownGame: There is no such game.
            UnknownSolver: A player is not known.
            BoardFileError: The file of boards is none.
            ImpossibleBoards: The size is impossible.
        """
        check_players(self.game, self.players)
        if self.sweep is not None:
            return sweep_named(self.sweep).sets(self.games, self.seed)
        return [board_set(self._options)]

    def plan(self, sets: Sequence[BoardSet]) -> Plan:
        """What the file of results is of."""
        return plan_of(sets, self._options)

    @property
    def _options(self) -> LabOptions:
        return LabOptions(
            game=self.game,
            players=self.players,
            games=self.games,
            boards=Path(self.boards) if self.boards else None,
            level=self.level,
            size=self.size,
            first_click=self.first_click,
            seed=self.seed,
            nodes=self.nodes,
            workers=self.workers,
            scheduler=None,
            out=Path(),
            or_fewer=True,
        )


def sweep_named(name: str) -> Sweep:
    """One of the graphs.

    Raises:
        OrderError: There is none of that name.
    """
    for sweep in SWEEPS:
        if sweep.name == name:
            return sweep
    raise OrderError(f"there is no graph '{name}' in this version")


def sweep_of(plan: Plan) -> Sweep | None:
    """The graph whose sets of boards these results are of, whatever seed and number."""
    for sweep in SWEEPS:
        labels = tuple(f"{at:g}" for at, *_ in sweep.sizes)
        if plan.game == sweep.game and plan.labels == labels:
            return sweep
    return None


def write_order(order: Order, results: Path) -> None:
    """Keep an order beside its file of results.

    Raises:
        OrderError: It cannot be written.
    """
    try:
        results.parent.mkdir(parents=True, exist_ok=True)
        write_whole(_beside(results), order.model_dump_json(indent=1).encode())
    except OSError as error:
        raise OrderError(
            f"{results.parent} cannot be written: {error.strerror or error}"
        ) from error


def read_order(results: Path) -> Order | None:
    """The order of a file of results; None where it was not begun here, or cannot be read."""
    try:
        return Order.model_validate_json(read_whole(_beside(results), _MOST_BYTES))
    except (OSError, ValidationError):
        return None


def _beside(results: Path) -> Path:
    return results.with_name(results.stem + _ORDER_ENDING)
