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
from gui.panel.pages import PLAY


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
    gone: list[bool] = []
    ticks = 0

    def tick() -> bool:
        nonlocal ticks
        ticks += 1
        gone.append(not banner.isVisible())
        return ticks > 20

    qtbot.waitUntil(tick)
    assert not any(gone)
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


def test_every_page_has_its_own(banner: Banner) -> None:
    """One that was shown meanwhile on another page is there when that one is opened.

    A message is retracted, or replaced by a newer one about the same; others stay.
    """
    banner.show_message("First.", about="one")
    banner.show_message("Second.", about="two")
    banner.show_message("First again.", about="one")
    assert shown(banner) == "First again."
    banner.retract("one")
    assert shown(banner) == "Second."
    banner.retract("two")
    banner.show_message("About the pictures.", page="analyse")
    assert shown(banner) == "About the pictures."
    banner.show_message("About the games.")
    banner.turn_to("lab")
    assert shown(banner) == ""
    banner.turn_to("analyse")
    assert shown(banner) == "About the pictures."
    banner.clear("analyse")
    assert shown(banner) == ""
    banner.turn_to(PLAY)
    assert shown(banner) == "About the games."
