"""Pictures that are pasted, dropped, sent, given up, or of no use."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from PyQt6.QtCore import QMimeData, Qt, QUrl
from PyQt6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from gui.images import to_qimage
from tests.gui.panels import drop, message
from tests.gui.picture.pages import SCREENS, Opened, read, settled
from tests.gui.strangers import known_screen, save
from vision import SUPPORTED


def bomb() -> bytes:
    """A PNG of a few bytes that would be 10 gigapixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    head = struct.pack(">IIBBBBB", 100_000, 100_000, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", b"") + chunk(b"IEND", b"")


def test_it_is_pasted(opened: Opened, qtbot: QtBot, tmp_path: Path) -> None:
    """Pixels or a file; with neither it says what to do."""
    panel, page = opened()
    clipboard = QGuiApplication.clipboard()
    clipboard.setText("no picture")
    qtbot.keyClick(page, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert "no picture in the clipboard" in message(panel)
    clipboard.setImage(to_qimage(known_screen()))
    qtbot.keyClick(page, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    settled(qtbot, page)
    assert page.seen is not None
    assert page.analysed.name == "the pasted picture"
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(save(tmp_path, "copied.png", known_screen(5))))])
    clipboard.setMimeData(data)
    page.surface.paste.click()
    settled(qtbot, page)
    assert page.analysed.name == "copied.png"


def test_it_is_dropped(opened: Opened, qtbot: QtBot, tmp_path: Path) -> None:
    """A file, the first of several, or pixels; nothing from elsewhere."""
    panel, page = opened()
    words = QMimeData()
    words.setText("words")
    assert not drop(page, words)
    remote = QMimeData()
    remote.setUrls([QUrl("https://example.org/game.png")])
    assert drop(page, remote)
    assert "Only picture files on this computer" in message(panel)
    files = QMimeData()
    names = [save(tmp_path, name, known_screen()) for name in ("one.png", "two.png")]
    files.setUrls([QUrl.fromLocalFile(str(name)) for name in names])
    assert drop(page, files)
    assert "Only one picture can be analysed at a time: one.png was opened" in message(panel)
    settled(qtbot, page)
    assert page.analysed.name == "one.png"
    pixels = QMimeData()
    pixels.setImageData(to_qimage(known_screen()))
    assert drop(page, pixels)
    settled(qtbot, page)
    assert page.analysed.name == "the pasted picture"


@pytest.mark.parametrize(
    ("name", "contents", "said"),
    [
        ("empty.png", b"", "empty.png is empty"),
        ("words.png", b"no picture", "words.png is no PNG, JPEG or BMP picture"),
        ("half.png", b"\x89PNG\r\n\x1a\n", "half.png is truncated"),
        ("bomb.png", bomb(), "more than 64 megapixels are not opened"),
        ("missing.png", None, "missing.png is not a file"),
    ],
)
def test_a_file_that_cannot_be_used_is_told(
    opened: Opened, qtbot: QtBot, tmp_path: Path, name: str, contents: bytes | None, said: str
) -> None:
    """In words, by name; what was shown before stays."""
    panel, page = opened()
    path = tmp_path / name
    if contents is not None:
        path.write_bytes(contents)
    page.read(path)
    settled(qtbot, page)
    assert said in message(panel)
    assert page.analysed is None


def test_an_error_goes_with_its_picture(opened: Opened, qtbot: QtBot, tmp_path: Path) -> None:
    """The next picture is read: what was wrong with the last one is not told of it."""
    panel, page = opened()
    page.read(tmp_path / "nowhere.png")
    settled(qtbot, page)
    assert "nowhere.png" in message(panel)
    read(qtbot, page, known_screen())
    assert page.analysed is not None
    assert message(panel) == ""


def test_a_picture_without_a_board_is_told(opened: Opened, qtbot: QtBot) -> None:
    """By its name; nothing is saved, and the page waits for another one."""
    panel, page = opened()
    read(qtbot, page, np.full((300, 400, 3), 90, np.uint8))
    none = "the pasted picture: no Minesweeper board is in this picture."
    dark = "A dark or blurred picture may not be recognised"
    assert message(panel) == f"{none} {SUPPORTED}. {dark}"
    assert not page.surface.save.isEnabled()


def test_reading_can_be_cancelled(opened: Opened, qtbot: QtBot) -> None:
    """At once: the page is as it was, and reads the next picture."""
    _, page = opened()
    page.read(SCREENS / "three-games-1920.png")
    page.surface.job.cancel.click()
    assert not page.surface.job.isVisible()
    assert page.analysed is None
    read(qtbot, page, known_screen())
    assert page.analysed is not None


def test_the_last_picture_wins(opened: Opened, qtbot: QtBot) -> None:
    """A picture that is given while another is read takes its place."""
    _, page = opened()
    page.read(SCREENS / "three-games-1920.png")
    page.read(known_screen())
    settled(qtbot, page)
    assert len(page.analysed.boards) == 1


def test_another_page_can_send_a_file(opened: Opened, qtbot: QtBot, tmp_path: Path) -> None:
    """Opened with a picture, the page reads it; opened without, it shows what it showed."""
    panel, page = opened()
    panel.shell.open("picture", save(tmp_path, "sent.png", known_screen()))
    settled(qtbot, page)
    assert page.analysed.name == "sent.png"
    panel.shell.open("picture")
    assert not page.context.jobs.running
