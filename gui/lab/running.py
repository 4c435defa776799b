"""A laboratory run as a job: plays, reports the standings, saves the results."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from bot.analysis import Cancelled
from bot.lab.pool import LocalWorkers, Task, batch_size, pending_tasks, play_all
from bot.lab.results import ResultsFile, open_results
from bot.lab.statistics import wilson
from bot.lab.worker import DIGGING, Outcome
from bot.solver.warmup import IN_WORDS, PREPARATION
from gui.commands.lab_tables import Sheet, share_in_words
from gui.lab.order import Order, write_order
from gui.number_text import number_text
from gui.panel.jobs import Progress

NICE: Final = 10
"""The workers' niceness: the bot's own moves have priority."""
_TELL_EVERY: Final = 0.25
"""Seconds between two updates of the standings."""


@dataclass
class _Count:
    games: int = 0
    won: int = 0
    opened: int = 0
    guesses: int = 0


class Standings:
    """The standings of all players, updated by game.

    Args:
        game: The game that is played.
        players: In the order of the table.
    """

    def __init__(self, game: str, players: Iterable[str]) -> None:
        self._digging = game == DIGGING
        self._counts = {player: _Count() for player in players}

    def add(self, outcomes: Iterable[Outcome]) -> None:
        """Count games, ignoring those of other players."""
        for outcome in outcomes:
            count = self._counts.get(outcome.player)
            if count is not None:
                count.games += 1
                count.won += outcome.won
                count.opened += outcome.opened
                count.guesses += outcome.guesses

    def sheet(self, title: str) -> Sheet:
        """Return the table: win rates with Wilson's 95 % interval."""
        head = (
            ("hunter", "games", "right lists %", "95 %", "digs", "unproved digs")
            if self._digging
            else ("solver", "games", "won %", "95 %", "opened", "guesses")
        )
        return Sheet(title, head, tuple(_row(name, one) for name, one in self._counts.items()))


def _row(player: str, count: _Count) -> tuple[str, ...]:
    if not count.games:
        return player, "0"
    means = (count.opened / count.games, count.guesses / count.games)
    share = share_in_words(wilson(count.won, count.games))
    return player, f"{count.games:,}", *share, *(f"{mean:.2f}" for mean in means)


def run(order: Order, out: Path, progress: Progress, told: Callable[[Sheet], None]) -> int:
    """Run or resume an order until it is complete or cancelled.

    Args:
        order: The order.
        out: The file of results.
        progress: Receives the progress; cancels.
        told: Called periodically and at the end with the current standings.

    Returns:
        The number of games in the file.

    Raises:
        Cancelled: It was cancelled; the results so far are saved.
        Exception: As `Order.sets`, `opened` and `play_all` raise.
    """
    sets = order.sets()
    write_order(order, out)
    PREPARATION.wait(progress.cancelled, lambda: progress.tell(None, f"{IN_WORDS} …"))
    with open_results(out, order.plan(sets)) as file:
        outcomes = file.results.outcomes

        def done(boards: int, player: str, number: int) -> bool:
            return (boards, player, number) in outcomes

        total = sum(boards.count for boards in sets) * len(order.players)
        left = sum(len(task.specs) for task in pending_tasks(sets, order.players, done))
        report = _Report(order, out.stem, total, total - left, progress, told)
        report.standings.add(outcomes.values())
        work = pending_tasks(sets, order.players, done, batch_size(left, order.workers))
        batches = play_all(
            work,
            partial(LocalWorkers, order.workers, NICE),
            order.workers,
            order.game,
            order.nodes,
            progress.cancelled,
        )
        try:
            with closing(batches):
                _follow(batches, file, report)
        finally:
            told(report.sheet())
    return len(outcomes)


def _follow(
    batches: Iterable[tuple[Task, tuple[Outcome, ...]]], file: ResultsFile, report: _Report
) -> None:
    report.tell()
    for task, played in batches:
        file.add(task.boards, played)
        report.add(played)


class _Report:
    """A reporter of a run's progress."""

    def __init__(
        self,
        order: Order,
        name: str,
        total: int,
        before: int,
        progress: Progress,
        told: Callable[[Sheet], None],
    ) -> None:
        self.standings = Standings(order.game, order.players)
        self._name, self._total, self._before = name, total, before
        self._progress, self._told = progress, told
        self._played = 0
        self._start = self._last = time.monotonic()

    def add(self, outcomes: tuple[Outcome, ...]) -> None:
        """Count games, and report periodically."""
        self._played += len(outcomes)
        self.standings.add(outcomes)
        if time.monotonic() - self._last > _TELL_EVERY:
            self._last = time.monotonic()
            self.tell()
            self._told(self.sheet())

    def sheet(self) -> Sheet:
        """Return the current standings."""
        return self.standings.sheet(self._name)

    def tell(self) -> None:
        """Report the progress, the speed and the remaining time.

        It does not raise on cancellation, as finished games are still to be counted.
        """
        done = self._before + self._played
        words = f"{done:,} of {self._total:,} games"
        if self._played:
            rate = self._played / (time.monotonic() - self._start)
            words += (
                f", {number_text(rate)} a second, {left_in_words((self._total - done) / rate)} left"
            )
        with suppress(Cancelled):
            self._progress.tell(done / self._total if self._total else 1.0, words)


def left_in_words(seconds: float) -> str:
    """Return a remaining time as text: 40 s, 12 min, 3 h 5 min."""
    minutes = round(seconds / 60)
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"
