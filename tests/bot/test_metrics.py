"""3BV and efficiency."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from bot.frame import Status
from bot.game import Game
from bot.metrics import efficiency, hints_of, three_bv, three_bv_done

layouts = st.tuples(st.integers(1, 7), st.integers(1, 7)).flatmap(
    lambda shape: arrays(np.bool_, shape, elements=st.sampled_from([False, False, True]))
)


def mines(text: str) -> NDArray[np.bool_]:
    """Parse a layout drawn with `*`, rows separated by `/`."""
    return np.array([[character == "*" for character in row] for row in text.split("/")])


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (".", 1),
        ("*", 0),
        (".*.", 2),
        ("*..", 1),
        ("...../...../..*../...../.....", 1),
        ("*.*/.../*.*", 5),
        ("..*.../..*.../..*...", 2),
        (".*..*...", 4),
    ],
)
def test_known_boards(text: str, value: int) -> None:
    """Boards small enough to count by eye."""
    assert three_bv(mines(text)) == value


@given(layouts)
def test_three_bv_is_what_a_perfect_player_clicks(layout: NDArray[np.bool_]) -> None:
    """Zeros first, then every hint still covered: the clicks that win are as many as 3BV."""
    game = Game.from_mines(layout)
    cells = sorted(game.board.cells(), key=hints_of(layout).__getitem__)
    clicks = sum(bool(game.open(cell)) for cell in cells if not layout[cell])
    assert clicks == three_bv(layout)
    assert layout.all() or game.status is Status.WON


@given(layouts, st.data())
def test_three_bv_of_a_won_board_needs_no_mines(
    layout: NDArray[np.bool_], data: st.DataObject
) -> None:
    """In whatever order a game is won, the visible board tells its 3BV without the mines."""
    game = Game.from_mines(layout)
    for cell in data.draw(st.permutations(list(game.board.cells()))):
        if not layout[cell]:
            game.open(cell)
    assert three_bv_done(game.board) == three_bv(layout)


def test_a_covered_opening_is_not_seen_yet() -> None:
    """A hint at its rim counts on its own until the opening shows."""
    game = Game.from_mines(mines("*..."))
    game.open((0, 1))
    assert three_bv_done(game.board) == 1
    game.open((0, 3))
    assert three_bv_done(game.board) == 1


def test_efficiency_is_value_for_each_click() -> None:
    """And is not defined without one."""
    assert efficiency(30, 40) == 0.75
    with pytest.raises(ValueError, match="at least one click"):
        efficiency(30, 0)
