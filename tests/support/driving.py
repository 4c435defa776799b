"""The panel as a program for `tests.support.driven`: it says what is shown where.

Controls are named as for a screen reader, by their accessible names.
"""

from __future__ import annotations

import json
import sys
import threading
from typing import Any

from PyQt6.QtCore import QModelIndex, QPoint, QSocketNotifier, Qt
from PyQt6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QLabel,
    QSlider,
    QStyle,
    QStyleOptionSlider,
    QWidget,
)

from gui.commands import panel as command
from gui.panel import Panel
from gui.panel.boardview import BoardView


def is_placed(widget: QWidget) -> bool:
    """Return whether a widget's window is on the screen: before that, its place is not final."""
    window = widget.window()
    handle = window.windowHandle() if window is not None else None
    return handle is not None and handle.isExposed()


def shown(kind: type, name: str) -> QWidget | None:
    """Return a widget on the screen of this name, or whose name starts so before a comma."""
    for widget in QApplication.allWidgets():
        called = widget.accessibleName()
        if (
            isinstance(widget, kind)
            and widget.isVisible()
            and is_placed(widget)
            and (called == name or called.startswith(f"{name},"))
        ):
            return widget
    return None


def place_of(widget: QWidget, point: QPoint) -> list[int]:
    """A point of a widget as a point of the screen."""
    where = widget.mapToGlobal(point)
    return [where.x(), where.y()]


class Answering(Panel):
    """The panel, which answers questions on its standard input."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._notifier = QSocketNotifier(sys.stdin.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._answer)

    def _answer(self) -> None:
        line = sys.stdin.readline()
        if not line:
            self._notifier.setEnabled(False)
            return
        question, *arguments = json.loads(line)
        answer = getattr(self, f"ask_{question}")(*arguments)
        sys.stdout.write(f"answer {json.dumps(answer)}\n")
        sys.stdout.flush()

    def ask_control(self, name: str) -> list[int] | None:
        """The middle of an enabled control."""
        widget = shown(QWidget, name)
        usable = widget is not None and widget.isEnabled()
        return place_of(widget, widget.rect().center()) if widget and usable else None

    def ask_handle(self, name: str) -> list[int] | None:
        """The middle of a slider's handle."""
        slider = shown(QSlider, name)
        style = slider.style() if isinstance(slider, QSlider) else None
        if not isinstance(slider, QSlider) or style is None:
            return None
        option = QStyleOptionSlider()
        slider.initStyleOption(option)
        parts = QStyle.ComplexControl.CC_Slider, QStyle.SubControl.SC_SliderHandle
        return place_of(slider, style.subControlRect(parts[0], option, parts[1], slider).center())

    def ask_text(self, name: str) -> str | None:
        """The text of a label."""
        label = shown(QLabel, name)
        return label.text() if isinstance(label, QLabel) else None

    def ask_rows(self, name: str) -> list[str]:
        """Return what a screen reader reads of each row of a list."""
        view = shown(QAbstractItemView, name)
        model = view.model() if isinstance(view, QAbstractItemView) else None
        if model is None:
            return []
        roles = (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.DisplayRole)
        rows = [model.index(row, 0) for row in range(model.rowCount(QModelIndex()))]
        return [str(row.data(roles[0]) or row.data(roles[1])) for row in rows]

    def ask_row(self, name: str, number: int) -> list[int] | None:
        """The middle of a row of a list."""
        view = shown(QAbstractItemView, name)
        model = view.model() if isinstance(view, QAbstractItemView) else None
        port = view.viewport() if isinstance(view, QAbstractItemView) else None
        if view is None or model is None or port is None:
            return None
        index = model.index(number, 0)
        return place_of(port, view.visualRect(index).center()) if index.isValid() else None

    def ask_board(self) -> dict[str, object] | None:
        """The board as text, and whether it is analysed."""
        view = shown(BoardView, "Board")
        turn = view.turn if isinstance(view, BoardView) else None
        if turn is None:
            return None
        return {"text": str(turn.reading.board), "analysed": turn.analysis is not None}

    def ask_page(self) -> str:
        """The name of the page."""
        return self.shell.name

    def ask_state(self) -> str:
        """The player's state."""
        return self.state.name

    def ask_why(self) -> str:
        """Why the player is paused; empty if it is not, or the user has paused it."""
        return self.run.why

    def ask_status(self) -> str:
        """The line below the board: what the player does, or how it has ended."""
        return self.surface.status.text()

    def ask_down(self, name: str) -> bool:
        """Return whether a button is being held down."""
        button = shown(QAbstractButton, name)
        return isinstance(button, QAbstractButton) and button.isDown()

    def ask_window(self) -> str:
        """The title of the window that has the keyboard; empty if none of the panel's has it."""
        window = QApplication.activeWindow()
        return window.windowTitle() if window is not None else ""

    def ask_id(self) -> int:
        """The id of the panel's window."""
        return int(self.winId())

    def ask_focus(self) -> str | None:
        """The name of what has the keyboard, or its class if it has no name."""
        widget = QApplication.focusWidget()
        if widget is None:
            return None
        text = widget.text() if isinstance(widget, QAbstractButton) else ""
        return widget.accessibleName() or text or f"unnamed {type(widget).__name__}"


if __name__ == "__main__":
    command.Panel = Answering  # type: ignore[misc]
    command.show_panel(threading.Event())
