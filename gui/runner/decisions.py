"""Decisions of a run: the chosen solver, and the moves from its analysis."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import count
from math import ceil

from bot.analysis import Analysis, Comparison, Evidence, Limit, Solver, Thinking, load_function
from bot.board import Board, InconsistentBoard
from bot.digging import hunter
from bot.frame import Reading, Status
from bot.planner import Action, Move, Style, independent, plan
from bot.solver import PLAYER, solver
from bot.solver.assumed import without_total
from bot.solver.phrases import percent, quantity
from bot.solver.warmup import PREPARATION, ROLLOUT_PREPARATION
from gui.runner import timeouts
from gui.runner.protocol import Operator
from gui.settings import AfterGame, Choices, Settings
from vision.focus import is_known_program
from vision.reader import Reader
from vision.skins import Skin


def thinking(
    choices: Choices,
    reader: Reader,
    stop: threading.Event,
) -> Callable[[Board], Analysis]:
    """Return the solver, or the hunter in the game of digging, as a function of the board.

    Until the solvers are compiled, the default one decides in Python, with a limit of one second.
    Any other decision waits for the compiler.

    Args:
        choices: Called before every decision.
        reader: The reader, whose skin has the program's rule for the first click.
        stop: Ends a decision in progress.

    Raises:
        UnknownSolver: There is no solver of that name.
    """
    if choices().digging:
        return _hunt(choices, stop)
    solver(choices().solver)

    def think(board: Board) -> Analysis:
        settings = choices()
        if settings.solver == PLAYER and PREPARATION.must_compile(stop):
            uncompiled = load_function("bot.solver.player:solve_uncompiled")
            limit = Limit(cancel=stop)
            analysis: Analysis | None = uncompiled(board, limit, reader.skin.first_click)
            if analysis is not None:
                limit = Limit(seconds=settings.think, cancel=stop)
                return without_total(board, analysis, limit)
        PREPARATION.wait(stop)
        solve = solving(settings.solver, reader.skin)
        return solve(board, Limit(seconds=settings.think, cancel=stop))

    return think


def simulating(
    choices: Choices,
    reader: Reader,
    operator: Operator,
    show: Callable[[Analysis], object] = lambda _interim: None,
) -> Callable[[Board, Analysis], Analysis]:
    """Return a function that decides a guess by simulated games, if the settings say so.

    Args:
        choices: Called before every decision, and during it: less time takes effect at once.
        reader: As for `thinking`.
        operator: Can end a decision.
        show: Called at intervals during a decision, with what was found so far.
    """
    settings = choices()
    if settings.simulate and settings.solver == PLAYER and not settings.digging:
        ROLLOUT_PREPARATION.begin()

    def simulate(board: Board, analysis: Analysis) -> Analysis:
        settings = choices()
        best = analysis.best
        certain = best is None or analysis.mine_probability[best] == 0.0
        if settings.digging or not settings.simulate or certain or settings.solver != PLAYER:
            return analysis
        if PREPARATION.compiling or ROLLOUT_PREPARATION.must_compile(operator.stopped):
            # At the first start: that takes a minute.
            return analysis
        started = shown = time.perf_counter()

        def ends(found: Comparison) -> bool:
            nonlocal shown
            now = time.perf_counter()
            left = started + min(settings.simulate, choices().simulate) - now
            if now - shown >= timeouts.INTERIM_SHOWN:
                shown = now
                show(interim(analysis, found, left))
            return left <= 0 or operator.hurried

        limit = Limit(
            seconds=settings.think + settings.simulate,
            cancel=operator.stopped,
            thinking=Thinking(seconds=settings.simulate, is_enough=ends),
        )
        return solving(settings.solver, reader.skin)(board, limit)

    return simulate


def interim(analysis: Analysis, found: Comparison, left: float) -> Analysis:
    """Return the analysis of a guess while its cells are compared, for `left` seconds more."""
    (best, chance), *others = found.chances.items()
    reason = f"so far {best.position_text} is best, about {percent(chance)} to win"
    if others:
        cell, chance = others[0]
        reason += f"; next {cell.position_text}, {percent(chance)}"
    cells = quantity(len(found.left), "cell")
    reason += f"; {cells} still compared, {found.games:,} games simulated"
    reason += f", {max(ceil(left), 0)} s left"
    evidence = Evidence(cells=found.left)
    return replace(analysis, best=best, reason=reason, evidence=evidence)


def solving(name: str, skin: Skin) -> Solver:
    """Return a solver that uses the program's rule for the first click.

    Raises:
        UnknownSolver: There is no solver of that name.
    """
    info = solver(name)
    solve: Callable[..., Analysis] = info.solve
    return partial(solve, promise=skin.first_click) if info.name == PLAYER else solve


def _hunt(choices: Choices, stop: threading.Event) -> Callable[[Board], Analysis]:
    """Return a function that uses a new hunter for each game, as hunters have state."""
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


class SpeculativeSolver:
    """A solver that keeps the analysis of the last board solved in advance.

    Boards are solved while it is not yet certain that they are the ones to act on.

    Args:
        solve: Solves a board, at once.
        simulate: Decides a guess again, which may take long: only on the board to act on.
    """

    def __init__(
        self,
        solve: Callable[[Board], Analysis],
        simulate: Callable[[Board, Analysis], Analysis] = lambda _, analysis: analysis,
    ) -> None:
        self._solve = solve
        self._simulate = simulate
        self._kept: tuple[Board, Analysis] | None = None

    def solve_ahead(self, reading: Reading) -> None:
        """Solve the board of a reading that may turn out to be the one to act on."""
        self._kept = None
        if reading.status is Status.PLAYING:
            # A board that is still changing may be inconsistent; a stable one is solved again.
            with suppress(InconsistentBoard):
                self._kept = reading.board, self._solve(reading.board)

    def prepare(self, board: Board) -> None:
        """Solve the next board, unless already done; raises the solver's exceptions."""
        if self._kept is None or self._kept[0] != board:
            self._kept = board, self._solve(board)

    def __call__(self, board: Board) -> Analysis:
        """Return the analysis of a board, from the kept one if it is of the same board."""
        kept, self._kept = self._kept, None
        same = kept is not None and kept[0] == board
        return self._simulate(board, kept[1] if kept is not None and same else self._solve(board))


def planning(
    choices: Choices,
    reader: Reader,
    chords: Callable[[], bool] = lambda: True,
) -> Callable[[Reading, Analysis | None], tuple[Move, ...]]:
    """Return a function that chooses moves, and starts the chosen number of games.

    A program that does not chord, as far as known, is played without flags. With a pace each turn
    is one click: the board is read before every one, and a pause takes effect between any two.

    Args:
        choices: Called before every turn.
        reader: The reader, whose program may not be known, or need flags to win.
        chords: Called before every turn; returns whether the program may chord.
    """
    ended = 0
    playing = False

    def choose(reading: Reading, analysis: Analysis | None) -> tuple[Move, ...]:
        nonlocal ended, playing
        settings = choices()
        if analysis is not None:
            playing = True
            moves = plan(reading.board, analysis, _style(settings, chords=chords()))
            if not moves and reader.skin.flags_to_win:
                moves = plan(reading.board, analysis, Style.FLAGS)
            if settings.pace is not None:
                return _one(moves, analysis)
            if is_known_program(reader.skin, reader.window):
                return moves
            # A click on an opened number may open more than safe cells there.
            return independent(reading.board, analysis, moves)
        # A game that was already over at the start is not counted.
        ended += playing
        stops = playing and settings.after_game(reading.status) is AfterGame.STOP
        playing = False
        more = settings.games is None or ended < settings.games
        return (Move(Action.RESTART),) if more and not stops else ()

    return choose


def _one(moves: tuple[Move, ...], analysis: Analysis) -> tuple[Move, ...]:
    """Return a single move: a flag if there is one, else the solver's best.

    Cells to open would otherwise always precede the flag.
    """

    def rank(move: Move) -> tuple[bool, bool]:
        return move.action is not Action.FLAG, move.cell != analysis.best

    return tuple(sorted(moves, key=rank)[:1])


def _style(settings: Settings, *, chords: bool) -> Style:
    if settings.digging:
        return Style.HUNT
    if settings.style is Style.CHORDS and not chords:
        return Style.NO_FLAGS
    return settings.style
