"""Wayland through the portals: shared windows and monitors are captured and clicked.

A Wayland compositor lets no program read another one's window or move the pointer. The user permits
it in a dialog of the desktop, for windows or monitors (`vision.desktop.portal`); frames come as
streams (`vision.desktop.pipewire`). Points are pixels of the streams, which lie side by side, in
the order of their places on the desktop. A window's stream shows the window at any position.

Other windows are unknown. They are protected: only shared areas are read and clicked; each press
waits until the stream confirms the pointer's position; the effect of a click is read from the next
frames. A motion that this program did not send is the user's.

The process asks for the permission once. It ends with the process, or when the user revokes it;
then every capture and click fails, and `find_absence` says why.
"""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Final

import numpy as np

from bot.frame import Frame, Point, Region
from bot.mouse import MouseError, Pointer
from vision.desktop.accessibility import Accessibility
from vision.desktop.base import (
    LACKS,
    Desktop,
    Diagnosis,
    Feature,
    GlobalKey,
    InputEvent,
    InputEvents,
    InputKind,
    PointerState,
    ProgramDialog,
    Screen,
    ScreenError,
)
from vision.desktop.pipewire import LIBRARY, Frames, NoPipeWire, Stream, library
from vision.desktop.portal import PACKAGES, Portal, PortalError, PortalSession, StreamInfo
from vision.desktop.portal_key import PortalKey
from vision.desktop.session import compositor_answers, silent_display
from vision.files import config_folder, read_whole, write_whole

CONSENT: Final = (
    "Choose the window or screen to share in the dialog of your desktop, and allow remote control."
)


@dataclass(frozen=True)
class PointerLimits:
    """Limits of the pointer on a shared screen; times in seconds, distances in points."""

    arrival_seconds: float = 0.5
    arrival_tries: int = 6
    """Seconds until the stream must confirm the pointer's position before the move is repeated.
    It took 0.12 s at most on headless GNOME, on a busy machine, which drops the first motion of
    all."""
    near: float = 1.0
    """Rounding tolerance of a stream's pointer position, in points."""
    stride: float = 8.0
    motions: int = 3
    """Number of mouse motions reported for a pointer path between two frames."""


_POINTER: Final = PointerLimits()

_MOST_TOKEN_BYTES: Final = 4096
_BUTTONS: Final = {"left": 0x110, "right": 0x111, "middle": 0x112}
"""Button numbers of linux/input-event-codes.h."""
_KEYSYMS: Final = {
    "alt": 0xFFE9,
    "backspace": 0xFF08,
    "ctrl": 0xFFE3,
    "delete": 0xFFFF,
    "enter": 0xFF0D,
    "esc": 0xFF1B,
    "escape": 0xFF1B,
    "return": 0xFF0D,
    "shift": 0xFFE1,
    "space": 0x20,
    "tab": 0xFF09,
}
_FIRST_FUNCTION_KEY: Final = 0xFFBE

_LACKS: Final[Mapping[Feature, str]] = {
    Feature.WINDOWS: "Wayland does not list windows: boards are found in what you share, beside "
    "the panel. A game's dialogs are yours to close, except those of GNOME Mines.",
    Feature.PLACES: "Wayland does not tell which window lies under a point: move nothing over the "
    "game while it is played.",
    Feature.FOCUS: LACKS[Feature.FOCUS],
    Feature.WINDOW_CAPTURE: "A covered game on a shared screen cannot be read: keep it uncovered.",
    Feature.GLOBAL_KEYS: "In other windows the pause key does not work, and the stop key only if "
    "your desktop has the portal GlobalShortcuts, as GNOME 48, and the bot was added to your "
    "applications, as its README says. Esc stops in the panel; everywhere the mouse pauses "
    "when you move it, and the pointer in a corner of a shared screen, or the end of the sharing "
    "in your desktop, stops.",
    Feature.SCREEN_LOCK: LACKS[Feature.SCREEN_LOCK],
    Feature.RESPONSE: LACKS[Feature.RESPONSE],
}
_NO_CURSOR: Final = {
    Feature.POINTER: "This desktop does not tell where the pointer is: no corner stops a run.",
    Feature.USER_INPUT: "Your mouse is not noticed here: end the sharing in your desktop to stop.",
}


class Cursor:
    """The pointer's position by the streams, and the source of its motions."""

    def __init__(self) -> None:
        self._news = threading.Condition()
        self._place: Point | None = None
        self._stream = 0
        self._reported: dict[int, Point | None] = {}
        """The last report of each stream."""
        self._sent: deque[tuple[Point, bool]] = deque(maxlen=64)
        """Positions sent by this program, starting with the last one that a stream reported, each
        with whether the pointer is moved on from there at once."""
        self._passed: deque[Point] = deque(maxlen=64)
        """Positions sent before those: a stream that is late may still report one."""
        self._listeners: list[WaylandInputEvents] = []
        self.foreign = 0
        """Number of motions by the user or another program."""

    @property
    def place(self) -> Point | None:
        """The pointer's position, in points; None if it is outside the shared areas."""
        return self._place

    def announce(self, point: Point, *, passing: bool = False) -> None:
        """Register the position to which the pointer is about to be moved.

        Args:
            point: The position.
            passing: Whether it is moved on from there at once: that motion is not reported.
        """
        with self._news:
            self._sent.append((point, passing))

    def note(self, stream: int, place: Point | None) -> None:
        """Register a stream's report: the pointer's position, or None if it is outside."""
        with self._news:
            last, self._reported[stream] = self._reported.get(stream), place
            if place is None:
                if stream == self._stream:
                    self._place = None
                return
            late = (place == last or self._was_passed(place)) and not self._is_awaited(place)
            if late and stream != self._stream:
                # A late frame of a monitor that the pointer has left. (Of the user who goes back to
                # that very pixel the next motion tells.)
                return
            near = [one for one in self._sent if _is_near(one[0], place)]
            sent = next((one for one in near if not one[1]), near[0] if near else None)
            while sent is not None and self._sent[0] is not sent:
                self._passed.append(self._sent.popleft()[0])
            ours, passing = sent or (None, False)
            if passing:
                return
            # Compositors round in different ways: `user_mouse` expects the announced point.
            target = ours and _rounded(ours)
            place = target or place
            if place == self._place:
                return
            before = self._place
            self._place, self._stream = place, stream
            if before is None and ours is None:
                # With the first motion of all a hidden pointer appears where it was.
                return
            far = before is None or not _is_near(before, place, _POINTER.stride)
            self.foreign += ours is None
            event = InputEvent(InputKind.MOTION, ours is not None, target)
            self._news.notify_all()
            for listener in self._listeners:
                listener.add(event, _POINTER.motions if far else 1)

    def _is_awaited(self, place: Point) -> bool:
        """Return whether the pointer was sent to a place and has not been reported there."""
        return any(_is_near(one, place) for one, _passing in list(self._sent)[1:])

    def _was_passed(self, place: Point) -> bool:
        """Return whether the pointer was sent to a place before its present one."""
        return any(_is_near(one, place) for one in self._passed)

    def wait_for(self, point: Point, foreign: int) -> bool:
        """Wait briefly until the pointer is at a point; return whether it is.

        The wait ends when somebody else moves it: `foreign` is the count before the move.
        """

        def is_there() -> bool:
            return self._place is not None and _is_near(self._place, point)

        with self._news:
            self._news.wait_for(
                lambda: is_there() or self.foreign != foreign, _POINTER.arrival_seconds
            )
            return is_there()

    def listen(self, listener: WaylandInputEvents) -> None:
        """Report each motion from now on."""
        with self._news:
            self._listeners.append(listener)

    def forget(self, listener: WaylandInputEvents) -> None:
        """Stop reporting."""
        with self._news, suppress(ValueError):
            self._listeners.remove(listener)


class WaylandInputEvents:
    """The motions of the pointer over the shared areas, for one thread.

    Args:
        cursor: The pointer.
        ended: Returns whether nothing is shared any more.
    """

    def __init__(self, cursor: Cursor, ended: Callable[[], bool]) -> None:
        self._cursor = cursor
        self._ended = ended
        self._events: deque[InputEvent] = deque(maxlen=1024)
        self._read, self._write = os.pipe()
        os.set_blocking(self._write, False)
        cursor.listen(self)

    @property
    def handle(self) -> int:
        """A descriptor for `select`."""
        return self._read

    @property
    def pending(self) -> bool:
        """Whether `pop_events` has something without waiting."""
        return bool(self._events) or self._ended()

    def add(self, event: InputEvent, times: int) -> None:
        """Report a motion the given number of times; called in PipeWire's thread."""
        self._events.extend([event] * times)
        with suppress(BlockingIOError):
            os.write(self._write, b".")

    def pop_events(self) -> list[InputEvent]:
        """Return the events since the last call; wait for some if there are none.

        Raises:
            OSError: Nothing is shared any more.
        """
        if self._ended():
            raise OSError("nothing is shared any more")
        os.read(self._read, 4096)
        return [self._events.popleft() for _ in range(len(self._events))]

    def close(self) -> None:
        """Stop listening."""
        self._cursor.forget(self)
        os.close(self._write)
        os.close(self._read)


class SharedStream:
    """A stream that the user shares, and its position in points.

    Args:
        info: The portal's description.
        stream: The stream's frames.
        left: The left edge, in points.
    """

    def __init__(self, info: StreamInfo, stream: Stream, left: int) -> None:
        self.info = info
        self.stream = stream
        self.left = left
        self.factor = 1.0
        """Units of the compositor's pointer coordinates per pixel of the stream."""

    @property
    def region(self) -> Region:
        """The region in points; a window's region follows its size."""
        return Region(self.left, 0, *self.stream.size)

    @property
    def ratio(self) -> float:
        """Units of the desktop per pixel: less than 1 on a scaled monitor."""
        size, width = self.info.size, self.stream.size[0]
        return 1.0 if size is None or self.info.window else size[0] / width

    def reachable(self, x: float, y: float) -> tuple[float, float]:
        """Return the nearest pixel to which the portal can move the pointer.

        It rejects positions beyond the size in units of the desktop, even if the compositor uses
        pixels (xdg-desktop-portal 1.16 with Mutter 43).
        """
        if self.info.size is None or self.info.window or self.factor != 1:
            return x, y
        return min(x, self.info.size[0] - 1.0), min(y, self.info.size[1] - 1.0)


class Access:
    """The permission that the user has given.

    Args:
        portal: The connection.
        session: The session with the shared streams.

    Raises:
        NoPipeWire: No frame comes.
        PortalError: The portal fails.
    """

    def __init__(self, portal: Portal, session: PortalSession) -> None:
        self.portal = portal
        self.session = session
        self.cursor = Cursor()
        lacks = _LACKS if session.cursor_told else {**_LACKS, **_NO_CURSOR}
        heard = {Feature.GLOBAL_KEYS} if session.hears_keys else set()
        self.lacks = {one: why for one, why in lacks.items() if one not in heard}
        self.shared: list[SharedStream] = []
        nodes = [one.node for one in session.streams]
        self.frames = Frames(session.open_streams(), nodes, self._pointer_moved)
        left = 0
        for info, stream in zip(session.streams, self.frames.streams, strict=True):
            self.shared.append(SharedStream(info, stream, left))
            left += stream.room

    @property
    def region(self) -> Region:
        """The union of all shared streams, in points."""
        first, *others = (one.region for one in self.shared)
        for one in others:
            first = first.union(one)
        return first

    def ended(self) -> bool:
        """Return whether the streams or the session have ended; cheap enough for every frame."""
        return self.frames.ended or self.session.is_closed()

    def find_end(self) -> str | None:
        """Return why nothing is shared any more; None while streams are shared.

        Streams and the portal may survive the compositor, so that is checked too.
        """
        if not compositor_answers():
            return "the desktop session has ended"
        if not self.ended():
            return None
        gone = "the window was closed" if self.shared[0].info.window else "the monitor is gone"
        return f"the screen is no longer shared: you took the permission back, or {gone}"

    def move(self, point: Point) -> None:
        """Move the pointer to a point.

        Raises:
            MouseError: The point is outside the shared areas, or the permission has ended.
        """
        at = next((one for one in self.shared if one.region.contains(point)), None)
        if at is None:
            raise MouseError(
                f"({point.x:.0f}, {point.y:.0f}) lies outside of what you share: nothing more is "
                "clicked"
            )
        x, y = point.x - at.left, point.y
        within = at.reachable(x, y)
        stop = Point(at.left + within[0], within[1])
        self.cursor.announce(stop, passing=within != (x, y))
        self.send(lambda: self.session.move(at.info.node, *(one * at.factor for one in within)))
        if within != (x, y):
            self.cursor.announce(point)
            dx, dy = ((one - other) * at.ratio for one, other in zip((x, y), within, strict=True))
            self.send(lambda: self.session.move_by(dx, dy))

    def has_arrived(self, point: Point, foreign: int) -> bool:
        """Return whether the pointer reaches its target; repeat the move if not.

        Args:
            point: The point.
            foreign: The `foreign` count of `cursor` before the move: a pointer that the user or
                another program has moved since is not moved again.

        Raises:
            MouseError: The permission has ended.
        """
        for _ in range(_POINTER.arrival_tries):
            if self.cursor.wait_for(point, foreign):
                return True
            if self.cursor.foreign != foreign:
                return False
            self.frames.request_dropped()
            self.move(point)
        return False

    def send(self, event: Callable[[], None]) -> None:
        """Send an event.

        Raises:
            MouseError: The permission has ended.
        """
        try:
            event()
        except PortalError as error:
            raise MouseError(f"{self.find_end() or error}: nothing more is clicked") from error

    def calibrate(self) -> None:
        """Find out whether the compositor uses pixels or scaled units, by the pointer's position.

        Raises:
            MouseError: The pointer does not reach its position.
        """
        for one in self.shared:
            if one.ratio == 1 or not self.session.cursor_told:
                continue
            middle = one.region.center
            for factor in (1.0, one.ratio):
                one.factor, foreign = factor, self.cursor.foreign
                self.move(middle)
                if self.has_arrived(middle, foreign):
                    break
            else:
                raise MouseError("the pointer does not go where it is put: let go of the mouse")

    def close(self) -> None:
        """End the permission."""
        self.frames.close()
        self.session.close()

    def _pointer_moved(self, index: int, pixel: tuple[int, int] | None) -> None:
        # The first frame may come before all streams are known.
        if index < len(self.shared):
            x, y = pixel or (0, 0)
            place = None if pixel is None else Point(float(self.shared[index].left + x), float(y))
            self.cursor.note(index, place)


class WaylandDesktop(Desktop):
    """A Wayland session, within the user's permission."""

    name = "Wayland"
    keeps_access = True
    moves_windows = False

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._access: Access | None = None
        self._refusal: ScreenError | None = None
        """The reason why there is no access, after the user was asked."""
        self._accessibility = Accessibility()

    @property
    def lacks(self) -> Mapping[Feature, str]:
        return _LACKS if self._access is None else self._access.lacks

    @property
    def access_hint(self) -> str:
        return CONSENT

    def request_access(
        self,
        report: Callable[[str], object] = lambda _text: None,
        stopped: Callable[[], bool] = lambda: False,
        *,
        again: bool = True,
    ) -> None:
        with self._lock:
            if self._access is not None:
                if (why := self._access.find_end()) is None:
                    return
                self._access.close()
                self._access, self._refusal = None, ScreenError(why[0].upper() + why[1:])
            if self._refusal is not None and not again:
                raise self._refusal
            try:
                self._access = _ask(report, stopped)
            except ScreenError as error:
                self._refusal = error
                raise
            self._refusal = None

    def forget_access(self) -> None:
        _token_file().unlink(missing_ok=True)

    def diagnose(self) -> list[Diagnosis]:
        try:
            portal = Portal()
        except PortalError as error:
            return [Diagnosis("portals", False, str(error))]
        try:
            found = portal.versions()
            shortcuts = found.shortcuts or "none"
            seen = (
                f"ScreenCast {found.screencast or 'none'}, RemoteDesktop "
                f"{found.remote_desktop or 'none'}, GlobalShortcuts {shortcuts}; "
                f"backends: {', '.join(portal.backends()) or 'none'}"
            )
        finally:
            portal.close()
        works = bool(found.screencast and found.remote_desktop)
        checks = [Diagnosis("portals", works, seen, "" if works else f"install {PACKAGES}")]
        try:
            library()
            checks.append(Diagnosis("PipeWire", True, LIBRARY))
        except NoPipeWire as error:
            checks.append(Diagnosis("PipeWire", False, str(error)))
        return checks

    def close(self) -> None:
        """End the permission: the next run asks again."""
        self._accessibility.close()
        with self._lock:
            if self._access is not None:
                self._access.close()
            self._access = None

    def find_obstacle(self) -> str | None:
        # Without a compositor Qt opens its windows by XWayland.
        if compositor_answers() or os.environ.get("DISPLAY"):
            return None
        return silent_display(os.environ.get("WAYLAND_DISPLAY") or "wayland-0")

    def answers(self) -> bool:
        return self.find_absence() is None

    def find_absence(self) -> str | None:
        return None if self._access is None else self._access.find_end()

    def monitors(self) -> list[Region]:
        if self._access is None:
            return []
        return [one.region for one in self._access.shared if not one.info.window]

    def find_dialog(self, program: str, titles: Sequence[str]) -> ProgramDialog | None:
        return self._accessibility.find_dialog(program, titles)

    def open_screen(self) -> Screen:
        return WaylandScreen(self._granted())

    def open_pointer(self) -> Pointer:
        access = self._granted()
        access.calibrate()
        return WaylandPointer(access)

    def pointer_state(self) -> PointerState | None:
        place = None if self._access is None else self._access.cursor.place
        return None if place is None else PointerState(place, 0, button=False, modifier=False)

    def open_input_events(self) -> InputEvents | None:
        access = self._access
        if access is None or not access.session.cursor_told:
            return None
        return WaylandInputEvents(access.cursor, access.ended)

    def open_global_key(self, name: str, pressed: Callable[[], None]) -> GlobalKey | None:
        # Every key has a question of its own: the pause key is in the panel.
        heard = name == "stop key" and Feature.GLOBAL_KEYS not in self.lacks
        return PortalKey(name, pressed) if heard else None

    def _granted(self) -> Access:
        if self._access is None:
            raise ScreenError(
                "Nothing of this Wayland desktop is shared with this program yet. Look for boards "
                "again, and choose what to share. A game on a private screen needs no permission"
            )
        return self._access


def _ask(report: Callable[[str], object], stopped: Callable[[], bool]) -> Access:
    """Ask the user for access, and store the permission if the portal supports that."""
    with ExitStack() as undo:
        portal = Portal()
        undo.callback(portal.close)
        report(CONSENT)
        session = portal.open_session(_kept_token(), stopped)
        access = Access(portal, session)
        undo.pop_all()
    _keep_token(session.token)
    return access


class WaylandScreen(Screen):
    """Captures the shared areas.

    Args:
        access: The user's permission.
    """

    def __init__(self, access: Access) -> None:
        self._access = access
        self._numbers = count()

    @property
    def region(self) -> Region:
        """The union of all shared streams, in points."""
        return self._access.region

    @property
    def monitors(self) -> tuple[Region, ...]:
        """The region of each shared window or monitor, in points."""
        return tuple(one.region for one in self._access.shared)

    def grab(self, region: Region | None = None) -> Frame:
        begin = time.perf_counter()
        if self._access.ended():
            why = self._access.find_end()
            raise ScreenError(
                f"The screen can no longer be read: {why}. Press Refresh in the panel, or play "
                "again, to share it"
            )
        self._access.frames.request_dropped()
        whole = self.region
        seen = whole if region is None else whole.intersection(region)
        if seen is None:
            raise ScreenError(
                f"{region} lies outside of what you share, which is {whole.width} x {whole.height}:"
                " look for the board again"
            )
        image = np.zeros((seen.height, seen.width, 3), np.uint8)
        for one in self._access.shared:
            part = one.region.intersection(seen)
            copied = None if part is None else one.stream.copy(part.moved(-one.left, 0))
            if part == seen and copied is not None:
                image = copied
            elif part is not None and copied is not None:
                top, left = part.top - seen.top, part.left - seen.left
                image[top : top + part.height, left : left + part.width] = copied
        self.seconds += time.perf_counter() - begin
        return Frame(image, seen, time.perf_counter(), next(self._numbers))

    def shows(self, region: Region) -> bool:
        return self.region.intersection(region) is not None


class WaylandPointer:
    """The pointer and the keyboard by the portal RemoteDesktop.

    Args:
        access: The user's permission.
    """

    def __init__(self, access: Access) -> None:
        self._access = access
        self._put = access.region.center
        self._foreign = 0

    @property
    def position(self) -> Point:
        """The pointer's position; its last target if the position is not reported."""
        return self._access.cursor.place or self._put

    def move(self, point: Point) -> None:
        """Move the pointer to a point, and wait until it is there.

        That may take a tenth of a second, in which the game may be minimised or covered: the
        picture is checked after it.
        """
        access, self._foreign = self._access, self._access.cursor.foreign
        access.move(point)
        self._put = point
        if access.session.cursor_told:
            access.cursor.wait_for(point, self._foreign)

    def click(self, point: Point, button: str, hold: Callable[[], object] | None) -> None:
        """Press and release at a point once the pointer is there; call `hold` between the two.

        Nothing is pressed if the user or another program has moved the pointer: if it was the user,
        the run pauses before its next event.

        Raises:
            MouseError: The pointer does not arrive, or the permission has ended.
        """
        access, number = self._access, _BUTTONS[button]
        if access.session.cursor_told and not access.has_arrived(point, self._foreign):
            why = access.find_end()
            if why is None and access.cursor.foreign != self._foreign:
                return
            what = "the pointer does not come where it is put, as if something lay over the game"
            raise MouseError(f"{why or what}: nothing more is clicked")
        access.send(lambda: access.session.button(number, down=True))
        try:
            if hold is not None:
                hold()
        finally:
            access.send(lambda: access.session.button(number, down=False))

    def press(self, key: str) -> None:
        """Type a key, by pyautogui's name for it; several held together as `ctrl+n`."""
        keysyms = [keysym_of(one) for one in (key.split("+") if len(key) > 1 else [key])]
        held = []
        try:
            for one in keysyms:
                self._key(one, down=True)
                held.append(one)
        finally:
            for one in reversed(held):
                self._key(one, down=False)

    def _key(self, keysym: int, *, down: bool) -> None:
        session = self._access.session
        self._access.send(lambda: session.key(keysym, down=down))


def keysym_of(key: str) -> int:
    """Return the keysym of a key, by pyautogui's name for it.

    Raises:
        MouseError: The name is unknown.
    """
    name = key.casefold()
    if name in _KEYSYMS:
        return _KEYSYMS[name]
    if name.startswith("f") and name[1:].isdecimal():
        return _FIRST_FUNCTION_KEY + int(name[1:]) - 1
    if len(key) == 1 and 0x20 < ord(key) < 0x100:
        return ord(key)
    raise MouseError(f"the key '{key}' cannot be typed on Wayland: name another key")


def _token_file() -> Path:
    return config_folder() / "portal-token"


def _kept_token() -> str | None:
    try:
        return read_whole(_token_file(), _MOST_TOKEN_BYTES).decode("ascii").strip() or None
    except (OSError, ValueError):
        # The token only avoids a question: without it the user is asked.
        return None


def _keep_token(token: str | None) -> None:
    """Store the token that restores the permission; a token is valid for one session."""
    path = _token_file()
    if token is None:
        path.unlink(missing_ok=True)
        return
    # A folder that cannot be written costs a question in the next session.
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, token.encode())
        path.chmod(0o600)


def _rounded(point: Point) -> Point:
    return Point(round(point.x), round(point.y))


def _is_near(one: Point, other: Point, distance: float = _POINTER.near) -> bool:
    return max(abs(one.x - other.x), abs(one.y - other.y)) <= distance
