"""Dialogs of a program by the accessibility bus (AT-SPI), where the window system lists no windows.

GTK's programs tell this bus their windows, with titles and buttons, in every GNOME session; Qt's
only while a screen reader runs. It does not tell where a window is on the screen.

Source: the interfaces org.a11y.atspi.Accessible and Action.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from math import inf
from typing import Any, Final

from jeepney import DBusAddress, MessageType, Properties, new_method_call
from jeepney.io.blocking import DBusConnection, open_dbus_connection

from vision.desktop.base import ProgramDialog

_ATSPI: Final = "org.a11y.atspi"
_ROOT: Final = ("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root")
_BUTTONS: Final = ("push button", "button")
"""The name of a button's role, in GTK 3 and 4."""


@dataclass(frozen=True)
class AccessibilityLimits:
    """Limits of calls of the accessibility bus."""

    answer_seconds: float = 1.0
    """Time for a program to answer."""
    search_seconds: float = 0.2
    """Time between two searches."""
    parts: int = 200
    """Most parts of a dialog that are searched for buttons."""


_LIMITS: Final = AccessibilityLimits()


_Part = tuple[str, str]
"""The bus name and the path of a part of a program."""


class Accessibility:
    """The accessibility bus of the session. Its methods may be called by any thread."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._bus: DBusConnection | None = None
        self._searched = -inf
        self._found: ProgramDialog | None = None

    def find_dialog(self, program: str, titles: Sequence[str]) -> ProgramDialog | None:
        """Return an open dialog of a program that has exactly one button; None if there is none.

        The result of the last search is returned for a moment.

        Args:
            program: The program's name, in any case.
            titles: A part of the title of each dialog that is meant.
        """
        with self._lock:
            if time.perf_counter() - self._searched >= _LIMITS.search_seconds:
                self._found = None
                with suppress(OSError, ValueError, LookupError, TypeError):
                    self._found = self._search(program.casefold(), titles)
                self._searched = time.perf_counter()
            return self._found

    def close(self) -> None:
        """Close the connection."""
        with self._lock:
            self._disconnect()

    def _press(self, button: _Part) -> None:
        with self._lock, suppress(OSError):
            self._call(button, "Action", "DoAction", "i", 0)
            self._searched = -inf

    def _search(self, program: str, titles: Sequence[str]) -> ProgramDialog | None:
        for one in self._children(_ROOT):
            if self._name(one).casefold() != program:
                continue
            for window in self._children(one):
                title = self._name(window)
                if self._role(window) == "dialog" and any(part in title for part in titles):
                    buttons = self._buttons_in(window)
                    if len(buttons) == 1:
                        return ProgramDialog(title, partial(self._press, buttons[0]))
        return None

    def _buttons_in(self, window: _Part) -> list[_Part]:
        """Return the buttons of a window, level by level."""
        parts = [window]
        for part in parts:
            parts += self._children(part)[: _LIMITS.parts - len(parts)]
        return [part for part in parts if self._role(part) in _BUTTONS]

    def _children(self, part: _Part) -> list[_Part]:
        (found,) = self._call(part, "Accessible", "GetChildren") or ([],)
        return list(found)

    def _role(self, part: _Part) -> str:
        (role,) = self._call(part, "Accessible", "GetRoleName") or ("",)
        return str(role)

    def _name(self, part: _Part) -> str:
        message = Properties(DBusAddress(part[1], part[0], f"{_ATSPI}.Accessible")).get("Name")
        ((_, name),) = self._ask(message) or (("s", ""),)
        return str(name)

    def _call(
        self, part: _Part, interface: str, member: str, signature: str | None = None, *body: object
    ) -> tuple[Any, ...]:
        address = DBusAddress(part[1], part[0], f"{_ATSPI}.{interface}")
        return self._ask(new_method_call(address, member, signature, body))

    def _ask(self, message: Any) -> tuple[Any, ...]:
        """Return the body of a reply; empty if it is an error, or does not come in time.

        Raises:
            OSError: There is no bus, or it is gone.
        """
        if self._bus is None:
            self._bus = _connection()
        try:
            reply = self._bus.send_and_get_reply(message, timeout=_LIMITS.answer_seconds)
        except TimeoutError:
            return ()
        except OSError:
            self._disconnect()
            raise
        return () if reply.header.message_type is MessageType.error else tuple(reply.body)

    def _disconnect(self) -> None:
        if self._bus is not None:
            self._bus.close()
        self._bus = None


def _connection() -> DBusConnection:
    """Return a connection to the accessibility bus, whose address the session bus knows."""
    bus = DBusAddress("/org/a11y/bus", "org.a11y.Bus", "org.a11y.Bus")
    with open_dbus_connection("SESSION") as session:
        reply = session.send_and_get_reply(
            new_method_call(bus, "GetAddress"), timeout=_LIMITS.answer_seconds
        )
    if reply.header.message_type is MessageType.error:
        raise OSError(f"there is no accessibility bus: {reply.body}")
    return open_dbus_connection(str(reply.body[0]))
