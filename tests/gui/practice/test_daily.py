"""The daily board: the same one all day, its time and 3BV, and the results."""

from __future__ import annotations

from datetime import date, timedelta

import numpy as np
import pytest

from bot.board import FLAG, Cell
from bot.frame import Status
from bot.game import BEGINNER, FirstClick, Game
from bot.metrics import three_bv
from gui.analyse.positions import solving
from gui.history.store import Result
from gui.practice.daily import DailyGame, day_results, find_daily, keep_game
from tests.gui.history.made import game
from tests.gui.panels import silent

pytestmark = pytest.mark.long

DAY = date(2026, 11, 25)


class Clock:
    """A clock that a test moves."""

    now = 100.0

    def __call__(self) -> float:
        """Seconds."""
        return self.now


@pytest.fixture
def clock() -> Clock:
    """At 100 seconds."""
    return Clock()


@pytest.fixture
def daily(clock: Clock) -> DailyGame:
    """The Beginner board of a day."""
    return DailyGame(DAY, BEGINNER, _seed(DAY), clock)


def _seed(day: date) -> int:
    return find_daily(day, BEGINNER, silent())


def _mines(daily: DailyGame) -> np.ndarray:
    """The mines, by a game of the same seed."""
    known = Game.of_level(BEGINNER, _seed(DAY), FirstClick.ZERO)
    known.open(daily.start)
    return known.layout


def test_every_day_has_a_board_of_its_own() -> None:
    """The same one whenever it is searched."""
    seeds = [_seed(DAY + timedelta(days=number)) for number in range(3)]
    assert len(set(seeds)) == 3
    assert _seed(DAY) == seeds[0]


def test_the_time_runs_from_the_first_click_to_the_end(daily: DailyGame, clock: Clock) -> None:
    """The first click is on the marked cell; nothing else begins the game. It stops in a pause."""
    assert not daily.click(Cell(0, 0))
    daily.flag(Cell(0, 0))
    assert not daily.started
    assert daily.board[0, 0] != FLAG
    clock.now = 105.0
    assert daily.seconds == 0.0
    assert daily.click(daily.start)
    clock.now = 107.0
    daily.pause()
    clock.now = 150.0
    assert daily.seconds == 2.0
    daily.resume()
    daily.resume()
    clock.now = 150.5
    assert daily.seconds == 2.5
    for cell in np.argwhere(~_mines(daily)):
        daily.click(Cell(*cell.tolist()))
    assert daily.status is Status.WON
    daily.resume()
    clock.now = 160.0
    assert daily.seconds == 2.5
    entry, _steps = daily.entry()
    assert (entry.result, entry.seconds, entry.whole) == (Result.WON, 2.5, True)
    assert entry.three_bv == daily.three_bv == daily.three_bv_done == three_bv(_mines(daily))
    assert entry.speed == pytest.approx(three_bv(_mines(daily)) / 2.5)
    assert not daily.click(daily.start)


def test_an_opened_cell_that_is_not_proved_counts_as_a_guess(daily: DailyGame) -> None:
    """As in all other games: here the one that hits a mine, and none that is proved safe."""
    solve = solving("exact", silent())
    daily.click(daily.start)
    for _ in range(3):
        daily.click(solve(daily.board).safe[0])
    proved = solve(daily.board).mines
    mines = {Cell(*cell.tolist()) for cell in np.argwhere(_mines(daily))}
    daily.click(min(mines.difference(proved)))
    kept = keep_game(*daily.entry(), silent())
    assert [(one.entry.result, one.entry.guesses) for one in kept] == [(Result.LOST, 1)]


def test_a_click_on_a_number_opens_the_cells_around_it(daily: DailyGame) -> None:
    """When the mines around it are flagged; before, nothing happens."""
    daily.click(daily.start)
    mines = _mines(daily)
    hint = next(
        cell
        for cell in daily.board.cells(*range(1, 9))
        if any(daily.board.unopened[one] and not mines[one] for one in daily.board.around(cell))
    )
    before = daily.board
    daily.click(hint)
    assert daily.board == before
    around = daily.board.around(hint)
    for cell in around:
        if mines[cell]:
            daily.flag(cell)
    daily.click(hint)
    assert all(daily.board[cell] >= 0 for cell in around if not mines[cell])


def test_the_first_win_of_a_day_counts() -> None:
    """With the number of games until then; without a win the last loss."""
    lost, won = Result.LOST, Result.WON
    games = ((24, lost, 5.0), (24, lost, 7.0), (25, lost, 9.0), (25, won, 50.0), (25, won, 20.0))
    results = day_results(
        game(window=f"Daily board 2026-11-{day}", result=result, seconds=seconds, three_bv=40)
        for day, result, seconds in games
    )
    assert [str(one) for one in results] == [
        "2026-11-25, expert: won in 50.0 s, 0.80 3BV/s, game 2",
        "2026-11-24, expert: lost after 7.0 s, game 2",
    ]
