"""Many games on many workers: what is handed out, and what comes back in which order.

The laboratory is given the means to open an executor: processes of this machine, or a
cluster's. What comes of a board depends on the board, the player and the limit alone, so
results are the same however the work was spread, and a lost worker's boards are simply
played again.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from typing import Final, NamedTuple

from bot.lab.boards import BoardSet, Deal
from bot.lab.playing import Outcome, play_batch

BATCH: Final = 8
"""Boards handed to a worker at a time: few enough that all workers end together, enough
that handing out costs nothing beside playing."""

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
    sets: Sequence[BoardSet], players: Sequence[str], done: Callable[[int, str, int], bool]
) -> Iterator[Task]:
    """All that is left to play: the same boards by all players before the next boards.

    So a run that is broken off leaves boards that all players have played.
    """
    for place, boards in enumerate(sets):
        for start in range(0, boards.count, BATCH):
            numbers = range(start, min(start + BATCH, boards.count))
            for player in players:
                deals = tuple(boards.deal(n) for n in numbers if not done(place, player, n))
                if deals:
                    yield Task(place, player, deals)


def play_all(
    work: Iterator[Task],
    open_executor: Callable[[], Executor],
    workers: int,
    game: str,
    nodes: int | None,
) -> Generator[tuple[Task, tuple[Outcome, ...]]]:
    """Play everything, in whatever order it ends.

    Closing the generator drops what has not begun and waits for what has.

    Raises:
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
                    finished, _ = wait(running, return_when=FIRST_COMPLETED)
                    for future in finished:
                        outcomes = future.result()
                        yield running.pop(future), outcomes
            except BrokenExecutor as error:
                again += running.values()
                losses += 1
                if losses > _MOST_LOSSES:
                    raise WorkersLost(f"workers were lost {losses} times: {error}") from error
            finally:
                executor.shutdown(wait=True, cancel_futures=True)
