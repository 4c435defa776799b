"""Playing one board after another, and what came of it: this is what a worker does."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import fsum
from pathlib import Path
from typing import Final

from bot.analysis import Analysis, Cancelled, Limit, Solver
from bot.board import Board
from bot.digging import hunter
from bot.frame import Status
from bot.game import Rules
from bot.lab.boards import BoardSpec
from bot.lab.statistics import bucket
from bot.planner import plan
from bot.solver import solver
from bot.solver.warmup import PREPARATION

STOP: Final = threading.Event()
"""Set in a worker that is to break off; the player then raises Cancelled."""

CLASSIC: Final = Rules.CLASSIC.value
DIGGING: Final = Rules.DIGGING.value
GAMES: Final = (CLASSIC, DIGGING)
"""Minesweeper, and the game of source 002: all mines with the fewest digs."""


class UnknownGame(ValueError):
    """The laboratory does not know this game."""


@dataclass(frozen=True)
class Outcome:
    """One board, played by one player."""

    player: str
    number: int
    """The board's place in its set."""
    won: bool
    """In the game of digging: whether the list of bombs was right."""
    opened: int
    """Cells opened by a move of the player's, the first one included; in the other game: digs."""
    guesses: int
    """Moves without a proof of safety, the first one not counted."""
    buckets: dict[int, int]
    """Times of the decisions, as `bot.lab.statistics.bucket` numbers them."""
    seconds: float
    """All decisions together: processor time of the thread that thought."""
    worst: float
    """The slowest decision."""
    memory: int | None
    """Most bytes that the worker needed while it played this board and others beside it."""


def play_batch(
    game: str, player: str, deals: Sequence[BoardSpec], nodes: int | None
) -> tuple[Outcome, ...]:
    """Play boards one after another; those played to their ends where a stop comes between.

    Args:
        game: One of `GAMES`.
        player: A solver's name; in the game of digging a hunter's.
        deals: The boards.
        nodes: What a decision may spend, in the solver's own steps. Not in seconds: what
            comes of a board must not depend on how busy the machine is.

    Raises:
        UnknownGame: There is no such game.
        UnknownSolver: There is no such player.
    """
    check_player(game, player)
    reset_peak_memory()
    outcomes: list[Outcome] = []
    with suppress(Cancelled):
        # Else the first decisions of each process were timed with what they load.
        PREPARATION.wait(STOP)
        for deal in deals:
            if game == CLASSIC:
                outcomes.append(_play(player, deal, solver(player).solve, nodes))
            else:
                outcomes.append(_dig(player, deal, hunter(player).start(deal.seed), nodes))
    return tuple(outcomes)


def check_player(game: str, player: str) -> None:
    """See to it that somebody plays a game.

    Raises:
        UnknownGame: There is no such game.
        UnknownSolver: There is no such player; the message names those that there are.
    """
    if game not in GAMES:
        raise UnknownGame(f"there is no game {game!r}; there are: {', '.join(GAMES)}")
    (solver if game == CLASSIC else hunter)(player)


class _Watch:
    """A solver whose decisions are timed."""

    def __init__(self, solve: Solver, nodes: int | None) -> None:
        self._solve = solve
        self._nodes = nodes
        self.times: list[float] = []

    def __call__(self, board: Board) -> Analysis:
        start = time.thread_time()
        analysis = self._solve(board, Limit(nodes=self._nodes, cancel=STOP))
        self.times.append(time.thread_time() - start)
        return analysis


def _play(player: str, deal: BoardSpec, solve: Solver, nodes: int | None) -> Outcome:
    game = deal.game()
    game.open(deal.first)
    opened, guesses = 1, 0
    watch = _Watch(solve, nodes)
    while not game.status.over:
        board = game.board
        moves = plan(board, watch(board))
        if not moves:
            break
        for move in moves:
            if move.cell is not None and game.open(move.cell):
                opened += 1
                guesses += move.risk > 0
    return _outcome(player, deal, game.status is Status.WON, opened, guesses, watch.times)


def _dig(player: str, deal: BoardSpec, hunt: Solver, nodes: int | None) -> Outcome:
    game = deal.dig_game()
    watch = _Watch(hunt, nodes)
    guesses = 0
    while not game.status.over:
        analysis = watch(game.board)
        if analysis.best is None:
            game.submit((*game.found, *analysis.mines))
            break
        guesses += 0 < float(analysis.mine_probability[analysis.best]) < 1
        game.open(analysis.best)
    return _outcome(player, deal, game.status is Status.WON, game.digs, guesses, watch.times)


def _outcome(
    player: str, deal: BoardSpec, won: bool, opened: int, guesses: int, times: Sequence[float]
) -> Outcome:
    return Outcome(
        player,
        deal.number,
        won,
        opened,
        guesses,
        dict(Counter(bucket(seconds) for seconds in times)),
        fsum(times),
        max(times, default=0.0),
        peak_memory(),
    )


_STATUS: Final = Path("/proc/self/status")
_FORGET: Final = Path("/proc/self/clear_refs")


def reset_peak_memory() -> None:
    """Start again from what is in use now; where the system cannot, the peak stays."""
    try:
        _FORGET.write_text("5")
    except OSError:
        return


def peak_memory() -> int | None:
    """Bytes; None where the system does not say."""
    try:
        lines = _STATUS.read_text().splitlines()
    except OSError:
        return None
    found = [line.split()[1] for line in lines if line.startswith("VmHWM:")]
    return int(found[0]) * 1024 if found else None
