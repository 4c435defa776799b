"""The stop key by the portal GlobalShortcuts.

The portal serves programs that have a desktop entry: with it `Portal` registers. GNOME asks the
user about a key once, and answers later requests by itself, but always with 'cancelled': the list
of the session's keys says whether a key was given.

Source: the interfaces org.freedesktop.portal.GlobalShortcuts (1) and
org.freedesktop.host.portal.Registry (1), and the Shortcuts Specification of freedesktop.org.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import closing, suppress
from typing import Final

from vision.desktop.base import AccessRefused, Key, KeyTaken, parse_key
from vision.desktop.portal import Portal, PortalError

_log = logging.getLogger(__name__)

_INTERFACE: Final = "GlobalShortcuts"
_ANSWER_SECONDS: Final = 120.0
"""Time for the user to answer the desktop's question."""
_MODIFIERS: Final = {"Ctrl": "CTRL", "Alt": "ALT", "Shift": "SHIFT", "Meta": "LOGO"}
_KEYS: Final = {
    "Backspace": "BackSpace",
    "Del": "Delete",
    "Ins": "Insert",
    "PgDown": "Page_Down",
    "PgUp": "Page_Up",
    "ScrollLock": "Scroll_Lock",
    "Space": "space",
}
"""Qt's name of a key -> that of xkbcommon, if they differ."""


class PortalKey:
    """Detects a key in a thread of its own while it is held; see `GlobalKey`.

    Args:
        name: Of its purpose, shown by the desktop.
        pressed: Called in that thread.
    """

    def __init__(self, name: str, pressed: Callable[[], None]) -> None:
        self._name, self._pressed = name, pressed
        self._released = threading.Event()
        self._thread: threading.Thread | None = None

    def hold(self, text: str) -> Future[None]:
        key = parse_key(text)
        self._released.set()
        self._released = threading.Event()
        held: Future[None] = Future()
        arguments = key, held, self._released
        self._thread = threading.Thread(
            target=self._run, args=arguments, name=self._name, daemon=True
        )
        self._thread.start()
        return held

    def release(self) -> Future[None]:
        self._released.set()
        done: Future[None] = Future()
        done.set_result(None)
        return done

    def close(self) -> None:
        self._released.set()

    def join(self) -> None:
        if self._thread is not None:
            self._thread.join()

    def _run(self, key: Key, held: Future[None], released: threading.Event) -> None:
        try:
            with closing(Portal()) as portal:
                session = self._bound(portal, key, released.is_set)
                with portal.signals(_INTERFACE, "Activated") as presses:
                    held.set_result(None)
                    while not released.is_set():
                        for owner, *_ in portal.receive(presses):
                            if owner == session:
                                self._pressed()
        except (PortalError, AccessRefused, KeyTaken) as error:
            if held.done():
                _log.warning("The %s is not heard any more: %s", self._name, error)
            elif released.is_set():
                held.set_result(None)
            else:
                held.set_exception(KeyTaken(f"no {self._name}: {error}"))

    def _bound(self, portal: Portal, key: Key, stopped: Callable[[], bool]) -> str:
        """Ask the desktop for the key; return the session's path.

        Raises:
            KeyTaken: The desktop or the user refuses.
            PortalError: The portal fails.
        """
        # A desktop keeps the key of a name, also if another one is wanted.
        name = f"{self._name} {key}"
        session = portal.create_session(_INTERFACE, stopped)
        wanted = {
            "description": ("s", self._name.capitalize()),
            "preferred_trigger": ("s", trigger_of(key)),
        }
        with suppress(AccessRefused):
            portal.request(
                _INTERFACE,
                "BindShortcuts",
                "oa(sa{sv})sa{sv}",
                session,
                [(name, wanted)],
                "",
                options={},
                stopped=stopped,
                seconds=_ANSWER_SECONDS,
            )
        listed = portal.request(
            _INTERFACE, "ListShortcuts", "oa{sv}", session, options={}, stopped=stopped
        )
        if name not in (one for one, _ in listed.get("shortcuts", ("", []))[1]):
            raise KeyTaken(f"your desktop does not give the key {key} to this program")
        return session


def trigger_of(key: Key) -> str:
    """Return a key in the format of the Shortcuts Specification: CTRL+ALT+s."""
    name = key.name.lower() if len(key.name) == 1 else _KEYS.get(key.name, key.name)
    held = [code for modifier, code in _MODIFIERS.items() if modifier in key.modifiers]
    return "+".join((*held, name))
