"""Qt's application object, set up equally for all windows of the program."""

from __future__ import annotations

import os
from typing import Any

from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QApplication, QLabel, QProxyStyle


class PlainTextStyle(QProxyStyle):
    """A style that shows text literally in labels, tooltips and message boxes.

    Qt renders a label's text as HTML if it looks like HTML, as titles of windows and names of files
    may. A label that is to render HTML sets `Qt.TextFormat.RichText`.
    """

    def polish(self, target: Any) -> Any:
        """Make a label plain before it is first shown."""
        if isinstance(target, QLabel) and target.textFormat() == Qt.TextFormat.AutoText:
            target.setTextFormat(Qt.TextFormat.PlainText)
        return super().polish(target)


def application(name: str) -> QApplication:
    """Create the application with the name by which the reader recognises its windows.

    Args:
        name: The class of its windows (WM_CLASS on X11).
    """
    for variable in ("QT_QPA_PLATFORM_PLUGIN_PATH", "QT_QPA_FONTDIR"):
        # Set by `import cv2`, here or in a parent: they name another Qt's plugins.
        if "cv2" in os.environ.get(variable, ""):
            del os.environ[variable]
    app = QApplication([name])
    app.setApplicationName(name)
    app.setDesktopFileName(name)
    app.setStyle(PlainTextStyle("Fusion"))
    return app
