"""The page of the settings: every control, at once in force, shown everywhere, kept for good."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtGui import QShortcut
from PyQt6.QtWidgets import QAbstractButton, QComboBox, QFileDialog, QMessageBox
from pytestqt.qtbot import QtBot

from bot.digging import HUNTERS
from bot.game import BEGINNER
from bot.planner import Style
from gui.panel import Panel, settings_page
from gui.panel.boardview import BoardView
from gui.panel.controls import Controls
from gui.panel.pages import PAGES
from gui.panel.settings_page import KeyBox, SettingsPage
from gui.settings import AfterDialog, AfterGame, check_keys, defaults, load, save
from tests.gui.panel.test_boardview import turns_of
from tests.gui.panels import ENDLESS, Shown, message, panel_of, tip_of
from tests.gui.tabletop import Tabletop
from tests.support.silent import silent_server
from tests.vision.sessions.test_pruning import session
from vision.desktop import Feature, parse_key
from vision.desktop.base import LACKS
from vision.sessions import session_files

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("home")]


@pytest.fixture
def page(shown: Shown) -> SettingsPage:
    """The page, open."""
    return opened(shown(Tabletop(BEGINNER)))


def opened(panel: Panel) -> SettingsPage:
    """The page of a panel."""
    panel.shell.open("settings")
    return panel.shell.page("settings")


def pick(control: QComboBox, value: object) -> None:
    """Choose as a user does, by its words."""
    control.setCurrentIndex(control.findData(value))


CHANGES: dict[str, tuple[Callable[[SettingsPage], object], object]] = {
    "solver": (lambda page: pick(page.solver, "human"), "human"),
    "style": (lambda page: pick(page.style_box, Style.CHORDS), Style.CHORDS),
    "think": (lambda page: page.think.setValue(2.5), 2.5),
    "after_win": (lambda page: pick(page.after_win, AfterGame.PAUSE), AfterGame.PAUSE),
    "after_loss": (lambda page: pick(page.after_loss, AfterGame.STOP), AfterGame.STOP),
    "after_dialog": (lambda page: pick(page.after_dialog, AfterDialog.PAUSE), AfterDialog.PAUSE),
    "record": (lambda page: page.record.click(), False),
    "marks": (lambda page: page.marks.click(), not ENDLESS.marks),
    "coordinates": (lambda page: page.coordinates.click(), False),
    "keep_sessions": (lambda page: page.most.setValue(100), 100),
    "keep_megabytes": (lambda page: page.megabytes.setValue(500), 500),
    "theme": (lambda page: pick(page.theme, "dark"), "dark"),
    "stop_key": (lambda page: page.key.none.click(), ""),
    "pause_key": (lambda page: page.pause_key.none.click(), ""),
}
"""An action on the page for each setting, and the value that the setting has then."""


def test_numbers_beside_boards_go_from_every_page(shown: Shown) -> None:
    """From a board that is shown, and from those of pages that are opened later."""
    panel, turn = shown(Tabletop(BEGINNER)), turns_of(Tabletop(BEGINNER), 1)[0]
    page = opened(panel)
    for numbered in (True, False):
        page.coordinates.setChecked(numbered)
        for name in ("play", "analyse", "games"):
            panel.shell.open(name)
            view = panel.shell.page(name).findChild(BoardView)
            view.resize(600, 500)
            view.show_turn(turn)
            assert view.place().numbered is numbered, name


def test_each_setting_takes_effect_and_survives_a_restart(
    qtbot: QtBot, home: Path, tmp_path: Path
) -> None:
    """At once, in what the panel plays with; written to the real file, read by the next panel."""
    panel = panel_of(Tabletop(), load(), save)
    panel.show()
    page = opened(panel)
    wanted = page.context.settings()
    for name, (change, value) in CHANGES.items():
        change(page)
        wanted = wanted.model_copy(update={name: value})
        assert page.context.settings() == wanted, name
    page.folder.edit.setText(str(tmp_path / "games"))
    qtbot.keyClick(page.folder.edit, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: page.context.settings().sessions is not None)
    wanted = page.context.settings()
    with qtbot.waitSignal(panel.closed):
        panel.close()
    assert (home / "settings.toml").exists()
    assert load() == wanted
    assert wanted.sessions_folder == tmp_path / "games"
    again = panel_of(Tabletop(), load(), save)
    again.show()
    page = opened(again)
    assert page.think.value() == 2.5
    assert page.after_loss.currentData() is AfterGame.STOP
    assert page.folder.edit.text() == str(tmp_path / "games")
    assert page.key.edit.keySequence().isEmpty()
    with qtbot.waitSignal(again.closed):
        again.close()


# Recordings


def test_the_folder_of_recordings_is_chosen(
    page: SettingsPage, qtbot: QtBot, tmp_path: Path
) -> None:
    """One that cannot be written is refused at once; the empty text is the usual place again."""
    (tmp_path / "taken").write_text("")
    page.folder.edit.setText(str(tmp_path / "taken"))
    qtbot.keyClick(page.folder.edit, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "cannot be written" in page.folder.note.text())
    assert page.folder.note.isVisible()
    assert page.context.settings().sessions is None
    page.folder.browse.click()
    (dialog,) = page.findChildren(QFileDialog)
    qtbot.waitUntil(dialog.isVisible)
    dialog.fileSelected.emit(str(tmp_path))
    dialog.close()
    qtbot.waitUntil(lambda: page.context.settings().sessions == str(tmp_path))
    page.folder.edit.clear()
    qtbot.keyClick(page.folder.edit, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: page.context.settings().sessions is None)


def test_recordings_are_counted(
    page: SettingsPage, qtbot: QtBot, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page shows their number, size and how many are to be deleted, by the latest count."""
    qtbot.waitUntil(lambda: "No game is recorded" in page.usage.text())
    session(home / "sessions", 1, 500_000)
    page.enter()
    qtbot.waitUntil(lambda: page.usage.text() == "1 recorded game takes 0.5 MB.")
    for number in range(2, 5):
        session(home / "sessions", number, 500_000)
    page.enter()
    qtbot.waitUntil(lambda: page.usage.text() == "4 recorded games take 2.0 MB.")
    begun, slow, count = threading.Event(), threading.Event(), session_files.held

    def held(*arguments: Any) -> Any:
        """Count; the first time on a slow disk, so that this ends after the next count."""
        found = count(*arguments)
        if not begun.is_set():
            begun.set()
            slow.wait(60)
        return found

    monkeypatch.setattr(session_files, "held", held)
    page.enter()
    qtbot.waitUntil(begun.is_set)
    page.most.setValue(3)
    qtbot.waitUntil(lambda: "The oldest 1 will be deleted" in page.usage.text())
    slow.set()
    qtbot.waitUntil(lambda: not page.context.jobs.running)
    assert "The oldest 1 will be deleted" in page.usage.text()


def test_folders_are_opened(page: SettingsPage, home: Path, opened_folders: list[str]) -> None:
    """With whatever the desktop opens folders with; they are made where they are missing."""
    page.open_sessions.click()
    page.open_data.click()
    assert opened_folders == [str(home / "sessions"), str(home)]
    assert (home / "sessions").is_dir()


# The keys for all windows


def test_no_key_of_the_panel_is_taken(shown: Shown, qtbot: QtBot) -> None:
    """Every shortcut of every page is refused; the panel's own pause key only as stop key.

    Typed into the field of a key, the key of a page opens that page.
    """
    panel = shown(Tabletop())
    for info in PAGES:
        panel.shell.open(info.name)
    page = opened(panel)
    help_key = Qt.Key(Qt.Key.Key_0 + (len(PAGES) + 1) % 10)
    qtbot.keyClick(page.pause_key.edit, help_key, Qt.KeyboardModifier.AltModifier)
    assert panel.shell.name == "help"
    panel.shell.open("settings")
    assert page.pause_key.edit.keySequence().toString() == "F6"
    keys = {one.key().toString() for one in panel.findChildren(QShortcut)}
    keys |= {one.shortcut().toString() for one in panel.findChildren(QAbstractButton)}
    assert {"Alt+3", "F4", "Ctrl+R"} <= keys
    for key in filter(None, keys):
        with pytest.raises(ValueError, match=r"used by|alone|is no key|pauses"):
            check_keys(key, "")


def test_keys_are_chosen_by_pressing_them(page: SettingsPage, qtbot: QtBot) -> None:
    """One that is used or typed, or both stops and pauses, is refused: the one before stays."""
    control = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
    qtbot.keyClick(page.key.edit, Qt.Key.Key_S, control)
    qtbot.waitUntil(lambda: page.context.settings().stop_key == "Ctrl+Alt+S")
    page.key.usual.click()
    height = page.key.note.heightForWidth(page.key.note.width())
    for key, told in ((Qt.Key.Key_F5, "used by this program"), (Qt.Key.Key_S, "alone is typed")):
        qtbot.keyClick(page.key.edit, key)
        qtbot.waitUntil(lambda told=told: told in page.key.note.text())
        assert page.context.settings().stop_key == "F8"
        assert page.key.note.minimumHeight() >= height, "nothing below it moves"
        assert page.key.edit.keySequence().toString() == "F8"
    qtbot.keyClick(page.pause_key.edit, Qt.Key.Key_F10)
    qtbot.waitUntil(lambda: page.context.settings().pause_key == "F10")
    qtbot.keyClick(page.pause_key.edit, Qt.Key.Key_F8)
    qtbot.waitUntil(lambda: "F8 cannot both stop and pause" in page.pause_key.note.text())
    assert page.pause_key.edit.keySequence().toString() == "F10"
    qtbot.keyClick(page.key.edit, Qt.Key.Key_F10)
    qtbot.waitUntil(lambda: "F10 cannot both stop and pause" in page.key.note.text())
    qtbot.keyClick(page.key.edit, Qt.Key.Key_F6)
    qtbot.waitUntil(lambda: "F6 pauses in the panel" in page.key.note.text())
    qtbot.mouseClick(page.pause_key.usual, Qt.MouseButton.LeftButton)
    settings = page.context.settings()
    assert (settings.stop_key, settings.pause_key) == ("F8", "F6")


def test_all_keys_that_work_are_named(qtbot: QtBot) -> None:
    """Beside the setting, and in the tooltip of the button: the panel's own key works as well."""
    keys, controls = KeyBox("pause key", "F6", "pauses.", "F6", parse_key), Controls()
    qtbot.addWidget(keys)
    qtbot.addWidget(controls)
    for key, note, tip in (
        ("F10", "F10 pauses. In this window F6 works, too.", "F6 in this window, F10 in every"),
        ("F6", "F6 pauses.", "F6 in every"),
        ("", "No key is set. In this window F6 works, too.", "F6)"),
    ):
        keys.show_key(key)
        controls.show_keys("F8", key)
        assert keys.note.text() == note
        assert f"({tip}" in tip_of(controls.pause)


@pytest.mark.linux
def test_the_page_opens_while_the_display_does_not_answer(
    shown: Shown, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether a key can stop here is tested in a job, and shown once it is known."""
    with silent_server() as name:
        monkeypatch.setenv("DISPLAY", name)
        page = opened(shown(Tabletop()))
        assert "F8 stops while the bot plays" in page.key.note.text()
        qtbot.waitUntil(lambda: page.key.note.text() == LACKS[Feature.GLOBAL_KEYS])


# The rest


@pytest.mark.linux
def test_a_kept_permission_is_forgotten(
    shown: Shown, page: SettingsPage, monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    """On Wayland; elsewhere there is none."""
    from vision.desktop.wayland import WaylandDesktop  # noqa: PLC0415 - on Linux

    assert page.forget.isHidden()
    monkeypatch.setattr(settings_page, "desktop", WaylandDesktop)
    token = home / "portal-token"
    home.mkdir(exist_ok=True)
    token.write_text("from an earlier start")
    panel = shown(Tabletop(BEGINNER))
    other = opened(panel)
    assert not other.forget.isHidden()
    other.forget.click()
    assert not token.exists()
    assert "ask for permission again" in message(panel)


def test_reset_asks_first(page: SettingsPage, qtbot: QtBot) -> None:
    """Cancel changes nothing; Reset puts everything back, and shows it."""
    page.most.setValue(12)
    for button, kept in (("Cancel", 12), ("Reset", None)):
        page.reset.click()
        (question,) = page.findChildren(QMessageBox)
        (pressed,) = (one for one in question.buttons() if one.text().strip("&") == button)
        qtbot.mouseClick(pressed, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: not page.findChildren(QMessageBox))
        assert page.context.settings().keep_sessions == kept
        assert page.most.value() == (kept or 0)
    assert page.context.settings() == defaults()


def test_the_other_game_has_its_own_players(page: SettingsPage) -> None:
    """Its hunters, and no style; back again everything is as it was. The lab chooses the game."""
    context = page.context

    def play(digging: bool) -> None:
        context.change(context.settings().model_copy(update={"digging": digging}))
        page.enter()

    names = ["Best", "Human (strategies 1 to 7)"]
    assert [page.solver.itemText(at) for at in range(page.solver.count())] == names
    play(digging=True)
    assert [page.solver.itemText(at) for at in range(page.solver.count())] == list(HUNTERS)
    assert not page.style_box.isEnabled()
    pick(page.solver, "algorithm-b")
    assert page.context.settings().hunter == "algorithm-b"
    play(digging=False)
    assert page.solver.currentData() == "lookahead"
    assert page.style_box.isEnabled()
