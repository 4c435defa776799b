"""Which windows there are, where, and which lies under a point: the window system's seam.

X11 through Xlib is what is written and tested here. Elsewhere `supported` is false and
every function answers that it knows nothing, so that boards are still found and played,
without the safety of knowing whose window they are in.

Regions are client areas: without the frame that a window manager draws around them.
Windows come and go while one asks about them; one that has gone is simply not listed.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.frame import Point, Region
from vision.window import (
    OWN_CLASS,
    SIMULATOR_CLASS,
    Beneath,
    Decoration,
    PointerState,
    Window,
)
from vision.x11.connection import ask, connected

__all__ = [
    "OWN_CLASS",
    "SIMULATOR_CLASS",
    "Beneath",
    "Decoration",
    "PointerState",
    "Window",
    "activate",
    "beneath",
    "button_held",
    "decoration",
    "dialogs_of",
    "exists",
    "focused",
    "frame_of",
    "list_windows",
    "maximise",
    "monitors",
    "own",
    "paint_apart",
    "paint_together",
    "place_of",
    "pointer_state",
    "popup",
    "same",
    "steer",
    "supported",
    "uncovered",
    "window_at",
]


def supported() -> bool:
    """Whether windows can be asked about here."""
    return connected() is not None


def list_windows() -> list[Window]:
    """The windows that are shown, the topmost first."""
    return [] if (connection := connected()) is None else ask(connection.windows, [])


def dialogs_of(game: Window, shown: Sequence[Window] | None = None) -> list[Window]:
    """Return the windows that belong to a game's window, the topmost first.

    These are the windows that name it as the one that they are dialogs of, directly or through
    another dialog, and the other windows of the same program.

    Args:
        game: The game's window.
        shown: The windows to choose from; all that are shown if None.
    """
    others = [one for one in (list_windows() if shown is None else shown) if one.id != game.id]
    known = {game.id}
    while more := {one.id for one in others if one.transient_for in known} - known:
        known |= more
    return [one for one in others if one.id in known or one.same_program(game)]


def decoration(window_id: int) -> Decoration:
    """Return what of a window's client area the program uses for its own decoration.

    Where windows cannot be asked about, any part of it may be decoration.
    """
    nothing = Decoration(own_bars=True, margins=(0, 0, 0, 0))
    connection = connected()
    return nothing if connection is None else ask(connection.decoration, nothing, window_id)


def place_of(window_id: int) -> Region | None:
    """Where a window's client area is; None where it is closed or minimised."""
    connection = connected()
    return None if connection is None else ask(connection.place, None, window_id)


def window_at(point: Point) -> Window | None:
    """What really lies under a point.

    Returns:
        The application's window; where a menu, a tooltip or a window's frame lies there
        instead, that one (its id is in no list). None on the bare desktop.
    """
    connection = connected()
    return None if connection is None else ask(connection.under, None, point)


def uncovered(window_id: int, points: Sequence[Point]) -> list[bool]:
    """For each point, whether nothing lies between it and a window's client area.

    One exchange with the server for all points: cheap enough for every batch of clicks.
    """
    connection = connected()
    nothing = [False] * len(points)
    return nothing if connection is None else ask(connection.uncovered, nothing, window_id, points)


def focused() -> Window | None:
    """The window that the keyboard speaks to."""
    connection = connected()
    return None if connection is None else ask(connection.focused, None)


def button_held() -> bool:
    """Whether a mouse button is down in the eyes of the window system.

    A window manager may hold a click back until it has looked at it (openbox does so with
    every one); what is sent meanwhile is lost or lands where the pointer is by then. While
    a click is held back its button counts as down.
    """
    return (state := pointer_state()) is not None and state.button


def pointer_state() -> PointerState | None:
    """Return where the pointer is, over which window, and what is held down; None if unknown.

    One exchange with the server.
    """
    connection = connected()
    return None if connection is None else ask(connection.pointer_state, None)


def popup(window_id: int) -> bool:
    """Return whether a window was opened past the window manager, as menus are."""
    connection = connected()
    return connection is not None and ask(connection.popup, False, window_id)


def own(top: int) -> bool:
    """Return whether an outermost window belongs to this program and is no built-in game.

    It may be a window of the panel, its frame, a dialog, a menu or a tooltip; of this process
    or, by its class, of another one.

    Args:
        top: Its id, as `PointerState.top` has it.
    """
    connection = connected() if top else None
    return connection is not None and ask(connection.own, False, top)


def beneath(window_id: int, pixel: tuple[int, int] | None = None) -> Beneath | None:
    """What the pointer is on, and where a window is; None where that is closed.

    One exchange with the server: cheap enough for every click.

    Args:
        window_id: Of the window.
        pixel: Of the window, x and y: the pointer is put there first.
    """
    connection = connected()
    return None if connection is None else ask(connection.beneath, None, window_id, pixel)


def steer(window_id: int, x: int, y: int) -> None:
    """Put the pointer onto a pixel of a window; sent together with whatever is sent next."""
    connection = connected()
    if connection is not None:
        ask(connection.steer, None, window_id, x, y)


def frame_of(window_id: int) -> int:
    """The id of the outermost frame around a window, its own without one; 0 where it is gone."""
    connection = connected()
    return 0 if connection is None else ask(connection.frame, 0, window_id)


def same(window: Window) -> bool:
    """Whether a number still stands for the same window: a closed one's may be given again."""
    connection = connected()
    found = None if connection is None else ask(connection.window, None, window.id)
    return found is not None and (found.class_name, found.pid) == (window.class_name, window.pid)


def monitors() -> list[Region]:
    """Where the monitors are; empty where nobody knows."""
    connection = connected()
    return [] if connection is None else ask(connection.monitors, [])


def exists(window_id: int) -> bool:
    """Whether there is such a window, shown or minimised."""
    return (connection := connected()) is not None and ask(connection.exists, False, window_id)


def paint_apart(window_id: int) -> tuple[int, int] | None:
    """Paint a window apart from the screen, for this thread; its depth and visual, or None."""
    connection = connected()
    return None if connection is None else ask(connection.paint_apart, None, window_id)


def paint_together(window_id: int) -> None:
    """Undo `paint_apart`, for this thread."""
    if (connection := connected()) is not None:
        ask(connection.paint_together, None, window_id)


def activate(window: Window) -> None:
    """Raise a window and give it the keyboard."""
    if (connection := connected()) is not None:
        ask(connection.activate, None, window.id)


def maximise(window_id: int) -> None:
    """Make a window as large as the screen, where a window manager does that."""
    if (connection := connected()) is not None:
        ask(connection.maximise, None, window_id)
