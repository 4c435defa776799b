"""Assist: the wiring of an eye and a brain without a hand, beside a game that the user plays.

No pointer is made here, no key is sent and no window is raised: there is nothing that could
act. What a look may meet besides a board is waited out: a window that is minimised, one that
lies over the game, a board that is on its way in.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Final

from bot.analysis import Analysis, Cancelled, Limit
from bot.assist.coach import MoveKind, Verdict, judge_moves, with_cost
from bot.assist.rating import rate_move
from bot.assist.watcher import IncrementalSolver, PlayedTurns, WatchedTurn, watch
from bot.board import Board
from bot.frame import Point, Reading, Region, Status
from bot.loop import Turn
from bot.planner import Action, Move
from bot.solver import PLAYER, solver
from bot.solver.explain import with_explanation
from bot.solver.warmup import PREPARATION
from gui.brain import solving
from gui.settings import Settings
from vision.counters.mines import MinesUnknown
from vision.desktop import Feature, Screen, ScreenError, desktop
from vision.finder import BoardCut, BoardNotFound
from vision.learning.teaching import Doubt, Puzzled
from vision.reader import Reader
from vision.skins import Skin
from vision.tracking.persistence import Persistence
from vision.tracking.tracked_board import WindowClosed, WindowHidden

_THINK_SECONDS: Final = 10.0
"""After so long an estimate is better than more waiting."""
_RATE_NODES: Final = 20_000
"""States of the end game that a guess is rated by: about a tenth of a second."""
_APPEARS_SECONDS: Final = 4.0
"""How long a board may be gone, as while another level is laid out, before that is an error."""
_STILL_SECONDS: Final = 0.1
"""How long a window must stay where it was moved to."""
_COVERED_EVERY: Final = 0.2
"""Seconds between two questions whether something lies over the board."""
_POINTS: Final = 6
"""On each side of the board: so many points are asked about in each row of them."""


def assisted(
    screen: Screen,
    reader: Reader,
    settings: Settings,
    stop: threading.Event,
    ask: Callable[[Puzzled | MinesUnknown], None],
) -> Iterator[WatchedTurn]:
    """Watch the game that a reader has found.

    Args:
        screen: The reader's.
        reader: Has looked once.
        settings: What the user chose.
        stop: Ends it.
        ask: Settles what a tile is or how many mines there are, or raises.

    Raises:
        Stopped: `stop` was set.
        WindowClosed: The game was closed.
    """
    onlooker = _Onlooker(screen, reader, ask)
    think = thinking_twice(settings.solver, reader.skin)
    for turn in watch(onlooker.look, think, _advice, _judge, stop.wait):
        yield replace(turn, markable=onlooker.beneath)


def thinking_twice(name: str, skin: Skin) -> IncrementalSolver:
    """The probabilities at once; then why, and where that leaves a guess, the best one.

    Args:
        name: The solver that guesses; the player where that one's probabilities are estimates.
        skin: Of the program.
    """
    guess = solving(name if solver(name).exact else PLAYER, skin)

    def think(board: Board, cancel: threading.Event) -> Iterator[Analysis]:
        PREPARATION.wait(cancel)
        known = solver("exact").solve(board, Limit(seconds=_THINK_SECONDS, cancel=cancel))
        # To work out the reason takes longer than the answer: nobody waits for it.
        yield replace(known, reason="")
        if known.best is not None and known.mine_probability[known.best] > 0:
            known = guess(board, Limit(seconds=_THINK_SECONDS, cancel=cancel))
        yield with_explanation(board, known)

    return think


def kept_beside(
    turns: Iterator[WatchedTurn], keep: Callable[[Iterator[Turn]], Iterator[Turn]]
) -> Iterator[WatchedTurn]:
    """Have games kept as they were played, while their turns are passed on as they are watched.

    A turn is passed on first: what is written down can wait. A game in which nothing was done
    is not kept. Closing this closes `turns`.

    Args:
        turns: As they are watched.
        keep: Wraps the turns of a game in what keeps them, as `vision.recording.record` does.
    """
    retelling, book = PlayedTurns(), _Book(keep)
    last: WatchedTurn | None = None
    try:
        for turn in turns:
            last = turn
            yield turn
            last = None
            book.write(retelling.add(turn))
    finally:
        turns.close()  # type: ignore[attr-defined]  # a generator
        try:
            book.write(retelling.add(last) if last is not None else iter(()))
            book.write(retelling.flush())
        finally:
            book.close()


class _Book:
    """Writes turns down as they come: a game after the other, also one that was given up."""

    def __init__(self, keep: Callable[[Iterator[Turn]], Iterator[Turn]]) -> None:
        self._keep = keep
        self._keeper: Iterator[Turn] | None = None
        self._waiting = deque[Turn]()

    def write(self, turns: Iterator[Turn]) -> None:
        """Write some turns down; the first one of a game not before the second one is there."""
        for turn in turns:
            if turn.number == 0:
                self.close()
            self._waiting.append(turn)
            if turn.number > 0:
                self._keeper = self._keeper or self._keep(self._taken())
                while self._waiting:
                    next(self._keeper)

    def close(self) -> None:
        """The game is over, or given up."""
        self._waiting.clear()
        if self._keeper is not None:
            self._keeper.close()  # type: ignore[attr-defined]  # a generator
            self._keeper = None

    def _taken(self) -> Iterator[Turn]:
        while self._waiting:
            yield self._waiting.popleft()


def _advice(_board: Board, analysis: Analysis) -> tuple[Move, ...]:
    """The one cell to open next."""
    best = analysis.best
    if best is None:
        return ()
    return (Move(Action.OPEN, best, float(analysis.mine_probability[best])),)


def _judge(
    board: Board, known: Analysis, reading: Reading, cancel: threading.Event
) -> tuple[Verdict, ...]:
    """What moves were worth; a guess is weighed, too, unless the player is faster."""
    solve = partial(_solved, limit=Limit(seconds=_THINK_SECONDS))
    told = judge_moves(board, known, reading.board, solve, over=reading.status.over)
    blamed = [verdict for verdict in told if verdict.kind in (MoveKind.MISSED, MoveKind.RISKIER)]
    opened = [verdict for verdict in told if verdict.move.action is not Action.FLAG]
    # Of several moves only the first was made on this board.
    if len(blamed) != 1 or len(opened) != 1:
        return told
    try:
        rating = rate_move(board, blamed[0].move, Limit(nodes=_RATE_NODES, cancel=cancel))
    except Cancelled:
        return told
    return tuple(with_cost(one, rating.lost) if one is blamed[0] else one for one in told)


def _solved(board: Board, limit: Limit) -> Analysis:
    return solver("exact").solve(board, limit)


class _Onlooker:
    """Looks at a game that may be moved, covered, minimised or closed meanwhile."""

    def __init__(
        self,
        screen: Screen,
        reader: Reader,
        ask: Callable[[Puzzled | MinesUnknown], None],
    ) -> None:
        self._screen = screen
        self._reader = reader
        self._ask = ask
        self._doubt = Doubt()
        self._last = reader.look()
        self._moving = Persistence(_STILL_SECONDS)
        self._gone: float | None = None
        self._covered = False
        self._asked = 0.0
        window = reader.window
        self.beneath = window is not None and screen.select_window(window.id)
        """Whether what lies over the game is not seen."""

    def look(self) -> Reading:
        """One look; a board that cannot be seen is BLOCKED.

        Raises:
            WindowClosed: The game was closed.
        """
        if not self._stands_still():
            return self._blocked()
        try:
            reading = self._seen()
        except (BoardCut, WindowClosed, WindowHidden):
            # Made too small, minimised or closed since it was asked: the next look tells.
            return self._blocked()
        except (BoardNotFound, MinesUnknown, ScreenError) as error:
            now = time.monotonic()
            self._gone = now if self._gone is None else self._gone
            if now - self._gone > _APPEARS_SECONDS:
                if not isinstance(error, MinesUnknown):
                    raise
                self._ask(error)
                self._gone = None
            return self._blocked()
        self._gone = None
        self._last = reading
        return self._blocked() if self._covers(reading) else reading

    def _stands_still(self) -> bool:
        """Whether the window is there, and stays where it is: minimising it moves it in steps."""
        window = self._reader.window
        if window is None or Feature.PLACES in desktop().lacks:
            return True
        place = desktop().place_of(window.id)
        if place is None and not desktop().exists(window.id):
            raise WindowClosed(
                f"the window '{window.title}' was closed: what was played so far is kept"
            )
        if place is None or self._screen.region.intersection(place) is None:
            return False
        return place == window.region or self._moving.holds(place, time.monotonic())

    def _seen(self) -> Reading:
        try:
            reading = self._reader.look()
            self._doubt.weigh(reading, self._reader.questions)
        except Puzzled as puzzle:
            self._ask(puzzle)
            return self._reader.look()
        return reading

    def _covers(self, reading: Reading) -> bool:
        """Whether another window lies over the board, of which the eye does not know."""
        window = self._reader.window
        if not self.beneath or window is None:
            return False
        now = time.monotonic()
        if now - self._asked > _COVERED_EVERY:
            self._asked = now
            self._covered = not all(desktop().uncovered(window.id, _points(reading.grid.region)))
        return self._covered

    def _blocked(self) -> Reading:
        return replace(self._last, status=Status.BLOCKED)


def _points(board: Region) -> list[Point]:
    """Points all over a board, its corners among them."""
    steps = [step / (_POINTS - 1) for step in range(_POINTS)]
    return [
        Point(board.left + x * (board.width - 1), board.top + y * (board.height - 1))
        for y in steps
        for x in steps
    ]
