"""The progress of a run in the terminal: a live line, and the result of every game."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import TracebackType
from typing import Final, Self

import numpy as np
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.text import Text

from bot.board import EXPLODED, UNOPENED
from bot.frame import Reading, Status
from bot.game import Rules
from bot.loop import Turn
from bot.planner import Action
from gui.console import Console

_ENDS: Final = {
    Status.WON: ("won", "green"),
    Status.LOST: ("lost", "red"),
    Status.ENDED: ("ended, result not visible", "yellow"),
}


@dataclass
class _Game:
    started: float
    turns: int = 0
    clicks: int = 0
    digs: int = 0
    risks: list[float] = field(default_factory=list)


class GameLog:
    """A log of a run that prints the end of every game.

    Args:
        console: Receives the output.
        games: The number of games; None for no limit.
        rules: Of the games; the game of digging shows digs instead of guesses.
    """

    def __init__(self, console: Console, games: int | None, rules: Rules = Rules.CLASSIC) -> None:
        self._console = console
        self._games = games
        self._rules = rules
        self._game: _Game | None = None
        self.played = 0
        self.won = 0
        self._unseen = 0
        self.last: Reading | None = None
        self._printed: set[str] = set()
        self._progress = Progress(
            TextColumn("game"),
            MofNCompleteColumn(),
            BarColumn(bar_width=20),
            TextColumn("{task.description}"),
            console=console,
            disable=not console.is_terminal,
            transient=True,
        )
        self._task = self._progress.add_task("looking for the board", total=games)

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._progress.stop()

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Hide the live line while something else is asked or printed."""
        self._progress.stop()
        try:
            yield
        finally:
            self._progress.start()

    def note(self, text: str) -> None:
        """Print something above the progress line; an empty text prints nothing."""
        if text:
            self._console.print(Text(text, "dim"))

    def add(self, turn: Turn) -> None:
        """Process a turn."""
        self.last = turn.reading
        self._count_clicks(turn)
        self._print_remarks(turn.reading)
        if turn.reading.status.over:
            self._end(turn)
            return
        if self._game is None or turn.number == 0:
            # The previous game may have been given up by the user.
            self._game = _Game(started=turn.reading.frame.time)
        self._game.turns += 1
        self._game.digs += sum(move.action is Action.OPEN for move in turn.moves)
        if turn.reading.board.has_hints:
            self._game.risks += [move.risk for move in turn.moves if move.risk > 0]
        left = int(np.isin(turn.reading.board.tiles, UNOPENED).sum())
        self._progress.update(
            self._task,
            completed=self.played,
            description=f"turn {self._game.turns}, {left} cells covered, won {self.won}",
        )

    def _print_remarks(self, reading: Reading) -> None:
        """Print each remark once per run."""
        for remark in reading.remarks:
            if remark not in self._printed:
                self._printed.add(remark)
                self._console.print(Text(f"note: {remark}", "yellow"))

    def _count_clicks(self, turn: Turn) -> None:
        if self._game is not None:
            self._game.clicks += sum(event.kind == "click" for event in turn.events)

    def _end(self, turn: Turn) -> None:
        game, self._game = self._game, None
        if game is None:
            return
        self.played += 1
        self.won += turn.reading.status is Status.WON
        self._unseen += turn.reading.status is Status.ENDED
        seconds = turn.reading.frame.time - game.started
        of = f" of {self._games}" if self._games else ""
        self._console.print(
            Text.assemble(
                f"game {self.played}{of}: ",
                _ENDS[turn.reading.status],
                f" in {seconds:.1f} s, {game.turns} turns, {game.clicks} clicks, "
                f"{self._what_counts(game, turn)}",
            )
        )
        self._progress.update(self._task, completed=self.played)

    def _what_counts(self, game: _Game, turn: Turn) -> str:
        if self._rules is Rules.CLASSIC:
            return _guesses(game.risks)
        mines = int((turn.reading.board.tiles == EXPLODED).sum())
        return f"{game.digs} digs, {mines} of them mines"

    def summary(self) -> str:
        """Return a summary of the run in a sentence."""
        if not self.played:
            return "no game was finished"
        games = "game" if self.played == 1 else "games"
        unseen = f"; the result of {self._unseen} was not visible" if self._unseen else ""
        return f"won {self.won} of {self.played} {games}{unseen}"


def _guesses(risks: list[float]) -> str:
    if not risks:
        return "no guess"
    what = "1 guess" if len(risks) == 1 else f"{len(risks)} guesses"
    return f"{what} ({', '.join(f'{risk:.0%}' for risk in risks)} risk)"
