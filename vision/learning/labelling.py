"""Which state each kind of tile stands for: what fits best, and what else is possible.

A labelling gives every kind on a board a state. Its score is the sum of how well each state
fits (`evidence`), less what is odd about them together (`oddities`); a labelling under which
the board is impossible has none. Two questions are asked, both by depth-first search with a
bound, the plain kinds first because the others are held against their grounds:

- which labelling is best?
- for each kind, is there another one, at most `MARGIN` worse, that labels *this kind*
  differently? Where there is none, the kind is settled.

Unread is a label like any other, at a price: then the kind's tiles may be anything. So a
kind is only settled where its state fits well, not merely better than the rest.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.board import UNREAD
from vision.learning.evidence import AT, LABELS, Floats
from vision.learning.label_priors import Oddities, Puzzle

MARGIN: Final = 5.0
"""How much worse every other label must be. Measured on `tests/strange.py`: see
`tests/bench_learning.py`."""
_DOMAIN: Final = 14.0
"""Labels of a kind further than this behind its best are not tried."""
_NODES: Final = 600
"""Steps that the search for the best labelling may take, and each later one a part of it."""
_NODES_IN_ALL: Final = 1200
_ROUNDS: Final = 4
"""Times that a better labelling is looked for around the best one."""

Labels = NDArray[np.int8]
Found = tuple[float, Labels]
"""A score and the labels (k,) that have it."""


@dataclass(frozen=True, eq=False)
class Labelling:
    """The best labels, and how sure each is."""

    labels: Labels
    """(k,)"""
    margin: Floats
    """(k,) how much worse anything else is; `MARGIN` stands for 'at least that much'."""
    score: float
    """-inf where the board is impossible."""
    exhausted: bool = False
    """Whether the search ended early: with more settled, it finds more."""


def label(puzzle: Puzzle) -> Labelling:
    """Find the best labelling of a board, and what it leaves open."""
    search = _Search(puzzle)
    best = search.best()
    kinds = range(len(puzzle.features))
    if best is None:
        return Labelling(np.full(len(kinds), UNREAD, np.int8), np.zeros(len(kinds)), -np.inf)
    for _ in range(_ROUNDS):
        better = search.better(*best)
        if better is None:
            break
        best = better
    score, labels = best
    search.spent = 0
    margin = np.full(len(kinds), MARGIN)
    for kind in kinds:
        if kind not in puzzle.settled:
            margin[kind] = search.gap(kind, int(labels[kind]), score)
    return Labelling(labels, margin, score, search.spent >= _NODES_IN_ALL)


class _Search:
    """Searches of one puzzle, and what they share."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.odd = Oddities(puzzle)
        kinds = range(len(puzzle.features))
        self.front = self._first([k for k in kinds if k in puzzle.settled])
        self.front += self._first(
            [k for k in kinds if k not in puzzle.settled and puzzle.features[k].plain]
        )
        self.marked = self._first([k for k in kinds if k not in self.front])
        self.spent = 0
        self.fits_alone = puzzle.scores + np.maximum(puzzle.beside_zero, 0.0)
        self.fits_alone[list(puzzle.settled)] = 0.0
        self._fits: dict[bytes, Floats] = {}
        self._domains = {kind: self._domain(kind) for kind in kinds}

    def best(self) -> Found | None:
        """Return the best labelling."""
        return _Descent(self, {}, -np.inf, _NODES).run()

    def better(self, score: float, labels: Labels) -> Found | None:
        """Return a better labelling with another label for one kind, if the search missed it."""
        for kind in (*self.front, *self.marked):
            if kind in self.puzzle.settled or self.spent > _NODES_IN_ALL:
                continue
            for rival in self.domain(kind):
                if rival != labels[kind]:
                    found = _Descent(self, {kind: rival}, score + 1e-6, _NODES // 6).run()
                    if found is not None:
                        return found
        return None

    def gap(self, kind: int, taken: int, score: float) -> float:
        """How much worse the best labelling is that labels a kind differently."""
        least = MARGIN
        for rival in self.domain(kind):
            if rival != taken and least > 0:
                nodes = min(_NODES // 4, _NODES_IN_ALL - self.spent)
                descent = _Descent(self, {kind: rival}, score - least, nodes, enough=True)
                found = descent.run()
                if found is not None:
                    least = min(least, max(score - found[0], 0.0))
        return least

    def domain(self, kind: int) -> list[int]:
        """Labels that a kind may have, the best first."""
        return self._domains[kind]

    def _domain(self, kind: int) -> list[int]:
        settled = self.puzzle.settled.get(kind)
        if settled is not None:
            return [settled]
        scores = self.fits_alone[kind]
        near = np.flatnonzero(scores >= max(scores.max() - _DOMAIN, -29.0))
        return [LABELS[at] for at in near[np.argsort(-scores[near])]]

    def fits(self, labels: Labels) -> Floats:
        """(k, 16) how well each state fits each marked kind, once the front is labelled."""
        key = labels[self.front].tobytes()
        if key not in self._fits:
            fits = np.zeros((len(labels), len(LABELS)))
            for kind in self.marked:
                fits[kind] = self.odd.fit(kind, labels)
            self._fits[key] = fits
        return self._fits[key]

    def _first(self, kinds: list[int]) -> list[int]:
        """Those first that others came of and that are gone, then the commonest."""
        counts = self.odd.counts
        return sorted(kinds, key=lambda kind: (counts[kind] > 0, -counts[kind]))


@dataclass(eq=False)
class _Descent:
    """One search: the best labelling above a score, or with `enough` the first one.

    Where the nodes run out, whatever was found; a search for a rival that runs out counts
    as having found one, because none was ruled out.
    """

    search: _Search
    given: dict[int, int]
    floor: float
    nodes: int
    enough: bool = False
    order: list[int] = field(init=False)
    found: Found | None = field(init=False, default=None)

    def run(self) -> Found | None:
        """Search."""
        search = self.search
        given = [k for k in self.given if k not in search.front]
        self.order = [*search.front, *given, *(k for k in search.marked if k not in given)]
        self.domains = {
            kind: [self.given[kind]] if kind in self.given else search.domain(kind)
            for kind in self.order
        }
        self.allowed = np.zeros((len(self.order), len(LABELS)), bool)
        for place, kind in enumerate(self.order):
            self.allowed[place, [AT[code] for code in self.domains[kind]]] = True
        self.spent = 0
        self.labels: Labels = np.full(len(self.order), UNREAD, np.int8)
        self._descend(0, 0.0, search.fits_alone, self._bounds(search.fits_alone))
        if self.enough and self.found is None and self.spent > self.nodes:
            return self.floor + 1e-6, self.labels
        return self.found

    def _bounds(self, fits: Floats) -> list[float]:
        """Return the most that the kinds from each place on can add."""
        most = np.where(self.allowed, fits[self.order], -np.inf).max(axis=1, initial=-np.inf)
        bounds: list[float] = np.cumsum(most[::-1])[::-1].tolist()
        return [*bounds, 0.0]

    def _descend(self, place: int, score: float, fits: Floats, rest: list[float]) -> bool:
        """Label the kinds from a place on; whether to stop."""
        if place == len(self.order):
            return self._arrive(score)
        if place == len(self.search.front):
            # With the grounds known, the others are bounded much more tightly.
            fits = self.search.fits(self.labels)
            rest = self._bounds(fits)
        kind, odd = self.order[place], self.search.odd
        choices = [(float(fits[kind, AT[code]]), code) for code in self.domains[kind]]
        # Among equals the covered one first: most boards are, and more follows from it.
        for fit, code in sorted(choices, key=lambda choice: (-choice[0], choice[1])):
            if score + fit + rest[place + 1] <= self.floor:
                break
            reached = score + fit + odd.odd(kind, code, self.labels)
            if reached + rest[place + 1] <= self.floor:
                continue
            self.spent += 1
            self.search.spent += 1
            if self.spent > self.nodes:
                return True
            self.labels[kind] = code
            possible = code == UNREAD or odd.may_be(self.labels)
            if possible and self._descend(place + 1, reached, fits, rest):
                return True
            self.labels[kind] = UNREAD
        return False

    def _arrive(self, score: float) -> bool:
        """Take a whole labelling, if it is good enough; whether to stop."""
        odd = self.search.odd
        score += odd.together(self.labels)
        if score > self.floor and odd.stands(self.labels):
            self.found = score, self.labels.copy()
            self.floor = score
            return self.enough
        return False
