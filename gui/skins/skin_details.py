"""The list of skins, and the details of the selected one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QSize, Qt, pyqtSignal
from PyQt6.QtGui import QGuiApplication
from PyQt6.QtWidgets import (
    QFrame,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from bot.board import COVERED, STATE_WORDS
from gui.panel import widgets
from gui.panel.theme import SPACE

if TYPE_CHECKING:
    from gui.skins.conventions import Known
    from gui.skins.skin_jobs import Entry
    from vision.skins import Skin

_SIDE: Final = QSize(52, 52)
"""Size of a picture in points."""
_LIST: Final = 230
"""Width in points of the list beside the details."""
_LOW_LIST: Final = 92
"""Height in points of the list above the details."""
_ICON: Final = QSize(24, 24)


class ShelfView(widgets.SideBySide):
    """A list of skins with the details of one.

    Signals:
        chosen(): Another skin is selected, or none.
        forget_wanted(Known): The user wants to forget a convention.
    """

    chosen = pyqtSignal()
    forget_wanted = pyqtSignal(object)

    def __init__(self) -> None:
        super().__init__()
        self._entries: Sequence[Entry] = ()
        self.list = QListWidget()
        widgets.name_control(self.list, "Skins", "All skins, your own first")
        self.list.setIconSize(_ICON)
        self.broken = widgets.explanation("Skins that were skipped")
        self.title, self.facts, self.sheet = (
            widgets.headline(),
            widgets.wrapped_label("About it"),
            TileSheet(),
        )
        self.place = widgets.wrapped_label("Folder of the skin")
        self.place.setTextFormat(Qt.TextFormat.RichText)
        self.copy = widgets.named_button("Copy path", "Copy the path of the folder")
        self.copy.clicked.connect(self._copy)
        self.known = KnownView()
        self.facts.setTextFormat(Qt.TextFormat.RichText)
        self.facts.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        card = QFrame()
        card.setProperty("card", True)
        place = widgets.lay_row((self.place, 1), self.copy)
        parts = (self.title, self.facts, place, self.sheet, self.known, self.broken)
        widgets.lay_column(*parts, 1, on=card, margins=SPACE + 4)
        self.parts.addWidget(self.list)
        self.parts.addWidget(widgets.scrolled(card), 1)
        self.list.currentRowChanged.connect(self._show)
        self.known.forget_wanted.connect(self.forget_wanted)

    @property
    def entry(self) -> Entry | None:
        """The selected skin."""
        row = self.list.currentRow()
        return self._entries[row] if 0 <= row < len(self._entries) else None

    def show_entries(
        self, entries: Sequence[Entry], broken: Sequence[str], chosen: str | None
    ) -> None:
        """List skins and select one by name, else the one that was selected before."""
        wanted = chosen or (self.entry.name if self.entry is not None else None)
        self.list.blockSignals(True)
        self.list.clear()
        self._entries = entries
        for entry in entries:
            owner = "yours" if entry.own else "comes with the program"
            if entry.skin is None:
                self.list.addItem(f"{entry.name}\nanswers")
            else:
                pictures = entry.skin.pictures
                icon = widgets.picture_icon(pictures[1 if 1 in pictures else COVERED][0], _ICON)
                self.list.addItem(QListWidgetItem(icon, f"{entry.name}\n{owner}"))
        names = [entry.name for entry in entries]
        self.list.setCurrentRow(names.index(wanted) if wanted in names else 0)
        self.list.blockSignals(False)
        self.broken.setText("\n".join(f"Skipped: {one}" for one in broken))
        self.broken.setVisible(bool(broken))
        self._show()

    def arrange(self, *, wide: bool) -> None:
        """Make the list beside the details narrow, or the one above them low."""
        self.list.setMaximumSize(
            _LIST if wide else widgets.ANY_SIZE, widgets.ANY_SIZE if wide else _LOW_LIST
        )
        self.list.setMinimumWidth(_LIST if wide else 0)

    def _show(self) -> None:
        entry = self.entry
        if entry is not None:
            self.title.setText(entry.name)
            shown = facts(entry)
            self.facts.setText("<br>".join(shown))
            self.facts.setVisible(bool(shown))
            # A path has no spaces: without these zero-width marks its end would be cut off.
            path = re.sub(r"(?<=[^\w\s]|_)", "\N{ZERO WIDTH SPACE}", str(entry.folder))
            self.place.setText(f"<b>Folder:</b> {escape(path)}")
            self.sheet.show_tiles([] if entry.skin is None else tiles(entry.skin))
            self.known.show_known(entry.known, self.copy)
        self.chosen.emit()

    def _copy(self) -> None:
        clipboard = QGuiApplication.clipboard()
        if clipboard is not None and self.entry is not None:
            clipboard.setText(str(self.entry.folder))


class TileSheet(QWidget):
    """A sheet of labelled pictures in rows."""

    def __init__(self) -> None:
        super().__init__()
        self._flow = widgets.Flow()
        self.setLayout(self._flow)
        self.setAccessibleName("Tiles")

    def show_tiles(self, tiles: Sequence[tuple[NDArray[np.uint8], str]]) -> None:
        """Show pictures, (h, w, 3) uint8 BGR, with their labels."""
        self.setAccessibleDescription(", ".join(words for _, words in tiles))
        while (item := self._flow.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.deleteLater()
        for picture, words in tiles:
            drawn, label = QLabel(), QLabel(words)
            drawn.setPixmap(widgets.picture_icon(picture, _SIDE).pixmap(_SIDE))
            label.setWordWrap(True)
            part = widgets.column_of(drawn, label)
            for one in (drawn, label):
                one.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
            longest = max(map(label.fontMetrics().horizontalAdvance, words.split()))
            part.setFixedWidth(max(84, longest))
            self._flow.addWidget(part)


class KnownView(QWidget):
    """A list of the conventions of a program, a row each, with buttons to forget them.

    Signals:
        forget_wanted(Known): The button of that row was pressed.
    """

    forget_wanted = pyqtSignal(object)

    def __init__(self) -> None:
        super().__init__()
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(0, SPACE, 0, 0)
        self._rows.setSpacing(SPACE)

    def show_known(self, known: Sequence[Known], before: QWidget) -> None:
        """Show conventions and keep the keyboard focus if possible.

        Args:
            known: The conventions.
            before: The widget that precedes the buttons in the tab order.
        """
        window = self.window()
        focused = window.focusWidget() if window is not None else None
        name = focused.accessibleName() if focused and self.isAncestorOf(focused) else ""
        if name:
            # Its button will be deleted.
            before.setFocus()
        for old in self.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
            self._rows.removeWidget(old)
            # The layout may be about to show it, which would open a window without a parent.
            old.hide()
            old.setParent(None)
            old.deleteLater()
        for one in known:
            row, words = QWidget(), widgets.wrapped_label(one.title)
            words.setTextFormat(Qt.TextFormat.RichText)
            words.setText(f"<b>{escape(one.title)}:</b> {escape(one.words)}")
            layout = widgets.lay_row((words, 1), on=row)
            self._rows.addWidget(row)
            if one.forget is None:
                continue
            button = widgets.named_button(
                "Forget", f"Forget: {one.title}", f"Forget this: {one.title}"
            )
            layout.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
            button.clicked.connect(lambda _=False, one=one: self.forget_wanted.emit(one))
            self.setTabOrder(before, button)
            before = button
            if button.accessibleName() == name:
                button.setFocus()


def facts(entry: Entry) -> list[str]:
    """Return the facts about a skin, a line each, as rich text."""
    skin = entry.skin
    if skin is None:
        return []
    made = [
        ("Program", f"{skin.program} {skin.version}".strip()),
        ("Made by", skin.author),
        ("Licence of the pictures", skin.licence),
        ("Source", skin.source),
    ]
    shown = [
        # For a learned skin these are unknown.
        *([] if skin.learned else made),
        ("Window", " \N{MIDDLE DOT} ".join(filter(None, (skin.title, skin.window_class)))),
        ("Tiles", f"{skin.tile[0]} \N{MULTIPLICATION SIGN} {skin.tile[1]} pixels"),
        ("Further sizes", ", ".join(map(str, skin.sizes))),
        # Those of the user's own skins are listed below, where they can be forgotten.
        (
            "Levels",
            ""
            if entry.own
            else ", ".join(_level(name, *level) for name, level in skin.levels.items()),
        ),
    ]
    return [f"<b>{name}:</b> {escape(words)}" for name, words in shown if words]


def tiles(skin: Skin) -> list[tuple[NDArray[np.uint8], str]]:
    """Return the first picture of each state with its label."""
    found = []
    for code, words in STATE_WORDS.items():
        looks = skin.pictures.get(code, ())
        if looks:
            more = f" ({len(looks)})" if len(looks) > 1 else ""
            found.append((looks[0], f"{words}{more}"))
    return found


def _level(name: str, rows: int, cols: int, mines: int) -> str:
    return f"{name} {cols} \N{MULTIPLICATION SIGN} {rows}, {mines} mines"
