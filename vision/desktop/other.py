"""Systems without an implementation of their own, such as macOS: mss and pyautogui alone.

Untested. Windows are unknown: boards are found in the picture of the screen, and played without
checks of the window that contains them.
"""

from __future__ import annotations

import platform
import sys

from vision.desktop.base import Desktop


class OtherDesktop(Desktop):
    """A window system without any queries."""

    points_are_pixels = sys.platform != "darwin"

    @property
    def name(self) -> str:
        return f"{platform.system()} (not tested)"

    @property
    def access_hint(self) -> str:
        if self.points_are_pixels:
            return ""
        return (
            "Permit it in System Settings, Privacy & Security, under Screen Recording and "
            "Accessibility."
        )
