"""The human-like player: the source's examples, each strategy alone, and whole games."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, product

import pytest

from bot.analysis import Limit
from bot.board import Board, Cell
from bot.frame import Status
from bot.game import LEVELS, FirstClick, Game
from bot.solver.published import deduction
from bot.solver.published.deduction import Cells, human_solve, solve

TWO_ONE = Board.parse("####/x21x/xxxx", 2)
"""The sources' example for two numbers: the 1 is p1, the 2 is p2; the tiles x say nothing."""
P1, P2 = Cell(1, 2), Cell(1, 1)


def pairs() -> Iterator[tuple[int, Cells, int, Cells]]:
    """Two points with up to three cells each of their own, and one to three in common."""
    for own1, shared, own2 in product(range(4), range(1, 4), range(4)):
        i = frozenset(range(shared))
        b1, b2 = i.union(range(10, 10 + own1)), i.union(range(20, 20 + own2))
        for m1, m2 in product(range(len(b1) + 1), range(len(b2) + 1)):
            yield m1, b1, m2, b2


def test_seven_strategies_are_all_that_two_points_tell() -> None:
    """Over all ways to lay the mines: none is ever wrong, and together they miss nothing."""
    flag = deduction.Progress.flag_all
    for m1, b1, m2, b2 in pairs():
        layouts = [
            set(mines)
            for number in range(m1 + m2 + 1)
            for mines in combinations(sorted(b1 | b2), number)
            if len(b1.intersection(mines)) == m1 and len(b2.intersection(mines)) == m2
        ]
        if not layouts:
            assert deduction.i_min(m1, b1, m2, b2) > deduction.i_max(m1, b1, m2, b2)
            continue
        flagged = set().union(
            *(s(m1, b1, m2, b2) for _, s, act, _ in deduction.ON_TWO if act is flag),
            deduction.strategy_1(m1, b1),
            deduction.strategy_1(m2, b2),
        )
        revealed = set().union(
            *(s(m1, b1, m2, b2) for _, s, act, _ in deduction.ON_TWO if act is not flag),
            deduction.strategy_2(m1, b1),
            deduction.strategy_2(m2, b2),
        )
        assert flagged == set.intersection(*layouts)
        assert revealed == (b1 | b2) - set.union(*layouts)


def test_flags_are_no_marks() -> None:
    """A flag on the screen, right or wrong, counts as a blank cell; only a proof marks."""
    assert solve(Board.parse("F#F/x1x/xxx", 1)).mines == ()
    assert solve(Board.parse("F#F/x1x/xxx", 1), proved_mines=[(0, 1)]).safe == ((0, 0), (0, 2))


def test_the_reason_names_the_strategy_and_its_points() -> None:
    """And the panel lights up both of them."""
    found = solve(TWO_ONE)
    assert found.best == Cell(0, 3)
    assert found.reason == (
        "safe: strategy 6 on the 1 at row 2, column 3 and the 2 at row 2, column 2: "
        "all mines that the first still needs are in the shared cells"
    )
    assert found.evidence.hints == (P1, P2)
    assert found.evidence.cells == (Cell(0, 3),)
    found = solve(Board.parse("*1#", 1))
    assert found.reason == "safe: strategy 2 on the 1 at row 1, column 2: it has all its mines"
    assert found.evidence.hints == (Cell(0, 1),)


def test_undecided_cells_are_estimated() -> None:
    """The worst share among the hints around; floating cells share what is left. Never 0 or 1."""
    found = solve(Board.parse("2###/x###/1###", 4))
    assert found.mine_probability[0, 1] == 1.0
    found = solve(Board.parse("#1###/##2##/#####", 9))
    assert found.mine_probability[0, 0] == pytest.approx(1 / 4)
    assert found.mine_probability[1, 1] == pytest.approx(2 / 7)
    assert found.mine_probability[2, 0] == pytest.approx(9 / 13)
    crowded = solve(Board.parse("1#####/######", 1))
    assert 0 < crowded.mine_probability[1, 5] < 1
    assert not crowded.exact
    assert crowded.error < 1


def test_without_opening_it_goes_on_with_what_it_proved() -> None:
    """A mine that one hint marks lets another hint reveal, on the same board.

    A limit counts points: after one it says what that one proved, and no more.
    """
    board = Board.parse("#1x1##", 2)
    assert solve(board).mines == (Cell(0, 0), Cell(0, 4))
    assert len(solve(board, Limit(nodes=0)).mines) == 1
    assert len(solve(board, Limit(nodes=2)).mines) == 2
    found = solve(Board.parse("1#1#", 1))
    assert found.mines == (Cell(0, 1),)
    assert found.safe == (Cell(0, 3),)
    assert found.exact


@pytest.mark.parametrize("level", LEVELS)
def test_whole_games_are_played_without_a_guess(level: str) -> None:
    """No mine is opened, every mark is a mine, and no strategy is left with something to do."""
    for seed in range(6):
        game = Game.of_level(LEVELS[level], seed, FirstClick.ZERO)
        game.open((game.rows // 2, game.cols // 2))

        def open_cell(cell: Cell, game: Game = game) -> Iterable[tuple[Cell, int]]:
            changed = game.open(cell)
            assert game.status is not Status.LOST
            return [(one, game.board[one]) for one in changed]

        progress = human_solve(game.board, open_cell)
        layout = game.layout
        assert layout is not None
        assert layout.ravel()[sorted(progress.marks)].all()
        if game.status is Status.PLAYING:
            marks = [divmod(mark, game.cols) for mark in sorted(progress.marks)]
            assert human_solve(game.board, proved_mines=marks).fired == []
