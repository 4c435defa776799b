"""Source 003's searches and guesses, as published and with its three improvements."""

from __future__ import annotations

import threading
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings

from bot.analysis import Cancelled, Limit
from bot.board import COVERED, Board, Cell, InconsistentBoard
from bot.game import BEGINNER, Game
from bot.metrics import hints_of
from bot.solver import SOLVERS, exact
from bot.solver.constraints import OutOfBudget, system_of
from bot.solver.published import enumeration
from bot.solver.published.local import (
    MAXIMUM,
    Listed,
    Work,
    edges,
    geometric_mean,
    maximal_sub_edges,
    possibilities,
    search,
    solve,
    value,
)
from tests.bot.solver.boards import possible_boards
from tests.bot.solver.edges_in_play import EXAMPLE, PUBLISHED, WAYS, boards_in_play, edges_of, free

VARIANTS = {name: info.solve for name, info in SOLVERS.items() if name.startswith("local")}
"""As published, with one improvement each, and with all three."""


@pytest.mark.parametrize("name", VARIANTS)
def test_the_worked_example(name: str) -> None:
    """Four possibilities, (2,2) a mine, the rest even, and the guess is (0,4)."""
    found = VARIANTS[name](EXAMPLE, Limit())
    assert found.mines == (Cell(2, 2),)
    for cell in ((0, 3), (1, 3), (2, 0), (2, 1), (2, 3)):
        assert found.mine_probability[cell] == 0.5
    others = np.isclose(1 - found.mine_probability, 0.905797, atol=5e-7)
    assert others.sum() == 69
    assert found.mine_probability[0, 4] == pytest.approx((10 - 3.5) / 69)
    assert found.best == Cell(0, 4)
    assert found.method == name


def test_why_it_is_not_exact() -> None:
    """Placements with 3 mines leave more ways for the rest: 90.0 %, not 90.6 %."""
    truth = exact.solve(EXAMPLE)
    assert 1 - truth.mine_probability[0, 4] == pytest.approx(0.900, abs=5e-4)
    assert not solve(EXAMPLE).exact
    assert solve(EXAMPLE).error > 0


def test_single_square_search() -> None:
    """The source's example, rebuilt: two hints with one unknown square satisfy three others."""
    board = Board.parse("....../...111/..12##/..1###/1111##/######", 6)
    found = search(system_of(board), free())
    marks = {Cell(*divmod(square, 6)): value for square, value in found.marks.items()}
    assert marks[Cell(2, 4)] == marks[Cell(3, 3)] == 1
    for square in ((2, 5), (3, 4), (5, 1), (5, 2), (5, 3)):
        assert marks[Cell(*square)] == 0
    assert found.because[2 * 6 + 4] == ("single-square search", (1 * 6 + 3,))
    assert not found.listed, "a safe move is known: no dearer search is needed"


def test_the_geometric_mean_is_of_mine_probabilities() -> None:
    """Of 1/2 and 1/8: 1/4."""
    assert geometric_mean([0.5, 0.125]) == pytest.approx(0.25)


def test_probabilities_of_a_long_edge() -> None:
    """Geometric means where a square is in several sub-edges; what one guarantees wins."""
    layout = np.zeros((2, 14), dtype=bool)
    layout[0, [1, 3, 6, 9, 12]] = True
    tiles = hints_of(layout)
    tiles[0] = COVERED
    board = Board(tiles, 5)
    system = system_of(board)
    found = search(system, free())
    parts = maximal_sub_edges(edges(system.constraints)[0], MAXIMUM, free())
    assert len(parts) > 1
    assert found.marks
    shares: dict[int, list[float]] = {}
    for part in parts:
        possible = possibilities(part, PUBLISHED, free())
        for place, square in enumerate(part.squares):
            share = sum(mask >> place & 1 for mask in possible) / len(possible)
            shares.setdefault(square, []).append(share)
    certain = {c: v for c, values in shares.items() for v in values if v in (0.0, 1.0)}
    assert found.marks == certain
    for square, chance in found.chances.items():
        assert chance == pytest.approx(geometric_mean(shares[square]))


def test_guesses_go_to_the_sides_then_row_by_row() -> None:
    """A corner is no better than the rest of its side."""
    board = Board.parse("#####/#####/##2##/#####/#####", 3)
    assert solve(board).best == Cell(0, 0)
    board = Board.parse("2####/#####/#####", 6)
    assert solve(board).best == Cell(0, 2)
    board = Board.parse("#####/##8##/#####/#####/#####", 8)
    assert solve(board).best == Cell(0, 0)


@pytest.mark.parametrize("name", VARIANTS)
@given(board=possible_boards())
@settings(max_examples=40, deadline=None)
def test_what_is_certain_is_certain(name: str, board: Board) -> None:
    """By the oracle, flags and shown mines among the tiles."""
    truth = enumeration.solve(board).mine_probability
    for limit in (Limit(), Limit(nodes=5)):
        found = VARIANTS[name](board, limit)
        assert all(truth[cell] == 0 for cell in found.safe)
        assert all(truth[cell] == 1 for cell in found.mines)
        assert np.array_equal(np.isnan(found.mine_probability), np.isnan(truth))
        assert (found.best is None) == (not (found.mine_probability < 1).any())
        assert not found.exact


def test_sub_edge_certainties_are_certain() -> None:
    """On boards with long edges, by the exact solver; with fewer than the published finds."""
    certain = 0
    for board in boards_in_play(12, (9, 9, 16)):
        truth = exact.solve(board).mine_probability
        found = solve(board, maximum=8, improvements=WAYS[-1])
        assert all(truth[cell] == 0 for cell in found.safe)
        assert all(truth[cell] == 1 for cell in found.mines)
        certain += len(found.safe)
    assert certain > 50


def test_the_variants_think_the_same() -> None:
    """Backtracking and the cache change what it costs, look-ahead what is guessed."""
    for board in boards_in_play(3):
        published = solve(board)
        for name, variant in VARIANTS.items():
            found = variant(board, Limit())
            np.testing.assert_array_equal(found.mine_probability, published.mine_probability)
            if name in ("local-backtracking", "local-cache"):
                assert found.best == published.best


def test_lookahead_takes_the_higher_risk_that_settles_the_edge() -> None:
    """Against the true chance to win, found by trying everything: 1/3 and 1/2."""
    board = Board.parse("####1/#433#/##1##/22211/1#1..", 7)
    published, ahead = solve(board), VARIANTS["local-lookahead"](board, Limit())
    assert published.best is not None
    assert ahead.best is not None
    assert published.mine_probability[published.best] == pytest.approx(1 / 3)
    assert ahead.mine_probability[ahead.best] == pytest.approx(1 / 2)
    assert "the best with the next move" in ahead.reason
    assert chance_to_win(board, published.best) == pytest.approx(1 / 3)
    assert chance_to_win(board, ahead.best) == pytest.approx(1 / 2)


def chance_to_win(board: Board, first: Cell) -> float:
    """Of opening a cell first, then playing as well as can be, one tile at a time."""
    covered = [cell for cell in board.cells() if board.unopened[cell]]
    tried = enumeration.subsets(covered)
    solutions = [mines for mines in tried if enumeration.satisfactory(board, mines)]

    @cache
    def won(left: frozenset[int], opened: frozenset[Cell]) -> int:
        if len(opened) == len(covered) - len(solutions[0]):
            return len(left)
        return max(won_by(left, opened, cell) for cell in covered if cell not in opened)

    def won_by(left: frozenset[int], opened: frozenset[Cell], cell: Cell) -> int:
        shown: dict[int, set[int]] = {}
        for number in left:
            if cell not in solutions[number]:
                hint = sum(
                    abs(cell.row - mine.row) <= 1 and abs(cell.col - mine.col) <= 1
                    for mine in solutions[number]
                )
                shown.setdefault(hint, set()).add(number)
        return sum(won(frozenset(part), opened | {cell}) for part in shown.values())

    return won_by(frozenset(range(len(solutions))), frozenset(), first) / len(solutions)


def test_the_value_of_a_guess() -> None:
    """One mine in two squares: either settles the edge. In three: only what touches the others."""
    system = system_of(Board.parse("#1##", 2))
    edge = Listed((0, 2), [0b01, 0b10])
    assert value(system, {0, 2, 3}, edge, 0, 0.3, free()) == pytest.approx(0.5)
    assert value(system, {0, 2, 3}, edge, 2, 0.3, free()) == pytest.approx(0.5)
    three = Listed((0, 2, 3), [0b001, 0b010, 0b100])
    # Opening 0, which touches none of them, leaves 2 and 3 even; opening 2 or 3 tells them apart.
    assert value(system, set(), three, 0, 0.3, free()) == pytest.approx(2 / 3 * 1 / 2)
    assert value(system, set(), three, 2, 0.3, free()) == pytest.approx(2 / 3)


@pytest.mark.parametrize("board", ["1#2#/....", "#####/11221", "2#1#2/#####/2#0#2"])
def test_impossible_boards(board: str) -> None:
    """Named by their hints, and never flagged and opened all over."""
    for variant in VARIANTS.values():
        with pytest.raises(InconsistentBoard):
            variant(Board.parse(board, 4), Limit())


def test_an_edge_without_a_possibility_names_its_hints() -> None:
    """No single hint is wrong, but all together are."""
    with pytest.raises(
        InconsistentBoard, match="cannot all be true: the 1 at row 2, column 1"
    ) as error:
        solve(Board.parse("#####/11221", 3))
    assert error.value.hints == tuple(Cell(1, col) for col in range(5))


def test_more_mines_than_the_board_has() -> None:
    """They are noticed where they are certain."""
    with pytest.raises(InconsistentBoard, match="call for more mines than 1"):
        solve(Board.parse("#1..1#/11..11", 1))


def test_a_spent_limit_proves_less_and_lies_never() -> None:
    """The look-ahead is left out as well."""
    work = Work(Limit(nodes=0))
    with pytest.raises(OutOfBudget):
        possibilities(edges_of(EXAMPLE)[0], PUBLISHED, work)
    found = VARIANTS["local-improved"](EXAMPLE, Limit(nodes=0))
    assert not found.mines
    assert found.best is not None
    assert found.mine_probability[0, 4] == pytest.approx(10 / 75)


@pytest.mark.parametrize("name", VARIANTS)
def test_a_stop_is_heard(name: str) -> None:
    """On a large edge, in any of the searches."""
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(Cancelled):
        VARIANTS[name](EXAMPLE, Limit(cancel=cancel))


def test_a_maximum_below_a_hint_is_refused() -> None:
    """A hint with eight squares would be in no sub-edge."""
    with pytest.raises(ValueError, match="a maximum of 7 is too few"):
        solve(EXAMPLE, maximum=7)


def test_unread_tiles_are_refused() -> None:
    """As by all solvers."""
    with pytest.raises(ValueError, match="is unread"):
        solve(Board.parse("1~#", 1))


def test_it_plays_whole_games() -> None:
    """Every move is on a covered cell, and only guesses lose."""
    for seed in range(3):
        game = Game.of_level(BEGINNER, seed)
        game.open((0, 0))
        while not game.status.over:
            found = VARIANTS["local-improved"](game.board, Limit())
            assert found.best is not None
            risk = found.mine_probability[found.best]
            assert game.open(found.best)
            assert game.status.value != "lost" or risk > 0
