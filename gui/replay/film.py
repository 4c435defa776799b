"""A loaded session with all its turns, whose pictures are loaded on demand."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Final

from bot.board import Cell
from bot.frame import Status
from bot.game import Rules
from bot.loop import Turn
from bot.planner import Action, Move
from gui.panel.jobs import Progress
from gui.tally import Tally
from vision.sessions import Session, SessionError, load_session

MOST_CELLS: Final = 40_000
"""Four times the largest board that was played."""
FARTHEST: Final = 100_000
"""Points from the desktop's corner."""


@dataclass(frozen=True, eq=False)
class Film:
    """A loaded session."""

    session: Session
    turns: tuple[Turn | None, ...]
    """Without their pictures; None for an inconsistent record."""
    problems: Mapping[int, str]
    """The reasons for that, by index."""
    tallies: tuple[Tally, ...]
    """The statistics up to each turn."""

    def __len__(self) -> int:
        return len(self.turns)

    @cached_property
    def times(self) -> tuple[float, ...]:
        """Seconds since the first frame; never decreasing."""
        records = self.session.records
        times: list[float] = []
        for record in records:
            since = record.time - records[0].time
            times.append(max(since, times[-1]) if times else 0.0)
        return tuple(times)

    @property
    def end(self) -> Status:
        """The status of the last turn."""
        return self.session.records[-1].status

    def guess(self, index: int) -> Move | None:
        """Return the risky move of a turn, or None."""
        turn = self.turns[index]
        if turn is None or self.session.info.rules is not Rules.CLASSIC:
            return None
        risky = (move for move in turn.moves if move.risk > 0 and move.action is not Action.FLAG)
        return next(risky, None)

    def advice(self, index: int) -> Cell | None:
        """Return the cell that a turn's reason is about, if the user played another one.

        In a game that the user played, the reason is that of the advice.
        """
        turn = self.turns[index]
        if self.session.info.player != "user" or turn is None or turn.analysis is None:
            return None
        best = turn.analysis.best
        return None if best in [move.cell for move in turn.moves] else best

    def opening(self, index: int) -> bool:
        """Return whether a turn makes the first click, which has no known risk."""
        turn = self.turns[index]
        return turn is not None and bool(turn.reading.board.unopened.all())

    def guesses(self) -> tuple[int, ...]:
        """Return the turns with a guess."""
        return tuple(index for index in range(len(self)) if self.guess(index) is not None)


def load_film(folder: Path, progress: Progress) -> Film:
    """Load a session; runs in a job.

    Raises:
        SessionError: It cannot be shown at all.
        Cancelled: The job was cancelled.
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
        turn: Turn | None
        try:
            turn = session.bare_turn(index)
            _check(turn)
        except ValueError as error:
            turn, problems[index] = None, str(error)
        else:
            tally.add(turn)
        turns.append(turn)
        tallies.append(_still(tally))
    return Film(session, tuple(turns), MappingProxyType(problems), tuple(tallies))


def _check(turn: Turn) -> None:
    """Check that a turn of an untrusted session can be drawn.

    Raises:
        ValueError: It cannot.
    """
    board, grid = turn.reading.board, turn.reading.grid
    if (grid.rows, grid.cols) != board.tiles.shape:
        raise ValueError(
            f"its board has {board.cols} x {board.rows} cells, its grid {grid.cols} x {grid.rows}"
        )
    if board.tiles.size > MOST_CELLS:
        raise ValueError(f"a board of {board.cols} x {board.rows} cells is too large to be shown")
    if max(abs(grid.left), abs(grid.top)) > FARTHEST:
        raise ValueError("its board lies far off any screen")


def _still(tally: Tally) -> Tally:
    """Return a copy that does not change any more."""
    still = copy.copy(tally)
    still.seconds = dict(tally.seconds)
    return still
