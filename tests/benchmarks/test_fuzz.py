"""No content of a file crashes its reader, blocks it, or leads out of its folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks.fuzz import fuzz
from tests.benchmarks.fuzz_targets import TARGETS


@pytest.mark.parametrize("name", TARGETS)
def test_a_reader_stands_whatever_it_is_given(tmp_path: Path, name: str) -> None:
    """A few hundred inputs; `python -m tests.benchmarks.fuzz` gives a hundred thousand to each."""
    inputs = {"skin zip": 40, "history": 60, "turns": 150}.get(name, 200)
    outcome = fuzz(TARGETS[name], range(inputs), 5, tmp_path)
    assert outcome.findings == []
    assert 0 < outcome.taken < outcome.inputs == inputs
