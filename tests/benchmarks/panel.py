"""Measure the cost of the panel: `python -m tests.benchmarks.panel [start|pairs|main|memory]`.

start   from the command to the window on the screen, and what was imported by then
pairs   Expert games with the panel showing beside the same games without it, by turns
main    the main thread during 20 Expert games: handlers, and gaps between two of its ticks
memory  resident memory from game 20 to game 200

On a private screen where there is no display. The games are those of a simulated window with a
fixed seed.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from multiprocessing import get_context
from typing import Final

import numpy as np
import psutil
from PyQt6.QtCore import QEvent, QObject, Qt, QTimer
from PyQt6.QtWidgets import QApplication

from bot.frame import Status
from bot.loop import Turn
from bot.solver.warmup import PREPARATION
from gui.panel import Panel
from gui.private_screen import PrivateScreen
from gui.runner.backend import Desktop
from gui.runner.client import DesktopPlayer
from gui.settings import Settings
from tests.support.operators import Unattended
from tests.tools.report.console import Console
from vision.desktop import Screen, desktop
from vision.desktop.x11_connection import authority
from vision.files import PROGRAM

out = Console(highlight=False, soft_wrap=True)

PAIRS: Final = 20
GAMES: Final = 10
"""Games of each half of a pair."""
SEED: Final = 77_000
_KEPT: Final = ("bot.solver.kernel", "bot.solver.guess.deciding", "numba", "pyqtgraph")
"""Modules that must not be loaded when the window opens."""


@contextmanager
def expert(seed: int) -> Iterator[tuple[Desktop, int]]:
    """Return a desktop with a simulated Expert window with the same games for the same seed."""
    desktop = Desktop()
    try:
        window = desktop.simulators.start("--level", "expert", "--seed", str(seed))
        yield desktop, window
    finally:
        desktop.simulators.close()


def settings(games: int | None) -> Settings:
    """Return the settings of all runs: no recording, no speed limit."""
    return Settings(games=games, record=False, theme="light")


def play_alone(seed: int, games: int) -> float:
    """Return the seconds of some games without a panel, from the first to the last reading."""
    PREPARATION.wait()
    with expert(seed) as (desktop, window):
        turns = desktop.play(window, lambda: settings(games), Unattended())
        with closing(turns):  # type: ignore[type-var]  # a generator
            looks = [turn.reading.frame.time for turn in turns]
    return looks[-1] - looks[0]


class Watched(QApplication):
    """Records the main thread's processor time of every handler."""

    def __init__(self, arguments: list[str]) -> None:
        super().__init__(arguments)
        self.handlers: list[tuple[float, str]] | None = None
        self._depth = 0

    def notify(self, receiver: QObject | None, event: QEvent | None) -> bool:
        """Deliver an event; time the outermost one."""
        if self.handlers is None or self._depth:
            return super().notify(receiver, event)
        self._depth += 1
        begin = time.thread_time()
        try:
            return super().notify(receiver, event)
        finally:
            self._depth -= 1
            what = f"{type(receiver).__name__} {event.type().name if event else ''}"
            self.handlers.append((time.thread_time() - begin, what))


class Shown:
    """A panel that plays a board for the requested number of games.

    Args:
        app: Runs the events.
        player: The process that plays.
        window: The id of the board's window.
        games: The number of games, if the run is to end by itself.
    """

    def __init__(
        self, app: QApplication, player: DesktopPlayer, window: int, games: int | None = None
    ) -> None:
        self.app = app
        self.panel = Panel(player, settings(games), save_settings=lambda _settings: None)
        self.panel.run_finished.connect(lambda _tally: app.exit())
        self.panel.resize(1060, 740)
        self.panel.move(560, 40)
        self.panel.failed.connect(out.print)
        self.panel.show()
        # Like a user: the list is complete before Play is pressed.
        self.panel.surface.chooser.chosen.connect(lambda _board: app.exit())
        app.exec()
        self.board = player.candidate(window, None, threading.Event())

    def play(self, games: int, each: Callable[[Turn], None] = lambda _turn: None) -> float:
        """Return the seconds of so many games, from the first to the last reading."""
        looks: list[float] = []
        ended = 0

        def count(turn: Turn) -> None:
            nonlocal ended
            if ended < games:
                looks.append(turn.reading.frame.time)
                each(turn)
            ended += turn.reading.status is not Status.PLAYING
            if ended >= games and turn.moves:
                self.panel.stop()

        self.panel.turn_played.connect(count)
        self.panel.play(self.board)
        self.app.exec()
        self.panel.turn_played.disconnect(count)
        return looks[-1] - looks[0]

    def close(self) -> None:
        """Close the panel and wait until its threads have ended."""
        # Called later: without any work in progress it closes at once.
        self.panel.closed.connect(self.app.exit, Qt.ConnectionType.QueuedConnection)
        self.panel.close()
        self.app.exec()


def start() -> None:
    """Print the times of five starts, measured from outside, and the imported modules."""
    seconds = []
    with authority(), desktop().open_screen() as screen:
        for _ in range(5):
            began = time.perf_counter()
            with subprocess.Popen([sys.executable, "-m", "gui"]) as child:
                wait_for_picture(screen, "Minesweeper bot")
                seconds.append(time.perf_counter() - began)
                child.terminate()
    probe = f"import sys, gui.commands.panel; print([m for m in {_KEPT} if m in sys.modules])"
    loaded = subprocess.run([sys.executable, "-c", probe], check=True, capture_output=True)
    out.print(
        f"window on the screen, s after the command (5 starts): median "
        f"{statistics.median(seconds):.2f}, worst {max(seconds):.2f} (wanted 1.5); "
        f"imported of {', '.join(_KEPT)}: {loaded.stdout.decode().strip()}"
    )


def wait_for_picture(screen: Screen, title: str) -> None:
    """Wait until a window is on the screen and shows more than one colour in its middle."""
    pause = threading.Event()
    while not pause.wait(0.005):
        for window in desktop().list_windows():
            if window.title == title:
                image = screen.grab(window.region).image
                if len(np.unique(image[100:-100:3, 100:-100:3].reshape(-1, 3), axis=0)) > 8:
                    return


def pairs(app: QApplication) -> None:
    """Play the same games alternately with and without the panel, each in a separate process."""
    alone = ProcessPoolExecutor(1, get_context("spawn"))
    alone.submit(play_alone, SEED - 1, 1).result()
    player = DesktopPlayer()
    ratios = []
    for pair in range(PAIRS):
        seed = SEED + 100 * pair
        took: dict[bool, float] = {}
        for panel in (True, False) if pair % 2 else (False, True):
            if not panel:
                took[panel] = alone.submit(play_alone, seed, GAMES).result()
                continue
            with expert(seed) as (_, window):
                shown = Shown(app, player, window, GAMES)
                took[panel] = shown.play(GAMES)
                shown.close()
        ratios.append(took[True] / took[False])
        out.print(f"pair {pair + 1}: {took[False]:.2f} s alone, {took[True]:.2f} s with the panel")
    player.close()
    alone.shutdown()
    draws = np.random.default_rng(1).choice(ratios, (10_000, PAIRS))
    low, high = np.percentile(np.median(draws, axis=1), (2.5, 97.5))
    middle = statistics.median(ratios)
    out.print(
        f"{PAIRS} pairs of {GAMES} Expert games: with the panel {100 * (middle - 1):+.1f} % time "
        f"(95 % of bootstrapped medians {100 * (low - 1):+.1f} to {100 * (high - 1):+.1f}; "
        "wanted +5, and at the most +10)"
    )


def main_thread(app: Watched, games: int = 20) -> None:
    """Measure handlers and gaps of the main thread while the panel plays."""
    PREPARATION.wait(threading.Event())
    gaps: list[float] = []
    last = [time.perf_counter()]

    def tick() -> None:
        moment = time.perf_counter()
        gaps.append(moment - last[0])
        last[0] = moment

    player = DesktopPlayer()
    with expert(SEED) as (_, window):
        shown = Shown(app, player, window)
        shown.play(1)
        ticks = QTimer()
        ticks.setTimerType(Qt.TimerType.PreciseTimer)
        ticks.timeout.connect(tick)
        app.handlers = []
        ticks.start(1)
        last[0] = time.perf_counter()
        took = shown.play(games)
        ticks.stop()
        handlers, app.handlers = app.handlers, None
        shown.close()
    player.close()
    worst = sorted(handlers, reverse=True)[:3]
    told = ", ".join(f"{1000 * cost:.1f} ({what})" for cost, what in worst)
    busy = sum(cost for cost, _ in handlers)
    out.print(
        f"{games} Expert games in {took:.1f} s, {100 * busy / took:.0f} % of a core on the panel"
    )
    out.print(f"handlers of the main thread, worst ms of processor time: {told} (wanted 20)")
    milli = 1000 * np.array(gaps)
    gap = np.percentile(milli, (50, 99, 99.9))
    out.print(
        f"gaps between ticks, ms: median {gap[0]:.1f}, p99 {gap[1]:.1f}, "
        f"p99.9 {gap[2]:.1f} (wanted 50), worst {milli.max():.1f}"
    )


def memory(app: QApplication, games: int = 200) -> None:
    """Measure resident memory while the panel plays, at the ends of games."""
    PREPARATION.wait(threading.Event())
    sizes: list[float] = []

    def each(turn: Turn) -> None:
        if turn.reading.status is not Status.PLAYING:
            sizes.append(resident())

    player = DesktopPlayer()
    with expert(SEED) as (_, window):
        shown = Shown(app, player, window)
        took = shown.play(games, each)
        shown.close()
    player.close()
    early, late = statistics.median(sizes[15:25]), statistics.median(sizes[-10:])
    out.print(
        f"resident memory, MB: {early:.1f} about game 20, {late:.1f} about game {games}: "
        f"{late - early:+.1f} (wanted +20); {games} games in {took:.0f} s"
    )


def resident() -> float:
    """Return the resident memory of this process, in MB."""
    return float(psutil.Process().memory_info().rss / 1e6)


def main() -> None:
    """Print the requested tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    kinds = ["start", "pairs", "main", "memory"]
    parser.add_argument(
        "what", nargs="*", default=kinds, choices=[*kinds, kinds], metavar="|".join(kinds)
    )
    what: list[str] = parser.parse_args().what
    with ExitStack() as resources:
        if not desktop().has_screen:
            resources.enter_context(PrivateScreen(1920, 1080)).adopt()
        if len(what) == 1:
            measure(what[0])
            return
        for one in what:
            # The other tables must not use an application that times its handlers.
            subprocess.run([sys.executable, "-m", "tests.benchmarks.panel", one], check=True)


def measure(what: str) -> None:
    """Measure on the existing display."""
    if what == "start":
        start()
        return
    app = (Watched if what == "main" else QApplication)([PROGRAM])
    app.setApplicationName(PROGRAM)
    app.setStyle("Fusion")
    app.setQuitOnLastWindowClosed(False)
    if isinstance(app, Watched):
        main_thread(app)
    elif what == "pairs":
        pairs(app)
    else:
        memory(app)


if __name__ == "__main__":
    main()
    # At the interpreter's end Qt would still call the `notify` of `Watched`.
    sys.stdout.flush()
    os._exit(0)
