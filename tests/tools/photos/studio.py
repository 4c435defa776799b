"""A panel for screenshots: show, step, save, close."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final, Literal

from PyQt6.QtCore import QEventLoop, QSize, QTimer
from PyQt6.QtWidgets import QLabel, QLineEdit

from bot.board import Cell
from gui.panel import Panel
from gui.runner.protocol import State
from gui.settings import Settings
from tests.gui.panels import panel_of
from tests.gui.tabletop import Tabletop

ROOT: Final = Path(__file__).parents[3]
_USER: Final = "/home/you"
SCREENS: Final = Path(__file__).parents[2] / "screens"
SMALL: Final = QSize(500, 400)
Theme = Literal["light", "dark"]
THEMES: Final[tuple[Theme, ...]] = ("light", "dark")


def wait_until(ready: Callable[[], bool]) -> None:
    """Run the event loop until a condition holds."""
    loop = QEventLoop()
    timer = QTimer()
    timer.timeout.connect(lambda: ready() and loop.quit())
    timer.start(10)
    loop.exec()


def save(panel: Panel, path: Path) -> None:
    """Save a picture of the panel."""
    wait_until(panel.isVisible)
    _hide_own_folders(panel)
    panel.grab().save(str(path))
    print(path)  # noqa: T201 - what a script is for


def _hide_own_folders(panel: Panel) -> None:
    """Show a typical user's folders in place of those of this machine."""
    for label in panel.findChildren(QLabel):
        _replace(label.text(), label.setText)
    for line in panel.findChildren(QLineEdit):
        _replace(line.placeholderText(), line.setPlaceholderText)


def _replace(text: str, show: Callable[[str], None]) -> None:
    text = text.replace("\u200b", "")
    shown = text.replace(str(ROOT), f"{_USER}/minesweeper-bot").replace(str(Path.home()), _USER)
    if shown != text:
        show(shown)


def shown_panel(table: Tabletop, settings: Settings) -> Panel:
    """Return a visible panel whose settings are not saved."""
    panel = panel_of(table, settings)
    panel.show()
    return panel


def steps(panel: Panel, turns: int) -> None:
    """Carry out so many turns, each shown before the next one."""
    for _ in range(turns):
        before = panel.statistics.turns
        panel.step()
        wait_until(lambda before=before: panel.statistics.turns > before)
    wait_until(lambda: panel.state is State.PAUSED)


def until_guess(panel: Panel) -> None:
    """Step until a move has a risk in mid-game, or the game is over."""
    while True:
        steps(panel, 1)
        turn = panel.surface.view.turn
        if turn is None or turn.number < 12:
            continue
        if turn.analysis is None or any(move.risk > 0 for move in turn.moves):
            return


def close_panel(panel: Panel) -> None:
    """Close the panel, and wait until its threads have ended."""
    closed: list[Cell | None] = []
    panel.closed.connect(lambda: closed.append(None))
    panel.close()
    wait_until(lambda: bool(closed))
