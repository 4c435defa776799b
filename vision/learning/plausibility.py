"""Whether a labelling of a board is a game of Minesweeper at all."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.board import COVERED, EXPLODED, FLAG, MINE, QUESTION, UNREAD
from vision.learning.evidence import AT, REVEALED
from vision.learning.features import Features
from vision.learning.label_priors import ONE_GROUND, Puzzle
from vision.learning.labelling import Labelling

_STRUCTURE: Final = 8.0
"""Grey levels between rim and ground of a cell that looks like a cell."""
_FLATTER: Final = 0.7
"""Part of the covered cells' structure that another look of them has: opened cells of KMines
reach 0.58."""
_SHADES: Final = (4.0, 24.0)
"""Grey levels between the cells of a checkered board; those of chess differ by more."""
_STRANGE: Final = 0.1
"""Part of the tiles that may be of no known state on a board that is believed."""
_MARKS: Final = 2
"""Different marks that are no digits in a game that is on: flag and question mark."""
_REVEALED_MARKS: Final = 6
"""The same once mines are shown."""
_DECIDEDLY: Final = 1.0
"""Log odds from which a mark's shape speaks for a mine."""
_AT_ONCE: Final = 3
"""Tiles of one kind that became flags together."""
_QUESTION: Final = 0.7
"""Least probability of a question mark that is taken for one; flags on hatched ground reach
0.6 (`tests/strange.py`)."""
_INK: Final = 60.0
"""Grey levels between the inks of a mine and of one in another colour."""


def believable(puzzle: Puzzle, found: Labelling, counts: list[int]) -> bool:
    """Return whether what was found is a game.

    Args:
        puzzle: The board.
        found: Its labelling.
        counts: How many tiles of each kind there are; 0 for kinds known from elsewhere.
    """
    if not np.isfinite(found.score):
        return False
    here = [at for at, count in enumerate(counts) if count]
    labels: list[int] = found.labels[here].tolist()
    unread = sum(counts[at] for at, code in zip(here, labels, strict=True) if code == UNREAD)
    if unread > _STRANGE * puzzle.cells.size:
        return False
    if set(labels) <= {COVERED}:
        return _like_cells([puzzle.features[at] for at in here])
    begun = any(1 <= code <= 8 for code in labels)
    # On a board that is known already, flags may come first, and the first click hit a mine.
    if not begun and (not puzzle.familiar or UNREAD in labels):
        return False
    over = any(code in REVEALED for code in labels)
    marks: list[int] = []
    for at, code in zip(here, labels, strict=True):
        alike = any(puzzle.alike(at, other) for other in marks)
        if not (puzzle.features[at].plain or code >= COVERED or alike):
            marks.append(at)
    return len(marks) <= (_REVEALED_MARKS if over else _MARKS)


def plausible(puzzle: Puzzle, labels: NDArray[np.int8], kind: int, question: float) -> bool:
    """Return whether a label may be settled that no other comes near to: what scores do not weigh.

    Args:
        puzzle: The board.
        labels: (k,) of all kinds.
        kind: In question.
        question: The probability that its mark is a question mark.
    """
    code = int(labels[kind])
    if code == COVERED and _flattened(puzzle, kind):
        return False
    if code in (0, COVERED) and not puzzle.features[kind].plain:
        # No second look of covered or empty cells has a mark: rather it is something else.
        return int(np.count_nonzero(labels == code)) == 1
    if code == EXPLODED:
        return _told_apart(puzzle, labels, kind)
    if code == FLAG and puzzle.came[kind] >= _AT_ONCE and COVERED not in labels[puzzle.cells]:
        # A won game's mines may be shown as flags or as what they are: the shape decides.
        family = [kind, *np.flatnonzero(puzzle.same[kind]).tolist()]
        flags, mines = (puzzle.scores[family, AT[of]] for of in (FLAG, MINE))
        return bool((mines - flags).max() < _DECIDEDLY)
    return code != QUESTION or question >= _QUESTION or bool(puzzle.adds[kind].any())


def _flattened(puzzle: Puzzle, kind: int) -> bool:
    """Return whether covered cells became these while others kept a much deeper bevel.

    An opened cell whose hint is not drawn yet looks like that.
    """
    others = [
        puzzle.features[at].structure
        for at, code in puzzle.settled.items()
        if code == COVERED and (puzzle.cells == at).any()
    ]
    flat = puzzle.features[kind].structure < _FLATTER * min(others, default=0.0)
    return flat and puzzle.came[kind] > 0


def _told_apart(puzzle: Puzzle, labels: NDArray[np.int8], exploded: int) -> bool:
    """Return whether the mine that was hit can be seen not to be one of the others.

    It differs by its ground or by its ink. Where mines are shown alone, and nothing is
    covered, it may as well be a won game's.
    """
    counts = np.bincount(puzzle.cells.ravel(), minlength=len(labels))
    here = set(labels[counts > 0].tolist())
    if not here & {COVERED, MINE}:
        return False
    ink = puzzle.features[exploded].colours[0]
    for other in np.flatnonzero((labels == MINE) & (counts > 0)).tolist():
        like = float(np.abs(puzzle.features[other].colours[0] - ink).max()) < _INK
        if like and puzzle.apart[exploded, other] < ONE_GROUND:
            return False
    return True


def _like_cells(features: list[Features]) -> bool:
    """Return whether a board that is covered all over looks like one."""
    shades = float(np.ptp([trait.ground for trait in features], axis=0).max())
    structure = max(trait.structure for trait in features)
    return structure >= _STRUCTURE or _SHADES[0] <= shades <= _SHADES[1]
