"""The script that makes the panel's pictures for the README."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import cv2
import pytest

pytestmark = pytest.mark.slow

PICTURES = Path(__file__).parents[2] / "gui" / "pictures"


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
    known = {path.stem for path in PICTURES.glob("*-light.png")} | {"pages-dark"}
    assert made.keys() >= known
    assert all(cv2.imread(str(path)).std() > 5 for path in made.values())
