"""Where the window stands while a board is played: beside it, or out of sight."""

from __future__ import annotations

from typing import Final

from PyQt6.QtCore import QPoint, QRect, QSize
from PyQt6.QtWidgets import QWidget

from bot.frame import Region
from gui.panel.banner import Banner
from gui.panel.placement import logical, step_aside

_OUT_OF_SIGHT: Final = (
    "The board leaves no room on the screen: the panel was minimised so that it does not cover "
    "it. It comes back when the games are played{stop}."
)
_MOVED: Final = 64
"""Points by which a window manager may place a window otherwise than it was asked to."""


class Standing:
    """Keeps a window off the board that is played.

    Args:
        window: The window.
        banner: Tells why it cannot be seen.
    """

    def __init__(self, window: QWidget, banner: Banner) -> None:
        self._window, self._banner = window, banner
        self._title = window.windowTitle()
        self._note = ""
        self._hidden = False
        self._before: tuple[QPoint, QSize, bool] | None = None
        self._aside: QRect | None = None

    def make_way(self, region: Region, stop_key: str) -> None:
        """Move aside, shrink or, where the screen has no room, minimise.

        Args:
            region: What must not be covered, in points of the desktop.
            stop_key: Stops from everywhere; empty for none.
        """
        window = self._window
        before = window.pos(), window.size(), window.isMaximized()
        place = step_aside(window, logical(region))
        if place is None:
            self._go(stop_key)
        elif place.isValid():
            self._before, self._aside = before, place

    def _go(self, stop_key: str) -> None:
        """Out of sight the title is all that is left of the window."""
        self._note = _OUT_OF_SIGHT.format(stop=f"; {stop_key} stops them" if stop_key else "")
        self._banner.tell(self._note)
        if stop_key:
            self._window.setWindowTitle(f"{stop_key} stops \N{EM DASH} {self._title}")
        self._hidden = True
        self._window.showMinimized()

    def show_for_question(self) -> None:
        """The player waits for the user: the board is not needed in the meantime."""
        if self._hidden:
            self._window.showNormal()

    def hide_again(self) -> None:
        """The player goes on."""
        if self._hidden:
            self._window.showMinimized()

    def come_back(self) -> None:
        """Nothing is played any more: as before, where the user has not placed it since."""
        if self._hidden:
            self._hidden = False
            self._window.setWindowTitle(self._title)
            self._window.showNormal()
            self._banner.retract(self._note)
        before, aside = self._before, self._aside
        self._before = self._aside = None
        if before is not None and aside is not None and _near(self._window.geometry(), aside):
            place, size, maximised = before
            self._window.resize(size)
            self._window.move(place)
            if maximised:
                self._window.showMaximized()


def _near(one: QRect, other: QRect) -> bool:
    way = one.topLeft() - other.topLeft()
    return one.size() == other.size() and way.manhattanLength() <= _MOVED
