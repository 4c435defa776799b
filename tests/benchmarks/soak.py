r"""Play every real program and the simulated window for a long time, and print the results.

    python -m tests.benchmarks.soak                                 all, twenty games a level
    python -m tests.benchmarks.soak --games 100,60,40 kmines        a number for each level
    python -m tests.benchmarks.soak --level expert --option theme=classic gnome-mines

Each runs on a private screen of its own, played by the command as a user would start it; every
event is checked before it is sent (`tests.support.strays`), every recording is audited. Each level
has a program and a command of its own, one after the other. Early ends and standstills are counted,
and the remaining games are played by a restarted program and command. The table shows the results;
errors are printed below it, and set the exit code to 1.
"""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import psutil
from rich.table import Table

from bot.frame import Status
from bot.game import LEVELS
from bot.solver.warmup import PREPARATION
from gui.private_screen import PrivateScreen
from gui.runner.backend import Simulators
from gui.simulator import TITLE
from tests.benchmarks.playing import SIMULATED
from tests.support import strays
from tests.support.games import start
from tests.support.real_programs import PROGRAMS
from tests.support.runs import BOT, audited, environment, sessions
from tests.support.shown import windows_shown
from tests.tools.report.console import Console, parser_of
from tests.tools.report.results import ROOT
from vision.sessions import Session

COLUMNS: Final = (
    "program", "level", "games", "won", "lost", "guessed before", "s a game", "misreads", "events",
    "stray", "ended early", "stuck", "MB at 20", "at the end", "version",
)  # fmt: skip
_SIZE: Final = (1600, 900)
_STUCK_SECONDS: Final = 180.0
"""Time limit of a game in seconds; a longer one is a standstill."""
_LEAVES_SECONDS: Final = 30.0
_LOOK_SECONDS: Final = 0.5
_WARM: Final = 20
"""Games after which memory is measured."""
_STARTS: Final = 10
"""Most restarts of a program."""
_USAGE_ERROR: Final = 2
"""The command's exit code for arguments that no restart makes right."""


@dataclass
class Played:
    """Results of one program at one level."""

    program: str
    level: str
    games: int
    version: str
    won: int = 0
    lost: int = 0
    repeated: int = 0
    """Guesses in a position met before, on a board that the program repeated."""
    seconds: float = 0.0
    """Running time of the command in seconds."""
    events: int = 0
    """Number of presses and keys checked."""
    strays: list[str] = field(default_factory=list)
    misreads: list[str] = field(default_factory=list)
    """Findings of the audit: misread tiles, wrong proofs, clicks beside the board."""
    ended_early: list[str] = field(default_factory=list)
    """Early ends that would have needed the user."""
    stuck: list[str] = field(default_factory=list)
    warm: float | None = None
    """Memory (RSS, MB) of the command after the first games, if it played more."""
    end: float | None = None
    """The same at its end."""

    @property
    def ended(self) -> int:
        """Number of games that came to an end."""
        return self.won + self.lost

    @property
    def wrong(self) -> list[str]:
        """All errors."""
        found = [*self.strays, *self.misreads, *self.ended_early, *self.stuck]
        short = self.games - self.ended
        return [*found, f"{short} games of {self.games} were not played"] if short > 0 else found


def play(
    program: str, level: str, games: int, home: Path, options: Mapping[str, str] | None = None
) -> Played:
    """Play some games of a program on a private screen, and audit them.

    Args:
        program: A key of `PROGRAMS`, or `SIMULATED`.
        level: One of its levels.
        games: The number of games.
        home: An empty folder for all output.
        options: Options of the program.
    """
    played = Played(program, level, games, _version())
    starts, code = 0, 0
    while (left := games - _ended(home)) > 0 and starts < _STARTS and code != _USAGE_ERROR:
        starts += 1
        with PrivateScreen(*_SIZE) as screen, _opened(program, level, screen, home, options) as it:
            code = _run(played, screen, home, it, left)
    audit = audited(sessions(home))
    played.won, played.lost, played.repeated = audit.won, audit.lost, audit.repeated
    played.misreads = [f"{one.session}, turn {one.turn}: {one.what}" for one in audit.findings]
    played.events, looked_at = strays.looked_at(home)
    played.strays = strays.found(home)
    if looked_at < starts:
        played.strays.append(f"{starts - looked_at} runs were not looked at")
    return played


@contextmanager
def _opened(
    program: str, level: str, screen: PrivateScreen, home: Path, options: Mapping[str, str] | None
) -> Iterator[str]:
    """Open a program's window for the block; yield its title."""
    if program == SIMULATED:
        simulators = Simulators(screen.environment)
        try:
            simulators.start("--level", level)
            yield TITLE
        finally:
            simulators.close()
        return
    title = PROGRAMS[program].title
    with start(program, level, screen.environment, home / "program", options) as running:
        windows_shown(screen.environment, title, program=running)
        yield title


def _run(played: Played, screen: PrivateScreen, home: Path, title: str, games: int) -> int:
    """Run one process of the command to its end; return its exit code."""
    given = ("--window", title, "--level", played.level, "--games", str(games))
    printed, errors = home / "printed.txt", home / "errors.txt"
    began = time.monotonic()
    with printed.open("wb") as out, errors.open("wb") as err:
        process = subprocess.Popen(
            [*BOT, "play", "--no-panel", *given],
            env=environment(home, screen),
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
        )
        memory, moved_on = _watch(process, home)
    played.seconds = round(played.seconds + time.monotonic() - began, 1)
    if not moved_on:
        played.stuck.append(f"no game ended for {_STUCK_SECONDS:.0f} s: {_tail(printed)}")
    elif process.returncode:
        played.ended_early.append(f"ended with {process.returncode}: {_tail(errors)}")
    after = [size for game, size in memory if game > _WARM]
    if played.warm is None and after:
        played.warm, played.end = after[0], after[-1]
    return process.wait()


def _watch(process: subprocess.Popen[bytes], home: Path) -> tuple[list[tuple[int, float]], bool]:
    """Wait for the end; return (games begun, MB), and False if it had to be ended."""
    before = _begun(home)
    memory: list[tuple[int, float]] = []
    games, since = 0, time.monotonic()
    while True:
        try:
            process.wait(_LOOK_SECONDS)
        except subprocess.TimeoutExpired:
            pass
        else:
            return memory, True
        begun = _begun(home) - before
        if begun > games:
            games, since = begun, time.monotonic()
            memory.append((games, round(_resident(process.pid), 1)))
        if time.monotonic() - since > _STUCK_SECONDS:
            _leave(process)
            return memory, False


def _leave(process: subprocess.Popen[bytes]) -> None:
    for number in (signal.SIGINT, signal.SIGINT, signal.SIGKILL):
        process.send_signal(number)
        try:
            process.wait(_LEAVES_SECONDS)
        except subprocess.TimeoutExpired:
            continue
        return


def _ended(home: Path) -> int:
    """Return the number of games that came to an end."""
    return sum(bool(one.records) and one.records[-1].status.over for one in sessions(home))


def _begun(home: Path) -> int:
    """Return the number of games that were begun."""
    folder = home / "sessions"
    return sum(1 for _ in folder.iterdir()) if folder.is_dir() else 0


def _resident(process: int) -> float:
    """Return the resident memory of a process, in MB; 0 if it has just ended."""
    try:
        return float(psutil.Process(process).memory_info().rss / 1e6)
    except psutil.Error:
        return 0.0


def _tail(file: Path) -> str:
    return " | ".join(file.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-4:])


def _version() -> str:
    """Return the version of the program by the repository."""
    reported = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return reported.stdout.strip()


def keep(recorded: Sequence[Session], folder: Path, name: str) -> list[Status]:
    """Copy the shortest won and the shortest lost game of a run; return which there is none of."""
    missing = []
    for status in (Status.WON, Status.LOST):
        ended = [one for one in recorded if one.records[-1].status is status]
        if not ended:
            missing.append(status)
        else:
            shortest = min(ended, key=len)
            target = folder / f"{name}-{status.value}"
            with suppress(FileNotFoundError):
                shutil.rmtree(target)
            shutil.copytree(shortest.folder, target)
    return missing


def table(results: Sequence[Played]) -> Table:
    """Return the empty table."""
    made = Table(title="Real programs and the simulated window, played unattended")
    for column in COLUMNS:
        left = column in ("program", "level", "version")
        made.add_column(column, justify="left" if left else "right")
    for one in results:
        made.add_row(
            one.program,
            one.level,
            str(one.games),
            str(one.won),
            str(one.lost),
            str(one.repeated),
            f"{one.seconds / one.ended:.1f}" if one.ended else "-",
            *(str(number) for number in (len(one.misreads), one.events, len(one.strays))),
            *(str(len(found)) for found in (one.ended_early, one.stuck)),
            *("-" if size is None else f"{size:.0f}" for size in (one.warm, one.end)),
            one.version,
        )
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = parser_of("tests.benchmarks.soak", __doc__)
    names = [SIMULATED, *PROGRAMS]
    parser.add_argument("programs", nargs="*", choices=[*names, []], metavar="PROGRAM")
    parser.add_argument("--games", default="20", metavar="NUMBER[,NUMBER,NUMBER]")
    parser.add_argument("--level", action="append", dest="levels", choices=LEVELS)
    parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep the shortest games")
    chosen = parser.parse_args(arguments)
    options = dict(option.split("=", 1) for option in chosen.option)
    numbers = [int(number) for number in chosen.games.split(",")]
    games = dict(zip(LEVELS, numbers * 3 if len(numbers) == 1 else numbers, strict=True))
    console = Console()
    # The first start on a machine compiles for a minute or more, which is no standstill.
    PREPARATION.wait()
    results = []
    for program in chosen.programs or names:
        for level in chosen.levels or LEVELS:
            with tempfile.TemporaryDirectory(prefix="soak-") as folder:
                home = Path(folder)
                result = play(program, level, games[level], home, options)
                if chosen.keep:
                    name = "-".join((program, *options.values(), level))
                    for status in keep(sessions(home), chosen.keep, name):
                        console.print(f"{name}: no game was {status.value}, so none is kept")
            console.print(f"{program} {level}: {result.won} won, {result.lost} lost")
            results.append(result)
    console.print(table(results))
    for result in results:
        for wrong in result.wrong:
            console.print(f"{result.program} {result.level}: {wrong}", highlight=False)
    return int(any(one.wrong for one in results))


if __name__ == "__main__":
    sys.exit(main())
