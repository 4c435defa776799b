"""Boards that the user confirmed to be visible as a whole.

They are kept in `confirmed-boards.json` in the data folder. Delete that file to be asked again.
"""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from gui.settings import data_folder

_MOST_BYTES: Final = 1_000_000
_MOST: Final = 1_000
"""Boards that are kept, the newest."""


class ConfirmedBoard(NamedTuple):
    """What the boards have in common that one answer holds for."""

    window_class: str
    title: str
    """The window's title; empty if the skin names the program by its window's class.

    A class that no skin names may be a browser's, whose pages are different games.
    """
    skin: str
    rows: int
    cols: int


def confirmed_boards_file() -> Path:
    """Return where the boards are kept."""
    return data_folder() / "confirmed-boards.json"


def is_confirmed(board: ConfirmedBoard) -> bool:
    """Return whether the user confirmed such a board."""
    return list(board) in _kept()


def keep_confirmed(board: ConfirmedBoard) -> None:
    """Keep a board; if the file cannot be written, the user is asked again another time."""
    from vision.files import write_whole  # noqa: PLC0415 - loads OpenCV

    boards = [*(one for one in _kept() if one != list(board)), list(board)][-_MOST:]
    with suppress(OSError):
        confirmed_boards_file().parent.mkdir(parents=True, exist_ok=True)
        write_whole(confirmed_boards_file(), json.dumps(boards).encode())


def _kept() -> list[object]:
    """Return what is kept; nothing if the file is missing or of another form."""
    from vision.files import read_whole  # noqa: PLC0415

    with suppress(OSError, ValueError, RecursionError):
        kept = json.loads(read_whole(confirmed_boards_file(), _MOST_BYTES))
        if isinstance(kept, list):
            return kept
    return []
