"""A run on a simulated window with faults, and its result.

`Scene` plays in a thread, like the panel, with an operator that resumes after a pause. Every event
sent is compared with the window under it.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import pairwise
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from bot.board import EXPLODED, Board, Cell
from bot.frame import Point
from bot.loop import Stop, Stopped, Turn
from bot.planner import Action, Move
from gui.private_screen import PrivateScreen
from gui.runner.backend import Desktop
from gui.settings import Settings
from tests.support.clients import Desk, client_desktop
from tests.support.mischief import Game, GnomeGame, Mischief, Monitors
from tests.support.operators import Scripted
from vision.desktop import Window, desktop

PATIENCE: Final = 60.0
"""Seconds after which a run counts as stuck."""
_OVERTAKEN_SECONDS: Final = 0.15
"""Largest time from what happens to the game until a click arrives that was checked before: the
reaction of a program to a key, the age of a shared picture, and the way of a click."""


def _near(one: Point, other: Point) -> bool:
    return max(abs(one.x - other.x), abs(one.y - other.y)) <= 2


def _reached(board: Board, moves: Sequence[Move]) -> NDArray[np.bool_]:
    """Return (rows, cols) bool: the cells that moves open, including those that zeros open."""
    reached = np.zeros(board.tiles.shape, np.bool_)
    cells = [move.cell for move in moves if move.cell is not None]
    chords = [move.cell for move in moves if move.action is Action.CHORD and move.cell is not None]
    cells += [beside for cell in chords for beside in board.around(cell)]
    while cells:
        cell = cells.pop()
        if not reached[cell]:
            reached[cell] = True
            cells += board.around(cell) if board[cell] == 0 else ()
    return reached


class Witness:
    """The program's own pointer, with a check of the window under each click.

    The window is queried when the pointer is moved: so nothing is added between the mouse's own
    check, which comes next, and the press.

    Args:
        scene: The scene, with the game's window and its board.
    """

    def __init__(self, scene: Scene) -> None:
        self._scene, self._pointer = scene, desktop().open_pointer()
        self._under: Window | None = None

    @property
    def position(self) -> Point:
        """The pointer's position."""
        return self._pointer.position

    def move(self, point: Point) -> Point | None:
        """Move the pointer to a point."""
        before = self._pointer.move(point)
        self._under = client_desktop().window_at(point)
        return before

    def click(self, point: Point, button: str, hold: Callable[[], object] | None) -> None:
        """Press and release a button at a point."""
        try:
            self._pointer.click(point, button, hold)
        except Exception:
            # The window moved after the press: the button was released off it.
            self._scene.withdrawn.append(point)
            raise
        self._scene.witness(point, self._under)

    def press(self, key: str) -> None:
        """Type a key."""
        self._scene.keys.append(key)
        self._pointer.press(key)


class Scene:
    """One run, and its observations.

    Args:
        game: The played window.
        pace: Clicks per second.
        screen: The private screen of the window, if it is on one.
        monitors: Monitors that can be plugged in, if they are simulated.
    """

    def __init__(
        self,
        game: Game | GnomeGame,
        pace: float,
        screen: PrivateScreen | None,
        monitors: Monitors | None = None,
    ) -> None:
        self.game: Game | GnomeGame = game
        self.monitors = monitors
        self._screen = screen
        self.mischief = Mischief()
        self.turns: list[Turn] = []
        self.pauses: list[str] = []
        self.stray: list[str] = []
        self.withdrawn: list[Point] = []
        """Points of presses whose button was released elsewhere, or that came too late."""
        self.keys: list[str] = []
        self.clicks = 0
        self.reported: list[str] = []
        self.error: BaseException | None = None
        self._pressed: list[tuple[Point, str]] = []
        """Presses that reached other windows, and which."""
        self._in_time: list[tuple[Point, bool]] = []
        """The clicks, and whether the game was there when the picture was taken by which each was
        checked."""
        self._pace = pace
        self._stop = Stop()
        self._go_on = threading.Event()
        self._changed = threading.Condition()
        self._settings = Settings(games=None, pace=pace)
        self._desk = Desk()
        self._desktop = Desktop(lambda: Witness(self))
        self._thread = threading.Thread(target=self._play, daemon=True)

    def __enter__(self) -> Self:
        self.mischief.__enter__()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.finish()
        self.mischief.__exit__()
        self._desk.close()

    @contextmanager
    def covered(self) -> Iterator[None]:
        """Lay another program's window over the game within the block."""
        with self.mischief.cover(self.game.window) as other:
            yield
            self._pressed += [(point, "on a window in front") for point in other.pressed()]

    def finish(self) -> None:
        """Stop, and wait until the run has ended."""
        self._stop.set()
        self._thread.join()
        self._pressed += [(point, "on the bare desktop") for point in self._desk.pressed()]
        for point, where in self._pressed:
            if any(_near(point, other) for other in self.withdrawn):
                continue
            if [sent for other, sent in self._in_time if _near(point, other)][-1:] == [True]:
                self.withdrawn.append(point)
            else:
                self.stray.append(f"{point} {where}")
        self._pressed.clear()

    def unwanted(self) -> list[str]:
        """Return the cells that were opened though no move opens them: a click missed its cell.

        A click may take effect late; a move of one of the three last turns is enough.
        """
        found = []
        for at, (turn, after) in enumerate(pairwise(self.turns)):
            before, now = turn.reading.board, after.reading.board
            if before.tiles.shape != now.tiles.shape:
                continue
            if ((before.tiles >= 0) & (now.tiles < 0)).any():
                # Another game.
                continue
            opened = (now.tiles >= 0) | (now.tiles == EXPLODED)
            same = [
                one
                for one in self.turns[max(at - 2, 0) : at + 1]
                if one.reading.board.tiles.shape == now.tiles.shape
            ]
            moves = [move for one in same for move in one.moves]
            for row, col in np.argwhere(opened & (before.tiles < 0) & ~_reached(now, moves)):
                found.append(f"turn {at + 1}: {Cell(row, col).position_text} was opened by no move")
        return found

    def witness(self, point: Point, under: Window | None) -> None:
        """Check a sent click; the window below all others reports the clicks that it receives."""
        self.clicks += 1
        if not desktop().lists_windows:
            now = client_desktop().window_at(point)
            there = now is not None and now.id == self.game.window
            just_left = time.monotonic() - self.mischief.acted < _OVERTAKEN_SECONDS
            self._in_time.append((point, there or just_left))
        if under is None or under.id == self._desk.id:
            return
        grid = self.turns[-1].reading.grid
        on_face = grid.face is not None and grid.face.contains(point)
        if under.id != self.game.window:
            # A compositor shows the changes of XWayland's windows later: their presses tell.
            if desktop().lists_windows:
                self.stray.append(f"{point} on '{under.title}'")
        elif not (on_face or grid.cell_at(point)):
            moved = client_desktop().place_of(self.game.window)
            if moved is None or not moved.contains(point):
                self.stray.append(f"{point} beside the board")

    def go_on(self) -> None:
        """Resume as the user does after a pause."""
        self._go_on.set()

    def after_turns(self, number: int) -> bool:
        """Wait for the given number of turns with moves; return whether they came."""
        target = len(self.turns) + number
        return self.wait(lambda: len(self.turns) >= target)

    def wait(self, ready: Callable[[], bool], seconds: float = PATIENCE) -> bool:
        """Wait for a condition; return False if the run ended first, or took too long."""
        with self._changed:
            self._changed.wait_for(lambda: ready() or self.ended, seconds)
        return ready()

    @contextmanager
    def busy_manager(self) -> Iterator[None]:
        """Suspend the window manager within the block."""
        assert self._screen is not None
        _server, manager = self._screen.processes
        manager.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            manager.send_signal(signal.SIGCONT)

    @property
    def simulated(self) -> Game:
        """The simulated window."""
        assert isinstance(self.game, Game)
        return self.game

    @property
    def ended(self) -> bool:
        """Whether the run has ended."""
        return not self._thread.is_alive() or self.error is not None

    @property
    def story(self) -> str:
        """Description of the run, for the message of a failure."""
        status = self.turns[-1].reading.status if self.turns else None
        return (
            f"{len(self.turns)} turns, the last {status}, paused {self.pauses}, "
            f"last reported {self.reported[-3:]}, ended {self.error!r}"
        )

    def _play(self) -> None:
        turns = self._desktop.play(
            self.game.window if desktop().lists_windows else None,
            lambda: self._settings,
            Scripted(
                None,
                self._hold,
                self._stop,
                lambda words: self._note(lambda: self.reported.append(words)),
            ),
        )
        try:
            for turn in turns:
                self._note(lambda turn=turn: self.turns.append(turn))  # type: ignore[misc]
                if self._stop.wait(1 / self._pace):
                    break
        except Exception as error:  # noqa: BLE001 - what the run ends with is what is reported
            self.error = error
        finally:
            with suppress(Exception):
                turns.close()  # type: ignore[attr-defined]
            self._note(lambda: None)

    def _hold(self, why: Exception) -> None:
        self._go_on.clear()
        self._note(lambda: self.pauses.append(str(why)))
        while not self._go_on.wait(0.05):
            if self._stop.is_set():
                raise Stopped

    def _note(self, change: Callable[[], object]) -> None:
        with self._changed:
            change()
            self._changed.notify_all()
