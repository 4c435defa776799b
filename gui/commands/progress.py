"""The progress of a run in the terminal: a live line, and the result of every game."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import numpy as np
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.text import Text

from bot.board import EXPLODED, UNOPENED
from bot.frame import Reading, Status
from bot.game import Rules
from bot.loop import Turn
from bot.planner import Action
from bot.solver.phrases import percent, quantity
from gui.console import Console
from gui.run_statistics import RunStatistics

_ENDS: Final = {
    Status.WON: ("won", "green"),
    Status.LOST: ("lost", "red"),
    Status.ENDED: ("ended, result not visible", "yellow"),
}


class GameLog:
    """A log of a run that prints the end of every game.

    Args:
        console: Receives the output.
        games: The number of games; None for no limit.
        rules: Of the games; the game of digging shows digs instead of guesses.
    """

    def __init__(self, console: Console, games: int | None, rules: Rules = Rules.CLASSIC) -> None:
        self.console = console
        """What is printed here appears above the live line."""
        self._games = games
        self._statistics = RunStatistics(rules)
        self._digs = 0
        self._risks: list[float] = []
        """What is counted of the current game."""
        self.last: Reading | None = None
        self._printed: set[str] = set()
        self.progress = Progress(
            TextColumn("game"),
            MofNCompleteColumn(),
            BarColumn(bar_width=20),
            TextColumn("{task.description}"),
            console=console,
            disable=not console.is_terminal,
            transient=True,
        )
        """The live line, which is shown in this context."""
        self._task = self.progress.add_task("looking for the board", total=games)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Hide the live line while something else is asked or printed."""
        self.progress.stop()
        try:
            yield
        finally:
            self.progress.start()

    def add(self, turn: Turn) -> None:
        """Process a turn."""
        self.last, counted = turn.reading, self._statistics
        games = counted.games
        counted.add(turn)
        self._print_remarks(turn.reading)
        if turn.reading.status.over:
            if counted.games > games:
                self._print_end(turn)
            return
        if turn.number == 0:
            self._digs, self._risks = 0, []
        self._digs += sum(move.action is Action.OPEN for move in turn.moves)
        if turn.reading.board.has_hints:
            self._risks += [move.risk for move in turn.moves if move.risk > 0]
        left = int(np.isin(turn.reading.board.tiles, UNOPENED).sum())
        self.progress.update(
            self._task,
            completed=games,
            description=f"turn {turn.number + 1}, {left} cells covered, won {counted.won}",
        )

    def _print_remarks(self, reading: Reading) -> None:
        """Print each remark once per run."""
        for remark in reading.remarks:
            if remark not in self._printed:
                self._printed.add(remark)
                self.console.print(Text(f"note: {remark}", "yellow"))

    def _print_end(self, turn: Turn) -> None:
        counted = self._statistics
        of = f" of {self._games}" if self._games else ""
        self.console.print(
            Text.assemble(
                f"game {counted.games}{of}: ",
                _ENDS[turn.reading.status],
                f" in {counted.game_seconds:.1f} s, {turn.number} turns, "
                f"{counted.game_clicks} clicks, {self._what_counts(turn)}",
            )
        )
        self.progress.update(self._task, completed=counted.games)

    def _what_counts(self, turn: Turn) -> str:
        if self._statistics.rules is Rules.CLASSIC:
            return _guesses(self._risks)
        mines = int((turn.reading.board.tiles == EXPLODED).sum())
        return f"{self._digs} digs, {mines} of them mines"

    def summary(self) -> str:
        """Return a summary of the run in a sentence."""
        counted = self._statistics
        if not counted.games:
            return "no game was finished"
        unseen = f"; the result of {counted.unseen} was not visible" if counted.unseen else ""
        return f"won {counted.won} of {quantity(counted.games, 'game')}{unseen}"


def _guesses(risks: list[float]) -> str:
    if not risks:
        return "no guess"
    return f"{quantity(len(risks), 'guess')} ({', '.join(map(percent, risks))} risk)"
