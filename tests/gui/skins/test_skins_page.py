"""The page of skins: shown, renamed, deleted, exported, imported."""

from __future__ import annotations

from pathlib import Path

from PyQt6.QtCore import QObject, Qt, QUrl, pyqtSlot
from PyQt6.QtGui import QDesktopServices, QGuiApplication
from PyQt6.QtWidgets import QFileDialog, QInputDialog, QMessageBox
from pytestqt.qtbot import QtBot

from bot.frame import Frame
from gui.skins.skin_details import facts
from tests.gui.panels import message
from tests.gui.skins.pages import (
    CTRL,
    Opened,
    choose,
    drop_files,
    names,
    own,
    picture,
    settled,
    sure,
    walk,
)
from tests.gui.strangers import save
from vision.skins import (
    bundled_names,
    forget_skin,
    user_folder,
)
from vision.skins.skin_zip import export_skin


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
    page.shelf.place.copy.click()
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


def test_the_folder_is_opened(opened: Opened, qtbot: QtBot) -> None:
    """By Ctrl+L, in whatever shows folders on this desktop."""

    class Desktop(QObject):
        urls: list[QUrl] = []  # noqa: RUF012 - of this test alone

        @pyqtSlot(QUrl)
        def show_folder(self, url: QUrl) -> None:
            self.urls.append(url)

    desktop = Desktop()
    QDesktopServices.setUrlHandler("file", desktop, "show_folder")
    try:
        _, page = opened("mine")
        choose(page, "mine")
        qtbot.keyClick(page, Qt.Key.Key_L, CTRL)
    finally:
        QDesktopServices.unsetUrlHandler("file")
    assert [url.toLocalFile() for url in desktop.urls] == [str(user_folder() / "mine")]


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
    walk(qtbot, panel, [part for part in page.kinds.order if part.isVisible()])
