"""Another game in the same window, told from a misread."""

from __future__ import annotations

import pytest

from bot.board import Board
from bot.effects import is_other_game


@pytest.mark.parametrize(
    ("before", "after", "anew"),
    [
        ("11#/###", "111/###", False),
        ("11#/###", "21#/###", False),
        ("1100/1100/0000", "1#00/1100/0000", False),
        ("11#/###", "###/###", True),
        ("1100/1100/0000", "####/#000/#000", True),
        ("1100/1100/0000", "##11/1121/0000", True),
        ("1100/1100/0000", "0111/0111/0000", True),
        ("11#/###", "1####/#####", True),
    ],
)
def test_another_game_is_told_from_a_misread(before: str, after: str, anew: bool) -> None:
    """Most cells closed, or several of them closed or others: that no misread does."""
    assert is_other_game(Board.parse(before, 1), Board.parse(after, 1)) is anew
