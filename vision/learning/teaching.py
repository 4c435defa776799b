"""Being taught: what happens with tiles that neither their shape nor the game settles.

While a board is played, `Doubt` tells an unknown tile from one that is only on its way to
be drawn: it has to stay as it is for a moment. `teach` learns a skin from pictures alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from bot.board import Board
from bot.frame import Frame, Reading, Status
from vision.finder import BoardNotFound, survey
from vision.finding.strangers import find_strangers, free_name, skin_name
from vision.following.parsing import follower
from vision.learning.apprentice import Apprentice, keep
from vision.learning.learner import AnswerRefused, Question
from vision.skins import REQUIRED, STATES, Skin, SkinError
from vision.windows import Window

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
        row, col = question.cells[0]
        more = f" (and {len(question.cells) - 1} others like it)" if question.cells[1:] else ""
        super().__init__(
            f"the tile at row {row}, column {col}{more} is none that is known: play with the "
            "panel, which asks what it is, or run 'minesweeper-bot learn' on this window"
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
            Puzzled: It has questions, and the board has stayed as it is for a moment.
        """
        seen = reading.status is not Status.BLOCKED
        if not (questions and seen) or reading.board != self._board:
            self._board, self._since = reading.board, self._clock()
        elif self._clock() - self._since > _PATIENCE:
            raise Puzzled(reading, questions)


@dataclass(frozen=True, eq=False)
class Taught:
    """What came of learning a skin."""

    skin: Skin
    folder: Path
    missing: tuple[str, ...]
    """States that were not met, by their names in a skin's folder."""


def teach(
    frames: Iterable[Frame],
    skins: Iterable[Skin],
    name: str | None,
    mines: int | None,
    ask: Ask,
    window: Window | None = None,
) -> Taught:
    """Learn a skin from pictures of one program, and keep it in the user's folder.

    Args:
        frames: In the order in which they were taken.
        skins: Those that are known; one that was learned before is learned further.
        name: Of the skin; made from the window's title without.
        mines: On the board, where that is known.
        ask: Told the kinds of tile that nothing settles; each once.
        window: The program's, if it is on the screen.

    Raises:
        BoardNotFound: A picture shows no board of the skin, or one of a bundled skin.
        SkinError: Too little was learned to read a game with, or it cannot be written.
    """
    skins = tuple(skins)
    pupil: Apprentice | None = None
    shape: tuple[int, ...] = ()
    for number, frame in enumerate(frames, start=1):
        same = pupil if frame.image.shape == shape else None
        pupil, shape = _shown(frame, number, skins, pupil, same), frame.image.shape
        pupil.mines = mines
        pupil.see(frame)
        left_open: set[bytes] = set()
        while questions := [one for one in pupil.questions if _key(one) not in left_open]:
            if not answered(questions[0], ask, pupil.answer):
                left_open.add(_key(questions[0]))
    if pupil is None:
        raise BoardNotFound("there is no picture to learn from: name one, or --window")
    title = window.title if window is not None else ""
    pupil.learner.name = name or pupil.known_name or free_name(skin_name(title), skins)
    folder = keep(pupil, window, mines)
    if folder is None:
        wanted = ", ".join(REQUIRED)
        raise SkinError(
            f"too little was learned to read a game with: a skin needs {wanted}. Give a picture "
            "of a game that has begun, with covered cells and the first hints on it"
        )
    skin = pupil.skin
    missing = tuple(name for name, code in STATES.items() if code not in skin.pictures)
    return Taught(skin, folder, missing)


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


def _shown(
    frame: Frame,
    number: int,
    skins: tuple[Skin, ...],
    pupil: Apprentice | None,
    same: Apprentice | None,
) -> Apprentice:
    """Who learns from a picture: a new apprentice, or the one of the pictures before.

    Args:
        frame: The picture.
        number: Counts the pictures from 1.
        skins: Those that are known.
        pupil: Who learned from the pictures before.
        same: The same where the picture before had the same size: its board is there again,
            where none is found at another place.

    Raises:
        BoardNotFound: It shows no board to learn from, or several.
    """
    sightings, _ = survey(frame, skins)
    learned = [one for one in sightings if one.skin.learned]
    if learned:
        eyes = [follower(one.grid, one.skin, None) for one in learned]
    else:
        sightings = [one for one in sightings if one.confidence == 1]
        strangers = find_strangers(frame, [one.grid for one in sightings])
        eyes = [Apprentice(one.grid, one.learner) for one in strangers]
    found = [eye for eye in eyes if isinstance(eye, Apprentice)]
    if not found and sightings:
        names = ", ".join(sorted({one.skin.name for one in sightings}))
        raise BoardNotFound(f"picture {number} shows a board of a known skin: {names}")
    if not found and same is not None:
        return same
    if len(found) != 1:
        seen = "no board" if not found else f"{len(found)} boards"
        raise BoardNotFound(
            f"picture {number} shows {seen} to learn from: give one that shows a whole board, "
            "uncovered, and best a game that has begun"
        )
    if pupil is None:
        return found[0]
    return pupil.at(found[0].grid)


def _key(question: Question) -> bytes:
    return question.picture.tobytes()
