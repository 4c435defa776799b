"""Learn a skin from pictures of one program, one after the other, and save it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from bot.board import COVERED, OPENED, UNREAD
from bot.frame import Frame
from vision import SUPPORTED
from vision.desktop import Window
from vision.finder import BoardCut, BoardNotFound, survey
from vision.finder.cutoff import CutOff
from vision.finder.unknown_boards import free_name, skin_name
from vision.learning.learning_reader import LearningReader, keep
from vision.learning.questions import Ask, Question, TileCluster, answered
from vision.skins import REQUIRED, STATES, Skin, SkinError
from vision.skins.own_skins import SkinTaken, check_own_name, own_folder
from vision.tracking.lookalikes import unknown_board_in_cells, unknown_boards_in, without
from vision.tracking.tile_reader import tile_reader_of


class CoveredBoard(BoardNotFound):
    """All cells of the first board are covered, and look like those of a known skin."""


@dataclass(frozen=True, eq=False)
class LearnedSkin:
    """The result of learning a skin."""

    skin: Skin
    folder: Path
    missing: tuple[str, ...]
    """States that were not seen, by their names in a skin's folder."""


class SkinLearner:
    """Learner of one skin from pictures; continues a skin among `skins` learned before.

    `title` is what the skin is named after if there is no `window`.
    """

    def __init__(
        self,
        skins: Iterable[Skin],
        mines: int | None = None,
        window: Window | None = None,
        title: str = "",
    ) -> None:
        self._skins = tuple(skins)
        self._mines = mines
        self._window = window
        self._title = title if window is None else window.title
        self._reader: LearningReader | None = None
        self._shape: tuple[int, ...] = ()
        self._shown = 0
        self.frame: Frame | None = None
        """The last picture."""

    def show(self, frame: Frame) -> None:
        """Learn from one more picture of the same program.

        Raises:
            BoardNotFound: The picture shows no board to learn from, or one of a bundled skin.
            BoardCut: The picture shows only part of a board.
        """
        same = self._reader if frame.image.shape == self._shape else None
        reader = _shown(frame, self._shown + 1, self._skins, self._reader, same)
        self._reader, self._shape, self._shown = reader, frame.image.shape, self._shown + 1
        reader.mines = self._mines
        reader.see(frame)
        self.frame = frame

    @property
    def reader(self) -> LearningReader:
        """The learning reader.

        Raises:
            BoardNotFound: There was no picture so far.
        """
        if self._reader is None:
            raise BoardNotFound("there is no picture to learn from: choose a picture or a window")
        return self._reader

    @property
    def kinds(self) -> tuple[TileCluster, ...]:
        """The kinds of tile seen so far, unknown ones first, then the commonest."""
        return self.reader.learner.kinds()

    @property
    def questions(self) -> tuple[Question, ...]:
        """Questions about the kinds that neither their shape nor the game settles."""
        return self.reader.questions

    def correct(self, kind: int, state: int, *, insist: bool = False) -> None:
        """Set the state of a kind; the others are inferred again.

        Raises:
            AnswerRefused: The state contradicts the board, and the user does not insist.
        """
        self.reader.correct(kind, state, insist=insist)

    def confirm(self) -> None:
        """Treat all inferred states as the user's answers."""
        self.reader.confirm()

    @property
    def name(self) -> str:
        """Name of the skin unless another one is given."""
        return self.reader.known_name or free_name(skin_name(self._title), self._skins)

    @property
    def missing(self) -> tuple[str, ...]:
        """States that a skin needs and that have not been seen yet."""
        known = {kind.state for kind in self.kinds if kind.state != UNREAD}
        return tuple(name for name in REQUIRED if STATES[name] not in known)

    def takes(self, name: str) -> bool:
        """Return whether saving replaces a skin of the user's other than the one learned further.

        Raises:
            SkinError: The name is not allowed for a user's skin.
        """
        check_own_name(name)
        return name != self.reader.known_name and own_folder(name) is not None

    def keep(self, name: str | None = None, *, replace: bool = False) -> LearnedSkin:
        """Save the learned skin in the user's folder, under `name` if given.

        `replace` allows replacing another skin of the user with that name.

        Raises:
            SkinError: Too little was learned to read a game, or the skin cannot be written.
            SkinTaken: There is another skin of that name.
        """
        reader, called = self.reader, name or self.name
        if self.takes(called) and not replace:
            raise SkinTaken(called)
        reader.learner.name = called
        folder = keep(reader, self._window, self._mines)
        if folder is None:
            raise SkinError(
                "too little was learned to read a game with. Show a game in progress, with "
                "covered and empty cells, 1s and 2s"
            )
        skin = reader.skin
        missing = tuple(
            name for name, code in STATES.items() if code not in {*skin.pictures, OPENED}
        )
        return LearnedSkin(skin, folder, missing)


def learn_skin(
    frames: Iterable[Frame],
    skins: Iterable[Skin],
    name: str | None,
    mines: int | None,
    ask: Ask,
    window: Window | None = None,
    may_replace: Callable[[str], bool] = lambda _name: False,
    title: str = "",
) -> LearnedSkin:
    """Learn a skin from pictures of one program, in order, and save it in the user's folder.

    A first picture that shows covered cells only may have to wait for another one. A skin among
    `skins` that was learned before is continued. The default name is made from the window's title,
    or without a window from `title`.
    `ask` is called once for each kind of tile that remains open; `may_replace` first, if there is a
    skin of that name.

    Raises:
        BoardNotFound: A picture shows no board of the skin, or one of a bundled skin.
        SkinError: Too little was learned to read a game, or the skin cannot be written.
        SkinTaken: Another skin of that name must not be replaced.
    """
    skin_learner = SkinLearner(skins, mines, window, title)
    agreed = False
    waiting = deque(frames)
    postponed = 0
    while waiting:
        frame = waiting.popleft()
        try:
            skin_learner.show(frame)
        except CoveredBoard:
            if postponed == len(waiting):
                raise
            waiting.append(frame)
            postponed += 1
            continue
        if name is not None and not agreed and skin_learner.takes(name):
            if not may_replace(name):
                raise SkinTaken(name)
            agreed = True
        left_open: set[bytes] = set()
        while questions := [one for one in skin_learner.questions if _key(one) not in left_open]:
            if not answered(questions[0], ask, skin_learner.reader.answer):
                left_open.add(_key(questions[0]))
    return skin_learner.keep(name, replace=agreed)


def _shown(
    frame: Frame,
    number: int,
    skins: tuple[Skin, ...],
    reader: LearningReader | None,
    same: LearningReader | None,
) -> LearningReader:
    """Return the reader that learns from a picture: a new one, or that of the previous pictures.

    Pictures count from 1. `same` is the reader if the previous picture had the same size: its board
    is at the same place, unless one is found at another.

    Raises:
        BoardNotFound: The picture shows no board to learn from, or several.
        BoardCut: The picture shows only part of a board.
    """
    sightings, remarks = survey(frame, skins)
    learned = [one for one in sightings if one.skin.learned]
    if learned:
        tile_readers = [
            tile_reader_of(one.grid, one.skin, None, unsure=one.unsure) for one in learned
        ]
    else:
        partly = [one for one in sightings if one.confidence < 1]
        sightings = [one for one in sightings if one.confidence == 1]
        known = [one.grid for one in sightings]
        unknown, cut = unknown_boards_in(frame, partly, known, remarks)
        remarks += cut
        refused = [one.grid for one in cut if isinstance(one, CutOff)]
        for claim in without(partly, [*(one.grid for one in unknown), *refused]):
            other = unknown_board_in_cells(frame, claim)
            unknown += [other] if other is not None else []
        tile_readers = [LearningReader(one.grid, one.learner, unsure=one.unsure) for one in unknown]
    found = [tile_reader for tile_reader in tile_readers if isinstance(tile_reader, LearningReader)]
    cut_off = next((one for one in remarks if isinstance(one, CutOff)), None)
    if not found and cut_off is not None:
        raise BoardCut(f"picture {number}: {cut_off}")
    if not found and any((one.tiles != COVERED).any() for one in sightings):
        names = ", ".join(sorted({one.skin.name for one in sightings}))
        raise BoardNotFound(
            f"picture {number} shows a board of a known skin ({names}): there is nothing to learn"
        )
    if not found and same is not None:
        return same
    if not found and sightings:
        # The covered tiles of two programs may look alike.
        if reader is not None and len(sightings) == 1:
            return reader.at(sightings[0].grid)
        names = ", ".join(sorted({one.skin.name for one in sightings}))
        raise CoveredBoard(
            f"picture {number} shows covered cells only, which are like those of a known skin "
            f"({names}): give one of a game that has begun first"
        )
    if len(found) != 1:
        seen = "no board" if not found else f"{len(found)} boards"
        raise BoardNotFound(
            f"picture {number} shows {seen} to learn from: give one that shows a whole board, "
            f"with nothing over it, and best a game that has begun. {SUPPORTED}"
        )
    if reader is None:
        return found[0]
    return reader.at(found[0].grid)


def _key(question: Question) -> bytes:
    return question.picture.tobytes()
