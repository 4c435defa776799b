"""Kill each writer of files repeatedly, in the same folder, and check what it left.

`python -m tests.support.killed 500` kills each writer 500 times. Sessions and the history may lack
the last turn or game that was passed on, and nothing else may be missing, incomplete or left over.
"""

from __future__ import annotations

import mmap
import os
import select
import signal
import sqlite3
import struct
import sys
import tempfile
from pathlib import Path
from random import Random
from typing import Final

from tests.support.writers import REFUSALS, WRITERS, Writer, prepare
from vision.files import HOME_VARIABLE

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


def main() -> None:
    """Print the errors; the exit code is 1 if there is one."""
    faults = []
    for writer in WRITERS:
        with tempfile.TemporaryDirectory() as place:
            os.environ[HOME_VARIABLE] = place
            _, wrong = killed(writer, int(sys.argv[1]), 7, Path(place))
            faults += [f"{writer.name}: {problem}" for problem in wrong]
    sys.exit("\n".join(faults) or None)


if __name__ == "__main__":
    main()
