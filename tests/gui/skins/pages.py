"""Pages of skins for tests: opened, with skins of the user's, and with one being taught."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from bot.frame import Frame
from gui.panel import Panel
from gui.skins.skins_page import SkinsPage
from tests.gui.panels import PATIENCE
from tests.gui.strangers import middle_game, strange_screen
from vision import skins

SEED = 4
CTRL = Qt.KeyboardModifier.ControlModifier
Opened = Callable[..., tuple[Panel, SkinsPage]]


def own(name: str, **fields: object) -> Path:
    """A skin of the user's; `fields` are what it says otherwise than that of WineMine."""
    skin = skins.load_skin(next(path for path in bundled_folders() if path.name == "winemine"))
    changed = {"name": name, "source": "a friend"} | fields
    skins.save_skin(skin.model_copy(update=changed), skins.user_folder() / name)
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


def bundled_folders() -> list[Path]:
    """Where our own skins are."""
    shelf = skins.SkinLibrary()
    shelf.skins()
    return list(shelf.folders.values())


def settled(qtbot: QtBot, page: SkinsPage) -> None:
    """Wait until nothing is under way."""
    qtbot.waitUntil(lambda: not page.context.jobs.running, timeout=PATIENCE)


def names(page: SkinsPage) -> list[str]:
    """The skins that are listed."""
    return [
        page.shelf.list.item(row).text().split("\n")[0] for row in range(page.shelf.list.count())
    ]


def choose(page: SkinsPage, name: str) -> None:
    """Choose a skin in the list."""
    page.shelf.list.setCurrentRow(names(page).index(name))


def sure(page: SkinsPage, text: str) -> None:
    """Press a button of the question that is asked."""
    (box,) = page.findChildren(QMessageBox)
    next(button for button in box.buttons() if button.text().replace("&", "") == text).click()


def picture(opened: int = 40, flags: int = 3) -> np.ndarray:
    """A screenshot of an unknown skin."""
    board = middle_game(SEED, opened=opened, flags=flags).board
    return strange_screen(SEED, board, scribbled=True)


def taught(opened: Opened, qtbot: QtBot, *names_: str) -> tuple[Panel, SkinsPage]:
    """The page with a strange picture to learn from, handed over by another page."""
    panel, page = opened(*names_)
    panel.shell.open("play")
    panel.shell.open("skins", Frame.of_image(picture()))
    settled(qtbot, page)
    return panel, page


def walk(qtbot: QtBot, panel: Panel, order: Sequence[QWidget]) -> None:
    """Press Tab from the first to the last."""
    order[0].setFocus()
    for before, after in pairwise(order):
        assert before.accessibleName()
        qtbot.keyClick(before, Qt.Key.Key_Tab)
        assert panel.focusWidget() is after
