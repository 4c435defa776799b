"""The laboratory on a real Dask cluster of this machine."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Iterator
from dataclasses import replace

import pytest
from distributed import Client, LocalCluster

from bot.game import BEGINNER
from bot.lab.boards import draw_boards
from bot.lab.pool import pending_tasks, play_all
from bot.lab.worker import CLASSIC, Outcome, play_batch
from gui.cluster import NoCluster, connect

pytestmark = [pytest.mark.linux, pytest.mark.long]

BOARDS = draw_boards(BEGINNER, 64, 5)
NODES = 10_000


@pytest.fixture
def cluster() -> Iterator[LocalCluster]:
    """A scheduler and two workers, in processes of their own."""
    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0"
    ) as started:
        yield started


def timeless(outcome: Outcome) -> Outcome:
    """What must not depend on who played it, and when."""
    return replace(outcome, buckets={}, seconds=0, worst=0, memory=None)


@pytest.mark.slow
def test_a_killed_worker_s_boards_are_played_again(cluster: LocalCluster) -> None:
    """One of two workers is killed in mid-run; all boards come back, each once, as played here."""
    open_executor, workers = connect(cluster.scheduler_address)
    assert workers == 2
    with Client(cluster, set_as_default=False) as client:
        victim = next(iter(client.run(os.getpid).values()))
    work = pending_tasks([BOARDS], ["exact"], lambda *_: False)
    played: dict[int, Outcome] = {}
    for task, outcomes in play_all(work, open_executor, workers, CLASSIC, NODES):
        if not played:
            os.kill(victim, signal.SIGKILL)
        assert not played.keys() & {deal.number for deal in task.specs}
        played |= {outcome.number: timeless(outcome) for outcome in outcomes}
    here = play_batch(CLASSIC, "exact", [BOARDS.spec(n) for n in range(BOARDS.count)], NODES)
    assert played == {outcome.number: timeless(outcome) for outcome in here}


@pytest.mark.slow
def test_lost_scheduler_is_reported(cluster: LocalCluster) -> None:
    """What was played before comes out; then the address is named."""
    address = cluster.scheduler_address
    open_executor, workers = connect(address)
    work = pending_tasks([BOARDS], ["exact"], lambda *_: False)
    batches = play_all(work, open_executor, workers, CLASSIC, NODES)
    assert next(batches)[1]
    cluster.close()
    with pytest.raises(NoCluster, match="no scheduler answers"):
        list(batches)


def test_a_port_that_is_mute_is_no_scheduler(monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes the call and says nothing: another program's port, or a machine that hangs."""
    monkeypatch.setattr("gui.cluster._ANSWER", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as mute:
        address = f"tcp://127.0.0.1:{mute.getsockname()[1]}"
        with pytest.raises(NoCluster, match=r"no answer within 0\.2 s"):
            connect(address)


def test_scheduler_without_workers_is_reported() -> None:
    """Waiting for them would be for ever."""
    with (
        LocalCluster(n_workers=0, processes=True, dashboard_address=":0") as empty,
        pytest.raises(NoCluster, match="has no worker"),
    ):
        connect(empty.scheduler_address)
