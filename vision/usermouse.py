"""Whether the user takes the mouse while it is moved for him.

On X11 the devices themselves are listened to (`vision.x11.rawinput`): a motion or a press that
nobody here sent is the user's, be it a hand on a mouse or somebody at a distance whose program
sends events (x11vnc, xdotool). A window manager or a game that merely puts the pointer elsewhere
is not taken for one, and neither is a table that is bumped into: a few motions within a moment
are asked for.

Where devices cannot be listened to (Windows and macOS, never tried by us, and X servers of
before 2011) only the pointer's place is compared with where it was left, before each click: a
program that moves it is taken for the user there, and a click without a motion is not noticed.
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
from vision import windows
from vision.x11.rawinput import Kind, NoRawInput, Raw, RawInput

_MOTIONS: Final = 3
_MOMENT: Final = 0.15
"""So many motions of a device, within so many seconds, are a hand: a slow mouse (PS/2) sends
40 a second."""
_REST: Final = 0.3
"""Seconds without a motion after which a mouse is at rest."""
_SLIGHTLY: Final = 3.0
"""Points by which the pointer may be off where only its place is known."""


class UserMouse:
    """Hears all mice of an X server, in a thread of its own.

    Args:
        taken: Called in that thread when the user takes the mouse, and once more, with True,
            when he pushes it into a corner of a monitor.

    Raises:
        NoRawInput: This server tells nothing of its devices.
    """

    def __init__(self, taken: Callable[[bool], None]) -> None:
        self._tell = taken
        self._raw = RawInput()
        self._hear, self._wake = os.pipe()
        self._expected: set[tuple[int, int]] = set()
        self._unheard = 0
        """Presses that were announced and not heard yet."""
        self._motions: deque[float] = deque(maxlen=_MOTIONS)
        self._stirred = -_REST
        self._minding = self.taken = self.cornered = False
        self._gate = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="user's mouse", daemon=True)
        self._thread.start()

    def expect(self, point: Point, presses: int) -> None:
        """Be told what is about to be sent."""
        self._expected.add((round(point.x), round(point.y)))
        if presses:
            with self._gate:
                self._unheard += presses

    def mind(self, wait: Callable[[float], bool]) -> None:
        """Wait until the mouse is at rest; from then on it counts when it is taken.

        Raises:
            Stopped: `wait`, an event's, returned True.
        """
        while (left := self._stirred + _REST - time.monotonic()) > 0:
            if wait(left):
                raise Stopped
        with self._gate:
            self._motions.clear()
            self._minding, self.taken, self.cornered = True, False, False

    def close(self) -> None:
        """Hear nothing any more."""
        os.write(self._wake, b".")
        self._thread.join()

    def _run(self) -> None:
        # A server that has gone is told of by whoever clicks.
        try:
            with suppress(OSError):
                while self._waited():
                    self._weigh(self._raw.take())
        finally:
            self._raw.close()
            os.close(self._wake)
            os.close(self._hear)

    def _waited(self) -> bool:
        """Wait until something is to be heard; whether it is not the end."""
        if self._raw.pending:
            return True
        return self._hear not in select.select([self._hear, self._raw.handle], [], [])[0]

    def _weigh(self, heard: list[Raw]) -> None:
        foreign = [raw for raw in heard if not self._ours(raw)]
        if not foreign:
            return
        now = self._stirred = time.monotonic()
        for raw in foreign:
            self._motions.append(now)
            enough = len(self._motions) == _MOTIONS and now - self._motions[0] < _MOMENT
            if self._minding and not self.taken and (_meant(raw) or enough):
                # Told first: whoever then finds it taken waits until the user goes on.
                self._tell(False)
                self.taken = True
        if self.taken and not self.cornered and in_corner(self._raw.place(), windows.monitors()):
            # The other way round: whoever is told to go on must not begin anything more.
            self.cornered = True
            self._tell(True)

    def _ours(self, raw: Raw) -> bool:
        if not raw.sent:
            return False
        if raw.kind is Kind.MOTION:
            return raw.point is not None and (raw.point.x, raw.point.y) in self._expected
        with self._gate:
            ours = self._unheard > 0
            self._unheard -= ours
        return ours


class PlaceOnly:
    """Knows where the pointer is, and no more.

    Args:
        place: Where it is.
    """

    cornered = False

    def __init__(self, place: Callable[[], Point]) -> None:
        self._place = place
        self._left: Point | None = None

    @property
    def taken(self) -> bool:
        """Whether the pointer is not where it was left."""
        if self._left is None:
            return False
        place = self._place()
        off = max(abs(place.x - self._left.x), abs(place.y - self._left.y))
        return off > _SLIGHTLY

    def expect(self, point: Point, presses: int) -> None:  # noqa: ARG002 - presses are not heard
        """Be told where the pointer is about to be put."""
        self._left = point

    def mind(self, wait: Callable[[float], bool]) -> None:
        """Wait until the pointer stays where it is; from then on it counts when it is elsewhere.

        Raises:
            Stopped: `wait`, an event's, returned True.
        """
        self._left, before = None, self._place()
        while not wait(_REST):
            place = self._place()
            if place == before:
                return
            before = place
        raise Stopped

    def close(self) -> None:
        """Nothing."""


def user_mouse(taken: Callable[[bool], None], place: Callable[[], Point]) -> UserMouse | PlaceOnly:
    """Who hears the user's mouse on this desktop.

    Args:
        taken: As `UserMouse` takes it; never called where only the pointer's place is known.
        place: Where the pointer is.
    """
    try:
        return UserMouse(taken)
    except NoRawInput:
        return PlaceOnly(place)


def in_corner(point: Point, monitors: list[Region]) -> bool:
    """Whether a point is a corner of a monitor: the last pixel in both directions."""
    return any(
        point.x in (one.left, one.right - 1) and point.y in (one.top, one.bottom - 1)
        for one in monitors
    )


def _meant(raw: Raw) -> bool:
    """Whether this alone shows a will: presses do, and events that a program sends."""
    return raw.sent or raw.kind is Kind.PRESS
