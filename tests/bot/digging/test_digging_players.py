"""Source 002's algorithms and ours: the right list, with few digs."""

from __future__ import annotations

import threading
from collections import Counter

import numpy as np
import pytest

from bot.analysis import Analysis, Cancelled, Limit, Solver
from bot.board import EXPLODED, MINE, Board, Cell, InconsistentBoard
from bot.digging import HUNTERS, hunter
from bot.digging.entropy import (
    EntropyPlayer,
    Sample,
    StepCache,
    draw_solutions,
    sampled_entropy,
)
from bot.digging.game import DigGame
from bot.digging.published import AlgorithmA, AlgorithmB
from bot.frame import Status
from bot.solver import exact
from bot.solver.constraints import system_of
from bot.solver.published import enumeration
from tests.bot.solver.boards import all_solutions
from tests.support.sampling import sampled

pytestmark = pytest.mark.long

GAMES = (
    *((rows, cols, mines) for rows, cols in ((4, 4), (5, 7)) for mines in (1, 7, 12)),
    (8, 8, 12),
    (1, 12, 4),
    (3, 3, 0),
    (2, 3, 6),
    (1, 1, 1),
    (1, 1, 0),
)
"""Rows, columns, mines."""


def hunt_down(hunt: Solver, game: DigGame) -> list[tuple[Cell, float]]:
    """Play to the end, every deduction checked; the digs and how likely a mine each was held."""
    digs = []
    while not game.status.over:
        board = game.board
        analysis = hunt(board, Limit())
        layout = game.layout
        assert all(layout[cell] for cell in analysis.mines)
        assert not any(layout[cell] for cell in analysis.safe)
        assert np.array_equal(np.isnan(analysis.mine_probability), ~board.unopened)
        if analysis.best is None:
            game.submit((*game.listed_mines, *analysis.mines))
            break
        digs.append((analysis.best, float(analysis.mine_probability[analysis.best])))
        assert game.open(analysis.best), "it was dug before"
    return digs


@pytest.mark.parametrize("name", HUNTERS)
def test_every_hunter_hands_in_the_right_list(name: str) -> None:
    """On many boards, empty and full ones among them, it digs no tile twice and never lies.

    Only the loose reading of Algorithm A digs what it knows to be safe.
    """
    chances: set[float] = set()
    for seed, size in enumerate(GAMES):
        game = DigGame(*size, seed=seed)
        digs = hunt_down(hunter(name).start(seed), game)
        assert game.status is Status.WON, str(game)
        assert len(digs) == len({cell for cell, _ in digs}) == game.digs
        assert digs or not game.mines or game.mines == game.rows * game.cols
        chances |= {chance for _, chance in digs}
    assert (0.0 in chances) == (not hunter(name).strict)
    assert (1.0 in chances) == (name == "algorithm-b")


@pytest.mark.parametrize("name", HUNTERS)
def test_a_seed_repeats_a_game(name: str) -> None:
    """And a hunter that joins a game that others began finishes it."""
    first, second = (hunt_down(hunter(name).start(5), DigGame(7, 7, 9, 1)) for _ in range(2))
    assert first == second
    game = DigGame(7, 7, 9, 1)
    for cell in ((0, 0), (3, 3), (6, 1), (2, 5)):
        game.open(cell)
    hunt_down(hunter(name).start(5), game)
    assert game.status is Status.WON


def test_the_list_is_complete_once_all_mines_are_deduced() -> None:
    """The rest is safe and need not be dug."""
    assert AlgorithmA(0)(Board.parse("#1.#/#1.#", 1)).best is not None
    found = AlgorithmA(0)(Board.parse("#1.#/11.#", 1))
    assert found.best is None
    assert found.mines == (Cell(0, 0),)
    assert found.safe == (Cell(0, 3), Cell(1, 3))


def test_contradictions_that_they_notice() -> None:
    """Neither digs on without end."""
    for hunt in (AlgorithmA(0), AlgorithmB(0), EntropyPlayer(0)):
        with pytest.raises(InconsistentBoard):
            hunt(Board.parse("1#2/...", 1), Limit())
    with pytest.raises(InconsistentBoard):
        AlgorithmA(0)(Board.parse("1#1#1", 1))


@pytest.mark.parametrize("name", HUNTERS)
def test_unread_tiles_and_a_stop(name: str) -> None:
    """An unread tile is an error, and a stop ends the decision."""
    with pytest.raises(ValueError, match="is unread"):
        hunter(name).start(0)(Board.parse("1~#", 1), Limit())
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(Cancelled):
        hunter(name).start(0)(Board.parse("1##/#3#/###", 4), Limit(cancel=cancel))


def test_hunter_digs_nothing_that_is_certain() -> None:
    """By the oracle, which looks at every solution."""
    for seed in range(12):
        game = DigGame(3, 3, 3, seed)
        player = EntropyPlayer(seed)

        def hunt(board: Board, limit: Limit, player: Solver = player) -> Analysis:
            found = player(board, limit)
            if found.best is not None:
                assert 0 < enumeration.solve(board).mine_probability[found.best] < 1
            return found

        hunt_down(hunt, game)
        assert game.status is Status.WON


def test_hunter_submits_the_right_list_within_a_small_limit() -> None:
    """It then goes by estimates, and by what simple deduction proves."""
    game, player = DigGame(8, 8, 12, seed=2), EntropyPlayer(0)
    hunt_down(lambda board, _limit: player(board, Limit(nodes=20)), game)
    assert game.status is Status.WON


def solutions(board: Board) -> Sample:
    """All of them, as a sample of equal weights."""
    shown = np.isin(board.tiles, (MINE, EXPLODED)).ravel()
    cells = np.arange(board.tiles.size)
    layouts = [np.isin(cells, list(mines)) | shown for mines in all_solutions(board)]
    return Sample(np.array(layouts), np.full(len(layouts), 1 / len(layouts)))


BOARDS = (
    Board.parse("#2###/##3#!/#####", 6),
    Board.parse("1####/##2##/1###1", 5),
    Board.parse("####/#2##/##1#/####", 4),
)


@pytest.mark.parametrize("board", sampled(BOARDS), ids=str)
def test_samples_are_solutions_and_weigh_as_they_should(board: Board) -> None:
    """Every one that counts satisfies all hints; their means come near the exact ones."""
    system = system_of(board)
    sample = draw_solutions(system, 0.3, 4000, np.random.default_rng(0), Limit())
    assert sample is not None
    possible = {row.tobytes() for row in solutions(board).mines}
    shown = np.isin(board.tiles, (MINE, EXPLODED)).ravel()
    drawn = {(row | shown).tobytes() for row in sample.mines[sample.weights > 0]}
    assert drawn <= possible
    assert sample.weights.sum() == pytest.approx(1)
    mean = (sample.weights @ sample.mines).reshape(board.tiles.shape)
    exactly = exact.solve(board).mine_probability
    assert np.nanmax(np.abs(mean - exactly)) < 0.04


@pytest.mark.parametrize("board", sampled(BOARDS), ids=str)
def test_bits_are_the_entropy_of_what_a_dig_shows(board: Board) -> None:
    """Over all solutions: the logarithm of their number, less what is left on average."""
    every = solutions(board)
    bits = sampled_entropy(every, board.rows, board.cols)
    for cell in board.cells():
        if not board.unopened[cell]:
            continue
        left = Counter[int]()
        for layout in every.mines:
            game = DigGame.from_mines(layout.reshape(board.tiles.shape))
            game.open(cell)
            left[game.board[cell]] += 1
        shares = np.array(list(left.values())) / len(every.mines)
        assert bits[cell] == pytest.approx(-(shares * np.log2(shares)).sum(), abs=1e-6)


def test_cached_components_change_no_sample() -> None:
    """Components that did not change are not worked out again."""
    system = system_of(BOARDS[0])
    kept: StepCache = {}
    first, again, fresh = (
        draw_solutions(system, 0.3, 50, np.random.default_rng(1), Limit(), memory)
        for memory in (kept, kept, None)
    )
    assert kept
    assert first is not None
    assert again is not None
    assert fresh is not None
    assert np.array_equal(first.mines, again.mines)
    assert np.array_equal(first.mines, fresh.mines)


@pytest.mark.parametrize("size", [(60, 20), (20, 60)])
def test_large_boards_are_worked_through_from_one_end(size: tuple[int, int]) -> None:
    """So that what is dug does not tie all of a board together; ties go to the first tile."""
    board = Board.covered(*size, 240)
    assert EntropyPlayer(0)(board, Limit()).best == Cell(1, 1)
    tiles = board.tiles.copy()
    tiles[1, 1] = 1
    best = EntropyPlayer(0)(Board(tiles, 240), Limit()).best
    assert best is not None
    assert best[0 if size[0] > size[1] else 1] < 20
