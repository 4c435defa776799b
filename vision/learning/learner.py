"""Reading a skin that was never seen: from a board's tile pictures to what they stand for.

A `Learner` is shown the tiles of one window, look after look. It sorts them into kinds
(`grouping`), notes what becomes of them, reads their marks (`digits`), and asks which
labelling of the kinds the game allows (`labelling`). What is settled stays so; what is not
is UNREAD, and a question.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.board import COVERED, TILE_CODES, UNREAD, Cell
from vision.digits import read_tiles
from vision.learning.believing import believable, plausible
from vision.learning.evidence import (
    AT,
    LABELS,
    REVEALED,
    Reading,
    another_of,
    appearance,
    with_addition,
)
from vision.learning.grouping import Grouping, Tiles, at_most, resized
from vision.learning.history import History
from vision.learning.labelling import MARGIN, Labelling, label
from vision.learning.learned import learned_skin
from vision.learning.oddities import ONE_GROUND, Puzzle
from vision.learning.relations import Relations
from vision.learning.retinting import retinted
from vision.learning.rules import feasible
from vision.learning.spreading import Spreading
from vision.skins import Skin

_KINDS: Final = 64
"""Kinds on one board beyond which nothing is searched for."""
_READ_AT: Final = 48
_DOUBTS: Final = 3
"""Impossible looks in a row after which what was learned is given up."""
SPREAD: Final = 0.99
"""Confidence of what is known from a kind that looks alike."""
_LOOKS: Final = 4
"""Likely states that a question names."""


@dataclass(frozen=True, eq=False)
class Question:
    """What is this? Asked of the user, once a kind of tile."""

    picture: NDArray[np.uint8]
    """(h, w, 3) uint8 BGR, as it was seen."""
    cells: tuple[Cell, ...]
    """Where it is on the board that was seen last."""
    likely: tuple[int, ...]
    """Tile codes, the likeliest first."""


@dataclass(frozen=True, eq=False)
class Lesson:
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


class Learner:
    """Learns the look of one program.

    Args:
        name: Of the skin that comes of it.
        tile: Width and height of its pictures, in pixels.
        known: What is known already, from an earlier time.
    """

    def __init__(self, name: str, tile: tuple[int, int], known: Skin | None = None) -> None:
        self.name = name
        self.tile = tile
        self._grouping = Grouping()
        self._readings: list[Reading] = []
        self._history = History()
        self._spreading = Spreading(self._grouping)
        self._settled: dict[int, int] = {}
        self._sure: dict[int, float] = {}
        self._told: set[int] = set()
        self._doubts = 0
        self._last: NDArray[np.intp] | None = None
        self._lesson: Lesson | None = None
        self._skin: Skin | None = None
        self._relations = Relations(self._grouping.traits, self._readings)
        for code, pictures in (known.pictures if known is not None else {}).items():
            for picture in pictures:
                kind = self._grouping.add(resized(picture, tile))
                self._settle(kind, code, 1.0)
                self._told.add(kind)

    def see(self, tiles: Tiles, rows: int, cols: int, mines: int | None = None) -> Lesson:
        """Take in one look.

        Args:
            tiles: (rows * cols, h, w, 3) uint8 BGR, row by row.
            rows: Of the board.
            cols: Of the board.
            mines: On the whole board; None where nobody knows.
        """
        if tiles.shape[1:3] != (self.tile[1], self.tile[0]):
            tiles = np.stack([resized(tile, self.tile) for tile in tiles])
        cells = self._grouping.group(tiles).reshape(rows, cols)
        self._read_new()
        self._history.grow(len(self._grouping))
        if (
            self._lesson is not None
            and self._last is not None
            and np.array_equal(cells, self._last)
        ):
            return self._lesson
        last, self._last = self._last, cells
        self._retint(cells, last)
        self._note(cells, last)
        if len(self._settled) > 1:
            self._spread(cells)
        lesson = self._learn(cells, mines)
        self._lesson = None if self._forgets(cells) else lesson
        return lesson

    def answer(self, question: Question, state: int) -> None:
        """Take the user's word for what a kind of tile is.

        Raises:
            ValueError: There is no such state.
        """
        if state not in TILE_CODES:
            raise ValueError(f"{state} is no state of a tile")
        (kind,) = self._grouping.group(question.picture[None]).tolist()
        self._read_new()
        self._settle(kind, state, 1.0)
        self._told.add(kind)
        self._lesson = None

    def skin(
        self,
        title: str = "",
        window_class: str | None = None,
        program: str = "learned",
        hold: float = 0.0,
    ) -> Skin:
        """What was learned, to be kept with `save_skin`.

        Args:
            title: What the window's title contains.
            window_class: Its class.
            program: What drew the pictures.
            hold: Seconds that a press must last to count.
        """
        pictures: dict[int, list[NDArray[np.uint8]]] = {}
        for kind, code in self._settled.items():
            if code != UNREAD:
                pictures.setdefault(code, []).append(self._grouping.pictures[kind])
        return learned_skin(
            self.name, self.tile, pictures,
            title=title, window_class=window_class, program=program, hold=hold,
        )  # fmt: skip

    def _read_new(self) -> None:
        """Read the marks of kinds that were not there before."""
        new = range(len(self._readings), len(self._grouping))
        for kind in new:
            traits = self._grouping.traits[kind]
            if traits.plain:
                self._readings.append(Reading(np.eye(11)[10], 0.0))
            else:
                picture = at_most(self._grouping.pictures[kind], _READ_AT)
                read = read_tiles(picture[None])
                self._readings.append(
                    Reading(read.scores[0].astype(np.float64), float(read.question[0]))
                )

    def _note(self, cells: NDArray[np.intp], last: NDArray[np.intp] | None) -> None:
        """Note what became of the tiles of the last look."""
        history = self._history
        if last is None or last.shape != cells.shape:
            history.came = []
        elif not np.array_equal(last, cells):
            history.note(last, cells, self._named(last), self._named(cells))

    def _spread(self, cells: NDArray[np.intp]) -> None:
        """Settle the kinds that look like settled ones within their rims."""
        present: list[int] = np.unique(cells).tolist()
        over = any(self._settled.get(kind) in REVEALED for kind in present)
        spread: dict[int, int] = {}
        for kind in present:
            if kind in self._settled:
                continue
            state = self._spreading.state_of(kind, self._settled, over=over)
            if state is not None and self._readings[kind].allows(state):
                spread[kind] = state
        self._take(spread, cells)

    def _retint(self, cells: NDArray[np.intp], last: NDArray[np.intp] | None) -> None:
        """Settle the kinds that the kinds of the last look turned into, all over the board."""
        if last is not None and last.shape == cells.shape and not np.array_equal(last, cells):
            traits, past = self._grouping.traits, self._history.past
            found, same = retinted(last, cells, self._named(last), traits, self._readings)
            self._take({k: s for k, s in found.items() if k not in self._settled}, cells)
            for kind, old in same.items():
                past[kind].went_on = max(past[kind].went_on, past[old].went_on)

    def _take(self, found: dict[int, int], cells: NDArray[np.intp]) -> None:
        """Settle kinds, unless the board cannot be so."""
        for kind, state in found.items():
            self._settle(kind, state, SPREAD)
        if found and not feasible(self._named(cells)):
            for kind in found:
                del self._settled[kind], self._sure[kind]

    def _forgets(self, cells: NDArray[np.intp]) -> bool:
        """Give up what was learned where it contradicts the game, look after look.

        One impossible look may be an animation. What the user said is kept.
        """
        self._doubts = 0 if feasible(self._named(cells)) else self._doubts + 1
        if self._doubts < _DOUBTS:
            return False
        self._doubts = 0
        for kind in self._settled.keys() - self._told:
            del self._settled[kind], self._sure[kind]
        self._history.forget()
        self._skin = None
        return True

    def _learn(self, cells: NDArray[np.intp], mines: int | None) -> Lesson:
        present: list[int] = np.unique(cells).tolist()
        if len(present) > _KINDS:
            return self._lesson_of(cells, present, None, believable=False)
        if all(kind in self._settled for kind in present):
            codes = self._named(cells)
            return self._lesson_of(cells, present, None, believable=feasible(codes))
        # Those that are settled but not here still tell what grounds look like.
        kinds = sorted({*present, *self._settled})
        local = np.searchsorted(kinds, cells)
        counts = np.bincount(local.ravel(), minlength=len(kinds)).tolist()
        traits = [self._grouping.traits[kind] for kind in kinds]
        scores = np.stack(
            [
                appearance(
                    traits[at],
                    self._readings[kind],
                    counts[at],
                    counts[at] / cells.size,
                    self._history.past[kind],
                )
                for at, kind in enumerate(kinds)
            ]
        )
        settled = {at: self._settled[k] for at, k in enumerate(kinds) if k in self._settled}
        if len(present) == 1:
            # Whatever it looks like: nothing else fills a whole board.
            scores[kinds.index(present[0])] = -np.inf
            scores[kinds.index(present[0]), AT[COVERED]] = 0.0
        came = [self._history.came.count(kind) for kind in kinds]
        apart, same, kin, adds = self._relations.table(kinds)
        for at in np.flatnonzero(adds.any(axis=1)).tolist():
            scores[at] = with_addition(scores[at], counts[at])
        for at in np.flatnonzero((np.tril(same, -1) * (apart < ONE_GROUND)).any(axis=1)).tolist():
            scores[at] = another_of(scores[at])
        puzzle = Puzzle(local, traits, scores, settled, apart, same, kin, adds, came, mines)
        found = label(puzzle)
        is_game = believable(puzzle, found, counts)
        if is_game:
            self._accept(puzzle, found, kinds, counts)
        return self._lesson_of(cells, kinds, (puzzle, found), believable=is_game)

    def _accept(
        self, puzzle: Puzzle, found: Labelling, kinds: list[int], counts: list[int]
    ) -> None:
        """Settle what no other labelling comes near to."""
        sure = (found.margin >= MARGIN) & (found.labels != UNREAD)
        # A game whose hints cannot be read tells nothing of what stands among them.
        hints = bool((sure & (found.labels >= 1)).any())
        for at, kind in enumerate(kinds):
            code = int(found.labels[at])
            if not (counts[at] and sure[at]) or kind in self._settled:
                continue
            question = self._readings[kind].question
            if (hints or code == COVERED) and plausible(puzzle, found.labels, at, question):
                self._settle(kind, code, 1.0 - float(np.exp(-found.margin[at])))

    def _lesson_of(
        self,
        cells: NDArray[np.intp],
        kinds: list[int],
        search: tuple[Puzzle, Labelling] | None,
        *,
        believable: bool,
    ) -> Lesson:
        sure = np.zeros(len(self._grouping), np.float32)
        for kind, confidence in self._sure.items():
            sure[kind] = confidence
        questions = []
        for at, kind in enumerate(kinds):
            if kind not in self._settled and search is not None:
                questions.append(self._question(cells, kind, at, *search))
        questions.sort(key=lambda question: -len(question.cells))
        return Lesson(
            skin=self._provisional(),
            codes=self._named(cells),
            confidence=sure[cells],
            questions=tuple(questions),
            believable=believable,
        )

    def _question(
        self, cells: NDArray[np.intp], kind: int, at: int, puzzle: Puzzle, found: Labelling
    ) -> Question:
        scores = puzzle.scores[at].copy()
        scores[AT[int(found.labels[at])]] += MARGIN
        scores[AT[UNREAD]] = -np.inf
        likely = [LABELS[place] for place in np.argsort(-scores)[:_LOOKS]]
        where = tuple(Cell(int(row), int(col)) for row, col in np.argwhere(cells == kind))
        return Question(self._grouping.pictures[kind], where, tuple(likely))

    def _provisional(self) -> Skin | None:
        if self._skin is None and self._settled:
            self._skin = self.skin()
        return self._skin

    def _settle(self, kind: int, code: int, confidence: float) -> None:
        self._settled[kind] = code
        self._sure[kind] = confidence
        self._skin = None

    def _named(self, cells: NDArray[np.intp]) -> NDArray[np.int8]:
        """(rows, cols) the states of settled kinds, UNREAD elsewhere."""
        names = np.full(max(len(self._grouping), 1), UNREAD, np.int8)
        for kind, code in self._settled.items():
            names[kind] = code
        codes: NDArray[np.int8] = names[cells]
        return codes
