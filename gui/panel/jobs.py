"""Background jobs with progress and cancellation, and a bar that shows one.

A job is a callable that is given a `Progress`. It runs in another thread; its result or failure
comes back as a signal in the main thread.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, Final

from PyQt6.QtCore import QObject, Qt, pyqtSignal
from PyQt6.QtWidgets import QLabel, QProgressBar, QPushButton, QWidget

from bot.analysis import Cancelled
from gui.failures import Failure, failure_of
from gui.panel.widgets import lay_row, name_control

_WORKERS: Final = 4
"""Number of threads: large enough that inspecting a cell need not wait for jobs that take minutes
or hours."""
_STEPS: Final = 1000
"""Number of steps of a progress bar."""


class Progress:
    """The progress and the cancellation of a job.

    Args:
        report: Called with a share and a text, in the job's thread.
    """

    def __init__(self, report: Callable[[float | None, str], None]) -> None:
        self._report = report
        self.cancelled = threading.Event()
        """Set when the job is to end; can be waited on and passed as `Limit.cancel`."""

    def report(self, share: float | None, words: str = "") -> None:
        """Report the progress of the work.

        Args:
            share: 0..1; None if unknown.
            words: Current task.

        Raises:
            Cancelled: The job was cancelled.
        """
        if self.cancelled.is_set():
            raise Cancelled
        self._report(share, words)


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

    def __init__(
        self,
        title: str,
        report: Callable[[Job, float | None, str], None],
        parent: QObject | None = None,
        *,
        only_looks: bool,
        keeps: bool = False,
    ) -> None:
        super().__init__(parent)
        self.title = title
        """Current task, for display."""
        self.keeps = keeps
        """Whether `Jobs.end` lets it complete."""
        self.progress = Progress(partial(report, self))
        self.running = True
        self._only_looks = only_looks

    def cancel(self) -> None:
        """Ask the job to end, without waiting; `ended` is emitted when it has."""
        self.progress.cancelled.set()
        if self._only_looks:
            self.finish(self.cancelled.emit)

    def finish(self, report: Callable[[], object]) -> None:
        """Report the end of the job, and ignore later reports of its thread."""
        if self.running:
            self.running = False
            report()
            self.ended.emit()


class Jobs(QObject):
    """A pool that runs jobs.

    Args:
        failure: Converts an error to a failure.
        workers: The number of threads. A single one runs the jobs in order, and lives as long as
            the pool: what belongs to one thread (a connection to the X server) can stay in it.

    Signals:
        started(Job): A job was started.
        ended(): After `end`: no job runs any more.
    """

    started = pyqtSignal(object)
    ended = pyqtSignal()
    _returned = pyqtSignal(object, object)
    _progressed = pyqtSignal(object, object, str)

    def __init__(
        self,
        failure: Callable[[BaseException], Failure],
        parent: QObject | None = None,
        workers: int = _WORKERS,
    ) -> None:
        super().__init__(parent)
        self._failure = failure
        self._pool = ThreadPoolExecutor(workers, "job")
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
        self,
        title: str,
        work: Callable[[Progress], object],
        *,
        only_looks: bool = False,
        keeps: bool = False,
    ) -> Job:
        """Start a job; connect to its signals before returning to Qt.

        Args:
            title: Current task, in the user's words.
            work: Runs in another thread, so it must not touch widgets.
            only_looks: It has no effect but its result: when cancelled it counts as ended at once,
                though its thread may run for a while.
            keeps: It writes what the user did, soon: `end` lets it complete. After `end` it is
                cancelled as any other.
        """
        job = Job(title, self._progressed.emit, self, only_looks=only_looks, keeps=keeps)
        self._jobs.append(job)
        if self._ending:
            job.cancel()
            self._returned.emit(job, job.cancelled.emit)
        else:
            self._pool.submit(self._run, job, work)
        self.started.emit(job)
        return job

    def end(self, *, cancel: bool = True) -> None:
        """Start no more jobs, without waiting; `ended` is emitted when all have ended.

        Args:
            cancel: Cancel those that do not keep anything; the others are completed, also those
                that have not begun.
        """
        self._ending = True
        for job in self._jobs:
            if cancel and not job.keeps:
                job.cancel()
        self._pool.shutdown(wait=False)
        if not self._jobs:
            self.ended.emit()

    def _run(self, job: Job, work: Callable[[Progress], object]) -> None:
        try:
            job.progress.report(None, job.title)
            report = partial(job.done.emit, work(job.progress))
        except Cancelled:
            report = partial(job.cancelled.emit)
        except Exception as error:  # noqa: BLE001 - the panel reports it
            report = partial(job.failed.emit, failure_of(self._failure, error))
        self._returned.emit(job, report)

    @staticmethod
    def _pass_on(job: Job, share: float | None, words: str) -> None:
        """Emit the progress in the main thread, where the caller has connected by now."""
        if job.running:
            job.progressed.emit(share, words)

    def _finish(self, job: Job, report: Callable[[], object]) -> None:
        """Emit the result after the job's thread has finished."""
        self._jobs.remove(job)
        job.finish(report)
        job.deleteLater()
        if self._ending and not self._jobs:
            self.ended.emit()


class LatestJob:
    """A task of which only the latest run counts: to start it cancels the one before.

    Args:
        jobs: Runs it.
        failed: Called with what went wrong in the latest run.
        ended: Called when no run is left.
    """

    def __init__(
        self,
        jobs: Jobs,
        failed: Callable[[Failure], object] = lambda _failure: None,
        ended: Callable[[], object] = lambda: None,
    ) -> None:
        self._jobs, self._failed, self._ended = jobs, failed, ended
        self._job: Job | None = None

    @property
    def running(self) -> bool:
        """Whether a run has not ended."""
        return self._job is not None

    def start(
        self,
        title: str,
        work: Callable[[Progress], object],
        then: Callable[[Any], object],
        *,
        only_looks: bool = True,
    ) -> Job:
        """Start a run, whose result is passed on unless another one was started meanwhile."""
        self.cancel()
        job = self._job = self._jobs.start(title, work, only_looks=only_looks)
        job.done.connect(lambda result: then(result) if job is self._job else None)
        job.failed.connect(lambda failure: self._failed(failure) if job is self._job else None)
        job.ended.connect(lambda: self._forget(job))
        return job

    def cancel(self) -> None:
        """Cancel the run, and ignore its result."""
        job, self._job = self._job, None
        if job is not None:
            job.cancel()

    def _forget(self, job: Job) -> None:
        if job is self._job:
            self._job = None
            self._ended()


class JobBar(QWidget):
    """A progress bar for one job with a Cancel button, hidden without a job."""

    def __init__(self) -> None:
        super().__init__()
        self._job: Job | None = None
        self.words = QLabel()
        self.words.setAccessibleName("Current task")
        self.words.setWordWrap(True)
        self.bar = QProgressBar()
        self.bar.setAccessibleName("Progress")
        self.bar.setTextVisible(False)
        self.cancel = QPushButton("Cancel")
        name_control(self.cancel, "Cancel the current task")
        lay_row((self.words, 1), (self.bar, 1), self.cancel, on=self)
        self.cancel.clicked.connect(self._cancel)
        self.hide()

    def follow(self, job: Job) -> None:
        """Show a job until it ends, in place of the previous one."""
        self._job = job
        self._show(None, job.title)
        self.cancel.setEnabled(True)
        job.progressed.connect(lambda share, words: self._progressed(job, share, words))
        job.ended.connect(lambda: self._over(job))
        self.show()

    def leave(self, job: Job) -> None:
        """Stop showing a job that has not ended yet."""
        self._over(job)

    def _progressed(self, job: Job, share: float | None, words: str) -> None:
        if job is self._job:
            self._show(share, words or job.title)

    def _show(self, share: float | None, words: str) -> None:
        self.words.setText(words)
        self.bar.setRange(0, _STEPS if share is not None else 0)
        if share is not None:
            self.bar.setValue(round(share * _STEPS))

    def _cancel(self) -> None:
        if self._job is not None:
            self.cancel.setEnabled(False)
            self._job.cancel()

    def _over(self, job: Job) -> None:
        if job is self._job:
            self._job = None
            self.hide()
