"""Read a board's tiles: repeatedly on the screen, or once from a file.

Only changed cells are read again: cells with equal pixels keep their state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.analysis import Limit
from bot.board import (
    COVERED,
    EXPLODED,
    FLAG,
    MINE,
    MISFLAG,
    OPENED,
    UNREAD,
    Board,
    Cell,
    InconsistentBoard,
    count_neighbours,
)
from bot.frame import Frame, Grid, Reading, Status
from bot.game import Rules
from bot.planner import Action, Move
from bot.solver.constraints import Contradiction, simplify, system_of
from bot.solver.phrases import quantity
from bot.solver.published.consistency import impossible_hints
from bot.unread import Cause, Unread
from vision.counters.header import Header
from vision.finder import Sighting, survey
from vision.finder.cutoff import doubts_about
from vision.finder.placing import Side
from vision.finder.unknown_boards import UnknownBoard
from vision.learning.labelling import FLOODS
from vision.learning.learner import Learner
from vision.learning.learning_reader import LearningReader
from vision.learning.questions import Question, TileCluster
from vision.learning.rules import has_moved, impossible_zeros, possible
from vision.matcher import A_BOARD, Cut, Matcher, Tiles
from vision.skins import Skin
from vision.skins.skin import Flood
from vision.tracking.cells import Cells
from vision.tracking.lookalikes import is_weak, overlap, unknown_boards_in, without

_OTHER_ZEROS: Final = 3
"""Least number of zeros beside covered cells that were not clicked themselves."""
_SURE: Final = 0.9
"""Least probability that a mark is a mine, exploded or not."""
_OTHER_COLOUR: Final = 24
"""Least difference in grey levels of a flag that is a mere colour from a covered cell."""
_LEAST_FLAGS: Final = 3
"""Least number of cells of a kind that are flags because the hints prove mines there."""
_COMBINATIONS: Final = 1_000
"""Most combinations of hints with which a board is checked: the most on 1,200 boards of Expert
games, most of them with a misread hint, were 35."""


class Tracker:
    """Reads a board of a known skin repeatedly, changed cells only."""

    def __init__(
        self,
        grid: Grid,
        skin: Skin,
        matcher: Matcher | None = None,
        unsure: tuple[Side, ...] = (),
    ) -> None:
        self.unsure = unsure
        self.grid = grid
        self.skin = skin
        self.matcher = matcher or Matcher(skin)
        self.codes: NDArray[np.int8] = np.full((grid.rows, grid.cols), UNREAD, np.int8)
        self.confidence: NDArray[np.float32] = np.zeros((grid.rows, grid.cols), np.float32)
        self._unread: dict[Cell, Unread] = {}
        """Why each unread tile is."""
        self._cells = Cells(grid)
        self._clicked: dict[Cell, Tiles] = {}
        """Pictures of cells before the clicks that are to open them."""

    @property
    def flood(self) -> Flood | None:
        """The neighbours that a zero opens."""
        return self.skin.flood

    @property
    def questions(self) -> tuple[Question, ...]:
        """No questions: unknown tiles of a finished skin may be anything."""
        return ()

    def moved(self, dx: int, dy: int) -> Tracker:
        """Return the same reader after its window has moved by whole points."""
        return Tracker(self.grid.moved(dx, dy), self.skin, self.matcher, self.unsure)

    def see(self, frame: Frame) -> bool:
        """Read a frame; return whether any pixel has changed, on the board or near it."""
        changed = self._cells.changed(frame)
        if changed is None:
            return False
        if changed.any():
            # The colour correction of a board has to be estimated from the whole board.
            few = changed.sum() < A_BOARD
            self._read(frame, changed, changed if few else np.ones_like(changed))
            if few and (self.codes[changed] == UNREAD).any():
                self._read(frame, changed, np.ones_like(changed))
            for cell, before in self._clicked.items():
                if self.codes[cell] == COVERED and (self._cells.tile(cell) != before).any():
                    self.codes[cell] = UNREAD
        return True

    def note_moves(self, moves: Iterable[Move]) -> None:
        """Register the moves that are about to be made.

        A clicked cell is unread while it is read as covered, but looks different than before: the
        pointer is over it, or the click has opened it and the skin is that of another program.
        """
        cells = [move.cell for move in moves if move.action is Action.OPEN and move.cell]
        rows, cols = self.codes.shape
        there = [cell for cell in cells if cell.row < rows and cell.col < cols]
        self._clicked = {cell: self._cells.tile(cell) for cell in there}

    def why_unread(self, cell: Cell) -> Unread:
        """Return why a tile is unread."""
        return self._unread.get(cell, Unread(Cause.CHANGING))

    def find_flood(self, moves: Iterable[Move]) -> bool:
        """Infer which neighbours a zero opens, if all tiles are read and only zeros contradict.

        A covered cell that is held down looks like a zero, but it is one that was clicked: here a
        clicked zero is beside such cells that were not.

        Returns:
            Whether it is found: then the tiles can be believed.
        """
        codes, opened = self.codes, (self.codes >= 0).copy()
        clicked = [move.cell for move in moves if move.action is Action.OPEN and move.cell]
        for cell in clicked:
            opened[cell] = False
        others = np.count_nonzero(opened & impossible_zeros(codes, self.flood))
        if UNREAD in codes or others < _OTHER_ZEROS or not any(codes[c] == 0 for c in clicked):
            return False
        wider = next((one for one in FLOODS if possible(codes, flood=one)), None)
        if wider is None or has_moved(codes):
            return False
        self.skin = self.skin.model_copy(update={"flood": wider})
        return True

    def _read(self, frame: Frame, changed: NDArray[np.bool_], seen: NDArray[np.bool_]) -> None:
        """Read the changed and the unread cells among those that are visible."""
        shape = self.codes.shape if seen.all() else None
        tiles = parts = self._cells.tiles(frame, seen)
        if not self._cells.even(frame):
            parts = self._cells.tiles(frame, seen, stretched=False)
        cut = Cut(parts, self._cells.pitch)
        codes, confidence, unread = self.matcher.match(tiles, shape, cut)
        pending = changed | (self.codes == UNREAD)
        self.codes, self.confidence = self.codes.copy(), self.confidence.copy()
        self.codes[pending & seen] = codes[pending[seen]]
        self.confidence[pending & seen] = confidence[pending[seen]]
        if not (unread or self._unread):
            return
        cells = np.argwhere(seen)
        found = {Cell(*cells[at].tolist()): why for at, why in unread.items()}
        known = self._unread | found
        self._unread = {cell: why for cell, why in known.items() if self.codes[cell] == UNREAD}


def believable(
    codes: NDArray[np.int8],
    rules: Rules = Rules.CLASSIC,
    *,
    flood: Flood | None = None,
    doubt_hints: bool = True,
) -> NDArray[np.int8]:
    """Return the tiles as read, with impossible ones set to UNREAD until the next reading.

    - A zero opens its neighbours, all of them without `flood`. A zero beside a covered cell is a
      covered cell that is held down (most skins draw both alike), or a region that is still
      opening.
    - If hints cannot all be true, one of them or a tile that they count is misread: all of them
      become UNREAD. Unread tiles, flags and the number of mines are left open. On boards of Expert
      games that finds every 0 that is read as a hint, 78 % of the hints that are read as one more
      or less and 97 % of those read as another one, 67 % of the covered cells read as a hint, and
      no opened cell read as covered: the zeros find 91 % of the zeros read so and 40 % of the hints
      (bot/RESULTS.md).

    In the game of digging a zero opens nothing, and all tiles are accepted.

    Source: bot.solver.published.consistency (004), for the hints.
    """
    if rules is Rules.DIGGING:
        return codes
    believed = np.where(impossible_zeros(codes, flood), np.int8(UNREAD), codes)
    if doubt_hints:
        for hint in _at_odds(believed.tobytes(), *believed.shape):
            believed[hint] = UNREAD
    return believed


@lru_cache(maxsize=32)
def _at_odds(tiles: bytes, rows: int, cols: int) -> tuple[Cell, ...]:
    """Return hints that cannot all be true; cached, as most readings are unchanged."""
    board = Board(np.frombuffer(tiles, np.int8).reshape(rows, cols), 0)
    return impossible_hints(board, Limit(nodes=_COMBINATIONS))


def status_of(board: Board, *, flags_to_win: bool = False, rules: Rules = Rules.CLASSIC) -> Status:
    """Return the status of a game by its tiles alone, for a board that is not blocked.

    Some programs show the mines at a win, too: a game whose safe cells are all open is won unless a
    mine has exploded. One that draws no exploded mine and opens all cells at a loss looks the same;
    the run knows which cell was opened last. Beside all mines, an unread tile may be an opened cell
    or a covered one: then the game is over, and its result unknown.
    """
    tiles = board.tiles
    if rules is Rules.DIGGING:
        return _status_of_digging(board)
    if (tiles == EXPLODED).any():
        return Status.LOST
    closed = tiles[(tiles < 0) & (tiles != OPENED)]
    # Any tile may be on the last cells: all others are open. If a hint counts other cells as mines,
    # the number of mines is wrong.
    won = closed.size == board.mines and _counted_by_hints(tiles)
    if (closed == MINE).any():
        # Nothing but mines is left, even if the number of mines was taken from elsewhere.
        mines, unread = np.isin(closed, (MINE, FLAG)), closed == UNREAD
        if MISFLAG not in closed and (
            mines.all() or (won and not (board.assumed and unread.any()))
        ):
            return Status.WON
        hidden = bool((mines | unread).all()) and (won or mines.sum() == board.mines)
        return Status.ENDED if hidden else Status.LOST
    if won and flags_to_win:
        won = bool((closed == FLAG).all())
    return Status.WON if won else Status.PLAYING


def _counted_by_hints(tiles: NDArray[np.int8]) -> bool:
    """Return whether all hints count the closed cells beside them; what is unread may be open."""
    hints = tiles >= 0
    least = count_neighbours((tiles < 0) & (tiles != UNREAD) & (tiles != OPENED))
    most = count_neighbours((tiles < 0) & (tiles != OPENED))
    return bool(((least <= tiles) & (tiles <= most))[hints].all())


def _status_of_digging(board: Board) -> Status:
    """Return the status of a game of digging: won when all mines are dug or flagged."""
    if np.isin(board.tiles, (MINE, MISFLAG)).any():
        return Status.LOST
    found = int(np.isin(board.tiles, (EXPLODED, FLAG)).sum())
    complete = found == board.mines and UNREAD not in board.tiles
    return Status.WON if complete else Status.PLAYING


def standing(board: Board, skin: Skin, rules: Rules = Rules.CLASSIC) -> Status:
    """Return the status of a game by the rules of the skin's program."""
    return status_of(board, flags_to_win=skin.flags_to_win, rules=rules)


TileReader = Tracker | LearningReader
"""A reader that follows the tiles of one board."""


def tile_readers_of(frame: Frame, skins: Iterable[Skin]) -> tuple[list[TileReader], list[str]]:
    """Return the tile readers for the boards of a picture, with known and unknown skins.

    Returns:
        One reader per board, and a remark for each board that cannot be used.
    """
    sightings, remarks = survey(frame, skins)
    # A bundled skin that leaves tiles unread may be that of another program, like it.
    claims = [one for one in sightings if not one.skin.learned and UNREAD in one.tiles]
    trusted = [one.grid for one in sightings if one not in claims]
    unknown, cut = unknown_boards_in(frame, claims, trusted, remarks)
    sure = [one for one in unknown if _reads_more(one, claims)]
    if remarks:
        # One may be about this very board.
        sure = [one for one in sure if not is_weak(one.sighting)]
    known = without(sightings, [one.grid for one in sure])
    tile_readers = [tile_reader_of(one.grid, one.skin, None, unsure=one.unsure) for one in known]
    tile_readers += [LearningReader(one.grid, one.learner, unsure=one.unsure) for one in sure]
    return tile_readers, remarks + cut


def _reads_more(board: UnknownBoard, claims: Sequence[Sighting]) -> bool:
    """Return whether a board leaves fewer tiles unread than the skins that claim its place do."""
    unread = np.count_nonzero(board.result.codes == UNREAD)
    places = (one for one in claims if overlap(one.grid, board.grid))
    return all(unread < np.count_nonzero(one.tiles == UNREAD) for one in places)


def tile_reader_of(
    grid: Grid,
    skin: Skin,
    learner: Learner | None,
    whole: Callable[[Grid], bool] | None = None,
    unsure: tuple[Side, ...] = (),
) -> TileReader:
    """Return the tile reader for a board: the learning reader if its skin is learned or unknown.

    `whole` returns, on a screen, whether nothing covers a board.
    """
    if learner is not None:
        return LearningReader(grid, learner, whole=whole, unsure=unsure)
    if skin.learned:
        learner = Learner(skin.name, Cells(grid).size, skin)
        return LearningReader(grid, learner, skin, whole=whole, unsure=unsure)
    return Tracker(grid, skin, unsure=unsure)


def reading_of(
    frame: Frame,
    tile_reader: TileReader,
    header: Header,
    blocked: Cause | None = None,
    rules: Rules = Rules.CLASSIC,
    *,
    doubt_hints: bool = False,
    before: Mapping[Cell, Unread] = {},
) -> Reading:
    """Return the reading of a frame that a tile reader has processed.

    `blocked` is why not all of the board is visible, if it is not; `before` are the unread tiles of
    the reading before.
    `doubt_hints` makes hints UNREAD that cannot all be true, so that no move relies on them. For a
    picture, they are reported as read.
    """
    codes = believable(tile_reader.codes, rules, flood=tile_reader.flood, doubt_hints=doubt_hints)
    shown = header.read(frame, tile_reader.grid, tile_reader.skin, _counted(codes, rules))
    board = Board(codes, shown.mines, shown.assumed)
    status = Status.BLOCKED if blocked else standing(board, tile_reader.skin, rules)
    unread = {}
    for cell in board.cells(UNREAD):
        code, since = int(tile_reader.codes[cell]), frame.time
        if cell in before:
            since = before[cell].since
        if blocked is not None:
            unread[cell] = Unread(blocked, since=since)
        elif code == UNREAD:
            unread[cell] = replace(tile_reader.why_unread(cell), since=since)
        else:
            nearest = ((code, float(tile_reader.confidence[cell])),)
            unread[cell] = Unread(Cause.CONTRADICTION, nearest=nearest, since=since)
    return Reading(
        frame,
        header.placed(tile_reader.grid),
        board,
        status,
        tile_reader.confidence,
        shown.mines_left,
        shown.clock,
        shown.remarks + doubts_about(tile_reader.unsure),
        unread=unread,
        blocked=blocked,
    )


def prove_marks(tile_reader: TileReader) -> list[str]:
    """Read tiles of a picture in an unknown skin as flags or mines if they are certainly mines.

    They are marks that may be flags or mines, which makes no difference in a picture, and covered
    cells of another colour on a board that shows no other marks. The hints have to prove mines
    there: of marks that look alike, most of them, and none as safe. A mark that may only be a mine
    or the exploded one needs no proof. What is proven counts as a flag in a game that goes on.

    Returns:
        A remark for each kind of proof.
    """
    if not isinstance(tile_reader, LearningReader):
        return []
    kinds = [one for one in tile_reader.learner.kinds() if one.cells]
    proven = _mines_by_hints(tile_reader.codes)
    flags = _flags_by_colour(tile_reader, kinds, proven)
    doubtful = [one for one in kinds if one.state == UNREAD and not set(one.cells) & set(flags)]
    marks: dict[Cell, int] = {}
    either: set[Cell] = set()
    """The marks that may be flags as well as mines."""
    # The surest first: where one is a mine that is shown, the game is over.
    for kind in sorted(
        doubtful, key=lambda one: -_mine_probability(tile_reader.why_unread(one.cells[0]))
    ):
        why = tile_reader.why_unread(kind.cells[0])
        codes, by_hints = {code for code, _ in why.nearest}, _are_mines(proven, kind.cells)
        if why.cause is not Cause.UNLEARNED or not codes or not codes <= {FLAG, MINE, EXPLODED}:
            continue
        if _mine_probability(why) >= _SURE and (by_hints or FLAG not in codes):
            code = why.nearest[0][0] if len(kind.cells) == 1 else MINE
            marks |= dict.fromkeys(kind.cells, code)
        elif by_hints:
            shown = {*np.unique(tile_reader.codes).tolist(), *marks.values()}
            over = COVERED not in shown or not shown.isdisjoint((MINE, EXPLODED))
            marks |= dict.fromkeys(kind.cells, MINE if over else FLAG)
            either.update(kind.cells)
    others = {cell for kind in doubtful for cell in kind.cells} - marks.keys()
    if others and COVERED not in tile_reader.codes:
        # What else cannot be read may tell whether the mines are flagged.
        marks = {cell: code for cell, code in marks.items() if cell not in either}
    tile_reader.codes = tile_reader.codes.copy()
    for cell, code in (dict.fromkeys(flags, FLAG) | marks).items():
        tile_reader.codes[cell] = code
    remarks = []
    if flags:
        cells = quantity(len(flags), "cell")
        remarks.append(f"{cells} of another colour are flags, as the hints prove mines there")
    if marks:
        count = "1 mark is a mine" if len(marks) == 1 else f"{len(marks)} marks are mines"
        remarks.append(f"{count}; whether flagged, shown or exploded is not certain")
    return remarks


def _mine_probability(why: Unread) -> float:
    """Return the probability that an unread mark is a mine that is shown, exploded or not."""
    return sum(share for code, share in why.nearest if code in (MINE, EXPLODED))


def _mines_by_hints(tiles: NDArray[np.int8]) -> NDArray[np.int8]:
    """Return (rows, cols) where the hints prove a mine (1), or none (0); -1 where they do not."""
    proven = np.full(tiles.shape, -1, np.int8)
    # An unread tile may be a mine or not, as a covered cell.
    doubted = np.where(tiles == UNREAD, np.int8(COVERED), tiles)
    mines = int(np.count_nonzero(doubted == COVERED)) // 2
    mines += int(np.count_nonzero(np.isin(doubted, (MINE, EXPLODED))))
    with suppress(Contradiction, InconsistentBoard):
        # Any possible number of mines: the hints alone have to prove it.
        known = simplify(system_of(Board(doubted, mines)).constraints).known
        proven.flat[list(known)] = list(known.values())
    return proven


def _are_mines(proven: NDArray[np.int8], cells: Sequence[Cell]) -> bool:
    """Return whether most cells that look alike are proven mines, and none of them is safe."""
    found = [int(proven[cell]) for cell in cells]
    return 0 not in found and 2 * found.count(1) > len(found)


def _flags_by_colour(
    tile_reader: LearningReader, kinds: Sequence[TileCluster], proven: NDArray[np.int8]
) -> list[Cell]:
    """Return the cells of another colour that are flags, on a board that shows no marks."""
    if np.isin(tile_reader.codes, (MINE, EXPLODED, MISFLAG, FLAG)).any():
        return []
    closed = [one for one in kinds if one.state in (COVERED, UNREAD)]
    usual = max((one for one in closed if one.state == COVERED), key=_size, default=None)
    if usual is None:
        return []
    others = [
        one
        for one in closed
        if _apart(one, usual) >= _OTHER_COLOUR and all(proven[cell] == 1 for cell in one.cells)
    ]
    flags = [one for one in others if _are_scattered(one.cells)]
    # Neighbours may show in a single one, which is a kind of its own then.
    flags += [
        one
        for one in others
        if one not in flags and any(2 * _apart(one, flag) < _apart(one, usual) for flag in flags)
    ]
    return [cell for one in flags for cell in one.cells]


def _apart(one: TileCluster, other: TileCluster) -> float:
    """Return the grey levels by which the colours of two kinds differ."""
    return float(np.abs(_colour(one) - _colour(other)).max())


def _colour(kind: TileCluster) -> NDArray[np.float64]:
    return np.asarray(np.median(kind.picture, axis=(0, 1)), np.float64)


def _size(kind: TileCluster) -> int:
    return len(kind.cells)


def _are_scattered(cells: Sequence[Cell]) -> bool:
    """Return whether there are several cells, in more than one row, column and checkered shade.

    Few may be below the pointer, or a number that was not recognised.
    """
    places = ({cell.row for cell in cells}, {cell.col for cell in cells},
              {(cell.row + cell.col) % 2 for cell in cells})  # fmt: skip
    return len(cells) >= _LEAST_FLAGS and all(len(one) > 1 for one in places)


def _counted(codes: NDArray[np.int8], rules: Rules) -> NDArray[np.int8]:
    """Return the tiles as counted by a mine counter, which subtracts dug mines too."""
    if rules is Rules.DIGGING:
        return np.where(codes == EXPLODED, np.int8(FLAG), codes)
    return codes
