"""The tab order of a page's controls: that of its layouts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QLayout, QScrollArea, QWidget


def order_by_layout(page: QWidget) -> None:
    """Set the tab order of a page column by column, each from its top."""
    for before, after in pairwise(_controls(page)):
        QWidget.setTabOrder(before, after)


def _controls(widget: QWidget) -> Iterator[QWidget]:
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
        yield from _controls(content)
    elif layout is not None:
        yield from _laid_out(layout)


def _laid_out(layout: QLayout) -> Iterator[QWidget]:
    for place in range(layout.count()):
        item = layout.itemAt(place)
        inner, widget = (item.layout(), item.widget()) if item is not None else (None, None)
        if widget is not None:
            yield from _controls(widget)
        elif inner is not None:
            yield from _laid_out(inner)
