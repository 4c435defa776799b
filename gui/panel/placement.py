"""Finds window positions that do not cover the board being played."""

from __future__ import annotations

from collections.abc import Iterable

from PyQt6.QtCore import QPoint, QRect, QSize
from PyQt6.QtGui import QGuiApplication
from PyQt6.QtWidgets import QWidget

from bot.frame import Region


def step_aside(window: QWidget, taken: QRect, smallest: QSize | None = None) -> QRect | None:
    """Move a window off a rectangle, and shrink it if necessary.

    Args:
        window: The window.
        taken: The rectangle that must stay uncovered.
        smallest: The smallest allowed size; by default the window's minimum.

    Returns:
        Its new geometry without its frame; null if it can stay where it is, None if there is no
        room for it.
    """
    now, client = window.frameGeometry(), window.geometry()
    border = now.size() - client.size()
    smallest = (smallest or window.minimumSize()) + border
    screens = [screen.availableGeometry() for screen in QGuiApplication.screens()]
    place = beside(taken, now, smallest, screens)
    return None if place is None else _put(window, place)


def step_back(window: QWidget, taken: QRect) -> QRect:
    """Move a window so that a rectangle covers as little of it as possible.

    Returns:
        As `step_aside`.
    """
    screens = [screen.availableGeometry() for screen in QGuiApplication.screens()]
    return _put(window, least_covered(taken, window.frameGeometry(), screens))


def beside(taken: QRect, now: QRect, smallest: QSize, screens: Iterable[QRect]) -> QRect | None:
    """Return a position for a window that does not overlap `taken`.

    Args:
        taken: The rectangle that must stay uncovered.
        now: The window's geometry with its frame.
        smallest: The smallest allowed size.
        screens: The usable part of each screen, in the same coordinates.

    Returns:
        `now` if it does not overlap; else the free position that keeps the most of its size,
        and among equals the nearest; None if nothing is large enough.
    """
    if not now.intersects(taken):
        return now
    places = [_fitted(now, free) for screen in screens for free in _free(screen, taken)]
    fitting = [p for p in places if _holds(p.size(), smallest)]
    if not fitting:
        return None
    return max(fitting, key=lambda p: (p.width() * p.height(), -_way(p, now)))


def least_covered(taken: QRect, now: QRect, screens: Iterable[QRect]) -> QRect:
    """Return a position where `taken` covers as little as possible of a window.

    Its size is kept if it fits.

    Args:
        taken: What is in front of the window.
        now: The window's geometry with its frame.
        screens: The usable part of each screen, in the same coordinates.
    """

    def covered(place: QRect) -> int:
        over = place.intersected(taken)
        return over.width() * over.height()

    places = [now]
    for screen in screens:
        size = now.size().boundedTo(screen.size())
        right, bottom = screen.right() + 1 - size.width(), screen.bottom() + 1 - size.height()
        places += [
            QRect(QPoint(left, top), size)
            for left in (screen.left(), right)
            for top in (screen.top(), bottom)
        ]
    return min(places, key=lambda place: (covered(place), _way(place, now)))


def _put(window: QWidget, place: QRect) -> QRect:
    """Set a window's geometry with its frame; return it without, or null if unchanged."""
    now, client = window.frameGeometry(), window.geometry()
    if place == now:
        return QRect()
    border = now.size() - client.size()
    window.showNormal()
    window.resize(place.size() - border)
    window.move(place.topLeft())
    return QRect(place.topLeft() + client.topLeft() - now.topLeft(), place.size() - border)


def logical(region: Region) -> QRect:
    """Return a region of the desktop in Qt's coordinates.

    If Qt scales by itself (X11, Windows), a screen's corner stays and its size is divided. On macOS
    the units are the same.
    """
    native = QRect(*region)
    for screen in QGuiApplication.screens():
        ratio = 1.0 if QGuiApplication.platformName() == "cocoa" else screen.devicePixelRatio()
        corner = screen.geometry().topLeft()
        if QRect(corner, screen.geometry().size() * ratio).intersects(native):
            return QRect(
                corner + (native.topLeft() - corner) / ratio,
                QSize(round(native.width() / ratio), round(native.height() / ratio)),
            )
    return native


def _free(screen: QRect, taken: QRect) -> list[QRect]:
    """Return the four strips of a screen around a rectangle; the whole screen without overlap."""
    if not screen.intersects(taken):
        return [screen]
    right, bottom = taken.right() + 1, taken.bottom() + 1
    strips = [
        QRect(right, screen.top(), screen.right() + 1 - right, screen.height()),
        QRect(screen.left(), screen.top(), taken.left() - screen.left(), screen.height()),
        QRect(screen.left(), bottom, screen.width(), screen.bottom() + 1 - bottom),
        QRect(screen.left(), screen.top(), screen.width(), taken.top() - screen.top()),
    ]
    return [strip for strip in strips if strip.isValid()]


def _fitted(now: QRect, free: QRect) -> QRect:
    """Return the window's nearest position inside a free rectangle, shrunk if necessary."""
    size = now.size().boundedTo(free.size())
    left = min(max(now.left(), free.left()), free.right() + 1 - size.width())
    top = min(max(now.top(), free.top()), free.bottom() + 1 - size.height())
    return QRect(QPoint(left, top), size)


def _holds(size: QSize, smallest: QSize) -> bool:
    return size.width() >= smallest.width() and size.height() >= smallest.height()


def _way(one: QRect, other: QRect) -> int:
    return (one.topLeft() - other.topLeft()).manhattanLength()
