"""Background jobs with progress and cancellation.

A job is a callable that is given a `Progress`. It runs in a small thread pool; its result or
failure comes back as a signal in the main thread.
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
"""Large enough that inspecting a cell need not wait for jobs that take minutes or hours."""


class Progress:
    """The progress and the cancellation of a job.

    Args:
        tell: Called with a share and a text, in the job's thread.
    """

    def __init__(self, tell: Callable[[float | None, str], None]) -> None:
        self._tell = tell
        self.cancelled = threading.Event()
        """Set when the job is to end; can be waited on and passed as `Limit.cancel`."""

    def tell(self, share: float | None, words: str = "") -> None:
        """Report the progress of the work.

        Args:
            share: 0..1; None if unknown.
            words: Current task.

        Raises:
            Cancelled: The job was cancelled.
        """
        if self.cancelled.is_set():
            raise Cancelled
        self._tell(share, words)


class Job(QObject):
    """A running background job.

    Signals:
        progressed(object, str): The share done (0..1, None for unknown), and the current task.
        done(object): What it returned.
        failed(Failure): What went wrong.
        cancelled(): It was cancelled.
        ended(): It ended, after one of these three.
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
        """Current task, for display."""
        self.progress = Progress(partial(tell, self))
        self.running = True

    def cancel(self) -> None:
        """Ask the job to end, without waiting; `ended` is emitted when it has."""
        self.progress.cancelled.set()
        self._left.emit()


class Jobs(QObject):
    """A pool that runs jobs.

    Args:
        failure: Converts an error to a failure.

    Signals:
        started(Job): A job was started.
        ended(): After `end`: no job runs any more.
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
        # Queued from this thread too, so that the caller can connect to the job first.
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
        """Start a job; connect to its signals before returning to Qt.

        Args:
            title: Current task, in the user's words.
            work: Runs in another thread, so it must not touch widgets.
            only_looks: It has no effect but its result: when cancelled it counts as ended at once,
                though its thread may run for a while.
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
        """Cancel all jobs, without waiting; `ended` is emitted when they have ended."""
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
        except Exception as error:  # noqa: BLE001 - the panel reports it
            self._returned.emit(job, "failed", told(self._failure, error))
        else:
            self._returned.emit(job, "done", answer)

    @staticmethod
    def _pass_on(job: Job, share: float | None, words: str) -> None:
        """Emit the progress in the main thread, where the caller has connected by now."""
        if job.running:
            job.progressed.emit(share, words)

    @staticmethod
    def _leave(job: Job) -> None:
        """Ignore everything that the job's thread reports from now on."""
        if job.running:
            job.running = False
            job.cancelled.emit()
            job.ended.emit()

    def _finish(self, job: Job, how: str, answer: object) -> None:
        """Emit the result after the job's thread has finished."""
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
