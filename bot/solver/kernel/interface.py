"""Call the kernels from Python.

`run` analyses a board and asks the limit between slices of work; `count_solutions` gives the number
of solutions as a whole number; `list_layers` gives the states of a component that is given
as a `Shape`, without its place on a board. One workspace is kept for each thread.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from itertools import pairwise
from math import ceil, comb, isqrt, log2
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.analysis import Limit
from bot.board import Board
from bot.solver.constraints import Shape
from bot.solver.kernel.counting import placements_modulo
from bot.solver.kernel.fringe import find_components
from bot.solver.kernel.position import (
    MOST_NODES,
    feasible,
    order_components,
    resume,
    solve_position,
)
from bot.solver.kernel.tables import (
    BOX_CONSTRAINT,
    BOX_CONSTRAINTS,
    BOX_COUNT,
    BOXES,
    BUDGET,
    CELLS_LEFT,
    COMPONENT,
    COMPONENT_BOXES,
    COMPONENT_COUNT,
    CONFLICT,
    CONSTRAINT_BOX,
    CONSTRAINT_COMPONENT,
    CONSTRAINT_COUNT,
    COUNT,
    COVERED_CELLS,
    DONE,
    EDGE,
    EXPONENT,
    FEWEST,
    FEWEST_HERE,
    FLOATING,
    LENGTH,
    MINES_LEFT,
    NO_BUDGET,
    NODE_LIMIT,
    NODES,
    PAUSED,
    PLACED,
    QUEUED,
    REMAINING,
    SCALED,
    SIZE,
    SOLVED,
    STATE_COUNT,
    TAIL,
    TILT,
    TOO_SMALL,
    TOTALS,
    Work,
    allocate,
    enlarged,
)

_SLICE: Final = 250_000
"""Steps between two checks of the limit: about 10 ms."""
_KEPT_STATES: Final = 1 << 15
"""Room for states of the largest workspace that a thread keeps: 10 MB. The largest one has 130."""

_kept = threading.local()


def run(board: Board, limit: Limit) -> tuple[Work, int]:
    """Analyse a board.

    Returns:
        The workspace with the result, valid until this thread's next call, and a status:
        neither `PAUSED` nor `TOO_SMALL`.

    Raises:
        Cancelled: The user stopped.
    """
    nodes = MOST_NODES if limit.nodes is None else min(limit.nodes, MOST_NODES)
    work = workspace(board.tiles.size)
    # A board's own tiles are read-only: machine code for those would be made apart.
    tiles = board.tiles.copy()
    while True:
        status = solve_position(tiles, board.mines, work, nodes)
        if status == PAUSED:
            status = continue_run(work, DONE, limit)
        if status != TOO_SMALL:
            return work, status
        limit.spent(0)
        work = enlarge_workspace(work)


def continue_run(work: Work, until: int, limit: Limit) -> int:
    """Continue in slices; when the limit is reached, unexplored components become too wide.

    Returns:
        A status, not `PAUSED`.

    Raises:
        Cancelled: The user stopped.
    """
    while True:
        if limit.spent(0):
            work.number[NODE_LIMIT] = -1
        status = resume(work, until)
        if status != PAUSED:
            return status


def check_hints(tiles: NDArray[np.int8], nodes: int) -> int:
    """Return, as a status, whether some placing of any number of mines satisfies all hints.

    Args:
        tiles: (rows, cols) int8.
        nodes: What may be spent: some tens of nanoseconds each.
    """
    work = workspace(tiles.size)
    work.number[BUDGET] = nodes * 1_000
    status: int = feasible(tiles, work, nodes)
    while status == TOO_SMALL:
        work = enlarge_workspace(work)
        work.number[BUDGET] = nodes * 1_000
        status = feasible(tiles, work, nodes)
    work.number[BUDGET] = _SLICE
    return status


def workspace(cells: int) -> Work:
    """Return this thread's workspace, large enough for so many cells."""
    work: Work | None = getattr(_kept, "work", None)
    if work is None or len(work.probability) < cells:
        work = allocate(1, cells)
        work.number[BUDGET] = _SLICE
        _kept.work = work
    return work


def enlarge_workspace(work: Work) -> Work:
    """Return a workspace with more room for states; keep it unless it is very large."""
    work = enlarged(work)
    work.number[BUDGET] = _SLICE
    _kept.work = work if len(work.key) <= _KEPT_STATES else None
    return work


_FLOAT_IS_WHOLE: Final = 2.0**53
"""Sums of whole numbers that stay below are exact."""
_LARGEST: Final = (1 << 31) - 1


def count_solutions(board: Board) -> int:
    """Return the number of solutions of a board that `run` has solved before."""
    mines, floating, found = count_placements(board)
    fewest = max(mines - floating, 0)
    ways = comb(floating, mines - fewest)
    result = 0
    for there, number in zip(range(mines - fewest, -1, -1), found[fewest:], strict=False):
        result += number * ways
        ways = ways * there // (floating - there + 1)
    return result


def count_placements(board: Board, by_remainders: bool = False) -> tuple[int, int, list[int]]:
    """Count the placements on the undecided perimeter, by number of mines.

    Args:
        board: Not wider than can be counted.
        by_remainders: The way it is done where floats are not whole; for tests.

    Returns:
        The mines that are left when the components have their fewest; the floating cells;
        the placements with so many mines more than that.
    """
    work, status = run(board, Limit())
    if status != SOLVED:
        raise ValueError("the placements of this board cannot be counted")
    number = work.number
    components = work.component[: number[COMPONENT_COUNT]]
    mines = int(number[MINES_LEFT] - components[:, FEWEST].sum())
    length = min(int((components[:, LENGTH] - 1).sum()), mines) + 1
    floats = work.chain[number[TAIL] - length : number[TAIL]]
    if by_remainders or number[SCALED] or floats.max() >= _FLOAT_IS_WHOLE:
        found = _by_remainders(work, length)
    else:
        found = [int(value) for value in floats]
    return mines, int(number[FLOATING]), found


def _by_remainders(work: Work, length: int) -> list[int]:
    """Reconstruct the placements by number of mines from their remainders modulo primes.

    Source: the Chinese remainder theorem in Garner's form.
    """
    most = 1 << _bits(work)
    values = np.zeros(len(work.forward), np.int64)
    product = np.zeros((2, length), np.int64)
    found = [0] * length
    modulus = 1
    primes = _primes()
    while modulus <= most:
        prime = next(primes)
        placements_modulo(work, prime, values, product)
        inverse = pow(modulus, -1, prime)
        found = [
            value + modulus * ((remainder - value) * inverse % prime)
            for value, remainder in zip(found, product[0].tolist(), strict=True)
        ]
        modulus *= prime
    return found


def _bits(work: Work) -> int:
    """Return an upper bound for the bits of a number of placements."""
    bits = 1.0
    for component in work.component[: work.number[COMPONENT_COUNT]]:
        totals = work.forward[component[TOTALS] : component[TOTALS] + component[LENGTH]]
        mines = component[FEWEST] + np.arange(component[LENGTH])
        with np.errstate(divide="ignore"):
            # Some numbers of mines may be impossible.
            logs = np.log2(totals) + component[EXPONENT] - work.number[TILT] * mines
        bits += float(logs.max()) + log2(len(totals)) + 0.1
    return ceil(bits)


def _primes() -> Iterator[int]:
    """Yield the primes below 2 ** 31, the largest first."""
    odd = range(3, isqrt(_LARGEST) + 1, 2)
    small = [n for n in odd if all(n % divisor for divisor in range(3, isqrt(n) + 1, 2))]
    candidate = _LARGEST
    while True:
        if all(candidate % divisor for divisor in small):
            yield candidate
        candidate -= 2


Found = tuple[int, list[int], list[list[int]], int]
"""A box; the fewest mines in it and the states after it, by state; states after it."""


def list_layers(shape: Shape, nodes: int) -> tuple[list[Found], int]:
    """List the reachable states box by box; empty if no placement satisfies the component.

    Args:
        shape: A component.
        nodes: The most edges between states that may be tried.

    Returns:
        The layers, and the nodes spent: more than `nodes` if that was too much.
    """
    work, possible, spent = _explored(shape, nodes)
    return list(_layers(work)) if possible else [], spent


def is_satisfiable(shape: Shape, nodes: int) -> tuple[bool, int]:
    """Return whether some placement satisfies the component, and the nodes spent."""
    _, possible, spent = _explored(shape, nodes)
    return possible, spent


def _explored(shape: Shape, nodes: int) -> tuple[Work, bool, int]:
    """Explore a component; return the workspace, whether it is possible, and the nodes spent."""
    work = workspace(max(len(shape.sizes), len(shape.rules), 8))
    while True:
        _fill(work, shape)
        order_components(work, nodes)
        budget, work.number[BUDGET] = work.number[BUDGET], NO_BUDGET
        status = resume(work, COUNT)
        work.number[BUDGET] = budget
        if status != TOO_SMALL:
            break
        work = enlarge_workspace(work)
    spent = int(work.number[NODES])
    return work, status == SOLVED, spent if status in (SOLVED, CONFLICT) else nodes + 1


def _fill(work: Work, shape: Shape) -> None:
    """Write the tables as `fringe.group_cells` would."""
    number, box, constraint = work.number, work.box, work.constraint
    number[COVERED_CELLS] = number[MINES_LEFT] = 0
    number[BOX_COUNT], number[CONSTRAINT_COUNT] = len(shape.sizes), len(shape.rules)
    box[: len(shape.sizes), SIZE] = shape.sizes
    box[: len(shape.sizes), [COMPONENT, BOX_CONSTRAINTS, PLACED]] = -1, 0, 0
    for index, (mask, remaining) in enumerate(shape.rules):
        inside = [place for place in range(mask.bit_length()) if mask >> place & 1]
        left = sum(shape.sizes[place] for place in inside)
        constraint[index, [REMAINING, CELLS_LEFT, BOXES, QUEUED, CONSTRAINT_COMPONENT]] = (
            remaining,
            left,
            len(inside),
            0,
            -1,
        )
        constraint[index, CONSTRAINT_BOX : CONSTRAINT_BOX + len(inside)] = inside
        for place in inside:
            box[place, BOX_CONSTRAINT + box[place, BOX_CONSTRAINTS]] = index
            box[place, BOX_CONSTRAINTS] += 1
    find_components(number, constraint, box, work.component, work.order[0])


def _layers(work: Work) -> Iterator[Found]:
    """Yield the layers of the only component; some states have no successors."""
    state = work.state.tolist()
    starts = work.layer[: work.component[0, COMPONENT_BOXES] + 1].tolist()
    ends = [*starts[1:], int(work.number[STATE_COUNT])]
    for place, (start, end) in enumerate(pairwise(starts)):
        ways = [
            (work.target[state[at][EDGE] : state[at + 1][EDGE]] - end).tolist()
            for at in range(start, end)
        ]
        lows = [state[at][FEWEST_HERE] for at in range(start, end)]
        yield int(work.order[1, place]), lows, ways, ends[place + 1] - end
