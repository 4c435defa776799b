"""Every style on real games: each move is allowed, safe and of use, and the ends are the same."""

from __future__ import annotations

import random

import pytest

from bot.board import FLAG, QUESTION, UNOPENED, Board, Cell, neighbours
from bot.frame import Status
from bot.game import BEGINNER, EXPERT, INTERMEDIATE, FirstClick, Game, Level
from bot.metrics import efficiency, three_bv
from bot.planner import Action, Move, Style, plan
from bot.solver import exact

STYLES = (Style.NO_FLAGS, Style.FLAGS, Style.CHORDS)


def carry_out(game: Game, move: Move) -> None:
    """One move, held against the mines."""
    assert move.cell is not None
    layout = game.layout
    board = game.board
    if move.action is Action.FLAG:
        # A flag is set on a mine only; what is taken away may be anywhere.
        assert layout is not None
        assert layout[move.cell] or board[move.cell] in (FLAG, QUESTION)
        game.flag(move.cell)
        return
    if move.action is Action.CHORD:
        around = neighbours(board.rows, board.cols)[move.cell.row * board.cols + move.cell.col]
        flags = [index for index in around if board.tiles.flat[index] == FLAG]
        assert len(flags) == board[move.cell]
        assert layout is not None
        assert layout.flat[flags].all()
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
    assert game.status.over or closed(game.board) < closed(board)
    if style is Style.FLAGS and game.status is Status.PLAYING:
        assert all(game.board[cell] == FLAG for cell in analysis.mines)
    return moves


def closed(board: Board) -> int:
    """How many cells are not opened."""
    return sum(int((board.tiles == code).sum()) for code in UNOPENED)


def played(level: Level, seed: int, style: Style, rule: FirstClick) -> tuple[Game, int]:
    """Play a game from its first click to its end, and count the clicks."""
    game = Game.of_level(level, seed, rule)
    game.open((3, 3))
    clicks = 1
    while not game.status.over:
        clicks += len(play_turn(game, style))
    return game, clicks


@pytest.mark.parametrize("rule", FirstClick)
@pytest.mark.parametrize(("level", "games"), [(BEGINNER, 12), (INTERMEDIATE, 5), (EXPERT, 2)])
def test_all_styles_play_to_the_same_end(level: Level, games: int, rule: FirstClick) -> None:
    """A guess is made where nothing safe is left, and that does not depend on the order."""
    for seed in range(games):
        ends = {played(level, seed, style, rule)[0].board for style in STYLES}
        assert len({end.tiles[end.tiles >= 0].tobytes() for end in ends}) == 1


@pytest.mark.parametrize("question_marks", [False, True])
@pytest.mark.parametrize("style", STYLES)
def test_a_users_marks_do_no_harm(style: Style, question_marks: bool) -> None:
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


def test_joining_at_the_first_click() -> None:
    """Nothing is open yet: one cell is opened in every style."""
    for style in STYLES:
        (move,) = plan(Board.covered(9, 9, 10), exact.solve(Board.covered(9, 9, 10)), style)
        assert move.action is Action.OPEN
        assert isinstance(move.cell, Cell)
