"""Whole games in machine code, for training and for measuring: a thousand and more a second.

The guesses are those of `bot.solver.guess`, by the very same functions; what is certain
is opened all at once, which changes no guess.

A game is played in one of two ways. Plainly, it ends at a mine. *Weighted*, it never does: each
guess multiplies the game's weight by its exact safety, and where there is a mine the board
is replaced by one of its solutions without it, all equally likely (otherwise it is one
already). At an end game that is looked at in full the weight gets its exact chance, and the
game is over. The mean weight is the chance to win, as is the mean of wins, but weights
differ from game to game far less than wins do: a third of the games says as much.
"""

from __future__ import annotations

from math import log2
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.board import COVERED
from bot.solver.compiled import compiled
from bot.solver.endgame.search import BUDGET, Search, new_search
from bot.solver.guess.choice import (
    GuessWork,
    allocate_for_guess,
    better_guess,
    evaluate_guess,
    is_endgame,
    list_candidates,
    list_other_cells,
)
from bot.solver.guess.features import RESOLVED, classify, sum_neighbours
from bot.solver.guess.network import Network, load_network
from bot.solver.kernel.position import MOST_NODES as WHOLE
from bot.solver.kernel.position import solve_position
from bot.solver.kernel.tables import SOLUTIONS, SOLUTIONS_EXPONENT, SOLVED, Floats
from tests.endgame_search import forced_cell, solve_board
from tests.guess_boards import HIDDEN_MINE, lay, reveal, write_hints
from tests.guess_draws import draw

MOST_TURNS: Final = 120
QUICK_BITS: Final = 8.0
"""Solutions that QUICK takes for an end game, as a power of two."""
QUICK_SHARE: Final = 0.15
"""What it makes of the chance that a hint settles all around."""

# Policies.
SAFEST: Final = 0
RULE: Final = 1
"""Hill's rule: safety, times that of the best next move, and a little for progress."""
VALUE: Final = 2
"""The player's own."""

QUICK: Final = 3
"""Safety, and a little for a hint that may settle all around: nothing is tried, so it is quick."""

# Places in `number`.
TURNS: Final = 0
GUESSES: Final = 1
SETTLED: Final = 2


class Player(NamedTuple):
    """What a game is played with, and what happened in it."""

    space: GuessWork
    network: Network
    search: Search
    stop: NDArray[np.int8]
    mined: NDArray[np.int8]
    """(cells,): scratch."""
    seen: NDArray[np.int8]
    """(MOST_TURNS, cells): the tiles after each guess, the first click included (only the
    cell itself was opened, not yet the region around a zero), and before the next one where
    they have changed."""
    weight: Floats
    """(MOST_TURNS + 1,): of the game so far."""
    expected: Floats
    """(MOST_TURNS,): what the guess that followed was thought to be worth; -1: none followed."""
    strayed: NDArray[np.bool_]
    """(MOST_TURNS,): whether another cell than the best was opened next."""
    number: NDArray[np.int64]
    """Turns noted; guesses; whether the last of these begins an end game whose chance is
    exact."""


def player(cells: int, network: Network | None = None) -> Player:
    """For boards of up to so many cells, with the trained network unless another is given."""
    return Player(
        allocate_for_guess(cells),
        network or load_network(),
        new_search(BUDGET.solutions),
        np.zeros(1, np.int8),
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
    """Play one game; 1.0 if it was won, 0.0 if not; weighted, its weight.

    Args:
        hidden: (rows, cols) int8: the board; overwritten in a weighted game.
        mines: On it.
        first: The first cell, no mine.
        policy: One of those above.
        stray: How often any candidate is opened instead of the best.
        weighted: See above.
        one: Its notes are overwritten.
    """
    rows, cols = hidden.shape
    tiles = np.full((rows, cols), COVERED, np.int8)
    queue = np.zeros(rows * cols, np.int64)
    work, number = one.space.work, one.number
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
    """Note the tiles, with one more cell open unless it is -1."""
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
    """Replace a board by a solution of what is seen of it, without a mine in a cell."""
    while True:
        draw(one.space.work, one.mined)
        if not one.mined[cell]:
            break
    flat = hidden.ravel()
    for place in range(hidden.size):
        flat[place] = HIDDEN_MINE if one.mined[place] else 0
    write_hints(hidden)


@compiled
def pick(tiles: NDArray[np.int8], mines: int, policy: int, stray: float, one: Player) -> int:
    """The cell to guess on: as `bot.solver.guess.deciding.decide` does it."""
    space, number = one.space, one.number
    number[GUESSES] += 1
    if policy == SAFEST:
        list_candidates(space.work, space.cells, space.risks)
        return int(space.cells[0])
    if policy == QUICK:
        return quick(stray, one)
    if is_endgame(space.work):
        cell = played_out(one)
        if cell >= 0:
            return cell
    if policy == VALUE:
        cell = forced_cell(space.work, BUDGET, one.stop, one.search)
        if cell >= 0:
            value, _, _ = evaluate_guess(tiles, mines, cell, space, one.network)
            one.expected[number[TURNS] - 1] = value
            return int(cell)
    place = choose(tiles, mines, space, one.network)
    if policy == RULE:
        for other in range(list_candidates(space.work, space.cells, space.risks)):
            if space.rules[other] > space.rules[place] + 1e-12:
                place = other
    one.expected[number[TURNS] - 1] = space.values[place]
    if stray > 0.0 and np.random.random() < stray:  # noqa: NPY002 - as numba has it
        count = list_candidates(space.work, space.cells, space.risks)
        other = np.random.randint(count)  # noqa: NPY002
        if other != place:
            one.strayed[number[TURNS] - 1] = True
            place = other
    return int(space.cells[place])


@compiled
def choose(tiles: NDArray[np.int8], mines: int, space: GuessWork, network: Network) -> int:
    """Choose a cell on a board that is solved in `space.work` and has no safe cell.

    Args:
        tiles: (rows, cols) int8; written on while it works.
        mines: On the whole board.
        space: Its values and the rule's scores are filled.
        network: The value function.

    Returns:
        The cell's place among the candidates; -1 if there is none.
    """
    count = list_candidates(space.work, space.cells, space.risks)
    best = -1
    for place in range(count):
        best = better_guess(tiles, mines, place, best, space, network)
    if best >= 0 and space.uninformative[best]:
        for place in range(count, list_other_cells(space.work, space.cells, space.risks, count)):
            best = better_guess(tiles, mines, place, best, space, network)
            if not space.uninformative[best]:
                break
    return best


@compiled
def played_out(one: Player) -> int:
    """The best cell of an end game; -1 where it is too large."""
    found, wins, cell = solve_board(one.space.work, BUDGET, one.stop, one.search)
    if found <= 0 or wins < 0:
        return -1
    one.number[SETTLED] = 1
    one.expected[one.number[TURNS] - 1] = wins / found
    return int(cell)


@compiled
def quick(stray: float, one: Player) -> int:
    """The cell to guess on by QUICK."""
    space, work, scratch = one.space, one.space.work, one.space.scratch
    if log2(work.real[SOLUTIONS]) + work.number[SOLUTIONS_EXPONENT] <= QUICK_BITS:
        cell = played_out(one)
        if cell >= 0:
            return cell
    classify(work, scratch.kind)
    sum_neighbours(work, scratch)
    count = list_candidates(work, space.cells, space.risks)
    best = 0
    most = -1.0
    for place in range(count):
        info = scratch.info[space.cells[place]]
        score = (1.0 - space.risks[place]) * (1.0 + QUICK_SHARE * info[RESOLVED])
        if score > most:
            best, most = place, score
    if stray > 0.0 and np.random.random() < stray:  # noqa: NPY002 - as numba has it
        best = np.random.randint(count)  # noqa: NPY002
    return int(space.cells[best])


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
    """Play as many games as `won` has places, by seed; what `play` says of each."""
    hidden = np.zeros((rows, cols), np.int8)
    for game in range(len(won)):
        lay(mines, seed + game, first, zero, hidden)
        won[game] = play(hidden, mines, first, policy, 0.0, weighted, one)
