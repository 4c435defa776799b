"""A lazy backend for a panel that is just opening: the reader is loaded after the window.

Loading the reader with OpenCV and its training data takes longer than showing a window. It is done
by the first thread that needs it, never by the main thread.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from vision.desktop import StopKey, desktop

if TYPE_CHECKING:
    from gui.runner.backend import Desktop
else:
    Desktop = object


class LazyBackend(Desktop):
    """A proxy of `gui.runner.backend.Desktop` that loads it when a method needs it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._made: Desktop | None = None

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """Return a method that loads the real backend when it is called, not before."""

        def method(*args: Any, **named: Any) -> Any:
            return getattr(self._desktop(), name)(*args, **named)

        return method

    def release_windows(self) -> None:
        """Undo what `boards` does to covered windows."""
        if self._made is not None:
            self._made.release_windows()

    def stop_key(self, pressed: Callable[[], None]) -> StopKey | None:
        """Listen for the stop key in all windows, without loading the reader."""
        return desktop().open_stop_key(pressed)

    def close(self) -> None:
        """End the built-in games that were opened."""
        with self._lock:
            if self._made is not None:
                self._made.simulators.close()

    def _desktop(self) -> Desktop:
        with self._lock:
            if self._made is None:
                from gui.runner.backend import Desktop  # noqa: PLC0415 - what this class is for

                self._made = Desktop()
            return self._made
