"""Widgets and layouts that the panel's pages share."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise
from textwrap import fill as fill_lines
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QEvent, QObject, QRect, QSignalBlocker, QSize, Qt
from PyQt6.QtGui import (
    QColor,
    QIcon,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QPixmap,
    QResizeEvent,
    QShortcut,
    QShowEvent,
)
from PyQt6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QBoxLayout,
    QComboBox,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLayoutItem,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QSlider,
    QSpinBox,
    QStyle,
    QVBoxLayout,
    QWidget,
)

from gui.images import to_qimage
from gui.looks import Look, paint_tile
from gui.panel.theme import SPACE, current_theme

_TIP_WIDTH: Final = 60
"""Characters in a line of a tooltip."""
_FILE: Final = re.compile(r"\S*\w\.\w")
_ENDS: Final = (".", "?", "!", "\N{HORIZONTAL ELLIPSIS}")
CONTROL_HEIGHT: Final = 26
PAGE_MARGINS: Final = (SPACE + 4, SPACE + 4, SPACE + 4, SPACE)
"""Margins of a page in points: left, top, right and bottom."""
WIDE: Final = 620
"""Width in points above which two columns are side by side."""
ANY_SIZE: Final = 16_777_215
"""Qt's QWIDGETSIZE_MAX: no limit in points."""


def headline(text: str = "") -> QLabel:
    """Return a label for a page's main statement."""
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    font = label.font()
    font.setPointSizeF(font.pointSizeF() * 1.4)
    font.setBold(True)
    label.setFont(font)
    return label


def plain_label(name: str) -> QLabel:
    """Return a label of plain text that never shrinks below its text, named for screen readers."""
    label = QLabel()
    label.setAccessibleName(name)
    label.setTextFormat(Qt.TextFormat.PlainText)
    return label


def wrapped_label(name: str) -> QLabel:
    """Return a label that takes the available width and wraps its text."""
    label = plain_label(name)
    label.setWordWrap(True)
    label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
    return label


class ElidedLabel(QLabel):
    """A single line that is cut off if there is no room, with the full text in its tooltip.

    Args:
        name: For screen readers.
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setTextFormat(Qt.TextFormat.PlainText)

    def minimumSizeHint(self) -> QSize:
        """Return the size of a few letters and the ellipsis."""
        few = self.fontMetrics().horizontalAdvance("mmm\N{HORIZONTAL ELLIPSIS}")
        hint = super().minimumSizeHint()
        return QSize(min(few, hint.width()), hint.height())

    def paintEvent(self, _event: QPaintEvent | None) -> None:
        """Paint as much of the text as fits."""
        room = self.contentsRect()
        shown = self.fontMetrics().elidedText(
            self.text(), Qt.TextElideMode.ElideRight, room.width()
        )
        painter = QPainter(self)
        painter.setPen(self.palette().color(QPalette.ColorRole.WindowText))
        painter.drawText(room, self.alignment(), shown)
        painter.end()


def explanation(name: str, text: str = "") -> QLabel:
    """Return a muted, wrapped label for explanations."""
    label = wrapped_label(name)
    label.setText(text)
    label.setProperty("muted", True)
    label.setAlignment(Qt.AlignmentFlag.AlignTop)
    return label


def sentence(text: str) -> str:
    """Return the text with a capital at its beginning and a full stop at its end if it has none.

    A file's name at its beginning is not changed.
    """
    begin = text[:1] if _FILE.match(text) else text[:1].upper()
    return f"{begin}{text[1:]}{'' if text.endswith(_ENDS) else '.'}"


class KeyedButton(QPushButton):
    """A button with its key in its tooltip and its accessible name.

    Args:
        text: The button's text.
        tip: What it does.
        key: Its key, which works once `connect_keyed` has added it.
    """

    def __init__(self, text: str, tip: str, key: str) -> None:
        super().__init__(text)
        self.key = key
        name_control(self, f"{tip}, {key}", f"{tip} ({key})")


def connect_keyed(owner: QWidget, actions: Mapping[KeyedButton, Callable[[], object]]) -> None:
    """Connect buttons to actions, by click and by key; the keys work while `owner` is shown."""
    for button, act in actions.items():
        button.clicked.connect(lambda _checked, act=act: act())
        add_key(button.key, owner, button.click)


def add_key(
    key: str,
    part: QWidget,
    act: Callable[[], object],
    *,
    focused: bool = False,
    repeated: bool = True,
) -> QShortcut:
    """Add a key for a part of a window.

    A button is given its `click` as the action: its own shortcut acts 0.1 s later.

    Args:
        key: The key.
        part: The key works while it is shown.
        act: The action.
        focused: It works only while the part, or a child of it, has the focus.
        repeated: Holding the key repeats the action.
    """
    shortcut = QShortcut(QKeySequence(key), part)
    if focused:
        shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
    shortcut.setAutoRepeat(repeated)
    shortcut.activated.connect(act)
    return shortcut


def act_as_pressed(
    button: QAbstractButton, state: Callable[[], bool], act: Callable[[bool], object]
) -> None:
    """Make a toggle button do what it showed when it was pressed.

    Args:
        button: It acts on release. Its state may change while it is held.
        state: Returns the state to toggle; called on press.
        act: Called on release with that state.
    """
    pressed = False

    def remember() -> None:
        nonlocal pressed
        pressed = state()

    button.pressed.connect(remember)
    button.clicked.connect(lambda: act(pressed))


def tip_text(text: str) -> str:
    """Return the text of a tooltip in lines of at most 60 characters; Qt breaks none itself."""
    lines = text.splitlines()
    return "\n".join(fill_lines(line, _TIP_WIDTH, break_long_words=False) for line in lines)


def name_control(control: QWidget, name: str, tip: str | None = None) -> None:
    """Name a control for screen readers, and set its tooltip: by default the same text."""
    control.setAccessibleName(name)
    control.setToolTip(tip_text(name if tip is None else tip))
    if isinstance(control, QAbstractSpinBox | QComboBox | QSlider):
        control.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        control.installEventFilter(_PageScroller(control))


def named_button(text: str, name: str, tip: str | None = None) -> QPushButton:
    """Return a button with this text, named as by `name_control`."""
    button = QPushButton(text)
    name_control(button, name, tip)
    return button


def button_row(*buttons: QPushButton) -> QWidget:
    """Return a row of buttons, aligned to the left."""
    widget = QWidget()
    lay_row(*buttons, 1, on=widget)
    return widget


Part = QWidget | QLayout | int
"""A part of a layout; a number is an empty space with this stretch."""


def lay_column(
    *parts: Part | tuple[Part, int],
    on: QWidget | None = None,
    margins: int | tuple[int, int, int, int] = 0,
    gap: int = SPACE,
) -> QVBoxLayout:
    """Lay out parts from top to bottom.

    Args:
        parts: The parts, each with its stretch if it has one.
        on: The widget that gets the layout.
        margins: Points on all sides, or left, top, right and below.
        gap: Points between two parts; -1 for the style's own.
    """
    column = QVBoxLayout(on)
    _fill(column, parts, margins, gap)
    return column


def lay_row(
    *parts: Part | tuple[Part, int],
    on: QWidget | None = None,
    margins: int | tuple[int, int, int, int] = 0,
    gap: int = SPACE,
) -> QHBoxLayout:
    """Lay out parts from left to right; the arguments are those of `lay_column`."""
    row = QHBoxLayout(on)
    _fill(row, parts, margins, gap)
    return row


def _fill(
    layout: QBoxLayout,
    parts: Iterable[Part | tuple[Part, int]],
    margins: int | tuple[int, int, int, int],
    gap: int,
) -> None:
    layout.setContentsMargins(*(margins if isinstance(margins, tuple) else [margins] * 4))
    layout.setSpacing(gap)
    for part in parts:
        what, stretch = part if isinstance(part, tuple) else (part, 0)
        if isinstance(what, int):
            layout.addStretch(what)
        elif isinstance(what, QLayout):
            layout.addLayout(what, stretch)
        else:
            layout.addWidget(what, stretch)


def column_of(*parts: QWidget) -> QWidget:
    """Return a widget with these parts in a column without margins."""
    widget = QWidget()
    lay_column(*parts, on=widget)
    return widget


class _PageScroller(QObject):
    """A filter that leaves the wheel over a control without the focus to the page."""

    def eventFilter(  # noqa: N802 - Qt's name
        self, watched: QObject | None, event: QEvent | None
    ) -> bool:
        """Ignore the wheel, so that it is passed on to the parent."""
        wheel = event is not None and event.type() == QEvent.Type.Wheel
        if event is None or not wheel or not isinstance(watched, QWidget) or watched.hasFocus():
            return False
        event.ignore()
        return True


class JumpingSlider(QSlider):
    """A horizontal slider whose handle moves to where its groove is clicked."""

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal)

    def mousePressEvent(self, event: QMouseEvent | None) -> None:
        """Move the handle below the pointer before the press is handled."""
        if event is not None and event.button() == Qt.MouseButton.LeftButton:
            handle = self.minimumSizeHint().height()
            room = max(1, self.width() - handle)
            at = round(event.position().x() - handle / 2)
            value = QStyle.sliderValueFromPosition(self.minimum(), self.maximum(), at, room)
            # A press on the handle itself begins to drag it from where it is.
            step = room / max(1, self.maximum() - self.minimum())
            if abs(value - self.value()) * step > handle / 2:
                self.setValue(value)
        super().mousePressEvent(event)


class NumberBox(QSpinBox):
    """A number field with a text in place of its minimum; typing a digit replaces the text."""

    def __init__(self, least: int, most: int, value: int = 0, least_text: str = "") -> None:
        super().__init__()
        self.setRange(least, most)
        self.setValue(value)
        self.setSpecialValueText(least_text)
        self.setGroupSeparatorShown(True)

    def keyPressEvent(self, event: QKeyEvent | None) -> None:
        """Select the text before a digit is typed."""
        if event is not None and event.text().isdigit() and self.text() == self.specialValueText():
            self.selectAll()
        super().keyPressEvent(event)


def box(choices: Mapping[str, Any], current: object) -> QComboBox:
    """Return a control for one of several choices."""
    made = QComboBox()
    for text, value in choices.items():
        made.addItem(text, value)
    made.setCurrentIndex(list(choices.values()).index(current))
    return made


def choose(control: QComboBox, value: object) -> None:
    """Show another choice without emitting signals."""
    with QSignalBlocker(control):
        control.setCurrentIndex(control.findData(value))


def set_least_height(control: QWidget) -> None:
    """Make a control large enough for touch and for its text; a layout has its own minimum."""
    if control.layout() is None:
        control.setMinimumHeight(max(CONTROL_HEIGHT, control.sizeHint().height()))


class Card(QFrame):
    """A heading with rows of controls below it."""

    def __init__(self, heading: str) -> None:
        super().__init__()
        self.setProperty("card", True)
        self.form = QFormLayout(self)
        self.form.setContentsMargins(*[SPACE + 4] * 4)
        self.form.setSpacing(SPACE)
        self.form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        self.form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        label = QLabel(heading)
        label.setProperty("heading", True)
        self.form.addRow(label)

    def row(self, text: str, control: QWidget, name: str, tip: str) -> None:
        """Add a control with its label, its name for screen readers and its tooltip."""
        name_control(control, name, tip)
        set_least_height(control)
        self.form.addRow(text, control)

    def whole(self, control: QWidget) -> None:
        """Add a control over the whole width."""
        self.form.addRow(control)


class SideBySide(QWidget):
    """Parts side by side, or one below the other if the width is small.

    Args:
        wide: Width in points from which they are side by side.
    """

    def __init__(self, wide: int = WIDE) -> None:
        super().__init__()
        self._wide = wide
        self.parts = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self.parts.setContentsMargins(0, 0, 0, 0)
        self.parts.setSpacing(SPACE)

    def arrange(self, *, wide: bool) -> None:
        """Adapt the parts to the direction in which they stand."""

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Arrange the parts for the new width."""
        super().resizeEvent(event)
        wide, direction = self.width() >= self._wide, QBoxLayout.Direction
        self.parts.setDirection(direction.LeftToRight if wide else direction.TopToBottom)
        self.arrange(wide=wide)


class Columns(SideBySide):
    """Columns of cards."""

    def add(self, *cards: QWidget, stretch: int = 1) -> None:
        """Add a column."""
        self.parts.addWidget(column_of(*cards), stretch, Qt.AlignmentFlag.AlignTop)


def fill_page(page: QWidget, title: str, columns: Columns) -> None:
    """Fill a page with a title and its columns in a vertical scroll area."""
    content = QWidget()
    lay_column(headline(title), columns, 1, on=content, margins=SPACE + 4)
    lay_column(scrolled(content), on=page)


class Flow(QLayout):
    """A layout of items from left to right, each at its preferred width.

    Args:
        parts: The items.
        gap: Points between two items, and between two rows.
        filled: Whether the items of a row share its width and have its height.
    """

    def __init__(self, *parts: QWidget, gap: int = SPACE, filled: bool = False) -> None:
        super().__init__()
        self._gap, self._filled = gap, filled
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)
        for part in parts:
            self.addWidget(part)

    def addItem(self, item: QLayoutItem | None) -> None:  # noqa: N802 - Qt's name
        """Add an item."""
        if item is not None:
            self._items.append(item)

    def count(self) -> int:
        """Return the number of items."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:  # noqa: N802 - Qt's name
        """Return an item, or None."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:  # noqa: N802 - Qt's name
        """Remove and return an item, or None."""
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:  # noqa: N802 - Qt's name
        """Return no directions: the height follows from the rows."""
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        """Return True: a narrow layout is higher."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height of all rows at a width."""
        return self._lay_out(QRect(0, 0, width, 0), move=False)

    def sizeHint(self) -> QSize:
        """Return the size of a single row."""
        shown = [item.sizeHint() for item in self._items if not item.isEmpty()]
        width = sum(size.width() + self._gap for size in shown)
        return QSize(width, max((size.height() for size in shown), default=0))

    def minimumSize(self) -> QSize:  # noqa: N802 - Qt's name
        """Return the size of the widest item."""
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        return size

    def setGeometry(self, rect: QRect) -> None:  # noqa: N802 - Qt's name
        """Place the items."""
        super().setGeometry(rect)
        self._lay_out(rect, move=True)

    def _lay_out(self, rect: QRect, *, move: bool) -> int:
        """Place the items if asked to, and return the height of all rows."""
        top = rect.top()
        for line in self._lines(rect.width()):
            high = max(size.height() for _, size in line)
            left, used = rect.left(), sum(size.width() + self._gap for _, size in line)
            more = (rect.width() + self._gap - used) // len(line) if self._filled else 0
            for item, size in line if move else ():
                width, height = size.width() + more, high if self._filled else size.height()
                item.setGeometry(QRect(left, top + (high - height) // 2, width, height))
                left += width + self._gap
            top += high + self._gap
        return max(0, top - self._gap - rect.top())

    def _lines(self, width: int) -> list[list[tuple[QLayoutItem, QSize]]]:
        """Return the visible items row by row, each with its size."""
        lines: list[list[tuple[QLayoutItem, QSize]]] = []
        left = 0
        for item in self._items:
            if item.isEmpty():
                continue
            size = item.sizeHint().expandedTo(item.minimumSize()).boundedTo(item.maximumSize())
            if item.hasHeightForWidth():
                size.setHeight(item.heightForWidth(size.width()))
            if not lines or left + size.width() > width:
                lines.append([])
                left = 0
            lines[-1].append((item, size))
            left += size.width() + self._gap
        return lines


class Tray(QScrollArea):
    """A scroll area with its content's size hint; Qt's own caches an outdated one.

    Args:
        width: Smallest width in points, larger if the content needs more; None for any width.
    """

    def __init__(self, width: int | None = None) -> None:
        super().__init__()
        self._width = width
        self._fixed = width is not None

    def set_fixed(self, *, fixed: bool) -> None:
        """Fix the width, or allow any."""
        self._fixed = fixed
        self.setMinimumWidth(0)
        self.setMaximumWidth(ANY_SIZE)
        self._fit_width()

    @property
    def needed_width(self) -> int:
        """The width in points that the content and a scroll bar need."""
        content, bar = self.widget(), self.verticalScrollBar()
        if content is None or bar is None:
            return self._width or 0
        return max(self._width or 0, content.minimumSizeHint().width() + bar.sizeHint().width())

    def sizeHint(self) -> QSize:
        """Return the content's size hint, with its height at the current width."""
        content, port = self.widget(), self.viewport()
        if content is None or port is None:
            return super().sizeHint()
        size = content.sizeHint()
        if content.hasHeightForWidth() and self.isVisible():
            size.setHeight(content.heightForWidth(port.width()))
        return size

    def minimumSizeHint(self) -> QSize:
        """Return Qt's own, but no larger height than the content needs."""
        return super().minimumSizeHint().boundedTo(QSize(ANY_SIZE, self.sizeHint().height()))

    def showEvent(self, event: QShowEvent | None) -> None:
        """Update the size hint, which was estimated while it was hidden."""
        super().showEvent(event)
        self.updateGeometry()

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Update the size hint for another width."""
        super().resizeEvent(event)
        if event is not None and event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def eventFilter(  # noqa: N802 - Qt's name
        self, watched: QObject | None, event: QEvent | None
    ) -> bool:
        """Forward the content's layout requests."""
        if event is not None and event.type() is QEvent.Type.LayoutRequest:
            self._fit_width()
            self.updateGeometry()
        return super().eventFilter(watched, event)

    def setWidget(self, widget: QWidget | None) -> None:  # noqa: N802 - Qt's name
        """Show a content."""
        super().setWidget(widget)
        self._fit_width()

    def _fit_width(self) -> None:
        """Set the width that the content needs, as the area does not scroll sideways."""
        if self._fixed:
            self.setFixedWidth(self.needed_width)


def scrolled(content: QWidget, width: int | None = None) -> Tray:
    """Return a frameless area that scrolls vertically only.

    Args:
        content: Its content.
        width: Smallest width in points, larger if the content needs more; None for any width.
    """
    area = Tray(width)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidget(content)
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return area


def order_by_layout(page: QWidget) -> None:
    """Set the tab order of a page column by column, each from its top."""
    for before, after in pairwise(_tab_stops(page)):
        QWidget.setTabOrder(before, after)


def _tab_stops(widget: QWidget) -> Iterator[QWidget]:
    """Yield the controls in a widget that take the focus by Tab, hidden ones included.

    A part's own `tab_order`, if it has one, takes precedence.
    """
    if widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
        yield widget
    own: list[QWidget] | None = getattr(widget, "tab_order", None)
    if own is not None:
        yield from own
        return
    content = widget.widget() if isinstance(widget, QScrollArea) else None
    layout = widget.layout()
    if content is not None:
        yield from _tab_stops(content)
    elif layout is not None:
        yield from _tab_stops_in(layout)


def _tab_stops_in(layout: QLayout) -> Iterator[QWidget]:
    for place in range(layout.count()):
        item = layout.itemAt(place)
        inner, widget = (item.layout(), item.widget()) if item is not None else (None, None)
        if widget is not None:
            yield from _tab_stops(widget)
        elif inner is not None:
            yield from _tab_stops_in(inner)


def picture_icon(picture: NDArray[np.uint8], size: QSize) -> QIcon:
    """Return a picture, (h, w, 3) uint8 BGR, in the middle of an icon of this size in points."""
    keep, smooth = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
    scaled = QPixmap.fromImage(to_qimage(picture)).scaled(2 * size, keep, smooth)
    pixmap = QPixmap(2 * size)
    pixmap.fill(Qt.GlobalColor.transparent)
    with QPainter(pixmap) as painter:
        painter.drawPixmap(pixmap.rect().center() - scaled.rect().center(), scaled)
    icon = QIcon(pixmap)
    # A selected picture is not tinted, as its colours matter.
    icon.addPixmap(pixmap, QIcon.Mode.Selected)
    return icon


def tile_pixmap(code: int, look: Look, side: int) -> QPixmap:
    """Return a drawing of a tile for an icon of this side in points, framed on any background."""
    pixmap = QPixmap(2 * side, 2 * side)
    with QPainter(pixmap) as painter:
        paint_tile(painter, code, pixmap.rect().toRectF(), look)
        painter.setPen(QPen(QColor(current_theme().muted), 2))
        painter.drawRect(pixmap.rect().adjusted(1, 1, -1, -1))
    return pixmap
