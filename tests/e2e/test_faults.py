"""What is promised of a run to which something happens (`bot/FAULTS.md`), each really done once.

`python -m tests.benchmarks.faults` does each many times.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.forked import PYTHON
from tests.support.runs import environment, finished
from tests.support.shown import require


@pytest.mark.parametrize(
    "faults",
    [
        ("moved", "window in front", "minimised", "frozen"),
        pytest.param(
            ("unknown dialog", "restarted by the user", "killed"),
            marks=pytest.mark.slow,
        ),
        pytest.param(
            ("moved by a busy window manager", "resized by its scale", "level changed"),
            marks=pytest.mark.slow,
        ),
        pytest.param(("moved to another monitor", "a click is lost"), marks=pytest.mark.slow),
    ],
    ids=lambda faults: faults[0],
)
def test_faults_are_handled_as_documented(tmp_path: Path, faults: tuple[str, ...]) -> None:
    """One run, one fault after the other: no click anywhere else, nothing wrong in the audit."""
    keep_promises(tmp_path, faults)


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["hides its board", "too small"])
def test_gnome_mines_goes_on_when_it_is_resumed(tmp_path: Path, fault: str) -> None:
    """It hides its board while the panel has the keyboard, and lights the cell below the pointer.

    That cell is another one when the window has another size.
    """
    require("gnome-mines")
    keep_promises(tmp_path, (f"{fault}, GNOME Mines",))


def keep_promises(tmp_path: Path, faults: tuple[str, ...]) -> None:
    """Run the benchmark of faults once, and check that it reports no violation."""
    run = finished(
        [*PYTHON, "-m", "tests.benchmarks.faults", "--times", "1", "--row", *faults],
        environment(tmp_path),
        300,
    )
    assert run.returncode == 0, run.stdout + run.stderr
