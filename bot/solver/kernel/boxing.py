"""Boxes, equal constraints, components: what is left after deduction, put in groups."""

from __future__ import annotations

from bot.solver.compiled import compiled
from bot.solver.kernel.status import CONFLICT, SOLVED
from bot.solver.kernel.workspace import (
    BOX,
    BOX_CELL,
    BOX_COUNT,
    BOX_RULE,
    BOX_RULES,
    BOXES,
    CELL,
    CELLS,
    FIRST_BOX,
    FIRST_RULE,
    KNOWN,
    LEFT,
    NEAR,
    NEIGHBOUR,
    OWED,
    PART,
    PART_BOXES,
    PART_COUNT,
    PART_RULES,
    PLACED,
    QUEUED,
    RANK,
    RULE,
    RULE_BOX,
    RULE_COUNT,
    RULE_PART,
    RULES,
    SIZE,
    SLOT,
    Ints,
    Longs,
)


@compiled
def group(number: Longs, cell: Ints, rule: Ints, box: Ints, part: Ints, order: Ints) -> int:
    """Put cells in boxes, drop constraints that say the same, and find the components.

    Returns:
        A status: `CONFLICT` where two constraints on the same cells differ.
    """
    number[BOX_COUNT] = 0
    number[PART_COUNT] = 0
    for index in range(number[RULE_COUNT]):
        rule[index, RULE_PART] = -1
        rule[index, BOXES] = 0
        rule[index, QUEUED] = 0
        if rule[index, LEFT]:
            _boxes_of(index, number, cell, rule, box)
    boxes = number[BOX_COUNT]
    if not boxes:
        return SOLVED
    for index in range(boxes):
        for turn in range(box[index, BOX_RULES]):
            under = box[index, BOX_RULE + turn]
            rule[under, RULE_BOX + rule[under, BOXES]] = index
            rule[under, BOXES] += 1
    for index in range(number[RULE_COUNT]):
        if rule[index, LEFT] and not _merge(index, rule, box):
            return CONFLICT
    for index in range(boxes):
        kept = 0
        for turn in range(box[index, BOX_RULES]):
            under = box[index, BOX_RULE + turn]
            if not rule[under, QUEUED]:
                box[index, BOX_RULE + kept] = under
                kept += 1
        box[index, BOX_RULES] = kept
    split(number, rule, box, part, order[0])
    return SOLVED


@compiled
def _boxes_of(index: int, number: Longs, cell: Ints, rule: Ints, box: Ints) -> None:
    """Open boxes for the cells of a constraint that are in none."""
    cells = rule[index, CELLS]
    for step in range(cells):
        place = rule[index, CELL + step]
        if cell[place, KNOWN] or cell[place, BOX] >= 0:
            continue
        made = number[BOX_COUNT]
        number[BOX_COUNT] = made + 1
        rules = cell[place, RULES]
        box[made, PART] = -1
        box[made, PLACED] = 0
        box[made, BOX_RULES] = rules
        for turn in range(rules):
            box[made, BOX_RULE + turn] = cell[place, RULE + turn]
        size = 0
        for later in range(step, cells):
            other = rule[index, CELL + later]
            if cell[other, KNOWN] or cell[other, BOX] >= 0 or cell[other, RULES] != rules:
                continue
            same = True
            for turn in range(rules):
                same &= cell[other, RULE + turn] == cell[place, RULE + turn]
            if same:
                cell[other, BOX] = made
                box[made, BOX_CELL + size] = other
                size += 1
        box[made, SIZE] = size


@compiled
def _merge(index: int, rule: Ints, box: Ints) -> bool:
    """Drop a constraint that an earlier one stands for; False where the two differ."""
    boxes = rule[index, BOXES]
    first = rule[index, RULE_BOX]
    for turn in range(box[first, BOX_RULES]):
        other = box[first, BOX_RULE + turn]
        if other >= index:
            break
        if rule[other, BOXES] != boxes or rule[other, QUEUED]:
            continue
        same = True
        for step in range(boxes):
            same &= rule[other, RULE_BOX + step] == rule[index, RULE_BOX + step]
        if same:
            rule[index, QUEUED] = 1
            return bool(rule[other, OWED] == rule[index, OWED])
    return True


@compiled
def split(number: Longs, rule: Ints, box: Ints, part: Ints, found: Ints) -> None:
    """Find the components, and who is near whom; `found` gets constraints by component."""
    end = 0
    parts = 0
    boxes = 0
    for start in range(number[RULE_COUNT]):
        if rule[start, RULE_PART] >= 0 or not rule[start, LEFT] or rule[start, QUEUED]:
            continue
        part[parts, FIRST_RULE] = end
        part[parts, FIRST_BOX] = boxes
        rule[start, RULE_PART] = parts
        found[end] = start
        at = end
        end += 1
        while at < end:
            index = found[at]
            at += 1
            near = 0
            for step in range(rule[index, BOXES]):
                shared = rule[index, RULE_BOX + step]
                if box[shared, PART] < 0:
                    box[shared, PART] = parts
                    boxes += 1
                for turn in range(box[shared, BOX_RULES]):
                    other = box[shared, BOX_RULE + turn]
                    if other == index:
                        continue
                    if rule[other, RULE_PART] < 0:
                        rule[other, RULE_PART] = parts
                        found[end] = other
                        end += 1
                    known = False
                    for place in range(near):
                        known |= rule[index, NEIGHBOUR + place] == other
                    if not known:
                        rule[index, NEIGHBOUR + near] = other
                        near += 1
            rule[index, NEAR] = near
            rule[index, RANK] = -1
            rule[index, SLOT] = -1
        part[parts, PART_RULES] = end - part[parts, FIRST_RULE]
        part[parts, PART_BOXES] = boxes - part[parts, FIRST_BOX]
        parts += 1
    number[PART_COUNT] = parts
