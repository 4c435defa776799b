"""Send the moves of a turn as clicks, the way that the program needs them.

`Mouse` checks all points of a batch before its first click. Then, for each click, it moves the
pointer, checks once more, and presses the button. It releases the button on the cell only if the
window has not changed: most programs act on the release.

A `Pointer` sends the events; `vision.desktop` has one for each window system.

Programs differ in what they accept as a click:

- `AdaptiveTiming`: programs in a browser ignore a click without a pause between press and release.
  Programs that query the pointer when they handle the release (`winfo_pointerxy` of Tk) use the
  cell to which it has moved on. Programs that query it once for each frame that they draw, before
  the press, use the cell at which it was then. A skin says what its program needs. Otherwise a
  click without effect is repeated with a longer press and with the pointer resting on the cell
  before and after it. If that helps, the next lost click tells which of the three is needed, and
  every later click is made that way. A longer press sometimes also gives a busy program time to
  handle the release: if clicks are still lost, another one is needed.
- `ChordGesture`: programs chord by different clicks. A chord is sent only to an open hint around
  which all mines carry flags, so every gesture is safe to try: the right one opens proved safe
  cells, and a click on an open hint does nothing else. Gestures are tried in the order of the harm
  that they could do in a program that means something else by them.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Final, Literal, NamedTuple, Protocol, get_args

from bot.board import UNOPENED, UNREAD, Board
from bot.effects import is_restart
from bot.frame import Grid, Point, Reading, Region
from bot.loop import Event, Stopped, Turn
from bot.planner import Action, Move

_log = logging.getLogger(__name__)

CORNER: Final = "Stopped: the pointer was moved into a corner of the screen."
_ARRIVAL_INTERVAL: Final = 0.0001
"""Seconds between two checks whether a click has arrived, or an obstacle is gone."""
_ARRIVAL_SECONDS: Final = 3.0
"""Seconds before that is an error: far longer than any window manager held a click."""
_BUTTONS: Final = {Action.OPEN: "left", Action.FLAG: "right"}
_BOTH: Final = "left+right"
"""A click with both buttons: the second one is pressed and released while the first one is down."""


class MouseError(RuntimeError):
    """The mouse cannot be moved, or must not be moved; the message says why and what to do."""


class Pointer(Protocol):
    """Sends events to the desktop.

    Every method raises MouseError if the event cannot be sent. Points are rounded to whole ones. A
    button that an earlier process left down is released before the first click.
    """

    @property
    def position(self) -> Point:
        """The pointer's position, in points."""

    def move(self, point: Point) -> Point | None:
        """Move the pointer to a point; return its position just before, None if unknown."""

    def click(self, point: Point, button: str, hold: Callable[[], object] | None) -> None:
        """Press and release a button at a point; call `hold` between the two.

        `button` is left, middle, right or left+right, as the user means them: an implementation
        swaps them for a left-handed mouse.

        The pointer has been put there just before, or onto a pixel beside it by `Desktop.steer`:
        it is not moved again. The button is released where the pointer is after `hold`, even if
        that raises.
        """

    def press(self, key: str) -> None:
        """Type a key, by pyautogui's name for it; several held together as `ctrl+n`."""


class UserGuard(Protocol):
    """Stops clicks while the user uses the mouse."""

    def expect(self, point: Point, presses: int) -> None:
        """Register an upcoming event so that it is not mistaken for user input.

        Args:
            point: Its position.
            presses: Number of presses.
        """

    def note_position(self, place: Point) -> None:
        """Register the pointer's position just before it was moved."""

    def yield_to_user(self) -> None:
        """Return at once unless the user has moved the mouse.

        Raises:
            Exception: The user has; the planned clicks must be dropped.
        """

    def sending(self) -> AbstractContextManager[None]:
        """Return a context in which one event is sent; user input is checked after it.

        Raises:
            Exception: As `yield_to_user` raises.
        """

    def borrowed(self) -> AbstractContextManager[None]:
        """Return a context for carrying out a turn, which uses the user's pointer.

        Raises:
            Exception: The user needs the pointer; the planned clicks must be dropped.
        """


class NoUser:
    """No user: nothing interrupts the clicks."""

    def expect(self, point: Point, presses: int) -> None:
        """Do nothing."""

    def note_position(self, place: Point) -> None:
        """Do nothing."""

    def yield_to_user(self) -> None:
        """Do nothing."""

    def sending(self) -> AbstractContextManager[None]:
        """Return a context that does nothing."""
        return nullcontext()

    borrowed = sending


class ClickTiming(NamedTuple):
    """Durations within a click."""

    hold: float = 0.0
    """Seconds between press and release."""
    stay: float = 0.0
    """Seconds for which the pointer stays on the cell after the release."""
    rest: float = 0.0
    """Seconds for which the pointer rests on the cell before the press."""


Pause = Literal["hold", "stay", "rest"]
PAUSES: Final[tuple[Pause, ...]] = get_args(Pause)
"""The names of a click's durations."""


class ClickStyle(NamedTuple):
    """The click requirements of a program."""

    timing: ClickTiming = ClickTiming()
    chord: str | None = "middle"
    """The gesture of a chord, one of `GESTURES`; None if there is none."""


@dataclass(frozen=True)
class ClickChecks:
    """Checks of the game's window before and after each event; see `vision.click_guard.ClickGuard`.

    Each may raise, which drops the remaining clicks.
    """

    before_batch: Callable[[Sequence[Point]], None]
    """Raises unless all points to be clicked belong to the game's window."""
    button_down: Callable[[], bool]
    """Returns whether a button still counts as down: the click has not arrived yet."""
    before_press: Callable[[Point], str | None] = lambda _point: None
    """Called just before each press, with the pointer there. Returns an obstacle, in words, or
    None; raises if the point no longer belongs to the game."""
    before_release: Callable[[Point], str | None] = lambda _point: None
    """The same just before each release, with the button down."""
    release_point: Callable[[], Point | None] = lambda: None
    """Returns where to release a button that must not be released on the cell; None for the
    pointer's present position."""


class Mouse:
    """Sends the clicks of turns.

    Args:
        pointer: Sends the events.
        checks: Checks the game's window around each click.
        stop: Once set, nothing more is sent.
        screen: The part of the desktop in which the pointer may be parked.
        user: Interrupts the clicks.
        style: Returns how the program needs its clicks; called before each of them.
    """

    def __init__(
        self,
        pointer: Pointer,
        checks: ClickChecks,
        stop: threading.Event,
        screen: Region,
        user: UserGuard | None = None,
        style: Callable[[], ClickStyle] = ClickStyle,
    ) -> None:
        self._pointer = pointer
        self._checks = checks
        self._stop = stop
        self._screen = screen
        self._user = user or NoUser()
        self._style = style
        self._sent: list[Event] = []

    @property
    def idle(self) -> bool:
        """Whether nothing was sent since the last `pop_events`."""
        return not self._sent

    def pop_events(self) -> tuple[Event, ...]:
        """Return the events sent since the last call."""
        sent, self._sent = tuple(self._sent), []
        return sent

    def press(self, key: str) -> None:
        """Type a key into the window that has the keyboard.

        Raises:
            Stopped: The stop event was set.
            Exception: As `UserGuard.yield_to_user` raises.
        """
        with self._sending():
            self._pointer.press(key)
        self._sent.append(Event("key", key, None))

    def act(self, turn: Turn) -> None:
        """Send all moves of a turn, then park the pointer off the board.

        A restart is a click on the board's face.

        Raises:
            Stopped: The stop event was set; the rest was not sent.
            MouseError: The mouse cannot be moved, or must not be.
            ValueError: The next game is to start, and the board has no face.
            Exception: As `ClickChecks` and `UserGuard` raise.
        """
        with self._user.borrowed():
            self._act(turn)

    def uncover(self, reading: Reading) -> bool:
        """Park the pointer if it is on a board with unread tiles, of which it may highlight one.

        After the board was resized, the highlighted cell need not be the one below the pointer.

        Returns:
            Whether it was on such a board.

        Raises:
            Exception: As `act` raises.
        """
        unread = bool((reading.board.tiles == UNREAD).any())
        if not unread or reading.grid.cell_at(self._pointer.position) is None:
            return False
        self.act(Turn(0, reading, None, ()))
        return True

    def click(self, point: Point, grid: Grid) -> None:
        """Click on a button of a dialog, then park the pointer off the board.

        Args:
            point: The button's position.
            grid: The grid of the board.

        Raises:
            Exception: As `act` raises.
        """
        with self._user.borrowed():
            self._click([Event("button", "left", point)])
            self._park(parking_points(grid, self._screen)[:1])

    def _act(self, turn: Turn) -> None:
        grid = turn.reading.grid
        places = parking_points(grid, self._screen)
        if is_restart(turn.moves) and grid.face is not None:
            center = grid.face.center
            beside = grid.cell_at(center) is None
            self._click([Event("button" if beside else "click", "left", center)])
            if not beside:
                self._park(places[:1])
            return
        self._click([event for move in turn.moves for event in self._events(grid, move)])
        # Without moves the board cannot be read: the cell under the pointer may be highlighted, or
        # may count as pressed because its window was minimised between press and release. A motion
        # ends that, even if the pointer is parked already.
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
        gesture = self._style().chord
        if gesture is None:
            raise ValueError("this program has no known chord gesture")
        if gesture == "double":
            return [Event("click", "left", point)] * 2
        return [Event("click", _BOTH if gesture == "both" else gesture, point)]

    def _click(self, clicks: Sequence[Event]) -> None:
        _log.debug("Clicks: %s", clicks)
        points = [click.point for click in clicks if click.point is not None]
        self._checks.before_batch(points)
        for point, click in zip(points, clicks, strict=True):
            timing = self._style().timing
            if timing.rest > 0:
                self._move(point)
                self._stop.wait(timing.rest)
            self._put(point)
            first, *others = click.detail.split("+")
            hold = partial(self._press_first, click, point, others, timing.hold)
            self._pointer.click(point, first, hold)
            # While a window manager holds the click back, moving the pointer would move the
            # release to another cell.
            self._await(self._button_down)
            if timing.stay > 0:
                self._stop.wait(timing.stay)

    def _button_down(self) -> str | None:
        return "a mouse button is held down: release it" if self._checks.button_down() else None

    def _put(self, point: Point) -> None:
        """Move the pointer to a point until nothing is in the way of a click.

        Nothing slow comes between the last check and the press.
        """

        def obstacle() -> str | None:
            self._move(point)
            with self._sending():
                found = self._checks.before_press(point)
                if found is None:
                    self._user.expect(point, 1)
            return found

        self._await(obstacle)

    def _press_first(
        self, click: Event, point: Point, others: Sequence[str], seconds: float
    ) -> None:
        """Keep the first button down while others are pressed and released.

        Some programs act on the press: it counts as sent even if it is not released on the game.
        """
        self._sent.append(click)
        self._hold(point, seconds, others)

    def _hold(self, point: Point, seconds: float, others: Sequence[str] = ()) -> None:
        """Keep a button down until the press has arrived and the program has had enough time.

        If the window was moved since the last check, the button is not released on the game.
        """
        with ExitStack() as undo:
            # After any exception the button is released off the game.
            undo.callback(self._leave_game)
            self._await(lambda: self._checks.before_release(point))
            for other in others:
                self._user.expect(point, 1)
                self._pointer.click(point, other, partial(self._hold, point, seconds))
            if seconds > 0:
                self._stop.wait(seconds)
                self._await(lambda: self._checks.before_release(point))
            undo.pop_all()

    def _leave_game(self) -> None:
        """Move the pointer to where a button must be released that is not to be released on it."""
        if (place := self._checks.release_point()) is not None:
            self._user.expect(place, 0)
            self._pointer.move(place)

    def _move(self, point: Point) -> None:
        with self._sending():
            self._user.expect(point, 0)
            before = self._pointer.move(point)
        if before is not None:
            self._user.note_position(before)

    def _sending(self) -> AbstractContextManager[None]:
        if self._stop.is_set():
            raise Stopped
        return self._user.sending()

    def _await(self, obstacle: Callable[[], str | None]) -> None:
        """Wait until nothing is in the way, mostly for microseconds.

        A window manager may delay a click, or the user may hold a key down.
        """
        end = time.perf_counter() + _ARRIVAL_SECONDS
        while (words := obstacle()) is not None:
            if time.perf_counter() > end:
                raise MouseError(f"{words}, and play again; nothing more is clicked")
            if self._stop.wait(_ARRIVAL_INTERVAL):
                raise Stopped


def parking_points(grid: Grid, screen: Region) -> list[Point]:
    """Return points next to the corners of the board where the pointer may rest, best first.

    A pointer's picture extends to the right and down from it: at the top left, one that a program
    draws itself covers cells. Empty if the board fills the screen: the skin's hover look is then
    expected.
    """
    board = grid.region
    gap_x, gap_y = grid.pitch_x / 4, grid.pitch_y / 4
    beside = (
        Point(board.right + gap_x, board.top - gap_y),
        Point(board.left - gap_x, board.bottom + gap_y),
        Point(board.right + gap_x, board.bottom + gap_y),
        Point(board.left - gap_x, board.top - gap_y),
    )
    inner = Region(screen.left + 2, screen.top + 2, screen.width - 4, screen.height - 4)
    return [point for point in beside if inner.contains(point)]


_LONGER: Final = ClickTiming(hold=0.03, stay=0.1, rest=0.05)
"""Timing tried for a click without effect. Games in a browser accepted none of eight clicks held
for 0 s, four at 0.005, all at 0.02. Users do not notice the stay, and a program that needs longer
is stuck. The rest lasts a frame of a program that draws 20 a second."""
_NO_DOUBLE: Final = 0.6
"""Seconds between two clicks that are no double-click: some programs take any two fast clicks for
one, wherever they are."""
CONFIRMATIONS: Final = 2
"""Successes in a row before a longer time is kept. A single click may be lost for another reason
(the first one on a window behind others), and slow clicks make a game several times as long."""


class AdaptiveTiming:
    """The press duration, the stay and the rest that a program needs, learned from lost clicks.

    Args:
        timing: The timing by the skin.
        adopted: Called with a name of `ClickTiming` and its new seconds once they have proved to
            help.

    Attributes:
        timing: The timing of the next click.
    """

    def __init__(
        self,
        timing: ClickTiming = ClickTiming(),  # noqa: B008 - frozen
        adopted: Callable[[Pause, float], None] = lambda _name, _seconds: None,
    ) -> None:
        self.timing = timing
        self._adopted = adopted
        self._in_a_row = 0
        self._shorter: float | None = None
        """The press duration before a longer one was adopted."""
        self._lost = False

    def note_success(self) -> None:
        """Register that clicks had their effect."""
        self._in_a_row = 0

    def retry_timings(self) -> list[ClickTiming]:
        """Return the timings with which to repeat a click that had no effect, in order."""
        self._lost = True
        hold, stay, rest = self.timing
        longer_stay = min(max(2 * stay, _LONGER.stay), _NO_DOUBLE)
        every = ClickTiming(max(2 * hold, _LONGER.hold), longer_stay, max(2 * rest, _LONGER.rest))
        # A program that polls the mouse may draw a frame in 0.1 s.
        last = [every, every._replace(hold=4 * every.hold), every._replace(stay=_NO_DOUBLE)]
        if not self._in_a_row:
            return last
        short = hold if self._shorter is None else self._shorter
        held = ClickTiming(every.hold, stay, rest)
        others = [ClickTiming(short, every.stay, rest), ClickTiming(short, stay, every.rest)]
        first = [held, *others] if self._shorter is None else [*others, held]
        return [*first, *last]

    def pop_lost(self) -> bool:
        """Return whether any click had no effect since the last call."""
        lost, self._lost = self._lost, False
        return lost

    @contextmanager
    def trying(self, timing: ClickTiming) -> Iterator[None]:
        """Use this timing in the block, which repeats clicks and raises if they have no effect."""
        with self._using(timing):
            yield
            self._in_a_row += 1
        if self._in_a_row == CONFIRMATIONS:
            self._in_a_row = 0
            self._adopt(timing)

    def slowed(self, *, again: bool = False) -> AbstractContextManager[None]:
        """Return a context with the longer timing, for clicks that are not repeated.

        With `again`, the pointer stays for as long as a program may draw a frame.
        """
        longer = _LONGER._replace(stay=_NO_DOUBLE) if again else _LONGER
        return self._using(ClickTiming(*map(max, self.timing, longer)))

    @contextmanager
    def _using(self, timing: ClickTiming) -> Iterator[None]:
        usual, self.timing = self.timing, timing
        try:
            yield
        finally:
            self.timing = usual

    def _adopt(self, timing: ClickTiming) -> None:
        _log.info("Clicks take effect with %s; before: %s", timing, self.timing)
        before, self.timing = self.timing, timing
        if timing.hold != before.hold:
            self._shorter = before.hold
        for name in PAUSES:
            if (seconds := getattr(timing, name)) != getattr(before, name):
                self._adopted(name, seconds)


GESTURES: Final = ("left", "double", "middle", "both")
"""Clicks that programs take for a chord: with the left or the middle button, a double click, and
with the left and the right button together."""
NO_CHORDS: Final = "none"
"""A skin's entry for a program in which no gesture has an effect."""


class ChordGesture:
    """The gesture by which a program chords, found by trial if the skin does not name it.

    Args:
        known: The skin's entry: a gesture, `NO_CHORDS`, or None.
        likely: The first gesture to try if the skin has no entry.
        tries: Whether other gestures than the skin's may be tried.

    Attributes:
        gesture: The gesture of the next chord; None if cells are opened one by one.
        effects: How often this gesture had an effect.
        failed: Whether no gesture had an effect.
    """

    def __init__(self, known: str | None, likely: str | None, *, tries: bool) -> None:
        self._tries = tries
        self.gesture = None if known == NO_CHORDS else known
        if known is None and tries:
            self.gesture = likely or GESTURES[0]
        self.effects = 0
        self.failed = False

    def alternatives(self) -> Sequence[str]:
        """Return the gestures to try if the present one has no effect."""
        return [one for one in GESTURES if one != self.gesture] if self._tries else ()

    def switch_to(self, gesture: str) -> None:
        """Use another gesture from now on."""
        _log.info("Chords by '%s' have no effect: trying '%s'", self.gesture, gesture)
        self.gesture, self.effects = gesture, 0

    def note_effect(self, before: Board, moves: Sequence[Move]) -> None:
        """Register that moves had their effect.

        Args:
            before: The board on which they were made. A chord on a cell opened by the same moves
                proves nothing: together with that click it may be a double click.
            moves: The moves.
        """
        chords = [move.cell for move in moves if move.action is Action.CHORD and move.cell]
        self.effects += any(before[cell] not in UNOPENED for cell in chords)

    def give_up(self) -> None:
        """Stop chording because no gesture has an effect."""
        self.gesture, self.effects, self.failed = None, 0, True
