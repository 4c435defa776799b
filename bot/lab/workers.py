"""Worker processes of this machine."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from typing import Any, Final

from bot.lab.playing import STOP

_SIGNALS: Final = frozenset({signal.SIGINT, signal.SIGTERM})


class LocalWorkers(ProcessPoolExecutor):
    """One process a worker; dropping what is left also breaks off what runs."""

    def __init__(self, workers: int, nice: int = 0) -> None:
        """Start workers, each when it is first needed.

        Args:
            workers: How many.
            nice: How far they stand back behind other processes, where the system knows that.

        Raises:
            ValueError: Not even one worker is wanted.
        """
        # Spawned, not forked: the process that asks may have threads and a display open.
        context = multiprocessing.get_context("spawn")
        super().__init__(workers, mp_context=context, initializer=_heed, initargs=(nice,))

    def submit(self, call: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Hand a call to whichever worker is free."""
        with _signals_held():
            return super().submit(call, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the workers; with `cancel_futures` within a moment, whatever they are thinking of."""
        if cancel_futures:
            for child in list((self._processes or {}).values()):
                # One that dies by itself may be gone by now.
                with suppress(ProcessLookupError):
                    if child.pid is not None:
                        os.kill(child.pid, signal.SIGTERM)
        super().shutdown(wait, cancel_futures=cancel_futures)


@contextmanager
def _signals_held() -> Iterator[None]:
    """Hold signals back; a worker started meanwhile receives none before `_heed` lets them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # The first worker would start it, and that lets the signals through again.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _heed(nice: int) -> None:
    threading.Thread(target=_end_with_parent, name="parent", daemon=True).start()
    if nice and hasattr(os, "nice"):
        os.nice(nice)
    # A terminal's Ctrl-C reaches the workers too: what it means is for their parent to decide.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda _number, _frame: STOP.set())
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)


def _end_with_parent() -> None:
    """A parent that was killed told nobody: what is thought of then is for nobody."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
