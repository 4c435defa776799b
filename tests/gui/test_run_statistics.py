"""What a run adds up to, game by game."""

from __future__ import annotations

from dataclasses import replace

from bot.assist.coach import MoveKind, Verdict
from bot.assist.watcher import PlayedTurns, WatchedTurn
from bot.board import Board, Cell
from bot.frame import Status
from bot.game import BEGINNER
from bot.loop import Event, Turn
from bot.metrics import three_bv_done
from bot.planner import Action, Move
from gui.run_statistics import RunStatistics
from tests.gui.panel.test_boardview import turns_of
from tests.gui.tabletop import Tabletop

CLICK = Event("click", "left", None)


def with_time(turn: Turn, time: float, clicks: int) -> Turn:
    """The turn as if it had been seen then, after so many clicks."""
    reading = replace(turn.reading, frame=replace(turn.reading.frame, time=time))
    return replace(turn, reading=reading, events=(CLICK,) * clicks)


def watched(turn: Turn, time: float, *risks: float) -> WatchedTurn:
    """A turn of a watched game, with the risks of the user's moves before it."""
    moves = [Move(Action.OPEN, Cell(1, 1), risk) for risk in risks]
    timed = with_time(turn, time, 0)
    verdicts = tuple(Verdict(move, MoveKind.NEEDED) for move in moves)
    return WatchedTurn(turn.number, timed.reading, turn.analysis, (), verdicts=verdicts)


def of_game(statistics: RunStatistics) -> tuple[int, float, int]:
    """Return the clicks, the seconds and the 3BV of the game under way."""
    return statistics.game_clicks, statistics.game_seconds, statistics.game_found


def test_clicks_and_seconds_are_those_of_the_game() -> None:
    """What was sent before its first turn began the game; the next game starts from nothing."""
    turns = turns_of(Tabletop(BEGINNER), 3)
    over = turns_of(Tabletop(BEGINNER), 60)[-1]
    statistics = RunStatistics()
    statistics.add(with_time(turns[0], 100.0, clicks=2))
    assert (statistics.game_clicks, statistics.game_seconds) == (0, 0.0)
    statistics.add(with_time(turns[1], 100.5, clicks=3))
    statistics.add(with_time(over, 102.0, clicks=4))
    assert (statistics.game_clicks, statistics.game_seconds) == (7, 2.0)
    statistics.add(with_time(turns[0], 110.0, clicks=1))
    statistics.add(with_time(turns[1], 111.0, clicks=1))
    assert (statistics.game_clicks, statistics.game_seconds) == (1, 1.0)


def test_an_end_that_was_not_seen_says_nothing_of_the_rate() -> None:
    """It counts as a game."""
    first, statistics = turns_of(Tabletop(BEGINNER), 1)[0], RunStatistics()
    for status in (Status.WON, Status.ENDED):
        statistics.add(first)
        statistics.add(replace(first, reading=replace(first.reading, status=status), number=1))
    assert (statistics.games, statistics.won, statistics.unseen) == (2, 1, 1)
    assert statistics.win_rate == 1.0


def test_a_game_begun_before_the_last_one_ended_starts_from_nothing() -> None:
    """Its clicks, seconds and 3BV are its own; the game that was given up counts nowhere."""
    fresh, late = turns_of(Tabletop(BEGINNER), 2)
    statistics = RunStatistics()
    statistics.add(watched(fresh, 100.0))
    statistics.add(watched(late, 107.0))
    statistics.add(watched(late, 107.0, 0.0, 0.2))
    assert statistics.game_clicks == 2
    statistics.add(watched(fresh, 110.0))
    assert of_game(statistics) == (0, 0.0, 0)
    statistics.add(watched(late, 112.0, 0.0))
    statistics.add(watched(late, 112.0))
    assert (statistics.game_clicks, statistics.game_seconds) == (1, 2.0)
    assert statistics.games == 0


def test_moves_that_are_taken_back_one_by_one_count_nothing() -> None:
    """Each time the figures begin with what is still open: they are never negative."""
    turns = turns_of(Tabletop(BEGINNER), 4)
    statistics = RunStatistics()
    for number, turn in enumerate(turns):
        statistics.add(watched(replace(turn, number=number), 100.0 + number))
    for turn in reversed(turns[:-1]):
        statistics.add(watched(replace(turn, number=0), 110.0))
        assert of_game(statistics) == (0, 0.0, three_bv_done(turn.reading.board))


def test_a_run_that_goes_on_with_a_game_counts_its_own_part() -> None:
    """What was clicked before, and the time before the run, are not the pace of this run."""
    fresh, late = turns_of(Tabletop(BEGINNER), 2)
    statistics = RunStatistics()
    statistics.add(with_time(fresh, 100.0, clicks=0))
    statistics.add(with_time(late, 101.0, clicks=5))
    statistics.begin_run()
    statistics.add(with_time(replace(late, number=0), 200.0, clicks=0))
    assert of_game(statistics) == (0, 0.0, three_bv_done(late.reading.board))


def test_statistics_are_of_one_level() -> None:
    """Another size or another number of mines is not counted with it."""
    statistics = RunStatistics()
    (turn,) = turns_of(Tabletop(BEGINNER), 1)
    assert statistics.counts(turn.reading.board)
    statistics.add(turn)
    tiles = turn.reading.board.tiles
    assert statistics.counts(Board(tiles, BEGINNER.mines))
    assert not statistics.counts(Board(tiles, 11))
    assert not statistics.counts(Board(tiles[:, 1:], BEGINNER.mines))


def test_what_the_user_did_is_counted_not_the_advice() -> None:
    """A watched turn's moves do not count; its verdicts are clicks, and guesses where risky."""
    plain = turns_of(Tabletop(BEGINNER), 2)[1]
    advice = (Move(Action.OPEN, Cell(0, 0), 0.3),)
    statistics = RunStatistics()
    statistics.add(replace(watched(plain, 100.0), moves=advice))
    assert (statistics.turns, statistics.guesses, statistics.game_clicks) == (1, 0, 0)
    statistics.add(replace(watched(plain, 100.0, 0.0, 0.2), moves=advice))
    assert (statistics.turns, statistics.guesses, statistics.game_clicks) == (1, 1, 2)


def test_a_recorded_game_of_the_users_has_the_clicks_that_were_counted_live() -> None:
    """No click was observed; each recorded turn has the moves that were made on it."""
    live, recorded, turns = RunStatistics(), RunStatistics(by_user=True), PlayedTurns()
    for number, turn in enumerate(turns_of(Tabletop(BEGINNER), 4)):
        for risks in ((), (0.0,) * number) if number else ((),):
            numbered = replace(turn, number=number)
            seen = replace(watched(numbered, 100.0, *risks), moves=turn.moves)
            live.add(seen)
            for played in turns.add(seen):
                recorded.add(played)
    for played in turns.flush():
        recorded.add(played)
    assert recorded.game_clicks == live.game_clicks == 6


def test_a_guess_counts_once_it_is_made() -> None:
    """Not while it is only shown, and not again if it was shown, refused, and shown again."""
    first, shown, after = turns_of(Tabletop(BEGINNER), 3)
    risky = replace(shown, moves=(Move(Action.OPEN, Cell(0, 0), 0.3),), events=())
    parked = (Event("move", "", None),)
    statistics = RunStatistics()
    statistics.add(first)
    assert first.moves[0].risk > 0, "the first click, which is no guess"
    statistics.add(risky)
    statistics.add(replace(risky, number=2, events=parked))
    assert statistics.guesses == 0
    statistics.add(replace(after, number=3, events=(CLICK,)))
    assert statistics.guesses == 1
