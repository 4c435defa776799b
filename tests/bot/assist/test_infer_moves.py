"""Moves distinguished from what they changed: every move of whole games, and the hard cases."""

from __future__ import annotations

import numpy as np
import pytest

from bot.assist.coach import infer_moves
from bot.board import COVERED, Board, Cell
from bot.frame import Status
from bot.game import BEGINNER, INTERMEDIATE, FirstClick, Game
from bot.planner import Action


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("level", [BEGINNER, INTERMEDIATE])
def test_every_move_of_a_random_game_is_inferred(level: object, seed: int) -> None:
    """One move between two looks: its kind, and its cell among those that may have been clicked."""
    game = Game.of_level(level, seed, FirstClick.ZERO)  # type: ignore[arg-type]
    rng = np.random.default_rng(seed)
    reported = 0
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
        reported += 1
    assert reported > 1


@pytest.mark.parametrize(
    ("before", "after", "over", "moves"),
    [
        # What no region explains was clicked by itself.
        (
            "#######/#######",
            ".1###1./.1#3#1.",
            False,
            [
                (Action.OPEN, ((0, 0), (1, 0))),
                (Action.OPEN, ((0, 6), (1, 6))),
                (Action.OPEN, ((1, 3),)),
            ],
        ),
        # Three cells at once beside a hint whose flag was set.
        ("F##/#1#/###", "F22/212/222", False, [(Action.CHORD, ((1, 1),))]),
        # A region of its own, beside a hint that would have allowed a chord.
        ("F1##/11##/####", "F1../11../....", False, [(Action.OPEN, None)]),
        # A chord over a wrong flag.
        ("F##/#1#/###", "x!1/111/...", True, [(Action.CHORD, None)]),
        ("##F/###", "F##/###", False, [(Action.FLAG, ((0, 0),)), (Action.FLAG, ((0, 2),))]),
        # A mine that a lost game shows in place of a covered cell is no move.
        ("1##/###", "1!*/###", False, [(Action.OPEN, ((0, 1),))]),
        ("1#F/###", "1#F/###", False, []),
        # Programs flag the mines that are left when a game is won.
        ("1#/1#", "1F/11", True, [(Action.OPEN, ((1, 1),))]),
    ],
)
def test_moves_between_two_boards(
    before: str, after: str, over: bool, moves: list[tuple[Action, tuple[Cell, ...] | None]]
) -> None:
    """Their kinds, and the cells that may have been clicked."""
    made = infer_moves(Board.parse(before, 4), Board.parse(after, 4), over=over)
    assert [move.action for move in made] == [action for action, _ in moves]
    for move, (_, cells) in zip(made, moves, strict=True):
        assert cells is None or move.cells == cells
    if "!" in after:
        assert Cell(0, 1) in made[0].opened
