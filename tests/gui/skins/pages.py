"""The page of skins for tests: used like a user does, with skins of the user's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QAbstractButton, QFileDialog, QInputDialog, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from bot.frame import Frame
from gui.panel import Panel
from gui.skins.skins_page import SkinsPage
from tests.gui.panels import PATIENCE, message
from tests.gui.strangers import middle_game, strange_screen
from vision import skins
from vision.learning.questions import TileCluster

SEED = 4
PLAIN, CTRL = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier


def own(name: str, **fields: object) -> Path:
    """A skin of the user's; `fields` are what it says otherwise than that of WineMine."""
    changed = {"name": name, "source": "a friend"} | fields
    skin = skins.load_skin(skins.BUNDLED / "winemine").model_copy(update=changed)
    skins.save_skin(skin, skins.user_folder() / name)
    return skins.user_folder() / name


def learned(name: str) -> Path:
    """A skin that was learned, of whose program everything was found out that can be."""
    face = skins.Face(anchor="top", x=0.0, y=-1.5, width=1.5, height=1.5)
    return own(
        name,
        program=skins.LEARNED,
        title="Minefield",
        window_class="Tk",
        source="learned from pictures of the game",
        restart=skins.Restart(key="f2", face=face),
        dialog=(skins.Dialog(title="Game over", key="enter"),),
        keys_allowed=True,
        chord="double",
        hold=0.03,
        stay=0.1,
        rest=0.05,
        counter="left",
        levels={"beginner": (9, 9, 10), "9x9": (9, 9, 10), "expert": (16, 30, 99)},
        flood="orthogonal",
        confirmed={"restart": 5, "chord": 4, "hold": 1, "stay": 2, "rest": 2, "flood": 3},
    )


def picture(opened: int = 40, flags: int = 3) -> np.ndarray:
    """A screenshot of an unknown skin."""
    board = middle_game(SEED, opened=opened, flags=flags).board
    return strange_screen(SEED, board, scribbled=True)


class Driver:
    """The page in a panel; each action waits for the job that it starts."""

    def __init__(self, panel: Panel, qtbot: QtBot) -> None:
        page = panel.shell.page("skins")
        assert isinstance(page, SkinsPage)
        self.panel, self.page, self._qtbot = panel, page, qtbot

    @property
    def message(self) -> str:
        """Return the text of the panel's banner."""
        return message(self.panel)

    @property
    def names(self) -> list[str]:
        """The skins that are listed."""
        rows = self.page.shelf.list
        return [rows.item(row).text().split("\n")[0] for row in range(rows.count())]

    @property
    def clusters(self) -> tuple[TileCluster, ...]:
        """The kinds of tiles that are being taught."""
        return self.page.kinds.learned.kinds

    def settle(self) -> None:
        """Wait until nothing is under way."""
        self._qtbot.waitUntil(lambda: not self.page.context.jobs.running, timeout=PATIENCE)

    def choose(self, name: str) -> None:
        """Choose a skin in the list."""
        self.page.shelf.list.setCurrentRow(self.names.index(name))

    def click(self, button: QAbstractButton) -> None:
        """Press a button."""
        button.click()
        self.settle()

    def type(self, where: QWidget, key: Qt.Key, modifier: Qt.KeyboardModifier = PLAIN) -> None:
        """Press a key."""
        self._qtbot.keyClick(where, key, modifier)
        self.settle()

    def learn(self, *pictures: Path | Frame) -> None:
        """Learn from pictures, as after a dialog."""
        self.page.learn(pictures)
        self.settle()

    def choose_files(self, *files: Path) -> None:
        """Choose files in the dialog that is open."""
        dialog = self.page.findChildren(QFileDialog)[-1]
        dialog.fileSelected.emit(str(files[0]))
        dialog.filesSelected.emit([str(file) for file in files])
        dialog.close()
        self.settle()

    def enter_name(self, name: str) -> None:
        """Enter a name in the dialog that asks for it."""
        dialog = self.page.findChildren(QInputDialog)[-1]
        dialog.setTextValue(name)
        dialog.accept()
        self.settle()

    def answer(self, text: str) -> None:
        """Press a button of the question that is asked."""
        (box,) = self.page.findChildren(QMessageBox)
        next(button for button in box.buttons() if button.text().replace("&", "") == text).click()
        self.settle()
        self._qtbot.waitUntil(lambda: not self.page.findChildren(QMessageBox))

    def walk(self, order: Sequence[QWidget]) -> None:
        """Press Tab from the first to the last."""
        order[0].setFocus()
        for before, after in pairwise(order):
            assert before.accessibleName()
            self._qtbot.keyClick(before, Qt.Key.Key_Tab)
            assert self.panel.focusWidget() is after


Opened = Callable[..., Driver]
