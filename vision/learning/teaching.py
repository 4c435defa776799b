"""Being taught: what happens with tiles that neither their shape nor the game settles.

While a board is played, `Doubt` tells an unknown tile from one that is only on its way to
be drawn: it has to stay as it is for a moment. `teach` learns a skin from pictures alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final

from bot.board import Board
from bot.frame import Frame, Reading, Status
from vision.desktop import Window
from vision.learning.course import Course, Taught
from vision.learning.learner import AnswerRefused, Question
from vision.ownskins import SkinTaken
from vision.skins import Skin

__all__ = ["Ask", "Doubt", "Puzzled", "Taught", "TileUnknown", "answered", "teach"]

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


class Puzzled(Exception):
    """A board stays as it is, and some of its tiles are unknown."""

    def __init__(self, reading: Reading, questions: tuple[Question, ...]) -> None:
        super().__init__(f"{len(questions)} kinds of tile are unknown")
        self.reading = reading
        self.questions = questions


class Doubt:
    """Notices a board that stays unreadable.

    Args:
        clock: Monotonic seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._board: Board | None = None
        self._since = 0.0

    def weigh(self, reading: Reading, questions: tuple[Question, ...]) -> None:
        """Consider one look.

        Raises:
            Puzzled: It has questions, its game is on, and it has stayed as it is for a moment.
        """
        # Of a game that is over nothing has to be known.
        if not (questions and reading.status is Status.PLAYING) or reading.board != self._board:
            self._board, self._since = reading.board, self._clock()
        elif self._clock() - self._since > _PATIENCE:
            raise Puzzled(reading, questions)


def teach(
    frames: Iterable[Frame],
    skins: Iterable[Skin],
    name: str | None,
    mines: int | None,
    ask: Ask,
    window: Window | None = None,
    may_replace: Callable[[str], bool] = lambda _name: False,
) -> Taught:
    """Learn a skin from pictures of one program, and keep it in the user's folder.

    Args:
        frames: In the order in which they were taken.
        skins: Those that are known; one that was learned before is learned further.
        name: Of the skin; made from the window's title without.
        mines: On the board, where that is known.
        ask: Told the kinds of tile that nothing settles; each once.
        window: The program's, if it is on the screen.
        may_replace: Asked, before anything else is, whether another skin of that name may go.

    Raises:
        BoardNotFound: A picture shows no board of the skin, or one of a bundled skin.
        SkinError: Too little was learned to read a game with, or it cannot be written.
        SkinTaken: Another skin of that name may not go.
    """
    course = Course(skins, mines, window)
    agreed = False
    for frame in frames:
        course.show(frame)
        if name is not None and not agreed and course.takes(name):
            if not may_replace(name):
                raise SkinTaken(name)
            agreed = True
        left_open: set[bytes] = set()
        while questions := [one for one in course.questions if _key(one) not in left_open]:
            if not answered(questions[0], ask, course.pupil.answer):
                left_open.add(_key(questions[0]))
    return course.keep(name, replace=agreed)


def answered(question: Question, ask: Ask, take: Callable[[Question, int], None]) -> bool:
    """Ask what a kind of tile is, and again where that cannot be; False where nobody says.

    Args:
        question: Its `refused` tells the one who is asked which answers could not be.
        ask: Whom.
        take: Takes the answer; raises `AnswerRefused`.
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


def _key(question: Question) -> bytes:
    return question.picture.tobytes()
