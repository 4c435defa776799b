"""The stop key beside the panel: held while something is played, heard without the main thread."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future

from PyQt6.QtCore import QObject, pyqtSignal

from gui.protocol import Backend
from vision.desktop import StopKey


class StopWatch(QObject):
    """Hears the stop key.

    Args:
        backend: Says whether a key can be heard here.

    Signals:
        pressed(): The key was pressed; what it stops has been stopped already.
        refused(str): The key cannot be had, and why.
    """

    pressed = pyqtSignal()
    refused = pyqtSignal(str)

    def __init__(self, backend: Backend, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._backend = backend
        self._key: StopKey | None = None
        self._text = ""
        self._halt: Callable[[str], None] = _nothing

    def hold(self, text: str, halt: Callable[[str], None]) -> None:
        """Hear a key from now on; does not wait.

        Args:
            text: The key; empty for none.
            halt: Called in the key's thread, at once, with the key.
        """
        self._halt = halt
        self._order(text)

    def try_key(self, text: str, *, keep: bool) -> None:
        """Hold a key, and leave it again unless it is to be kept; `refused` tells of trouble."""
        self._order(text)
        if not keep:
            self.release()

    def release(self) -> None:
        """Leave the key to the other programs."""
        if self._key is not None:
            self._key.release()

    def end(self) -> None:
        """Hear nothing any more."""
        if self._key is not None:
            self._key.close()
            self._key = None

    def _order(self, text: str) -> None:
        self._text = text
        if not text:
            self.release()
            return
        self._key = self._key or self._backend.stop_key(self._heard)
        if self._key is not None:
            self._key.hold(text).add_done_callback(self._told)

    def _heard(self) -> None:
        self._halt(self._text)
        self.pressed.emit()

    def _told(self, answer: Future[None]) -> None:
        error = answer.exception()
        if error is not None:
            self.refused.emit(f"{error}. Esc in the panel stops as well.")


def _nothing(_key: str) -> None:
    """Nothing is played."""
