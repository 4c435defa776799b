"""Read a board as constraints, boxes, components and floating cells, in Python.

Used by the published solvers, by explanations and by the reader; the compiled engine reads boards
by itself (`kernel/fringe.py`). Cells are flat indices `row * cols + col`.

A *constraint* is the number of mines in a set of covered cells: one for each hint that touches a
covered cell. A visible mine is a known mine; a flag proves nothing and counts as covered.

`simplify` applies two deductions, and splits the rest into parts:

- a constraint that has all its mines, or as many cells left as mines, decides its cells;
- a constraint inside a larger one is subtracted from it.

A *box* is a set of cells under the same constraints. A *component* is a set of constraints that are
joined by shared boxes; components depend on each other only through the number of mines on the
board. A `Shape` is a component without its place on the board.

`conflict` and `against_a_mine` find a few hints that contradict each other, to explain why a board
is inconsistent or a cell is no mine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.analysis import Limit, load_function
from bot.board import (
    EXPLODED,
    MINE,
    MISFLAG,
    UNREAD,
    Board,
    Cell,
    InconsistentBoard,
    count_neighbours,
    neighbours,
)
from bot.solver.kernel.tables import CONFLICT
from bot.solver.phrases import hint_name, hint_names, quantity


class Constraint(NamedTuple):
    """The hint at `hint`: `mines` mines are in `cells`."""

    hint: int
    cells: tuple[int, ...]
    mines: int


class Contradiction(Exception):
    """The constraints cannot all be true."""


@dataclass(frozen=True)
class System:
    """The constraints of a board."""

    board: Board
    constraints: tuple[Constraint, ...]
    """One for each hint of the fringe, row by row."""
    covered: tuple[int, ...]
    """Every covered cell, row by row."""
    floating: tuple[int, ...]
    """Covered cells that touch no hint, row by row."""
    mines: int
    """Mines under all covered cells."""

    @cached_property
    def perimeter(self) -> tuple[int, ...]:
        """Covered cells that touch a hint, row by row."""
        floating = frozenset(self.floating)
        return tuple(cell for cell in self.covered if cell not in floating)

    @cached_property
    def touching(self) -> dict[int, tuple[int, ...]]:
        """For each cell of the perimeter its constraints, by index."""
        found: dict[int, tuple[int, ...]] = dict.fromkeys(self.perimeter, ())
        for index, rule in enumerate(self.constraints):
            for cell in rule.cells:
                found[cell] += (index,)
        return found

    def cell(self, index: int) -> Cell:
        """Return the cell of a flat index."""
        return Cell(*divmod(index, self.board.cols))


class Shape(NamedTuple):
    """A component without its place on the board; a key for caches."""

    sizes: tuple[int, ...]
    """Cells in each box, 1 to 8."""
    rules: tuple[tuple[int, int], ...]
    """For each constraint its boxes as a bit mask, and its mines."""


class Component(NamedTuple):
    """Constraints joined by shared boxes."""

    shape: Shape
    boxes: tuple[tuple[int, ...], ...]
    """The cells of each box of the shape."""


@dataclass
class Simplified:
    """A system after simple deduction."""

    known: dict[int, int] = field(default_factory=dict)
    """Decided cells: 1 for a mine, 0 for a safe cell."""
    because: dict[int, int] = field(default_factory=dict)
    """The constraint, by index, that decided a cell on its own; cells that were decided by the
    difference of two constraints are missing."""
    components: list[Component] = field(default_factory=list)
    """The components of the undecided cells."""


def system_of(board: Board) -> System:
    """Read a board.

    Raises:
        ValueError: A tile is unread; the message names the first.
        InconsistentBoard: A hint alone, or the number of mines alone, cannot be true.
    """
    tiles = board.tiles
    if (tiles == UNREAD).any():
        unread = Cell(*np.argwhere(tiles == UNREAD)[0])
        raise ValueError(f"the tile at {unread.position_text} is unread: no solver guesses it")
    covered = board.unopened
    shown = (tiles == MINE) | (tiles == EXPLODED)
    hints = tiles >= 0
    covered_around = count_neighbours(covered)
    owed = tiles - count_neighbours(shown)
    _check_hints(board, hints & ((owed < 0) | (owed > covered_around)), covered_around, shown)
    covered_cells = np.flatnonzero(covered).tolist()
    mines = board.mines - int(np.count_nonzero(shown))
    _check_mines(board, mines, len(covered_cells))
    is_covered = covered.ravel().tolist()
    table = neighbours(board.rows, board.cols)
    owed_flat = owed.ravel().tolist()
    constraints = [
        Constraint(hint, tuple([cell for cell in table[hint] if is_covered[cell]]), owed_flat[hint])
        for hint in np.flatnonzero(hints & (covered_around > 0)).tolist()
    ]
    floating = np.flatnonzero(covered & (count_neighbours(hints) == 0)).tolist()
    return System(board, tuple(constraints), tuple(covered_cells), tuple(floating), mines)


def simplify(
    constraints: Iterable[Constraint], check: Callable[[], object] = lambda: None
) -> Simplified:
    """Apply single constraints and differences of two; group the remaining cells.

    Args:
        constraints: The constraints of a board.
        check: Called regularly; may raise to cancel.

    Raises:
        Contradiction: The constraints cannot all be true (not every contradiction is detected).
    """
    rules = list(constraints)
    touching: dict[int, list[int]] = {}
    for index, rule in enumerate(rules):
        for cell in rule.cells:
            touching.setdefault(cell, []).append(index)
    result = Simplified()
    owed = _decide_by_single(rules, touching, result)
    boxes: dict[tuple[int, ...], list[int]] = {}
    for cell, signature in touching.items():
        if cell not in result.known:
            boxes.setdefault(tuple(signature), []).append(cell)
    masks: dict[int, int] = {}
    for number, under in enumerate(boxes):
        for index in under:
            masks[index] = masks.get(index, 0) | 1 << number
    merged: dict[int, int] = {}
    for index, mask in masks.items():
        if merged.setdefault(mask, owed[index]) != owed[index]:
            raise Contradiction
    cells = list(boxes.values())
    for part in _split(merged):
        _reduce_part(part, cells, result, check)
    return result


def _decide_by_single(
    rules: list[Constraint], touching: dict[int, list[int]], result: Simplified
) -> list[int]:
    """Decide the cells of single constraints; return the mines that each constraint still needs."""
    owed = [rule.mines for rule in rules]
    left = [len(rule.cells) for rule in rules]
    known = result.known
    queue = [i for i, rule in enumerate(rules) if rule.mines in (0, len(rule.cells))]
    while queue:
        index = queue.pop()
        if not left[index]:
            continue
        value = 1 if owed[index] else 0
        for cell in rules[index].cells:
            if cell in known:
                continue
            known[cell] = value
            result.because[cell] = index
            for other in touching[cell]:
                left[other] -= 1
                owed[other] -= value
                if not 0 <= owed[other] <= left[other]:
                    raise Contradiction
                if owed[other] in (0, left[other]):
                    queue.append(other)
    return owed


def _reduce_part(
    rules: dict[int, int],
    cells: list[list[int]],
    result: Simplified,
    check: Callable[[], object],
) -> None:
    """Subtract smaller constraints from larger ones; add the remaining components to `result`."""
    rules, settled = _reduce(rules, cells, check)
    for number, value in settled.items():
        for cell in cells[number]:
            result.known[cell] = value
    result.components += [_component(part, cells) for part in _split(rules)]


def _reduce(
    rules: dict[int, int], cells: list[list[int]], check: Callable[[], object]
) -> tuple[dict[int, int], dict[int, int]]:
    """Return the reduced rules, and the boxes that were decided."""
    settled: dict[int, int] = {}
    changed = True
    while changed:
        changed = False
        for small in sorted(rules, key=int.bit_count):
            owed = rules.get(small)
            if owed is None:
                continue
            check()
            size = sum(len(cells[number]) for number in _bits(small))
            if not 0 <= owed <= size:
                raise Contradiction
            done = owed in (0, size)
            larger = [mask for mask in rules if mask & small and mask != small]
            for mask in larger:
                if mask & small == small:
                    _replace(rules, mask, mask ^ small, rules[mask] - owed)
                elif done:
                    inside = mask & small
                    mines = sum(len(cells[n]) for n in _bits(inside)) if owed else 0
                    _replace(rules, mask, mask ^ inside, rules[mask] - mines)
                else:
                    continue
                changed = True
            if done:
                del rules[small]
                settled |= dict.fromkeys(_bits(small), 1 if owed else 0)
                changed = True
    return rules, settled


def _replace(rules: dict[int, int], old: int, new: int, owed: int) -> None:
    del rules[old]
    if owed < 0 or rules.setdefault(new, owed) != owed:
        raise Contradiction


def _split(rules: dict[int, int]) -> list[dict[int, int]]:
    """Return the rules in groups that share no box."""
    groups: list[tuple[int, dict[int, int]]] = []
    for mask, owed in rules.items():
        union, group = mask, {mask: owed}
        apart = []
        for other in groups:
            if other[0] & mask:
                union |= other[0]
                group = other[1] | group
            else:
                apart.append(other)
        groups = [*apart, (union, group)]
    return [group for _, group in groups]


def _component(rules: dict[int, int], cells: list[list[int]]) -> Component:
    union = 0
    for mask in rules:
        union |= mask
    numbers = _bits(union)
    local = {number: 1 << place for place, number in enumerate(numbers)}
    shape = Shape(
        tuple([len(cells[number]) for number in numbers]),
        tuple([(sum([local[n] for n in _bits(mask)]), owed) for mask, owed in rules.items()]),
    )
    return Component(shape, tuple([tuple(cells[number]) for number in numbers]))


def _bits(mask: int) -> list[int]:
    """Return the positions of the set bits, lowest first."""
    places = []
    while mask:
        low = mask & -mask
        places.append(low.bit_length() - 1)
        mask ^= low
    return places


def _check_hints(
    board: Board,
    wrong: NDArray[np.bool_],
    covered_around: NDArray[np.int8],
    shown: NDArray[np.bool_],
) -> None:
    if not wrong.any():
        return
    cell = Cell(*(int(i) for i in np.argwhere(wrong)[0]))
    covered = quantity(int(covered_around[cell]), "covered cell")
    mines = quantity(int(count_neighbours(shown)[cell]), "known mine")
    raise InconsistentBoard(
        f"{hint_name(board, cell)} cannot be: it touches {covered} and {mines}", [cell]
    )


def _check_mines(board: Board, mines: int, covered: int) -> None:
    if not 0 <= mines <= covered:
        raise InconsistentBoard(
            f"the board is said to hold {quantity(board.mines, 'mine')}, but it shows "
            f"{board.mines - mines} and has {quantity(covered, 'covered cell')}"
        )


MOST_NODES: Final = 1_000_000
"""Most nodes for one board, whatever the limit."""
_NODES_A_LOOK: Final = 300_000
"""Work (see `Meter.work`) between two checks of the limit: about 10 ms."""


class OutOfBudget(Exception):
    """The limit has been reached."""


class Meter:
    """Counts the nodes spent on a board."""

    def __init__(self, limit: Limit) -> None:
        self._limit = limit
        self._work = 0.0
        self.nodes = 0

    @property
    def left(self) -> int:
        """Nodes that may still be spent."""
        most = MOST_NODES if self._limit.nodes is None else min(self._limit.nodes, MOST_NODES)
        return max(most - self.nodes, 0)

    def spend(self, nodes: int) -> None:
        """Count nodes and check the limit.

        Raises:
            OutOfBudget: The limit is reached.
            Cancelled: The user stopped.
        """
        self.nodes += nodes
        if self.nodes > MOST_NODES or self._limit.spent(self.nodes):
            raise OutOfBudget

    def work(self, words: float) -> None:
        """Check the limit regularly; called for each step on an array of `words` elements."""
        self._work += words**1.5 + 10
        if self._work > _NODES_A_LOOK:
            self._work = 0
            self.spend(0)


class Layer(NamedTuple):
    """The transitions of one box: which state each number of mines leads to."""

    box: int
    lows: list[int]
    """For each state before it the fewest mines that the box may get."""
    targets: list[list[int]]
    """For each state before it the next states, by number of mines from the fewest up."""
    states: int
    """Number of states after it."""


def reachable_states(shape: Shape, meter: Meter) -> list[Layer]:
    """Return the transitions of all boxes in order; empty if the shape is not satisfiable.

    `kernel/components.py` defines a state.

    Raises:
        OutOfBudget: The limit is reached.
        Cancelled: The user stopped.
    """
    meter.spend(0)
    found, nodes = load_function("bot.solver.kernel.interface:list_layers")(shape, meter.left)
    meter.spend(nodes)
    return [Layer(*layer) for layer in found]


def is_satisfiable(shape: Shape, meter: Meter) -> bool:
    """Return whether any placement satisfies a component.

    Raises:
        OutOfBudget: The limit is reached.
        Cancelled: The user stopped.
    """
    meter.spend(0)
    possible, nodes = load_function("bot.solver.kernel.interface:is_satisfiable")(shape, meter.left)
    meter.spend(nodes)
    return bool(possible)


_NODES_A_TRY: Final = 20_000
"""Nodes after which a set of hints counts as satisfiable: about a millisecond."""


def conflict(system: System, limit: Limit) -> InconsistentBoard:
    """Return the error for a board whose hints cannot all be true.

    It names hints that are impossible together. Usually none of them can be left out; if finding
    that out takes too long, more are named than necessary.

    Raises:
        Cancelled: The user stopped.
    """
    hints = [
        system.cell(rule.hint)
        for rule in _needed(system, system.board.tiles, system.constraints, limit)
    ]
    named = hint_names(system.board, hints)
    return InconsistentBoard(f"these hints cannot all be true: {named}", hints)


def against_a_mine(system: System, cell: int, limit: Limit) -> tuple[Cell, ...]:
    """Find a few hints that could not all be true with a mine at `cell`, a flat index.

    Returns:
        The hints; empty if the hints alone do not exclude a mine, or if that takes too long to
        find out.

    Raises:
        Cancelled: The user stopped.
    """
    tiles = system.board.tiles.copy()
    tiles[system.cell(cell)] = MINE
    if not _impossible(system, tiles, system.constraints, limit):
        return ()
    needed = _needed(system, tiles, system.constraints, limit)
    return tuple(system.cell(rule.hint) for rule in needed)


def _needed(
    system: System, tiles: NDArray[np.int8], impossible: Sequence[Constraint], limit: Limit
) -> list[Constraint]:
    """Return a small part of some impossible constraints that is still impossible."""
    rules = list(impossible)
    part = max(len(rules) // 2, 1)
    while True:
        start = 0
        while start < len(rules):
            fewer = rules[:start] + rules[start + part :]
            if fewer and _impossible(system, tiles, fewer, limit):
                rules = fewer
            else:
                start += part
        if part == 1:
            return rules
        part = part // 2


def _impossible(
    system: System, tiles: NDArray[np.int8], rules: Sequence[Constraint], limit: Limit
) -> bool:
    """Return whether the constraints are proved impossible within `_NODES_A_TRY`."""
    if limit.spent(0):
        return False
    # A wrong flag is no mine and no hint.
    tiles = np.where(tiles >= 0, np.int8(MISFLAG), tiles)
    for rule in rules:
        cell = system.cell(rule.hint)
        tiles[cell] = system.board[cell]
    check_hints = load_function("bot.solver.kernel.interface:check_hints")
    return bool(check_hints(tiles, _NODES_A_TRY) == CONFLICT)
