"""What is drawn on a tile that is no digit: a mine, a flag, a wrong flag or a question mark.

A small network like that of the digit reader, trained on what was drawn and written in many
hands (`tests/train_symbols.py`). Programs' pictures differ more than digits do: what it says
is a hint, never a proof.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.board import FLAG, MINE, MISFLAG, QUESTION
from vision.digits import Masks, forward, softmax

STATES: Final = (MINE, FLAG, MISFLAG, QUESTION)
"""The columns of what is read; behind them, that it is none of these."""
_WEIGHTS: Final = Path(__file__).with_name("symbols.npz")

Floats = NDArray[np.float32]


def read_symbols(masks: Masks) -> Floats:
    """(n, 5) probabilities of `STATES` and of none, of glyph masks (n, 24, 16)."""
    networks = _networks()
    total: Floats = np.zeros((len(masks), len(STATES) + 1), np.float32)
    for weights in networks:
        total += softmax(forward(masks, weights)) / np.float32(len(networks))
    return total


@cache
def _networks() -> tuple[tuple[Floats, ...], ...]:
    """Return the weights, read once; a tuple for each network of the ensemble."""
    with np.load(_WEIGHTS, allow_pickle=False) as file:
        return tuple(
            tuple(file[f"{number}-{part}"].astype(np.float32) for part in range(8))
            for number in range(int(file["networks"]))
        )
