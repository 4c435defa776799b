"""Moves told from what they changed: every move of whole games, and the hard cases."""

from __future__ import annotations

import numpy as np
import pytest

from bot.assist.coach import ObservedMove, infer_moves
from bot.board import COVERED, Board, Cell
from bot.frame import Status
from bot.game import BEGINNER, INTERMEDIATE, FirstClick, Game
from bot.planner import Action


def between(before: str, after: str) -> list[tuple[Action, tuple[Cell, ...]]]:
    """Return the moves between two boards, without what they opened."""
    made = infer_moves(Board.parse(before, 4), Board.parse(after, 4))
    return [(move.action, move.cells) for move in made]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("level", [BEGINNER, INTERMEDIATE])
def test_every_move_of_a_random_game_is_told(level: object, seed: int) -> None:
    """One move between two looks: its kind, and its cell among those that may have been clicked."""
    game = Game.of_level(level, seed, FirstClick.ZERO)  # type: ignore[arg-type]
    rng = np.random.default_rng(seed)
    told = 0
    while not game.status.over:
        before = game.board
        covered = [*before.cells(COVERED)]
        if not covered:
            break
        cell = covered[rng.integers(len(covered))]
        mine = game.layout is not None and bool(game.layout[cell])
        # A player who guesses well but not always.
        flags = mine and rng.random() < 0.9
        opened = game.flag(cell) if flags else game.open(cell)
        (made,) = infer_moves(before, game.board, over=game.status.over)
        assert made.action is (Action.FLAG if flags else Action.OPEN)
        assert cell in made.cells
        if game.status is Status.PLAYING and not flags:
            assert set(made.opened) == set(opened)
        told += 1
    assert told > 1


def test_any_zero_of_a_region_may_have_been_clicked() -> None:
    """Its border was not: a click there would have opened nothing else."""
    after = "..1#/..1#/111#/####"
    cells = tuple(Cell(row, col) for row in (0, 1) for col in (0, 1))
    made = infer_moves(Board.covered(4, 4, 9), Board.parse(after, 9))
    assert made == (ObservedMove(Action.OPEN, cells, tuple(Board.parse(after, 9).cells(0, 1))),)


def test_two_regions_and_a_hint_are_three_moves() -> None:
    """What no region explains was clicked by itself."""
    moves = between("#######/#######", ".1###1./.1#3#1.")
    assert moves == [
        (Action.OPEN, (Cell(0, 0), Cell(1, 0))),
        (Action.OPEN, (Cell(0, 6), Cell(1, 6))),
        (Action.OPEN, (Cell(1, 3),)),
    ]


def test_a_chord_opens_what_is_left_around_a_hint() -> None:
    """Three cells at once beside a hint whose flag was set: nobody clicked them one by one."""
    assert between("F##/#1#/###", "F22/212/222") == [(Action.CHORD, (Cell(1, 1),))]


def test_what_one_click_explains_is_no_chord() -> None:
    """A region of its own, beside a hint that would have allowed a chord."""
    assert between("F1##/11##/####", "F1../11../....")[0][0] is Action.OPEN


def test_a_chord_over_a_wrong_flag_explodes() -> None:
    """What exploded was opened by it; what the end shows besides was not."""
    made = infer_moves(Board.parse("F##/#1#/###", 1), Board.parse("x!1/111/...", 1), over=True)
    assert [move.action for move in made] == [Action.CHORD]
    assert Cell(0, 1) in made[0].opened


def test_flags_come_and_go() -> None:
    """Both are flag moves; a mine that a lost game shows in place of a covered cell is none."""
    assert between("##F/###", "F##/###") == [
        (Action.FLAG, (Cell(0, 0),)),
        (Action.FLAG, (Cell(0, 2),)),
    ]
    assert between("1##/###", "1!*/###") == [(Action.OPEN, (Cell(0, 1),))]


def test_nothing_changed() -> None:
    """No move."""
    assert between("1#F/###", "1#F/###") == []


def test_the_flags_of_a_game_that_is_won_are_nobodys() -> None:
    """Programs flag the mines that are left when a game is won."""
    before, after = Board.parse("1#/1#", 1), Board.parse("1F/11", 1)
    (made,) = infer_moves(before, after, over=True)
    assert made == ObservedMove(Action.OPEN, (Cell(1, 1),), (Cell(1, 1),))
