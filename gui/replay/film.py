"""A session as it is looked at: every turn at once, their pictures only when they are wanted."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import MappingProxyType

from bot.frame import Status
from bot.loop import Turn
from bot.planner import Action, Move
from bot.rules import Rules
from gui.panel.jobs import Progress
from gui.tally import Tally
from vision.recording import Session, SessionError, load_session


@dataclass(frozen=True, eq=False)
class Film:
    """A session that was opened."""

    session: Session
    turns: tuple[Turn | None, ...]
    """Without their pictures; None where a record contradicts itself."""
    problems: Mapping[int, str]
    """Why, by index."""
    tallies: tuple[Tally, ...]
    """What each turn adds up to with those before it."""

    def __len__(self) -> int:
        return len(self.turns)

    @cached_property
    def times(self) -> tuple[float, ...]:
        """Seconds since the first frame; they never go back."""
        records = self.session.records
        times: list[float] = []
        for record in records:
            since = record.time - records[0].time
            times.append(max(since, times[-1]) if times else 0.0)
        return tuple(times)

    @property
    def end(self) -> Status:
        """How the last turn stands."""
        return self.session.records[-1].status

    def guess(self, index: int) -> Move | None:
        """The move of a turn that risked something; None where there is none."""
        turn = self.turns[index]
        if turn is None or self.session.info.rules is not Rules.CLASSIC:
            return None
        risky = (move for move in turn.moves if move.risk > 0 and move.action is not Action.FLAG)
        return next(risky, None)

    def guesses(self) -> tuple[int, ...]:
        """The turns that made one."""
        return tuple(index for index in range(len(self)) if self.guess(index) is not None)


def load_film(folder: Path, progress: Progress) -> Film:
    """Read a session; runs in a job.

    Raises:
        SessionError: It cannot be shown at all.
        Cancelled: Nobody wants it any more.
    """
    progress.tell(None, f"Opening {folder.name}")
    session = load_session(folder)
    if not session.records:
        raise SessionError(f"{folder} holds no turn: the program ended before the first one")
    turns: list[Turn | None] = []
    problems: dict[int, str] = {}
    tallies: list[Tally] = []
    tally = Tally(session.info.rules)
    for index in range(len(session)):
        progress.tell(index / len(session))
        turn = None
        try:
            turn = session.bare_turn(index)
        except SessionError as error:
            problems[index] = str(error)
        else:
            tally.add(turn)
        turns.append(turn)
        tallies.append(_still(tally))
    return Film(session, tuple(turns), MappingProxyType(problems), tuple(tallies))


def _still(tally: Tally) -> Tally:
    """As it is at this moment."""
    still = copy.copy(tally)
    still.seconds = dict(tally.seconds)
    return still
