"""Train the value function of the guess by self-play: `python -m tests.train_guess OUT`.

A round plays games, notes the position after each guess with a label, and fits networks to
what was noted in the last rounds. The label is the game's result, mixed with what the next
guess was thought to be worth, which is less of a lottery (temporal differences). The
first round plays by the published rule and knows only results.

The same seed gives the same weights on the same machine: the games are the same on all,
but a product of matrices in numpy may round differently. 320,000 games: half an hour of
one core.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from bot.solver.compiled import compiled
from bot.solver.guess.features import FEATURES, RISK, RISK_SCALE
from bot.solver.guess.network import Network
from tests.guess_games import RULE, STRAYED, TURNS, VALUE, Player, lay, play, player

Array = NDArray[np.float32]

UNITS: Final = (32, 16)
STRAY: Final = 0.15
"""How often a game leaves its policy, to see what else there is."""
BATCH: Final = 1024
CHUNK: Final = 2000
EPOCHS: Final = 15
RATE: Final = 2e-3
DECAY: Final = 0.1
"""Weights shrink by so much of the rate at each step."""
CELLS: Final = 16 * 30


class Round(NamedTuple):
    """One round of training."""

    games: int
    policy: int
    mix: float
    """1: labels are results; 0: what the next guess is thought to be worth."""
    members: int
    """Networks to average."""
    rounds: int
    """How many of the last rounds' positions they are fitted to."""


ROUNDS: Final = (
    Round(60_000, RULE, 1.0, 1, 1),
    Round(50_000, RULE, 0.5, 1, 2),
    Round(70_000, VALUE, 0.5, 4, 2),
    Round(80_000, VALUE, 0.4, 4, 3),
    Round(60_000, VALUE, 0.4, 4, 4),
)


def main() -> None:
    """Train, and save the weights after each round."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path, help="where the weights go (.npz)")
    parser.add_argument("--seed", type=int, default=50_000_000, help="seed of the first game")
    parser.add_argument("--share", type=float, default=1.0, help="play only so much of each round")
    options = parser.parse_args()
    console = Console()
    network = stacked([start(options.seed)])
    positions: list[tuple[Array, Array]] = []
    seed = options.seed
    for one in ROUNDS:
        games = int(one.games * options.share)
        positions.append(self_play(one, games, seed, network))
        seed += one.games
        x = np.concatenate([features for features, _ in positions[-one.rounds :]])
        y = np.concatenate([labels for _, labels in positions[-one.rounds :]])
        network = stacked([train(x, y, seed + member) for member in range(one.members)])
        console.print(f"{games} games, {len(x)} positions")
        np.savez(options.out, **{k: v.astype("f4") for k, v in network._asdict().items()})


def stacked(members: list[list[Array]]) -> Network:
    """One network of several."""
    return Network(*(np.stack([m[place] for m in members]).astype("f8") for place in range(6)))


def self_play(one: Round, games: int, seed: int, network: Network) -> tuple[Array, Array]:
    """The positions of a round's games, and their labels."""
    kinds = boards(seed)
    who = player(CELLS, network)
    features, labels = [], []
    for begin in range(0, games, CHUNK):
        x = np.zeros((CHUNK * 12, FEATURES), np.float32)
        y = np.full(len(x), np.nan, np.float32)
        count = min(CHUNK, games - begin)
        record(kinds, seed + begin, count, one.policy, one.mix, who, x, y)
        features.append(x[~np.isnan(y)])
        labels.append(y[~np.isnan(y)])
    return np.concatenate(features), np.concatenate(labels)


def boards(seed: int) -> NDArray[np.int64]:
    """(100, 5): rows, cols, mines, first cell, and whether it opens a zero, of game n % 100."""
    dice = np.random.default_rng(seed)
    kinds = []
    for place in range(100):
        rows, cols, mines, zero = 16, 30, 99, place % 5 in (3, 4)
        if place % 20 in (15, 16):
            cols, mines = 16, 40
        elif place % 20 == 17:
            rows, cols, mines = 9, 9, 10
        elif place % 20 >= 18:
            rows, cols = int(dice.integers(4, 17)), int(dice.integers(4, 31))
            mines = max(1, int(rows * cols * dice.uniform(0.12, 0.24)))
        inside = 3 if min(rows, cols) >= 16 else 2
        first = min(inside, cols - 1) + cols * min(inside, rows - 1) if zero else 0
        kinds.append((rows, cols, mines, first, zero))
    return np.array(kinds, np.int64)


@compiled
def record(
    kinds: NDArray[np.int64],
    seed: int,
    games: int,
    policy: int,
    mix: float,
    one: Player,
    feature: Array,
    label: Array,
) -> None:
    """Play games and note positions; a label that says nothing stays NaN."""
    count = 0
    for game in range(games):
        rows, cols, mines, first, zero = kinds[game % len(kinds)]
        hidden = np.zeros((rows, cols), np.int8)
        lay(mines, seed + game, first, zero == 1, hidden)
        won = play(hidden, mines, first, policy, STRAY, one)
        turns = one.number[TURNS]
        if count + turns > len(label):
            break
        result = 1.0 if won else 0.0
        for turn in range(turns - 1, -1, -1):
            expected = one.expected[turn]
            if turn == one.number[STRAYED]:
                result = expected
            elif expected >= 0.0:
                result = mix * result + (1.0 - mix) * expected
            # Without a value function what came before a stray move has no label.
            if mix < 1.0 or turn > one.number[STRAYED]:
                feature[count + turn] = one.feature[turn]
                label[count + turn] = result
        count += turns


def start(seed: int) -> list[Array]:
    """Random weights, scaled for rectified units; small ones in the last layer."""
    dice = np.random.default_rng(seed)
    shapes = ((FEATURES, UNITS[0]), (UNITS[0],), UNITS, (UNITS[1],), (UNITS[1],), ())
    scales = ((2 / FEATURES) ** 0.5, 0, (2 / UNITS[0]) ** 0.5, 0, 0.3 * (2 / UNITS[1]) ** 0.5, 0)
    return [
        np.asarray(scale * dice.standard_normal(shape), np.float32)
        for shape, scale in zip(shapes, scales, strict=True)
    ]


def train(x: Array, y: Array, seed: int) -> list[Array]:
    """Fit one network: Adam on the cross-entropy, a cosine for the rate, decaying weights."""
    safety = 1 - x[:, RISK] / np.float32(RISK_SCALE)
    mean, scale = x.mean(0), x.std(0) + np.float32(1e-3)
    x = np.clip((x - mean) / scale, -8, 8)
    parameters = start(seed)
    dice = np.random.default_rng(seed)
    moments = [np.zeros_like(array) for array in parameters]
    squares = [np.zeros_like(array) for array in parameters]
    steps = max(EPOCHS * (len(x) // BATCH), 1)
    step = 0
    for _ in range(EPOCHS):
        order = dice.permutation(len(x))
        for begin in range(0, len(x) - BATCH + 1, BATCH):
            chosen = order[begin : begin + BATCH]
            step += 1
            rate = RATE * 0.5 * (1 + np.cos(np.pi * step / steps))
            found = gradients(parameters, x[chosen], safety[chosen], y[chosen])
            for place, slope in enumerate(found):
                moments[place] += 0.1 * (slope - moments[place])
                squares[place] += 0.001 * (slope * slope - squares[place])
                there = moments[place] / (1 - 0.9**step)
                spread = np.sqrt(squares[place] / (1 - 0.999**step)) + 1e-8
                fading = DECAY * parameters[place] if place in (0, 2) else 0.0
                parameters[place] = (parameters[place] - rate * (there / spread + fading)).astype(
                    np.float32
                )
    first = parameters[0] / scale[:, None]
    return [first, parameters[1] - mean @ first, *parameters[2:]]


def gradients(parameters: list[Array], x: Array, safety: Array, y: Array) -> list[Array]:
    """Of the mean cross-entropy of safety times what the network says, by each parameter."""
    first, first_bias, second, second_bias, last, last_bias = parameters
    one = np.maximum(x @ first + first_bias, 0)
    two = np.maximum(one @ second + second_bias, 0)
    after = 1 / (1 + np.exp(-(two @ last + last_bias)))
    chance = safety * after
    wrong = (chance - y) * (1 - after) / np.maximum(1 - chance, 1e-3) / len(y)
    wrong_two = np.outer(wrong, last) * (two > 0)
    wrong_one = (wrong_two @ second.T) * (one > 0)
    return [
        x.T @ wrong_one,
        wrong_one.sum(0),
        one.T @ wrong_two,
        wrong_two.sum(0),
        two.T @ wrong,
        wrong.sum(),
    ]


if __name__ == "__main__":
    main()
