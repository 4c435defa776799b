"""Whether a program still answers: what a window manager asks before it offers to end one.

Source: _NET_WM_PING of the Extended Window Manager Hints, 1.5.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

from vision import windows
from vision.windows import Window
from vision.x11.opening import open_display

_SECONDS: Final = 1.0
"""In which a program has to answer."""
_INTERVAL: Final = 0.005


class NotAnswering(RuntimeError):
    """The program hangs, or was halted."""

    def __init__(self, window: Window) -> None:
        super().__init__(
            f"the program of the window '{window.title}' does not answer: nothing more was sent "
            "to it. Go on when it answers again, or end it and open it anew"
        )


def make_sure(window: Window, wait: Callable[[float], bool]) -> None:
    """Make sure that the program of a window answers; one that cannot be asked counts as such.

    Args:
        window: Which.
        wait: Waits the given seconds; True when the user stopped (an event's `wait`).

    Raises:
        NotAnswering: It does not.
    """
    if not windows.supported() or _asked(window.id, wait):
        return
    if windows.exists(window.id):
        raise NotAnswering(window)


def _asked(window_id: int, wait: Callable[[float], bool]) -> bool:
    from Xlib import X, error  # noqa: PLC0415 - only where there is X11
    from Xlib.protocol import event  # noqa: PLC0415

    server: Any = open_display()
    try:
        server.set_error_handler(lambda *_: None)
        ping, protocols = map(server.intern_atom, ("_NET_WM_PING", "WM_PROTOCOLS"))
        window = server.create_resource_object("window", window_id)
        understood = window.get_full_property(protocols, X.AnyPropertyType)
        if understood is None or ping not in understood.value:
            return True
        root = server.screen().root
        # Qt sends its answer by the second mask, GTK by the first.
        root.change_attributes(event_mask=X.SubstructureNotifyMask | X.StructureNotifyMask)
        question = (32, [ping, X.CurrentTime, window_id, 0, 0])
        window.send_event(event.ClientMessage(window=window, client_type=protocols, data=question))
        server.sync()
        deadline = time.monotonic() + _SECONDS
        while time.monotonic() < deadline:
            while server.pending_events():
                if _answer(server.next_event(), ping, window_id):
                    return True
            if wait(_INTERVAL):
                return True
    except error.XError:
        return True
    finally:
        server.close()
    return False


def _answer(told: Any, ping: int, window_id: int) -> bool:
    from Xlib import X  # noqa: PLC0415 - only where there is X11

    # The uppermost bit tells that a program sent it.
    if told.type & 0x7F != X.ClientMessage:
        return False
    size, data = told.data
    return size == 32 and (data[0], data[2]) == (ping, window_id)
