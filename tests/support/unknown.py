"""A program of the family, played by the command for the first time, with a user at the terminal.

`play_unknown` runs `minesweeper-bot play --yes` in a pseudo-terminal, with a data folder of its
own, on a private screen. What the command asks is answered like a user would: a tile by its
picture, the mines and the restart by the program's options. `Outcome` contains the result, by the
program's own reports.
"""

from __future__ import annotations

import os
import pty
import re
import select
import shutil
import signal
import subprocess
import termios
import time
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.board import Cell
from bot.frame import Grid, Point, Region
from gui.images import from_qimage
from gui.panel.private_game import live_picture
from gui.private_screen import PrivateScreen
from tests.support.family.options import Options
from tests.support.programs import Running, start
from tests.support.runs import BOT, environment, sessions
from vision.learning.button import numbered
from vision.sessions import Session, TurnRecord

SIZE: Final = (1280, 960)
_SECONDS: Final = 90.0, 45.0
"""Time limits in seconds for a run, and for each of its games: then it is interrupted, as by
Ctrl-C."""
_QUESTIONS: Final = 12
"""Number of questions after which the user ends the run."""
_QUIET: Final = 0.4
"""Seconds without output after which the last line is a question."""
_ALIKE: Final = 24.0
"""Largest mean difference of two pictures of the same tile, in levels of a colour channel."""
_LATE: Final = 2.0
"""Seconds by which a picture may be older than the program's report, on a busy machine."""
_CONTROL: Final = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|[^\n\r]*\r(?!\r*\n)|\r")
"""Control sequences of a terminal, and lines that are rewritten, such as a progress bar."""
_STATES: Final = {".": "0", "#": "covered", "F": "flag", "*": "mine", "!": "exploded",
                  "x": "misflag"}  # fmt: skip
"""A board's characters as typed answers to the command; digits are unchanged."""
_RED: Final = (0, 0, 255)


@dataclass
class Outcome:
    """The result of playing a combination."""

    options: str
    found: bool = False
    """Whether a recorded turn has the board's position and size."""
    misplaced: int = 0
    """Recorded turns with another position or size."""
    questions: list[str] = field(default_factory=list)
    """Kind and answer of each question."""
    played: int = 0
    code: int | None = 0
    """The command's exit code; None if it had to be ended."""
    wrong: list[str] = field(default_factory=list)
    """The misreads: the true and the read state, with the number of cells."""
    printed: str = field(default="", repr=False)
    """The command's output."""
    events: list[dict[str, Any]] = field(default_factory=list, repr=False)
    """The program's reports."""

    @property
    def asked_restart(self) -> int:
        """Number of questions about the start of the next game."""
        return sum(question.startswith("restart") for question in self.questions)


def play_unknown(
    options: Options,
    games: int,
    folder: Path,
    further: Sequence[str] = (),
    after: Path | None = None,
) -> Outcome:
    """Start a program on a screen of its own, let it be played, and compare with its reports.

    Args:
        options: The options of the program.
        games: Number of games.
        folder: An empty folder for all output. Its subfolder `bot` is the data folder.
        further: More arguments of `minesweeper-bot play`.
        after: The folder of an earlier run, whose data is used; its recordings are not.
    """
    home, outcome = folder / "bot", Outcome(str(options))
    if after is not None:
        shutil.copytree(after / "bot", home, ignore=shutil.ignore_patterns("sessions"))
    seed = zlib.crc32(str(options).encode())
    with (
        PrivateScreen(*SIZE) as screen,
        start(options, screen.environment, folder / "program", seed) as game,
    ):
        user = _User(game, options, screen, outcome)
        command = ["play", "--window", options.title, "--yes", "--no-panel", *further]
        variables = environment(home, screen) | {"TERM": "xterm", "NO_COLOR": "1"}
        variables.pop("COLORTERM", None)
        outcome.printed, outcome.code = in_terminal(
            [*BOT, *command, "--games", str(games)],
            variables,
            user.answer,
            _SECONDS[0] + games * _SECONDS[1],
        )
        outcome.events = game.events()
        _judge(outcome, game, sessions(home))
    return outcome


def in_terminal(
    command: Sequence[str],
    variables: dict[str, str],
    answer: Callable[[str], str | None],
    seconds: float,
) -> tuple[str, int | None]:
    """Run a command in a terminal; return its output, and its exit code.

    Args:
        command: The command; all its processes have ended on return.
        variables: The environment.
        answer: Gets the output since the last answer if the command waits; returns the text to
            type, None to interrupt it.
        seconds: Time after which it is interrupted.
    """
    terminal, its = pty.openpty()
    flags = termios.tcgetattr(its)
    flags[3] &= ~termios.ECHO
    termios.tcsetattr(its, termios.TCSANOW, flags)
    process = subprocess.Popen(
        command, env=variables, stdin=its, stdout=its, stderr=its, start_new_session=True
    )
    os.close(its)
    printed, since, deadline, interrupted = "", "", time.monotonic() + seconds, False
    try:
        while True:
            if time.monotonic() > deadline:
                if interrupted:
                    return printed + _CONTROL.sub("", since), None
                os.killpg(process.pid, signal.SIGINT)
                interrupted, deadline = True, time.monotonic() + 30
            if select.select([terminal], [], [], _QUIET)[0]:
                try:
                    new = os.read(terminal, 1 << 16)
                except OSError:
                    # A terminal ends like this when its last program has ended.
                    break
                since += new.decode(errors="replace")
            elif (text := _CONTROL.sub("", since)).endswith((": ", "? ")) or "Press Enter" in text:
                typed = answer(text)
                printed, since = printed + text, ""
                if typed is None:
                    deadline = 0.0
                else:
                    printed += f"<{typed}>\n"
                    os.write(terminal, f"{typed}\n".encode())
        return printed + _CONTROL.sub("", since), process.wait(30)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        os.close(terminal)


class _User:
    """Answers the command's questions, and records them in the outcome.

    Args:
        game: The running program, with its reports.
        options: The program's options.
        screen: The program's screen.
        outcome: Receives the questions.
    """

    def __init__(
        self, game: Running, options: Options, screen: PrivateScreen, outcome: Outcome
    ) -> None:
        self._game = game
        self._options = options
        self._screen = screen
        self._asked = outcome.questions

    def answer(self, text: str) -> str | None:
        """Return the text to type; None to interrupt the run."""
        kind, typed = self._meant(text)
        self._asked.append(f"{kind}: {typed or 'left open'}")
        return typed if len(self._asked) < _QUESTIONS else None

    def _meant(self, text: str) -> tuple[str, str]:
        """Return the kind of a question, and the text to type."""
        kinds: dict[str, tuple[str, Callable[[str], str]]] = {
            "what is this?": ("tile", self._tile),
            "where is the board": ("board", self._board),
            "how many mines": ("mines", lambda _: str(self._options.size[2])),
            "press enter": ("pause", lambda _: ""),
            " closed?": ("dialog", lambda _: "key Return"),
            "next game": ("restart", self._restart),
            "new game": ("restart", self._restart),
            "yes (": ("confirm", lambda _: "yes"),
        }
        for words, (kind, typed) in kinds.items():
            if words in text.lower():
                return kind, typed(text)
        return f"other ({' '.join(text.split())[-120:]})", ""

    def _board(self, text: str) -> str:
        """Return the size of the board, which is suggested at its place."""
        left, top = self._game.events("ready")[-1]["board"]
        named = re.search(r"board is from (\d+),(\d+) to (\d+),(\d+)", text)
        assert named is not None, (text, left, top)
        rows, cols, _ = self._options.size
        cell = round(self._game.events("ready")[-1]["cell"])
        right, bottom = int(named[3]) - int(named[1]), int(named[4]) - int(named[2])
        return f"{cols}x{rows}" if (right, bottom) == (cols * cell, rows * cell) else ""

    def _tile(self, text: str) -> str:
        """Return the state in the picture of a tile; empty if it is no cell of the board."""
        path = re.search(r"its picture: (\S+\.png)", text)
        asked = cv2.imread(path[1]) if path else None
        if asked is None:
            return ""
        screen = from_qimage(live_picture(self._screen.framebuffer))
        ready = self._game.events("ready")[-1]
        rows = self._game.events("board")[-1]["rows"]
        named = re.search(r"like this: row (\d+), column (\d+)", text)
        dialogs = self._game.events("dialog")
        if named and dialogs and dialogs[-1]["shown"]:
            # The dialog may cover the tile: on the screen, another tile would match best.
            sign = rows[int(named[1]) - 1][int(named[2]) - 1]
            return _STATES.get(sign, sign)
        side = round(ready["cell"])
        tile = cv2.resize(asked, (side, side), interpolation=cv2.INTER_NEAREST)
        best, state = _ALIKE, ""
        for row, line in enumerate(rows):
            for col, sign in enumerate(line):
                x, y = self._game.cell(row, col)
                for left, top in product(range(x - side // 2 - 3, x - side // 2 + 4),
                                         range(y - side // 2 - 3, y - side // 2 + 4)):  # fmt: skip
                    cell = screen[top : top + side, left : left + side]
                    apart = float(cv2.absdiff(cell, tile).mean())
                    if apart < best:
                        best, state = apart, _STATES.get(sign, sign)
        return state

    def _restart(self, text: str) -> str:
        """Return the answer about the next game, if the command accepts it."""
        dialogs = self._game.events("dialog")
        in_page = bool(dialogs) and "button" in dialogs[-1]
        if not (in_page or self._game.events("ready")[-1]["button"]):
            return ""
        button = self._game.place(dialogs[-1]["button"]) if in_page else self._game.button
        return frame_at(text, self._screen, button)


def frame_at(text: str, screen: PrivateScreen, point: Point) -> str:
    """Return the number of the frame around a point in the picture of a question.

    Args:
        text: The question, with the path of its picture of the window.
        screen: The screen that it shows.
        point: A point of that screen.

    Returns:
        The number; empty if there is no such frame, or no such picture.
    """
    path = re.search(r"the window: (\S+\.png)", text)
    window = cv2.imread(path[1]) if path else None
    if window is None:
        return ""
    # The picture's position on the screen; its frames and numbers are small.
    shown = from_qimage(live_picture(screen.framebuffer))
    _, _, (x, y), _ = cv2.minMaxLoc(cv2.matchTemplate(shown, window, cv2.TM_SQDIFF))
    return _number_at(window, round(point.x) - x, round(point.y) - y)


def _number_at(window: NDArray[np.uint8], x: int, y: int) -> str:
    """Return the number of the frame around a point, as drawn by `numbered`; empty if none."""
    frames = (window == _RED).all(axis=2).astype(np.uint8)
    outlines, _ = cv2.findContours(frames, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    around = [box for box in (Region(*cv2.boundingRect(line)) for line in outlines)
              if box.contains((x, y))]  # fmt: skip
    if not around:
        return ""
    box = min(around, key=lambda box: box.left)
    # A number is above the corner of its frame, or inside it at the picture's top.
    label = _reddish(window)[
        max(0, box.top - 24) : box.top + 24, max(0, box.left - 8) : box.left + 24
    ]
    apart = {}
    for number in range(1, 10):
        drawn = numbered(
            np.zeros((80, 80, 3), np.uint8),
            [Region(-99, -99, 1, 1)] * (number - 1) + [Region(20, 40, 99, 99)],
        )
        ink = _reddish(drawn[:36])
        left, top, width, height = cv2.boundingRect(ink)
        shape = ink[top - 2 : top + height, left - 2 : left + width + 2]
        apart[number] = float(cv2.matchTemplate(label, shape, cv2.TM_SQDIFF).min())
    return str(min(apart, key=lambda number: apart[number]))


def _reddish(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return 1 for each pixel that is more red than white; letters have no sharp edge."""
    return ((image[..., 2] > 180) & (image[..., :2] < 128).all(axis=2)).astype(np.uint8)


def _judge(outcome: Outcome, game: Running, recorded: Sequence[Session]) -> None:
    """Compare the recording with the program's reports."""
    events = game.events("begin", "board", "end", "ready")
    kinds = {kind: [one for one in events if one["event"] == kind] for kind in
             ("begin", "board", "end", "ready")}  # fmt: skip
    outcome.played = len(kinds["end"])
    wrong: Counter[str] = Counter()
    for record in (record for session in recorded for record in session.records):
        if not _at_its_place(record, game, kinds["ready"][-1], kinds["begin"][-1]):
            outcome.misplaced += 1
            continue
        outcome.found = True
        wrong.update(_misread(record, kinds["board"]))
    outcome.wrong = [f"{what} ({count})" for what, count in wrong.most_common()]


def _at_its_place(
    record: TurnRecord, game: Running, ready: dict[str, Any], begin: dict[str, Any]
) -> bool:
    """Return whether a board was found with its size, and the centres of its opposite corners."""
    grid, rows, cols = Grid(**dict(record.grid)), begin["rows"], begin["cols"]
    if (grid.rows, grid.cols) != (rows, cols):
        return False
    corners = Cell(0, 0), Cell(rows - 1, cols - 1)
    pairs = [(grid.center(cell), game.cell(*cell)) for cell in corners]
    return all(max(abs(a.x - b.x), abs(a.y - b.y)) < ready["cell"] / 4 for a, b in pairs)


def _misread(record: TurnRecord, boards: Sequence[dict[str, Any]]) -> list[str]:
    """Return the misread cells: those that have not shown that state for some time."""
    ends = [board["time"] for board in boards[1:]] + [float("inf")]
    shown = [
        board["rows"]
        for board, end in zip(boards, ends, strict=True)
        if board["time"] <= record.time and end > record.time - _LATE
    ]
    found = []
    for row, line in enumerate(record.board):
        for col, sign in enumerate(line):
            possible = "".join(rows[row][col] for rows in shown)
            if sign not in "~*!" + possible or (
                sign in "*!" and not {"*", "!"}.intersection(possible)
            ):
                found.append(f"{possible[-1:]} as {sign}")
    return found
