"""Writes every game to the history as it is played, in a generator around the turns.

A game is written at its end, in the thread that plays. If that fails, it waits in memory and is
tried again at the end of the next game. The turns continue in any case and report the problem in
their remarks.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Final, Self

from bot.analysis import Cancelled
from bot.assist.guesses import is_uncertain
from bot.assist.watcher import WatchedTurn
from bot.board import EXPLODED, UNREAD, Board
from bot.effects import is_restart
from bot.frame import Status
from bot.game import FirstClick, Rules
from bot.loop import Stopped, Turn
from bot.metrics import three_bv_done
from bot.planner import Action, Move
from gui.history import store
from gui.history.schema import HistoryBusy, HistoryError


@dataclass(frozen=True)
class WriterLimits:
    """Limits of the thread that writes; times in seconds."""

    patience: float = 0.25
    """Seconds that another writer may delay the end of a game."""
    last_patience: float = 2.0
    """The same at the end of a run."""
    waiting: int = 10_000
    """Games that may wait in memory; the oldest are dropped."""
    note: int = 300
    """Characters of the reason why a game was stopped."""


_WRITER: Final = WriterLimits()


@dataclass(frozen=True)
class GameInfo:
    """Facts about a game that its turns do not contain."""

    program: str
    window: str
    levels: dict[tuple[int, int, int], str]
    """The program's names of sizes: rows, columns and mines."""
    rules: Rules
    solver: str
    style: str
    first_click: FirstClick | None = None
    """The program's rule for the first click."""
    player: store.Player = store.Player.BOT
    session: str = ""
    """The folder of its recording; its name alone if it is among the others."""


class GameWriter:
    """A writer of games that never interrupts playing."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._history: store.History | None = None
        self._waiting: deque[tuple[store.Entry, list[store.Guess]]] = deque(maxlen=_WRITER.waiting)
        self._trouble = ""
        self._reported = False

    def keep(self, entry: store.Entry, guesses: list[store.Guess]) -> None:
        """Write a game and those that wait; if that fails, it waits too."""
        self._waiting.append((entry, guesses))
        self.write(_WRITER.patience)

    def write(self, patience: float) -> None:
        """Try to open the history and write the waiting games."""
        if not self._path.exists():
            # It was deleted or moved away: create another one.
            self._shut()
        try:
            if self._history is None:
                self._history = store.History.to_write(self._path, patience)
            if self._waiting:
                self._history.add(self._waiting)
        except HistoryError as error:
            self._trouble = str(error)
            if not isinstance(error, HistoryBusy):
                self._shut()
        else:
            self._waiting.clear()
            self._trouble = ""

    def remarked(self, turn: Turn) -> Turn:
        """Return the turn with a remark about a problem with the history, if there is one."""
        if not self._trouble:
            return turn
        self._reported = True
        reading = turn.reading
        return replace(turn, reading=replace(reading, remarks=(*reading.remarks, self._trouble)))

    def __enter__(self) -> Self:
        self.write(_WRITER.patience)
        return self

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        """Write the waiting games and close.

        Raises:
            HistoryError: Games were not written, no turn could report it, and there is no more
                important error.
        """
        if self._waiting:
            self.write(_WRITER.last_patience)
        self._shut()
        if self._trouble and not self._reported and not _is_failure(error):
            raise HistoryError(self._trouble)

    def _shut(self) -> None:
        if self._history is not None:
            self._history.close()
            self._history = None


def write_games(
    turns: Iterator[Turn], writer: GameWriter, about: Callable[[], GameInfo]
) -> Iterator[Turn]:
    """Write each game to the history when it ends or is stopped.

    Closing this closes `turns` too.

    Args:
        turns: As `bot.loop.play` yields them.
        writer: Writes the games; closed at the end.
        about: Called at each game's end.

    Raises:
        HistoryError: At the end, if a game was not written and no turn could report it.
    """
    with (
        writer,
        _GameDetector(writer, about) as detector,
        closing(turns),  # type: ignore[type-var]  # every caller gives a generator
    ):
        for turn in turns:
            detector.process(turn)
            yield writer.remarked(turn)


def _is_failure(error: BaseException | None) -> bool:
    """Return whether an error ended the turns, as opposed to the user."""
    return isinstance(error, Exception) and not isinstance(error, Stopped | Cancelled)


class _GameDetector:
    """A detector of the beginnings and ends of games."""

    def __init__(self, writer: GameWriter, about: Callable[[], GameInfo]) -> None:
        self._writer, self._about = writer, about
        self._game: _Game | None = None
        self._restarted = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        """End the current game; its note gives the reason, unless the user ended it."""
        self.stop(" ".join(str(error).split())[: _WRITER.note] if _is_failure(error) else "")

    def process(self, turn: Turn) -> None:
        """Process a turn that is about to be carried out."""
        if turn.number == 0:
            self.stop()
        if self._game is not None:
            self._game.add(turn)
        elif turn.reading.status is Status.PLAYING:
            # A game that was already over at the start is not counted.
            self._game = _Game(turn, self._about().rules, self._restarted)
        if turn.reading.status.over:
            self._end(store.Result(turn.reading.status.value))
        self._restarted = is_restart(turn.moves)

    def stop(self, note: str = "") -> None:
        """End the current game as stopped; a game without moves is not counted."""
        if self._game is not None and self._game.turns:
            self._end(store.Result.STOPPED, note)
        self._game = None

    def _end(self, result: store.Result, note: str = "") -> None:
        game, self._game = self._game, None
        if game is not None:
            self._writer.keep(game.entry(self._about(), result, note), game.guesses)


class _Game:
    """A game in progress.

    Args:
        turn: The first turn observed.
        rules: The rules of the game.
        restarted: Whether the bot started it.
    """

    def __init__(self, turn: Turn, rules: Rules, restarted: bool) -> None:
        self._started = datetime.now().astimezone()
        self._rules = rules
        self._first = self._last = turn
        self._playing = turn.reading.board
        # Some programs open a first region by themselves; one click's worth is no game.
        self._whole = restarted or three_bv_done(turn.reading.board) <= 1
        self._first_tile: int | None = None
        self.turns = self._clicks = self._moves = 0
        self.guesses: list[store.Guess] = []

    def add(self, turn: Turn) -> None:
        """Record the result of the previous turn."""
        self.turns += 1
        self._clicks += sum(event.kind == "click" for event in turn.events)
        self._moves += len(self._last.moves)
        if isinstance(turn, WatchedTurn) or turn.shows_effect(self._last.reading.board):
            self.guesses += _guesses(self._last, turn, self._rules)
        if self.turns == 1:
            self._first_tile = _first_tile(self._last, turn.reading.board)
        self._last = turn
        if turn.reading.status is Status.PLAYING:
            self._playing = turn.reading.board

    def entry(self, about: GameInfo, result: store.Result, note: str) -> store.Entry:
        """Return the game as a row of the history."""
        end = self._last.reading
        board = end.board
        # Cells that a program reveals after a loss were not opened by a player.
        opened = board if result is store.Result.WON else self._playing
        digging = self._rules is Rules.DIGGING
        return store.Entry(
            started=self._started,
            program=about.program,
            window=about.window,
            rows=board.rows,
            cols=board.cols,
            mines=board.mines,
            level=about.levels.get((board.rows, board.cols, board.mines), ""),
            rules=self._rules,
            solver=about.solver,
            style=about.style,
            player=about.player,
            whole=self._whole,
            seconds=max(end.frame.time - self._first.reading.frame.time, 0.0),
            result=result,
            turns=self.turns,
            # The user's clicks are not observed; they are inferred from the board.
            clicks=self._moves if about.player is store.Player.USER else self._clicks,
            guesses=sum(not guess.first for guess in self.guesses),
            digs=int(((board.tiles >= 0) | (board.tiles == EXPLODED)).sum()) if digging else None,
            # The part of the end that a dialog hid is not counted.
            three_bv=None if digging or UNREAD in opened.tiles else three_bv_done(opened),
            first_click=about.first_click,
            first_tile=self._first_tile,
            session=about.session,
            note=note,
        )


def _guesses(turn: Turn, after: Turn, rules: Rules) -> list[store.Guess]:
    """Return the risky moves of a turn and whether they hit a mine.

    In the game of digging a mine does not end the game, but a dig that hit one was a wrong guess
    too.
    """
    risky = [move for move in turn.moves if is_uncertain(move, rules)]
    if not risky or after.reading.status is Status.ENDED:
        return []
    before, board, lost = turn.reading.board, after.reading.board, after.reading.status
    first = not before.has_hints
    exact = turn.analysis is not None and turn.analysis.exact
    alone = len(risky) == 1 and rules is Rules.CLASSIC

    def hit(move: Move) -> bool:
        if alone:
            return lost is Status.LOST
        return move.cell is not None and board[move.cell] == EXPLODED

    return [store.Guess(move.risk, hit(move), first, exact) for move in risky]


def _first_tile(turn: Turn, after: Board) -> int | None:
    """Return the result of the first click on a new board; None if the board was not new."""
    opens = [move.cell for move in turn.moves if move.action is Action.OPEN and move.cell]
    if not turn.reading.board.unopened.all() or not opens:
        return None
    tile = int(after[opens[0]])
    return tile if tile >= 0 else store.FIRST_MINE if tile == EXPLODED else None
