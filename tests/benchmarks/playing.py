"""Measure the time of whole games, and the program's own share.

    python -m tests.benchmarks.playing          the simulated window and four programs
    python -m tests.benchmarks.playing simulated xbomb --games 20 --level intermediate

Every program has its own private screen. The product's player plays, as in the panel and the
command, and every turn is stored with the time stamps and stages of a recording. One line per
program and level:

- won, out of the total; seconds of a won game, from the first reading to the one that shows its
  end; the stages of its turns, in milliseconds per turn.
- overhead: the part of the game's time that is neither clicking nor waiting for the program's
  first change after it. Drawing after the program's first change counts as the player's time here.
- all: the same clicks in the same batches, sent blindly to the same mines; after each batch it
  waits until the screen shows the whole result. It and bot / all are medians over the games won.
"""

from __future__ import annotations

import os
import tempfile
import time
import zlib
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from itertools import chain, pairwise
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.table import Table

from bot.frame import Reading, Status
from bot.loop import Stop, Turn
from bot.mouse import ClickChecks, ClickStyle, ClickTiming, Mouse
from bot.planner import Move
from bot.solver.warmup import PREPARATION
from gui.private_screen import PrivateScreen
from gui.runner.backend import Desktop, Simulators
from gui.settings import AfterDialog, Settings
from tests.support.clients import button_held, screen_of_tests
from tests.support.games import start
from tests.support.operators import Unattended
from tests.support.real_programs import PROGRAMS
from tests.support.shown import windows_shown
from tests.tools.report.console import Console, parser_of
from vision.desktop import Screen, desktop
from vision.files import HOME_VARIABLE
from vision.reader import Reader
from vision.skins import SkinLibrary

SIMULATED: Final = "simulated"
SEEDED: Final = (SIMULATED, "sgt-mines")
"""Programs that can repeat the same mines."""
USUAL: Final = (SIMULATED, "winemine", "sgt-mines", "xdemineur", "xbomb")
_FEW: Final = 4
"""Games between two starts of the simulated window."""
SIZE: Final = (1600, 900)
STAGES: Final = ("capture", "read", "wait", "think", "act", "change")
"""Stages in `Turn.seconds`."""
_CHANGES: Final = 2.0
"""Seconds after which a screen watched for a change counts as unchanged."""
_LOOK: Final = 0.0005
"""Seconds between two captures of the blind replay: no other process needs the processor."""


class Subject(NamedTuple):
    """The program and game to play."""

    program: str
    """A key of `PROGRAMS`, or SIMULATED."""
    level: str
    seed: int
    """Seed of the first game; the next one has the next number. Ignored by programs without
    seeds."""


@dataclass(frozen=True)
class Step:
    """One turn of a game, without its picture."""

    moves: tuple[Move, ...]
    """The moves carried out next."""
    shows: int
    """Checksum of the board's own picture."""
    time: float
    """Monotonic seconds of the frame."""
    seconds: dict[str, float]
    clicks: int
    """Number of clicks sent since the previous turn."""


@dataclass(frozen=True)
class Game:
    """A played game."""

    subject: Subject
    """The subject, with this game's own seed."""
    status: Status
    steps: tuple[Step, ...]

    @property
    def seconds(self) -> float:
        """Seconds from the first reading to the one that shows the end."""
        return self.steps[-1].time - self.steps[0].time

    @property
    def stages(self) -> dict[str, float]:
        """Seconds by stage, after the first reading."""
        return {
            name: sum(step.seconds.get(name, 0.0) for step in self.steps[1:]) for name in STAGES
        }

    @property
    def overhead(self) -> float:
        """The share of the time that is neither clicking nor waiting for the first change."""
        stages = self.stages
        return 1 - (stages["act"] + stages["change"]) / self.seconds


Measured = tuple[Game, float | None]
"""A game; and the seconds of its blind replay, which waits after each batch until the board's
picture is the expected one. None if the program takes no seed or the replay ended differently."""


def measured(subject: Subject, games: int) -> list[Measured]:
    """Play some games. Makes its screen this process's own.

    A few games alternate with their floors, so that both run under the same load.
    """
    PREPARATION.begin()
    with ExitStack() as resources:
        home = _adopted(resources)
        backend = Desktop()
        resources.callback(backend.simulators.close)
        screen = resources.enter_context(desktop().open_screen())
        PREPARATION.wait()
        done: list[Measured] = []
        for part, number in _parts(subject, games):
            with _opened(part, backend.simulators, home) as window:
                played = _games(backend, window, part, number)
            floors: list[float | None] = [None] * len(played)
            if subject.program in SEEDED:
                with _opened(part, backend.simulators, home) as window:
                    floors = _sent_again(screen, window, played)
            done += zip(played, floors, strict=True)
        return done


def _adopted(resources: ExitStack) -> Path:
    """Use a screen of this process's own, where there is one; return a folder for all output."""
    screen = resources.enter_context(screen_of_tests(*SIZE))
    if isinstance(screen, PrivateScreen):
        screen.adopt()
    home = Path(resources.enter_context(tempfile.TemporaryDirectory(prefix="playing-")))
    os.environ[HOME_VARIABLE] = str(home / "bot")
    return home


def _parts(subject: Subject, games: int) -> Iterator[tuple[Subject, int]]:
    """Yield the subject and the number of games for each start of the program."""
    # Simon Tatham's Mines takes a seed for one game.
    size = {SIMULATED: _FEW, "sgt-mines": 1}.get(subject.program, games)
    for first in range(0, games, size):
        yield subject._replace(seed=subject.seed + first), min(size, games - first)


@contextmanager
def _opened(subject: Subject, simulators: Simulators, home: Path) -> Iterator[str | int]:
    """Start the program; yield the window to play."""
    program, level, seed = subject
    if program == SIMULATED:
        with closing(simulators):
            yield simulators.start("--level", level, "--seed", str(seed))
        return
    rows, cols, mines = PROGRAMS[program].level(level)
    options = {"game": f"{cols}x{rows}n{mines}#{seed}"} if program in SEEDED else {}
    title = PROGRAMS[program].title
    with start(program, level, os.environ, home / "program", options) as running:
        windows_shown(os.environ, title, program=running)
        yield title


def _games(backend: Desktop, window: str | int, subject: Subject, games: int) -> list[Game]:
    done: list[Game] = []
    steps: list[Step] = []

    settings = Settings(games=games, after_dialog=AfterDialog.CLOSE)
    turns = backend.play(window, lambda: settings, Unattended())
    with closing(turns):  # type: ignore[type-var]  # a generator
        for turn in turns:
            steps.append(_step(turn))
            if turn.reading.status.over:
                number = subject._replace(seed=subject.seed + len(done))
                done.append(Game(number, turn.reading.status, tuple(steps)))
                steps = []
    return done


def _step(turn: Turn) -> Step:
    reading = turn.reading
    clicks = sum(event.kind == "click" for event in turn.events)
    return Step(turn.moves, _shows(reading), reading.frame.time, dict(turn.seconds), clicks)


def _shows(reading: Reading) -> int:
    board, frame = reading.grid.region, reading.frame
    left, top = board.left - frame.region.left, board.top - frame.region.top
    return _sum(frame.image[top : top + board.height, left : left + board.width])


def _sent_again(screen: Screen, window: str | int, games: Sequence[Game]) -> list[float | None]:
    """Return the seconds of each game; None if the board differs from the recorded one."""
    stop = Stop()
    reader = Reader(screen, SkinLibrary().skins(), window=window)
    reading = reader.look()
    hand = Mouse(
        desktop().open_pointer(),
        ClickChecks(lambda _points: None, button_held),
        stop,
        screen.region,
        style=lambda: ClickStyle(ClickTiming(reader.skin.hold)),
    )

    def becomes(wanted: int) -> bool:
        """Wait until the board's picture is the wanted one."""
        deadline = time.monotonic() + _CHANGES
        while time.monotonic() < deadline:
            if _sum(screen.grab(reading.grid.region).image) == wanted:
                return True
            stop.wait(_LOOK)
        return False

    def send(moves: tuple[Move, ...]) -> None:
        hand.act(Turn(0, reading, None, moves))

    times: list[float | None] = []
    for game in games:
        same = becomes(game.steps[0].shows)
        begin = time.monotonic()
        for step, after in pairwise(game.steps):
            send(step.moves)
            becomes(after.shows)
        lasted = time.monotonic() - begin
        end = game.steps[-1]
        same &= becomes(end.shows)
        times.append(lasted if same else None)
        if end.moves:
            send(end.moves)
    return times


def _sum(image: NDArray[np.uint8]) -> int:
    return zlib.adler32(np.ascontiguousarray(image))


def table() -> Table:
    """Return the empty table."""
    made = Table(title="Whole games; milliseconds a turn by stage, medians over games won")
    for heading in ("program", "level", "won", "s", "turns", "clicks", *STAGES, "overhead"):
        made.add_column(heading, justify="left" if heading in ("program", "level") else "right")
    for heading in ("all s", "bot / all"):
        made.add_column(heading, justify="right")
    return made


def line(subject: Subject, results: Sequence[Measured]) -> list[str]:
    """Return one line of the table."""
    games = [game for game, _ in results]
    won = [game for game in games if game.status is Status.WON]
    reported = won or games
    turns = median(len(game.steps) for game in reported)
    stages = {
        name: median(1000 * game.stages[name] / (len(game.steps) - 1) for game in reported)
        for name in STAGES
    }
    cells = [subject.program, subject.level, f"{len(won)} of {len(games)}"]
    cells += [f"{median(game.seconds for game in reported):.2f}", f"{turns:.0f}"]
    cells += [f"{median(sum(step.clicks for step in game.steps[1:]) for game in reported):.0f}"]
    cells += [f"{stages[name]:.1f}" for name in STAGES]
    cells += [f"{median(game.overhead for game in reported):.0%}"]
    return cells + _floor(results)


def _floor(results: Sequence[Measured]) -> list[str]:
    compared = [
        (game.seconds, floor)
        for game, floor in results
        if floor is not None and game.status is Status.WON
    ]
    if not compared:
        return ["", ""]
    return [
        f"{median(floor for _, floor in compared):.2f}",
        f"{median(seconds / floor for seconds, floor in compared):.2f}",
    ]


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = parser_of("tests.benchmarks.playing", __doc__)
    known = [SIMULATED, *PROGRAMS]
    parser.add_argument("programs", nargs="*", choices=[*known, []], metavar="PROGRAM")
    parser.add_argument("--games", type=int, default=20, help="of each")
    parser.add_argument("--level", action="append", dest="levels")
    parser.add_argument("--seed", type=int, default=1, help="of the first game")
    chosen = parser.parse_args(arguments)
    console, made = Console(), table()
    subjects = (
        [Subject(program, level, chosen.seed) for level in chosen.levels or ["expert"]]
        for program in chosen.programs or USUAL
    )
    for subject in chain.from_iterable(subjects):
        # Xlib, mss and pyautogui keep the screen that they found first.
        with ProcessPoolExecutor(1, get_context("spawn")) as process:
            results = process.submit(measured, subject, chosen.games).result()
        same = sum(floor is not None for _, floor in results)
        made.add_row(*line(subject, results))
        console.print(f"{subject.program} {subject.level}: {len(results)} games, {same} replayed")
    console.print(made)


if __name__ == "__main__":
    main()
