"""Watching: what is reported when, what supersedes what, and that nothing is ever sent."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest

from bot.analysis import Analysis, Limit
from bot.assist.coach import Verdict, judge_moves
from bot.assist.watcher import TIMES, WatchedTurn, watch
from bot.board import COVERED, UNREAD, Board, Cell
from bot.frame import Reading, Status
from bot.game import BEGINNER, INTERMEDIATE, FirstClick, Game
from bot.loop import Stopped
from bot.planner import Action, Move
from bot.solver import exact
from tests.support.boards import reading_of

LOOK_SECONDS = 0.005


class Table:
    """A game, a player who moves when asked, and a clock that moves with every look."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.now = 0.0
        self.looks = 0
        self.thoughts = 0
        self.slow = False
        """Whether a better answer is thought about until something changes."""
        self.seen: Callable[[Reading], Reading] = lambda reading: reading
        """Spoils a reading."""
        self.moves: list[Callable[[], object]] = []
        """Made one after the other, each at the look after its turn was reported."""
        self.thinking: list[Callable[[], object]] = []
        """Made while the better answer is thought about."""

    def look(self) -> Reading:
        """Return the present board."""
        self.looks += 1
        self.now += LOOK_SECONDS
        return self.seen(reading_of(self.game.board, self.game.status, self.looks))

    def wait(self, seconds: float) -> bool:
        """Time goes by; stopped when it has gone by for a minute."""
        self.now += seconds
        return self.now > 60

    def think(self, board: Board, cancel: threading.Event) -> Iterator[Analysis]:
        """At once; and better after a while."""
        yield exact.solve(board)
        limit = Limit(cancel=cancel)
        if self.thinking:
            self.thinking.pop(0)()
        while self.slow:
            self.now += 0.001
            self.thoughts += 1
            limit.spent(0)

    def watch(self) -> Iterator[WatchedTurn]:
        """Run the generator; make a move after each turn, as long as there are any."""

        def judge(
            board: Board, known: Analysis, reading: Reading, _cancel: threading.Event
        ) -> tuple[Verdict, ...]:
            return judge_moves(board, known, reading.board, exact.solve, over=reading.status.over)

        def plan(_board: Board, analysis: Analysis) -> tuple[Move, ...]:
            return () if analysis.best is None else (Move(Action.OPEN, analysis.best),)

        turns = watch(self.look, self.think, plan, judge, self.wait, lambda: self.now)
        try:
            for turn in turns:
                yield turn
                if self.moves and not turn.verdicts:
                    self.moves.pop(0)()
        except Stopped:
            return


def beginner() -> Table:
    """Return a beginner's game whose first click opens a zero."""
    return Table(Game.of_level(BEGINNER, 7, FirstClick.ZERO))


@pytest.mark.parametrize("seed", range(5))
def test_a_whole_game_is_followed(seed: int) -> None:
    """Each move of a reckless player: one turn with what is known, then what the move was worth."""
    table = Table(Game.of_level(INTERMEDIATE, seed, FirstClick.ZERO))
    game = table.game
    rng = np.random.default_rng(seed)

    def move() -> None:
        covered = [*game.board.cells(COVERED)]
        known = exact.solve(game.board)
        cell = covered[rng.integers(len(covered))] if rng.random() < 0.3 else known.best
        if not game.status.over and cell is not None:
            game.open(cell)

    table.moves = [move] * 40
    turns = list(table.watch())
    reported = [turn for turn in turns if not turn.verdicts]
    assert [turn.number for turn in reported] == list(range(len(reported)))
    assert turns[-1].reading.status.over
    verdicts = [verdict for turn in turns for verdict in turn.verdicts]
    assert len(verdicts) == len(reported) - 1
    for turn in reported:
        if turn.analysis is not None:
            expected = exact.solve(turn.reading.board).mine_probability
            assert np.array_equal(turn.analysis.mine_probability, expected, equal_nan=True)


def test_move_during_an_analysis_supersedes_it() -> None:
    """A thought without end is dropped at the next glance, and nothing is reported of it."""
    table = beginner()
    table.slow = True
    table.thinking = [lambda: table.game.open(Cell(0, 0))]
    turns = table.watch()
    first, second = next(turns), next(turns)
    assert first.reading.board != second.reading.board
    assert second.number == 1
    assert table.thoughts < 50
    turns.close()  # type: ignore[attr-defined]


def test_a_better_answer_follows() -> None:
    """The same turn once more, with another analysis."""
    table = beginner()

    def twice(board: Board, _cancel: threading.Event) -> Iterator[Analysis]:
        yield exact.solve(board)
        yield replace(exact.solve(board), best=Cell(4, 4))

    table.think = twice  # type: ignore[method-assign]
    first, second = table.watch()
    assert first.number == second.number == 0
    assert second.moves[0].cell == Cell(4, 4)


def test_another_game_begins_at_zero() -> None:
    """A restart, in the middle of a game or after it: nothing is judged across it."""
    table = beginner()
    table.moves = [
        lambda: table.game.open(Cell(0, 0)),
        lambda: setattr(table, "game", Game.of_level(BEGINNER, 3)),
        lambda: setattr(table, "game", Game.of_level(INTERMEDIATE, 3)),
    ]
    turns = list(table.watch())
    assert [(turn.number, bool(turn.verdicts)) for turn in turns] == [
        (0, False), (1, False), (1, True), (0, False), (0, False),
    ]  # fmt: skip
    assert turns[-1].reading.board.rows == 16


def test_covered_board_is_reported_once_and_waited_for() -> None:
    """BLOCKED after a moment, with nothing to think; then the same board again, not a new turn."""
    table = beginner()
    clear = table.seen

    def blocked(reading: Reading) -> Reading:
        return replace(reading, status=Status.BLOCKED)

    table.moves = [lambda: setattr(table, "seen", blocked), lambda: setattr(table, "seen", clear)]
    first, second, third = table.watch()
    assert (second.reading.status, second.analysis) == (Status.BLOCKED, None)
    assert (first.number, third.number) == (0, 0)
    assert third.analysis is not None


def test_moved_window_is_reported_again() -> None:
    """The same board elsewhere: what is drawn over it has to follow."""
    table = beginner()

    def moved(reading: Reading) -> Reading:
        return replace(reading, grid=reading.grid.moved(30, 20))

    table.moves = [lambda: setattr(table, "seen", moved)]
    first, second = table.watch()
    assert second.number == first.number
    assert second.reading.grid.left == first.reading.grid.left + 30


def unread(*cells: Cell) -> Callable[[Reading], Reading]:
    """Yield readings with some unread tiles."""

    def spoil(reading: Reading) -> Reading:
        tiles = reading.board.tiles.copy()
        for cell in cells:
            tiles[cell] = UNREAD
        return replace(reading, board=Board(tiles, reading.board.mines))

    return spoil


def test_only_a_single_unread_tile_counts_as_it_was() -> None:
    """Under the pointer from the start: covered. A moment passes first, as it may be on its way.

    Two are reported without an analysis; when they can be read it goes on.
    """
    table = beginner()
    table.seen = unread(Cell(3, 3))
    (turn,) = table.watch()
    assert turn.reading.board[3, 3] == COVERED
    assert turn.analysis is not None
    assert turn.reading.frame.number * LOOK_SECONDS >= TIMES.hover / 5
    table = beginner()
    table.seen = unread(Cell(3, 3), Cell(5, 5))
    table.moves = [lambda: setattr(table, "seen", lambda reading: reading)]
    first, second = table.watch()
    assert first.analysis is None
    assert UNREAD in first.reading.board.tiles
    assert second.analysis is not None


def test_impossible_board_is_reported() -> None:
    """What the solver says of it stands among the remarks."""
    table = beginner()
    impossible = Board.parse("1#/8#", 1)
    table.seen = lambda reading: replace(reading_of(impossible), frame=reading.frame)
    (turn,) = table.watch()
    assert turn.analysis is None
    assert turn.reading.remarks


def test_moves_made_in_a_pause_are_not_judged() -> None:
    """Whoever takes no turn for a while has paused."""
    table = beginner()

    def pause() -> None:
        table.now += 5
        table.game.open(Cell(0, 0))

    table.moves = [pause]
    turns = list(table.watch())
    assert [turn.number for turn in turns] == [0, 1]
    assert not any(turn.verdicts for turn in turns)


def test_a_stop_ends_it() -> None:
    """At a wait or while thinking."""
    table = beginner()
    table.slow = True
    turns = list(table.watch())
    assert len(turns) == 1
    assert table.now > 60
