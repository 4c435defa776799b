"""Play whole games in machine code, for training and measuring: over a thousand per second.

The guesses are made by the functions of `bot.solver.guess`; all certain cells are opened at once,
which changes no guess.

A game is played in one of two ways. Plainly, it ends at a mine. *Weighted*, it never does: each
guess multiplies the game's weight by its exact safety, and where there is a mine the board is
replaced by one of its solutions without it, all equally likely (otherwise it is one already). At an
end game that is searched exhaustively the weight is multiplied by its exact chance, and the game is
over. The mean weight is the chance to win, like the mean of wins, but with less variance: a third
of the games gives the same precision.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.board import COVERED
from bot.solver.compiled import compiled
from bot.solver.guess.choice import list_candidates
from bot.solver.guess.draws import HIDDEN_MINE, draw, reveal, write_hints
from bot.solver.guess.network import Network
from bot.solver.guess.policies import (
    COMPARED,
    EXACT,
    QUICK,
    UNKNOWN,
    PolicyWork,
    allocate_for_policy,
    pick_guess,
)
from bot.solver.kernel.position import MOST_NODES as WHOLE
from bot.solver.kernel.position import solve_position
from bot.solver.kernel.tables import SOLVED, Floats

MOST_TURNS: Final = 120

# Places in `number`.
TURNS: Final = 0
GUESSES: Final = 1
SETTLED: Final = 2


class Player(NamedTuple):
    """The working memory and the records of a game."""

    policy: PolicyWork
    mined: NDArray[np.int8]
    """(cells,): scratch."""
    seen: NDArray[np.int8]
    """(MOST_TURNS, cells): the tiles after each guess, the first click included (only the cell
    itself was opened, not yet the region around a zero), and before the next one if they have
    changed."""
    weight: Floats
    """(MOST_TURNS + 1,): the weight of the game so far."""
    expected: Floats
    """(MOST_TURNS,): the estimated value of the guess that followed; -1 for none."""
    strayed: NDArray[np.bool_]
    """(MOST_TURNS,): whether another cell than the best was opened next."""
    number: NDArray[np.int64]
    """Recorded turns; guesses; whether the last of these begins an end game whose chance is
    exact."""


@compiled
def lay(mines: int, seed: int, first: int, zero: bool, hidden: NDArray[np.int8]) -> None:
    """Generate mines by seed.

    Args:
        mines: Number of mines.
        seed: The seed; the same seed gives the same board.
        first: The cell that is opened first, never a mine.
        zero: Whether its neighbours are no mines either, as far as there is room.
        hidden: (rows, cols) gets hints, and HIDDEN_MINE.
    """
    rows, cols = hidden.shape
    np.random.seed(seed)  # noqa: NPY002 - as numba has it
    order = np.random.permutation(rows * cols)  # noqa: NPY002 - as numba has it
    hidden[:] = 0
    laid = 0
    for near in range(2):
        for cell in order:
            row, col = cell // cols, cell % cols
            if laid == mines or cell == first or hidden[row, col]:
                continue
            close = abs(row - first // cols) <= 1 and abs(col - first % cols) <= 1
            if near or not (zero and close):
                hidden[row, col] = HIDDEN_MINE
                laid += 1
    write_hints(hidden)


def player(cells: int, network: Network | None = None) -> Player:
    """Return a player for boards of up to so many cells, by default with the trained network."""
    return Player(
        allocate_for_policy(cells, network),
        np.zeros(cells, np.int8),
        np.zeros((MOST_TURNS, cells), np.int8),
        np.zeros(MOST_TURNS + 1),
        np.zeros(MOST_TURNS),
        np.zeros(MOST_TURNS, np.bool_),
        np.zeros(3, np.int64),
    )


@compiled
def play(
    hidden: NDArray[np.int8],
    mines: int,
    first: int,
    policy: int,
    stray: float,
    weighted: bool,
    one: Player,
) -> float:
    """Play one game; return 1.0 for a win, 0.0 for a loss; if weighted, its weight.

    Args:
        hidden: (rows, cols) int8: the board; overwritten in a weighted game.
        mines: Number of mines.
        first: The first cell, no mine.
        policy: One of those above.
        stray: How often any candidate is opened instead of the best.
        weighted: See above.
        one: Its notes are overwritten.
    """
    rows, cols = hidden.shape
    tiles = np.full((rows, cols), COVERED, np.int8)
    queue = np.zeros(rows * cols, np.int64)
    work, number = one.policy.space.work, one.number
    number[:] = 0
    weight = 1.0
    note(tiles, hidden, first, weight, one)
    opened = reveal(tiles, hidden, first, queue)
    left = rows * cols - mines - opened
    noted = opened == 1
    while left > 0:
        if solve_position(tiles, mines, work, WHOLE) != SOLVED:
            return 0.0
        opened = 0
        for cell in range(rows * cols):
            if work.probability[cell] == 0.0:
                opened += reveal(tiles, hidden, cell, queue)
        left -= opened
        if opened:
            noted = False
            continue
        if not noted:
            note(tiles, hidden, -1, weight, one)
        cell = pick(tiles, mines, policy, stray, one)
        if weighted:
            if number[SETTLED]:
                return weight * float(one.expected[number[TURNS] - 1])
            weight *= 1.0 - work.probability[cell]
            if hidden[cell // cols, cell % cols] == HIDDEN_MINE:
                redraw(hidden, cell, one)
        elif hidden[cell // cols, cell % cols] == HIDDEN_MINE:
            return 0.0
        note(tiles, hidden, cell, weight, one)
        opened = reveal(tiles, hidden, cell, queue)
        left -= opened
        noted = opened == 1
    return weight


@compiled
def note(
    tiles: NDArray[np.int8], hidden: NDArray[np.int8], cell: int, weight: float, one: Player
) -> None:
    """Record the tiles, with one more cell open unless it is -1."""
    turn = one.number[TURNS]
    if turn < MOST_TURNS:
        cols = tiles.shape[1]
        one.seen[turn, : tiles.size] = tiles.ravel()
        if cell >= 0:
            one.seen[turn, cell] = hidden[cell // cols, cell % cols]
        one.weight[turn] = weight
        one.expected[turn] = -1.0
        one.strayed[turn] = False
        one.number[TURNS] = turn + 1


@compiled
def redraw(hidden: NDArray[np.int8], cell: int, one: Player) -> None:
    """Replace a board by a solution of its visible tiles, without a mine in a cell."""
    while True:
        draw(one.policy.space.work, one.mined)
        if not one.mined[cell]:
            break
    flat = hidden.ravel()
    for place in range(hidden.size):
        flat[place] = HIDDEN_MINE if one.mined[place] else 0
    write_hints(hidden)


@compiled
def pick(tiles: NDArray[np.int8], mines: int, policy: int, stray: float, one: Player) -> int:
    """Return the cell to guess on, with its records."""
    space, number = one.policy.space, one.number
    number[GUESSES] += 1
    turn = number[TURNS] - 1
    cell, value, found = pick_guess(tiles, mines, policy, one.policy)
    if value != UNKNOWN:
        one.expected[turn] = value
    if found == EXACT:
        number[SETTLED] = 1
    elif found == COMPARED and stray > 0.0 and np.random.random() < stray:  # noqa: NPY002
        count = list_candidates(space.work, space.cells, space.risks)
        other = space.cells[np.random.randint(count)]  # noqa: NPY002 - as numba has it
        if other != cell:
            one.strayed[turn] = policy != QUICK
            cell = other
    return int(cell)


@compiled
def many(
    rows: int,
    cols: int,
    mines: int,
    first: int,
    zero: bool,
    seed: int,
    policy: int,
    weighted: bool,
    one: Player,
    won: Floats,
) -> None:
    """Play as many games as `won` has places, by seed; store the result of `play` for each."""
    hidden = np.zeros((rows, cols), np.int8)
    for game in range(len(won)):
        lay(mines, seed + game, first, zero, hidden)
        won[game] = play(hidden, mines, first, policy, 0.0, weighted, one)


def prepare() -> None:
    """Compile in advance: two workers that need it would compile it twice.

    Not if this module is run as `__main__`: machine code is kept for its types under their names.
    """
    many(9, 9, 10, 0, False, 1, QUICK, False, player(81), np.zeros(1))
