"""The portals ScreenCast and RemoteDesktop: the user's consent, and input to shared windows.

A session is made in three requests (create, select, start); the last one opens the desktop's own
dialog. A request is answered by a signal, whose path the caller chooses, so that it can listen
before the request. A session has PipeWire streams (`vision.desktop.pipewire`), and the pointer and
the keyboard relative to each stream.

The user answers the dialog: the wait ends after some minutes or with a stop. The request is then
closed first, because GNOME's dialog fails if its caller disconnects.

Source: the interfaces org.freedesktop.portal.ScreenCast (5) and RemoteDesktop (2).
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from typing import Any, Final, NamedTuple

from jeepney import DBusAddress, MatchRule, MessageType, Properties, message_bus, new_method_call
from jeepney.io.blocking import DBusConnection, open_dbus_connection

from vision.desktop.base import AccessRefused, ScreenError
from vision.files import APPLICATION_ID

_BUS: Final = "org.freedesktop.portal.Desktop"
_PATH: Final = "/org/freedesktop/portal/desktop"
_INTERFACE: Final = "org.freedesktop.portal"


@dataclass(frozen=True)
class PortalWaits:
    """Times of calls of the portals, in seconds."""

    call: float = 10.0
    """Time for the bus or a portal to answer a call."""
    request: float = 30.0
    """Time for a portal to answer a request that needs no user."""
    dialog: float = 300.0
    """Time for the user to answer the dialog."""
    slice: float = 0.1
    """Seconds between two checks whether the run was stopped."""


_WAITS: Final = PortalWaits()

_KEYBOARD, POINTER = 1, 2
_MONITOR, _WINDOW = 1, 2
_HIDDEN_CURSOR, CURSOR_METADATA = 1, 4
_UNTIL_REVOKED: Final = 2
PACKAGES: Final = (
    "xdg-desktop-portal and the backend of your desktop, by these names on Debian, Fedora and Arch:"
    " xdg-desktop-portal-gnome on GNOME, xdg-desktop-portal-kde on KDE. Sway and other "
    "desktops with wlroots are not supported yet: there a game can be played on a private screen"
)


class PortalError(ScreenError):
    """The portal is missing, has gone, or refuses a call; the message says what to do."""


class StreamInfo(NamedTuple):
    """A stream that the user shares."""

    node: int
    """The stream's number in PipeWire, also used to move the pointer onto it."""
    window: bool
    """Whether the stream shows a window; else a monitor."""
    left: int
    """Left edge among the streams, in units of the desktop."""
    size: tuple[int, int] | None
    """Width and height in units of the desktop; None if the portal does not report them."""


class PortalVersions(NamedTuple):
    """The versions of this desktop's portals; 0 for a missing one."""

    screencast: int
    remote_desktop: int
    cursor_modes: int
    """Bits: 1 hidden, 2 in the picture, 4 as separate metadata."""
    shortcuts: int
    """Version of the portal GlobalShortcuts."""


class Portal:
    """A connection to the portals. Its methods may be called by any thread.

    Raises:
        PortalError: There is no session bus.
    """

    def __init__(self) -> None:
        try:
            self._bus: DBusConnection = open_dbus_connection("SESSION", enable_fds=True)
        except (OSError, KeyError, ValueError) as error:
            raise PortalError(
                f"the session bus does not answer ({error}): start this from a desktop session"
            ) from error
        self._lock = threading.RLock()
        self._numbers = count()
        self._closed: Any = None
        self.registered = self._register()
        """Whether the portal finds this program by its desktop entry (version 1.20 or later)."""

    def _register(self) -> bool:
        """Tell the portal which desktop entry is this program's; it has to be the first call."""
        address = DBusAddress(_PATH, _BUS, "org.freedesktop.host.portal.Registry")
        try:
            call = new_method_call(address, "Register", "sa{sv}", (APPLICATION_ID, {}))
            self._exchange(call, _WAITS.request)
        except PortalError:
            return False
        return True

    def versions(self) -> PortalVersions:
        """Return the versions and capabilities of the portals."""
        asked = (
            ("ScreenCast", "version"),
            ("RemoteDesktop", "version"),
            ("ScreenCast", "AvailableCursorModes"),
            ("GlobalShortcuts", "version"),
        )
        return PortalVersions(*(self._number(*one) for one in asked))

    def backends(self) -> list[str]:
        """Return the installed backends of the portals: 'gnome', 'kde'."""
        names, *_ = self._exchange(message_bus.ListActivatableNames(), _WAITS.call)
        before = "org.freedesktop.impl.portal.desktop."
        return sorted(name.removeprefix(before) for name in names if name.startswith(before))

    def _number(self, interface: str, name: str) -> int:
        """Return a property of a portal; 0 if there is none."""
        address = DBusAddress(_PATH, _BUS, f"{_INTERFACE}.{interface}")
        try:
            (kind, value), *_ = self._exchange(Properties(address).get(name), _WAITS.request)
        except PortalError:
            return 0
        return int(value) if kind == "u" else 0

    def call(self, interface: str, member: str, signature: str, *body: object) -> tuple[Any, ...]:
        """Call a method of a portal's interface and return its result.

        Raises:
            PortalError: The call fails.
        """
        address = DBusAddress(_PATH, _BUS, f"{_INTERFACE}.{interface}")
        return self._exchange(new_method_call(address, member, signature, body), _WAITS.call)

    def _exchange(self, message: Any, seconds: float) -> tuple[Any, ...]:
        try:
            with self._lock:
                reply = self._bus.send_and_get_reply(message, timeout=seconds)
        except (OSError, TimeoutError) as error:
            raise PortalError(f"the desktop's session bus does not answer: {error}") from error
        if reply.header.message_type is MessageType.error:
            raise PortalError(f"the desktop's portal answers: {' '.join(map(str, reply.body))}")
        return tuple(reply.body)

    def _listen(self, rule: MatchRule) -> Any:
        self._exchange(message_bus.AddMatch(rule), _WAITS.call)
        return self._bus.filter(rule)

    def request(
        self,
        interface: str,
        member: str,
        signature: str,
        *body: object,
        options: dict[str, tuple[str, object]],
        stopped: Callable[[], bool],
        seconds: float = _WAITS.request,
    ) -> dict[str, tuple[str, Any]]:
        """Make a request and wait for its response, possibly by the user.

        Raises:
            AccessRefused: The user refuses, or does not answer in time.
            PortalError: The request fails.
        """
        token = f"minesweeper{os.getpid()}_{next(self._numbers)}"
        me = self._bus.unique_name[1:].replace(".", "_")
        handle = f"{_PATH}/request/{me}/{token}"
        path = MatchRule(
            type="signal", interface=f"{_INTERFACE}.Request", member="Response", path=handle
        )
        with self._lock, self._listen(path) as answers:
            self.call(interface, member, signature, *body, {"handle_token": ("s", token)} | options)
            try:
                code, results = self._await(answers, stopped, seconds)
            except AccessRefused:
                self._close(handle, "Request")
                raise
        if code:
            raise AccessRefused(
                "The screen was not shared: the dialog of your desktop was cancelled. Try again, "
                "and share the window or the screen with the game"
            )
        return dict(results)

    def _await(self, answers: Any, stopped: Callable[[], bool], seconds: float) -> Any:
        deadline = time.perf_counter() + seconds
        while not answers:
            if stopped():
                raise AccessRefused("Stopped before the dialog of your desktop was answered")
            if time.perf_counter() > deadline:
                raise AccessRefused(
                    f"The dialog of your desktop was not answered in {seconds / 60:.0f} minutes. "
                    "Try again, and share the window or the screen with the game"
                )
            self._wait()
        return answers.popleft().body

    def _wait(self) -> None:
        """Wait a moment for messages."""
        try:
            with suppress(TimeoutError):
                self._bus.recv_messages(timeout=_WAITS.slice)
        except OSError as error:
            raise PortalError(f"the desktop's session has ended: {error}") from error

    def _close(self, path: str, kind: str) -> None:
        address = DBusAddress(path, _BUS, f"{_INTERFACE}.{kind}")
        with suppress(PortalError):
            self._exchange(new_method_call(address, "Close"), _WAITS.call)

    def open_session(self, token: str | None, stopped: Callable[[], bool]) -> PortalSession:
        """Ask the user to share a window or the screen, with the pointer and the keyboard.

        Args:
            token: Restores an earlier permission, if the portal supports it.
            stopped: Returns whether to give up.

        Raises:
            AccessRefused: The user refuses, or shares without remote control.
            PortalError: The portal is missing or fails.
        """
        offered = self.versions()
        if not offered.screencast or not offered.remote_desktop:
            missing = "ScreenCast" if not offered.screencast else "RemoteDesktop"
            raise PortalError(
                f"this desktop has no portal '{missing}', by which its windows are read and "
                f"clicked: install {PACKAGES}"
            )
        try:
            session = self.create_session("RemoteDesktop", stopped)
        except PortalError:
            # A backend that has failed is started again for the next call.
            session = self.create_session("RemoteDesktop", stopped)
        with ExitStack() as undo:
            undo.callback(self._close, session, "Session")
            started = self._start(session, offered, token, stopped)
            undo.pop_all()
        return started

    def create_session(self, interface: str, stopped: Callable[[], bool]) -> str:
        """Return the path of a new session of a portal.

        Raises:
            AccessRefused: `stopped` returned True.
            PortalError: The portal fails.
        """
        name = f"minesweeper{os.getpid()}_{next(self._numbers)}"
        options: dict[str, tuple[str, object]] = {"session_handle_token": ("s", name)}
        made = self.request(interface, "CreateSession", "a{sv}", options=options, stopped=stopped)
        return str(made["session_handle"][1])

    @contextmanager
    def signals(self, interface: str, member: str) -> Iterator[Any]:
        """Yield the queue of a portal's signals, for `receive`.

        Raises:
            PortalError: The session bus is gone.
        """
        rule = MatchRule(type="signal", interface=f"{_INTERFACE}.{interface}", member=member)
        with self._listen(rule) as queue:
            yield queue

    def receive(self, queue: Any) -> Iterator[tuple[Any, ...]]:
        """Wait a moment for signals, and yield the body of each.

        Raises:
            PortalError: The session bus is gone.
        """
        self._wait()
        while queue:
            yield tuple(queue.popleft().body)

    def _start(
        self, session: str, offered: PortalVersions, token: str | None, stopped: Callable[[], bool]
    ) -> PortalSession:
        rule = MatchRule(
            type="signal", interface=f"{_INTERFACE}.Session", member="Closed", path=session
        )
        with self._lock:
            self._closed = self._listen(rule).__enter__()
        devices: dict[str, tuple[str, object]] = {"types": ("u", _KEYBOARD | POINTER)}
        if offered.remote_desktop >= 2:
            devices["persist_mode"] = ("u", _UNTIL_REVOKED)
            if token:
                devices["restore_token"] = ("s", token)
        metadata = bool(offered.cursor_modes & CURSOR_METADATA)
        sources: dict[str, tuple[str, object]] = {
            "types": ("u", _MONITOR | _WINDOW),
            "multiple": ("b", True),
            "cursor_mode": ("u", CURSOR_METADATA if metadata else _HIDDEN_CURSOR),
        }
        select = ("oa{sv}", session)
        self.request("RemoteDesktop", "SelectDevices", *select, options=devices, stopped=stopped)
        self.request("ScreenCast", "SelectSources", *select, options=sources, stopped=stopped)
        started = self.request(
            "RemoteDesktop",
            "Start",
            "osa{sv}",
            session,
            "",
            options={},
            stopped=stopped,
            seconds=_WAITS.dialog,
        )
        if not started.get("devices", ("u", 0))[1] & POINTER:
            raise AccessRefused(
                "The screen was shared without remote control, so nothing can be clicked. Try "
                "again, and switch on 'Allow remote interaction' in the dialog"
            )
        streams = [_stream(*one) for one in started.get("streams", ("", []))[1]]
        if not streams:
            raise AccessRefused(
                "No screen and no window was shared. Try again, and choose one in the dialog"
            )
        streams.sort(key=lambda one: one.left)
        kept = started.get("restore_token", ("s", None))[1]
        keys = self.registered and offered.shortcuts > 0
        return PortalSession(self, session, tuple(streams), kept, metadata, keys)

    def is_closed(self) -> bool:
        """Return whether the session was closed by the user or the desktop."""
        with self._lock:
            try:
                while not self._closed:
                    self._bus.recv_messages(timeout=0)
            except TimeoutError:
                return False
            except OSError:
                return True
        return True

    def close(self) -> None:
        """Close the connection, and the session with it."""
        with self._lock, suppress(OSError):
            self._bus.close()


class PortalSession:
    """A session with the streams that the user shares.

    Attributes:
        streams: The shared streams, from left to right.
        token: Restores the permission next time; None if the portal does not keep it.
        cursor_told: Whether the streams report the pointer's position.
        hears_keys: Whether the desktop may give this program a key for all windows.
    """

    def __init__(
        self,
        portal: Portal,
        path: str,
        streams: tuple[StreamInfo, ...],
        token: str | None,
        cursor_told: bool,
        hears_keys: bool,
    ) -> None:
        self._portal = portal
        self._path = path
        self.streams = streams
        self.token = token
        self.cursor_told = cursor_told
        self.hears_keys = hears_keys

    def open_streams(self) -> int:
        """Return a descriptor of a PipeWire connection that has the streams.

        Raises:
            PortalError: There is no such connection.
        """
        call = self._portal.call
        (found,) = call("ScreenCast", "OpenPipeWireRemote", "oa{sv}", self._path, {})
        return int(found.to_raw_fd())

    def is_closed(self) -> bool:
        """Return whether the user or the desktop has ended the session."""
        return self._portal.is_closed()

    def move(self, node: int, x: float, y: float) -> None:
        """Move the pointer to a position in a stream.

        Raises:
            PortalError: The permission has ended.
        """
        self._notify("PointerMotionAbsolute", "udd", node, x, y)

    def move_by(self, dx: float, dy: float) -> None:
        """Move the pointer, in units of the desktop.

        Raises:
            PortalError: The permission has ended.
        """
        self._notify("PointerMotion", "dd", dx, dy)

    def button(self, number: int, *, down: bool) -> None:
        """Press or release a button, by its number in linux/input-event-codes.h.

        Raises:
            PortalError: The permission has ended.
        """
        self._notify("PointerButton", "iu", number, int(down))

    def key(self, keysym: int, *, down: bool) -> None:
        """Press or release a key, by its keysym.

        Raises:
            PortalError: The permission has ended.
        """
        self._notify("KeyboardKeysym", "iu", keysym, int(down))

    def _notify(self, what: str, signature: str, *body: object) -> None:
        call, member = self._portal.call, f"Notify{what}"
        call("RemoteDesktop", member, f"oa{{sv}}{signature}", self._path, {}, *body)

    def close(self) -> None:
        """End the session."""
        self._portal.close()


def _stream(node: int, properties: dict[str, tuple[str, Any]]) -> StreamInfo:
    size = properties.get("size", ("", None))[1]
    left, _ = properties.get("position", ("", (0, 0)))[1]
    return StreamInfo(node, properties.get("source_type", ("u", 0))[1] == _WINDOW, left, size)
