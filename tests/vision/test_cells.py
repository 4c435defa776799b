"""What must last, and what is taken for a stranger, on boards that are followed."""

from __future__ import annotations

import numpy as np

from bot.board import UNREAD
from bot.frame import Grid
from tests.boards import SESSIONS
from vision.sessions import load_session
from vision.tracking.cells import Persistence, near
from vision.tracking.lookalikes import unknown_board_in


def test_only_what_stays_the_same_holds() -> None:
    """Another thing begins anew."""
    lasting = Persistence(0.5)
    seen = [lasting.holds(what, time) for what, time in (("a", 0.0), ("b", 0.4), ("b", 0.8))]
    assert seen == [False, False, False]
    assert lasting.holds("b", 0.9)


def test_a_lattice_that_flickers_is_where_it_was() -> None:
    """A pixel aside is the same place; a cell aside, or another pitch, is not."""
    grid = Grid(710, 412, 20, 20, 9, 9)
    assert near(Grid(711, 413, 20, 20, 9, 9), grid)
    assert not near(Grid(730, 412, 20, 20, 9, 9), grid)
    assert not near(Grid(710, 412, 21, 21, 9, 9), grid)
    assert not near(Grid(710, 412, 20, 20, 8, 9), grid)


def test_a_skin_that_reads_most_hints_is_the_right_one() -> None:
    """One tile that it cannot read does not make its board a stranger's; all hints do."""
    reading = list(load_session(SESSIONS / "xdemineur-beginner-won").turns())[-2].reading
    codes = reading.board.tiles.copy()
    codes[tuple(np.argwhere(codes == 0)[0])] = UNREAD
    assert unknown_board_in(reading.frame, reading.grid, codes) is None
    codes[codes >= 1] = UNREAD
    assert unknown_board_in(reading.frame, reading.grid, codes) is not None
