"""Statistics of a run: games, wins, and time by stage."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from bot.assist.guesses import is_guess
from bot.assist.watcher import WatchedTurn
from bot.board import UNREAD, Board
from bot.frame import Status
from bot.game import Rules
from bot.loop import Turn
from bot.metrics import three_bv_done
from bot.planner import Action

STAGES = ("capture", "read", "wait", "think", "act")
"""The stages of a turn, in order, with their names in `Turn.seconds`."""
GUESSES: Final = "Moves that were not certain; the first click of a game is not counted"
"""The meaning of a number of guesses, for tooltips."""


@dataclass
class RunStatistics:
    """Statistics that are updated by turn; only the last turn's status and board are stored."""

    rules: Rules = Rules.CLASSIC
    """The rules of the games."""
    by_user: bool = False
    """Whether these are recorded games of the user, whose clicks are inferred: the moves count."""
    games: int = 0
    """Games that ended during the run."""
    won: int = 0
    unseen: int = 0
    """Games with an unknown result."""
    turns: int = 0
    guesses: int = 0
    """Risky moves that were carried out, without first clicks; none in the game of digging."""
    digs: int = 0
    """Tiles dug, in the game of digging."""
    seconds: dict[str, float] = field(default_factory=lambda: dict.fromkeys(STAGES, 0.0))
    """Total time by stage."""
    game_clicks: int = 0
    """Clicks in the current or last game."""
    game_seconds: float = 0.0
    """Seconds from its first turn to its last one so far."""
    game_found: int = 0
    """3BV that was already opened when this game was first read."""
    level: tuple[int, int, int] | None = None
    """Rows, columns and mines of the counted games; None before the first turn."""
    _playing: bool = False
    _number: int = 0
    """Number of the last turn, which begins at 0 in every game."""
    _board: Board | None = None
    """The last turn's board."""
    _began: float = 0.0
    _risked: int = 0
    """Guesses of the last turn."""
    _moves: int = 0
    """Moves of the last turn."""

    def counts(self, board: Board) -> bool:
        """Return whether a board has the level that is counted."""
        return self.level in (None, (board.rows, board.cols, board.mines))

    def begin_run(self) -> None:
        """Count the next turn as the first one of its game, not as a continuation."""
        self._playing = False
        self._risked = 0

    def add(self, turn: Turn) -> None:
        """Count a turn; a game is counted once, at the turn that shows its end."""
        board = turn.reading.board
        # The user may begin a game before the last one has ended, at its first turn too, or undo
        # moves: then the statistics start again.
        first = turn.number == self._number == 0
        before, self._board = self._board, board
        again = first and before is not None and _goes_back(before, board)
        if turn.number < self._number or again:
            self._playing = False
        self._number = turn.number
        self.level = board.rows, board.cols, board.mines
        if isinstance(turn, WatchedTurn) and turn.verdicts:
            # The same turn again, with the user's moves before it.
            self.game_clicks += len(turn.verdicts)
            self.guesses += sum(verdict.guess for verdict in turn.verdicts)
            return
        status = turn.reading.status
        self.turns += 1
        if status is Status.PLAYING and not self._playing:
            # The previous input began this game.
            self.game_clicks, self._began = 0, turn.reading.frame.time
            self.game_found = three_bv_done(turn.reading.board)
        else:
            clicks = sum(event.kind == "click" for event in turn.events)
            self.game_clicks += self._moves if self.by_user else clicks
        self._moves = len(turn.moves)
        self.game_seconds = turn.reading.frame.time - self._began
        if self.rules is Rules.DIGGING:
            self.digs += sum(move.action is Action.OPEN for move in turn.moves)
        elif not isinstance(turn, WatchedTurn):
            made = before is not None and turn.shows_effect(before)
            self.guesses += self._risked if made else 0
            self._risked = sum(is_guess(board, move) for move in turn.moves)
        for stage in STAGES:
            self.seconds[stage] += turn.seconds.get(stage, 0.0)
        if status.over and self._playing:
            self.games += 1
            self.won += status is Status.WON
            self.unseen += status is Status.ENDED
        # A game that was already over at the start does not count.
        self._playing = status is Status.PLAYING or (self._playing and not status.over)

    @property
    def win_rate(self) -> float | None:
        """Share of games won, 0..1, of those with a known result; None before the first one."""
        seen = self.games - self.unseen
        return self.won / seen if seen else None

    def mean(self, stage: str) -> float:
        """Return the mean seconds of a stage."""
        return self.seconds[stage] / self.turns if self.turns else 0.0


def _goes_back(before: Board, board: Board) -> bool:
    """Return whether an open cell is covered again, or shows another hint."""
    opened, now = before.tiles >= 0, board.tiles
    if opened.shape != now.shape:
        return True
    return bool((opened & (now != before.tiles) & (now != UNREAD)).any())
