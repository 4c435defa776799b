"""Where the window stands while a board is played: beside it, or out of sight."""

from __future__ import annotations

from typing import Final

from PyQt6.QtWidgets import QWidget

from bot.frame import Region
from gui.panel.banner import Banner
from gui.panel.placement import logical, step_aside

_OUT_OF_SIGHT: Final = (
    "The board leaves no room on the screen: the panel was minimised so that it does not cover "
    "it. It comes back when the games are played."
)


class Standing:
    """Keeps a window off the board that is played.

    Args:
        window: The window.
        banner: Tells why it cannot be seen.
    """

    def __init__(self, window: QWidget, banner: Banner) -> None:
        self._window, self._banner = window, banner
        self._hidden = False

    def make_way(self, region: Region) -> None:
        """Move aside, shrink or, where the screen has no room, minimise.

        Args:
            region: What must not be covered, in points of the desktop.
        """
        if not step_aside(self._window, logical(region)):
            self._banner.tell(_OUT_OF_SIGHT)
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
        """Nothing is played any more."""
        if self._hidden:
            self._hidden = False
            self._window.showNormal()
            self._banner.retract(_OUT_OF_SIGHT)
