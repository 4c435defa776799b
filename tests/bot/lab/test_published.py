"""Published figures: found by boards, and each with its source."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.game import BEGINNER, EXPERT, INTERMEDIATE, FirstClick, Level
from bot.lab.boards import draw_boards
from bot.lab.published import published


@pytest.mark.parametrize("level", [BEGINNER, INTERMEDIATE, EXPERT])
def test_the_levels_have_figures_for_both_first_clicks(level: Level) -> None:
    """Whatever the seed; an opened zero wins more."""
    safe, zero = (
        published(draw_boards(level, 1, 5, first).key)
        for first in (FirstClick.SAFE, FirstClick.ZERO)
    )
    assert all(one.source and 0 < one.won < 100 for one in (*safe, *zero))
    assert max(one.won for one in safe) < min(one.won for one in zero)
    # Neither another size nor an unsafe first click has one.
    assert published(draw_boards(replace(level, rows=level.rows + 1), 1).key) == ()
    assert published(draw_boards(level, 1, 0, FirstClick.NONE).key) == ()
