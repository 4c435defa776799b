"""The stop key, on a real X server, with a real other window in front.

`tests/e2e/wayland` presses that of a portal.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from Xlib import X

from tests.support.xclient import Keyboard, wait_until
from vision.desktop import Feature, GlobalKey, Key, KeyTaken, desktop, parse_key
from vision.desktop.portal_key import PortalKey, trigger_of
from vision.desktop.x11_input import X11GlobalKey

pytestmark = pytest.mark.linux


@pytest.mark.parametrize(
    ("text", "key", "trigger"),
    [
        ("F8", Key("F8", frozenset()), "F8"),
        ("Pause", Key("Pause", frozenset()), "Pause"),
        ("Ctrl+Alt+S", Key("S", frozenset({"Ctrl", "Alt"})), "CTRL+ALT+s"),
        ("Shift+F12", Key("F12", frozenset({"Shift"})), "SHIFT+F12"),
        ("Meta+PgUp", Key("PgUp", frozenset({"Meta"})), "LOGO+Page_Up"),
    ],
)
def test_a_key_is_read_as_qt_writes_it(text: str, key: Key, trigger: str) -> None:
    """And named for portals by the Shortcuts Specification."""
    assert parse_key(text) == key
    assert trigger_of(key) == trigger


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


@pytest.fixture
def heard() -> list[None]:
    """How often the stop key was heard."""
    return []


@pytest.fixture
def stop_key(display: object, heard: list[None]) -> Iterator[GlobalKey]:
    """Ended at the test's end."""
    assert display
    key = X11GlobalKey("stop key", lambda: heard.append(None))
    yield key
    key.close()
    key.join()


def test_locks_do_not_matter(stop_key: GlobalKey, heard: list[None]) -> None:
    """With Caps Lock, both, Num Lock or neither on the key is heard, with its modifiers."""
    stop_key.hold("Ctrl+Alt+S").result()
    with Keyboard() as keyboard:
        for count, lock in enumerate(("Caps_Lock", "Num_Lock") * 2, 1):
            keyboard.press(lock)
            keyboard.press("Control_L", "s")
            keyboard.press("Control_L", "Alt_L", "s")
            wait_until(lambda count=count: len(heard) == count)


def test_stop_key_is_grabbed_only_while_held(stop_key: GlobalKey, heard: list[None]) -> None:
    """Held only while there is something to stop; another key takes the place of the first.

    After its end it says so, and no order hangs.
    """
    stop_key.hold("F8").result()
    stop_key.hold("F10").result()
    other = X11GlobalKey("stop key", lambda: None)
    other.hold("F8").result()
    stop_key.release().result()
    other.hold("F10").result()
    other.close()
    other.close()
    other.join()
    with pytest.raises(KeyTaken, match="not heard any more"):
        other.hold("F8").result()
    stop_key.hold("F10").result()
    with Keyboard() as keyboard:
        keyboard.press("F8")
        keyboard.press("F10")
        wait_until(lambda: len(heard) == 1)


def test_key_of_another_program_is_refused(stop_key: GlobalKey, heard: list[None]) -> None:
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
        wait_until(lambda: len(heard) == 1)


@pytest.mark.parametrize(
    ("opened", "variable", "value", "said"),
    [
        (X11GlobalKey, "DISPLAY", ":987", "the display does not answer"),
        (
            PortalKey,
            "DBUS_SESSION_BUS_ADDRESS",
            "unix:path=/tmp/none",
            "the session bus does not answer",
        ),
    ],
)
def test_a_stop_key_that_cannot_be_heard_is_an_error(
    monkeypatch: pytest.MonkeyPatch,
    opened: type[X11GlobalKey | PortalKey],
    variable: str,
    value: str,
    said: str,
) -> None:
    """With the reason."""
    monkeypatch.setenv(variable, value)
    key = opened("stop key", lambda: None)
    with pytest.raises(KeyTaken, match=f"no stop key: {said}"):
        key.hold("F8").result()
    key.close()
    key.join()


def test_wayland_hears_nothing(display: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """XWayland would answer, and never tell of a key."""
    assert display
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    assert "Esc stops" in desktop().lacks[Feature.GLOBAL_KEYS]
    assert desktop().open_global_key("stop key", lambda: None) is None
