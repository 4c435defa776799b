"""What libraries print is kept back; what this program says at that moment is not."""

from __future__ import annotations

import sys
import threading

import pytest

from vision.desktop.x11_connection import silence_stdout

pytestmark = pytest.mark.linux


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
