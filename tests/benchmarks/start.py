"""Measure the first start: the cost of the compiler, and the time to the first click.

    python -m tests.benchmarks.start

Every run has an empty cache for machine code. The tables: games decided in Python alone; the parts
of the warm-up, each alone and both at the same time, with their slowest functions (processor time,
without that of the functions that they call); three games of the built-in game in a terminal, from
the command to the first click, and the longest decision.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import mean

from rich.table import Table

from bot.analysis import Limit
from bot.frame import Status
from bot.game import LEVELS, Game
from bot.solver.player import solve_uncompiled
from bot.solver.warmup import PARTS
from tests.support.runs import BOT, environment
from tests.tools.report.console import Console

SLOWEST = 8
"""Functions of each part that are listed."""
GAMES = 100
TIMED = """
import json, sys, time
from collections import defaultdict
from numba.core import event
from bot.solver.warmup import PARTS
own, inner = defaultdict(float), []
class Timer(event.Listener):
    def on_start(self, event):
        inner.append((time.process_time(), [0.0]))
    def on_end(self, event):
        begin, called = inner.pop()
        took = time.process_time() - begin
        own[event.data["dispatcher"].py_func.__qualname__] += took - called[0]
        if inner:
            inner[-1][1][0] += took
begin = time.process_time()
with event.install_listener("numba:compile", Timer()):
    PARTS[sys.argv[1]]()
print(json.dumps([time.process_time() - begin, own]))
"""


@contextmanager
def cold(folder: str) -> Iterator[dict[str, str]]:
    """Yield an environment without machine code on the disk; `folder` gets the recordings."""
    with tempfile.TemporaryDirectory() as cache:
        yield environment(Path(folder)) | {"NUMBA_CACHE_DIR": cache}


def compiler_tables(folder: str) -> Iterator[Table]:
    """Yield the tables of the compiler's cost."""
    table = Table("compiled", "functions", "s", title="Compiler, with an empty cache")
    functions = Table("part", "function", "processor s", title="Slowest compiled functions")
    for part in PARTS:
        with cold(folder) as there:
            run = subprocess.run(
                [sys.executable, "-c", TIMED, part], env=there, check=True, capture_output=True
            )
        seconds, own = json.loads(run.stdout)
        table.add_row(part, str(len(own)), f"{seconds:.1f} (processor)")
        for name in sorted(own, key=own.__getitem__, reverse=True)[:SLOWEST]:
            functions.add_row(part, name, f"{own[name]:.1f}")
    with cold(folder) as there:
        for cache in ("at the same time", "loaded"):
            begin = time.perf_counter()
            subprocess.run([sys.executable, "-m", "bot.solver.warmup"], env=there, check=True)
            table.add_row(f"both, {cache}", "", f"{time.perf_counter() - begin:.1f}")
    yield table
    yield functions


def playing_table(folder: str) -> Table:
    """Return the table of the time to the first click."""
    title = "The first start, s from the command"
    table = Table("level", "machine code", "first click", "longest decision", title=title)
    for level in LEVELS:
        with cold(folder) as there:
            for cache in ("none", "on the disk"):
                first, longest = _first_click(level, there)
                table.add_row(level, cache, f"{first:.1f}", f"{longest:.1f}")
                if cache == "none":
                    # The run may have ended before the compiler.
                    subprocess.run(
                        [sys.executable, "-m", "bot.solver.warmup"], env=there, check=True
                    )
    return table


def _first_click(level: str, there: dict[str, str]) -> tuple[float, float]:
    """Return the seconds to the first click, and of the longest decision of three games."""
    options = ("--games", "3", "--level", level, "--seed", "3", "--no-panel")
    begin = time.perf_counter()
    first = longest = 0.0
    with subprocess.Popen(
        [*BOT, "--verbose", "play", *options],
        env=there,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as run:
        assert run.stdout is not None
        for line in run.stdout:
            if not first and "bot.mouse: Clicks" in line:
                first = time.perf_counter() - begin
            for seconds in re.findall(r"'think': ([\d.e-]+)", line):
                longest = max(longest, float(seconds))
    assert run.returncode == 0
    assert first
    return first, longest


def python_table() -> Table:
    """Return the table of wins by decisions in Python alone."""
    title = "Games decided without machine code"
    table = Table("level", "games", "won", "lost", "waited", "ms", "worst", title=title)
    for level in LEVELS.values():
        ends = dict.fromkeys(Status, 0)
        times = []
        for seed in range(GAMES):
            game = Game.of_level(level, seed=seed)
            while not game.status.over:
                begin = time.process_time()
                analysis = solve_uncompiled(game.board, Limit())
                times.append(1000 * (time.process_time() - begin))
                if analysis is None:
                    break
                for cell in analysis.safe or (analysis.best,):
                    assert cell is not None
                    game.open(cell)
            ends[game.status] += 1
        waited = GAMES - ends[Status.WON] - ends[Status.LOST]
        row = (GAMES, ends[Status.WON], ends[Status.LOST], waited)
        table.add_row(level.name, *map(str, row), f"{mean(times):.1f}", f"{max(times):.0f}")
    return table


def main() -> None:
    """Print the tables."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    console = Console()
    console.print(python_table())
    with tempfile.TemporaryDirectory() as folder:
        for table in compiler_tables(folder):
            console.print(table)
        console.print(playing_table(folder))


if __name__ == "__main__":
    main()
