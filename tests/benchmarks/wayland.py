"""Measure the cost of playing on a Wayland desktop, compared with X11, in one run.

    python -m tests.benchmarks.wayland [--games 20]

GNOME Mines is played on a headless GNOME, on a shared monitor, and on a private X screen, by the
same command. Then a click in GNOME Mines until the first frame that shows its effect, the frames
that come a second while the pointer moves, and the processor time of a shared screen at rest.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import subprocess
import tempfile
import threading
import time
from pathlib import Path
from statistics import median

from rich.table import Table

from bot.frame import Point, Region
from tests.e2e.wayland.gnome import Session, User, gnome
from tests.support.runs import BOT, environment
from tests.support.xclient import wait_until
from tests.tools.report.console import Console
from vision.desktop.wayland import Access, WaylandDesktop

_CLICKS = 20
_REST_SECONDS = 10.0
_MOTION_SECONDS = 3.0


def won_seconds(printed: str) -> list[float]:
    """Return the seconds of each game that was won."""
    return [float(text) for text in re.findall(r"won in ([\d.]+) s", printed)]


def on_wayland(session: Session, user: User, games: int) -> list[float]:
    """Play on a shared monitor."""
    game = session.game()
    wait_until(lambda: user.shows("Mines", "frame"))
    run = session.play("--window", "gnome", "--games", str(games))
    user.share()
    printed, _ = run.communicate()
    session.stop(game)
    return won_seconds(printed)


def on_x11(games: int) -> list[float]:
    """Play on a private X screen."""
    with tempfile.TemporaryDirectory() as folder:
        play = ("play", "--private", "--no-panel", "--games", str(games), "--", "gnome-mines")
        kept = environment(Path(folder))
        path = {"PATH": os.pathsep.join((kept["PATH"], "/usr/games"))}
        command = [*BOT, *play, "--small"]
        run = subprocess.run(command, env=kept | path, capture_output=True, check=False, text=True)
    return won_seconds(run.stdout)


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
    stream, pointer, found = access.shared[0].stream, wayland.open_pointer(), []
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
            found.append(1000 * (time.perf_counter() - begin))
    return found


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
    parser.add_argument("--games", type=int, default=20)
    games = parser.parse_args().games
    table = Table("What", "Wayland", "X11")
    with tempfile.TemporaryDirectory(prefix="wl") as folder, gnome(Path(folder)) as session:
        user = User(session)
        seconds = on_wayland(session, user, games), on_x11(games)
        won = (f"{median(one):.1f} ({len(one)})" if one else "none" for one in seconds)
        table.add_row("seconds a won game, median (won)", *won)
        session.game()
        wait_until(lambda: user.shows("Mines", "frame"))
        wayland, access = shared(session, user)
        changes = click_to_change(wayland, access)
        table.add_row("click to changed frame, ms, median", f"{median(changes):.0f}", "")
        table.add_row("frames a second", f"{frames_a_second(wayland, access):.0f}", "")
        threading.Event().wait(2)
        table.add_row("% of a core at rest", f"{rest():.2f}", "")
        wayland.close()
    Console().print(table)


if __name__ == "__main__":
    main()
