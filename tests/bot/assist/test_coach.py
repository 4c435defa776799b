"""The coach: what a move was worth, what could have been seen, and the lessons of a game."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from bot.analysis import Analysis, Limit
from bot.assist.coach import GameReview, MoveKind, Verdict, judge_moves, review_game
from bot.assist.patterns import COUNTING, ONE_HINT, TOGETHER, Pattern, find_easiest
from bot.board import Board, Cell
from bot.frame import Status
from bot.game import BEGINNER, FirstClick, Game
from bot.planner import Action, Move
from bot.solver import exact


def solve(board: Board) -> Analysis:
    """Exact."""
    return exact.solve(board, Limit())


def verdicts(before: str, after: str, mines: int, *, over: bool = False) -> list[Verdict]:
    """Judge the moves between two boards."""
    board = Board.parse(before, mines)
    later = Board.parse(after, mines)
    return list(judge_moves(board, solve(board), later, solve, over=over))


def pattern(board: str, mines: int) -> Pattern:
    """By what the easiest safe cell of a board is found."""
    parsed = Board.parse(board, mines)
    found = find_easiest(parsed, solve(parsed).safe)
    assert found is not None
    return found.pattern


# What could have been seen


@pytest.mark.parametrize(
    ("board", "mines", "expected"),
    [
        ("#1#/12#/.1#", 2, Pattern(ONE_HINT)),
        (".1##/.1##/.1##", 1, Pattern("a 1-1", edge=True)),
        ("###/121/...", 2, Pattern("a 1-2", edge=True)),
        # A 2 and a 3 that have one known mine each.
        ("###/232/1#1", 3, Pattern("a 1-2", edge=True)),
        ("#1###", 1, Pattern(COUNTING)),
        ("#####/#222#/#2.2#/#222#/#####", 8, Pattern(TOGETHER)),
    ],
)
def test_patterns_have_the_names_that_players_use(
    board: str, mines: int, expected: Pattern
) -> None:
    """By what the hints still need without known mines; the last two are beyond any two hints."""
    assert pattern(board, mines) == expected


# Verdicts


def test_missed_proof_names_the_cell_and_the_pattern() -> None:
    """The sentence names the risk, the cell and what shows it."""
    (verdict,) = verdicts("1##/1##/###/###", "1##/1##/##1/###", 3)
    assert verdict.kind is MoveKind.MISSED
    assert verdict.better == Cell(2, 0) or verdict.better == Cell(2, 1)
    assert verdict.move.risk > 0
    assert re.fullmatch(
        r"That was a guess with a risk of \d+%; "
        r"row 3, column [12] was proved safe: a 1-1 along the edge\.",
        str(verdict),
    )


def test_a_needed_guess_is_no_mistake() -> None:
    """A 50/50 is what it is."""
    (verdict,) = verdicts("1#/1#", "11/1#", 1)
    assert verdict.kind is MoveKind.NEEDED
    assert (
        str(verdict)
        == "A guess with a risk of 50%: no cell was proved safe, and none had a lower risk."
    )


def test_more_risk_than_there_had_to_be() -> None:
    """Beside a 2 with three cells, where elsewhere one in nine is a mine."""
    before = "2####/#####/#####/#####/#####"
    (verdict,) = verdicts(before, "22###/#####/#####/#####/#####", 4)
    assert verdict.kind is MoveKind.RISKIER
    assert verdict.move.risk == pytest.approx(2 / 3)
    assert verdict.least == pytest.approx(2 / 21)
    assert verdict.better is not None
    assert "guess with a risk of 67%" in str(verdict)


def test_hints_opened_in_between_count_as_known() -> None:
    """Two cells between two looks: the first one proved the second."""
    before = Board.parse("1###/1###/####", 3)
    assert solve(before).mine_probability[0, 1] > 0
    reported = verdicts("1###/1###/####", "11##/1###/1###", 3)
    assert [one.kind for one in reported] == [MoveKind.SAFE] * 2


def test_pointer_decides_which_zero_of_a_region_was_clicked() -> None:
    """Proved safe are row 3, columns 1 and 2; without a pointer the click may have been there."""
    before = Board.parse("1####/1####/#####/#####/#####", 2)
    after = Board.parse("1####/11111/...../...../.....", 2)

    def judged(pointed: Cell | None) -> Verdict:
        (verdict,) = judge_moves(before, solve(before), after, solve, pointed=pointed)
        return verdict

    guessed, proved = judged(Cell(4, 4)), judged(Cell(2, 0))
    assert (guessed.kind, guessed.move.cell) == (MoveKind.MISSED, Cell(4, 4))
    assert (proved.kind, proved.move.cell) == (MoveKind.SAFE, Cell(2, 0))
    # The border of a region was not clicked: the pointer has moved on.
    for unknown in (None, Cell(1, 3), Cell(0, 4)):
        assert judged(unknown).kind is MoveKind.UNCLEAR


def test_a_flag_on_a_safe_cell() -> None:
    """A flag on a proved safe cell is reported with its place; no other flag is."""
    (verdict,) = verdicts("1##/1##/###/###", "1##/1##/F##/###", 3)
    assert verdict.kind is MoveKind.WRONG_FLAG
    assert "row 3, column 1" in str(verdict)
    (verdict,) = verdicts("1##/1##/###/###", "1F#/1##/###/###", 3)
    assert (verdict.kind, str(verdict)) == (MoveKind.FLAG, "")
    (verdict,) = verdicts("1##/1##/F##/###", "1##/1##/###/###", 3)
    assert verdict.kind is MoveKind.FLAG


def test_a_chord_risks_what_its_worst_cell_does() -> None:
    """A flag that was a guess makes the chord one."""
    (verdict,) = verdicts("F###/#1##/####", "F12#/113#/.12#", 4)
    assert verdict.move.action is Action.CHORD
    assert verdict.move.risk == pytest.approx(1 / 8)


@pytest.mark.parametrize("seed", range(4))
def test_moves_of_the_solver_are_no_mistakes(seed: int) -> None:
    """No guess while a cell is proved, none riskier than another: the coach agrees."""
    game = Game.of_level(BEGINNER, seed, FirstClick.ZERO)
    reported: list[Verdict] = []
    while not game.status.over:
        board, analysis = game.board, solve(game.board)
        assert analysis.best is not None
        game.open(analysis.best)
        reported += judge_moves(
            board, analysis, game.board, solve, over=game.status.over, pointed=analysis.best
        )
    assert {one.kind for one in reported} <= {MoveKind.FIRST, MoveKind.SAFE, MoveKind.NEEDED}
    assert review_game(reported, game.status).points == (
        "No proved cell was missed, and no guess was riskier than it had to be.",
    )


# Lessons


def missed(pattern: Pattern, *, died: bool = False) -> Verdict:
    """Return a guess that missed such a pattern."""
    move = Move(Action.OPEN, Cell(1, 1), 0.21)
    return Verdict(move, MoveKind.MISSED, 0.0, Cell(0, 0), pattern, died=died)


def test_lessons_are_counted_by_pattern() -> None:
    """The most frequent first, with how often."""
    reported = [missed(Pattern("a 1-2", edge=True))] * 4 + [missed(Pattern("a 1-1"))]
    reported += [Verdict(Move(Action.OPEN, Cell(0, 0), 0.3), MoveKind.RISKIER, 0.1, Cell(2, 2))] * 2
    found = review_game(
        [*reported, Verdict(Move(Action.OPEN, Cell(0, 0)), MoveKind.SAFE)], Status.WON
    )
    assert found == GameReview(
        "Won.",
        "8 moves, 7 guesses: 0 needed, 5 while a cell was proved safe, 2 riskier than another",
        (
            "You missed a 1-2 along the edge, 4 times.",
            "You took more risk than you had to, twice: by 20 points on average.",
            "You missed a 1-1, once.",
        ),
    )


def test_how_a_game_was_lost() -> None:
    """By bad luck, or not."""
    guess = Move(Action.OPEN, Cell(0, 0), 0.5)
    luck = review_game([Verdict(guess, MoveKind.NEEDED, 0.5, died=True)], Status.LOST)
    assert (
        luck.headline == "Lost on a guess with a risk of 50% that could not be avoided: bad luck."
    )
    needless = review_game([missed(Pattern("a 1-1"), died=True)], Status.LOST)
    assert needless.headline == "Lost on an unnecessary guess with a risk of 21%."
    certain = missed(Pattern("a 1-1"), died=True)
    certain = replace(certain, move=replace(certain.move, risk=1.0))
    assert review_game([certain], Status.LOST).headline == "Lost by opening a proved mine."
    assert str(certain).startswith("A mine. That was proved to be a mine; ")
    assert review_game([], Status.PLAYING).headline == "Not finished."
