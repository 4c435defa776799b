"""A board that is cut off exactly between two lines of cells is never taken for a smaller one."""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import cv2
import numpy as np
import pytest

from bot.analysis import Analysis, Limit
from bot.board import COVERED, Board, count_neighbours
from bot.frame import Frame, Grid, Region
from bot.solver import exact
from gui.analyse_image import analyse_image
from gui.looks import LOOKS
from tests.support.boards import recordings
from tests.support.sampling import sampled
from tests.vision.scenes import DATA, Image, drawn, put, random_board, recorded
from vision.capture import load_image
from vision.finder import BoardCut, survey
from vision.finder.cutoff import CutOff, part_of
from vision.finder.placing import SIDES, Side
from vision.finder.unknown_boards import find_unknown_boards
from vision.learning.skin_learner import SkinLearner
from vision.skins import Skin
from vision.tracking.tile_reader import tile_readers_of

pytestmark = [
    pytest.mark.long,
    pytest.mark.usefixtures("qapp"),  # some boards are drawn with fonts
]

Beyond = Literal["picture", "desktop", "page"]
BEYOND: tuple[Beyond, ...] = ("picture", "desktop", "page")
"""What lies beyond the cut: nothing, as in a picture that someone cut out; the desktop, as with a
window that is too small; or a toolbar, as with a page that is scrolled."""
_AROUND = 60
"""Pixels of page, and of desktop, around a picture."""
FRAMED = (
    "xdemineur-beginner-won",
    "kmines-classic-intermediate-won",
    "kmines-default-beginner-won",
    "kmines-green-marks",
    "sgt-mines-intermediate-won",
    "winemine-intermediate-won",
    "xbomb-intermediate-won",
    "classic-intermediate-chords",
)
"""Recorded games of programs that draw a frame around their boards."""
FRAMELESS = ("flat-beginner-won", "gnome-mines-bgcolors-hand-1")
NO_SURROUNDINGS = ("kmines-classic-hand", "kmines-default-hand")
"""Sessions of which the pictures show the board's cells alone."""


def _solve(board: Board) -> Analysis:
    return exact.solve(board, Limit())


@dataclass(frozen=True, eq=False)
class Shot:
    """A whole board in a picture: the first frame of a session."""

    image: Image
    board: Region
    """Where the board is, in pixels."""
    grid: Grid


def shot_of(session: str) -> Shot:
    """Return the first frame of a session."""
    reading = recorded(session)
    grid, frame = reading.grid, reading.frame
    return Shot(frame.image, grid.region.moved(-frame.region.left, -frame.region.top), grid)


def cropped(shot: Shot, side: Side, lines: int, beyond: Beyond) -> Image:
    """Return the picture without some lines of cells at a side."""
    image, region = shot.image, shot.grid.region
    across = side in ("left", "right")
    edges = shot.grid.column_edges(region) if across else shot.grid.row_edges(region)
    at = int(edges[lines if side in ("left", "top") else -1 - lines])
    at += shot.board.left if across else shot.board.top
    if beyond == "page":
        # The page goes on at the sides, in the colour that is around the board.
        rim = np.concatenate([image[0], image[-1], image[:, 0], image[:, -1]])
        colours, counts = np.unique(rim, axis=0, return_counts=True)
        image = _framed(image, colours[counts.argmax()].tolist())
        at += _AROUND
    part = {
        "top": np.s_[at:],
        "bottom": np.s_[:at],
        "left": np.s_[:, at:],
        "right": np.s_[:, :at],
    }[side]
    image = np.ascontiguousarray(image[part])
    if beyond == "picture":
        return image
    if beyond == "desktop":
        return _framed(image, (96, 62, 38))
    line = cv2.copyMakeBorder(image, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=(200, 200, 200))
    return _framed(np.asarray(line, np.uint8), (246, 243, 241))


def _framed(image: Image, colour: Sequence[int]) -> Image:
    sides = [_AROUND] * 4
    framed = cv2.copyMakeBorder(image, *sides, borderType=cv2.BORDER_CONSTANT, value=[*colour])
    return np.asarray(framed, np.uint8)


def crops_of(shot: Shot, beyond: Beyond) -> Iterator[tuple[str, Image]]:
    """Yield a picture without one, and without nearly half, of its lines at each side."""
    for side in SIDES:
        count = shot.grid.rows if side in ("top", "bottom") else shot.grid.cols
        for lines in dict.fromkeys((1, min(count * 2 // 5, count - 4))):
            if lines > 0 and count - lines >= 4:
                yield f"{lines} lines at its {side}", cropped(shot, side, lines, beyond)


def scaled(image: Image, factor: float) -> Image:
    """Return a picture as a compositor or a picture viewer enlarges it."""
    way = cv2.INTER_LINEAR if factor > 1 else cv2.INTER_AREA
    return np.asarray(cv2.resize(image, None, fx=factor, fy=factor, interpolation=way), np.uint8)


def sizes(image: Image, skins: tuple[Skin, ...]) -> list[tuple[int, int, bool]]:
    """Return the rows and columns of the boards in a picture, and whether they are doubted."""
    tile_readers, _ = tile_readers_of(Frame.of_image(image), skins)
    return [
        (tile_reader.grid.rows, tile_reader.grid.cols, bool(tile_reader.unsure))
        for tile_reader in tile_readers
    ]


@pytest.mark.parametrize("session", sampled(FRAMED))
@pytest.mark.parametrize("beyond", sampled(BEYOND))
def test_part_of_a_board_with_a_frame_is_refused(
    skins: tuple[Skin, ...], session: str, beyond: Beyond
) -> None:
    """At each side, whatever lies beyond; the message says what to do."""
    for name, image in crops_of(shot_of(session), beyond):
        tile_readers, remarks = tile_readers_of(Frame.of_image(image), skins)
        assert tile_readers == [], name
        assert any("Only part of the board is visible" in remark for remark in remarks), name
        assert any("until the whole board shows" in remark for remark in remarks), name


@pytest.mark.parametrize("session", FRAMELESS)
@pytest.mark.parametrize("beyond", sampled(["picture", "page"]))
def test_part_of_a_board_without_a_frame_is_refused_or_doubted(
    skins: tuple[Skin, ...], session: str, beyond: Beyond
) -> None:
    """Nothing but the edge of what is visible speaks against it: it is not taken as it is."""
    for name, image in crops_of(shot_of(session), beyond):
        for *_, doubted in sizes(image, skins):
            assert doubted, name


@pytest.mark.parametrize("folder", recordings(5), ids=lambda folder: folder.name)
def test_whole_boards_of_every_program_are_taken(folder: Path, skins: tuple[Skin, ...]) -> None:
    """A board with its surroundings is neither refused nor doubted."""
    shot = shot_of(folder.name)
    alone = folder.name.startswith(NO_SURROUNDINGS)
    assert sizes(shot.image, skins) == [(shot.grid.rows, shot.grid.cols, alone)]


@pytest.mark.parametrize("session", sampled([*FRAMELESS, *FRAMED]))
@pytest.mark.parametrize("factor", sampled([1.25, 0.8, 1.3, 1.5]))
def test_a_scaled_picture_is_never_a_smaller_board(
    skins: tuple[Skin, ...], session: str, factor: float
) -> None:
    """As a compositor or a picture viewer scales it, whole and cut."""
    shot = shot_of(session)
    for rows, cols, _ in sizes(scaled(shot.image, factor), skins):
        assert (rows, cols) == (shot.grid.rows, shot.grid.cols)
    for side in SIDES:
        cut = scaled(cropped(shot, side, 2, "picture"), factor)
        for *size, doubted in sizes(cut, skins):
            assert doubted, f"{side}: {size}"


@pytest.mark.parametrize(
    "session", sampled(["winemine-intermediate-won", "xdemineur-beginner-won"])
)
@pytest.mark.parametrize("side", sampled(SIDES))
def test_refused_picture_is_not_learned(skins: tuple[Skin, ...], session: str, side: Side) -> None:
    """Neither with its skin nor without it; teaching says what is wrong with the picture."""
    image = cropped(shot_of(session), side, 3, "page")
    unknown = tuple(skin for skin in skins if not session.startswith(skin.name))
    for known in (skins, unknown):
        assert sizes(image, known) == []
        with pytest.raises(BoardCut, match="Only part of the board is visible"):
            SkinLearner(known).show(Frame.of_image(image))
        with pytest.raises(BoardCut, match="Only part of the board is visible"):
            analyse_image(Frame.of_image(image), known, 40, _solve)


def test_a_whole_board_may_lack_its_header_or_a_side_of_its_frame(skins: tuple[Skin, ...]) -> None:
    """An unknown board of a usual size: by chance a window would not cut it off to that size."""
    shot = shot_of("winemine-intermediate-won")
    assert sizes(shot.image[shot.board.top - 8 :], skins) == [(16, 16, False)]
    assert sizes(shot.image[:, shot.board.left :], ()) == [(16, 16, False)]


@pytest.mark.parametrize("look", sampled(LOOKS, 2))
def test_custom_sizes_are_whole_boards(skins: tuple[Skin, ...], look: str) -> None:
    """A size that is no level of the program is no evidence, with a ground around it."""
    for rows, cols in ((8, 8), (10, 16), (16, 10), (5, 30)):
        image = np.full((24 * rows + 120, 24 * cols + 120, 3), 214, np.uint8)
        put(image, drawn(Board.covered(rows, cols, 10), look, 24.0), 60, 60)
        assert sizes(image, skins) == [(rows, cols, False)]


def test_a_board_that_fills_its_window_is_doubted(skins: tuple[Skin, ...]) -> None:
    """Nothing tells whether it goes on: it is found, and the remark says so."""
    image = drawn(Board.covered(10, 16, 20), "flat", 24.0)
    assert sizes(image, skins) == [(10, 16, True)]
    (seen,), _ = analyse_image(Frame.of_image(image), skins, 20, _solve)
    assert seen.reading is None or any("may go on beyond" in one for one in seen.reading.remarks)


def test_windows_bound_what_is_visible(skins: tuple[Skin, ...]) -> None:
    """On a screen the edge of the board's window counts, whatever lies beyond it."""
    shot = shot_of("classic-intermediate-chords")
    image = np.full((600, 600, 3), 192, np.uint8)  # the ground of the window itself
    part = cropped(shot, "bottom", 4, "picture")
    put(image, part, 50, 40)
    window = Region(50, 40, part.shape[1], part.shape[0])
    found, remarks = survey(Frame.of_image(image), skins, [window])
    assert found == []
    (cut,) = (remark for remark in remarks if isinstance(remark, CutOff))
    # The panel receives the sentence from the process that searches.
    assert pickle.loads(pickle.dumps(cut)) == str(cut)  # noqa: S301 - its own bytes


def test_the_beginning_of_more_cells_shows_that_a_board_is_cut_off(skins: tuple[Skin, ...]) -> None:
    """In a window that ends within the next row; a strip of another colour is no such row."""
    image = np.full((500, 500, 3), 40, np.uint8)
    put(image, drawn(Board.covered(10, 9, 20), "classic", 32), 100, 60, margin=0)
    window = Region(40, 20, 420, 40 + 9 * 32 + 6)
    image[window.bottom :] = 90
    for more in (True, False):
        if not more:
            image[60 + 9 * 32 : window.bottom] = 40
        found, remarks = survey(Frame.of_image(image), skins, [window])
        assert bool(found) is not more
        assert any("more cells begin at its bottom" in remark for remark in remarks) is more


def test_more_cells_begin_between_faint_lines() -> None:
    """Lines of six grey levels, as a scaled page has: such a board is found as well."""
    image = np.full((500, 500, 3), 90, np.uint8)
    window = Region(40, 20, 432, 440)
    page = image[window.top : window.bottom, window.left : window.right]
    page[:] = 255
    board = page[80:, 24:-24]
    board[:] = 232
    for at, shade in ((-1, 226), (0, 220), (1, 226)):
        board[47 + at :: 48], board[:, 47 + at : 380 : 48] = shade, shade
    for more in (True, False):
        if not more:
            page[80 + 7 * 48 :] = 255
        found, _ = find_unknown_boards(Frame.of_image(image), shown=[window])
        assert [(one.grid.rows, one.grid.cols) for one in found] == [(7, 8)] * (not more)


def test_hints_at_the_edge_need_the_cells_beyond(skins: tuple[Skin, ...]) -> None:
    """Hints that count more mines than there are covered cells beside them tell of a cut."""
    rng = np.random.default_rng(3)
    board = random_board(rng, 16, 16)
    image = np.full((560, 560, 3), 214, np.uint8)
    put(image, drawn(board, "flat", 24.0)[: 24 * 8], 60, 60)
    tiles = board.tiles[:8]
    assert (tiles[-1] > count_neighbours(tiles < 0)[-1]).sum() >= 2, "the board has no such hints"
    assert sizes(image, skins) == []


def test_a_part_has_the_same_hints() -> None:
    """Rows and columns at any side may be missing; covered cells alone say nothing."""
    known = np.full((9, 9), COVERED, np.int8)
    known[3, 3:6] = 1, 2, 3
    assert part_of(known[1:, :8], known)
    assert not part_of(known, known)
    assert not part_of(np.full((8, 8), COVERED, np.int8), known)


def test_part_with_the_counter_of_a_larger_level_is_doubted(skins: tuple[Skin, ...]) -> None:
    """GNOME Mines in a window that is too small: 15 rows and 28 columns of 16 and 30 are shown."""
    picture = load_image(DATA / "gnome-mines-cut.png")
    (board,), _ = survey(picture, skins)
    assert board.tiles.shape == (15, 28)
    assert board.unsure == ("bottom", "right")
