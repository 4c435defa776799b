"""Send the moves of a turn as clicks, the way that the program needs them.

`Mouse` checks all points of a batch before its first click. Then, for each click, it moves the
pointer, checks once more, and presses the button. It releases the button on the cell only if the
window has not changed: most programs act on the release.

A `Pointer` sends the events; `vision.desktop` has one for each window system.

Programs differ in what they accept as a click:

- `AdaptiveTiming`: programs in a browser ignore a click without a pause between press and release.
  Programs that query the pointer when they handle the release (`winfo_pointerxy` of Tk) use the
  cell to which it has moved on. A skin says what its program needs. Otherwise a click without
  effect is repeated with a longer press and with the pointer staying on the cell. If that helps,
  the next lost click tells which of the two is needed, and every later click is made that way. A
  longer press sometimes also gives a busy program time to handle the release: if clicks are still
  lost, the other one is needed.
- `ChordGesture`: programs chord by different clicks. A chord is sent only to an open hint around
  which all mines carry flags, so every gesture is safe to try: the right one opens proved safe
  cells, and a click on an open hint does nothing else. Gestures are tried in the order of the harm
  that they could do in a program that means something else by them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from typing import Final, NamedTuple, Protocol

from bot.board import UNOPENED, Board
from bot.effects import is_restart
from bot.frame import Grid, Point, Region
from bot.loop import Event, Stopped, Turn
from bot.planner import Action, Move

CORNER: Final = "Stopped: the pointer was moved into a corner of the screen."
_ARRIVAL_INTERVAL: Final = 0.0001
"""Seconds between two checks whether a click has arrived, or an obstacle is gone."""
_ARRIVAL_CHECKS: Final = 10_000
"""Checks before that is an error: one second, far longer than any window manager held a click."""
_BUTTONS: Final = {Action.OPEN: "left", Action.FLAG: "right"}
_BOTH: Final = "left+right"
"""A click with both: the second one is pressed and released while the first one is down."""


class MouseError(RuntimeError):
    """The mouse cannot be moved, or must not be; the message says why and what to do."""


class Pointer(Protocol):
    """Sends events to the desktop."""

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
    """Stops clicks while the user uses the mouse; see `bot.manners.UserOverride`."""

    def expect(self, point: Point, presses: int) -> None:
        """Register an upcoming event so that it is not mistaken for user input.

        Args:
            point: Its position.
            presses: Number of presses; -1 takes back one that is not sent after all.
        """

    def note_position(self, place: Point) -> None:
        """Register where the pointer was just before it was moved."""

    def yield_to_user(self) -> None:
        """Return at once unless the user has moved the mouse.

        Raises:
            Exception: The user has; the planned clicks must be dropped.
        """


class NoUser:
    """No user: nothing interrupts the clicks."""

    def expect(self, point: Point, presses: int) -> None:
        """Do nothing."""

    def note_position(self, place: Point) -> None:
        """Do nothing."""

    def yield_to_user(self) -> None:
        """Do nothing."""


class Mouse:
    """Sends the clicks of turns.

    Args:
        pointer: Sends the events.
        guard: Raises unless all points to be clicked belong to the game's window.
        stop: Once set, nothing more is sent.
        held: Returns whether a button still counts as down: the click has not arrived yet.
        aim: Called just before each press, with the pointer there. Returns an obstacle, in words,
            or None; raises if the point no longer belongs to the game.
        still: The same just before each release, with the button down.
        aside: Returns where to release a button that must not be released on the cell; None
            for its present position.
        user: Interrupts the clicks.
        borrowed: Context in which a turn is carried out: borrows the pointer from the user.
        screen: The part of the desktop in which the pointer may be parked.
        hold: Returns the seconds between press and release; called before each click.
        stay: Returns the seconds for which the pointer stays after the release.
        chord: Returns the gesture of a chord, one of `GESTURES`.
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
        self._give_way()
        self._pointer.press(key)
        self._sent.append(Event("key", key, None))

    def act(self, turn: Turn) -> None:
        """Send all moves of a turn, then park the pointer off the board.

        A restart is a click on the board's face.

        Raises:
            Stopped: The stop event was set; the rest was not sent.
            MouseError: The mouse cannot be moved, or must not be.
            ValueError: The next game is to start, and the board has no face.
            Exception: As `guard`, `aim`, `borrowed` and `UserGuard.yield_to_user` raise.
        """
        with self._borrowed():
            self._act(turn)

    def click(self, point: Point, grid: Grid) -> None:
        """Click on a button of a dialog, then park the pointer off the board.

        Args:
            point: Its position.
            grid: The board's grid.

        Raises:
            Exception: As `act` raises.
        """
        with self._borrowed():
            self._click([Event("click", "left", point)])
            self._park(parking_points(grid, self._screen)[:1])

    def _act(self, turn: Turn) -> None:
        grid = turn.reading.grid
        places = parking_points(grid, self._screen)
        if is_restart(turn.moves) and grid.face is not None:
            self._click([Event("click", "left", grid.face.center)])
            if grid.cell_at(grid.face.center) is not None:
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
        gesture = self._chord()
        if gesture is None:
            raise ValueError("this program has no known chord gesture")
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
            # While a window manager holds the click back, moving the pointer would move the
            # release to another cell.
            self._await(lambda: "a mouse button stays down: let go of it" if self._held() else None)
            if (stay := self._seconds_stayed()) > 0:
                self._stop.wait(stay)

    def _put(self, point: Point) -> None:
        """Move the pointer to a point until nothing is in the way of a click.

        Nothing slow comes between the last check and the press.
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
        """Keep the first button down while others are pressed and released.

        Some programs act on the press: it counts as sent even if it is not released on the game.
        """
        self._sent.append(click)
        self._hold(point, others)

    def _hold(self, point: Point, others: Sequence[str] = ()) -> None:
        """Keep a button down until the press has arrived and the program has had enough time.

        If the window was moved since the last check, the button is not released on the game.
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
        """Wait until nothing is in the way, mostly for microseconds.

        A window manager may delay a click, or the user may hold a key down.
        """
        words = ""
        for _ in range(_ARRIVAL_CHECKS):
            found = obstacle()
            if found is None:
                return
            words = found
            if self._stop.wait(_ARRIVAL_INTERVAL):
                raise Stopped
        raise MouseError(f"{words}, and play again; nothing more is clicked")


def parking_points(grid: Grid, screen: Region) -> list[Point]:
    """Return points next to the corners of the board where the pointer may rest, best first.

    Empty if the board fills the screen: the skin's hover look is then expected.
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
    return [point for point in beside if inner.holds(point)]


_LONGER_PRESS: Final = 0.03
"""Seconds. Games in a browser took none of eight clicks at 0, four at 0.005, all at 0.02."""
_LONGER_STAY: Final = 0.1
"""Seconds. Users do not notice it, and a program that needs longer is stuck."""
CONFIRMATIONS: Final = 2
"""Successes in a row before a longer time is kept. A single click may be lost for another reason
(the first one on a window behind others), and slow clicks make a game several times as long."""


class ClickTiming(NamedTuple):
    """How a click is made."""

    hold: float
    """Seconds between press and release."""
    stay: float
    """Seconds for which the pointer stays on the cell after the release."""


class AdaptiveTiming:
    """The press duration and the stay that a program needs, learned from lost clicks.

    Args:
        seconds: Press duration by the skin.
        needed: Called with a new press duration once it has proved to help.
        stay: Seconds that the pointer stays after the release, by the skin.
        stay_needed: Called with a new stay once it has proved to help.

    Attributes:
        seconds: Press duration of the next click.
        stay: Stay after the next click.
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
        """The press duration before a longer one was adopted."""
        self._lost = False

    def note_success(self) -> None:
        """Register that clicks had their effect."""
        self._in_a_row = 0

    def retry_timings(self) -> list[ClickTiming]:
        """Return the timings with which to repeat a click that had no effect, in order."""
        self._lost = True
        longer, stay = max(2 * self.seconds, _LONGER_PRESS), max(2 * self.stay, _LONGER_STAY)
        both = ClickTiming(longer, stay)
        if not self._in_a_row:
            return [both]
        held = ClickTiming(longer, self.stay)
        if self._shorter is None:
            return [held, ClickTiming(self.seconds, stay), both]
        return [ClickTiming(self._shorter, stay), held, both]

    def pop_lost(self) -> bool:
        """Return whether any click had no effect since the last call."""
        lost, self._lost = self._lost, False
        return lost

    @contextmanager
    def trying(self, timing: ClickTiming) -> Iterator[None]:
        """Use this timing in the block, which repeats clicks and raises if they have no effect."""
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
        """Click in the block with the longer timing, for clicks that are not repeated."""
        usual = self.seconds, self.stay
        self.seconds, self.stay = max(self.seconds, _LONGER_PRESS), max(self.stay, _LONGER_STAY)
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
