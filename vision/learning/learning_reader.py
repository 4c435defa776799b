"""Read a board of a skin that is being learned.

A `LearningReader` takes the place of a `Tracker`. It does not ask the user by itself: it lists the
kinds of tile that neither their shape nor the rules of the game settle, and accepts the answers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.board import UNREAD, Cell
from bot.frame import Frame, Grid
from bot.planner import Move
from bot.unread import Cause, Unread
from vision.desktop import Window
from vision.finder.placing import Side
from vision.focus import same_program
from vision.learning.learner import Learner, see_board
from vision.learning.questions import AnswerRefused, LearningResult, Question
from vision.matcher import Matcher
from vision.skins import REQUIRED, STATES, Dialog, Restart, Skin, save_skin, user_folder
from vision.skins.skin import Convention, Flood, learned_level
from vision.tracking.cells import Cells

STILL: Final = 0.2
"""Seconds that a board on the screen must be unchanged before the reader learns from it. KMines
shows opened cells without their hints for up to 0.03 s, and they look covered then."""


class LearningReader:
    """Reader of a board whose skin is being learned.

    A board in motion is read with the known states, and nothing is learned from it.

    Args:
        grid: The board's grid.
        learner: The learner with the states so far.
        known: The skin as learned earlier, at any size; None at first.
        described: Another skin of the same program: its pictures do not fit (another font, another
            theme), but its description of the program does.
        whole: On a screen, returns whether nothing covers a board. None for pictures, from which it
            learns at once.
        unsure: Sides at which the board's end is uncertain.
    """

    def __init__(
        self,
        grid: Grid,
        learner: Learner,
        known: Skin | None = None,
        described: Skin | None = None,
        whole: Callable[[Grid], bool] | None = None,
        unsure: tuple[Side, ...] = (),
    ) -> None:
        self.grid = grid
        self.unsure = unsure
        self.learner = learner
        self.mines: int | None = None
        """The number of mines, if known: it settles more kinds."""
        self.codes: NDArray[np.int8] = np.full((grid.rows, grid.cols), UNREAD, np.int8)
        self.confidence: NDArray[np.float32] = np.zeros((grid.rows, grid.cols), np.float32)
        self.restart: Restart | None = None
        """The way to start the next game, once found out."""
        self._found: dict[str, object] = {}
        """Other findings about the program, by their names in `SkinFile`."""
        self._dialogs: tuple[Dialog, ...] = ()
        """Keys that close the program's dialogs, as recently allowed by the user."""
        self._program: tuple[str, str] | None = None
        """Title and class of the window for which the user has recently allowed keys."""
        self.questions: tuple[Question, ...] = ()
        """Kinds of tile of unknown state, the commonest first."""
        self.passed: tuple[Question, ...] = ()
        """Those that are surely opened cells, with unknown hints: OPENED in `codes`."""
        self._unread: Mapping[Cell, Unread] = {}
        """Why each unread tile is."""
        self.known = known
        self._described = known or described
        prior = known or learner.resembled
        self._matcher = Matcher(prior) if prior is not None else None
        self._cells = Cells(grid)
        self._frame: Frame | None = None
        self._whole = whole
        self._uncovered = False
        """Whether nothing covered the board at the last check, since which it has not changed."""
        self._since: float | None = None
        """Time since which the board is unchanged, if nothing was learned from it yet."""
        self._learned = 0
        self.hindered = False
        """Whether something else than the board seems to lie at its place, so that nothing is
        learned from it."""

    @property
    def skin(self) -> Skin:
        """The skin so far: the earlier description, with all pictures."""
        learned = self.learner.skin()
        fields = dict(self._found)
        if self.restart is not None:
            fields["restart"] = self.restart
        if self._program is not None:
            fields["title"], fields["window_class"] = self._program
            fields["dialog"], fields["keys_allowed"] = self._dialogs, True
        if self._described is None:
            return learned.model_copy(update=fields)
        for name in ("name", "program", "source", "tile", "pictures", "sizes", "sets"):
            fields[name] = getattr(learned, name)
        return self._described.model_copy(update=fields)

    @property
    def flood(self) -> Flood | None:
        """The neighbours that a zero opens."""
        return self.learner.flood

    @property
    def known_name(self) -> str | None:
        """The name of the skin as learned earlier."""
        return self.known.name if self.known is not None else None

    @property
    def learned(self) -> int:
        """Number of settled pictures."""
        return self._learned

    @property
    def pending(self) -> bool:
        """Whether the reader waits for an unchanged board before it learns from it."""
        return self._since is not None

    def see(self, frame: Frame) -> bool:
        """Read a frame; return whether anything in the picture or its reading has changed."""
        changed = self._cells.changed(frame)
        if changed is not None and changed.any():
            self._frame, self._since, self.hindered = frame, frame.time, False
            self._uncovered = False
            if self._whole is not None:
                self._recall(frame)
                return True
        if self._since is None:
            return changed is not None
        if self._whole is not None:
            if frame.time - self._since < STILL:
                return changed is not None
            # What covered this picture may have gone since: the next one, if it is the same, shows
            # the board.
            before, self._uncovered = self._uncovered, self._whole(self.grid)
            self.hindered = not self._uncovered
            if not before and self._uncovered:
                return changed is not None
            if self.hindered:
                # The window system is not asked again before another such interval.
                self._since = frame.time
                return changed is not None
        self._since = None
        self._learn(frame)
        return True

    def why_unread(self, cell: Cell) -> Unread:
        """Return why a tile is unread."""
        if self.hindered:
            return Unread(Cause.COVERED)
        return self._unread.get(cell, Unread(Cause.CHANGING))

    def note_moves(self, moves: tuple[Move, ...]) -> None:
        """Register the moves that are about to be made."""
        self.learner.note_moves(moves)

    def moved(self, dx: int, dy: int) -> LearningReader:
        """Return the same reader after its window has moved by whole points."""
        return self.at(self.grid.moved(dx, dy))

    def at(self, grid: Grid) -> LearningReader:
        """Return the same reader with its board at another place or size."""
        other = LearningReader(
            grid, self.learner, self.known, self._described, self._whole, self.unsure
        )
        other.restart, other._found = self.restart, self._found
        other._dialogs, other._program = self._dialogs, self._program
        return other

    def answer(self, question: Question, state: int) -> None:
        """Set the state of a kind of tile, and read the last frame again.

        Raises:
            AnswerRefused: The answer contradicts the board; it is ignored.
        """
        flood = self.flood
        self.learner.answer(question, state)
        self._note_flood(flood)
        if self._frame is not None:
            self._learn(self._frame)

    def confirm(self) -> None:
        """Treat all inferred states as the user's answers, and read the last frame again."""
        self.learner.confirm()
        if self._frame is not None:
            self._learn(self._frame)

    def conclude(self) -> bool:
        """Settle kinds by the last frame if it has not changed for some seconds.

        Returns:
            Whether any kind was settled: then fewer questions are left, or none.
        """
        flood = self.flood
        if self._frame is None or not self.learner.conclude():
            return False
        self._note_flood(flood)
        self._learn(self._frame)
        return True

    def pass_over(self) -> bool:
        """Read unknown tiles of the last frame as OPENED where that is sure; return whether any."""
        if self._frame is None or not self.learner.pass_over():
            return False
        self._learn(self._frame)
        return True

    def end_at_passed(self) -> bool:
        """Read the only opened tile of a game as its exploded mine; return whether that may be."""
        if self._frame is None or not self.learner.end_at_passed():
            return False
        self._learn(self._frame)
        return True

    def correct(self, kind: int, state: int, *, insist: bool = False) -> None:
        """Set the state of a kind, whatever its previous one, and read the last frame again.

        Raises:
            AnswerRefused: The state contradicts the board; it is ignored.
        """
        self.learner.correct(kind, state, insist=insist)
        if self._frame is not None:
            self._learn(self._frame)

    def take_back(self) -> bool:
        """Undo the last answer, and read the last frame again; return whether there was one."""
        if not self.learner.take_back():
            return False
        if self._frame is not None:
            self._learn(self._frame)
        return True

    def allow(self, window: Window, restart: Restart | None, dialog: Dialog | None) -> None:
        """Store keys that the user allowed for the program of a window.

        Keys of another program, and keys that were not allowed, are dropped. None leaves the
        restart unchanged, or adds no dialog.
        """
        skin = self.skin
        if skin.keys_allowed and same_program(skin, window.title, window.program):
            self._dialogs = skin.dialog
        else:
            self._dialogs, self.restart = (), Restart(face=skin.restart.face)
        self._program = (window.title, window.program)
        if restart is not None:
            self.restart = restart
        if dialog is not None:
            others = (one for one in self._dialogs if one.title != dialog.title)
            self._dialogs = (*others, dialog)

    def note(self, name: Convention, value: object, times: int) -> None:
        """Store a finding about the program, as a skin contains it, and how often it was made."""
        self._found[name] = value
        self.count(name, times)
        if name == "flood":
            self.learner.flood = self.skin.flood

    def count(self, name: Convention, times: int) -> None:
        """Store how often a finding was confirmed; 0 removes the count, not the finding."""
        others = {key: count for key, count in self.skin.confirmed.items() if key != name}
        self._found["confirmed"] = others | ({name: times} if times else {})

    def _note_flood(self, before: Flood | None) -> None:
        """Store the learner's finding about zeros, if any."""
        if self.flood != before:
            self.note("flood", self.flood, 1)

    def _recall(self, frame: Frame) -> None:
        rows, cols = self._cells.shape
        tiles = self.learner.cut(self._cells, frame)
        self.codes, self.confidence = self.learner.recall(tiles, rows, cols)
        self.questions, self._unread = (), {}

    def _learn(self, frame: Frame) -> None:
        tiles = self.learner.cut(self._cells, frame)
        rows, cols = self._cells.shape
        self.learner, result = see_board(self.learner, tiles, rows, cols, self.mines)
        if result.questions and self._matcher is not None and self._remember(result):
            result = self.learner.see(tiles, rows, cols, self.mines)
        self.codes, self.confidence = result.codes, result.confidence
        self.questions, self.passed = result.questions, result.passed
        self._unread = result.unread
        pictures = result.skin.pictures.values() if result.skin else ()
        self._learned = sum(map(len, pictures))

    def _remember(self, result: LearningResult) -> bool:
        """Answer questions by earlier pictures or those of a similar skin, if any."""
        assert self._matcher is not None  # noqa: S101 - asked of those who know something
        pictures = np.stack([question.picture for question in result.questions])
        codes = self._matcher.match(pictures).codes
        known = [pair for pair in zip(result.questions, codes.tolist(), strict=True)
                 if pair[1] != UNREAD]  # fmt: skip
        taken = False
        for question, code in known:
            with suppress(AnswerRefused):
                self.learner.answer(question, code)
                taken = True
        return taken


def keep(learner: LearningReader, window: Window | None, mines: int | None = None) -> Path | None:
    """Save the learned skin in the user's folder.

    It includes the window's title and class, and the mines of boards of this size if known.

    Returns:
        The skin's folder; None if too little is known to read a game.

    Raises:
        SkinError: The skin cannot be written.
    """
    skin = learner.skin
    if any(STATES[state] not in skin.pictures for state in REQUIRED):
        return None
    # Keys stay with the program for which they were allowed.
    if window is not None and (
        not skin.keys_allowed or same_program(skin, window.title, window.program)
    ):
        skin = skin.model_copy(update={"title": window.title, "window_class": window.program})
    if mines is not None:
        size = learner.grid.rows, learner.grid.cols
        # Another program's level of this size may have another number of mines.
        levels = {
            name: one for name, one in skin.levels.items() if one[:2] != size or one[2] == mines
        }
        levels[learned_level(*size)] = (*size, mines)
        skin = skin.model_copy(update={"levels": levels})
    folder = user_folder() / skin.name
    save_skin(skin, folder)
    return folder
