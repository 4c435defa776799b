"""Choose moves from an analysis: which cells are opened, flagged or chorded, and in what order.

`plan` opens proved safe cells; it guesses only if there are none. Which of them it opens depends
on the `Style`:

- Without chords it leaves out a safe cell that a zero beside it will probably open anyway.
- `Style.CHORDS` minimises clicks. A chord on a hint opens all its neighbours without a flag, for
  one click and the flags that are still missing. The Minesweeper community calls 3BV divided by
  the clicks, including flags, the efficiency of a game; without chords it is at most 100 %.

Chords are chosen greedily, as by the community's 'ZiNi' count (minesweepergame.com/statistics.php),
which estimates the least number of clicks with all mines known: first the chord with the highest
*premium*, the clicks that it saves less those that it costs. Here only proved cells are known, so
there are three additions. A cell that a zero may open counts as much as it probably needs its own
click. A flag costs less, the more cells around it later chords may open. Cells that no chord opens
with profit are opened one by one: first those that may be zeros, last those that a hint beside them
may open later.

One turn only contains steps that are far apart: after the next reading the choice is better
informed. One step per reading gave 114.8 % on 50 won Expert games with 111 readings; this gives
113.2 % with 66.

Probabilities of zeros assume that the neighbours of a cell hold their mines independently;
certainties stay certain.
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
    """The kind of a move."""

    OPEN = "open"
    FLAG = "flag"
    CHORD = "chord"
    RESTART = "restart"


@dataclass(frozen=True)
class Move:
    """One action in the game's window."""

    action: Action
    cell: Cell | None = None
    """The move's cell; None for a restart."""
    risk: float = 0.0
    """Probability that the move loses the game: 0.0 is a proof of safety."""


class Style(Enum):
    """A style of play."""

    NO_FLAGS = "no flags"
    """Opens only: few clicks and few readings."""
    FLAGS = "flags"
    """Also flags every proved mine."""
    CHORDS = "chords"
    """Chords, and flags only for them: the fewest clicks, but more readings."""
    HUNT = "hunt"
    """For the game of digging: one dig; once all mines are known, a flag on each that was not
    dug."""


def plan(board: Board, analysis: Analysis, style: Style = Style.NO_FLAGS) -> tuple[Move, ...]:
    """Return the moves of one turn: proved moves, or the best guess if nothing is safe.

    A safe cell that is left out is opened after the next reading if necessary. A flag on a cell
    that is to be opened is removed first: programs do not open a flagged cell.

    Returns:
        Moves in an order that keeps the pointer's path short; empty if nothing is left to open.
    """
    if style is Style.HUNT:
        return _ordered(_guess(board, analysis) or _flags(board, analysis))
    odds = _OpeningOdds(board, analysis)
    if style is Style.CHORDS and odds.safe:
        return _chord_moves(board, odds)
    safe = (Cell(*divmod(index, board.cols)) for index in _needed_opens(odds))
    clicks = {cell: _opening(board, cell) for cell in safe} or _guess(board, analysis)
    if style is Style.FLAGS:
        clicks |= _flags(board, analysis)
    return _ordered(clicks)


def independent(board: Board, analysis: Analysis, moves: tuple[Move, ...]) -> tuple[Move, ...]:
    """Return those moves of a turn that open no cell which an earlier one of them may open.

    In some programs a click on an opened number opens its neighbours, mines included: a cell that
    may open with an earlier one of the same turn is left to the next reading. Cells that cannot be
    zeros open nothing else and come first.

    Args:
        board: The board of the moves.
        analysis: The analysis of the board.
        moves: The moves that `plan` chose.

    Returns:
        The remaining moves: at least one if there was one.
    """
    odds = _OpeningOdds(board, analysis)
    chosen: list[Move] = []
    opened: set[int] = set()
    centres: set[int] = set()
    flooding = [
        move.action is not Action.FLAG and any(map(odds.may_be_zero, _opens(board, odds, move)))
        for move in moves
    ]
    for _, move in sorted(zip(flooding, moves, strict=True), key=lambda one: one[0]):
        cells = _opens(board, odds, move)
        if move.action is Action.OPEN and not opened.isdisjoint(cells):
            continue
        if move.action is Action.CHORD and move.cell is not None:
            centre = move.cell.row * board.cols + move.cell.col
            if board[move.cell] < 0 and centre not in centres:
                # The move that would open it was left out.
                continue
        chosen.append(move)
        centres.update(cells)
        opened |= odds.may_open(cells)
    return tuple(chosen)


def _opens(board: Board, odds: _OpeningOdds, move: Move) -> list[int]:
    """Return the cells that a move opens itself, as flat indices."""
    if move.cell is None or move.action is Action.FLAG:
        return []
    index = move.cell.row * board.cols + move.cell.col
    if move.action is Action.OPEN:
        return [index]
    return [cell for cell in odds.covered_neighbours(index) if cell not in odds.mines]


def describe_moves(board: Board, analysis: Analysis, moves: tuple[Move, ...]) -> Analysis:
    """Return the analysis with a best cell and a reason that describe the moves.

    Any of several proved cells is as good as the solver's best one: the first one opened is
    described. The plan may leave out the best cell because another move probably opens it, and a
    turn may consist of a single flag.

    Args:
        board: The analysed board.
        analysis: A solver's; its reason is about `analysis.best`.
        moves: The planned moves.

    Returns:
        `analysis` if the first move opens its best cell, if any move does and the solver gives
        the reason, or if nothing is opened or flagged; else with the first opened cell (`explain`
        finds the reason), or with a reason for the flag.
    """
    opened = _opened(board, analysis, moves)
    described = opened[:1] if analysis.reason is None else opened
    if not moves or analysis.best in described:
        return analysis
    if opened:
        return replace(analysis, best=opened[0], reason=None, evidence=NO_EVIDENCE)
    flagged = next((move.cell for move in moves if move.cell is not None), None)
    if flagged is None:
        return analysis
    reason = f"a flag on a proved mine at {flagged.position_text}"
    if analysis.mine_probability[flagged] != 1.0:
        reason = f"the flag at {flagged.position_text} is on no mine and is removed"
    return replace(analysis, reason=reason, evidence=Evidence((), (flagged,)))


def _opened(board: Board, analysis: Analysis, moves: tuple[Move, ...]) -> list[Cell]:
    """Return the cells that the moves open, in order, without those that zeros open."""
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
"""The moves at each cell."""


def _ordered(clicks: _Clicks) -> tuple[Move, ...]:
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
    """Return the right clicks: each sets or removes a flag, or covers a question mark."""
    return (Move(Action.FLAG, cell),) * (2 if board[cell] == QUESTION else 1)


def _chord_moves(board: Board, odds: _OpeningOdds) -> tuple[Move, ...]:
    def cell_of(index: int) -> Cell:
        return Cell(*divmod(index, board.cols))

    steps = {cell_of(step.cell): step for step in _plan_chords(odds)}
    moves: list[Move] = []
    clicked: set[int] = set()
    for cell in short_path(steps):
        step = steps[cell]
        missing = [index for index in step.flags if index not in clicked]
        clicked.update(missing)
        moves += _ordered({cell_of(index): _flagging(board, cell_of(index)) for index in missing})
        if step.opens:
            moves.append(Move(Action.OPEN, cell))
        if step.chords:
            moves.append(Move(Action.CHORD, cell))
    return tuple(moves)


_MOST_FOR_2OPT: Final = 16
"""Largest number of cells for which 2-opt is tried: its cost grows with the square. For three to
nine safe cells it finds the shortest path in 95 to 98 % of cases; nearest first alone does in
83 %."""
_ROUNDING: Final = 1e-9
"""Shorter gains, in cells, are rounding errors."""


def short_path(cells: Iterable[Cell]) -> list[Cell]:
    """Return the cells in an order that keeps the path through them short.

    Nearest neighbour first, then 2-opt: reverse parts of the path as long as that shortens it. The
    path starts at the end nearer to the upper left corner, as one reads.

    Args:
        cells: The cells, without duplicates.

    Source: the 2-opt exchange of G. A. Croes, Operations Research 6 (1958).
    """
    path = _nearest_first(cells)
    if 2 < len(path) <= _MOST_FOR_2OPT:
        path = _two_opt(path)
    if path and sum(path[-1]) < sum(path[0]):
        path.reverse()
    return path


def _nearest_first(cells: Iterable[Cell]) -> list[Cell]:
    left = dict.fromkeys(cells)
    here = next(iter(left), None)
    path: list[Cell] = []
    while here is not None:
        del left[here]
        path.append(here)
        here = _nearest(here, left)
    return path


def _nearest(here: Cell, cells: Collection[Cell]) -> Cell | None:
    """Return a cell with the smallest distance."""
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
"""Offsets within a distance of three, nearest first: with many cells, checking these is faster
than measuring all distances."""


def _two_opt(path: list[Cell]) -> list[Cell]:
    far = [[dist(one, other) for other in path] for one in path]
    order = list(range(len(path)))
    last = len(path) - 1
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
    return [path[place] for place in order]


@dataclass(frozen=True)
class _Chords:
    """Weights of the choice of chords, in clicks.

    Flat optima on 50 won Expert games (`python -m tests.benchmarks.planner --levels expert`). The
    effects were measured on 250 other games with 149.9 clicks and 65 readings each.
    """

    shared: float = 0.2
    """Discount of a flag for every covered safe cell beside it; 0.15 to 0.3 differ by less than
    1 %. 0 costs 1.8 +- 0.6 clicks and 4.0 +- 1.2 readings a game."""
    centre: float = 0.1
    """Value of a cell as the centre of a later chord, for each click that it may save. 0 costs 0.6
    +- 0.5 clicks and 0.9 +- 0.9 readings a game."""
    as_good: float = 0.3
    """Clicks by which a single click may be worse than the best one of the same turn. On the 50
    games 0 saves 0.5 % of the clicks for 30 % more readings; no limit costs 2.4 % of the clicks."""
    apart: int = 3
    """Distance in cells: the steps of one turn open cells that are further apart in rows or
    columns. On the 50 games 0 costs 8.4 % of the clicks, for 31 % fewer readings."""


_CHORDS: Final = _Chords()


class _Step(NamedTuple):
    """Clicks that belong together: flags, then one cell to open, then a chord."""

    cell: int
    """The cell to open, or the chord's centre, or both; a flat index."""
    flags: tuple[int, ...] = ()
    """Cells whose flag is set, or removed if it is wrong."""
    opens: bool = False
    chords: bool = False


class _Chord(NamedTuple):
    premium: float
    step: _Step
    opened: frozenset[int]


def _plan_chords(odds: _OpeningOdds) -> list[_Step]:
    """Return steps that open safe cells with few clicks.

    Every chord is legal once the step's flags are set: as many flags as the hint counts, all on
    proved mines. At least one safe cell is opened if there is one. Two steps may name the same
    flag; it is set once.
    """
    chooser = _ChordChooser(odds)
    steps: list[_Step] = []
    near: set[int] = set()
    for chord in chooser.chords():
        if near.isdisjoint(chord.opened):
            steps.append(chord.step)
            near |= chooser.near(chord.opened)
    singles = chooser.singles()
    best = singles[0][0] if singles else 0.0
    for worth, cell in singles:
        if steps and worth < best - _CHORDS.as_good:
            break
        if cell not in near:
            flags = (cell,) if odds.is_flagged(cell) else ()
            steps.append(_Step(cell, flags, opens=True))
            near |= chooser.near((cell,))
    return steps


class _ChordChooser:
    """Values chords and single clicks, in clicks saved."""

    def __init__(self, odds: _OpeningOdds) -> None:
        self._odds = odds
        self._safe = frozenset(odds.safe)
        self._premiums: dict[int, float] = {}
        self._needed: dict[int, float] = {}

    def near(self, opened: Iterable[int]) -> set[int]:
        """Return the cells close to the opened ones, and those that are opened with them."""
        odds = self._odds
        near: set[int] = set()
        for cell in opened:
            near.update(odds.within(cell, _CHORDS.apart))
            if odds.zero_probability(cell) == 1.0:
                near |= odds.opened_by(cell)
        return near

    def chords(self) -> list[_Chord]:
        """Return the chords with a positive premium, best first, each valued by itself."""
        odds = self._odds
        centres = set(odds.safe)
        for cell in odds.safe:
            centres.update(index for index in odds.around[cell] if odds.tiles[index] > 0)
        found = (self._chord(centre) for centre in centres)
        paying = [chord for chord in found if chord is not None and chord.premium > 0]
        return sorted(paying, key=lambda chord: (-chord.premium, chord.step.cell))

    def _chord(self, centre: int) -> _Chord | None:
        """Return the chord on a hint, or on a safe cell whose hint is certain; else None."""
        odds = self._odds
        closed = odds.covered_neighbours(centre)
        safe = self._safe.intersection(closed)
        mines = [index for index in closed if index in odds.mines]
        if not safe or not mines or len(safe) + len(mines) < len(closed):
            return None
        missing = [index for index in mines if not odds.is_flagged(index)]
        wrong = [index for index in safe if odds.is_flagged(index)]
        premium = sum(map(odds.own_click_probability, safe)) - 1.0 - len(wrong)
        premium -= sum(self._price(index, safe) for index in missing)
        opens = odds.tiles[centre] < 0
        if opens:
            premium += odds.own_click_probability(centre) - 1.0
            safe |= {centre}
            if odds.is_flagged(centre):
                wrong.append(centre)
                premium -= 1.0
        step = _Step(centre, (*missing, *wrong), opens, chords=True)
        return _Chord(premium, step, safe)

    def singles(self) -> list[tuple[float, int]]:
        """Return every safe cell with the value of a click on it, best first."""
        odds = self._odds
        worth = []
        for cell in odds.safe:
            value = (
                odds.zero_probability(cell)
                + odds.own_click_probability(cell)
                + _CHORDS.centre * self._expected_premium(cell)
            )
            hints = (index for index in odds.around[cell] if odds.tiles[index] > 0)
            value -= max(0.0, max(map(self._expected_premium, hints), default=0.0))
            worth.append((value, cell))
        return sorted(worth, key=lambda one: (-one[0], one[1]))

    def _expected_premium(self, centre: int) -> float:
        """Return the mean premium of a chord on a cell once all its neighbours are known."""
        if centre not in self._premiums:
            odds = self._odds
            premium = -1.0
            for index in odds.covered_neighbours(centre):
                if odds.is_flagged(index):
                    continue
                safe = odds.safe_probability(index)
                premium += safe * odds.own_click_probability(index)
                if safe < 1.0:
                    premium -= (1.0 - safe) * self._price(index)
            self._premiums[centre] = premium
        return self._premiums[centre]

    def _price(self, mine: int, opened: frozenset[int] = frozenset()) -> float:
        """Return the share of a flag's click that this chord pays; later chords pay the rest.

        Args:
            mine: The flagged cell.
            opened: Safe cells that are open by then: no later chord needs the flag for them.
        """
        odds = self._odds
        if mine not in self._needed:
            self._needed[mine] = sum(map(odds.safe_probability, odds.covered_neighbours(mine)))
        left = self._needed[mine]
        if opened:
            left -= len(opened.intersection(odds.around[mine]))
        return max(1.0 - _CHORDS.shared * left, 0.0)


_LIKELY_ZERO: Final = 0.3
"""Least probability of a zero for which its neighbours wait. On 40 won Expert games it reduced the
clicks from 229 to 201 a game, with 28 readings instead of 26; 0.5 gave 212 and 27, 0.1 gave 199
and 30; one click per reading would give 183 and 129."""


class _OpeningOdds:
    """Expected clicks that cells need, by flat indices `row * cols + col`."""

    def __init__(self, board: Board, analysis: Analysis) -> None:
        chance = analysis.mine_probability.ravel()
        self._rows, self._cols = board.rows, board.cols
        self.around = neighbours(board.rows, board.cols)
        self.safe: list[int] = np.flatnonzero(chance == 0.0).tolist()
        """Proved free of mines, row by row."""
        self._chance = chance
        self._safe_probability: list[float] = np.where(np.isnan(chance), 1.0, 1.0 - chance).tolist()
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

    def safe_probability(self, cell: int) -> float:
        """Return the probability that a cell is safe; rounded, so 1.0 is no proof."""
        return self._safe_probability[cell]

    def covered_neighbours(self, cell: int) -> list[int]:
        """Return the covered neighbours."""
        if cell not in self._closed:
            tiles = self.tiles
            self._closed[cell] = [index for index in self.around[cell] if tiles[index] < 0]
        return self._closed[cell]

    def within(self, cell: int, distance: int) -> list[int]:
        """Return the cells at most so many rows and columns away, including the cell itself."""
        row, col = divmod(cell, self._cols)
        left = max(col - distance, 0)
        right = min(col + distance, self._cols - 1)
        return [
            index
            for begin in range(max(row - distance, 0), min(row + distance + 1, self._rows))
            for index in range(begin * self._cols + left, begin * self._cols + right + 1)
        ]

    def is_flagged(self, cell: int) -> bool:
        """Return whether the cell shows a flag, right or wrong."""
        return self.tiles[cell] == FLAG

    def zero_probability(self, cell: int) -> float:
        """Return the probability that a covered cell is a zero."""
        if cell not in self._zeros:
            safe = self._safe_probability
            self._zeros[cell] = safe[cell] * prod([safe[index] for index in self.around[cell]])
        return self._zeros[cell]

    def opened_by(self, zero: int) -> set[int]:
        """Return the cells that a zero certainly opens, including those of other certain zeros."""
        opened = {zero}
        queue = [zero]
        while queue:
            new = [cell for cell in self.around[queue.pop()] if cell not in opened]
            opened.update(new)
            queue += [cell for cell in new if self.zero_probability(cell) == 1.0]
        return opened

    def may_be_zero(self, cell: int) -> bool:
        """Return whether a covered cell can be a zero."""
        safe = self._safe_probability
        return safe[cell] > 0 and all(safe[index] > 0 for index in self.around[cell])

    def may_open(self, cells: Iterable[int]) -> set[int]:
        """Return the cells that may open when these are opened, including them."""
        opened = set(cells)
        queue = [cell for cell in opened if self.may_be_zero(cell)]
        while queue:
            new = [cell for cell in self.covered_neighbours(queue.pop()) if cell not in opened]
            opened.update(new)
            queue += filter(self.may_be_zero, new)
        return opened

    def own_click_probability(self, cell: int) -> float:
        """Return the probability that a safe cell needs its own click: no other zero opens it."""
        if cell not in self._own:
            opened = max(
                (self.zero_probability(index) for index in self.covered_neighbours(cell)),
                default=0.0,
            )
            self._own[cell] = max(1.0 - opened, self.zero_probability(cell))
        return self._own[cell]


def _needed_opens(odds: _OpeningOdds) -> list[int]:
    """Return the safe cells without those that a likely zero among them opens anyway.

    A cell that is left out stays proved safe and is opened after the next reading if necessary. The
    result of a game does not depend on it: nothing is guessed while a safe cell is left.
    """
    waiting: set[int] = set()
    chosen = []
    for cell in sorted(odds.safe, key=odds.zero_probability, reverse=True):
        if cell in waiting:
            continue
        chosen.append(cell)
        if odds.zero_probability(cell) >= _LIKELY_ZERO:
            waiting |= odds.opened_by(cell)
    return sorted(chosen)
