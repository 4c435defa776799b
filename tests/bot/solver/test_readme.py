"""The solver in `bot/solver/README.md`, and the figures that describe each solver to a player."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent
from types import ModuleType

import numpy as np
from hypothesis import given, settings

from bot.board import Board
from bot.digging import HUNTERS
from bot.solver import PLAYER, SOLVERS
from bot.solver.published import enumeration
from tests.bot.solver.boards import possible_boards

BOT = Path(__file__).parents[3] / "bot"
README = BOT / "solver" / "README.md"


def example() -> ModuleType:
    """Return the module that the document tells to write."""
    block = re.search(r"( *)```python\n(.*?)```", README.read_text("utf-8"), flags=re.DOTALL)
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


def measured(heading: str) -> dict[str, list[str]]:
    """Return the first table of a section of `bot/RESULTS.md`: cells by the name in the first."""
    section = (BOT / "RESULTS.md").read_text("utf-8").split(f"## {heading}")[1].split("\n## ")[0]
    rows = [line.split("|")[1:-1] for line in section.splitlines() if line.startswith("| `")]
    return {row[0].split("`")[1]: [cell.strip() for cell in row] for row in rows}


def test_solvers_are_described_by_measured_figures() -> None:
    """Wins and time of each are those of its row; one without a row cannot play Expert."""
    rows = measured("1,000 Expert boards")
    for name, info in SOLVERS.items():
        if name in rows:
            _, won, _, _, milliseconds, _ = rows[name]
            median = float(milliseconds.partition("/")[0])
            wanted = f"Wins {won}% of Expert games, {median:g} ms a decision"
            assert info.summary.removeprefix("Recommended. ") == wanted
        else:
            assert info.summary == "Small boards only: estimates elsewhere"
    recommended = [name for name, info in SOLVERS.items() if "Recommended" in info.summary]
    assert recommended == [PLAYER] == [max(rows, key=lambda name: float(rows[name][1]))]


def test_hunters_are_described_by_measured_figures() -> None:
    """Digs and time of each are those of its row; the one with the fewest is recommended."""
    rows = measured("Source 002: the fewest digs")
    for name, info in HUNTERS.items():
        digs = round(float(rows[name][1].partition("±")[0]))
        wanted = f"Finds 80 mines on 20 x 20 cells with {digs} digs, in {rows[name][3]} s"
        assert info.summary.removeprefix("Recommended. ") == wanted
    recommended = [name for name, info in HUNTERS.items() if "Recommended" in info.summary]
    assert recommended == [min(rows, key=lambda name: float(rows[name][1].partition("±")[0]))]
