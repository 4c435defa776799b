"""The window's position while a board is played: beside it, behind it, or minimised."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from PyQt6.QtCore import QCoreApplication, QEvent, QObject, QPoint, QRect, QSize, QTimer
from PyQt6.QtGui import QCursor, QGuiApplication
from PyQt6.QtWidgets import QWidget

from bot.frame import Region
from gui.panel.banner import Banner
from vision.desktop import desktop

_REMEDY: Final = (
    "To see both, pause, then move the game to a corner of the screen or make its window smaller."
)
_BEHIND: Final = (
    "There is no room for the panel beside the board. The game stays in front of it while it is "
    f"played{{stop}}. {_REMEDY}"
)
_OUT_OF_SIGHT: Final = (
    "The board fills the screen, so the panel was minimised. It returns when the games are "
    f"over{{stop}}. {_REMEDY}"
)


@dataclass(frozen=True)
class PlacementLimits:
    """Limits of moves of the window; distances in points."""

    guarded_ms: int = 1000
    """Milliseconds for which clicks are ignored after the window moved under the pointer."""
    frame: int = 80
    """Points by which a window manager may place a window elsewhere because of its frame."""
    held: int = 4
    """Points that the pointer may move, by the jitter of a hand, and still counts as at rest."""


_PLACEMENT: Final = PlacementLimits()


class Placement:
    """The placement of the window during a run, off the board if possible.

    Args:
        window: The window.
        banner: Shows why the window is hidden.
        why: The part of it that explains the move.
    """

    def __init__(self, window: QWidget, banner: Banner, why: QWidget) -> None:
        self._window, self._banner, self._why = window, banner, why
        self._title = window.windowTitle()
        self._behind = self._hidden = self._had_keyboard = False
        self._announced: set[str] = set()
        self.stopped_by_key = False
        """Whether the user has pressed the stop key in the game, and so wants the panel."""
        self._before: QRect | None = None
        """The window's geometry before it moved aside for a run; None if it did not."""
        self._aside = QRect()
        """Its geometry then."""
        self._guard = _ClickGuard(window)

    def open_beside(self, region: Region, smallest: QSize) -> None:
        """Move off a board, if there is room, and stay there.

        Args:
            region: The region to keep uncovered, in points of the desktop.
            smallest: The smallest allowed size of the window.
        """
        if desktop().moves_windows:
            step_aside(self._window, logical(region), smallest)

    def make_way(self, region: Region, stop_key: str, *, can_raise: bool) -> bool:
        """Move aside and shrink; without room, go behind the game or minimise.

        Args:
            region: The region to keep uncovered, in points of the desktop.
            stop_key: Stops the run from everywhere; empty for none.
            can_raise: Whether the game can be brought in front of the window.

        Returns:
            Whether the game has to be brought in front of the window.
        """
        if not desktop().moves_windows:
            return False
        window, area = self._window, logical(region)
        self._had_keyboard, self.stopped_by_key = window.isActiveWindow(), False
        before = window.geometry()
        if not step_aside(window, area):
            self._behind, self._hidden = can_raise, not can_raise
            self._announce(stop_key)
            if can_raise:
                step_back(window, area, self._why)
            else:
                window.showMinimized()
        if not self._hidden and window.geometry() != before:
            self._before, self._aside = before, window.geometry()
            self._guard.start()
        return self._behind

    def _announce(self, stop_key: str) -> None:
        """Show in a message and in the title why the window is hidden."""
        note = _BEHIND if self._behind else _OUT_OF_SIGHT
        if note not in self._announced:
            # The message takes room from the board: once is enough.
            self._announced.add(note)
            self._banner.show_message(
                note.format(stop=f"; {stop_key} stops it" if stop_key else ""), about=self
            )
        if stop_key:
            self._window.setWindowTitle(f"{stop_key} stops \N{EM DASH} {self._title}")

    def show_for_question(self) -> None:
        """Show the window while the player waits for the user."""
        if self._hidden:
            self._window.showNormal()
        elif self._behind:
            self._window.raise_()
            self._window.activateWindow()

    def hide_again(self) -> None:
        """Hide the window again on resume; the player raises a covered game itself."""
        if self._hidden:
            self._window.showMinimized()

    def come_back(self) -> None:
        """Show the window after a run where it was before, unless the user has moved it since."""
        before, self._before = self._before, None
        now = self._window.geometry()
        moved = (now.topLeft() - self._aside.topLeft()).manhattanLength() > _PLACEMENT.frame
        if before is not None and not moved and now.size() == self._aside.size():
            self._window.setGeometry(before)
            # The game was behind it when the run began, and would cover its buttons now.
            self._window.raise_()
            self._guard.start()
        self._banner.retract(self)
        if self._hidden or self._behind:
            self._window.setWindowTitle(self._title)
            if self._hidden:
                self._window.showNormal()
            self._window.raise_()
        if self._had_keyboard and (self._hidden or self._behind or self.stopped_by_key):
            # The game has had it since it was brought to the front, or clicked.
            self._window.activateWindow()
        self._hidden = self._behind = False


class _ClickGuard(QObject):
    """A filter of the clicks that were meant for what lay under the pointer before a move.

    Args:
        window: The window that moves by itself.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._pointer = QPoint()
        self._clock = QTimer(self)
        self._clock.setSingleShot(True)
        self._clock.setInterval(_PLACEMENT.guarded_ms)

    def start(self) -> None:
        """Ignore clicks on the window for a moment, until the pointer moves."""
        self._pointer = QCursor.pos()
        app = QCoreApplication.instance()
        if app is not None and self._window.geometry().contains(self._pointer):
            app.installEventFilter(self)
            self._clock.start()

    def eventFilter(  # noqa: N802 - Qt's name
        self, watched: QObject | None, event: QEvent | None
    ) -> bool:
        """Ignore a click that begins meanwhile."""
        pressed = event is not None and event.type() in (
            QEvent.Type.MouseButtonPress,
            QEvent.Type.MouseButtonDblClick,
        )
        if not pressed:
            return False
        rested = (QCursor.pos() - self._pointer).manhattanLength() <= _PLACEMENT.held
        if self._clock.isActive() and rested:
            inside = isinstance(watched, QWidget) and watched.window() is self._window
            return inside or watched is self._window.windowHandle()
        app = QCoreApplication.instance()
        if app is not None:
            app.removeEventFilter(self)
        return False


def step_aside(window: QWidget, area: QRect, smallest: QSize | None = None) -> bool:
    """Move a window off a rectangle, and shrink it if necessary.

    Args:
        window: The window.
        area: The rectangle that must stay uncovered.
        smallest: The smallest allowed size; by default the window's minimum.

    Returns:
        Whether there is room for it.
    """
    now, client = window.frameGeometry(), window.geometry()
    border = now.size() - client.size()
    smallest = (smallest or window.minimumSize()) + border
    screens = [screen.availableGeometry() for screen in QGuiApplication.screens()]
    place = beside(area, now, smallest, screens)
    if place is not None:
        _put(window, place)
    return place is not None


def step_back(window: QWidget, area: QRect, why: QWidget) -> None:
    """Move a window so that a rectangle covers little of it, and none of `why` if possible."""
    low = window.height() - why.mapTo(window, QPoint()).y()
    screens = [screen.availableGeometry() for screen in QGuiApplication.screens()]
    _put(window, least_covered(area, window.frameGeometry(), screens, low))


def beside(area: QRect, now: QRect, smallest: QSize, screens: Iterable[QRect]) -> QRect | None:
    """Return a position for a window that does not overlap `area`.

    Args:
        area: The rectangle that must stay uncovered.
        now: The window's geometry with its frame.
        smallest: The smallest allowed size.
        screens: The usable part of each screen, in the same coordinates.

    Returns:
        `now` if it does not overlap; else the free position that keeps the most of its size,
        and among equals the nearest; None if nothing is large enough.
    """
    if not now.intersects(area):
        return now
    places = [_fitted(now, free) for screen in screens for free in _free(screen, area)]
    fitting = [p for p in places if _holds(p.size(), smallest)]
    if not fitting:
        return None
    return max(fitting, key=lambda p: (p.width() * p.height(), -_way(p, now)))


def least_covered(area: QRect, now: QRect, screens: Iterable[QRect], low: int) -> QRect:
    """Return a position where `area` covers as little as possible of a window.

    Its size is kept if it fits.

    Args:
        area: What is in front of the window.
        now: The window's geometry with its frame.
        screens: The usable part of each screen, in the same coordinates.
        low: Height of the window's lower part, which stays uncovered if possible.
    """

    def covered(place: QRect) -> int:
        over = place.intersected(area)
        return over.width() * over.height()

    def cost(place: QRect) -> tuple[int, int, int]:
        lower = place.adjusted(0, place.height() - low, 0, 0)
        return covered(lower), covered(place), _way(place, now)

    places = [now]
    for screen in screens:
        size = now.size().boundedTo(screen.size())
        right, bottom = screen.right() + 1 - size.width(), screen.bottom() + 1 - size.height()
        places += [
            QRect(QPoint(left, top), size)
            for left in (screen.left(), right)
            for top in (screen.top(), bottom)
        ]
    return min(places, key=cost)


def _put(window: QWidget, place: QRect) -> None:
    """Set a window's geometry with its frame."""
    now = window.frameGeometry()
    if place != now:
        border = now.size() - window.geometry().size()
        window.showNormal()
        window.resize(place.size() - border)
        window.move(place.topLeft())


def logical(region: Region) -> QRect:
    """Return a region of the desktop in Qt's coordinates.

    If points are pixels (X11, Windows), a screen's corner stays and its size is divided.
    """
    native = QRect(*region)
    for screen in QGuiApplication.screens():
        ratio = screen.devicePixelRatio() if desktop().points_are_pixels else 1.0
        corner = screen.geometry().topLeft()
        if QRect(corner, screen.geometry().size() * ratio).intersects(native):
            return QRect(
                corner + (native.topLeft() - corner) / ratio,
                QSize(round(native.width() / ratio), round(native.height() / ratio)),
            )
    return native


def _free(screen: QRect, area: QRect) -> list[QRect]:
    """Return the four strips of a screen around a rectangle; the whole screen without overlap."""
    if not screen.intersects(area):
        return [screen]
    right, bottom = area.right() + 1, area.bottom() + 1
    strips = [
        QRect(right, screen.top(), screen.right() + 1 - right, screen.height()),
        QRect(screen.left(), screen.top(), area.left() - screen.left(), screen.height()),
        QRect(screen.left(), bottom, screen.width(), screen.bottom() + 1 - bottom),
        QRect(screen.left(), screen.top(), screen.width(), area.top() - screen.top()),
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
