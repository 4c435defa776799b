"""Compile or load all machine code before a decision needs it.

Compiling takes most of a minute and is done once; loading from the disk takes a second. What is not
on the disk is compiled by one process for each part, in parallel, so that no thread of this process
is held up. Meanwhile a run plays with `player.solve_uncompiled`. An installation can compile in
advance:

    python -m bot.solver.warmup

What only simulated games need (`guess.rollouts`) contains most of the rest again and takes as long
to compile, so it is prepared on its own, when games are to be simulated.

If no folder can be written, each start compiles in a thread.
"""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import Final

from bot.analysis import Cancelled, load_function
from bot.processes import lower_priority, start_detached

IN_WORDS: Final = "Preparing the solver (first start only: about a minute)"
"""The message for a user while functions are compiled."""
ROLLOUTS_IN_WORDS: Final = "Preparing simulated games (first time only: about a minute)"
"""The same for what simulated games need."""
_POLL: Final = 0.05
"""Seconds between two checks whether the user stopped."""
_ROOT: Final = Path(__file__).parents[2]


def _compile_part(name: str) -> None:
    load_function(f"bot.solver.warmup_parts:{name}")()


Parts = dict[str, Callable[[], None]]
"""Functions that load or compile something, by name."""

PARTS: Final[Parts] = {name: partial(_compile_part, name) for name in ("midgame", "endgame")}
"""The machine code that every decision needs. No compiled function may be called by both parts:
both processes would compile it."""
ROLLOUTS: Final[Parts] = {"rollouts": partial(_compile_part, "rollouts")}
"""The additional machine code for simulated games."""


def kept(parts: Parts = PARTS) -> bool | None:
    """Return whether the disk has the machine code; None if no folder can be written."""
    note = _note(parts)
    if note is None:
        return None
    path, contents = note
    try:
        return path.read_text("utf-8") == contents
    except OSError:
        return False


def compile_and_keep(still_wanted: Callable[[], bool] = lambda: True, parts: Parts = PARTS) -> None:
    """Compile parts in parallel and write them to the disk.

    Args:
        still_wanted: Polled; if it returns False this returns at once. The processes go on.
        parts: What to compile.
    """
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join(filter(None, (str(_ROOT), os.environ.get("PYTHONPATH"))))
    }
    running = [
        start_detached(
            [sys.executable, "-m", "bot.solver.warmup", name],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for name in parts
    ]
    for process in running:
        while True:
            with suppress(subprocess.TimeoutExpired):
                process.wait(_POLL)
                break
            if not still_wanted():
                return


def _note(parts: Parts = PARTS) -> tuple[Path, str] | None:
    """Return the file that says that the disk has the machine code, and its text."""
    note: tuple[Path, str] | None = load_function("bot.solver.warmup_parts:note")(*parts)
    return note


def _write_note(parts: Parts = PARTS) -> None:
    note = _note(parts)
    if note is not None:
        with suppress(OSError):
            note[0].write_text(note[1], "utf-8")


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """Disable garbage collection, and exempt what is loaded meanwhile from it for good.

    A full collection over numba's objects holds the interpreter's lock for 56 ms, which is
    noticeable in a window of the same process.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if enabled:
            gc.enable()


class Preparation:
    """A warm-up in a thread of its own.

    Args:
        parts: What is loaded or compiled; by default `PARTS`.
        after: Begins after this one, whose machine code is a part of its own.
    """

    def __init__(self, parts: Parts | None = None, after: Preparation | None = None) -> None:
        self._parts = parts
        self._after = after
        self._begun = threading.Lock()
        self._done = threading.Event()
        self.compiling = False
        """Whether functions have to be compiled, which is reported to the user."""

    def begin(self) -> None:
        """Start the thread, unless it was started before."""
        if self._begun.acquire(blocking=False):
            # Not a daemon: an interpreter that ends while machine code is loaded may crash.
            threading.Thread(target=self._run, name="preparing").start()

    def must_compile(self, stop: threading.Event | None = None) -> bool:
        """Wait until everything is ready, or until it is known that functions must be compiled.

        Args:
            stop: Set to stop waiting.

        Returns:
            Whether functions are being compiled.

        Raises:
            Cancelled: `stop` was set.
        """
        self.begin()
        while not (self.compiling or self._done.wait(_POLL)):
            _raise_if_set(stop)
        return self.compiling

    def wait(
        self, stop: threading.Event | None = None, report: Callable[[], object] = lambda: None
    ) -> None:
        """Wait until everything is ready.

        Args:
            stop: Set to stop waiting.
            report: Called once if functions have to be compiled.

        Raises:
            Cancelled: `stop` was set.
        """
        if self.must_compile(stop):
            report()
        while not self._done.wait(_POLL):
            _raise_if_set(stop)

    def _run(self) -> None:
        wanted = threading.main_thread().is_alive
        parts = PARTS if self._parts is None else self._parts
        try:
            if self._after is not None:
                self._after.wait()
            with _no_garbage_collection():
                found = kept(parts)
            self.compiling = not found
            if found is False:
                compile_and_keep(wanted, parts)
            # The compiler leaves much garbage.
            with nullcontext() if found is None else _no_garbage_collection():
                for part in parts.values():
                    if wanted():
                        part()
            if found is False and wanted():
                _write_note(parts)
        finally:
            # The solver that needs the machine code raises the same error again.
            self.compiling = False
            self._done.set()


def _raise_if_set(stop: threading.Event | None) -> None:
    if stop is not None and stop.is_set():
        raise Cancelled


PREPARATION: Final = Preparation()
"""The preparation of this process."""
ROLLOUT_PREPARATION: Final = Preparation(ROLLOUTS, PREPARATION)
"""The preparation of simulated games."""


def main(arguments: list[str]) -> None:
    """Compile the named parts, by default what every decision needs, with a message."""
    if arguments:
        lower_priority(5)
        for name in arguments:
            load_function("bot.solver.warmup_parts:wait_for_others")(name)
            (PARTS | ROLLOUTS)[name]()
    else:
        PREPARATION.wait(report=lambda: print(IN_WORDS, flush=True))  # noqa: T201 - a command


if __name__ == "__main__":
    main(sys.argv[1:])
