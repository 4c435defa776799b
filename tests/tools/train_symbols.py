"""Train the reader of other symbols: mines, flags, wrong flags and question marks.

    python -m tests.tools.train_symbols            writes vision/symbols.npz, in minutes
    python -m tests.tools.train_symbols --check    only judges the weights that are there

The symbols are drawn in many styles (`tests/support/marks.py`) and
written in the fonts that have such signs; no tile of any skin or program is among them. Half of the
evaluation data comes from fonts that are not used for training.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PyQt6.QtGui import QFontDatabase
from rich.console import Console

from bot.board import FLAG, MINE, MISFLAG, QUESTION
from tests.support.glyphs import Alpha, Random, application, draw
from tests.support.marks import banner, bomb, emblem, query, scrap, sea_mine, struck
from tests.tools.train_digits import masks_of, save, temperature, train
from vision import digits

PAINTERS = (
    (bomb, MINE), (bomb, MINE), (sea_mine, MINE), (sea_mine, MINE), (sea_mine, MINE),
    *[(banner, FLAG)] * 5, *[(struck, MISFLAG)] * 3, (query, QUESTION),
    (emblem, None), (emblem, None), (scrap, None),
)  # fmt: skip
"""Painters and their states; other marks must be recognised as well."""
WRITTEN = {MINE: "✹✱☼●✶✸✺❉*⁕💣💥☀⚫", FLAG: "⚑⚐🏴🚩🏳⛳", QUESTION: "?"}
NETWORKS = 2
_LEAST = 1e-3
"""Least probability, so that all odds are finite."""
Sources = list[tuple[Alpha, int]]
say = Console(soft_wrap=True, highlight=False).print


def drawn(count: int, rng: Random) -> Sources:
    """Return pictures by each painter, with the indices of their states."""
    found = []
    for painter, state in PAINTERS:
        sides = np.exp(rng.uniform(np.log(7), np.log(64), count)).round().astype(int)
        found += [(painter(rng, int(side)), _place(state)) for side in sides]
    return _usable(found)


def written(count: int, rng: Random, *, held_out: bool) -> Sources:
    """Return pictures of each state in fonts; every third family is held out of training."""
    application()
    families = [
        name for at, name in enumerate(QFontDatabase.families()) if (at % 3 == 0) == held_out
    ]
    found: Sources = []
    for state, signs in WRITTEN.items():
        for _ in range(count):
            sign = str(rng.choice(list(signs)))
            for _ in range(20):
                family = families[int(rng.integers(len(families)))]
                styles = QFontDatabase.styles(family)
                size = round(float(np.exp(rng.uniform(np.log(10), np.log(64)))))
                face = family, styles[int(rng.integers(len(styles)))] if styles else ""
                (alpha,) = draw(face, size, bool(rng.random() < 0.7), sign)
                if alpha.size:
                    found.append((alpha, _place(state)))
                    break
    return _usable(found)


def _place(state: int | None) -> int:
    return digits.SYMBOLS.index(state) if state is not None else len(digits.SYMBOLS)


def _usable(sources: Sources) -> Sources:
    return [(alpha, label) for alpha, label in sources if min(alpha.shape) > 1 and len(alpha) >= 5]


def lifted(sources: Sources, rng: Random) -> tuple[NDArray[np.float32], NDArray[np.intp]]:
    """Return the masks that are not empty."""
    masks, labels = masks_of(sources, rng)
    full = masks.any(axis=(1, 2))
    return masks[full], labels[full]


def mine_over_flag(read: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return (n,) log odds of a mine against a flag, from the probabilities."""
    mine, flagged = (read[:, digits.SYMBOLS.index(state)] + _LEAST for state in (MINE, FLAG))
    odds: NDArray[np.float32] = np.log(mine) - np.log(flagged)
    return odds


def judge(title: str, masks: NDArray[np.float32], labels: NDArray[np.intp]) -> None:
    """Print how often a state is recognised, and how often the odds of mine and flag err."""
    read = digits.read_symbols(masks)
    say(f"{title}: {100 * (read.argmax(axis=1) == labels).mean():.1f} % of {len(labels)} right")
    mine, flagged = digits.SYMBOLS.index(MINE), digits.SYMBOLS.index(FLAG)
    odds = mine_over_flag(read)
    for bound in (0.0, 1.0, 2.0, 3.0, 4.0):
        wrong = [(odds[labels == mine] < -bound).mean(), (odds[labels == flagged] > bound).mean()]
        shares = f"{100 * wrong[0]:.2f} % of mines, {100 * wrong[1]:.2f} % of flags"
        say(f"  odds beyond {bound}: {shares}")


def main() -> None:
    """Train, save and judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only judge the weights there are")
    check = parser.parse_args().check
    cv2.setNumThreads(1)
    rng = np.random.default_rng(201)
    seen = lifted(drawn(300, rng), rng)
    unseen = lifted(written(400, rng, held_out=True), rng)
    if not check:
        rng = np.random.default_rng(200)
        masks, labels = lifted(drawn(2200, rng) + written(1500, rng, held_out=False), rng)
        say(f"{len(masks)} masks to train on")
        networks = [train(masks, labels, seed) for seed in range(NETWORKS)]
        both = np.concatenate([seen[0], unseen[0]]), np.concatenate([seen[1], unseen[1]])
        heat = temperature(networks, *both)
        say(f"temperature {heat:.2f}")
        for weights in networks:
            weights[-2] = weights[-2][:, : len(digits.SYMBOLS) + 1] / heat
            weights[-1] = weights[-1][: len(digits.SYMBOLS) + 1] / heat
        save(networks, Path(digits.__file__).with_name("symbols.npz"))
    judge("other drawings", *seen)
    judge("other fonts", *unseen)


if __name__ == "__main__":
    main()
