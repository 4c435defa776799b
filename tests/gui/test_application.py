"""The application object of every window of the program."""

from __future__ import annotations

import json
import os
import subprocess
import sys

_SHOWN = """
import json
from PyQt6.QtCore import QPoint, Qt
from PyQt6.QtWidgets import QLabel, QMessageBox, QToolTip, QWidget
from gui.application import application

app = application("minesweeper-bot")
app.setStyleSheet("QLabel { padding: 1px }")
page = QWidget()
plain, rich = QLabel("<b>label</b>", page), QLabel("<b>rich</b>", page)
rich.setTextFormat(Qt.TextFormat.RichText)
page.show()
box = QMessageBox(page)
box.setText("<b>box</b>")
box.setInformativeText("<b>more</b>")
box.show()
QToolTip.showText(QPoint(1, 1), "<b>tip</b>", page)
app.processEvents()
labels = [one for one in app.allWidgets() if isinstance(one, QLabel)]
print(json.dumps({one.text(): one.textFormat().name for one in labels if "<b>" in one.text()}))
"""


def test_text_is_shown_as_it_is() -> None:
    """Labels, dialogs and tooltips alike; who wants HTML says so."""
    printed = subprocess.run(
        [sys.executable, "-c", _SHOWN],
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(printed.stdout) == {
        "<b>label</b>": "PlainText",
        "<b>box</b>": "PlainText",
        "<b>more</b>": "PlainText",
        "<b>tip</b>": "PlainText",
        "<b>rich</b>": "RichText",
    }
