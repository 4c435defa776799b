"""A game that was watched, told as one that the bot plays: each turn with the moves made on it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from bot.board import UNREAD
from bot.frame import Status
from bot.loop import Turn
from bot.watching import Watched


class Retelling:
    """Turns as they were watched go in, turns as they were played come out."""

    def __init__(self) -> None:
        self._older: Turn | None = None
        """Its moves may still be told."""
        self._last: Turn | None = None

    def take(self, turn: Watched) -> Iterator[Turn]:
        """Watch one more turn; what is settled by it, in order."""
        reading = turn.reading
        over = reading.status.over
        if reading.status is Status.BLOCKED or (UNREAD in reading.board.tiles and not over):
            return
        if turn.number == 0 and self._last is not None and self._last.number > 0:
            yield from self.rest()
        if self._last is None or self._last.number != turn.number:
            if self._older is not None:
                yield self._older
            self._older = self._last
        self._last = _played(turn)
        if turn.verdicts and self._older is not None:
            moves = tuple(verdict.move for verdict in turn.verdicts)
            yield replace(self._older, moves=moves)
            self._older = None

    def rest(self) -> Iterator[Turn]:
        """What is left when nothing more will come."""
        for turn in (self._older, self._last):
            if turn is not None:
                yield turn
        self._older = self._last = None


def _played(turn: Watched) -> Turn:
    """Without the advice, which nobody carried out."""
    return Turn(turn.number, turn.reading, turn.analysis, (), turn.seconds, turn.events)
