"""Many games on many workers: what is handed out, and what comes back in which order.

The laboratory is given the means to open an executor: processes of this machine, or a
cluster's. What comes of a board depends on the board, the player and the limit alone, so
results are the same however the work was spread, and a lost worker's boards are simply
played again.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from typing import Any, Final, NamedTuple

from bot.analysis import Cancelled
from bot.lab.boards import BoardSet, Deal
from bot.lab.playing import Outcome, play_batch

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
    deals: tuple[Deal, ...]


def tasks(
    sets: Sequence[BoardSet],
    players: Sequence[str],
    done: Callable[[int, str, int], bool],
    batch: int = BATCH,
) -> Iterator[Task]:
    """All that is left to play: the same boards by all players before the next boards.

    So a run that is broken off leaves boards that all players have played.
    """
    for place, boards in enumerate(sets):
        for start in range(0, boards.count, batch):
            numbers = range(start, min(start + batch, boards.count))
            for player in players:
                deals = tuple(boards.deal(n) for n in numbers if not done(place, player, n))
                if deals:
                    yield Task(place, player, deals)


def batch_for(games: int, workers: int) -> int:
    """How many boards to hand out at a time: 1 to `BATCH`."""
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
                        future = executor.submit(play_batch, game, task.player, task.deals, nodes)
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
