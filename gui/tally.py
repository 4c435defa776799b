"""What a run adds up to: games, wins, and where the time went."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.assist.watcher import WatchedTurn
from bot.board import UNREAD, Board
from bot.frame import Status
from bot.game import Rules
from bot.loop import Turn
from bot.metrics import three_bv_done
from bot.planner import Action

STAGES = ("capture", "read", "wait", "think", "act")
"""The stages of a turn, in order, as `Turn.seconds` names them."""


@dataclass
class Tally:
    """Counts turns as they come; holds no turn but the last one's status and board."""

    rules: Rules = Rules.CLASSIC
    """Of the games that are played."""
    games: int = 0
    """Games that ended while we played."""
    won: int = 0
    unseen: int = 0
    """Games of whose end it was not seen whether it was a win."""
    turns: int = 0
    guesses: int = 0
    """Moves that risked something and were carried out; in the game of digging nothing does."""
    digs: int = 0
    """Tiles dug, in the game of digging."""
    seconds: dict[str, float] = field(default_factory=lambda: dict.fromkeys(STAGES, 0.0))
    """Time spent so far, by stage."""
    game_clicks: int = 0
    """Clicks of the game that is played, or was played last."""
    game_seconds: float = 0.0
    """Seconds from its first turn to its last one so far."""
    game_found: int = 0
    """3BV that was done when this game was first seen: nobody clicked for it here."""
    level: tuple[int, int, int] | None = None
    """Rows, columns and mines of what is counted; None before the first turn."""
    _playing: bool = False
    _number: int = 0
    """Of the last turn: it begins at 0 in every game."""
    _board: Board | None = None
    """Of the last turn."""
    _began: float = 0.0
    _risked: int = 0
    """Moves of the last turn that risk something."""

    def counts(self, board: Board) -> bool:
        """Whether a board is of the level that is counted."""
        return self.level in (None, (board.rows, board.cols, board.mines))

    def begin_run(self) -> None:
        """Count the next turn as the first one of its game: what was played before is another's."""
        self._playing = False
        self._risked = 0

    def add(self, turn: Turn) -> None:
        """Count one turn; a game counts once, at the turn that shows its end."""
        board = turn.reading.board
        # The user may begin a game before the last one has ended, at its first turn too, or
        # take moves back: the figures begin anew.
        first = turn.number == self._number == 0
        before, self._board = self._board, board
        again = first and before is not None and _goes_back(before, board)
        if turn.number < self._number or again:
            self._playing = False
        self._number = turn.number
        self.level = board.rows, board.cols, board.mines
        if isinstance(turn, WatchedTurn) and turn.verdicts:
            # The same turn once more, with what the user did before it.
            self.game_clicks += len(turn.verdicts)
            self.guesses += sum(verdict.move.risk > 0 for verdict in turn.verdicts)
            return
        status = turn.reading.status
        self.turns += 1
        if status is Status.PLAYING and not self._playing:
            # What was sent before began this game.
            self.game_clicks, self._began = 0, turn.reading.frame.time
            self.game_found = three_bv_done(turn.reading.board)
        else:
            self.game_clicks += sum(event.kind == "click" for event in turn.events)
        self.game_seconds = turn.reading.frame.time - self._began
        if self.rules is Rules.DIGGING:
            self.digs += sum(move.action is Action.OPEN for move in turn.moves)
        elif not isinstance(turn, WatchedTurn):
            made = before is not None and turn.shows_effect(before)
            self.guesses += self._risked if made else 0
            self._risked = sum(move.risk > 0 for move in turn.moves)
        for stage in STAGES:
            self.seconds[stage] += turn.seconds.get(stage, 0.0)
        if status.over and self._playing:
            self.games += 1
            self.won += status is Status.WON
            self.unseen += status is Status.ENDED
        # A game that was over when we first looked is not one that we played.
        self._playing = status is Status.PLAYING or (self._playing and not status.over)

    @property
    def win_rate(self) -> float | None:
        """Share of the games won, 0..1, of those whose end was seen; None before the first one."""
        seen = self.games - self.unseen
        return self.won / seen if seen else None

    def mean(self, stage: str) -> float:
        """Mean seconds of a stage."""
        return self.seconds[stage] / self.turns if self.turns else 0.0


def _goes_back(before: Board, board: Board) -> bool:
    """Return whether a cell that was open is covered again, or shows another hint."""
    opened, now = before.tiles >= 0, board.tiles
    if opened.shape != now.shape:
        return True
    return bool((opened & (now != before.tiles) & (now != UNREAD)).any())
