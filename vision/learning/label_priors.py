"""What is odd, or impossible, about the states of several kinds of tile together.

How well a state fits a kind by itself is `evidence`'s; here are two marks for one state, one
mark for two, ends of games that do not hang together, and boards that the game forbids.
Oddities are added to scores: they are 0 or less.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.board import COVERED, EXPLODED, FLAG, MINE, MISFLAG, QUESTION, UNREAD
from vision.learning.evidence import Floats, grounded
from vision.learning.puzzle import ONE_GROUND, Puzzle
from vision.learning.rules import feasible, possible
from vision.learning.rules import near as around

_TWICE: Final = -4.0
"""Two different marks for one state."""
_TWO_SHAPES: Final = -8.0
"""Two hints of quite different shapes for one number. What is seen once, for a moment, may have
something over it: that is only odd."""
_TWO_SYMBOLS: Final = -7.0
"""The same where the mark is no digit: what else has a mark on covered cells is a question."""
_AT_LOSS: Final = -6.0
"""Several covered cells that become flags while mines are shown."""
_ASKED_LATE: Final = -3.0
"""A question mark that comes with the mines."""
_NOT_ALL: Final = -9.0
"""A program that shows mines shows all of them, or the one that was hit alone."""
_WRONG_FLAG: Final = -3.0
"""Flags that cannot all stand on mines: it happens, but not often."""
_SPLIT: Final = -6.0
"""The same mark on like grounds for two states."""
_HIT: Final = -1.0
"""The same for the mines and the one that was hit, which may differ in its rim alone."""
_TWO_HIT: Final = -8.0
"""Nobody hits two mines, unless by opening around a hint with a wrong flag."""
_EXPLODED_UNSEEN: Final = -4.0
"""Mines and none that was hit: few programs show mines at a win."""
_TURNED: Final = {
    (FLAG, MINE): -1.0, (FLAG, EXPLODED): -6.0,
    (QUESTION, FLAG): -2.0, (QUESTION, EXPLODED): -2.0,
    **{(state, MISFLAG): -5.0 for state in (COVERED, QUESTION, MINE, EXPLODED)},
}  # fmt: skip
"""What seldom becomes of a tile from one look to the next, or never."""
_OTHERS_STAYED: Final = {(FLAG, FLAG): -2.0, (FLAG, MINE): -2.0, (COVERED, COVERED): -2.5}
"""The same where others stay what they were: only the one under the pointer is drawn anew."""
_STAYED_MOST: Final = 4
"""Tiles of a kind that count there."""
_CLICKS: Final = (8, -0.25, -3.0)
"""Clicks between two pictures that are ordinary, what each further one counts
against a win, and what they do at the most: a picture may have been left out."""
_AT_ONCE: Final = 3
"""Tiles that become flags together: those of a won game."""
_TWO_GROUNDS: Final = -5.0
"""Two very unlike empty or covered cells."""


class LabelPriors:
    """What is odd about the labels of a puzzle's kinds."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.counts: list[int] = np.bincount(
            puzzle.cells.ravel(), minlength=len(puzzle.features)
        ).tolist()
        self._replaced = puzzle.replaced()
        self._around = [
            np.unique(puzzle.cells[around(puzzle.cells == kind) > 0])
            for kind in range(len(puzzle.features))
        ]
        """Of each kind, those that are beside it."""
        self._here = np.flatnonzero(self.counts)
        self._impossible: dict[bytes, bool] = {}
        self._feasible: dict[bytes, bool] = {}

    def fit(self, kind: int, labels: NDArray[np.int8]) -> Floats:
        """(16,) how well each state fits a marked kind once plain and settled ones are named."""
        puzzle = self.puzzle
        known = [k for k in range(len(labels)) if puzzle.features[k].plain or k in puzzle.settled]
        near = {True: np.inf, False: np.inf}
        for other in known:
            code = labels[other]
            if code >= 0 or code in (COVERED, FLAG, QUESTION):
                side = bool(code >= 0)
                near[side] = min(near[side], float(puzzle.apart[kind, other]))
        fits: Floats = puzzle.scores[kind] + grounded(near[True], near[False])
        if (labels[self._around[kind]] == 0).any():
            fits = fits + puzzle.beside_zero[kind]
        return fits

    def odd(self, kind: int, code: int, labels: NDArray[np.int8]) -> float:
        """Return the penalty for one more label, given those before; never above 0."""
        if kind in self.puzzle.settled:
            return 0.0
        plain = self.puzzle.features[kind].plain
        odd = self._odd_plain(kind, code, labels) if plain else self._odd_mark(kind, code, labels)
        return odd + self._turned(kind, code, labels)

    def _odd_plain(self, kind: int, code: int, labels: NDArray[np.int8]) -> float:
        """Return the penalty for two unlike grounds without a mark for one state."""
        apart = [
            float(self.puzzle.apart[kind, other])
            for other in np.flatnonzero(labels == code).tolist()
            if self.puzzle.features[other].plain
        ]
        odd = code != UNREAD and min(apart, default=0.0) > ONE_GROUND
        return _TWO_GROUNDS if odd else 0.0

    def _odd_mark(self, kind: int, code: int, labels: NDArray[np.int8]) -> float:
        """Return the penalty for a mark's label beside those of the others, each oddity once."""
        puzzle = self.puzzle
        others = [(k, int(labels[k])) for k in np.flatnonzero(labels != UNREAD).tolist()]
        marks = [(k, its) for k, its in others if not puzzle.features[k].plain]
        odd = 0.0
        if code == COVERED and len(marks) < len(others):
            odd += _TWICE * any(its == COVERED for _, its in others)
        alike = {its for k, its in marks if puzzle.alike(kind, k)}
        if alike:
            split = _HIT if {*alike, code} == {MINE, EXPLODED} else _SPLIT
            odd += split * (alike != {code})
        elif code not in (UNREAD, MISFLAG) and any(
            its == code and not (self._replaced[kind, k] or self._replaced[k, kind])
            for k, its in marks
        ):
            odd += self._twice(kind, code, marks)
        if code == EXPLODED and any(its == code and self.counts[k] for k, its in marks):
            odd += _TWO_HIT
        if code in (FLAG, MINE, EXPLODED):
            pairs = [self._flag_at_loss(kind, k, code, its) for k, its in marks]
            odd += min(pairs, default=0.0)
        return odd

    def _twice(self, kind: int, code: int, marks: list[tuple[int, int]]) -> float:
        """Return the penalty for a state that has another mark already."""
        if code <= 0:
            return _TWO_SYMBOLS
        others = [k for k, its in marks if its == code]
        puzzle = self.puzzle
        known = all(k in puzzle.settled or self.counts[k] > 1 for k in (kind, *others))
        known |= puzzle.at_rest
        return _TWO_SHAPES if known and puzzle.unlike[kind, others].all() else _TWICE

    def _turned(self, kind: int, code: int, labels: NDArray[np.int8]) -> float:
        """Return the penalty for a label where its tiles were something else a look ago."""
        puzzle, odd = self.puzzle, 0.0
        for k in np.flatnonzero(puzzle.became[kind] * (labels != UNREAD)).tolist():
            odd += self._turned_into(code, int(labels[k]), puzzle.became[kind, k], kind)
        for k in np.flatnonzero(puzzle.became[:, kind] * (labels != UNREAD)).tolist():
            tiles, was = int(puzzle.became[k, kind]), int(labels[k])
            odd += self._turned_into(was, code, tiles, k)
        return odd

    def _turned_into(self, was: int, now: int, tiles: int, before: int) -> float:
        """Return the same for two kinds."""
        odd = _TURNED.get((was, now), 0.0)
        if self.counts[before] > 0:
            odd += _OTHERS_STAYED.get((was, now), 0.0) * min(tiles, _STAYED_MOST)
        return odd

    def _flag_at_loss(self, kind: int, other: int, code: int, its: int) -> float:
        """Return the penalty for flags that appear at a loss or resemble an exploded mine."""
        if FLAG not in (code, its) or not {code, its} & {MINE, EXPLODED}:
            return 0.0
        flag = kind if code == FLAG else other
        shown = all(self.counts[k] for k in (kind, other))
        odd = _AT_LOSS * (shown and self.puzzle.came[flag] > 2)
        if EXPLODED in (code, its):
            odd += _TWICE * bool(self.puzzle.kin[kind, other])
        return odd

    def together(self, labels: NDArray[np.int8]) -> float:
        """Return the penalty for the end of a game as the labels tell it."""
        present = set(labels[self._here].tolist())
        over = MINE in present or EXPLODED in present
        odd = 0.0
        if MISFLAG in present and not over:
            odd -= 6.0
        if over:
            odd += _ASKED_LATE * any(
                self.puzzle.came[k] for k in np.flatnonzero(labels == QUESTION)
            )
        if MINE in present and EXPLODED not in present:
            odd += _EXPLODED_UNSEEN if not self._one_may_be_hit(labels) else _HIT
        if not over and COVERED not in present:
            flags = max((self.puzzle.came[k] for k in np.flatnonzero(labels == FLAG)), default=0)
            usual, each, most = _CLICKS
            odd += max(each * max(self.puzzle.clicks - usual, 0), most) * (flags >= _AT_ONCE)
        if MINE in present:
            odd += _NOT_ALL * self._hides(labels)
        if EXPLODED in present and MINE not in present:
            odd -= 2.0
        if FLAG in present:
            mined = np.where(labels == FLAG, np.int8(MINE), labels)
            odd += _WRONG_FLAG * (not self._possible(mined[self.puzzle.cells]))
        return odd

    def _one_may_be_hit(self, labels: NDArray[np.int8]) -> bool:
        """Return whether one of the mines is drawn a little otherwise."""
        mines = np.flatnonzero(labels == MINE).tolist()
        singles = [k for k in mines if self.counts[k] == 1]
        return any(self.puzzle.alike(k, other) for k in singles for other in mines if k != other)

    def _hides(self, labels: NDArray[np.int8]) -> bool:
        """Return whether mines are shown, but fewer than the hints tell of."""
        codes = labels[self.puzzle.cells]
        shown = np.where(codes == COVERED, np.int8(MISFLAG), codes)
        return not possible(np.where(shown == FLAG, np.int8(MINE), shown), flood=self.puzzle.flood)

    def _possible(self, codes: NDArray[np.int8]) -> bool:
        return possible(codes, self.puzzle.mines, self.puzzle.flood)

    def may_be(self, labels: NDArray[np.int8]) -> bool:
        """Return whether simple deduction finds the board possible."""
        key = labels.tobytes()
        if key not in self._impossible:
            self._impossible[key] = not self._possible(labels[self.puzzle.cells])
        return not self._impossible[key]

    def stands(self, labels: NDArray[np.int8]) -> bool:
        """Return whether the solver finds it possible."""
        key = labels.tobytes()
        if key not in self._feasible:
            self._feasible[key] = feasible(labels[self.puzzle.cells])
        return self._feasible[key]
