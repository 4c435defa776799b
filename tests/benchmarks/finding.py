"""Measure the time to find a board on a whole screen, compared with pyautogui.

    python -m tests.benchmarks.finding

For each size of screen a private X screen shows desktops full of other windows, each with a real
program's board somewhere. In one run and alternately: this program's search (a capture of the whole
screen and a survey with every bundled skin), and `pyautogui.locateAllOnScreen` for one tile, which
finds the positions of such tiles, but neither the extent of the board nor the other tiles.

By default on a desktop with X11 pyautogui runs `scrot`, which writes a PNG file, reads that, and
calls OpenCV's matchTemplate.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from typing import Any

import numpy as np
from rich.table import Table

from gui.private_screen import PrivateScreen
from tests.tools.report.console import Console
from tests.vision.scenes import REAL, Image, desktop, put, real
from vision.desktop import desktop as this_desktop
from vision.finder import survey
from vision.skins import BUNDLED, Skin, SkinLibrary

SCREENS = {(1280, 800): 25.0, (1920, 1080): 60.0, (3840, 2160): 200.0}
"""Time limit of a search in milliseconds, by size of the screen."""
SEEDS = range(700, 704)
ROUNDS = 5
"""Searches per seed's screen; pyautogui is measured in the first two of them."""
THEIR_ROUNDS = 2


def screen_with_a_board(seed: int, width: int, height: int) -> tuple[Image, str]:
    """Return a desktop with a program's window in mid-game, and the program's name."""
    rng = np.random.default_rng(seed)
    image = desktop(rng, width, height)
    name = [*REAL][seed % len(REAL)]
    window = real(name)[0]
    left = int(rng.integers(width - window.shape[1]))
    put(image, window, left, int(rng.integers(height - window.shape[0])))
    return image, name


def milliseconds(way: Callable[[], object]) -> float:
    """Return the duration of one call in milliseconds."""
    start = time.perf_counter()
    way()
    return 1000 * (time.perf_counter() - start)


def locate(pyautogui: Any, pyscreeze: Any, tile: str) -> int:
    """Return the number of matches of pyautogui; it raises without one, after the same work."""
    try:
        return len(list(pyautogui.locateAllOnScreen(tile)))
    except pyscreeze.ImageNotFoundException:
        return 0


def bench(console: Console, skins: tuple[Skin, ...]) -> None:
    """Print the table of all sizes of screen.

    Args:
        console: Receives the output.
        skins: The caller's skins; the bundled ones are searched for.
    """
    table = Table(
        "screen", "find, ms", "worst seed", "wanted", "capture", "locateAllOnScreen", "times faster"
    )
    table.add_column("right rows and columns")
    table.title = f"Find one of {len(skins)} skins on a whole screen"
    for (width, height), wanted in SCREENS.items():
        command = [sys.executable, "-m", "tests.benchmarks.finding", str(width), str(height)]
        # As in `gui`; here numpy has been imported earlier.
        threads = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
        done = subprocess.run(command, stdout=subprocess.PIPE, check=True, env=threads)
        seen: dict[str, Any] = json.loads(done.stdout)
        ours = statistics.median(seen["find"])
        theirs = statistics.median(seen["scrot"] or [0.0])
        scrot = (f"{theirs:.0f}", f"{theirs / ours:.1f}") if theirs else ("no scrot", "")
        table.add_row(
            f"{width}x{height}",
            f"{ours:.1f}",
            f"{max(seen['find']):.1f}",
            f"{wanted:.0f}",
            f"{statistics.median(seen['capture']):.1f}",
            *scrot,
            f"{seen['right']} of {len(SEEDS)}",
        )
    console.print(table)
    console.print(
        f"Medians over {len(SEEDS)} screens, {ROUNDS} rounds each ({THEIR_ROUNDS} of theirs). The "
        "find includes the capture, as locateAllOnScreen does."
    )


def measure(width: int, height: int) -> dict[str, Any]:
    """Return the median milliseconds of each seed's screen, and how often the board was right.

    In a separate process: pyautogui keeps the display that it found at its import.
    """
    with PrivateScreen(width, height) as private:
        private.adopt()
        # These open the display at import.
        import pyautogui  # noqa: PLC0415
        import pyscreeze  # noqa: PLC0415

        from tests.support.xclient import PictureWindow  # noqa: PLC0415

        # With gnome-screenshot installed it does not run scrot, but takes the screenshot in memory.
        pyscreeze.GNOMESCREENSHOT_EXISTS = False
        skins = SkinLibrary().skins()
        image, _ = screen_with_a_board(SEEDS[0], width, height)
        seen: dict[str, Any] = {"find": [], "capture": [], "scrot": [], "right": 0}
        with ExitStack() as stack:
            screen = stack.enter_context(this_desktop().open_screen())
            # Two halves: Xlib's requests are too short for a stripe of a 4K screen.
            halves = [slice(width // 2), slice(width // 2, width)]
            shown = [
                stack.enter_context(PictureWindow(image[:, half], (half.start or 0, 0), popup=True))
                for half in halves
            ]
            survey(screen.grab(), skins)  # At the first search, skins are scaled to sizes.
            for seed in SEEDS:
                image, name = screen_with_a_board(seed, width, height)
                for window, half in zip(shown, halves, strict=True):
                    window.show(image[:, half])
                tile = str(BUNDLED / name / "covered.png")
                times: dict[str, list[float]] = {"find": [], "capture": [], "scrot": []}
                for round_ in range(ROUNDS):
                    times["find"].append(milliseconds(lambda: survey(screen.grab(), skins)))
                    times["capture"].append(milliseconds(screen.grab))
                    if pyscreeze.SCROT_EXISTS and round_ < THEIR_ROUNDS:
                        theirs = partial(locate, pyautogui, pyscreeze, tile)
                        times["scrot"].append(milliseconds(theirs))
                frame = screen.grab()
                assert np.array_equal(frame.image, image), "the screen shows something else"
                seen["right"] += _right(survey(frame, skins)[0], name)
                for key, some in times.items():
                    seen[key] += [statistics.median(some)] if some else []
    return seen


def _right(sightings: list[Any], name: str) -> bool:
    """Return whether only the program's board was found, with its size."""
    board = real(name)[1]
    sizes = [(one.skin.name, one.grid.rows, one.grid.cols) for one in sightings]
    return sizes == [(name, board.rows, board.cols)]


def main() -> None:
    """Print the table, or measure one size of screen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("size", nargs="*", type=int, help="width and height of one screen")
    size = parser.parse_args().size
    if size:
        sys.stdout.write(json.dumps(measure(*size)))
    else:
        bench(Console(), SkinLibrary().skins())


if __name__ == "__main__":
    main()
