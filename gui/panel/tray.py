"""Content that may be higher than there is room, in an area that scrolls."""

from __future__ import annotations

from PyQt6.QtCore import QEvent, QObject, QSize, Qt
from PyQt6.QtWidgets import QFrame, QScrollArea, QWidget


class _Tray(QScrollArea):
    """As high as its content would like to be: Qt's own remembers a hint that is too old."""

    def sizeHint(self) -> QSize:
        """The content's."""
        content = self.widget()
        return content.sizeHint() if content is not None else super().sizeHint()

    def eventFilter(  # noqa: N802 - Qt's name
        self, watched: QObject | None, event: QEvent | None
    ) -> bool:
        """What the content asks for is passed on."""
        if event is not None and event.type() is QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)


def scrolled(content: QWidget) -> QScrollArea:
    """An area without a frame that scrolls up and down only."""
    area = _Tray()
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidget(content)
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return area
