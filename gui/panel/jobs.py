"""Long things, done beside the main thread: each tells how far it is and can be cancelled.

A job is a callable that is given a `Progress`. It runs in a thread of a small pool; what it
returns, or what went wrong, comes back as a signal in the main thread.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final

from PyQt6.QtCore import QObject, Qt, pyqtSignal

from bot.analysis import Cancelled
from gui.failures import Failure, told

_WORKERS: Final = 4
"""So many that looking into a cell need not wait for what takes minutes, or for hours of the
laboratory."""


class Progress:
    """What a job is given: to say how far it is, and to learn that it is not wanted any more.

    Args:
        tell: Called with a share and words, in the job's thread.
    """

    def __init__(self, tell: Callable[[float | None, str], None]) -> None:
        self._tell = tell
        self.cancelled = threading.Event()
        """Set when the job is to end; may be waited on, and handed on as a `Limit.cancel`."""

    def tell(self, share: float | None, words: str = "") -> None:
        """Say how far the work is.

        Args:
            share: 0..1; None where nobody can say.
            words: What is being done.

        Raises:
            Cancelled: The job is not wanted any more.
        """
        if self.cancelled.is_set():
            raise Cancelled
        self._tell(share, words)


class Job(QObject):
    """One long thing under way.

    Signals:
        progressed(object, str): The share done (0..1, None for unknown), and what is being done.
        done(object): What it returned.
        failed(Failure): What went wrong.
        cancelled(): It ended because it was not wanted any more.
        ended(): It ended, after one of the three.
    """

    progressed = pyqtSignal(object, str)
    done = pyqtSignal(object)
    failed = pyqtSignal(object)
    cancelled = pyqtSignal()
    ended = pyqtSignal()

    _left = pyqtSignal()

    def __init__(
        self,
        title: str,
        tell: Callable[[Job, float | None, str], None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.title = title
        """What is being done, for whoever shows it."""
        self.progress = Progress(partial(tell, self))
        self.running = True

    def cancel(self) -> None:
        """End it as soon as can be; does not wait, `ended` tells."""
        self.progress.cancelled.set()
        self._left.emit()


class Jobs(QObject):
    """Runs jobs.

    Args:
        failure: Puts an error into words.

    Signals:
        started(Job): There is one more.
        ended(): After `end`: none runs any more.
    """

    started = pyqtSignal(object)
    ended = pyqtSignal()
    _returned = pyqtSignal(object, str, object)
    _progressed = pyqtSignal(object, object, str)

    def __init__(
        self, failure: Callable[[BaseException], Failure], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._failure = failure
        self._pool = ThreadPoolExecutor(_WORKERS, "job")
        self._jobs: list[Job] = []
        self._ending = False
        # Queued from this thread too: whoever starts a job has connected to it by then.
        how = Qt.ConnectionType.QueuedConnection
        self._returned.connect(self._finish, how)  # type: ignore[call-arg]  # PyQt's own gap
        self._progressed.connect(self._pass_on, how)  # type: ignore[call-arg]

    @property
    def running(self) -> bool:
        """Whether any job runs."""
        return bool(self._jobs)

    def start(
        self, title: str, work: Callable[[Progress], object], *, only_looks: bool = False
    ) -> Job:
        """Do something long; connect to the job's signals before returning to Qt.

        Args:
            title: What is being done, in the user's words.
            work: Runs in another thread: no widget may be touched there.
            only_looks: Nothing but its answer comes of it: cancelled it has ended at once,
                though its thread may be at work for a while.
        """
        job = Job(title, self._progressed.emit, self)
        if only_looks:
            job._left.connect(partial(self._leave, job))  # noqa: SLF001 - of this module
        self._jobs.append(job)
        if self._ending:
            job.cancel()
            self._returned.emit(job, "cancelled", None)
        else:
            self._pool.submit(self._run, job, work)
        self.started.emit(job)
        return job

    def end(self) -> None:
        """Cancel what runs; does not wait, `ended` tells."""
        self._ending = True
        for job in self._jobs:
            job.cancel()
        self._pool.shutdown(wait=False)
        if not self._jobs:
            self.ended.emit()

    def _run(self, job: Job, work: Callable[[Progress], object]) -> None:
        try:
            job.progress.tell(None, job.title)
            answer = work(job.progress)
        except Cancelled:
            self._returned.emit(job, "cancelled", None)
        except Exception as error:  # noqa: BLE001 - a worker's failure is told in words
            self._returned.emit(job, "failed", told(self._failure, error))
        else:
            self._returned.emit(job, "done", answer)

    @staticmethod
    def _pass_on(job: Job, share: float | None, words: str) -> None:
        """In the main thread, in which whoever follows the job has connected to it by now."""
        if job.running:
            job.progressed.emit(share, words)

    @staticmethod
    def _leave(job: Job) -> None:
        """Whatever its thread says from now on is not listened to."""
        if job.running:
            job.running = False
            job.cancelled.emit()
            job.ended.emit()

    def _finish(self, job: Job, how: str, answer: object) -> None:
        """The job's thread is free again."""
        self._jobs.remove(job)
        if job.running:
            job.running = False
            if how == "done":
                job.done.emit(answer)
            elif how == "failed":
                job.failed.emit(answer)
            else:
                job.cancelled.emit()
            job.ended.emit()
        job.deleteLater()
        if self._ending and not self._jobs:
            self.ended.emit()
