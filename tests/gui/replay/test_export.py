"""The dialogs of an export."""

from __future__ import annotations

import pytest
from PyQt6.QtCore import QTimer
from PyQt6.QtWidgets import QApplication, QDialogButtonBox, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from gui.panel.boardview import Show
from gui.replay.animation import AnimationOptions
from gui.replay.export import AnimationDialog, Asking


def test_the_dialog_gives_what_is_chosen_in_it(qtbot: QtBot) -> None:
    """Layer, marks, speed, size; at first those of the defaults."""
    dialog = AnimationDialog()
    qtbot.addWidget(dialog)
    assert dialog.options == AnimationOptions()
    dialog.show_box.setCurrentIndex(dialog.show_box.findData(Show.PARSED))
    dialog.marks.setCurrentIndex(1)
    dialog.speed.setCurrentIndex(0)
    dialog.size_box.setCurrentIndex(2)
    assert dialog.options == AnimationOptions(Show.PARSED, False, None, 28)


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
@pytest.mark.parametrize(("button", "answer"), [("Delete", True), ("Cancel", False)])
def test_the_user_is_asked_before_anything_is_deleted(
    qtbot: QtBot, button: str, answer: bool
) -> None:
    """The real dialog, answered by its buttons; Cancel is the one that Return presses."""
    parent = QWidget()
    qtbot.addWidget(parent)

    def press() -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        named = {one.text().replace("&", ""): one for one in box.buttons()}
        assert box.defaultButton() is named["Cancel"]
        named[button].click()

    QTimer.singleShot(0, press)
    assert Asking().sure(parent, "Delete the session?", "Delete") is answer


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
@pytest.mark.parametrize("accepted", [True, False])
def test_the_dialog_of_the_animation_is_answered(qtbot: QtBot, accepted: bool) -> None:
    """Save gives the options, Cancel nothing."""
    parent = QWidget()
    qtbot.addWidget(parent)

    def answer() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, AnimationDialog)
        box = dialog.findChild(QDialogButtonBox)
        assert isinstance(box, QDialogButtonBox)
        kind = QDialogButtonBox.StandardButton
        pressed = box.button(kind.Save if accepted else kind.Cancel)
        assert pressed is not None
        pressed.click()

    QTimer.singleShot(0, answer)
    assert Asking().animation(parent) == (AnimationOptions() if accepted else None)
