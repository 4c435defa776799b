"""Where the user said to click: in the dialogs of a program, and to start its next game.

The places are kept in `dialogs.json` in the data folder, by program. Delete that file to be asked
again.
"""

from __future__ import annotations

from typing import Final

from gui.kept import KeptRows
from vision.numbers.mines import program_of
from vision.skins import Skin
from vision.windows import Window

_KEPT: Final = KeptRows("dialogs.json")
_PLACES: Final = "places"

IN_PAGE: Final = ""
"""The title of a dialog that is a box in the game's own window."""

Place = tuple[float, float]
"""From the left and from the top of a dialog, as parts of its width and height."""


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
            case [*named, float(x), float(y)] if named == key and 0 <= x <= 1 and 0 <= y <= 1:
                return x, y
    return None


def keep_place(window: Window | None, skin: Skin, dialog: str, place: Place) -> None:
    """Keep where a dialog of a program is clicked."""
    _KEPT.put(_PLACES, [*program_of(window, skin), dialog], *place)


def forget_place(window: Window | None, skin: Skin, dialog: str) -> None:
    """Forget it: a click there did not close the dialog."""
    _KEPT.remove(_PLACES, [*program_of(window, skin), dialog])
