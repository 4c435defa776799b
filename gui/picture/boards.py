"""The boards of a picture: an overview with frames around them, and a list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from PyQt6.QtCore import QRectF, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QColor, QImage, QMouseEvent, QPainter, QPaintEvent, QPen
from PyQt6.QtWidgets import QListWidget, QListWidgetItem, QSizePolicy, QVBoxLayout, QWidget

from gui.panel.marks import CHOSEN
from gui.panel.theme import SPACE, current_theme

if TYPE_CHECKING:
    from gui.picture.work import Looked
    from gui.seeing import Seen

WIDTH: Final = 220
"""Width in points of the list beside the board."""
_LARGEST: Final = 200
"""Largest height in points of the overview."""


class Boards(QWidget):
    """A selector for the boards of a picture.

    Signals:
        chosen(int): The number of the selected board.
    """

    chosen = pyqtSignal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.overview, self.list = Overview(), QListWidget()
        self.list.setAccessibleName("Boards in the picture")
        self.list.setToolTip("The boards in the picture: choose one")
        self.list.setWordWrap(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE)
        column.addWidget(self.overview)
        column.addWidget(self.list, 1)
        self.setFixedWidth(WIDTH)
        self.list.currentRowChanged.connect(self._choose)
        self.overview.chosen.connect(self.list.setCurrentRow)

    def show_boards(self, looked: Looked, small: QImage) -> None:
        """List the boards of a picture, with none selected.

        Args:
            looked: The picture.
            small: The whole picture, scaled down.
        """
        self.list.blockSignals(True)
        self.list.clear()
        for number, seen in enumerate(looked.boards, 1):
            self.list.addItem(QListWidgetItem(f"{number}. {told(seen)}"))
        self.list.blockSignals(False)
        height, width = looked.frame.image.shape[:2]
        shares = [
            QRectF(
                region.left / width,
                region.top / height,
                region.width / width,
                region.height / height,
            )
            for region in (seen.grid.region for seen in looked.boards)
        ]
        self.overview.show_picture(small, shares)

    def tell_again(self, number: int, seen: Seen) -> None:
        """Update the description of a board."""
        item = self.list.item(number)
        if item is not None:
            item.setText(f"{number + 1}. {told(seen)}")

    def _choose(self, row: int) -> None:
        if row >= 0:
            self.overview.mark(row)
            self.chosen.emit(row)


class Overview(QWidget):
    """A scaled-down picture with a frame around each board.

    Signals:
        chosen(int): The number of the board that was clicked.
    """

    chosen = pyqtSignal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._picture: QImage | None = None
        self._boards: Sequence[QRectF] = ()
        self._marked = 0
        self.setAccessibleName("The whole picture")
        self.setToolTip("The whole picture: click a board to choose it")
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_picture(self, picture: QImage, boards: Sequence[QRectF]) -> None:
        """Show a picture; the boards are given in fractions of its size."""
        self._picture, self._boards, self._marked = picture, boards, 0
        self.updateGeometry()
        self.update()

    def mark(self, number: int) -> None:
        """Mark the selected board."""
        self._marked = number
        self.update()

    def hasHeightForWidth(self) -> bool:
        """Return True: the height follows from the picture's aspect ratio."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the picture's height, limited."""
        if self._picture is None or not self._picture.width():
            return 0
        return min(_LARGEST, width * self._picture.height() // self._picture.width())

    def sizeHint(self) -> QSize:
        """Return the size at the width of the list."""
        return QSize(WIDTH, self.heightForWidth(WIDTH))

    def minimumSizeHint(self) -> QSize:
        """Return a low size, so that the list gets the space."""
        return QSize(WIDTH, min(60, self.heightForWidth(WIDTH)))

    def paintEvent(self, _event: QPaintEvent | None) -> None:
        """Paint the picture, then the frames."""
        painter = QPainter(self)
        place = self.place()
        if self._picture is not None:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(place, self._picture)
        for number, share in enumerate(self._boards):
            board = self._rect(share)
            for color, width in ((QColor("#ffffff"), 4), (self._color(number), 2)):
                painter.setPen(QPen(color, width))
                painter.drawRect(board)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent | None) -> None:
        """Select the clicked board."""
        if event is None:
            return
        for number, share in enumerate(self._boards):
            if self._rect(share).contains(event.position()):
                # If two boards touch, both contain the point.
                self.chosen.emit(number)
                return

    def place(self) -> QRectF:
        """Return where the picture is drawn, in points."""
        if self._picture is None:
            return QRectF()
        size = self._picture.size().scaled(self.size(), Qt.AspectRatioMode.KeepAspectRatio)
        return QRectF((self.width() - size.width()) / 2, 0, size.width(), size.height())

    def _rect(self, share: QRectF) -> QRectF:
        place = self.place()
        return QRectF(
            place.left() + share.left() * place.width(),
            share.top() * place.height(),
            share.width() * place.width(),
            share.height() * place.height(),
        )

    def _color(self, number: int) -> QColor:
        return CHOSEN if number == self._marked else QColor(current_theme().accent)


def told(seen: Seen) -> str:
    """Return a board's size, skin and state as text."""
    if seen.reading is None:
        return f"{seen.title}: how many mines?"
    if seen.trouble:
        return f"{seen.title}: cannot be"
    if not seen.whole:
        return f"{seen.title}: not all read"
    return f"{seen.title}, {seen.reading.board.mines} mines, {seen.reading.status.value}"
