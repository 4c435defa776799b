"""Run the real panel in Assist on a real window, and report to the parent process.

    python -m tests.support.assisting WINDOW [--no-marks] [--picture FILE]

prints a line when the solver is ready, which takes minutes if it has to be compiled first, and then
a line of JSON for every turn that was painted: the time when its newest pixel was sent to the
screen (monotonic seconds), the reading and the message. It ends with its standard input; with
--picture, it then saves a picture of the panel.
"""

from __future__ import annotations

import argparse
import json
import sys
import threading
import time
from pathlib import Path

from PyQt6.QtCore import QEvent, QObject, QTimer
from PyQt6.QtGui import QGuiApplication
from PyQt6.QtWidgets import QApplication

from bot.assist.watcher import WatchedTurn
from bot.mouse import Pointer
from bot.solver.warmup import PREPARATION
from gui.panel import Panel
from gui.runner.backend import Desktop
from gui.settings import Settings
from tests.gui.tabletop import LocalClient
from vision.files import PROGRAM

READY = "ready"
"""The first line that is printed."""


class Painting(QApplication):
    """Records when the panel's board and the marks were painted and sent to the screen."""

    def __init__(self, arguments: list[str]) -> None:
        super().__init__(arguments)
        self.panel: Panel | None = None
        self._told: object = None
        self._painted: set[QObject] = set()

    def notify(self, receiver: QObject | None, event: QEvent | None) -> bool:
        """Deliver an event as Qt does, then record it."""
        kind = event.type() if event is not None else None
        done = super().notify(receiver, event)
        if kind is QEvent.Type.Paint and receiver is not None:
            self._painted.add(receiver)
        if kind is QEvent.Type.UpdateRequest and self.panel is not None:
            self._tell(self.panel)
        return done

    def _tell(self, panel: Panel) -> None:
        view, overlay = panel.surface.view, panel.run.assist.overlay
        turn = view.turn
        if view not in self._painted or not isinstance(turn, WatchedTurn) or turn is self._told:
            return
        self._told = turn
        self._painted.clear()
        shown = overlay is not None and overlay.isVisible()
        line = {
            "painted": time.monotonic(),
            "seen": turn.reading.frame.time,
            "number": turn.number,
            "status": turn.reading.status.value,
            "board": turn.reading.board.rows_text(),
            "known": turn.analysis is not None,
            "marks": len(overlay.marks) if overlay is not None and shown else 0,
            "said": [str(verdict) for verdict in turn.verdicts],
            "coach": panel.surface.details.coach.line.text(),
            "words": panel.surface.details.reason.text(),
        }
        print(json.dumps(line), flush=True)  # noqa: T201 - what it is for


def _no_hand() -> Pointer:
    """Raise an error: Assist needs no pointer."""
    raise AssertionError("a hand was asked for")


def main() -> None:
    """Assist until the standard input ends."""
    parser = argparse.ArgumentParser()
    parser.add_argument("window", type=int)
    parser.add_argument("--no-marks", action="store_true")
    parser.add_argument("--no-record", action="store_true")
    parser.add_argument("--picture", type=Path)
    told = parser.parse_args()
    QGuiApplication.setDesktopFileName(PROGRAM)
    app = Painting(["minesweeper-bot"])
    PREPARATION.wait()
    print(READY, flush=True)  # noqa: T201 - as above
    desktop = Desktop(pointer=_no_hand)
    board = desktop.candidate(told.window, None, threading.Event())
    client = LocalClient(desktop)
    settings = Settings(marks=not told.no_marks, theme="light", record=not told.no_record)
    panel = app.panel = Panel(client, settings, save_settings=lambda _settings: None)
    panel.closed.connect(client.close)
    panel.closed.connect(app.quit)
    panel.failed.connect(lambda failure: print(json.dumps({"failed": str(failure)}), flush=True))  # noqa: T201
    panel.show()
    QTimer.singleShot(300, lambda: panel.play(board, assist=True))
    ended = threading.Event()
    threading.Thread(target=lambda: (sys.stdin.read(), ended.set()), daemon=True).start()

    def look() -> None:
        if ended.is_set():
            ended.clear()
            if told.picture is not None:
                panel.grab().save(str(told.picture))
            panel.close()

    ticks = QTimer()
    ticks.timeout.connect(look)
    ticks.start(20)
    app.exec()


if __name__ == "__main__":
    main()
