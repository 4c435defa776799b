"""Worker processes of this machine."""

from __future__ import annotations

import multiprocessing
import os
import signal
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress

from bot.lab.playing import STOP


class LocalWorkers(ProcessPoolExecutor):
    """One process a worker; dropping what is left also breaks off what runs."""

    def __init__(self, workers: int) -> None:
        """Start workers, each when it is first needed.

        Raises:
            ValueError: Not even one worker is wanted.
        """
        # Spawned, not forked: the process that asks may have threads and a display open.
        context = multiprocessing.get_context("spawn")
        super().__init__(workers, mp_context=context, initializer=_heed)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the workers; with `cancel_futures` within a moment, whatever they are thinking of."""
        if cancel_futures:
            for child in multiprocessing.active_children():
                # One that dies by itself may be gone by now.
                with suppress(ProcessLookupError):
                    if child.pid is not None:
                        os.kill(child.pid, signal.SIGINT)
        super().shutdown(wait, cancel_futures=cancel_futures)


def _heed() -> None:
    signal.signal(signal.SIGINT, lambda _number, _frame: STOP.set())
