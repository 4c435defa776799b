"""Learn an unknown skin: infer the states of a board's tile pictures.

A `Learner` receives the tiles of one window, frame after frame. It clusters them into kinds
(`clustering`), records how they change (`puzzle`), reads their marks (`digits`), and finds the
labellings of the kinds that the rules allow (`labelling`). A settled kind keeps its state; any
other kind is UNREAD and leads to a question.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.board import (
    COVERED,
    EXPLODED,
    FLAG,
    MINE,
    MISFLAG,
    OPENED,
    QUESTION,
    TILE_CODES,
    UNREAD,
    Cell,
)
from bot.frame import Frame
from bot.planner import Action, Move
from bot.unread import BrokenLimit, Cause, Unread
from vision.learning.clustering import (
    Grouping,
    Propagation,
    Tiles,
    have_changed,
    redressed,
    resized,
    retinted,
    same_mark,
)
from vision.learning.evidence import AT, LABELS, REVEALED, Reading, kin_mark
from vision.learning.labelling import (
    FLOODS,
    MARGIN,
    Labelling,
    believable,
    label_in_doubt,
    plausible,
)
from vision.learning.puzzle import History, Puzzle, Relations, kinds_of, mark_of, overlaid, pose
from vision.learning.questions import AnswerRefused, LearningResult, Question, TileCluster
from vision.learning.rules import feasible, has_moved, near, possible
from vision.skins.skin import LEARNED, Flood, Skin, SkinFile, make_skin
from vision.tracking.cells import Cells

__all__ = ["AnswerRefused", "Learner", "LearningResult", "Question"]


@dataclass(frozen=True)
class LearnerLimits:
    """Limits of what is concluded about the tiles of a board.

    Measured by `python -m tests.benchmarks.learning`; `vision/RESULTS.md` says what single ones
    are worth.
    """

    doubts: int = 3
    """Number of impossible readings in a row after which the learned states are dropped."""
    alike: float = 0.1
    """Least probability of a digit that a mark may still be."""
    hints: int = 3
    """Least number of different hints that are known before an unknown mark is taken for none."""
    unmarked: int = 8
    """Least number of cells of each other kind on a board on which one cell has a mark of its
    own."""
    likely: float = 0.5
    """Least probability of a known hint whose mark a kind shows on another ground. A mark is taken
    for the exploded mine if all possible hints together have less than 1 minus this."""
    rounds: int = 3
    """Number of times that a board is labelled: settled kinds leave less to search."""
    pictures: int = 16
    """Most pictures of one state that a skin keeps."""
    looks: int = 4
    """Number of likely states in a question."""


_LEARNER: Final = LearnerLimits()

SPREAD: Final = 0.99
"""Confidence of a state copied from a similar kind."""


class Learner:
    """Learner of one program's skin.

    Args:
        name: The name of the resulting skin.
        tile: Width and height of the pictures, in pixels.
        known: The skin as learned earlier, if any.
        inner: Whether only the insides of tiles are compared (`Grouping`).

    Attributes:
        resembled: A skin of another program that the board resembles. Its pictures are a prior:
            they decide kinds that neither the shape of a tile nor the rules settle. Its levels are
            used until others are known.
        flood: The neighbours that a zero opens, as far as known.
    """

    def __init__(
        self,
        name: str,
        tile: tuple[int, int],
        known: Skin | None = None,
        *,
        inner: bool = False,
    ) -> None:
        self.name = name
        self.tile = tile
        self.resembled: Skin | None = None
        self.flood: Flood | None = known.flood if known is not None else None
        self._grouping = Grouping(inner=inner)
        self._readings: list[Reading] = []
        self._history = History()
        self._spreading = Propagation(self._grouping)
        self._states = KnownStates()
        self._settled = self._states.codes
        self._mines: int | None = None
        self._moves: tuple[Move, ...] = ()
        self._seen: tuple[Tiles, NDArray[np.intp]] | None = None
        self._before: tuple[Tiles, NDArray[np.intp]] | None = None
        self._from_scratch: NDArray[np.intp] | None = None
        """The board that was last read without its history."""
        """Tiles and their kinds (rows, cols) that were seen last, and before the moves."""
        self._floods: set[int] = set()
        """Kinds of the cells that changed together with those that the last moves opened."""
        self._passed: dict[int, bool] = {}
        """Kinds that are read as OPENED, and whether the user said so."""
        self._doubts = 0
        self._at_win: set[int] = set()
        """The kinds that the last covered cells became at a win. They may be flags, or mines as at
        a loss, and what was inferred of them holds until the next game."""
        self._last: NDArray[np.intp] | None = None
        self._tried: NDArray[np.intp] | None = None
        """The board of which a learner `with_insides` was made last."""
        self._result: LearningResult | None = None
        self._skin: tuple[int, Skin] | None = None
        self._relations = Relations(self._grouping)
        for code, pictures in (known.pictures if known is not None else {}).items():
            for picture in pictures:
                self._set(self._grouping.add(resized(picture, tile)), code)

    def with_insides(self) -> Learner | None:
        """Return a new learner that compares the insides of tiles; None if this one already does.

        Also None if anything is known of the skin, because then its pictures read the tiles, or if
        the board has not changed since the last one.
        """
        if self._grouping.inner or self._settled or self._tried is self._last:
            return None
        self._tried = self._last
        other = Learner(self.name, self.tile, inner=True)
        other.resembled, other.flood = self.resembled, self.flood
        return other

    def cut(self, cells: Cells, frame: Frame) -> Tiles:
        """Return a board's tile pictures; those of a scaled board are sampled between pixels."""
        return cells.resampled_tiles(frame) if cells.scaled else cells.tiles(frame)

    def see(self, tiles: Tiles, rows: int, cols: int, mines: int | None = None) -> LearningResult:
        """Process one reading: the tiles (rows * cols, h, w, 3) of a board, row by row."""
        self._mines = mines
        cells = self._grouped(self._fitted(tiles), rows, cols)
        self._read_new()
        self._history.grow(len(self._grouping))
        if (
            self._result is not None
            and self._last is not None
            and np.array_equal(cells, self._last)
        ):
            return self._result
        (last, self._last), known = (self._last, cells), set(self._settled)
        # Mines may be nearly all of the covered cells, as if those were drawn in another colour.
        self._take(self._all_mines(cells, last, mines), cells)
        self._retint(cells, last)
        now = self._states.named(cells)
        if last is not None and overlaid(last, cells, self._states.named(last), now, self._shows):
            self._last, self._result = last, None
            sure = self._states.sureness(cells)
            return LearningResult(
                self._provisional(), self._shown(cells), sure, (), believable=True
            )
        self._note(cells, last)
        if len(self._settled) > 1:
            self._spread(cells)
        result = self._learn(cells, last, mines)
        self._note_win(cells, known)
        self._result = None if self._forgets(cells) else result
        return result

    def see_covered(self, tiles: Tiles, rows: int, cols: int) -> None:
        """Process a board on which every cell is known to be covered, whatever its pictures."""
        cells = self._grouping.group(self._fitted(tiles)).reshape(rows, cols)
        self._read_new()
        self._history.grow(len(self._grouping))
        self._take(dict.fromkeys(np.unique(cells).tolist(), COVERED), cells)
        self.see(tiles, rows, cols)

    def note_moves(self, moves: tuple[Move, ...]) -> None:
        """Register the moves that are about to be made: they tell what covered cells become."""
        if any(move.action is not Action.FLAG for move in moves):
            tentative = {kind for kind in self._at_win if self._is_tentative(kind)}
            shown = set() if self._last is None else set(np.unique(self._last).tolist())
            tentative |= set(filter(self._is_plain_explosion, self._settled.keys() - shown))
            if self._at_win or tentative:
                self._states.forget(tentative)
                self._at_win, self._result = set(), None
        self._moves, self._before, self._floods = moves, self._seen, set()

    def _note_win(self, cells: NDArray[np.intp], known: set[int]) -> None:
        """Note the kinds that the last covered cells of a won game have become.

        Args:
            cells: (rows, cols) the kinds of a board.
            known: The kinds whose states were known before it was seen.
        """
        codes, present = self._states.named(cells), np.unique(cells).tolist()
        closed, past = np.count_nonzero(codes < 0), self._history.past
        left = any(self._settled.get(kind) == COVERED for kind in known.intersection(present))
        more = self._mines is not None and closed > self._mines
        if left or more or not (codes > 0).any():
            return
        for kind in present:
            # Without a number of mines, it must have been covered before.
            came = self._mines is not None or past[kind].came
            if kind not in known and came and not past[kind].flagged:
                self._at_win.add(kind)

    def _is_tentative(self, kind: int) -> bool:
        """Return whether a kind's state was inferred from a won game alone."""
        unsure = kind in self._at_win and not self._states.is_answered(kind)
        return unsure and self._settled.get(kind) in (COVERED, FLAG)

    def _is_plain_explosion(self, kind: int) -> bool:
        """Return whether a tile without a mark was inferred to be the exploded mine.

        That holds for one game: an empty cell may look the same while the pointer is on it.
        """
        exploded = self._settled.get(kind) == EXPLODED and self._grouping.features[kind].plain
        return exploded and not self._states.is_answered(kind)

    def _grouped(self, tiles: Tiles, rows: int, cols: int) -> NDArray[np.intp]:
        """Return the kinds of a board's tiles (rows, cols).

        A clicked cell of a covered kind that has changed, although so little that it is grouped as
        before, gets a kind of its own.
        """
        cells, before = self._grouping.group(tiles).reshape(rows, cols), self._before
        if before is not None and before[0].shape == tiles.shape and before[1].shape == cells.shape:
            opens = [move.cell for move in self._moves if move.action is Action.OPEN and move.cell]
            changed = have_changed(before[0], tiles).reshape(rows, cols) & (cells == before[1])
            faint = [
                cell
                for cell in opens
                if changed[cell] and self._settled.get(int(cells[cell])) == COVERED
            ]
            for cell in faint:
                self._grouping.split(tiles[cell.row * cols + cell.col])
            if faint:
                cells = self._grouping.group(tiles).reshape(rows, cols)
        self._seen = tiles, cells
        return cells

    def conclude(self) -> bool:
        """Settle kinds by the last board at rest, before the user is asked about it.

        Returns:
            Whether any kind was settled.
        """
        if self._last is None:
            return False
        known, flood = set(self._settled), self.flood
        self._find_flood(self._last)
        self._spread(self._last, at_rest=True)
        self._learn(self._last, None, self._mines, at_rest=True)
        self._take(self._clicked_mine(self._last), self._last)
        self._take(self._only_hints(self._last), self._last)
        self._take(self._states_from_scratch(self._last), self._last)
        self._note_win(self._last, known)
        self._result = None
        return len(self._settled) > len(known) or self.flood != flood

    def _states_from_scratch(self, cells: NDArray[np.intp]) -> dict[int, int]:
        """Return the states of unread kinds by the last board alone, if it is read completely so.

        What many kinds have become at once tells less than the board by itself, as when a click
        has opened all of it. States that contradict the changes are not returned.
        """
        codes = self._states.named(cells)
        if UNREAD not in codes or self._before is None or self._seen is None:
            return {}
        if self._from_scratch is cells or not np.array_equal(self._seen[1], cells):
            return {}
        self._from_scratch = cells
        other = Learner(self.name, self.tile, inner=self._grouping.inner)
        other.resembled, other.flood = self.resembled, self.flood
        rows, cols = cells.shape
        other.see(self._seen[0], rows, cols, self._mines)
        other.conclude()
        assert other._last is not None  # noqa: S101 - of this class; it has seen a board
        seen = other._states.named(other._last)
        known = codes != UNREAD
        if UNREAD in seen or (seen != codes)[known].any():
            return {}
        kinds = set(np.unique(cells[~known]).tolist())
        states = {kind: np.unique(seen[cells == kind]).tolist() for kind in kinds}
        found = {kind: states[kind][0] for kind in kinds if len(states[kind]) == 1}
        return {} if any(self._contradicts_past(*one) for one in found.items()) else found

    def _contradicts_past(self, kind: int, state: int) -> bool:
        """Return whether a kind's tiles have changed in a way that excludes a state."""
        past = self._history.past[kind]
        if past.opened and state in (COVERED, FLAG, QUESTION, MISFLAG):
            return True
        return state in (MINE, EXPLODED) and (past.flagged or self._went_on(kind))

    def _find_flood(self, cells: NDArray[np.intp]) -> None:
        """Infer which neighbours a zero opens, from clicked empty cells beside covered ones.

        Or from a written '0' if the game went on after its click: else it may be a round mine.
        """
        features, past = self._grouping.features, self._history.past
        empty = [
            kind
            for kind in np.unique(cells).tolist()
            if self._settled.get(kind, 0) == 0
            and (
                features[kind].plain
                or kind in self._settled
                or (self._went_on(kind) and self._may_be_zero(kind))
            )
        ]
        clicked = [kind for kind in empty if past[kind].opened]
        # A click in a corner opens one that has the board's rim.
        alike = self._spreading.same_inside
        zeros = {kind: 0 for kind in empty if any(alike(kind, one) for one in clicked)}
        codes = np.where(np.isin(cells, list(zeros)), np.int8(0), self._states.named(cells))
        wider = next((one for one in FLOODS if self._may_be(codes, one)), None)
        found = zeros and wider is not None and not has_moved(codes)
        if found and not self._may_be(codes, self.flood):
            self.flood = wider
            self._take(dict.fromkeys(zeros.keys() - self._settled.keys(), 0), cells)

    def pass_over(self) -> bool:
        """Read kinds as OPENED that a zero or a click has opened; return whether there are any.

        Their hints stay unknown until the rules tell them. A mine or a flag is none of them: each
        cell is beside a zero, or was clicked before other cells were opened. A clicked '0' may be
        a round mine: then the next click is without effect.
        """
        if self._last is None:
            return False
        cells, passed = self._last, len(self._passed)
        # Where a zero opens fewer cells, a covered one may be beside it.
        freed = (near(self._states.named(cells) == 0) > 0) & (self.flood is None)
        for kind in set(np.unique(cells).tolist()) - self._settled.keys() - self._passed.keys():
            past = self._history.past[kind]
            may_go_on = past.opened and (self._may_go_on() or self._may_be_zero(kind))
            went_on = self._went_on(kind) or may_go_on
            if (went_on or freed[cells == kind].all()) and not past.flagged:
                self._passed[kind] = False
        self._result = None
        return len(self._passed) > passed

    def _went_on(self, kind: int) -> bool:
        """Return whether the game went on, or must, after a click has opened a tile of a kind."""
        past = self._history.past[kind]
        return past.proved or (past.opened and past.went_on > 0)

    def _may_be_zero(self, kind: int) -> bool:
        """Return whether a mark has the shape of a written '0', and no other zero is known."""
        reads_zero = self._readings[kind].digits[0] > _LEARNER.likely
        return bool(reads_zero) and 0 not in self._settled.values()

    def _may_go_on(self) -> bool:
        """Return whether no hint is known yet.

        Another click tells more than an answer about the first cell, and is without effect if the
        game is over.
        """
        return not any(state > 0 for state in self._settled.values())

    def end_at_passed(self) -> bool:
        """Settle the only opened tile as the exploded mine, as a click elsewhere has no effect.

        Only before any hint is known, as the first click of a game may hit a mine, which some
        programs show alone; or if it may be a '0' as well.

        Returns:
            Whether it is settled.
        """
        cells = self._last
        passed = [] if cells is None else [one for one in self._passed if (cells == one).any()]
        if cells is None or len(passed) != 1:
            return False
        (kind,) = passed
        if not (self._may_go_on() or self._may_be_zero(kind)):
            return False
        unmarked = self._grouping.features[kind].plain
        if (cells == kind).sum() != 1 or unmarked or self._may_be_hint(kind):
            return False
        self._set(kind, EXPLODED)
        self._result = None
        return True

    def recall(
        self, tiles: Tiles, rows: int, cols: int
    ) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
        """Read a board with the known states, and settle nothing.

        A board with only known kinds, or opened ones, is recorded: the next reading may show how
        its tiles changed.

        Returns:
            (rows, cols) states, UNREAD if the kind is unknown, and the confidence of each.
        """
        tiles = self._fitted(tiles)
        kinds = self._grouping.find(tiles).reshape(rows, cols)
        codes = self._shown(kinds)
        if UNREAD not in codes and possible(codes, self._mines, self.flood):
            self._history.grow(len(self._grouping))
            self._note(kinds, self._last)
            self._seen, self._last, self._result = (tiles, kinds), kinds, None
        return codes, self._states.sureness(kinds)

    def answer(self, question: Question, state: int) -> None:
        """Set the state of a kind of tile by the user's answer.

        Raises:
            AnswerRefused: The answer contradicts the last board and was not refused before; it is
                ignored.
            ValueError: There is no such state.
        """
        if state not in TILE_CODES:
            raise ValueError(f"{state} is no state of a tile")
        (kind,) = self._grouping.group(question.picture[None]).tolist()
        self._read_new()
        if state == OPENED:
            self._set(kind, state)
            return
        # A repeated answer is accepted: earlier learned states may be wrong.
        if state not in question.refused and self._refutes(kind, state):
            raise AnswerRefused(
                "that cannot be: by the rules of the game no board with these numbers has it "
                f"in {'these cells' if question.cells[1:] else 'this cell'}"
            )
        self._set(kind, state)
        self._states.answers.append(kind)
        if state == 0 and state in question.refused and self._last is not None:
            codes = self._states.named(self._last)
            floods = (self.flood, *FLOODS)
            self.flood = next((one for one in floods if self._may_be(codes, one)), self.flood)

    def _set(self, kind: int, state: int) -> None:
        """Set a kind to a state that the user has given, now or earlier."""
        self._passed.pop(kind, None)
        if state == OPENED:
            self._passed[kind] = True
        else:
            self._states.record_answer(kind, state)
        self._result = None

    def _shown(self, cells: NDArray[np.intp]) -> NDArray[np.int8]:
        """Return the states of kinds, OPENED for those that are only known to be opened."""
        codes = self._states.named(cells)
        passed = list(self._passed.keys() - self._settled.keys())
        return np.where(np.isin(cells, passed), np.int8(OPENED), codes) if passed else codes

    def kinds(self) -> tuple[TileCluster, ...]:
        """Return the kinds on the last board and the settled ones: open ones, then the commonest.

        Of an open kind, the likely states are listed.
        """
        known, board = self._states, self._last
        questions = self._result.questions if self._result else ()
        likely = {one.picture.tobytes(): one.likely for one in questions}
        met = []
        for number, picture in enumerate(self._grouping.pictures):
            cells = _cells(board == number) if board is not None else ()
            if not cells and number not in known.codes:
                continue
            state = known.codes.get(number, UNREAD)
            open_to = likely.get(picture.tobytes(), ()) if number not in known.codes else ()
            sure, answered = known.confidence(number), known.is_answered(number)
            met.append(TileCluster(number, picture, cells, state, sure, answered, open_to))
        met.sort(key=lambda kind: (kind.number in known.codes, -len(kind.cells)))
        return tuple(met)

    def correct(self, kind: int, state: int, *, insist: bool = False) -> None:
        """Set a kind to a tile code, settled or not, and infer the others again.

        UNREAD leaves it out of the skin. `insist` accepts a code that contradicts the last board.

        Raises:
            AnswerRefused: The code contradicts the last board; it is ignored.
        """
        if self._last is not None and not insist:
            now = self._states.named(self._last)
            if self._contradicts(now, np.where(self._last == kind, np.int8(state), now)):
                raise AnswerRefused("that cannot be, by the rules of the game")
        seen = set() if self._last is None else set(np.unique(self._last).tolist())
        self._states.correct_answer(kind, state, seen)
        self._result, self._doubts = None, 0

    def confirm(self) -> None:
        """Treat all inferred states as the user's answers."""
        self._states.confirm_all()
        self._result, self._doubts = None, 0

    def take_back(self) -> bool:
        """Undo the last answer and everything learned since; return whether there was one."""
        self._result = None
        return self._states.take_back()

    def skin(self) -> Skin:
        """Return the learned skin, for `save_skin`, with the first pictures of each state."""
        pictures: dict[int, list[NDArray[np.uint8]]] = {}
        for kind, code in self._settled.items():
            if code != UNREAD and not (self._is_tentative(kind) or self._is_plain_explosion(kind)):
                pictures.setdefault(code, []).append(self._grouping.pictures[kind])
        opened = [kind for kind, by_user in self._passed.items() if by_user]
        if opened:
            pictures[OPENED] = [self._grouping.pictures[kind] for kind in opened]
        file = SkinFile(
            name=self.name,
            program=LEARNED,
            version="unknown",
            author="unknown",
            licence="LicenseRef-unknown",
            source="learned from pictures of the game",
            tile=self.tile,
            levels=dict(self.resembled.levels) if self.resembled is not None else {},
        )
        return make_skin(
            file, {code: looks[: _LEARNER.pictures] for code, looks in pictures.items()}
        )

    def _read_new(self) -> None:
        """Read the marks of new kinds."""
        new = range(len(self._readings), len(self._grouping))
        grounds = [features.ground for features in self._grouping.features if features.plain]
        for kind in new:
            picture = self._grouping.inside(self._grouping.pictures[kind])
            self._readings.append(mark_of(self._grouping.features[kind], picture, grounds))

    def _shows(self, kind: int, state: int) -> bool:
        if state == 0:
            return self._grouping.features[kind].plain
        like = (k for k, its in self._settled.items() if its == state)
        features = self._grouping.features
        return bool(self._readings[kind].digits[state] > _LEARNER.alike) or any(
            kin_mark(features[kind], features[k]) for k in like
        )

    def _note(self, cells: NDArray[np.intp], last: NDArray[np.intp] | None) -> None:
        """Record the changes of the tiles since the last reading."""
        history = self._history
        if last is None or last.shape != cells.shape:
            history.came, self._moves = [], ()
        elif not np.array_equal(last, cells):
            was = self._states.named(last)
            history.note(last, cells, was, self._states.named(cells))
            self._note_moves(last, cells, was)

    def _note_moves(
        self, last: NDArray[np.intp], cells: NDArray[np.intp], was: NDArray[np.int8]
    ) -> None:
        """Record what the clicks on covered cells have left behind."""
        rows, cols = cells.shape
        # The whole effect of the moves, however many readings it takes to be drawn.
        before = last if self._before is None else self._before[1]
        before = before if before.shape == cells.shape else last
        covered = np.isin(self._states.named(before), (COVERED, UNREAD))
        changed = covered & (before != cells)
        regions = cv2.connectedComponents(changed.astype(np.uint8), connectivity=8)[1]
        flagged: set[int] = set()
        for move in self._moves:
            cell = move.cell
            if cell is None or cell.row >= rows or cell.col >= cols:
                continue
            if move.action is Action.FLAG:
                flagged.add(int(cells[cell]))
            elif move.action is Action.OPEN and regions[cell]:
                opened, kind = regions == regions[cell], int(cells[cell])
                self._floods.update(cells[opened].tolist())
                several = np.count_nonzero(opened & (cells == kind)) > 1
                wrong = self._settled.get(kind) == COVERED and not self._states.is_answered(kind)
                if wrong and several and (covered & ~changed).any():
                    # A covered cell below the pointer looked like an empty one.
                    self._states.forget({kind})
            if was[cell] in (COVERED, UNREAD) and last[cell] != cells[cell]:
                past = self._history.past[cells[cell]]
                past.opened |= move.action is Action.OPEN
                # The first cell of a game is not proved.
                proved = not (move.risk or self._may_go_on())
                past.proved |= move.action is Action.OPEN and proved
                past.flagged |= move.action is Action.FLAG
        self._floods -= flagged

    def _kinds_opened(self, cells: NDArray[np.intp]) -> set[int] | None:
        """Return the kinds in the cells that the last moves have opened, None if unknown.

        A chord opens other cells than its own; of a user's moves nothing is known.
        """
        opening = [move for move in self._moves if move.action is not Action.FLAG]
        if {move.action for move in opening} != {Action.OPEN}:
            return None
        return {int(cells[move.cell]) for move in opening if move.cell is not None}

    def _correct_hit(self, counts: dict[int, int], opened: set[int]) -> None:
        """Correct which inferred mine was hit: the lines of neighbours can mislead."""
        for kind, tiles in counts.items():
            state = self._settled.get(kind)
            if self._states.is_answered(kind):
                continue
            if state == EXPLODED and kind not in opened:
                self._states.assign(kind, MINE, SPREAD)
            elif state == MINE and kind in opened and tiles == 1:
                self._states.assign(kind, EXPLODED, SPREAD)

    def _spread(self, cells: NDArray[np.intp], *, at_rest: bool = False) -> None:
        """Settle the kinds that equal settled ones inside their rims."""
        present: list[int] = np.unique(cells).tolist()
        over = any(self._settled.get(kind) in REVEALED for kind in present)
        counts = dict(
            zip(*(part.tolist() for part in np.unique(cells, return_counts=True)), strict=True)
        )
        opened = self._kinds_opened(cells)
        if opened is not None:
            self._correct_hit(counts, opened)
        spread: dict[int, int] = {}
        mines = [kind for kind in present if self._settled.get(kind) == MINE]
        if mines and EXPLODED not in {self._settled.get(kind) for kind in present}:
            hit = self._spreading.hit(counts, mines)
            if hit is not None and hit not in self._settled:
                possible_hit = opened is None or hit in opened
                self._take({hit: EXPLODED if possible_hit else MINE}, cells)
        beside_covered = near(self._states.named(cells) == COVERED) > 0
        for kind in present:
            if kind in self._settled:
                continue
            state = self._spreading.state_of(
                kind,
                self._settled,
                counts[kind],
                over=over,
                at_rest=at_rest,
                edge=_is_edge(cells == kind) and bool((beside_covered & (cells == kind)).any()),
            )
            state = self._mark_elsewhere(kind, counts[kind]) if state is None else state
            if state is None and counts[kind] == 1 and not over and self._settled:
                state = self._disguised(kind)
            if state is not None:
                spread[kind] = state
        self._take(spread, cells)

    def _disguised(self, kind: int) -> int | None:
        """Return the state of a single tile under a keyboard cursor or beside a pointer's tip."""
        state = self._spreading.negative(kind, self._settled)
        if state is not None or self._history.past[kind].came:
            return state
        state = self._spreading.under_pointer(kind, self._settled)
        hints = self._readings[kind].digits[1:9]
        # A pointer may hide a mark that is beside the middle: then it is no zero.
        if state == 0 or (state is not None and state > 0 and hints.argmax() + 1 != state):
            return None
        return state

    def _mark_elsewhere(self, kind: int, tiles: int) -> int | None:
        """Return the known hint or mine that a kind shows on another ground of a checkered board.

        A single mine on another ground may be the exploded one.
        """
        features, digits = self._grouping.features, self._readings[kind].digits
        if features[kind].plain:
            return None
        return next(
            (
                state
                for other, state in self._settled.items()
                if (
                    (state > 0 and digits[state] > _LEARNER.likely) or (state == MINE and tiles > 1)
                )
                and same_mark(features[kind], features[other])
            ),
            None,
        )

    def _retint(self, cells: NDArray[np.intp], last: NDArray[np.intp] | None) -> None:
        """Settle the kinds that replaced those of the last reading all over the board."""
        if last is not None and last.shape == cells.shape and not np.array_equal(last, cells):
            features = self._grouping.features
            found = retinted(last, cells, self._states.named(last), features, self._readings)
            found |= redressed(last, cells, self._states.named(last), features)
            self._take({k: s for k, s in found.items() if k not in self._settled}, cells)

    def _take(self, found: dict[int, int], cells: NDArray[np.intp]) -> None:
        """Settle kinds, unless the board contradicts them."""
        for kind, state in found.items():
            self._states.assign(kind, state, SPREAD)
        if found and not feasible(self._states.named(cells)):
            self._states.forget(found)

    def _forgets(self, cells: NDArray[np.intp]) -> bool:
        """Drop learned states that contradict the game in several readings in a row.

        One impossible reading may be an animation. The user's answers are kept, unless they
        contradict the game by themselves.
        """
        self._doubts = 0 if feasible(self._states.named(cells)) else self._doubts + 1
        if self._doubts < _LEARNER.doubts:
            return False
        self._doubts = 0
        self._states.give_up(cells)
        self._history.forget()
        return True

    def _refutes(self, kind: int, state: int) -> bool:
        """Return whether only this state of a kind makes the last board impossible."""
        if self._last is None or kind in self._settled:
            return False
        now = self._states.named(self._last)
        return self._contradicts(now, np.where(self._last == kind, np.int8(state), now))

    def _contradicts(self, now: NDArray[np.int8], then: NDArray[np.int8]) -> bool:
        """Return whether a board is possible as it is, but impossible after the change."""
        return self._may_be(now, self.flood) and not self._may_be(then, self.flood)

    def _may_be(self, codes: NDArray[np.int8], flood: Flood | None) -> bool:
        return possible(codes, self._mines, flood) and feasible(codes)

    def _fitted(self, tiles: Tiles) -> Tiles:
        """Return tiles at the size of the skin's pictures."""
        if tiles.shape[1:3] == (self.tile[1], self.tile[0]):
            return tiles
        return np.stack([resized(tile, self.tile) for tile in tiles])

    def _learn(
        self,
        cells: NDArray[np.intp],
        last: NDArray[np.intp] | None,
        mines: int | None,
        *,
        at_rest: bool = False,
    ) -> LearningResult:
        present: list[int] = np.unique(cells).tolist()
        mark = self._lone_mark(cells)
        if mark is not None:
            # A program may mark the cell to begin at, and the one in a corner may have its own rim.
            common, flood = int(np.bincount(cells.ravel()).argmax()), self.flood
            self._learn(np.where(cells == mark, common, cells), None, mines, at_rest=at_rest)
            fresh = bool((self._states.named(cells[cells != mark]) == COVERED).all())
            at_edge = mark in cells[[0, -1]] or mark in cells[:, [0, -1]]
            if not fresh:
                self._states.forget(set(self._settled))
                self.flood = flood
            elif (at_edge and self._spreading.same_inside(mark, common)) or not (
                self._may_be_hint(mark) or self._grouping.features[mark].plain
            ):
                self._take({mark: COVERED}, cells)
        self._take(self._clicked_zeros(cells, last), cells)
        if all(kind in self._settled for kind in present):
            codes = self._states.named(cells)
            return self._result_of(cells, present, None, believable=feasible(codes))
        kinds = kinds_of(cells, last, self._settled)
        puzzle = pose(
            cells, last, self._settled, self._grouping.features, self._readings, self._history,
            self._relations, mines, flood=self.flood, at_rest=at_rest,
            clicks=sum(move.action is Action.OPEN for move in self._moves),
        )  # fmt: skip
        if COVERED in self._states.named(cells):
            # A program may flag its mines at the end of a game, when no cell is covered any more.
            came = [at for at, kind in enumerate(kinds) if kind in self._floods]
            puzzle.scores[np.ix_(came, [AT[FLAG], AT[QUESTION]])] = -np.inf
        counts = np.bincount(puzzle.cells.ravel(), minlength=len(kinds)).tolist()
        for _ in range(_LEARNER.rounds):
            puzzle, found = label_in_doubt(puzzle)
            is_game = believable(puzzle, found, counts)
            if not is_game:
                break
            known = len(self._settled)
            self._accept(puzzle, found, kinds, counts)
            accepted = len(self._settled)
            self._spread(cells)
            spread = len(self._settled) > accepted
            if not (spread or (found.exhausted and accepted > known)):
                break
            settled = {at: self._settled[k] for at, k in enumerate(kinds) if k in self._settled}
            puzzle = replace(puzzle, settled=settled)
        if is_game and self._before is None and puzzle.flood != self.flood:
            codes = self._states.named(cells)
            if self._may_be(codes, puzzle.flood) and not self._may_be(codes, self.flood):
                self.flood = puzzle.flood
        # The hints beside a click may be known only now.
        self._take(self._clicked_zeros(cells, last), cells)
        return self._result_of(cells, kinds, (puzzle, found), believable=is_game)

    def _lone_mark(self, cells: NDArray[np.intp]) -> int | None:
        """Return the kind of the only tile that is alone, if no kind is known.

        Cells between pixels have several kinds.
        """
        kinds, counts = np.unique(cells, return_counts=True)
        others = counts[counts > 1]
        lone = len(others) == len(counts) - 1 > 0 and int(others.min()) >= _LEARNER.unmarked
        return int(kinds[counts.argmin()]) if lone and not self._settled else None

    def _clicked_zeros(
        self, cells: NDArray[np.intp], last: NDArray[np.intp] | None
    ) -> dict[int, int]:
        """Return the kinds of clicked cells whose click has opened a hint beside them.

        One with a mark, as an icon in empty cells, only where one click opened the hints and left
        cells covered: one on a mine opens none, or shows the whole board.
        """
        if last is None or last.shape != cells.shape:
            return {}
        clicked = np.zeros(cells.shape, np.bool_)
        opens = (move.cell for move in self._moves if move.action is Action.OPEN and move.cell)
        for row, col in opens:
            clicked[row : row + 1, col : col + 1] = True
        opened = (self._states.named(last) == COVERED) & (last != cells)
        hints = opened & ~clicked & (self._states.named(cells) > 0)
        beside = opened & (near(hints) > 0)
        kinds = set(cells[beside & clicked].tolist())
        kinds = {kind for kind in kinds if self._grouping.features[kind].plain}
        if clicked.sum() == 1 and COVERED in self._states.named(cells):
            kinds |= set(cells[opened & clicked].tolist()) & set(cells[beside & ~hints].tolist())
        kinds -= self._settled.keys()
        return dict.fromkeys(kinds, 0)

    def _clicked_mine(self, cells: NDArray[np.intp]) -> dict[int, int]:
        """Return the only unknown tile as the exploded mine if a guess has opened it.

        It shows no digit that may be there, though several hints of the program are known, and the
        board allows a mine there. Some programs show no other mine.
        """
        unknown = [kind for kind in np.unique(cells).tolist() if kind not in self._settled]
        if len(unknown) != 1 or (cells == unknown[0]).sum() != 1:
            return {}
        (kind,) = unknown
        guesses = [move.cell for move in self._moves if move.action is Action.OPEN and move.risk]
        guessed = any(cell is not None and cells[cell] == kind for cell in guesses)
        known = len({state for state in self._settled.values() if state > 0}) >= _LEARNER.hints
        if not (guessed and known) or self._grouping.features[kind].plain:
            return {}
        shown = float(self._readings[kind].digits[self._possible_hints(cells, kind)].sum())
        return {kind: EXPLODED} if shown < 1 - _LEARNER.likely else {}

    def _may_be_hint(self, kind: int) -> bool:
        """Return whether a mark has the shape of a hint: '0' is none, as a round mine looks so."""
        digits = self._readings[kind].digits
        return float(digits[1:9].sum()) >= 1 - _LEARNER.likely

    def _only_hints(self, cells: NDArray[np.intp]) -> dict[int, int]:
        """Return the opened kinds for which the rules of the game leave a single hint.

        Only marks like those of known hints: an icon may stand for any number.
        """
        features = self._grouping.features
        hints = [features[kind] for kind, state in self._settled.items() if state > 0]
        found: dict[int, int] = {}
        for kind in self._passed.keys() - self._settled.keys():
            if kind not in cells or not any(kin_mark(features[kind], one) for one in hints):
                continue
            left = self._possible_hints(cells, kind)
            found |= {kind: left[0]} if len(left) == 1 else {}
        return found

    def _possible_hints(self, cells: NDArray[np.intp], kind: int) -> list[int]:
        """Return the hints that the rules of the game allow for a kind on a board.

        Before a zero is known, it is not known either which neighbours one opens.
        """
        codes = self._states.named(cells)
        boards = [np.where(cells == kind, np.int8(hint), codes) for hint in range(9)]
        flood = self.flood if 0 in self._settled.values() else FLOODS[-1]
        return [
            hint
            for hint, board in enumerate(boards)
            if possible(board, flood=flood) and feasible(board)
        ]

    def _all_mines(
        self, cells: NDArray[np.intp], last: NDArray[np.intp] | None, mines: int | None
    ) -> dict[int, int]:
        """Return the unknown kinds as mines if covered cells have become all the mines.

        They are as many, or one was clicked and every hint that has covered neighbours counts them,
        or, without a hint, they are in more places than a click opens: the number may be that of a
        usual level. Others are still covered: it is no flag that a program sets on each mine of a
        won game. The one that was clicked may have another look than the others. A text may lie
        over single cells.
        """
        unknown = [kind for kind in np.unique(cells).tolist() if kind not in self._settled]
        if self._moves and self._before is not None:
            # Since then it may have moved, and have been seen between its cells.
            last = self._before[1]
        if not unknown or last is None or last.shape != cells.shape:
            return {}
        was, now = (self._states.named(of) for of in (last, cells))
        clicked = {int(cells[move.cell]) for move in self._moves if move.cell is not None}
        single = {kind for kind in unknown if (cells == kind).sum() == 1}
        closed = [kind for kind in unknown if (was[cells == kind] == COVERED).all()]
        for shown in closed, [kind for kind in closed if kind in clicked or kind not in single]:
            here = np.isin(cells, shown)
            revealed = (
                here.sum() == mines
                or self._hints_count(here, now)
                or (bool((now < 0).all()) and self._scattered(shown, here, last != cells))
            )
            no_hint = not any(map(self._may_be_hint, shown))
            if shown and revealed and no_hint and COVERED in now:
                found = dict.fromkeys(shown, MINE)
                hit = [kind for kind in shown if kind in clicked & single]
                if len(shown) > 1 and len(hit) == 1:
                    found[hit[0]] = EXPLODED
                return found
        return {}

    def _hints_count(self, here: NDArray[np.bool_], now: NDArray[np.int8]) -> bool:
        """Return whether a click revealed these cells, and all hints have so many of them near.

        Hints beside other cells that cannot be read do not count.
        """
        clicks = [move.cell for move in self._moves if move.action is Action.OPEN]
        clicked = any(cell is not None and here[cell] for cell in clicks)
        hints = (now >= 0) & (near(here | (now == COVERED)) > 0)
        hints &= near((now == UNREAD) & ~here) == 0
        counted = bool((near(here)[hints] == now[hints]).all())
        return clicked and counted and hints.sum() >= _LEARNER.hints

    def _scattered(
        self, kinds: list[int], here: NDArray[np.bool_], changed: NDArray[np.bool_]
    ) -> bool:
        """Return whether a click revealed marks of these kinds, also in several other places.

        A click opens one region.
        """
        clicks = [move.cell for move in self._moves if move.action is Action.OPEN]
        clicked = any(cell is not None and here[cell] for cell in clicks)
        marked = not any(self._grouping.features[kind].plain for kind in kinds)
        regions = cv2.connectedComponents(changed.astype(np.uint8), connectivity=8)[0] - 1
        return clicked and marked and regions >= len(clicks) + _LEARNER.hints

    def _accept(
        self, puzzle: Puzzle, found: Labelling, kinds: list[int], counts: list[int]
    ) -> None:
        """Settle the kinds without a close alternative labelling that are `plausible`.

        Before a hint is known, only covered kinds are settled.
        """
        sure = (found.margin >= MARGIN) & (found.labels != UNREAD)
        # A game whose hints are unreadable gives no information about its other marks.
        hints = bool((sure & (found.labels >= 1)).any()) or puzzle.familiar
        over = bool((sure & np.isin(found.labels, (MINE, EXPLODED))).any())
        for at, kind in enumerate(kinds):
            code = int(found.labels[at])
            if not (counts[at] and sure[at]) or kind in self._settled:
                continue
            # The mine that ends the game may be a mark that is only labelled so for the time being.
            if code == MISFLAG and not over:
                continue
            question = self._readings[kind].question
            if (hints or code == COVERED) and plausible(puzzle, found.labels, at, question):
                self._states.assign(kind, code, 1.0 - float(np.exp(-found.margin[at])))

    def _result_of(
        self,
        cells: NDArray[np.intp],
        kinds: list[int],
        search: tuple[Puzzle, Labelling] | None,
        *,
        believable: bool,
    ) -> LearningResult:
        questions: list[Question] = []
        passed: list[Question] = []
        present = set(np.unique(cells).tolist()) - self._settled.keys()
        excluded = [kind for kind, state in self._settled.items() if state == UNREAD]
        unread = dict.fromkeys(_cells(np.isin(cells, excluded)), Unread(Cause.EXCLUDED))
        for at, kind in enumerate(kinds):
            if kind in present and search is not None:
                picture = self._grouping.pictures[kind]
                question = question_about(picture, cells == kind, at, *search)
                unread |= dict.fromkeys(question.cells, unlearned(at, *search))
                # What a user has passed over is not asked again; the next click tells of a '0'.
                if kind not in self._passed:
                    questions.append(question)
                elif not self._passed[kind] and (
                    self._went_on(kind) or not self._may_be_zero(kind)
                ):
                    passed.append(question)
        questions.sort(key=lambda question: -len(question.cells))
        return LearningResult(
            skin=self._provisional(),
            codes=self._shown(cells),
            confidence=self._states.sureness(cells),
            questions=tuple(questions),
            believable=believable,
            passed=tuple(passed),
            unread=unread,
        )

    def _provisional(self) -> Skin | None:
        version = self._states.version
        if self._settled and (self._skin is None or self._skin[0] != version):
            self._skin = version, self.skin()
        return self._skin[1] if self._settled and self._skin else None


def see_board(
    learner: Learner, tiles: Tiles, rows: int, cols: int, mines: int | None = None
) -> tuple[Learner, LearningResult]:
    """Process a reading as `Learner.see` does, by the insides of tiles if that reads nothing.

    Returns:
        The learner to go on with, and its result.
    """
    result = learner.see(tiles, rows, cols, mines)
    reads = result.believable and bool((result.codes != UNREAD).any())
    other = None if reads else learner.with_insides()
    if other is not None:
        again = other.see(tiles, rows, cols, mines)
        if again.believable and (again.codes != UNREAD).any():
            return other, again
    return learner, result


class KnownStates:
    """The states of kinds.

    Attributes:
        codes: Kind -> state, in the order in which they became known.
        answers: Kinds that the user was asked about, in order.
        version: A number that differs after each change.
    """

    def __init__(self) -> None:
        self.codes: dict[int, int] = {}
        self.answers: list[int] = []
        self.version = 0
        self._sure: dict[int, float] = {}
        self._answered: set[int] = set()

    def assign(self, kind: int, code: int, confidence: float) -> None:
        """Set the state of a kind."""
        self.codes[kind] = code
        self._sure[kind] = confidence
        self.version += 1

    def record_answer(self, kind: int, code: int) -> None:
        """Set the state of a kind to the user's answer."""
        self.assign(kind, code, 1.0)
        self._answered.add(kind)

    def confirm_all(self) -> None:
        """Treat every inferred state as confirmed by a user."""
        for kind in self.codes:
            self._sure[kind] = 1.0
            self._answered.add(kind)
        self.version += 1

    def correct_answer(self, kind: int, code: int, seen: Container[int]) -> None:
        """Set the state of a kind, and drop what may follow from an earlier error.

        Nothing is dropped if the kind had that state already, or none. Otherwise only the kinds
        `seen` on the last board are dropped: they can be inferred again.
        """
        if self.codes.get(kind, code) != code:
            self.forget({one for one in self.codes.keys() - self._answered if one in seen})
        self.record_answer(kind, code)

    def is_answered(self, kind: int) -> bool:
        """Return whether a user has confirmed the state of a kind."""
        return kind in self._answered

    def confidence(self, kind: int) -> float:
        """Return the confidence of a kind's state; 0 if it is unknown."""
        return self._sure.get(kind, 0.0)

    def forget(self, kinds: Iterable[int]) -> None:
        """Drop the states of these kinds."""
        for kind in list(kinds):
            del self.codes[kind], self._sure[kind]
            self._answered.discard(kind)
        self.answers = [kind for kind in self.answers if kind in self.codes]
        self.version += 1

    def take_back(self) -> bool:
        """Undo the last answer and everything learned since; return whether there was one."""
        if not self.answers:
            return False
        last = self.answers[-1]
        order = list(self.codes)
        later = set(order[order.index(last) + 1 :]) - self._answered
        self.forget({last, *later})
        return True

    def give_up(self, cells: NDArray[np.intp]) -> None:
        """Drop the states that make a board impossible: the answers, or everything else."""
        answered = np.isin(cells, list(self._answered))
        named, present = self.named(cells), set(np.unique(cells).tolist())
        to_blame = answered.any() and feasible(np.where(answered, np.int8(UNREAD), named))
        if to_blame:
            self.forget(present & self._answered & self.codes.keys())
        else:
            self.forget(self.codes.keys() - self._answered)

    def named(self, cells: NDArray[np.intp]) -> NDArray[np.int8]:
        """Return the states of kinds, UNREAD if unknown and for the kind -1."""
        names = np.full(self._room(cells), UNREAD, np.int8)
        names[list(self.codes)] = list(self.codes.values())
        return names[cells]

    def sureness(self, cells: NDArray[np.intp]) -> NDArray[np.float32]:
        """Return the confidence of these states, 0 if unknown."""
        sure = np.zeros(self._room(cells), np.float32)
        sure[list(self._sure)] = list(self._sure.values())
        return sure[cells]

    def _room(self, cells: NDArray[np.intp]) -> int:
        return max(int(cells.max(initial=0)), max(self.codes, default=0)) + 2


def question_about(
    picture: NDArray[np.uint8], where: NDArray[np.bool_], at: int, puzzle: Puzzle, found: Labelling
) -> Question:
    """Return the question about the kind at an index of a puzzle, shown in the cells `where`."""
    likely = [code for code, _ in likely_states(at, puzzle, found)]
    if where.mean() > 0.5 and not puzzle.familiar:
        # A mark on most cells looks like a flag or a mine, but a game has not that many.
        likely.remove(COVERED)
        likely.insert(0, COVERED)
    return Question(picture, _cells(where), tuple(likely[: _LEARNER.looks]))


def unlearned(at: int, puzzle: Puzzle, found: Labelling) -> Unread:
    """Return why the kind at an index of a puzzle has no state.

    Only states that the rules of the game allow together with the other labels are named.
    """
    margin = BrokenLimit("margin", float(found.margin[at]), MARGIN, upper=False)
    broken = (margin,) if margin.value < MARGIN else ()
    board, its = found.labels[puzzle.cells], puzzle.cells == at
    allowed = (
        (code, share)
        for code, share in likely_states(at, puzzle, found)
        for codes in [np.where(its, np.int8(code), board)]
        if possible(codes, puzzle.mines, puzzle.flood) and feasible(codes)
    )
    nearest = sorted(islice(allowed, 2), key=lambda state: -state[1])
    return Unread(Cause.UNLEARNED, broken, tuple(nearest))


def likely_states(at: int, puzzle: Puzzle, found: Labelling) -> tuple[tuple[int, float], ...]:
    """Return the states of a kind with their probabilities, that of the labelling first."""
    scores = puzzle.scores[at].copy()
    scores[AT[UNREAD]] = -np.inf
    shares = np.exp(scores - scores.max())
    label = AT[int(found.labels[at])]
    order = sorted(np.argsort(-scores).tolist(), key=lambda place: place != label)
    order.remove(AT[UNREAD])
    return tuple((LABELS[place], float(shares[place] / shares.sum())) for place in order)


def _cells(where: NDArray[np.bool_]) -> tuple[Cell, ...]:
    return tuple(Cell(int(row), int(col)) for row, col in np.argwhere(where))


def _is_edge(cells: NDArray[np.bool_]) -> bool:
    """Return whether cells are one outer line of the board, all of it."""
    lines = cells[0], cells[-1], cells[:, 0], cells[:, -1]
    return any(bool(line.all()) and cells.sum() == len(line) for line in lines)
