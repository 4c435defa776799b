"""The dialogs of an export."""

from __future__ import annotations

from pathlib import Path

import pytest
from PyQt6.QtGui import QImageReader
from PyQt6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from gui.panel.boardview import Show
from gui.replay.animation import AnimationOptions
from gui.replay.export import AnimationDialog
from tests.gui.replay.shelf import NAME, Shelf


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


@pytest.mark.parametrize("suffix", [".webp", ".gif"])
def test_an_animated_picture_is_written(
    shelf: Shelf, home: Path, tmp_path: Path, suffix: str
) -> None:
    """Its appearance is chosen, then its file, whose ending is the format."""
    shelf.open(home / NAME)
    shelf.page.exporter.actions["animation"].trigger()
    (dialog,) = shelf.dialogs
    assert isinstance(dialog, AnimationDialog)
    dialog.size_box.setCurrentIndex(0)
    shelf.press("Save")
    (dialog,) = shelf.dialogs
    assert isinstance(dialog, QFileDialog)
    assert dialog.defaultSuffix() == "webp"
    target = tmp_path / f"game{suffix}"
    shelf.choose(target)
    shelf.wait(lambda: shelf.told)
    assert shelf.told == [f"Saved to {target}"]
    film = shelf.page.viewer.film
    assert film is not None
    assert QImageReader(str(target)).imageCount() == len(film)
