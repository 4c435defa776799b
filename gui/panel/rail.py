"""The navigation rail with the pages at the window's left edge."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Final

from PyQt6.QtCore import QSize, Qt, pyqtSignal
from PyQt6.QtGui import QFont, QFontMetrics, QKeySequence, QShortcut
from PyQt6.QtWidgets import QButtonGroup, QToolButton, QVBoxLayout, QWidget

from gui.panel.icons import icon
from gui.panel.theme import Theme

WIDTH: Final = 76
NARROW: Final = 40
"""Points: with texts below the icons, and without."""
_SIGN: Final = 22
_HEIGHT: Final = 50
"""Smallest height of a button in points; its text may need more."""
_GAP: Final = 2
_EDGE: Final = 6
_AROUND: Final = 8
"""Points around a button, and around its text."""
_PADDING: Final = 12
"""Points above, between and below icon and text."""


class Rail(QWidget):
    """A button for every page; Alt and a digit press it from everywhere.

    Args:
        pages: Name and title of each, from the top.

    Signals:
        chosen(str): The name of the page to open.
    """

    chosen = pyqtSignal(str)

    def __init__(self, pages: Iterable[tuple[str, str]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("rail", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.buttons: dict[str, QToolButton] = {}
        self._group = QButtonGroup(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, _EDGE, 0, _EDGE)
        column.setSpacing(_GAP)
        for number, (name, title) in enumerate(pages, 1):
            button = QToolButton()
            button.setText(title)
            button.setCheckable(True)
            button.setIconSize(QSize(_SIGN, _SIGN))
            button.setAccessibleName(f"Page {title}, Alt+{number}")
            button.setToolTip(f"{title} (Alt+{number})")
            button.clicked.connect(partial(self._choose, name))
            QShortcut(QKeySequence(f"Alt+{number}"), self).activated.connect(button.click)
            self._group.addButton(button)
            self.buttons[name] = button
            column.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(1)
        self.set_narrow(narrow=False)

    def show_page(self, name: str) -> None:
        """Mark the page that is shown."""
        self.buttons[name].setChecked(True)

    def set_narrow(self, *, narrow: bool) -> None:
        """Show or hide the texts."""
        style = Qt.ToolButtonStyle
        for button in self.buttons.values():
            button.setToolButtonStyle(
                style.ToolButtonIconOnly if narrow else style.ToolButtonTextUnderIcon
            )
        side = NARROW - _AROUND
        size = QSize(side, side) if narrow else self._button_size()
        for button in self.buttons.values():
            button.setFixedSize(size)
        self.setFixedWidth(size.width() + _AROUND)

    def _button_size(self) -> QSize:
        """Return the size of a button that fits every text, also in the open page's bold font."""
        bold = QFont(self.font())
        bold.setWeight(QFont.Weight.DemiBold)
        metrics = QFontMetrics(bold)
        # Qt keeps the width of two spaces free.
        words = [f" {button.text()} " for button in self.buttons.values()]
        wide = max(map(metrics.horizontalAdvance, words)) + _AROUND
        high = _SIGN + metrics.height() + _PADDING
        return QSize(max(wide, WIDTH - _AROUND), max(high, _HEIGHT))

    @property
    def room(self) -> int:
        """Height in points of all pages with texts below their icons."""
        return len(self.buttons) * (self._button_size().height() + _GAP) + 2 * _EDGE

    def set_theme(self, theme: Theme) -> None:
        """Draw the icons in the theme's colours."""
        for name, button in self.buttons.items():
            button.setIcon(icon(name, theme.text, theme.border))

    def _choose(self, name: str) -> None:
        self.chosen.emit(name)
