"""From an opinion to moves: what is opened, flagged and chorded, in which order, and why."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise, permutations
from math import dist

import numpy as np
import pytest

from bot.analysis import Analysis, Limit
from bot.board import FLAG, QUESTION, UNOPENED, Board, Cell
from bot.frame import Status
from bot.game import BEGINNER, EXPERT, INTERMEDIATE, FirstClick, Game, Level
from bot.metrics import efficiency, three_bv
from bot.planner import Action, Move, Style, describe_moves, independent, plan, short_path
from bot.solver import exact, solver
from bot.solver.explain import with_explanation


def opinion(probability: str | list[list[float]], best: Cell | None) -> Analysis:
    """Return an analysis with these probabilities, in text `-` for an opened cell."""
    if isinstance(probability, str):
        rows = [row.split() for row in probability.split("/")]
        probability = [[np.nan if one == "-" else float(one) for one in row] for row in rows]
    return Analysis(np.array(probability), best, True, "exact", "because")


def moves_of(text: str) -> tuple[Move, ...]:
    """Return moves: each an action, a row, a column and perhaps a risk."""
    found = []
    for one in text.split(", ") if text else ():
        action, row, col, *risk = one.split()
        found.append(Move(Action(action), Cell(int(row), int(col)), float(risk[0]) if risk else 0))
    return tuple(found)


@pytest.mark.parametrize(
    ("board", "probability", "styles", "moves"),
    [
        # All that is safe is opened in one turn, and nothing is guessed beside it.
        ("###1#", "0.5 0 0.5 - 0", "no flags", "open 0 1, open 0 4"),
        ("###", "0.4 0.25 0.35", "no flags", "open 0 1 0.25"),
        # Nothing is left to open: flags where the style sets all.
        ("F#1", "1 1 -", "no flags|chords", ""),
        ("F#1", "1 1 -", "flags|hunt", "flag 0 1"),
        # Only proved mines are flagged, once.
        ("##F#", "1 0.99 1 0", "flags", "flag 0 0, open 0 3"),
        # A question mark becomes a covered cell first.
        ("?1#", "1 - 0.5", "flags", "flag 0 0, flag 0 0"),
        # Programs do not open a flagged cell.
        ("F1#", "0 - 0.5", "no flags|flags|chords|hunt", "flag 0 0, open 0 0"),
        # A cell that only an unlikely zero would open is opened.
        ("####", "0.8 0 0 0.9", "no flags", "open 0 1, open 0 2"),
        # Flags count as clicks, as the community counts them: a chord has to save one.
        ("###/#1#/222", "0 1 0/0 - 0/- - -", "chords", "flag 0 1, chord 1 1"),
        ("#F#/111", "0 1 0/- - -", "chords", "chord 1 1"),
        ("##1/111", "1 0 -/- - -", "chords", "open 0 1"),
        # Nothing proved is touched before the end of the other game.
        ("####1", "0 1 0.4 0.6 -", "hunt", "open 0 3 0.6"),
    ],
)
def test_moves(board: str, probability: str, styles: str, moves: str) -> None:
    """What is opened, flagged and chorded, with its risk."""
    expected = moves_of(moves)
    best = next((move.cell for move in expected if move.action is Action.OPEN), None)
    for style in styles.split("|"):
        assert plan(Board.parse(board, 1), opinion(probability, best), Style(style)) == expected


@pytest.mark.parametrize("style", [Style.NO_FLAGS, Style.FLAGS, Style.CHORDS])
def test_cells_that_a_zero_opens_are_not_clicked(style: Style) -> None:
    """A zero opens the cells around it; one click opens a board that has no mine."""
    board = Board.covered(20, 30, 0)
    assert len(plan(board, opinion(np.zeros((20, 30)).tolist(), Cell(0, 0)), style)) == 1
    chance = [[0.9, 0.0, 0.0, 0.0, 0.9]] * 3
    (move,) = plan(Board.covered(3, 5, 5), opinion(chance, Cell(0, 1)), style)
    assert move.cell is not None
    assert move.cell.col == 2


@pytest.mark.parametrize(
    ("flagged", "actions"),
    [("0.5 0.5 0", {Action.OPEN}), ("0 1 0", {Action.FLAG, Action.CHORD})],
    ids=["not proved", "wrong"],
)
def test_chord_beside_a_flag_of_the_user(flagged: str, actions: set[Action]) -> None:
    """None beside a flag that is not proved; a wrong flag is taken away first."""
    board = Board.parse("F##/#1#/###", 1)
    moves = plan(board, opinion(f"{flagged}/0 - 0/0 0 0", Cell(0, 2)), Style.CHORDS)
    assert {move.action for move in moves} == actions
    if Action.CHORD in actions:
        assert set(moves[:2]) == set(moves_of("flag 0 0, flag 0 1"))
        assert moves[2:] == moves_of("chord 1 1")


def test_a_single_flag_and_the_move_that_opens_the_best_cell_have_their_reasons() -> None:
    """A click on it, or a chord beside it; a flag that stands on no mine is taken away."""
    board = Board.parse("###/#1#/222", 1)
    analysis = opinion("0 1 0/0 - 0/- - -", Cell(0, 2))
    for moves in ("open 0 2", "chord 1 1", ""):
        assert describe_moves(board, analysis, moves_of(moves)) is analysis
    assert describe_moves(board, analysis, (Move(Action.RESTART),)) is analysis
    said = describe_moves(board, analysis, moves_of("flag 0 1"))
    assert said.reason == "a flag on a proved mine at row 1, column 2"
    assert said.evidence.cells == (Cell(0, 1),)
    wrong = describe_moves(board, analysis, moves_of("flag 0 0"))
    assert wrong.reason == "the flag at row 1, column 1 is on no mine and is removed"


def test_another_cell_has_a_reason_of_its_own() -> None:
    """That of the proof that this cell is safe, with the hints that it rests on."""
    board = Board.parse("###/111/...", 1)
    analysis = solver("exact").solve(board, Limit())
    (best, other) = analysis.safe
    analysis = replace(analysis, best=best, reason="about the best")
    said = with_explanation(board, describe_moves(board, analysis, (Move(Action.OPEN, other),)))
    assert said.best == other
    assert said.reason.startswith("safe: ")
    assert other in said.evidence.cells


def length(cells: list[Cell] | tuple[Cell, ...]) -> float:
    """From the first cell to the last one."""
    return sum(dist(one, other) for one, other in pairwise(cells))


@pytest.mark.parametrize("number", [0, 1, 2, 3, 4, 5, 6, 7])
def test_few_cells_are_visited_on_the_shortest_way_mostly(number: int) -> None:
    """Each cell once; 40 sets, in all hardly longer than the best of all orders."""
    found = best = 0.0
    for seed in range(40 if number < 7 else 8):
        cells = random.Random(seed).sample(list(Board.covered(8, 8, 0).cells()), number)
        way = short_path(cells)
        assert sorted(way) == sorted(cells)
        found += length(way)
        best += min(map(length, permutations(cells)))
    assert found <= 1.01 * best


def test_many_cells_are_walked_with_hardly_a_jump() -> None:
    """A full board of 16 x 30, each cell once."""
    cells = list(Board.covered(16, 30, 0).cells())
    way = short_path(cells)
    assert sorted(way) == cells
    assert length(way) < 1.25 * len(cells)


STYLES = (Style.NO_FLAGS, Style.FLAGS, Style.CHORDS)


def carry_out(game: Game, move: Move) -> None:
    """One move, held against the mines."""
    assert move.cell is not None
    layout, board = game.layout, game.board
    assert layout is not None
    if move.action is Action.FLAG:
        # A flag is set on a mine only; what is taken away may be anywhere.
        assert layout[move.cell] or board[move.cell] in (FLAG, QUESTION)
        game.flag(move.cell)
        return
    if move.action is Action.CHORD:
        flags = [cell for cell in board.around(move.cell) if board[cell] == FLAG]
        assert len(flags) == board[move.cell]
        assert all(layout[cell] for cell in flags)
        game.chord(move.cell)
    else:
        game.open(move.cell)
    assert game.status is not Status.LOST or move.risk > 0


def play_turn(game: Game, style: Style) -> tuple[Move, ...]:
    """One look and its moves: something is opened, and nothing guessed beside what is safe."""
    board = game.board
    analysis = exact.solve(board)
    moves = plan(board, analysis, style)
    assert all(move.risk == 0 for move in moves) == bool(analysis.safe)
    for move in moves:
        if game.status is Status.PLAYING:
            carry_out(game, move)
    assert game.status.over or game.board.unopened.sum() < board.unopened.sum()
    if style is Style.FLAGS and game.status is Status.PLAYING:
        assert all(game.board[cell] == FLAG for cell in analysis.mines)
    return moves


def played(level: Level, seed: int, style: Style, rule: FirstClick) -> tuple[Game, int]:
    """Play a game from its first click to its end, and count the clicks."""
    game = Game.of_level(level, seed, rule)
    game.open((3, 3))
    clicks = 1
    while not game.status.over:
        clicks += len(play_turn(game, style))
    return game, clicks


@pytest.mark.parametrize("rule", FirstClick)
@pytest.mark.parametrize(("level", "games"), [(BEGINNER, 8), (INTERMEDIATE, 3), (EXPERT, 1)])
def test_all_styles_end_a_game_alike(level: Level, games: int, rule: FirstClick) -> None:
    """A guess is made where nothing safe is left, and that does not depend on the order."""
    for seed in range(games):
        ends = {played(level, seed, style, rule)[0].board for style in STYLES}
        assert len({end.tiles[end.tiles >= 0].tobytes() for end in ends}) == 1


@pytest.mark.parametrize("question_marks", [False, True])
@pytest.mark.parametrize("style", STYLES)
def test_boards_with_any_flags_of_the_user_are_played(style: Style, question_marks: bool) -> None:
    """Flags anywhere, right or wrong, and question marks: a game is joined and played on."""
    for seed in range(12):
        draw = random.Random(seed)
        game = Game(9, 9, 12, seed, FirstClick.ZERO, question_marks)
        game.open((4, 4))
        for cell in game.board.cells(*UNOPENED):
            for _ in range(draw.choice((0, 0, 1, 2))):
                game.flag(cell)
        while not game.status.over:
            play_turn(game, style)


def test_chords_win_with_fewer_clicks_than_3bv() -> None:
    """Twenty games: over 100 % in most of them, and in the mean; without chords in none."""
    shares: dict[Style, list[float]] = {style: [] for style in (Style.NO_FLAGS, Style.CHORDS)}
    for seed in range(22):
        for style, found in shares.items():
            game, clicks = played(INTERMEDIATE, seed, style, FirstClick.ZERO)
            layout = game.layout
            assert layout is not None
            if game.status is Status.WON:
                found.append(efficiency(three_bv(layout), clicks))
    chords = shares[Style.CHORDS]
    assert len(chords) >= 16
    assert sum(chords) / len(chords) > 1.05
    assert sum(share > 1 for share in chords) > 0.65 * len(chords)
    assert max(shares[Style.NO_FLAGS]) <= 1


@pytest.mark.parametrize("style", STYLES)
def test_independent_moves_never_click_on_an_opened_number(style: Style) -> None:
    """Games with a program in which that opens all neighbours: each click is on a covered cell."""
    left_out = 0
    for seed in range(6):
        game = Game.of_level(INTERMEDIATE, seed, FirstClick.ZERO)
        game.open(Cell(8, 8))
        while not game.status.over:
            board = game.board
            analysis = exact.solve(board)
            planned = plan(board, analysis, style)
            moves = independent(board, analysis, planned)
            assert moves, planned
            assert set(moves) <= set(planned)
            left_out += len(planned) - len(moves)
            for move in moves:
                assert move.cell is not None
                assert move.action is not Action.OPEN or game.board[move.cell] in UNOPENED
                carry_out(game, move)
    assert left_out > 0
