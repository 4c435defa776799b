"""Qt's application object, alike for every window of the program."""

from __future__ import annotations

import os

from PyQt6.QtWidgets import QApplication


def application(name: str) -> QApplication:
    """Make it, with the name by which the eye tells our own windows from games.

    Args:
        name: The class of its windows (WM_CLASS on X11).
    """
    for variable in ("QT_QPA_PLATFORM_PLUGIN_PATH", "QT_QPA_FONTDIR"):
        # Set by `import cv2`, here or in a parent: they name the plugins of another Qt.
        if "cv2" in os.environ.get(variable, ""):
            del os.environ[variable]
    app = QApplication([name])
    app.setApplicationName(name)
    app.setDesktopFileName(name)
    app.setStyle("Fusion")
    return app
