"""From an opinion to moves: which cells are opened or flagged, and in what order.

The pointer's way: in what order cells are visited so that it stays short.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from math import dist, prod
from typing import Final, NamedTuple

import numpy as np

from bot.analysis import NO_EVIDENCE, Analysis, Evidence
from bot.board import FLAG, QUESTION, Board, Cell, neighbours


class Action(Enum):
    """What a move does."""

    OPEN = "open"
    FLAG = "flag"
    CHORD = "chord"
    RESTART = "restart"


@dataclass(frozen=True)
class Move:
    """One thing to do in the game's window."""

    action: Action
    cell: Cell | None = None
    """Where; None for a restart."""
    risk: float = 0.0
    """Probability of dying by it: 0.0 is a proof of safety."""


class Style(Enum):
    """How a player likes to play."""

    NO_FLAGS = "no flags"
    """Opens only: few clicks to a win, and few looks."""
    FLAGS = "flags"
    """Flags every proved mine as well."""
    CHORDS = "chords"
    """Flags where it pays and chords: the fewest clicks, at the price of more looks."""
    HUNT = "hunt"
    """In the game of digging: one dig where the hunter wants to; when the list of mines is
    complete, a flag on every one that was not dug."""


def plan(board: Board, analysis: Analysis, style: Style = Style.NO_FLAGS) -> tuple[Move, ...]:
    """Return what is certain, less what it may open by itself; without it the one best guess.

    A safe cell that is left out is opened after the next look, where need be: a guess is
    made only when no safe cell is left. A flag on a cell that is to be opened is taken
    away first: programs do not open a flagged cell.

    Returns:
        Moves in an order that keeps the pointer's way short; empty where nothing is left
        to open.
    """
    if style is Style.HUNT:
        return _visited(_guess(board, analysis) or _flags(board, analysis))
    outlook = _OpeningOdds(board, analysis)
    if style is Style.CHORDS and outlook.safe:
        return _chord_moves(board, outlook)
    safe = (Cell(*divmod(index, board.cols)) for index in _needed_opens(outlook))
    clicks = {cell: _opening(board, cell) for cell in safe} or _guess(board, analysis)
    if style is Style.FLAGS:
        clicks |= _flags(board, analysis)
    return _visited(clicks)


def describe_moves(board: Board, analysis: Analysis, moves: tuple[Move, ...]) -> Analysis:
    """Return the same analysis, its best cell and its reason being about the moves.

    A plan leaves out a safe cell that a zero or a chord beside it is likely to open, be it
    the one that the solver named; a turn may also be a single flag.

    Args:
        board: What was analysed.
        analysis: By a solver; its reason is about `analysis.best`.
        moves: What is done.

    Returns:
        `analysis` where one of the moves opens its best cell, or nothing is opened or
        flagged; else with the first cell that they open (`explain` says why), or with a reason
        for the flag if they open none.
    """
    opened = _opened(board, analysis, moves)
    if not moves or analysis.best in opened:
        return analysis
    if opened:
        return replace(analysis, best=opened[0], reason=None, evidence=NO_EVIDENCE)
    flagged = next((move.cell for move in moves if move.cell is not None), None)
    if flagged is None:
        return analysis
    reason = f"a flag on a proved mine at {flagged.words}"
    if analysis.mine_probability[flagged] != 1.0:
        reason = f"the flag at {flagged.words} is on no mine: it goes"
    return replace(analysis, reason=reason, evidence=Evidence((), (flagged,)))


def _opened(board: Board, analysis: Analysis, moves: tuple[Move, ...]) -> list[Cell]:
    """Return the cells that the moves open by themselves, in their order."""
    opened: list[Cell] = []
    for move in moves:
        if move.cell is None:
            continue
        if move.action is Action.OPEN:
            opened.append(move.cell)
        elif move.action is Action.CHORD:
            around = board.around(move.cell)
            opened += [cell for cell in around if analysis.mine_probability[cell] == 0.0]
    return opened


_Clicks = dict[Cell, tuple[Move, ...]]
"""What is done at each cell, in that order."""


def _visited(clicks: _Clicks) -> tuple[Move, ...]:
    return tuple(move for cell in short_path(clicks) for move in clicks[cell])


def _guess(board: Board, analysis: Analysis) -> _Clicks:
    if analysis.best is None:
        return {}
    risk = float(analysis.mine_probability[analysis.best])
    return {analysis.best: _opening(board, analysis.best, risk)}


def _opening(board: Board, cell: Cell, risk: float = 0.0) -> tuple[Move, ...]:
    move = Move(Action.OPEN, cell, risk)
    return (Move(Action.FLAG, cell), move) if board[cell] == FLAG else (move,)


def _flags(board: Board, analysis: Analysis) -> _Clicks:
    return {cell: _flagging(board, cell) for cell in analysis.mines if board[cell] != FLAG}


def _flagging(board: Board, cell: Cell) -> tuple[Move, ...]:
    """Return the right clicks: each sets a flag, takes one away, or covers a question mark."""
    return (Move(Action.FLAG, cell),) * (2 if board[cell] == QUESTION else 1)


def _chord_moves(board: Board, outlook: _OpeningOdds) -> tuple[Move, ...]:
    def cell_of(index: int) -> Cell:
        return Cell(*divmod(index, board.cols))

    steps = {cell_of(step.cell): step for step in _plan_chords(outlook)}
    moves: list[Move] = []
    clicked: set[int] = set()
    for cell in short_path(steps):
        step = steps[cell]
        missing = [index for index in step.flags if index not in clicked]
        clicked.update(missing)
        moves += _visited({cell_of(index): _flagging(board, cell_of(index)) for index in missing})
        if step.opens:
            moves.append(Move(Action.OPEN, cell))
        if step.chords:
            moves.append(Move(Action.CHORD, cell))
    return tuple(moves)


_UNTANGLED: Final = 16
"""Most cells for which turning parts of the way round is tried: its cost grows with the square.
For three to nine safe cells of a turn it finds the shortest way in 95 to 98 of 100 cases
(`python -m tests.bench_planner`); nearest first alone did in 83."""
_ROUNDING: Final = 1e-9


def short_path(cells: Iterable[Cell]) -> list[Cell]:
    """Return the cells in an order that keeps the way from the first to the last one short.

    Each is followed by the one nearest to it; then parts of the way are turned round as
    long as that makes it shorter. It begins at the end that is nearer to the upper left
    corner, where the hand parks the pointer.

    Args:
        cells: Each of them once.

    Source: the 2-opt exchange of G. A. Croes, Operations Research 6 (1958).
    """
    way = _nearest_first(cells)
    if 2 < len(way) <= _UNTANGLED:
        way = _untangled(way)
    if way and sum(way[-1]) < sum(way[0]):
        way.reverse()
    return way


def _nearest_first(cells: Iterable[Cell]) -> list[Cell]:
    left = dict.fromkeys(cells)
    here = next(iter(left), None)
    way: list[Cell] = []
    while here is not None:
        del left[here]
        way.append(here)
        here = _nearest(here, left)
    return way


def _nearest(here: Cell, cells: Collection[Cell]) -> Cell | None:
    """Return the cell with the smallest distance; one of several."""
    row, col = here
    if len(cells) > len(_CLOSE_BY):
        for down, right in _CLOSE_BY:
            cell = Cell(row + down, col + right)
            if cell in cells:
                return cell
    best, least = None, 0
    for cell in cells:
        square = (cell[0] - row) ** 2 + (cell[1] - col) ** 2
        if best is None or square < least:
            best, least = cell, square
    return best


_CLOSE_BY: Final = sorted(
    (
        (down, right)
        for down in range(-3, 4)
        for right in range(-3, 4)
        if 0 < down * down + right * right <= 9
    ),
    key=lambda step: (step[0] ** 2 + step[1] ** 2, step),
)
"""Steps to the cells within a distance of three, nearest first: with many cells to go to,
looking there is cheaper than looking at all of them."""


def _untangled(way: list[Cell]) -> list[Cell]:
    far = [[dist(one, other) for other in way] for one in way]
    order = list(range(len(way)))
    last = len(way) - 1
    better = True
    while better:
        better = False
        for begin in range(last):
            first = far[order[begin]]
            before = far[order[begin - 1]] if begin else None
            for end in range(begin + 1, last + 1):
                final = order[end]
                gain = before[order[begin]] - before[final] if before else 0.0
                if end < last:
                    beyond = order[end + 1]
                    gain += far[final][beyond] - first[beyond]
                if gain > _ROUNDING:
                    order[begin : end + 1] = order[begin : end + 1][::-1]
                    first = far[order[begin]]
                    better = True
    return [way[place] for place in order]


_SHARED: Final = 0.2
"""What a flag gets cheaper for every safe cell beside it that is still closed."""
_MOST_SHARED: Final = 0.6
"""Where that ends."""
_CENTRE: Final = 0.1
"""What a cell is worth as the centre of a chord to come, for each click that it may save."""
_APART: Final = 3
"""Columns and rows between what two steps of one turn open: more than these."""
_AS_GOOD: Final = 0.3
"""By so much a single click may be worse than the best one to be made in the same turn."""


class _Step(NamedTuple):
    """Clicks that belong together: flags, then a cell to open, then a chord."""

    cell: int
    """Which is opened, or the chord's centre, or both; a flat index."""
    flags: tuple[int, ...] = ()
    """Cells whose flag is set, or taken away where it is wrong."""
    opens: bool = False
    chords: bool = False


class _Chord(NamedTuple):
    premium: float
    step: _Step
    opened: frozenset[int]


def _plan_chords(outlook: _OpeningOdds) -> list[_Step]:
    """Return what opens safe cells with the fewest clicks.

    Every chord is legal once the step's flags are set: it then has as many flags around it
    as it counts, all on proved mines. At least one safe cell is opened where there is one.
    Two steps may name the same flag: it is set once.
    """
    chooser = _Chooser(outlook)
    steps: list[_Step] = []
    near: set[int] = set()
    for chord in chooser.chords():
        if near.isdisjoint(chord.opened):
            steps.append(chord.step)
            near |= chooser.near(chord.opened)
    singles = chooser.singles()
    best = singles[0][0] if singles else 0.0
    for worth, cell in singles:
        if steps and worth < best - _AS_GOOD:
            break
        if cell not in near:
            flags = (cell,) if outlook.flagged(cell) else ()
            steps.append(_Step(cell, flags, opens=True))
            near |= chooser.near((cell,))
    return steps


class _Chooser:
    def __init__(self, outlook: _OpeningOdds) -> None:
        self._outlook = outlook
        self._safe = frozenset(outlook.safe)
        self._hopes: dict[int, float] = {}
        self._needed: dict[int, float] = {}

    def near(self, opened: Iterable[int]) -> set[int]:
        """Return the cells that tell of what is opened, or that are opened with it."""
        outlook = self._outlook
        near: set[int] = set()
        for cell in opened:
            near.update(outlook.within(cell, _APART))
            if outlook.zero(cell) == 1.0:
                near |= outlook.opened_by(cell)
        return near

    def chords(self) -> list[_Chord]:
        """Return those that pay, the best first; no look ahead to what the first ones open."""
        outlook = self._outlook
        centres = set(outlook.safe)
        for cell in outlook.safe:
            centres.update(index for index in outlook.around[cell] if outlook.tiles[index] > 0)
        found = (self._chord(centre) for centre in centres)
        paying = [chord for chord in found if chord is not None and chord.premium > 0]
        return sorted(paying, key=lambda chord: (-chord.premium, chord.step.cell))

    def _chord(self, centre: int) -> _Chord | None:
        """Return the chord on a hint, or on a safe cell that certainly shows one; else None."""
        outlook = self._outlook
        closed = outlook.closed(centre)
        safe = self._safe.intersection(closed)
        mines = [index for index in closed if index in outlook.mines]
        if not safe or not mines or len(safe) + len(mines) < len(closed):
            return None
        missing = [index for index in mines if not outlook.flagged(index)]
        wrong = [index for index in safe if outlook.flagged(index)]
        premium = sum(map(outlook.own, safe)) - 1.0 - len(wrong)
        premium -= sum(self._price(index, safe) for index in missing)
        opens = outlook.tiles[centre] < 0
        if opens:
            premium += outlook.own(centre) - 1.0
            safe |= {centre}
            if outlook.flagged(centre):
                wrong.append(centre)
                premium -= 1.0
        step = _Step(centre, (*missing, *wrong), opens, chords=True)
        return _Chord(premium, step, safe)

    def singles(self) -> list[tuple[float, int]]:
        """Return every safe cell with what a click on it is worth, the best first."""
        outlook = self._outlook
        worth = []
        for cell in outlook.safe:
            value = outlook.zero(cell) + outlook.own(cell) + _CENTRE * self._hope(cell)
            hints = (index for index in outlook.around[cell] if outlook.tiles[index] > 0)
            value -= max(0.0, max(map(self._hope, hints), default=0.0))
            worth.append((value, cell))
        return sorted(worth, key=lambda one: (-one[0], one[1]))

    def _hope(self, centre: int) -> float:
        """Return the premium that a chord on a cell has on average once all around it is known."""
        if centre not in self._hopes:
            outlook = self._outlook
            hope = -1.0
            for index in outlook.closed(centre):
                if outlook.flagged(index):
                    continue
                clear = outlook.clear(index)
                hope += clear * outlook.own(index)
                if clear < 1.0:
                    hope -= (1.0 - clear) * self._price(index)
            self._hopes[centre] = hope
        return self._hopes[centre]

    def _price(self, mine: int, opened: frozenset[int] = frozenset()) -> float:
        """Return what is to be paid for a flag here and now; later chords pay the rest.

        Args:
            mine: Where.
            opened: Safe cells that are open by then: no later chord needs the flag for them.
        """
        outlook = self._outlook
        if mine not in self._needed:
            self._needed[mine] = sum(map(outlook.clear, outlook.closed(mine)))
        left = self._needed[mine]
        if opened:
            left -= len(opened.intersection(outlook.around[mine]))
        return 1.0 - min(_SHARED * left, _MOST_SHARED)


LIKELY: Final = 0.3
"""From this probability of a zero on, its neighbours wait for what it opens. On 40 won Expert
games the clicks fell from 229 to 201 a game for 28 looks instead of 26; with 0.5 to 212 for 27,
with 0.1 to 199 for 30. With one click a look they would fall to 183, for 129 looks."""


class _OpeningOdds:
    """A board and an opinion of it, by flat indices `row * cols + col`."""

    def __init__(self, board: Board, analysis: Analysis) -> None:
        chance = analysis.mine_probability.ravel()
        self._rows, self._cols = board.rows, board.cols
        self.around = neighbours(board.rows, board.cols)
        self.safe: list[int] = np.flatnonzero(chance == 0.0).tolist()
        """Proved free of mines, row by row."""
        self._chance = chance
        self._clear: list[float] = np.where(np.isnan(chance), 1.0, 1.0 - chance).tolist()
        self._tiles = board.tiles.ravel()
        self._zeros: dict[int, float] = {}
        self._own: dict[int, float] = {}
        self._closed: dict[int, list[int]] = {}

    @cached_property
    def tiles(self) -> list[int]:
        """Tile codes."""
        tiles: list[int] = self._tiles.tolist()
        return tiles

    @cached_property
    def mines(self) -> frozenset[int]:
        """Proved mines."""
        return frozenset(np.flatnonzero(self._chance == 1.0).tolist())

    def clear(self, cell: int) -> float:
        """Probability that a cell holds no mine; rounded, and so no proof."""
        return self._clear[cell]

    def closed(self, cell: int) -> list[int]:
        """Return the neighbours that are not opened."""
        if cell not in self._closed:
            tiles = self.tiles
            self._closed[cell] = [index for index in self.around[cell] if tiles[index] < 0]
        return self._closed[cell]

    def within(self, cell: int, distance: int) -> list[int]:
        """Return the cells at most so many rows and columns away, the cell itself among them."""
        row, col = divmod(cell, self._cols)
        left = max(col - distance, 0)
        right = min(col + distance, self._cols - 1)
        return [
            index
            for begin in range(max(row - distance, 0), min(row + distance + 1, self._rows))
            for index in range(begin * self._cols + left, begin * self._cols + right + 1)
        ]

    def flagged(self, cell: int) -> bool:
        """Return whether the screen shows a flag there, right or wrong."""
        return self.tiles[cell] == FLAG

    def zero(self, cell: int) -> float:
        """Probability that a cell that is not opened shows a zero once it is."""
        if cell not in self._zeros:
            clear = self._clear
            self._zeros[cell] = clear[cell] * prod([clear[index] for index in self.around[cell]])
        return self._zeros[cell]

    def opened_by(self, zero: int) -> set[int]:
        """Return what a zero certainly opens: all around it, and around other certain zeros."""
        opened = {zero}
        queue = [zero]
        while queue:
            new = [cell for cell in self.around[queue.pop()] if cell not in opened]
            opened.update(new)
            queue += [cell for cell in new if self.zero(cell) == 1.0]
        return opened

    def own(self, cell: int) -> float:
        """Probability that a safe cell needs a click of its own: no other zero opens it."""
        if cell not in self._own:
            opened = max((self.zero(index) for index in self.closed(cell)), default=0.0)
            self._own[cell] = max(1.0 - opened, self.zero(cell))
        return self._own[cell]


def _needed_opens(outlook: _OpeningOdds) -> list[int]:
    """Return the safe cells, less those that a likely zero among them opens anyway.

    What is left out stays proved safe: it is opened after another look, where need be. A
    game's end does not depend on it, because nothing is guessed while a safe cell is left.
    """
    waiting: set[int] = set()
    chosen = []
    for cell in sorted(outlook.safe, key=outlook.zero, reverse=True):
        if cell in waiting:
            continue
        chosen.append(cell)
        if outlook.zero(cell) >= LIKELY:
            waiting |= outlook.opened_by(cell)
    return sorted(chosen)
