"""The help page: the first steps, how to stop, and a description of this program."""

from __future__ import annotations

from importlib.metadata import version
from typing import Final

from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QLabel

from gui.panel.controls import KEYS
from gui.panel.pages import OPEN, PLAY, SIMULATED, Context, Page
from gui.panel.theme import restyle
from gui.panel.widgets import (
    Card,
    Columns,
    fill_page,
    named_button,
    wrapped_label,
)
from vision.desktop import desktop
from vision.files import PROGRAM

_CHOOSE: Final = (
    f"2.  Choose it in the list on the Play page. Press Play ({KEYS['play']}) to let the bot "
    f"play, or Assist ({KEYS['assist']}) to play yourself and see the probabilities."
)
_PRIVACY: Final = (
    "No network is used. The screen, including covered windows, is searched only for games. "
    "Recordings contain only the board with its face and counters, and half a cell around them. "
    "They stay on this computer."
)
_LICENCE: Final = (
    "Free software under the GNU General Public License, version 3 or later, without any "
    "warranty. Some games' tile pictures have their own licence: see templates/*/LICENSE."
)


def _steps() -> tuple[str, str]:
    """Return the first steps, as they are on this desktop."""
    covered = (
        "if another window covers it, it comes to the front when you press Play or Assist"
        if desktop().lists_windows
        else "keep it uncovered"
    )
    opened = (
        f"1.  Open a Minesweeper game. Do not minimise it; {covered}. No Minesweeper installed? "
        "Use the built-in game."
    )
    return opened, _CHOOSE


class HelpPage(Page):
    """A page with the first steps, shown at the first start and with F1."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.simulate = named_button(
            "&Use the built-in game", "Use the built-in game", "Open the built-in game and play it"
        )
        self.play = named_button(
            "Go to the &boards on the screen",
            "Go to the boards on the screen",
            "Open the page that plays (Alt+1)",
        )
        self.picture = named_button(
            "Analyse a &screenshot",
            "Analyse a screenshot",
            "Read the board of a screenshot, and see how likely each cell is a mine",
        )
        self.settings = named_button(
            "&All settings", "Open the settings", "Open the page of the settings"
        )
        self.stops = _words("How to stop it")
        first, stops, private = Card("Getting started"), Card("How to stop it"), Card("Privacy")
        about = Card("About")
        self.last_step = _words("A step")
        for step in (*(_words("A step", text) for text in _steps()), self.last_step):
            first.whole(step)
        first.whole(self.simulate)
        first.whole(self.play)
        first.whole(self.picture)
        stops.whole(self.stops)
        stops.whole(self.settings)
        private.whole(_words("Privacy", _PRIVACY))
        about.whole(_words("Version", f"Minesweeper bot {version(PROGRAM)}"))
        about.whole(_words("Licence", _LICENCE))
        columns = Columns()
        columns.add(first)
        columns.add(stops, private, about)
        fill_page(self, "Plays Minesweeper on your screen and explains its moves", columns)
        self.simulate.clicked.connect(lambda: self.wanted.emit(PLAY, SIMULATED))
        self.play.clicked.connect(lambda: self.wanted.emit(PLAY, None))
        self.picture.clicked.connect(lambda: self.wanted.emit("analyse", OPEN))
        self.settings.clicked.connect(lambda: self.wanted.emit("settings", None))
        self.enter()

    def enter(self, what: object = None) -> None:
        """Update the keys in the text, and offer first what there is to play."""
        del what
        found = bool(self.context.boards_found())
        focused = self.play.hasFocus() or self.simulate.hasFocus()
        for button, primary in ((self.play, found), (self.simulate, not found)):
            if button.property("primary") is not primary:
                button.setProperty("primary", primary)
                restyle(button)
            if primary and focused:
                button.setFocus()
        key = self.context.stop_key()
        self.last_step.setText(
            "3.  The reason for each move is shown below the board; Details adds the times. While "
            "a game is played, this window moves off its board. In this window, "
            f"{KEYS['pause']} pauses and {KEYS['step']} takes one step. Alt and a digit "
            "open the pages, from the top; F1 opens this one."
        )
        pause = self.context.pause_key()
        everywhere = f"{key} stops in every window. " if key else ""
        pauses = f" {pause} pauses and resumes in every window." if pause else ""
        self.stops.setText(
            f"{everywhere}{KEYS['stop']} stops in this window. Moving the pointer into a screen "
            f"corner also stops it.{pauses} Moving the mouse outside this window pauses it."
        )


def _words(name: str, text: str = "") -> QLabel:
    label = wrapped_label(name)
    label.setText(text)
    label.setAlignment(Qt.AlignmentFlag.AlignTop)
    return label
