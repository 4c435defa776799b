"""Windows of a test live until the test has closed them."""

from __future__ import annotations

import weakref

from PyQt6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot


class _Window(QWidget):
    """A window that refers to itself, as most do: only a collection of garbage ends it."""

    def __init__(self) -> None:
        super().__init__()
        self.itself = self


def test_a_window_that_nothing_refers_to_is_not_deleted_before_it_is_closed(qtbot: QtBot) -> None:
    """Its events are still to come, and it must not be deleted while it handles one."""
    window = _Window()
    held = weakref.ref(window)
    qtbot.addWidget(window)
    window.show()
    del window
    many = [[number] for number in range(100_000)]
    assert len(many) == 100_000
    assert held() is not None
