"""What is odd, or impossible, about the states of several kinds of tile together.

How well a state fits a kind by itself is `evidence`'s; here are two marks for one state, one
mark for two, ends of games that do not hang together, and boards that the game forbids.
Oddities are added to scores: they are 0 or less.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.board import COVERED, EXPLODED, FLAG, MINE, MISFLAG, QUESTION, UNREAD
from vision.learning.evidence import Floats, grounded
from vision.learning.grouping import Traits
from vision.learning.rules import feasible, possible

_TWICE: Final = -4.0
"""Two different marks for one state."""
_TWO_SYMBOLS: Final = -7.0
"""The same where the mark is no digit: what else has a mark on covered cells is a question."""
_RICHER: Final = -6.0
"""A flag that is a question mark with something added, or the same state with it and without."""
_AT_LOSS: Final = -6.0
"""Several covered cells that become flags while mines are shown."""
_NOT_ALL: Final = -9.0
"""A program that shows mines shows all of them, or the one that was hit alone."""
_WRONG_FLAG: Final = -3.0
"""Flags that cannot all stand on mines: it happens, but not often."""
_SPLIT: Final = -6.0
"""The same mark on like grounds for two states."""
_TWO_GROUNDS: Final = -5.0
"""Two very unlike empty or covered cells."""
ONE_GROUND: Final = 4.0
"""Distance of grounds up to which two kinds may be one state in two shades."""


@dataclass(frozen=True, eq=False)
class Puzzle:
    """A board to be labelled. Its kinds are numbered 0..k-1."""

    cells: NDArray[np.intp]
    """(rows, cols) kind of each tile."""
    traits: list[Traits]
    """(k,)"""
    scores: Floats
    """(k, 16), by `LABELS`."""
    settled: dict[int, int]
    """Kind -> state, where it is known. Such kinds need not be on this board."""
    apart: Floats
    """(k, k) `ground_distance` of any two."""
    same: NDArray[np.bool_]
    """(k, k) `same_mark` of any two."""
    kin: NDArray[np.bool_]
    """(k, k) `kin_mark` of any two."""
    adds: NDArray[np.bool_]
    """(k, k) whether the one's mark is the other's and something more."""
    came: list[int]
    """(k,) how many of its tiles were surely covered at the look before."""
    mines: int | None = None

    def alike(self, one: int, other: int) -> bool:
        """Whether two kinds may be one state in two shades."""
        return bool(self.same[one, other]) and self.apart[one, other] < ONE_GROUND


class Oddities:
    """What is odd about the labels of a puzzle's kinds."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.counts: list[int] = np.bincount(
            puzzle.cells.ravel(), minlength=len(puzzle.traits)
        ).tolist()
        alike = puzzle.same & (puzzle.apart < ONE_GROUND) | np.eye(len(puzzle.traits), dtype=bool)
        self._family: list[int] = (alike @ np.array(self.counts)).tolist()
        self._here = np.flatnonzero(self.counts)
        self._impossible: dict[bytes, bool] = {}
        self._feasible: dict[bytes, bool] = {}

    def fit(self, kind: int, labels: NDArray[np.int8]) -> Floats:
        """(16,) how well each state fits a marked kind once plain and settled ones are named."""
        puzzle = self.puzzle
        known = [k for k in range(len(labels)) if puzzle.traits[k].plain or k in puzzle.settled]
        near = {True: np.inf, False: np.inf}
        for other in known:
            code = labels[other]
            if code >= 0 or code in (COVERED, FLAG, QUESTION):
                side = bool(code >= 0)
                near[side] = min(near[side], float(puzzle.apart[kind, other]))
        fits: Floats = puzzle.scores[kind] + grounded(near[True], near[False], self._family[kind])
        return fits

    def odd(self, kind: int, code: int, labels: NDArray[np.int8]) -> float:
        """What is odd about one more label, given those before; never above 0."""
        if kind in self.puzzle.settled:
            return 0.0
        if self.puzzle.traits[kind].plain:
            return self._odd_plain(kind, code, labels)
        return self._odd_mark(kind, code, labels)

    def _odd_plain(self, kind: int, code: int, labels: NDArray[np.int8]) -> float:
        """What is odd about two unlike grounds without a mark for one state."""
        apart = [
            float(self.puzzle.apart[kind, other])
            for other in np.flatnonzero(labels == code).tolist()
            if self.puzzle.traits[other].plain
        ]
        odd = code != UNREAD and min(apart, default=0.0) > ONE_GROUND
        return _TWO_GROUNDS if odd else 0.0

    def _odd_mark(self, kind: int, code: int, labels: NDArray[np.int8]) -> float:
        """What is odd about a mark's label beside those of the others, each oddity once."""
        puzzle = self.puzzle
        others = [(k, int(labels[k])) for k in np.flatnonzero(labels != UNREAD).tolist()]
        marks = [(k, its) for k, its in others if not puzzle.traits[k].plain]
        odd = 0.0
        if code == COVERED and len(marks) < len(others):
            odd += _TWICE * any(its == COVERED for _, its in others)
        alike = {its for k, its in marks if puzzle.alike(kind, k)}
        if alike:
            odd += _SPLIT * (alike != {code})
        elif code not in (UNREAD, MISFLAG) and any(its == code for _, its in marks):
            odd += _TWICE if code > 0 else _TWO_SYMBOLS
        if code in (FLAG, QUESTION, MINE, MISFLAG):
            odd += min((self._richer(kind, k, code, its) for k, its in marks), default=0.0)
        if code in (FLAG, MINE, EXPLODED):
            pairs = [self._flag_at_loss(kind, k, code, its) for k, its in marks]
            odd += min(pairs, default=0.0)
        return odd

    def _richer(self, kind: int, other: int, code: int, its: int) -> float:
        """What adds to a mark is not the same state, nor the flag where that is the question."""
        if self.puzzle.adds[other, kind]:
            kind, other, code, its = other, kind, its, code
        if not self.puzzle.adds[kind, other]:
            return 0.0
        return _RICHER * (code == its or (code == FLAG and its in (QUESTION, MISFLAG)))

    def _flag_at_loss(self, kind: int, other: int, code: int, its: int) -> float:
        """What explodes is a mine and looks like one; and no program sets flags at a loss."""
        if FLAG not in (code, its) or not {code, its} & {MINE, EXPLODED}:
            return 0.0
        flag = kind if code == FLAG else other
        odd = _AT_LOSS * (self.puzzle.came[flag] > 2)
        if EXPLODED in (code, its):
            odd += _TWICE * bool(self.puzzle.kin[kind, other])
        return odd

    def together(self, labels: NDArray[np.int8]) -> float:
        """What is odd about the end of a game as the labels tell it."""
        present = set(labels[self._here].tolist())
        over = MINE in present or EXPLODED in present
        odd = 0.0
        if MISFLAG in present and not over:
            odd -= 6.0
        if MINE in present and EXPLODED not in present:
            odd -= 4.0  # few programs show mines at a win, and at a loss one was hit
        if MINE in present:
            odd += _NOT_ALL * self._hides(labels)
        if EXPLODED in present and MINE not in present:
            odd -= 2.0
        if FLAG in present:
            mined = np.where(labels == FLAG, np.int8(MINE), labels)
            odd += _WRONG_FLAG * (not possible(mined[self.puzzle.cells], self.puzzle.mines))
        return odd

    def _hides(self, labels: NDArray[np.int8]) -> bool:
        """Whether mines are shown, but fewer than the hints tell of."""
        codes = labels[self.puzzle.cells]
        shown = np.where((codes == COVERED) | (codes == QUESTION), np.int8(MISFLAG), codes)
        return not possible(np.where(shown == FLAG, np.int8(MINE), shown))

    def may_be(self, labels: NDArray[np.int8]) -> bool:
        """Whether simple deduction finds the board possible."""
        key = labels.tobytes()
        if key not in self._impossible:
            self._impossible[key] = not possible(labels[self.puzzle.cells], self.puzzle.mines)
        return not self._impossible[key]

    def stands(self, labels: NDArray[np.int8]) -> bool:
        """Whether the solver finds it possible."""
        key = labels.tobytes()
        if key not in self._feasible:
            self._feasible[key] = feasible(labels[self.puzzle.cells])
        return self._feasible[key]
