"""Games that are simulated to decide a guess: exact on end games, repeatable, cancellable."""

from __future__ import annotations

import re
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from bot.analysis import Cancelled, Comparison, Limit, Thinking
from bot.board import COVERED, Board, Cell
from bot.solver.endgame import solve_endgame
from bot.solver.guess.policies import FAST, VALUE
from bot.solver.guess.race import Candidate, Race, compare, expected_gain
from bot.solver.guess.rollouts import allocate_for_rollouts, roll_out
from bot.solver.player import solve
from tests.bot.solver.boards import board_of, positions
from tests.support.guess_games import many, player
from tests.support.sampling import sampled

FOREVER = Thinking(rollouts=10**9, threads=1)
NO_ESTIMATES = np.full(9, np.nan)
MIDGAME = Board.parse("\n".join(["#" * 16] * 7 + ["###3####2#######"] + ["#" * 16] * 8), 50)
ENDGAMES = [p for p in positions("endgames.jsonl") if 50 < int(p["solutions"]) <= 1000][:2]


def candidates(board: Board, count: int) -> list[Candidate]:
    """Return the safest cells, with no estimates."""
    probability = solve(board).mine_probability.ravel()
    cells = np.argsort(probability)[:count]
    return [Candidate(int(c), float(probability[c]), 0.4, 0.0, NO_ESTIMATES) for c in cells]


@pytest.mark.parametrize("position", sampled(ENDGAMES), ids=lambda position: position["id"])
@pytest.mark.parametrize("policy", [FAST, VALUE])
def test_the_mean_is_the_exact_chance_where_the_rest_is_searched(
    position: dict[str, object], policy: int
) -> None:
    """On end games of few solutions: within four standard errors, for each cell."""
    board = board_of(position)
    exact = solve_endgame(board, every_cell=True)
    assert exact is not None
    cells = list(exact.won_by_cell)
    flat = np.array([cell.row * board.cols + cell.col for cell in cells], np.int32)
    work = allocate_for_rollouts(board.tiles.size)
    chances = np.zeros((400, len(cells)))
    estimates = np.full((len(cells), 9), np.nan)
    for number in range(len(chances)):
        roll_out(
            board.tiles.copy(), board.mines, flat, estimates, number, policy, work, chances[number]
        )
    wanted = np.array([exact.won_by_cell[cell] / exact.solutions for cell in cells])
    error = chances.std(0) / len(chances) ** 0.5
    assert (np.abs(chances.mean(0) - wanted) <= 4 * error + 1e-9).all()


@pytest.mark.long
def test_simulated_games_are_worth_what_games_win() -> None:
    """From the first click on, within four standard errors of the mean weight of whole games."""
    board, count = Board.covered(9, 9, 10), 2000
    first, unknown = np.zeros(1, np.int32), NO_ESTIMATES[None]
    work, chances = allocate_for_rollouts(81), np.zeros((count, 1))
    for number in range(count):
        tiles = board.tiles.copy()
        roll_out(tiles, 10, first, unknown, number, VALUE, work, chances[number])
    simulated = chances[:, 0] / (1 - 10 / 81)
    weight = np.zeros(count)
    many(9, 9, 10, 0, False, 1, VALUE, True, player(81), weight)
    error = ((simulated.var() + weight.var()) / count) ** 0.5
    assert abs(simulated.mean() - weight.mean()) < 4 * error


@pytest.mark.long
def test_the_number_of_threads_changes_nothing() -> None:
    """The same verdict to the last bit, with one thread and with two."""
    few = [
        compare(MIDGAME, candidates(MIDGAME, 2), Thinking(rollouts=160, threads=threads), Limit())
        for threads in (1, 2)
    ]
    assert few[0] == few[1]
    assert few[0] is not None
    assert 64 < few[0].rollouts <= 160


def test_a_clearly_worse_cell_is_dropped_soon() -> None:
    """A mine that is nearly certain is not simulated to the end of the budget."""
    board = Board.parse("#######/1111111/#######/#######/#######/#######", 9)
    probability = solve(board).mine_probability.ravel()
    cells = [int(c) for c in np.argsort(probability)[:42] if 0 < probability[c] < 1]
    pair = [
        Candidate(c, float(probability[c]), 0.3, 0.0, NO_ESTIMATES) for c in (cells[0], cells[-1])
    ]
    verdict = compare(board, pair, Thinking(rollouts=100_000, threads=1), Limit())
    assert verdict is not None
    assert verdict.place == 0
    assert verdict.confidence > 0.95
    assert verdict.rollouts < 50_000


def test_a_stop_ends_it() -> None:
    """In the midst of simulations that would take days, and again at the next one."""
    stop = threading.Event()
    threading.Timer(0.2, stop.set).start()
    # The last board is so small that a block of games is played between two checks.
    small = Board.parse("#####/#####/##2##/#####/##1##", 6)
    for board, count in ((MIDGAME, 4), (MIDGAME, 4), (small, 2)):
        with pytest.raises(Cancelled):
            compare(board, candidates(board, count), FOREVER, Limit(cancel=stop))


def test_the_interpreter_runs_meanwhile() -> None:
    """A stop reaches the machine code in the midst of a single call."""
    one, count = candidates(MIDGAME, 1)[0], 3_000
    chances, work = np.full(count, np.nan), allocate_for_rollouts(MIDGAME.tiles.size)
    cells = np.full(count, one.cell, np.int32)
    estimates = np.tile(one.hint_values, (count, 1))
    arguments = (MIDGAME.tiles.copy(), MIDGAME.mines, cells, estimates, 1, FAST, work, chances)
    with ThreadPoolExecutor() as executor:
        call = executor.submit(roll_out, *arguments)
        while np.isnan(chances[0]):
            assert not call.done()
        work.policy.stop[0] = 1
    assert np.isnan(chances[count // 2 :]).any()


def test_a_comparison_can_be_ended_with_what_was_found() -> None:
    """The caller sees all cells, the best first, those that are left, and the games."""
    seen: list[Comparison] = []

    def is_enough(found: Comparison) -> bool:
        seen.append(found)
        return found.games >= 200

    cells = candidates(MIDGAME, 4)
    verdict = compare(MIDGAME, cells, replace(FOREVER, is_enough=is_enough), Limit())
    assert verdict is not None
    last = seen[-1]
    assert 200 <= last.games == verdict.rollouts < 10**9
    named = {Cell(*divmod(one.cell, MIDGAME.cols)) for one in cells}
    assert set(last.chances) == named >= set(last.left)
    best, *_ = last.chances
    assert best == Cell(*divmod(cells[verdict.place].cell, MIDGAME.cols))
    assert last.chances[best] == verdict.chance
    assert list(last.chances.values()) == sorted(last.chances.values(), reverse=True)


def test_the_time_of_the_decision_ends_it() -> None:
    """With what was found until then."""
    cells = candidates(MIDGAME, 4)
    for thinking, limit in ((FOREVER, Limit(seconds=0.3)), (Thinking(seconds=0.3), Limit())):
        verdict = compare(MIDGAME, cells, thinking, limit)
        assert verdict is None or verdict.rollouts < 10**9


@pytest.mark.parametrize(
    "board",
    [
        Board.parse("1##/###/###", 2),
        Board.parse("11#/###/###", 1),
        Board.parse("##/11", 1),
        Board.covered(16, 30, 99),
        Board(np.pad(np.full((1, 1), 3), 30, constant_values=COVERED), 800),
    ],
    ids=["end game", "certain move", "forced guess", "first click", "over 900 covered cells"],
)
def test_some_moves_are_not_simulated(board: Board) -> None:
    """No solutions can be drawn of boards with more than 900 covered cells."""
    assert solve(board, Limit(thinking=FOREVER)).best == solve(board).best


def test_reason_states_chances_and_number_of_games() -> None:
    """The chances of both cells, the number of games, and how sure it is."""
    analysis = solve(MIDGAME, Limit(thinking=Thinking(rollouts=400, threads=2)))
    assert analysis.reason is not None
    assert re.fullmatch(
        r"about (over )?\d+% to win with \d+\.\d% risk of a mine here; the next best cell "
        r"(over )?\d+%; [\d,]+ games simulated, (over )?\d+% sure that it is better",
        analysis.reason,
    )
    assert analysis.best is not None
    assert MIDGAME.unopened[analysis.best]


def test_the_race_keeps_the_best() -> None:
    """Results outweigh the prior as they become many; those that cannot gain are dropped."""
    race = Race([0.4, 0.39, 0.3])
    assert race.best() == 0
    dice = np.random.default_rng(0)
    common = dice.normal(0, 0.2, (2000, 1))
    noise = dice.normal(0, 0.05, (2000, 3))
    race.add(np.array([0.38, 0.41, 0.2]) + common + noise)
    assert race.left == [1]
    verdict = race.verdict(6000)
    assert verdict.place == 1
    assert verdict.confidence > 0.99
    assert verdict.chance == pytest.approx(0.41, abs=0.03)
    assert verdict.next_best is not None
    assert verdict.chance - verdict.next_best == pytest.approx(0.03, abs=0.01)


def test_equivalent_cells_are_not_simulated_for_long() -> None:
    """Two that never differ are equal: one of them is dropped, whatever the prior said."""
    race = Race([0.4, 0.41])
    race.add(np.full((32, 2), 0.3))
    assert len(race.left) == 1
    assert race.difference(0, 1)[0] == 0.0


def test_unfinished_games_count_for_nothing() -> None:
    """NaN stands for a game that was broken off."""
    race = Race([0.4, 0.39])
    race.add(np.full((10, 2), np.nan))
    assert race.verdict(20).place == 0
    assert race.difference(1, 0)[0] == pytest.approx(-0.01)


@pytest.mark.parametrize(
    ("mean", "deviation", "gain"), [(0, 1, 0.3989), (-1, 1, 0.0833), (1, 1, 1.0833)]
)
def test_expected_gain(mean: float, deviation: float, gain: float) -> None:
    """Of a normal variable's positive part."""
    assert expected_gain(mean, deviation) == pytest.approx(gain, abs=1e-4)
