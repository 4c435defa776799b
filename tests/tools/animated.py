"""Record the README's animated picture: `python -m tests.tools.animated FILE.webp [--seed N]`.

The built-in game runs on a screen with the panel beside it, and the panel plays it. The picture
shows that screen in real time; without a display it is a private one.
"""

from __future__ import annotations

import argparse
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

from PIL import Image
from PyQt6.QtCore import QRect, Qt
from PyQt6.QtGui import QGuiApplication

from bot.game import LEVELS
from bot.solver.warmup import PREPARATION
from gui.application import application
from gui.images import from_qimage
from gui.panel import Panel
from gui.private_screen import PrivateScreen
from gui.settings import Settings
from tests.tools.pictures import close_panel, wait_until
from vision.desktop import desktop
from vision.files import PROGRAM

_WIDTH: Final = 1000
"""Width of the picture in a README, in pixels."""
_EACH_MS: Final = 400
_END_MS: Final = 4000
_PACE: Final = 8.0
"""Clicks per second, slow enough to follow."""
_MARGIN: Final = 32
"""Margin of the screen around both windows for title bars, in pixels."""


def main() -> None:
    """Play a game and write the picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--seed", type=int, default=7, help="of the game")
    parser.add_argument("--level", default="expert", choices=LEVELS)
    chosen = parser.parse_args()
    with ExitStack() as resources:
        if not desktop().has_screen:
            resources.enter_context(PrivateScreen(1600, 900)).adopt()
        app = application(PROGRAM)
        app.setQuitOnLastWindowClosed(False)
        first, *others = filmed("--level", chosen.level, "--seed", str(chosen.seed))
        # When the screen ends, the program ends too.
        app.quit()
        del app
    times = [*([_EACH_MS] * len(others)), _END_MS]
    written: dict[str, Any] = {"append_images": others, "duration": times, "loop": 0}
    first.save(chosen.file, save_all=True, quality=60, method=4, **written)


def filmed(*game: str) -> list[Image.Image]:
    """Take pictures of the game's window and the panel, from the first turn to the end."""
    # Imported here, because the reader and the mouse open the current display.
    from gui.runner.backend import Desktop  # noqa: PLC0415
    from gui.runner.client import DesktopPlayer  # noqa: PLC0415

    PREPARATION.wait()
    backend, player = Desktop(), DesktopPlayer()
    settings = Settings(theme="light", games=1, pace=_PACE, record=False)
    try:
        window = backend.simulators.start(*game)
        board = player.candidate(window, None, threading.Event())
        panel = Panel(player, settings, save_settings=lambda _settings: None)
        panel.show()
        panel.surface.controls.sidebar.setChecked(False)
        wait_until(lambda: panel.frameGeometry() != panel.geometry())
        panel.play(board)
        wait_until(lambda: panel.run.statistics.turns > 0)
        found = next(one for one in desktop().list_windows() if one.id == window)
        left, top, width, height = found.region
        around = panel.frameGeometry().united(QRect(left, top, width, height))
        pictures: list[Image.Image] = []
        due = time.monotonic()

        def over() -> bool:
            nonlocal due
            if time.monotonic() >= due:
                due += _EACH_MS / 1000
                pictures.append(_grabbed(around))
            return panel.surface.details.game.value("Status") in {"Won", "Lost"}

        wait_until(over)
        panel.repaint()
        wait_until(lambda: True)
        pictures.append(_grabbed(around))
        close_panel(panel)
    finally:
        player.close()
        backend.simulators.close()
    return pictures


def _grabbed(region: QRect) -> Image.Image:
    screen = QGuiApplication.primaryScreen()
    assert screen is not None
    region = region.adjusted(-_MARGIN, -_MARGIN, _MARGIN, _MARGIN) & screen.geometry()
    seen = screen.grabWindow(0, region.x(), region.y(), region.width(), region.height())  # type: ignore[arg-type]
    image = seen.toImage().scaledToWidth(_WIDTH, Qt.TransformationMode.SmoothTransformation)
    return Image.fromarray(from_qimage(image)[:, :, ::-1])


if __name__ == "__main__":
    main()
