"""What is read but cannot be true is not believed: hints at odds, painted into recorded games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import count, pairwise

import cv2
import numpy as np
import pytest

from bot.board import (
    COVERED,
    EXPLODED,
    MINE,
    UNREAD,
    Board,
    Cell,
    InconsistentBoard,
    count_neighbours,
)
from bot.frame import Frame, Grid, Reading, Region, Status
from bot.game import FirstClick, Game, Rules
from bot.loop import Turn, play
from bot.metrics import hints_of
from bot.planner import Action, Move, plan
from bot.solver import exact
from bot.unread import Cause
from bot.waiting import BoardNotSettled, wait_until_stable
from tests.support.boards import SESSIONS
from tests.support.readings import recorded_boards
from tests.support.sampling import sampled
from tests.vision.scenes import Image, recorded, window_picture
from vision.counters.header import Header
from vision.learning.learning_reader import LearningReader
from vision.sessions import load_session
from vision.skins import Skin
from vision.tracking.cells import is_rest, near, unchanged
from vision.tracking.tile_reader import (
    Tracker,
    believable,
    prove_marks,
    reading_of,
    tile_readers_of,
)

pytestmark = pytest.mark.long

NAMES = (
    "winemine-expert-won",
    "sgt-mines-intermediate-won",
    "xdemineur-intermediate-won",
    "xbomb-intermediate-won",
    "gnome-mines-classic-beginner-won",
    "kmines-classic-intermediate-won",
    "flat-beginner-won",
)
"""A recorded game of each program."""
HINTS = range(1, 9)


@pytest.mark.parametrize("name", NAMES)
def test_changed_cells_are_detected(name: str) -> None:
    """In a recorded game: all that a turn clicked on looks another way in the next frame."""
    turns = list(load_session(SESSIONS / name).turns())
    for turn, after in pairwise(turns):
        cells = [move.cell for move in turn.moves if move.cell is not None]
        if not cells:
            continue

        def grab(region: Region, frame: Frame = after.reading.frame) -> Frame:
            part = region.intersection(frame.region)
            assert part is not None
            left, top = part.left - frame.region.left, part.top - frame.region.top
            picture = frame.image[top : top + part.height, left : left + part.width]
            return Frame(picture, part)

        lost = after.reading.status is Status.LOST
        assert unchanged(cells, turn.reading.grid, turn.reading.frame, grab) == 0 or lost
        assert unchanged(cells, after.reading.grid, after.reading.frame, grab) == len(cells)


def test_a_lattice_that_flickers_is_where_it_was() -> None:
    """A pixel aside is the same place; a cell aside, or another pitch, is not."""
    grid = Grid(710, 412, 20, 20, 9, 9)
    assert near(grid.moved(1, 1), grid)
    assert not near(grid.moved(20, 1), grid)
    assert not near(replace(grid, pitch_x=21), grid)
    assert not near(replace(grid, rows=8), grid)
    assert is_rest(replace(grid, rows=grid.rows - 4), grid)
    assert not is_rest(replace(grid, rows=grid.rows - 4, cols=grid.cols - 4), grid)
    assert not is_rest(grid, grid)


def at_odds(board: Board) -> bool:
    """Whether hints contradict each other, says the exact solver, which shares no search."""
    try:
        exact.solve(board)
    except InconsistentBoard as impossible:
        return bool(impossible.hints)  # None where it is the number of mines.
    return False


def beyond_bounds(board: Board) -> bool:
    """Return whether a hint is larger than the number of closed cells around it."""
    closed = np.pad(board.tiles < 0, 1)
    around = np.lib.stride_tricks.sliding_window_view(closed, (3, 3)).sum((2, 3))
    return bool((board.tiles > around).any())


def misreads(board: Board) -> Iterator[tuple[Cell, int]]:
    """Hints and what they may be misread as, such that only other hints tell it."""
    for cell in board.cells(*HINTS):
        for read in {board[cell] - 1, board[cell] + 1} & set(HINTS):
            tiles = board.tiles.copy()
            tiles[cell] = read
            misread = Board(tiles, board.mines)
            if not beyond_bounds(misread) and at_odds(misread):
                yield cell, read


def painted(reading: Reading, skin: Skin, cell: Cell, code: int) -> Image:
    """The frame of a reading with another tile in one place, from the skin's own pictures."""
    grid, frame = reading.grid, reading.frame
    left, right = grid.column_edges(frame.region)[cell.col :][:2]
    top, bottom = grid.row_edges(frame.region)[cell.row :][:2]
    picture = skin.drawn_at(grid.pitch_x * grid.scale).pictures[code][0]
    image = frame.image.copy()
    size = int(right - left), int(bottom - top)
    image[top:bottom, left:right] = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    return image


def looked(image: Image, skins: tuple[Skin, ...], mines: int) -> tuple[Reading, Skin]:
    """What the reader makes of a frame that holds this picture."""
    frame = Frame.of_image(image)
    ((tile_reader,), _) = tile_readers_of(frame, skins)
    tile_reader.see(frame)
    header = Header(frame, tile_reader.grid, mines)
    return reading_of(frame, tile_reader, header, doubt_hints=True), tile_reader.skin


def clock() -> Callable[[], float]:
    """Each look takes a second."""
    return partial(next, count(0.0))


@pytest.mark.parametrize("name", sampled(NAMES, 3))
def test_no_click_follows_a_misread_hint(skins: tuple[Skin, ...], name: str) -> None:
    """A hint painted as the next one, so that other hints contradict it: unread, and no click."""
    recording = recorded(name, "middle")
    before = recording.board
    true, skin = looked(recording.frame.image, skins, before.mines)
    assert true.board == before
    found = list(misreads(before))
    for cell, code in (found[0], found[len(found) // 2]):
        reading, _ = looked(painted(recording, skin, cell, code), skins, before.mines)
        tiles = reading.board.tiles
        unread = tiles == UNREAD
        # Not the painted one alone: it was read as what it shows, and not believed.
        assert unread.sum() > 1
        assert (before.tiles[unread] > 0).all()
        assert {why.cause for why in reading.unread.values()} == {Cause.CONTRADICTION}
        assert reading.unread.keys() == set(reading.board.cells(UNREAD))
        assert set(np.argwhere(~unread & (tiles != before.tiles)).ravel()) <= set(cell)
        acted: list[Turn] = []
        game = play(
            lambda last, seen=reading: wait_until_stable(lambda: seen, never, last, 3, clock()),
            exact.solve,
            lambda reading, analysis: plan(reading.board, analysis) if analysis else (),
            acted.append,
        )
        with pytest.raises(BoardNotSettled, match="cannot be read"):
            next(game)
        assert acted == []


def test_contradicting_hints_become_unread() -> None:
    """Those at odds, and no other; nothing is presumed of an unread tile; not when digging."""
    seen = Board.parse("x*x#1/*4*2#/x*x*~", 0)
    assert Board(believable(seen.tiles), 0).rows_text() == "x*x#~\n*4*~#\nx*x*~"
    assert (believable(seen.tiles, Rules.DIGGING) == seen.tiles).all()
    open_end = Board.parse("x*x#~/*4*2#/x*x*1", 0)
    assert (believable(open_end.tiles) == open_end.tiles).all()


def test_no_hint_of_a_real_board_becomes_unread() -> None:
    """Games at every stage, won and lost, with flags anywhere that stay: all is believed."""
    rng = np.random.default_rng(0)
    stages = Counter[Status]()
    for seed in range(150):
        rows, cols = int(rng.integers(2, 17)), int(rng.integers(2, 31))
        mines = int(rows * cols * rng.uniform(0.05, 0.4))
        game = Game(rows, cols, max(mines, 1), seed, FirstClick.NONE)
        for cell in rng.permutation(rows * cols):
            place = divmod(int(cell), cols)
            mine = game.layout is not None and game.layout[place]
            if rng.random() < (0.5 if mine else 0.005) and game.board[place] == COVERED:
                game.flag(place)
            elif not mine or rng.random() < 0.02:
                game.open(place)
            if rng.random() < 0.1 or game.status.over:
                stages[game.status] += 1
                assert (believable(game.board.tiles) == game.board.tiles).all()
            if game.status.over:
                break
    assert all(stages[status] >= 20 for status in (Status.PLAYING, Status.WON, Status.LOST))


def test_no_recorded_tile_becomes_unread() -> None:
    """No tile of the recorded games is taken back."""
    for path in SESSIONS.glob("*/session.json"):
        for board in recorded_boards(load_session(path.parent)):
            assert (believable(board.tiles) == board.tiles).all(), path.parent.name


def never(seconds: float) -> bool:
    """Nobody stops."""
    return seconds < 0


@pytest.mark.parametrize(("clicked", "flood"), [(Cell(0, 0), "none"), (Cell(8, 8), None)])
def test_a_known_skin_is_read_where_a_zero_opens_no_hint(
    skins: tuple[Skin, ...], clicked: Cell, flood: str | None
) -> None:
    """Zeros beside covered cells are believed if a click on one of them has opened the others."""
    board = Board.parse("/".join(["....#####", ".....####", "..#######"] + ["#########"] * 6), 10)
    image = window_picture(board, "classic", 16)
    frame = Frame(image, Region(0, 0, image.shape[1], image.shape[0]))
    (reader,), _ = tile_readers_of(frame, [one for one in skins if one.name == "classic"])
    assert isinstance(reader, Tracker)
    reader.see(frame)
    assert reader.find_flood((Move(Action.OPEN, clicked),)) == (flood is not None)
    assert reader.flood == flood
    read = believable(reader.codes, flood=reader.flood)
    assert (UNREAD in read) == (flood is None)


@pytest.mark.parametrize(
    ("look", "seed", "shown", "read"),
    [
        # The only mine of a lost game, and all mines of a finished one.
        ("flat", 0, "hit", True),
        ("flat", 1, "mines", True),
        ("rounded", 0, "mines", True),
        # The hints do not prove this one, and it may be a flag as well.
        ("dark", 0, "hit", False),
    ],
)
def test_marks_that_are_certainly_mines_are_read_in_a_picture(
    look: str, seed: int, shown: str, read: bool
) -> None:
    """Though the learner does not know whether they are flags, mines, or the exploded one."""
    game = Game(9, 9, 10, seed, FirstClick.ZERO)
    game.open((4, 4))
    layout, tiles = game.layout, game.board.tiles.copy()
    assert layout is not None
    if shown == "mines":
        tiles = np.where(layout, MINE, hints_of(layout)).astype(np.int8)
    else:
        beside = count_neighbours(tiles > 0) > 0
        tiles[tuple(np.argwhere(layout & beside)[0])] = EXPLODED
    image = window_picture(Board(tiles, 10), look)
    frame = Frame.of_image(image)
    (reader,), _ = tile_readers_of(frame, ())
    assert isinstance(reader, LearningReader)
    reader.see(frame)
    reader.conclude()
    marks = np.isin(tiles, (MINE, EXPLODED))
    assert ((reader.codes == UNREAD) == marks).all()
    assert len(prove_marks(reader)) == read
    assert (reader.codes == np.where(marks & (not read), UNREAD, tiles)).all()
