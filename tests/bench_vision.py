"""What the eye costs: finding boards on whole screens, reading 480 tiles.

    python -m tests.bench_vision

Everything is measured in one run, in turns, because absolute times on a shared machine
drift by a factor of two; the ratios to the plain ways of doing it are what counts.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
from rich.console import Console
from rich.table import Table

from bot.board import UNREAD
from bot.frame import Frame, Region
from tests.vision.scenes import Image, desktop, put, real
from vision.finder import find_boards
from vision.matcher import Matcher
from vision.skins import Skin, load_skins
from vision.tracking import Tracker

SCREENS = ((1280, 800), (1920, 1080), (3840, 2160))
ROUNDS = 15


def screen_with_a_board(width: int, height: int) -> Image:
    """WineMine's expert window on a desktop full of other things."""
    image = desktop(np.random.default_rng(0), width, height)
    window, _ = real("winemine")
    put(image, window, width // 3, height // 3)
    return image


def locate_all(image: Image, tile: Image) -> int:
    """What `pyautogui.locateAllOnScreen` does with OpenCV: grey, one template, 0.999."""
    screen, needle = (cv2.cvtColor(one, cv2.COLOR_BGR2GRAY) for one in (image, tile))
    found = cv2.matchTemplate(screen, needle, cv2.TM_CCOEFF_NORMED)
    return len(np.argwhere(found > 0.999))


def milliseconds(*ways: Callable[[], object], rounds: int = ROUNDS) -> list[float]:
    """Median time of each way, all of them in turns."""
    times: list[list[float]] = [[] for _ in ways]
    for _ in range(rounds):
        for way, spent in zip(ways, times, strict=True):
            start = time.perf_counter()
            way()
            spent.append(1000 * (time.perf_counter() - start))
    return [statistics.median(spent) for spent in times]


def bench_finding(console: Console, skins: tuple[Skin, ...]) -> None:
    """Find the board on whole screens."""
    table = Table("screen", "find, ms", "locateAll of one tile, ms", "times faster", "found")
    tile = next(skin for skin in skins if skin.name == "winemine").pictures[0][0]
    for width, height in SCREENS:
        image = screen_with_a_board(width, height)
        frame = Frame.of_image(image)
        seen = find_boards(frame, skins)
        ours, theirs = milliseconds(
            lambda frame=frame: find_boards(frame, skins),
            lambda image=image: locate_all(image, tile),
        )
        found = ", ".join(f"{s.skin.name} {s.grid.rows}x{s.grid.cols}" for s in seen)
        table.add_row(
            f"{width}x{height}", f"{ours:.1f}", f"{theirs:.1f}", f"{theirs / ours:.1f}", found
        )
    console.print(table)


def bench_reading(console: Console, skins: tuple[Skin, ...]) -> None:
    """Read the 480 tiles of a board that was found."""
    image, board = real("winemine")
    (seen,) = find_boards(Frame.of_image(image), skins)
    grid, skin = seen.grid, seen.skin
    area = grid.region
    view = Region(area.left - 4, area.top - 4, area.width + 8, area.height + 8)
    crop = np.ascontiguousarray(image[view.top : view.bottom, view.left : view.right])
    opened = crop.copy()
    zero = skin.pictures[0][0]
    for row, col in ((1, 1), (1, 2), (2, 1), (8, 20), (8, 21)):
        put(opened, zero, 4 + 16 * col, 4 + 16 * row)
    frames = [Frame(crop, view), Frame(crop.copy(), view), Frame(opened, view)]
    tracker = Tracker(grid, skin, Matcher(skin))

    def cold() -> None:
        Tracker(grid, skin, Matcher(skin)).see(frames[0])

    def same() -> None:
        frames[0], frames[1] = frames[1], frames[0]
        tracker.see(frames[0])

    def turn() -> None:
        tracker.see(frames[2])
        tracker.see(frames[0])

    def whole_board() -> None:
        for looks in skin.pictures.values():
            for look in looks:
                cv2.matchTemplate(crop, look, cv2.TM_SQDIFF_NORMED)

    cold()
    tracker.see(frames[0])
    times = milliseconds(cold, same, turn, whole_board)
    read = replace(seen, tiles=tracker.codes).tiles
    wrong = int(((read != board.tiles) & (read != UNREAD)).sum())
    table = Table("480 tiles of 16 px", "ms")
    names = ("from cold", "nothing changed", "a turn of five changed cells")
    values = (times[0], times[1], times[2] / 2)
    for name, value in zip(names, values, strict=True):
        table.add_row(name, f"{value:.3f}")
    table.add_row("matchTemplate with every picture", f"{times[3]:.1f}")
    table.add_row("times faster than that, from cold", f"{times[3] / times[0]:.1f}")
    table.add_row("wrong / unread", f"{wrong} / {int((read == UNREAD).sum())}")
    console.print(table)


def main() -> None:
    """Print both tables."""
    console = Console()
    skins = load_skins()
    bench_finding(console, skins)
    bench_reading(console, skins)


if __name__ == "__main__":
    main()
