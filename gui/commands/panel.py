"""The control panel as a program: opened by itself, or around a run of games."""

from __future__ import annotations

import os
import threading
from functools import partial
from pathlib import Path

from PyQt6.QtCore import QTimer
from PyQt6.QtWidgets import QApplication

from gui.backend import Desktop
from gui.commands.progress import GameLog
from gui.failures import Failure
from gui.panel import Panel
from gui.settings import PROGRAM, Settings, load

_TICK_MS = 50
_FRAME_TICKS = 10
"""How long to wait for a window manager that may not be there."""


def application(name: str = PROGRAM) -> QApplication:
    """Qt's application object, with the name by which the eye knows our own windows."""
    for variable in ("QT_QPA_PLATFORM_PLUGIN_PATH", "QT_QPA_FONTDIR"):
        # Set by `import cv2`: they name the plugins of another Qt.
        os.environ.pop(variable, None)
    app = QApplication([name])
    app.setApplicationName(name)
    app.setDesktopFileName(name)
    app.setStyle("Fusion")
    return app


def show_panel() -> int:
    """Open the panel and wait until it is closed.

    Returns:
        The process's exit code.
    """
    app = application()
    desktop = Desktop()
    panel = Panel(desktop, load())
    panel.closed.connect(app.quit)
    panel.show()
    code = app.exec()
    desktop.close_simulators()
    return code


def play_in_panel(
    desktop: Desktop,
    window: str | int,
    settings: Settings,
    log: GameLog,
    stop: threading.Event,
    pictures: Path | None,
) -> Failure | None:
    """Play a run of games with the panel showing it, and close the panel at its end.

    Args:
        desktop: Plays.
        window: The window to play.
        settings: Of this run; changes to them are not kept.
        log: Follows the turns.
        stop: Set from outside to end the run.
        pictures: Where the panel's picture goes, if anywhere.

    Returns:
        What ended the run before its time; None for nothing.
    """
    app = application()
    failures: list[Failure] = []
    panel = Panel(desktop, settings, save_settings=lambda _changed: None)
    panel.turn_played.connect(log.add)
    panel.failed.connect(failures.append)
    panel.run_finished.connect(partial(_finish, panel, pictures))
    panel.closed.connect(app.quit)

    board = desktop.candidate(window, settings.mines)
    waited = 0

    def tick() -> None:
        nonlocal waited
        if stop.is_set():
            panel.stop()
            panel.close()
        elif waited < _FRAME_TICKS:
            waited = _FRAME_TICKS if _framed(panel) else waited + 1
            if waited == _FRAME_TICKS:
                panel.play(board)

    # Python's signal handlers run between two events of Qt: there must be some.
    ticks = QTimer()
    ticks.timeout.connect(tick)
    ticks.start(_TICK_MS)
    panel.show()
    app.exec()
    return failures[0] if failures else None


def _framed(panel: Panel) -> bool:
    """Whether the window manager has put its frame around the window: then it can be placed."""
    return bool(panel.frameGeometry() != panel.geometry())


def _finish(panel: Panel, pictures: Path | None, _tally: object) -> None:
    if pictures is not None:
        pictures.mkdir(parents=True, exist_ok=True)
        panel.grab().save(str(pictures / "panel.png"))
    panel.close()
