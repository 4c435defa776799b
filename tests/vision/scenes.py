"""Pictures of boards amid other things, whose right reading is known."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray
from PyQt6.QtGui import QImage, QPainter

from bot.board import COVERED, EXPLODED, FLAG, MINE, MISFLAG, QUESTION, Board
from bot.frame import Grid, Reading
from bot.metrics import hints_of
from gui.images import from_qimage
from gui.looks import (
    LOOKS,
    layout,
    look_named,
    paint_board,
    paint_header,
    render_board,
)
from gui.looks.headers import HeaderState
from tests.support.boards import SESSIONS
from vision.capture import load_image
from vision.sessions import load_session
from vision.skins import Skin

DATA = Path(__file__).parent / "data"
Image = NDArray[np.uint8]
Random = np.random.Generator


class Scene(NamedTuple):
    """A picture with one board in it."""

    image: Image
    left: int
    top: int
    cell: float
    look: str
    board: Board

    def __str__(self) -> str:
        return f"{self.look} {self.board.rows}x{self.board.cols} at {self.cell:.2f} px"


def random_board(rng: Random, rows: int, cols: int) -> Board:
    """A game somewhere between its first click and its end; every tile state may occur."""
    mines = rng.random((rows, cols)) < rng.uniform(0.12, 0.22)
    hints = hints_of(mines)
    tiles = np.full((rows, cols), COVERED)
    for _ in range(int(rng.integers(rows * cols * 2 // 3))):
        _open(tiles, mines, hints, int(rng.integers(rows)), int(rng.integers(cols)))
    chance = rng.random((rows, cols))
    tiles[(tiles == COVERED) & mines & (chance < 0.3)] = FLAG
    tiles[(tiles == COVERED) & (chance > 0.97)] = QUESTION
    if rng.random() < 0.2:
        tiles[(tiles == COVERED) & mines] = MINE
        tiles[(tiles == COVERED) & (chance > 0.9)] = MISFLAG
        shown = np.argwhere(tiles == MINE)
        if len(shown):
            tiles[tuple(shown[0])] = EXPLODED
    return Board(tiles.astype(np.int8), int(mines.sum()))


def _open(tiles: NDArray, mines: NDArray, hints: NDArray, row: int, col: int) -> None:
    rows, cols = tiles.shape
    left = [(row, col)]
    while left:
        row, col = left.pop()
        if not (0 <= row < rows and 0 <= col < cols) or tiles[row, col] >= 0 or mines[row, col]:
            continue
        tiles[row, col] = hints[row, col]
        if hints[row, col] == 0:
            left += [(row + down, col + right) for down in (-1, 0, 1) for right in (-1, 0, 1)]


def desktop(rng: Random, width: int = 1280, height: int = 800) -> Image:
    """What a screen is full of: windows, text, a chess board, a table, a calendar, keys."""
    image = np.full((height, width, 3), rng.integers(0, 256, 3), np.uint8)
    for _ in range(10):
        x, y = int(rng.integers(width)), int(rng.integers(height))
        across, down = (int(length) for length in rng.integers(60, 400, 2))
        image[y : y + down, x : x + across] = rng.integers(0, 256, 3)
    for _ in range(25):
        corner = int(rng.integers(-50, width)), int(rng.integers(height))
        colour = tuple(int(value) for value in rng.integers(0, 256, 3))
        text = "The quick brown fox jumps over 0123456789"
        size = float(rng.uniform(0.3, 0.8))
        cv2.putText(image, text, corner, cv2.FONT_HERSHEY_SIMPLEX, size, colour, 1)
    for draw in (_chess_board, _table, _calendar, _keys):
        draw(image, int(rng.integers(width - 300)), int(rng.integers(height - 300)), rng)
    return image


def _chess_board(image: Image, x: int, y: int, rng: Random) -> None:
    side = int(rng.integers(16, 40))
    for row in range(8):
        for col in range(8):
            colour = (240, 240, 240) if (row + col) % 2 else (60, 90, 60)
            image[y + row * side :, x + col * side :][:side, :side] = colour


def _table(image: Image, x: int, y: int, rng: Random) -> None:
    height, width = int(rng.integers(16, 24)), int(rng.integers(40, 80))
    image[y : y + 12 * height, x : x + 5 * width] = 255
    for row in range(12):
        for col in range(5):
            corner = x + col * width, y + row * height
            cv2.rectangle(image, corner, (corner[0] + width, corner[1] + height), (200,) * 3)
            if rng.random() < 0.7:
                text, at = str(rng.integers(1000)), (corner[0] + 4, corner[1] + height - 5)
                cv2.putText(image, text, at, cv2.FONT_HERSHEY_PLAIN, 0.8, (0, 0, 0))


def _calendar(image: Image, x: int, y: int, rng: Random) -> None:
    side = int(rng.integers(24, 40))
    image[y : y + 6 * side, x : x + 7 * side] = 250
    for day in range(31):
        corner = x + day % 7 * side, y + day // 7 * side
        cv2.rectangle(image, corner, (corner[0] + side, corner[1] + side), (180, 180, 180))
        at = corner[0] + 5, corner[1] + side - 7
        cv2.putText(image, str(day + 1), at, cv2.FONT_HERSHEY_PLAIN, 1.0, (60, 60, 60))


def _keys(image: Image, x: int, y: int, rng: Random) -> None:
    side = int(rng.integers(24, 36))
    image[y : y + 4 * side, x : x + 10 * side] = 90
    for key in range(40):
        corner = x + key % 10 * side + 2, y + key // 10 * side + 2
        cv2.rectangle(image, corner, (corner[0] + side - 4, corner[1] + side - 4), (230,) * 3, -1)
        at = corner[0] + 6, corner[1] + side - 10
        cv2.putText(image, chr(65 + key % 26), at, cv2.FONT_HERSHEY_PLAIN, 1.0, (20, 20, 20))


def drawn(board: Board, look: str, cell: float) -> Image:
    """The board as the simulated window shows it."""
    return np.ascontiguousarray(from_qimage(render_board(board, LOOKS[look], cell)))


def field(board: Board, look: str, cell: float, state: HeaderState) -> tuple[Image, Grid]:
    """The simulated window's field, the board with its counters above it; and the board's grid."""
    named = look_named(look)
    place = layout(named, board.rows, board.cols, cell)
    image = QImage(place.field.size().toSize(), QImage.Format.Format_RGB32)
    painter = QPainter(image)
    paint_header(painter, named, place, state)
    paint_board(painter, board, place.board, named)
    painter.end()
    grid = Grid(place.board.left(), place.board.top(), cell, cell, board.rows, board.cols)
    return np.ascontiguousarray(from_qimage(image)[..., :3]), grid


def window_picture(board: Board, look: str = "classic", cell: float = 24.0) -> Image:
    """A board as it stands in a game's window: 20 pixels from its left, 70 from its top."""
    picture = drawn(board, look, cell)
    image = np.full((picture.shape[0] + 90, picture.shape[1] + 40, 3), 192, np.uint8)
    put(image, picture, 20, 70)
    return image


def tiled(skin: Skin, board: Board) -> Image:
    """The board as a program of that skin shows it, as far as its pictures tell."""
    covered = skin.pictures[COVERED]
    rows = [
        np.hstack([skin.pictures.get(int(code), covered)[0] for code in line])
        for line in board.tiles
    ]
    return np.vstack(rows)


def put(image: Image, picture: Image, left: int, top: int, margin: int = 0) -> None:
    """Lay a picture on another one, with a frame of its window's colour."""
    height, width = picture.shape[:2]
    if margin:
        frame = max(top - margin, 0), max(left - margin, 0)
        image[frame[0] : top + height + margin, frame[1] : left + width + margin] = 214
    image[top : top + height, left : left + width] = picture


def scene(seed: int, look: str, cell: float, width: int = 1280, height: int = 800) -> Scene:
    """A board of random size at a random place of a desktop."""
    rng = np.random.default_rng(seed)
    rows = int(rng.integers(4, min(30, int((height - 20) // cell)) + 1))
    cols = int(rng.integers(4, min(40, int((width - 20) // cell)) + 1))
    board = random_board(rng, rows, cols)
    picture = drawn(board, look, cell)
    image = desktop(rng, width, height)
    left = int(rng.integers(8, width - picture.shape[1] - 7))
    top = int(rng.integers(8, height - picture.shape[0] - 7))
    put(image, picture, left, top, margin=5)
    return Scene(image, left, top, cell, look, board)


def real(name: str) -> tuple[Image, Board]:
    """A screenshot of a real program, and what it says, checked by eye."""
    board = Board.parse((DATA / f"{name}.txt").read_text("utf-8"))
    return load_image(DATA / f"{name}.png").image, board


def recorded(session: str, at: Literal["first", "middle", "last"] = "first") -> Reading:
    """A picture of a recorded game of a program, and what it shows."""
    turns = load_session(SESSIONS / session)
    return turns.turn({"first": 0, "middle": len(turns) // 2, "last": len(turns) - 1}[at]).reading


REAL = {
    "sgt-mines": (31, 75, 20),
    "winemine": (9, 72, 16),
    "xbomb": (5, 55, 20),
    "xdemineur": (21, 100, 21),
}
"""Left and upper edge of the board in each of these screenshots, and side of a cell, in pixels."""
