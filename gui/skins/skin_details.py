"""The list of skins, and the details of the selected one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QRectF, QSize, Qt, pyqtSignal
from PyQt6.QtGui import (
    QColor,
    QGuiApplication,
    QImage,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PyQt6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from bot.board import COVERED, STATE_WORDS
from gui.images import to_qimage
from gui.panel.theme import SPACE, current_theme
from gui.panel.widgets import (
    ANY_SIZE,
    explanation,
    headline,
    lay_column,
    lay_row,
    name_control,
    named_button,
    picture_icon,
    scrolled,
    wrapped_label,
)

if TYPE_CHECKING:
    from gui.skins.conventions import Known
    from gui.skins.skin_jobs import Entry
    from vision.skins import Skin

SIDE: Final = 52
"""Size of a picture in points."""
_LABEL_WIDTH: Final = 84
"""Width in points of a picture with its label."""
_LIST: Final = 230
"""Width in points of the list beside the details."""
_WIDE: Final = 620
"""Width in points from which the list is beside the details."""
_LOW_LIST: Final = 92
"""Height in points of the list above the details."""
_ICON: Final = QSize(24, 24)


class ShelfView(QWidget):
    """A list of skins with the details of one.

    Signals:
        chosen(): Another skin is selected, or none.
        change_wanted(Known), forget_wanted(Known): The user wants to change a convention.
    """

    chosen = pyqtSignal()
    change_wanted = pyqtSignal(object)
    forget_wanted = pyqtSignal(object)

    def __init__(self) -> None:
        super().__init__()
        self._entries: Sequence[Entry] = ()
        self.list = QListWidget()
        name_control(self.list, "Skins", "All skins, your own first")
        self.list.setIconSize(_ICON)
        self.broken = explanation("Skins that were skipped")
        self.title, self.facts, self.sheet = headline(), wrapped_label("About it"), TileSheet()
        self.place = PlaceRow()
        self.known = KnownView()
        self.facts.setTextFormat(Qt.TextFormat.RichText)
        self.facts.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        card = QFrame()
        card.setProperty("card", True)
        parts = (self.title, self.facts, self.place, self.sheet, self.known, self.broken)
        lay_column(*parts, 1, on=card, margins=SPACE + 4)
        self._row = lay_row(self.list, (scrolled(card), 1), on=self)
        self.list.currentRowChanged.connect(self._show)
        self.known.change_wanted.connect(self.change_wanted)
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
                self.list.addItem(f"{entry.name}\nyour answers")
            else:
                pictures = entry.skin.pictures
                icon = picture_icon(pictures[1 if 1 in pictures else COVERED][0], _ICON)
                self.list.addItem(QListWidgetItem(icon, f"{entry.name}\n{owner}"))
        names = [entry.name for entry in entries]
        self.list.setCurrentRow(names.index(wanted) if wanted in names else 0)
        self.list.blockSignals(False)
        self.broken.setText("\n".join(f"Skipped: {one}" for one in broken))
        self.broken.setVisible(bool(broken))
        self._show()

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Place the list beside the details, or above them if the page is narrow."""
        super().resizeEvent(event)
        wide = self.width() >= _WIDE
        direction = QBoxLayout.Direction
        self._row.setDirection(direction.LeftToRight if wide else direction.TopToBottom)
        self.list.setMaximumSize(_LIST if wide else ANY_SIZE, ANY_SIZE if wide else _LOW_LIST)
        self.list.setMinimumWidth(_LIST if wide else 0)

    def _show(self) -> None:
        entry = self.entry
        if entry is not None:
            self.title.setText(entry.name)
            shown = facts(entry)
            self.facts.setText("<br>".join(shown))
            self.facts.setVisible(bool(shown))
            self.place.show_place(str(entry.folder))
            self.sheet.show_tiles([] if entry.skin is None else tiles(entry.skin))
            self.known.show_known(entry.known, self.place.copy)
        self.chosen.emit()


class TileSheet(QWidget):
    """A sheet of labelled pictures in rows."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tiles: list[tuple[QImage, str]] = []
        self.setAccessibleName("Tiles")
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_tiles(self, tiles: Sequence[tuple[NDArray[np.uint8], str]]) -> None:
        """Show pictures, (h, w, 3) uint8 BGR, with their labels."""
        self._tiles = [(to_qimage(picture), words) for picture, words in tiles]
        self.setAccessibleDescription(", ".join(words for _, words in tiles))
        self.updateGeometry()
        self.update()

    def hasHeightForWidth(self) -> bool:
        """Return True: a narrow sheet is higher."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height of all rows."""
        rows = -(-len(self._tiles) // self._across(width))
        return rows * self._high()

    def sizeHint(self) -> QSize:
        """Return the size with five pictures per row."""
        return QSize(5 * _LABEL_WIDTH, self.heightForWidth(5 * _LABEL_WIDTH))

    def minimumSizeHint(self) -> QSize:
        """Return the size with two pictures per row, with all rows at this width."""
        return QSize(2 * _LABEL_WIDTH, self.heightForWidth(max(self.width(), 2 * _LABEL_WIDTH)))

    def paintEvent(self, _event: QPaintEvent | None) -> None:
        """Paint every picture in a frame, with its label below."""
        painter = QPainter(self)
        across, high = self._across(self.width()), self._high()
        for number, (picture, words) in enumerate(self._tiles):
            row, col = divmod(number, across)
            place = QRectF(
                col * _LABEL_WIDTH + (_LABEL_WIDTH - SIDE) / 2, row * high + 1, SIDE, SIDE
            )
            painter.fillRect(place.adjusted(-1, -1, 1, 1), QColor(current_theme().border))
            smooth = picture.width() > SIDE * self.devicePixelRatioF()
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, smooth)
            painter.drawImage(place, picture)
            painter.setPen(QColor(current_theme().text))
            below = QRectF(col * _LABEL_WIDTH, place.bottom() + 2, _LABEL_WIDTH, high - SIDE - 4)
            flags = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop
            painter.drawText(below, flags | Qt.TextFlag.TextWordWrap, words)
        painter.end()

    def _across(self, width: int) -> int:
        return max(1, width // _LABEL_WIDTH)

    def _high(self) -> int:
        return SIDE + 2 * self.fontMetrics().lineSpacing() + SPACE


class PlaceRow(QWidget):
    """A wrapped path of a skin, and a button that copies it."""

    def __init__(self) -> None:
        super().__init__()
        self._place = ""
        self.words = wrapped_label("Folder of the skin")
        self.words.setTextFormat(Qt.TextFormat.RichText)
        self.copy = QPushButton("Copy path")
        self.copy.setToolTip("Copy the path of the folder")
        self.copy.clicked.connect(self._copy)
        self.hide()
        row = lay_row((self.words, 1), on=self)
        row.addWidget(self.copy, 0, Qt.AlignmentFlag.AlignTop)

    def show_place(self, place: str) -> None:
        """Show a path."""
        self._place = place
        # A path has no spaces: without these zero-width marks its end would be cut off.
        words = escape(re.sub(r"(?<=[^\w\s]|_)", "\N{ZERO WIDTH SPACE}", place))
        self.words.setText(f"<b>Folder:</b> {words}")
        self.show()

    def _copy(self) -> None:
        clipboard = QGuiApplication.clipboard()
        assert clipboard is not None  # noqa: S101 - there is one as soon as there is a window
        clipboard.setText(self._place)


class KnownView(QWidget):
    """A list of the conventions of a program, a row each, with buttons to change them.

    Signals:
        change_wanted(Known), forget_wanted(Known): A button of that row was pressed.
    """

    change_wanted = pyqtSignal(object)
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
            row = _KnownRow(one)
            self._rows.addWidget(row)
            for button, wanted in (
                (row.change, self.change_wanted),
                (row.forget, self.forget_wanted),
            ):
                if button is None:
                    continue
                button.clicked.connect(lambda _=False, one=one, wanted=wanted: wanted.emit(one))
                self.setTabOrder(before, button)
                before = button
                if button.accessibleName() == name:
                    button.setFocus()


class _KnownRow(QWidget):
    """A row with a convention and its buttons."""

    def __init__(self, known: Known) -> None:
        super().__init__()
        words = wrapped_label(known.title)
        words.setTextFormat(Qt.TextFormat.RichText)
        words.setText(f"<b>{escape(known.title)}:</b> {escape(known.words)}")
        self.change = self.forget = None
        row = lay_row((words, 1), on=self)
        if known.change is not None:
            self.change = named_button("Change \N{HORIZONTAL ELLIPSIS}", f"Change: {known.title}")
        if known.forget is not None:
            self.forget = named_button(
                "Forget", f"Forget: {known.title}", f"Forget this: {known.title}"
            )
        for button in (self.change, self.forget):
            if button is not None:
                row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)


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
        # Those of the user's own skins are listed below, where they can be changed.
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
