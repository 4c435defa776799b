"""The human-like player: the source's examples, each strategy alone, and whole games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations, product

import numpy as np
import pytest

from bot.analysis import Limit
from bot.board import Board, Cell, InconsistentBoard
from bot.frame import Status
from bot.game import LEVELS, FirstClick, Game
from bot.solver.published import deduction, placements
from bot.solver.published.deduction import Cells, Progress, human_solve, solve
from tests.bot.solver.seeded import answered, blamed, contradict

RING = "#####/#222#/#202#/#222#/#####"
"""What is missing from human-like solving: the sources' example, a 5x5 board."""
TWO_ONE = Board.parse("####/x21x/xxxx", 2)
"""The sources' example for two numbers: the 1 is p1, the 2 is p2; the tiles x say nothing."""
P1, P2 = Cell(1, 2), Cell(1, 1)


def of(*cells: int) -> Cells:
    """A set of cells."""
    return frozenset(cells)


def fired(game: Progress) -> list[tuple[int, tuple[Cell, ...], set[Cell]]]:
    """Which strategies fired, on which points, and what they settled."""

    def cell(index: int) -> Cell:
        return Cell(*divmod(index, game.board.cols))

    return [(d.strategy, tuple(map(cell, d.points)), set(map(cell, d.cells))) for d in game.fired]


def test_three_with_one_flag_and_two_blanks() -> None:
    """The first example: m = 2 = |B|, so strategy 1 flags both."""
    board = Board.parse("##F/x3x/xxx", 3)
    game = human_solve(board, proved_mines=[(0, 2)])
    assert fired(game) == [(1, (Cell(1, 1),), {Cell(0, 0), Cell(0, 1)})]
    assert deduction.strategy_1(2, of(0, 1)) == of(0, 1)
    assert deduction.strategy_1(1, of(0, 1)) == of()


def test_no_more_flags_required() -> None:
    """The second strategy: m = 0, and everything around is revealed."""
    board = Board.parse("##F/x1x/xxx", 1)
    game = human_solve(board, proved_mines=[(0, 2)])
    assert fired(game) == [(2, (Cell(1, 1),), {Cell(0, 0), Cell(0, 1)})]
    assert deduction.strategy_2(0, of(0, 1)) == of(0, 1)
    assert deduction.strategy_2(1, of(0, 1)) == of()


def test_two_and_one() -> None:
    """With p1 the 1 and p2 the 2: strategy 4 flags above left, strategy 6 reveals above right."""
    m1, b1, m2, b2 = 1, of(1, 2, 3), 2, of(0, 1, 2)
    assert deduction.i_max(m1, b1, m2, b2) == 1
    assert deduction.i_min(m1, b1, m2, b2) == 1
    assert deduction.strategy_4(m1, b1, m2, b2) == of(0)
    assert deduction.strategy_6(m1, b1, m2, b2) == of(3)
    others = (deduction.strategy_3, deduction.strategy_5, deduction.strategy_7)
    assert [strategy(m1, b1, m2, b2) for strategy in others] == [of(), of(), of()]
    assert fired(human_solve(TWO_ONE)) == [
        (4, (P1, P2), {Cell(0, 0)}),
        (6, (P1, P2), {Cell(0, 3)}),
    ]


def test_two_and_one_the_other_way_round() -> None:
    """The symmetric strategies: with p1 the 2 and p2 the 1 it is strategies 3 and 7."""
    m1, b1, m2, b2 = 2, of(0, 1, 2), 1, of(1, 2, 3)
    assert deduction.strategy_3(m1, b1, m2, b2) == of(0)
    assert deduction.strategy_7(m1, b1, m2, b2) == of(3)


def test_the_cells_shared_must_all_be_mines() -> None:
    """Strategy 5: the 3 has room for one mine only outside what it shares with the other 3."""
    m1, b1, m2, b2 = 3, of(0, 1, 2), 3, of(1, 2, 3)
    assert deduction.i_min(m1, b1, m2, b2) == 2
    assert deduction.strategy_5(m1, b1, m2, b2) == of(1, 2)
    assert deduction.strategy_5(2, b1, 2, b2) == of()


def test_with_max_strategies_3_and_4_never_fire(monkeypatch: pytest.MonkeyPatch) -> None:
    """As both texts write i_max, not on their own example, and never anywhere."""

    def as_written(m1: int, b1: Cells, m2: int, b2: Cells) -> int:
        return max(m1, m2, len(b1 & b2))

    monkeypatch.setattr(deduction, "i_max", as_written)
    for m1, b1, m2, b2 in pairs():
        assert not deduction.strategy_3(m1, b1, m2, b2)
        assert not deduction.strategy_4(m1, b1, m2, b2)
    assert fired(human_solve(TWO_ONE)) == [(6, (P1, P2), {Cell(0, 3)})]


def pairs() -> Iterator[tuple[int, Cells, int, Cells]]:
    """Two points with up to three cells each of their own, and one to three in common."""
    for own1, shared, own2 in product(range(4), range(1, 4), range(4)):
        i = of(*range(shared))
        b1, b2 = i | of(*range(10, 10 + own1)), i | of(*range(20, 20 + own2))
        for m1, m2 in product(range(len(b1) + 1), range(len(b2) + 1)):
            yield m1, b1, m2, b2


def test_seven_strategies_are_all_that_two_points_tell() -> None:
    """Over all ways to lay the mines: none is ever wrong, and together they miss nothing."""
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
            *(s(m1, b1, m2, b2) for n, s, _ in deduction.ON_TWO if n <= 5),
            deduction.strategy_1(m1, b1),
            deduction.strategy_1(m2, b2),
        )
        revealed = set().union(
            *(s(m1, b1, m2, b2) for n, s, _ in deduction.ON_TWO if n >= 6),
            deduction.strategy_2(m1, b1),
            deduction.strategy_2(m2, b2),
        )
        assert flagged == set.intersection(*layouts)
        assert revealed == (b1 | b2) - set.union(*layouts)


def test_without_a_shared_cell_two_points_tell_no_more_than_one() -> None:
    """001: there 3 and 4 reduce to strategy 1, 5 does nothing; 6 and 7 do no more than 2.

    (It says that 6 and 7 reduce to 2. As i_min may be less than none, they miss some of it.)
    """
    b1, b2 = of(0, 1), of(2, 3, 4)
    for m1, m2 in product(range(3), range(4)):
        assert deduction.strategy_3(m1, b1, m2, b2) == deduction.strategy_1(m1, b1)
        assert deduction.strategy_4(m1, b1, m2, b2) == deduction.strategy_1(m2, b2)
        assert deduction.strategy_5(m1, b1, m2, b2) == of()
        assert deduction.strategy_6(m1, b1, m2, b2) <= deduction.strategy_2(m1, b1)
        assert deduction.strategy_7(m1, b1, m2, b2) <= deduction.strategy_2(m2, b2)
    assert deduction.strategy_6(0, b1, 2, b2) == of()
    assert deduction.strategy_6(0, b1, 3, b2) == b1


def test_the_ring_is_beyond_it() -> None:
    """No flag and no reveal, while the exhaustive search finds the one solution."""
    board = Board.parse(RING, 8)
    found = solve(board)
    assert human_solve(board).fired == []
    assert not found.safe
    assert not found.mines
    assert "nothing was proved safe" in found.reason
    complete = placements.solve_backtracking(board)
    assert complete.solutions == 1
    assert len(complete.safe) == 8
    assert Cell(0, 0) in complete.safe


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


def test_mines_alone_are_named_in_the_reason() -> None:
    """No cell is safe, but strategy 1 marked one."""
    found = solve(Board.parse("1##/x##/#1x/##x", 3))
    assert not found.safe
    found = solve(Board.parse("#1x###", 2))
    assert found.mines == (Cell(0, 0),)
    assert "mines were proved: strategy 1 on the 1 at row 1, column 2" in found.reason


def test_what_is_not_settled_is_estimated() -> None:
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


@pytest.mark.parametrize(
    ("text", "mines", "said", "hints"),
    [
        (
            "1#0",
            1,
            "the 1 at row 1, column 1 cannot be true with what the hints nearby prove",
            [(0, 0), (0, 2)],
        ),
        ("x1x/###/x2x", 2, "the 2 at row 3, column 2 and the 1 at row 1", [(2, 1), (0, 1)]),
        ("8#", 1, "the 8 at row 1, column 1 cannot be", [(0, 0)]),
        ("3#/##", 2, "the hints and 2 mines on the board contradict each other", []),
    ],
)
def test_contradictions_that_it_meets(
    text: str, mines: int, said: str, hints: list[tuple[int, int]]
) -> None:
    """Errors that name one hint, two, or the number of mines; the sources assume a true board."""
    with pytest.raises(InconsistentBoard, match=said) as caught:
        solve(Board.parse(text, mines))
    assert list(caught.value.hints) == hints


def test_the_hints_that_it_names_contradict_each_other() -> None:
    """Those that it met, and those that what it met rests on; nothing but them is needed."""
    named = 0
    for board, oracle in answered(400, seed=3):
        hints = () if oracle is not None else blamed(solve, board)
        assert not hints or contradict(board, hints)
        named += bool(hints)
    assert named > 20


def test_examples_with_all_their_numbers() -> None:
    """The same two positions as boards of a game: the 3 with its flag, the 2 beside the 1."""
    found = solve(Board.parse("##F/232/...", 3), proved_mines=[(0, 2)])
    assert found.mines == (Cell(0, 0), Cell(0, 1), Cell(0, 2))
    found = solve(Board.parse("####/1211/....", 2))
    assert found.mines == (Cell(0, 0), Cell(0, 2))
    assert found.safe == (Cell(0, 1), Cell(0, 3))


def opener(game: Game) -> deduction.Open:
    """Opens cells of a game, which must all be safe."""

    def open_cell(cell: Cell) -> Iterable[tuple[Cell, int]]:
        changed = game.open(cell)
        assert game.status is not Status.LOST
        board = game.board
        return [(cell, board[cell]) for cell in changed]

    return open_cell


def test_a_point_revealed_alone_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pseudocode wakes only the revealed points *beside* it, and stops too early here."""
    layout = np.array([[0, 0, 0, 0], [0, 0, 1, 0], [0, 0, 1, 0]], dtype=bool)
    ended = []
    for as_written in (False, True):
        if as_written:
            monkeypatch.setattr(deduction, "points_to_process", beside)
        game = Game.from_mines(layout)
        game.open((0, 0))
        human_solve(game.board, opener(game))
        ended.append((game.status, game.board.rows_text()))
    assert ended[0][0] is Status.WON
    assert ended[1] == (Status.PLAYING, ".11#\n.2##\n.2##")


def beside(game: Progress, just: set[int]) -> list[int]:
    """The source's line: all revealed points with a just revealed or flagged neighbour."""
    return sorted({q for cell in just for q in game.around(cell) if q in game.hints})


@pytest.mark.parametrize("level", LEVELS)
def test_whole_games_as_published(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It opens no mine, wins some, and looks at no point more than nine times."""
    looked: Counter[int] = Counter()
    apply_strategies = deduction.apply_strategies

    def counted(game: Progress, p: int) -> set[int]:
        looked[p] += 1
        return apply_strategies(game, p)

    monkeypatch.setattr(deduction, "apply_strategies", counted)
    for seed in range(12):
        looked.clear()
        game = Game.of_level(LEVELS[level], seed, FirstClick.ZERO)
        game.open((game.rows // 2, game.cols // 2))
        progress = human_solve(game.board, opener(game))
        assert max(looked.values()) <= 9
        layout = game.layout
        assert layout is not None
        assert layout.ravel()[sorted(progress.marks)].all()
        if game.status is Status.PLAYING:
            marks = [divmod(mark, game.cols) for mark in sorted(progress.marks)]
            again = human_solve(game.board, proved_mines=marks)
            assert again.fired == [], "it stopped while a strategy had something to do"


def test_beginner_games_are_won_by_it() -> None:
    """'Works pretty well': more than half of Beginner, from an opening, without one guess."""
    won = 0
    for seed in range(60):
        game = Game.of_level(LEVELS["beginner"], seed, FirstClick.ZERO)
        game.open((4, 4))
        human_solve(game.board, opener(game))
        won += game.status is Status.WON
    assert won > 30


def test_without_opening_it_goes_on_with_what_it_proved() -> None:
    """A mine that one hint marks lets another hint reveal, on the same board."""
    found = solve(Board.parse("#1x1##", 2))
    assert found.mines == (Cell(0, 0), Cell(0, 4))
    found = solve(Board.parse("1#1#", 1))
    assert found.mines == (Cell(0, 1),)
    assert found.safe == (Cell(0, 3),)
    assert found.exact


def test_its_limit_counts_points() -> None:
    """After one point it says what that one proved, and no more."""
    board = Board.parse("#1x1##", 2)
    assert len(solve(board, Limit(nodes=0)).mines) == 1
    assert len(solve(board, Limit(nodes=2)).mines) == 2
