"""Processes of the laboratory's command."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bot.lab.results import read_results
from tests.support.runs import BOT
from tests.support.xclient import wait_until

_SECONDS = 120.0
"""After which a run counts as stuck."""


def _runs(process: str) -> bool:
    """Whether a process does anything: one that has ended may wait for somebody to notice."""
    try:
        return (
            Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
            != "Z"
        )
    except FileNotFoundError:
        return False


@contextmanager
def endless(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], Path]]:
    """A run of two workers that has kept some games, and the file that it keeps them in."""
    out = tmp_path / "results.jsonl"
    command = [*BOT, "lab", "-s", "exact", "-n", "100000", "--workers", "2", "-o", str(out)]
    run = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"MINESWEEPER_BOT_HOME": str(tmp_path)},
    )
    try:
        wait_until(lambda: out.exists() and out.read_bytes().count(b"\n") > 3, _SECONDS)
        yield run, out
    finally:
        run.kill()
        run.communicate()


@pytest.mark.slow
def test_workers_end_with_a_run_that_is_killed(tmp_path: Path) -> None:
    """Nobody is left who would tell them that what they think of is for nobody."""
    with endless(tmp_path) as (run, out):
        children = (
            Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text(encoding="utf-8").split()
        )
        assert len(children) >= 2
        run.kill()
        wait_until(lambda: not any(map(_runs, children)), _SECONDS)
    assert read_results(out).outcomes
