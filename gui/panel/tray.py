"""A scroll area for content that may be higher than the available space."""

from __future__ import annotations

from PyQt6.QtCore import QEvent, QObject, QSize, Qt
from PyQt6.QtWidgets import QFrame, QScrollArea, QWidget


class _Tray(QScrollArea):
    """A scroll area with its content's size hint; Qt's own caches an outdated one.

    Args:
        width: Smallest width in points, larger if the content needs more; None for any width.
    """

    def __init__(self, width: int | None = None) -> None:
        super().__init__()
        self._width = width

    def sizeHint(self) -> QSize:
        """Return the content's size hint."""
        content = self.widget()
        return content.sizeHint() if content is not None else super().sizeHint()

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
        content, bar = self.widget(), self.verticalScrollBar()
        if self._width is not None and content is not None and bar is not None:
            least = content.minimumSizeHint().width() + bar.sizeHint().width()
            self.setFixedWidth(max(self._width, least))


def scrolled(content: QWidget, width: int | None = None) -> QScrollArea:
    """Return a frameless area that scrolls vertically only.

    Args:
        content: Its content.
        width: Smallest width in points, larger if the content needs more; None for any width.
    """
    area = _Tray(width)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidget(content)
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return area
