"""The global stop key, listened for during a run, independently of the main thread."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future

from PyQt6.QtCore import QObject, pyqtSignal

from gui.runner.protocol import Backend
from vision.desktop import StopKey


class StopWatch(QObject):
    """A listener for the stop key.

    Args:
        backend: Provides the keys that can be listened for.

    Signals:
        pressed(): The key was pressed and the run has been stopped.
        refused(str): Why the key is not available.
    """

    pressed = pyqtSignal()
    refused = pyqtSignal(str)

    def __init__(self, backend: Backend, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._backend = backend
        self._key: StopKey | None = None
        self._text = ""
        self._halt: Callable[[str], None] = _nothing

    def can_hear(self) -> bool:
        """Return whether a key can be heard here while another window has the focus."""
        return self._opened() is not None

    def hold(self, text: str, halt: Callable[[str], None]) -> None:
        """Listen for a key from now on, without waiting.

        Args:
            text: The key; empty for none.
            halt: Called in the key's thread, at once, with the key.
        """
        self._halt = halt
        self._order(text)

    def try_key(self, text: str, *, keep: bool) -> None:
        """Grab a key, and release it unless it is to be kept; `refused` reports a failure."""
        self._order(text)
        if not keep:
            self.release()

    def release(self) -> None:
        """Release the key for other programs."""
        if self._key is not None:
            self._key.release()

    def end(self) -> None:
        """Stop listening."""
        if self._key is not None:
            self._key.close()
            self._key = None

    def _order(self, text: str) -> None:
        self._text = text
        if not text:
            self.release()
            return
        key = self._opened()
        if key is not None:
            key.hold(text).add_done_callback(self._told)

    def _opened(self) -> StopKey | None:
        self._key = self._key or self._backend.stop_key(self._heard)
        return self._key

    def _heard(self) -> None:
        self._halt(self._text)
        self.pressed.emit()

    def _told(self, answer: Future[None]) -> None:
        error = answer.exception()
        if error is not None:
            self.refused.emit(f"{error}. Esc in the panel stops as well.")


def _nothing(_key: str) -> None:
    """Ignore the key: nothing is played."""
