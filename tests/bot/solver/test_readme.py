"""The solver in `bot/solver/README.md`, by which readers learn to add their own."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent
from types import ModuleType

import numpy as np
from hypothesis import given, settings

from bot.board import Board
from bot.solver.published import enumeration
from tests.bot.solver.boards import possible_boards

README = Path(__file__).parents[3] / "bot" / "solver" / "README.md"


def example() -> ModuleType:
    """Return the module that the document tells to write."""
    block = re.search(r"( *)```python\n(.*?)```", README.read_text(), flags=re.DOTALL)
    assert block
    module = ModuleType("simple")
    exec(dedent(block[2]), module.__dict__)  # noqa: S102 - the document is ours
    return module


@settings(max_examples=50, deadline=None)
@given(board=possible_boards())
def test_the_example_is_a_sound_solver(board: Board) -> None:
    """What it calls certain is certain, and it opens a covered cell where not all are mines."""
    found, true = example().solve(board), enumeration.solve(board)
    assert set(found.safe) <= set(true.safe)
    assert set(found.mines) <= set(true.mines)
    assert (np.isnan(found.mine_probability) == ~board.unopened).all()
    assert found.best is None or board.unopened[found.best]
