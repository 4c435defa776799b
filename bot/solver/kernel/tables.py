"""The tables that the kernels work on, and the status that a run returns.

A table has one row for each item and named columns: `cell[c, BOX]`, `constraint[r, REMAINING]`.
A cell is a flat index `row * cols + col`. The kernels never allocate; if a table is too
small they return `TOO_SMALL`, and `enlarged` allocates a larger one.

A `Work` belongs to one thread at a time.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

SOLVED: Final = 0
UNREAD_TILE: Final = 1
"""A tile is unread."""
WRONG_HINT: Final = 2
"""A hint is impossible by itself: `number[WRONG_CELL]`."""
MINES_DO_NOT_FIT: Final = 3
"""More mines than covered cells, or fewer than those that show."""
CONFLICT: Final = 4
"""The hints contradict each other."""
WRONG_MINE_COUNT: Final = 5
"""No solution has that number of mines."""
TOO_WIDE: Final = 6
"""A component needs more nodes or memory than allowed: `component[p, WIDE]`."""
TOO_SMALL: Final = 7
"""The workspace is too small: see `enlarged`."""
PAUSED: Final = 8
"""The budget of this call is spent: continue with `position.resume`."""


Bytes = NDArray[np.uint8]
Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Floats = NDArray[np.float64]

# Columns of `cell`.
KNOWN: Final = 0
"""Decision by single constraints: `SAFE`, `MINED`, or 0 for undecided."""
SAFE: Final = 1
MINED: Final = 2
CONSTRAINTS: Final = 1
"""Number of constraints that contain the cell; 0 for a floating cell (and one that is not
covered)."""
BOX: Final = 2
"""Its box, -1 if it has none."""
CONSTRAINT: Final = 3
"""Eight columns: the constraints that it is in, in ascending order."""
CELL_COLUMNS: Final = CONSTRAINT + 8

# Columns of `constraint`: a constraint, one for each hint of the fringe.
HINT: Final = 0
"""The cell that shows the hint."""
REMAINING: Final = 1
"""Mines among its undecided cells."""
CELLS_LEFT: Final = 2
"""Its undecided cells."""
CELLS: Final = 3
BOXES: Final = 4
QUEUED: Final = 5
"""Whether it was queued to decide its cells; later whether it was dropped as a duplicate."""
SLOT: Final = 6
"""The place of its bits in a state; -1 if it is not open."""
CELLS_UNDECIDED: Final = 7
"""While states are explored: cells in boxes that come later."""
RANK: Final = 8
"""Its place in the order of its component; -1 before it has one."""
UNSEEN: Final = 9
"""While ordering: neighbours that were not reached so far."""
NEIGHBOURS: Final = 10
"""Number of other constraints that share a box with it."""
CONSTRAINT_COMPONENT: Final = 11
CELL: Final = 12
"""Eight columns: the cells."""
CONSTRAINT_BOX: Final = 20
"""Eight columns: the boxes, in ascending order."""
NEIGHBOUR: Final = 28
"""Twenty-four columns: those that share a box with it."""
CONSTRAINT_COLUMNS: Final = NEIGHBOUR + 24

# Columns of `box`.
SIZE: Final = 0
BOX_CONSTRAINTS: Final = 1
COMPONENT: Final = 2
"""Its component."""
POSSIBLE: Final = 3
"""Bit 0: a solution has a safe cell in it; bit 1: one has a mine in it."""
PLACED: Final = 4
BOX_CONSTRAINT: Final = 5
"""Eight columns: the constraints that it is in, in ascending order."""
BOX_CELL: Final = 13
"""Eight columns: the cells."""
SHIFT: Final = 21
"""Eight columns: each constraint's place in a state."""
CELLS_AFTER: Final = 29
"""Eight columns: cells of each constraint in boxes that come later."""
BOX_COLUMNS: Final = 37

# Columns of `component`.
FIRST_CONSTRAINT: Final = 0
"""First of its constraints, which are contiguous in `order[0]` ..."""
COMPONENT_CONSTRAINTS: Final = 1
FIRST_BOX: Final = 2
"""... and of its boxes in `order[1]`, in the order in which they are decided."""
COMPONENT_BOXES: Final = 3
FIRST_STATE: Final = 4
STATES: Final = 5
TOTALS: Final = 6
"""Start of its totals by number of mines in `forward` (those of its last state) ..."""
FEWEST: Final = 7
"""... the number of mines of the first total ..."""
LENGTH: Final = 8
"""... and the number of totals."""
WIDE: Final = 9
"""1 if it was too wide to be counted."""
CHAIN: Final = 10
"""Start in `chain` of the product of all components before it."""
EXPONENT: Final = 11
"""Power of two by which its totals are to be multiplied."""
CHAIN_LENGTH: Final = 12
FIRST_EDGE: Final = 13
COMPONENT_COLUMNS: Final = 14

# Columns of `state`.
EDGE: Final = 0
"""Its first edge in `target`; its edges end where those of the next state begin."""
FEWEST_HERE: Final = 1
"""Mines in the box after it along the first edge; one more along each following edge."""
FEWEST_SO_FAR: Final = 2
"""Fewest and most mines so far."""
MOST_SO_FAR: Final = 3
POLYNOMIAL: Final = 4
"""Start of its counts by number of mines in `forward` and `backward`; -1: no path to the end."""
STATE_COLUMNS: Final = 5

COVERED_KIND: Final = 1
SHOWN_KIND: Final = 16
"""`kind` of a covered cell and of a mine that shows: one sum counts both."""

# Places in `number`.
ROWS: Final = 0
COLS: Final = 1
COVERED_CELLS: Final = 2
FLOATING: Final = 3
"""Floating cells."""
MINES_LEFT: Final = 4
"""Mines under the undecided cells."""
CONSTRAINT_COUNT: Final = 5
BOX_COUNT: Final = 6
COMPONENT_COUNT: Final = 7
STATE_COUNT: Final = 8
EDGE_COUNT: Final = 9
POLYNOMIALS: Final = 10
"""Floats used in `forward`."""
NODES: Final = 11
"""Edges that were tried."""
NODE_LIMIT: Final = 12
LAYER_STAMP: Final = 13
"""Marks the entries of `table` that belong to this layer."""
STAGE: Final = 14
COMPONENT_AT: Final = 15
"""The current component, by place in `order[2]` ..."""
LAYER: Final = 16
"""... and the place of the current box among its boxes."""
SCALED: Final = 17
"""1 if numbers may leave the range of floats, and are scaled by powers of two."""
TILT: Final = 18
"""Each mine multiplies a weight by 2 to this power."""
LAST_STAGE: Final = 19
"""The stage to stop before; `DONE` for a whole analysis."""
WRONG_CELL: Final = 20
"""The hint that an error refers to."""
MINES: Final = 21
"""Mines on the board."""
SHOWN_MINES: Final = 22
"""Mines that show."""
SOLUTIONS_EXPONENT: Final = 23
"""Binary exponent of the number of solutions: `real[SOLUTIONS]` times 2 to this power."""
TILT_LOW: Final = 24
TILT_HIGH: Final = 25
TAIL: Final = 27
"""Start in `chain` of the weights of all components after the current one."""
TAIL_LENGTH: Final = 28
SPENT: Final = 29
"""Steps since the last pause (a few nanoseconds each) ..."""
BUDGET: Final = 30
"""... and how many are allowed: see `position.advance`."""
BEST: Final = 32
"""The cell to open; -1 if there is none."""
AT_MAXIMUM: Final = 33
"""1 if the workspace may not grow any more: a component that does not fit is too wide."""
SOURCE: Final = 34
"""The state to resume with within a layer; -1 if the layer is not begun."""
OPENED_STATE: Final = 35
"""Remaining mines of the constraints that the box opens, each in its slot."""
FREE_SLOTS: Final = 36
SLOTS: Final = 37
"""Twenty-one slots for constraints in a state, by place of their bits, the free ones first."""
NUMBERS: Final = 58

# Stages of an analysis, in their order.
EXPLORE: Final = 0
COUNT: Final = 1
JOIN: Final = 2
BACK: Final = 3
WEIGH: Final = 4
DONE: Final = 5

# Places in `real`.
SOLUTIONS: Final = 0
"""A number from 1/2 to 1: see `SOLUTIONS_EXPONENT`."""
FLOATING_RISK: Final = 1
"""Mine probability of a floating cell; NaN if there is none."""
REALS: Final = 2


NO_BUDGET: Final = 1 << 60
MOST_STATES: Final = 1 << 19
"""Room for states of the largest workspace: 130 MB."""


class Work(NamedTuple):
    """The tables of the kernels."""

    number: Longs
    real: Floats
    probability: Floats
    """(cells,) the result: NaN where opened, 0.0 and 1.0 only where proved."""
    floating: Bytes
    """(cells,): 1 for a floating cell."""
    kind: Bytes
    """(2, padded cells): the kind of each tile; the sum over its neighbours."""
    cell: Ints
    constraint: Ints
    box: Ints
    component: Ints
    order: Ints
    """(3, cells): constraints by component; boxes by component; a queue, then the components in
    the order in which they are explored."""
    layer: Ints
    """(cells + 2,): the first state of each layer, by place in `order[1]`, shifted by component."""
    state: Ints
    key: Longs
    target: Ints
    table: Longs
    """(2, power of two): states of a layer by key; stamp and index."""
    forward: Floats
    backward: Floats
    chain: Floats
    others: Floats
    """(cells + 1,): see `counting.weigh`."""
    factorial: Floats
    """(2, cells + 2): n! as a number from 1/2 to 1, and a power of two."""
    ways: Floats
    """(9,): the weight of each number of mines in a box."""
    share: Floats
    """(boxes,): the mean number of mines in each box."""


def allocate(rows: int, cols: int, states: int = 1 << 13) -> Work:
    """Allocate for boards with up to so many cells, whatever their shape.

    Args:
        rows: At the most.
        cols: At the most.
        states: Room for so many states of the components, four times as many edges, and
            eight times as many counts.
    """
    cells = rows * cols
    number = np.zeros(NUMBERS, np.int64)
    number[BUDGET] = NO_BUDGET
    number[LAST_STAGE] = DONE
    number[AT_MAXIMUM] = states >= MOST_STATES
    return Work(
        number=number,
        real=np.zeros(REALS),
        probability=np.zeros(cells),
        floating=np.zeros(cells, np.uint8),
        kind=np.zeros((2, 3 * cells + 6), np.uint8),
        cell=np.zeros((cells, CELL_COLUMNS), np.int32),
        constraint=np.zeros((cells, CONSTRAINT_COLUMNS), np.int32),
        box=np.zeros((cells, BOX_COLUMNS), np.int32),
        component=np.zeros((cells, COMPONENT_COLUMNS), np.int32),
        order=np.zeros((3, cells), np.int32),
        layer=np.zeros(2 * cells + 2, np.int32),
        state=np.zeros((states + 1, STATE_COLUMNS), np.int32),
        key=np.zeros(states, np.int64),
        target=np.zeros(4 * states, np.int32),
        table=np.zeros((2, 1 << (8 * states).bit_length()), np.int64),
        forward=np.zeros(8 * states),
        backward=np.zeros(8 * states),
        chain=np.zeros(2 * states + 4 * cells),
        others=np.zeros(cells + 1),
        factorial=_factorials(cells),
        ways=np.zeros(9),
        share=np.zeros(cells),
    )


def enlarged(work: Work) -> Work:
    """Return a workspace with four times the room for states, at most `MOST_STATES`."""
    states = min(4 * len(work.key), MOST_STATES)
    return allocate(1, len(work.probability), states)


@cache
def _factorials(most: int) -> Floats:
    """Return n! as (2, most + 2): mantissas from 1/2 to 1, correctly rounded, and exponents."""
    table = np.zeros((2, most + 2))
    value = 1
    for number in range(most + 2):
        value *= max(number, 1)
        exponent = value.bit_length()
        spare = max(exponent - 64, 0)
        table[:, number] = float(value >> spare) / 2.0 ** (exponent - spare), exponent
    table.flags.writeable = False
    return table
