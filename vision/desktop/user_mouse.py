"""Detect the user's mouse while the run moves the pointer.

Where the events of devices are available (`Desktop.open_input_events`), a motion or a press that
was not announced by `expect` is the user's, whether made with a mouse or sent by a program, also
remotely (x11vnc). A window manager or a game that moves the pointer once does not count as the
user, nor does a single motion caused by vibration: several motions within a short time are
required, or several places of the pointer within a second that no event explains (`xdotool
mousemove`).

Input in a window of this program (the panel, its dialogs, menus and tooltips) is no override: the
user presses Pause there, or reads the board. The run sends nothing while the user moves the pointer
there or holds a button. It uses the pointer for a batch of clicks once it has rested, and moves it
back afterwards. The pointer has to rest for two seconds, so that it is not taken from a control
that the user is about to press; a moment is enough after Play, Resume and Step. The run also waits
while the user types there, because a click gives the game the keyboard. Only the fact that a key
was pressed is recorded, not the key.

The pointer in a corner of a monitor ends the run. If a program moves it there, no device reports
that, so its position is queried as well: before each batch, with each motion of the run, after each
click, and every tenth of a second.

On other systems (macOS, untested, and X servers from before 2011) only the pointer's position is
compared with its last known one, before each click: a program that moves it counts as the user, and
a click without a motion is not detected.
"""

from __future__ import annotations

import logging
import select
import socket
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from math import inf
from typing import Final, Protocol

from bot.frame import Point, Region
from bot.loop import Stop
from bot.mouse import CORNER, Pointer
from bot.waiting import Waits
from vision.click_guard import SessionGone, find_cause
from vision.desktop import desktop
from vision.desktop.base import InputEvent, InputEvents, InputKind, PointerState

_log = logging.getLogger(__name__)

PAUSED_BY_USER: Final = "Paused because you moved the mouse"
_RESTING: Final = "Waiting until you leave the mouse and the keyboard for a moment"


@dataclass(frozen=True)
class UserLimits:
    """Limits of what counts as input of the user, in seconds and points."""

    motions: int = 3
    moment: float = 0.15
    """Number of motions within a number of seconds that count as the user: a slow mouse (PS/2)
    sends 40 a second."""
    sweep: float = 1.0
    """Seconds within which so many unexplained places of the pointer count as the user."""
    rest: float = 0.3
    """Seconds without a motion after which a mouse is at rest, or without a key press, a
    keyboard."""
    interval: float = 0.02
    """Seconds between two checks whether it has come to rest."""
    abandoned: float = 2.0
    """The same for a mouse in a window of this program: the user may be about to press a
    control."""
    resuming: float = 0.5
    """Seconds after Play, Resume or Step in which motions do not count as the start of something
    else."""
    tremble: float = 20.0
    """Distance in points by which a mouse may move after the click that starts a run."""
    slightly: float = 3.0
    """Tolerance in points of the pointer's position on systems that report only that."""
    corner_seconds: float = 0.1
    """Seconds between two checks whether the pointer is in a corner: a user does not notice the
    delay."""


_USER: Final = UserLimits()


class Interrupted(Exception):
    """The planned clicks were dropped: the board may have changed meanwhile."""


class MouseInUse(RuntimeError):
    """The user moved the mouse, and the run cannot be resumed."""


class Supervisor(Protocol):
    """Receiver of the user's input; see `gui.runner.protocol.Operator`."""

    @property
    def stopped(self) -> Stop:
        """Set to end the run, and all waiting in it."""

    @property
    def can_override(self) -> bool:
        """Whether the user may take the mouse, which pauses the run; if not, it ends the run."""

    @property
    def allowed(self) -> bool:
        """Whether the run is not paused."""

    def report(self, waiting: str, /) -> None:
        """Show the reason for waiting; empty for none."""

    def pause(self, why: str, /) -> None:
        """Pause until the user resumes, without waiting; called in any thread."""

    def wait_until_resumed(self) -> None:
        """Wait until the user resumes; raise `Stopped` at a stop."""


class UserMouse:
    """The user's input: stops the clicks while the user moves the mouse (`bot.mouse.UserGuard`).

    Each event of the run is registered before it is sent, and before each event it is checked
    whether the user moved the mouse. If so, nothing more is sent: the run waits until the user
    resumes it and the mouse has come to rest. Then it drops the planned clicks (`Interrupted`) and
    reads the board again.

    This class uses the pointer's position alone, which every system tells. Its methods are called
    in the thread that plays.

    Args:
        supervisor: The supervisor of the run.
        pointer: The pointer that the run moves.
        began: The pointer's position when the user started the run, if known.
    """

    def __init__(
        self, supervisor: Supervisor, pointer: Pointer, began: Point | None = None
    ) -> None:
        self._supervisor, self._pointer, self._began = supervisor, pointer, began
        self._waits = Waits(supervisor.stopped.wait, supervisor.report)
        self._puts: tuple[Point | None, Point | None] = None, None
        """The last two positions to which the run, or a start in a corner, moved the pointer. While
        it is being moved to the last one it is still at the other."""
        self._left_at: Point | None = None
        """The position where the run has left the pointer, once the mouse has been at rest."""
        self._home: Point | None = None
        """The user's pointer position, if that is in a window of this program."""
        self._seen: Point | None = None
        self._own_top = 0
        """The outermost window of this program that was last under the pointer."""
        self._borrowed = self._parked = False
        self._watching = False
        self._moved_at = self._resumed_at = -inf
        """Times of the user's last motion or press, and of the last start or resumption (monotonic
        clock)."""
        self.in_use = False
        """Whether the user moves the mouse in such a window while the pointer is borrowed."""
        self.cornered = False
        """Whether the pointer was in a corner of a monitor."""
        self.expected = self.needed = False
        """Whether the user was asked to act, and whether only the user can uncover the game: then
        the user may use the mouse."""

    @property
    def overridden(self) -> bool:
        """Whether the pointer is off its expected position, outside this program's windows."""
        if self._left_at is None:
            return False
        if _distance(self._pointer.position, self._left_at) <= _USER.slightly:
            return False
        state = desktop().pointer_state()
        return state is None or not self._is_own_window(state)

    def judging_delayed(self) -> AbstractContextManager[object]:
        """Return a context in which no override is detected."""
        return nullcontext()

    def close(self) -> None:
        """Stop listening."""

    # Sending

    def expect(self, point: Point, presses: int) -> None:  # noqa: ARG002 - for those that hear it
        """Register an upcoming motion or press so that it is not mistaken for user input."""
        self._puts = self._puts[1], _rounded(point)
        self._left_at = point

    def note_position(self, place: Point) -> None:
        """Register the pointer's position just before it was put where `expect` announced."""
        self.notice(place)

    @contextmanager
    def sending(self) -> Iterator[None]:
        """Send one event in the block. Once a pause has been reported, no pointer moves any more.

        Raises:
            Exception: As `yield_to_user` raises.
        """
        while True:
            self.yield_to_user()
            with self.judging_delayed():
                if not self.overridden:
                    yield
                    return

    @contextmanager
    def borrowed(self) -> Iterator[None]:
        """Borrow the pointer for the block; then put it back if it was in a window of this program.

        Raises:
            Interrupted: The user was using such a window, and has stopped moving the mouse.
            Stopped: The user stopped.
        """
        if self.borrow_pointer():
            self.return_pointer()
            raise Interrupted
        try:
            yield
        finally:
            with self.judging_delayed():
                home = None if self.overridden else self.position_to_restore()
                if home is not None:
                    self.expect(home, 0)
                    self._pointer.move(home)
            self.return_pointer()

    def yield_to_user(self) -> None:
        """Return at once unless the user has moved the mouse.

        Raises:
            Interrupted: The user has, and resumed; or moves it in a window of this program.
            MouseInUse: The user has, and the run cannot be resumed.
            Stopped: The user has, and stopped the run.
        """
        if not self.overridden:
            if self._borrowed and self.in_use:
                raise Interrupted
            return
        if not self._supervisor.can_override:
            raise MouseInUse(
                "The run ended because you moved the mouse. Play again when you no longer need it."
            )
        _log.info("The user moves the mouse: waiting")
        self._supervisor.wait_until_resumed()
        self.wait_until_idle()
        raise Interrupted

    # Waiting

    @contextmanager
    def acting(self) -> Iterator[None]:
        """Let the user move the mouse in the block, then wait until it is at rest."""
        self.expected = True
        try:
            yield
        finally:
            self.expected = False
        self.wait_until_idle()

    def wait_until_idle(self) -> None:
        """Wait until the mouse is at rest; later motions count as an override.

        Raises:
            Stopped: The user stopped.
        """
        self._left_at = None
        before: Point | None = None

        def rests() -> bool:
            nonlocal before
            place, before = before, self._pointer.position
            return place == before

        self._waits.until(rests, every=_USER.rest, why=_RESTING)
        self._note_rest()

    def borrow_pointer(self) -> bool:
        """Wait until the user does not use this program's windows, then take the pointer.

        Returns:
            Whether waiting was necessary.

        Raises:
            Stopped: The user stopped.
        """
        waited = False

        def is_free() -> bool:
            nonlocal waited
            used = self._is_used()
            waited |= used
            return not used

        self._waits.until(is_free, every=_USER.rest, why=_RESTING)
        self.in_use, self._borrowed = False, True
        return waited

    def position_to_restore(self) -> Point | None:
        """Return where to put the pointer back; None if it is to stay at its position."""
        # In a corner the pointer ends the run, and stays there.
        if self.cornered or self._home is None or (state := desktop().pointer_state()) is None:
            return None
        # A pointer that a program moved stays there; one moved in this program's window counts as
        # used.
        if state.place != self._puts[1] and (self._is_own_window(state) or not self.in_use):
            self._home = None
        return self._home

    def return_pointer(self) -> None:
        """Give the pointer back to the user."""
        self._borrowed = self.in_use = False
        self._parked = self._home is None

    def note_resumption(self) -> None:
        """Register that the user wants the run to go on now."""
        self._resumed_at = time.perf_counter()

    def button_held(self) -> bool:
        """Return whether a mouse button is down; also check for a corner."""
        puts, state = self._puts, desktop().pointer_state()
        if state is None:
            return False
        self.notice(state.place, puts)
        return state.button

    def notice(self, place: Point, puts: tuple[Point | None, ...] = ()) -> None:
        """Register the pointer's position: a corner of a monitor ends the run.

        Args:
            place: The position.
            puts: Where the run had put the pointer before the position was queried.
        """
        if not self._watching or self.cornered or place in (*puts, *self._puts):
            return
        if in_corner(place, desktop().monitors()):
            self.cornered = True
            self._supervisor.stopped.stop(CORNER, failed=True)

    def _note_rest(self) -> None:
        """Register the position at which the mouse has come to rest, for later comparison.

        The first call starts watching the corners; a pointer already in one does not count.
        """
        self.note_resumption()
        state = desktop().pointer_state()
        self._seen = None if state is None else state.place
        if not self._watching:
            self._puts = self._seen, self._seen
            if self._seen and self._began and _distance(self._seen, self._began) > _USER.tremble:
                self._moved_at, self._resumed_at = self._resumed_at, -inf
            self._watching, self.cornered = True, False

    def _is_used(self) -> bool:
        """Return whether the user moves, clicks or types in a window of this program."""
        puts, state = self._puts, desktop().pointer_state()
        if state is None:
            return False
        self.notice(state.place, puts)
        if state.modifier or self._is_typing():
            focused = desktop().focused()
            if focused is not None and focused.own:
                return True
        moved = state.place not in (self._puts[1], self._seen)
        self._seen = state.place
        # A pointer parked by the run is not the user's, even if the panel is there now.
        parked = self._parked and state.place == self._puts[1]
        self._home = state.place if not parked and self._is_own_window(state) else None
        if self._home is None:
            return False
        if moved:
            self._moved_at = time.perf_counter()
        resuming = self._moved_at < self._resumed_at + _USER.resuming
        in_use = time.perf_counter() < self._moved_at + (
            _USER.rest if resuming else _USER.abandoned
        )
        # An open menu receives all clicks, and closes at the first one outside.
        return state.button or in_use or desktop().is_popup(state.top)

    def _is_typing(self) -> bool:
        """Return whether the user is typing, as far as known."""
        return False

    def _is_own_window(self, state: PointerState) -> bool:
        if state.top in (0, self._own_top):
            return state.top != 0
        own = desktop().is_own(state.top)
        if own:
            self._own_top = state.top
        return own


class DeviceMouse(UserMouse):
    """The user's input by the events of all devices, which a thread of its own receives.

    Args:
        events: The devices' events; closed at the end.
        supervisor, pointer, began: As for `UserMouse`.
    """

    def __init__(
        self,
        events: InputEvents,
        supervisor: Supervisor,
        pointer: Pointer,
        began: Point | None = None,
    ) -> None:
        super().__init__(supervisor, pointer, began)
        self._events = events
        self._wake_read, self._wake_write = socket.socketpair()  # no pipe: `select` of Windows
        self._expected: dict[Point, bool] = {}
        """Positions announced by the run, each with whether it was away from the user's
        position."""
        self._away = False
        """Whether the last motion of the run that was received was away from the user's
        position."""
        self._announced_presses = 0
        """Presses that were announced and not received yet."""
        self._motions: deque[float] = deque(maxlen=_USER.motions)
        self._found: deque[tuple[float, Point]] = deque(maxlen=_USER.motions)
        """When and where the pointer was found last that neither the run nor a device put there."""
        self._typed_at = -inf
        """Time of the last key press (monotonic clock)."""
        self._enabled = self._taken = False
        self._lock = threading.RLock()
        self._thread = threading.Thread(target=self._run, name="user's mouse", daemon=True)
        self._thread.start()

    @property
    def overridden(self) -> bool:
        """Whether the user took the mouse; waits while events are being evaluated."""
        with self._lock:
            return self._taken

    def expect(self, point: Point, presses: int) -> None:
        """Register an upcoming motion or press so that it is not mistaken for user input."""
        super().expect(point, presses)
        place = _rounded(point)
        self._expected[place] = self._borrowed and self._home not in (None, place)
        if presses:
            with self._lock:
                self._announced_presses += presses

    def notice(self, place: Point, puts: tuple[Point | None, ...] = ()) -> None:
        """Register where the pointer was found."""
        super().notice(place, puts)
        # A press is made a pixel to the right of its point.
        ours = any(Point(place.x - beside, place.y) in self._expected for beside in (0, 1))
        again = bool(self._found) and self._found[-1][1] == place
        if self._watching and not (ours or again or place == self._seen or self._is_moving()):
            self._found.append((time.perf_counter(), place))

    def judging_delayed(self) -> AbstractContextManager[object]:
        """Return a context in which no override is detected."""
        return self._lock

    def wait_until_idle(self) -> None:
        """Wait until the mouse is at rest; later motions count as an override.

        Raises:
            Stopped: The user stopped.
        """
        self._waits.until(lambda: not self._is_moving(), every=_USER.interval, why=_RESTING)
        with self._lock:
            self._motions.clear()
            self._found.clear()
            self._enabled, self._taken = True, False
        self._note_rest()

    def close(self) -> None:
        """Stop listening, and end the thread."""
        self._wake_write.send(b".")
        self._thread.join()
        self._wake_write.close()
        self._wake_read.close()

    def _is_moving(self) -> bool:
        return time.perf_counter() < self._moved_at + _USER.rest

    def _is_typing(self) -> bool:
        return time.perf_counter() < self._typed_at + _USER.rest

    def _run(self) -> None:
        try:
            while (ready := self._wait_for_events()) is not None:
                if ready:
                    self._handle(self._events.pop_events())
                elif self._watching:
                    self.button_held()
                if len(self._found) == _USER.motions:
                    with self._lock:
                        self._judge_places()
        except OSError:
            self._end()
        finally:
            self._events.close()

    def _wait_for_events(self) -> bool | None:
        """Wait for events for a limited time; return whether some came, None at the end."""
        if self._events.pending:
            return True
        watched = [self._wake_read.fileno(), self._events.handle]
        ready = select.select(watched, [], [], _USER.corner_seconds)[0]
        return None if watched[0] in ready else bool(ready)

    def _handle(self, events: list[InputEvent]) -> None:
        if any(raw.kind is InputKind.KEY for raw in events):
            self._typed_at = time.perf_counter()
        mice = [raw for raw in events if raw.kind is not InputKind.KEY]
        foreign = [(raw, self._away) for raw in mice if not self._is_ours(raw)]
        if foreign:
            with self._lock:
                self._judge(foreign)

    def _judge(self, foreign: list[tuple[InputEvent, bool]]) -> None:
        """Decide whether input that the run did not send is an override.

        With each event: whether the pointer was away from the user's place.
        """
        now = self._moved_at = time.perf_counter()
        puts, lent = self._puts, self._borrowed
        state = desktop().pointer_state()
        # The run may have taken the pointer just before or after this query.
        lent = self._home is not None and (lent or self._borrowed)
        inside = not self._taken and state is not None and self._is_own_window(state)
        if lent:
            self.in_use = True
        for raw, away in foreign:
            if raw.kind is InputKind.PRESS and self._home is not None:
                # A press with the pointer away hit the game, wherever the pointer is now.
                at_home = not away and (lent or inside)
            elif raw.point is None or (state is not None and state.place == raw.point):
                at_home = inside or (lent and _is_in_own_window(raw.point))
            else:
                # The run has moved the pointer since.
                at_home = _is_in_own_window(raw.point)
            if at_home:
                continue
            self._motions.append(now)
            enough = len(self._motions) == _USER.motions and now - self._motions[0] < _USER.moment
            # One press is enough, and one event that a program sends.
            enough |= raw.sent or raw.kind is InputKind.PRESS
            if enough:
                self._take()
        if state is not None:
            self.notice(state.place, puts)

    def _judge_places(self) -> None:
        """Find out whether a pointer that no device moved is moved by the user."""
        found = list(self._found)
        self._found.clear()
        if len(found) < _USER.motions or found[-1][0] - found[0][0] > _USER.sweep:
            self._found.extend(found[1:])
        elif not any(_is_in_own_window(place) for _, place in found):
            self._moved_at = time.perf_counter()
            self._take()

    def _take(self) -> None:
        if self._enabled and not self._taken:
            # Reported first, so that the run waits until the user resumes.
            if self._supervisor.can_override and not (self.expected or self.needed):
                self._supervisor.pause(PAUSED_BY_USER)
            self._taken = True

    def _end(self) -> None:
        """End a paused run if the window system has gone; another run reports that itself."""
        cause = find_cause(OSError())
        if isinstance(cause, SessionGone) and not self._supervisor.allowed:
            self._supervisor.stopped.stop(f"Stopped: {cause}.", failed=True)

    def _is_ours(self, raw: InputEvent) -> bool:
        if not raw.sent:
            return False
        if raw.kind is InputKind.MOTION:
            away = None if raw.point is None else self._expected.get(raw.point)
            self._away = self._away if away is None else away
            return away is not None
        with self._lock:
            ours = self._announced_presses > 0
            self._announced_presses -= ours
        return ours


def user_mouse(supervisor: Supervisor, pointer: Pointer, began: Point | None) -> UserMouse:
    """Return the detector of the user's input on this desktop; see `UserMouse`."""
    events = desktop().open_input_events()
    if events is None:
        return UserMouse(supervisor, pointer)
    return DeviceMouse(events, supervisor, pointer, began)


def in_corner(point: Point, monitors: list[Region]) -> bool:
    """Return whether a point is a corner of a monitor: the last pixel in both directions."""
    return any(
        point.x in (one.left, one.right - 1) and point.y in (one.top, one.bottom - 1)
        for one in monitors
    )


def _distance(one: Point, other: Point) -> float:
    """Return the larger of the horizontal and the vertical distance."""
    return max(abs(one.x - other.x), abs(one.y - other.y))


def _rounded(point: Point) -> Point:
    return Point(round(point.x), round(point.y))


def _is_in_own_window(point: Point | None) -> bool:
    """Return whether a point is in a window of this program; None, a relative motion, counts."""
    if point is None:
        return True
    window = desktop().window_at(point)
    # On the frame of a window it is the frame.
    return window is not None and (window.own or desktop().is_own(window.id))
