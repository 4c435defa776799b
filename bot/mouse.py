"""The hand: moves become clicks.

`Hand` turns the moves of a turn into events, each batch checked against the board's
place just before; a `Pointer` sends them. There are two: `SystemPointer` moves the real
mouse through pyautogui, `DryPointer` only writes down what it would have done.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, Protocol

from bot.frame import Grid, Point, Region
from bot.loop import Event, Stopped, Turn, restarts
from bot.planner import Action, Move
from bot.quiet import quiet

_ARRIVAL_INTERVAL: Final = 0.0005
_ARRIVAL_LOOKS: Final = 6000
_BUTTONS: Final = {Action.OPEN: "left", Action.FLAG: "right"}


class HandError(RuntimeError):
    """The mouse cannot be moved, or must not be; the message says why and what to do."""


class Pointer(Protocol):
    """Whatever sends events to the desktop."""

    def move(self, point: Point) -> None:
        """Put the pointer there."""

    def click(self, point: Point, button: str, hold: Callable[[], object] | None) -> None:
        """Press and release there; `hold` is called between the two."""

    def press(self, key: str) -> None:
        """Type a key, by pyautogui's name for it; several held together as `ctrl+n`."""


class SystemPointer:
    """The real mouse and keyboard.

    pyautogui opens the display when it is imported, so it is imported here, late, and by
    the thread that clicks.

    Raises:
        HandError: There is no display to open.
    """

    def __init__(self) -> None:
        self._pyautogui = _load_pyautogui()

    @property
    def position(self) -> Point:
        """Where the pointer is."""
        return Point(*map(float, self._pyautogui.position()))

    def move(self, point: Point) -> None:
        """Put the pointer there."""
        self._send(self._pyautogui.moveTo, round(point.x), round(point.y))

    def click(self, point: Point, button: str, hold: Callable[[], object] | None) -> None:
        """Press and release there; `hold` is called between the two."""
        x, y = round(point.x), round(point.y)
        if hold is None:
            self._send(self._pyautogui.click, x, y, button=button)
            return
        self._send(self._pyautogui.moveTo, x, y)
        self._send(self._pyautogui.mouseDown, button=button)
        try:
            hold()
        finally:
            self._send(self._pyautogui.mouseUp, button=button)

    def press(self, key: str) -> None:
        """Type a key, by pyautogui's name for it; several held together as `ctrl+n`."""
        keys = key.split("+") if len(key) > 1 else [key]
        self._send(self._pyautogui.hotkey, *keys)

    def _send(self, function: Callable[..., object], *args: object, **options: object) -> None:
        try:
            function(*args, _pause=False, **options)
        except self._pyautogui.FailSafeException as error:
            raise HandError(
                "the pointer was moved into a corner of the screen: nothing more is clicked"
            ) from error


def _load_pyautogui() -> Any:
    # Its helper for finding coordinates ends the whole process where tkinter is missing.
    sys.modules.setdefault("mouseinfo", None)  # type: ignore[arg-type]
    try:
        # Xlib prints where a display asks for no cookie.
        with quiet():
            import pyautogui  # noqa: PLC0415 - opens the display at import
    except Exception as error:
        raise HandError(
            f"the mouse of display {os.environ.get('DISPLAY') or '(none)'} cannot be reached "
            f"({error}): run 'minesweeper-bot doctor'"
        ) from error
    pyautogui.PAUSE = 0
    pyautogui.FAILSAFE = True
    return pyautogui


class DryPointer:
    """A pointer that only writes down what it would do."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def move(self, point: Point) -> None:
        """Write it down."""
        self.events.append(Event("move", "", point))

    def click(self, point: Point, button: str, hold: Callable[[], object] | None) -> None:
        """Write it down."""
        if hold is not None:
            hold()
        self.events.append(Event("click", button, point))

    def press(self, key: str) -> None:
        """Write it down."""
        self.events.append(Event("key", key, None))


class Hand:
    """Carries out turns.

    Args:
        pointer: Sends the events.
        guard: Raises unless each of the points to be clicked belongs to the game's window.
        focus: Gives the game's window the keyboard, and raises unless it then has it.
        stop: Once set, nothing more is sent.
        held: Whether a button still counts as down: the click has not arrived yet.
        screen: The part of the desktop in which the pointer may be parked.
        hold: Seconds between press and release that the program needs; asked before each click.
        restart_key: Which key starts the next game where the board has no face.
        chord: The button that chords.
    """

    def __init__(
        self,
        pointer: Pointer,
        *,
        guard: Callable[[Sequence[Point]], None],
        focus: Callable[[], None],
        stop: threading.Event,
        held: Callable[[], bool],
        screen: Region,
        hold: Callable[[], float] = lambda: 0.0,
        restart_key: Callable[[], str | None] = lambda: None,
        chord: str = "middle",
    ) -> None:
        self._pointer = pointer
        self._guard = guard
        self._focus = focus
        self._stop = stop
        self._held = held
        self._screen = screen
        self._seconds_held = hold
        self._sent: list[Event] = []
        self._restart_key = restart_key
        self._buttons = _BUTTONS | {Action.CHORD: chord}

    def take_sent(self) -> tuple[Event, ...]:
        """What was sent since this was asked last."""
        sent, self._sent = tuple(self._sent), []
        return sent

    def press(self, key: str) -> None:
        """Type a key into the window that has the keyboard."""
        self._pointer.press(key)
        self._sent.append(Event("key", key, None))

    def act(self, turn: Turn) -> None:
        """Send the moves of a turn in one go, then park the pointer off the board.

        Raises:
            Stopped: The stop event was set; the rest was not sent.
            HandError: The user moved the pointer into the fail-safe corner.
        """
        grid = turn.reading.grid
        if restarts(turn.moves):
            self._restart(grid)
            return
        self._click([self._event(grid, move) for move in turn.moves])
        park = parking(grid, self._screen)
        if park is not None:
            self._pointer.move(park)
            self._sent.append(Event("move", "", park))

    def _event(self, grid: Grid, move: Move) -> Event:
        if move.cell is None:
            raise ValueError(f"a move of kind {move.action.value} needs a cell")
        return Event("click", self._buttons[move.action], grid.center(move.cell))

    def _restart(self, grid: Grid) -> None:
        if grid.face is not None:
            self._click([Event("click", "left", grid.face.center)])
            return
        key = self._restart_key()
        if key is None:
            raise HandError(
                "nobody knows how this program starts its next game: give its skin a [restart]"
            )
        self._focus()
        self.press(key)

    def _click(self, clicks: Sequence[Event]) -> None:
        points = [click.point for click in clicks if click.point is not None]
        self._guard(points)
        for point, click in zip(points, clicks, strict=True):
            if self._stop.is_set():
                raise Stopped
            seconds = self._seconds_held()
            hold = partial(self._stop.wait, seconds) if seconds > 0 else None
            self._pointer.click(point, click.detail, hold)
            self._sent.append(click)
            self._await_arrival()

    def _await_arrival(self) -> None:
        """Wait until the window manager has let go of the click; it is microseconds mostly."""
        for _ in range(_ARRIVAL_LOOKS):
            if not self._held():
                return
            self._stop.wait(_ARRIVAL_INTERVAL)
        raise HandError(
            "a mouse button stays down: let go of it, and start again; nothing more is clicked"
        )


def parking(grid: Grid, screen: Region) -> Point | None:
    """A place close to the board, off its cells and off the screen's edge.

    None where the board fills the screen: its skin's hover look is then met.
    """
    board = grid.region
    gap_x, gap_y = grid.pitch_x / 4, grid.pitch_y / 4
    beside = (
        Point(board.left - gap_x, board.top - gap_y),
        Point(board.right + gap_x, board.bottom + gap_y),
        Point(board.right + gap_x, board.top - gap_y),
        Point(board.left - gap_x, board.bottom + gap_y),
    )
    inner = Region(screen.left + 2, screen.top + 2, screen.width - 4, screen.height - 4)
    return next((point for point in beside if inner.holds(point)), None)
