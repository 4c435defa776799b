"""Boards that cannot be found at the moment in windows that still exist.

GNOME Mines pauses as soon as another window has the keyboard, the panel for one, and lays a
plate over its board. It takes it away when it is played: the run gives it the keyboard first.
A window that others cover may have no picture yet, or none at all without X Composite.
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
    """Return the boards seen before whose window is what it was, and was not seen without them.

    Args:
        before: What was listed last.
        found: What is seen.
        shown: The windows, topmost first.
        unsearched: Numbers of the windows that other windows cover and that have no picture.
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
