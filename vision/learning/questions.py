"""What a learner reports and asks, and what happens with a question during a game."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.board import Board, Cell
from bot.frame import Reading, Status
from vision.skins import Skin


class AnswerRefused(ValueError):
    """The board cannot be what the answer makes of it."""


@dataclass(frozen=True, eq=False)
class Question:
    """What is this? Asked of the user, once a kind of tile."""

    picture: NDArray[np.uint8]
    """(h, w, 3) uint8 BGR, as it was seen."""
    cells: tuple[Cell, ...]
    """Where it is on the board that was seen last."""
    likely: tuple[int, ...]
    """Tile codes, the likeliest first."""
    refused: tuple[int, ...] = ()
    """Answers that were given and cannot be, the last one last."""


@dataclass(frozen=True, eq=False)
class Kind:
    """A kind of tile that was met, and what it is taken for."""

    number: int
    """Tells it from the others, as long as the learner lives."""
    picture: NDArray[np.uint8]
    """(h, w, 3) uint8 BGR, the first one met."""
    cells: tuple[Cell, ...]
    """Where it is on the board that was seen last."""
    state: int
    """Tile code; UNREAD where nothing settles it, or where it is left out."""
    confidence: float
    """0..1."""
    confirmed: bool
    """Whether somebody said so."""
    likely: tuple[int, ...]
    """Tile codes, the likeliest first; empty where the state is settled."""


@dataclass(frozen=True, eq=False)
class LearningResult:
    """What is known after a look."""

    skin: Skin | None
    """Pictures of the settled kinds; None while there is none."""
    codes: NDArray[np.int8]
    """(rows, cols) int8, UNREAD where the kind is not settled."""
    confidence: NDArray[np.float32]
    """(rows, cols) float32 in 0..1."""
    questions: tuple[Question, ...]
    believable: bool
    """False where no labelling makes this a game of Minesweeper."""


Ask = Callable[[Question], int | None]
"""What a kind of tile is: its code, None where nobody says."""

_PATIENCE: Final = 2.5
"""Seconds that a board must stay as it is before the user is asked about its tiles."""


class TileUnknown(RuntimeError):
    """Nobody said what a tile is; the message tells where it is and how to say it.

    Attributes:
        reading: Where it was met, so that its frame can be saved.
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
    """A board stays as it is, and some of its tiles are unknown."""

    def __init__(self, reading: Reading, questions: tuple[Question, ...]) -> None:
        super().__init__(f"{len(questions)} different tiles are unknown")
        self.reading = reading
        self.questions = questions


class QuestionDelay:
    """Notices a board that stays unreadable, by a clock of monotonic seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._board: Board | None = None
        self._since = 0.0

    def weigh(self, reading: Reading, questions: tuple[Question, ...]) -> None:
        """Consider one look.

        Raises:
            AnswersNeeded: It has questions, its game is on, and it has not changed for some time.
        """
        # Of a game that is over nothing has to be known.
        if not (questions and reading.status is Status.PLAYING) or reading.board != self._board:
            self._board, self._since = reading.board, self._clock()
        elif self._clock() - self._since > _PATIENCE:
            raise AnswersNeeded(reading, questions)


def answered(question: Question, ask: Ask, take: Callable[[Question, int], None]) -> bool:
    """Ask what a kind of tile is, and again if that cannot be; False if nobody says.

    `take` raises `AnswerRefused`; `refused` of the next question then tells which answers could not
    be.
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
