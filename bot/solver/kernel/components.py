"""The states of one component.

Boxes are decided one after the other. After each, all that matters of the earlier ones is the
number of remaining mines of each *open* constraint (one with boxes on both sides): that tuple is
the *state*, packed in one integer, three bits for each constraint (an undecided one has at most
seven remaining mines). The states after a box, a *layer*, are found from those before it, with an
edge for each possible number of mines in the box; in the end states are dropped that have no path
to the last one.

The cost grows exponentially with the number of open constraints, so the order matters.
Source: I. P. King, An automatic reordering scheme for simultaneous equations derived
from network systems, 1970: next comes the constraint that opens the fewest others.
"""

from __future__ import annotations

from typing import Final

from bot.solver.compiled import inlined, internal_kernel, merged
from bot.solver.kernel.tables import (
    BOX_CONSTRAINT,
    BOX_CONSTRAINTS,
    BOXES,
    BUDGET,
    CELLS_AFTER,
    CELLS_LEFT,
    CELLS_UNDECIDED,
    COMPONENT_BOXES,
    COMPONENT_CONSTRAINTS,
    CONFLICT,
    CONSTRAINT_BOX,
    EDGE,
    EDGE_COUNT,
    FEWEST_HERE,
    FEWEST_SO_FAR,
    FIRST_BOX,
    FIRST_CONSTRAINT,
    FIRST_EDGE,
    FIRST_STATE,
    FREE_SLOTS,
    LAYER,
    LAYER_STAMP,
    MOST_SO_FAR,
    NEIGHBOUR,
    NEIGHBOURS,
    NODE_LIMIT,
    NODES,
    OPENED_STATE,
    PAUSED,
    PLACED,
    POLYNOMIAL,
    POLYNOMIALS,
    RANK,
    REMAINING,
    SHIFT,
    SIZE,
    SLOT,
    SLOTS,
    SOLVED,
    SOURCE,
    SPENT,
    STATE_COUNT,
    STATES,
    TOO_SMALL,
    TOO_WIDE,
    UNSEEN,
    Ints,
    Longs,
    Work,
)

_CHEAP: Final = 27.0
"""Cost per constraint, that of three open ones, above which other starts are tried. Without them
Expert positions take as many nodes, the other recorded ones twice as many and the hardest four
times (`python -m tests.benchmarks.solver`)."""
_STARTS: Final = 6
"""Other starts that are tried, besides the two ends."""


@internal_kernel
def order_component(at: int, constraint: Ints, box: Ints, component: Ints, order: Ints) -> None:
    """Put the constraints of a component in order (`order[0]`), and its boxes (`order[1]`)."""
    first = component[at, FIRST_CONSTRAINT]
    constraints = component[at, COMPONENT_CONSTRAINTS]
    found, queue = order[0], order[2]
    start = found[first]
    if constraints > 2:
        start = _farthest(start, first, constraints, constraint, found, queue)
        cost = _king_order(start, first, constraints, constraint, found, queue)
        if cost > _CHEAP * constraints:
            best = start
            step = max(constraints // _STARTS, 1)
            for turn in range(_STARTS + 1):
                # The last in King's order is at the other end.
                other = (
                    queue[constraints - 1]
                    if turn == 0
                    else found[first + (turn - 1) * step % constraints]
                )
                tried = _king_order(other, first, constraints, constraint, found, queue)
                if tried < cost:
                    cost, best = tried, other
            _king_order(best, first, constraints, constraint, found, queue)
        for place in range(constraints):
            found[first + place] = queue[place]
    for place in range(constraints):
        constraint[found[first + place], RANK] = place
    _order_boxes(at, constraint, box, component, order)


@merged
def _farthest(
    start: int, first: int, constraints: int, constraint: Ints, found: Ints, queue: Ints
) -> int:
    """Return the last constraint reached by a breadth-first search."""
    for place in range(first, first + constraints):
        constraint[found[place], RANK] = -1
    constraint[start, RANK] = 0
    queue[0] = start
    end = 1
    for at in range(constraints):
        index = queue[at]
        for turn in range(constraint[index, NEIGHBOURS]):
            other = constraint[index, NEIGHBOUR + turn]
            if constraint[other, RANK] < 0:
                constraint[other, RANK] = 0
                queue[end] = other
                end += 1
    return int(queue[constraints - 1])


@internal_kernel
def _king_order(
    start: int, first: int, constraints: int, constraint: Ints, found: Ints, queue: Ints
) -> float:
    """Write King's order from a start to `queue`; return its cost.

    Those in order come first in `queue`, those that are seen follow.
    """
    for place in range(first, first + constraints):
        constraint[found[place], RANK] = -1
        constraint[found[place], UNSEEN] = constraint[found[place], NEIGHBOURS]
    end = _mark_seen(start, 0, constraint, queue)
    cost = 0.0
    for at in range(constraints):
        chosen = at
        for place in range(at + 1, end):
            one, other = queue[place], queue[chosen]
            if constraint[one, UNSEEN] < constraint[other, UNSEEN] or (
                constraint[one, UNSEEN] == constraint[other, UNSEEN] and one < other
            ):
                chosen = place
        index = queue[chosen]
        queue[chosen] = queue[at]
        queue[at] = index
        for turn in range(constraint[index, NEIGHBOURS]):
            other = constraint[index, NEIGHBOUR + turn]
            if constraint[other, RANK] < 0:
                end = _mark_seen(other, end, constraint, queue)
        cost += 3.0 ** min(end - at - 1, 500)
    return cost


@internal_kernel
def _mark_seen(index: int, end: int, constraint: Ints, queue: Ints) -> int:
    """Add a constraint to those seen; return the new end of the queue."""
    constraint[index, RANK] = 0
    queue[end] = index
    for turn in range(constraint[index, NEIGHBOURS]):
        constraint[constraint[index, NEIGHBOUR + turn], UNSEEN] -= 1
    return end + 1


@merged
def _order_boxes(at: int, constraint: Ints, box: Ints, component: Ints, order: Ints) -> None:
    """Write the boxes in the order of the constraints.

    Last in a constraint come the boxes that reach farthest into what is to come: by then
    the constraint leaves them little choice.
    """
    first = component[at, FIRST_CONSTRAINT]
    sequence = order[1]
    end = component[at, FIRST_BOX]
    for place in range(first, first + component[at, COMPONENT_CONSTRAINTS]):
        index = order[0, place]
        begin = end
        for step in range(constraint[index, BOXES]):
            made = constraint[index, CONSTRAINT_BOX + step]
            if box[made, PLACED]:
                continue
            reach = 0
            for turn in range(box[made, BOX_CONSTRAINTS]):
                reach = max(reach, constraint[box[made, BOX_CONSTRAINT + turn], RANK])
            box[made, PLACED] = 1 + reach
            where = end
            while where > begin and box[sequence[where - 1], PLACED] > 1 + reach:
                sequence[where] = sequence[where - 1]
                where -= 1
            sequence[where] = made
            end += 1


MOST_SLOTS: Final = 21
"""Constraints that can be open at once."""
_GOLDEN: Final = -7046029254386353131
"""2 ** 64 / golden ratio, as a signed number."""


@internal_kernel
def explore(at: int, work: Work) -> int:
    """Find the states of a component that are on a path from its first to its last state.

    Continues at box `number[LAYER]`.

    Returns:
        A status: `CONFLICT` if there is no path, `PAUSED` if the budget is spent.
    """
    number, component, layer = work.number, work.component, work.layer
    first = component[at, FIRST_BOX]
    layers = first + at
    if number[LAYER] == 0 and not _begin_component(at, layers, work):
        return TOO_SMALL
    start = component[at, FIRST_STATE]
    while number[LAYER] < component[at, COMPONENT_BOXES]:
        place = layers + number[LAYER]
        index = work.order[1, first + number[LAYER]]
        if number[SOURCE] < 0:
            layer[place + 1] = number[STATE_COUNT]
            number[OPENED_STATE] = _assign_slots(index, number, work.constraint, work.box)
            number[LAYER_STAMP] += 1
            number[SOURCE] = layer[place]
        end = layer[place + 1]
        status = (
            _extend_states(index, layer[place], end, work)
            if number[OPENED_STATE] >= 0
            else TOO_WIDE
        )
        if status == PAUSED:
            return PAUSED
        number[SOURCE] = -1
        if status == SOLVED and number[STATE_COUNT] == end:
            return CONFLICT
        if status != SOLVED:
            number[STATE_COUNT], number[EDGE_COUNT] = start, component[at, FIRST_EDGE]
            return status
        _release_slots(index, number, work.box)
        number[LAYER] += 1
        if number[SPENT] > number[BUDGET]:
            return PAUSED
    end = number[STATE_COUNT]
    work.state[end - 1, EDGE] = work.state[end, EDGE] = number[EDGE_COUNT]
    component[at, STATES] = end - start
    status = _prune(start, end, number, work.state, work.target, len(work.forward))
    if status == TOO_SMALL:
        number[STATE_COUNT], number[EDGE_COUNT] = start, component[at, FIRST_EDGE]
    return status


@merged
def _begin_component(at: int, layers: int, work: Work) -> bool:
    """Free all slots and make the first state; return False if there is no room for it."""
    number, state = work.number, work.state
    start = number[STATE_COUNT]
    if start + 2 > len(work.key):
        return False
    number[SOURCE] = -1
    number[FREE_SLOTS] = MOST_SLOTS
    for place in range(MOST_SLOTS):
        number[SLOTS + place] = 3 * (MOST_SLOTS - 1 - place)
    work.component[at, FIRST_STATE] = start
    work.component[at, FIRST_EDGE] = number[EDGE_COUNT]
    work.key[start] = 0
    state[start, FEWEST_SO_FAR] = state[start, MOST_SO_FAR] = 0
    number[STATE_COUNT] = start + 1
    work.layer[layers] = start
    return True


@inlined
def _assign_slots(index: int, number: Longs, constraint: Ints, box: Ints) -> int:
    """Assign a slot to each constraint of a box, and compute its cells in later boxes.

    Returns:
        The remaining mines of the constraints that it opens, each in its slot; -1 if no slot is
        free.
    """
    opened = 0
    for turn in range(box[index, BOX_CONSTRAINTS]):
        under = box[index, BOX_CONSTRAINT + turn]
        if constraint[under, SLOT] < 0:
            if not number[FREE_SLOTS]:
                return -1
            number[FREE_SLOTS] -= 1
            slot = number[SLOTS + number[FREE_SLOTS]]
            constraint[under, SLOT] = slot
            constraint[under, CELLS_UNDECIDED] = constraint[under, CELLS_LEFT]
            opened += constraint[under, REMAINING] << slot
        constraint[under, CELLS_UNDECIDED] -= box[index, SIZE]
        box[index, SHIFT + turn] = constraint[under, SLOT]
        box[index, CELLS_AFTER + turn] = constraint[under, CELLS_UNDECIDED]
    return opened


@inlined
def _release_slots(index: int, number: Longs, box: Ints) -> None:
    """Free the slots of the constraints that have no box left."""
    for turn in range(box[index, BOX_CONSTRAINTS]):
        if not box[index, CELLS_AFTER + turn]:
            number[SLOTS + number[FREE_SLOTS]] = box[index, SHIFT + turn]
            number[FREE_SLOTS] += 1


@inlined
def _mine_range(index: int, before: int, box: Ints) -> tuple[int, int]:
    """Return the fewest and the most mines that a box may have after a state."""
    low, high = 0, box[index, SIZE]
    for turn in range(box[index, BOX_CONSTRAINTS]):
        remaining = (before >> box[index, SHIFT + turn]) & 7
        high = min(high, remaining)
        low = max(low, remaining - box[index, CELLS_AFTER + turn])
    return low, high


@internal_kernel
def _extend_states(index: int, begin: int, end: int, work: Work) -> int:
    """Find the states after a box from those before it, `begin` to `end`; resumes at SOURCE."""
    number, box, state, key, target = work.number, work.box, work.state, work.key, work.target
    size = box[index, SIZE]
    step = 0
    for turn in range(box[index, BOX_CONSTRAINTS]):
        step += 1 << box[index, SHIFT + turn]
    edge = number[EDGE_COUNT]
    if edge + (end - number[SOURCE]) * (size + 1) > len(target):
        return TOO_SMALL
    # Twice as many places as there may be states.
    bits = 3
    while 1 << bits < 2 * (end - begin) * (size + 1):
        bits += 1
    mask = (1 << bits) - 1
    stamps, places, stamp = work.table[0], work.table[1], number[LAYER_STAMP]
    made = number[STATE_COUNT]
    nodes, most_nodes = number[NODES], number[NODE_LIMIT]
    pause = nodes + max(number[BUDGET] - number[SPENT], 0)
    opened = number[OPENED_STATE]
    for at in range(number[SOURCE], end):
        if nodes > pause:
            number[SOURCE] = at
            number[STATE_COUNT], number[EDGE_COUNT], number[NODES] = made, edge, nodes
            return PAUSED
        before = key[at] + opened
        low, high = _mine_range(index, before, box)
        state[at, EDGE], state[at, FEWEST_HERE] = edge, low
        nodes += max(high - low + 1, 1)
        for mines in range(low, high + 1):
            after = before - mines * step
            slot = ((after * _GOLDEN) >> (64 - bits)) & mask
            while stamps[slot] == stamp and key[places[slot]] != after:
                slot = (slot + 1) & mask
            fewest, most_mines = state[at, FEWEST_SO_FAR] + mines, state[at, MOST_SO_FAR] + mines
            if stamps[slot] == stamp:
                there = places[slot]
                state[there, FEWEST_SO_FAR] = min(state[there, FEWEST_SO_FAR], fewest)
                state[there, MOST_SO_FAR] = max(state[there, MOST_SO_FAR], most_mines)
            else:
                there = made
                made += 1
                if made == len(key):
                    return TOO_SMALL
                stamps[slot] = stamp
                places[slot] = there
                key[there] = after
                state[there, FEWEST_SO_FAR] = fewest
                state[there, MOST_SO_FAR] = most_mines
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


@merged
def _prune(start: int, end: int, number: Longs, state: Ints, target: Ints, room: int) -> int:
    """Drop the states without a path to the end; assign the others their place in `forward`."""
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
            used += state[at, MOST_SO_FAR] - state[at, FEWEST_SO_FAR] + 1
    if used > room:
        return TOO_SMALL
    number[POLYNOMIALS] = used
    return SOLVED
