"""Synthetic programs: random skins, and games played in them, for learning.

Everything follows from a seed: the difference between covered and opened cells (bevel, shade, gaps,
lines, gradient, hatching, two alternating shades), colours, the style of the digits, flags and
mines, and the display at the end of a game. Nothing here is taken from a real program or from
`gui/looks`: thresholds are measured on these.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.board import COVERED, EXPLODED, FLAG, MINE, MISFLAG, QUESTION, Board
from bot.game import FirstClick, Game
from bot.metrics import hints_of

Image = NDArray[np.uint8]
Colour = tuple[int, int, int]
_FINE = 4
"""Factor by which tiles are drawn larger before they are reduced, for smooth lines."""
_FACES = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
    cv2.FONT_HERSHEY_COMPLEX_SMALL,
)
_USUAL = ((255, 0, 0), (0, 128, 0), (0, 0, 255), (128, 0, 0), (0, 0, 128), (128, 128, 0),
          (0, 0, 0), (128, 128, 128))  # fmt: skip


@dataclass(frozen=True)
class Strange:
    """A synthetic skin."""

    seed: int

    @cached_property
    def _traits(self) -> dict[str, object]:
        rng = np.random.default_rng(self.seed)
        dark = rng.random() < 0.3
        opened = _shade(rng, 20, 70) if dark else _shade(rng, 190, 256)
        covered_kind = str(
            rng.choice(["bevel", "flat", "gradient", "hatch"], p=[0.4, 0.3, 0.2, 0.1])
        )
        covered = opened if covered_kind == "bevel" and rng.random() < 0.5 else _other(rng, opened)
        usual = bool(rng.random() < 0.5) and not dark
        ink = _other(rng, opened, 110)
        hints = [_other(rng, opened, 90) for _ in range(8)]
        if rng.random() < 0.2:
            hints = [ink] * 8
        return {
            "covered_kind": covered_kind,
            "covered": covered,
            "opened": opened,
            "line": _other(rng, opened, 25),
            "lined": bool(rng.random() < 0.7),
            "gap": bool(rng.random() < 0.4),
            "checkered": bool(rng.random() < 0.2),
            "hints": list(_USUAL) if usual and min(opened) > 170 else hints,
            "face": int(rng.choice(_FACES)),
            "size": float(rng.uniform(0.42, 0.72)),
            "weight": float(rng.uniform(0.05, 0.14)),
            "flag": int(rng.integers(3)),
            "flag_ground": bool(rng.random() < 0.2),
            "pennant": _other(rng, covered, 90),
            "pole": _other(rng, covered, 90),
            "mine": int(rng.integers(3)),
            "mine_ground": int(rng.integers(3)),
            "mine_colour": _other(rng, opened, 120),
            "exploded": (40, 40, 230) if rng.random() < 0.7 else _other(rng, opened, 90),
            "at_win": str(rng.choice(["flags", "mines", "nothing"], p=[0.5, 0.2, 0.3])),
            "hit_only": bool(rng.random() < 0.2),
        }

    def tile(self, code: int, row: int, col: int, side: int) -> Image:
        """Return a tile, `side` pixels wide and high."""
        look = self._traits
        size = side * _FINE
        image = np.zeros((size, size, 3), np.uint8)
        self._ground(image, code, row, col)
        if 1 <= code <= 8:
            self._write(image, str(code), look["hints"][code - 1])
        elif code == QUESTION:
            self._write(image, "?", look["pole"])
        elif code == FLAG:
            self._flag(image)
        elif code in (MINE, EXPLODED, MISFLAG):
            self._mine(image)
        if code == MISFLAG:
            low, high = size // 5, size - size // 5
            for ends in (((low, low), (high, high)), ((low, high), (high, low))):
                cv2.line(image, *ends, (30, 30, 220), max(size // 12, 1), cv2.LINE_AA)
        return np.asarray(cv2.resize(image, (side, side), interpolation=cv2.INTER_AREA), np.uint8)

    def _ground(self, image: Image, code: int, row: int, col: int) -> None:
        look = self._traits
        size = len(image)
        raised = code in (COVERED, FLAG, QUESTION)
        ground = look["covered"] if raised else look["opened"]
        if code == EXPLODED:
            ground = look["exploded"]
        elif code == FLAG and look["flag_ground"] and look["covered_kind"] != "bevel":
            ground = look["line"]
        elif code == MINE and look["mine_ground"] == 2:
            ground = look["covered"]
        if look["checkered"] and (row + col) % 2:
            ground = tuple(max(value - 9, 0) for value in ground)
        image[:] = ground
        kind = look["covered_kind"] if raised else "opened"
        thick = max(size // 16 // _FINE, 1) * _FINE
        if kind == "bevel":
            thick *= 2 if size > 14 * _FINE else 1
            light, dark = _lighter(ground, 60), _lighter(ground, -70)
            image[-thick:], image[:, -thick:] = dark, dark
            image[:thick], image[:, :thick] = light, light
        elif kind == "gradient":
            slope = np.linspace(18, -18, size)[:, None, None]
            image[:] = (image + slope).clip(0, 255).astype(np.uint8)
        elif kind == "hatch":
            yy, xx = np.mgrid[:size, :size] // _FINE
            image[(yy + xx) % 2 == 0] = _lighter(ground, 80 if max(ground) < 150 else -80)
        if kind == "opened" and look["lined"]:
            image[:thick], image[:, :thick] = look["line"], look["line"]
        elif kind != "bevel" and look["gap"]:
            image[-thick:], image[:, -thick:] = look["line"], look["line"]

    def _write(self, image: Image, text: str, colour: Colour) -> None:
        look = self._traits
        size = len(image)
        thick = max(round(look["weight"] * size), _FINE)
        (_, high), _ = cv2.getTextSize("8", look["face"], 10, 1)
        scale = 10 * look["size"] * size / high
        (width, height), _ = cv2.getTextSize(text, look["face"], scale, thick)
        at = (size - width) // 2, (size + height) // 2
        cv2.putText(image, text, at, look["face"], scale, colour, thick, cv2.LINE_AA)

    def _flag(self, image: Image) -> None:
        look = self._traits
        unit = len(image) / 16

        def corner(x: float, y: float) -> list[int]:
            return [round(x * unit), round(y * unit)]

        pole = round(8.5 * unit) if look["flag"] != 1 else round(5 * unit)
        width = max(round(unit), 1)
        image[round(3 * unit) : round(13 * unit), pole : pole + width] = look["pole"]
        if look["flag"] == 0:
            shape = [corner(8.5, 3), corner(3.5, 5.5), corner(8.5, 8)]
            image[round(12 * unit) : round(13.5 * unit), corner(5, 0)[0] : corner(12, 0)[0]] = look[
                "pole"
            ]
        elif look["flag"] == 1:
            shape = [corner(6, 3), corner(12, 3), corner(12, 8), corner(6, 8)]
        else:
            shape = [corner(9, 3), corner(14, 5.5), corner(9, 8)]
        cv2.fillPoly(image, [np.array(shape)], look["pennant"], cv2.LINE_AA)

    def _mine(self, image: Image) -> None:
        look = self._traits
        size = len(image)
        middle = size // 2, size // 2
        colour = look["mine_colour"]
        if look["mine"] != 1:
            for angle in np.arange(4 if look["mine"] else 2) * np.pi / (4 if look["mine"] else 2):
                step = np.array([np.cos(angle), np.sin(angle)]) * 0.36 * size
                ends = [
                    tuple((np.array(middle) + sign * step).round().astype(int).tolist())
                    for sign in (-1, 1)
                ]
                cv2.line(image, ends[0], ends[1], colour, max(size // 14, 1), cv2.LINE_AA)
        cv2.circle(image, middle, round(0.25 * size), colour, -1, cv2.LINE_AA)
        if look["mine"] == 1:
            top = round(0.66 * size), round(0.2 * size)
            cv2.line(image, middle, top, colour, max(size // 14, 1), cv2.LINE_AA)
        else:
            shine = round(0.42 * size), round(0.42 * size)
            cv2.circle(image, shine, max(size // 16, 1), _lighter(colour, 120), -1, cv2.LINE_AA)

    def tiles(self, board: Board, side: float) -> Image:
        """Return the board's tile pictures as they are cut: (rows * cols, h, w, 3).

        With a fractional pitch some cells are a pixel larger, and are cropped.
        """
        cut = max(round(side), 1)
        pictures = np.empty((board.tiles.size, cut, cut, 3), np.uint8)
        made: dict[tuple[int, int, int, int], Image] = {}
        for at, cell in enumerate(board.cells()):
            edges = [round(side * (place + 1)) - round(side * place) for place in cell]
            odd = (cell.row + cell.col) % 2
            key = board[cell], odd, edges[0], edges[1]
            if key not in made:
                tile = self.tile(board[cell], 0, odd, max(edges))
                made[key] = np.pad(tile, ((0, 1), (0, 1), (0, 0)), mode="edge")[:cut, :cut]
            pictures[at] = made[key]
        return pictures

    def picture(self, board: Board, side: float) -> Image:
        """Return the picture of a board; with a fractional pitch some cells are a pixel larger."""
        xs, ys = (np.rint(np.arange(n + 1) * side).astype(int) for n in (board.cols, board.rows))
        image = np.zeros((int(ys[-1]), int(xs[-1]), 3), np.uint8)
        for row, col in board.cells():
            view = image[ys[row] : ys[row + 1], xs[col] : xs[col + 1]]
            tile = self.tile(board[row, col], row, col, max(view.shape[:2]))
            view[:] = tile[: view.shape[0], : view.shape[1]]
        return image

    def boards(self, game: Game, rng: np.random.Generator) -> Iterator[Board]:
        """Yield a game's boards as this program shows them."""
        look = self._traits
        for board in played(game, rng):
            tiles = board.tiles.copy()
            if game.status.over and board == game.board:
                lost = bool((tiles == EXPLODED).any())
                if lost and look["hit_only"]:
                    tiles[tiles == MINE] = COVERED
                    tiles[tiles == MISFLAG] = FLAG
                elif not lost and look["at_win"] == "mines":
                    tiles[tiles == FLAG] = MINE
                elif not lost and look["at_win"] == "nothing":
                    tiles[tiles == FLAG] = COVERED
            yield Board(tiles, board.mines)


def played(game: Game, rng: np.random.Generator) -> Iterator[Board]:
    """Yield a game opened a few cells at a time, with flags now and then, up to a win or a loss."""
    yield game.board
    game.open((int(rng.integers(game.rows)), int(rng.integers(game.cols))))
    yield game.board
    careless = rng.random() < 0.5
    flagging = rng.random() < 0.5
    while not game.status.over:
        layout = game.layout
        assert layout is not None
        for _ in range(int(rng.integers(1, 8))):
            covered = np.argwhere((game.board.tiles == COVERED) & ~layout)
            if not len(covered) or game.status.over:
                _take_back_flags(game, layout)
                break
            game.open(tuple(covered[rng.integers(len(covered))].tolist()))
        if flagging and not game.status.over:
            # Players do not flag without a hint that implies a mine.
            reported = cv2.dilate((game.board.tiles > 0).astype(np.uint8), np.ones((3, 3))) > 0
            closed = np.argwhere((game.board.tiles == COVERED) & layout & reported)
            for cell in closed[rng.random(len(closed)) < 0.1]:
                game.flag(tuple(cell.tolist()))
                if game.question_marks and rng.random() < 0.2:
                    game.flag(tuple(cell.tolist()))
            if rng.random() < 0.1:
                # Not beside a zero, which would open the cells around it.
                apart = cv2.dilate((hints_of(layout) == 0).astype(np.uint8), np.ones((3, 3))) == 0
                covered = np.argwhere((game.board.tiles == COVERED) & ~layout & apart)
                if len(covered):
                    game.flag(tuple(covered[rng.integers(len(covered))].tolist()))
        if careless and rng.random() < 0.1:
            mines = np.argwhere((game.board.tiles == COVERED) & layout)
            if len(mines):
                game.open(tuple(mines[rng.integers(len(mines))].tolist()))
        yield game.board


def _take_back_flags(game: Game, layout: NDArray[np.bool_]) -> None:
    """Unflag the cells without a mine, so that the game can end."""
    for cell in np.argwhere(np.isin(game.board.tiles, (FLAG, QUESTION)) & ~layout):
        while game.board[tuple(cell.tolist())] in (FLAG, QUESTION) and not game.status.over:
            game.flag(tuple(cell.tolist()))


def new_game(rng: np.random.Generator) -> Game:
    """Return a game of one of the usual sizes."""
    rows, cols, mines = ((9, 9, 10), (16, 16, 40), (16, 30, 99), (12, 12, 20))[rng.integers(4)]
    return Game(
        rows, cols, mines, int(rng.integers(1 << 30)), FirstClick.ZERO,
        question_marks=bool(rng.random() < 0.4),
    )  # fmt: skip


def _shade(rng: np.random.Generator, low: int, high: int) -> Colour:
    base = int(rng.integers(low, high))
    tint = rng.integers(-18, 19, 3)
    return tuple((base + tint).clip(0, 255).tolist())


def _other(rng: np.random.Generator, colour: Colour, least: int = 30) -> Colour:
    while True:
        other = tuple(rng.integers(0, 256, 3).tolist())
        if (
            np.abs(np.subtract(other, colour)).max() >= least
            and abs(sum(other) - sum(colour)) >= least
        ):
            return other


def _lighter(colour: Colour, by: int) -> Colour:
    return tuple(np.add(colour, by).clip(0, 255).tolist())
