"""Play a batch of boards in a worker process, and return the outcomes."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import fsum
from pathlib import Path
from typing import Final

from bot.analysis import Analysis, Cancelled, Limit, Solver, Thinking
from bot.board import Board
from bot.digging import hunter
from bot.frame import Status
from bot.game import Rules
from bot.lab.boards import BoardSpec
from bot.lab.statistics import bucket
from bot.planner import plan
from bot.processes import process_clock, thread_clock
from bot.solver import solver
from bot.solver.warmup import PREPARATION, ROLLOUT_PREPARATION

STOP: Final = threading.Event()
"""Set in a worker to cancel it; the player then raises Cancelled."""

CLASSIC: Final = Rules.CLASSIC.value
DIGGING: Final = Rules.DIGGING.value
GAMES: Final = (CLASSIC, DIGGING)
"""Minesweeper, and the game of source 002: all mines with the fewest digs."""


class UnknownGame(ValueError):
    """There is no game of that name."""


@dataclass(frozen=True)
class Outcome:
    """The result of one player on one board."""

    player: str
    number: int
    """The board's index in its set."""
    won: bool
    """Whether the game was won; in the game of digging, whether the list of mines was right."""
    opened: int
    """Cells opened by the player's moves, including the first; in the game of digging: digs."""
    guesses: int
    """Moves without a proof of safety, except the first."""
    buckets: dict[int, int]
    """Histogram of decision times, by `bot.lab.statistics.bucket`."""
    seconds: float
    """Processor time of all decisions."""
    worst: float
    """Processor time of the slowest decision."""
    memory: int | None
    """Peak memory of the worker in bytes while it played this batch."""


def play_batch(
    game: str, player: str, specs: Sequence[BoardSpec], nodes: int | None, rollouts: int = 0
) -> tuple[Outcome, ...]:
    """Play boards one after another; after a stop, return the finished games.

    Args:
        game: One of `GAMES`.
        player: The name of a solver, or of a player of the game of digging.
        specs: The boards.
        nodes: Limit of a decision in the solver's own steps. Not in seconds: the result must not
            depend on the load of the machine.
        rollouts: Games that a solver that can do that simulates at each guess.

    Raises:
        UnknownGame: There is no such game.
        UnknownSolver: There is no such player.
    """
    check_player(game, player)
    thinking = Thinking(rollouts=rollouts, threads=1) if rollouts else None
    reset_peak_memory()
    outcomes: list[Outcome] = []
    with suppress(Cancelled):
        # Otherwise the time of the first decisions would include loading the compiled code.
        PREPARATION.wait(STOP)
        if rollouts:
            ROLLOUT_PREPARATION.wait(STOP)
        for spec in specs:
            if game == CLASSIC:
                outcomes.append(
                    _play(player, spec, _TimedSolver(solver(player).solve, nodes, thinking))
                )
            else:
                outcomes.append(
                    _dig(player, spec, _TimedSolver(hunter(player).start(spec.seed), nodes))
                )
    return tuple(outcomes)


def check_player(game: str, player: str) -> None:
    """Check that a game and its player exist.

    Raises:
        UnknownGame: There is no such game.
        UnknownSolver: There is no such player; the message names those that there are.
    """
    if game not in GAMES:
        raise UnknownGame(f"there is no game {game!r}; there are: {', '.join(GAMES)}")
    (solver if game == CLASSIC else hunter)(player)


class _TimedSolver:
    """A solver whose decisions are timed."""

    def __init__(self, solve: Solver, nodes: int | None, thinking: Thinking | None = None) -> None:
        self._solve = solve
        self._nodes = nodes
        self._thinking = thinking
        self.times: list[float] = []

    def __call__(self, board: Board) -> Analysis:
        # Simulated games run in a thread of their own.
        clock = thread_clock if self._thinking is None else process_clock
        start = clock()
        limit = Limit(nodes=self._nodes, cancel=STOP, thinking=self._thinking)
        analysis = self._solve(board, limit)
        self.times.append(clock() - start)
        return analysis


def _play(player: str, spec: BoardSpec, solve: _TimedSolver) -> Outcome:
    game = spec.game()
    game.open(spec.first)
    opened, guesses = 1, 0
    while not game.status.over:
        board = game.board
        moves = plan(board, solve(board))
        if not moves:
            break
        for move in moves:
            if move.cell is not None and game.open(move.cell):
                opened += 1
                guesses += move.risk > 0
    return _outcome(player, spec, game.status is Status.WON, opened, guesses, solve.times)


def _dig(player: str, spec: BoardSpec, hunt: _TimedSolver) -> Outcome:
    game = spec.dig_game()
    guesses = 0
    while not game.status.over:
        analysis = hunt(game.board)
        if analysis.best is None:
            game.submit((*game.listed_mines, *analysis.mines))
            break
        guesses += 0 < float(analysis.mine_probability[analysis.best]) < 1
        game.open(analysis.best)
    return _outcome(player, spec, game.status is Status.WON, game.digs, guesses, hunt.times)


def _outcome(
    player: str, spec: BoardSpec, won: bool, opened: int, guesses: int, times: Sequence[float]
) -> Outcome:
    return Outcome(
        player,
        spec.number,
        won,
        opened,
        guesses,
        dict(Counter(bucket(seconds) for seconds in times)),
        fsum(times),
        max(times, default=0.0),
        peak_memory(),
    )


_STATUS: Final = Path("/proc/self/status")
_CLEAR_REFS: Final = Path("/proc/self/clear_refs")


def reset_peak_memory() -> None:
    """Reset the peak memory of this process, where the system supports that."""
    try:
        _CLEAR_REFS.write_text("5")
    except OSError:
        return


def peak_memory() -> int | None:
    """Return the peak memory of this process in bytes; None if the system does not report it."""
    try:
        lines = _STATUS.read_text("utf-8").splitlines()
    except OSError:
        return None
    found = [line.split()[1] for line in lines if line.startswith("VmHWM:")]
    return int(found[0]) * 1024 if found else None
