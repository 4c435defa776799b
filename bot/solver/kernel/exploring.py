"""The states of one component: what the past leaves for the future to know.

Boxes are decided one after the other. After each, all that matters of what came before is
how many mines each *open* constraint (one that has boxes on both sides) still owes: that
tuple is the *state*, packed in one integer, three bits for each constraint (one that is
not settled owes seven at the most). The states after a box are found from those before it,
and in the end those are dropped from which no way leads to the last.

The cost grows with how many constraints are open at once: see `ordering`.
"""

from __future__ import annotations

from typing import Final

from bot.solver.compiled import compiled, inlined
from bot.solver.kernel.status import CONFLICT, PAUSED, SOLVED, TOO_SMALL, TOO_WIDE
from bot.solver.kernel.workspace import (
    BOX_RULE,
    BOX_RULES,
    BUDGET,
    EDGE,
    EDGE_COUNT,
    FIRST_BOX,
    FIRST_EDGE,
    FIRST_STATE,
    FREE_SLOTS,
    HIGH,
    LAYER,
    LEAST,
    LEFT,
    LOW,
    NODE_LIMIT,
    NODES,
    OPENED,
    OWED,
    PART_BOXES,
    POLYNOMIAL,
    POLYNOMIALS,
    ROOM,
    SHIFT,
    SIZE,
    SLOT,
    SLOTS,
    SOURCE,
    SPACE,
    SPENT,
    STAMP,
    STATE_COUNT,
    STATES,
    Ints,
    Longs,
    Work,
)

MOST_SLOTS: Final = 21
"""Constraints that can be open at once."""
_GOLDEN: Final = -7046029254386353131
"""2 ** 64 / golden ratio, as a signed number."""


@compiled
def explore(at: int, work: Work) -> int:
    """Find the states of a component that can be reached, and that lead to its end.

    Goes on at box `number[LAYER]`.

    Returns:
        A status: `CONFLICT` where none reaches the end, `PAUSED` where the budget is spent.
    """
    number, part, layer = work.number, work.part, work.layer
    first = part[at, FIRST_BOX]
    layers = first + at
    if number[LAYER] == 0 and not _begin(at, layers, work):
        return TOO_SMALL
    start = part[at, FIRST_STATE]
    while number[LAYER] < part[at, PART_BOXES]:
        place = layers + number[LAYER]
        index = work.order[1, first + number[LAYER]]
        if number[SOURCE] < 0:
            layer[place + 1] = number[STATE_COUNT]
            number[OPENED] = _open(index, number, work.rule, work.box)
            number[STAMP] += 1
            number[SOURCE] = layer[place]
        end = layer[place + 1]
        status = _decide(index, layer[place], end, work) if number[OPENED] >= 0 else TOO_WIDE
        if status == PAUSED:
            return PAUSED
        number[SOURCE] = -1
        if status == SOLVED and number[STATE_COUNT] == end:
            return CONFLICT
        if status != SOLVED:
            number[STATE_COUNT], number[EDGE_COUNT] = start, part[at, FIRST_EDGE]
            return status
        _close(index, number, work.box)
        number[LAYER] += 1
        if number[SPENT] > number[BUDGET]:
            return PAUSED
    end = number[STATE_COUNT]
    work.state[end - 1, EDGE] = work.state[end, EDGE] = number[EDGE_COUNT]
    part[at, STATES] = end - start
    status = _prune(start, end, number, work.state, work.target, len(work.forward))
    if status == TOO_SMALL:
        number[STATE_COUNT], number[EDGE_COUNT] = start, part[at, FIRST_EDGE]
    return status


@compiled
def _begin(at: int, layers: int, work: Work) -> bool:
    """Free all slots, and make the first state; False where there is no room for it."""
    number, state = work.number, work.state
    start = number[STATE_COUNT]
    if start + 2 > len(work.key):
        return False
    number[SOURCE] = -1
    number[FREE_SLOTS] = MOST_SLOTS
    for place in range(MOST_SLOTS):
        number[SLOTS + place] = 3 * (MOST_SLOTS - 1 - place)
    work.part[at, FIRST_STATE] = start
    work.part[at, FIRST_EDGE] = number[EDGE_COUNT]
    work.key[start] = 0
    state[start, LOW] = state[start, HIGH] = 0
    number[STATE_COUNT] = start + 1
    work.layer[layers] = start
    return True


@inlined
def _open(index: int, number: Longs, rule: Ints, box: Ints) -> int:
    """Give each constraint on a box its slot, and note what is left under it after the box.

    Returns:
        What the constraints that it opens owe, each in its slot; -1 where no slot is free.
    """
    opened = 0
    for turn in range(box[index, BOX_RULES]):
        under = box[index, BOX_RULE + turn]
        if rule[under, SLOT] < 0:
            if not number[FREE_SLOTS]:
                return -1
            number[FREE_SLOTS] -= 1
            slot = number[SLOTS + number[FREE_SLOTS]]
            rule[under, SLOT] = slot
            rule[under, ROOM] = rule[under, LEFT]
            opened += rule[under, OWED] << slot
        rule[under, ROOM] -= box[index, SIZE]
        box[index, SHIFT + turn] = rule[under, SLOT]
        box[index, SPACE + turn] = rule[under, ROOM]
    return opened


@inlined
def _close(index: int, number: Longs, box: Ints) -> None:
    """Free the slots of the constraints that have no box left."""
    for turn in range(box[index, BOX_RULES]):
        if not box[index, SPACE + turn]:
            number[SLOTS + number[FREE_SLOTS]] = box[index, SHIFT + turn]
            number[FREE_SLOTS] += 1


@inlined
def _range(index: int, before: int, box: Ints) -> tuple[int, int]:
    """How few mines, and how many, a box may get in a state that has its constraints open."""
    low, high = 0, box[index, SIZE]
    for turn in range(box[index, BOX_RULES]):
        owed = (before >> box[index, SHIFT + turn]) & 7
        high = min(high, owed)
        low = max(low, owed - box[index, SPACE + turn])
    return low, high


@compiled
def _decide(index: int, begin: int, end: int, work: Work) -> int:
    """Find the states after a box from those before it, `begin` to `end`; goes on at SOURCE."""
    number, box, state, key, target = work.number, work.box, work.state, work.key, work.target
    size = box[index, SIZE]
    step = 0
    for turn in range(box[index, BOX_RULES]):
        step += 1 << box[index, SHIFT + turn]
    edge = number[EDGE_COUNT]
    if edge + (end - number[SOURCE]) * (size + 1) > len(target):
        return TOO_SMALL
    # Twice as many places as there may be states.
    bits = 3
    while 1 << bits < 2 * (end - begin) * (size + 1):
        bits += 1
    mask = (1 << bits) - 1
    stamps, places, stamp = work.table[0], work.table[1], number[STAMP]
    made = number[STATE_COUNT]
    nodes, most_nodes = number[NODES], number[NODE_LIMIT]
    pause = nodes + max(number[BUDGET] - number[SPENT], 0)
    opened = number[OPENED]
    for at in range(number[SOURCE], end):
        if nodes > pause:
            number[SOURCE] = at
            number[STATE_COUNT], number[EDGE_COUNT], number[NODES] = made, edge, nodes
            return PAUSED
        before = key[at] + opened
        low, high = _range(index, before, box)
        state[at, EDGE], state[at, LEAST] = edge, low
        nodes += max(high - low + 1, 1)
        for mines in range(low, high + 1):
            after = before - mines * step
            slot = ((after * _GOLDEN) >> (64 - bits)) & mask
            while stamps[slot] == stamp and key[places[slot]] != after:
                slot = (slot + 1) & mask
            fewest, most_mines = state[at, LOW] + mines, state[at, HIGH] + mines
            if stamps[slot] == stamp:
                there = places[slot]
                state[there, LOW] = min(state[there, LOW], fewest)
                state[there, HIGH] = max(state[there, HIGH], most_mines)
            else:
                there = made
                made += 1
                if made == len(key):
                    return TOO_SMALL
                stamps[slot] = stamp
                places[slot] = there
                key[there] = after
                state[there, LOW] = fewest
                state[there, HIGH] = most_mines
            target[edge] = there
            edge += 1
        if nodes > most_nodes:
            number[NODES] = nodes
            return TOO_WIDE
    number[SPENT] += nodes - number[NODES]
    number[NODES] = nodes
    number[STATE_COUNT] = made
    number[EDGE_COUNT] = edge
    return SOLVED


@compiled
def _prune(start: int, end: int, number: Longs, state: Ints, target: Ints, room: int) -> int:
    """Drop the states that lead nowhere; give the others their place among the polynomials."""
    state[end - 1, POLYNOMIAL] = 0
    for at in range(end - 2, start - 1, -1):
        alive = -1
        for edge in range(state[at, EDGE], state[at + 1, EDGE]):
            if state[target[edge], POLYNOMIAL] >= 0:
                alive = 0
        state[at, POLYNOMIAL] = alive
    if state[start, POLYNOMIAL] < 0:
        return CONFLICT
    used = number[POLYNOMIALS]
    for at in range(start, end):
        if state[at, POLYNOMIAL] >= 0:
            state[at, POLYNOMIAL] = used
            used += state[at, HIGH] - state[at, LOW] + 1
    if used > room:
        return TOO_SMALL
    number[POLYNOMIALS] = used
    return SOLVED
