"""One thread for whatever the main thread may not wait for.

Looking for boards, starting the built-in game, writing the settings: each is a
callable, run one after the other in a thread that lives as long as the panel, so that a
handle that belongs to one thread (a capture, a connection to the X server) stays in it.
"""

from __future__ import annotations

import queue
from collections.abc import Callable

from PyQt6.QtCore import QObject, QThread, pyqtSignal

from gui.failures import Failure, told


class Errands(QThread):
    """Runs errands in the order in which they were given.

    Signals:
        done(str, object): An errand's name and what it returned.
        failed(str, Failure): An errand's name and what went wrong, in words.
        finished(): Inherited: no more errands will be run.
    """

    done = pyqtSignal(str, object)
    failed = pyqtSignal(str, object)

    def __init__(
        self, failure: Callable[[BaseException], Failure], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._failure = failure
        self._waiting: queue.SimpleQueue[tuple[str, Callable[[], object]] | None] = (
            queue.SimpleQueue()
        )

    def run_errand(self, name: str, errand: Callable[[], object]) -> None:
        """Have something done; the answer comes as a signal."""
        self._waiting.put((name, errand))

    def end(self) -> None:
        """Finish what was given so far, then end the thread; does not wait."""
        self._waiting.put(None)

    def run(self) -> None:
        """The thread's body."""
        while (item := self._waiting.get()) is not None:
            name, errand = item
            try:
                answer = errand()
            except Exception as error:  # noqa: BLE001 - the panel tells it in words
                self.failed.emit(name, told(self._failure, error))
            else:
                self.done.emit(name, answer)
