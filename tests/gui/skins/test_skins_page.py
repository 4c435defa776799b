"""The page of skins: shown, renamed, deleted, exported, imported, and taught."""

from __future__ import annotations

import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtGui import QGuiApplication
from PyQt6.QtWidgets import QDialog, QInputDialog, QListWidget, QMessageBox
from pytestqt.qtbot import QtBot

from bot.board import COVERED, FLAG, STATE_WORDS, UNREAD, Board
from bot.frame import Frame
from bot.game import BEGINNER, EXPERT
from gui.runner.protocol import UNKNOWN_SKIN, Candidate
from gui.skins.skin_details import facts
from tests.gui.panels import drop_files, is_error
from tests.gui.skins.pages import CTRL, SEED, Driver, Opened, own, picture
from tests.gui.strangers import known_screen, middle_game, save, strange_screen
from tests.gui.tabletop import Tabletop
from vision.matcher import Matcher
from vision.skins import (
    bundled_names,
    load_skin,
    user_folder,
)
from vision.skins.skin_zip import export_skin

pytestmark = pytest.mark.long


def test_a_skin_is_looked_at_renamed_exported_imported_and_deleted(
    opened: Opened, tmp_path: Path, opened_folders: list[str]
) -> None:
    """With mouse and keys; nothing is replaced or deleted unasked, and of ours nothing at all."""
    (own("broken") / "covered.png").unlink()
    driver = opened("mine")
    page = driver.page
    assert driver.names[0] == "mine"
    assert set(driver.names[1:]) == bundled_names()
    assert "covered.png is missing" in page.shelf.broken.text()
    driver.choose("winemine")
    assert not page.rename.isEnabled()
    assert not page.delete.isEnabled()
    assert page.export.isEnabled()
    driver.choose("gnome-mines")
    assert "Further sizes" in page.shelf.facts.text()
    entry = page.shelf.entry
    hostile = entry.skin.model_copy(update={"author": "<b>nobody</b>"})
    assert "&lt;b&gt;" in facts(replace(entry, skin=hostile))[1]
    driver.choose("mine")
    assert "yours" in page.shelf.list.item(0).text()
    for words in ("a friend", "WineMine 8.0", "LGPL-2.1-or-later"):
        assert words in page.shelf.facts.text()
    page.shelf.copy.click()
    assert QGuiApplication.clipboard().text() == str(user_folder() / "mine")
    assert page.shelf.sheet.accessibleDescription().startswith("empty, 1, 2")
    order = [page.teach, page.from_window, page.take_in, page.export, page.rename, page.delete]
    driver.walk([*order, page.folder, page.shelf.list])
    driver.type(page, Qt.Key.Key_L, CTRL)
    assert opened_folders == [str(user_folder() / "mine")]
    # Renamed; to a name that cannot be, it stays as it was.
    driver.type(page, Qt.Key.Key_F2)
    driver.enter_name("yours")
    assert driver.names[0] == page.shelf.title.text() == "yours"
    assert "'mine' was renamed to 'yours'" in driver.message
    page.ask_name()
    driver.enter_name("classic")
    assert "name of a bundled skin" in driver.message
    assert is_error(driver.panel)
    assert driver.names[0] == "yours"
    # Exported, and imported again.
    page.export.click()
    driver.choose_files(tmp_path / "given")
    path = tmp_path / "given.zip"
    assert str(path) in driver.message
    assert driver.panel.surface.banner.folder.isVisible()
    assert not is_error(driver.panel)
    page.take_in.click()
    driver.choose_files(path)
    marker = user_folder() / "yours" / "LICENSE.mark"
    marker.write_text("of the old one")
    driver.answer("Cancel")
    assert marker.exists()
    assert drop_files(page, path)
    driver.settle()
    driver.answer("Replace it")
    assert not marker.exists()
    # Deleted, after a question that Enter and Escape answer with no.
    page.delete.click()
    (box,) = page.findChildren(QMessageBox)
    assert "'yours'" in box.text()
    assert box.defaultButton() is box.button(QMessageBox.StandardButton.Cancel)
    driver.answer("Cancel")
    assert (user_folder() / "yours").exists()
    page.delete.click()
    driver.answer("Delete it")
    assert not (user_folder() / "yours").exists()
    assert "yours" not in driver.names
    assert " deleted: " in driver.message


def test_a_zip_is_imported_under_a_free_name_and_a_hostile_one_refused(
    opened: Opened, tmp_path: Path
) -> None:
    """A free name is proposed; the skin is kept under what is entered."""
    driver = opened()
    page = driver.page
    before = driver.names
    path = tmp_path / "evil.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("../../evil/skin.toml", "")
    page.import_zip(path)
    driver.settle()
    assert "evil.zip: '../../evil/skin.toml' leads out of the skin's folder" in driver.message
    assert driver.names == before
    driver.choose("winemine")
    export_skin(page.shelf.entry.folder, tmp_path / "winemine.zip")
    page.import_zip(tmp_path / "winemine.zip")
    driver.settle()
    (dialog,) = page.findChildren(QInputDialog)
    assert "A bundled skin is called 'winemine'" in dialog.labelText()
    assert dialog.textValue() == "winemine-2"
    driver.enter_name(" wine ")
    assert driver.names[0] == "wine"
    assert "'wine' imported" in driver.message


def test_a_skin_is_taught(opened: Opened, tmp_path: Path) -> None:
    """A dropped picture: guesses are confirmed, corrected, refused and left out, then saved."""
    driver = opened()
    page = driver.page
    assert not drop_files(page)
    assert drop_files(page, save(tmp_path, "strange.png", picture()))
    driver.settle()
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
    driver.walk([kinds.confirm, kinds.list, form, *form.tab_order, kinds.name])
    row = words().index("1")
    kinds.list.setCurrentRow(row)
    assert form.buttons[1].property("likely")
    assert "Our guess" in form.why.text()
    assert "1, not confirmed" in kinds.list.item(row).data(Qt.ItemDataRole.AccessibleTextRole)
    # An answer that cannot be is asked again, with the reason; the same once more is taken.
    kinds.list.setCurrentRow(words().index("covered"))
    number = kinds.kind.number
    for allowed in (False, True):
        driver.type(form, Qt.Key.Key_0)
        assert (kinds.learned.refused is None) == allowed
        if not allowed:
            assert "It cannot be 'empty'" in form.why.text()
            assert kinds.kind.state == COVERED
    # One is left out, and taken in again.
    row = next(row for row, kind in enumerate(driver.clusters) if kind.number == number)
    for key, state in ((Qt.Key.Key_L, UNREAD), (Qt.Key.Key_C, COVERED)):
        kinds.list.setCurrentRow(row)
        driver.type(form, key)
        row = next(row for row, kind in enumerate(driver.clusters) if kind.number == number)
        kind = driver.clusters[row]
        assert (kind.state, kind.confirmed) == (state, True)
        kinds.list.setCurrentRow(row)
        assert ("Skipped" in form.why.text()) == (state == UNREAD)
    # All others by a click each; the next one follows.
    row = next(row for row, kind in enumerate(driver.clusters) if not kind.confirmed)
    kinds.list.setCurrentRow(row)
    while (kind := kinds.kind) is not None and not kind.confirmed:
        state = kind.state if kind.state in STATE_WORDS else FLAG
        driver.click(form.buttons[state])
    assert "All of them are confirmed" in kinds.words.text()
    assert not kinds.confirm.isEnabled()
    kinds.name.setText("strange")
    driver.type(page, Qt.Key.Key_S, CTRL)
    assert "The skin 'strange' is saved" in driver.message
    assert driver.names[0] == page.shelf.title.text() == "strange"
    assert "unknown" not in page.shelf.facts.text()
    codes = Matcher(load_skin(user_folder() / "strange")).match(mark.picture[None]).codes
    assert codes.tolist() == [FLAG]


def test_more_pictures(taught: Driver, tmp_path: Path) -> None:
    """They show what the first did not; all are confirmed at once, and none of them goes."""
    driver, page = taught, taught.page
    kinds = page.kinds
    kinds.more.click()
    more = save(tmp_path, "more.png", picture(opened=90, flags=0))
    plain = save(tmp_path, "plain.png", np.full((300, 300, 3), 90, np.uint8))
    driver.choose_files(more, plain)
    assert kinds.isVisible()
    assert "3" in {kinds.list.item(row).text() for row in range(kinds.list.count())}
    assert driver.message.startswith("plain.png shows no board to learn from")
    assert not is_error(driver.panel)
    tiles = middle_game(SEED, opened=40, flags=3).board.tiles.copy()
    tiles[np.isin(tiles, (COVERED, FLAG))] = FLAG
    screen = strange_screen(SEED, Board(tiles, 10), scribbled=True)
    driver.learn(save(tmp_path, "end.png", screen))
    shown = kinds.list.count()
    assert kinds.title.text().startswith(f"{shown} different tiles")
    driver.click(kinds.confirm)
    assert kinds.list.count() == shown
    words = [kinds.list.item(row).text() for row in range(shown)]
    assert f"{STATE_WORDS[COVERED]} \N{CHECK MARK}" in words
    assert {kind.confirmed for kind in driver.clusters if kind.state != UNREAD} == {True}
    assert kinds.save.isEnabled()
    # A skin without hints cannot read a game: it is not saved, and the page says why.
    while rows := [row for row, kind in enumerate(driver.clusters) if kind.state in (1, 2, 3)]:
        kinds.list.setCurrentRow(rows[0])
        driver.click(kinds.form.leave)
    assert not kinds.save.isEnabled()
    assert "A skin also needs" in kinds.words.text()


def test_unusable_picture_to_learn_from_is_reported(opened: Opened, tmp_path: Path) -> None:
    """A board of a known skin, or part of one, no file, no window: the list of skins stays."""
    table, screen = Tabletop(), known_screen(level=BEGINNER, opened=40)
    driver = opened(table=table)
    page = driver.page
    driver.click(page.from_window)
    assert "No board found on the screen" in driver.message
    table.levels, table.picture = [BEGINNER], screen
    driver.click(page.from_window)
    assert "known skin (classic): there is nothing to learn." in driver.message
    assert "window 'Tabletop" in driver.message
    assert not is_error(driver.panel)
    driver.type(page, Qt.Key.Key_O, CTRL)
    driver.choose_files(save(tmp_path, "known.png", screen))
    assert "known.png shows a board of a known skin (classic)" in driver.message
    driver.learn(tmp_path / "missing.png")
    assert "missing.png is not a file" in driver.message
    large = known_screen()
    driver.learn(save(tmp_path, "part.png", large[: len(large) // 2]))
    assert driver.message.startswith("part.png: Only part of the board is visible")
    assert not is_error(driver.panel)
    assert page.shelf.isVisible()


def test_a_name_that_is_taken_is_asked_about(taught: Driver) -> None:
    """Nothing is replaced unasked; an invalid name is reported, and what was learned stays."""
    driver, page = taught, taught.page
    page.kinds.name.setText(" \N{LATIN CAPITAL LETTER U WITH DIAERESIS}nser Spiel (2)")
    assert page.kinds.save.isEnabled()
    assert page.kinds.rule.text() == "It is saved as 'unser-spiel-2'."
    page.kinds.name.setText("!")
    assert not page.kinds.save.isEnabled()
    source = load_skin(user_folder() / "mine").source
    page.kinds.name.setText("winemine")
    driver.click(page.kinds.save)
    assert "name of a bundled skin" in driver.message
    assert not is_error(driver.panel)
    assert page.kinds.isVisible()
    driver.type(page.kinds.name, Qt.Key.Key_X)
    assert driver.message == ""
    page.kinds.name.setText("mine")
    driver.type(page.kinds.name, Qt.Key.Key_Return)
    driver.answer("Cancel")
    assert load_skin(user_folder() / "mine").source == source
    driver.click(page.kinds.save)
    driver.answer("Replace it")
    assert load_skin(user_folder() / "mine").learned
    assert page.shelf.isVisible()


class _SecondUnknown(Tabletop):
    """A table whose first board has a known skin, and whose second has not."""

    def candidate(self, number: int) -> Candidate:
        """Give the second board an unknown skin."""
        return replace(super().candidate(number), skin=UNKNOWN_SKIN if number else self.look)


def test_a_window_is_learned_from(opened: Opened) -> None:
    """Ctrl+W lists the windows with a board, an unknown one selected; it is looked at, in a job."""
    table = _SecondUnknown(BEGINNER, EXPERT)
    table.picture = picture()
    driver = opened(table=table)
    page = driver.page
    driver.type(page, Qt.Key.Key_W, CTRL)
    (dialog,) = page.findChildren(QDialog)
    (rows,) = dialog.findChildren(QListWidget)
    shown = [rows.item(row) for row in range(rows.count())]
    assert ["Tabletop" in item.text() for item in shown] == [True, True]
    assert shown[0].text() != shown[1].text()
    assert not any(item.icon().isNull() for item in shown)
    assert [UNKNOWN_SKIN in item.text() for item in shown] == [False, True]
    assert rows.currentRow() == 1
    driver.type(rows, Qt.Key.Key_Return)
    assert page.kinds.isVisible()
    assert table.threads["snapshot"].name.startswith("search")
    learner = page.kinds.learned.skin_learner
    driver.type(page, Qt.Key.Key_W, CTRL)
    assert page.kinds.learned.skin_learner is learner, "the skin that is being learned"


def test_no_key_goes_astray_while_an_answer_is_processed(taught: Driver, qtbot: QtBot) -> None:
    """Whatever is typed then changes neither the name nor the next answer."""
    driver, page = taught, taught.page
    kinds = page.kinds
    name = kinds.name.text()
    for pressed in (kinds.form.buttons[FLAG], kinds.confirm):
        pressed.setFocus()
        pressed.click()
        confirmed = [item.confirmed for item in driver.clusters]
        for key in "1f?2":
            focused = driver.panel.focusWidget()
            assert focused is not None
            qtbot.keyClicks(focused, key)
        assert kinds.name.text() == name
        driver.settle()
        assert kinds.name.text() == name
        if pressed is not kinds.confirm:
            assert sum(item.confirmed for item in driver.clusters) == sum(confirmed) + 1


def test_teaching_that_was_left_does_not_come_back(taught: Driver, qtbot: QtBot) -> None:
    """Escape while an answer is processed: the list of skins stays, and can be used at once.

    It goes on after another page was open.
    """
    driver, page = taught, taught.page
    driver.panel.shell.open("play")
    driver.panel.shell.open("skins")
    driver.settle()
    assert page.kinds.isVisible()
    page.kinds.confirm.click()
    qtbot.keyClick(page, Qt.Key.Key_Escape)
    assert page.shelf.isVisible()
    assert page.teach.isEnabled()
    assert not page.job.isVisible()
    driver.settle()
    assert page.shelf.isVisible()
    driver.learn(Frame.of_image(picture()))
    assert page.kinds.isVisible()
