"""Private screens: really started, private, and gone afterwards."""

from __future__ import annotations

import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from gui.private import PrivateScreenError
from gui.private_screen import PrivateScreen

pytestmark = pytest.mark.linux

PROBE = "import mss\nwith mss.MSS() as m: print(m.monitors[0]['width'], m.monitors[0]['height'])"


def probe(environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """A process that opens the display and says its size."""
    return subprocess.run(
        [sys.executable, "-c", PROBE], env=environment, capture_output=True, text=True, check=False
    )


def test_screen_is_private_and_leaves_nothing_behind(tmp_path: Path) -> None:
    """Only with its cookie another process sees a screen, of the size that was asked for."""
    with PrivateScreen(800, 600) as screen:
        assert probe(screen.environment).stdout.split() == ["800", "600"]
        authority = Path(screen.environment["XAUTHORITY"])
        assert stat.S_IMODE(authority.stat().st_mode) == 0o600
        stranger = screen.environment | {"XAUTHORITY": str(tmp_path / "none")}
        assert probe(stranger).returncode != 0
        socket = Path(f"/tmp/.X11-unix/X{screen.environment['DISPLAY'][1:]}")  # noqa: S108
        number = socket.stat().st_ino
    assert not authority.parent.exists()
    # Unless another program has the display now.
    assert not socket.exists() or socket.stat().st_ino != number


def test_missing_server_is_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The message is the line to run."""
    monkeypatch.setenv("PATH", str(tmp_path))
    assert shutil.which("Xvfb") is None
    with (
        pytest.raises(PrivateScreenError, match="sudo apt-get install xvfb openbox"),
        PrivateScreen(),
    ):
        pass
