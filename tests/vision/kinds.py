"""Kinds of screens by which finding is judged: boards in every dress, and screens without one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np

from bot.board import COVERED, Board
from bot.frame import Grid
from gui.looks import LOOKS
from tests.support.strange import Strange
from tests.vision.clutter import CLUTTER
from tests.vision.scenes import Image, Random, desktop, drawn, random_board, tiled
from tests.vision.strangers import puzzle_page, random_style, strange
from vision.skins import Skin

WIDTH, HEIGHT = 1280, 800
MARGIN = 12
"""Least pixels around a board."""
_PERCENT = (1.25, 1.5, 1.75)
_OFF = 0.12, 1.0
"""Part of a cell, and pixels, by which a side may be off."""


class Placed(NamedTuple):
    """Where a board is, in pixels."""

    left: float
    top: float
    width: float
    height: float
    rows: int
    cols: int

    def is_at(self, grid: Grid) -> bool:
        """Whether a grid is that board's."""
        if (grid.rows, grid.cols) != (self.rows, self.cols):
            return False
        allowed = _OFF[0] * self.width / self.cols + _OFF[1]
        right = grid.left + grid.cols * grid.pitch_x + grid.wide_cols
        bottom = grid.top + grid.rows * grid.pitch_y + grid.wide_rows
        off = (
            grid.left - self.left,
            grid.top - self.top,
            right - self.left - self.width,
            bottom - self.top - self.height,
        )
        return max(map(abs, off)) <= allowed


Boards = list[Placed]
Skins = tuple[Skin, ...]
Screen = Callable[[Random, Skins], tuple[Image, Boards]]


@dataclass(frozen=True)
class Kind:
    """A kind of screen."""

    name: str
    known: bool
    """Whether the skin is."""
    screen: Screen


def _board(rng: Random, cell: float, *, fresh: bool) -> Board:
    """Of any size that the screen has room for."""
    rows = int(rng.integers(4, min(40, int((HEIGHT - 2 * MARGIN) // cell)) + 1))
    cols = int(rng.integers(4, min(60, int((WIDTH - 2 * MARGIN) // cell)) + 1))
    # A game that shows no closed cell is none.
    board = random_board(rng, rows, cols)
    while not fresh and not ((board.tiles == COVERED).any() and (board.tiles > 0).any()):
        board = random_board(rng, rows, cols)
    return Board.covered(rows, cols, 1) if fresh else board


def _pitch(rng: Random, least: float = 10, most: float = 120) -> float:
    """Small ones as often as large ones; whole in one of two."""
    pitch = float(np.exp(rng.uniform(np.log(least), np.log(most))))
    return float(round(pitch)) if rng.random() < 0.5 else round(pitch, 2)


def _scaled(picture: Image, factor: float) -> Image:
    """As a compositor does it: bilinear."""
    return np.asarray(cv2.resize(picture, None, fx=factor, fy=factor), np.uint8)


def _shown(rng: Random, picture: Image, board: Board) -> tuple[Image, Boards]:
    """The picture at a random place of a desktop, in a window of some colour."""
    image = desktop(rng, WIDTH, HEIGHT)
    return image, [_laid(rng, image, picture, board, (0, 0, WIDTH, HEIGHT))]


def _laid(
    rng: Random, image: Image, picture: Image, board: Board, area: tuple[int, int, int, int]
) -> Placed:
    """Lay it into an area: left, top, right, bottom."""
    height, width = picture.shape[:2]
    left = int(rng.integers(area[0] + MARGIN, area[2] - MARGIN - width + 1))
    top = int(rng.integers(area[1] + MARGIN, area[3] - MARGIN - height + 1))
    frame = int(rng.integers(2, MARGIN))
    colour = rng.integers(40, 250) + rng.integers(-10, 11, 3)
    image[top - frame : top + height + frame, left - frame : left + width + frame] = colour.clip(
        0, 255
    )
    image[top : top + height, left : left + width] = picture
    return Placed(left, top, width, height, board.rows, board.cols)


def _look(rng: Random) -> str:
    return str(rng.choice(sorted(LOOKS)))


def _of_look(*, fresh: bool, cells: tuple[float, float] = (10, 120)) -> Screen:
    def screen(rng: Random, _: Skins) -> tuple[Image, Boards]:
        cell = _pitch(rng, *cells)
        board = _board(rng, cell, fresh=fresh)
        return _shown(rng, drawn(board, _look(rng), cell), board)

    return screen


def _of_look_at_percent(rng: Random, skins: Skins) -> tuple[Image, Boards]:
    look = _look(rng)
    cell = next(skin.tile[0] for skin in skins if skin.name == look) * float(rng.choice(_PERCENT))
    board = _board(rng, cell, fresh=bool(rng.random() < 0.3))
    return _shown(rng, drawn(board, look, cell), board)


def _of_look_rescaled(rng: Random, _: Skins) -> tuple[Image, Boards]:
    factor, cell = float(rng.uniform(0.7, 2.5)), float(round(_pitch(rng, 15, 45)))
    board = _board(rng, cell * factor, fresh=bool(rng.random() < 0.3))
    return _shown(rng, _scaled(drawn(board, _look(rng), cell), factor), board)


def _captured(*, factors: tuple[float, float], names: str = "") -> Screen:
    """A program that nobody here wrote, its picture enlarged or made smaller."""

    def screen(rng: Random, skins: Skins) -> tuple[Image, Boards]:
        those = [skin for skin in skins if skin.name not in LOOKS and names in skin.name]
        skin = those[int(rng.integers(len(those)))]
        skin = ([*skin.sets, skin])[int(rng.integers(len(skin.sets) + 1))]
        factor = float(rng.uniform(*factors))
        cell = skin.tile[0] * factor
        board = _board(rng, cell, fresh=bool(rng.random() < 0.3))
        picture = tiled(skin, board)
        return _shown(rng, picture if factor == 1 else _scaled(picture, factor), board)

    return screen


def _small(rng: Random, skins: Skins) -> tuple[Image, Boards]:
    """Cells of 9.6 to 12 pixels, blurred because the picture was made smaller."""
    skin = skins[int(rng.integers(len(skins)))]
    cell = float(rng.uniform(9.6, 12))
    board = _board(rng, cell, fresh=bool(rng.random() < 0.3))
    return _shown(rng, _scaled(tiled(skin, board), cell / skin.tile[0]), board)


def _strange(*, fresh: bool) -> Screen:
    def screen(rng: Random, _: Skins) -> tuple[Image, Boards]:
        cell = _pitch(rng)
        board = _board(rng, cell, fresh=fresh)
        return _shown(rng, strange(board, cell, random_style(rng)), board)

    return screen


def _strange_at_percent(rng: Random, _: Skins) -> tuple[Image, Boards]:
    cell = float(rng.integers(12, 40)) * float(rng.choice(_PERCENT))
    board = _board(rng, cell, fresh=bool(rng.random() < 0.3))
    return _shown(rng, strange(board, cell, random_style(rng)), board)


def _strange_rescaled(rng: Random, _: Skins) -> tuple[Image, Boards]:
    factor, cell = float(rng.uniform(0.7, 2.5)), float(round(_pitch(rng, 15, 45)))
    board = _board(rng, cell * factor, fresh=bool(rng.random() < 0.3))
    return _shown(rng, _scaled(strange(board, cell, random_style(rng)), factor), board)


def _made_up(rng: Random, _: Skins) -> tuple[Image, Boards]:
    """A program of `tests.support.strange`: bevels, gradients, hatching, gaps."""
    program, cell = Strange(int(rng.integers(1 << 30))), round(_pitch(rng))
    board = _board(rng, cell, fresh=bool(rng.random() < 0.3))
    return _shown(rng, _together(program.tiles(board, cell), board), board)


def _together(tiles: Image, board: Board) -> Image:
    rows = tiles.reshape(board.rows, board.cols, *tiles.shape[1:])
    return np.ascontiguousarray(np.vstack([np.hstack(list(row)) for row in rows]))


def _several(*, known: bool) -> Screen:
    """Two or three beside each other, each in another dress and size."""

    def screen(rng: Random, _: Skins) -> tuple[Image, Boards]:
        image = desktop(rng, WIDTH, HEIGHT)
        count, boards = int(rng.integers(2, 4)), []
        for number in range(count):
            area = (WIDTH * number // count, 0, WIDTH * (number + 1) // count, HEIGHT)
            cell = _pitch(rng, 12, 40)
            rows = int(rng.integers(4, int((HEIGHT - 2 * MARGIN) // cell) + 1))
            cols = int(rng.integers(4, int((WIDTH // count - 2 * MARGIN) // cell) + 1))
            board = random_board(rng, rows, cols)
            picture = (
                drawn(board, _look(rng), cell) if known else strange(board, cell, random_style(rng))
            )
            boards.append(_laid(rng, image, picture, board, area))
        return image, boards

    return screen


def _of_size(rows: int, cols: int, cells: tuple[float, float], *, known: bool) -> Screen:
    """On a screen of 1920x1080."""

    def screen(rng: Random, _: Skins) -> tuple[Image, Boards]:
        image = desktop(rng, 1920, 1080)
        cell, board = _pitch(rng, *cells), random_board(rng, rows, cols)
        picture = (
            drawn(board, _look(rng), cell) if known else strange(board, cell, random_style(rng))
        )
        return image, [_laid(rng, image, picture, board, (0, 0, 1920, 1080))]

    return screen


def _clutter(draw: Callable[[Random, int, int], Image]) -> Screen:
    def screen(rng: Random, _: Skins) -> tuple[Image, Boards]:
        return draw(rng, WIDTH, HEIGHT), []

    return screen


KINDS = (
    Kind("known, fresh", True, _of_look(fresh=True)),
    Kind("known, mid-game", True, _of_look(fresh=False)),
    Kind("known, at 125, 150, 175 %", True, _of_look_at_percent),
    Kind("known, rescaled 0.7 to 2.5", True, _of_look_rescaled),
    Kind("known, 10 to 12 px", True, _of_look(fresh=False, cells=(9.6, 12))),
    Kind("known, 10 to 12 px, blurred", True, _small),
    Kind("known, 4x4", True, _of_size(4, 4, (10, 100), known=True)),
    Kind("known, 100x100", True, _of_size(100, 100, (9.6, 10.5), known=True)),
    Kind("captured, native", True, _captured(factors=(1, 1))),
    Kind("captured, rescaled 0.8 to 2.5", True, _captured(factors=(0.8, 2.5))),
    Kind("captured xbomb, rescaled", True, _captured(factors=(0.8, 2.5), names="xbomb")),
    Kind("captured kmines, rescaled", True, _captured(factors=(0.8, 2.5), names="kmines")),
    Kind("never seen, fresh", False, _strange(fresh=True)),
    Kind("never seen, mid-game", False, _strange(fresh=False)),
    Kind("never seen, at 125, 150, 175 %", False, _strange_at_percent),
    Kind("never seen, rescaled 0.7 to 2.5", False, _strange_rescaled),
    Kind("never seen, made-up programs", False, _made_up),
    Kind("never seen, 4x4", False, _of_size(4, 4, (10, 100), known=False)),
    Kind("never seen, 100x100", False, _of_size(100, 100, (9.6, 10.5), known=False)),
    Kind("two or three, known", True, _several(known=True)),
    Kind("two or three, never seen", False, _several(known=False)),
    *(
        Kind(f"none: {name}", False, _clutter(draw))
        for name, draw in {"desktop": desktop, "puzzles": puzzle_page, **CLUTTER}.items()
    ),
)
"""Of every kind there are as many screens as there are seeds."""
