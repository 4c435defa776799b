"""Machine code made ready beforehand, so that no decision waits for the compiler.

To compile everything takes most of a minute, once; from the disk it is loaded in a second.
What is not kept there yet is compiled by processes of its own, one for each part, beside
each other: on several cores, and with no thread of this process held up. A set-up does so:

    python -m bot.solver.warmup

Where nothing can be kept (no folder may be written) each start compiles in a thread.
"""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import Final

from bot.analysis import Cancelled, load_function

IN_WORDS: Final = "Getting the solver ready (first start only: a minute or two)"
"""What a user is told who waits for the compiler."""
_LOOK: Final = 0.05
"""Seconds between two looks at whoever may want to stop."""
_ROOT: Final = Path(__file__).parents[2]


def _compile_part(name: str) -> None:
    load_function(f"bot.solver.warmup_parts:{name}")()


PARTS: Final[Mapping[str, Callable[[], None]]] = {
    name: partial(_compile_part, name) for name in ("midgame", "endgame")
}
"""What a decision may need: each is compiled by a process of its own. No function may be called
by two parts, else both would compile it."""


def kept() -> bool | None:
    """Return whether everything was compiled and kept; None where nothing can be kept."""
    note = _note()
    if note is None:
        return None
    path, contents = note
    try:
        return path.read_text("utf-8") == contents
    except OSError:
        return False


def compile_and_keep(still_wanted: Callable[[], bool] = lambda: True) -> None:
    """Compile all parts beside each other and keep what comes of it.

    Args:
        still_wanted: Asked again and again; where it says no the rest is not waited for,
            but is kept when it is done.
    """
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join(filter(None, (str(_ROOT), os.environ.get("PYTHONPATH"))))
    }
    running = [
        subprocess.Popen(  # noqa: S603 - this program itself
            [sys.executable, "-m", "bot.solver.warmup", name],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            # An interrupt at the terminal is not meant for them.
            start_new_session=True,
        )
        for name in PARTS
    ]
    for process in running:
        while True:
            with suppress(subprocess.TimeoutExpired):
                process.wait(_LOOK)
                break
            if not still_wanted():
                return


def _note() -> tuple[Path, str] | None:
    """Return where it is written down that everything is kept, and in which words."""
    note: tuple[Path, str] | None = load_function("bot.solver.warmup_parts:note")()
    return note


def _write_down() -> None:
    note = _note()
    if note is not None:
        with suppress(OSError):
            note[0].write_text(note[1], "utf-8")


@contextmanager
def _uncollected() -> Iterator[None]:
    """Collect no garbage, and never look at what was loaded meanwhile.

    A full collection holds the interpreter's lock, and a window beside it stood still: 56 ms
    with all that numba brings, the longest that loading took the lock.
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
    """Getting ready, in a thread of its own."""

    def __init__(self) -> None:
        self._begun = threading.Lock()
        self._done = threading.Event()
        self.compiling = False
        """Whether there is so much to do that a user who waits should be told."""

    def begin(self) -> None:
        """Start, unless that was done before; does not wait."""
        if self._begun.acquire(blocking=False):
            # Not a daemon: an interpreter that ends while machine code is loaded may crash.
            threading.Thread(target=self._run, name="getting ready").start()

    def wait(
        self, stop: threading.Event | None = None, tell: Callable[[], object] = lambda: None
    ) -> None:
        """Wait until everything is ready.

        Args:
            stop: Whoever sets it wants to wait no longer.
            tell: Called once where it takes longer than loading does.

        Raises:
            Cancelled: `stop` was set.
        """
        self.begin()
        told = False
        while not self._done.wait(_LOOK):
            if stop is not None and stop.is_set():
                raise Cancelled
            if self.compiling and not told:
                told = True
                tell()

    def _run(self) -> None:
        wanted = threading.main_thread().is_alive
        try:
            with _uncollected():
                found = kept()
            self.compiling = not found
            if found is False:
                compile_and_keep(wanted)
            # The compiler leaves a lot behind that has to be collected.
            with nullcontext() if found is None else _uncollected():
                for part in PARTS.values():
                    if wanted():
                        part()
            if found is False and wanted():
                _write_down()
        finally:
            # What went wrong the solver that needs it will tell.
            self.compiling = False
            self._done.set()


PREPARATION: Final = Preparation()
"""This process's."""


def main(arguments: list[str]) -> None:
    """Compile everything and say so, or the parts that are named, in silence."""
    if arguments:
        if hasattr(os, "nice"):
            os.nice(5)
        for name in arguments:
            PARTS[name]()
    else:
        PREPARATION.wait(tell=lambda: print(IN_WORDS, flush=True))  # noqa: T201 - a command


if __name__ == "__main__":
    main(sys.argv[1:])
