"""Distribute batches of boards over an executor: local processes, or a cluster.

The result of a board depends only on the board, the player and the limit. So results are the same
however the work was distributed, and the boards of a lost worker are simply played again.
"""

from __future__ import annotations

import multiprocessing
import os
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
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, NamedTuple

from bot.analysis import Cancelled
from bot.lab.boards import BoardSet, BoardSpec
from bot.lab.worker import STOP, Outcome, play_batch
from bot.processes import ignore_interrupts, interrupts_blocked, lower_priority

BATCH: Final = 8
"""Most boards sent to a worker at a time: enough that sending costs nothing beside playing."""


@dataclass(frozen=True)
class Limits:
    """Limits of a run with workers; times in seconds."""

    batches: int = 8
    """Batches for each worker, at least, if there are enough boards: so all workers end at about
    the same time, and little is lost if a run is cancelled."""
    poll: float = 0.05
    """Time between two checks whether the run is cancelled."""
    end: float = 5.0
    """Time for all workers to end after a cancellation."""
    losses: int = 5
    """Number of lost workers after which the run is given up."""


LIMITS: Final = Limits()


class WorkersLost(RuntimeError):
    """Workers were lost repeatedly."""


class Task(NamedTuple):
    """A batch of boards for one player."""

    boards: int
    """Index of the set of boards."""
    player: str
    specs: tuple[BoardSpec, ...]


def pending_tasks(
    sets: Sequence[BoardSet],
    players: Sequence[str],
    done: Callable[[int, str, int], bool],
    batch: int = BATCH,
) -> Iterator[Task]:
    """Yield all batches that are not played yet: the same boards by all players, then the next.

    So after a cancelled run, most boards were played by all players.
    """
    for place, boards in enumerate(sets):
        for start in range(0, boards.count, batch):
            numbers = range(start, min(start + batch, boards.count))
            for player in players:
                deals = tuple(boards.spec(n) for n in numbers if not done(place, player, n))
                if deals:
                    yield Task(place, player, deals)


def batch_size(games: int, workers: int) -> int:
    """Return how many boards to send at a time: 1 to `BATCH`."""
    return min(max(games // (LIMITS.batches * workers), 1), BATCH)


def play_all(
    work: Iterator[Task],
    open_executor: Callable[[], Executor],
    workers: int,
    game: str,
    nodes: int | None,
    cancel: threading.Event | None = None,
    rollouts: int = 0,
) -> Generator[tuple[Task, tuple[Outcome, ...]]]:
    """Play all batches and yield their outcomes as they finish.

    Closing the generator drops the rest. After an interrupt, or when `cancel` is set, the games
    finished until then are still yielded.

    Raises:
        KeyboardInterrupt: The user interrupted the run.
        Cancelled: `cancel` was set.
        WorkersLost: Workers were lost repeatedly.
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
                        # In the list until it is submitted: the executor may break here.
                        again.append(task)
                        future = executor.submit(
                            play_batch, game, task.player, task.specs, nodes, rollouts
                        )
                        running[future] = again.pop()
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
                if losses > LIMITS.losses:
                    raise WorkersLost(f"workers were lost {losses} times: {error}") from error
            finally:
                # After the last batch workers end by themselves, even those that just start.
                executor.shutdown(wait=True, cancel_futures=bool(running))


def _finished(running: Collection[Future[Any]], cancel: threading.Event | None) -> set[Future[Any]]:
    """Wait until at least one future is done.

    Raises:
        Cancelled: `cancel` was set.
    """
    while True:
        finished, _ = wait(running, None if cancel is None else LIMITS.poll, FIRST_COMPLETED)
        if cancel is not None and cancel.is_set():
            raise Cancelled
        if finished:
            return finished


class LocalWorkers(ProcessPoolExecutor):
    """Worker processes of this machine; cancelling also stops running decisions."""

    def __init__(
        self, workers: int, nice: int = 0, prepare: Callable[[], None] | None = None
    ) -> None:
        """Create the pool; each worker starts when it is first needed.

        Args:
            workers: Number of processes.
            nice: Niceness of the workers.
            prepare: Called first in each process.

        Raises:
            ValueError: `workers` is less than 1.
        """
        # Spawned, not forked: this process may have threads and an open display.
        context = multiprocessing.get_context("spawn")
        # Closed to cancel. A lock would not survive a worker that is killed.
        self._line: Any
        self._line, self._lines_end = context.Pipe(duplex=False)
        super().__init__(
            workers,
            mp_context=context,
            initializer=_prepare_worker,
            initargs=(nice, prepare, self._line),
        )

    def submit(self, call: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Submit a call to a free worker."""
        with interrupts_blocked():
            return super().submit(call, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the workers; with `cancel_futures` at once, in the middle of a decision.

        On a busy machine a worker that still starts may not notice for long: those that have not
        ended after some seconds are killed.
        """
        children = list((self._processes or {}).values()) if cancel_futures else []

        def kill() -> None:
            for child in children:
                child.kill()

        if not children:
            super().shutdown(wait, cancel_futures=cancel_futures)
            return
        self._lines_end.close()
        killer = threading.Timer(LIMITS.end, kill)
        killer.daemon = True
        killer.start()
        try:
            super().shutdown(wait, cancel_futures=cancel_futures)
        finally:
            if wait:
                killer.cancel()


def _prepare_worker(nice: int, prepare: Callable[[], None] | None, line: Any) -> None:
    if prepare is not None:
        prepare()
    for target in (_end_with_parent, partial(_stop_after, line)):
        threading.Thread(target=target, daemon=True).start()
    if nice:
        lower_priority(nice)
    ignore_interrupts()


def _stop_after(line: Any) -> None:
    """Stop the running decision, and all later ones, once the pool has closed its end."""
    with suppress(EOFError, OSError):
        line.recv_bytes()
    STOP.set()


def _end_with_parent() -> None:
    """End this process if its parent was killed."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
