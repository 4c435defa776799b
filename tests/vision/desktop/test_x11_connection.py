"""What is made ready before Xlib opens a display, and a display that does not answer."""

from __future__ import annotations

import gc
import os
import struct
from pathlib import Path

import pytest

from gui.private_screen import PrivateScreen
from tests.support.silent import NOTHING, setup_reply, silent_server
from tests.support.xclient import adopt
from vision.desktop import Feature, desktop, x11_connection
from vision.desktop.x11_connection import (
    Connection,
    NoServer,
    authority,
    open_display,
)
from vision.desktop.x11_input import NoInputEvents, X11InputEvents

pytestmark = pytest.mark.linux


def test_no_authority_is_asked_for_where_there_is_none(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """An empty one while the display is opened, and none afterwards."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XAUTHORITY", raising=False)
    with authority():
        assert os.environ["XAUTHORITY"] == os.devnull
    assert "XAUTHORITY" not in os.environ


def test_a_cookie_for_any_display_is_used(
    display: PrivateScreen, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As Mutter writes one for XWayland; without it the server accepts no client."""
    number = display.display.removeprefix(":").encode()
    numbered = struct.pack(">H", len(number)) + number
    with_number = Path(os.environ["XAUTHORITY"]).read_bytes()
    assert numbered in with_number
    kept = tmp_path / "Xauthority"
    kept.write_bytes(with_number.replace(numbered, b"\0\0", 1))
    monkeypatch.setenv("XAUTHORITY", os.devnull)
    with pytest.raises(NoServer):
        open_display()
    monkeypatch.setenv("XAUTHORITY", str(kept))
    open_display().close()


@pytest.mark.parametrize("reply", [NOTHING, setup_reply()])
def test_a_silent_server_is_no_display(monkeypatch: pytest.MonkeyPatch, reply: bytes) -> None:
    """It accepts the connection, perhaps even sets it up, and nothing waits for ever."""
    monkeypatch.setattr(x11_connection, "ANSWER_SECONDS", 0.2)
    with silent_server(reply) as name:
        monkeypatch.setenv("DISPLAY", name)
        assert Feature.WINDOWS in desktop().lacks
        with pytest.raises(NoInputEvents, match="does not answer"):
            X11InputEvents()


@pytest.mark.parametrize("name", ["nonsense", ":x", "", "localhost:9", "::1:0"])
def test_a_wrong_display_is_no_display(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """No name of one, or one behind which nothing listens."""
    monkeypatch.setenv("DISPLAY", name)
    assert Feature.WINDOWS in desktop().lacks


def test_a_connection_that_fails_while_it_is_opened_is_closed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Xlib leaves its socket open then, too: Python's warning would fail a later test."""
    refusal = struct.pack("=BBHHH4s", 0, 4, 11, 0, 1, b"full")
    with silent_server(setup_reply() + bytes(32), refusal) as name:
        monkeypatch.setenv("DISPLAY", name)
        with pytest.raises(NoServer, match="cannot be used"):
            open_display()
    gc.collect()


def test_a_connection_is_closed_though_its_server_ended_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Xlib leaves its socket open then, of which Python warns: a warning fails this test."""
    with PrivateScreen() as screen:
        adopt(screen, monkeypatch)
        connection, events = Connection(), X11InputEvents()
        # Sent with the next request, which would be the last one.
        connection.root.warp_pointer(5, 5)
    events.close()
    del connection, events
    gc.collect()
