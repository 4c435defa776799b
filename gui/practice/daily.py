"""The daily board: the same one for everybody on a day, won without a guess from its first cell.

Its games are rows of the history, as those of any other program.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Final, NamedTuple

import numpy as np

from bot.analysis import Analysis, Cancelled
from bot.assist.guesses import is_guess
from bot.assist.no_guess import find_seed
from bot.board import COVERED, QUESTION, Board, Cell
from bot.frame import Status
from bot.game import FirstClick, Game, Level, Rules
from bot.metrics import three_bv, three_bv_done
from bot.planner import Action, Move
from gui.analyse.positions import solving
from gui.history.schema import history_file
from gui.history.store import Entry, Filter, Guess, History, Player, Result
from gui.panel.jobs import Progress

PROGRAM: Final = "daily-board"
"""The program's name in the history."""
_TITLE: Final = "Daily board"


@dataclass(frozen=True)
class DailyLimits:
    """Limits of the daily board."""

    games: int = 60
    """Number of games that are read for the list of results."""
    days: int = 14
    """Number of lines of that list."""
    seeds: int = 1000
    """Seeds of a day."""


_DAILY: Final = DailyLimits()


class _Step(NamedTuple):
    """A click that opened cells, and the board before it."""

    board: Board
    cell: Cell
    hit: bool
    """Whether a mine was opened."""


class DailyGame:
    """A game on the board of a day.

    Args:
        day: The day.
        level: The size of the board.
        seed: From `find_daily`.
        clock: Monotonic seconds.
    """

    def __init__(
        self, day: date, level: Level, seed: int, clock: Callable[[], float] = time.perf_counter
    ) -> None:
        self.day, self.level, self._seed, self._clock = day, level, seed, clock
        self.start = start_cell(level)
        """The cell to open first."""
        self.restart()

    def restart(self) -> None:
        """Begin again on the same board."""
        self._game = Game.of_level(self.level, self._seed, FirstClick.ZERO)
        self._began: datetime | None = None
        self._since: float | None = None
        """The clock when the time began to run; None while it stands still."""
        self._seconds = 0.0
        """The time until then."""
        self._clicks = self._three_bv_done = 0
        self._steps = list[_Step]()

    @property
    def board(self) -> Board:
        """The visible board."""
        return self._game.board

    @property
    def status(self) -> Status:
        """PLAYING, WON or LOST."""
        return self._game.status

    @property
    def started(self) -> bool:
        """Whether the first cell was opened."""
        return self._began is not None

    @property
    def mines_left(self) -> int:
        """Mines minus flags."""
        return self._game.mines_left

    @property
    def seconds(self) -> float:
        """Seconds since the first click, until the end of the game, without the pauses."""
        return self._seconds + (0 if self._since is None else self._clock() - self._since)

    @property
    def three_bv(self) -> int:
        """The board's 3BV; 0 before the first click."""
        layout = self._game.layout
        return 0 if layout is None else three_bv(layout)

    @property
    def three_bv_done(self) -> int:
        """The 3BV opened by the player."""
        return self._three_bv_done

    def click(self, cell: Cell) -> bool:
        """Open a covered cell, or the cells around a hint that has its flags.

        Returns:
            Whether it was allowed; the first click is so only on `start`.
        """
        if self.status.over or (not self.started and cell != self.start):
            return False
        if not self.started:
            self._began, self._since = datetime.now().astimezone(), self._clock()
        before = self.board
        covered = before[cell] in (COVERED, QUESTION)
        changed = self._game.open(cell) if covered else self._game.chord(cell)
        self._clicks += bool(changed)
        status = self._game.status
        if changed and before.has_hints:
            self._steps.append(_Step(before, cell, hit=status is Status.LOST))
        if status is not Status.LOST:
            self._three_bv_done = three_bv_done(self.board)
        if status.over:
            self.pause()
        return True

    def pause(self) -> None:
        """Stop the time."""
        self._seconds, self._since = self.seconds, None

    def resume(self) -> None:
        """Let the time run on, if the game is begun and not over."""
        if self.started and not self.status.over and self._since is None:
            self._since = self._clock()

    def flag(self, cell: Cell) -> None:
        """Flag a covered cell, or remove the flag."""
        if self.started and self._game.flag(cell):
            self._clicks += 1

    def entry(self) -> tuple[Entry, tuple[_Step, ...]]:
        """Return the finished game as a row of the history, without its guesses, and its steps.

        Raises:
            ValueError: It is not finished.
        """
        if self._began is None or not self.status.over:
            raise ValueError("the game is not finished")
        won = self.status is Status.WON
        entry = Entry(
            started=self._began,
            program=PROGRAM,
            window=f"{_TITLE} {self.day.isoformat()}",
            rows=self.level.rows,
            cols=self.level.cols,
            mines=self.level.mines,
            level=self.level.name,
            rules=Rules.CLASSIC,
            solver="none",
            style="none",
            player=Player.USER,
            whole=True,
            seconds=self._seconds,
            result=Result.WON if won else Result.LOST,
            turns=self._clicks,
            clicks=self._clicks,
            guesses=0,
            three_bv=self.three_bv if won else self.three_bv_done,
            first_click=FirstClick.ZERO,
            first_tile=0,
        )
        return entry, tuple(self._steps)


def start_cell(level: Level) -> Cell:
    """Return the first cell to open: in the middle."""
    return Cell(level.rows // 2, level.cols // 2)


def find_daily(day: date, level: Level, progress: Progress) -> int:
    """Return the seed of a day's board; runs in a job.

    Raises:
        Cancelled: The job was cancelled.
    """
    solve = solving("exact", progress)

    def solve_while_wanted(board: Board) -> Analysis:
        progress.report(None)
        return solve(board)

    first = int(f"{day:%Y%m%d}") * _DAILY.seeds
    return find_seed(level, start_cell(level), first, solve_while_wanted)


def keep_game(entry: Entry, steps: Sequence[_Step], progress: Progress) -> list[DayResult]:
    """Write a finished game to the history with its guesses, and return the results.

    Raises:
        HistoryError: The history cannot be read or written.
        Cancelled: The job was cancelled.
    """
    guesses: list[Guess] = []
    with suppress(Cancelled):
        # The result is kept even if the panel is closed meanwhile.
        guesses = _guesses_of(steps, progress)
    with History.to_write(history_file()) as history:
        history.add([(replace(entry, guesses=len(guesses)), guesses)])
    return read_results(progress)


def _guesses_of(steps: Sequence[_Step], progress: Progress) -> list[Guess]:
    solve = solving("exact", progress)
    found = []
    for board, cell, hit in steps:
        progress.report(None)
        analysis = solve(board)
        covered = board[cell] in (COVERED, QUESTION)
        around = [one for one in board.around(cell) if board[one] in (COVERED, QUESTION)]
        opened = [cell] if covered else around
        risk = max(float(analysis.mine_probability[one]) for one in opened)
        if is_guess(board, Move(Action.OPEN, cell, risk)):
            found.append(Guess(risk, hit, exact=analysis.exact))
    return found


@dataclass(frozen=True)
class DayResult:
    """The games on a day's board: the first win, or else the last loss."""

    day: date
    entry: Entry
    games: int
    """Number of games up to that one."""

    def __str__(self) -> str:
        entry = self.entry
        won = entry.result is Result.WON
        speed = f", {entry.speed:.2f} 3BV/s" if won and entry.speed is not None else ""
        tries = f", game {self.games}" if self.games > 1 else ""
        ended = "won in" if won else "lost after"
        return f"{self.day}, {entry.level}: {ended} {entry.seconds:.1f} s{speed}{tries}"


def read_results(progress: Progress) -> list[DayResult]:
    """Return the results of the last days, the newest first.

    Raises:
        HistoryError: The history cannot be read or written.
        Cancelled: The job was cancelled.
    """
    with History.to_read(history_file(), progress.cancelled) as history:
        numbers = history.numbers(Filter(program=PROGRAM))[: _DAILY.games]
        entries = history.entries(numbers.tolist())
    return day_results(entries[number] for number in np.sort(numbers).tolist() if number in entries)


def day_results(entries: Iterable[Entry]) -> list[DayResult]:
    """Return the results of games, which are given in the order in which they were played."""
    found: dict[tuple[date, str], DayResult] = {}
    for entry in entries:
        day = _day_of(entry)
        before = found.get((day, entry.level))
        if before is None or before.entry.result is not Result.WON:
            games = 1 if before is None else before.games + 1
            found[day, entry.level] = DayResult(day, entry, games)
    newest = sorted(found.values(), key=lambda one: (one.day, one.entry.started), reverse=True)
    return newest[: _DAILY.days]


def _day_of(entry: Entry) -> date:
    try:
        return date.fromisoformat(entry.window.removeprefix(_TITLE).strip())
    except ValueError:
        return entry.started.date()
