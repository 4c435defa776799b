"""Programs that the user said to play, and boards that they said are visible as a whole.

They are kept in `confirmations.json` in the data folder. Delete that file to be asked again.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final, NamedTuple

from gui.kept import KeptRows


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
_KINDS: Final[dict[type, str]] = {ConfirmedProgram: "programs", ConfirmedBoard: "boards"}
_KEPT: Final = KeptRows("confirmations.json")


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
