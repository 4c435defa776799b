"""Games that workers play: the same results with any workers, and none is lost."""

from __future__ import annotations

import multiprocessing
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, wait
from dataclasses import replace
from functools import partial

import pytest

from bot.analysis import Cancelled, Limit
from bot.digging import HUNTERS
from bot.frame import Status
from bot.game import FirstClick, Level
from bot.lab.boards import draw_boards
from bot.lab.pool import BATCH, Limits, LocalWorkers, WorkersLost, pending_tasks, play_all
from bot.lab.worker import CLASSIC, DIGGING, Outcome, play_batch
from bot.planner import plan
from bot.solver import SOLVERS

pytestmark = pytest.mark.long

BOARDS = draw_boards(Level("small", 8, 8, 12), 3 * BATCH + 1, 5)
PLAYERS = ("exact", "human")
NODES = 10_000

Key = tuple[str, int]


def nothing(*_: object) -> bool:
    """Nothing has been played."""
    return False


def timeless(outcome: Outcome) -> Outcome:
    """Return what must not depend on the worker and the time."""
    return replace(outcome, buckets={}, seconds=0, worst=0, memory=None)


def play(open_executor: Callable[[], Executor], workers: int) -> dict[Key, Outcome]:
    """Everything, in the order in which it came back."""
    work = pending_tasks([BOARDS], PLAYERS, nothing)
    played: dict[Key, Outcome] = {}
    for _, outcomes in play_all(work, open_executor, workers, CLASSIC, NODES):
        for outcome in outcomes:
            key = (outcome.player, outcome.number)
            assert key not in played
            played[key] = timeless(outcome)
    return played


@pytest.fixture(scope="module")
def alone() -> dict[Key, Outcome]:
    """Play the games without an executor."""
    deals = [BOARDS.spec(number) for number in range(BOARDS.count)]
    outcomes = [o for player in PLAYERS for o in play_batch(CLASSIC, player, deals, NODES)]
    return {(outcome.player, outcome.number): timeless(outcome) for outcome in outcomes}


def test_a_game_is_played_by_the_rules(alone: dict[Key, Outcome]) -> None:
    """Held against a plain loop over the game's own classes."""
    for number in range(BOARDS.count):
        deal = BOARDS.spec(number)
        game = deal.game()
        game.open(deal.first)
        guesses = 0
        while not game.status.over:
            analysis = SOLVERS["exact"].solve(game.board, Limit(nodes=NODES))
            for move in plan(game.board, analysis):
                assert move.cell is not None
                guesses += move.risk > 0
                game.open(move.cell)
        outcome = alone["exact", number]
        assert outcome.won is (game.status is Status.WON)
        assert outcome.guesses == guesses


@pytest.mark.parametrize("noticed", ["as its next task is handed out", "by its result"])
def test_a_lost_worker_s_boards_are_played_again(noticed: str, alone: dict[Key, Outcome]) -> None:
    """A worker is killed while it plays; every board comes back once, as played alone."""
    killed = []

    class Killing(LocalWorkers):
        """Kills one of its workers when it has handed three batches out."""

        handed = 0

        def submit(self, *args: object, **kwargs: object) -> object:  # type: ignore[override]
            future = super().submit(*args, **kwargs)  # type: ignore[arg-type]
            self.handed += 1
            if self.handed == 3 and not killed:
                child = multiprocessing.active_children()[0]
                killed.append(child.pid)
                child.kill()
                if noticed == "as its next task is handed out":
                    wait([future])
            return future

    assert play(lambda: Killing(2), 2) == alone
    assert killed


def test_workers_that_always_die_are_not_replaced_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is reported, after a few."""
    monkeypatch.setattr("bot.lab.pool.LIMITS", Limits(losses=1))

    class Dying(LocalWorkers):
        """Whatever it is handed kills the worker."""

        def submit(self, *_args: object, **_kwargs: object) -> object:  # type: ignore[override]
            return super().submit(os._exit, 1)

    with pytest.raises(WorkersLost, match="workers were lost"):
        play(lambda: Dying(1), 1)


def test_a_worker_that_does_not_notice_the_end_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    """As one that still imports its modules, on a busy machine."""
    monkeypatch.setattr("bot.lab.pool.LIMITS", Limits(end=0.5))
    workers = LocalWorkers(1)
    workers.submit(os.getpid).result()
    stuck = workers.submit(time.sleep, 600)
    while not stuck.running():
        pass
    workers.shutdown(cancel_futures=True)
    assert isinstance(stuck.exception(), BrokenExecutor)
    assert multiprocessing.active_children() == []


def test_a_cancelled_run_keeps_its_results(alone: dict[Key, Outcome]) -> None:
    """From another thread than the one that plays: what was played by then still comes out."""
    cancel = threading.Event()
    work = pending_tasks([BOARDS], PLAYERS, nothing, 2)
    batches = play_all(work, partial(LocalWorkers, 2), 2, CLASSIC, NODES, cancel)
    played = list(next(batches)[1])
    cancel.set()
    with pytest.raises(Cancelled):
        played.extend(outcome for _, outcomes in batches for outcome in outcomes)
    assert 0 < len(played) < len(alone)
    assert all(alone[one.player, one.number] == timeless(one) for one in played)
    assert multiprocessing.active_children() == []


@pytest.mark.linux
def test_workers_have_a_lower_priority() -> None:
    """Behind the process that asks, as far as it says; by default they do not."""
    before = os.nice(0)
    for nice, wanted in ((7, before + 7), (0, before)):
        with LocalWorkers(1, nice) as workers:
            assert workers.submit(os.nice, 0).result() == min(wanted, 19)


@pytest.mark.slow
def test_workers_that_are_not_needed_end_in_silence(capfd: pytest.CaptureFixture[str]) -> None:
    """One that is still starting when everything has been played, or when all is broken off."""
    one = draw_boards(Level("lost at once", 3, 3, 9), 1, 0, FirstClick.NONE)
    assert len(list(play_all(pending_tasks([one], ["exact"], nothing), partial(LocalWorkers, 2), 2,
                             CLASSIC, NODES))) == 1  # fmt: skip
    workers = LocalWorkers(2)
    workers.submit(int)
    workers.submit(int)
    workers.shutdown(cancel_futures=True)
    assert capfd.readouterr().err == ""


def test_boards_with_a_result_are_not_played_again() -> None:
    """Only boards without a result are played, the same by all players first."""
    done = {("exact", n) for n in range(BATCH + 2)}
    found = list(pending_tasks([BOARDS], PLAYERS, lambda _b, player, n: (player, n) in done))
    handed = [(task.player, deal.number) for task in found for deal in task.specs]
    wanted = {(p, n) for p in PLAYERS for n in range(BOARDS.count)} - done
    assert sorted(handed) == sorted(wanted)
    assert [task.player for task in found] == ["human", "exact", "human"] + ["exact", "human"] * 2


def test_all_hunters_submit_the_right_list() -> None:
    """In the game of digging."""
    boards = draw_boards(Level("digging", 5, 5, 5), 4, 3, FirstClick.NONE)
    deals = [boards.spec(number) for number in range(boards.count)]
    for name in HUNTERS:
        outcomes = play_batch(DIGGING, name, deals, NODES)
        assert all(outcome.won and 0 < outcome.opened <= 25 for outcome in outcomes)
