"""Compare the program on X11 with the same program in a Windows Python, on this machine.

    python -m tests.benchmarks.systems              20 Expert games of WineMine on each
    python -m tests.benchmarks.systems --games 50

Both play WineMine, on a screen of their own, in turns of ten games. Medians over the games that
were won: seconds a game; milliseconds from the last click of a batch to the first change on the
screen; milliseconds a click takes with the checks before its press and its release. The start of
the panel: from the command to its window, the fastest of three. The folder that needs no Python is
that of `make app` and `make windows-app`, if it was built.

WineMine draws its mines by the second of the clock: a game that is lost at once is repeated, and
more are lost than usual.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any, Final

from rich.table import Table

from bot.frame import Status
from gui.private_screen import PrivateScreen
from tests.benchmarks.playing import SIZE, Subject, measured
from tests.support.runs import BOT, environment
from tests.support.shown import windows_shown
from tests.tools.report.console import Console, parser_of

if sys.platform != "win32":
    from tests.e2e.windows import wine

_TURN: Final = 10
"""Games of one system before the other's."""
_STARTS: Final = 3
_FOLDERS: Final = ("dist/minesweeper-bot", "dist/windows/minesweeper-bot")


def games_here(count: int) -> list[dict[str, float]]:
    """Play games on this system; return what was measured in each that was won."""
    won = [
        game
        for game, _ in measured(Subject("winemine", "expert", 1), count)
        if game.status is Status.WON
    ]
    return [
        {
            "seconds": game.seconds,
            "change": 1000 * game.stages["change"] / (len(game.steps) - 1),
            "click": 1000 * game.stages["act"] / sum(step.clicks for step in game.steps[1:]),
        }
        for game in won
    ]


def panel_here() -> float:
    """Return the seconds from the command to the panel's window, the least of some starts."""
    times = []
    for _ in range(_STARTS):
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
            variables = environment(Path(home)) | {
                name: os.environ[name] for name in ("DISPLAY", "XAUTHORITY") if name in os.environ
            }
            begin = time.perf_counter()
            with subprocess.Popen(BOT, env=variables) as process:
                windows_shown(os.environ, "Minesweeper bot")
                times.append(time.perf_counter() - begin)
                process.kill()
    return min(times)


def here(games: int) -> dict[str, Any]:
    """Return the measurements on this system: of games, or with 0 of the panel's start."""
    return {"games": games_here(games)} if games else {"panel": panel_here()}


def megabytes(folder: str) -> str:
    """Return the size of a folder's files; nothing for one that was not built."""
    files = (path for path in Path(folder).rglob("*") if path.is_file() and not path.is_symlink())
    sizes = [path.stat().st_size for path in files]
    return f"{sum(sizes) / 1e6:.0f}" if sizes else ""


def on(windows: bool, games: int) -> dict[str, Any]:
    """Measure in a process of its own, on one of the systems."""
    with tempfile.TemporaryDirectory() as folder:
        result = Path(folder) / "result.json"
        if windows:
            command = ("-m", "tests.benchmarks.systems", "--here", f"Z:{result}")
            wine.run([wine.PYTHON / "python.exe", *command, "--games", str(games)], 1200)
        else:
            command = (sys.executable, "-m", "tests.benchmarks.systems", "--here", str(result))
            subprocess.run([*command, "--games", str(games)], check=True)
        found: dict[str, Any] = json.loads(result.read_text("utf-8"))
        return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = parser_of("tests.benchmarks.systems", __doc__)
    parser.add_argument("--games", type=int, default=20, help="of each system")
    parser.add_argument("--here", type=Path, help=argparse.SUPPRESS)
    chosen = parser.parse_args(arguments)
    if chosen.here:
        chosen.here.write_text(json.dumps(here(chosen.games)), "utf-8")
        return
    played: dict[bool, list[dict[str, float]]] = {False: [], True: []}
    with PrivateScreen(*SIZE) as screen:
        os.environ.update(screen.environment)
        wine.set_up()
        for done in range(0, chosen.games, _TURN):
            for windows, won in played.items():
                won.extend(on(windows, min(_TURN, chosen.games - done))["games"])
        panels = [on(windows, 0)["panel"] for windows in played]
    table = Table(title="WineMine, Expert, on the same machine")
    for heading in ("", "Linux, X11", "Windows Python in Wine"):
        table.add_column(heading, justify="right" if heading else "left")
    table.add_row("games won", *(f"{len(found)} of {chosen.games}" for found in played.values()))
    rows = {"seconds": "s a won game", "change": "ms to a change", "click": "ms a guarded click"}
    for name, title in rows.items():
        table.add_row(
            title, *(f"{median(one[name] for one in found):.2f}" for found in played.values())
        )
    table.add_row("s to the panel", *(f"{seconds:.1f}" for seconds in panels))
    table.add_row("MB of the folder that needs no Python", *map(megabytes, _FOLDERS))
    Console().print(table)


if __name__ == "__main__":
    main()
