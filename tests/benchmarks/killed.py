"""Check the files left when the program is killed.

    python -m tests.benchmarks.killed

A process that writes in an endless loop is killed (SIGKILL) at a random moment, repeatedly, in the
same folder; then everything in it is read. Sessions and the history may lack the last turn or game
that was passed on, and nothing else may be missing, incomplete or left over.
"""

from __future__ import annotations

import argparse
import mmap
import os
import select
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Final

from rich.table import Table

from tests.support.runs import BOT, environment, sessions
from tests.support.writers import (
    REFUSALS,
    WRITERS,
    Writer,
    check_history,
    check_sessions,
    prepare,
)
from tests.tools.report.console import Console
from vision.files import is_leftover
from vision.sessions import Session

LONGEST: Final = 0.15
"""Longest time in seconds after which a writer is killed."""


def killed(writer: Writer, kills: int, seed: int, home: Path) -> tuple[int, list[str]]:
    """Kill a writer repeatedly; return the amount of work done, and the errors found."""
    dice = Random(f"{seed} {writer.name}")
    wrong, whole = [], 0
    (home / "sessions").mkdir(parents=True, exist_ok=True)
    prepare()
    with mmap.mmap(-1, 8) as note:
        for number in range(kills):
            note[:] = bytes(8)
            moment = dice.uniform(0, LONGEST)
            pid = os.fork()
            if pid == 0:
                _endless(writer, home, note)
            # Its random moment, or its own end if that is earlier.
            child = os.pidfd_open(pid)
            select.select([child], [], [], moment)
            os.close(child)
            os.kill(pid, signal.SIGKILL)
            _, status = os.waitpid(pid, 0)
            done = struct.unpack("q", note[:])[0]
            whole += done
            try:
                problem = writer.check(home, done)
            except (*REFUSALS, sqlite3.Error, OSError) as error:
                problem = f"{type(error).__name__}: {error}"
            if status != signal.SIGKILL:
                problem = f"it ended by itself ({status}); {problem}"
            if problem:
                wrong.append(f"kill {number} after {moment * 1000:.1f} ms: {problem}")
    return whole, wrong


def _endless(writer: Writer, home: Path, note: mmap.mmap) -> None:
    """Run the process that is killed; never returns."""

    def done(number: int) -> None:
        note[:] = struct.pack("q", number)

    try:
        writer.write(home, done)
    finally:
        os._exit(1)


def _headed(title: str, *headings: str) -> Table:
    table = Table(title=title)
    for heading in headings:
        table.add_column(heading, justify="left" if heading == "what writes" else "right")
    return table


def _kill_all(kills: int, seed: int, table: Table) -> int:
    faults = 0
    for writer in WRITERS:
        with tempfile.TemporaryDirectory() as place:
            os.environ["MINESWEEPER_BOT_HOME"] = place
            begin = time.monotonic()
            whole, wrong = killed(writer, kills, seed, Path(place))
            left = sum(is_leftover(path) for path in Path(place).rglob("*"))
            figures = (f"{kills:,}", f"{whole:,}", f"{left:,}", f"{len(wrong)}")
            table.add_row(writer.name, *figures, f"{time.monotonic() - begin:.0f}")
            for problem in wrong[:5]:
                Console().print(f"{writer.name}: {problem}", markup=False, soft_wrap=True)
            faults += len(wrong)
    return faults


def _kill_runs(runs: int, seed: int, table: Table) -> int:
    """Kill the command itself, while it plays on a private screen."""
    dice, faults, kept = Random(seed), 0, 0
    begin = time.monotonic()
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as place:
            home = Path(place)
            command = [*BOT, "play", "--games", "1000", "--no-panel", "--solver", "exact"]
            with subprocess.Popen(
                command, env=environment(home), stdout=subprocess.PIPE, stderr=subprocess.STDOUT
            ) as process:
                assert process.stdout is not None
                for line in process.stdout:
                    if line.startswith(b"game 1 "):
                        break
                with suppress(subprocess.TimeoutExpired):
                    process.wait(dice.uniform(0, 3))
                process.kill()
            ended = [one for one in sessions(home) if one.records[-1:] and over(one)]
            kept += len(ended)
            problem = check_sessions(home, 0) or check_history(home, len(ended))
            faults += bool(problem)
            if problem:
                Console().print(f"play: {problem}", markup=False, soft_wrap=True)
    seconds = f"{time.monotonic() - begin:.0f}"
    table.add_row("play, the command itself", f"{runs}", f"{kept} games", "", f"{faults}", seconds)
    return faults


def over(session: Session) -> bool:
    """Return whether the last turn of a session is the end of a game."""
    return session.records[-1].status.over


def main() -> None:
    """Print the table; the exit code is 1 if anything was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=500, help="of each writer")
    parser.add_argument("--runs", type=int, default=10, help="of the command itself")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    title = f"Killed within {LONGEST * 1000:.0f} ms, seed {options.seed}"
    table = _headed(title, "what writes", "kills", "operations", "left over", "faults", "seconds")
    faults = _kill_all(options.kills, options.seed, table)
    faults += _kill_runs(options.runs, options.seed, table)
    Console().print(table)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
