"""Rollouts: simulate games from a guess to their end, in machine code.

Boards are drawn from all solutions in which a cell is safe, and each is played to its end by a
policy (`policies`). These games are *weighted*: each guess multiplies the weight of the game by its
exact safety, and where there is a mine the board is replaced by one of its solutions without it. At
an end game the weight is multiplied by its exact chance, and the game is over. The mean weight,
times the safety of the cell, is the chance to win with it.

The variance is reduced in two ways (on Expert, 150 to 200 rollouts of 17 guesses):

- *Common random numbers*: a rollout of each cell begins with the same sequence of boards, of which
  it takes the first one where the cell is safe. The difference between two cells then has 0.15 to
  0.7 of the variance that it has with independent boards.
- A *control variate*: at each guess of a rollout, the value network's estimate after the hint that
  is shown, minus the mean of its estimates over all hints. Multiplied by the weight so far and
  summed, it has mean 0 and varies with the result, so it is subtracted from the result: 0.74 to 1
  of the variance, and of that of differences.
"""

from __future__ import annotations

from math import isnan
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.board import COVERED
from bot.solver.compiled import compiled
from bot.solver.guess.draws import HIDDEN_MINE, draw, reveal, write_hints
from bot.solver.guess.policies import EXACT, PolicyWork, allocate_for_policy, pick_guess
from bot.solver.kernel.position import solve_position
from bot.solver.kernel.tables import SOLVED, Floats, Ints, Work, allocate

NODES: Final = 50_000
"""Edges that are tried to solve a board of a rollout: up to 10 ms."""
Tiles = NDArray[np.int8]


class RolloutWork(NamedTuple):
    """The arrays of rollouts: for one thread at a time."""

    root: Work
    """The board of the guess, solved."""
    policy: PolicyWork
    tiles: Tiles
    """(cells,): what is visible in the simulated game."""
    hidden: Tiles
    """(cells,): its board, with hints and HIDDEN_MINE."""
    mined: Tiles
    queue: NDArray[np.int64]


def allocate_for_rollouts(cells: int) -> RolloutWork:
    """Allocate for boards with up to so many cells."""
    return RolloutWork(
        allocate(1, cells),
        allocate_for_policy(cells),
        np.zeros(cells, np.int8),
        np.zeros(cells, np.int8),
        np.zeros(cells, np.int8),
        np.zeros(cells, np.int64),
    )


@compiled
def roll_out(
    board: Tiles,
    mines: int,
    cells: Ints,
    estimates: Floats,
    seed: int,
    policy: int,
    work: RolloutWork,
    chances: Floats,
) -> None:
    """Play one rollout of each of some cells.

    Args:
        board: (rows, cols) int8 with no safe cell and no mine that shows; no flags either.
        mines: On the whole board.
        cells: (n,) flat indices.
        estimates: (n, 9): the network's estimates of the chance to win after each hint of a cell,
            NaN if unknown; minus their mean.
        seed: The same seed, the same rollouts.
        policy: VALUE, FAST or QUICK.
        work: `policy.stop` breaks off.
        chances: (n,) gets the chances to win; NaN if a rollout was broken off, or a board was too
            expensive to solve.
    """
    rows, cols = board.shape
    tiles = work.tiles[: rows * cols].reshape(rows, cols)
    hidden = work.hidden[: rows * cols].reshape(rows, cols)
    chances[:] = np.nan
    tiles[:] = board
    if solve_position(tiles, mines, work.root, NODES) != SOLVED:
        return
    for place in range(len(cells)):
        if work.policy.stop[0] != 0:
            return
        cell = cells[place]
        np.random.seed(seed)  # noqa: NPY002 - as numba has it
        draw_safe(work.root, cell, work.mined, hidden)
        left = 0
        for row in range(rows):
            for col in range(cols):
                tiles[row, col] = board[row, col]
                left += board[row, col] == COVERED and hidden[row, col] != HIDDEN_MINE
        control = estimates[place, hidden[cell // cols, cell % cols]]
        left -= reveal(tiles, hidden, cell, work.queue)
        chance = play_on(tiles, hidden, left, mines, policy, work)
        if not isnan(control):
            chance -= control
        chances[place] = chance * (1.0 - work.root.probability[cell])


@compiled
def draw_safe(solved: Work, cell: int, mined: Tiles, hidden: Tiles) -> None:
    """Draw a solution of a solved board with no mine at a cell, with hints."""
    while True:
        draw(solved, mined)
        if not mined[cell]:
            break
    flat = hidden.ravel()
    for place in range(hidden.size):
        flat[place] = HIDDEN_MINE if mined[place] else 0
    write_hints(hidden)


@compiled
def play_on(
    tiles: Tiles, hidden: Tiles, left: int, mines: int, policy: int, work: RolloutWork
) -> float:
    """Play a weighted game to its end; return its weight minus the control variate.

    Args:
        tiles: (rows, cols) int8, overwritten.
        hidden: Likewise: the board.
        left: Safe cells to open.
        mines: On the board.
        policy: It plays.
        work: `tiles` and `hidden` are parts of it.

    Returns:
        NaN if it was broken off, or a board was too expensive to solve.
    """
    cols = tiles.shape[1]
    space = work.policy.space
    weight: float = 1.0
    control: float = 0.0
    while left > 0:
        if solve_position(tiles, mines, space.work, NODES) != SOLVED:
            return np.nan
        opened = 0
        for cell in range(tiles.size):
            if space.work.probability[cell] == 0.0:
                opened += reveal(tiles, hidden, cell, work.queue)
        left -= opened
        if opened:
            continue
        cell, value, found = pick_guess(tiles, mines, policy, work.policy)
        if work.policy.stop[0] != 0:
            return np.nan
        if found == EXACT:
            weight *= value
            break
        safe = 1.0 - space.work.probability[cell]
        weight *= safe
        if hidden[cell // cols, cell % cols] == HIDDEN_MINE:
            draw_safe(space.work, cell, work.mined, hidden)
        if value >= 0.0:
            after = space.hint_values[1, hidden[cell // cols, cell % cols]]
            # A hint that was not tried counts as the mean.
            if not isnan(after):
                control += weight * (after - value / safe)
        left -= reveal(tiles, hidden, cell, work.queue)
    return weight - control
