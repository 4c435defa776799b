"""Find the state of each kind of tile: the best fit, and the alternatives.

A labelling gives every kind on a board a state. Its score is the sum of how well each state fits
(`evidence`), less penalties for unlikely combinations (`LabelPriors`: two marks for one state, one
mark for two states, contradictory ends of games); a labelling under which the board is impossible
has none. Two questions are answered, both by depth-first search with a bound, the plain kinds first
because the others are compared with their backgrounds:

- which labelling is best?
- for each kind, is there another one, at most `MARGIN` worse, that labels *this kind* differently?
  If there is none, the kind is settled.

Unread is a label like any other, with a penalty: then the kind's tiles may be anything. So a kind
is only settled if its state fits well, not merely better than the rest.

`believable` and `plausible` then decide whether the board is a game at all, and which labels may be
settled.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.board import COVERED, EXPLODED, FLAG, MINE, MISFLAG, QUESTION, UNREAD
from vision import MOST_KINDS
from vision.learning.evidence import AT, LABELS, REVEALED, Floats, grounded
from vision.learning.features import Features
from vision.learning.puzzle import ONE_GROUND, Puzzle
from vision.learning.rules import feasible, impossible_zeros, possible
from vision.learning.rules import near as around
from vision.skins.skin import Flood


@dataclass(frozen=True)
class Penalties:
    """Penalties for unlikely combinations of labels, as logarithms of likelihoods.

    Measured by `python -m tests.benchmarks.learning`; `vision/RESULTS.md` says what single ones
    are worth.
    """

    twice: float = -4.0
    """Penalty for two different marks for one state."""
    two_shapes: float = -8.0
    """Penalty for two hints of quite different shapes for one number. A tile seen only once may
    be covered temporarily: then it is only unlikely."""
    two_symbols: float = -7.0
    """The same for a mark that is no digit: another mark on covered cells is a question mark."""
    at_loss: float = -6.0
    """Penalty for several covered cells that become flags while mines are shown."""
    asked_late: float = -3.0
    """Penalty for a question mark that appears together with the mines."""
    not_all: float = -9.0
    """Penalty for mines that are shown only in part: programs show all of them, or only the
    exploded one."""
    not_over: float = -18.0
    """The same without an exploded one: nothing says that the game is over."""
    wrong_flag: float = -3.0
    """Penalty for flags that cannot all be on mines, which is rare."""
    split: float = -6.0
    """Penalty for the same mark on similar backgrounds for two states."""
    hit: float = -1.0
    """The same for the mines and the exploded one, which may differ only in its rim."""
    two_hit: float = -8.0
    """Penalty for two exploded mines, possible only after a chord with a wrong flag."""
    exploded_unseen: float = -4.0
    """Penalty for mines without an exploded one: few programs show mines at a win."""
    stayed_most: int = 4
    """Most tiles of a kind that count for this penalty."""
    bevel: float = 40.0
    """Grey levels of a bevel that distinguish a marked cell from an opened one by as much as 10
    of the background."""
    two_grounds: float = -5.0
    """Penalty for two very different empty or covered cells."""
    domain: float = 14.0
    """Labels of a kind whose scores are lower than the best by more than this are not tried."""
    nodes: int = 600
    """Steps of the search for the best labelling; each later search gets a share of them."""
    nodes_in_all: int = 1200
    structure: float = 5.0
    """Least difference in grey levels between rim and background of a typical cell."""
    flatter: float = 0.7
    """Share of the covered cells' structure that another variant of them has: opened cells of
    KMines reach 0.58."""
    raised: float = 12.0
    """Grey levels by which raised cells are lighter at the top and on the left."""
    less_raised: float = 0.5
    """Least share of that by which another variant of covered cells is raised."""
    shades: tuple[float, float] = (4.0, 24.0)
    """Grey levels between the cells of a checkered board; those of chess differ by more."""
    marks: int = 2
    """Most different marks that are no digits in a game in progress: flag and question mark."""
    revealed_marks: int = 6
    """Most such marks once mines are shown."""
    question: float = 0.7
    """Least probability to accept a question mark; flags on hatched backgrounds reach 0.6
    (`tests/support/strange.py`)."""
    ink: float = 60.0
    """Difference in grey levels between the inks of a mine and of one in another colour."""


_PENALTY: Final = Penalties()

_TURNED: Final = {
    (FLAG, MINE): -1.0, (FLAG, EXPLODED): -6.0,
    (QUESTION, FLAG): -2.0, (QUESTION, EXPLODED): -2.0,
    **{(state, MISFLAG): -5.0 for state in (COVERED, QUESTION, MINE, EXPLODED)},
}  # fmt: skip
"""Penalties for unlikely or impossible changes of a tile between two readings."""
_OTHERS_STAYED: Final = {(FLAG, FLAG): -2.0, (FLAG, MINE): -2.0, (COVERED, COVERED): -2.5}
"""Penalties while other tiles of the kind stay the same: only the tile under the pointer is
redrawn."""


class LabelPriors:
    """Penalties for unlikely combinations of labels on a board."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.counts: list[int] = np.bincount(
            puzzle.cells.ravel(), minlength=len(puzzle.features)
        ).tolist()
        self._replaced = puzzle.replaced()
        self._elsewhere = puzzle.elsewhere()
        self._around = [
            np.unique(puzzle.cells[around(puzzle.cells == kind) > 0])
            for kind in range(len(puzzle.features))
        ]
        """Neighbouring kinds, for each kind."""
        self._here = np.flatnonzero(self.counts)
        self._impossible: dict[bytes, bool] = {}
        self._feasible: dict[bytes, bool] = {}

    def fit(self, kind: int, labels: NDArray[np.int8]) -> Floats:
        """Return (16,) scores of the states for a marked kind, given the plain and settled ones."""
        puzzle = self.puzzle
        known = [k for k in range(len(labels)) if puzzle.features[k].plain or k in puzzle.settled]
        near = {True: np.inf, False: np.inf}
        for other in known:
            code = labels[other]
            if code >= 0 or code in (COVERED, FLAG, QUESTION):
                side = bool(code >= 0)
                apart = float(puzzle.apart[kind, other])
                if side:  # A raised cell is not opened, whatever its ground.
                    more = puzzle.features[kind].raised - puzzle.features[other].raised
                    apart += max(more, 0.0) / _PENALTY.bevel
                near[side] = min(near[side], apart)
        ground = grounded(near[True], near[False])
        if puzzle.opened[kind]:
            # A hint that a click has opened may keep the ground of covered cells.
            ground[:9] = 0.0
        fits: Floats = puzzle.scores[kind] + ground
        if (labels[self._around[kind]] == 0).any():
            fits = fits + puzzle.beside_zero[kind]
        return fits

    def odd(self, kind: int, code: int, labels: NDArray[np.int8]) -> float:
        """Return the penalty for one more label, given the previous ones; never above 0."""
        if kind in self.puzzle.settled:
            return 0.0
        plain = self.puzzle.features[kind].plain
        odd = self._odd_plain(kind, code, labels) if plain else self._odd_mark(kind, code, labels)
        return odd + self._turned(kind, code, labels)

    def _odd_plain(self, kind: int, code: int, labels: NDArray[np.int8]) -> float:
        """Return the penalty for two different backgrounds without a mark for one state."""
        apart = [
            float(self.puzzle.apart[kind, other])
            for other in np.flatnonzero((labels == code) & ~self._elsewhere[kind]).tolist()
            if self.puzzle.features[other].plain
        ]
        odd = code != UNREAD and min(apart, default=0.0) > ONE_GROUND
        return _PENALTY.two_grounds if odd else 0.0

    def _odd_mark(self, kind: int, code: int, labels: NDArray[np.int8]) -> float:
        """Return the penalty for a mark's label in combination with others, each counted once."""
        puzzle = self.puzzle
        labelled = np.flatnonzero((labels != UNREAD) & ~self._elsewhere[kind]).tolist()
        others = [(k, int(labels[k])) for k in labelled]
        marks = [(k, its) for k, its in others if not puzzle.features[k].plain]
        odd = 0.0
        if code == COVERED and len(marks) < len(others):
            odd += _PENALTY.two_symbols * any(its == COVERED for _, its in others)
        alike = {its for k, its in marks if puzzle.alike(kind, k)}
        if alike:
            split = _PENALTY.hit if {*alike, code} == {MINE, EXPLODED} else _PENALTY.split
            odd += split * (alike != {code})
        elif code not in (UNREAD, MISFLAG) and any(
            its == code and not (self._replaced[kind, k] or self._replaced[k, kind])
            for k, its in marks
        ):
            odd += self._twice(kind, code, marks)
        if code == EXPLODED and any(its == code and self.counts[k] for k, its in marks):
            odd += _PENALTY.two_hit
        if code in (FLAG, MINE, EXPLODED):
            pairs = [self._flag_at_loss(kind, k, code, its) for k, its in marks]
            odd += min(pairs, default=0.0)
        return odd

    def _twice(self, kind: int, code: int, marks: list[tuple[int, int]]) -> float:
        """Return the penalty for a state that has another mark already."""
        if code <= 0:
            return _PENALTY.two_symbols
        others = [k for k, its in marks if its == code]
        puzzle = self.puzzle
        known = all(k in puzzle.settled or self.counts[k] > 1 for k in (kind, *others))
        known |= puzzle.at_rest
        return (
            _PENALTY.two_shapes if known and puzzle.unlike[kind, others].all() else _PENALTY.twice
        )

    def _turned(self, kind: int, code: int, labels: NDArray[np.int8]) -> float:
        """Return the penalty for a label whose tiles had another state at the previous reading."""
        puzzle, odd = self.puzzle, 0.0
        for k in np.flatnonzero(puzzle.became[kind] * (labels != UNREAD)).tolist():
            odd += self._turned_into(code, int(labels[k]), puzzle.became[kind, k], kind)
        for k in np.flatnonzero(puzzle.became[:, kind] * (labels != UNREAD)).tolist():
            tiles, was = int(puzzle.became[k, kind]), int(labels[k])
            odd += self._turned_into(was, code, tiles, k)
        return odd

    def _turned_into(self, was: int, now: int, tiles: int, before: int) -> float:
        """Return this penalty for two kinds."""
        odd = _TURNED.get((was, now), 0.0)
        if self.counts[before] > 0:
            odd += _OTHERS_STAYED.get((was, now), 0.0) * min(tiles, _PENALTY.stayed_most)
        return odd

    def _flag_at_loss(self, kind: int, other: int, code: int, its: int) -> float:
        """Return the penalty for flags that appear at a loss or resemble an exploded mine."""
        if FLAG not in (code, its) or not {code, its} & {MINE, EXPLODED}:
            return 0.0
        flag = kind if code == FLAG else other
        shown = all(self.counts[k] for k in (kind, other))
        odd = _PENALTY.at_loss * (shown and self.puzzle.came[flag] > 2)
        if EXPLODED in (code, its):
            odd += _PENALTY.twice * bool(self.puzzle.kin[kind, other])
        return odd

    def together(self, labels: NDArray[np.int8]) -> float:
        """Return the penalty for the end of a game as the labels describe it."""
        present = set(labels[self._here].tolist())
        over = MINE in present or EXPLODED in present
        odd = _PENALTY.two_grounds * self._enclosed(labels)
        if MISFLAG in present and MINE not in present:
            odd -= 6.0
        if over:
            odd += _PENALTY.asked_late * any(
                self.puzzle.came[k] for k in np.flatnonzero(labels == QUESTION)
            )
        if MINE in present and EXPLODED not in present:
            odd += _PENALTY.exploded_unseen if not self._one_may_be_hit(labels) else _PENALTY.hit
        if MINE in present:
            part = _PENALTY.not_all if EXPLODED in present else _PENALTY.not_over
            odd += part * self._hides(labels)
        if EXPLODED in present and MINE not in present:
            odd -= 2.0
        if FLAG in present:
            mined = np.where(labels == FLAG, np.int8(MINE), labels)
            odd += _PENALTY.wrong_flag * (not self._possible(mined[self.puzzle.cells]))
        return odd

    def _enclosed(self, labels: NDArray[np.int8]) -> int:
        """Return how many kinds of covered cells touch no others, and may be empty ones."""
        covered = [k for k in np.flatnonzero(labels == COVERED).tolist() if self.counts[k]]
        kinds = [k for k in covered if k not in self.puzzle.settled and self.counts[k] > 1]
        number = 0
        for kind in kinds if covered[1:] else ():
            around = [other for other in self._around[kind].tolist() if other != kind]
            empty = np.where(np.arange(len(labels)) == kind, np.int8(0), labels)
            number += COVERED not in labels[around] and self.may_be(empty)
        return number

    def _one_may_be_hit(self, labels: NDArray[np.int8]) -> bool:
        """Return whether one of the mines is drawn slightly differently."""
        mines = np.flatnonzero(labels == MINE).tolist()
        singles = [k for k in mines if self.counts[k] == 1]
        return any(self.puzzle.alike(k, other) for k in singles for other in mines if k != other)

    def _hides(self, labels: NDArray[np.int8]) -> bool:
        """Return whether mines are shown, but fewer than the hints imply."""
        codes = labels[self.puzzle.cells]
        shown = np.where(codes == COVERED, np.int8(MISFLAG), codes)
        return not possible(np.where(shown == FLAG, np.int8(MINE), shown), flood=self.puzzle.flood)

    def _possible(self, codes: NDArray[np.int8]) -> bool:
        return possible(codes, self.puzzle.mines, self.puzzle.flood)

    def may_be(self, labels: NDArray[np.int8]) -> bool:
        """Return whether simple deduction finds no contradiction on the board."""
        key = labels.tobytes()
        if key not in self._impossible:
            self._impossible[key] = not self._possible(labels[self.puzzle.cells])
        return not self._impossible[key]

    def stands(self, labels: NDArray[np.int8]) -> bool:
        """Return whether the solver finds a solution of the board."""
        key = labels.tobytes()
        if key not in self._feasible:
            self._feasible[key] = feasible(labels[self.puzzle.cells])
        return self._feasible[key]


MARGIN: Final = 5.0
"""Least advantage over every other label, in log odds. Measured by `tests.benchmarks.learning`,
which has no wrong tile with it."""
_REFUTED: Final = 2 * MARGIN
"""Least advantage, in log odds, of a labelling without the number of mines, which is wrong then."""
FLOODS: Final[tuple[Flood, ...]] = ("orthogonal", "none")
"""Sets of cells that a zero may open if not all its neighbours, the likelier first."""
_ROUNDS: Final = 4
"""Rounds in which a better labelling is searched around the best one."""


Labels = NDArray[np.int8]
Found = tuple[float, Labels]
"""A score and its labels (k,)."""


@dataclass(frozen=True, eq=False)
class Labelling:
    """The best labels, and the certainty of each."""

    labels: Labels
    """(k,)"""
    margin: Floats
    """(k,) score difference to an alternative, at most `MARGIN`: see `_Search.gap`."""
    score: float
    """-inf if the board is impossible."""
    exhausted: bool = False
    """Whether the search ended early: with more settled kinds, it finds more."""


def label(puzzle: Puzzle) -> Labelling:
    """Find the best labelling of a board, and the kinds that it leaves open."""
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
    return Labelling(labels, margin, score, search.spent >= _PENALTY.nodes_in_all)


def label_in_doubt(puzzle: Puzzle) -> tuple[Puzzle, Labelling]:
    """Label a board as `label`, unless that is implausible: without what may be wrong of it.

    That is its number of mines, or that a zero opens all its neighbours. A label that depends on it
    is not certain if it fits little better than another one without it.
    """
    found = label(puzzle)
    others = [replace(puzzle, mines=None)] if puzzle.mines is not None else []
    # A picture of many kinds is not yet drawn, or no board: nothing follows from it.
    many = np.unique(puzzle.cells).size > MOST_KINDS
    if puzzle.flood is None and not (found.exhausted and many):
        floods = FLOODS if puzzle.by_clicks else FLOODS[:1]
        others += [replace(puzzle, flood=flood) for flood in floods]
    best, margin = (puzzle, found), found.margin
    for doubted in others if found.score <= MARGIN - _REFUTED else []:
        other = label(doubted)
        # A search that ended early may have missed a better one.
        least = 2 * _REFUTED if found.exhausted and doubted.flood is not None else _REFUTED
        lead = found.score + least - other.score
        if lead < 0 and other.score > best[1].score:
            best = doubted, other
        margin = np.where(other.labels == found.labels, margin, np.clip(lead, 0, margin))
    return best if best[1] is not found else (puzzle, replace(found, margin=margin))


class _Search:
    """Searches on one board, and their shared data."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.odd = LabelPriors(puzzle)
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
        return _Descent(self, {}, -np.inf, _PENALTY.nodes).run()

    def better(self, score: float, labels: Labels) -> Found | None:
        """Return a better labelling with another label for one kind, if the search missed it."""
        for kind in (*self.front, *self.marked):
            if kind in self.puzzle.settled or self.spent > _PENALTY.nodes_in_all:
                continue
            for rival in self.domain(kind):
                if rival != labels[kind]:
                    found = _Descent(self, {kind: rival}, score + 1e-6, _PENALTY.nodes // 6).run()
                    if found is not None:
                        return found
        return None

    def gap(self, kind: int, taken: int, score: float) -> float:
        """Return the score difference to a labelling with another label for a kind, up to `MARGIN`.

        It is the first one found above the floor with each other label (often UNREAD), so that a
        better one may exist.
        """
        least = MARGIN
        for rival in self.domain(kind):
            if rival != taken and least > 0:
                nodes = min(_PENALTY.nodes // 4, _PENALTY.nodes_in_all - self.spent)
                descent = _Descent(self, {kind: rival}, score - least, nodes, enough=True)
                found = descent.run()
                if found is not None:
                    least = min(least, max(score - found[0], 0.0))
        return least

    def domain(self, kind: int) -> list[int]:
        """Return the labels that a kind may have, the best first."""
        return self._domains[kind]

    def _domain(self, kind: int) -> list[int]:
        settled = self.puzzle.settled.get(kind)
        if settled is not None:
            return [settled]
        scores = self.fits_alone[kind]
        near = np.flatnonzero(scores >= max(scores.max() - _PENALTY.domain, -29.0))
        return [LABELS[at] for at in near[np.argsort(-scores[near])]]

    def fits(self, labels: Labels) -> Floats:
        """Return (k, 16): scores of the states for the marked kinds, given the plain ones."""
        key = labels[self.front].tobytes()
        if key not in self._fits:
            fits = np.zeros((len(labels), len(LABELS)))
            for kind in self.marked:
                fits[kind] = self.odd.fit(kind, labels)
            self._fits[key] = fits
        return self._fits[key]

    def _first(self, kinds: list[int]) -> list[int]:
        """Return the order of kinds: first those that others replaced, then the commonest."""
        counts = self.odd.counts
        return sorted(kinds, key=lambda kind: (counts[kind] > 0, -counts[kind]))


@dataclass(eq=False)
class _Descent:
    """One search: the best labelling above a score, or with `enough` the first one.

    If the nodes run out, the result is the best so far; a search for an alternative then counts as
    successful, because none was excluded.
    """

    search: _Search
    given: dict[int, int]
    floor: float
    nodes: int
    enough: bool = False
    order: list[int] = field(init=False)
    found: Found | None = field(init=False, default=None)

    def run(self) -> Found | None:
        """Run the search."""
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
        """Return the largest possible sum of scores of the kinds from each index on."""
        most = np.where(self.allowed, fits[self.order], -np.inf).max(axis=1, initial=-np.inf)
        bounds: list[float] = np.cumsum(most[::-1])[::-1].tolist()
        return [*bounds, 0.0]

    def _descend(self, place: int, score: float, fits: Floats, rest: list[float]) -> bool:
        """Label the kinds from an index on; return whether to stop."""
        if place == len(self.order):
            return self._arrive(score)
        if place == len(self.search.front):
            # With the backgrounds known, the bounds of the others are much tighter.
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
        """Store a complete labelling if it is good enough; return whether to stop."""
        odd = self.search.odd
        score += odd.together(self.labels)
        if score > self.floor and odd.stands(self.labels):
            self.found = score, self.labels.copy()
            self.floor = score
            return self.enough
        return False


def believable(puzzle: Puzzle, found: Labelling, counts: list[int]) -> bool:
    """Return whether a labelling describes a game.

    `counts` are the numbers of tiles of each kind; 0 for kinds that are not on the board.
    """
    if not np.isfinite(found.score):
        return False
    here = [at for at, count in enumerate(counts) if count]
    labels: list[int] = found.labels[here].tolist()
    if set(labels) <= {COVERED}:
        return _like_cells([puzzle.features[at] for at in here]) or _alternate(puzzle.cells)
    begun = any(1 <= code <= 8 for code in labels)
    # On a known board, flags may come first, and the first click may hit a mine.
    if not begun and (not puzzle.familiar or UNREAD in labels):
        return False
    over = any(code in REVEALED for code in labels)
    marks: list[int] = []
    elsewhere = puzzle.elsewhere()
    for at, code in zip(here, labels, strict=True):
        alike = any(puzzle.alike(at, other) or elsewhere[at, other] for other in marks)
        if not (puzzle.features[at].plain or code >= COVERED or alike):
            marks.append(at)
    return len(marks) <= (_PENALTY.revealed_marks if over else _PENALTY.marks)


def plausible(puzzle: Puzzle, labels: NDArray[np.int8], kind: int, question: float) -> bool:
    """Return whether a kind's label without a close alternative may be settled.

    This checks conditions that scores do not include. `question` is the probability that its mark
    is a question mark.
    """
    code = int(labels[kind])
    if code == COVERED and (
        _flattened(puzzle, kind) or _sunken(puzzle, labels, kind) or _held(puzzle, labels, kind)
    ):
        fresh = bool((labels[puzzle.cells] == COVERED).all())
        return fresh and _in_lines(puzzle.cells) and _in_lines(puzzle.cells.T)
    if code == EXPLODED:
        return _told_apart(puzzle, labels, kind)
    return code != QUESTION or question >= _PENALTY.question or bool(puzzle.adds[kind].any())


def _flattened(puzzle: Puzzle, kind: int) -> bool:
    """Return whether only some covered cells became flat: a hint may not be drawn yet."""
    others = [
        puzzle.features[at].structure
        for at, code in puzzle.settled.items()
        if code == COVERED and (puzzle.cells == at).any()
    ]
    flat = puzzle.features[kind].structure < _PENALTY.flatter * min(others, default=0.0)
    return flat and puzzle.came[kind] > 0


def _sunken(puzzle: Puzzle, labels: NDArray[np.int8], kind: int) -> bool:
    """Return whether a kind is not raised but commoner covered cells are: it may be pressed."""
    counts = np.bincount(puzzle.cells.ravel(), minlength=len(labels))
    commoner = np.flatnonzero((labels == COVERED) & (counts > counts[kind])).tolist()
    raised = max((puzzle.features[at].raised for at in commoner), default=0.0)
    return raised > _PENALTY.raised and puzzle.features[kind].raised < _PENALTY.less_raised * raised


def _held(puzzle: Puzzle, labels: NDArray[np.int8], kind: int) -> bool:
    """Return whether a kind may be empty cells, except for a few that are held down.

    Cells held down are beside covered cells, which contradicts empty cells.
    """
    codes, its = labels[puzzle.cells], puzzle.cells == kind
    codes[its] = 0
    held = impossible_zeros(codes, puzzle.flood) & its
    if not (codes > 0).any() or 2 * np.count_nonzero(held) >= np.count_nonzero(its):
        return False
    codes[held] = UNREAD
    return bool((codes == COVERED).any()) and possible(codes, puzzle.mines, puzzle.flood)


def _told_apart(puzzle: Puzzle, labels: NDArray[np.int8], exploded: int) -> bool:
    """Return whether an exploded mine can be distinguished from the others.

    It differs by its background or by its ink. If only mines are shown, and nothing is covered, it
    may also be a won game. One without a mark may be a covered cell, unless the look of those is
    known and no other mine has exploded.
    """
    counts = np.bincount(puzzle.cells.ravel(), minlength=len(labels))
    here = set(labels[counts > 0].tolist())
    if not here & {COVERED, MINE}:
        return False
    alone = (labels[counts > 0] == EXPLODED).sum() == 1
    if puzzle.features[exploded].plain and not (alone and COVERED in labels):
        return False
    ink = puzzle.features[exploded].colours[0]
    for other in np.flatnonzero((labels == MINE) & (counts > 0)).tolist():
        like = float(np.abs(puzzle.features[other].colours[0] - ink).max()) < _PENALTY.ink
        if like and puzzle.apart[exploded, other] < ONE_GROUND:
            return False
    return True


def _in_lines(cells: NDArray[np.intp]) -> bool:
    """Return whether rows only differ as on a scaled board, whose lines are rounded to pixels.

    Such rows recur with others between them, unlike cells that are held down. An outer one may have
    a look of its own, all along.
    """
    differ = (cells[:, None] != cells).sum(axis=-1)
    last = len(cells) - 1
    for number, apart in enumerate(differ):
        alike = np.flatnonzero(apart == 0)
        recurs = np.ptp(alike) >= len(alike) or len(alike) > last
        outer = number in (0, last) and len(alike) == 1 and apart[apart > 0].min() > 1
        if not (recurs or outer):
            return False
    return True


def _alternate(cells: NDArray[np.intp]) -> bool:
    """Return whether cells are of two kinds that alternate along each row and column."""
    both = (cells[1:] != cells[:-1]).all() and (cells[:, 1:] != cells[:, :-1]).all()
    return bool(both) and len(np.unique(cells)) == 2


def _like_cells(features: list[Features]) -> bool:
    """Return whether a board that is completely covered looks like one."""
    shades = float(np.ptp([trait.ground for trait in features], axis=0).max())
    structure = max(trait.structure for trait in features)
    return structure >= _PENALTY.structure or _PENALTY.shades[0] <= shades <= _PENALTY.shades[1]
