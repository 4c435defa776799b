"""What the tests of the page do with it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PyQt6.QtCore import QPoint, Qt
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QDialog, QFileDialog, QInputDialog
from pytestqt.qtbot import QtBot

from bot.board import Board, Cell
from gui.analyse.analyse_page import AnalysePage
from gui.analyse.positions import turn_of
from gui.panel import Panel
from tests.gui.panels import PATIENCE

Opened = tuple[Panel, AnalysePage]
SCREENS = Path(__file__).parents[2] / "screens"
CONTROL = Qt.KeyboardModifier.ControlModifier


def settled(qtbot: QtBot, page: AnalysePage) -> None:
    """Wait until everything was read and analysed."""
    ready = lambda: page.position is not None and not page.context.jobs.running  # noqa: E731
    qtbot.waitUntil(ready, timeout=PATIENCE)


def read(qtbot: QtBot, page: AnalysePage, picture: Path | np.ndarray) -> None:
    """Read a picture."""
    page.read(picture)
    settled(qtbot, page)


def show(qtbot: QtBot, page: AnalysePage, board: Board) -> None:
    """Show a position."""
    page.enter(turn_of(board).reading)
    settled(qtbot, page)


def middle(page: AnalysePage, cell: tuple[int, int]) -> QPoint:
    """The middle of a cell in the board view."""
    return page.surface.view.place().cell(Cell(*cell)).center().toPoint()


def click(
    page: AnalysePage, cell: tuple[int, int], button: Qt.MouseButton = Qt.MouseButton.LeftButton
) -> None:
    """Click a cell."""
    QTest.mouseClick(page.surface.view, button, pos=middle(page, cell))


def answer(qtbot: QtBot, page: AnalysePage, text: str) -> None:
    """Choose a file, a position or a name in the dialog that opens."""
    qtbot.waitUntil(lambda: bool(page.findChildren(QDialog)), timeout=PATIENCE)
    (dialog,) = page.findChildren(QDialog)
    if isinstance(dialog, QFileDialog):
        signal = dialog.fileSelected if dialog.acceptMode().value else dialog.filesSelected
        signal.emit(text if dialog.acceptMode().value else [text])
        dialog.close()
    elif isinstance(dialog, QInputDialog):
        dialog.setTextValue(text)
        dialog.accept()
    qtbot.waitUntil(lambda: dialog not in page.findChildren(QDialog), timeout=PATIENCE)
    # As a window manager does.
    page.window().activateWindow()
