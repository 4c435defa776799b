"""Reports and questions of a learner, and the timing of questions during a game."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.board import Board, Cell
from bot.frame import Reading, Status
from bot.unread import Unread
from vision.skins import Skin


class AnswerRefused(ValueError):
    """The board contradicts the answer."""


@dataclass(frozen=True, eq=False)
class Question:
    """A question to the user about the state of a kind of tile."""

    picture: NDArray[np.uint8]
    """(h, w, 3) uint8 BGR, as captured."""
    cells: tuple[Cell, ...]
    """Its cells on the last board."""
    likely: tuple[int, ...]
    """Likely tile codes, the likeliest first."""
    refused: tuple[int, ...] = ()
    """Answers that were refused as impossible, the latest last."""


@dataclass(frozen=True, eq=False)
class TileCluster:
    """Tiles that look alike, and their assumed state."""

    number: int
    """Identifier, valid for the lifetime of the learner."""
    picture: NDArray[np.uint8]
    """(h, w, 3) uint8 BGR, the first one seen."""
    cells: tuple[Cell, ...]
    """Its cells on the last board."""
    state: int
    """Tile code; UNREAD if the state is open, or the kind is excluded."""
    confidence: float
    """Confidence of the state, 0..1."""
    confirmed: bool
    """Whether a user has confirmed the state."""
    likely: tuple[int, ...]
    """Likely tile codes, the likeliest first; empty if the state is settled."""


@dataclass(frozen=True, eq=False)
class LearningResult:
    """The learner's result after a reading."""

    skin: Skin | None
    """Pictures of the settled kinds; None if there is none."""
    codes: NDArray[np.int8]
    """(rows, cols) int8, UNREAD for kinds that are not settled."""
    confidence: NDArray[np.float32]
    """(rows, cols) float32 in 0..1."""
    questions: tuple[Question, ...]
    believable: bool
    """Whether some labelling makes this a game of Minesweeper."""
    passed: tuple[Question, ...] = ()
    """Kinds of unknown state that are surely opened cells: OPENED in `codes`."""
    unread: Mapping[Cell, Unread] = field(default_factory=dict)
    """Why tiles are unread; filled whenever a board is labelled."""


Ask = Callable[[Question], int | None]
"""A function that returns the tile code of a kind of tile, or None without an answer."""

_PATIENCE: Final = 2.5
"""Seconds that a board must be unchanged before the user is asked about its tiles."""


class TileUnknown(RuntimeError):
    """A tile's state is unknown; the message says where it is and how to answer.

    Attributes:
        reading: The reading with the tile, so that its frame can be saved.
    """

    def __init__(self, question: Question, reading: Reading) -> None:
        more = f" (and {len(question.cells) - 1} others like it)" if question.cells[1:] else ""
        where = question.cells[0].position_text
        super().__init__(
            f"the tile at {where}{more} is none that is known: play with the panel, which "
            "asks what it is, or run 'minesweeper-bot learn' on this window"
        )
        self.reading = reading


class AnswersNeeded(Exception):
    """A board is at rest, and some of its tiles are unknown."""

    def __init__(self, reading: Reading, questions: tuple[Question, ...]) -> None:
        super().__init__(f"{len(questions)} different tiles are unknown")
        self.reading = reading
        self.questions = questions


class QuestionDelay:
    """Detects a board that stays unreadable, by a clock of monotonic seconds."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._board: Board | None = None
        self._since = 0.0

    def weigh(self, reading: Reading, questions: tuple[Question, ...]) -> None:
        """Process one reading.

        Raises:
            AnswersNeeded: The reading has questions, its game is on, and it has not changed for
                some time.
        """
        # The tiles of a finished game need not be known.
        if not (questions and reading.status is Status.PLAYING) or reading.board != self._board:
            self._board, self._since = reading.board, self._clock()
        elif self._clock() - self._since > _PATIENCE:
            raise AnswersNeeded(reading, questions)


def answered(question: Question, ask: Ask, take: Callable[[Question, int], None]) -> bool:
    """Ask for the state of a kind of tile until the answer is possible; False without an answer.

    `take` raises `AnswerRefused`; `refused` of the next question then lists the refused answers.
    """
    while True:
        state = ask(question)
        if state is None:
            return False
        try:
            take(question, state)
        except AnswerRefused:
            question = replace(question, refused=(*question.refused, state))
        else:
            return True
