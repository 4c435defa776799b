"""The wiring: the only file that names a concrete eye, brain and hand.

Everything else is given what it needs; here the reader, the registry of solvers and the
system's pointer become the four callables of `bot.loop.play`.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from datetime import datetime
from functools import cached_property
from importlib.metadata import version

from bot.analysis import Analysis, Cancelled, Limit
from bot.board import Board
from bot.frame import Frame, Reading
from bot.loop import Stopped, Turn, play, settled
from bot.mouse import Hand, Pointer, SystemPointer
from bot.planner import Action, Move, plan
from bot.solver import solver
from gui.failures import Failure, describe
from gui.player import Candidate
from gui.settings import PROGRAM, Settings, sessions_folder
from vision.capture import Screen, ScreenError
from vision.reader import Reader
from vision.recording import (
    SessionInfo,
    SessionWriter,
    new_session_folder,
    record,
)
from vision.skins import Skin, load_skins


class Desktop:
    """Plays on the desktop that this process sees.

    Args:
        pointer: Makes what moves the mouse; called in the thread that plays.
        environment: Of the simulated windows; this process's own without.
    """

    def __init__(
        self,
        pointer: Callable[[], Pointer] = SystemPointer,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._make_pointer = pointer
        self._environment = environment
        self._simulators: list[subprocess.Popen[str]] = []
        self._last_frame: Frame | None = None

    @cached_property
    def skins(self) -> tuple[Skin, ...]:
        """The bundled skins and the user's own."""
        return load_skins()

    def boards(self) -> list[Candidate]:
        """The boards on the screen, the program's own pictures of boards left out."""
        with Screen() as screen:
            reader = Reader(screen, self.skins)
            return [
                Candidate(
                    title=found.window.title if found.window else "the screen",
                    skin=found.skin.name,
                    rows=found.grid.rows,
                    cols=found.grid.cols,
                    mines=found.skin.mines_of(found.grid.rows, found.grid.cols),
                    thumbnail=screen.grab(found.grid.region).image,
                    key=found.window.id if found.window else None,
                    region=found.grid.region,
                )
                for found in reader.candidates()
            ]

    def turns(
        self, candidate: Candidate, settings: Settings, stop: threading.Event
    ) -> Iterator[Turn]:
        """Play `settings.games` games on a board that `boards` listed."""
        key = candidate.key if isinstance(candidate.key, int) else None
        return self.play(key, settings, stop)

    def play(
        self, window: str | int | None, settings: Settings, stop: threading.Event
    ) -> Iterator[Turn]:
        """Play on a window, told by its id or a part of its title, class or skin's name.

        Yields:
            Each turn before it is carried out; ends by itself after the last game, or
            when `stop` is set.
        """
        with ExitStack() as resources:
            screen = resources.enter_context(Screen())
            reader = Reader(screen, self.skins, window=window, mines=settings.mines)
            first = self._look(reader)
            hand = Hand(
                self._make_pointer(),
                guard=reader.guard,
                focus=reader.focus,
                stop=stop,
                screen=screen.region,
                hold=reader.skin.hold,
                restart_key=reader.skin.restart.key,
            )
            turns = play(
                see=lambda last: settled(lambda: self._look(reader), stop.wait, last),
                solve=_solve(settings, stop),
                plan=_plan(settings),
                act=hand.act,
            )
            if settings.record:
                turns = record(turns, lambda: _new_session(reader, settings, first))
            try:
                yield from turns
            except (Stopped, Cancelled):
                return

    def _look(self, reader: Reader) -> Reading:
        reading = reader.look()
        self._last_frame = reading.frame
        return reading

    def open_simulator(self) -> None:
        """Open a simulated window in a process of its own."""
        self.start_simulator()

    def start_simulator(self, *options: str) -> int:
        """Open a simulated window and wait until it is on the screen.

        Args:
            options: As `minesweeper-bot simulate` takes them.

        Returns:
            The id of its window.

        Raises:
            ScreenError: It did not open.
        """
        command = [sys.executable, "-m", "gui", "simulate", "--announce", *options]
        process = subprocess.Popen(  # noqa: S603 - this program itself
            command, stdout=subprocess.PIPE, text=True, env=self._environment
        )
        self._simulators.append(process)
        assert process.stdout is not None  # noqa: S101 - a pipe was asked for
        announced = process.stdout.readline().strip()
        if not announced.isdigit():
            raise ScreenError("the simulated window did not open: run 'minesweeper-bot doctor'")
        return int(announced)

    def close_simulators(self) -> None:
        """End the simulated windows that were opened here."""
        for process in self._simulators:
            process.terminate()
            process.wait()
            if process.stdout is not None:
                process.stdout.close()
        self._simulators.clear()

    def failure(self, error: BaseException) -> Failure:
        """Words for an error; the frame it is about is saved."""
        return describe(error, self._last_frame)


def _solve(settings: Settings, stop: threading.Event) -> Callable[[Board], Analysis]:
    chosen = solver(settings.solver)
    return lambda board: chosen.solve(board, Limit(cancel=stop))


def _plan(
    settings: Settings,
) -> Callable[[Reading, Analysis | None], tuple[Move, ...]]:
    """Moves while a game is on; at its end another game, as many as were asked for."""
    ended = 0
    playing = False

    def moves(reading: Reading, analysis: Analysis | None) -> tuple[Move, ...]:
        nonlocal ended, playing
        if analysis is not None:
            playing = True
            return plan(reading.board, analysis, settings.style)
        # A game that was over when we came is not one of ours.
        ended += playing
        playing = False
        more = settings.games is None or ended < settings.games
        return (Move(Action.RESTART),) if more else ()

    return moves


def _new_session(reader: Reader, settings: Settings, first: Reading) -> SessionWriter:
    started = datetime.now().astimezone()
    grid = first.grid
    title = reader.window.title if reader.window else f"a board of {grid.cols} x {grid.rows}"
    info = SessionInfo(
        version=version(PROGRAM),
        started=started.isoformat(timespec="seconds"),
        window=title,
        skin=reader.skin.name,
        solver=settings.solver,
        style=settings.style.value,
    )
    return SessionWriter(new_session_folder(sessions_folder(), started), info)
