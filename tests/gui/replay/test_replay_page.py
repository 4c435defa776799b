"""The replay page's list over recorded games of real programs: every button and every key."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from PyQt6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PyQt6.QtGui import QDesktopServices, QDragEnterEvent, QDropEvent
from pytestqt.qtbot import QtBot

from bot.board import Board
from gui.replay.replay_page import ReplayPage
from gui.replay.session_list import LARGEST, detailed, thumbnail
from tests.gui.replay.shelf import RECORDED, Shelf
from tests.support.boards import SESSIONS
from vision.sessions import load_session
from vision.sessions.summaries import summarise

WON, SGT, LOST = RECORDED


def choose(shelf: Shelf, folder: Path) -> None:
    """The row of a session, as by a click."""
    shelf.page.listing.select(folder)
    assert shelf.page.listing.current.folder == folder


def test_all_sessions_are_listed(shelf: Shelf, home: Path) -> None:
    """With result, size, mines, program, solver, time and length; the newest first."""
    assert len(shelf.listed()) == len(RECORDED)
    started = [load_session(home / name).info.started for name in RECORDED]
    shown = shelf.page.listing.filter
    folders = [shown.index(row, 0).data(Qt.ItemDataRole.UserRole).folder.name for row in range(3)]
    assert folders == [name for _, name in sorted(zip(started, RECORDED, strict=True))][::-1]
    told = shown.index(folders.index(LOST), 0).data(Qt.ItemDataRole.ToolTipRole)
    for words in (
        "Lost",
        "16 \N{MULTIPLICATION SIGN} 16",
        "40 mines",
        "WineMine",
        "exact",
        "turns",
        " s",
    ):
        assert words in told
    assert shelf.page.listing.note.text() == "3 recorded games"


def test_whose_moves_they_were_is_told(home: Path) -> None:
    """A game that the user played names no solver."""
    told = home / LOST / "session.json"
    info = json.loads(told.read_text())
    told.write_text(json.dumps(info | {"player": "user"}))
    lines = detailed(summarise(home / LOST))
    assert lines[0].endswith("you played")
    assert info["solver"] not in lines[0]


def test_a_broken_session_is_listed_with_its_reason(shelf: Shelf, home: Path) -> None:
    """And cannot be opened; what else can be done with it can."""
    (home / SGT / "turns.jsonl").write_bytes(b"nothing\n")
    shelf.page.listing.refresh.click()
    shelf.wait(lambda: any("Broken" in title for title in shelf.listed()))
    choose(shelf, home / SGT)
    buttons = shelf.page.listing.buttons
    assert not buttons["open"].isEnabled()
    assert buttons["delete"].isEnabled()
    detail = shelf.page.listing.view.currentIndex().data(Qt.ItemDataRole.UserRole + 1)
    assert "turns.jsonl" in detail[0]


@pytest.mark.parametrize(
    ("words", "kind", "count"),
    [
        ("", "all", 3),
        ("winemine", "all", 1),
        ("WINEMINE lost", "all", 1),
        ("winemine won", "all", 0),
        ("", "won", 2),
        ("", "lost", 1),
        ("beginner 9", "won", 2),
        ("", "unfinished", 0),
        ("", "broken", 0),
        ("", "kept", 0),
    ],
)
def test_the_list_is_searched_and_filtered(shelf: Shelf, words: str, kind: str, count: int) -> None:
    """Each word must occur; the kinds are results, and what is kept."""
    listing = shelf.page.listing
    listing.search.setText(words)
    listing.kind.setCurrentIndex(listing.kind.findData(kind))
    assert len(shelf.listed()) == count
    assert listing.note.text() == (
        "3 recorded games" if count == 3 else f"{count} of 3 recorded games"
    ) or (count == 0 and "No recorded game" in listing.note.text())


def test_the_buttons_of_the_list(shelf: Shelf, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep, show folder, delete: each does it to the chosen session."""
    listing = shelf.page.listing
    assert not listing.buttons["open"].isEnabled()
    choose(shelf, home / LOST)
    listing.buttons["keep"].click()
    shelf.wait((home / LOST / "kept").exists)
    shelf.wait(listing.buttons["keep"].isChecked)
    listing.kind.setCurrentIndex(listing.kind.findData("kept"))
    assert len(shelf.listed()) == 1
    shown: list[str] = []
    monkeypatch.setattr(
        QDesktopServices, "openUrl", lambda url: shown.append(url.toLocalFile()) or True
    )
    listing.buttons["reveal"].click()
    assert shown == [str(home / LOST)]
    listing.buttons["delete"].click()
    (box,) = shelf.dialogs
    assert "It is protected" in box.text()
    default = box.defaultButton()
    assert default.text().replace("&", "") == "Cancel"
    shelf.press("Cancel")
    assert (home / LOST).exists()
    listing.buttons["delete"].click()
    shelf.press("Delete")
    shelf.wait(lambda: not (home / LOST).exists())
    shelf.wait(lambda: shelf.page.sessions.rowCount() == 2)


def test_the_keys_of_the_list(shelf: Shelf, home: Path, qtbot: QtBot) -> None:
    """K, Del, Ctrl+F, Return, F5, Ctrl+O; letters that are typed into the search stay there."""
    listing = shelf.page.listing
    choose(shelf, home / LOST)
    listing.view.setFocus()
    qtbot.keyClick(listing.view, Qt.Key.Key_K)
    shelf.wait((home / LOST / "kept").exists)
    shelf.wait(listing.buttons["keep"].isChecked)
    qtbot.keyClick(listing.view, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert listing.search.hasFocus()
    qtbot.keyClicks(listing.search, "sgt k")
    qtbot.keyClick(listing.search, Qt.Key.Key_Delete)
    assert listing.search.text() == "sgt k"
    assert (home / LOST / "kept").exists()
    listing.search.setText("sgt")
    qtbot.keyClick(listing.search, Qt.Key.Key_Return)
    assert listing.view.hasFocus()
    qtbot.keyClick(listing.view, Qt.Key.Key_Delete)
    shelf.press("Delete")
    shelf.wait(lambda: not (home / SGT).exists())
    # The offscreen platform has no window manager that does it.
    shelf.page.activateWindow()
    shelf.wait(shelf.page.isActiveWindow)
    listing.search.clear()
    shutil.copytree(SESSIONS / SGT, home / SGT)
    qtbot.keyClick(listing.view, Qt.Key.Key_F5)
    shelf.wait(lambda: len(shelf.listed()) == 3)
    qtbot.keyClick(listing.view, Qt.Key.Key_O, Qt.KeyboardModifier.ControlModifier)
    shelf.choose(home / WON)
    shelf.wait(lambda: shelf.page.viewer.film)


def test_a_row_is_opened_and_left(shelf: Shelf, home: Path, qtbot: QtBot) -> None:
    """By Return or the button; Esc or the button goes back to the same row."""
    page = shelf.page
    choose(shelf, home / LOST)
    page.listing.view.setFocus()
    qtbot.keyClick(page.listing.view, Qt.Key.Key_Return)
    shelf.wait(lambda: page.viewer.film)
    assert page.stack.currentWidget() is page.viewer
    assert "Lost" in page.viewer.title.text()
    qtbot.keyClick(page.viewer, Qt.Key.Key_Escape)
    assert page.stack.currentWidget() is page.listing
    assert page.viewer.film is None
    assert page.listing.current.folder == home / LOST
    page.listing.buttons["open"].click()
    shelf.wait(lambda: page.viewer.film)
    page.viewer.back.click()
    assert page.stack.currentWidget() is page.listing


@pytest.mark.parametrize("part", ["", "session.json"])
def test_a_folder_is_dropped(shelf: Shelf, part: str) -> None:
    """From anywhere: the folder, or its session.json. Other files are not taken."""
    folder = SESSIONS / "xbomb-large-hint-6"
    drop(shelf.page, folder / part)
    shelf.wait(lambda: shelf.page.viewer.film)
    assert shelf.page.viewer.film.session.folder == folder
    other = drop(shelf.page, Path(__file__))
    assert not other.isAccepted()


def drop(page: ReplayPage, path: Path) -> QDropEvent:
    """As Qt tells a page of it."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    kind = Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton
    enter = QDragEnterEvent(QPoint(20, 20), *kind, Qt.KeyboardModifier.NoModifier)
    enter.ignore()
    page.dragEnterEvent(enter)
    event = QDropEvent(QPointF(20, 20), *kind, Qt.KeyboardModifier.NoModifier)
    event.ignore()
    if enter.isAccepted():
        page.dropEvent(event)
    return event


def test_what_is_no_session_is_said(shelf: Shelf, tmp_path: Path) -> None:
    """The list stays."""
    (tmp_path / "photos").mkdir()
    shelf.page.open(tmp_path / "photos")
    shelf.wait(lambda: shelf.failed)
    assert "is no session" in shelf.failed[0].message
    assert shelf.page.stack.currentWidget() is shelf.page.listing


def test_a_big_board_gets_a_thumbnail_too() -> None:
    """More cells than the thumbnail has pixels."""
    picture = thumbnail(Board.covered(300, 200, 5), "dark")
    assert picture.width() <= LARGEST[0]
    assert picture.height() <= LARGEST[1]
