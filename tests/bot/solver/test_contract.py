"""What the registry promises of each solver, against the oracle on thousands of boards."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from bot.analysis import Analysis, Cancelled, Limit
from bot.board import EXPLODED, MINE, Board, InconsistentBoard
from bot.solver import SOLVERS, enumeration
from tests.bot.solver.seeded import answered, boards

BOARDS = 2_400
CHECKED = [info for info in SOLVERS.values() if info.name != "enumeration"]


def agreement(found: Analysis, oracle: Analysis, name: str, board: Board) -> None:
    """Everything that the flags promise of one answer on a board that can be."""
    info = SOLVERS[name]
    said, true = found.mine_probability, oracle.mine_probability
    covered = board.unopened
    where = f"{name} on\n{board}"
    assert np.array_equal(np.isnan(said), ~covered), where
    assert not ((said < 0) | (said > 1)).any(), where
    assert found.method == name
    assert found.reason
    if info.sound:
        assert set(found.safe) <= set(oracle.safe), where
        assert set(found.mines) <= set(oracle.mines), where
    if info.complete:
        assert (found.safe, found.mines) == (oracle.safe, oracle.mines), where
    if info.exact:
        assert found.exact, where
        assert found.solutions == oracle.solutions, where
    off = float(np.abs(said[covered] - true[covered]).max(initial=0.0))
    assert off <= (1e-12 if found.exact else found.error + 1e-12), where
    best_is_safest(found, where)


def best_is_safest(found: Analysis, where: str) -> None:
    """What is proved safe is opened before any guess; nothing is, if and only if all are mines."""
    mined = found.mine_probability[~np.isnan(found.mine_probability)]
    assert (found.best is None) == bool((mined == 1).all()), where
    if found.best is not None:
        assert found.mine_probability[found.best] < 1, where
        assert (found.mine_probability[found.best] == 0) == bool(found.safe), where


@pytest.mark.parametrize("name", [info.name for info in CHECKED])
def test_what_the_flags_promise(name: str) -> None:
    """Sound: never wrong. Complete: no certain cell missed. Exact: within 1e-12.

    An impossible board is refused by every complete solver. No other settles all of one, but
    where its mines are right for every hint, and only their number is wrong.
    """
    info = SOLVERS[name]
    for board, oracle in answered(BOARDS):
        try:
            found = info.solve(board, Limit())
        except InconsistentBoard:
            assert oracle is None, f"{name} refuses\n{board}"
            continue
        if oracle is not None:
            agreement(found, oracle, name, board)
            continue
        assert not info.complete, f"{name} answers\n{board}"
        if info.sound and len(found.safe) + len(found.mines) == np.count_nonzero(board.unopened):
            shown = np.count_nonzero(np.isin(board.tiles, (MINE, EXPLODED)))
            other = Board(board.tiles, int(shown) + len(found.mines))
            assert enumeration.satisfactory(other, frozenset(found.mines)), f"{name} on\n{board}"


def test_the_boards_are_of_all_kinds() -> None:
    """Certain cells, guesses, impossible boards, mines that show, floating cells: many of each."""
    answers = list(answered(BOARDS))
    impossible = [board for board, oracle in answers if oracle is None]
    possible = [oracle for _, oracle in answers if oracle is not None]
    assert len(possible) >= 1_600
    assert len(impossible) >= 500
    assert sum(bool(oracle.safe) for oracle in possible) >= 600
    assert sum(bool(oracle.mines) for oracle in possible) >= 600
    assert sum(0 < np.nanmin(o.mine_probability) < 1 for o in possible if o.best) >= 200
    assert sum(bool((b.tiles == MINE).any()) for b in boards(BOARDS)) >= 300


@pytest.mark.parametrize("name", SOLVERS)
def test_mines_that_show(name: str) -> None:
    """They count, and are nothing to open; so it is with a mine that went off."""
    board = Board.parse("*3#/x!#", 3)
    assert (board.tiles == EXPLODED).any()
    found = SOLVERS[name].solve(board, Limit())
    assert np.array_equal(np.isnan(found.mine_probability), ~board.unopened)


@pytest.mark.parametrize("name", SOLVERS)
@pytest.mark.parametrize(("text", "mines"), [("..", 0), ("*1", 1), ("##", 2), ("##", 0), ("#", 1)])
def test_finished_boards(name: str, text: str, mines: int) -> None:
    """No covered cell, only mines, only safe cells: no solver stumbles."""
    found = SOLVERS[name].solve(Board.parse(text, mines), Limit())
    nothing_to_open = mines > 0 or "#" not in text
    assert (found.best is None) == nothing_to_open or not SOLVERS[name].complete
    assert not (found.safe if mines else found.mines)


@pytest.mark.parametrize("name", SOLVERS)
def test_a_fresh_board_is_answered(name: str) -> None:
    """480 covered cells and no hint: nobody hangs, nobody proves anything."""
    found = SOLVERS[name].solve(Board.covered(16, 30, 99), Limit(nodes=100_000))
    assert found.best is not None
    assert not found.safe
    assert not found.mines


@pytest.mark.parametrize("name", SOLVERS)
def test_an_unread_tile_is_refused(name: str) -> None:
    """Nothing is guessed about a tile that the eye could not read."""
    with pytest.raises(ValueError, match="row 1, column 2 is unread"):
        SOLVERS[name].solve(Board.parse("###/##~", 1), Limit())


@pytest.mark.parametrize("name", SOLVERS)
def test_a_stop_is_heard(name: str) -> None:
    """A user who stops gets no answer."""
    stop = threading.Event()
    stop.set()
    board = Board.parse("###1#/#22##/1#2##/#####", 7)
    with pytest.raises(Cancelled):
        SOLVERS[name].solve(board, Limit(cancel=stop))


@pytest.mark.parametrize("name", SOLVERS)
@pytest.mark.parametrize("nodes", [0, 1, 5, 50])
def test_beyond_its_limit_it_stays_sound(name: str, nodes: int) -> None:
    """What it calls certain is certain, and its error is no smaller than the true one."""
    info = SOLVERS[name]
    for board, oracle in answered(150, seed=7):
        if oracle is None:
            continue
        found = info.solve(board, Limit(nodes=nodes))
        covered = board.unopened
        if info.sound:
            assert set(found.safe) <= set(oracle.safe)
            assert set(found.mines) <= set(oracle.mines)
        off = np.abs(found.mine_probability[covered] - oracle.mine_probability[covered])
        assert off.max(initial=0.0) <= found.error + 1e-12, f"{name} on\n{board}"
