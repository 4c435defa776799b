"""In what order the boxes of a component are decided, so that few constraints are open at once.

Source: I. P. King, An automatic reordering scheme for simultaneous equations derived
from network systems, 1970: next comes the constraint that opens the fewest others.
"""

from __future__ import annotations

from bot.solver.constraints import Shape


def box_order(shape: Shape) -> list[int]:
    """Boxes in an order that keeps few constraints open: the best of a few starts."""
    members = [boxes_in(mask) for mask, _ in shape.rules]
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


def boxes_in(mask: int) -> list[int]:
    """The boxes of a bit mask, lowest first."""
    boxes = []
    while mask:
        low = mask & -mask
        boxes.append(low.bit_length() - 1)
        mask ^= low
    return boxes
