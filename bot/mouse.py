"""The hand: moves become clicks.

`Hand` turns the moves of a turn into events. All points of a batch are checked before its
first click; then for each click the pointer is put there, looked at once more, and only then
the button is pressed. It is released only if the window is still as it was: most programs act on
the release. A `Pointer` sends the events: `SystemPointer` moves the real mouse through pyautogui,
`DryPointer` only writes down what it would have done (X11 has a faster one, `vision.x11.pointer`).
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, redirect_stdout
from functools import partial
from typing import Any, Final, NamedTuple, Protocol, TextIO

from bot.board import UNOPENED, Board
from bot.effects import is_restart
from bot.frame import Grid, Point, Region
from bot.loop import Event, Stopped, Turn
from bot.planner import Action, Move

CORNER: Final = "Stopped: the pointer was moved into a corner of the screen."
_ARRIVAL_INTERVAL: Final = 0.0001
_ARRIVAL_LOOKS: Final = 10000
_BUTTONS: Final = {Action.OPEN: "left", Action.FLAG: "right"}
_BOTH: Final = "left+right"
"""A click with both: the second one is pressed and released while the first one is down."""


class MouseError(RuntimeError):
    """The mouse cannot be moved, or must not be; the message says why and what to do."""


class Pointer(Protocol):
    """Whatever sends events to the desktop."""

    @property
    def position(self) -> Point:
        """Where the pointer is."""

    def move(self, point: Point) -> Point | None:
        """Put the pointer there; return where it was just before, None if that is not known."""

    def click(self, point: Point, button: str, hold: Callable[[], object] | None) -> None:
        """Press and release there; `hold` is called between the two.

        The pointer has been put there just before. The button is released where the pointer is
        after `hold`, even if that raises.
        """

    def press(self, key: str) -> None:
        """Type a key, by pyautogui's name for it; several held together as `ctrl+n`."""


class UserGuard(Protocol):
    """Whoever the mouse belongs to: the user comes first."""

    def expect(self, point: Point, presses: int) -> None:
        """Register what is about to be sent, so that it is not taken for somebody else's.

        Args:
            point: Where.
            presses: How many; -1 for one that was registered and is not sent.
        """

    def note_position(self, place: Point) -> None:
        """Register where the pointer was just before it was moved."""

    def yield_to_user(self) -> None:
        """Return at once, unless the user took the mouse.

        Raises:
            Exception: He did: what was to be done is not done any more.
        """


class NoUser:
    """No user who could take the mouse."""

    def expect(self, point: Point, presses: int) -> None:
        """Nothing."""

    def note_position(self, place: Point) -> None:
        """Nothing."""

    def yield_to_user(self) -> None:
        """Nothing."""


class SystemPointer:
    """The real mouse and keyboard.

    pyautogui opens the display when it is imported, so it is imported here, late, and by
    the thread that clicks.

    Args:
        fail_safe: Whether pyautogui looks for the pointer in a corner of the main monitor.

    Raises:
        HandError: There is no display to open.
    """

    def __init__(self, *, fail_safe: bool = True) -> None:
        self._pyautogui = _load_pyautogui()
        self._pyautogui.FAILSAFE = fail_safe

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
        self._send(self._pyautogui.mouseDown, x, y, button=button)
        try:
            hold()
        finally:
            self._release(button)

    def press(self, key: str) -> None:
        """Type a key, by pyautogui's name for it; several held together as `ctrl+n`."""
        keys = key.split("+") if len(key) > 1 else [key]
        self._send(self._pyautogui.hotkey, *keys)

    def _release(self, button: str) -> None:
        """Release a button wherever the pointer is; in a corner pyautogui would leave it down."""
        library = self._pyautogui
        fail_safe, library.FAILSAFE = library.FAILSAFE, False
        try:
            self._send(library.mouseUp, button=button)
        finally:
            library.FAILSAFE = fail_safe
        self._send(lambda _pause: library.failSafeCheck())

    def _send(self, function: Callable[..., object], *args: object, **options: object) -> None:
        try:
            function(*args, _pause=False, **options)
        except self._pyautogui.FailSafeException as error:
            raise MouseError(CORNER) from error


def _load_pyautogui() -> Any:
    # Its helper for finding coordinates ends the whole process where tkinter is missing.
    sys.modules.setdefault("mouseinfo", None)  # type: ignore[arg-type]
    try:
        # Xlib prints where a display asks for no cookie.
        with silence_stdout():
            import pyautogui  # noqa: PLC0415 - opens the display at import
    except Exception as error:
        raise MouseError(
            f"the mouse of display {os.environ.get('DISPLAY') or '(none)'} cannot be reached "
            f"({error}): run 'minesweeper-bot doctor'"
        ) from error
    pyautogui.PAUSE = 0
    return pyautogui


class RecordingPointer:
    """A pointer that only writes down what it would do."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.position = Point(0, 0)

    def move(self, point: Point) -> None:
        """Write it down."""
        self.position = point
        self.events.append(Event("move", "", point))

    def click(self, point: Point, button: str, hold: Callable[[], object] | None) -> None:
        """Write it down."""
        if hold is not None:
            hold()
        self.events.append(Event("click", button, point))

    def press(self, key: str) -> None:
        """Write it down."""
        self.events.append(Event("key", key, None))


class Mouse:
    """Carries out turns.

    Args:
        pointer: Sends the events.
        guard: Raises unless each of the points to be clicked belongs to the game's window.
        stop: Once set, nothing more is sent.
        held: Whether a button still counts as down: the click has not arrived yet.
        aim: Called just before each press, with the pointer there. What is still in the way,
            in words, or None; raises where the point does not belong to the game any more.
        still: The same with the button down, just before each release.
        aside: Where to release a button that was pressed in vain; None for where it is.
        user: Comes first.
        borrowed: Has the pointer from the user while a turn is carried out.
        screen: The part of the desktop in which the pointer may be parked.
        hold: Seconds between press and release that the program needs; asked before each click.
        stay: Seconds for which the pointer has to stay after the release; asked after each click.
        chord: How the program is chorded, see `Chording`; asked before each chord.
    """

    def __init__(
        self,
        pointer: Pointer,
        *,
        guard: Callable[[Sequence[Point]], None],
        stop: threading.Event,
        held: Callable[[], bool],
        screen: Region,
        aim: Callable[[Point], str | None] = lambda _point: None,
        still: Callable[[Point], str | None] = lambda _point: None,
        aside: Callable[[], Point | None] = lambda: None,
        user: UserGuard | None = None,
        borrowed: Callable[[], AbstractContextManager[None]] = nullcontext,
        hold: Callable[[], float] = lambda: 0.0,
        stay: Callable[[], float] = lambda: 0.0,
        chord: Callable[[], str | None] = lambda: "middle",
    ) -> None:
        self._pointer = pointer
        self._guard = guard
        self._stop = stop
        self._held = held
        self._aim = aim
        self._still = still
        self._aside = aside
        self._user = user or NoUser()
        self._borrowed = borrowed
        self._screen = screen
        self._seconds_held = hold
        self._seconds_stayed = stay
        self._chord = chord
        self._sent: list[Event] = []

    @property
    def idle(self) -> bool:
        """Whether nothing was sent since `take_sent` was called last."""
        return not self._sent

    def pop_events(self) -> tuple[Event, ...]:
        """Return what was sent since this was asked last."""
        sent, self._sent = tuple(self._sent), []
        return sent

    def press(self, key: str) -> None:
        """Type a key into the window that has the keyboard.

        Raises:
            Stopped: The stop event was set.
            Exception: As `User.give_way` raises.
        """
        self._give_way()
        self._pointer.press(key)
        self._sent.append(Event("key", key, None))

    def act(self, turn: Turn) -> None:
        """Send the moves of a turn in one go, then park the pointer off the board.

        The next game is started by a click on the board's face.

        Raises:
            Stopped: The stop event was set; the rest was not sent.
            HandError: The mouse cannot be moved, or must not be.
            ValueError: The next game is to start, and the board has no face.
            Exception: As `guard`, `aim`, `borrowed` and `User.give_way` raise.
        """
        with self._borrowed():
            self._act(turn)

    def click(self, point: Point, grid: Grid) -> None:
        """Click on a button of a dialog, then park the pointer off the board.

        Args:
            point: Where.
            grid: Of the board.

        Raises:
            Exception: As `act` raises.
        """
        with self._borrowed():
            self._click([Event("click", "left", point)])
            self._park(_parkings(grid, self._screen)[:1])

    def _act(self, turn: Turn) -> None:
        grid = turn.reading.grid
        places = _parkings(grid, self._screen)
        if is_restart(turn.moves) and grid.face is not None:
            self._click([Event("click", "left", grid.face.center)])
            if grid.cell_at(grid.face.center) is not None:
                self._park(places[:1])
            return
        self._click([event for move in turn.moves for event in self._events(grid, move)])
        # Nothing to click: the board cannot be read. A cell under the pointer may look like no
        # other, and so does one that counts as held down since its window was minimised between
        # press and release: that ends with a motion, even if the pointer is parked already.
        self._park(places[:1] if turn.moves else places[1::-1])

    def _park(self, places: Sequence[Point]) -> None:
        for place in places:
            self._move(place)
            self._sent.append(Event("move", "", place))

    def _events(self, grid: Grid, move: Move) -> list[Event]:
        if move.cell is None:
            raise ValueError(f"a move of kind {move.action.value} needs a cell")
        point = grid.center(move.cell)
        if move.action is not Action.CHORD:
            return [Event("click", _BUTTONS[move.action], point)]
        gesture = self._chord()
        if gesture is None:
            raise ValueError("it is not known how this program is chorded")
        if gesture == "double":
            return [Event("click", "left", point)] * 2
        return [Event("click", _BOTH if gesture == "both" else gesture, point)]

    def _click(self, clicks: Sequence[Event]) -> None:
        points = [click.point for click in clicks if click.point is not None]
        self._guard(points)
        for point, click in zip(points, clicks, strict=True):
            self._put(point)
            first, *others = click.detail.split("+")
            self._pointer.click(point, first, partial(self._press_first, click, point, others))
            # A pointer that moves on while a window manager holds the click back takes the
            # release along, to another cell.
            self._await(lambda: "a mouse button stays down: let go of it" if self._held() else None)
            if (stay := self._seconds_stayed()) > 0:
                self._stop.wait(stay)

    def _put(self, point: Point) -> None:
        """Put the pointer there, until nothing is in the way of a click.

        Nothing that may take time comes between the last look and the press.
        """

        def obstacle() -> str | None:
            self._move(point)
            self._user.expect(point, 1)
            found: str | None = "unknown"
            try:
                found = self._aim(point)
            finally:
                if found is not None:
                    self._user.expect(point, -1)
            return found

        self._await(obstacle)

    def _press_first(self, click: Event, point: Point, others: Sequence[str]) -> None:
        """Keep the first button down, while others are pressed and released.

        Some programs act on the press: it counts as sent even if it is not released upon the
        game.
        """
        self._sent.append(click)
        self._hold(point, others)

    def _hold(self, point: Point, others: Sequence[str] = ()) -> None:
        """Keep a button down until the press has arrived, and for as long as it has to be.

        The window may have been moved since the last look, or while a window manager held the
        press back: it is then not released upon the game.
        """
        try:
            self._await(lambda: self._still(point))
            for other in others:
                self._user.expect(point, 1)
                self._pointer.click(point, other, partial(self._hold, point))
            if (seconds := self._seconds_held()) > 0:
                self._stop.wait(seconds)
                self._await(lambda: self._still(point))
        except BaseException:
            if (place := self._aside()) is not None:
                self._user.expect(place, 0)
                self._pointer.move(place)
            raise

    def _move(self, point: Point) -> None:
        self._give_way()
        self._user.expect(point, 0)
        if (before := self._pointer.move(point)) is not None:
            self._user.note_position(before)

    def _give_way(self) -> None:
        if self._stop.is_set():
            raise Stopped
        self._user.yield_to_user()

    def _await(self, obstacle: Callable[[], str | None]) -> None:
        """Wait until nothing is in the way: it is microseconds mostly.

        A window manager may hold a click back, or somebody a key down.
        """
        words = ""
        for _ in range(_ARRIVAL_LOOKS):
            found = obstacle()
            if found is None:
                return
            words = found
            if self._stop.wait(_ARRIVAL_INTERVAL):
                raise Stopped
        raise MouseError(f"{words}, and play again; nothing more is clicked")


def parking(grid: Grid, screen: Region) -> Point | None:
    """Return a place close to the board, off its cells and off the screen's edge.

    None where the board fills the screen: its skin's hover look is then met.
    """
    return next(iter(_parkings(grid, screen)), None)


def _parkings(grid: Grid, screen: Region) -> list[Point]:
    """Return the places at the corners of the board, the best one first."""
    board = grid.region
    gap_x, gap_y = grid.pitch_x / 4, grid.pitch_y / 4
    beside = (
        Point(board.left - gap_x, board.top - gap_y),
        Point(board.right + gap_x, board.bottom + gap_y),
        Point(board.right + gap_x, board.top - gap_y),
        Point(board.left - gap_x, board.bottom + gap_y),
    )
    inner = Region(screen.left + 2, screen.top + 2, screen.width - 4, screen.height - 4)
    return [point for point in beside if inner.holds(point)]


_LONGER: Final = 0.03
"""Seconds: games in a browser took none of eight clicks at 0, four at 0.005, all at 0.02."""
_STAY: Final = 0.1
"""Seconds: a user does not notice so much, and a program that takes longer is stuck."""
CONFIRMATIONS: Final = 2
"""Times in a row; a single click may be lost for another reason (the first one on a window that
was not in front), and holding every click makes a game several times as long."""


class ClickTiming(NamedTuple):
    """How a click is made."""

    hold: float
    """Seconds between press and release."""
    stay: float
    """Seconds for which the pointer stays on the cell after the release."""


class AdaptiveTiming:
    """What a program needs, as far as that is known.

    Args:
        seconds: Between press and release; what the skin says.
        needed: Called with a longer time once that was found out.
        stay: Seconds after the release; what the skin says.
        stay_needed: Called with a longer time once that was found out.

    Attributes:
        seconds: Between press and release, of the next click.
        stay: After its release.
    """

    def __init__(
        self,
        seconds: float = 0.0,
        needed: Callable[[float], None] = lambda _seconds: None,
        stay: float = 0.0,
        stay_needed: Callable[[float], None] = lambda _seconds: None,
    ) -> None:
        self.seconds = seconds
        self.stay = stay
        self._needed = needed
        self._stay_needed = stay_needed
        self._in_a_row = 0
        self._shorter: float | None = None
        """How long a press lasted before a longer one was found to help."""
        self._lost = False

    def note_success(self) -> None:
        """Register that clicks had their effect."""
        self._in_a_row = 0

    def retry_timings(self) -> list[ClickTiming]:
        """Return in which ways to make a click again that had no effect, one after the other."""
        self._lost = True
        longer, stay = max(2 * self.seconds, _LONGER), max(2 * self.stay, _STAY)
        both = ClickTiming(longer, stay)
        if not self._in_a_row:
            return [both]
        held = ClickTiming(longer, self.stay)
        if self._shorter is None:
            return [held, ClickTiming(self.seconds, stay), both]
        return [ClickTiming(self._shorter, stay), held, both]

    def pop_lost(self) -> bool:
        """Return whether any click had no effect since this was asked last."""
        lost, self._lost = self._lost, False
        return lost

    @contextmanager
    def trying(self, timing: ClickTiming) -> Iterator[None]:
        """Click so within the block, in which clicks are made again; it raises if in vain."""
        usual = self.seconds, self.stay
        self.seconds, self.stay = timing
        try:
            yield
            self._in_a_row += 1
        finally:
            self.seconds, self.stay = usual
        if self._in_a_row == CONFIRMATIONS:
            self._in_a_row = 0
            self._adopt(timing)

    @contextmanager
    def slowed(self) -> Iterator[None]:
        """Click within the block so that no program loses it: for clicks that are made once."""
        usual = self.seconds, self.stay
        self.seconds, self.stay = max(self.seconds, _LONGER), max(self.stay, _STAY)
        try:
            yield
        finally:
            self.seconds, self.stay = usual

    def _adopt(self, timing: ClickTiming) -> None:
        if timing.hold != self.seconds:
            self._shorter, self.seconds = self.seconds, timing.hold
            self._needed(timing.hold)
        if timing.stay != self.stay:
            self.stay = timing.stay
            self._stay_needed(timing.stay)


GESTURES: Final = ("left", "double", "middle", "both")
"""A click with the left or the middle button, a double click, and the left and the right button
held together."""
NO_CHORDS: Final = "none"
"""Known of a program in which none of them has an effect."""


class ChordGesture:
    """How a program is chorded, as far as that is known.

    Args:
        known: What the skin says: a gesture, `NO_CHORDS`, or None.
        likely: What is tried first if nothing is known.
        tries: Whether anything else than what is known may be tried.

    Attributes:
        gesture: With which the next chord is made; None if cells are opened one by one.
        worked: How often this gesture was seen to have its effect.
        failed: Whether every gesture was tried in vain.
    """

    def __init__(self, known: str | None, likely: str | None, *, tries: bool) -> None:
        self._tries = tries
        self.gesture = None if known == NO_CHORDS else known
        if known is None and tries:
            self.gesture = likely or GESTURES[0]
        self.effects = 0
        self.failed = False

    def alternatives(self) -> Sequence[str]:
        """Return the gestures to try after the present one had no effect."""
        return [one for one in GESTURES if one != self.gesture] if self._tries else ()

    def switch_to(self, gesture: str) -> None:
        """Make the next chord in another way."""
        self.gesture, self.effects = gesture, 0

    def note_effect(self, before: Board, moves: Sequence[Move]) -> None:
        """Register that moves had their effect.

        Args:
            before: What they were made on. A chord on a cell that is opened by the same moves
                proves nothing: together with that click it may be a double click.
            moves: Those.
        """
        chords = [move.cell for move in moves if move.action is Action.CHORD and move.cell]
        self.effects += any(before[cell] not in UNOPENED for cell in chords)

    def give_up(self) -> None:
        """Register that no gesture had an effect: cells are opened one by one from now on."""
        self.gesture, self.effects, self.failed = None, 0, True


_TURN: Final = threading.RLock()


@contextmanager
def silence_stdout() -> Iterator[None]:
    """Nothing is printed by this thread meanwhile."""
    # A build without a console has none.
    with _TURN, redirect_stdout(_ForOthers(sys.stdout)) if sys.stdout else nullcontext():
        yield


class _ForOthers:
    """Standard output of all threads but the one that makes this."""

    def __init__(self, stdout: TextIO) -> None:
        self._stdout = stdout
        self._silent = threading.get_ident()

    def write(self, text: str) -> int:
        if threading.get_ident() == self._silent:
            return len(text)
        return self._stdout.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stdout, name)
