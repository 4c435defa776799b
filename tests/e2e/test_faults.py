"""What is promised of a run to which something happens (`bot/FAULTS.md`), each really done once.

`python -m tests.benchmarks.faults` does each many times.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.runs import environment


@pytest.mark.parametrize(
    "faults",
    [
        (
            "moved",
            "moved by a busy window manager",
            "window in front",
            "minimised",
            "resized by its scale",
            "frozen",
        ),
        ("unknown dialog", "restarted by the user", "level changed", "a click is lost"),
        ("moved to another monitor", "killed, opened again", "killed"),
    ],
    ids=lambda faults: faults[0],
)
def test_what_is_promised_is_kept(tmp_path: Path, faults: tuple[str, ...]) -> None:
    """One run, one fault after the other: no click anywhere else, nothing wrong in the audit."""
    run = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.faults", "--times", "1", "--row", *faults],
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert run.returncode == 0, run.stdout + run.stderr
