"""What is made ready before Xlib opens a display, and a display that does not answer."""

from __future__ import annotations

import gc
import os
import struct
import sys
import threading
from pathlib import Path

import pytest

from bot.frame import Point
from gui.private_screen import PrivateScreen
from tests.support.silent import NOTHING, setup_reply, silent_server
from tests.support.xclient import adopt
from vision.desktop import Feature, ScreenError, desktop, x11_connection
from vision.desktop.x11_connection import (
    Connection,
    NoServer,
    authority,
    open_display,
    silence_stdout,
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


@pytest.mark.parametrize("name", ["", "nonsense", ":x", ":987", "localhost:9", "::1:0"])
def test_without_a_display_nothing_is_known(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """No name of one, or one behind which nothing listens: no error but for the screen."""
    monkeypatch.setenv("DISPLAY", name)
    made = desktop()
    assert set(made.lacks) == set(Feature)
    assert (made.list_windows(), made.window_at(Point(0, 0)), made.focused()) == ([], None, None)
    assert made.uncovered(1, [Point(0, 0)]) == [False]
    assert made.open_input_events() is None
    with pytest.raises(ScreenError, match="is there a display"):
        made.open_screen()


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


def test_only_one_thread_is_silenced(capsys: pytest.CaptureFixture[str]) -> None:
    """A prompt that another thread prints while a connection is opened is seen."""
    inside, reported = threading.Event(), threading.Event()

    def open_something() -> None:
        with silence_stdout():
            sys.stdout.write("warning, no xauthority details available\n")
            inside.set()
            reported.wait(10)

    thread = threading.Thread(target=open_something)
    thread.start()
    assert inside.wait(10)
    sys.stdout.write("Press Enter to continue\n")
    sys.stdout.flush()
    reported.set()
    thread.join()
    sys.stdout.write("afterwards\n")
    assert capsys.readouterr().out == "Press Enter to continue\nafterwards\n"
