"""Fit the score of the candidates of a guess to rollouts.

    python -m tests.tools.fit_score VALUES... [--out WEIGHTS]

`tests.tools.rollout_values` writes VALUES. The coefficients of `choice.score` are those with the
least squared error of the differences between the candidates of one position, times the best
estimate of the chance to win; a position counts as often as its game has guesses, times the weight
of the game. In it, a candidate counts the less the worse its present score is: only differences
between good ones matter. Small coefficients are preferred (ridge regression). What is printed is
computed with coefficients that were fitted to nine tenths of the positions, for the others.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from math import sqrt
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from bot.board import Board
from bot.solver.guess.choice import SCORED, GuessWork, better_guess
from bot.solver.guess.deciding import solve_for_guess
from bot.solver.guess.network import Network, load_network

Array = NDArray[np.float64]
RIDGE: Final = 1e-2
"""Weight of the squared coefficients, each times the deviation of its input, beside the error."""
NEAR: Final = 0.02
"""A candidate that is so much behind the best one, by the present scores, counts 1/e of it."""
PARTS: Final = 10
_ROWS: Final = 16


class Position(NamedTuple):
    """A guess, and the results of the rollouts."""

    inputs: Array
    """(candidates, 2 + SCORED): the inputs of the score, times the best estimate; centred."""
    shares: Array
    """(candidates,): how much each counts; the sum is 1."""
    scores: Array
    """(candidates,): the present scores; candidates that tell nothing have the least one."""
    means: Array
    """(candidates,): the shares won in the rollouts; centred."""
    noise: float
    """The expected squared error of `means`, as `error` computes it."""
    weight: float

    def gain(self, scores: Array) -> float:
        """Return how much more the choice by other scores wins, in points a game."""
        ahead = self.means[np.argmax(scores)] - self.means[np.argmax(self.scores)]
        return 100 * self.weight * float(ahead)

    def error(self, of: Array) -> float:
        """Return the squared error of differences, without the noise."""
        return float(self.shares @ (self.means - of) ** 2) - self.noise


def main() -> None:
    """Fit the score, print what it gains, and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("values", type=Path, nargs="+", help="as rollout_values writes them")
    parser.add_argument("--out", type=Path, help="the present weights with the new score (.npz)")
    options = parser.parse_args()
    network = load_network()
    positions = list(read(options.values, network))
    fitted: list[Array] = [np.zeros(0)] * len(positions)
    for part in range(PARTS):
        others = [one for place, one in enumerate(positions) if place % PARTS != part]
        coefficients = fit(others)
        for place in range(part, len(positions), PARTS):
            fitted[place] = positions[place].inputs @ coefficients
    report(positions, fitted)
    if options.out is not None:
        score = np.stack([network.score[0], fit(positions).astype(np.float32)])
        np.savez(options.out, **network._replace(score=score)._asdict())


def read(paths: list[Path], network: Network) -> Iterator[Position]:
    """Yield the positions with two or more candidates to compare."""
    for path in paths:
        with path.open() as file:
            for text in file:
                line = json.loads(text)
                if "tiles" in line and len(line["cells"]) > 1:
                    yield position(line, network)


def position(line: dict[str, Any], network: Network) -> Position:
    """Return a position, with its candidates evaluated."""
    tiles = np.array(line["tiles"], np.int8).reshape(_ROWS, -1)
    board = Board(tiles, line["mines"])
    space = solve_for_guess(board)
    assert space is not None
    count = len(line["cells"])
    space.cells[:count] = line["cells"]
    inputs = np.zeros((count, 2 + SCORED))
    for place in range(count):
        better_guess(tiles, line["mines"], place, -1, space, network)
        inputs[place] = inputs_of(space, place)
    inputs *= space.values[:count].max()
    scores = space.scores[:count].copy()
    shares = np.exp((scores - scores.max()) * space.values[:count].max() / NEAR)
    shares /= shares.sum()
    centre = np.eye(count) - shares
    covariance = centre @ np.array(line["covariance"]) @ centre.T
    return Position(
        centre @ inputs,
        shares,
        np.where(space.uninformative[:count], -np.inf, scores),
        centre @ np.array(line["means"]),
        float(shares @ np.diag(covariance)),
        line["weight"] * line["guesses"],
    )


def inputs_of(space: GuessWork, place: int) -> Array:
    """Return (2 + SCORED,): the inputs of the score of the candidate evaluated last."""
    logs = np.log(np.maximum([space.values[place], space.rules[place]], 1e-9))
    return np.concatenate([logs, space.prospects])


def fit(positions: list[Position]) -> Array:
    """Return the coefficients with the least squared error of the differences."""
    share = np.concatenate([one.weight * one.shares for one in positions])
    inputs = np.concatenate([one.inputs for one in positions])
    means = np.concatenate([one.means for one in positions])
    scale = inputs.std(0) + 1e-4
    inputs = inputs / scale
    weighted = inputs.T * share
    fading = RIDGE * share.sum() * np.eye(inputs.shape[1])
    solved: Array = np.linalg.solve(weighted @ inputs + fading, weighted @ means)
    return solved / scale


def report(positions: list[Position], fitted: list[Array]) -> None:
    """Print the error of the differences before and after, and the gain of the choice."""
    weights = np.array([one.weight for one in positions])

    def deviation(errors: list[float]) -> float:
        return sqrt(max(float(np.average(errors, weights=weights)), 0.0))

    console = Console()
    pairs = list(zip(positions, fitted, strict=True))
    spread = deviation([one.error(np.zeros(len(one.means))) for one in positions])
    left = deviation([one.error(of) for one, of in pairs])
    gains = [one.gain(np.where(np.isinf(one.scores), -np.inf, of)) for one, of in pairs]
    margin = 1.96 * float(np.std(gains)) / sqrt(len(gains))
    console.print(
        f"{len(positions)} guesses. Standard deviation of the chance to win: {spread:.4f} between "
        f"candidates, {left:.4f} of the score's error"
    )
    console.print(f"{np.mean(gains):+.2f} +- {margin:.2f} points a game over the present score")


if __name__ == "__main__":
    main()
