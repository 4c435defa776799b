"""The window's position while a board is played: beside it, behind it, or minimised."""

from __future__ import annotations

from typing import Final

from PyQt6.QtCore import QPoint, QRect, QSize
from PyQt6.QtWidgets import QWidget

from bot.frame import Region
from gui.panel.banner import Banner
from gui.panel.placement import logical, step_aside, step_back

_BEHIND: Final = (
    "There is no room for the panel beside the board: the game stays in front of it while it is "
    "played{stop}."
)
_OUT_OF_SIGHT: Final = (
    "The board leaves no room on the screen: the panel was minimised so that it does not cover "
    "it. It comes back when the games are played{stop}."
)
_MOVED: Final = 64
"""Points by which a window manager may deviate from the requested position."""


class Standing:
    """The placement of the window during a run, off the board if possible.

    Args:
        window: The window.
        banner: Shows why the window is hidden.
    """

    def __init__(self, window: QWidget, banner: Banner) -> None:
        self._window, self._banner = window, banner
        self._title = window.windowTitle()
        self._behind = self._hidden = self._had_keyboard = False
        self._before: tuple[QPoint, QSize, bool] | None = None
        self._aside: QRect | None = None

    def open_beside(self, region: Region, smallest: QSize) -> None:
        """Move off a board, if there is room, and stay there.

        Args:
            region: The region to keep uncovered, in points of the desktop.
            smallest: The smallest allowed size of the window.
        """
        step_aside(self._window, logical(region), smallest)

    def make_way(self, region: Region, stop_key: str, *, can_raise: bool) -> bool:
        """Move aside and shrink; without room, go behind the game or minimise.

        Args:
            region: The region to keep uncovered, in points of the desktop.
            stop_key: Stops the run from everywhere; empty for none.
            can_raise: Whether the game can be brought in front of the window.

        Returns:
            Whether the game has to be brought in front of the window.
        """
        window, taken = self._window, logical(region)
        self._had_keyboard = window.isActiveWindow()
        before = window.pos(), window.size(), window.isMaximized()
        place = step_aside(window, taken)
        if place is None:
            self._behind, self._hidden = can_raise, not can_raise
            self._announce(stop_key)
            if can_raise:
                place = step_back(window, taken)
            else:
                window.showMinimized()
        if place is not None and place.isValid():
            self._before, self._aside = before, place
        return self._behind

    def _announce(self, stop_key: str) -> None:
        """Show in a message and in the title why the window is hidden."""
        note = _BEHIND if self._behind else _OUT_OF_SIGHT
        self._banner.tell(
            note.format(stop=f"; {stop_key} stops it" if stop_key else ""), about=self
        )
        if stop_key:
            self._window.setWindowTitle(f"{stop_key} stops \N{EM DASH} {self._title}")

    def show_for_question(self) -> None:
        """Show the window while the player waits for the user."""
        if self._hidden:
            self._window.showNormal()
        elif self._behind:
            self._window.raise_()
            self._window.activateWindow()

    def hide_again(self) -> None:
        """Hide the window again on resume; the player raises a covered game itself."""
        if self._hidden:
            self._window.showMinimized()

    def come_back(self) -> None:
        """Restore the window after a run, unless the user has moved it."""
        if self._hidden or self._behind:
            self._window.setWindowTitle(self._title)
            self._banner.retract(self)
            if self._hidden:
                self._window.showNormal()
            self._window.raise_()
            if self._had_keyboard:
                # The game has had it since it was brought to the front.
                self._window.activateWindow()
            self._hidden = self._behind = False
        before, aside = self._before, self._aside
        self._before = self._aside = None
        if before is not None and aside is not None and _near(self._window.geometry(), aside):
            place, size, maximised = before
            self._window.resize(size)
            self._window.move(place)
            # The game may have been brought to the front.
            self._window.raise_()
            if maximised:
                self._window.showMaximized()


def _near(one: QRect, other: QRect) -> bool:
    way = one.topLeft() - other.topLeft()
    return one.size() == other.size() and way.manhattanLength() <= _MOVED
