"""In what order the boxes of a component are decided, so that few constraints are open at once.

Source: I. P. King, An automatic reordering scheme for simultaneous equations derived
from network systems, 1970: next comes the constraint that opens the fewest others.
"""

from __future__ import annotations

from typing import Final

from bot.solver.compiled import compiled
from bot.solver.kernel.workspace import (
    BOX_RULE,
    BOX_RULES,
    BOXES,
    FIRST_BOX,
    FIRST_RULE,
    FRESH,
    NEAR,
    NEIGHBOUR,
    PART_RULES,
    PLACED,
    RANK,
    RULE_BOX,
    Ints,
)

_CHEAP: Final = 27.0
"""So much cost a constraint (three open ones) is not worth looking for better."""
_STARTS: Final = 6
"""Starts that are tried where it is, beside the two ends."""


@compiled
def arrange(at: int, rule: Ints, box: Ints, part: Ints, order: Ints) -> None:
    """Put the constraints of a component in order (`order[0]`), and its boxes (`order[1]`)."""
    first = part[at, FIRST_RULE]
    rules = part[at, PART_RULES]
    found, queue = order[0], order[2]
    start = found[first]
    if rules > 2:
        start = _farthest(start, first, rules, rule, found, queue)
        cost = _king(start, first, rules, rule, found, queue)
        if cost > _CHEAP * rules:
            best = start
            step = max(rules // _STARTS, 1)
            for turn in range(_STARTS + 1):
                # The last in King's order is at the other end.
                other = queue[rules - 1] if turn == 0 else found[first + (turn - 1) * step % rules]
                tried = _king(other, first, rules, rule, found, queue)
                if tried < cost:
                    cost, best = tried, other
            _king(best, first, rules, rule, found, queue)
        for place in range(rules):
            found[first + place] = queue[place]
    for place in range(rules):
        rule[found[first + place], RANK] = place
    _boxes(at, rule, box, part, order)


@compiled
def _farthest(start: int, first: int, rules: int, rule: Ints, found: Ints, queue: Ints) -> int:
    """The last constraint that is reached breadth first."""
    for place in range(first, first + rules):
        rule[found[place], RANK] = -1
    rule[start, RANK] = 0
    queue[0] = start
    end = 1
    for at in range(rules):
        index = queue[at]
        for turn in range(rule[index, NEAR]):
            other = rule[index, NEIGHBOUR + turn]
            if rule[other, RANK] < 0:
                rule[other, RANK] = 0
                queue[end] = other
                end += 1
    return int(queue[rules - 1])


@compiled
def _king(start: int, first: int, rules: int, rule: Ints, found: Ints, queue: Ints) -> float:
    """King's order from a start, in `queue`; its cost: the sum of 3 ** constraints open at once.

    Those in order come first in `queue`, those that are seen follow.
    """
    for place in range(first, first + rules):
        rule[found[place], RANK] = -1
        rule[found[place], FRESH] = rule[found[place], NEAR]
    end = _see(start, 0, rule, queue)
    cost = 0.0
    for at in range(rules):
        chosen = at
        for place in range(at + 1, end):
            one, other = queue[place], queue[chosen]
            if rule[one, FRESH] < rule[other, FRESH] or (
                rule[one, FRESH] == rule[other, FRESH] and one < other
            ):
                chosen = place
        index = queue[chosen]
        queue[chosen] = queue[at]
        queue[at] = index
        for turn in range(rule[index, NEAR]):
            other = rule[index, NEIGHBOUR + turn]
            if rule[other, RANK] < 0:
                end = _see(other, end, rule, queue)
        cost += 3.0 ** min(end - at - 1, 500)
    return cost


@compiled
def _see(index: int, end: int, rule: Ints, queue: Ints) -> int:
    """Add a constraint to those seen; the new end of the queue."""
    rule[index, RANK] = 0
    queue[end] = index
    for turn in range(rule[index, NEAR]):
        rule[rule[index, NEIGHBOUR + turn], FRESH] -= 1
    return end + 1


@compiled
def _boxes(at: int, rule: Ints, box: Ints, part: Ints, order: Ints) -> None:
    """The boxes in the order of the constraints.

    Last in a constraint come the boxes that reach farthest into what is to come: by then
    the constraint leaves them little choice.
    """
    first = part[at, FIRST_RULE]
    sequence = order[1]
    end = part[at, FIRST_BOX]
    for place in range(first, first + part[at, PART_RULES]):
        index = order[0, place]
        begin = end
        for step in range(rule[index, BOXES]):
            made = rule[index, RULE_BOX + step]
            if box[made, PLACED]:
                continue
            reach = 0
            for turn in range(box[made, BOX_RULES]):
                reach = max(reach, rule[box[made, BOX_RULE + turn], RANK])
            box[made, PLACED] = 1 + reach
            where = end
            while where > begin and box[sequence[where - 1], PLACED] > 1 + reach:
                sequence[where] = sequence[where - 1]
                where -= 1
            sequence[where] = made
            end += 1
