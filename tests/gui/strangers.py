"""Screenshots of programs that do not exist, and of boards that everybody knows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bot.board import COVERED, FLAG, Board
from bot.game import INTERMEDIATE, Game, Level
from tests.gui.tabletop import painted
from tests.support.strange import Strange
from vision.sessions.writer import encode_png

LEVEL = Level("small", 12, 12, 20)
_GROUND = (96, 88, 80)
_MARGIN = 60


def strange_screen(
    seed: int, board: Board, side: int = 28, *, scribbled: bool = False
) -> NDArray[np.uint8]:
    """(h, w, 3) BGR: a board of a skin that was made up, in the middle of a plain desktop.

    Args:
        seed: Of the skin.
        board: What it shows.
        side: Of a cell, in pixels.
        scribbled: Whether its flags carry an unknown mark.
    """
    tiles = Strange(seed).tiles(board, side)
    if scribbled:
        inner = slice(side // 4, side - side // 4)
        size = inner.stop - inner.start
        mark = np.random.default_rng(0).integers(0, 256, (size, size, 3))
        tiles[np.flatnonzero(board.tiles.ravel() == FLAG), inner, inner] = mark
    rows, cols = board.rows, board.cols
    whole = tiles.reshape(rows, cols, side, side, 3).transpose(0, 2, 1, 3, 4)
    screen = np.full((rows * side + 2 * _MARGIN, cols * side + 2 * _MARGIN, 3), _GROUND, np.uint8)
    screen[_MARGIN:-_MARGIN, _MARGIN:-_MARGIN] = whole.reshape(rows * side, cols * side, 3)
    return screen


def middle_game(seed: int, level: Level = LEVEL, opened: int = 40, flags: int = 3) -> Game:
    """A game with so many safe cells opened, and so many mines flagged."""
    game = Game.of_level(level, seed)
    game.open((level.rows // 2, level.cols // 2))
    layout = game.layout
    rng = np.random.default_rng(seed)
    for at in rng.permutation(np.flatnonzero(~layout.ravel())).tolist():
        if int((game.board.tiles >= 0).sum()) >= opened:
            break
        cell = divmod(at, level.cols)
        if game.board[cell] == COVERED:
            game.open(cell)
    for cell in np.argwhere(layout)[:flags].tolist():
        game.flag(tuple(cell))
    return game


def save(folder: Path, name: str, picture: NDArray[np.uint8]) -> Path:
    """A picture as a PNG file."""
    path = folder / name
    path.write_bytes(encode_png(picture))
    return path


def known_screen(seed: int = 3, level: Level = INTERMEDIATE, opened: int = 90) -> NDArray[np.uint8]:
    """The simulated window with a game, as it would be captured."""
    image, _ = painted(middle_game(seed, level, opened), "classic", 7)
    return np.pad(image, ((40, 40), (40, 40), (0, 0)), constant_values=90)
