"""Programs that the user said to play, and boards that they said are visible as a whole.

They are kept in `confirmations.json` in the data folder. Delete that file to be asked again.
"""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from gui.settings import data_folder

_MOST_BYTES: Final = 1_000_000
_MOST: Final = 1_000
"""Of each kind that are kept, the newest."""


class ConfirmedProgram(NamedTuple):
    """A program that no skin names, and that the user said to play."""

    window_class: str
    title: str
    """The window's title: a class may be a browser's, whose pages are different programs."""


class ConfirmedBoard(NamedTuple):
    """What the boards have in common that one answer holds for."""

    window_class: str
    title: str
    """The window's title; empty if the skin names the program by its window's class."""
    skin: str
    rows: int
    cols: int


Confirmed = ConfirmedProgram | ConfirmedBoard
_KINDS: Final[dict[type, str]] = {ConfirmedProgram: "programs", ConfirmedBoard: "boards"}


def confirmations_file() -> Path:
    """Return where they are kept."""
    return data_folder() / "confirmations.json"


def is_confirmed(one: Confirmed) -> bool:
    """Return whether the user confirmed that program, or such a board."""
    return list(one) in _kept()[_KINDS[type(one)]]


def keep_confirmed(*confirmed: Confirmed) -> None:
    """Keep what was confirmed; if the file cannot be written, the user is asked another time."""
    from vision.files import write_whole  # noqa: PLC0415 - loads OpenCV

    kept = _kept()
    for one in confirmed:
        kind = _KINDS[type(one)]
        kept[kind] = [*(other for other in kept[kind] if other != list(one)), list(one)][-_MOST:]
    with suppress(OSError):
        confirmations_file().parent.mkdir(parents=True, exist_ok=True)
        write_whole(confirmations_file(), json.dumps(kept).encode())


def _kept() -> dict[str, list[object]]:
    """Return what is kept of each kind; nothing if the file is missing or of another form."""
    from vision.files import read_whole  # noqa: PLC0415

    kept: object = None
    with suppress(OSError, ValueError, RecursionError):
        kept = json.loads(read_whole(confirmations_file(), _MOST_BYTES))
    of_kind = {kind: kept.get(kind) if isinstance(kept, dict) else None for kind in _KINDS.values()}
    return {kind: list(one) if isinstance(one, list) else [] for kind, one in of_kind.items()}
