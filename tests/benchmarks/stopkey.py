"""Measure the delay of the stop key, with another window focused, and of the user's mouse.

    python -m tests.benchmarks.stopkey

The real player plays the real simulated window on a private screen; another program's window has
the focus, the game's as soon as it is clicked on; the key is pressed by XTEST, at a random time of
the stage that is meant: while a solver runs (on a board of 100x100), during clicks, while the
player waits for the pace. The results are the milliseconds from the key to the last event sent
after it (0 if there was none), and to the end of the player's thread. The same for the mouse: from
the first of four motions of another device to the last event, and to the pause.
"""

from __future__ import annotations

import argparse
import threading
import time
from collections.abc import Callable
from functools import partial
from itertools import product
from random import Random
from statistics import median, quantiles
from typing import NoReturn

import numpy as np
from rich.table import Table

from bot.board import Board
from bot.frame import Point
from bot.loop import Turn
from gui.private_screen import PrivateScreen
from gui.runner import runner
from gui.runner.backend import Desktop
from gui.runner.player import Player
from gui.runner.protocol import Begin, State, Status
from gui.settings import Choices, Settings
from tests.benchmarks.stopping import scattered
from tests.support.xclient import Keyboard, Mice, PictureWindow
from tests.tools.report.console import Console
from vision.desktop import desktop
from vision.desktop.x11_desktop import X11Pointer
from vision.desktop.x11_input import X11GlobalKey
from vision.skins import Skin

WHAT = {"the stop key": "the thread's end", "the mouse": "the pause"}
"""The input, and its effect."""
STAGES = ("thinking", "clicking", "waiting")


_AFTERWARDS = 0.15
"""Seconds in which an event would be too late."""


class Watched(X11Pointer):
    """The real mouse, which records the time of its last use."""

    last = 0.0
    clicks = threading.Event()

    def click(self, point: Point, button: str, hold: Callable[[], object] | None) -> None:
        """Press and release a button."""
        super().click(point, button, hold)
        Watched.last = time.perf_counter()
        Watched.clicks.set()

    def move(self, point: Point) -> Point:
        """Move the pointer to a point."""
        before = super().move(point)
        Watched.last = time.perf_counter()
        return before


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stops", type=int, default=100, help="of each kind")
    options = parser.parse_args()
    table = Table(title=f"ms, {options.stops} of each kind")
    for heading in ("what", "while", "until", "median", "p99", "worst"):
        table.add_column(heading, justify="right")
    with PrivateScreen(1280, 800) as screen:
        screen.adopt()
        backend = Desktop(Watched)
        window = backend.simulators.start("--level", "expert")
        try:
            with PictureWindow(np.full((60, 80, 3), 90, np.uint8), (1100, 650), "other") as other:
                for what, stage in product(WHAT, STAGES):
                    _measure(table, backend, window, other, what, stage, options.stops)
        finally:
            backend.simulators.close()
    Console().print(table)


def _measure(
    table: Table,
    backend: Desktop,
    window: int,
    other: PictureWindow,
    what: str,
    stage: str,
    times: int,
) -> None:
    random = Random(1)
    events, ends = [], []
    with Keyboard() as keyboard, Mice() as mice:
        act = partial(keyboard.press, "F8")
        if what == "the mouse":
            act = partial(mice.push, 2, 1, 4)
        for _ in range(times):
            event, end = _interrupted(backend, window, other, stage, random, act)
            events.append(1000 * max(event, 0.0))
            ends.append(1000 * end)
    for until, values in (("the last event", events), (WHAT[what], ends)):
        p99 = quantiles(values, n=100, method="inclusive")[-1]
        figures = (f"{value:.1f}" for value in (median(values), p99, max(values)))
        table.add_row(what, stage, until, *figures)


def _interrupted(
    backend: Desktop,
    window: int,
    other: PictureWindow,
    stage: str,
    random: Random,
    act: Callable[[], None],
) -> tuple[float, float]:
    """Return the seconds from the input to the last event, and to the effect."""
    settings = Settings(
        games=None, record=False, think=60, pace=0.2 if stage == "waiting" else None
    )
    reached, done = threading.Event(), threading.Event()

    def put(event: object) -> None:
        if isinstance(event, Turn):
            reached.set()
        elif isinstance(event, Status) and event.state is State.PAUSED:
            done.set()

    player = Player(backend, Begin(window, settings), put)
    thread = threading.Thread(target=lambda: (player.run(), done.set()))
    key = X11GlobalKey("stop key", player.stop)
    key.hold("F8").result()
    thinking = runner.thinking
    if stage == "thinking":
        runner.thinking = _of_a_large_board(random, reached)
    Watched.clicks.clear()
    thread.start()
    try:
        desktop().activate(next(one for one in desktop().list_windows() if one.id == other.id))
        (Watched.clicks if stage == "clicking" else reached).wait(30)
        threading.Event().wait(random.uniform(0, 0.4))
        begin = time.perf_counter()
        act()
        assert done.wait(30), f"nothing came of it while {stage}"
        end = time.perf_counter()
        threading.Event().wait(_AFTERWARDS)
        player.stop()
        thread.join()
    finally:
        runner.thinking = thinking
        key.close()
        key.join()
    return Watched.last - begin, end - begin


def _of_a_large_board(random: Random, reached: threading.Event) -> Callable[..., object]:
    """Replace the board by one that takes a minute to analyse."""
    board = scattered(100, 0.3, random.randrange(1000))

    def thinking(choices: Choices, skin: Skin, stop: threading.Event) -> object:
        from gui.runner.decisions import thinking as real  # noqa: PLC0415 - the one that is replaced

        think = real(choices, skin, stop)

        def about_another(_seen: Board) -> NoReturn:
            reached.set()
            # Until it is stopped: some boards are analysed before the key is pressed.
            while True:
                think(board)

        return about_another

    return thinking


if __name__ == "__main__":
    main()
