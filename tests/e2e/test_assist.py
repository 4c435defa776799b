"""The panel beside a real window that somebody plays with a real mouse, on a private screen."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from bot.board import FLAG, Cell
from bot.frame import Point, Region
from bot.game import BEGINNER
from bot.planner import Action
from gui.panel.marks import CHOSEN
from gui.private_screen import PrivateScreen
from tests.support.assisted import RIGHT, Assisted
from tests.support.runs import audited, sessions
from tests.support.xclient import PictureWindow, wait_until
from vision.desktop import Window, desktop

PINK = (CHOSEN.blue(), CHOSEN.green(), CHOSEN.red())
"""Of the frame around the mark of the cell to open next; no game has it."""


@pytest.fixture(scope="module")
def private_screen() -> Iterator[PrivateScreen]:
    """A screen of our own."""
    with PrivateScreen(1600, 1000) as private:
        yield private


def best_marks(assisted: Assisted, board: Region | None = None) -> set[Cell]:
    """The cells in whose corner the screen shows the mark of the one to open next."""
    region = board or assisted.grid.region
    pink = (assisted.on_screen(region) == PINK).all(axis=2)
    pitch = round(assisted.grid.pitch_x)
    return {Cell(int(row) // pitch, int(col) // pitch) for row, col in np.argwhere(pink)}


def test_a_game_is_assisted_and_nothing_but_the_player_acts(
    screen: PrivateScreen, tmp_path: Path
) -> None:
    """Marks on the screen that the eye never sees, and clicks that go right through them."""
    clicked: list[Cell] = []
    with Assisted(screen, tmp_path, BEGINNER, 5) as assisted:
        wait_until(lambda: best_marks(assisted))
        while not assisted.game.status.over and len(clicked) < 4:
            (best,) = best_marks(assisted)
            middle, pitch = assisted.grid.center(best), assisted.grid.pitch_x
            # On the mark itself: in the upper left corner of its cell.
            point = Point(middle.x - pitch / 2 + 3, middle.y - pitch / 2 + 3)
            assisted.game.open(best)
            assisted.click_at(point)
            line = assisted.painted()
            clicked.append(best)
            assert assisted.pointer() == Point(int(point.x), int(point.y))
            if not assisted.game.status.over:
                assert line["marks"] > 0
                wait_until(lambda last=best: best_marks(assisted) - {last})
        assert assisted.read() == assisted.game.board
        focused = desktop().focused()
        assert focused is not None
        assert focused.id == assisted.window
        mine = next(cell for cell in assisted.game.board.cells(-1) if assisted.game.layout[cell])
        assisted.click(mine, RIGHT)
        assisted.painted()
        assisted.next_game()
        assisted.end_panel()
    recorded, *_ = sessions(tmp_path)
    assert recorded.info.player == "user"
    moves = [move for turn in recorded.turns() for move in turn.moves]
    assert [move.cell for move in moves if move.action is Action.OPEN][: len(clicked)] == clicked
    assert not any(turn.events for turn in recorded.turns())
    end = list(recorded.turns())[-1].reading.board
    assert end[mine] == FLAG
    assert audited([recorded]).findings == []


@pytest.mark.slow
def test_what_happens_to_a_window_is_told_and_waited_for(
    screen: PrivateScreen, tmp_path: Path
) -> None:
    """Moved, covered, minimised: the marks follow, vanish and come back; closed: it ends."""
    with Assisted(screen, tmp_path, BEGINNER, 5) as assisted:
        assisted.click(Cell(4, 4))
        assisted.painted()
        wait_until(lambda: best_marks(assisted))
        (best,) = best_marks(assisted)
        before = desktop().place_of(assisted.window)
        move = ["xdotool", "windowmove", str(assisted.window), "300", "200"]
        subprocess.run(move, env=screen.environment, check=True)
        wait_until(lambda: desktop().place_of(assisted.window) != before)
        after = desktop().place_of(assisted.window)
        assert before is not None
        assert after is not None
        assisted.grid = assisted.grid.moved(after.left - before.left, after.top - before.top)
        wait_until(lambda: best_marks(assisted) == {best})

        board = assisted.grid.region
        cover = np.full((60, 60, 3), 90, np.uint8)
        with PictureWindow(cover, (board.left + 20, board.top + 20), popup=True):
            line = assisted.wait_for(lambda line: line["status"] == "blocked")
            assert line["marks"] == 0
            wait_until(lambda: not best_marks(assisted))
        assisted.painted()
        wait_until(lambda: best_marks(assisted) == {best})

        minimise = ["xdotool", "windowminimize", str(assisted.window)]
        subprocess.run(minimise, env=screen.environment, check=True)
        line = assisted.wait_for(lambda line: line["status"] == "blocked")
        wait_until(lambda: not best_marks(assisted))
        desktop().activate(Window(assisted.window, "", "", board, None, own=False))
        wait_until(lambda: desktop().place_of(assisted.window) is not None)
        assisted.painted()
        wait_until(lambda: best_marks(assisted) == {best})

        assisted.close_game()
        failed = assisted.failure()
        assert "was closed" in failed
