"""What is known of a program beside its tiles: shown in words, changed, forgotten."""

from __future__ import annotations

from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QInputDialog, QPushButton
from pytestqt.qtbot import QtBot

from gui.panel import Panel
from gui.runner.stored_answers import ConfirmedProgram, KeptRows, is_confirmed, keep_confirmed
from gui.skins.conventions import Known
from gui.skins.skin_jobs import OTHERS
from gui.skins.skins_page import SkinsPage
from tests.gui.panels import message
from tests.gui.skins.pages import Opened, choose, learned, names, settled
from vision.skins import SKIN_FILE, user_folder
from vision.skins.skin import SkinFile, load_text

NAME = "minefield"
KNOWN = {
    "Next game": "a click on the button above the board, in the middle. Confirmed 5 times.",
    "Dialog 'Game over'": "the key Enter",
    "Chords": "Confirmed in 4 games.",
    "Pause before the press": "50 ms. Confirmed in 2 games.",
    "Pause before the release": "30 ms. Confirmed in 1 game.",
    "Pause after the release": "100 ms. Confirmed in 2 games.",
    "Mine counter": "Not confirmed yet.",
    "Opened with an empty cell": "The four cells beside it. Confirmed in 3 games.",
    "Keys": "no other key is sent to it.",
    "Mines, 9 columns, 9 rows": "10 mines.",
    "Mines, 30 columns, 16 rows": "99 mines, as in a similar program. Not confirmed yet.",
    "Your answer": "click the bottom right of the dialog 'Won'",
}
ANSWERS = {
    "Next game": "n",
    "Dialog 'Game over'": "esc",
    "Chords": "A click with the middle button on a number",
    "Pause before the press": "60",
    "Pause before the release": "50",
    "Pause after the release": "0",
    "Mine counter": "The right one of two numbers beside the board",
    "Opened with an empty cell": "Nothing",
    "Mines, 9 columns, 9 rows": "12",
    "Mines, 30 columns, 16 rows": "100",
}


def current(page: SkinsPage) -> tuple[Known, ...]:
    """What the page shows of the chosen skin's program."""
    return page.shelf.entry.known


def words(page: SkinsPage) -> dict[str, str]:
    """The same by title, in words."""
    shown = dict[str, str]()
    for one in current(page):
        shown[one.title] = f"{shown[one.title]} {one.words}" if one.title in shown else one.words
    return shown


def kept() -> SkinFile:
    """What the skin says by now."""
    return load_text(user_folder() / NAME / SKIN_FILE)


def button(page: SkinsPage, what: str, title: str) -> QPushButton:
    """The button that changes or forgets something."""
    found = page.shelf.known.findChildren(QPushButton)
    return next(one for one in found if one.accessibleName() == f"{what}: {title}")


def opened_skin(opened: Opened) -> tuple[Panel, SkinsPage]:
    """The page with a skin that was learned, of a program that the user confirmed."""
    learned(NAME)
    keep_confirmed(ConfirmedProgram("Tk", "Minefield"))
    KeptRows().put("mines", ("Tk", "Minefield", 9, 9), 11)
    KeptRows().put("places", ("Tk", "Minefield", "Won"), 0.9, 0.95, 0.0, 0.0)
    panel, page = opened()
    choose(page, NAME)
    return panel, page


def test_known_conventions_are_shown(opened: Opened) -> None:
    """With how often it was confirmed. A skin of ours is only shown."""
    _, page = opened_skin(opened)
    assert words(page).keys() == KNOWN.keys()
    assert [title for title, said in KNOWN.items() if said not in words(page)[title]] == []
    assert "9 columns, 9 rows: 11 mines, as you said" in words(page)["Your answer"]
    choose(page, "gnome-mines")
    assert words(page)["Chords"] == "A click with the left button on a number."
    assert not page.shelf.known.findChildren(QPushButton)


def test_each_of_it_is_changed(opened: Opened, qtbot: QtBot) -> None:
    """By a question, which refuses what cannot be; what was changed is not confirmed any more."""
    panel, page = opened_skin(opened)
    before = kept()
    wrong = {"Next game": "F99", "Pause before the release": "-3", "Mines, 9 columns, 9 rows": "81"}
    for title, answer in wrong.items():
        button(page, "Change", title).click()
        dialog = page.findChildren(QInputDialog)[-1]
        dialog.setTextValue(answer)
        dialog.accept()
        settled(qtbot, page)
        assert f"'{answer}'" in message(panel)
    assert kept() == before
    for title, answer in ANSWERS.items():
        pressed = button(page, "Change", title)
        pressed.setFocus()
        qtbot.keyClick(pressed, Qt.Key.Key_Space)
        dialog = page.findChildren(QInputDialog)[-1]
        dialog.setTextValue(answer)
        dialog.accept()
        settled(qtbot, page)
        # Whoever goes through them with the keyboard goes on where they were.
        focused = panel.focusWidget()
        assert focused.accessibleName() == f"Change: {title}"
    file = kept()
    assert (file.restart.key, file.restart.face, file.dialog[0].key) == ("n", None, "esc")
    assert (file.chord, file.hold, file.stay, file.rest) == ("middle", 0.05, 0.0, 0.06)
    assert file.counter == "right"
    assert file.flood == "none"
    assert file.levels == {"9x9": (9, 9, 12), "30x16": (16, 30, 100)}
    assert words(page)["Mines, 30 columns, 16 rows"] == "100 mines."
    assert file.confirmed == {}
    assert file.keys_allowed
    assert words(page)["Chords"].endswith("Not confirmed yet.")
    # The number that was said earlier would be believed rather than the new one.
    assert "9 columns, 9 rows" not in words(page)["Your answer"]


def test_an_answer_is_changed(opened: Opened, qtbot: QtBot) -> None:
    """Where a dialog is clicked, and a number of mines."""
    panel, page = opened_skin(opened)
    for answer in ("nonsense", "50, 120", "40 10"):
        changed = [one for one in current(page) if one.title == "Your answer" and one.change]
        page.ask_change(changed[-1])
        dialog = page.findChildren(QInputDialog)[-1]
        assert dialog.textValue() == "90, 95"
        dialog.setTextValue(answer)
        dialog.accept()
        settled(qtbot, page)
        assert ("two numbers from 0 to 100" in message(panel)) == (answer != "40 10")
    changed = [one for one in current(page) if one.title == "Your answer" and one.change]
    page.ask_change(changed[0])
    dialog = page.findChildren(QInputDialog)[-1]
    dialog.setTextValue("12")
    dialog.accept()
    settled(qtbot, page)
    assert "click the middle of the top of the dialog 'Won' (40%" in words(page)["Your answer"]
    assert "9 columns, 9 rows: 12 mines" in words(page)["Your answer"]


def test_each_of_it_is_forgotten(opened: Opened, qtbot: QtBot) -> None:
    """It is found out, or asked, again. All keys are forgotten together: none is sent any more."""
    _, page = opened_skin(opened)
    button(page, "Forget", "Keys").click()
    settled(qtbot, page)
    file = kept()
    assert (file.restart.key, file.dialog, file.keys_allowed) == (None, (), False)
    assert file.restart.face is not None
    assert words(page)["Keys"] == "No key is sent to this program."
    for title in KNOWN:
        found = page.shelf.known.findChildren(QPushButton)
        pressed = [one for one in found if one.accessibleName() == f"Forget: {title}"]
        for _ in pressed:
            button(page, "Forget", title).click()
            settled(qtbot, page)
    file = kept()
    assert file.restart.key is None
    assert file.restart.face is None
    assert (file.dialog, file.levels, file.confirmed, file.flood) == ((), {}, {}, None)
    assert (file.chord, file.hold, file.stay, file.rest) == (None, 0.0, 0.0, 0.0)
    assert file.counter is None
    assert not is_confirmed(ConfirmedProgram("Tk", "Minefield"))
    assert "Your answer" not in words(page)


def test_answers_about_a_program_without_a_skin_are_shown_and_forgotten(
    opened: Opened, qtbot: QtBot
) -> None:
    """A page in a browser that was confirmed, and that a bundled skin reads."""
    page_of_browser = ConfirmedProgram("Chromium", "Mines 0")
    keep_confirmed(page_of_browser)
    _, page = opened()
    choose(page, OTHERS)
    assert words(page) == {"'Mines 0' (Chromium)": "You said that this is the game to play."}
    button(page, "Forget", "'Mines 0' (Chromium)").click()
    settled(qtbot, page)
    assert not is_confirmed(page_of_browser)
    assert OTHERS not in names(page)
