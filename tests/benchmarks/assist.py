"""Measure the time from a click to the panel's display of the new state.

    python -m tests.benchmarks.assist

A real mouse (XTEST) clicks cells of the simulated Expert window on a private screen; window, panel
and clicker are processes of their own. Measured from when the window's pixels changed, as a capture
of the clicked cell's corner sees it every millisecond, to when the panel's board, and the marks
over the game, were painted and handed to the screen; and from the click itself. Then the processor
time of the idle panel.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Final

import numpy as np

from bot.board import Cell
from bot.frame import Region
from bot.game import EXPERT
from gui.private_screen import PrivateScreen
from tests.support.assisted import Assisted
from tests.tools.report.console import Console
from vision.desktop import Screen, desktop

CLICKS: Final = 220
SEED: Final = 91_000
_IDLE_SECONDS: Final = 20.0
_SECONDS: Final = 120.0
_EVERY: Final = 0.001
_CORNER: Final = 4
"""Side of the sampled corner, in pixels: no mark is in the lower right corner of a cell."""

out = Console(highlight=False, soft_wrap=True)


def changed(screen: Screen, corner: Region, before: np.ndarray) -> float:
    """Return the time when a part of the screen has changed."""
    pause = threading.Event()
    while (screen.grab(corner).image == before).all():
        pause.wait(_EVERY)
    return time.monotonic()


def corner_of(assisted: Assisted, cell: Cell) -> Region:
    """Return the lower right corner of a cell."""
    middle, grid = assisted.grid.center(cell), assisted.grid
    right, bottom = round(middle.x + grid.pitch_x / 2), round(middle.y + grid.pitch_y / 2)
    return Region(right - _CORNER, bottom - _CORNER, _CORNER, _CORNER)


def processor_seconds(process: int) -> float:
    """Return the processor time of a process so far, including all its threads."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure(marks: bool, clicks: int) -> None:
    """Run one series of clicks, and return the times."""
    options = () if marks else ("--no-marks",)
    rng = np.random.default_rng(SEED)
    pause = threading.Event()
    after_change, after_click, until_seen, drawn = [], [], [], 0
    with (
        PrivateScreen(1920, 1200) as private,
        tempfile.TemporaryDirectory() as home,
    ):
        os.environ |= {name: private.environment[name] for name in ("DISPLAY", "XAUTHORITY")}
        with (
            Assisted(private, Path(home), EXPERT, SEED, options) as assisted,
            desktop().open_screen() as screen,
        ):
            while len(after_click) < clicks:
                if assisted.game.status.over:
                    assisted.next_game()
                cell = assisted.safe_cell(rng)
                corner = corner_of(assisted, cell)
                assisted.move_pointer(assisted.grid.center(cell))
                # A player looks and thinks; a cell under the pointer looks different.
                pause.wait(rng.uniform(0.15, 0.7))
                before = screen.grab(corner).image
                sent = assisted.click(cell)
                seen = changed(screen, corner, before)
                line = assisted.painted()
                after_change.append(1000 * (line["painted"] - seen))
                until_seen.append(1000 * (line["seen"] - seen))
                after_click.append(1000 * (line["painted"] - sent))
                drawn += line["marks"]
            used, begun = processor_seconds(assisted.panel.pid), time.monotonic()
            pause.wait(_IDLE_SECONDS)
            idle = (processor_seconds(assisted.panel.pid) - used) / (time.monotonic() - begun)
            assisted.end_panel()
    name = f"with marks ({drawn / clicks:.0f} on average)" if marks else "without marks"
    out.print(f"{name}: {clicks} clicks in {assisted.games + 1} games of Expert")
    for what, took in (
        ("the window's change to painted", after_change),
        ("the click to painted", after_click),
        ("the window's change to the look that showed it at rest", until_seen),
    ):
        median, late = np.percentile(took, (50, 95))
        out.print(
            f"  from {what}: median {median:.0f} ms, p95 {late:.0f} ms, worst {max(took):.0f} ms"
        )
    out.print(f"  while nothing happens: {100 * idle:.1f} % of one core")


def main() -> None:
    """Measure both."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clicks", type=int, default=CLICKS)
    parser.add_argument("--marks", choices=("with", "without"))
    told = parser.parse_args()
    if told.marks:
        measure(told.marks == "with", told.clicks)
        return
    for marks in ("with", "without"):
        # In a separate process: Xlib keeps the display that it found first.
        command = [sys.executable, "-m", "tests.benchmarks.assist", "--marks", marks]
        subprocess.run([*command, "--clicks", str(told.clicks)], check=True)


if __name__ == "__main__":
    main()
