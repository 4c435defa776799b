"""A loaded session with all its turns, and its pictures, which are loaded on demand."""

from __future__ import annotations

import copy
import threading
from collections import OrderedDict
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Final

from PyQt6.QtCore import QObject, pyqtSignal

from bot.assist.guesses import is_guess
from bot.board import Cell
from bot.frame import Frame, Status
from bot.game import Rules
from bot.loop import Turn
from bot.planner import Move
from gui.panel.jobs import Progress
from gui.run_statistics import RunStatistics
from vision.sessions import Session, SessionError, load_session


@dataclass(frozen=True)
class FilmLimits:
    """Limits of what is loaded of a recorded game."""

    most_cells: int = 40_000
    """Most cells of a board: four times the largest board that was played."""
    farthest: int = 100_000
    """Largest distance from the desktop's corner, in points."""
    room: int = 160_000_000
    """Bytes of pictures that are cached."""


_FILM: Final = FilmLimits()

AHEAD: Final = 24
"""Number of turns that are preloaded in the direction of playback."""
BACK: Final = 4

_SMALLEST, _LARGEST = 0.5, 16.0
"""Pixels per point."""


@dataclass(frozen=True, eq=False)
class Film:
    """A loaded session."""

    session: Session
    turns: tuple[Turn | None, ...]
    """Without their pictures; None for an inconsistent record."""
    problems: Mapping[int, str]
    """The reasons why records are inconsistent, by index."""
    tallies: tuple[RunStatistics, ...]
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
        """Return the risky move of a turn, or None; the first click of a game is no guess."""
        turn = self.turns[index]
        if turn is None or self.session.info.rules is not Rules.CLASSIC:
            return None
        board = turn.reading.board
        return next((move for move in turn.moves if is_guess(board, move)), None)

    def advice(self, index: int) -> Cell | None:
        """Return the cell that a turn's reason is about, if the user played another one.

        In a game that the user played, the reason is that of the advice.
        """
        turn = self.turns[index]
        if self.session.info.player != "user" or turn is None or turn.analysis is None:
            return None
        best = turn.analysis.best
        return None if best in [move.cell for move in turn.moves] else best

    def guesses(self) -> tuple[int, ...]:
        """Return the turns with a guess."""
        return tuple(index for index in range(len(self)) if self.guess(index) is not None)

    def classic_turns(self) -> set[int]:
        """Return the turns that have a chance to win: all of a classic game, without its errors."""
        classic = self.session.info.rules is Rules.CLASSIC
        return {index for index, turn in enumerate(self.turns) if classic and turn is not None}


def turns_text(frames: int) -> str:
    """Return the number of turns of so many frames as text; frame 0 is the board before them."""
    turns = max(0, frames - 1)
    return f"{turns} turn{'' if turns == 1 else 's'}"


def load_film(folder: Path, progress: Progress) -> Film:
    """Load a session; runs in a job.

    Raises:
        SessionError: It cannot be shown at all.
        Cancelled: The job was cancelled.
    """
    progress.report(None, f"Opening {folder.name}")
    session = load_session(folder)
    if not session.records:
        raise SessionError(f"{folder} holds no turn: the program ended before the first one")
    turns: list[Turn | None] = []
    problems: dict[int, str] = {}
    tallies: list[RunStatistics] = []
    statistics = RunStatistics(session.info.rules, by_user=session.info.player == "user")
    for index in range(len(session)):
        progress.report(index / len(session))
        turn: Turn | None
        try:
            turn = session.bare_turn(index)
            _check_turn(turn)
        except ValueError as error:
            turn, problems[index] = None, str(error)
        else:
            statistics.add(turn)
        turns.append(turn)
        tallies.append(_still(statistics))
    return Film(session, tuple(turns), MappingProxyType(problems), tuple(tallies))


def _check_turn(turn: Turn) -> None:
    """Check that a turn of an untrusted session can be drawn.

    Raises:
        ValueError: It cannot.
    """
    board, grid = turn.reading.board, turn.reading.grid
    if (grid.rows, grid.cols) != board.tiles.shape:
        raise ValueError(
            f"its board has {board.cols} x {board.rows} cells, its grid {grid.cols} x {grid.rows}"
        )
    if board.tiles.size > _FILM.most_cells:
        raise ValueError(f"a board of {board.cols} x {board.rows} cells is too large to be shown")
    if max(abs(grid.left), abs(grid.top)) > _FILM.farthest:
        raise ValueError("its board lies far off any screen")


def _still(statistics: RunStatistics) -> RunStatistics:
    """Return a copy that does not change any more."""
    still = copy.copy(statistics)
    still.seconds = dict(statistics.seconds)
    return still


class FrameNews(QObject):
    """A sender of signals from the thread, shared by all sessions so that it outlives them.

    Signals:
        loaded(Frames, int): A frame is loaded.
        failed(Frames, int): It cannot be loaded; `Frames.problem` returns the reason.
    """

    loaded = pyqtSignal(object, int)
    failed = pyqtSignal(object, int)


class Frames:
    """The pictures of one session, loaded in the background: the current one, then the next ones.

    They have their own thread, because the jobs' threads may be busy with an export for minutes.
    """

    def __init__(self, session: Session, news: FrameNews) -> None:
        self._news = news
        self._session = session
        self._lock = threading.Lock()
        self._kept: OrderedDict[int, Frame] = OrderedDict()
        self._bytes = 0
        self._broken: dict[int, str] = {}
        self._wanted: list[int] = []
        self._working = self._closed = False
        self._thread = ThreadPoolExecutor(1, "frames")

    def get(self, index: int) -> Frame | None:
        """Return a frame if it is loaded, else None."""
        with self._lock:
            frame = self._kept.get(index)
            if frame is not None:
                self._kept.move_to_end(index)
            return frame

    def problem(self, index: int) -> str:
        """Return why a frame cannot be loaded; empty if it was not tried, or was loaded."""
        with self._lock:
            return self._broken.get(index, "")

    def want(self, index: int, step: int = 1) -> None:
        """Load a frame, then those that will be needed next.

        Args:
            index: Of the turn.
            step: Turns since the previous one: the direction and the step width.
        """
        step = step or 1
        ahead = [index + step * number for number in range(AHEAD)]
        back = [index - number if step > 0 else index + number for number in range(1, BACK)]
        count = len(self._session)
        with self._lock:
            if self._closed:
                return
            self._wanted = [one for one in (*ahead, *back) if 0 <= one < count]
            if not self._working:
                self._working = True
                self._thread.submit(self._work)

    def close(self) -> None:
        """Stop loading, without waiting."""
        with self._lock:
            self._closed = True
            self._wanted = []
        self._thread.shutdown(wait=False)

    def _work(self) -> None:
        while True:
            with self._lock:
                index = next((one for one in self._wanted if self._missing(one)), None)
                if index is None:
                    self._working = False
                    return
            try:
                frame = self._session.frame(index)
                _check_picture(frame)
            except (ValueError, OSError) as error:
                with self._lock:
                    self._broken[index] = str(error)
                self._news.failed.emit(self, index)
            else:
                self._keep(index, frame)
                self._news.loaded.emit(self, index)

    def _missing(self, index: int) -> bool:
        return index not in self._kept and index not in self._broken

    def _keep(self, index: int, frame: Frame) -> None:
        with self._lock:
            self._kept[index] = frame
            self._bytes += frame.image.nbytes
            while self._bytes > _FILM.room and len(self._kept) > AHEAD + BACK:
                _, old = self._kept.popitem(last=False)
                self._bytes -= old.image.nbytes


def _check_picture(frame: Frame) -> None:
    """Check that an untrusted picture matches its record.

    Raises:
        ValueError: It does not.
    """
    high, wide = frame.image.shape[:2]
    region = frame.region
    fits = abs(region.height * frame.scale - high) <= max(1.0, frame.scale)
    if not fits or not _SMALLEST <= frame.scale <= _LARGEST:
        raise ValueError(
            f"the picture has {wide} x {high} pixels for {region.width} x {region.height} points"
        )
