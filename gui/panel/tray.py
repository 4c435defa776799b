"""Content that may be higher than there is room, in an area that scrolls."""

from __future__ import annotations

from PyQt6.QtCore import QEvent, QObject, QSize, Qt
from PyQt6.QtWidgets import QFrame, QScrollArea, QWidget


class _Tray(QScrollArea):
    """As high as its content would like to be: Qt's own remembers a hint that is too old.

    Args:
        width: Points that it is wide, and more where the content needs more; None for any width.
    """

    def __init__(self, width: int | None = None) -> None:
        super().__init__()
        self._width = width

    def sizeHint(self) -> QSize:
        """The content's."""
        content = self.widget()
        return content.sizeHint() if content is not None else super().sizeHint()

    def eventFilter(  # noqa: N802 - Qt's name
        self, watched: QObject | None, event: QEvent | None
    ) -> bool:
        """What the content asks for is passed on."""
        if event is not None and event.type() is QEvent.Type.LayoutRequest:
            self._fit_width()
            self.updateGeometry()
        return super().eventFilter(watched, event)

    def setWidget(self, widget: QWidget | None) -> None:  # noqa: N802 - Qt's name
        """Show a content."""
        super().setWidget(widget)
        self._fit_width()

    def _fit_width(self) -> None:
        """Nothing scrolls sideways: what is wider than the area could not be seen."""
        content, bar = self.widget(), self.verticalScrollBar()
        if self._width is not None and content is not None and bar is not None:
            least = content.minimumSizeHint().width() + bar.sizeHint().width()
            self.setFixedWidth(max(self._width, least))


def scrolled(content: QWidget, width: int | None = None) -> QScrollArea:
    """Return an area without a frame that scrolls up and down only.

    Args:
        content: What is in it.
        width: Points that it is wide, and more where the content needs more; None for any width.
    """
    area = _Tray(width)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidget(content)
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return area
