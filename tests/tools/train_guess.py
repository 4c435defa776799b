"""Train the value function of the guess by self-play: `python -m tests.tools.train_guess OUT`.

Weighted games are played (`tests.support.guess_games`), and the position after each guess and
before the next is noted; its label is what the game's weight was multiplied with from there on. The
first round plays by a policy so quick that a million positions take some minutes, and
networks are fitted to it. The next ones play by these networks as the player does, and they
are trained on with what was noted: positions that better play leads to, and what that
makes of them.

Finished chunks of games and finished networks are kept in the folder OUT.parts, so a run that was
interrupted is continued by the same command; delete the folder after a change of the code. The same
seed gives the same weights on the same machine: the games are the same on all, but products of
matrices may round differently. The weights in the tree come from these rounds; a core plays the
first two in some twenty minutes, the third in an hour and a half.
"""

from __future__ import annotations

import argparse
import multiprocessing
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from bot.solver.guess.features import FEATURES, RISK, RISK_SCALE
from bot.solver.guess.network import Network, load_network
from bot.solver.guess.policies import QUICK, VALUE
from tests.support.guess_games import player
from tests.tools.adam import epochs
from tests.tools.guess_notes import CELLS, Array, Notes, features_of, record, value

UNITS: Final = (48, 24)
BATCH: Final = 1024
CHUNK: Final = 500
"""Number of games that are played at once."""
MOST: Final = 20
"""Largest mean number of recorded positions in a game."""
MEMBERS: Final = 4
"""Number of networks that are averaged."""
DECAY: Final = 0.5
"""Weight decay at each step, as a share of the rate."""


class Round(NamedTuple):
    """One round of training."""

    games: int
    policy: int
    seed: int
    """Seed of the first game."""
    epochs: int
    rate: float
    """Initial learning rate."""


ROUNDS: Final = (
    Round(200_000, QUICK, 60_000_000, 8, 2e-3),
    Round(40_000, VALUE, 80_000_000, 4, 4e-4),
    Round(580_000, VALUE, 200_000_000, 4, 4e-4),
)


def main() -> None:
    """Train, and save the weights after each round."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path, help="where the weights go (.npz)")
    parser.add_argument("--share", type=float, default=1.0, help="play only so much of each round")
    parser.add_argument("--processes", type=int, default=1, help="that play at a time")
    options = parser.parse_args()
    console = Console()
    members: list[list[Array]] = []
    with multiprocessing.get_context("spawn").Pool(options.processes) as pool:
        for number, one in enumerate(ROUNDS):
            parts = options.out.with_suffix(".parts") / f"{number}-{options.share:g}"
            parts.mkdir(parents=True, exist_ok=True)
            begins = range(0, int(one.games * options.share), CHUNK)
            chunk = partial(kept_chunk, parts, one, stacked(members or [start(0)]))
            found = [load(path) for path in pool.imap(chunk, begins)]
            x = np.concatenate([features for features, _ in found]).astype(np.float32)
            y = np.concatenate([labels for _, labels in found])
            members = [
                kept_member(parts, one, members[seed] if members else None, x, y, seed)
                for seed in range(MEMBERS)
            ]
            console.print(f"{len(begins) * CHUNK} games, {len(x)} positions")
            np.savez(options.out, **stacked(members)._asdict())


def kept_chunk(parts: Path, one: Round, network: Network, begin: int) -> Path:
    """Return the file with features and labels of a chunk; play it unless it is there."""
    path = parts / f"games-{begin}.npz"
    if not path.exists():
        save(path, self_play(one, network, begin))
    return path


def kept_member(
    parts: Path, one: Round, member: list[Array] | None, x: Array, y: Array, seed: int
) -> list[Array]:
    """Return a trained network; train it unless its file is there."""
    path = parts / f"network-{seed}.npz"
    if not path.exists():
        save(path, train(one, member, x, y, seed))
    return load(path)


def save(path: Path, arrays: Iterable[NDArray[Any]]) -> None:
    """Save arrays so that a file that is there is complete."""
    partial_file = path.with_suffix(".partial")
    with partial_file.open("wb") as file:
        np.savez(file, *arrays)
    partial_file.replace(path)


def load(path: Path) -> list[NDArray[Any]]:
    """Return the arrays that `save` saved."""
    with np.load(path) as arrays:
        return [arrays[name] for name in arrays.files]


def stacked(members: list[list[Array]]) -> Network:
    """Return several networks as one, with the present score."""
    fields = (np.stack([m[place] for m in members]).astype("f4") for place in range(6))
    return Network(*fields, score=load_network().score)


def self_play(one: Round, network: Network, begin: int) -> tuple[NDArray[np.float16], Array]:
    """Return features and labels of the positions of a chunk's games."""
    room = CHUNK * MOST
    notes = Notes(
        np.zeros((room, CELLS), np.int8),
        np.zeros(room, np.int8),
        np.zeros(room, np.float32),
        np.zeros(room, np.bool_),
    )
    kinds = boards(one.seed)
    who = player(CELLS, network)
    count = record(kinds, one.seed + begin, CHUNK, one.policy, who, notes)
    notes = Notes(*(array[:count] for array in notes))
    label = np.zeros(count, np.float32)
    value(notes, label)
    feature = np.zeros((count, FEATURES), np.float32)
    features_of(kinds, notes.seen, notes.kind, who, feature)
    known = ~np.isnan(label)
    return feature[known].astype(np.float16), label[known]


def boards(seed: int) -> NDArray[np.int64]:
    """Return (100, 5): rows, cols, mines, first cell, whether it opens a zero; by n % 100."""
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


def start(seed: int) -> list[Array]:
    """Return random weights, scaled for rectified units; small ones in the last layer."""
    dice = np.random.default_rng(seed)
    shapes = ((FEATURES, UNITS[0]), (UNITS[0],), UNITS, (UNITS[1],), (UNITS[1],), ())
    scales = ((2 / FEATURES) ** 0.5, 0, (2 / UNITS[0]) ** 0.5, 0, 0.3 * (2 / UNITS[1]) ** 0.5, 0)
    return [
        np.asarray(scale * dice.standard_normal(shape), np.float32)
        for shape, scale in zip(shapes, scales, strict=True)
    ]


def train(one: Round, member: list[Array] | None, x: Array, y: Array, seed: int) -> list[Array]:
    """Fit one network: Adam on the cross-entropy, a cosine for the rate, decaying weights.

    Args:
        one: How long, and how fast.
        member: Where to begin; None for random weights.
        x: (positions, FEATURES)
        y: (positions,): labels.
        seed: Of the order of positions, and of random weights.

    Returns:
        The weights, as the fields of `Network`.
    """
    safety = 1 - x[:, RISK] / np.float32(RISK_SCALE)
    mean, scale = x.mean(0), x.std(0) + np.float32(1e-3)
    x = np.clip((x - mean) / scale, -8, 8)
    parameters = start(seed)
    if member is not None:
        parameters = [member[0] * scale[:, None], member[1] + mean @ member[0], *member[2:]]
    steps = epochs(
        parameters,
        lambda chosen: gradients(parameters, x[chosen], safety[chosen], y[chosen]),
        len(x),
        np.random.default_rng(seed),
        number=one.epochs,
        batch=BATCH,
        rate=one.rate,
        decay=DECAY,
    )
    list(steps)
    first = parameters[0] / scale[:, None]
    return [first, parameters[1] - mean @ first, *parameters[2:]]


def gradients(parameters: list[Array], x: Array, safety: Array, y: Array) -> list[Array]:
    """Return gradients of the mean cross-entropy of safety times the output, by parameter."""
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
