"""Boards of two shades whose cells begin at fractions of a pixel, as in several web games."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import pytest

from bot.board import COVERED, FLAG, UNREAD
from bot.frame import Frame
from bot.game import FirstClick, Game
from tests.support.sampling import sampled
from tests.support.strange import played
from tests.vision.scenes import Image
from vision.finder.unknown_boards import find_unknown_boards

pytestmark = pytest.mark.long

_SIDE: Final = 100
_COVERED: Final = ((81, 215, 170), (73, 209, 162))
_OPENED: Final = ((159, 194, 229), (153, 184, 215))
_RIM: Final = (58, 175, 135)
"""Colour of the line between covered and opened cells."""
_INKS: Final = ((210, 118, 25), (60, 142, 56), (47, 47, 211), (162, 31, 123), (0, 143, 255))


def checkered(tiles: Image, pitch: float) -> Image:
    """Draw a board of two shades in a window, its cells `pitch` pixels apart."""
    rows, cols = tiles.shape
    image = np.zeros((rows * _SIDE, cols * _SIDE, 3), np.uint8)
    for (row, col), code in np.ndenumerate(tiles):
        cell = image[row * _SIDE : (row + 1) * _SIDE, col * _SIDE : (col + 1) * _SIDE]
        cell[:] = (_COVERED if code in (COVERED, FLAG) else _OPENED)[(row + col) % 2]
        if 0 < code <= len(_INKS):
            font = cv2.FONT_HERSHEY_DUPLEX
            cv2.putText(cell, str(code), (28, 76), font, 2.3, _INKS[code - 1], 9, cv2.LINE_AA)
        elif code == FLAG:
            cv2.fillPoly(cell, [np.array([(35, 20), (75, 38), (35, 55)])], (13, 54, 230))
            cv2.line(cell, (35, 20), (35, 82), (13, 54, 230), 6)
    covered = np.isin(tiles, (COVERED, FLAG))
    for row, col in np.argwhere(covered[:, 1:] != covered[:, :-1]).tolist():
        x = (col + 1) * _SIDE
        cv2.line(image, (x, row * _SIDE), (x, (row + 1) * _SIDE), _RIM, 12)
    for row, col in np.argwhere(covered[1:] != covered[:-1]).tolist():
        y = (row + 1) * _SIDE
        cv2.line(image, (col * _SIDE, y), ((col + 1) * _SIDE, y), _RIM, 12)
    size = round(cols * pitch), round(rows * pitch)
    board = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    window = np.full((size[1] + 90, size[0] + 30, 3), (44, 117, 74), np.uint8)
    window[75 : 75 + size[1], 15 : 15 + size[0]] = board
    return window


@pytest.mark.parametrize("pitch", sampled([18.3, 35.45, 22.7], 2))
def test_a_checkered_board_with_rims_is_read(pitch: float) -> None:
    """Each line between covered and opened cells changes the look of the cells on both sides."""
    boards = list(played(Game(9, 12, 18, 6, FirstClick.ZERO), np.random.default_rng(6)))
    tiles = boards[len(boards) // 2].tiles
    (found,), _ = find_unknown_boards(Frame.of_image(checkered(tiles, pitch)))
    codes = found.result.codes
    assert codes.shape == tiles.shape
    assert ((codes == tiles) | (codes == UNREAD)).all()
    assert (codes == tiles).mean() > 0.9


def test_a_picture_that_alternates_beside_a_board_does_not_continue_it() -> None:
    """Waves at its right, in colours of their own; a part of its next cells does."""
    window = checkered(np.full((12, 15), COVERED, np.int8), 38.0)
    waves = np.array([(240, 150, 70), (190, 90, 40)])[np.arange(12 * 38) // 38 % 2][:, None]
    for beside, whole in ((waves, True), (window[75:-15, 53:68], False)):
        window[75:-15, -15:] = beside
        found, cut = find_unknown_boards(Frame.of_image(window), again=True)
        assert (len(found), len(cut)) == (whole, not whole)


def test_a_board_does_not_grow_into_a_picture_beside_it() -> None:
    """Its shades alternate as the board's do, but no two of its places look the same."""
    window = checkered(np.full((12, 15), COVERED, np.int8), 38.0)
    image = np.pad(window, ((0, 0), (0, 60), (0, 0)), mode="edge")
    shades = np.array([(dark >> np.arange(3) & 1) * 120 for dark in range(6)]).repeat(2, axis=0)
    shades[1::2] += 130
    image[75:-15, -75:] = shades.repeat(38, axis=0)[:, None]
    (found,), _ = find_unknown_boards(Frame.of_image(image), again=True)
    assert (found.grid.rows, found.grid.cols) == (12, 15)
