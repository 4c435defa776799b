"""Jobs beside the main thread: reported, cancelled, and never lost."""

from __future__ import annotations

import threading
from functools import partial

import pytest
from PyQt6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.failures import Failure
from gui.panel.jobs import JobBar, Jobs, Progress


@pytest.fixture
def jobs(qapp: QApplication) -> Jobs:
    """A pool for one test."""
    assert qapp
    return Jobs(lambda error: Failure(str(error)))


def test_a_job_answers_in_the_main_thread(qtbot: QtBot, jobs: Jobs) -> None:
    """The work runs elsewhere; its progress and result arrive in the main thread."""
    worked: list[threading.Thread] = []
    answered: list[threading.Thread] = []
    steps: list[tuple[object, str]] = []

    def work(progress: Progress) -> int:
        worked.append(threading.current_thread())
        progress.report(0.5, "half of it")
        return 42

    job = jobs.start("Counting", work)
    job.progressed.connect(lambda share, words: steps.append((share, words)))
    for signal in (job.progressed, job.done):
        signal.connect(lambda *_: answered.append(threading.current_thread()))
    with qtbot.waitSignal(job.done) as done:
        pass
    assert done.args == [42]
    assert (0.5, "half of it") in steps
    assert worked[0] is not threading.main_thread()
    assert set(answered) == {threading.main_thread()}
    assert not jobs.running


def test_a_cancelled_job_ends_at_its_next_step(qtbot: QtBot, jobs: Jobs) -> None:
    """The button beside the progress ends it, and the bar goes away."""
    begun = threading.Event()

    def work(progress: Progress) -> None:
        while not progress.cancelled.wait(0.001):
            begun.set()
            progress.report(0.1)
        progress.report(0.2)

    bar = JobBar()
    qtbot.addWidget(bar)
    job = jobs.start("Going on for ever", work)
    bar.follow(job)
    bar.show()
    qtbot.waitUntil(begun.is_set)
    assert bar.words.text() == "Going on for ever"
    with qtbot.waitSignals([job.cancelled, job.ended]):
        bar.cancel.click()
    assert not bar.isVisible()


def test_what_only_looks_ends_at_once(qtbot: QtBot, jobs: Jobs) -> None:
    """Cancelled it has ended, though its thread has not; what that finds is not listened to."""
    begun, released = threading.Event(), threading.Event()
    heard: list[str] = []

    def work(_progress: Progress) -> int:
        begun.set()
        released.wait()
        return 42

    job = jobs.start("Searching", work, only_looks=True)
    job.done.connect(lambda _answer: heard.append("done"))
    job.cancelled.connect(lambda: heard.append("cancelled"))
    job.ended.connect(lambda: heard.append("ended"))
    qtbot.waitUntil(begun.is_set)
    job.cancel()
    assert heard == ["cancelled", "ended"]
    assert jobs.running
    released.set()
    qtbot.waitUntil(lambda: not jobs.running)
    assert heard == ["cancelled", "ended"]


def test_failure_of_a_job_is_reported(qtbot: QtBot, jobs: Jobs) -> None:
    """What a worker raises reaches the panel."""

    def work(_progress: Progress) -> None:
        raise ValueError("the disk is full")

    job = jobs.start("Saving", work)
    with qtbot.waitSignal(job.failed) as failed:
        pass
    assert failed.args[0].message == "the disk is full"


def test_the_end_cancels_what_keeps_nothing_and_does_not_wait(qtbot: QtBot, jobs: Jobs) -> None:
    """Jobs that run, and what is started after the end; what keeps an answer is completed."""

    def work(progress: Progress) -> None:
        progress.cancelled.wait()
        progress.report(0.5)

    over: list[str] = []

    def follow() -> None:
        job = jobs.start("The next one", lambda _progress: over.append("worked"))
        job.cancelled.connect(lambda: over.append("cancelled"))

    for number in range(4):
        job = jobs.start(f"Job {number}", work)
        job.cancelled.connect(lambda: over.append("cancelled"))
    job.cancelled.connect(follow)
    jobs.start("Saving", lambda _progress: over.append("kept"), keeps=True)
    with qtbot.waitSignal(jobs.ended):
        jobs.end()
    assert sorted(over) == [*["cancelled"] * 5, "kept"]


def test_a_single_worker_completes_its_jobs_in_order(qtbot: QtBot, qapp: QApplication) -> None:
    """In one thread; what was started before an end without cancelling is done, too."""
    assert qapp
    line = Jobs(lambda error: Failure(str(error)), workers=1)
    begun, go_on = threading.Event(), threading.Event()
    done: list[tuple[int, threading.Thread]] = []

    def work(number: int, _progress: Progress) -> None:
        begun.set()
        go_on.wait()
        done.append((number, threading.current_thread()))

    for number in range(3):
        line.start(f"Job {number}", partial(work, number))
    qtbot.waitUntil(begun.is_set)
    with qtbot.waitSignal(line.ended):
        line.end(cancel=False)
        assert line.running
        go_on.set()
    assert [number for number, _ in done] == [0, 1, 2]
    assert len({thread for _, thread in done}) == 1
