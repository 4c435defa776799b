"""The key that stops from wherever the focus is: the window system's other seam.

On X11 a key is grabbed on the root window, by a connection and a thread of its own: it is
heard whichever window has the focus, and as long as nothing else holds the whole keyboard
(a menu that is open does). A grab is of a key with exactly these modifiers, so it is made
once for each state of the locks (Caps, Num, Scroll). Elsewhere `supported` is false: Windows
and macOS have never been tried by us, and on Wayland no program hears another one's keys.
"""

from __future__ import annotations

import os
import queue
import select
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

from vision import windows
from vision.x11.opening import open_display

MODIFIERS: Final = ("Ctrl", "Alt", "Shift", "Meta")
_NAMED: Final = {
    "Pause": "Pause",
    "ScrollLock": "Scroll_Lock",
    "Print": "Print",
    "Ins": "Insert",
    "Del": "Delete",
    "Home": "Home",
    "End": "End",
    "PgUp": "Prior",
    "PgDown": "Next",
    "Backspace": "BackSpace",
    "Space": "space",
    "Left": "Left",
    "Right": "Right",
    "Up": "Up",
    "Down": "Down",
}
"""Qt's portable names of keys, and X11's."""
_ALONE: Final = frozenset({"Pause", "ScrollLock", "Print"})
"""Named keys that may stop without a modifier: nobody types with them."""
_TAKEN: Final = frozenset({"F1", "F2", "F5", "F6", "F7", "F9", "Ctrl+N", "Ctrl+R"})
"""The panel's own, and those that start the next game in programs that we know."""
_LAST_FUNCTION_KEY: Final = 24


class KeyTaken(RuntimeError):
    """The key cannot be had; the message says why and what to do."""


@dataclass(frozen=True)
class Key:
    """A key with its modifiers."""

    name: str
    """X11's name of its symbol."""
    modifiers: frozenset[str]
    """Of `MODIFIERS`."""


def parse_key(text: str) -> Key:
    """A key from its text, as Qt writes it: F8, Pause, Ctrl+Alt+S.

    Raises:
        ValueError: It is none, or one that must not stop; the message says why.
    """
    *modifiers, name = text.split("+")
    held = frozenset(modifiers)
    if not held <= set(MODIFIERS) or len(held) != len(modifiers):
        raise ValueError(f"'{text}' is no key such as F8, Pause or Ctrl+Alt+S")
    if text in _TAKEN:
        raise ValueError(f"{text} is used by this program or by a game: choose another key")
    symbol = _symbol(name)
    if symbol is None:
        raise ValueError(f"'{text}' is no key that can stop: choose F8, Pause or Ctrl+Alt+S")
    plain = not held - {"Shift"}
    if plain and not (_function_key(name) or name in _ALONE):
        raise ValueError(f"{text} alone is typed in other programs: add Ctrl, Alt or Meta")
    return Key(symbol, held)


def _function_key(name: str) -> bool:
    number = name.removeprefix("F")
    return name.startswith("F") and number.isdecimal() and 1 <= int(number) <= _LAST_FUNCTION_KEY


def _symbol(name: str) -> str | None:
    if _function_key(name):
        return name
    if len(name) == 1 and name.isascii() and name.isalnum():
        return name.lower()
    return _NAMED.get(name)


def supported() -> bool:
    """Whether a key can be heard here while another window has the focus."""
    wayland = os.environ.get("WAYLAND_DISPLAY") or os.environ.get("XDG_SESSION_TYPE") == "wayland"
    return not wayland and windows.supported()


class StopKey:
    """Hears a key, held only while there is something to stop.

    Args:
        pressed: Called in the key's own thread, perhaps several times: a key repeats.
    """

    def __init__(self, pressed: Callable[[], None]) -> None:
        self._pressed = pressed
        self._orders: queue.SimpleQueue[tuple[Future[None], Key | None] | None] = (
            queue.SimpleQueue()
        )
        self._hear, self._wake = os.pipe()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="stop key", daemon=True)
        self._thread.start()

    def hold(self, text: str) -> Future[None]:
        """Hear this key from now on, in place of the one before; does not wait.

        Args:
            text: As `parse_key` takes it.

        Returns:
            Done when the key is heard; raises KeyTaken where it cannot be.

        Raises:
            ValueError: It is no key.
        """
        return self._order(parse_key(text))

    def release(self) -> Future[None]:
        """Leave the key to the other programs; does not wait."""
        return self._order(None)

    def close(self) -> None:
        """Release the key and end the thread; does not wait, `join` does."""
        if not self._closed:
            self._closed = True
            self._orders.put(None)
            os.write(self._wake, b".")

    def join(self) -> None:
        """Wait until the thread has ended, after `close`."""
        self._thread.join()

    def _order(self, key: Key | None) -> Future[None]:
        future: Future[None] = Future()
        if self._closed:
            future.set_exception(KeyTaken("the stop key is not heard any more"))
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
                grabs = _carry_out(*order, grabs)
        finally:
            if grabs is not None:
                grabs.close()
            os.close(self._wake)
            os.close(self._hear)

    def _heard(self, grabs: _Grabs) -> bool:
        """Tell of the presses; whether the display is still there."""
        try:
            presses = grabs.presses()
        except Exception:  # noqa: BLE001 - Xlib raises whatever a broken connection gives
            return False
        for _ in range(presses):
            self._pressed()
        return True


def _carry_out(future: Future[None], key: Key | None, grabs: _Grabs | None) -> _Grabs | None:
    try:
        if grabs is not None:
            grabs.release()
        if key is not None:
            grabs = grabs or _Grabs()
            grabs.take(key)
    except KeyTaken as error:
        future.set_exception(error)
    except Exception as error:  # noqa: BLE001 - Xlib raises whatever the server gives
        future.set_exception(KeyTaken(f"no stop key: the display does not answer ({error})"))
        return None
    else:
        future.set_result(None)
    return grabs


class _Grabs:
    """A connection of its own to the X server, and what it has grabbed."""

    def __init__(self) -> None:
        if not supported():
            raise KeyTaken("no stop key here: no other window's keys can be heard on this desktop")
        from Xlib import X  # noqa: PLC0415 - only where there is X11

        self._x: Any = X
        self._display: Any = open_display()
        self._display.set_error_handler(lambda *_: None)
        self._root: Any = self._display.screen().root
        self._key: Key | None = None
        self._taken: set[tuple[int, int]] = set()

    @property
    def handle(self) -> int:
        """What `select` waits on."""
        return int(self._display.fileno())

    def take(self, key: Key) -> None:
        """Grab a key.

        Raises:
            KeyTaken: Another program has it, or there is no such key.
        """
        from Xlib import error  # noqa: PLC0415 - only where there is X11

        self._taken = self._wanted(key)
        if not self._taken:
            raise KeyTaken(f"there is no key {key.name} on this keyboard: choose another stop key")
        refused = error.CatchError(error.BadAccess)
        for code, modifiers in self._taken:
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
                f"another program has the key {'+'.join((*sorted(key.modifiers), key.name))} "
                "(another panel that plays, perhaps): choose another stop key in the settings"
            )
        self._key = key

    def release(self) -> None:
        """Let go of what is grabbed."""
        for code, modifiers in self._taken:
            self._root.ungrab_key(code, modifiers)
        self._taken.clear()
        self._key = None
        self._display.sync()

    def presses(self) -> int:
        """How often the key was pressed since it was asked last."""
        found = 0
        while self._display.pending_events():
            event = self._display.next_event()
            found += event.type == self._x.KeyPress
            if event.type == self._x.MappingNotify:
                self._follow(event)
        return found

    def close(self) -> None:
        """Let go of everything."""
        with suppress(Exception):  # the server may have gone first
            self.release()
            self._display.close()

    def _follow(self, event: Any) -> None:
        """Another keyboard is typed on, or another layout: the key may be elsewhere on it.

        Where it is not, it is held on to: let go of and taken again, it could be missed between.
        """
        self._display.refresh_keyboard_mapping(event)
        key = self._key
        if key is not None and self._wanted(key) != self._taken:
            self.release()
            # Where another program has it under the other layout, it is not heard any more.
            with suppress(KeyTaken):
                self.take(key)

    def _wanted(self, key: Key) -> set[tuple[int, int]]:
        """The codes and modifiers by which a key is heard, whatever locks are on; maybe none."""
        from Xlib import XK  # noqa: PLC0415 - only where there is X11

        code = self._display.keysym_to_keycode(XK.string_to_keysym(key.name))
        masks = self._masks()
        held = 0
        for name in key.modifiers:
            held |= masks[name]
        locks = _sums((self._x.LockMask, masks["Num"], masks["Scroll"]))
        return {(code, held | lock) for lock in locks if code}

    def _masks(self) -> dict[str, int]:
        """Which bit each modifier has on this keyboard."""
        from Xlib import XK  # noqa: PLC0415 - only where there is X11

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
    """Every way to set some of these bits."""
    return {
        sum(chosen)
        for count in range(len(masks) + 1)
        for chosen in combinations([mask for mask in masks if mask], count)
    }
