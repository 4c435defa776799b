r"""Play programs for which there is no skin, and print what became of each.

    python -m tests.tools.unseen_programs FOLDER                        all, five games at scale 1
    python -m tests.tools.unseen_programs FOLDER --scale 1 --scale 1.5 NAME    one, at two scales

Each runs on a private screen of 1600x1000 pixels, with an empty home, and is played by the command
as a new user would: in a terminal, where its questions are answered. A program is a folder below
FOLDER with two files:

- `run.sh` starts it, in the foreground, and scales it by the variable SCALE.
- `meta` has lines `KEY=value`; a line `KEY@1.5=value` holds at that scale only. Positions are
  pixels of the screen.

| key | value |
|---|---|
| `TITLE` | a part of its window's title |
| `TOOLKIT` | what it is made with, for the table |
| `MINES` | the answer to how many mines its board has |
| `SCALES` | the scales at which it can be shown; all if missing |
| `START` | `CLICK x y`: clicks that open the board, before the command is started |
| `ANSWER` | `pattern::answer`: the answer to a question in which the pattern is found. The answer |
|          | `at x y` is the number of the frame around that point in the question's picture |

The table has a row for each program and scale. *At once* means: all games ended, with at most one
question and no error in the recording.
"""

from __future__ import annotations

import re
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from bot.frame import Point
from bot.solver.warmup import PREPARATION
from gui.panel.private_game import live_picture
from gui.private_screen import PrivateScreen
from tests.support import strays
from tests.support.clients import Mice, wait_until
from tests.support.games import private_environment, running
from tests.support.runs import BOT, audited, environment, sessions
from tests.support.shown import windows_shown
from tests.support.unknown import frame_at, in_terminal
from tests.tools.report.console import Console, parser_of

_COLUMNS: Final = ("program", "made with", "scale", "found", "questions", "ended", "won", "errors",
                   "restart by", "s", "at once", "end")  # fmt: skip
_SIZE: Final = (1600, 1000)
_QUESTIONS: Final = 8
"""Number of questions after which the user ends the run."""
_REST: Final = 0.6, 20.0
"""Seconds without a change of the screen after which a program has settled, and the longest time
for that: a clock changes it each second, an animation all the time."""
_RESTART: Final = re.compile(r"Next game by (.+): started")
_RESULT: Final = re.compile(r"^(?:won \d+ of \d+ games?|no game was finished)\b.*$", re.MULTILINE)


@dataclass(frozen=True)
class Played:
    """The result of one program at one scale."""

    program: str
    made_with: str
    scale: str
    games: int
    """Number of games to be played."""
    found: bool = False
    asked: int = 0
    ended: int = 0
    won: int = 0
    errors: int = 0
    """Findings of the audit, and clicks and keys outside of the game and its dialogs."""
    restart: str = "-"
    seconds: float = 0.0
    end: str = ""

    @property
    def at_once(self) -> bool:
        """Whether it was played like a known program."""
        return self.ended == self.games and self.asked <= 1 and not self.errors

    def __str__(self) -> str:
        """Return its row of the table."""
        found, at_once = ("yes" if one else "no" for one in (self.found, self.at_once))
        ended, seconds = f"{self.ended} of {self.games}", f"{self.seconds:.0f}"
        return _row((self.program, self.made_with, self.scale, found, self.asked, ended, self.won,
                     self.errors, self.restart, seconds, at_once, self.end))  # fmt: skip


def _row(cells: Sequence[object]) -> str:
    return f"|{'|'.join(map(str, cells))}|"


def play(folder: Path, scale: str, games: int, seconds: float, home: Path) -> Played:
    """Start a program on a screen of its own, and let it be played.

    Args:
        folder: The program's folder.
        scale: Its scale.
        games: The number of games.
        seconds: Time after which the command is interrupted.
        home: An empty folder for all output; the command's is in `bot/printed.txt`.
    """
    meta = _meta(folder, scale)
    title = meta["TITLE"][0]
    played = Played(folder.name, meta.get("TOOLKIT", ["-"])[0], scale, games)
    bot, program = home / "bot", home / "program"
    with PrivateScreen(*_SIZE) as screen:
        variables = private_environment(screen.environment | {"SCALE": scale}, program)
        command = ["dbus-run-session", "--", "bash", str((folder / "run.sh").resolve())]
        with running(command, variables, program) as process:
            try:
                windows_shown(environment(bot, screen), title, program=process)
            except AssertionError as error:
                sys.stderr.write(f"{error}\n")
                return replace(played, end="no window was opened")
            _settle(screen)
            for start in meta.get("START", []):
                if at := re.fullmatch(r"CLICK (\d+) (\d+)", start):
                    _click(screen, Point(int(at[1]), int(at[2])))
            user = _User(meta, screen)
            begun = time.monotonic()
            printed, code = in_terminal(
                [*BOT, "play", "--window", title, "--games", str(games)],
                environment(bot, screen) | {"TERM": "xterm", "NO_COLOR": "1"},
                user.answer,
                seconds,
            )
            took = time.monotonic() - begun
    bot.mkdir(exist_ok=True)
    (bot / "printed.txt").write_text(printed, encoding="utf-8")
    recorded = sessions(bot)
    audit = audited(recorded)
    return replace(
        played,
        found=bool(recorded or user.asked),
        asked=user.asked,
        ended=audit.won + audit.lost,
        won=audit.won,
        errors=len(audit.findings) + len(strays.found(bot)),
        restart=_restart(bot),
        seconds=took,
        end=_end(printed, code),
    )


def _meta(folder: Path, scale: str) -> dict[str, list[str]]:
    """Return the values of each key in a program's `meta`; those of the scale come first."""
    found: dict[str, list[str]] = {}
    lines = (folder / "meta").read_text(encoding="utf-8").splitlines()
    for line in sorted(lines, key=lambda line: f"@{scale}=" not in line):
        key, _, value = line.partition("=")
        found.setdefault(key.removesuffix(f"@{scale}").strip(), []).append(value.strip())
    return found


def _settle(screen: PrivateScreen) -> None:
    """Wait until the screen has not changed for some time."""
    seen, since = live_picture(screen.framebuffer).copy(), time.monotonic()

    def rests() -> bool:
        nonlocal seen, since
        now = live_picture(screen.framebuffer)
        if now != seen:
            seen, since = now.copy(), time.monotonic()
        return time.monotonic() - since > _REST[0]

    with suppress(AssertionError):
        wait_until(rests, _REST[1])


def _click(screen: PrivateScreen, point: Point) -> None:
    """Click on a screen, and wait until it shows what comes of it."""
    screen.adopt()
    with Mice() as mouse:
        mouse.send(round(point.x), round(point.y))
        # As a person's does, the pointer rests there before the press.
        _settle(screen)
        # Nor is it released at once: some programs look at the button once a frame.
        with mouse.button_down():
            _settle(screen)
        _settle(screen)
        # It then goes to the terminal: a program may draw a pointer of its own over its board.
        mouse.send(0, _SIZE[1] // 2)
    _settle(screen)


class _User:
    """Answers the questions of the command as a program's `meta` says."""

    def __init__(self, meta: dict[str, list[str]], screen: PrivateScreen) -> None:
        self.asked = 0
        """Number of questions."""
        self._meta = meta
        self._screen = screen

    def answer(self, text: str) -> str | None:
        """Return the text to type; None to interrupt the run."""
        self.asked += 1
        return self._meant(text) if self.asked <= _QUESTIONS else None

    def _meant(self, text: str) -> str:
        if re.search(r"How many mines|with \d+ mines\?", text):
            return self._meta.get("MINES", [""])[0]
        if "yes (" in text:
            return "yes"
        for pattern, _, typed in (line.partition("::") for line in self._meta.get("ANSWER", [])):
            if re.search(pattern, text):
                place = re.fullmatch(r"at (\d+) (\d+)", typed)
                if place is None:
                    return typed
                return frame_at(text, self._screen, Point(int(place[1]), int(place[2])))
        return ""


def _restart(home: Path) -> str:
    """Return what started the next games, by the command's log."""
    logs = sorted((home / "log").glob("*.log"))
    text = "".join(file.read_text(encoding="utf-8", errors="replace") for file in logs)
    return ", ".join(dict.fromkeys(_RESTART.findall(text))) or "-"


def _end(printed: str, code: int | None) -> str:
    """Return the first line of why a run ended early; its last line if it has no result."""
    if code is None:
        return "it did not end by itself"
    results = list(_RESULT.finditer(printed))
    after = printed[results[-1].end() :] if results else printed
    lines = [line.strip() for line in after.splitlines() if line.strip()]
    return lines[0 if results else -1] if lines else ""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = parser_of("tests.tools.unseen_programs", __doc__)
    parser.add_argument("folder", type=Path, help="its folders are the programs")
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these of its folders")
    parser.add_argument("--games", type=int, default=5)
    parser.add_argument("--scale", action="append", dest="scales", help="1 by default")
    parser.add_argument("--seconds", type=float, default=250.0, help="longest time of a program")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep all output")
    chosen = parser.parse_intermixed_args(arguments)
    names = chosen.names or sorted(file.parent.name for file in chosen.folder.glob("*/meta"))
    # The first start on a machine compiles for a minute or more.
    PREPARATION.wait()
    say = Console(soft_wrap=True, highlight=False, markup=False).print
    results = []
    say(_row(_COLUMNS))
    say(_row(["---"] * len(_COLUMNS)))
    with tempfile.TemporaryDirectory(prefix="real-programs-") as folder:
        kept = (chosen.keep or Path(folder)).resolve()
        kept.mkdir(parents=True, exist_ok=True)
        for program in (chosen.folder / name for name in names):
            for scale in chosen.scales or ["1"]:
                if scale in _meta(program, scale).get("SCALES", [scale])[0].split():
                    home = Path(tempfile.mkdtemp(prefix=f"{program.name}-{scale}-", dir=kept))
                    results.append(play(program, scale, chosen.games, chosen.seconds, home))
                    say(str(results[-1]))
    at_once = sum(one.at_once for one in results)
    ended, games = sum(one.ended for one in results), sum(one.games for one in results)
    say(f"{at_once} of {len(results)} at once, {ended} of {games} games ended")
    return 0


if __name__ == "__main__":
    sys.exit(main())
