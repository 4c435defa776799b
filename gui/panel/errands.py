"""A thread for work that would block the main thread.

Searching for boards, starting the built-in game and writing the settings are callables that run one
after the other in a thread that lives as long as the panel. A handle that belongs to one thread (a
capture, a connection to the X server) therefore stays in it.
"""

from __future__ import annotations

import queue
from collections.abc import Callable

from PyQt6.QtCore import QObject, QThread, pyqtSignal

from gui.failures import Failure, told


class Errands(QThread):
    """A thread that runs callables in order.

    Signals:
        done(str, object): An errand's name and what it returned.
        failed(str, Failure): An errand's name and its failure.
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
        """Queue a callable; its result comes as a signal."""
        self._waiting.put((name, errand))

    def end(self) -> None:
        """End the thread after the queued errands, without waiting."""
        self._waiting.put(None)

    def run(self) -> None:
        """Run the queued errands."""
        while (item := self._waiting.get()) is not None:
            name, errand = item
            try:
                answer = errand()
            except Exception as error:  # noqa: BLE001 - the panel reports it
                self.failed.emit(name, told(self._failure, error))
            else:
                self.done.emit(name, answer)
