"""The rail and the pages: made when they are opened, messages above all of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from PyQt6.QtCore import QEvent, QObject, Qt
from PyQt6.QtGui import QKeySequence, QShortcut
from PyQt6.QtWidgets import QAbstractButton, QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from gui.failures import Failure
from gui.panel.pages import PAGES, PLAY
from tests.gui.panels import Shown, message
from tests.gui.tabletop import Tabletop
from tests.support.boards import SESSIONS
from vision.desktop import Desktop

NAMES = [PLAY, *(page.name for page in PAGES)]


def test_alt_and_a_digit_opens_a_page(shown: Shown, qtbot: QtBot) -> None:
    """From wherever the focus is; the rail marks the page that is open."""
    panel = shown(Tabletop())
    for number, name in enumerate(NAMES, start=1):
        key = getattr(Qt.Key, f"Key_{number % 10}")
        qtbot.keyClick(panel, key, Qt.KeyboardModifier.AltModifier)
        assert panel.shell.name == name
        assert panel.shell.page(name).isVisible()
        buttons = panel.shell.rail.buttons
        assert buttons[name].isChecked()
        marked = [one for one, button in buttons.items() if button.hasFocus()]
        assert marked in ([], [name]), "the frame of the focus looks like a mark"


def test_no_page_opens_a_window_while_it_is_made(
    shown: Shown, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A widget that is shown before it has a parent flashes on the desktop."""
    monkeypatch.setattr(Desktop, "overlays", True)
    panel = shown(Tabletop())
    windows: list[str] = []

    class Watch(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
            """Note a widget that is shown as a window."""
            is_shown = event.type() == QEvent.Type.Show and isinstance(watched, QWidget)
            if is_shown and watched.isWindow():
                windows.append(type(watched).__name__)
            return False

    watch, app = Watch(), QApplication.instance()
    app.installEventFilter(watch)
    for name in NAMES:
        panel.shell.open(name)
    app.removeEventFilter(watch)
    assert windows == []


def test_a_message_stands_on_its_page(shown: Shown) -> None:
    """On the page where it came and on the one that it is about, until it is retracted.

    A newer one about the same replaces it; others stay.
    """
    panel = shown(Tabletop())
    banner = panel.surface.banner
    banner.show_message("First.", about="one")
    banner.show_message("Second.", about="two")
    banner.show_message("First again.", about="one")
    assert message(panel) == "First again."
    banner.retract("one")
    assert message(panel) == "Second."
    banner.retract("two")
    panel.shell.open("lab")
    banner.show_message("About the pictures.", page="analyse")
    seen = []
    for name in NAMES:
        panel.shell.rail.buttons[name].click()
        if message(panel):
            assert message(panel) == "About the pictures."
            seen.append(name)
    assert seen == ["analyse", "lab"]
    banner.clear("analyse")
    panel.shell.open("lab")
    assert message(panel) == ""


def test_a_page_is_opened_with_what_it_is_to_show(shown: Shown, qtbot: QtBot) -> None:
    """A recorded session, by its folder: as `minesweeper-bot replay SESSION` does."""
    panel = shown(Tabletop())
    panel.shell.open("games", SESSIONS / "classic-beginner-won")
    page = panel.shell.page("games")
    qtbot.waitUntil(lambda: page.viewer.film is not None and page.viewer.pictured)
    assert page.viewer.title.isVisible()


def test_no_page_has_one_key_for_two_controls(shown: Shown, qtbot: QtBot) -> None:
    """A key that two controls share presses neither; a message above the page takes none."""
    panel = shown(Tabletop())
    panel.resize(1400, 1000)
    panel.show_failure(Failure("what happened", Path("frame.png"), "report"))
    for name in NAMES:
        panel.shell.open(name)
        qtbot.waitUntil(panel.shell.page(name).isVisible)
        named = [*panel.findChildren(QAbstractButton), *panel.findChildren(QLabel)]
        texts = [one.text() for one in named if one.isVisible()]
        keys = [QKeySequence.mnemonic(text).toString() for text in texts if "&" in text]
        heard = [key for key in panel.findChildren(QShortcut) if key.parent().isVisible()]
        keys += [key.key().toString() for key in heard]
        assert len(keys) == len(set(keys)), (name, sorted(keys))
