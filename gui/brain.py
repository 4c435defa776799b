"""What is thought and decided in a run: the solver that was chosen, and moves from its opinion."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from itertools import count
from typing import Final

from bot.analysis import Analysis, Limit, Solver
from bot.board import Board
from bot.frame import Reading
from bot.game import FirstClick
from bot.planner import Action, Move, Style, plan
from bot.solver import lookahead, solver
from bot.solver.hunting import hunter
from bot.solver.ready import PREPARATION
from gui.settings import Settings
from vision.skins import Skin

_THINK_SECONDS: Final = 10.0
"""After so long an estimate is better than more waiting: only huge boards come near it."""


def thinking(settings: Settings, skin: Skin, stop: threading.Event) -> Callable[[Board], Analysis]:
    """Who decides: a solver, or a hunter in the game of digging.

    The first decision waits until the solvers are ready.

    Raises:
        UnknownSolver: There is none of that name.
    """
    if settings.digging:
        return _hunt(settings, stop)
    solve = solving(settings.solver, skin)

    def think(board: Board) -> Analysis:
        PREPARATION.wait(stop)
        return solve(board, Limit(seconds=_THINK_SECONDS, cancel=stop))

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


def _hunt(settings: Settings, stop: threading.Event) -> Callable[[Board], Analysis]:
    """A hunter may remember what it saw: each game gets one of its own."""
    chosen = hunter(settings.hunter)
    games = count()
    hunt: Solver | None = None

    def think(board: Board) -> Analysis:
        nonlocal hunt
        if hunt is None or board.unopened.all():
            hunt = chosen.start(next(games))
        PREPARATION.wait(stop)
        return hunt(board, Limit(seconds=_THINK_SECONDS, cancel=stop))

    return think


def planning(
    settings: Settings, skin: Skin
) -> Callable[[Reading, Analysis | None], tuple[Move, ...]]:
    """Moves while a game is on; at its end another game, as many as were asked for.

    Where nobody knows how a program chords it is played without flags.
    """
    ended = 0
    playing = False
    style = Style.HUNT if settings.digging else settings.style
    if style is Style.CHORDS and skin.chord is None:
        style = Style.NO_FLAGS

    def choose(reading: Reading, analysis: Analysis | None) -> tuple[Move, ...]:
        nonlocal ended, playing
        if analysis is not None:
            playing = True
            moves = plan(reading.board, analysis, style)
            if not moves and skin.flags_to_win:
                return plan(reading.board, analysis, Style.FLAGS)
            return moves
        # A game that was over when we came is not one of ours.
        ended += playing
        playing = False
        more = settings.games is None or ended < settings.games
        return (Move(Action.RESTART),) if more else ()

    return choose
