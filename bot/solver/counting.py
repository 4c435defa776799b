"""Counting the placements of one component, by number of mines, in whole numbers.

Boxes are decided one after the other. What the past leaves for the future to know is how
many mines each *open* constraint (one that has boxes on both sides) still owes: that
tuple is the *state*, packed in one integer, four bits for each constraint. All ways to
reach a state are kept as one polynomial in the number of mines, packed in one big
integer as well: a shift multiplies by x, + adds, * convolves. A forward pass counts the
ways to reach each state, a backward pass the ways to go on from it; their product gives
each box its share. Nothing is divided or rounded here.

The cost grows with how many constraints are open at once, so they are taken in an order
that keeps few of them open (King's: next comes the one that opens the fewest others).
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import cached_property
from math import comb
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.analysis import Limit
from bot.solver.constraints import Shape

MOST_NODES: Final = 1_000_000
"""Transitions that are counted for one board, whatever the limit: about 300 MB at the most."""
MOST_BITS: Final = 400_000
"""Bits in a packed polynomial: two halves of it are multiplied in about 10 ms, which is how
long every other thread waits."""
_KEPT: Final = 2_000
"""Components that are remembered: the last few hundred turns of a game."""
_KEPT_BITS: Final = 200_000
"""A component with larger numbers than this is not remembered."""
_WORDS_BETWEEN_CHECKS: Final = 20_000
"""64-bit words handled between two looks at the limit: well under 10 ms."""
_CHOOSE: Final = tuple(tuple(comb(n, k) for k in range(n + 1)) for n in range(9))


class TooWide(Exception):
    """Counting would exceed what may be spent."""


class Meter:
    """What has been spent on a board, against its limit."""

    def __init__(self, limit: Limit) -> None:
        self._limit = limit
        self.nodes = 0

    def spend(self, nodes: int) -> None:
        """Note `nodes` more.

        Raises:
            TooWide: The limit is reached.
            Cancelled: The user stopped.
        """
        self.nodes += nodes
        if self.nodes > MOST_NODES or self._limit.spent(self.nodes):
            raise TooWide


@dataclass(frozen=True, eq=False)
class Count:
    """The placements of a component, by number of mines: index i is `low + i` mines."""

    low: int
    """Fewest mines that are kept track of; `totals[0]` may still be zero."""
    sizes: tuple[int, ...]
    totals: tuple[int, ...]
    """Placements with so many mines."""
    shares: tuple[tuple[int, ...], ...]
    """For each box, the mines in it summed over those placements."""
    nodes: int
    """What counting cost."""

    @property
    def support(self) -> int:
        """Bit i is set where `low + i` mines are possible."""
        return _support(self.totals)

    @cached_property
    def mined(self) -> tuple[int, ...]:
        """For each box, as a bit mask: numbers of mines with which it may hold one."""
        return tuple(_support(share) for share in self.shares)

    @cached_property
    def free(self) -> tuple[int, ...]:
        """For each box, as a bit mask: numbers of mines with which it may hold a safe cell."""
        return tuple(
            _support([size * t - s for t, s in zip(self.totals, share, strict=True)])
            for size, share in zip(self.sizes, self.shares, strict=True)
        )

    @cached_property
    def _floats(self) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Mantissas and exponents (boxes + 1, len(totals)): totals first, then the shares."""
        rows = (self.totals, *self.shares)
        exponents = [[max(value.bit_length() - 64, 0) for value in row] for row in rows]
        mantissas = [
            [float(value >> e) for value, e in zip(row, scale, strict=True)]
            for row, scale in zip(rows, exponents, strict=True)
        ]
        return np.array(mantissas), np.array(exponents, np.int64)

    def tilted(self, tilt: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Totals (n,) and shares (boxes, n), each times 2 ** (tilt * i), the largest total near 1.

        Scaling by powers of two is exact, so that nothing is lost but what is 1e300 times
        smaller than the rest.
        """
        mantissas, exponents = self._floats
        steps = exponents + tilt * np.arange(exponents.shape[1])
        _, extra = np.frexp(mantissas[0])
        top = int((steps[0] + extra)[mantissas[0] > 0].max())
        scaled = np.ldexp(mantissas, (steps - top).clip(-4000, 4000).astype(np.int32))
        return scaled[0], scaled[1:]


class _Layer(NamedTuple):
    """One box decided: from each state, the fewest mines it may get and the states after."""

    box: int
    lows: list[int]
    targets: list[list[int]]
    states: int
    """States after it."""


_memory: dict[Shape, Count] = {}
_memory_lock = threading.Lock()


def count(shape: Shape, meter: Meter) -> Count:
    """Count a component; what was counted before costs no time, but the same nodes.

    Returns:
        The count; all its totals are zero where the constraints contradict each other.

    Raises:
        TooWide: Over the limit.
        Cancelled: The user stopped.
    """
    kept = _memory.get(shape)
    if kept is not None:
        meter.spend(kept.nodes)
        return kept
    before = meter.nodes
    layers = _explore(shape, _order(shape), meter)
    result = _count_layers(shape, layers, meter, before)
    if sum(total.bit_length() for total in result.totals) * len(shape.sizes) < _KEPT_BITS:
        with _memory_lock:
            if len(_memory) >= _KEPT:
                del _memory[next(iter(_memory))]
            _memory[shape] = result
    return result


def feasible(shape: Shape, meter: Meter) -> bool:
    """Whether any placement satisfies the component."""
    return bool(_explore(shape, _order(shape), meter))


def _explore(shape: Shape, order: list[int], meter: Meter) -> list[_Layer]:
    """Which states can be reached, box by box; empty where none reaches the end."""
    rooms = [sum(shape.sizes[box] for box in _boxes(mask)) for mask, _ in shape.rules]
    state = sum(owed << 4 * rule for rule, (_, owed) in enumerate(shape.rules))
    layer = [state]
    layers = []
    for box in order:
        size = shape.sizes[box]
        under = [rule for rule, (mask, _) in enumerate(shape.rules) if mask >> box & 1]
        for rule in under:
            rooms[rule] -= size
        slots = [(4 * rule, rooms[rule]) for rule in under]
        step = sum(1 << slot for slot, _ in slots)
        index: dict[int, int] = {}
        lows, targets = [], []
        spent = 0
        for state in layer:
            low, high = 0, size
            for slot, room in slots:
                owed = state >> slot & 15
                high = min(high, owed)
                low = max(low, owed - room)
            lows.append(low)
            targets.append(
                [index.setdefault(state - k * step, len(index)) for k in range(low, high + 1)]
            )
            spent += max(high - low + 1, 1)
            if spent > 4096:
                meter.spend(spent)
                spent = 0
        meter.spend(spent)
        if not index:
            return []
        layer = list(index)
        layers.append(_Layer(box, lows, targets, len(layer)))
    return layers


def _count_layers(shape: Shape, layers: list[_Layer], meter: Meter, before: int) -> Count:
    if not layers:
        return Count(0, shape.sizes, (0,), ((0,),) * len(shape.sizes), meter.nodes - before)
    spans = [_span(layer) for layer in layers]
    low = sum(least for least, _ in spans)
    depth = sum(most - least for least, most in spans)
    # No state can be reached in more ways than there are subsets of the cells; a share counts
    # each of them up to eight times.
    width = sum(shape.sizes) + 4
    if width * (depth + 1) > MOST_BITS:
        raise TooWide
    stride = max(_WORDS_BETWEEN_CHECKS * 64 // (width * (depth + 1)), 1)
    reached = [[1]]
    for layer, (least, _) in zip(layers, spans, strict=True):
        reached.append(_forward(shape, layer, least * width, width, reached[-1], meter, stride))
    shares = [0] * len(layers)
    onward = [1]
    for number in range(len(layers) - 1, -1, -1):
        layer, (least, _) = layers[number], spans[number]
        onward, shares[layer.box] = _backward(
            shape, layer, least * width, width, reached[number], onward, meter, stride
        )
    return Count(
        low,
        shape.sizes,
        _unpack(reached[-1][0], width, depth + 1),
        tuple([_unpack(share, width, depth + 1) for share in shares]),
        meter.nodes - before,
    )


def _forward(
    shape: Shape,
    layer: _Layer,
    offset: int,
    width: int,
    reached: list[int],
    meter: Meter,
    stride: int,
) -> list[int]:
    """Ways to reach each state after a box: polynomials, the box's least mines divided out."""
    ways = _CHOOSE[shape.sizes[layer.box]]
    after = [0] * layer.states
    for number, (so_far, low, targets) in enumerate(
        zip(reached, layer.lows, layer.targets, strict=True)
    ):
        if number % stride == stride - 1:
            meter.spend(0)
        for k, target in enumerate(targets, low):
            after[target] += so_far * ways[k] << (k * width - offset)
    return after


def _backward(
    shape: Shape,
    layer: _Layer,
    offset: int,
    width: int,
    reached: list[int],
    onward: list[int],
    meter: Meter,
    stride: int,
) -> tuple[list[int], int]:
    """Ways to go on from each state before a box, and the box's share."""
    ways = _CHOOSE[shape.sizes[layer.box]]
    before = []
    share = 0
    for number, (so_far, low, targets) in enumerate(
        zip(reached, layer.lows, layer.targets, strict=True)
    ):
        if number % stride == stride - 1:
            meter.spend(0)
        total = mines = 0
        for k, target in enumerate(targets, low):
            rest = onward[target]
            if rest:
                rest = rest * ways[k] << (k * width - offset)
                total += rest
                mines += rest * k
        before.append(total)
        if mines:
            share += so_far * mines
    return before, share


def _span(layer: _Layer) -> tuple[int, int]:
    """Fewest and most mines that the box gets from any state that goes on."""
    pairs = [(low, low + len(t) - 1) for low, t in zip(layer.lows, layer.targets, strict=True) if t]
    return min(low for low, _ in pairs), max(high for _, high in pairs)


def _unpack(packed: int, width: int, length: int) -> tuple[int, ...]:
    mask = (1 << width) - 1
    values = []
    for _ in range(length):
        values.append(packed & mask)
        packed >>= width
    return tuple(values)


def _order(shape: Shape) -> list[int]:
    """Boxes in an order that keeps few constraints open: the best of a few starts."""
    members = [_boxes(mask) for mask, _ in shape.rules]
    if len(members) == 1:
        return members[0]
    under: list[list[int]] = [[] for _ in shape.sizes]
    for rule, boxes in enumerate(members):
        for box in boxes:
            under[box].append(rule)
    near = [
        {other for box in boxes for other in under[box]} - {rule}
        for rule, boxes in enumerate(members)
    ]
    far = _farthest(near, 0)
    starts = {far, _farthest(near, far)}
    if len(members) > 20:
        starts |= set(range(0, len(members), len(members) // 6))
    best = min(
        (_king(near, start) for start in sorted(starts)), key=lambda found: (found[0], found[1])
    )[1]
    rank = {rule: place for place, rule in enumerate(best)}
    order: list[int] = []
    placed: set[int] = set()
    for rule in best:
        # Last in a constraint come the boxes that reach farthest into what is to come:
        # by then the constraint leaves them little choice.
        todo = sorted(
            (max(rank[other] for other in under[box]), box)
            for box in members[rule]
            if box not in placed
        )
        order += [box for _, box in todo]
        placed.update(members[rule])
    return order


def _king(near: list[set[int]], start: int) -> tuple[int, list[int]]:
    """King's order from a start, and its cost: the sum of 3 ** open constraints."""
    order: list[int] = []
    front = {start}
    done: set[int] = set()
    cost = 0
    while front:
        rule = min(front, key=lambda r: (len(near[r] - front - done), r))
        front.discard(rule)
        done.add(rule)
        front |= near[rule] - done
        order.append(rule)
        cost += 3 ** len(front)
    return cost, order


def _farthest(near: list[set[int]], start: int) -> int:
    """A constraint at the greatest distance from `start`."""
    seen = {start}
    ring = [start]
    while True:
        following = {other for rule in ring for other in near[rule]} - seen
        if not following:
            return min(ring)
        seen |= following
        ring = sorted(following)


def _boxes(mask: int) -> list[int]:
    return [box for box in range(mask.bit_length()) if mask >> box & 1]


def _support(values: tuple[int, ...] | list[int]) -> int:
    """Bit i is set where values[i] is not zero."""
    return sum([1 << place for place, value in enumerate(values) if value])
