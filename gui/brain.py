"""What is thought and decided in a run: the solver that was chosen, and moves from its opinion."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from itertools import count

from bot.analysis import Analysis, Limit, Solver
from bot.board import Board
from bot.frame import Reading
from bot.game import FirstClick
from bot.planner import Action, Move, Style, plan
from bot.solver import lookahead, solver
from bot.solver.hunting import hunter
from bot.solver.ready import PREPARATION
from gui.aftergames import after
from gui.settings import AfterGame, Choices, Settings
from vision.skins import Skin


def thinking(
    choices: Choices, skin: Callable[[], Skin], stop: threading.Event
) -> Callable[[Board], Analysis]:
    """Who decides: a solver, or a hunter in the game of digging.

    The first decision waits until the solvers are ready.

    Args:
        choices: Asked before every decision.
        skin: Of the program that is played, at this moment: what it promises of the first click.
        stop: Ends a decision under way.

    Raises:
        UnknownSolver: There is none of that name.
    """
    if choices().digging:
        return _hunt(choices, stop)
    solver(choices().solver)

    def think(board: Board) -> Analysis:
        PREPARATION.wait(stop)
        settings = choices()
        solve = solving(settings.solver, skin())
        return solve(board, Limit(seconds=settings.think, cancel=stop))

    return think


def solving(name: str, skin: Skin) -> Solver:
    """A solver that knows what a program promises of the first click.

    Raises:
        UnknownSolver: There is none of that name.
    """
    solve = solver(name).solve
    if solve is lookahead.solve:
        promise = None if skin.first_click is None else FirstClick(skin.first_click)
        return partial(lookahead.solve, promise=promise)
    return solve


def _hunt(choices: Choices, stop: threading.Event) -> Callable[[Board], Analysis]:
    """A hunter may remember what it saw: each game gets one of its own."""
    chosen = hunter(choices().hunter)
    games = count()
    hunt: Solver | None = None

    def think(board: Board) -> Analysis:
        nonlocal chosen, hunt
        settings = choices()
        if settings.hunter != chosen.name:
            chosen, hunt = hunter(settings.hunter), None
        if hunt is None or board.unopened.all():
            hunt = chosen.start(next(games))
        PREPARATION.wait(stop)
        return hunt(board, Limit(seconds=settings.think, cancel=stop))

    return think


def planning(
    choices: Choices, skin: Callable[[], Skin], chords: Callable[[], bool] = lambda: True
) -> Callable[[Reading, Analysis | None], tuple[Move, ...]]:
    """Moves while a game is on; at its end another game, as many as were asked for.

    A program that does not chord, as far as is known, is played without flags. With a pace each
    turn is one click: it is looked before every one, however long they are apart, and a pause
    comes between any two.

    Args:
        choices: Asked before every turn.
        skin: Of the program that is played, at this moment.
        chords: Asked before every turn: whether the program chords, or may be tried.
    """
    ended = 0
    playing = False

    def choose(reading: Reading, analysis: Analysis | None) -> tuple[Move, ...]:
        nonlocal ended, playing
        settings = choices()
        if analysis is not None:
            playing = True
            moves = plan(reading.board, analysis, _style(settings, chords=chords()))
            if not moves and skin().flags_to_win:
                moves = plan(reading.board, analysis, Style.FLAGS)
            return moves if settings.pace is None else _one(moves, analysis)
        # A game that was over when we came is not one of ours.
        ended += playing
        stops = playing and after(settings, reading.status) is AfterGame.STOP
        playing = False
        more = settings.games is None or ended < settings.games
        return (Move(Action.RESTART),) if more and not stops else ()

    return choose


def _one(moves: tuple[Move, ...], analysis: Analysis) -> tuple[Move, ...]:
    """A flag first: what is opened would never leave a turn to it; else the solver's best."""

    def rank(move: Move) -> tuple[bool, bool]:
        return move.action is not Action.FLAG, move.cell != analysis.best

    return tuple(sorted(moves, key=rank)[:1])


def _style(settings: Settings, *, chords: bool) -> Style:
    if settings.digging:
        return Style.HUNT
    if settings.style is Style.CHORDS and not chords:
        return Style.NO_FLAGS
    return settings.style
