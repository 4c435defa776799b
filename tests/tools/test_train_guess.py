"""Training of the value network: an interrupted run is continued."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from bot.solver.guess.features import FEATURES
from bot.solver.guess.policies import QUICK
from tests.tools.train_guess import BATCH, Round, kept_chunk, kept_member, save, stacked, start

ROUND = Round(games=500, policy=QUICK, seed=1, epochs=1, rate=1e-3)


def test_a_network_is_trained_once(tmp_path: Path) -> None:
    """The file of the first call is what the second call returns, whatever its data."""
    dice = np.random.default_rng(0)
    x = dice.random((BATCH, FEATURES), np.float32)
    y = dice.random(BATCH, np.float32)
    trained = kept_member(tmp_path, ROUND, None, x, y, 0)
    again = kept_member(tmp_path, ROUND, None, x, 1 - y, 0)
    assert not np.array_equal(trained[0], start(0)[0])
    for one, other in zip(trained, again, strict=True):
        assert np.array_equal(one, other)


def test_a_chunk_is_played_once(tmp_path: Path) -> None:
    """Games that are there are not played again."""
    path = tmp_path / "games-500.npz"
    save(path, (np.zeros((2, FEATURES), np.float16), np.ones(2, np.float32)))
    before = path.stat().st_mtime_ns
    assert kept_chunk(tmp_path, ROUND, stacked([start(0)]), 500) == path
    assert path.stat().st_mtime_ns == before


def test_an_interrupted_chunk_leaves_no_file(tmp_path: Path) -> None:
    """Otherwise the next run would take it for a finished one."""
    path = tmp_path / "games-0.npz"

    def interrupted() -> Iterator[NDArray[Any]]:
        yield np.zeros(2)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        save(path, interrupted())
    assert not path.exists()
