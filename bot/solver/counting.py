"""Counting the placements of one component, by number of mines, in whole numbers.

Boxes are decided one after the other. What the past leaves for the future to know is how
many mines each *open* constraint (one that has boxes on both sides) still owes: that
tuple is the *state*, packed in one integer, four bits for each constraint. All ways to
reach a state are kept as one polynomial in the number of mines, packed in one big
integer as well: a shift multiplies by x, + adds, * convolves. A forward pass counts the
ways to reach each state, a backward pass the ways to go on from it; their product gives
each box its share. Nothing is divided or rounded here.

The cost grows with how many constraints are open at once: see `ordering`.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from math import comb
from typing import Final, NamedTuple

from bot.analysis import Limit
from bot.solver.constraints import Shape
from bot.solver.counts import Count
from bot.solver.ordering import box_order, boxes_in

MOST_NODES: Final = 1_000_000
"""Transitions that are counted for one board, whatever the limit: some 250 MB."""
MOST_BITS: Final = 250_000
"""Bits in a packed polynomial. While two halves of it are multiplied every other thread waits:
about 10 ms."""
_KEPT: Final = 2_000
"""Components that are remembered: the last few hundred turns of a game."""
_KEPT_BITS: Final = 200_000
"""A component with larger numbers than this is not remembered."""
_NODES_BETWEEN_CHECKS: Final = 4_096
_WORK_BETWEEN_CHECKS: Final = 300_000
"""Work (see `Meter.work`) between two looks at the limit: about 10 ms."""
_SMALL_BITS: Final = 5_000
"""Below this a packed polynomial is small enough not to look for a narrower packing."""
_CHOOSE: Final = tuple(tuple(comb(n, k) for k in range(n + 1)) for n in range(9))


class TooWide(Exception):
    """Counting would exceed what may be spent."""


class Meter:
    """What has been spent on a board, against its limit."""

    def __init__(self, limit: Limit) -> None:
        self._limit = limit
        self._work = 0.0
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

    def work(self, words: float) -> None:
        """Look at the limit now and then, after products of numbers of so many 64-bit words."""
        self._work += words**1.5 + 10
        if self._work > _WORK_BETWEEN_CHECKS:
            self._work = 0
            self.spend(0)


class Layer(NamedTuple):
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
    layers = explore(shape, box_order(shape), meter)
    result = _count_layers(shape, layers, meter, before)
    if sum(total.bit_length() for total in result.totals) * len(shape.sizes) < _KEPT_BITS:
        with _memory_lock:
            if len(_memory) >= _KEPT:
                del _memory[next(iter(_memory))]
            _memory[shape] = result
    return result


def forget() -> None:
    """Drop what is remembered: for measuring."""
    with _memory_lock:
        _memory.clear()


def feasible(shape: Shape, meter: Meter) -> bool:
    """Whether any placement satisfies the component."""
    return bool(explore(shape, box_order(shape), meter))


def explore(shape: Shape, order: list[int], meter: Meter) -> list[Layer]:
    """Which states can be reached, box by box; empty where none reaches the end."""
    layer = [0]
    layers = []
    for box, opened, slots in _plan(shape, order):
        size = shape.sizes[box]
        step = sum([1 << slot for slot, _ in slots])
        index: dict[int, int] = {}
        lows, targets = [], []
        spent = 0
        for closed in layer:
            state = closed + opened
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
            if spent > _NODES_BETWEEN_CHECKS:
                meter.spend(spent)
                spent = 0
        meter.spend(spent)
        if not index:
            return []
        layer = list(index)
        layers.append(Layer(box, lows, targets, len(layer)))
    return layers


def _plan(shape: Shape, order: list[int]) -> Iterator[tuple[int, int, list[tuple[int, int]]]]:
    """How each box changes the state; slots are used again when their constraint closes.

    Yields:
        The box, what the constraints that it opens owe (each in its slot), and for every
        constraint over it the slot's place in bits and the cells that are left after it.
    """
    under: list[list[int]] = [[] for _ in shape.sizes]
    rooms = []
    for rule, (mask, _) in enumerate(shape.rules):
        boxes = boxes_in(mask)
        rooms.append(sum([shape.sizes[box] for box in boxes]))
        for box in boxes:
            under[box].append(rule)
    slots: dict[int, int] = {}
    unused: list[int] = []
    for box in order:
        opened = 0
        for rule in under[box]:
            if rule not in slots:
                slots[rule] = unused.pop() if unused else 4 * len(slots)
                opened += shape.rules[rule][1] << slots[rule]
            rooms[rule] -= shape.sizes[box]
        yield box, opened, [(slots[rule], rooms[rule]) for rule in under[box]]
        unused += [slots.pop(rule) for rule in under[box] if not rooms[rule]]


def _count_layers(shape: Shape, layers: list[Layer], meter: Meter, before: int) -> Count:
    if not layers:
        return Count(0, shape.sizes, (0,), ((0,),) * len(shape.sizes), meter.nodes - before)
    spans = [_span(layer) for layer in layers]
    low = sum(least for least, _ in spans)
    depth = sum(most - least for least, most in spans)
    width = _width(shape, layers, depth)
    reached = [[1]]
    for layer, (least, _) in zip(layers, spans, strict=True):
        reached.append(_forward(shape, layer, least * width, width, reached[-1], meter))
    shares = [0] * len(layers)
    onward = [1]
    for number in range(len(layers) - 1, -1, -1):
        layer, (least, _) = layers[number], spans[number]
        onward, shares[layer.box] = _backward(
            shape, layer, least * width, width, reached[number], onward, meter
        )
    whole = reached[-1][0]
    unused = ((whole & -whole).bit_length() - 1) // width
    length = (whole.bit_length() - 1) // width + 1 - unused
    return Count(
        low + unused,
        shape.sizes,
        _unpack(whole >> unused * width, width, length),
        tuple([_unpack(share >> unused * width, width, length) for share in shares]),
        meter.nodes - before,
    )


def _width(shape: Shape, layers: list[Layer], depth: int) -> int:
    """Bits for one coefficient of a packed polynomial.

    No state is reached in more ways than there are subsets of the cells, and a share
    counts each of them up to eight times. For large components it pays to count the ways
    first, whatever their number of mines.

    Raises:
        TooWide: The polynomials would be too long to be multiplied in one go.
    """
    width = sum(shape.sizes) + 4
    if width * (depth + 1) > _SMALL_BITS:
        reached = [1]
        most = 1
        for layer in layers:
            ways = _CHOOSE[shape.sizes[layer.box]]
            after = [0] * layer.states
            for so_far, low, targets in zip(reached, layer.lows, layer.targets, strict=True):
                for k, target in enumerate(targets, low):
                    after[target] += so_far * ways[k]
            reached = after
            most = max(most, sum(reached))
        width = min(width, most.bit_length() + 4)
    if width * (depth + 1) > MOST_BITS:
        raise TooWide
    return width


def _forward(
    shape: Shape,
    layer: Layer,
    offset: int,
    width: int,
    reached: list[int],
    meter: Meter,
) -> list[int]:
    """Ways to reach each state after a box: polynomials, the box's least mines divided out."""
    ways = _CHOOSE[shape.sizes[layer.box]]
    after = [0] * layer.states
    for so_far, low, targets in zip(reached, layer.lows, layer.targets, strict=True):
        meter.work(so_far.bit_length() / 64)
        for k, target in enumerate(targets, low):
            after[target] += so_far * ways[k] << (k * width - offset)
    return after


def _backward(
    shape: Shape,
    layer: Layer,
    offset: int,
    width: int,
    reached: list[int],
    onward: list[int],
    meter: Meter,
) -> tuple[list[int], int]:
    """Ways to go on from each state before a box, and the box's share."""
    ways = _CHOOSE[shape.sizes[layer.box]]
    before = []
    share = 0
    for so_far, low, targets in zip(reached, layer.lows, layer.targets, strict=True):
        meter.work(so_far.bit_length() / 64)
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


def _span(layer: Layer) -> tuple[int, int]:
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
