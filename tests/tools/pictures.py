"""Take the panel's pictures from a running panel.

    python -m tests.tools.pictures FOLDER [CHOSEN]

All of them are written to FOLDER; those in the README are copied to CHOSEN. Without a display a
private screen is used. QT_SCALE_FACTOR=2 gives 200 %.
"""

from __future__ import annotations

import os
import shutil
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from PyQt6.QtCore import QPoint, Qt
from PyQt6.QtGui import QImage, QPainter

from gui.application import application
from gui.private_screen import PrivateScreen
from tests.tools.photos.pages import (
    take_analyse,
    take_history,
    take_pages,
    take_practice,
    take_replay,
    take_skins_page,
)
from tests.tools.photos.playing import take, take_assist, take_inspector, take_question
from tests.tools.photos.studio import THEMES
from vision.desktop import desktop
from vision.files import PROGRAM

CHOSEN: Final = {
    "panel-guess": "play",
    "panel-why": "why",
    "panel-coach": "coach",
    "panel-asks": "asks",
    "picture": "picture",
    "editor": "editor",
    "practice": "practice",
    "panel-replay": "replay",
    "history": "history",
    "history-graphs": "graphs",
    "page-lab": "lab",
    "skins": "skins",
    "skins-teach": "teach",
    "page-settings": "settings",
    "page-help": "help",
}
"""Pictures of the panel in gui/pictures, with their names there."""
TOGETHER: Final = ("editor", "practice", "replay", "lab")
"""Those that the README shows in one picture, two in a row."""
SCALE: Final = 0.75
"""Share of their size in that picture, which keeps its file small."""


def main() -> None:
    """Take the pictures."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as resources:
        if not desktop().has_screen and os.environ.get("QT_QPA_PLATFORM") != "offscreen":
            resources.enter_context(PrivateScreen(1920, 1080)).adopt()
        app = application(PROGRAM)
        app.setQuitOnLastWindowClosed(False)
        for theme in THEMES:
            take(folder, theme)
            take_question(folder, theme)
            take_assist(folder, theme)
            take_pages(folder, theme)
            take_history(folder, theme)
            take_replay(folder, theme)
            take_inspector(folder, theme)
            take_analyse(folder, theme)
            take_practice(folder, theme)
            take_skins_page(folder, theme)
        # When the screen ends, the program ends too.
        app.quit()
        del app
    if len(sys.argv) > 2:
        chosen = Path(sys.argv[2])
        for theme in THEMES:
            for name, shown in CHOSEN.items():
                shutil.copy(folder / f"{name}-{theme}.png", chosen / f"{shown}-{theme}.png")
            together(chosen, theme)


def together(folder: Path, theme: str) -> None:
    """Write the pictures of `TOGETHER` as one."""
    parts = [QImage(str(folder / f"{name}-{theme}.png")) for name in TOGETHER]
    size = parts[0].size() * SCALE
    image = QImage(2 * size.width(), 2 * size.height(), QImage.Format.Format_RGB32)
    with QPainter(image) as painter:
        for number, part in enumerate(parts):
            corner = QPoint(number % 2 * size.width(), number // 2 * size.height())
            smooth = Qt.TransformationMode.SmoothTransformation
            painter.drawImage(corner, part.scaled(size, transformMode=smooth))
    image.save(str(folder / f"pages-{theme}.png"))


if __name__ == "__main__":
    main()
