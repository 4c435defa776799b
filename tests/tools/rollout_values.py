"""Values of candidates by rollouts, for `fit_score`.

    python -m tests.tools.rollout_values OUT --games 100

Of each game, drawn by seed, one guess in mid-game is taken at random. All of its candidates get the
same rollouts, unless it is in the opening, where they hardly differ. Only the differences between
the candidates of one position matter to a choice; on common boards they vary less than the values.

A line of OUT is a position: its tiles, row by row; mines; weight of the game and number of guesses
in it; flat cells of the candidates, their mine probabilities, the network's estimates, the scores
by Hill's rule, the means over the rollouts; and the covariances of these means, as the errors of
two differences with the same candidate are not independent. The same seed gives the same lines; a
file is continued where it ended.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

from bot.game import EXPERT
from bot.solver.guess.choice import OPENING, better_guess, list_candidates
from bot.solver.guess.deciding import solve_for_guess
from bot.solver.guess.network import load_network
from bot.solver.guess.policies import FAST
from bot.solver.guess.race import MOST_CANDIDATES
from bot.solver.guess.rollouts import RolloutWork, allocate_for_rollouts, roll_out
from tests.benchmarks.rollouts import Line, draw_guess, read

SEED = 100_000_000
"""Seed of the first board, which no benchmark plays."""


def main() -> None:
    """Append positions to a file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path, help="a line for each game")
    parser.add_argument("--games", type=int, default=100, help="so many lines in the end")
    parser.add_argument("--rollouts", type=int, default=300, help="of each candidate")
    parser.add_argument("--seed", type=int, default=SEED, help="of the first board")
    parser.add_argument("--modern", action="store_true", help="the first click opens a zero")
    options = parser.parse_args()
    work = allocate_for_rollouts(EXPERT.rows * EXPERT.cols)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    for number in range(len(read(options.out)), options.games):
        seed = options.seed + number
        line = values(seed, options.rollouts, options.modern, work)
        with options.out.open("a") as file:
            file.write(json.dumps(line) + "\n")


def values(seed: int, rollouts: int, modern: bool, work: RolloutWork) -> Line:
    """Return the values of the candidates of a guess of a game."""
    drawn = draw_guess(seed, modern)
    if drawn is None:
        return {"seed": seed}
    board = drawn.board
    if board.unopened.mean() > OPENING:
        return {"seed": seed}
    space = solve_for_guess(board)
    assert space is not None
    tiles, network = board.tiles.copy(), load_network()
    count = min(list_candidates(space.work, space.cells, space.risks), MOST_CANDIDATES)
    best, hint_values = -1, []
    for place in range(count):
        best = better_guess(tiles, board.mines, place, best, space, network)
        hint_values.append(space.hint_values[0].copy())
    cells, risks = space.cells[:count].copy(), space.risks[:count].copy()
    estimates, rules = space.values[:count].copy(), space.rules[:count].copy()
    controls = np.array(hint_values) - (estimates / (1 - risks))[:, None]
    chances = np.zeros((rollouts, count))
    begin = int(np.random.default_rng(seed).integers(1 << 30))
    for number in range(rollouts):
        roll_out(tiles, board.mines, cells, controls, begin + number, FAST, work, chances[number])
    chances = chances[np.isfinite(chances).all(1)]
    covariance = np.atleast_2d(np.cov(chances.T)) / len(chances)
    return {
        "seed": seed,
        "tiles": tiles.ravel().tolist(),
        "mines": board.mines,
        "weight": drawn.weight,
        "guesses": drawn.guesses,
        "cells": cells.tolist(),
        "risks": risks.tolist(),
        "estimates": estimates.tolist(),
        "rules": rules.tolist(),
        "means": chances.mean(0).tolist(),
        "covariance": covariance.tolist(),
    }


if __name__ == "__main__":
    main()
