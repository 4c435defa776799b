"""Qt's application object, alike for every window of the program."""

from __future__ import annotations

import os
from typing import Any

from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QApplication, QLabel, QProxyStyle


class PlainTextStyle(QProxyStyle):
    """A style that shows text as it is: in labels, tooltips and message boxes alike.

    Qt renders a label's text as HTML if it looks like that. Titles of windows and names of files
    are shown, which may look like anything. A label that is to render HTML says so itself
    (`Qt.TextFormat.RichText`).
    """

    def polish(self, target: Any) -> Any:
        """Make a label plain before it is shown the first time."""
        if isinstance(target, QLabel) and target.textFormat() == Qt.TextFormat.AutoText:
            target.setTextFormat(Qt.TextFormat.PlainText)
        return super().polish(target)


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
    app.setStyle(PlainTextStyle("Fusion"))
    return app
