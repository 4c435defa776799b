"""Where the panel can stand without lying over the board that is being played."""

from __future__ import annotations

from collections.abc import Iterable

from PyQt6.QtCore import QPoint, QRect, QSize
from PyQt6.QtGui import QGuiApplication
from PyQt6.QtWidgets import QWidget

from bot.frame import Region


def step_aside(window: QWidget, taken: QRect, smallest: QSize | None = None) -> QRect | None:
    """Move a window off a rectangle, and shrink it where it has to be.

    Args:
        window: The window.
        taken: What must stay free.
        smallest: What it may shrink to; its own minimum without.

    Returns:
        Where it is from then on, without its frame; null where it can stay as it is, None
        where there is no room for it.
    """
    now, client = window.frameGeometry(), window.geometry()
    border = now.size() - client.size()
    smallest = (smallest or window.minimumSize()) + border
    screens = [screen.availableGeometry() for screen in QGuiApplication.screens()]
    place = beside(taken, now, smallest, screens)
    return None if place is None else _put(window, place)


def step_back(window: QWidget, taken: QRect) -> QRect:
    """Move a window to where a rectangle covers the least of it, if there is no room beside.

    Returns:
        As `step_aside`.
    """
    screens = [screen.availableGeometry() for screen in QGuiApplication.screens()]
    return _put(window, least_covered(taken, window.frameGeometry(), screens))


def beside(taken: QRect, now: QRect, smallest: QSize, screens: Iterable[QRect]) -> QRect | None:
    """A place for a window that does not overlap `taken`.

    Args:
        taken: What must stay free.
        now: Where the window is, its frame included.
        smallest: What it can shrink to.
        screens: The usable part of each screen, in the same coordinates.

    Returns:
        `now` where it is in nobody's way; else the free place that keeps the most of its
        size, and among equals the nearest; None where nothing is large enough.
    """
    if not now.intersects(taken):
        return now
    places = [_fitted(now, free) for screen in screens for free in _free(screen, taken)]
    fitting = [p for p in places if _holds(p.size(), smallest)]
    if not fitting:
        return None
    return max(fitting, key=lambda p: (p.width() * p.height(), -_way(p, now)))


def least_covered(taken: QRect, now: QRect, screens: Iterable[QRect]) -> QRect:
    """A place for a window where `taken` covers the least of it; its size stays if it fits.

    Args:
        taken: What is in front of the window.
        now: Where the window is, its frame included.
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
    """Give a window a place, its frame included; return it without the frame, null if as before."""
    now, client = window.frameGeometry(), window.geometry()
    if place == now:
        return QRect()
    border = now.size() - client.size()
    window.showNormal()
    window.resize(place.size() - border)
    window.move(place.topLeft())
    return QRect(place.topLeft() + client.topLeft() - now.topLeft(), place.size() - border)


def logical(region: Region) -> QRect:
    """A region of the desktop in Qt's coordinates.

    Where Qt scales by itself (X11, Windows) a screen keeps its corner and its size is
    divided; on macOS a point is a point.
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
    """The four strips of a screen around what is taken; the whole where nothing is."""
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
    """The window inside a free place, no larger than it is, as near as can be."""
    size = now.size().boundedTo(free.size())
    left = min(max(now.left(), free.left()), free.right() + 1 - size.width())
    top = min(max(now.top(), free.top()), free.bottom() + 1 - size.height())
    return QRect(QPoint(left, top), size)


def _holds(size: QSize, smallest: QSize) -> bool:
    return size.width() >= smallest.width() and size.height() >= smallest.height()


def _way(one: QRect, other: QRect) -> int:
    return (one.topLeft() - other.topLeft()).manhattanLength()
