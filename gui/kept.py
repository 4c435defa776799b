"""What the user has answered about programs, kept in the data folder for all later runs.

`mines.json` holds how many mines boards have that the user was asked about, by program and size,
which numbers were wrong, and what was found out about the numbers beside the boards.
`confirmations.json` holds the programs that the user said to play, and the boards that they said
are visible as a whole. Delete a file to be asked again. The page Skins shows the answers, and
forgets single ones.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from threading import RLock
from typing import Final, NamedTuple

from gui.settings import data_folder
from vision.files import read_whole, write_whole
from vision.numbers.mines import KnownMines, SizedBoard, program_of
from vision.skins import Skin
from vision.windows import Window

_MOST_BYTES: Final = 1_000_000
_MOST: Final = 1_000
"""Rows of each kind that are kept, the newest."""

_MINES_FILE: Final = "mines.json"
_CONFIRMATIONS_FILE: Final = "confirmations.json"
_BOARDS: Final = "boards"
_NUMBERS: Final = "numbers"
_REFUTED: Final = "refuted"
_PROGRAMS: Final = "programs"

Row = list[object]


class KeptRows:
    """Rows of several kinds in one file. Each row begins with its key.

    A file that another process has written is read again. A file of another form holds nothing,
    and if the file cannot be written, the rows hold for this process.

    Args:
        name: Of the file.

    Attributes:
        lock: Held by each method; hold it to read and write in one step.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self.lock = RLock()
        self._rows: dict[str, list[Row]] = {}
        self._read_at: tuple[Path, int, int] | None = None

    @property
    def path(self) -> Path:
        """Where the rows are kept."""
        return data_folder() / self._name

    def rows(self, kind: str) -> list[Row]:
        """Return the rows of a kind, the newest first."""
        with self.lock:
            self._read()
            return self._rows.get(kind, [])[::-1]

    def put(self, kind: str, key: Sequence[object], *values: object) -> None:
        """Keep a row in the place of the one with the same key."""
        with self.lock:
            self.remove(kind, key, write=False)
            self._rows.setdefault(kind, []).append([*key, *values])
            self._write()

    def remove(self, kind: str, key: Sequence[object], *, write: bool = True) -> None:
        """Forget the row with that key."""
        with self.lock:
            self._read()
            rows = self._rows.get(kind, [])
            left = [row for row in rows if row[: len(key)] != list(key)]
            self._rows[kind] = left
            if write and len(left) != len(rows):
                self._write()

    def _read(self) -> None:
        stamp = self._stamp()
        if stamp == self._read_at:
            return
        kept: object = None
        with suppress(OSError, ValueError, RecursionError):
            kept = json.loads(read_whole(self.path, _MOST_BYTES))
        kinds = kept.items() if isinstance(kept, dict) else ()
        self._rows = {
            kind: [row for row in rows if isinstance(row, list)]
            for kind, rows in kinds
            if isinstance(rows, list)
        }
        self._read_at = stamp

    def _write(self) -> None:
        self._rows = {kind: rows[-_MOST:] for kind, rows in self._rows.items()}
        with suppress(OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self.path, json.dumps(self._rows).encode())
            self._read_at = self._stamp()

    def _stamp(self) -> tuple[Path, int, int] | None:
        """Return what changes when the file is written; None if there is no file."""
        try:
            stat = self.path.stat()
        except OSError:
            return None
        return self.path, stat.st_ino, stat.st_mtime_ns


# The numbers of mines


def mines_file() -> Path:
    """Return where the answers are kept."""
    return KeptRows(_MINES_FILE).path


class KeptMines(KnownMines):
    """What counters have shown, in memory, and what the user said, in a file.

    One object may be used by several threads.
    """

    def __init__(self) -> None:
        super().__init__()
        self._kept = KeptRows(_MINES_FILE)

    def alone_fits(self, window: Window | None, skin: Skin) -> frozenset[int] | None:
        """Return what is known of the only number beside a board, as `KnownMines` does."""
        program = program_of(window, skin)
        for row in self._kept.rows(_NUMBERS):
            match row:
                case [str(window_class), str(title), [*values]] if (window_class, title) == program:
                    return frozenset(value for value in values if isinstance(value, int))
        return None

    def note_alone(self, window: Window | None, skin: Skin, value: int, *, fits: bool) -> None:
        """Keep whether the only number beside a fresh board made its mines."""
        with self._kept.lock:
            before = self.alone_fits(window, skin) or frozenset()
            values = sorted(before | {value}) if fits else []
            self._kept.put(_NUMBERS, program_of(window, skin), values)

    def _refutes(self, board: SizedBoard, mines: int) -> bool:
        return [*board, mines] in self._kept.rows(_REFUTED)

    def _put_refuted(self, board: SizedBoard, mines: int) -> None:
        self._kept.put(_REFUTED, [*board, mines])

    def _answers(self) -> list[tuple[SizedBoard, int]]:
        answers = []
        for row in self._kept.rows(_BOARDS):
            match row:
                case [str(window_class), str(title), int(rows), int(cols), int(mines)]:
                    if 0 < mines < rows * cols:
                        answers.append((SizedBoard(window_class, title, rows, cols), mines))
        return answers

    def _put(self, board: SizedBoard, mines: int | None) -> None:
        if mines is None:
            self._kept.remove(_BOARDS, board)
        else:
            self._kept.put(_BOARDS, board, mines)


# What was confirmed


class ConfirmedProgram(NamedTuple):
    """A program that no bundled skin names, and that the user said to play."""

    window_class: str
    title: str
    """The window's title, with 0 for each number in it: a class may be a browser's, whose pages
    are different programs."""


class ConfirmedBoard(NamedTuple):
    """What the boards have in common that one answer holds for."""

    window_class: str
    title: str
    """As in `ConfirmedProgram`; empty if a bundled skin names the program by its class."""
    skin: str
    rows: int
    cols: int


Confirmed = ConfirmedProgram | ConfirmedBoard
_KINDS: Final[dict[type, str]] = {ConfirmedProgram: _PROGRAMS, ConfirmedBoard: _BOARDS}
_KEPT: Final = KeptRows(_CONFIRMATIONS_FILE)


def confirmations_file() -> Path:
    """Return where they are kept."""
    return _KEPT.path


def is_confirmed(one: Confirmed) -> bool:
    """Return whether the user confirmed that program, or such a board."""
    return list(one) in _KEPT.rows(_KINDS[type(one)])


def keep_confirmed(*confirmed: Confirmed) -> None:
    """Keep what was confirmed."""
    for one in confirmed:
        _KEPT.put(_KINDS[type(one)], one)


# What the page Skins shows


class KeptAnswer(NamedTuple):
    """A row of the files, to be shown and forgotten."""

    file: str
    kind: str
    row: tuple[object, ...]

    @property
    def program(self) -> tuple[str, str]:
        """The window's class and title, the latter empty if a bundled skin names the program."""
        return str(self.row[0]), str(self.row[1])

    @property
    def mines(self) -> tuple[int, int, int] | None:
        """Rows, columns and mines of a board, if that is what was answered."""
        match self.file, self.row:
            case _, (_, _, int(rows), int(cols), int(mines)) if self.file == _MINES_FILE:
                return rows, cols, mines
        return None

    @property
    def words(self) -> str:
        """What was answered, or found out, in words."""
        match self.kind, self.row:
            case _ if self.mines is not None:
                rows, cols, mines = self.mines
                return f"{cols} columns, {rows} rows: {mines} mines, as you said"
            case "numbers", (_, _, [*values]) if values:
                shown = " and ".join(map(str, values))
                return f"The only number beside the board was its number of mines: {shown}"
            case "numbers", _:
                return "The only number beside the board does not count its mines"
            case "programs", _:
                return "You said that this is the game to play"
            case _, (_, _, _, int(rows), int(cols)):
                return f"You said that {cols} columns and {rows} rows are the whole board"
        return ""

    def forget(self) -> None:
        """Remove it: the user is asked again, or it is found out again."""
        KeptRows(self.file).remove(self.kind, self.row)


def kept_answers() -> list[KeptAnswer]:
    """Return all answers that can be shown, the newest first."""
    kinds = (
        (_CONFIRMATIONS_FILE, _PROGRAMS),
        (_CONFIRMATIONS_FILE, _BOARDS),
        (_MINES_FILE, _BOARDS),
        (_MINES_FILE, _NUMBERS),
    )
    answers = [
        KeptAnswer(file, kind, tuple(row))
        for file, kind in kinds
        for row in KeptRows(file).rows(kind)
        if len(row) > 1
    ]
    return [one for one in answers if one.words]
