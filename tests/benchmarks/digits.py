"""Evaluate the generic digit reader on real programs, none of which it was trained on.

    python -m tests.benchmarks.digits

One row per skin: its hint pictures, then its other pictures (which are no digits), each at its own
size and scaled. 'Sure' means a confidence of at least `numbers.CERTAIN`. Then the counters of
the tests' pictures, each alone ('not told' is mostly for two plain numbers that only the game or
time can assign), and those of recorded games, followed from their first reading and assigned by the
game as in the reader.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray
from rich.table import Table

from bot.board import FLAG, MISFLAG
from bot.frame import Frame, Grid
from tests.support.boards import SESSIONS
from tests.tools.report.console import Console
from tests.vision.counters.test_counters import ALL, COUNTED, TOTALS
from vision.counters import CounterWatch, find_counters
from vision.counters.mines import decided
from vision.counters.numbers import CERTAIN
from vision.digits import read_tiles
from vision.sessions import load_session
from vision.skins import Skin, SkinLibrary

Spoil = Callable[[NDArray[np.uint8], np.random.Generator], NDArray[np.uint8]]

SCALES = (0.8, 1.0, 1.25, 1.5, 2.0)


def pictures(skin: Skin, scale: float, digit: bool) -> list[tuple[NDArray[np.uint8], int]]:
    """Return (picture, 1..8 or -1) for a skin's hints, or for all its other states."""
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    size = (round(skin.tile[0] * scale), round(skin.tile[1] * scale))
    return [
        (np.asarray(cv2.resize(picture, size, interpolation=how), np.uint8), code if digit else -1)
        for code, looks in skin.pictures.items()
        if (1 <= code <= 8) == digit
        for picture in looks
    ]


def counted(skin: Skin, scale: float) -> tuple[NDArray[np.intp], str]:
    """Return [digits, right, sure, sure and wrong, others, others called digits], and these."""
    counts = np.zeros(6, np.intp)
    missed = []
    for digit in (True, False):
        tiles, truth = zip(*pictures(skin, scale, digit), strict=True)
        read = read_tiles(np.stack(tiles))
        sure = (read.digit >= 0) & (read.confidence >= CERTAIN)
        right = read.digit == np.array(truth)
        if digit:
            counts[:4] = len(tiles), right.sum(), sure.sum(), (sure & ~right).sum()
            missed = [
                f"{want}:{got}/{share:.2f}"
                for want, got, share in zip(truth, read.digit, read.confidence, strict=True)
                if got != want or share < CERTAIN
            ]
        else:
            counts[4:] = len(tiles), sure.sum()
    return counts, " ".join(missed)


def bench(console: Console, skins: tuple[Skin, ...]) -> None:
    """Print both tables."""
    table = Table(
        "skin",
        "scale",
        "digits",
        "right",
        "sure",
        "sure and wrong",
        "others",
        "wrong",
        "not sure: truth:read/confidence",
        title="digits of skins never seen",
    )
    for skin in skins:
        for scale in SCALES:
            counts, missed = counted(skin, scale)
            table.add_row(skin.name, f"{scale}", *(str(count) for count in counts), missed[:90])
    console.print(table)
    tiles = np.stack([skins[0].pictures[code][0] for code in range(1, 9)] * 60)
    start = time.perf_counter()
    read_tiles(tiles)
    console.print(
        f"480 tiles of {tiles.shape[1]} px: {1000 * (time.perf_counter() - start):.1f} ms"
    )


def bench_counters(console: Console) -> None:
    """Measure the counters of real programs' windows, each alone, unchanged and degraded."""
    rng = np.random.default_rng(7)
    table = Table("spoilt by", "told", "not told", "wrong", "ms a board", title="counters")
    for name, spoil in SPOILT.items():
        counts, spent = np.zeros(3, np.intp), 0.0
        for look in (look for series in ALL.values() for look in series):
            image = spoil(look.frame.image, rng)
            frame, grid = placed(image, look.frame, look.grid)
            start = time.perf_counter()
            told = find_counters(frame, grid)
            spent += time.perf_counter() - start
            for said, true in (
                (told.mines_left, look.left),
                (told.seconds, look.seconds),
                (told.mines_total, TOTALS[look.program]),
            ):
                counts[1 if said is None else 0 if said == true else 2] += 1
        looks = counts.sum() / 3
        table.add_row(name, *(str(count) for count in counts), f"{1000 * spent / looks:.0f}")
    console.print(table)


def bench_recorded(console: Console) -> None:
    """Measure the mine counter of recorded games over all readings: right/unread/wrong."""
    names = list(SPOILT)
    table = Table("session", *names, title="mine counters of recorded games")
    for name in COUNTED:
        turns = list(load_session(SESSIONS / name).turns())
        cells = []
        for spoil in SPOILT.values():
            rng, watch, counts = np.random.default_rng(7), CounterWatch(), [0, 0, 0]
            for turn in turns:
                seen = turn.reading
                flags = int(np.isin(seen.board.tiles, (FLAG, MISFLAG)).sum())
                image = spoil(seen.frame.image, rng)
                frame, grid = placed(image, seen.frame, seen.grid)
                told = watch.see(frame, grid)
                left = decided(told, seen.board.tiles, seen.board.mines).mines_left
                right = left == seen.board.mines - flags
                counts[1 if left is None else 0 if right else 2] += 1
            cells.append("/".join(map(str, counts)))
        table.add_row(name, *cells)
    console.print(table)


def placed(image: NDArray[np.uint8], before: Frame, grid: Grid) -> tuple[Frame, Grid]:
    """Return a scaled picture, with one pixel per point, and its board."""
    scale = image.shape[1] / before.image.shape[1]
    left, top = grid.left - before.region.left, grid.top - before.region.top
    pitches = (scale * grid.pitch_x, scale * grid.pitch_y)
    frame = replace(Frame.of_image(image), time=before.time)
    return frame, Grid(scale * left, scale * top, *pitches, grid.rows, grid.cols)


def _resized(factor: float) -> Spoil:
    how = cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR
    return lambda image, _: np.asarray(
        cv2.resize(image, None, fx=factor, fy=factor, interpolation=how), np.uint8
    )


def _noisy(image: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    return np.clip(image + rng.normal(0, 4, image.shape), 0, 255).astype(np.uint8)


def _compressed(image: NDArray[np.uint8], _: np.random.Generator) -> NDArray[np.uint8]:
    coded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 75])[1]
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)


def _curved(image: NDArray[np.uint8], gamma: float) -> NDArray[np.uint8]:
    levels = 255 * (np.arange(256) / 255) ** gamma
    return np.asarray(cv2.LUT(image, levels.round().astype(np.uint8)), np.uint8)


SPOILT: Final[dict[str, Spoil]] = {
    "nothing": lambda image, _: image,
    "noise, sigma 4": _noisy,
    "JPEG, quality 75": _compressed,
    "gamma 0.8": lambda image, _: _curved(image, 0.8),
    "gamma 1.25": lambda image, _: _curved(image, 1.25),
    "dim, 0.4": lambda image, _: np.asarray(cv2.convertScaleAbs(image, alpha=0.4), np.uint8),
    **{f"scale {factor}": _resized(factor) for factor in (0.8, 1.25, 1.5, 1.75, 2.5)},
}


def main() -> None:
    """Measure on the bundled skins and on the pictures of the tests."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    cv2.setNumThreads(1)
    console = Console(width=180)
    bench(console, SkinLibrary().skins())
    bench_counters(console)
    bench_recorded(console)


if __name__ == "__main__":
    main()
