"""The value network: estimate the chance to win from the features of a position.

The value is the safety of the safest cell, which is known exactly, times the network's estimate of
the chance to win after that move. It is the mean of several networks that were trained from
different initial weights (`python -m tests.tools.train_guess`).
"""

from __future__ import annotations

from functools import cache
from math import exp
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.solver.compiled import kernel, merged
from bot.solver.guess.features import RISK, RISK_SCALE
from bot.solver.kernel.tables import Floats

Singles = NDArray[np.float32]
WEIGHTS: Final = Path(__file__).with_name("weights.npz")


class Network(NamedTuple):
    """The weights: each member has two hidden layers of rectified units and returns log-odds."""

    first: Singles
    """(members, features, units)"""
    first_bias: Singles
    """(members, units)"""
    second: Singles
    """(members, units, units of the second layer)"""
    second_bias: Singles
    """(members, units of the second layer)"""
    last: Singles
    """(members, units of the second layer)"""
    last_bias: Singles
    """(members,)"""
    score: Singles
    """(2, 2 + SCORED): the coefficients of `choice.score`, in the opening and later."""


@cache
def load_network(path: Path = WEIGHTS) -> Network:
    """Load the trained weights: a file with one array for each field of `Network`."""
    with np.load(path) as arrays:
        fields = [np.ascontiguousarray(arrays[name], np.float32) for name in Network._fields]
    return Network(*fields)


@kernel
def evaluate(network: Network, feature: Floats, hidden: Singles) -> float:
    """Return the chance to win, 0..1.

    Args:
        network: The weights.
        feature: (FEATURES,) from `compute_features`.
        hidden: (2, units or more), overwritten.
    """
    chance = 0.0
    members = len(network.last_bias)
    for member in range(members):
        chance += _evaluate_member(network, member, feature, hidden)
    safety: float = 1.0 - feature[RISK] / RISK_SCALE
    return safety * chance / members


@merged
def _evaluate_member(network: Network, member: int, feature: Floats, hidden: Singles) -> float:
    """Return one member's estimate of the chance to win after the next move."""
    one, two = hidden[0], hidden[1]
    first, second = network.first[member], network.second[member]
    units, outer = second.shape
    for unit in range(units):
        one[unit] = network.first_bias[member, unit]
    for place in range(len(feature)):
        x = np.float32(feature[place])
        if x != 0:
            for unit in range(units):
                one[unit] += x * first[place, unit]
    for unit in range(outer):
        two[unit] = network.second_bias[member, unit]
    for place in range(units):
        x = one[place]
        if x > 0:
            for unit in range(outer):
                two[unit] += x * second[place, unit]
    total: float = network.last_bias[member]
    for unit in range(outer):
        if two[unit] > 0:
            total += two[unit] * network.last[member, unit]
    return 1.0 / (1.0 + exp(-total))
