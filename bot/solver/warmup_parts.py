"""The parts of the warm-up. The module imports numba, so `warmup` loads it by name.

No compiled function may be called by both parts of a decision: both processes would compile it.
Each takes about half of the time: `/usr/bin/time python -m bot.solver.warmup midgame` with an empty
cache, and `endgame`.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

import numba
import numpy as np
from filelock import BaseFileLock, FileLock
from numba.core.registry import cpu_target

from bot.analysis import Limit
from bot.board import Board, InconsistentBoard
from bot.solver import exact
from bot.solver.compiled import cache_folder, stamp
from bot.solver.endgame.forced import find_forced
from bot.solver.endgame.search import ONE_BEST, new_search, search_table
from bot.solver.endgame.solutions import list_solutions
from bot.solver.explain import count_solutions
from bot.solver.guess.choice import (
    allocate_for_guess,
    better_guess,
    is_endgame,
    list_candidates,
    list_other_cells,
)
from bot.solver.guess.network import load_network
from bot.solver.guess.policies import FAST
from bot.solver.guess.rollouts import allocate_for_rollouts, roll_out
from bot.solver.kernel.counting import placements_modulo
from bot.solver.kernel.position import MOST_NODES, solve_position
from bot.solver.kernel.tables import COLS, ROWS, SOLUTIONS

_LOCKS: Final[list[BaseFileLock]] = []
"""The locks of this process."""


def wait_for_others(part: str) -> None:
    """Wait until no other process compiles a part: then it is loaded from the disk instead.

    The lock lasts as long as this process.
    """
    found = note(part)
    # Some file systems have no locks: then each process compiles.
    with suppress(OSError, NotImplementedError):
        if found is not None:
            lock = FileLock(found[0].with_suffix(".lock"), fallback_to_soft=False)
            _LOCKS.append(lock)
            lock.acquire()


def midgame() -> None:
    """Compile the exact probabilities and the value of a guess."""
    board = Board.parse("#1#x#1#1#", 2)
    count_solutions(board, exact.solve(board))
    # Enough nodes for the first component, not for the second one, which is estimated.
    exact.solve(board, Limit(nodes=2))
    with suppress(InconsistentBoard):
        exact.solve(Board.parse("1#0", 1))
    board = Board.parse("##1#", 1)
    tiles = board.tiles.copy()
    space = allocate_for_guess(tiles.size)
    solve_position(tiles, board.mines, space.work, MOST_NODES)
    better_guess(tiles, board.mines, 0, -1, space, load_network())


def endgame() -> None:
    """Compile the end game search, and functions of the mid-game that share none of its code."""
    # A board that was never solved: an opened cell.
    space = allocate_for_guess(1)
    space.work.number[ROWS] = space.work.number[COLS] = 1
    space.work.real[SOLUTIONS] = 1.0
    is_endgame(space.work)
    find_forced(space.work, 0, 1)
    _, table = list_solutions(space.work, 1)
    search_table(new_search(1), table, 1, ONE_BEST, np.zeros(1, np.int8), np.zeros(0, np.int64))
    count = list_candidates(space.work, space.cells, space.risks)
    list_other_cells(space.work, space.cells, space.risks, count)
    placements_modulo(space.work, 2, np.zeros(1, np.int64), np.zeros((2, 1), np.int64))


def rollouts() -> None:
    """Compile simulated games."""
    board = Board.parse("##1#", 1)
    roll_out(
        board.tiles.copy(),
        board.mines,
        np.zeros(1, np.int32),
        np.zeros((1, 9)),
        0,
        FAST,
        allocate_for_rollouts(4),
        np.zeros(1),
    )


def note(*parts: str) -> tuple[Path, str] | None:
    """Return the file that says that parts are compiled, and its text; None without a cache."""
    folder = cache_folder(search_table)
    if folder is None:
        return None
    sources = stamp(Path(__file__).parent.rglob("*.py"))
    processor = cpu_target.target_context.codegen().magic_tuple()
    # Each version of Python needs machine code of its own.
    path = folder / f"ready-{'-'.join(parts)}-{sys.implementation.cache_tag}"
    return path, f"{sources.hex()} {numba.__version__} {processor}"
