"""The page of skins: shown, renamed, deleted, exported, imported, and taught."""

from __future__ import annotations

import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtGui import QGuiApplication
from PyQt6.QtWidgets import QDialog, QFileDialog, QInputDialog, QListWidget, QMessageBox
from pytestqt.qtbot import QtBot

from bot.board import COVERED, FLAG, STATE_WORDS, UNREAD, Board
from bot.frame import Frame
from bot.game import BEGINNER, EXPERT
from gui.runner.protocol import UNKNOWN_SKIN, Candidate
from gui.skins.skin_details import facts
from gui.skins.skins_page import SkinsPage
from tests.gui.panels import drop_files, is_error, message
from tests.gui.skins import pages
from tests.gui.strangers import known_screen, middle_game, save, strange_screen
from tests.gui.tabletop import Tabletop
from vision.learning.questions import TileCluster
from vision.matcher import Matcher
from vision.skins import (
    bundled_names,
    load_skin,
    user_folder,
)
from vision.skins.skin_zip import export_skin

pytestmark = pytest.mark.long


def test_a_skin_is_looked_at_renamed_exported_imported_and_deleted(
    opened: pages.Opened, qtbot: QtBot, tmp_path: Path, opened_folders: list[str]
) -> None:
    """With mouse and keys; nothing is replaced or deleted unasked, and of ours nothing at all."""
    (pages.own("broken") / "covered.png").unlink()
    panel, page = opened("mine")
    assert pages.names(page)[0] == "mine"
    assert set(pages.names(page)[1:]) == bundled_names()
    assert "covered.png is missing" in page.shelf.broken.text()
    pages.choose(page, "winemine")
    assert not page.rename.isEnabled()
    assert not page.delete.isEnabled()
    assert page.export.isEnabled()
    pages.choose(page, "gnome-mines")
    assert "Further sizes" in page.shelf.facts.text()
    entry = page.shelf.entry
    assert "&lt;b&gt;" in facts(type(entry)(
        entry.skin.model_copy(update={"author": "<b>nobody</b>"}), entry.folder, own=False
    ))[1]  # fmt: skip
    pages.choose(page, "mine")
    assert "yours" in page.shelf.list.item(0).text()
    for words in ("a friend", "WineMine 8.0", "LGPL-2.1-or-later"):
        assert words in page.shelf.facts.text()
    page.shelf.copy.click()
    assert QGuiApplication.clipboard().text() == str(user_folder() / "mine")
    assert page.shelf.sheet.accessibleDescription().startswith("empty, 1, 2")
    order = [page.teach, page.from_window, page.take_in, page.export, page.rename, page.delete]
    pages.walk(qtbot, panel, [*order, page.folder, page.shelf.list])
    qtbot.keyClick(page, Qt.Key.Key_L, pages.CTRL)
    assert opened_folders == [str(user_folder() / "mine")]
    # Renamed; to a name that cannot be, it stays as it was.
    qtbot.keyClick(page, Qt.Key.Key_F2)
    (dialog,) = page.findChildren(QInputDialog)
    dialog.setTextValue("yours")
    dialog.accept()
    pages.settled(qtbot, page)
    assert pages.names(page)[0] == page.shelf.title.text() == "yours"
    assert "'mine' was renamed to 'yours'" in message(panel)
    page.ask_name()
    dialog = page.findChildren(QInputDialog)[-1]
    dialog.setTextValue("classic")
    dialog.accept()
    pages.settled(qtbot, page)
    assert "name of a bundled skin" in message(panel)
    assert is_error(panel)
    assert pages.names(page)[0] == "yours"
    # Exported, and imported again.
    page.export.click()
    (dialog,) = page.findChildren(QFileDialog)
    dialog.fileSelected.emit(str(tmp_path / "given"))
    dialog.close()
    pages.settled(qtbot, page)
    path = tmp_path / "given.zip"
    assert str(path) in message(panel)
    assert panel.surface.banner.folder.isVisible()
    assert not is_error(panel)
    page.take_in.click()
    dialog = page.findChildren(QFileDialog)[-1]
    dialog.filesSelected.emit([str(path)])
    dialog.close()
    pages.settled(qtbot, page)
    marker = user_folder() / "yours" / "LICENSE.mark"
    marker.write_text("of the old one")
    pages.sure(page, "Cancel")
    assert marker.exists()
    qtbot.waitUntil(lambda: not page.findChildren(QMessageBox))
    assert drop_files(page, path)
    pages.settled(qtbot, page)
    pages.sure(page, "Replace it")
    pages.settled(qtbot, page)
    assert not marker.exists()
    # Deleted, after a question that Enter and Escape answer with no.
    qtbot.waitUntil(lambda: not page.findChildren(QMessageBox))
    page.delete.click()
    (box,) = page.findChildren(QMessageBox)
    assert "'yours'" in box.text()
    assert box.defaultButton() is box.button(QMessageBox.StandardButton.Cancel)
    pages.sure(page, "Cancel")
    pages.settled(qtbot, page)
    assert (user_folder() / "yours").exists()
    qtbot.waitUntil(lambda: not page.findChildren(QMessageBox))
    page.delete.click()
    pages.sure(page, "Delete it")
    pages.settled(qtbot, page)
    assert not (user_folder() / "yours").exists()
    assert "yours" not in pages.names(page)
    assert " deleted: " in message(panel)


def test_a_zip_is_imported_under_a_free_name_and_a_hostile_one_refused(
    opened: pages.Opened, qtbot: QtBot, tmp_path: Path
) -> None:
    """A free name is proposed; the skin is kept under what is entered."""
    panel, page = opened()
    before = pages.names(page)
    path = tmp_path / "evil.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("../../evil/skin.toml", "")
    page.import_zip(path)
    pages.settled(qtbot, page)
    assert "evil.zip: '../../evil/skin.toml' leads out of the skin's folder" in message(panel)
    assert pages.names(page) == before
    pages.choose(page, "winemine")
    export_skin(page.shelf.entry.folder, tmp_path / "winemine.zip")
    page.import_zip(tmp_path / "winemine.zip")
    pages.settled(qtbot, page)
    (dialog,) = page.findChildren(QInputDialog)
    assert "A bundled skin is called 'winemine'" in dialog.labelText()
    assert dialog.textValue() == "winemine-2"
    dialog.setTextValue(" wine ")
    dialog.accept()
    pages.settled(qtbot, page)
    assert pages.names(page)[0] == "wine"
    assert "'wine' imported" in message(panel)


def test_a_skin_is_taught(opened: pages.Opened, qtbot: QtBot, tmp_path: Path) -> None:
    """A dropped picture: guesses are confirmed, corrected, refused and left out, then saved."""
    panel, page = opened()
    assert not drop_files(page)
    assert drop_files(page, save(tmp_path, "strange.png", pages.picture()))
    pages.settled(qtbot, page)
    kinds, form = page.kinds, page.kinds.form
    assert kinds.isVisible()

    def words() -> list[str]:
        return [kinds.list.item(row).text() for row in range(kinds.list.count())]

    # What is open comes first; the guess of another one stands out in the form.
    assert words()[0] == "?"
    assert set(words()[1:]) >= {"covered", "empty", "1", "2"}
    assert "to confirm or correct" in kinds.words.text()
    assert form.question.likely[0] == FLAG
    mark = kinds.kind
    pages.walk(qtbot, panel, [kinds.confirm, kinds.list, form, *form.tab_order, kinds.name])
    row = words().index("1")
    kinds.list.setCurrentRow(row)
    assert form.buttons[1].property("likely")
    assert "Our guess" in form.why.text()
    assert "1, not confirmed" in kinds.list.item(row).data(Qt.ItemDataRole.AccessibleTextRole)
    # An answer that cannot be is asked again, with the reason; the same once more is taken.
    kinds.list.setCurrentRow(words().index("covered"))
    number = kinds.kind.number
    for allowed in (False, True):
        qtbot.keyClick(form, Qt.Key.Key_0)
        pages.settled(qtbot, page)
        assert (kinds.learned.refused is None) == allowed
        if not allowed:
            assert "It cannot be 'empty'" in form.why.text()
            assert kinds.kind.state == COVERED
    # One is left out, and taken in again.
    row = next(row for row, kind in enumerate(page_kinds(page)) if kind.number == number)
    for key, state in ((Qt.Key.Key_L, UNREAD), (Qt.Key.Key_C, COVERED)):
        kinds.list.setCurrentRow(row)
        qtbot.keyClick(form, key)
        pages.settled(qtbot, page)
        row, kind = next(
            (row, kind) for row, kind in enumerate(page_kinds(page)) if kind.number == number
        )
        assert (kind.state, kind.confirmed) == (state, True)
        kinds.list.setCurrentRow(row)
        assert ("Skipped" in form.why.text()) == (state == UNREAD)
    # All others by a click each; the next one follows.
    row = next(row for row, kind in enumerate(page_kinds(page)) if not kind.confirmed)
    kinds.list.setCurrentRow(row)
    while (kind := kinds.kind) is not None and not kind.confirmed:
        state = kind.state if kind.state in STATE_WORDS else FLAG
        qtbot.mouseClick(form.buttons[state], Qt.MouseButton.LeftButton)
        pages.settled(qtbot, page)
    assert "All of them are confirmed" in kinds.words.text()
    assert not kinds.confirm.isEnabled()
    kinds.name.setText("strange")
    qtbot.keyClick(page, Qt.Key.Key_S, pages.CTRL)
    pages.settled(qtbot, page)
    assert "The skin 'strange' is saved" in message(panel)
    assert pages.names(page)[0] == page.shelf.title.text() == "strange"
    assert "unknown" not in page.shelf.facts.text()
    codes = Matcher(load_skin(user_folder() / "strange")).match(mark.picture[None]).codes
    assert codes.tolist() == [FLAG]


def test_more_pictures(opened: pages.Opened, qtbot: QtBot, tmp_path: Path) -> None:
    """They show what the first did not; all are confirmed at once, and none of them goes."""
    panel, page = pages.taught(opened, qtbot)
    kinds = page.kinds
    kinds.more.click()
    (dialog,) = page.findChildren(QFileDialog)
    more = save(tmp_path, "more.png", pages.picture(opened=90, flags=0))
    plain = save(tmp_path, "plain.png", np.full((300, 300, 3), 90, np.uint8))
    dialog.filesSelected.emit([str(more), str(plain)])
    dialog.close()
    pages.settled(qtbot, page)
    assert kinds.isVisible()
    assert "3" in {kinds.list.item(row).text() for row in range(kinds.list.count())}
    assert message(panel).startswith("plain.png shows no board to learn from")
    assert not is_error(panel)
    tiles = middle_game(pages.SEED, opened=40, flags=3).board.tiles.copy()
    tiles[np.isin(tiles, (COVERED, FLAG))] = FLAG
    screen = strange_screen(pages.SEED, Board(tiles, 10), scribbled=True)
    page.learn([save(tmp_path, "end.png", screen)])
    pages.settled(qtbot, page)
    shown = kinds.list.count()
    assert kinds.title.text().startswith(f"{shown} different tiles")
    kinds.confirm.click()
    pages.settled(qtbot, page)
    assert kinds.list.count() == shown
    words = [kinds.list.item(row).text() for row in range(shown)]
    assert f"{STATE_WORDS[COVERED]} \N{CHECK MARK}" in words
    assert {kind.confirmed for kind in page_kinds(page) if kind.state != UNREAD} == {True}
    assert kinds.save.isEnabled()
    # A skin without hints cannot read a game: it is not saved, and the page says why.
    while rows := [row for row, kind in enumerate(page_kinds(page)) if kind.state in (1, 2, 3)]:
        kinds.list.setCurrentRow(rows[0])
        kinds.form.leave.click()
        pages.settled(qtbot, page)
    assert not kinds.save.isEnabled()
    assert "A skin also needs" in kinds.words.text()


def test_unusable_picture_to_learn_from_is_reported(
    opened: pages.Opened, qtbot: QtBot, tmp_path: Path
) -> None:
    """A board of a known skin, or part of one, no file, no window: the list of skins stays."""
    table, screen = Tabletop(), known_screen(level=BEGINNER, opened=40)
    panel, page = opened(table=table)
    page.from_window.click()
    pages.settled(qtbot, page)
    assert "No board found on the screen" in message(panel)
    table.levels, table.picture = [BEGINNER], screen
    page.from_window.click()
    pages.settled(qtbot, page)
    assert "known skin (classic): there is nothing to learn." in message(panel)
    assert "window 'Tabletop" in message(panel)
    assert not is_error(panel)
    qtbot.keyClick(page, Qt.Key.Key_O, pages.CTRL)
    (dialog,) = page.findChildren(QFileDialog)
    dialog.filesSelected.emit([str(save(tmp_path, "known.png", screen))])
    dialog.close()
    pages.settled(qtbot, page)
    assert (
        "known.png shows a board of a known skin (classic): there is nothing to learn"
        in message(panel)
    )
    page.learn([tmp_path / "missing.png"])
    pages.settled(qtbot, page)
    assert "missing.png is not a file" in message(panel)
    large = known_screen()
    page.learn([save(tmp_path, "part.png", large[: len(large) // 2])])
    pages.settled(qtbot, page)
    assert message(panel).startswith("part.png: Only part of the board is visible")
    assert not is_error(panel)
    assert page.shelf.isVisible()


def test_a_name_that_is_taken_is_asked_about(opened: pages.Opened, qtbot: QtBot) -> None:
    """Nothing is replaced unasked; an invalid name is reported, and what was learned stays."""
    panel, page = pages.taught(opened, qtbot, "mine")
    page.kinds.name.setText(" \N{LATIN CAPITAL LETTER U WITH DIAERESIS}nser Spiel (2)")
    assert page.kinds.save.isEnabled()
    assert page.kinds.rule.text() == "It is saved as 'unser-spiel-2'."
    page.kinds.name.setText("!")
    assert not page.kinds.save.isEnabled()
    source = load_skin(user_folder() / "mine").source
    page.kinds.name.setText("winemine")
    page.kinds.save.click()
    pages.settled(qtbot, page)
    assert "name of a bundled skin" in message(panel)
    assert not is_error(panel)
    assert page.kinds.isVisible()
    qtbot.keyClick(page.kinds.name, Qt.Key.Key_X)
    assert message(panel) == ""
    page.kinds.name.setText("mine")
    qtbot.keyClick(page.kinds.name, Qt.Key.Key_Return)
    pages.settled(qtbot, page)
    pages.sure(page, "Cancel")
    assert load_skin(user_folder() / "mine").source == source
    qtbot.waitUntil(lambda: not page.findChildren(QMessageBox))
    page.kinds.save.click()
    pages.settled(qtbot, page)
    pages.sure(page, "Replace it")
    pages.settled(qtbot, page)
    assert load_skin(user_folder() / "mine").learned
    assert page.shelf.isVisible()


class _SecondUnknown(Tabletop):
    """A table whose first board has a known skin, and whose second has not."""

    def candidate(self, number: int) -> Candidate:
        """Give the second board an unknown skin."""
        return replace(super().candidate(number), skin=UNKNOWN_SKIN if number else self.look)


def test_a_window_is_learned_from(opened: pages.Opened, qtbot: QtBot) -> None:
    """Ctrl+W lists the windows with a board, an unknown one selected; it is looked at, in a job."""
    table = _SecondUnknown(BEGINNER, EXPERT)
    table.picture = pages.picture()
    _, page = opened(table=table)
    qtbot.keyClick(page, Qt.Key.Key_W, pages.CTRL)
    pages.settled(qtbot, page)
    (dialog,) = page.findChildren(QDialog)
    (rows,) = dialog.findChildren(QListWidget)
    shown = [rows.item(row) for row in range(rows.count())]
    assert ["Tabletop" in item.text() for item in shown] == [True, True]
    assert shown[0].text() != shown[1].text()
    assert not any(item.icon().isNull() for item in shown)
    assert [UNKNOWN_SKIN in item.text() for item in shown] == [False, True]
    assert rows.currentRow() == 1
    qtbot.keyClick(rows, Qt.Key.Key_Return)
    pages.settled(qtbot, page)
    assert page.kinds.isVisible()
    assert table.threads["snapshot"].name.startswith("search")
    learner = page.kinds.learned.skin_learner if page.kinds.learned else None
    qtbot.keyClick(page, Qt.Key.Key_W, pages.CTRL)
    pages.settled(qtbot, page)
    assert page.kinds.learned.skin_learner is learner, "the skin that is being learned"


def test_no_key_goes_astray_while_an_answer_is_processed(
    opened: pages.Opened, qtbot: QtBot
) -> None:
    """Whatever is typed then changes neither the name nor the next answer."""
    panel, page = pages.taught(opened, qtbot)
    kinds = page.kinds
    name = kinds.name.text()
    for pressed in (kinds.form.buttons[FLAG], kinds.confirm):
        pressed.setFocus()
        pressed.click()
        confirmed = [item.confirmed for item in page_kinds(page)]
        for key in "1f?2":
            focused = panel.focusWidget()
            assert focused is not None
            qtbot.keyClicks(focused, key)
        assert kinds.name.text() == name
        pages.settled(qtbot, page)
        assert kinds.name.text() == name
        if pressed is not kinds.confirm:
            assert sum(item.confirmed for item in page_kinds(page)) == sum(confirmed) + 1


def test_teaching_that_was_left_does_not_come_back(opened: pages.Opened, qtbot: QtBot) -> None:
    """Escape while an answer is processed: the list of skins stays, and can be used at once.

    It goes on after another page was open.
    """
    panel, page = pages.taught(opened, qtbot)
    panel.shell.open("play")
    panel.shell.open("skins")
    pages.settled(qtbot, page)
    assert page.kinds.isVisible()
    page.kinds.confirm.click()
    qtbot.keyClick(page, Qt.Key.Key_Escape)
    assert page.shelf.isVisible()
    assert page.teach.isEnabled()
    assert not page.job.isVisible()
    pages.settled(qtbot, page)
    assert page.shelf.isVisible()
    page.learn([Frame.of_image(pages.picture())])
    pages.settled(qtbot, page)
    assert page.kinds.isVisible()


def page_kinds(page: SkinsPage) -> tuple[TileCluster, ...]:
    """The kinds of the skin learner."""
    learned = page.kinds.learned
    return learned.kinds
