"""Boards that are currently hidden in windows that still exist.

GNOME Mines pauses as soon as another window, such as the panel, has the keyboard, and covers its
board. It uncovers it when it is played, as the run gives it the keyboard first. A covered window
may have no picture yet, or none at all without X Composite.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import replace

from gui.protocol import Candidate
from vision.desktop import Window


def covered(
    before: Iterable[Candidate],
    found: Iterable[Candidate],
    shown: Sequence[Window],
    unsearched: Container[object] = (),
) -> list[Candidate]:
    """Return the listed boards whose windows are unchanged but whose boards were not found.

    Args:
        before: The previous list.
        found: The boards found now.
        shown: The windows, topmost first.
        unsearched: Ids of covered windows without a picture.
    """
    seen = {board.key for board in found}
    return [
        replace(board, covered=True)
        for board in before
        if board.key not in seen and _as_it_was(board, shown, unsearched)
    ]


def _as_it_was(board: Candidate, shown: Sequence[Window], unsearched: Container[object]) -> bool:
    place = next((row for row, window in enumerate(shown) if window.id == board.key), None)
    if place is None or board.region is None:
        return False
    window = shown[place]
    inside = window.region.intersection(board.region) == window.region
    over = any(other.region.intersection(window.region) for other in shown[:place])
    return inside and window.title == board.title and (window.id in unsearched or not over)
