"""What mice and keyboards do, and all that is sent in their place (X Input Extension 2).

Raw events come from a device, not from what the server makes of them: a window manager or a
program that puts the pointer elsewhere causes none, every hand on a mouse and every program
that sends events does, and each names its device. They come whoever holds the mouse (since
version 2.1 of the extension).

Xlib's own reader takes every event for 32 bytes long, these are longer: so its connection is
used for greeting the server alone, and then its socket is read here.

Source: XI2proto.txt (XIQueryVersion, XIQueryDevice, XISelectEvents, RawEvent), X.Org.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Iterator
from contextlib import suppress
from enum import Enum
from typing import Any, Final, NamedTuple

from bot.frame import Point
from vision.x11.opening import NoServer, open_display

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


class Kind(Enum):
    """What a device did."""

    MOTION = "motion"
    PRESS = "press"
    KEY = "key"
    """A key was pressed, but for F1 to F12, which are commands; which one is not kept."""


class Raw(NamedTuple):
    """Something that a device did."""

    kind: Kind
    sent: bool
    """A program sent it (XTEST), no hand on a mouse."""
    point: Point | None
    """Where to, of a motion that a program sent; a distance if it was relative."""


class NoRawInput(RuntimeError):
    """This server tells nothing of its devices."""


class RawInput:
    """A connection that hears every mouse and keyboard. Its methods are called by one thread.

    Raises:
        NoRawInput: The server tells nothing, or there is none.
    """

    def __init__(self) -> None:
        try:
            self._display: Any = open_display()
        except NoServer as error:
            raise NoRawInput(str(error)) from error
        extension = self._display.query_extension("XInputExtension")
        if extension is None:
            self.close()
            raise NoRawInput("the X server has no X Input Extension")
        self._display.sync()
        self._opcode: int = extension.major_opcode
        self._root: int = self._display.screen().root.id
        self._commands = {self._display.keysym_to_keycode(key) for key in _FUNCTION_KEYS}
        self._socket: Any = self._display.display.socket
        self._socket.setblocking(True)
        self._bytes = b""
        self._waiting: list[Raw] = []
        try:
            self._greet()
        except (OSError, struct.error) as error:
            self.close()
            raise NoRawInput(f"the X server does not tell of its devices: {error}") from error

    @property
    def handle(self) -> int:
        """What `select` waits on."""
        return int(self._socket.fileno())

    @property
    def pending(self) -> bool:
        """Whether `take` has something without waiting."""
        return bool(self._waiting or len(self._bytes) >= _HEAD)

    def take(self) -> list[Raw]:
        """What was done since this was asked last; waits for the server where that was nothing.

        Raises:
            OSError: The server has gone.
        """
        if not self._waiting:
            self._receive()
        while (packet := self._cut()) is not None:
            self._keep(packet)
        found, self._waiting = self._waiting, []
        return found

    def place(self) -> Point:
        """Where the pointer is; what was done meanwhile is kept for `take`.

        Raises:
            OSError: The server has gone.
        """
        self._send(struct.pack("=BBHI", _QUERY_POINTER, 0, 2, self._root))
        return Point(*struct.unpack_from("=hh", self._reply(), 16))

    def close(self) -> None:
        """Hear nothing any more."""
        with suppress(Exception):  # the server may have gone first
            self._display.close()

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
        # Selecting has no reply: one that has tells that it was done.
        self._send(struct.pack("=BBH", _GET_INPUT_FOCUS, 0, 1))
        self._reply()

    def _send(self, request: bytes) -> None:
        self._socket.sendall(request)

    def _reply(self) -> bytes:
        """The reply to what was asked; events before it are kept."""
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
        """The next packet; None where it has not come whole."""
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
            self._waiting.append(Raw(Kind.PRESS, sent, None))
        elif kind == _KEY_PRESS and _field(packet, 16) not in self._commands:
            self._waiting.append(Raw(Kind.KEY, sent, None))
        elif kind == _MOTION:
            self._waiting.append(Raw(Kind.MOTION, sent, _point(packet, axes) if sent else None))


def _field(packet: bytes, at: int) -> int:
    """A 16-bit field; the server was asked for this machine's order of bytes."""
    return int.from_bytes(packet[at : at + 2], sys.byteorder)


def _devices(reply: bytes) -> Iterator[tuple[int, str]]:
    """Numbers and names of the devices in an XIQueryDevice reply."""
    at = _HEAD
    for _ in range(_field(reply, 8)):
        number, _use, _attached, classes, length = struct.unpack_from("=HHHHH", reply, at)
        at += 12
        yield number, reply[at : at + length].decode("utf-8", "replace")
        at += (length + 3) // 4 * 4
        for _class in range(classes):
            at += 4 * _field(reply, at + 2)


def _point(packet: bytes, axes: int) -> Point | None:
    """The first two axes of a motion; None where it has not both."""
    at = _HEAD + 4 * axes
    if not axes or packet[_HEAD] & 3 != 3:
        return None
    x, x_part, y, y_part = struct.unpack_from("=iIiI", packet, at)
    return Point(x + x_part / 2**_FIXED_POINT, y + y_part / 2**_FIXED_POINT)
