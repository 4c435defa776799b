"""The coach: which moves were made, what they were worth, and the lessons of a game."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bot.assist.coach import (
    GameReview,
    MoveKind,
    Verdict,
    infer_moves,
    judge_moves,
    review_game,
)
from bot.assist.patterns import COUNTING, ONE_HINT, TOGETHER, Pattern, find_easiest
from bot.board import COVERED, Board, Cell
from bot.frame import Status
from bot.game import BEGINNER, INTERMEDIATE, FirstClick, Game, Level
from bot.planner import Action, Move
from bot.solver import exact


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("level", [BEGINNER, INTERMEDIATE])
def test_every_move_of_a_random_game_is_inferred(level: Level, seed: int) -> None:
    """One move between two looks: its kind, and its cell among those that may have been clicked."""
    game = Game.of_level(level, seed, FirstClick.ZERO)
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


def verdicts(before: str, after: str, mines: int, *, over: bool = False) -> list[Verdict]:
    """Judge the moves between two boards."""
    board = Board.parse(before, mines)
    later = Board.parse(after, mines)
    return list(judge_moves(board, exact.solve(board), later, exact.solve, over=over))


@pytest.mark.parametrize(
    ("text", "mines", "expected"),
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
def test_patterns_have_the_names_that_players_use(text: str, mines: int, expected: Pattern) -> None:
    """By what the hints still need without known mines; the last two are beyond any two hints."""
    board = Board.parse(text, mines)
    found = find_easiest(board, exact.solve(board).safe)
    assert found is not None
    assert found.pattern == expected


ROWS = "/#####" * 4


@pytest.mark.parametrize(
    ("before", "after", "mines", "kind", "said"),
    [
        (
            "1##/1##/###/###",
            "1##/1##/##1/###",
            3,
            MoveKind.MISSED,
            (
                "That was a guess with a risk of 33%; row 3, column 1 was proved safe: "
                "a 1-1 along the edge."
            ),
        ),
        # A 50/50 is what it is.
        (
            "1#/1#",
            "11/1#",
            1,
            MoveKind.NEEDED,
            "A guess with a risk of 50%: no cell was proved safe, and none had a lower risk.",
        ),
        # Beside a 2 with three cells, where elsewhere one in nine is a mine.
        (
            "2####" + ROWS,
            "22###" + ROWS,
            4,
            MoveKind.RISKIER,
            "That was a guess with a risk of 67%; row 1, column 3 had a risk of only 10%.",
        ),
        # A flag that was a guess makes the chord one: it risks what its worst cell does.
        (
            "F###/#1##/####",
            "F12#/113#/.12#",
            4,
            MoveKind.NEEDED,
            "A guess with a risk of 12%: no cell was proved safe, and none had a lower risk.",
        ),
        (
            "1##/1##/###/###",
            "1##/1##/F##/###",
            3,
            MoveKind.WRONG_FLAG,
            "The flag at row 3, column 1 is on a cell that is proved safe.",
        ),
        ("1##/1##/###/###", "1F#/1##/###/###", 3, MoveKind.FLAG, ""),
        ("1##/1##/F##/###", "1##/1##/###/###", 3, MoveKind.FLAG, ""),
    ],
)
def test_what_a_player_is_told_of_a_move(
    before: str, after: str, mines: int, kind: MoveKind, said: str
) -> None:
    """The risk, the better cell and what shows it."""
    (verdict,) = verdicts(before, after, mines)
    assert (verdict.kind, str(verdict)) == (kind, said)


def test_hints_opened_in_between_count_as_known() -> None:
    """Two cells between two looks: the first one proved the second."""
    assert exact.solve(Board.parse("1###/1###/####", 3)).mine_probability[0, 1] > 0
    reported = verdicts("1###/1###/####", "11##/1###/1###", 3)
    assert [one.kind for one in reported] == [MoveKind.SAFE] * 2


def test_pointer_decides_which_zero_of_a_region_was_clicked() -> None:
    """Proved safe are row 3, columns 1 and 2; without a pointer the click may have been there."""
    before = Board.parse("1####/1####/#####/#####/#####", 2)
    after = Board.parse("1####/11111/...../...../.....", 2)

    def judged(pointed: Cell | None) -> Verdict:
        (verdict,) = judge_moves(before, exact.solve(before), after, exact.solve, pointed=pointed)
        return verdict

    guessed, proved = judged(Cell(4, 4)), judged(Cell(2, 0))
    assert (guessed.kind, guessed.move.cell) == (MoveKind.MISSED, Cell(4, 4))
    assert (proved.kind, proved.move.cell) == (MoveKind.SAFE, Cell(2, 0))
    # The border of a region was not clicked: the pointer has moved on.
    for unknown in (None, Cell(1, 3), Cell(0, 4)):
        assert judged(unknown).kind is MoveKind.UNCLEAR


@pytest.mark.parametrize("seed", range(4))
def test_moves_of_the_solver_are_no_mistakes(seed: int) -> None:
    """No guess while a cell is proved, none riskier than another: the coach agrees."""
    game = Game.of_level(BEGINNER, seed, FirstClick.ZERO)
    reported: list[Verdict] = []
    while not game.status.over:
        board, analysis = game.board, exact.solve(game.board)
        assert analysis.best is not None
        game.open(analysis.best)
        reported += judge_moves(
            board, analysis, game.board, exact.solve, over=game.status.over, pointed=analysis.best
        )
    assert {one.kind for one in reported} <= {MoveKind.FIRST, MoveKind.SAFE, MoveKind.NEEDED}
    assert review_game(reported, game.status).points == (
        "No proved cell was missed, and no guess was riskier than it had to be.",
    )


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
