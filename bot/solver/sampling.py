"""Solutions of a board drawn at random, each with its weight.

Components are drawn one by one, floating cells last. Within a component the boxes are
decided in the order of `counting`: from a state, the number of mines in the next box is
drawn in proportion to the placements that go on from there, each mine weighing `odds`.
That draws exactly by the number of mines that `odds` makes likely; what the true number
of mines makes of it is the sample's weight.

Source: forward filtering and backward sampling as for hidden Markov models, here the
other way round (Frühwirth-Schnatter 1994); the weights are importance sampling.
"""

from __future__ import annotations

from math import comb, lgamma, log
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.analysis import Limit
from bot.solver.constraints import Component, Shape, System, simplify
from bot.solver.counting import Meter, TooWide, explore

_LEAST_ODDS: Final = 1e-3
"""Where the rest of the board is (almost) certain, odds must leave everything possible."""

_AT_ONCE: Final = 100_000
"""Floating cells placed between two looks at the limit: about 10 ms."""


class Sample(NamedTuple):
    """Solutions and their weights."""

    mines: NDArray[np.bool_]
    """(samples, cells) bool: a mine under a covered cell."""
    weights: NDArray[np.float64]
    """(samples,) float64, sum 1."""


class _Step(NamedTuple):
    """One box: for each state before it, how likely are how many mines, and where they lead."""

    box: int
    cumulated: NDArray[np.float64]
    """(states, size + 1): the weights, summed up."""
    targets: NDArray[np.intp]
    """(states, size + 1)."""


Kept = dict[tuple[Shape, float], list[_Step]]
"""What was worked out for the components of one turn, at certain odds."""


def draw(
    system: System,
    density: float,
    samples: int,
    random: np.random.Generator,
    limit: Limit,
    kept: Kept | None = None,
) -> Sample | None:
    """Draw solutions.

    Args:
        system: The board; its constraints do not contradict each other.
        density: About how likely a mine is where nothing else is known.
        samples: How many.
        random: Where chance comes from.
        limit: As for `counting`; what is kept costs nothing.
        kept: What the last call left here saves time, and changes no draw.

    Returns:
        The sample; None where a component is too wide, or no solution was hit.

    Raises:
        Cancelled: The user stopped.
    """
    odds = max(density / (1 - density), _LEAST_ODDS)
    simple = simplify(system.constraints)
    mines = np.zeros((samples, system.board.tiles.size), dtype=bool)
    known = [cell for cell, value in simple.known.items() if value]
    mines[:, known] = True
    meter = Meter(limit)
    last = {} if kept is None else kept.copy()
    steps: Kept = {}
    try:
        for part in simple.components:
            key = part.shape, odds
            steps[key] = last.get(key) or _steps(*key, meter)
            _draw_component(part, steps[key], mines, random, meter)
    except TooWide:
        return None
    if kept is not None:
        kept.clear()
        kept.update(steps)
    spare = system.mines - mines.sum(1)
    floating = len(system.floating)
    possible = (spare >= 0) & (spare <= floating)
    if not possible.any():
        return None
    if floating:
        _place_floating(list(system.floating), spare.clip(0, floating), mines, random, limit)
    logs = np.array([_log_weight(floating, int(left), odds) for left in spare[possible]])
    weights = np.zeros(samples)
    weights[possible] = np.exp(logs - logs.max())
    return Sample(mines, weights / weights.sum())


def _place_floating(
    cells: list[int],
    numbers: NDArray[np.intp],
    mines: NDArray[np.bool_],
    random: np.random.Generator,
    limit: Limit,
) -> None:
    """Place so many mines on the floating cells of each sample."""
    part = max(_AT_ONCE // len(cells), 1)
    for start in range(0, len(mines), part):
        limit.spent(0)
        rows = slice(start, start + part)
        mines[rows, cells] = _subsets(numbers[rows], len(cells), random)


def _log_weight(floating: int, mines: int, odds: float) -> float:
    """Ways to place the mines that are left, against what drawing took them to weigh."""
    ways = lgamma(floating + 1) - lgamma(mines + 1) - lgamma(floating - mines + 1)
    return ways + mines * log(odds)


def _draw_component(
    part: Component,
    steps: list[_Step],
    mines: NDArray[np.bool_],
    random: np.random.Generator,
    meter: Meter,
) -> None:
    """Draw one component into all samples."""
    state = np.zeros(len(mines), np.intp)
    for step in steps:
        meter.work(len(mines))
        cumulated = step.cumulated[state]
        drawn = random.random(len(mines)) * cumulated[:, -1]
        number = (cumulated[:, :-1] <= drawn[:, None]).sum(1)
        state = step.targets[state, number]
        cells = part.boxes[step.box]
        mines[:, list(cells)] = _subsets(number, len(cells), random)


def _steps(shape: Shape, odds: float, meter: Meter) -> list[_Step]:
    """All boxes in order, from the weights of what can follow: worked out from the end."""
    onward = [1.0]
    steps = []
    for layer in reversed(explore(shape, meter)):
        size = shape.sizes[layer.box]
        ways = [comb(size, k) * odds**k for k in range(size + 1)]
        meter.work(len(layer.lows) * (size + 1))
        weights = [[0.0] * (size + 1) for _ in layer.lows]
        targets = [[0] * (size + 1) for _ in layer.lows]
        for row, places, low, after in zip(
            weights, targets, layer.lows, layer.targets, strict=True
        ):
            for number, target in enumerate(after, low):
                row[number] = ways[number] * onward[target]
                places[number] = target
        cumulated = np.array(weights).cumsum(1)
        totals = cumulated[:, -1]
        # Only their proportions matter; products over a long component would leave the floats.
        onward = (totals / totals.max()).tolist()
        steps.append(_Step(layer.box, cumulated, np.array(targets, np.intp)))
    return steps[::-1]


def _subsets(sizes: NDArray[np.intp], cells: int, random: np.random.Generator) -> NDArray[np.bool_]:
    """(samples, cells) bool: for each sample a random subset of so many cells."""
    if cells == 1:
        return sizes[:, None] > 0
    ranks = random.random((len(sizes), cells)).argsort(1)
    chosen: NDArray[np.bool_] = ranks < sizes[:, None]
    return chosen
