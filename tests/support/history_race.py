"""Processes that create the history at the same time.

Three start together, each opens a history that does not exist yet and writes a game, while a fourth
one reads.
"""

from __future__ import annotations

import multiprocessing
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import NamedTuple

from gui.history.schema import HistoryError
from gui.history.store import History
from tests.gui.history.made import games

WRITERS = 3
_LONGEST = 300.0
"""Time limit in seconds, after which a process counts as stuck."""


class Lost(NamedTuple):
    """The errors in some rounds."""

    games: int
    """Number of written games that are missing."""
    errors: list[str]
    """Messages of the refused operations."""


def race(folder: Path, rounds: int) -> Lost:
    """Let processes create the same history at the same time, once per round."""
    context = multiprocessing.get_context("spawn")
    barrier, errors = context.Barrier(WRITERS + 1), context.Queue()
    shared = (folder, rounds, barrier, errors)
    processes = [
        context.Process(target=_write, args=(*shared, seed)) for seed in range(WRITERS)
    ] + [context.Process(target=_read, args=shared)]
    for process in processes:
        process.start()
    found = [error for _ in processes for error in errors.get(timeout=_LONGEST)]
    for process in processes:
        process.join()
    there = 0
    for number in range(rounds):
        with History.to_read(_path(folder, number)) as history:
            there += history.state()[0]
    return Lost(rounds * WRITERS - there, found)


def _write(
    folder: Path, rounds: int, barrier: Barrier, errors: Queue[list[str]], seed: int
) -> None:
    found = []
    (game,) = games(1, seed)
    for number in range(rounds):
        barrier.wait(_LONGEST)
        try:
            with History.to_write(_path(folder, number)) as history:
                history.add([game])
        except HistoryError as error:
            found.append(f"writing: {error}")
    barrier.wait(_LONGEST)
    errors.put(found)


def _read(folder: Path, rounds: int, barrier: Barrier, errors: Queue[list[str]]) -> None:
    found = []
    for number in range(rounds):
        barrier.wait(_LONGEST)
        seen = 0
        while barrier.n_waiting < WRITERS:
            try:
                with History.to_read(_path(folder, number)) as history:
                    now = history.state()[0]
            except HistoryError as error:
                found.append(f"reading: {error}")
                break
            if now < seen:
                found.append(f"reading: {seen} games became {now}")
            seen = now
    barrier.wait(_LONGEST)
    errors.put(found)


def _path(folder: Path, number: int) -> Path:
    return folder / str(number) / "history.sqlite"
