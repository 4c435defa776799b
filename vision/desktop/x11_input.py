"""Input events of all devices on an X server, and keys for all windows.

The events (X Input Extension 2): raw events come from a device, before processing by the server. A
window manager or a program that moves the pointer causes none; each mouse and each program that
sends events does, and each event names its device. They arrive even while another program grabs the
mouse (since version 2.1 of the extension).

Xlib's own reader assumes that every event is 32 bytes long, but these are longer: so its connection
is only used to set up the session, and then its socket is read here.

A key for all windows is grabbed on the root window, by a connection and a thread of its own. It is
received with any window in focus, unless something else grabs the whole keyboard (as an open menu
does). A grab is of a key with exactly these modifiers, so it is made once for each state of the
locks (Caps, Num, Scroll).

Source: XI2proto.txt (XIQueryVersion, XIQueryDevice, XISelectEvents, RawEvent), X.Org.
"""

from __future__ import annotations

import logging
import os
import queue
import select
import struct
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from itertools import combinations
from typing import Any, Final

from bot.frame import Point
from vision.desktop.base import InputEvent, InputKind, Key, KeyTaken, parse_key
from vision.desktop.x11_connection import NoServer, close_display, open_display

_log = logging.getLogger(__name__)
_ERROR, _REPLY, _GENERIC = 0, 1, 35
_SELECT_EVENTS, _QUERY_VERSION, _QUERY_DEVICE = 46, 47, 48
_QUERY_POINTER, _GET_INPUT_FOCUS = 38, 43
_KEY_PRESS, _BUTTON_PRESS, _MOTION, _TOUCH_BEGIN = 13, 15, 17, 22
_ALL_DEVICES, _ALL_MASTERS = 0, 1
_FUNCTION_KEYS: Final = range(0xFFBE, 0xFFCA)
"""F1 to F12, as keysyms."""
_FIXED_POINT: Final = 32
_HEAD: Final = 32
"""Bytes of every event and reply, before what its length counts in fours."""
_SYMBOLS: Final = {
    "ScrollLock": "Scroll_Lock",
    "Ins": "Insert",
    "Del": "Delete",
    "PgUp": "Prior",
    "PgDown": "Next",
    "Backspace": "BackSpace",
    "Space": "space",
}
"""X11's names of keys with another name in Qt."""


class NoInputEvents(RuntimeError):
    """This server does not report device events."""


class X11InputEvents:
    """A connection that receives the events of every mouse and keyboard, for one thread.

    Raises:
        NoInputEvents: The server does not report them, or there is none.
    """

    def __init__(self) -> None:
        try:
            self._display: Any = open_display()
        except NoServer as error:
            raise NoInputEvents(str(error)) from error
        extension = self._display.query_extension("XInputExtension")
        if extension is None:
            self.close()
            raise NoInputEvents("the X server has no X Input Extension")
        self._display.sync()
        self._opcode: int = extension.major_opcode
        self._root: int = self._display.screen().root.id
        self._commands = {self._display.keysym_to_keycode(key) for key in _FUNCTION_KEYS}
        self._socket: Any = self._display.display.socket
        self._socket.setblocking(True)
        self._bytes = b""
        self._waiting: list[InputEvent] = []
        try:
            self._greet()
        except (OSError, struct.error) as error:
            self.close()
            raise NoInputEvents(f"the X server does not report its devices: {error}") from error

    @property
    def handle(self) -> int:
        """A descriptor for `select`."""
        return int(self._socket.fileno())

    @property
    def pending(self) -> bool:
        """Whether `pop_events` has something without waiting."""
        return bool(self._waiting or len(self._bytes) >= _HEAD)

    def pop_events(self) -> list[InputEvent]:
        """Return the events since the last call; wait for the server if there are none.

        Raises:
            OSError: The server has gone.
        """
        if not self._waiting:
            self._receive()
        while (packet := self._cut()) is not None:
            self._keep(packet)
        found, self._waiting = self._waiting, []
        return found

    def close(self) -> None:
        """Stop listening."""
        close_display(self._display)

    def _greet(self) -> None:
        self._send(struct.pack("=BBHHH", self._opcode, _QUERY_VERSION, 2, 2, 2))
        version = struct.unpack_from("=HH", self._reply(), 8)
        if version < (2, 1):
            raise OSError(f"its X Input Extension is {version[0]}.{version[1]}, not 2.1")
        self._send(struct.pack("=BBHHH", self._opcode, _QUERY_DEVICE, 2, _ALL_DEVICES, 0))
        self._senders = {number for number, name in _devices(self._reply()) if "XTEST" in name}
        mask = 1 << _KEY_PRESS | 1 << _BUTTON_PRESS | 1 << _MOTION | 1 << _TOUCH_BEGIN
        select = (self._opcode, _SELECT_EVENTS, 5, self._root, 1, 0, _ALL_MASTERS, 1, mask)
        self._send(struct.pack("=BBHIHHHHI", *select))
        # Selecting has no reply. The reply to another request shows that it was done.
        self._send(struct.pack("=BBH", _GET_INPUT_FOCUS, 0, 1))
        self._reply()

    def _send(self, request: bytes) -> None:
        self._socket.sendall(request)

    def _reply(self) -> bytes:
        """Return the reply to the last request; keep the events that come before it."""
        while True:
            while (packet := self._cut()) is not None:
                if packet[0] in (_REPLY, _ERROR):
                    if packet[0] == _ERROR:
                        raise OSError(f"the X server answers with error {packet[1]}")
                    return packet
                self._keep(packet)
            self._receive()

    def _receive(self) -> None:
        part = self._socket.recv(65536)
        if not part:
            raise OSError("the X server has gone")
        self._bytes += part

    def _cut(self) -> bytes | None:
        """Return the next packet; None if it is incomplete."""
        if len(self._bytes) < _HEAD:
            return None
        length = _HEAD
        if self._bytes[0] & 0x7F in (_REPLY, _GENERIC):
            length += 4 * int.from_bytes(self._bytes[4:8], sys.byteorder)
        if len(self._bytes) < length:
            return None
        packet, self._bytes = self._bytes[:length], self._bytes[length:]
        return packet

    def _keep(self, packet: bytes) -> None:
        if packet[0] & 0x7F != _GENERIC or packet[1] != self._opcode:
            return
        kind, source, axes = (int(_field(packet, at)) for at in (8, 20, 22))
        sent = source in self._senders
        if kind in (_BUTTON_PRESS, _TOUCH_BEGIN):
            self._waiting.append(InputEvent(InputKind.PRESS, sent, None))
        elif kind == _KEY_PRESS and _field(packet, 16) not in self._commands:
            self._waiting.append(InputEvent(InputKind.KEY, sent, None))
        elif kind == _MOTION:
            self._waiting.append(
                InputEvent(InputKind.MOTION, sent, _point(packet, axes) if sent else None)
            )


def _field(packet: bytes, at: int) -> int:
    """Return a 16-bit field; the server was asked for this machine's byte order."""
    return int.from_bytes(packet[at : at + 2], sys.byteorder)


def _devices(reply: bytes) -> Iterator[tuple[int, str]]:
    """Yield the numbers and names of the devices in an XIQueryDevice reply."""
    at = _HEAD
    for _ in range(_field(reply, 8)):
        number, _use, _attached, classes, length = struct.unpack_from("=HHHHH", reply, at)
        at += 12
        yield number, reply[at : at + length].decode("utf-8", "replace")
        at += (length + 3) // 4 * 4
        for _class in range(classes):
            at += 4 * _field(reply, at + 2)


def _point(packet: bytes, axes: int) -> Point | None:
    """Return the first two axes of a motion; None if it has not both."""
    at = _HEAD + 4 * axes
    if not axes or packet[_HEAD] & 3 != 3:
        return None
    x, x_part, y, y_part = struct.unpack_from("=iIiI", packet, at)
    return Point(x + x_part / 2**_FIXED_POINT, y + y_part / 2**_FIXED_POINT)


class X11GlobalKey:
    """Detects a key by grabbing it, in a thread of its own; see `GlobalKey`."""

    def __init__(self, name: str, pressed: Callable[[], None]) -> None:
        self._name, self._pressed = name, pressed
        self._orders: queue.SimpleQueue[tuple[Future[None], Key | None] | None] = (
            queue.SimpleQueue()
        )
        self._hear, self._wake = os.pipe()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def hold(self, text: str) -> Future[None]:
        return self._order(parse_key(text))

    def release(self) -> Future[None]:
        return self._order(None)

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._orders.put(None)
            os.write(self._wake, b".")

    def join(self) -> None:
        self._thread.join()

    def _order(self, key: Key | None) -> Future[None]:
        future: Future[None] = Future()
        if self._closed:
            future.set_exception(KeyTaken(f"the {self._name} is not heard any more"))
            return future
        self._orders.put((future, key))
        os.write(self._wake, b".")
        return future

    def _run(self) -> None:
        grabs: _Grabs | None = None
        try:
            while True:
                waiting = [self._hear] if grabs is None else [self._hear, grabs.handle]
                ready, _, _ = select.select(waiting, [], [])
                if grabs is not None and not self._heard(grabs):
                    grabs = None
                if self._hear not in ready:
                    continue
                os.read(self._hear, 1)
                order = self._orders.get()
                if order is None:
                    return
                grabs = self._carry_out(*order, grabs)
        finally:
            if grabs is not None:
                grabs.close()
            os.close(self._wake)
            os.close(self._hear)

    def _heard(self, grabs: _Grabs) -> bool:
        """Report the presses; return whether the display still exists."""
        try:
            presses = grabs.presses()
        except Exception as error:  # noqa: BLE001 - Xlib raises whatever a broken connection gives
            _log.warning("The %s is not heard any more: %r", self._name, error)
            return False
        for _ in range(presses):
            self._pressed()
        return True

    def _carry_out(
        self, future: Future[None], key: Key | None, grabs: _Grabs | None
    ) -> _Grabs | None:
        try:
            if grabs is not None:
                grabs.release()
            if key is not None:
                grabs = grabs or _Grabs(self._name)
                grabs.grab(key)
        except KeyTaken as error:
            future.set_exception(error)
        except Exception as error:  # noqa: BLE001 - Xlib raises whatever the server gives
            future.set_exception(
                KeyTaken(f"no {self._name}: the display does not answer ({error})")
            )
            if grabs is not None:
                grabs.close()
            return None
        else:
            future.set_result(None)
        return grabs


def _symbol(key: Key) -> str:
    """Return X11's name of a key's symbol."""
    return key.name.lower() if len(key.name) == 1 else _SYMBOLS.get(key.name, key.name)


class _Grabs:
    """A connection of its own to the X server, and its grabbed keys.

    Args:
        name: Of the key's purpose.
    """

    def __init__(self, name: str) -> None:
        from Xlib import X  # noqa: PLC0415 - only on X11

        self._name = name
        self._x: Any = X
        self._display: Any = open_display()
        self._display.set_error_handler(lambda *_: None)
        self._root: Any = self._display.screen().root
        self._key: Key | None = None
        self._grabbed: set[tuple[int, int]] = set()
        self._released: tuple[int, int] | None = None
        """Code and time of the last release: a key that repeats is pressed again at that time."""

    @property
    def handle(self) -> int:
        """A descriptor for `select`."""
        return int(self._display.fileno())

    def grab(self, key: Key) -> None:
        """Grab a key.

        Raises:
            KeyTaken: Another program has it, or there is no such key.
        """
        from Xlib import error  # noqa: PLC0415 - only on X11

        self._grabbed = self._wanted(key)
        if not self._grabbed:
            raise KeyTaken(
                f"there is no key {key.name} on this keyboard: choose another {self._name}"
            )
        refused = error.CatchError(error.BadAccess)
        for code, modifiers in self._grabbed:
            self._root.grab_key(
                code,
                modifiers,
                True,
                self._x.GrabModeAsync,
                self._x.GrabModeAsync,
                onerror=refused,
            )
        self._display.sync()
        if refused.get_error() is not None:
            self.release()
            raise KeyTaken(
                f"another program has the key {key} "
                f"(another panel that plays, perhaps): choose another {self._name} in the settings"
            )
        self._key = key

    def release(self) -> None:
        """Release the grabbed keys."""
        for code, modifiers in self._grabbed:
            self._root.ungrab_key(code, modifiers)
        self._grabbed.clear()
        self._key = None
        self._display.sync()

    def presses(self) -> int:
        """Return how often the key was pressed since the last call."""
        found = 0
        while self._display.pending_events():
            event = self._display.next_event()
            if event.type == self._x.KeyRelease:
                self._released = event.detail, event.time
            elif event.type == self._x.KeyPress:
                found += (event.detail, event.time) != self._released
            if event.type == self._x.MappingNotify:
                self._follow(event)
        return found

    def close(self) -> None:
        """Release everything and close the connection."""
        with suppress(Exception):  # The server may have ended first.
            self.release()
        close_display(self._display)

    def _follow(self, event: Any) -> None:
        """Grab the key again only if its code has changed: a press could be missed."""
        self._display.refresh_keyboard_mapping(event)
        key = self._key
        if key is not None and self._wanted(key) != self._grabbed:
            self.release()
            # If another program has grabbed it under the new layout, it is not received any more.
            with suppress(KeyTaken):
                self.grab(key)

    def _wanted(self, key: Key) -> set[tuple[int, int]]:
        """Return the codes and modifiers of a key with all states of the locks; maybe none."""
        from Xlib import XK  # noqa: PLC0415 - only on X11

        code = self._display.keysym_to_keycode(XK.string_to_keysym(_symbol(key)))
        masks = self._masks()
        held = 0
        for name in key.modifiers:
            held |= masks[name]
        locks = _sums((self._x.LockMask, masks["Num"], masks["Scroll"]))
        return {(code, held | lock) for lock in locks if code}

    def _masks(self) -> dict[str, int]:
        """Return the bit of each modifier on this keyboard."""
        from Xlib import XK  # noqa: PLC0415 - only on X11

        x = self._x
        masks = {"Ctrl": x.ControlMask, "Shift": x.ShiftMask, "Alt": x.Mod1Mask}
        masks |= {"Meta": x.Mod4Mask, "Num": 0, "Scroll": 0}
        symbols = {"Alt_L": "Alt", "Super_L": "Meta", "Num_Lock": "Num", "Scroll_Lock": "Scroll"}
        codes = {
            self._display.keysym_to_keycode(XK.string_to_keysym(symbol)): name
            for symbol, name in symbols.items()
        }
        for number, row in enumerate(self._display.get_modifier_mapping()):
            for code in row:
                if code and code in codes:
                    masks[codes[code]] = 1 << number
        return masks


def _sums(masks: tuple[int, ...]) -> set[int]:
    """Return every sum of a subset of these bits."""
    return {
        sum(chosen)
        for count in range(len(masks) + 1)
        for chosen in combinations([mask for mask in masks if mask], count)
    }
