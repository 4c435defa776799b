"""Test that the conventions of a program are shown in words, and forgotten."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QPushButton

from gui.runner.stored_answers import (
    ConfirmedProgram,
    KeptRows,
    is_confirmed,
    keep_confirmed,
    kept_answers,
)
from gui.skins.conventions import answers_about, known_of
from gui.skins.skin_jobs import OTHERS
from gui.skins.skins_page import SkinsPage
from tests.gui.skins.pages import Driver, Opened, learned
from vision.skins import SKIN_FILE, load_skin, user_folder
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


def words(page: SkinsPage) -> dict[str, str]:
    """Return what the page shows of the chosen skin's program: text by title."""
    shown = dict[str, str]()
    for one in page.shelf.entry.known:
        shown[one.title] = f"{shown[one.title]} {one.words}" if one.title in shown else one.words
    return shown


def kept() -> SkinFile:
    """What the skin says by now."""
    return load_text(user_folder() / NAME / SKIN_FILE)


def button(page: SkinsPage, title: str) -> QPushButton:
    """The button that forgets something."""
    found = page.shelf.known.findChildren(QPushButton)
    return next(one for one in found if one.accessibleName() == f"Forget: {title}")


@pytest.fixture
def minefield(opened: Opened) -> Driver:
    """The page with a skin that was learned, of a program that the user confirmed."""
    learned(NAME)
    keep_confirmed(ConfirmedProgram("Tk", "Minefield"))
    KeptRows().put("mines", ("Tk", "Minefield", 9, 9), 11)
    KeptRows().put("places", ("Tk", "Minefield", "Won"), 0.9, 0.95, 0.0, 0.0)
    driver = opened()
    driver.choose(NAME)
    return driver


def test_known_conventions_are_shown(minefield: Driver) -> None:
    """With how often it was confirmed. A skin of ours is only shown."""
    page = minefield.page
    assert words(page).keys() == KNOWN.keys()
    assert [title for title, said in KNOWN.items() if said not in words(page)[title]] == []
    assert "9 columns, 9 rows: 11 mines, as you said" in words(page)["Your answer"]
    minefield.choose("gnome-mines")
    assert words(page)["Chords"] == "A click with the left button on a number."
    assert not page.shelf.known.findChildren(QPushButton)


def test_each_of_it_is_forgotten(minefield: Driver) -> None:
    """It is found out, or asked, again. All keys are forgotten together: none is sent any more."""
    page = minefield.page
    minefield.click(button(page, "Keys"))
    file = kept()
    assert (file.restart.key, file.dialog, file.keys_allowed) == (None, (), False)
    assert file.restart.face is not None
    assert words(page)["Keys"] == "No key is sent to this program."
    forget = button(page, "Next game")
    forget.setFocus()
    minefield.type(forget, Qt.Key.Key_Space)
    assert kept().restart.face is None

    def forgettable() -> list[Callable[[], None]]:
        skin = load_skin(user_folder() / NAME)
        known = known_of(skin, answers_about(skin, kept_answers(), own=True), own=True)
        return [one.forget for one in known if one.forget is not None]

    # What the other buttons do, without listing all skins again.
    for _ in range(2 * len(KNOWN)):
        for forget_one in forgettable()[:1]:
            forget_one()
    assert forgettable() == []
    file = kept()
    assert (file.restart.key, file.restart.face) == (None, None)
    assert (file.dialog, file.levels, file.confirmed, file.flood) == ((), {}, {}, None)
    assert (file.chord, file.hold, file.stay, file.rest) == (None, 0.0, 0.0, 0.0)
    assert file.counter is None
    assert not is_confirmed(ConfirmedProgram("Tk", "Minefield"))


def test_answers_about_a_program_without_a_skin_are_shown_and_forgotten(opened: Opened) -> None:
    """A page in a browser that was confirmed, and that a bundled skin reads."""
    page_of_browser = ConfirmedProgram("Chromium", "Mines 0")
    keep_confirmed(page_of_browser)
    driver = opened()
    driver.choose(OTHERS)
    title = "'Mines 0' (Chromium)"
    assert words(driver.page) == {title: "You said that this is the game to play."}
    driver.click(button(driver.page, title))
    assert not is_confirmed(page_of_browser)
    assert OTHERS not in driver.names
