"""What a learner says of the kinds it met: what it takes them for, and what it asks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.board import UNREAD, Cell
from vision.learning.evidence import AT, LABELS
from vision.learning.known_states import Settled
from vision.learning.label_priors import Puzzle
from vision.learning.labelling import MARGIN, Labelling
from vision.learning.result import Kind, Lesson, Question

_LOOKS: Final = 4
"""Likely states that a question names."""


def question_about(
    picture: NDArray[np.uint8], where: NDArray[np.bool_], at: int, puzzle: Puzzle, found: Labelling
) -> Question:
    """What is this?

    Args:
        picture: Of the kind.
        where: (rows, cols) the cells that show it.
        at: The kind's place in the puzzle.
        puzzle: That did not settle it.
        found: Its best labelling.
    """
    scores = puzzle.scores[at].copy()
    scores[AT[int(found.labels[at])]] += MARGIN
    scores[AT[UNREAD]] = -np.inf
    likely = [LABELS[place] for place in np.argsort(-scores)[:_LOOKS]]
    return Question(picture, _cells(where), tuple(likely))


def kinds_met(
    pictures: Sequence[NDArray[np.uint8]],
    known: Settled,
    board: NDArray[np.intp] | None,
    lesson: Lesson | None,
) -> tuple[Kind, ...]:
    """The kinds on a board and the settled ones, those that are open first, then the commonest.

    Args:
        pictures: Of every kind.
        known: Their states.
        board: (rows, cols) kinds of the last board; None where there was none.
        lesson: What was made of that board; its questions say what is likely.
    """
    likely = {one.picture.tobytes(): one.likely for one in (lesson.questions if lesson else ())}
    met = []
    for number, picture in enumerate(pictures):
        cells = _cells(board == number) if board is not None else ()
        if not cells and number not in known.codes:
            continue
        state = known.codes.get(number, UNREAD)
        open_to = likely.get(picture.tobytes(), ()) if number not in known.codes else ()
        sure, told = known.confidence(number), known.was_told(number)
        met.append(Kind(number, picture, cells, state, sure, told, open_to))
    met.sort(key=lambda kind: (kind.number in known.codes, -len(kind.cells)))
    return tuple(met)


def _cells(where: NDArray[np.bool_]) -> tuple[Cell, ...]:
    return tuple(Cell(int(row), int(col)) for row, col in np.argwhere(where))
