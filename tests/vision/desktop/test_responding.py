"""Whether a program answers: one that does, one that is halted, and one that cannot be asked."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path

import numpy as np
import pytest

from gui.private_screen import PrivateScreen
from tests.support.forked import simulated
from tests.support.xclient import PictureWindow, adopt
from vision.click_guard import NotAnswering, refuse_hanging
from vision.desktop import desktop

pytestmark = pytest.mark.linux


def test_a_program_is_asked_whether_it_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The simulated window does, until it is halted; a window that cannot be asked counts."""
    wait = threading.Event().wait
    with PrivateScreen() as screen:
        adopt(screen, monkeypatch)
        with simulated(screen, tmp_path) as game:
            window = next(one for one in desktop().list_windows() if one.id == game)
            assert window.pid is not None
            refuse_hanging(window, wait)
            monkeypatch.setattr("vision.desktop.x11_desktop._RESPONSE_SECONDS", 0.5)
            os.kill(window.pid, signal.SIGSTOP)
            try:
                with pytest.raises(NotAnswering, match="does not answer"):
                    refuse_hanging(window, wait)
            finally:
                os.kill(window.pid, signal.SIGCONT)
        refuse_hanging(window, wait)  # gone: others tell of that
        with PictureWindow(np.zeros((50, 50, 3), np.uint8), (10, 10)) as plain:
            refuse_hanging(
                next(one for one in desktop().list_windows() if one.id == plain.id), wait
            )
