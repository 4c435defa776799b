"""Measure how busy the panel's main thread is while it plays.

    python -m tests.benchmarks.panel

20 Expert games of a simulated window with a fixed seed; on a private screen if there is no display.
The results are the share of a core, the slowest handlers, and the gaps between two ticks of a
timer: the interface answers no faster.
"""

from __future__ import annotations

import argparse
import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Final

import numpy as np
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
from tests.tools.report.console import Console
from vision.desktop import desktop
from vision.files import PROGRAM

out = Console(highlight=False, soft_wrap=True)

SEED: Final = 77_000
GAMES: Final = 20


@contextmanager
def expert(seed: int) -> Iterator[tuple[Desktop, int]]:
    """Return a desktop with a simulated Expert window with the same games for the same seed."""
    desktop = Desktop()
    try:
        window = desktop.simulators.start("--level", "expert", "--seed", str(seed))
        yield desktop, window
    finally:
        desktop.simulators.close()


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
    """

    def __init__(self, app: QApplication, player: DesktopPlayer, window: int) -> None:
        self.app = app
        settings = Settings(games=None, record=False, theme="light")
        self.panel = Panel(player, settings, save_settings=lambda _settings: None)
        self.panel.run_finished.connect(lambda _tally: app.exit())
        self.panel.resize(1060, 740)
        self.panel.move(560, 40)
        self.panel.failed.connect(out.print)
        self.panel.show()
        # Like a user: the list is complete before Play is pressed.
        self.panel.surface.chooser.chosen.connect(lambda _board: app.exit())
        app.exec()
        self.board = player.candidate(window, None, threading.Event())

    def play(self, games: int) -> float:
        """Return the seconds of so many games, from the first to the last reading."""
        looks: list[float] = []
        ended = 0

        def count(turn: Turn) -> None:
            nonlocal ended
            if ended < games:
                looks.append(turn.reading.frame.time)
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


def measure(app: Watched) -> None:
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
        took = shown.play(GAMES)
        ticks.stop()
        handlers, app.handlers = app.handlers, None
        shown.close()
    player.close()
    worst = sorted(handlers, reverse=True)[:3]
    told = ", ".join(f"{1000 * cost:.1f} ({what})" for cost, what in worst)
    busy = sum(cost for cost, _ in handlers)
    out.print(
        f"{GAMES} Expert games in {took:.1f} s, {100 * busy / took:.0f} % of a core on the panel"
    )
    out.print(f"handlers of the main thread, worst ms of processor time: {told} (wanted 20)")
    milli = 1000 * np.array(gaps)
    gap = np.percentile(milli, (50, 99, 99.9))
    out.print(
        f"gaps between ticks, ms: median {gap[0]:.1f}, p99 {gap[1]:.1f}, "
        f"p99.9 {gap[2]:.1f} (wanted 50), worst {milli.max():.1f}"
    )


def main() -> None:
    """Print the results."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    with ExitStack() as resources:
        if not desktop().has_screen:
            resources.enter_context(PrivateScreen(1920, 1080)).adopt()
        app = Watched([PROGRAM])
        app.setApplicationName(PROGRAM)
        app.setStyle("Fusion")
        app.setQuitOnLastWindowClosed(False)
        measure(app)


if __name__ == "__main__":
    main()
    # At the interpreter's end Qt would still call the `notify` of `Watched`.
    sys.stdout.flush()
    os._exit(0)
