"""The states of a component that is given as a `Shape`, without its place on a board."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from bot.solver.constraints import Shape
from bot.solver.kernel.boxing import split
from bot.solver.kernel.position import COUNT, advance, arrange_all
from bot.solver.kernel.running import larger, workspace
from bot.solver.kernel.status import CONFLICT, SOLVED, TOO_SMALL
from bot.solver.kernel.workspace import (
    BOX_COUNT,
    BOX_RULE,
    BOX_RULES,
    BOXES,
    BUDGET,
    COVERED_CELLS,
    EDGE,
    LEAST,
    LEFT,
    MINES_LEFT,
    NO_BUDGET,
    NODES,
    OWED,
    PART,
    PART_BOXES,
    PLACED,
    QUEUED,
    RULE_BOX,
    RULE_COUNT,
    RULE_PART,
    SIZE,
    STATE_COUNT,
    UNTIL,
    Work,
)

Found = tuple[int, list[int], list[list[int]], int]
"""A box; the fewest mines in it and the states after it, by state; states after it."""


def layers(shape: Shape, nodes: int) -> tuple[list[Found], int]:
    """Box by box, what can be reached; nothing where no placement satisfies the component.

    Args:
        shape: A component.
        nodes: The most ways on that may be tried.

    Returns:
        The layers, and what they cost: more than `nodes` where that was too much.
    """
    work, possible, spent = _explored(shape, nodes)
    return list(_layers(work)) if possible else [], spent


def satisfiable(shape: Shape, nodes: int) -> tuple[bool, int]:
    """Whether some placement satisfies the component; what it cost, as for `layers`."""
    _, possible, spent = _explored(shape, nodes)
    return possible, spent


def _explored(shape: Shape, nodes: int) -> tuple[Work, bool, int]:
    work = workspace(max(len(shape.sizes), len(shape.rules), 8))
    while True:
        _fill(work, shape)
        arrange_all(work, nodes)
        budget, work.number[BUDGET] = work.number[BUDGET], NO_BUDGET
        work.number[UNTIL] = COUNT
        status = advance(work)
        work.number[BUDGET] = budget
        if status != TOO_SMALL:
            break
        work = larger(work)
    spent = int(work.number[NODES])
    return work, status == SOLVED, spent if status in (SOLVED, CONFLICT) else nodes + 1


def _fill(work: Work, shape: Shape) -> None:
    """Write the tables as `boxing.group` would have."""
    number, box, rule = work.number, work.box, work.rule
    number[COVERED_CELLS] = number[MINES_LEFT] = 0
    number[BOX_COUNT], number[RULE_COUNT] = len(shape.sizes), len(shape.rules)
    box[: len(shape.sizes), SIZE] = shape.sizes
    box[: len(shape.sizes), [PART, BOX_RULES, PLACED]] = -1, 0, 0
    for index, (mask, owed) in enumerate(shape.rules):
        inside = [place for place in range(mask.bit_length()) if mask >> place & 1]
        left = sum(shape.sizes[place] for place in inside)
        rule[index, [OWED, LEFT, BOXES, QUEUED, RULE_PART]] = owed, left, len(inside), 0, -1
        rule[index, RULE_BOX : RULE_BOX + len(inside)] = inside
        for place in inside:
            box[place, BOX_RULE + box[place, BOX_RULES]] = index
            box[place, BOX_RULES] += 1
    split(number, rule, box, work.part, work.order[0])


def _layers(work: Work) -> Iterator[Found]:
    """The layers of the only component; from some states nothing goes on."""
    state = work.state.tolist()
    starts = work.layer[: work.part[0, PART_BOXES] + 1].tolist()
    ends = [*starts[1:], int(work.number[STATE_COUNT])]
    for place, (start, end) in enumerate(pairwise(starts)):
        ways = [
            (work.target[state[at][EDGE] : state[at + 1][EDGE]] - end).tolist()
            for at in range(start, end)
        ]
        lows = [state[at][LEAST] for at in range(start, end)]
        yield int(work.order[1, place]), lows, ways, ends[place + 1] - end
