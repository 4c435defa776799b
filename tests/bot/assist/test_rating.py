"""The rating of a move, against end games whose values are known and boards one can see through."""

from __future__ import annotations

from typing import Any

import pytest

from bot.assist.rating import WinningChance, rate_move, winning_chance
from bot.board import COVERED, UNOPENED, Board, Cell, InconsistentBoard
from bot.planner import Action, Move
from tests.bot.solver.boards import board_of, positions
from tests.support.sampling import sampled


@pytest.mark.parametrize(
    "position",
    sampled(positions("endgames.jsonl")[::9], 4),
    ids=lambda position: position["id"],
)
def test_end_games_are_rated_as_they_are_known_to_be_worth(position: Any) -> None:
    """Each first cell's wins were counted by a program that is not ours."""
    solutions = position["solutions"]
    board = board_of(position)
    for row, col, wins in position["wins_by_cell"][:3]:
        rating = rate_move(board, Cell(row, col))
        assert rating.exact
        assert rating.chance_with == pytest.approx(wins / solutions)
        assert rating.chance_before == pytest.approx(position["best_wins"] / solutions)


@pytest.mark.parametrize(
    ("text", "mines"),
    [
        ("####/11##/..##", 4),
        ("1##200/###200/###111/######/####2#", 7),
    ],
)
def test_a_guess_beside_a_proved_cell_is_needless_and_costs_its_risk(text: str, mines: int) -> None:
    """Whoever survives it wins what was won without it: what it showed was free."""
    board = Board.parse(text, mines)
    ratings = {cell: rate_move(board, cell) for cell in board.cells(COVERED)}
    proved = {cell for cell, rating in ratings.items() if rating.risk == 0.0}
    assert proved
    assert proved < ratings.keys()
    for cell, rating in ratings.items():
        assert set(rating.safe_cells) == proved
        assert rating.needless == (cell not in proved)
        assert rating.least_risk == 0.0
        if not rating.needless:
            continue
        assert rating.exact
        assert rating.lost is not None
        assert rating.chance_with is not None
        assert rating.lost <= rating.risk + 1e-9
        assert rating.chance_with <= 1 - rating.risk + 1e-9


def test_mid_game_is_estimated() -> None:
    """The move that the player would make is worth at least any other; a mine is worth nothing."""
    board = board_of(
        next(one for one in positions("positions.jsonl") if one["id"].startswith("expert"))
    )
    ratings = [rate_move(board, cell) for cell in list(board.cells(*UNOPENED))[::7]]
    assert not any(rating.exact for rating in ratings)
    assert ratings[0].best_cell is not None
    best = rate_move(board, ratings[0].best_cell)
    assert best.lost == 0.0
    for rating in ratings:
        assert 0.0 <= (rating.chance_with or 0.0) <= (rating.chance_before or 0.0) <= 1.0
        if rating.risk == 1.0:
            assert rating.chance_with == 0.0
        if rating.best_cell == best.best_cell:
            assert rating.chance_before == best.chance_before


def test_first_clicks_and_flags_cost_nothing() -> None:
    """Most programs keep the first click safe; its risk is still that of a fresh board."""
    rating = rate_move(Board.covered(16, 30, 99), Cell(0, 0))
    assert (rating.opening, rating.lost) == (True, 0.0)
    assert rating.risk == pytest.approx(99 / 480)
    rating = rate_move(Board.parse("1#\n1#", 1), Move(Action.FLAG, Cell(0, 1)))
    assert (rating.risk, rating.chance_before, rating.chance_with) == (0.0, 0.5, 0.5)


@pytest.mark.parametrize(
    ("text", "mines", "risk", "chances"),
    [
        ("F1.\n11.\n...", 1, 0.0, (1.0, 1.0)),
        ("F#\n11", 1, 0.5, (0.5, 0.5)),
        ("##\n11", 1, 0.0, (0.5, 0.5)),
        ("F#1\n111", 1, 1.0, (1.0, 0.0)),
    ],
    ids=["proved flag", "one of two", "too few flags", "wrong flag"],
)
def test_a_chord_is_as_safe_as_its_flags(
    text: str, mines: int, risk: float, chances: tuple[float, float]
) -> None:
    """Around the 1 in the lower left corner."""
    rating = rate_move(Board.parse(text, mines), Move(Action.CHORD, Cell(1, 0)))
    assert rating.risk == risk
    assert (rating.chance_before, rating.chance_with) == chances


def test_an_assumed_number_of_mines_proves_no_flag_wrong() -> None:
    """With 2 mines the flag is right; on the other board it is wrong with any number."""
    board = Board.parse("F1#1#\nmines: 1, assumed")
    rating = rate_move(board, Move(Action.CHORD, Cell(0, 1)))
    assert 0.99 < rating.risk < 1.0
    assert rating.chance_with is None
    board = Board.parse("F#1\n111\nmines: 1, assumed")
    assert rate_move(board, Move(Action.CHORD, Cell(1, 0))).risk == 1.0


def test_chances_after_the_end() -> None:
    """An exploded mine is a loss; a board on which only mines are covered is won."""
    assert winning_chance(Board.parse("1!\n1#", 1)) == WinningChance(0.0, exact=True, best=None)
    assert winning_chance(Board.parse("1#\n11", 1)) == WinningChance(1.0, exact=True, best=None)
    assert winning_chance(Board.parse("1#\n1#", 1)).value == 0.5


@pytest.mark.parametrize(
    ("text", "move", "error"),
    [
        ("1#\n1#", Cell(0, 0), ValueError),
        ("1#\n1#", Cell(2, 0), ValueError),
        ("1#\n1~", Cell(0, 1), ValueError),
        ("1#\n1#", Move(Action.RESTART), ValueError),
        ("2#\n1#", Cell(0, 1), InconsistentBoard),
    ],
)
def test_impossible_moves_are_not_rated(
    text: str, move: Move | Cell, error: type[Exception]
) -> None:
    """Open cells, cells off the board, unread tiles, new games, boards that cannot be."""
    with pytest.raises(error):
        rate_move(Board.parse(text, 1), move)
