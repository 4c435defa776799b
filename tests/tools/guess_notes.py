"""Training data from self-play: positions, and their results."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.solver.compiled import compiled
from bot.solver.guess.features import compute_features
from bot.solver.kernel.position import solve_position
from bot.solver.kernel.tables import SOLVED
from tests.support.guess_games import TURNS, WHOLE, Player, lay, play

Array = NDArray[np.float32]

CELLS: Final = 16 * 30
STRAY: Final = 0.05
"""Probability that a move leaves the policy, for exploration."""


class Notes(NamedTuple):
    """Positions of games, one after the other."""

    seen: NDArray[np.int8]
    """(positions, CELLS): see `guess_games.Player`."""
    kind: NDArray[np.int8]
    """(positions,): index in `boards`."""
    ratio: Array
    """(positions,): the share of the game's weight left at the next position; negative for the last
    of a game."""
    strayed: NDArray[np.bool_]
    """(positions,): whether another cell than the best was opened next."""


@compiled
def record(
    kinds: NDArray[np.int64], seed: int, games: int, policy: int, one: Player, notes: Notes
) -> int:
    """Play games and record positions; return their number."""
    count = 0
    for game in range(games):
        rows, cols, mines, first, zero = kinds[game % len(kinds)]
        hidden = np.zeros((rows, cols), np.int8)
        lay(mines, seed + game, first, zero == 1, hidden)
        weight = play(hidden, mines, first, policy, STRAY, True, one)
        turns = one.number[TURNS]
        if count + turns > len(notes.kind):
            break
        one.weight[turns] = weight
        for turn in range(turns):
            notes.seen[count] = one.seen[turn]
            notes.kind[count] = game % len(kinds)
            ratio = one.weight[turn + 1] / one.weight[turn]
            notes.ratio[count] = ratio if turn + 1 < turns else -ratio
            notes.strayed[count] = one.strayed[turn]
            count += 1
    return count


@compiled
def value(notes: Notes, label: Array) -> None:
    """Write the labels of positions; those before a stray move get NaN."""
    result = np.float32(1.0)
    for place in range(len(label) - 1, -1, -1):
        ratio = notes.ratio[place]
        if ratio <= 0:
            result = np.float32(1.0)
        result *= abs(ratio)
        if notes.strayed[place]:
            result = np.float32(np.nan)
        label[place] = result


@compiled
def features_of(
    kinds: NDArray[np.int64],
    seen: NDArray[np.int8],
    kind: NDArray[np.int8],
    one: Player,
    feature: Array,
) -> None:
    """Write the features of positions to `feature`."""
    for place in range(len(kind)):
        rows, cols, mines, _, _ = kinds[kind[place]]
        tiles = seen[place, : rows * cols].copy().reshape(rows, cols)
        if solve_position(tiles, mines, one.policy.space.work, WHOLE) == SOLVED:
            compute_features(one.policy.space.work, one.policy.space.scratch)
            feature[place] = one.policy.space.scratch.feature
