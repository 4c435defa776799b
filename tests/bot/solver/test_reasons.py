"""The sentences that explain a move."""

from __future__ import annotations

import pytest

from bot.board import Board
from bot.solver.exact import solve

ONE = "the 1 at row 1, column"


@pytest.mark.parametrize(
    ("text", "mines", "sentence", "hints"),
    [
        ("*1#", 1, "safe: the 1 at row 0, column 1 already has its mine", [(0, 1)]),
        ("*2#/*xx", 2, "safe: the 2 at row 0, column 1 already has its 2 mines", [(0, 1)]),
        ("0#", 0, "safe: the 0 at row 0, column 0 has no mine around it", [(0, 0)]),
        (
            "###/11x/...",
            1,
            (
                f"safe: the mines that {ONE} 1 still lacks all lie in the cells that it "
                f"shares with {ONE} 0"
            ),
            [(1, 1), (1, 0)],
        ),
        ("1#/1#", 1, "a 50/50: 1 of the 2 solutions left has a mine here", [(0, 0), (1, 0)]),
        (
            "1###/####",
            2,
            (
                "3 of the 12 solutions left have a mine here, away from all hints: "
                "the least there is, the same in 4 cells"
            ),
            [],
        ),
        ("##", 2, "nothing is left to open: every covered cell is a mine", []),
        ("..", 0, "no cell is covered", []),
    ],
)
def test_reasons(text: str, mines: int, sentence: str, hints: list[tuple[int, int]]) -> None:
    """What a user reads, and which hints light up."""
    found = solve(Board.parse(text, mines))
    assert found.reason == sentence
    assert list(found.evidence.hints) == hints
    assert found.best is None or found.best in found.evidence.cells
