"""Measure the cost of playing on a Wayland desktop, compared with X11, in one run.

    python -m tests.benchmarks.wayland [--games 20] [--level expert]

GNOME Mines and the built-in game are played on a headless GNOME, on a shared monitor, and on a
private X screen, by the same command; each event is checked, and each recording audited. Then a
click in GNOME Mines until the first frame that shows its effect, the frames that come a second
while the pointer moves, and the processor time of a shared screen at rest.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

from rich.table import Table

from bot.frame import Point, Region
from tests.e2e.wayland.gnome import Session, User, gnome
from tests.support.runs import BOT, audited, environment, sessions
from tests.support.strays import found, looked_at
from tests.support.xclient import wait_until
from tests.tools.report.console import Console
from vision.desktop.wayland import Access, WaylandDesktop

_MAXIMISED = "[org/gnome/Mines]\nwindow-is-maximized=true\n"
"""GNOME Mines begins with a window that is too small for an Expert board."""
_CLICKS = 20
_REST_SECONDS = 10.0
_MOTION_SECONDS = 3.0


class Played(NamedTuple):
    """A run of games on one desktop."""

    seconds: list[float]
    """Of each game that was ended."""
    won: list[float]
    """Seconds of each game that was won."""
    sent: int
    """Clicks and keys."""
    strays: list[str]
    misread: int


def played(printed: str, folder: Path) -> Played:
    """Return what a run has printed and recorded, and which of its events went astray."""
    if "errors/" in printed:
        # A run that has ended early: why is in no table.
        sys.stderr.write(printed)
    ends = re.findall(r"(won|lost) in ([\d.]+) s", printed)
    return Played(
        [float(text) for _, text in ends],
        [float(text) for how, text in ends if how == "won"],
        looked_at(folder)[0],
        found(folder),
        len(audited(sessions(folder / "home")).findings),
    )


def on_wayland(game: Sequence[str], skin: str, games: int) -> Played:
    """Play on a shared monitor."""
    with (
        tempfile.TemporaryDirectory(prefix="wl") as folder,
        gnome(Path(folder), settings=_MAXIMISED if "--big" in game else "") as session,
    ):
        user = User(session)
        session.start(*game)
        wait_until(lambda: any(user.shows(title, "frame") for title in ("Mines", "Minesweeper")))
        run = session.play("--window", skin, "--games", str(games))
        user.share()
        printed, _ = run.communicate()
        return played(printed, session.folder)


def on_x11(game: Sequence[str], games: int) -> Played:
    """Play on a private X screen."""
    with tempfile.TemporaryDirectory() as folder:
        play = ("play", "--private", "--no-panel", "--yes", "--games", str(games), "--", *game)
        kept = environment(Path(folder) / "home")
        path = {"PATH": os.pathsep.join((kept["PATH"], "/usr/games"))}
        run = subprocess.run(
            [*BOT, *play], env=kept | path, capture_output=True, check=False, text=True
        )
        return played(run.stdout, Path(folder))


def shared(session: Session, user: User) -> tuple[WaylandDesktop, Access]:
    """Share the monitor with this process."""
    os.environ.update(session.environment)
    wayland = WaylandDesktop()
    answer = threading.Thread(target=user.share)
    answer.start()
    wayland.request_access()
    answer.join()
    access = wayland._access
    assert access is not None
    return wayland, access


def click_to_change(wayland: WaylandDesktop, access: Access) -> list[float]:
    """Return milliseconds from a press on a cell of a board to a frame with the changed cell."""
    stream, pointer, times = access.shared[0].stream, wayland.open_pointer(), []
    with wayland.open_screen() as screen:
        for index in range(_CLICKS):
            # Right clicks: flag, remove the flag.
            point = Point(90 + 46 * (index // 2 % 8), 230)
            cell = Region(int(point.x) - 12, int(point.y) - 12, 24, 24)
            pointer.move(point)
            access.cursor.wait_for(point)
            threading.Event().wait(0.5)
            before, begin = screen.grab(cell).image, time.perf_counter()
            pointer.click(point, "right", None)
            while (screen.grab(cell).image == before).all() and time.perf_counter() < begin + 2:
                stream.wait_for_frame(stream.frames - 1)
            times.append(1000 * (time.perf_counter() - begin))
    return times


def frames_a_second(wayland: WaylandDesktop, access: Access) -> float:
    """Return the number of frames per second while the pointer moves over the board."""
    stream, pointer = access.shared[0].stream, wayland.open_pointer()
    begin, before = time.perf_counter(), stream.frames
    while time.perf_counter() < begin + _MOTION_SECONDS:
        for column in range(8):
            pointer.move(Point(90 + 46 * column, 276))
    return (stream.frames - before) / (time.perf_counter() - begin)


def rest() -> float:
    """Return the percentage of a core that this process uses while nothing changes."""
    before = resource.getrusage(resource.RUSAGE_SELF)
    threading.Event().wait(_REST_SECONDS)
    after = resource.getrusage(resource.RUSAGE_SELF)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return 100 * used / _REST_SECONDS


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--level", default="beginner", choices=["beginner", "expert"])
    parser.add_argument("--games", type=int, default=20)
    chosen = parser.parse_args()
    table = Table(
        "program", "level", "on", "games", "won", "s a won game", "events", "stray", "misreads",
        "ended early", title="Games on a shared monitor, and on a private X screen",
    )  # fmt: skip
    programs = {
        "gnome-mines": ("gnome-mines", "--small" if chosen.level == "beginner" else "--big"),
        "built-in": (sys.executable, "-m", "gui", "simulate", "--level", chosen.level),
    }
    for name, game in programs.items():
        skin = "classic" if name == "built-in" else name
        runs = {
            "Wayland": on_wayland(game, skin, chosen.games),
            "X11": on_x11(game, chosen.games),
        }
        for where, run in runs.items():
            seconds = f"{median(run.won):.1f}" if run.won else ""
            early = chosen.games - len(run.seconds)
            numbers = (chosen.games, len(run.won), seconds, run.sent, len(run.strays), run.misread)
            table.add_row(name, chosen.level, where, *map(str, (*numbers, early)))
    Console().print(table)
    if chosen.level == "beginner":
        Console().print(figures())


def figures() -> Table:
    """Measure what a shared monitor costs."""
    table = Table("what", "median", title="A shared monitor")
    with tempfile.TemporaryDirectory(prefix="wl") as folder, gnome(Path(folder)) as session:
        user = User(session)
        session.game()
        wait_until(lambda: user.shows("Mines", "frame"))
        wayland, access = shared(session, user)
        changes = click_to_change(wayland, access)
        table.add_row("from a click to the changed frame, ms", f"{median(changes):.0f}")
        table.add_row("frames a second while it moves", f"{frames_a_second(wayland, access):.0f}")
        threading.Event().wait(2)
        table.add_row("processor time at rest, % of a core", f"{rest():.2f}")
        wayland.close()
    return table


if __name__ == "__main__":
    main()
