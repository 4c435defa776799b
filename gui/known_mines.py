"""How many mines boards have that the user was asked about.

They are kept in `mines.json` in the data folder, by program and size, with what was found out about
the numbers beside the boards. Delete that file to be asked again.
"""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Final

from gui.settings import data_folder
from vision.files import read_whole, write_whole
from vision.numbers.mines import KnownMines, SizedBoard, program_of, sized_board
from vision.skins import Skin
from vision.windows import Window

_MOST_BYTES: Final = 1_000_000
_MOST: Final = 1_000
"""Answers and programs that are kept, the newest."""


def mines_file() -> Path:
    """Return where the answers are kept."""
    return data_folder() / "mines.json"


class KeptMines(KnownMines):
    """What counters have shown, in memory, and what the user said, in a file."""

    def __init__(self) -> None:
        super().__init__()
        self._said: dict[SizedBoard, int] = {}
        self._numbers: dict[tuple[str, str], frozenset[int]] = {}
        self._read_at: int | None = None

    def recall(self, window: Window | None, skin: Skin, rows: int, cols: int) -> int | None:
        """Return how many mines a board of that size has; None if that is not known."""
        known = super().recall(window, skin, rows, cols)
        return self.said(window, skin, rows, cols) if known is None else known

    def said(self, window: Window | None, skin: Skin, rows: int, cols: int) -> int | None:
        """Return how many mines the user said that a board of that size has; None for nothing."""
        self._read()
        return self._said.get(sized_board(window, skin, rows, cols))

    def keep(self, window: Window | None, skin: Skin, rows: int, cols: int, mines: int) -> None:
        """Keep what the user said; if the file cannot be written, it holds for this process."""
        super().keep(window, skin, rows, cols, mines)
        self._read()
        board = sized_board(window, skin, rows, cols)
        self._said.pop(board, None)
        self._said[board] = mines
        self._write()

    def alone_fits(self, window: Window | None, skin: Skin) -> frozenset[int] | None:
        """Return what is known of the only number beside a board, as `KnownMines` does."""
        self._read()
        return self._numbers.get(program_of(window, skin))

    def note_alone(self, window: Window | None, skin: Skin, value: int, *, fits: bool) -> None:
        """Keep whether the only number beside a fresh board made its mines."""
        before = self.alone_fits(window, skin) or frozenset()
        program = program_of(window, skin)
        self._numbers.pop(program, None)
        self._numbers[program] = before | {value} if fits else frozenset()
        self._write()

    def _read(self) -> None:
        """Read the file if another process has written it."""
        try:
            written_at = mines_file().stat().st_mtime_ns
        except OSError:
            written_at = None
        if written_at == self._read_at:
            return
        self._read_at, self._said, self._numbers = written_at, {}, {}
        kept: object = None
        with suppress(OSError, ValueError, RecursionError):
            kept = json.loads(read_whole(mines_file(), _MOST_BYTES))
        match kept:
            case {"boards": [*boards], "numbers": [*numbers]}:
                self._take(boards, numbers)

    def _take(self, boards: list[object], numbers: list[object]) -> None:
        for line in boards:
            match line:
                case [str(window_class), str(title), int(rows), int(cols), int(mines)]:
                    if 0 < mines < rows * cols:
                        self._said[SizedBoard(window_class, title, rows, cols)] = mines
        for line in numbers:
            match line:
                case [str(window_class), str(title), [*values]]:
                    fitting = frozenset(value for value in values if isinstance(value, int))
                    self._numbers[window_class, title] = fitting

    def _write(self) -> None:
        boards = [[*one, number] for one, number in self._said.items()]
        numbers = [[*program, sorted(values)] for program, values in self._numbers.items()]
        kept = {"boards": boards[-_MOST:], "numbers": numbers[-_MOST:]}
        with suppress(OSError):
            mines_file().parent.mkdir(parents=True, exist_ok=True)
            write_whole(mines_file(), json.dumps(kept).encode())
            self._read_at = mines_file().stat().st_mtime_ns
