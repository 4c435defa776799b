"""What is made ready before Xlib opens a display."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from vision.x11.opening import answers, authority


def test_no_authority_is_asked_for_where_there_is_none(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """An empty one while the display is opened, and none afterwards."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XAUTHORITY", raising=False)
    with authority():
        assert os.environ["XAUTHORITY"] == os.devnull
    assert "XAUTHORITY" not in os.environ


def test_a_server_elsewhere_is_left_to_xlib() -> None:
    """Only this machine's sockets are asked."""
    assert answers("elsewhere:0")
    assert not answers(":987")
