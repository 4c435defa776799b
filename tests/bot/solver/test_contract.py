"""What the registry promises of each solver, against the oracle, on boards drawn at random.

A board that breaks a promise is made as small as it can be, and shown.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

from bot.analysis import Analysis, Limit
from bot.board import COVERED, EXPLODED, MINE, Board, InconsistentBoard
from bot.solver import SOLVERS
from bot.solver.explain import count_solutions, explain
from bot.solver.published import enumeration
from tests.bot.solver.boards import any_boards, at_odds, oracle, possible_boards

CHECKED = [info.name for info in SOLVERS.values() if info.name != "enumeration"]
BOARDS = 400


def promised(board: Board) -> None:
    """Sound: never wrong. Complete: no certain cell missed. Exact: within 1e-12.

    An impossible board is refused by every complete solver. No other settles all of one, but
    where its mines are right for every hint, and only their number is wrong. Whoever refuses
    names hints that are at odds indeed, or none where the number of mines is wrong.
    """
    true = oracle(board)
    for name in CHECKED:
        note(name)
        found = answer(name, board)
        if isinstance(found, InconsistentBoard):
            assert true is None
            assert not found.hints or at_odds(board, found.hints)
        elif true is not None:
            agreement(found, true, name, board)
        else:
            assert not SOLVERS[name].complete
            if len(found.safe) + len(found.mines) == np.count_nonzero(board.unopened):
                shown = np.count_nonzero(np.isin(board.tiles, (MINE, EXPLODED)))
                other = Board(board.tiles, int(shown) + len(found.mines))
                assert enumeration.satisfactory(other, frozenset(found.mines))


test_what_the_flags_promise = settings(max_examples=100)(given(any_boards())(promised))
test_what_they_promise_of_more_boards = pytest.mark.slow(
    settings(max_examples=BOARDS)(given(any_boards())(promised))
)


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(board=possible_boards(), nodes=st.integers(0, 60))
def test_beyond_its_limit_it_stays_sound(board: Board, nodes: int) -> None:
    """What a solver calls certain is certain, and its error is no smaller than the true one."""
    true = oracle(board)
    assert true is not None
    for name in CHECKED:
        note(name)
        info = SOLVERS[name]
        found = info.solve(board, Limit(nodes=nodes))
        if info.sound:
            assert set(found.safe) <= set(true.safe)
            assert set(found.mines) <= set(true.mines)
        within_its_error(found, true, board)


@settings(max_examples=30, deadline=None)
@given(board=possible_boards())
def test_flags_change_no_analysis(board: Board) -> None:
    """Flags and question marks, right or wrong, change nothing."""
    plain = Board(np.where(board.unopened, np.int8(COVERED), board.tiles), board.mines)
    for name in SOLVERS:
        note(name)
        found, bare = (SOLVERS[name].solve(one, Limit()) for one in (board, plain))
        assert np.array_equal(found.mine_probability, bare.mine_probability, equal_nan=True)
        assert found.best == bare.best
        assert explain(board, found).reason == explain(plain, bare).reason


def answer(name: str, board: Board) -> Analysis | InconsistentBoard:
    """What a solver says, or its refusal."""
    try:
        return SOLVERS[name].solve(board, Limit())
    except InconsistentBoard as impossible:
        return impossible


def agreement(found: Analysis, true: Analysis, name: str, board: Board) -> None:
    """Everything that the flags promise of one answer on a board that can be."""
    info = SOLVERS[name]
    said = found.mine_probability
    assert np.array_equal(np.isnan(said), ~board.unopened)
    assert not ((said < 0) | (said > 1)).any()
    assert found.method == name
    assert explain(board, found).reason
    if info.sound:
        assert set(found.safe) <= set(true.safe)
        assert set(found.mines) <= set(true.mines)
    if info.complete:
        assert (found.safe, found.mines) == (true.safe, true.mines)
    if info.exact:
        assert found.exact
        assert count_solutions(board, found) == true.solutions
    within_its_error(found, true, board)
    proofs_come_first(found)


def within_its_error(found: Analysis, true: Analysis, board: Board) -> None:
    """No probability is off by more than what the solver says itself."""
    off = np.abs(found.mine_probability - true.mine_probability)[board.unopened]
    assert off.max(initial=0.0) <= (0 if found.exact else found.error) + 1e-12


def proofs_come_first(found: Analysis) -> None:
    """A proved safe cell is opened before any guess. No cell is opened only if all are mines."""
    mined = found.mine_probability[~np.isnan(found.mine_probability)]
    assert (found.best is None) == bool((mined == 1).all())
    if found.best is not None:
        assert found.mine_probability[found.best] < 1
        assert (found.mine_probability[found.best] == 0) == bool(found.safe)


@pytest.mark.slow
def test_the_boards_are_of_all_kinds() -> None:
    """Certain cells, guesses, impossible boards, mines that show, wrong flags: many of each."""
    drawn: set[Board] = set()

    @settings(max_examples=BOARDS, deadline=None, derandomize=True)
    @given(any_boards())
    def draw(board: Board) -> None:
        drawn.add(board)

    draw()
    possible = [found for board in drawn if (found := oracle(board)) is not None]
    assert len(possible) >= 80
    assert len(drawn) - len(possible) >= 60
    assert sum(bool(found.safe) for found in possible) >= 60
    assert sum(bool(found.mines) for found in possible) >= 40
    assert sum(found.best is not None and not found.safe for found in possible) >= 15
    assert sum(bool((board.tiles == MINE).any()) for board in drawn) >= 40
    assert sum(np.count_nonzero(board.unopened) >= 6 for board in drawn) >= 60
