"""Boards that are not seen at the moment though their windows are: games that cover their own.

GNOME Mines pauses as soon as another window has the keyboard, the panel for one, and lays a
plate over its board. It takes it away when it is played: the run gives it the keyboard first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from gui.protocol import Candidate
from vision.windows import Window

COVERED: Final = "covered"


def covered(
    before: Iterable[Candidate], found: Iterable[Candidate], shown: Sequence[Window]
) -> list[Candidate]:
    """Those seen before whose window is what it was, with nothing over it but its own doing.

    Args:
        before: What was listed last.
        found: What is seen.
        shown: The windows, topmost first.
    """
    seen = {board.key for board in found}
    return [
        board if board.skin.endswith(COVERED) else replace(board, skin=f"{board.skin}, {COVERED}")
        for board in before
        if board.key not in seen and _as_it_was(board, shown)
    ]


def _as_it_was(board: Candidate, shown: Sequence[Window]) -> bool:
    place = next((row for row, window in enumerate(shown) if window.id == board.key), None)
    if place is None or board.region is None:
        return False
    window = shown[place]
    inside = window.region.intersection(board.region) == window.region
    over = any(other.region.intersection(window.region) for other in shown[:place])
    return inside and not over and window.title == board.title
