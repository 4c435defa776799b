"""What is done with games on the page of the history: replayed, forgotten, exported."""

from __future__ import annotations

import csv
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import (
    QFileDialog,
)
from pytestqt.qtbot import QtBot

from gui.history.schema import history_file
from gui.history.store import Entry, History, Result
from gui.settings import sessions_folder
from tests.gui.history.made import game
from tests.gui.history.pages import GAMES, Seen, settle
from tests.gui.panels import Shown
from tests.gui.tabletop import Tabletop
from tests.support.boards import SESSIONS
from vision.sessions import load_session


def opening(seen: Seen, qtbot: QtBot, how: str) -> None:
    """Open the second row."""
    view = seen.page.view
    index = view.model().index(1, 2)
    place = view.visualRect(index).center()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    if how == "double click":
        qtbot.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    elif how == "Enter":
        qtbot.keyClick(view, Qt.Key.Key_Return)
    else:
        seen.page.controls.replay.click()


@pytest.mark.parametrize("how", ["double click", "Enter", "button"])
def test_a_game_is_replayed(
    opened: Callable[..., Seen], many: list[Entry], qtbot: QtBot, how: str
) -> None:
    """The replay's page is wanted, with the session's folder; one that is gone is named."""
    seen = opened()
    opening(seen, qtbot, how)
    folder = sessions_folder() / many[1].session
    assert seen.wanted == []
    assert "no longer exists" in seen.told[0]
    assert str(folder) in seen.told[0]
    folder.mkdir(parents=True)
    opening(seen, qtbot, how)
    assert seen.wanted == [("replay", folder)]


def test_a_recording_elsewhere_is_replayed(
    opened: Callable[..., Seen], qtbot: QtBot, tmp_path: Path
) -> None:
    """The folder of that time was another one."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    with History.to_write(history_file()) as history:
        history.add([(game(session=str(folder)), [])] * 2)
    seen = opened()
    opening(seen, qtbot, "Enter")
    assert seen.wanted == [("replay", folder)]


def test_a_game_that_was_not_recorded_says_so(opened: Callable[..., Seen], qtbot: QtBot) -> None:
    """The folder of all sessions is not taken for its own."""
    with History.to_write(history_file()) as history:
        history.add([(game(session=""), []), (game(session=""), [])])
    sessions_folder().mkdir(parents=True)
    seen = opened()
    opening(seen, qtbot, "Enter")
    assert seen.wanted == []
    assert "was not recorded" in seen.told[0]


def test_the_replay_opens_a_game(shown: Shown, home: Path, qtbot: QtBot) -> None:
    """From its row in the history to its turns."""
    name = "winemine-beginner-won"
    shutil.copytree(SESSIONS / name, home / "sessions" / name)
    with History.to_write(history_file()) as history:
        history.add([(game(session=name), [])])
    panel = shown(Tabletop())
    panel.shell.rail.buttons["history"].click()
    page = panel.shell.page("history")
    qtbot.waitUntil(lambda: page.model.entry(0) is not None)
    page.view.setFocus()
    qtbot.keyClick(page.view, Qt.Key.Key_Return)
    assert panel.shell.name == "replay"
    replay = panel.shell.page("replay")
    qtbot.waitUntil(lambda: replay.viewer.film is not None)
    assert len(replay.viewer.film) == len(load_session(SESSIONS / name))


def test_games_are_forgotten(opened: Callable[..., Seen], many: list[Entry], qtbot: QtBot) -> None:
    """After a question: Cancel, the default, keeps them; Forget deletes those that are chosen."""
    seen = opened()
    page = seen.page
    page.view.selectRow(0)
    qtbot.keyClick(page.view, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(page.view, Qt.Key.Key_Delete)
    box = seen.dialog
    assert "these 2 games" in box.text()
    qtbot.keyClick(box, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: seen.dialog is None)
    assert page.model.rowCount() == GAMES
    page.controls.forget.click()
    box = seen.dialog
    (yes,) = [one for one in box.buttons() if one.text() == "&Delete"]
    qtbot.mouseClick(yes, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: page.model.rowCount() == GAMES - 2)
    settle(qtbot, seen)
    assert seen.column("Began", 1) == [f"{many[2].started:%Y-%m-%d %H:%M:%S}"]
    assert not page.bar.isVisible()


def test_what_is_shown_is_exported(
    opened: Callable[..., Seen], many: list[Entry], qtbot: QtBot, tmp_path: Path
) -> None:
    """The filter's games, in the table's order, into the file that was named."""
    seen = opened()
    page = seen.page
    page.filters.result.setCurrentText("Lost")
    settle(qtbot, seen)
    page.controls.export.click()
    dialog = seen.dialog
    assert dialog.acceptMode() is QFileDialog.AcceptMode.AcceptSave
    out = tmp_path / "lost.csv"
    dialog.fileSelected.emit(str(out))
    dialog.reject()
    qtbot.waitUntil(lambda: bool(seen.told))
    lost = [e for e in many if e.result is Result.LOST]
    assert seen.told == [f"{len(lost)} games saved to {out}"]
    with out.open(newline="") as file:
        assert [line["started"] for line in csv.DictReader(file)] == [
            e.started.isoformat() for e in lost
        ]


def test_a_file_that_cannot_be_written_is_told(
    opened: Callable[..., Seen], many: list[Entry], qtbot: QtBot, tmp_path: Path
) -> None:
    """In the words of the export."""
    assert many
    seen = opened()
    seen.page.controls.export.click()
    dialog = seen.dialog
    dialog.fileSelected.emit(str(tmp_path / "nowhere" / "games.csv"))
    dialog.reject()
    qtbot.waitUntil(lambda: bool(seen.failures))
    assert "nowhere/games.csv cannot be written" in seen.failures[0].message
    assert not seen.failures[0].report
