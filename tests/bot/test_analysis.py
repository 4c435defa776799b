"""What an answer holds, and what it works out only when asked."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest

from bot.analysis import NO_EVIDENCE, Analysis
from bot.board import Board
from bot.solver import exact


def test_what_nobody_asks_for_is_not_worked_out() -> None:
    """A function in place of a value is called when the field is read, and then kept."""
    asked = []

    def why() -> str:
        asked.append(True)
        return "because"

    analysis = Analysis(np.zeros((1, 1)), None, True, "test", why)
    assert not asked
    assert [analysis.reason, analysis.reason] == ["because", "because"]
    assert len(asked) == 1
    assert replace(analysis, seconds=1.0).reason == "because"


def test_fields_have_the_defaults_that_they_say() -> None:
    """A reason must be given; the rest of what explains need not be."""
    analysis = Analysis(np.zeros((1, 1)), None, True, "test", "because")
    assert (analysis.solutions, analysis.evidence) == (None, NO_EVIDENCE)
    with pytest.raises(TypeError, match="reason"):
        Analysis(np.zeros((1, 1)), None, True, "test")  # type: ignore[call-arg]


def test_an_answer_goes_to_another_process() -> None:
    """Asked or not, it can be pickled, and tells the same there."""
    found = exact.solve(Board.parse("1#/1#", 1))
    there = pickle.loads(pickle.dumps(found))  # noqa: S301 - our own bytes
    assert (there.reason, there.solutions) == (found.reason, found.solutions)
    assert there.evidence == found.evidence
