"""How many mines boards have that the user was asked about.

They are kept in `mines.json` in the data folder, by program and size. Delete that file to be asked
again.
"""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Final

from gui.settings import data_folder
from vision.files import read_whole, write_whole
from vision.numbers.mines import KnownMines, SizedBoard, sized_board
from vision.skins import Skin
from vision.windows import Window

_MOST_BYTES: Final = 1_000_000
_MOST: Final = 1_000
"""Answers that are kept, the newest."""


def mines_file() -> Path:
    """Return where the answers are kept."""
    return data_folder() / "mines.json"


class KeptMines(KnownMines):
    """What counters have shown, in memory, and what the user said, in a file."""

    def __init__(self) -> None:
        super().__init__()
        self._said: dict[SizedBoard, int] = {}
        self._read_at: int | None = None

    def recall(self, window: Window | None, skin: Skin, rows: int, cols: int) -> int | None:
        """Return how many mines a board of that size has; None if that is not known."""
        known = super().recall(window, skin, rows, cols)
        return self.said(window, skin, rows, cols) if known is None else known

    def said(self, window: Window | None, skin: Skin, rows: int, cols: int) -> int | None:
        """Return how many mines the user said that a board of that size has; None for nothing."""
        return self._answers().get(sized_board(window, skin, rows, cols))

    def keep(self, window: Window | None, skin: Skin, rows: int, cols: int, mines: int) -> None:
        """Keep what the user said; if the file cannot be written, it holds for this process."""
        super().keep(window, skin, rows, cols, mines)
        board = sized_board(window, skin, rows, cols)
        answers = {one: number for one, number in self._answers().items() if one != board}
        self._said = dict([*answers.items(), (board, mines)][-_MOST:])
        lines = [[*one, number] for one, number in self._said.items()]
        with suppress(OSError):
            mines_file().parent.mkdir(parents=True, exist_ok=True)
            write_whole(mines_file(), json.dumps(lines).encode())
            self._read_at = mines_file().stat().st_mtime_ns

    def _answers(self) -> dict[SizedBoard, int]:
        """Return what the file holds; another process may have written it."""
        try:
            written_at = mines_file().stat().st_mtime_ns
        except OSError:
            written_at = None
        if written_at != self._read_at:
            self._read_at, self._said = written_at, _read()
        return self._said


def _read() -> dict[SizedBoard, int]:
    """Return what is kept; nothing of a file that is missing or of another form."""
    kept: object = None
    with suppress(OSError, ValueError, RecursionError):
        kept = json.loads(read_whole(mines_file(), _MOST_BYTES))
    said = {}
    for line in kept if isinstance(kept, list) else []:
        match line:
            case [str(window_class), str(title), int(rows), int(cols), int(mines)]:
                if 0 < mines < rows * cols:
                    said[SizedBoard(window_class, title, rows, cols)] = mines
            case _:
                continue
    return said
