"""Train the value function of the guess by self-play: `python -m tests.train_guess OUT`.

A round plays weighed games (`tests.guess_games`), notes the position after each guess, and
fits networks to what was noted in the last rounds. The label of a position is what the
game's weight was multiplied with from there on, mixed at each later guess with what that
was thought to be worth (temporal differences). The first round plays by the published rule.

The same seed gives the same weights on the same machine: the games are the same on all,
but a product of matrices in numpy may round differently.
"""

from __future__ import annotations

import argparse
import multiprocessing
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from bot.solver.compiled import compiled
from bot.solver.guess.features import describe
from bot.solver.guess.layout import FEATURES, RISK, RISK_SCALE
from bot.solver.guess.network import Network
from bot.solver.kernel.position import solve_position
from bot.solver.kernel.status import SOLVED
from tests.guess_games import RULE, TURNS, VALUE, WHOLE, Player, lay, play, player

Array = NDArray[np.float32]

UNITS: Final = (64, 32)
STRAY: Final = 0.12
"""How often a game leaves its policy, to see what else there is."""
BATCH: Final = 1024
CHUNK: Final = 1000
"""Games that are played at once."""
MOST: Final = 20
"""Positions noted in a game, in the mean, at the most."""
EPOCHS: Final = 12
RATE: Final = 2e-3
DECAY: Final = 0.1
"""Weights shrink by so much of the rate at each step."""
CELLS: Final = 16 * 30


class Round(NamedTuple):
    """One round of training."""

    games: int
    policy: int
    mix: float
    """1: labels are what happened; 0: what the next guess is thought to be worth."""
    members: int
    """Networks to average."""
    rounds: int
    """How many of the last rounds' positions they are fitted to."""


ROUNDS: Final = (
    Round(40_000, RULE, 1.0, 2, 1),
    Round(50_000, VALUE, 0.7, 2, 2),
    Round(80_000, VALUE, 0.7, 4, 3),
    Round(80_000, VALUE, 0.7, 4, 3),
)


class Notes(NamedTuple):
    """Positions of games, one after the other."""

    seen: NDArray[np.int8]
    """(positions, CELLS): see `guess_games.Player`."""
    kind: NDArray[np.int8]
    """(positions,): which of the `boards`."""
    expected: Array
    """(positions,): what the next guess was thought to be worth; -1: none followed."""
    ratio: Array
    """(positions,): how much of the game's weight was left at the next position; negative
    for the last of a game."""
    strayed: NDArray[np.bool_]
    """(positions,): whether another cell than the best was opened next."""


def main() -> None:
    """Train, and save the weights after each round."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path, help="where the weights go (.npz)")
    parser.add_argument("--seed", type=int, default=50_000_000, help="seed of the first game")
    parser.add_argument("--share", type=float, default=1.0, help="play only so much of each round")
    parser.add_argument("--processes", type=int, default=1, help="that play at a time")
    parser.add_argument("--keep", type=Path, help="a folder for the positions of all rounds")
    options = parser.parse_args()
    console = Console()
    network = stacked([start(options.seed)])
    positions: list[tuple[Array, Array]] = []
    seed = options.seed
    with multiprocessing.get_context("spawn").Pool(options.processes) as pool:
        for number, one in enumerate(ROUNDS):
            begins = range(0, int(one.games * options.share), CHUNK)
            chunk = partial(self_play, one, boards(seed), seed, network)
            notes = pool.map(chunk, begins, chunksize=1)
            if options.keep:
                keep(options.keep / f"round{number}.npz", notes, boards(seed))
            labelled = partial(examples, boards(seed), one.mix)
            found = pool.map(labelled, notes, chunksize=1)
            positions.append(tuple(map(np.concatenate, zip(*found))))
            seed += one.games
            x = np.concatenate([features for features, _ in positions[-one.rounds :]])
            y = np.concatenate([labels for _, labels in positions[-one.rounds :]])
            with TemporaryDirectory() as folder:
                np.save(Path(folder, "x.npy"), x)
                np.save(Path(folder, "y.npy"), y)
                fit = partial(train, Path(folder))
                network = stacked(pool.map(fit, range(seed, seed + one.members), chunksize=1))
            console.print(f"{len(begins) * CHUNK} games, {len(x)} positions")
            np.savez(options.out, **network._asdict())
            if options.keep:
                np.savez(options.keep / f"weights{number}.npz", **network._asdict())


def keep(path: Path, notes: list[Notes], kinds: NDArray[np.int64]) -> None:
    arrays = [np.concatenate(column) for column in zip(*notes)]
    np.savez(path, kinds=kinds, **dict(zip(Notes._fields, arrays)))


def stacked(members: list[list[Array]]) -> Network:
    """One network of several."""
    return Network(*(np.stack([m[place] for m in members]).astype("f4") for place in range(6)))


def self_play(
    one: Round, kinds: NDArray[np.int64], seed: int, network: Network, begin: int
) -> Notes:
    """The positions of a chunk's games."""
    room = CHUNK * MOST
    notes = Notes(
        np.zeros((room, CELLS), np.int8),
        np.zeros(room, np.int8),
        np.zeros(room, np.float32),
        np.zeros(room, np.float32),
        np.zeros(room, np.bool_),
    )
    count = record(kinds, seed + begin, CHUNK, one.policy, player(CELLS, network), notes)
    return Notes(*(array[:count] for array in notes))


def examples(kinds: NDArray[np.int64], mix: float, notes: Notes) -> tuple[Array, Array]:
    """Features and labels of what was noted."""
    label = np.zeros(len(notes.kind), np.float32)
    value(notes, mix, label)
    known = ~np.isnan(label)
    feature = np.zeros((len(label), FEATURES), np.float32)
    features_of(kinds, notes.seen, notes.kind, player(CELLS, stacked([start(0)])), feature)
    return feature[known], label[known]


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
    kinds: NDArray[np.int64], seed: int, games: int, policy: int, one: Player, notes: Notes
) -> int:
    """Play games and note positions; how many."""
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
            notes.expected[count] = one.expected[turn]
            ratio = one.weight[turn + 1] / one.weight[turn]
            notes.ratio[count] = ratio if turn + 1 < turns else -ratio
            notes.strayed[count] = one.strayed[turn]
            count += 1
    return count


@compiled
def value(notes: Notes, mix: float, label: Array) -> None:
    """Label positions; NaN where a label would say nothing."""
    result = 1.0
    for place in range(len(label) - 1, -1, -1):
        ratio, expected = notes.ratio[place], notes.expected[place]
        if ratio <= 0.0:
            result = 1.0
        result *= abs(ratio)
        if notes.strayed[place]:
            # Without a value function what came before a stray move has no label.
            result = expected if mix < 1.0 else np.nan
        elif expected >= 0.0:
            result = mix * result + (1.0 - mix) * expected
        label[place] = result


@compiled
def features_of(
    kinds: NDArray[np.int64],
    seen: NDArray[np.int8],
    kind: NDArray[np.int8],
    one: Player,
    feature: Array,
) -> None:
    """Describe positions."""
    for place in range(len(kind)):
        rows, cols, mines, _, _ = kinds[kind[place]]
        tiles = seen[place, : rows * cols].copy().reshape(rows, cols)
        if solve_position(tiles, mines, one.desk.work, WHOLE) == SOLVED:
            describe(one.desk.work, one.desk.scratch)
            feature[place] = one.desk.scratch.feature


def start(seed: int) -> list[Array]:
    """Random weights, scaled for rectified units; small ones in the last layer."""
    dice = np.random.default_rng(seed)
    shapes = ((FEATURES, UNITS[0]), (UNITS[0],), UNITS, (UNITS[1],), (UNITS[1],), ())
    scales = ((2 / FEATURES) ** 0.5, 0, (2 / UNITS[0]) ** 0.5, 0, 0.3 * (2 / UNITS[1]) ** 0.5, 0)
    return [
        np.asarray(scale * dice.standard_normal(shape), np.float32)
        for shape, scale in zip(shapes, scales, strict=True)
    ]


def train(folder: Path, seed: int) -> list[Array]:
    """Fit one network: Adam on the cross-entropy, a cosine for the rate, decaying weights."""
    x, y = np.load(folder / "x.npy"), np.load(folder / "y.npy")
    safety = 1 - x[:, RISK] / np.float32(RISK_SCALE)
    mean, scale = x.mean(0), x.std(0) + np.float32(1e-3)
    x -= mean
    x /= scale
    np.clip(x, -8, 8, out=x)
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
