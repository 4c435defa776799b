"""A Dask cluster as an executor, for more games than one machine can play.

It is an optional extra ('pip install minesweeper-bot[cluster]'). Anyone who can reach a scheduler
can run any code on its workers, and nothing is encrypted: use trusted networks only.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future
from functools import partial
from typing import Any, Final

_ANSWER: Final = 5.0
"""Seconds that a scheduler may take to answer."""


class NoCluster(RuntimeError):
    """The cluster cannot be used; the message says what to do."""


def connect(address: str) -> tuple[Callable[[], Executor], int]:
    """Return a factory of executors on a cluster, and the number of games that run in parallel.

    Args:
        address: The scheduler's, such as tcp://192.168.0.7:8786.

    Raises:
        NoCluster: The library is not installed, the scheduler does not answer, or it has no
            worker.
    """
    client = _client(address)
    threads = sum(client.nthreads().values())
    client.close()
    if not threads:
        raise NoCluster(f"the scheduler at {address} has no worker: start 'dask worker {address}'")
    return lambda: _ClusterExecutor(_client(address)), threads


def _client(address: str) -> Any:
    try:
        from distributed import Client  # noqa: PLC0415 - an optional extra
    except ImportError as error:
        raise NoCluster(
            f"--scheduler needs a library that is not installed ({error}): "
            "pip install 'minesweeper-bot[cluster]'"
        ) from error
    try:
        asyncio.run(asyncio.wait_for(_greet(address), _ANSWER))
        return Client(address, timeout=_ANSWER, set_as_default=False)
    except (OSError, ValueError) as error:
        reason = str(error) or f"no answer within {_ANSWER:g} s"
        raise NoCluster(
            f"no scheduler answers at {address}: {reason}. Is it running ('dask scheduler'), and "
            "is the address the one that it prints?"
        ) from error


async def _greet(address: str) -> None:
    """Check that the scheduler answers; a client would wait forever on a port that does not."""
    from distributed.comm import connect as call  # noqa: PLC0415 - an optional extra

    answer = await call(address, timeout=_ANSWER)
    await answer.close()


class _ClusterExecutor(Executor):
    """A Dask client with the interface that the laboratory uses.

    Dask passes the task of a lost worker to another one. Tasks that it gives up raise
    BrokenExecutor, like those of the standard library's executors.
    """

    def __init__(self, client: Any) -> None:
        self._client = client
        self._executor = client.get_executor(pure=False)

    def submit(self, call: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Submit a call to any free worker."""
        answer: Future[Any] = Future()
        asked: Future[Any] = self._executor.submit(call, *args, **kwargs)
        asked.add_done_callback(partial(_pass_on, answer))
        return answer

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Disconnect; results that were not fetched are dropped."""
        self._executor.shutdown(wait=wait and not cancel_futures)
        self._client.close()


def _pass_on(answer: Future[Any], asked: Future[Any]) -> None:
    from distributed import KilledWorker  # noqa: PLC0415 - an optional extra
    from distributed.comm import CommClosedError  # noqa: PLC0415

    if asked.cancelled():
        answer.set_exception(BrokenExecutor("the connection to the scheduler is lost"))
        return
    error = asked.exception()
    if error is None:
        answer.set_result(asked.result())
    elif isinstance(error, KilledWorker | CommClosedError):
        answer.set_exception(BrokenExecutor(str(error)))
    else:
        answer.set_exception(error)
