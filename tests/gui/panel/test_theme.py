"""The theme that is applied: who is called, and who paints with it."""

from __future__ import annotations

import pytest
from PyQt6 import sip
from PyQt6.QtCore import QObject
from PyQt6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gui.panel.theme import DARK, LIGHT, Theme, apply, current_theme, on_theme_change


class Follower(QObject):
    """Writes down the theme whenever it is called."""

    def __init__(self) -> None:
        super().__init__()
        self.themes: list[Theme] = []
        on_theme_change(self.note)

    def note(self) -> None:
        """Write down the theme in force."""
        self.themes.append(current_theme())


@pytest.mark.parametrize("by_qt", [True, False], ids=["deleted by Qt", "no longer used"])
def test_deleted_follower_is_not_called(qtbot: QtBot, by_qt: bool) -> None:
    """A page that is closed does not keep the program from changing its colours."""
    window, follower, other = QWidget(), Follower(), Follower()
    qtbot.addWidget(window)
    themes = follower.themes
    if by_qt:
        sip.delete(follower)
    else:
        del follower
    apply(DARK, window)
    assert (themes, other.themes) == ([LIGHT], [LIGHT, DARK])
