"""Rates the guesses of a session in the background, beginning with the turn that is shown."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Final

from PyQt6.QtCore import QObject, pyqtSignal

from bot.analysis import Limit
from bot.assist.rating import Rating, WinningChance, rate_move, winning_chance
from bot.board import Cell
from bot.frame import Status
from bot.planner import Action, Move
from gui.panel.jobs import Job, Jobs, Progress
from gui.replay.film import Film

_WORTH_SAYING: Final = 0.005
"""Loss of win chance below which a guess gets no comment."""


@dataclass(frozen=True)
class Verdict:
    """A rated guess."""

    turn: int
    move: Move
    rating: Rating | None = None
    """None if it could not be rated."""
    after: WinningChance | None = None
    """The win chance after its result; None if the recording ends before."""
    problem: str = ""
    """Why it could not be rated."""


def judge(film: Film, turn: int, progress: Progress) -> Verdict:
    """Rate the guess of a turn; runs in a job.

    Raises:
        Cancelled: The job was cancelled.
    """
    progress.tell(None)
    played, move = film.turns[turn], film.guess(turn)
    if played is None or move is None:
        raise ValueError(f"turn {turn} makes no guess")
    limit = Limit(cancel=progress.cancelled)
    try:
        rating = rate_move(played.reading.board, move, limit)
        return Verdict(turn, move, rating, _after(film, turn, limit))
    except ValueError as error:
        return Verdict(turn, move, problem=f"It cannot be rated: {error}")


def _after(film: Film, turn: int, limit: Limit) -> WinningChance | None:
    following = film.turns[turn + 1] if turn + 1 < len(film) else None
    if following is None:
        return None
    reading = following.reading
    if reading.status is Status.ENDED:
        return None
    if reading.status.over:
        won = reading.status is Status.WON
        return WinningChance(1.0 if won else 0.0, exact=True, best=None)
    return winning_chance(reading.board, limit)


class Judge(QObject):
    """A rater of a session's guesses, one after the other.

    Args:
        jobs: Runs the computation.

    Signals:
        judged(Verdict): One more guess is rated.
        failed(Failure): An unexpected error; it continues with the next guess.
    """

    judged = pyqtSignal(object)
    failed = pyqtSignal(object)

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._film: Film | None = None
        self._job: Job | None = None
        self._left: list[int] = []
        self.verdicts: dict[int, Verdict] = {}
        """By the turn's index."""

    @property
    def done(self) -> bool:
        """Whether all guesses are rated."""
        return not self._left and self._job is None

    def open(self, film: Film | None) -> None:
        """Start with another session, cancelling the current job."""
        self._film = film
        self._left = list(film.guesses()) if film else []
        self.verdicts = {}
        if self._job is not None:
            self._job.cancel()
        self._go_on()

    def prefer(self, turn: int) -> None:
        """Rate the guess of this turn next."""
        if turn in self._left:
            self._left.remove(turn)
            self._left.insert(0, turn)

    def _go_on(self) -> None:
        if self._job is not None or not self._left or self._film is None:
            return
        film, turn = self._film, self._left.pop(0)
        job = self._job = self._jobs.start("Rating a guess", partial(_judged, film, turn))
        job.done.connect(self._take)
        job.failed.connect(self.failed)
        job.ended.connect(self._rest)

    def _take(self, judged: tuple[Film, Verdict]) -> None:
        film, verdict = judged
        if film is self._film:
            self.verdicts[verdict.turn] = verdict
            self.judged.emit(verdict)

    def _rest(self) -> None:
        self._job = None
        self._go_on()


def _judged(film: Film, turn: int, progress: Progress) -> tuple[Film, Verdict]:
    return film, judge(film, turn, progress)


def in_words(verdict: Verdict) -> list[str]:
    """Return a verdict as sentences."""
    rating, where = verdict.rating, place(verdict.move.cell)
    if rating is None:
        return [verdict.problem]
    if rating.opening:
        first = f"Opened {where}: the first click, which most programs make safe."
        return [first, *_afterwards(verdict)]
    verb = "Chord at" if verdict.move.action is Action.CHORD else "Opened"
    share = f"{rating.risk:.1%} risk" + ("" if rating.risks_exact else " (estimated)")
    lines = [f"{verb} {where}: {share}; the least there was is {rating.least_risk:.1%}."]
    if rating.needless:
        lines.append(f"It was not needed: {place(rating.safe_cells[0])} was proved safe.")
    lines.append(_chances(verdict, rating))
    if (rating.lost or 0.0) > _WORTH_SAYING and rating.best_cell is not None:
        lines.append(f"{place(rating.best_cell).capitalize()} was the better choice.")
    return lines


def _afterwards(verdict: Verdict) -> list[str]:
    """Return sentences about the win chance after the result of the first click."""
    after = verdict.after
    if after is None or after.value is None:
        return []
    kind = "" if after.exact else ", estimated"
    return [f"Chance to win{kind}: {after.value:.1%} after what it showed."]


def _chances(verdict: Verdict, rating: Rating) -> str:
    if rating.chance_before is None or rating.chance_with is None:
        return "The chance to win is beyond counting here."
    kind = "" if rating.exact else ", estimated"
    text = (
        f"Chance to win{kind}: {rating.chance_before:.1%} before, {rating.chance_with:.1%} with it"
    )
    if verdict.after is None or verdict.after.value is None:
        return f"{text}."
    kind = "" if verdict.after.exact or not rating.exact else " (estimated)"
    return f"{text}, {verdict.after.value:.1%} after what it showed{kind}."


def place(cell: Cell | None) -> str:
    """Return a cell as text."""
    return "the board" if cell is None else cell.position_text
