"""Fewer clicks than 3BV: which mines are worth a flag, and where a chord pays.

A chord on a hint opens all its neighbours that carry no flag, for one click and the flags
that are still missing. The Minesweeper community calls 3BV divided by the clicks, flags
among them, the efficiency of a game; without chords 100 % is the bound.

Chosen is greedily, as by its 'ZiNi' count (minesweepergame.com/statistics.php), which
reckons the least number of clicks with all mines known: the chord with the highest
*premium* first, which is the clicks that it saves less those that it costs. Here only
what is proved is known, so three things come on top. A cell that a zero may open counts
as much as it is likely to need its own click. A flag costs the less, the more cells around it
later chords may open. And what no chord opens with profit is opened one by one: first the
cells that may be zeros, last those that a hint beside them may open later.

Only steps that lie apart are taken at one go; the next look chooses better than a guess
at what they show. One step a look gave 114.8 % on 50 won Expert games, for 111 looks; this
gives 113.2 % for 66. The figures below are flat optima on the same games: 0.15 to 0.3 for the
first, 0.5 to 0.7 for the second, change the efficiency by less than a point.

What a click on a cell is likely to be worth: which cells are zeros, and what they will open.

A zero opens its neighbours, so a click on one of those before it is a click for nothing.
Whether a cell proved safe is a zero is estimated as if its neighbours held their mines
independently of each other; certainties stay certain.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from math import prod
from typing import Final, NamedTuple

import numpy as np

from bot.analysis import Analysis
from bot.board import FLAG, Board, neighbours

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


class Step(NamedTuple):
    """Clicks that belong together: flags, then a cell to open, then a chord."""

    cell: int
    """Which is opened, or the chord's centre, or both; a flat index."""
    flags: tuple[int, ...] = ()
    """Cells whose flag is set, or taken away where it is wrong."""
    opens: bool = False
    chords: bool = False


class _Chord(NamedTuple):
    premium: float
    step: Step
    opened: frozenset[int]


def thrifty(outlook: Outlook) -> list[Step]:
    """Return what opens safe cells with the fewest clicks.

    Every chord is legal once the step's flags are set: it then has as many flags around it
    as it counts, all on proved mines. At least one safe cell is opened where there is one.
    Two steps may name the same flag: it is set once.
    """
    chooser = _Chooser(outlook)
    steps: list[Step] = []
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
            steps.append(Step(cell, flags, opens=True))
            near |= chooser.near((cell,))
    return steps


class _Chooser:
    def __init__(self, outlook: Outlook) -> None:
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
        step = Step(centre, (*missing, *wrong), opens, chords=True)
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


class Outlook:
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


def without_waste(outlook: Outlook) -> list[int]:
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
