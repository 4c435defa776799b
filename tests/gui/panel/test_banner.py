"""Messages across the panel: which one is shown, how long, and what ends it."""

from __future__ import annotations

from pathlib import Path

import pytest
from PyQt6.QtCore import QEvent, QPoint, QPointF
from PyQt6.QtGui import QCursor, QDesktopServices, QEnterEvent
from PyQt6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.failures import Failure
from gui.panel import banner as module
from gui.panel.banner import Banner


@pytest.fixture
def banner(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Banner:
    """A banner whose messages of success go almost at once."""
    monkeypatch.setattr(module, "FADES_AFTER", 10)
    made = Banner()
    qtbot.addWidget(made)
    # Not under the pointer, wherever that is.
    made.move(QCursor.pos() + QPoint(100, 100))
    return made


def shown(banner: Banner) -> str:
    """What it says; empty while it is hidden."""
    return banner.message.text() if banner.isVisible() else ""


def test_success_goes_by_itself_and_nothing_else_does(banner: Banner, qtbot: QtBot) -> None:
    """What is to be done, and what went wrong, stays."""
    banner.show_message("Choose a window.", about="window")
    banner.show_failure(Failure("it broke"), about="run")
    banner.show_success("Saved.", about="file")
    assert shown(banner) == "Saved."
    qtbot.waitUntil(lambda: shown(banner) == "It broke.")
    banner.dismiss.click()
    assert shown(banner) == "Choose a window."
    banner.dismiss.click()
    assert shown(banner) == ""


def test_success_stays_under_the_pointer(banner: Banner, qtbot: QtBot) -> None:
    """While the user may be reading or about to copy it."""
    banner.show_success("Saved.")
    middle = QPointF(banner.rect().center())
    QApplication.sendEvent(banner, QEnterEvent(middle, middle, middle))
    for _ in range(20):
        qtbot.wait(10)
        assert banner.isVisible()
    QApplication.sendEvent(banner, QEvent(QEvent.Type.Leave))
    qtbot.waitUntil(lambda: not banner.isVisible())


@pytest.mark.parametrize("opens", [False, pytest.param(True, marks=pytest.mark.linux)])
def test_a_folder_that_cannot_be_opened_is_named(
    banner: Banner, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, opens: bool
) -> None:
    """Also if the desktop says that it opens it, but has no file manager."""
    query = tmp_path / "xdg-mime"
    query.write_text("#!/bin/sh\nexit 0\n")
    query.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _url: opens)
    banner.show_success("Saved.", tmp_path)
    banner.folder.click()
    said = f"No file manager was found. The folder is {tmp_path}"
    qtbot.waitUntil(lambda: shown(banner) == said)
