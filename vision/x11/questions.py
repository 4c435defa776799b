"""Questions to the X server: what is asked together costs one exchange.

Each method sends a question and returns a function that gives its answer. The first answer that
is wanted waits for the server, and brings all that was asked by then.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from bot.frame import Point, Region

_LONGEST: Final = 1 << 16
"""Of a property, in units of four bytes."""


class Questions:
    """Asks through one thread's connection. Answers raise Xlib's errors, of a window that is gone.

    Args:
        display: Xlib's.
    """

    def __init__(self, display: Any) -> None:
        from Xlib import X  # noqa: PLC0415 - only where there is X11
        from Xlib.protocol import request  # noqa: PLC0415 - only where there is X11

        self._x: Any = X
        self._request: Any = request
        self._server: Any = display.display
        self._root: Any = display.screen().root
        self._atom: Callable[[str], int] = display.get_atom

    def pointer(self) -> Callable[[], Any]:
        """Where the pointer is, on what, and what is held down."""
        asked = self._asked(self._request.QueryPointer, window=self._root)

        def answer() -> Any:
            asked.reply()
            return asked

        return answer

    def place(self, window_id: int) -> Callable[[], Region | None]:
        """The client area of a window; None where it is not shown."""
        state = self._asked(self._request.GetWindowAttributes, window=window_id)
        size = self._asked(self._request.GetGeometry, drawable=window_id)
        corner = self._asked(
            self._request.TranslateCoords, src_wid=window_id, dst_wid=self._root, src_x=0, src_y=0
        )

        def answer() -> Region | None:
            for one in (state, size, corner):
                one.reply()
            place = Region(corner.x, corner.y, size.width, size.height)
            return place if state.map_state == self._x.IsViewable else None

        return answer

    def parent(self, window_id: int) -> Callable[[], int | None]:
        """The window around a window; None where that is the screen."""
        tree = self._asked(self._request.QueryTree, window=window_id)

        def answer() -> int | None:
            tree.reply()
            return None if tree.parent in (self._root, self._x.NONE) else number_of(tree.parent)

        return answer

    def top(self, point: Point) -> Callable[[], int]:
        """The outermost frame that lies at a point; 0 on the bare desktop."""
        at = self._asked(
            self._request.TranslateCoords,
            src_wid=self._root,
            dst_wid=self._root,
            src_x=int(point.x),
            src_y=int(point.y),
        )

        def answer() -> int:
            at.reply()
            return number_of(at.child)

        return answer

    def cardinals(self, window: Any, name: str) -> Callable[[], list[int]]:
        """A property that is a list of numbers; empty where there is none."""
        asked = self._property(window, name)

        def answer() -> list[int]:
            found = asked()
            if found is None or found.value[0] != 32:
                return []
            return [int(value) for value in found.value[1]]

        return answer

    def text(self, window: Any, name: str) -> Callable[[], str]:
        """A property's text: UTF-8 where it says so, else Latin-1 (ICCCM, STRING)."""
        asked = self._property(window, name)

        def answer() -> str:
            found = asked()
            if found is None or found.value[0] != 8:
                return ""
            value = found.value[1]
            utf8 = found.property_type == self._atom("UTF8_STRING")
            data = value if isinstance(value, bytes) else str(value).encode()
            return data.decode("utf-8" if utf8 else "latin-1", "replace").rstrip("\0")

        return answer

    def _property(self, window: Any, name: str) -> Callable[[], Any]:
        """A property of a window; None where it has none of that name."""
        found = self._asked(
            self._request.GetProperty,
            delete=0,
            window=window,
            property=self._atom(name),
            type=self._x.AnyPropertyType,
            long_offset=0,
            long_length=_LONGEST,
        )

        def answer() -> Any:
            found.reply()
            return found if found.property_type else None

        return answer

    def _asked(self, kind: Any, **fields: Any) -> Any:
        return kind(display=self._server, defer=True, **fields)


def number_of(window: Any) -> int:
    """A window's number; Xlib gives 0 in place of none."""
    return window if isinstance(window, int) else int(window.id)
