"""Whole frames with known boards: recorded, photographed, drawn, and composed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from bot.board import COVERED, Board
from bot.frame import Frame, Grid
from gui.looks import LOOKS
from tests.support.boards import SESSIONS
from tests.vision.scenes import REAL, Image, Random, drawn, put, random_board, real
from vision.finder import survey
from vision.learning.rules import impossible_zeros
from vision.sessions import load_session
from vision.skins import Skin

_MARGIN: Final = 24


@dataclass(frozen=True, eq=False)
class Source:
    """A frame and its board; its points are its pixels."""

    name: str
    program: bool
    """Whether it shows a real program, not the simulated window."""
    skin: Skin
    image: Image
    grid: Grid
    tiles: NDArray[np.int8]
    """(rows, cols)."""


def sources(skins: Iterable[Skin], seed: int) -> Iterator[Source]:
    """Yield all sources of the judging half of the corpus: thresholds were chosen on the other."""
    known = {skin.name: skin for skin in skins}
    yield from recorded(known)
    yield from photographed(known)
    for skin in known.values():
        own = seed + crc32(skin.name.encode()) % 1000
        if skin.name in LOOKS:
            yield from _drawn(skin, own)
        yield put_together(skin, own)


def recorded(known: dict[str, Skin], *, every: bool = False) -> Iterator[Source]:
    """Yield the first, a middle and the last frame of every second session; or all frames."""
    folders = sorted(path.parent for path in SESSIONS.glob("*/session.json"))
    for folder in folders if every else folders[1::2]:
        session = load_session(folder)
        skin = known.get(session.info.skin or "")
        if skin is None:
            continue
        turns = list(session.turns())
        if not every:
            turns = [turns[0], turns[len(turns) // 2], turns[-1]]
        for turn in turns:
            reading = turn.reading
            region, grid = reading.frame.region, reading.grid
            moved = replace(grid.moved(-region.left, -region.top), face=None)
            name = f"{folder.name}/{turn.number:04}"
            program = skin.name not in LOOKS
            image, tiles = reading.frame.image, reading.board.tiles
            yield Source(name, program, skin, image, moved, tiles)


def photographed(known: dict[str, Skin]) -> Iterator[Source]:
    """Yield the shots of the finder's tests, cropped to the board's surroundings."""
    for name in REAL:
        image, board = real(name)
        (seen,), _ = survey(Frame.of_image(image), list(known.values()))
        yield Source(name, True, known[seen.skin.name], image, seen.grid, board.tiles)


def put_together(skin: Skin, seed: int, rows: int = 14, cols: int = 22) -> Source:
    """Return a random board from a skin's own pictures, with every state and variant."""
    rng = np.random.default_rng(seed)
    drawn = (skin, *skin.sets)[int(rng.integers(1 + len(skin.sets)))]
    tiles = _every_state(rng, rows, cols, drawn)
    width, height = drawn.tile
    image = np.full(
        (tiles.shape[0] * height + 2 * _MARGIN, tiles.shape[1] * width + 2 * _MARGIN, 3),
        rng.integers(0, 256, 3),
        np.uint8,
    )
    for (row, col), code in np.ndenumerate(tiles):
        looks = drawn.pictures[int(code)]
        look = looks[int(rng.integers(len(looks)))]
        put(image, look, _MARGIN + col * width, _MARGIN + row * height)
    grid = Grid(_MARGIN, _MARGIN, width, height, *tiles.shape)
    program = skin.name not in LOOKS
    return Source(f"{skin.name} of its pictures", program, skin, image, grid, tiles)


def _drawn(skin: Skin, seed: int) -> Iterator[Source]:
    """Yield boards of the simulated window at its own sizes."""
    natural = LOOKS[skin.name].cell
    for number, scale in enumerate((1.0, 1.25, 1.5, 2.0)):
        rng = np.random.default_rng([seed, number])
        cell = natural * scale
        tiles = _every_state(rng, 12, 18, skin)
        picture = drawn(Board(tiles, 1), skin.name, cell)
        height, width = picture.shape[:2]
        image = np.full((height + 2 * _MARGIN, width + 2 * _MARGIN, 3), 214, np.uint8)
        put(image, picture, _MARGIN, _MARGIN)
        grid = Grid(_MARGIN, _MARGIN, cell, cell, 12, 18)
        name = f"{skin.name} drawn at {cell:g} px"
        yield Source(name, False, skin, image, grid, tiles)


def _every_state(rng: Random, rows: int, cols: int, skin: Skin) -> NDArray[np.int8]:
    """Return a board: half a random game, half random states that the skin has pictures of.

    No zero is beside a cell that is not open: such boards are impossible, and the reader rejects
    them.
    """
    tiles = random_board(rng, rows, cols).tiles.copy()
    states = np.array(sorted(skin.pictures), np.int8)
    strewn = rng.choice(states, (rows, cols))
    tiles[:, cols // 2 :] = strewn[:, cols // 2 :]
    tiles = np.where(np.isin(tiles, states), tiles, COVERED).astype(np.int8)
    hints = rng.choice(states[states > 0], (rows, cols))
    return np.where(impossible_zeros(tiles), hints, tiles)
