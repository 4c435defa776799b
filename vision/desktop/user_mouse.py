"""Detect the user's mouse while the run moves the pointer.

Where the events of devices are available (`Desktop.open_input_events`), a motion or a press that
was not announced by `expect` is the user's, be it made with a mouse or sent by somebody's program
from a distance (x11vnc, xdotool). A window manager or a game that merely puts the pointer elsewhere
is not taken for the user, and neither is a table that is bumped into: it takes a few motions within
a moment.

Input in a window of this program (the panel, its dialogs, menus and tooltips) is no override:
the user presses Pause there, or reads the board. The run leaves him the pointer: it sends nothing
while he moves it there or holds a button, borrows it for a batch of clicks once it has rested,
and puts it back where it was. It also waits while he types there: a click gives the game the
keyboard. That a key was pressed is noticed, not which one.

The pointer in a corner of a monitor ends the run, however it came there. Of a program that puts
it there no device tells, so its place is asked for as well: before each batch, with each motion
of the run, after each click, and every tenth of a second.

Elsewhere (Windows and macOS, never tried by us, and X servers of before 2011) only the pointer's
place is compared with where it was left, before each click: a program that moves it is taken for
the user there, and a click without a motion is not noticed.
"""

from __future__ import annotations

import os
import select
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from bot.frame import Point, Region
from bot.loop import Stopped
from vision.desktop.protocol import InputEvent, InputEvents, InputKind, PointerState
from vision.desktop.session import desktop

_MOTIONS: Final = 3
_MOMENT: Final = 0.15
"""So many motions of a device, within so many seconds, are a hand: a slow mouse (PS/2) sends
40 a second."""
_REST: Final = 0.3
"""Seconds without a motion after which a mouse is at rest, and without a key a keyboard."""
_SLIGHTLY: Final = 3.0
"""Points by which the pointer may be off where only its place is known."""
_CORNER_SECONDS: Final = 0.1
"""Between two questions whether the pointer is in a corner: a user does not notice so much."""


class BorrowedPointer:
    """The pointer, which the run borrows from a user who has it in a window of this program.

    Its methods are called in the thread that plays.

    Args:
        cornered: Called, in any thread, when the pointer has come into a corner of a monitor.
    """

    def __init__(self, cornered: Callable[[], None]) -> None:
        self._tell_corner = cornered
        self._put: Point | None = None
        """Where the run, or a start in a corner, has put the pointer last."""
        self._put_before: Point | None = None
        self._home: Point | None = None
        """Where the user has it, if that is in a window of this program."""
        self._seen: Point | None = None
        self._own_top = 0
        """The outermost window of this program that the pointer was over last."""
        self._lent = self._parked = False
        self._watching = False
        self.in_use = False
        """Whether the user moves the mouse in such a window while the pointer is borrowed."""
        self.cornered = False
        """Whether the pointer was in a corner of a monitor."""

    def expect(self, point: Point, presses: int) -> None:  # noqa: ARG002 - for those who hear them
        """Register an upcoming motion or press so that it is not mistaken for the user's."""
        self._put_before, self._put = self._put, _rounded(point)

    def note_position(self, place: Point) -> None:
        """Register where the pointer was just before it was put where `expect` said."""
        self.notice(place, self._put_before)

    def borrow_pointer(self, wait: Callable[[float], bool]) -> bool:
        """Wait until the user does not use this program's windows, then take the pointer.

        Returns:
            Whether that had to be waited for.

        Raises:
            Stopped: `wait`, an event's, returned True.
        """
        waited = False
        while self._used():
            waited = True
            if wait(_REST):
                raise Stopped
        self.in_use, self._lent = False, True
        return waited

    def position_to_restore(self) -> Point | None:
        """Return where to put the borrowed pointer back; None if it is to stay where it is."""
        # In a corner the pointer ends the run, and stays there.
        if self.cornered or self._home is None or (state := desktop().pointer_state()) is None:
            return None
        # Put elsewhere by a program, it is left there; a mouse was meant to be moved at home.
        if state.place != self._put and (self._own(state) or not self.in_use):
            self._home = None
        return self._home

    def return_pointer(self) -> None:
        """Leave the pointer to the user."""
        self._lent = self.in_use = False
        self._parked = self._home is None

    def button_held(self) -> bool:
        """Return whether a mouse button is down, and notice a corner by the way."""
        put, state = self._put, desktop().pointer_state()
        if state is None:
            return False
        self.notice(state.place, put)
        return state.button

    def notice(self, place: Point, put: Point | None = None) -> None:
        """Register where the pointer was found: a corner of a monitor ends the run.

        Args:
            place: Where.
            put: Where it had been put before that was asked.
        """
        if not self._watching or self.cornered or place in (put, self._put):
            return
        if in_corner(place, desktop().monitors()):
            self.cornered = True
            self._tell_corner()

    def _watch_corners(self) -> None:
        """Begin to; a pointer that is in one already does not count."""
        state = desktop().pointer_state()
        self._put = None if state is None else state.place
        self._watching, self.cornered = True, False

    def _used(self) -> bool:
        """Return whether the user moves, clicks or types in a window of this program."""
        put, state = self._put, desktop().pointer_state()
        if state is None:
            return False
        self.notice(state.place, put)
        if state.modifier or self._typed_lately():
            focused = desktop().focused()
            if focused is not None and focused.own:
                return True
        moved = state.place not in (self._put, self._seen)
        self._seen = state.place
        # Parked by the run, it is not the user's, even if the panel lies there by now.
        parked = self._parked and state.place == self._put
        self._home = state.place if not parked and self._own(state) else None
        if self._home is None:
            return False
        # An open menu takes all clicks, and closes at the first one outside.
        return moved or state.button or self._recent() or desktop().is_popup(state.top)

    def _recent(self) -> bool:
        """Whether the mouse has not come to rest, as far as that is known."""
        return False

    def _typed_lately(self) -> bool:
        """Return whether the keyboard has not come to rest, as far as that is known."""
        return False

    def _own(self, state: PointerState) -> bool:
        if state.top in (0, self._own_top):
            return state.top != 0
        own = desktop().is_own(state.top)
        if own:
            self._own_top = state.top
        return own


class UserMouse(BorrowedPointer):
    """Detects the user's input by the events of all devices, in a thread of its own.

    Args:
        events: The devices' events; closed at the end.
        taken: Called in that thread when the user takes the mouse, and, with True, when the
            pointer is in a corner of a monitor.
    """

    def __init__(self, events: InputEvents, taken: Callable[[bool], None]) -> None:
        super().__init__(lambda: taken(True))
        self._tell = taken
        self._raw = events
        self._hear, self._wake = os.pipe()
        self._expected: dict[Point, bool] = {}
        """Where the run has put the pointer, and whether that was away from the user's place."""
        self._away = False
        """The same of the last motion of ours that was heard."""
        self._unheard = 0
        """Presses that were announced and not heard yet."""
        self._motions: deque[float] = deque(maxlen=_MOTIONS)
        self._stirred, self._typed = -_REST, -_REST
        """When a mouse did something last, and when a key was pressed last."""
        self._minding = self._taken = False
        self._gate = threading.RLock()
        self._thread = threading.Thread(target=self._run, name="user's mouse", daemon=True)
        self._thread.start()

    @property
    def overridden(self) -> bool:
        """Whether the user took the mouse; waits while what was heard is being judged."""
        with self._gate:
            return self._taken

    def expect(self, point: Point, presses: int) -> None:
        """Register an upcoming motion or press so that it is not mistaken for the user's."""
        super().expect(point, presses)
        place = _rounded(point)
        self._expected[place] = self._lent and self._home not in (None, place)
        if presses:
            with self._gate:
                self._unheard += presses

    def wait_until_idle(self, wait: Callable[[float], bool]) -> None:
        """Wait until the mouse is at rest; from then on it counts when it is taken.

        Raises:
            Stopped: `wait`, an event's, returned True.
        """
        while (left := self._stirred + _REST - time.monotonic()) > 0:
            if wait(left):
                raise Stopped
        with self._gate:
            self._motions.clear()
            self._minding, self._taken = True, False
        if not self._watching:
            self._watch_corners()

    def close(self) -> None:
        """Hear nothing any more."""
        os.write(self._wake, b".")
        self._thread.join()

    def _recent(self) -> bool:
        return time.monotonic() < self._stirred + _REST

    def _typed_lately(self) -> bool:
        return time.monotonic() < self._typed + _REST

    def _run(self) -> None:
        # A server that has gone is told of by whoever clicks.
        try:
            with suppress(OSError):
                while (ready := self._waited()) is not None:
                    if ready:
                        self._weigh(self._raw.pop_events())
                    elif self._watching:
                        self.button_held()
        finally:
            self._raw.close()
            os.close(self._wake)
            os.close(self._hear)

    def _waited(self) -> bool | None:
        """Wait until something is heard, but not for long; None at the end."""
        if self._raw.pending:
            return True
        watched = [self._hear, self._raw.handle]
        ready = select.select(watched, [], [], _CORNER_SECONDS)[0]
        return None if self._hear in ready else bool(ready)

    def _weigh(self, heard: list[InputEvent]) -> None:
        if any(raw.kind is InputKind.KEY for raw in heard):
            self._typed = time.monotonic()
        mice = [raw for raw in heard if raw.kind is not InputKind.KEY]
        foreign = [(raw, self._away) for raw in mice if not self._ours(raw)]
        if foreign:
            with self._gate:
                self._judge(foreign)

    def _judge(self, foreign: list[tuple[InputEvent, bool]]) -> None:
        """Find out whether somebody else's input is an override.

        Args:
            foreign: It; and whether the pointer was away from the user's place then.
        """
        now = self._stirred = time.monotonic()
        put, lent = self._put, self._lent
        state = desktop().pointer_state()
        # The run may have taken the pointer just before or after this was asked.
        lent = self._home is not None and (lent or self._lent)
        inside = not self._taken and state is not None and self._own(state)
        if lent:
            self.in_use = True
        for raw, away in foreign:
            if raw.kind is InputKind.PRESS and self._home is not None:
                # Away it fell upon the game, wherever the pointer is by now.
                at_home = not away and (lent or inside)
            else:
                at_home = inside or (lent and _meant_at_home(raw))
            if at_home:
                continue
            self._motions.append(now)
            enough = len(self._motions) == _MOTIONS and now - self._motions[0] < _MOMENT
            if self._minding and not self._taken and (_meant(raw) or enough):
                # Told first: whoever then finds it taken waits until the user goes on.
                self._tell(False)
                self._taken = True
        if state is not None:
            self.notice(state.place, put)

    def _ours(self, raw: InputEvent) -> bool:
        if not raw.sent:
            return False
        if raw.kind is InputKind.MOTION:
            away = None if raw.point is None else self._expected.get(raw.point)
            self._away = self._away if away is None else away
            return away is not None
        with self._gate:
            ours = self._unheard > 0
            self._unheard -= ours
        return ours


class PlaceOnly(BorrowedPointer):
    """Knows where the pointer is, and no more.

    Args:
        place: Where it is.
        cornered: Called when it is in a corner of a monitor, as far as that is known.
    """

    def __init__(
        self, place: Callable[[], Point], cornered: Callable[[], None] = lambda: None
    ) -> None:
        super().__init__(cornered)
        self._place = place
        self._left: Point | None = None

    @property
    def overridden(self) -> bool:
        """Whether the pointer is not where it was left, and in no window of this program."""
        if self._left is None:
            return False
        place = self._place()
        off = max(abs(place.x - self._left.x), abs(place.y - self._left.y))
        if off <= _SLIGHTLY:
            return False
        state = desktop().pointer_state()
        return state is None or not self._own(state)

    def expect(self, point: Point, presses: int) -> None:
        """Register where the pointer is about to be put."""
        super().expect(point, presses)
        self._left = point

    def wait_until_idle(self, wait: Callable[[float], bool]) -> None:
        """Wait until the pointer stays where it is; from then on it counts when it is elsewhere.

        Raises:
            Stopped: `wait`, an event's, returned True.
        """
        self._left, before = None, self._place()
        while not wait(_REST):
            place = self._place()
            if place == before:
                if not self._watching:
                    self._watch_corners()
                return
            before = place
        raise Stopped

    def close(self) -> None:
        """Nothing."""


def user_mouse(taken: Callable[[bool], None], place: Callable[[], Point]) -> UserMouse | PlaceOnly:
    """Return what detects the user's mouse on this desktop.

    Args:
        taken: As `UserMouse` takes it; called for corners alone if only the pointer's place is
            known.
        place: Where the pointer is.
    """
    events = desktop().open_input_events()
    return PlaceOnly(place, lambda: taken(True)) if events is None else UserMouse(events, taken)


def in_corner(point: Point, monitors: list[Region]) -> bool:
    """Return whether a point is a corner of a monitor: the last pixel in both directions."""
    return any(
        point.x in (one.left, one.right - 1) and point.y in (one.top, one.bottom - 1)
        for one in monitors
    )


def _rounded(point: Point) -> Point:
    return Point(round(point.x), round(point.y))


def _meant_at_home(raw: InputEvent) -> bool:
    """Return whether a mouse was moved in a window of this program, the pointer being borrowed.

    A program that sends a motion says where to.
    """
    if raw.point is None:
        return True
    window = desktop().window_at(raw.point)
    return window is not None and window.own


def _meant(raw: InputEvent) -> bool:
    """Return whether this alone shows a will: presses do, and events that a program sends."""
    return raw.sent or raw.kind is InputKind.PRESS
