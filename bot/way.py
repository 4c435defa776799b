"""The pointer's way: in what order cells are visited so that it stays short."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from math import dist
from typing import Final

from bot.board import Cell

_UNTANGLED: Final = 16
"""Most cells for which turning parts of the way round is tried: its cost grows with the square.
For three to nine safe cells of a turn it finds the shortest way in 95 to 98 of 100 cases
(`python -m tests.bench_planner`); nearest first alone did in 83."""
_ROUNDING: Final = 1e-9


def short_way(cells: Iterable[Cell]) -> list[Cell]:
    """The cells in an order that keeps the way from the first to the last one short.

    Each is followed by the one nearest to it; then parts of the way are turned round as
    long as that makes it shorter. It begins at the end that is nearer to the upper left
    corner, where the hand parks the pointer.

    Args:
        cells: Each of them once.

    Source: the 2-opt exchange of G. A. Croes, Operations Research 6 (1958).
    """
    way = _nearest_first(cells)
    if 2 < len(way) <= _UNTANGLED:
        way = _untangled(way)
    if way and sum(way[-1]) < sum(way[0]):
        way.reverse()
    return way


def _nearest_first(cells: Iterable[Cell]) -> list[Cell]:
    left = dict.fromkeys(cells)
    here = next(iter(left), None)
    way: list[Cell] = []
    while here is not None:
        del left[here]
        way.append(here)
        here = _nearest(here, left)
    return way


def _nearest(here: Cell, cells: Collection[Cell]) -> Cell | None:
    """The cell with the smallest distance; one of several."""
    row, col = here
    if len(cells) > len(_CLOSE_BY):
        for down, right in _CLOSE_BY:
            cell = Cell(row + down, col + right)
            if cell in cells:
                return cell
    best, least = None, 0
    for cell in cells:
        square = (cell[0] - row) ** 2 + (cell[1] - col) ** 2
        if best is None or square < least:
            best, least = cell, square
    return best


_CLOSE_BY: Final = sorted(
    (
        (down, right)
        for down in range(-3, 4)
        for right in range(-3, 4)
        if 0 < down * down + right * right <= 9
    ),
    key=lambda step: (step[0] ** 2 + step[1] ** 2, step),
)
"""Steps to the cells within a distance of three, nearest first: with many cells to go to,
looking there is cheaper than looking at all of them."""


def _untangled(way: list[Cell]) -> list[Cell]:
    far = [[dist(one, other) for other in way] for one in way]
    order = list(range(len(way)))
    last = len(way) - 1
    better = True
    while better:
        better = False
        for begin in range(last):
            first = far[order[begin]]
            before = far[order[begin - 1]] if begin else None
            for end in range(begin + 1, last + 1):
                final = order[end]
                gain = before[order[begin]] - before[final] if before else 0.0
                if end < last:
                    beyond = order[end + 1]
                    gain += far[final][beyond] - first[beyond]
                if gain > _ROUNDING:
                    order[begin : end + 1] = order[begin : end + 1][::-1]
                    first = far[order[begin]]
                    better = True
    return [way[place] for place in order]
