"""The list of skins, and what there is to say of the one that is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QSize, Qt, pyqtSignal
from PyQt6.QtGui import QIcon, QPixmap, QResizeEvent
from PyQt6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from bot.board import COVERED
from gui.images import to_qimage
from gui.panel.labels import explanation, headline, wrapped_label
from gui.panel.theme import SPACE, Theme
from gui.panel.tray import scrolled
from gui.questions import STATE_WORDS
from gui.skins.sheet import TileSheet

if TYPE_CHECKING:
    from gui.skins.work import Entry
    from vision.skins import Skin

_LIST: Final = 230
"""Points of the list beside the details."""
_WIDE: Final = 620
"""Points from which on the list stands beside the details."""
_LOW_LIST: Final = 92
"""Points of the list above them."""
_ICON: Final = 24
_MOST: Final = 16777215
"""Qt's word for no limit."""


class ShelfView(QWidget):
    """Shows the skins there are.

    Signals:
        chosen(): Another skin is chosen, or none.
    """

    chosen = pyqtSignal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._entries: Sequence[Entry] = ()
        self.list = QListWidget()
        self.list.setAccessibleName("Skins")
        self.list.setToolTip("The skins that are known: your own first")
        self.list.setIconSize(QSize(_ICON, _ICON))
        self.broken = explanation("Skins that are left out")
        self.title, self.facts, self.sheet = headline(), wrapped_label("About it"), TileSheet()
        self.facts.setTextFormat(Qt.TextFormat.RichText)
        self.facts.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        card = QFrame()
        card.setProperty("card", True)
        column = QVBoxLayout(card)
        column.setContentsMargins(*[SPACE + 4] * 4)
        column.setSpacing(SPACE)
        for part in (self.title, self.facts, self.sheet, self.broken):
            column.addWidget(part)
        column.addStretch(1)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(SPACE)
        self._row.addWidget(self.list)
        self._row.addWidget(scrolled(card), 1)
        self.list.currentRowChanged.connect(self._show)

    @property
    def entry(self) -> Entry | None:
        """The skin that is chosen."""
        row = self.list.currentRow()
        return self._entries[row] if 0 <= row < len(self._entries) else None

    def show_entries(
        self, entries: Sequence[Entry], broken: Sequence[str], chosen: str | None
    ) -> None:
        """List skins, and choose one by its name; else the one that was chosen before."""
        wanted = chosen or (self.entry.skin.name if self.entry is not None else None)
        self.list.blockSignals(True)
        self.list.clear()
        self._entries = entries
        for entry in entries:
            owner = "yours" if entry.own else "comes with the program"
            item = QListWidgetItem(_icon(entry.skin), f"{entry.skin.name}\n{owner}")
            self.list.addItem(item)
        self.list.blockSignals(False)
        names = [entry.skin.name for entry in entries]
        self.list.setCurrentRow(names.index(wanted) if wanted in names else 0)
        self.broken.setText("\n".join(f"Left out: {one}" for one in broken))
        self.broken.setVisible(bool(broken))
        self._show()

    def set_theme(self, theme: Theme) -> None:
        """Colour what is painted by hand."""
        self.sheet.set_theme(theme)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """The list above the details where there is no room beside them."""
        super().resizeEvent(event)
        wide = self.width() >= _WIDE
        direction = QBoxLayout.Direction
        self._row.setDirection(direction.LeftToRight if wide else direction.TopToBottom)
        self.list.setMaximumSize(_LIST if wide else _MOST, _MOST if wide else _LOW_LIST)
        self.list.setMinimumWidth(_LIST if wide else 0)

    def _show(self) -> None:
        entry = self.entry
        if entry is not None:
            self.title.setText(entry.skin.name)
            self.facts.setText("<br>".join(facts(entry)))
            self.sheet.show_tiles(tiles(entry.skin))
        self.chosen.emit()


def facts(entry: Entry) -> list[str]:
    """What there is to say of a skin, a line each, as rich text."""
    skin = entry.skin
    made = [
        ("Program", f"{skin.program} {skin.version}".strip()),
        ("Made by", skin.author),
        ("Licence of the pictures", skin.licence),
    ]
    told = [
        # Of a skin that was learned nobody said any of it.
        *([] if skin.learned else made),
        ("Where it came from", skin.source),
        ("Window", " \N{MIDDLE DOT} ".join(filter(None, (skin.title, skin.window_class)))),
        ("Tiles", f"{skin.tile[0]} \N{MULTIPLICATION SIGN} {skin.tile[1]} pixels"),
        ("Further sizes", ", ".join(map(str, skin.sizes))),
        ("Levels", ", ".join(_level(name, *level) for name, level in skin.levels.items())),
        ("Kept in", str(entry.folder)),
    ]
    return [f"<b>{name}:</b> {escape(words)}" for name, words in told if words]


def tiles(skin: Skin) -> list[tuple[NDArray[np.uint8], str]]:
    """The first picture of each state, and its words."""
    found = []
    for code, words in STATE_WORDS.items():
        looks = skin.pictures.get(code, ())
        if looks:
            more = f" ({len(looks)})" if len(looks) > 1 else ""
            found.append((looks[0], f"{words}{more}"))
    return found


def _level(name: str, rows: int, cols: int, mines: int) -> str:
    return f"{name} {cols} \N{MULTIPLICATION SIGN} {rows}, {mines} mines"


def _icon(skin: Skin) -> QIcon:
    code = 1 if 1 in skin.pictures else COVERED
    picture = QPixmap.fromImage(to_qimage(skin.pictures[code][0])).scaled(2 * _ICON, 2 * _ICON)
    icon = QIcon(picture)
    # A chosen one is not tinted: its colours are what one looks at.
    icon.addPixmap(picture, QIcon.Mode.Selected)
    return icon
