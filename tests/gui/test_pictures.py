"""The script that makes the panel's pictures for the README."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import cv2
import pytest

pytestmark = pytest.mark.slow


def test_the_pictures_can_be_made(tmp_path: Path) -> None:
    """As it is documented, in a process of its own; in both themes, and none is empty."""
    run = subprocess.run(
        [sys.executable, "-m", "tests.tools.pictures", str(tmp_path / "new")],
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen", "MINESWEEPER_BOT_HOME": str(tmp_path)},
        cwd=Path(__file__).parent.parent.parent,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert run.returncode == 0, run.stderr
    made = {path.stem: path for path in (tmp_path / "new").iterdir()}
    for name in ("empty", "covered", "list", "playing", "guess", "asks", "over"):
        for theme in ("light", "dark"):
            picture = cv2.imread(str(made[f"panel-{name}-{theme}"]))
            assert picture.std() > 5
