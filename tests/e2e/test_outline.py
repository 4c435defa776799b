"""The outline of a board that is chosen in the panel's list, on a real screen with real clicks."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest
from Xlib import X

from bot.frame import Region
from gui.private_screen import PrivateScreen
from gui.settings import Settings, save
from tests.e2e.test_play import simulated
from tests.support.runs import environment
from tests.support.xclient import Mice, adopt, wait_until
from vision.desktop import desktop

PANEL: Final = """
import threading
from PyQt6.QtCore import QTimer
from gui.commands import panel as command
from gui.panel import Panel

class Reporting(Panel):
    def __init__(self, *arguments, **named):
        super().__init__(*arguments, **named)
        self.reports = QTimer(self)
        self.reports.timeout.connect(self.report)
        self.reports.start(100)

    def report(self):
        view = self.surface.chooser.view
        if self.surface.chooser.current is not None:
            place = view.mapToGlobal(view.visualRect(view.currentIndex()).center())
            print("row", place.x(), place.y(), flush=True)

command.Panel = Reporting
command.show_panel(threading.Event())
"""
"""The program's own panel, which prints again and again where the row of its board is."""

INPUT: Final = 2
"""The kind of a window's shape that receives input."""
RIM: Final = 6


def bars(mice: Mice) -> list[Any]:
    """The outline's windows that exist, shown or not."""
    title = mice.display.intern_atom("_NET_WM_NAME")
    found = []
    for window in mice.root.query_tree().children:
        name = window.get_full_property(title, X.AnyPropertyType)
        if name is not None and name.value == b"Outline of the chosen board":
            found.append(window)
    return found


def shown(window: Any) -> bool:
    """Whether a window is on the screen."""
    return bool(window.get_attributes().map_state == X.IsViewable)


def test_a_click_outlines_the_board_for_a_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four bars around it, which take no input and do not cover it; then they are gone."""
    save(Settings(), tmp_path / "settings.toml")
    with PrivateScreen(1600, 1000) as screen:
        adopt(screen, monkeypatch)
        with simulated(screen, tmp_path, "--seed", "3") as game, Mice() as mice:
            board = desktop().place_of(game)
            assert board is not None
            # At the screen's edge the bars lie on the window's own edge.
            inside = Region(
                board.left + RIM, board.top + RIM, board.width - 2 * RIM, board.height - 2 * RIM
            )
            process = subprocess.Popen(
                [sys.executable, "-c", PANEL],
                env=environment(tmp_path, screen),
                stdout=subprocess.PIPE,
                text=True,
            )
            try:
                assert process.stdout is not None
                assert bars(mice) == []
                # The panel moves off the board after its first search.
                while len(bars(mice)) < 4:
                    _, x, y = process.stdout.readline().split()
                    mice.warp(int(x), int(y))
                    with mice.button_down():
                        pass
                windows = bars(mice)
                for window in windows:
                    place = window.get_geometry()
                    bar = Region(place.x, place.y, place.width, place.height)
                    assert not bar.intersection(inside)
                    assert min(bar[2:]) < 10 < max(bar[2:])
                    assert window.shape_get_rectangles(INPUT).rectangles == []
                wait_until(lambda: not any(map(shown, windows)), 60)
            finally:
                process.terminate()
                process.communicate()
