"""Check every press and every key immediately before it is sent.

The server is queried for the pointer's position and the keyboard focus, independent of the mouse's
own state: a press must be at its target, on a cell of the played board, on its face, or on the
position in a dialog that the user has named, in the window that was read and is still there; a key
must reach the window that was focused for it. A window that has moved, or was covered, since the
mouse's own check is no error, because these queries take longer than the time from that check to
the press.

`tests/conftest.py` uses it in every test, `tests/support/offline` in every process that plays.
Errors in such a process are written at once to a file in its home.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import bot.mouse
import vision.click_guard
import vision.desktop.pyautogui_pointer
from bot.frame import Grid, Point
from vision.desktop import Window, desktop
from vision.desktop.session import SessionKind, session_kind

_LOOKED_AT: Final = "looked at"
_SLIGHTLY: Final = 2
"""Tolerance in points for a trembling mouse."""


class Strays:
    """The checked events, and the errors found.

    Args:
        put: Replaces an attribute: `setattr`, or a monkeypatch's.
        file: A file to which errors are also written.
    """

    def __init__(
        self, put: Callable[[Any, str, Any], None] = setattr, file: Path | None = None
    ) -> None:
        self.looked_at = 0
        self.found: list[str] = []
        self._file = file
        self._grid: Grid | None = None
        self._aimed: Window | None = None
        self._beneath: Window | None = None
        self._aim: Point | None = None
        self._in_dialog: Point | None = None
        self._focused: int | None = None
        self._put = put
        self._around(bot.mouse.Mouse, "act", lambda _hand, turn: self._plays(turn.reading.grid))
        self._around(bot.mouse.Mouse, "click", lambda _hand, point, _grid: self._answers(point))
        self._around(vision.click_guard.ClickGuard, "check_press", self._aims)
        self._around(
            vision.desktop.pyautogui_pointer.PyautoguiPointer,
            "press",
            # A test's own library sends nothing.
            lambda hand, key: self._type(key) if isinstance(hand._pyautogui, ModuleType) else None,
        )
        # What needs a library of another system is not loaded.
        if sys.platform == "win32":
            from vision.desktop import windows_input  # noqa: PLC0415
            from vision.desktop.windows_desktop import WindowsDesktop  # noqa: PLC0415

            def place() -> Point:
                # A motion that is sent together with the press.
                return getattr(windows_input._steered, "point", None) or _place()

            pointer = windows_input.WindowsPointer
            self._around(pointer, "_send_press", lambda _hand, _button: self._press(place))
            self._around(WindowsDesktop, "activate", self._focuses)
            return
        from vision.desktop.x11_connection import Connection  # noqa: PLC0415
        from vision.desktop.x11_desktop import X11Desktop  # noqa: PLC0415

        self._around(
            Connection,
            "send_button",
            lambda connection, _number, *, down: (
                self._press(lambda: _x11_place(connection)) if down else None
            ),
        )
        self._around(X11Desktop, "activate", self._focuses)
        if session_kind() is SessionKind.WAYLAND:
            from vision.desktop.wayland import WaylandPointer  # noqa: PLC0415

            self._around(WaylandPointer, "click", self._clicks_shared)

    def _around(self, owner: Any, name: str, before: Callable[..., None]) -> None:
        real = getattr(owner, name)

        def looked_at(*args: Any, **keywords: Any) -> Any:
            before(*args, **keywords)
            return real(*args, **keywords)

        self._put(owner, name, looked_at)

    def _plays(self, grid: Grid) -> None:
        self._grid, self._in_dialog = grid, None

    def _answers(self, point: Point) -> None:
        self._in_dialog = point

    def _aims(self, aim: Any, point: Point) -> None:
        self._aimed, self._aim = aim._window(), point
        # Before the mouse's own check: what is covered only later cannot be known to it.
        self._beneath = desktop().window_at(point)

    def _focuses(self, _desktop: Any, window: Window) -> None:
        self._focused = window.id

    def _press(self, place: Callable[[], Point]) -> None:
        point = place()
        # The pointer is put onto a pixel of the window, and follows a window that has moved.
        wrong = list(self._wrong(point)) and list(self._wrong(self._before_move(point)))
        if wrong:
            # Fails if the display has gone meanwhile: nothing is pressed then.
            place()
        self._note(wrong)

    def _clicks_shared(self, hand: Any, point: Point, *_: Any) -> None:
        """Check a click into a shared area, where the window under a point is unknown."""
        grid = self._grid
        if grid is None:
            self._note([f"a click at {point}, and no game was played"])
        elif grid.cell_at(point) is None and not (grid.face and grid.face.contains(point)):
            self._note([f"a click at {point}, outside of {grid}"])
        else:
            self._note([] if hand._put == point else [f"a click at {point}, put at {hand._put}"])

    def _before_move(self, point: Point) -> Point:
        """Return the position of a point of the window at the time of the mouse's own check."""
        window = self._aimed
        place = desktop().place_of(window.id) if window is not None else None
        if window is None or place is None:
            return point
        old = window.region
        return Point(point.x - place.left + old.left, point.y - place.top + old.top)

    def _wrong(self, point: Point) -> Iterator[str]:
        grid, window, aim = self._grid, self._aimed, self._aim
        if grid is None or window is None or aim is None:
            yield f"a press at {point}, and no game was played"
            return
        if max(abs(point.x - aim.x), abs(point.y - aim.y)) > _SLIGHTLY:
            yield f"a press at {point}, aimed at {aim}"
        dialog = self._in_dialog
        if dialog is not None:
            if max(abs(point.x - dialog.x), abs(point.y - dialog.y)) > _SLIGHTLY:
                yield f"a press at {point}, and the place in the dialog is {dialog}"
        elif grid.cell_at(point) is None and not (grid.face and grid.face.contains(point)):
            yield f"a press at {point}, outside of {grid}"
        under = desktop().window_at(point)
        hit = any(
            one is not None and (one.id, one.region) == (window.id, window.region)
            for one in (under, self._beneath)
        )
        if not hit and desktop().place_of(window.id) == window.region:
            yield f"a press at {point} on {under}, meant for {window}"

    def _type(self, key: str) -> None:
        focused = desktop().focused()
        right = focused is not None and focused.id == self._focused
        self._note([] if right else [f"the key {key} for {focused}, meant for {self._focused}"])

    def _note(self, wrong: list[str]) -> None:
        self.looked_at += 1
        self.found += wrong
        if self._file is not None:
            with self._file.open("a") as file:
                file.writelines(f"{line}\n" for line in (_LOOKED_AT, *wrong))


def _place() -> Point:
    """Return the pointer's position."""
    state = desktop().pointer_state()
    assert state is not None
    return state.place


def _x11_place(connection: Any) -> Point:
    """Return the pointer's position, asked on the connection that is to press."""
    state = connection.ask_pointer()()
    return Point(state.root_x, state.root_y)


def found(folder: Path) -> list[str]:
    """Return the errors found in the programs whose home folders are below a folder."""
    return [line for line in _lines(folder) if line != _LOOKED_AT]


def looked_at(folder: Path) -> tuple[int, int]:
    """Return the number of events of those programs, and the number of programs checked."""
    return _lines(folder).count(_LOOKED_AT), len(_files(folder))


def look() -> None:
    """Check the events that this process sends, and write the errors into its home."""
    home = Path(os.environ["MINESWEEPER_BOT_HOME"])
    home.mkdir(parents=True, exist_ok=True)
    file = home / f"strays-{os.getpid()}.txt"
    file.touch()
    Strays(file=file)


def _lines(folder: Path) -> list[str]:
    return [line for file in _files(folder) for line in file.read_text("utf-8").splitlines()]


def _files(folder: Path) -> list[Path]:
    return list(folder.rglob("strays-*.txt"))
