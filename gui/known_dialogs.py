"""Where to click: in the dialogs of a program, as the user said, and to start its next game.

The places are kept in `dialogs.json` in the data folder, by program. Delete that file to be asked
again.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Final, NamedTuple

from gui.kept import KeptRows
from vision.numbers.mines import program_of
from vision.skins import Face, Skin
from vision.windows import Window

_KEPT: Final = KeptRows("dialogs.json")
_PLACES: Final = "places"
_FACES: Final = "faces"

IN_PAGE: Final = ""
"""The title of a dialog that is a box in the game's own window."""


class Place(NamedTuple):
    """Where a dialog is clicked."""

    x: float
    """From its left, as a part of its width."""
    y: float
    """From its top, as a part of its height."""
    across: float = 0.0
    """Of a dialog in the page: from the middle of the board to its own, in cells."""
    down: float = 0.0


def place_in(window: Window | None, skin: Skin, dialog: str) -> Place | None:
    """Return where a dialog of a program is clicked; None if the user has not said so.

    Args:
        window: The program's.
        skin: Of its board.
        dialog: The dialog's title, or `IN_PAGE`.
    """
    key = [*program_of(window, skin), dialog]
    for row in _KEPT.rows(_PLACES):
        match row:
            case [*named, float(x), float(y), float(across), float(down)] if named == key:
                return Place(x, y, across, down) if 0 <= x <= 1 and 0 <= y <= 1 else None
    return None


def keep_place(window: Window | None, skin: Skin, dialog: str, place: Place) -> None:
    """Keep where a dialog of a program is clicked."""
    _KEPT.put(_PLACES, [*program_of(window, skin), dialog], *place)


def forget_place(window: Window | None, skin: Skin, dialog: str) -> None:
    """Forget it: a click there did not close the dialog."""
    _KEPT.remove(_PLACES, [*program_of(window, skin), dialog])


def face_of(window: Window | None, skin: Skin) -> Face | None:
    """Return what starts the next game of a program that a bundled skin merely resembles."""
    key = list(program_of(window, skin))
    for row in _KEPT.rows(_FACES):
        match row:
            case [*named, dict(face)] if named == key:
                with suppress(ValueError):
                    return Face.model_validate(face)
    return None


def keep_face(window: Window | None, skin: Skin, face: Face) -> None:
    """Keep what starts its next game: no skin of the program's own says so."""
    _KEPT.put(_FACES, program_of(window, skin), face.model_dump())


def forget_face(window: Window | None, skin: Skin) -> None:
    """Forget it: a click there did not start a game."""
    _KEPT.remove(_FACES, program_of(window, skin))
