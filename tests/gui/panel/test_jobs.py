"""Jobs beside the main thread: reported, cancelled, and never lost."""

from __future__ import annotations

import threading
from functools import partial

import pytest
from pytestqt.qtbot import QtBot

from gui.failures import Failure
from gui.panel.jobs import Jobs, Progress

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.fixture
def jobs() -> Jobs:
    """A pool for one test."""
    return Jobs(lambda error: Failure(str(error)))


def test_a_job_answers_in_the_main_thread(qtbot: QtBot, jobs: Jobs) -> None:
    """The work runs elsewhere; its progress and result arrive in the main thread."""
    heard: list[tuple[object, threading.Thread]] = []

    def work(progress: Progress) -> threading.Thread:
        progress.report(0.5, "half of it")
        return threading.current_thread()

    job = jobs.start("Counting", work)
    job.progressed.connect(lambda *step: heard.append((step, threading.current_thread())))
    job.done.connect(lambda result: heard.append((result, threading.current_thread())))
    with qtbot.waitSignal(job.ended):
        pass
    (step, _), (worked, _) = heard[-2:]
    assert step == (0.5, "half of it")
    assert worked is not threading.main_thread()
    assert {thread for _, thread in heard} == {threading.main_thread()}
    assert not jobs.running


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


def test_a_single_worker_completes_its_jobs_in_order(qtbot: QtBot) -> None:
    """In one thread; what was started before an end without cancelling is done, too."""
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
