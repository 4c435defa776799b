"""The labelling problem of a board: its kinds, their changes, and the evidence for states."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.board import COVERED, FLAG, QUESTION, UNREAD
from vision.digits import NO_DIGIT, SYMBOLS, glyph_masks, read_glyphs, read_symbols
from vision.learning.clustering import Grouping
from vision.learning.evidence import (
    AT,
    AT_ONCE,
    Floats,
    Past,
    Reading,
    adds_to,
    another_of,
    appearance,
    beside_zero,
    ground_distance,
    kin_mark,
    other_mark,
    same_mark,
    with_addition,
)
from vision.learning.features import Features, equal_parts, legible, same_part
from vision.learning.rules import near
from vision.skins.skin import Flood


@dataclass(frozen=True)
class PuzzleLimits:
    """Limits of what is compared and read of the tiles of a board.

    Measured by `python -m tests.benchmarks.learning`; `vision/RESULTS.md` says what single ones
    are worth.
    """

    many: int = 12
    """More flags than a player sets from one picture to the next on a board without a hint."""
    common: int = 4
    """Least number of tiles of a kind that shows on which cells of a checkered board it is."""
    counted: float = 0.995
    """Probability that a mark of several equal parts, such as dots and strokes, is a hint that
    counts them. No picture of the bundled skins or of 870 synthetic ones has such parts."""
    not_written: float = 0.2
    """Probability of a digit below which parts are counted: of 4000 digits of seven segments 251
    have equal parts, and all reach it; dots and strokes reach 0.12."""


_PUZZLE: Final = PuzzleLimits()


class History:
    """Record of the changes of kinds.

    Attributes:
        past: The record of each kind.
        came: The kinds of tiles that were certainly covered at the previous reading, one entry per
            tile.
    """

    def __init__(self) -> None:
        self.past: list[Past] = []
        self.came: list[int] = []

    def grow(self, kinds: int) -> None:
        """Extend the record to the given number of kinds."""
        self.past.extend(Past() for _ in range(kinds - len(self.past)))

    def forget(self) -> None:
        """Clear the record."""
        self.past = [Past() for _ in self.past]

    def note(
        self,
        last: NDArray[np.intp],
        cells: NDArray[np.intp],
        was: NDArray[np.int8],
        now: NDArray[np.int8],
    ) -> None:
        """Compare two readings: their kinds (rows, cols), and the states as far as known now."""
        for past in self.past:
            past.came = past.blind = past.unlike_flag = 0
        changed = last != cells
        before, after = was[changed], now[changed]
        self.came = cells[changed][before == COVERED].tolist()
        if ((was == FLAG) & (now == FLAG)).any():
            for kind in cells[changed & (was == FLAG)].tolist():
                self.past[kind].unlike_flag += 1
        unseen = cells[changed & (was == COVERED) & (near(now >= 0) == 0)]
        begun = bool((now >= 0).any())
        for kind, tiles in zip(*np.unique(unseen, return_counts=True), strict=True):
            self.past[kind].blind = int(tiles) * begun
            self.past[kind].massed |= bool(tiles >= _PUZZLE.many) and not begun
        for kind in self.came:
            self.past[kind].came += 1
        gone = (before == COVERED) & ~np.isin(after, (COVERED, FLAG, QUESTION))
        if (gone & (after >= 0)).any() or gone.sum() >= AT_ONCE:
            # Covered cells have gone, so the game was on before: the previous tiles do not end a
            # game.
            for kind in np.unique(last).tolist():
                self.past[kind].went_on += 1


def overlaid(
    last: NDArray[np.intp] | None,
    cells: NDArray[np.intp],
    was: NDArray[np.int8],
    now: NDArray[np.int8],
    shows: Callable[[int, int], bool],
) -> bool:
    """Return whether something covers opened cells, which never change during a game.

    KMines shows a message over its board when a game is over, for some seconds. `last` and `cells`
    are (rows, cols) kinds, `was` and `now` their states, UNREAD if unknown; `shows` returns whether
    a kind may be an opened cell of a state.
    """
    if last is None or last.shape != cells.shape:
        return False
    if ((was >= 0) & (now != UNREAD) & (now != was)).any() or (cells == cells[0, 0]).all():
        # It is another game; a message does not make all cells alike.
        return False
    pairs = {*zip(*(of[(was >= 0) & (now == UNREAD)].tolist() for of in (cells, was)), strict=True)}
    return not all(shows(kind, state) for kind, state in pairs)


def turns(
    last: NDArray[np.intp] | None, cells: NDArray[np.intp], kinds: Sequence[int]
) -> NDArray[np.intp]:
    """Return (k, k): the number of tiles of one kind at the previous reading and of the other now.

    Kinds that are not among the (k,) sorted ones do not count.
    """
    table = np.zeros((len(kinds), len(kinds)), np.intp)
    if last is not None and last.shape == cells.shape:
        counted = (last != cells) & np.isin(last, kinds) & np.isin(cells, kinds)
        pairs = np.searchsorted(kinds, last[counted]), np.searchsorted(kinds, cells[counted])
        np.add.at(table, pairs, 1)
    return table


Cells = NDArray[np.intp]

ONE_GROUND: Final = 4.0
"""Largest distance of backgrounds at which two kinds may be one state in two shades."""

Bools = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Puzzle:
    """A board to be labelled. Its kinds are numbered 0..k-1."""

    cells: NDArray[np.intp]
    """(rows, cols): the kind of each tile."""
    features: list[Features]
    """(k,)"""
    scores: Floats
    """(k, 16), by `LABELS`."""
    beside_zero: Floats
    """(k, 16): the scores to add to a kind if a tile of it is beside a zero."""
    settled: dict[int, int]
    """Kind -> state, if known. Such kinds need not be on this board."""
    apart: Floats
    """(k, k): `ground_distance` of each pair."""
    same: NDArray[np.bool_]
    """(k, k): `same_mark` of each pair."""
    kin: NDArray[np.bool_]
    """(k, k): `kin_mark` of each pair."""
    unlike: NDArray[np.bool_]
    """(k, k): `other_mark` of each pair."""
    adds: NDArray[np.bool_]
    """(k, k): whether one mark is the other with an addition."""
    came: list[int]
    """(k,): number of tiles that were certainly covered at the previous reading."""
    became: NDArray[np.intp]
    """(k, k): number of tiles of one kind at the previous reading and of the other now."""
    opened: list[bool]
    """(k,): whether a covered tile changed into it by a click that opens."""
    familiar: bool = False
    """Whether covered cells were known before this reading."""
    mines: int | None = None
    flood: Flood | None = None
    """The neighbours that a zero opens."""
    by_clicks: bool = True
    """Whether no more covered tiles have changed than were clicked: zeros may open nothing."""
    at_rest: bool = False
    """Whether the board has been unchanged for so long that nothing temporary covers a tile."""

    def elsewhere(self) -> NDArray[np.bool_]:
        """Return (k, k): which pairs of kinds are on different shades of a checkered board.

        A board is checkered if each kind, but for rare ones, is on the cells of one shade alone.
        """
        odd = np.add.outer(*map(np.arange, self.cells.shape)) % 2 == 1
        size = len(self.features)
        on_odd, on_even = (np.bincount(self.cells[of], minlength=size) for of in (odd, ~odd))
        common = on_odd + on_even >= _PUZZLE.common
        pure = (on_odd == 0) != (on_even == 0)
        shades = [int((common & (of > 0)).sum()) for of in (on_odd, on_even)]
        if not pure[common].all() or min(shades) < 1:
            return np.zeros((size, size), np.bool_)
        shade = on_odd > 0
        apart: NDArray[np.bool_] = pure[:, None] & pure[None] & (shade[:, None] != shade[None])
        return apart

    def replaced(self) -> NDArray[np.bool_]:
        """Return (k, k): whether one kind replaced another with a similar mark, now gone."""
        counts = np.bincount(self.cells.ravel(), minlength=len(self.features))
        whole = (counts[:, None] == self.became.T) & (counts > 0)[:, None]
        found: NDArray[np.bool_] = whole & (counts == 0)[None] & self.kin
        return found

    def alike(self, one: int, other: int) -> bool:
        """Return whether two kinds may be one state in two shades."""
        return bool(self.same[one, other]) and self.apart[one, other] < ONE_GROUND


def mark_of(
    features: Features, picture: NDArray[np.uint8], grounds: Sequence[NDArray[np.float32]] = ()
) -> Reading:
    """Return the results of the readers of digits and of symbols for a kind's picture.

    Large dots may hide most of a tile's background: it may be one of the board's `grounds` instead.
    """
    if features.plain:
        return Reading(np.eye(11)[10], 0.0)
    small = legible(picture)
    masks = glyph_masks(small[None])
    read, symbols = read_glyphs(masks), read_symbols(masks)[0].astype(np.float64)
    question = min(float(read.question[0]), float(symbols[SYMBOLS.index(QUESTION)]))
    digits = read.scores[0].astype(np.float64)
    parts = [equal_parts(small, ground) for ground in (features.ground, *grounds)]
    count, part = next((one for one in parts if 2 <= one[0] <= 8), parts[0])
    if not 1 <= count <= 8 or digits[:NO_DIGIT].max() >= _PUZZLE.not_written:
        return Reading(digits, question, symbols)
    return Reading(
        digits if count == 1 else _counted(digits, count), question, symbols, count, part
    )


def _counted(digits: Floats, count: int) -> Floats:
    """Return (11,) probabilities of a mark that counts to a number by its parts."""
    digits = (1 - _PUZZLE.counted) * digits
    digits[count] += _PUZZLE.counted
    return digits


def _with_ones(readings: Mapping[int, Reading]) -> dict[int, Reading]:
    """Return the readings of a board's kinds: where marks count by parts, a single part is a 1."""
    several = [one.part for one in readings.values() if one.parts > 1 and one.part is not None]
    return {
        kind: replace(one, digits=_counted(one.digits, 1))
        if one.parts == 1
        and one.part is not None
        and any(same_part(one.part, other) for other in several)
        else one
        for kind, one in readings.items()
    }


def kinds_of(cells: Cells, last: Cells | None, settled: Mapping[int, int]) -> list[int]:
    """Return the kinds of a puzzle: those on the board, and those that give evidence about them.

    Settled kinds that are absent still show backgrounds; those of the previous reading show
    changes.
    """
    before = np.unique(last).tolist() if last is not None and last.shape == cells.shape else []
    return sorted({*np.unique(cells).tolist(), *settled, *before})


def pose(
    cells: Cells,
    last: Cells | None,
    settled: Mapping[int, int],
    features: Sequence[Features],
    readings: Sequence[Reading],
    history: History,
    relations: Relations,
    mines: int | None,
    *,
    flood: Flood | None,
    at_rest: bool,
    clicks: int,
) -> Puzzle:
    """Return the puzzle of a reading with kinds (rows, cols) and the previous kinds `last`.

    `settled` is kind -> state. A board `at_rest` has been unchanged for some seconds. `clicks` is
    the number of cells that were clicked to open them, as far as known.
    """
    kinds = kinds_of(cells, last, settled)
    local = np.searchsorted(kinds, cells)
    counts = np.bincount(local.ravel(), minlength=len(kinds))
    became = turns(last, cells, kinds)
    here = _with_ones({kind: readings[kind] for kind in kinds})
    # As many of the kinds that have gone as there were.
    tiles = np.where(counts > 0, counts, became.sum(axis=1))
    scores = np.stack(
        [
            appearance(features[kind], here[kind], int(count), history.past[kind], at_rest=at_rest)
            for kind, count in zip(kinds, tiles, strict=True)
        ]
    )
    scores[(counts == 0) & (tiles > 0), AT[UNREAD]] = -np.inf
    if np.count_nonzero(counts) == 1:
        # In any style: nothing else fills a whole board.
        scores[counts > 0] = -np.inf
        scores[counts > 0, AT[COVERED]] = 0.0
    apart, same, kin, unlike, adds = relations.table(kinds)
    puzzle = Puzzle(
        cells=local,
        features=[features[kind] for kind in kinds],
        scores=scores,
        beside_zero=np.stack(
            [beside_zero(features[kind].plain, here[kind], at_rest=at_rest) for kind in kinds]
        ),
        settled={at: settled[kind] for at, kind in enumerate(kinds) if kind in settled},
        apart=apart,
        same=same,
        kin=kin,
        unlike=unlike,
        adds=adds,
        came=[history.came.count(kind) for kind in kinds],
        became=became,
        opened=[history.past[kind].opened for kind in kinds],
        familiar=COVERED in settled.values(),
        mines=mines,
        flood=flood,
        by_clicks=len(history.came) <= max(clicks, 1),
        at_rest=at_rest,
    )
    _not_twice(puzzle, counts)
    return puzzle


def _not_twice(puzzle: Puzzle, counts: NDArray[np.intp]) -> None:
    """Count the shape evidence of each mark only once."""
    scores = puzzle.scores
    for at in np.flatnonzero(puzzle.adds.any(axis=1)).tolist():
        scores[at] = with_addition(scores[at], int(counts[at]))
    again = np.tril(puzzle.same, -1) & (puzzle.apart < ONE_GROUND)
    for at in np.flatnonzero(again.any(axis=1)).tolist():
        scores[at] = another_of(scores[at])


class Relations:
    """Cache of comparisons; kinds are numbered as in a grouping."""

    def __init__(self, grouping: Grouping) -> None:
        self._grouping = grouping
        self._known: dict[tuple[int, int], tuple[float, bool, bool, bool, bool]] = {}

    def table(self, kinds: Sequence[int]) -> tuple[Floats, Bools, Bools, Bools, Bools]:
        """Return (k, k) tables: `ground_distance`, `same_mark`, `kin_mark` and others."""
        pairs = np.array([[self._of(one, other) for other in kinds] for one in kinds])
        apart, same, kin, unlike, adds = np.moveaxis(pairs, 2, 0)
        return apart, same > 0, kin > 0, unlike > 0, adds > 0

    def _of(self, one: int, other: int) -> tuple[float, bool, bool, bool, bool]:
        if (one, other) not in self._known:
            a, b = self._grouping.features[one], self._grouping.features[other]
            same = same_mark(a, b) and not self._grouping.other_digits(one, other)
            kin, apart = kin_mark(a, b), ground_distance(a, b)
            unlike = other_mark(a, b)
            for key, adds in (((one, other), adds_to(a, b)), ((other, one), adds_to(b, a))):
                self._known[key] = apart, same, kin, unlike, adds
        return self._known[one, other]
