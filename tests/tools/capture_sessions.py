"""Record games of the real programs with rare tiles.

    python -m tests.tools.capture_sessions FOLDER [TAKE...]

Each take is played on a private screen, game after game, until one shows the wanted states: crowded
boards for high hints, wrong flags, question marks, losses. The audit compares its hints with the
mines that its end revealed, and its marks must be where they were set; else nothing is kept. Check
a recording manually before adding it to the corpus.
"""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.board import COVERED, EXPLODED, FLAG, MINE, MISFLAG, QUESTION, Board, Cell
from bot.effects import is_restart
from bot.frame import Reading, Status
from bot.loop import Turn
from bot.metrics import hints_of
from bot.mouse import ClickChecks, ClickStyle, ClickTiming, Mouse
from bot.planner import Action, Move
from bot.waiting import wait_until_stable, with_retries
from gui.private_screen import PrivateScreen
from tests.support.games import start
from tests.support.readings import recorded_boards
from tests.support.real_programs import PROGRAMS
from tests.support.runs import audited
from tests.support.shown import windows_shown
from tests.support.xclient import button_held
from tests.tools.capture_looks import CENTERS, ZERO, every_hint
from vision.desktop import Screen, desktop
from vision.focus import Dialogs, take_focus
from vision.reader import Reader
from vision.sessions import SessionInfo, load_session
from vision.sessions.writer import SessionWriter, record
from vision.skins import SkinLibrary

SIZE: Final = (1600, 1000)
_STARTED: Final = "2026-11-21T12:30:00+00:00"
_BETWEEN_KEYS: Final = 0.1
"""Seconds between two keys in a menu."""

Plan = Callable[["Take", Board, int, random.Random], tuple[Move, ...]]
"""A function that returns the moves of a turn, by the take, the board and the number of the
turn."""


def reckless(take: Take, board: Board, number: int, rng: random.Random) -> tuple[Move, ...]:
    """Open a cell, then set the marks, then open cells at random, regardless of the hints."""
    closed = list(board.cells(COVERED))
    if number == 1 and take.flags:
        return _flags(rng.sample(closed, take.flags))
    if number == 2 and take.questions:
        return _flags(list(board.cells(FLAG))[: take.questions])
    return _opens(rng.sample(closed, min(take.batch, len(closed))))


def knowing(take: Take, board: Board, _number: int, _rng: random.Random) -> tuple[Move, ...]:
    """Open every safe cell of a prepared board, a part of them at a time."""
    mines = laid_mines(take)
    closed = [cell for cell in board.cells(COVERED) if not mines[cell]]
    return _opens(closed[: take.batch])


def overflagging(take: Take, board: Board, number: int, _rng: random.Random) -> tuple[Move, ...]:
    """Set one flag too many around every hint but the eight; then open a mine."""
    if number == 0:
        return _opens([cell for cell in (*CENTERS, ZERO) if board[cell] == COVERED])
    if number == 1:
        return _flags([c for cell in CENTERS[:-1] for c in _around(board, cell)[: board[cell] + 1]])
    mines = laid_mines(take)
    return _opens([cell for cell in board.cells(COVERED) if mines[cell]][:1])


def _around(board: Board, center: Cell) -> list[Cell]:
    closed = (COVERED, FLAG)
    return [
        cell
        for cell in board.cells()
        if max(abs(cell.row - center.row), abs(cell.col - center.col)) == 1
        and board[cell] in closed
    ]


def _opens(cells: Sequence[Cell]) -> tuple[Move, ...]:
    return tuple(Move(Action.OPEN, cell, 0.5) for cell in cells)


def _flags(cells: Sequence[Cell]) -> tuple[Move, ...]:
    return tuple(Move(Action.FLAG, cell) for cell in cells)


@dataclass(frozen=True)
class Take:
    """The program to play, and the states that must be seen."""

    program: str
    level: str
    wanted: frozenset[int]
    """Tile codes that one game must show."""
    options: Mapping[str, str] = field(default_factory=dict)
    plan: Plan = reckless
    flags: int = 0
    """Number of cells that are flagged after the first one is opened."""
    questions: int = 0
    """Number of these that are marked a second time."""
    batch: int = 1
    """Number of cells that are opened at once."""
    first: Cell | None = None
    """The cell that is open from the start, on a board with prepared mines."""
    ending: tuple[str, ...] = ()
    """Keys that make the program show states that a loss does not."""


LOST: Final = frozenset({FLAG, EXPLODED, MINE, MISFLAG})
SHOWN: Final = frozenset({EXPLODED, MINE})
_SOLVE: Final = ("f10", *["down"] * 10, "enter")
"""Keys in sgt-mines' menu that show the mines and the wrong flags after a loss."""
TAKES: Final[Mapping[str, Take]] = (
    {
        f"{program}-crowded-{hint}": Take(program, "17x15x180", LOST | {hint}, flags=6)
        for program in ("winemine", "xdemineur")
        for hint in (6, 7, 8)
    }
    | {
        "winemine-marks": Take(
            "winemine", "12x10x20", LOST | {QUESTION}, {"mark": "1"}, flags=8, questions=3
        ),
        "xdemineur-marks": Take("xdemineur", "14x12x90", LOST | {QUESTION}, flags=8, questions=3),
    }
    | {
        f"sgt-mines-crowded-{tile}": Take(
            "sgt-mines",
            "17x15x120",
            frozenset({6, 7, 8}),
            {"tile": str(tile)},
            knowing,
            batch=70,
            first=Cell(0, 0),
        )
        for tile in (14, 20, 27, 36)
    }
    | {
        "sgt-mines-overflagged": Take(
            "sgt-mines",
            "19x7x36",
            LOST | set(range(9)),
            plan=overflagging,
            first=CENTERS[0],
            ending=_SOLVE,
        )
    }
    | {
        f"kmines-{theme.partition('-')[0]}-marks": Take(
            "kmines",
            "10x10x28",
            LOST | {QUESTION},
            {"theme": theme, "question": "true", "geometry": "900x460"},
            flags=7,
            questions=2,
        )
        for theme in ("green", "graveyard-mayhem")
    }
    | {
        # A lost board shows every hint: six to eight occur by chance, in time.
        f"{name}-hint-{hint}": Take("xbomb", level, SHOWN | {hint}, batch=12)
        for name, level, hints in (
            ("xbomb", "expert", (6, 7, 8)),
            ("xbomb-large", "beginner", (5, 6, 7)),
        )
        for hint in hints
    }
)


def laid_mines(take: Take) -> NDArray[np.bool_]:
    """Return (rows, cols) bool: the mines of a prepared board, which has every hint."""
    if take.plan is overflagging:
        return every_hint()
    rows, cols, mines = PROGRAMS[take.program].level(take.level)
    for seed in count():
        cells = np.zeros(rows * cols, dtype=bool)
        cells[1 : 1 + mines] = True
        np.random.default_rng(seed).shuffle(cells[1:])
        laid = cells.reshape(rows, cols)
        if set(hints_of(laid)[~laid].tolist()) == set(range(9)):
            return laid
    raise AssertionError


def _options(take: Take) -> dict[str, str]:
    """Return the program's options: for a prepared board every mine, in sgt-mines' format."""
    if take.first is None:
        return dict(take.options)
    mines = laid_mines(take)
    bits = np.packbits(mines.ravel()).tobytes().hex()[: -(-mines.size // 4)]
    rows, cols = mines.shape
    return {**take.options, "game": f"{cols}x{rows}:{take.first.col},{take.first.row},u{bits}"}


class Player:
    """Plays the only game on this process's screen.

    Args:
        take: What is played.
        screen: Captures.
        rng: Chooses the cells.
    """

    def __init__(self, take: Take, screen: Screen, rng: random.Random) -> None:
        program = PROGRAMS[take.program]
        self._take, self._rng = take, rng
        self._stop = threading.Event()
        mines = program.level(take.level).mines
        self._reader = Reader(screen, SkinLibrary().skins(), window=program.title, mines=mines)
        self._reader.allow_unknown = False
        self._reader.look()
        self.skin = self._reader.skin
        self._dialogs = Dialogs(self._reader.window, lambda: self.skin)
        self._hand = Mouse(
            desktop().open_pointer(),
            ClickChecks(self._reader.guard, button_held),
            self._stop,
            screen.region,
            style=lambda: ClickStyle(ClickTiming(self.skin.hold)),
        )
        self._see = with_retries(
            lambda last, patience: wait_until_stable(self._look, self._stop.wait, last, patience),
            self._act,
        )

    def turns(self) -> Iterator[Turn]:
        """Yield the turns of game after game, each before it is carried out."""
        last: Turn | None = None
        while True:
            reading = self._see(last)
            if reading.status is Status.LOST and self._take.ending:
                reading = self._after_the_end()
            number = 0 if last is None or is_restart(last.moves) else last.number + 1
            over = reading.status.over
            moves = () if over else self._take.plan(self._take, reading.board, number, self._rng)
            moves = moves or (Move(Action.RESTART),)
            last = Turn(number, reading, None, moves, {}, self._hand.pop_events())
            yield last
            self._act(last)

    def _act(self, turn: Turn) -> None:
        key = self.skin.restart.key
        if is_restart(turn.moves) and turn.reading.grid.face is None and key is not None:
            self._reader.focus(self._stop.wait)
            self._hand.press(key)
        else:
            self._hand.act(turn)

    def _look(self) -> Reading:
        reading = self._reader.look()
        dialog = self._dialogs.open_dialog() if reading.status is not Status.PLAYING else None
        key = self._dialogs.key_of(dialog) if dialog is not None else None
        if dialog is not None and key is not None:
            take_focus(dialog, self._stop.wait)
            self._hand.press(key)
        return reading

    def _after_the_end(self) -> Reading:
        self._reader.focus(self._stop.wait)
        for key in self._take.ending:
            self._hand.press(key)
            self._stop.wait(_BETWEEN_KEYS)
        return self._see(None)


def play(take: Take, folder: Path, seed: int) -> Path:
    """Play until a game shows the wanted states; return its session's folder."""
    with desktop().open_screen() as screen:
        player = Player(take, screen, random.Random(seed))
        info = SessionInfo(
            version="0.1.0",
            started=_STARTED,
            window=PROGRAMS[take.program].title,
            skin=player.skin.name,
            solver="none",
            style=take.plan.__name__,
        )
        games = (folder / str(number) for number in count())
        last = folder

        def begin() -> SessionWriter:
            nonlocal last
            last = next(games)
            return SessionWriter(last, info)

        shown: set[int] = set()
        for turn in record(player.turns(), begin):
            shown |= set(np.unique(turn.reading.board.tiles).tolist())
            if turn.reading.status.over:
                if take.wanted <= shown:
                    return last
                shutil.rmtree(last)
                shown = set()
    raise AssertionError


def check(folder: Path) -> None:
    """Compare a session with its end, and its marks with the clicks.

    Raises:
        RuntimeError: The session differs from the played game.
    """
    session = load_session(folder)
    findings = [f"turn {one.turn}: {one.what}" for one in audited([session]).findings]
    marks = np.zeros(next(recorded_boards(session)).tiles.shape, int)
    for turn in session.turns():
        board = turn.reading.board.tiles
        marked = np.isin(board, (FLAG, QUESTION, MISFLAG))
        if turn.reading.status is Status.PLAYING:
            expected = np.select([marks == 1, marks == 2], [FLAG, QUESTION], 0)
            if (np.where(marked, board, 0) != expected).any():
                findings.append(f"turn {turn.number}: the marks are not where they were set")
        elif turn.reading.status is Status.LOST and (marked & (marks == 0)).any():
            findings.append(f"turn {turn.number}: a mark that nobody set")
        for move in turn.moves:
            if move.action is Action.FLAG and move.cell is not None:
                marks[move.cell] += 1
    if findings:
        raise RuntimeError(f"{folder}: {'; '.join(findings)}")


def take_one(name: str, target: Path, seed: int = 1) -> None:
    """Play one take on a private screen, check it, and keep it."""
    chosen = TAKES[name]
    with TemporaryDirectory() as home, PrivateScreen(*SIZE) as screen:
        screen.adopt()
        environment, own = screen.environment, Path(home) / "program"
        with start(chosen.program, chosen.level, environment, own, _options(chosen)):
            windows_shown(environment, PROGRAMS[chosen.program].title)
            kept = play(chosen, Path(home), seed)
        check(kept)
        shutil.rmtree(target / name, ignore_errors=True)
        shutil.copytree(kept, target / name)


def main(arguments: Sequence[str]) -> int:
    """Record all takes, or the given ones; each in a separate process, as Xlib keeps its screen."""
    folder = Path(arguments[0])
    names = arguments[1:] or list(TAKES)
    if len(names) == 1:
        take_one(names[0], folder)
        return 0
    for name in names:
        subprocess.run(
            [sys.executable, "-m", "tests.tools.capture_sessions", folder, name], check=True
        )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
