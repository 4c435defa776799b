"""Mice for a real X server, in the hand of somebody else than the program that is tested."""

from __future__ import annotations

from types import TracebackType
from typing import Any, Final, Self

from Xlib import X, display
from Xlib.ext import xtest
from Xlib.protocol import rq

from bot.frame import Point
from vision.x11.opening import authority

_DEVICE: Final = 6
"""The mouse of an Xvfb, in which nobody's hand is: 2 to 5 are the server's own devices."""
_PRESS, _RELEASE, _MOTION = 3, 4, 5
"""Of the X Input Extension, added to its first event."""


class _DeviceInput(rq.Request):  # type: ignore[misc]  # Xlib has no types
    """XTestFakeDeviceMotionEvent and its like, with the motion's two axes."""

    _request = rq.Struct(
        rq.Card8("opcode"),
        rq.Opcode(2),
        rq.RequestLength(),
        rq.Card8("event_type"),
        rq.Card8("detail"),
        rq.Pad(2),
        rq.Card32("time"),
        rq.Pad(23),
        rq.Card8("device"),
        rq.Card8("valuator_type"),
        rq.Card8("valuator_device"),
        rq.Pad(4),
        rq.Card8("count"),
        rq.Card8("first"),
        rq.Int32("x"),
        rq.Int32("y"),
        rq.Pad(16),
    )


class _DeviceButton(rq.Request):  # type: ignore[misc]
    """XTestFakeDeviceButtonEvent."""

    _request = rq.Struct(
        rq.Card8("opcode"),
        rq.Opcode(2),
        rq.RequestLength(),
        rq.Card8("event_type"),
        rq.Card8("detail"),
        rq.Pad(2),
        rq.Card32("time"),
        rq.Pad(23),
        rq.Card8("device"),
    )


class Mice:
    """The user's mouse, and a program that sends events as somebody at a distance does."""

    def __init__(self) -> None:
        with authority():
            self.display: Any = display.Display()
        self._root: Any = self.display.screen().root
        self._xtest = self.display.query_extension("XTEST").major_opcode
        self._first = self.display.query_extension("XInputExtension").first_event

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.display.close()

    @property
    def place(self) -> Point:
        """Where the pointer is."""
        found = self._root.query_pointer()
        return Point(found.root_x, found.root_y)

    def push(self, x: int, y: int, times: int = 1) -> None:
        """Push the real mouse, so many pixels each time."""
        for _ in range(times):
            _DeviceInput(
                display=self.display.display,
                opcode=self._xtest,
                event_type=self._first + _MOTION,
                detail=True,
                time=0,
                device=_DEVICE,
                valuator_type=self._first,
                valuator_device=_DEVICE,
                count=2,
                first=0,
                x=x,
                y=y,
            )
        self.display.sync()

    def click(self, button: int = 1) -> None:
        """Click with the real mouse, where the pointer is."""
        for kind in (_PRESS, _RELEASE):
            _DeviceButton(
                display=self.display.display,
                opcode=self._xtest,
                event_type=self._first + kind,
                detail=button,
                time=0,
                device=_DEVICE,
            )
        self.display.sync()

    def send(self, x: int, y: int) -> None:
        """Put the pointer elsewhere by an event, as x11vnc and xdotool do."""
        xtest.fake_input(self.display, X.MotionNotify, x=x, y=y)
        self.display.sync()

    def send_click(self, button: int = 1) -> None:
        """Click by events, where the pointer is."""
        for kind in (X.ButtonPress, X.ButtonRelease):
            xtest.fake_input(self.display, kind, button)
        self.display.sync()

    def warp(self, x: int, y: int) -> None:
        """Put the pointer elsewhere without an event, as window managers and games do."""
        self._root.warp_pointer(x, y)
        self.display.sync()

    def tell(self, name: str, kind: str, value: int) -> None:
        """Write a number into a property of the root window."""
        atom = self.display.intern_atom
        self._root.change_property(atom(name), atom(kind), 32, [value])
        self.display.sync()

    def unsay(self, name: str) -> None:
        """Take a property of the root window away."""
        self._root.delete_property(self.display.intern_atom(name))
        self.display.sync()
