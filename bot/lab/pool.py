"""Many games on many workers: what is handed out, and what comes back in which order.

The laboratory is given the means to open an executor: processes of this machine, or a
cluster's. What comes of a board depends on the board, the player and the limit alone, so
results are the same however the work was spread, and a lost worker's boards are simply
played again.

Worker processes of this machine.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Collection, Generator, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from typing import Any, Final, NamedTuple

from bot.analysis import Cancelled
from bot.lab.boards import BoardSet, BoardSpec
from bot.lab.worker import STOP, Outcome, play_batch

BATCH: Final = 8
"""Boards handed to a worker at a time, at the most: enough that handing out costs nothing
beside playing."""
_SHARES: Final = 8
"""Batches that each worker gets at least, where there are as many boards: so all end together,
and little is lost where a run is broken off."""

_LOOK: Final = 0.05
"""Seconds between two looks at whoever may want to break it off."""

_MOST_LOSSES: Final = 5
"""So often workers may be lost before it is not by chance."""


class WorkersLost(RuntimeError):
    """Workers are lost again and again."""


class Task(NamedTuple):
    """What a worker gets."""

    boards: int
    """Which set of boards, by number."""
    player: str
    specs: tuple[BoardSpec, ...]


def pending_tasks(
    sets: Sequence[BoardSet],
    players: Sequence[str],
    done: Callable[[int, str, int], bool],
    batch: int = BATCH,
) -> Iterator[Task]:
    """Yield all that is left to play: the same boards by all players before the next boards.

    So a run that is broken off leaves boards that all players have played.
    """
    for place, boards in enumerate(sets):
        for start in range(0, boards.count, batch):
            numbers = range(start, min(start + batch, boards.count))
            for player in players:
                deals = tuple(boards.spec(n) for n in numbers if not done(place, player, n))
                if deals:
                    yield Task(place, player, deals)


def batch_size(games: int, workers: int) -> int:
    """Return how many boards to hand out at a time: 1 to `BATCH`."""
    return min(max(games // (_SHARES * workers), 1), BATCH)


def play_all(
    work: Iterator[Task],
    open_executor: Callable[[], Executor],
    workers: int,
    game: str,
    nodes: int | None,
    cancel: threading.Event | None = None,
) -> Generator[tuple[Task, tuple[Outcome, ...]]]:
    """Play everything, in whatever order it ends.

    Closing the generator drops what is not played. After an interrupt, or when `cancel` is
    set, what was played until then still comes out.

    Raises:
        KeyboardInterrupt: The user broke it off.
        Cancelled: `cancel` was set.
        WorkersLost: Workers die as often as they are replaced.
    """
    again: list[Task] = []
    losses = 0
    while True:
        with open_executor() as executor:
            running: dict[Future[tuple[Outcome, ...]], Task] = {}
            try:
                while True:
                    while len(running) < 2 * workers:
                        task = again.pop() if again else next(work, None)
                        if task is None:
                            break
                        future = executor.submit(play_batch, game, task.player, task.specs, nodes)
                        running[future] = task
                    if not running:
                        return
                    finished = _finished(running, cancel)
                    for future in finished:
                        outcomes = future.result()
                        yield running.pop(future), outcomes
            except (KeyboardInterrupt, Cancelled):
                executor.shutdown(wait=True, cancel_futures=True)
                for future, task in running.items():
                    if future.done() and not future.cancelled() and not future.exception():
                        yield task, future.result()
                running.clear()
                raise
            except BrokenExecutor as error:
                again += running.values()
                losses += 1
                if losses > _MOST_LOSSES:
                    raise WorkersLost(f"workers were lost {losses} times: {error}") from error
            finally:
                # With everything played, workers end by themselves, those that just start too.
                executor.shutdown(wait=True, cancel_futures=bool(running))


def _finished(running: Collection[Future[Any]], cancel: threading.Event | None) -> set[Future[Any]]:
    """Wait for those that end next.

    Raises:
        Cancelled: `cancel` was set.
    """
    while True:
        finished, _ = wait(running, None if cancel is None else _LOOK, FIRST_COMPLETED)
        if cancel is not None and cancel.is_set():
            raise Cancelled
        if finished:
            return finished


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
    """End this process if its parent was killed: nobody waits for its results."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
