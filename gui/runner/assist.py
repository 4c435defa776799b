"""Assist: connect the reader and the solver, without mouse or keyboard, to the user's game.

No pointer is created, no key is sent and no window is raised. Conditions in which the board cannot
be read are waited out: a minimised window, one that covers the game, a board that is still
appearing. The panel shows a board in the same way before anything is started (`LiveBoard`).
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from typing import Final

import numpy as np

from bot.analysis import Analysis, Cancelled, Limit, Thinking
from bot.assist.coach import MoveKind, Verdict, judge_moves, with_cost
from bot.assist.rating import rate_move
from bot.assist.watcher import IncrementalSolver, PlayedTurns, WatchedTurn, watch
from bot.board import UNREAD, Board, Cell, InconsistentBoard
from bot.frame import Frame, Point, Reading, Region, Status
from bot.loop import Turn, unplayed_turn
from bot.planner import Action, Move
from bot.solver import PLAYER, solver
from bot.solver.explain import with_explanation
from bot.solver.warmup import PREPARATION, ROLLOUT_PREPARATION
from gui.runner import timeouts
from gui.runner.decisions import solving
from gui.runner.protocol import Candidate
from gui.runner.stored_answers import KeptBoards
from gui.settings import Choices
from vision.counters.mines import MinesUnknown
from vision.desktop import Screen, ScreenError, desktop
from vision.finder import BoardCut, BoardNotFound
from vision.learning.questions import AnswersNeeded, QuestionDelay
from vision.reader import Reader
from vision.skins import Skin
from vision.tracking.cells import Persistence
from vision.tracking.targets import Wanted
from vision.tracking.tracked_board import WindowClosed, WindowHidden

_RATE_NODES: Final = 20_000
"""Nodes of the end game search for rating a guess: about 0.1 s."""
_POINTS: Final = 6
"""Number of points per row and per column of the board that are checked."""


def assisted(
    reader: Reader,
    choices: Choices,
    stop: threading.Event,
    ask: Callable[[AnswersNeeded | MinesUnknown], None],
) -> Iterator[WatchedTurn]:
    """Watch the game that a reader has found.

    Args:
        reader: Has read the board once.
        choices: Returns the user's settings.
        stop: Ends it.
        ask: Determines a tile's label or the number of mines, or raises.

    Raises:
        Stopped: `stop` was set.
        WindowClosed: The game was closed.
    """
    watched_reader = WatchedReader(reader, ask)
    think = staged_solver(choices().solver, reader.skin, lambda: choices().simulate)

    def solve(board: Board) -> Analysis:
        limit = Limit(seconds=timeouts.ASSIST_SOLVES)
        return solving("exact", reader.skin)(board, limit)

    judge = partial(_judge, watched_reader.pointed_in, solve)
    for turn in watch(watched_reader.look, think, _advice, judge, stop.wait):
        yield replace(turn, markable=watched_reader.captures_window)


def staged_solver(
    name: str,
    skin: Skin,
    simulate: Callable[[], float] = lambda: 0.0,
) -> IncrementalSolver:
    """Return a solver that yields the probabilities first, then the reason and the best guess.

    Args:
        name: The solver that guesses; PLAYER if its probabilities are estimates.
        skin: Of the program.
        simulate: Returns the seconds of simulated games for a better guess, yielded last; 0 for
            none.
    """
    name = name if solver(name).exact else PLAYER

    def think(board: Board, cancel: threading.Event) -> Iterator[Analysis]:
        PREPARATION.wait(cancel)
        limit = Limit(seconds=timeouts.ASSIST_SOLVES, cancel=cancel)
        known = solving("exact", skin)(board, limit)
        guess = solving(name, skin)
        guesses = known.best is not None and known.mine_probability[known.best] > 0
        # Computing the reason and a guess takes longer than the probabilities: those come first.
        yield replace(known, best=None if guesses else known.best, reason="")
        if guesses:
            known = guess(board, Limit(seconds=timeouts.ASSIST_SOLVES, cancel=cancel))
        yield with_explanation(board, known)
        seconds = simulate()
        if guesses and seconds and name == PLAYER:
            ROLLOUT_PREPARATION.wait(cancel)
            limit = Limit(cancel=cancel, thinking=Thinking(seconds=seconds))
            yield with_explanation(board, guess(board, limit))

    return think


def record_watched(
    turns: Iterator[WatchedTurn], keep: Callable[[Iterator[Turn]], Iterator[Turn]]
) -> Iterator[WatchedTurn]:
    """Record games as they were played, and yield their turns as they are watched.

    A turn is yielded before it is recorded. A game without moves is not recorded. Closing this
    closes `turns`.

    Args:
        turns: As they are watched.
        keep: Wraps the turns of a game in a recorder, such as `vision.sessions.writer.record`.
    """
    played, recorder = PlayedTurns(), _GameRecorder(keep)
    last: WatchedTurn | None = None
    try:
        for turn in turns:
            last = turn
            yield turn
            last = None
            recorder.write(played.add(turn))
    finally:
        turns.close()  # type: ignore[attr-defined]  # a generator
        try:
            recorder.write(played.add(last) if last is not None else iter(()))
            recorder.write(played.flush())
        finally:
            recorder.close()


class _GameRecorder:
    """A recorder of turns, one game after the other, including abandoned ones."""

    def __init__(self, keep: Callable[[Iterator[Turn]], Iterator[Turn]]) -> None:
        self._keep = keep
        self._keeper: Iterator[Turn] | None = None
        self._waiting = deque[Turn]()

    def write(self, turns: Iterator[Turn]) -> None:
        """Record turns; a game's first one only when its second one exists."""
        for turn in turns:
            if turn.number == 0:
                self.close()
            self._waiting.append(turn)
            if turn.number > 0:
                self._keeper = self._keeper or self._keep(self._pop_waiting())
                while self._waiting:
                    next(self._keeper)

    def close(self) -> None:
        """End the recording of a game."""
        self._waiting.clear()
        if self._keeper is not None:
            self._keeper.close()  # type: ignore[attr-defined]  # a generator
            self._keeper = None

    def _pop_waiting(self) -> Iterator[Turn]:
        while self._waiting:
            yield self._waiting.popleft()


def _advice(_board: Board, analysis: Analysis) -> tuple[Move, ...]:
    """Return the one cell to open next."""
    best = analysis.best
    if best is None:
        return ()
    return (Move(Action.OPEN, best, float(analysis.mine_probability[best])),)


def _judge(
    pointed_in: Callable[[Reading], Cell | None],
    solve: Callable[[Board], Analysis],
    board: Board,
    known: Analysis,
    reading: Reading,
    cancel: threading.Event,
) -> tuple[Verdict, ...]:
    """Return the verdicts on moves; a guess is rated too, unless the user is faster."""
    pointed, over = pointed_in(reading), reading.status.over
    verdicts = judge_moves(
        board,
        known,
        reading.board,
        solve,
        over=over,
        pointed=pointed,
    )
    mistakes = [
        verdict for verdict in verdicts if verdict.kind in (MoveKind.MISSED, MoveKind.RISKIER)
    ]
    opened = [verdict for verdict in verdicts if verdict.move.action is not Action.FLAG]
    # Only the first of several moves was made on this board.
    if len(mistakes) != 1 or len(opened) != 1:
        return verdicts
    try:
        rating = rate_move(board, mistakes[0].move, Limit(nodes=_RATE_NODES, cancel=cancel))
    except Cancelled:
        return verdicts
    return tuple(with_cost(one, rating.lost) if one is mistakes[0] else one for one in verdicts)


class WatchedReader:
    """A reader of a game that may be moved, covered, minimised or closed meanwhile."""

    def __init__(self, reader: Reader, ask: Callable[[AnswersNeeded | MinesUnknown], None]) -> None:
        self._reader, self._ask = reader, ask
        self._doubt = QuestionDelay()
        self._last = reader.look()
        self._pointed: tuple[Board, Cell | None] = self._last.board, None
        """The last board, and the cell under the pointer when it was read for the first time."""
        self._moving = Persistence(timeouts.WINDOW_RESTS)
        self._gone: float | None = None
        self._covered = False
        self._asked = 0.0
        window = reader.window
        self.captures_window = window is not None and reader.screen.select_window(window.id)
        """Whether the window is captured without the windows that cover it."""

    def look(self) -> Reading:
        """Read the board once; one that cannot be read is BLOCKED.

        Raises:
            WindowClosed: The game was closed.
        """
        if not self._stands_still():
            return self._blocked()
        try:
            reading = self._seen()
        except (BoardCut, WindowClosed, WindowHidden):
            # The window changed during the reading; the next reading reports it.
            return self._blocked()
        except (BoardNotFound, MinesUnknown, ScreenError) as error:
            now = time.perf_counter()
            self._gone = now if self._gone is None else self._gone
            if now - self._gone > timeouts.BOARD_APPEARS:
                if not isinstance(error, MinesUnknown):
                    raise
                self._ask(error)
                self._gone = None
            return self._blocked()
        self._gone = None
        self._last = reading
        if reading.board != self._pointed[0]:
            pointer = desktop().pointer_state()
            cell = None if pointer is None else reading.grid.cell_at(pointer.place)
            self._pointed = reading.board, cell
        return self._blocked() if self._covers(reading) else reading

    def pointed_in(self, reading: Reading) -> Cell | None:
        """Return the cell under the pointer when this board was read first; None if unknown."""
        board, cell = self._pointed
        return cell if board == reading.board else None

    def _stands_still(self) -> bool:
        """Return whether the window exists and does not move: minimising moves it in steps."""
        window = self._reader.window
        if window is None:
            return True
        place = desktop().place_of(window.id)
        if place is None and not desktop().exists(window.id):
            raise WindowClosed(f"the window '{window.title}' was closed")
        if place is None or self._reader.screen.region.intersection(place) is None:
            return False
        return place == window.region or self._moving.holds(place, time.perf_counter())

    def _seen(self) -> Reading:
        try:
            reading = self._reader.look()
            self._doubt.weigh(reading, self._reader.questions)
        except AnswersNeeded as needed:
            self._ask(needed)
            return self._reader.look()
        return reading

    def _covers(self, reading: Reading) -> bool:
        """Return whether another window covers the board without the reader noticing."""
        window = self._reader.window
        if not self.captures_window or window is None:
            return False
        now = time.perf_counter()
        if now - self._asked > timeouts.COVER_CHECKED:
            self._asked = now
            self._covered = not all(desktop().uncovered(window.id, _points(reading.grid.region)))
        return self._covered

    def _blocked(self) -> Reading:
        return replace(self._last, status=Status.BLOCKED)


def _points(board: Region) -> list[Point]:
    """Return points spread over a board, including its corners."""
    steps = [step / (_POINTS - 1) for step in range(_POINTS)]
    return [
        Point(board.left + x * (board.width - 1), board.top + y * (board.height - 1))
        for y in steps
        for x in steps
    ]


# A board that nothing plays


class LiveBoard:
    """A board that is read whenever it is asked for. All calls are made in one thread."""

    def __init__(
        self, candidate: Candidate, wanted: Wanted, skins: tuple[Skin, ...], known: KeptBoards
    ) -> None:
        self.key = candidate.key
        """The key of the board."""
        self.wanted = wanted
        """Its selection."""
        self._skins, self._known = skins, known
        self._resources = ExitStack()
        self._watched: WatchedReader | None = None
        self._reader: Reader | None = None
        self._last: Reading | None = None
        self._again_at = 0.0
        """When a board that could not be read is searched for again (monotonic clock)."""
        self._without: Frame | None = None
        """The last picture of the window, or the screen, that was searched; None if found since."""

    def close(self) -> None:
        """Release the screen."""
        self._resources.close()

    def look(self, solver_name: str, *, fresh: bool) -> Turn | None:
        """Return the board as it looks now, analysed; None if unchanged or unreadable."""
        if time.perf_counter() < self._again_at:
            return None
        try:
            reading = self._read()
        except (AnswersNeeded, BoardNotFound, MinesUnknown, WindowClosed, ScreenError) as error:
            # Finding it takes longer than reading it, and much longer than comparing two pictures.
            if not isinstance(error, BoardNotFound):
                self._without = None
            self.close()
            self._watched = self._last = None
            self._again_at = time.perf_counter() + timeouts.LIVE_SEARCH
            return None
        if UNREAD in reading.board.tiles or reading.status is Status.BLOCKED:
            return None
        last = self._last
        same = last is not None and (last.board, last.status) == (reading.board, reading.status)
        # While the solver is compiled, the board is shown without probabilities.
        ready = not PREPARATION.compiling
        if same and not fresh:
            return None
        self._last = reading if ready else None
        if reading.status.over or not ready:
            return Turn(0, reading, None, ())
        return self._analysed(reading, solver_name)

    def _read(self) -> Reading:
        if self._watched is None:
            screen = self._resources.enter_context(desktop().open_screen())
            self._refuse_unchanged(screen)
            reader = Reader(screen, self._skins, self.wanted, known=self._known)
            self._watched = WatchedReader(reader, _leave_open)
            self._without, self._reader = None, reader
        return self._watched.look()

    def _refuse_unchanged(self, screen: Screen) -> None:
        """Raise the error again if the board's own part of the screen is as it was.

        A clock elsewhere on the screen is no reason to search.
        """
        place = desktop().place_of(self.key) if isinstance(self.key, int) else None
        before = self._without
        self._without = now = screen.grab(place and screen.region.intersection(place))
        if before is None or before.region != now.region:
            return
        if np.array_equal(before.image, now.image):
            raise BoardNotFound("the screen is the one on which no board was found")

    def _analysed(self, reading: Reading, solver_name: str) -> Turn:
        assert self._reader is not None  # noqa: S101 - it was read
        board, reader = reading.board, self._reader
        solve = solving(solver_name, reader.skin)
        try:
            analysis = solve(board, Limit(seconds=timeouts.LIVE_SOLVES))
        except InconsistentBoard:
            return Turn(0, reading, None, ())
        turn = unplayed_turn(reading, analysis)
        # It is explained here: the panel need not load the solver for it.
        return replace(turn, analysis=with_explanation(board, turn.analysis or analysis))


def _leave_open(question: AnswersNeeded | MinesUnknown) -> None:
    # The user is asked in a run only.
    raise question
