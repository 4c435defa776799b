"""The stop key, on a real X server, with a real other window in front."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import numpy as np
import pytest
from Xlib import X

from tests.support.xclient import Keyboard, wait_until
from vision.desktop import Feature, GlobalKey, Key, KeyTaken, desktop, parse_key
from vision.desktop.x11_input import X11GlobalKey

pytestmark = pytest.mark.linux

PICTURE = np.full((60, 80, 3), 90, np.uint8)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("F8", Key("F8", frozenset())),
        ("Pause", Key("Pause", frozenset())),
        ("Ctrl+Alt+S", Key("S", frozenset({"Ctrl", "Alt"}))),
        ("Shift+F12", Key("F12", frozenset({"Shift"}))),
        ("Meta+Del", Key("Del", frozenset({"Meta"}))),
    ],
)
def test_a_key_is_read_as_qt_writes_it(text: str, key: Key) -> None:
    """Modifiers in any number, then X11's own name of the key."""
    assert parse_key(text) == key


@pytest.mark.parametrize(
    ("text", "reported"),
    [
        ("S", "alone is typed"),
        ("Shift+S", "alone is typed"),
        ("Del", "alone is typed"),
        ("F2", "used by this program or a game"),
        ("F5", "used by this program or a game"),
        ("F4", "used by this program or a game"),
        ("Ctrl+N", "used by this program or a game"),
        ("Alt+3", "used by this program or a game"),
        ("Ctrl+Ctrl+S", "is no key"),
        ("Strg+S", "is no key"),
        ("F99", "is no key"),
        ("Esc", "is no key that can be used"),
        ("", "is no key"),
    ],
)
def test_a_key_that_must_not_stop_is_refused(text: str, reported: str) -> None:
    """What is typed elsewhere, what a game starts with, and what is no key."""
    with pytest.raises(ValueError, match=reported):
        parse_key(text)


class Presses:
    """How often the key was heard, and in which thread."""

    def __init__(self) -> None:
        self.threads: list[threading.Thread] = []

    def __call__(self) -> None:
        """Once more."""
        self.threads.append(threading.current_thread())


@pytest.fixture
def heard() -> Presses:
    """What the stop key said."""
    return Presses()


@pytest.fixture
def stop_key(display: object, heard: Presses) -> Iterator[GlobalKey]:
    """Ended at the test's end."""
    assert display
    key = X11GlobalKey("stop key", heard)
    yield key
    key.close()
    key.join()


def test_locks_do_not_matter(stop_key: GlobalKey, heard: Presses) -> None:
    """With Caps Lock, both, Num Lock or neither on the key is heard, with its modifiers."""
    stop_key.hold("Ctrl+Alt+S").result()
    with Keyboard() as keyboard:
        for count, lock in enumerate(("Caps_Lock", "Num_Lock") * 2, 1):
            keyboard.press(lock)
            keyboard.press("Control_L", "s")
            keyboard.press("Control_L", "Alt_L", "s")
            wait_until(lambda count=count: len(heard.threads) == count)


def test_stop_key_is_grabbed_only_while_held(stop_key: GlobalKey, heard: Presses) -> None:
    """Held only while there is something to stop; another key takes the place of the first."""
    stop_key.hold("F8").result()
    stop_key.hold("F10").result()
    other = X11GlobalKey("stop key", lambda: None)
    other.hold("F8").result()
    stop_key.release().result()
    other.hold("F10").result()
    other.close()
    other.join()
    stop_key.hold("F10").result()
    with Keyboard() as keyboard:
        keyboard.press("F8")
        keyboard.press("F10")
        wait_until(lambda: len(heard.threads) == 1)


def test_key_of_another_program_is_refused(stop_key: GlobalKey, heard: Presses) -> None:
    """Another program's grab, even of one state of the locks; nothing stays half grabbed."""
    with Keyboard() as other:
        code = other.display.keysym_to_keycode(0xFFC5)
        root = other.display.screen().root
        root.grab_key(code, X.LockMask, True, X.GrabModeAsync, X.GrabModeAsync)
        other.display.sync()
        with pytest.raises(KeyTaken, match="another program has the key F8"):
            stop_key.hold("F8").result()
        stop_key.hold("F10").result()
        other.press("F10")
        wait_until(lambda: len(heard.threads) == 1)


def test_after_its_end_it_says_so(display: object) -> None:
    """No order hangs."""
    assert display
    key = X11GlobalKey("stop key", lambda: None)
    key.close()
    key.close()
    key.join()
    with pytest.raises(KeyTaken, match="not heard any more"):
        key.hold("F8").result()


def test_stop_key_without_a_display_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """No display, one that does not answer, and Wayland: none can be heard."""
    monkeypatch.setenv("DISPLAY", ":987")
    assert Feature.GLOBAL_KEYS in desktop().lacks
    key = X11GlobalKey("stop key", lambda: None)
    with pytest.raises(KeyTaken, match="no stop key: the display does not answer"):
        key.hold("F8").result()
    key.close()
    key.join()


def test_wayland_hears_nothing(display: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """XWayland would answer, and never tell of a key."""
    assert display
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    assert "Esc stops" in desktop().lacks[Feature.GLOBAL_KEYS]
    assert desktop().open_global_key("stop key", lambda: None) is None
