"""Read a board as constraints, boxes, components and floating cells.

Solvers in Python read the board here, the kernels in `kernel/fringe.py`: a view of their
tables would be no faster, as it has to make tuples. Cells are flat indices `row * cols + col`.

A *constraint* says how many mines lie in a set of covered cells: one for each hint that
touches a covered cell. Two simple deductions shrink the system before anything is
counted, and split it into smaller parts:

- a constraint that has all its mines, or as many cells left as mines, settles its cells;
- a constraint inside a larger one is subtracted from it.

What is left is grouped: a *box* is a set of cells under the very same constraints, and a
*component* is what shared boxes tie together. Components know nothing of each other but
for the number of mines on the board.

A cell that shows a mine is a known mine; a flag is nobody's proof and counts as covered.

The states of one component, for those who go through them from Python; and what was spent.

A component is given as a `Shape`, without its place on a board. The kernel finds the
states (see `kernel/components.py`, which says what a state is).

Few hints that contradict each other: why a board cannot be, or why a cell is no mine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.analysis import Limit, load_function
from bot.board import EXPLODED, MINE, MISFLAG, UNREAD, Board, Cell, InconsistentBoard, neighbours
from bot.solver.kernel.tables import CONFLICT
from bot.solver.phrases import hint_name, hint_names, many


class Constraint(NamedTuple):
    """`mines` mines lie in `cells`, says the hint at `hint`."""

    hint: int
    cells: tuple[int, ...]
    mines: int


class Contradiction(Exception):
    """Simple deduction found that the constraints cannot all hold."""


@dataclass(frozen=True)
class System:
    """All that a board says about its covered cells."""

    board: Board
    constraints: tuple[Constraint, ...]
    """One for each hint of the fringe, row by row."""
    covered: tuple[int, ...]
    """Every covered cell, row by row."""
    floating: tuple[int, ...]
    """Covered cells that touch no hint, row by row."""
    mines: int
    """Mines under all covered cells together."""

    @cached_property
    def perimeter(self) -> tuple[int, ...]:
        """Covered cells that touch a hint, row by row."""
        floating = frozenset(self.floating)
        return tuple(cell for cell in self.covered if cell not in floating)

    @cached_property
    def touching(self) -> dict[int, tuple[int, ...]]:
        """For each cell of the perimeter the constraints on it, by index."""
        found: dict[int, tuple[int, ...]] = dict.fromkeys(self.perimeter, ())
        for index, rule in enumerate(self.constraints):
            for cell in rule.cells:
                found[cell] += (index,)
        return found

    @cached_property
    def adjacent(self) -> tuple[tuple[int, ...], ...]:
        """For each constraint the others that share a covered cell with it, by index."""
        on = self.touching
        tied = [{i for cell in rule.cells for i in on[cell]} for rule in self.constraints]
        return tuple(tuple(sorted(others - {index})) for index, others in enumerate(tied))

    @cached_property
    def edges(self) -> tuple[tuple[int, ...], ...]:
        """The constraints, by index, in groups that shared cells tie together (003: an edge)."""
        left = set(range(len(self.constraints)))
        groups = []
        while left:
            group = [left.pop()]
            for index in group:
                group += left.intersection(self.adjacent[index])
                left.difference_update(group)
            groups.append(tuple(sorted(group)))
        return tuple(sorted(groups))

    def cell(self, index: int) -> Cell:
        """Return the place of a flat index."""
        return Cell(*divmod(index, self.board.cols))


class Shape(NamedTuple):
    """A component without its place: what counting it depends on, and a key to keep it by."""

    sizes: tuple[int, ...]
    """Cells in each box, 1 to 8."""
    rules: tuple[tuple[int, int], ...]
    """(boxes as a bit mask, mines in them together)."""


class Component(NamedTuple):
    """Constraints joined by shared boxes."""

    shape: Shape
    boxes: tuple[tuple[int, ...], ...]
    """The cells of each box of the shape."""


@dataclass
class Simplified:
    """A system after simple deduction."""

    known: dict[int, int] = field(default_factory=dict)
    """Settled cells: 1 for a mine, 0 for a safe cell."""
    because: dict[int, int] = field(default_factory=dict)
    """The constraint, by index, that settled a cell on its own; a cell that only the difference of
    two constraints settles has none."""
    components: list[Component] = field(default_factory=list)
    """What is still open."""


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
    covered_around = _around(covered)
    owed = tiles - _around(shown)
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
    floating = np.flatnonzero(covered & (_around(hints) == 0)).tolist()
    return System(board, tuple(constraints), tuple(covered_cells), tuple(floating), mines)


def simplify(
    constraints: Iterable[Constraint], check: Callable[[], object] = lambda: None
) -> Simplified:
    """Apply single constraints and differences of two; group what they leave open.

    Args:
        constraints: What holds.
        check: Called now and then; may raise to break off.

    Raises:
        Contradiction: The constraints cannot all hold. (That none is raised proves nothing.)
    """
    rules = list(constraints)
    touching: dict[int, list[int]] = {}
    for index, rule in enumerate(rules):
        for cell in rule.cells:
            touching.setdefault(cell, []).append(index)
    result = Simplified()
    owed = _settle(rules, touching, result)
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
        _close(part, cells, result, check)
    return result


def _settle(
    rules: list[Constraint], touching: dict[int, list[int]], result: Simplified
) -> list[int]:
    """Settle what single constraints settle; return the mines that each still owes."""
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


def _close(
    rules: dict[int, int],
    cells: list[list[int]],
    result: Simplified,
    check: Callable[[], object],
) -> None:
    """Subtract smaller constraints from larger ones until nothing changes; keep the rest."""
    rules, settled = _reduce(rules, cells, check)
    for number, value in settled.items():
        for cell in cells[number]:
            result.known[cell] = value
    result.components += [_component(part, cells) for part in _split(rules)]


def _reduce(
    rules: dict[int, int], cells: list[list[int]], check: Callable[[], object]
) -> tuple[dict[int, int], dict[int, int]]:
    """Return the reduced rules, and the boxes that were settled on the way."""
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
    """Return the places of the set bits, lowest first."""
    places = []
    while mask:
        low = mask & -mask
        places.append(low.bit_length() - 1)
        mask ^= low
    return places


def _around(mask: NDArray[np.bool_]) -> NDArray[np.int8]:
    """Return how many of the up to eight neighbours of each cell are set: (rows, cols) int8."""
    rows, cols = mask.shape
    padded = np.zeros((rows + 2, cols + 2), np.int8)
    padded[1:-1, 1:-1] = mask
    across = padded[:, :-2] + padded[:, 1:-1] + padded[:, 2:]
    total: NDArray[np.int8] = across[:-2] + across[1:-1] + across[2:] - padded[1:-1, 1:-1]
    return total


def _check_hints(
    board: Board,
    wrong: NDArray[np.bool_],
    covered_around: NDArray[np.int8],
    shown: NDArray[np.bool_],
) -> None:
    if not wrong.any():
        return
    cell = Cell(*(int(i) for i in np.argwhere(wrong)[0]))
    covered = many(int(covered_around[cell]), "covered cell")
    mines = many(int(_around(shown)[cell]), "known mine")
    raise InconsistentBoard(
        f"{hint_name(board, cell)} cannot be: it touches {covered} and {mines}", [cell]
    )


def _check_mines(board: Board, mines: int, covered: int) -> None:
    if not 0 <= mines <= covered:
        raise InconsistentBoard(
            f"the board is said to hold {many(board.mines, 'mine')}, but it shows "
            f"{board.mines - mines} and has {many(covered, 'covered cell')}"
        )


MOST_NODES: Final = 1_000_000
"""Steps that are taken for one board, whatever the limit."""
_NODES_A_LOOK: Final = 300_000
"""Work (see `Meter.work`) between two looks at the limit: about 10 ms."""


class TooWide(Exception):
    """Counting would exceed what may be spent."""


class Meter:
    """What has been spent on a board, against its limit."""

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
        """Note `nodes` more.

        Raises:
            TooWide: The limit is reached.
            Cancelled: The user stopped.
        """
        self.nodes += nodes
        if self.nodes > MOST_NODES or self._limit.spent(self.nodes):
            raise TooWide

    def work(self, words: float) -> None:
        """Look at the limit now and then, after so many steps that are no nodes."""
        self._work += words**1.5 + 10
        if self._work > _NODES_A_LOOK:
            self._work = 0
            self.spend(0)


class Layer(NamedTuple):
    """One box decided: from each state, the fewest mines it may get and the states after."""

    box: int
    lows: list[int]
    targets: list[list[int]]
    states: int
    """States after it."""


def explore(shape: Shape, meter: Meter) -> list[Layer]:
    """Return which states can be reached, box by box; empty where none reaches the end.

    Raises:
        TooWide: Over the limit.
        Cancelled: The user stopped.
    """
    meter.spend(0)
    found, nodes = load_function("bot.solver.kernel.interface:list_layers")(shape, meter.left)
    meter.spend(nodes)
    return [Layer(*layer) for layer in found]


def feasible(shape: Shape, meter: Meter) -> bool:
    """Return whether any placement satisfies the component.

    Raises:
        TooWide: Over the limit.
        Cancelled: The user stopped.
    """
    meter.spend(0)
    possible, nodes = load_function("bot.solver.kernel.interface:is_satisfiable")(shape, meter.left)
    meter.spend(nodes)
    return bool(possible)


_NODES_A_TRY: Final = 20_000
"""Ways on to try before a set of hints is taken to be possible: about a millisecond."""

_NEAR: Final = 6
"""Rows and columns away from a cell hints are looked at first: on a large board there are many."""


def conflict(system: System, limit: Limit) -> InconsistentBoard:
    """Return the error for a board whose hints cannot all be true.

    The hints named are impossible together; mostly none of them can be left out. (Where
    that is too dear to find out, more are named than need be.)

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
    """Find few hints that could not all be true with a mine at `cell`, a flat index.

    Returns:
        None of them where the hints alone do not forbid it, or that is too dear to find out.

    Raises:
        Cancelled: The user stopped.
    """
    tiles = system.board.tiles.copy()
    tiles[system.cell(cell)] = MINE
    row, col = system.cell(cell)
    near = []
    for rule in system.constraints:
        hint = system.cell(rule.hint)
        if max(abs(hint.row - row), abs(hint.col - col)) <= _NEAR:
            near.append(rule)
    for rules in (near, system.constraints):
        if _impossible(system, tiles, rules, limit):
            return tuple(system.cell(rule.hint) for rule in _needed(system, tiles, rules, limit))
    return ()


def _needed(
    system: System, tiles: NDArray[np.int8], impossible: Sequence[Constraint], limit: Limit
) -> list[Constraint]:
    """Return those of some impossible constraints that cannot be left out."""
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
    """Return whether it is proved, cheaply, that the constraints contradict each other."""
    if limit.spent(0):
        return False
    # A tile that is no mine, and says nothing.
    tiles = np.where(tiles >= 0, np.int8(MISFLAG), tiles)
    for rule in rules:
        cell = system.cell(rule.hint)
        tiles[cell] = system.board[cell]
    check_hints = load_function("bot.solver.kernel.interface:check_hints")
    return bool(check_hints(tiles, _NODES_A_TRY) == CONFLICT)
