"""The page of skins: shown, renamed, deleted, exported, imported, and taught."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtGui import QGuiApplication
from PyQt6.QtWidgets import QFileDialog, QInputDialog, QMessageBox
from pytestqt.qtbot import QtBot

from bot.board import COVERED, FLAG, STATE_WORDS, UNREAD, Board
from bot.frame import Frame
from bot.game import BEGINNER, EXPERT
from gui.skins.skin_details import facts
from gui.skins.skins_page import SkinsPage
from tests.gui.panels import drop_files, is_error, message
from tests.gui.skins.pages import (
    CTRL,
    SEED,
    Opened,
    choose,
    names,
    own,
    picture,
    settled,
    sure,
    taught,
    walk,
)
from tests.gui.strangers import known_screen, middle_game, save, strange_screen
from tests.gui.tabletop import Tabletop
from vision.learning.questions import TileCluster
from vision.matcher import Matcher
from vision.skins import (
    bundled_names,
    forget_skin,
    load_skin,
    user_folder,
)
from vision.skins.skin_zip import export_skin

pytestmark = pytest.mark.long


def test_every_skin_is_listed(opened: Opened) -> None:
    """The user's own first; where each came from, its licence, sizes, levels and tiles are told."""
    _, page = opened("mine")
    assert names(page)[0] == "mine"
    assert set(names(page)[1:]) == bundled_names()
    choose(page, "mine")
    assert "yours" in page.shelf.list.item(0).text()
    told = page.shelf.facts.text()
    for words in (
        "a friend",
        "WineMine 8.0",
        "LGPL-2.1-or-later",
    ):
        assert words in told
    page.shelf.copy.click()
    clipboard = QGuiApplication.clipboard()
    assert clipboard.text() == str(user_folder() / "mine")
    assert page.shelf.sheet.accessibleDescription().startswith("empty, 1, 2")
    choose(page, "gnome-mines")
    assert "Further sizes" in page.shelf.facts.text()
    entry = page.shelf.entry
    assert "&lt;b&gt;" in facts(type(entry)(
        entry.skin.model_copy(update={"author": "<b>nobody</b>"}), entry.folder, own=False
    ))[1]  # fmt: skip


def test_ours_can_neither_be_renamed_nor_deleted(opened: Opened) -> None:
    """They can be exported; the buttons say what can be done."""
    _, page = opened("mine")
    for name, may in (("winemine", False), ("mine", True)):
        choose(page, name)
        assert page.rename.isEnabled() == page.delete.isEnabled() == may
        assert page.export.isEnabled()
        assert page.folder.isEnabled()


def test_a_skin_that_cannot_be_used_is_told(opened: Opened) -> None:
    """Beside the others, with the reason."""
    (own("broken") / "covered.png").unlink()
    _, page = opened()
    assert "covered.png is missing" in page.shelf.broken.text()
    assert "broken" not in names(page)


def test_a_skin_is_renamed(opened: Opened, qtbot: QtBot) -> None:
    """By F2; to a name that cannot be, it stays as it was."""
    panel, page = opened("mine")
    choose(page, "mine")
    qtbot.keyClick(page, Qt.Key.Key_F2)
    (dialog,) = page.findChildren(QInputDialog)
    dialog.setTextValue("yours")
    dialog.accept()
    settled(qtbot, page)
    assert names(page)[0] == "yours"
    assert page.shelf.title.text() == "yours"
    assert "'mine' was renamed to 'yours'" in message(panel)
    page.ask_name()
    dialog = page.findChildren(QInputDialog)[-1]
    dialog.setTextValue("classic")
    dialog.accept()
    settled(qtbot, page)
    assert "name of a bundled skin" in message(panel)
    assert is_error(panel)
    assert names(page)[0] == "yours"


def test_a_skin_is_deleted(opened: Opened, qtbot: QtBot) -> None:
    """By Del, after a question that Enter and Escape answer with no."""
    panel, page = opened("mine")
    choose(page, "mine")
    qtbot.keyClick(page, Qt.Key.Key_Delete)
    (box,) = page.findChildren(QMessageBox)
    assert "'mine'" in box.text()
    assert box.defaultButton() is box.button(QMessageBox.StandardButton.Cancel)
    sure(page, "Cancel")
    settled(qtbot, page)
    assert (user_folder() / "mine").exists()
    qtbot.waitUntil(lambda: not page.findChildren(QMessageBox))
    page.delete.click()
    sure(page, "Delete it")
    settled(qtbot, page)
    assert not (user_folder() / "mine").exists()
    assert "mine" not in names(page)
    assert " deleted: " in message(panel)


def test_a_skin_goes_out_and_comes_in(opened: Opened, qtbot: QtBot, tmp_path: Path) -> None:
    """Ctrl+E and Ctrl+I; one that is there is replaced only if one says so."""
    panel, page = opened("mine")
    choose(page, "mine")
    qtbot.keyClick(page, Qt.Key.Key_E, CTRL)
    (dialog,) = page.findChildren(QFileDialog)
    dialog.fileSelected.emit(str(tmp_path / "given"))
    dialog.close()
    settled(qtbot, page)
    path = tmp_path / "given.zip"
    assert str(path) in message(panel)
    assert panel.surface.banner.folder.isVisible()
    assert not is_error(panel)
    page.import_zip(path)
    settled(qtbot, page)
    marker = user_folder() / "mine" / "LICENSE.mark"
    marker.write_text("of the old one")
    sure(page, "Cancel")
    assert marker.exists()
    qtbot.waitUntil(lambda: not page.findChildren(QMessageBox))
    page.import_zip(path)
    settled(qtbot, page)
    sure(page, "Replace it")
    settled(qtbot, page)
    assert not marker.exists()
    page.context.jobs.start("Deleting", lambda _progress: None)
    settled(qtbot, page)
    page.take_in.click()
    dialog = page.findChildren(QFileDialog)[-1]
    dialog.filesSelected.emit([str(path)])
    dialog.close()
    settled(qtbot, page)
    sure(page, "Cancel")


def test_a_zip_with_the_name_of_one_of_ours_gets_another(
    opened: Opened, qtbot: QtBot, tmp_path: Path
) -> None:
    """A free name is proposed; the skin is kept under what is entered."""
    panel, page = opened()
    page.shelf.list.setCurrentRow(names(page).index("winemine"))
    entry = page.shelf.entry
    export_skin(entry.folder, tmp_path / "winemine.zip")
    page.import_zip(tmp_path / "winemine.zip")
    settled(qtbot, page)
    (dialog,) = page.findChildren(QInputDialog)
    assert "A bundled skin is called 'winemine'" in dialog.labelText()
    assert dialog.textValue() == "winemine-2"
    dialog.setTextValue(" wine ")
    dialog.accept()
    settled(qtbot, page)
    assert names(page)[0] == "wine"
    assert "'wine' imported" in message(panel)


def test_the_folder_is_opened(opened: Opened, qtbot: QtBot, opened_folders: list[str]) -> None:
    """By Ctrl+L, in whatever shows folders on this desktop."""
    _, page = opened("mine")
    choose(page, "mine")
    qtbot.keyClick(page, Qt.Key.Key_L, CTRL)
    assert opened_folders == [str(user_folder() / "mine")]


def test_files_are_dropped(opened: Opened, qtbot: QtBot, tmp_path: Path) -> None:
    """A zip is imported, pictures are learned from; nothing else is taken."""
    folder = own("mine")
    export_skin(folder, tmp_path / "mine.zip")
    forget_skin("mine")
    _, page = opened()
    assert not drop_files(page)
    assert drop_files(page, tmp_path / "mine.zip")
    settled(qtbot, page)
    assert names(page)[0] == "mine"
    assert drop_files(page, save(tmp_path, "strange.png", picture()))
    settled(qtbot, page)
    assert page.kinds.isVisible()


def test_tab_goes_through_both_faces(opened: Opened, qtbot: QtBot) -> None:
    """In the order that is seen, and every part has a name."""
    panel, page = opened("mine")
    choose(page, "mine")
    order = [page.teach, page.from_window, page.take_in, page.export, page.rename, page.delete]
    walk(qtbot, panel, [*order, page.folder, page.shelf.list])
    page.learn([Frame.of_image(picture())])
    settled(qtbot, page)
    kinds, form = page.kinds, page.kinds.form
    walk(qtbot, panel, [kinds.confirm, kinds.list, form, *form.tab_order, kinds.name])


def test_the_kinds_are_shown_with_the_guesses(opened: Opened, qtbot: QtBot) -> None:
    """Enlarged, what is open first; the guess stands out in the form."""
    _, page = taught(opened, qtbot)
    kinds = page.kinds
    assert kinds.isVisible()
    words = [kinds.list.item(row).text() for row in range(kinds.list.count())]
    assert words[0] == "?"
    assert set(words[1:]) >= {"covered", "empty", "1", "2"}
    assert "to confirm or correct" in kinds.words.text()
    assert kinds.form.question.likely[0] == FLAG
    kinds.list.setCurrentRow(words.index("1"))
    assert kinds.form.buttons[1].property("likely")
    assert "Our guess" in kinds.form.why.text()
    role = Qt.ItemDataRole.AccessibleTextRole
    assert "1, not confirmed" in kinds.list.item(words.index("1")).data(role)


def test_each_is_confirmed_or_corrected_by_one_click(opened: Opened, qtbot: QtBot) -> None:
    """The next one follows; a key does as well; the skin that is saved has what was said."""
    panel, page = taught(opened, qtbot)
    kinds = page.kinds
    mark = kinds.kind
    assert mark is not None
    qtbot.mouseClick(kinds.form.buttons[FLAG], Qt.MouseButton.LeftButton)
    settled(qtbot, page)
    while (kind := kinds.kind) is not None and not kind.confirmed:
        state = kind.state
        assert state in STATE_WORDS
        qtbot.mouseClick(kinds.form.buttons[state], Qt.MouseButton.LeftButton)
        settled(qtbot, page)
    assert "All of them are confirmed" in kinds.words.text()
    assert not kinds.confirm.isEnabled()
    kinds.name.setText("strange")
    qtbot.keyClick(page, Qt.Key.Key_S, CTRL)
    settled(qtbot, page)
    assert "The skin 'strange' is saved" in message(panel)
    assert names(page)[0] == "strange"
    assert page.shelf.title.text() == "strange"
    assert "unknown" not in page.shelf.facts.text()
    codes = Matcher(load_skin(user_folder() / "strange")).match(mark.picture[None]).codes
    assert codes.tolist() == [FLAG]


def test_an_answer_that_cannot_be_is_asked_again(opened: Opened, qtbot: QtBot) -> None:
    """With the reason; the same once more is taken."""
    _, page = taught(opened, qtbot)
    kinds = page.kinds
    words = [kinds.list.item(row).text() for row in range(kinds.list.count())]
    kinds.list.setCurrentRow(words.index("covered"))
    for told in (False, True):
        qtbot.keyClick(kinds.form, Qt.Key.Key_0)
        settled(qtbot, page)
        learned = kinds.learned
        assert (learned.refused is None) == told
        if not told:
            assert "It cannot be 'empty'" in kinds.form.why.text()
            assert kinds.kind.state == COVERED
    assert any(kind.confirmed and kind.state == 0 for kind in learned.kinds)


def test_one_is_left_out(opened: Opened, qtbot: QtBot) -> None:
    """By its button or key; it can be taken in again."""
    _, page = taught(opened, qtbot)
    kinds = page.kinds
    number = kinds.kind.number if kinds.kind is not None else -1
    qtbot.keyClick(kinds.form, Qt.Key.Key_L)
    settled(qtbot, page)
    row, left = next(
        (row, kind) for row, kind in enumerate(kinds.learned.kinds) if kind.number == number
    )
    assert (left.state, left.confirmed) == (UNREAD, True)
    kinds.list.setCurrentRow(row)
    assert "Skipped" in kinds.form.why.text()
    kinds.form.buttons[FLAG].click()
    settled(qtbot, page)
    assert any(kind.state == FLAG for kind in kinds.learned.kinds)


def test_one_more_picture(opened: Opened, qtbot: QtBot, tmp_path: Path) -> None:
    """It shows what the first did not; one that is of no use is told, and nothing is lost."""
    panel, page = taught(opened, qtbot)
    page.kinds.more.click()
    (dialog,) = page.findChildren(QFileDialog)
    more = save(tmp_path, "more.png", picture(opened=90, flags=0))
    plain = save(tmp_path, "plain.png", np.full((300, 300, 3), 90, np.uint8))
    dialog.filesSelected.emit([str(more), str(plain)])
    dialog.close()
    settled(qtbot, page)
    assert page.kinds.isVisible()
    assert "3" in {page.kinds.list.item(row).text() for row in range(page.kinds.list.count())}
    assert message(panel).startswith("plain.png shows no board to learn from")
    assert is_error(panel)


def test_what_cannot_be_learned_from_is_told(opened: Opened, qtbot: QtBot, tmp_path: Path) -> None:
    """A board of a known skin, or part of one, and no file: the list of skins stays."""
    panel, page = opened()
    qtbot.keyClick(page, Qt.Key.Key_O, CTRL)
    (dialog,) = page.findChildren(QFileDialog)
    dialog.filesSelected.emit([str(save(tmp_path, "known.png", known_screen()))])
    dialog.close()
    settled(qtbot, page)
    assert (
        "known.png shows a board of a known skin (classic): there is nothing to learn"
        in message(panel)
    )
    page.learn([tmp_path / "missing.png"])
    settled(qtbot, page)
    assert "missing.png is not a file" in message(panel)
    screen = known_screen()
    page.learn([save(tmp_path, "part.png", screen[: len(screen) // 2])])
    settled(qtbot, page)
    assert message(panel).startswith("part.png: Only part of the board is visible")
    assert is_error(panel)
    assert page.shelf.isVisible()


def test_a_name_that_is_taken_is_asked_about(opened: Opened, qtbot: QtBot) -> None:
    """Nothing is replaced unasked; a name that cannot be is told, and what was learned stays."""
    panel, page = taught(opened, qtbot, "mine")
    page.kinds.name.setText(" \N{LATIN CAPITAL LETTER U WITH DIAERESIS}nser Spiel (2)")
    assert page.kinds.save.isEnabled()
    assert page.kinds.rule.text() == "It is saved as 'unser-spiel-2'."
    page.kinds.name.setText("!")
    assert not page.kinds.save.isEnabled()
    source = load_skin(user_folder() / "mine").source
    page.kinds.name.setText("winemine")
    page.kinds.save.click()
    settled(qtbot, page)
    assert "name of a bundled skin" in message(panel)
    assert is_error(panel)
    assert page.kinds.isVisible()
    qtbot.keyClick(page.kinds.name, Qt.Key.Key_X)
    assert message(panel) == ""
    page.kinds.name.setText("mine")
    qtbot.keyClick(page.kinds.name, Qt.Key.Key_Return)
    settled(qtbot, page)
    sure(page, "Cancel")
    assert load_skin(user_folder() / "mine").source == source
    qtbot.waitUntil(lambda: not page.findChildren(QMessageBox))
    page.kinds.save.click()
    settled(qtbot, page)
    sure(page, "Replace it")
    settled(qtbot, page)
    assert load_skin(user_folder() / "mine").learned
    assert page.shelf.isVisible()


def test_what_is_missing_is_named(opened: Opened, qtbot: QtBot) -> None:
    """A skin without hints reads no game: it cannot be saved, and one is told why."""
    _, page = taught(opened, qtbot)
    kinds = page.kinds
    while rows := [row for row, kind in enumerate(page_kinds(page)) if kind.state in (1, 2)]:
        kinds.list.setCurrentRow(rows[0])
        qtbot.keyClick(kinds.form, Qt.Key.Key_L)
        settled(qtbot, page)
    assert not kinds.save.isEnabled()
    assert "A skin also needs" in kinds.words.text()


def test_a_window_is_learned_from(opened: Opened, qtbot: QtBot) -> None:
    """Ctrl+W lists the windows with a board; the one that is chosen is looked at, in a job."""
    table = Tabletop(BEGINNER, EXPERT)
    table.picture = picture()
    _, page = opened(table=table)
    qtbot.keyClick(page, Qt.Key.Key_W, CTRL)
    settled(qtbot, page)
    (dialog,) = page.findChildren(QInputDialog)
    assert "Tabletop" in dialog.textValue()
    assert len(set(dialog.comboBoxItems())) == 2
    dialog.accept()
    settled(qtbot, page)
    assert page.kinds.isVisible()
    assert table.threads["snapshot"].name.startswith("search")
    learner = page.kinds.learned.skin_learner if page.kinds.learned else None
    qtbot.keyClick(page, Qt.Key.Key_W, CTRL)
    settled(qtbot, page)
    assert page.kinds.learned.skin_learner is learner, "the skin that is being learned"


def test_the_only_window_has_a_known_skin(opened: Opened, qtbot: QtBot) -> None:
    """It says which one it was, and how another game is learned."""
    table = Tabletop(BEGINNER)
    table.picture = known_screen()
    panel, page = opened(table=table)
    page.from_window.click()
    settled(qtbot, page)
    assert "known skin (classic): there is nothing to learn." in message(panel)
    assert "window 'Tabletop" in message(panel)
    assert "uncover its window" in message(panel)
    assert is_error(panel)


def test_no_window_to_learn_from(opened: Opened, qtbot: QtBot) -> None:
    """It says what to do."""
    panel, page = opened()
    page.from_window.click()
    settled(qtbot, page)
    assert "No board found on the screen" in message(panel)


def test_a_picture_is_handed_over(opened: Opened, qtbot: QtBot) -> None:
    """By the page that reads pictures."""
    panel, page = opened()
    panel.shell.open("skins", Frame.of_image(picture()))
    settled(qtbot, page)
    assert page.kinds.isVisible()
    panel.shell.open("play")
    panel.shell.open("skins")
    settled(qtbot, page)
    assert page.kinds.isVisible()


def test_all_are_confirmed_at_once_after_several_pictures(
    opened: Opened, qtbot: QtBot, tmp_path: Path
) -> None:
    """No kind goes, the skin can be saved, and as many kinds are told as are shown."""
    _, page = taught(opened, qtbot)
    kinds = page.kinds
    board = middle_game(SEED, opened=40, flags=3).board
    tiles = board.tiles.copy()
    tiles[np.isin(tiles, (COVERED, FLAG))] = FLAG
    screen = strange_screen(SEED, Board(tiles, board.mines), scribbled=True)
    page.learn([save(tmp_path, "end.png", screen)])
    settled(qtbot, page)
    shown = kinds.list.count()
    assert kinds.title.text().startswith(f"{shown} different tiles")
    kinds.confirm.click()
    settled(qtbot, page)
    assert kinds.list.count() == shown
    words = [kinds.list.item(row).text() for row in range(shown)]
    assert f"{STATE_WORDS[COVERED]} \N{CHECK MARK}" in words
    assert kinds.save.isEnabled()


@pytest.mark.parametrize("how", ["answer", "confirm"])
def test_no_key_goes_astray_while_an_answer_is_processed(
    opened: Opened, qtbot: QtBot, how: str
) -> None:
    """Whatever is typed then changes neither the name nor the next answer."""
    panel, page = taught(opened, qtbot)
    kinds = page.kinds
    name = kinds.name.text()
    pressed = kinds.form.buttons[FLAG] if how == "answer" else kinds.confirm
    pressed.setFocus()
    pressed.click()
    told = [item.confirmed for item in page_kinds(page)]
    for key in "1f?2":
        focused = panel.focusWidget()
        assert focused is not None
        qtbot.keyClicks(focused, key)
    assert kinds.name.text() == name
    settled(qtbot, page)
    assert kinds.name.text() == name
    if how == "answer":
        assert sum(item.confirmed for item in page_kinds(page)) == sum(told) + 1


def test_teaching_that_was_left_does_not_come_back(opened: Opened, qtbot: QtBot) -> None:
    """Escape while an answer is processed: the list of skins stays, and can be used at once."""
    _, page = taught(opened, qtbot)
    page.kinds.confirm.click()
    qtbot.keyClick(page, Qt.Key.Key_Escape)
    assert page.shelf.isVisible()
    assert page.teach.isEnabled()
    assert not page.job.isVisible()
    settled(qtbot, page)
    assert page.shelf.isVisible()
    page.learn([Frame.of_image(picture())])
    settled(qtbot, page)
    assert page.kinds.isVisible()


def page_kinds(page: SkinsPage) -> tuple[TileCluster, ...]:
    """The kinds of the skin learner."""
    learned = page.kinds.learned
    return learned.kinds


def test_a_hostile_zip_is_told(opened: Opened, qtbot: QtBot, tmp_path: Path) -> None:
    """With its name and the reason; nothing is listed that was not there."""
    panel, page = opened()
    before = names(page)
    path = tmp_path / "evil.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("../../evil/skin.toml", "")
    page.import_zip(path)
    settled(qtbot, page)
    assert "evil.zip: '../../evil/skin.toml' leads out of the skin's folder" in message(panel)
    assert names(page) == before
