r"""Test every fault during a game, many times at random moments.

    python -m tests.benchmarks.faults                          all of them, 20 times each
    python -m tests.benchmarks.faults --times 3 moved killed   some of them
    python -m tests.benchmarks.faults --seed 7                 other moments
    python -m tests.benchmarks.faults --wayland                on Wayland, without some
    python -m tests.e2e.windows.wine -m tests.benchmarks.faults    on Windows, without some

The simulated window is played on a private screen, on Windows on the desktop, on Wayland on the
shared monitor of a headless GNOME, as a program of X11, to which other programs can do this. Each
fault is real (`tests.support.faults`) and occurs at a random moment of a game. Each run's seed is
printed. The table shows how often the guarantee held, the duration of a run, the clicks outside the
game's board and face, and the withdrawn presses: released elsewhere, because the window was moved
or covered after the press was sent; on Wayland, where the release follows at once, those that
arrived after it. All recordings are audited, and no cell may have been opened without a move.
Violations are printed at once, and set the exit code to 1.
"""

from __future__ import annotations

import os
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from random import Random
from statistics import median
from typing import NamedTuple

from rich.table import Table

from bot.solver.warmup import PREPARATION
from gui.private_screen import PrivateScreen
from tests.support.clients import screen_of_tests
from tests.support.faults import FAULTS, MONITOR, Broken, Fault, Scene, pause
from tests.support.mischief import Game, GnomeGame, Monitors
from tests.support.runs import audited, sessions
from tests.tools.report.console import Console, parser_of
from vision.desktop import desktop, session_kind
from vision.files import HOME_VARIABLE

SIZE = (1600, 900)


class Outcome(NamedTuple):
    """The result of one run."""

    seconds: float
    clicks: int
    stray: int
    withdrawn: int
    wrong: tuple[str, ...]


@contextmanager
def shared_monitor() -> Iterator[None]:
    """Share the monitor of a GNOME session with this process, whose programs open in XWayland."""
    from tests.e2e.wayland.gnome import User, gnome  # noqa: PLC0415 - not on Windows

    with (
        tempfile.TemporaryDirectory(prefix="wl") as folder,
        gnome(Path(folder), monitors=(SIZE,)) as session,
    ):
        os.environ.update(session.environment | session.x11)
        answer = threading.Thread(target=User(session).share)
        answer.start()
        desktop().request_access()
        answer.join()
        yield


def run(faults: Sequence[Fault], seed: str, home: Path, screen: PrivateScreen | None) -> Outcome:
    """Play with a fault at a random moment, and return the result.

    Args:
        faults: The faults, one after the other, all for the same kind of window.
        seed: The seed of the moments, the boards and the faults' random choices.
        home: An empty folder for the recordings.
        screen: The private screen of the game, if it is on one.
    """
    random, kind = Random(seed), faults[0]
    wrong = []
    os.environ[HOME_VARIABLE] = str(home)
    with (
        Monitors(*MONITOR) if kind.monitors else nullcontext() as monitors,
        _game(kind, random, home) as game,
        Scene(game, kind.pace, screen, monitors) as scene,
    ):
        scene.after_turns(1)
        began = time.monotonic()
        for fault in faults:
            pause(random.uniform(0, 1.5))
            scene.pauses.clear()
            began = time.monotonic()
            try:
                fault.happen(scene, random)
            except Broken as broken:
                wrong.append(f"{fault.name}: {broken}")
        seconds = time.monotonic() - began
        scene.finish()
    if (home / "skins").exists():
        wrong.append("it took the game for one never seen")
    findings = audited(sessions(home)).findings
    wrong += [f"stray click: {one}" for one in scene.stray]
    wrong += [f"{one.session}, turn {one.turn}: {one.what}" for one in findings]
    wrong += scene.unwanted()
    return Outcome(seconds, scene.clicks, len(scene.stray), len(scene.withdrawn), tuple(wrong))


def _game(kind: Fault, random: Random, home: Path) -> Game | GnomeGame:
    if kind.program:
        return GnomeGame(home / "program", *kind.game)
    return Game(*kind.game, f"seed={random.randrange(10**6)}")


def table(results: Mapping[str, Sequence[Outcome]]) -> Table:
    """Return the empty table of the results."""
    made = Table(title="Faults in mid-game, at random moments")
    for column in ("fault", "promised", "kept", "s", "worst", "clicks", "stray", "withdrawn"):
        made.add_column(column, justify="left" if column in ("fault", "promised") else "right")
    for name, outcomes in results.items():
        kept = sum(not one.wrong for one in outcomes)
        seconds = [one.seconds for one in outcomes]
        made.add_row(
            name,
            FAULTS[name].promise if name in FAULTS else "each its own",
            f"{kept} of {len(outcomes)}",
            f"{median(seconds):.1f}",
            f"{max(seconds):.1f}",
            str(sum(one.clicks for one in outcomes)),
            str(sum(one.stray for one in outcomes)),
            str(sum(one.withdrawn for one in outcomes)),
        )
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = parser_of("tests.benchmarks.faults", __doc__)
    parser.add_argument("faults", nargs="*", choices=[*FAULTS, []], metavar="FAULT")
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--row", action="store_true", help="all of them to one run, one by one")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--wayland", action="store_true", help="on the shared monitor of a GNOME")
    chosen = parser.parse_args(arguments)
    console = Console()
    # The first start on a machine compiles for a minute, which is not due to a fault.
    PREPARATION.wait()
    results: dict[str, list[Outcome]] = {}
    with (
        shared_monitor() if chosen.wayland else screen_of_tests(*SIZE) as screen,
        tempfile.TemporaryDirectory(prefix="faults-") as folder,
    ):
        if screen is not None:
            screen.adopt()
        possible = [name for name, one in FAULTS.items() if session_kind() in one.on]
        names = chosen.faults or possible
        for row in [names] if chosen.row else [[name] for name in names]:
            for number in range(chosen.times):
                seed = f"{chosen.seed}/{row[0]}/{number}"
                with tempfile.TemporaryDirectory(dir=folder) as home:
                    outcome = run([FAULTS[name] for name in row], seed, Path(home), screen)
                results.setdefault(", ".join(row), []).append(outcome)
                verdict = "kept" if not outcome.wrong else "BROKEN: " + "; ".join(outcome.wrong)
                console.print(f"{seed}: {verdict}, {outcome.seconds:.1f} s", highlight=False)
    console.print(table(results))
    return int(any(one.wrong for outcomes in results.values() for one in outcomes))


if __name__ == "__main__":
    sys.exit(main())
