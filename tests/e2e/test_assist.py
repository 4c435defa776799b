"""The panel beside a real window that is played with a real mouse, on a private screen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from bot.board import FLAG, Board, Cell
from bot.frame import Grid, Point
from bot.game import BEGINNER, FirstClick, Game
from bot.planner import Action
from gui.panel.marks import CHOSEN
from gui.private_screen import PrivateScreen
from gui.settings import Settings, save
from tests.support.driven import Driven, driven
from tests.support.forked import simulated
from tests.support.mischief import Mischief
from tests.support.runs import audited, sessions
from tests.support.xclient import wait_until
from vision.desktop import desktop
from vision.reader import Reader
from vision.skins import SkinLibrary

PINK = (CHOSEN.blue(), CHOSEN.green(), CHOSEN.red())
"""The frame around the mark of the cell to open next; no game has this colour."""


@pytest.fixture(scope="module")
def private_screen() -> Iterator[PrivateScreen]:
    """A screen with room for both windows."""
    with PrivateScreen(1600, 1000) as private:
        yield private


@dataclass
class Player:
    """The player of a simulated window, who knows its mines, and the panel that assists."""

    panel: Driven
    window: int
    grid: Grid
    game: Game
    """A copy of the game with the same seed."""

    def click(self, point: Point, button: int = 1) -> None:
        """Click at a point."""
        self.panel.mice.send(int(point.x), int(point.y))
        self.panel.mice.send_click(button)

    def wait_for_advice(self) -> None:
        """Wait until the panel shows the board of the copy, with its analysis unless it is over."""

        def advised() -> bool:
            shown = self.panel.ask("board")
            if shown is None or Board.parse(shown["text"]) != self.game.board:
                return False
            return bool(shown["analysed"]) or self.game.status.over

        wait_until(advised)

    def marked(self) -> set[Cell]:
        """Return the cells on which the screen shows the mark of the one to open next."""
        with desktop().open_screen() as screen:
            pink = (screen.grab(self.grid.region).image == PINK).all(axis=2)
        pitch = round(self.grid.pitch_x)
        return {Cell(int(row) // pitch, int(col) // pitch) for row, col in np.argwhere(pink)}

    def wait_for_marks(self, wanted: Callable[[set[Cell]], object] = bool) -> Cell:
        """Wait until one cell is marked, and fulfils a condition; return it."""
        wait_until(lambda: len(marked := self.marked()) == 1 and wanted(marked))
        (cell,) = self.marked()
        return cell


def read_board(window: int) -> Board:
    """Read the board of a window, beneath windows that cover it."""
    with desktop().open_screen() as screen:
        assert screen.select_window(window)
        return Reader(screen, SkinLibrary().skins(), window=window).look().board


@contextmanager
def assisted(screen: PrivateScreen, home: Path) -> Iterator[Player]:
    """A simulated window, and the panel that assists its player."""
    save(Settings(marks=True, theme="light"), home / "settings.toml")
    given = ("--seed", "5", "--first-click", "zero", "--level", "beginner", "--corner")
    with simulated(screen, home, *given) as window, driven(screen, home) as panel:
        with desktop().open_screen() as seen:
            grid = Reader(seen, SkinLibrary().skins(), window=window).look().grid
        panel.wait_for_boards()
        panel.press("Assist")
        player = Player(panel, window, grid, Game.of_level(BEGINNER, 5, FirstClick.ZERO))
        player.wait_for_advice()
        yield player


def test_a_game_is_assisted_and_nothing_but_the_player_acts(
    screen: PrivateScreen, tmp_path: Path
) -> None:
    """The marks on the screen are not in what is read, and clicks go through them."""
    clicked: list[Cell] = []
    with assisted(screen, tmp_path) as player:
        game, grid = player.game, player.grid
        best = player.wait_for_marks()
        while not game.status.over and len(clicked) < 4:
            middle, pitch = grid.center(best), grid.pitch_x
            # On the mark itself: in the upper left corner of its cell.
            point = Point(int(middle.x - pitch / 2 + 3), int(middle.y - pitch / 2 + 3))
            game.open(best)
            clicked.append(best)
            player.click(point)
            player.wait_for_advice()
            assert player.panel.mice.place == point
            if not game.status.over:
                best = player.wait_for_marks(lambda marked, last=best: last not in marked)
        assert read_board(player.window) == game.board
        focused = desktop().focused()
        assert focused is not None
        assert focused.id == player.window
        mine = next(cell for cell in game.board.cells(-1) if game.layout[cell])
        game.flag(mine)
        player.click(grid.center(mine), 3)
        player.wait_for_advice()
        # A click on the face starts the next game.
        player.game = Game.of_level(BEGINNER, 6, FirstClick.ZERO)
        player.click(Point(grid.region.center.x, grid.region.top - 30))
        player.wait_for_advice()
    recorded, *_ = sessions(tmp_path)
    assert recorded.info.player == "user"
    moves = [move for turn in recorded.turns() for move in turn.moves]
    assert [move.cell for move in moves if move.action is Action.OPEN][: len(clicked)] == clicked
    assert not any(turn.events for turn in recorded.turns())
    end = list(recorded.turns())[-1].reading.board
    assert end[mine] == FLAG
    assert audited([recorded]).findings == []


@pytest.mark.slow
def test_marks_follow_their_window_until_it_is_closed(
    screen: PrivateScreen, tmp_path: Path
) -> None:
    """Moved, covered, minimised: the marks follow, vanish and come back; closed: it ends."""
    with assisted(screen, tmp_path) as player, Mischief() as mischief:
        player.game.open(Cell(4, 4))
        player.click(player.grid.center(Cell(4, 4)))
        player.wait_for_advice()
        best = player.wait_for_marks()
        before = mischief.region(player.window)
        mischief.move(player.window, 300, 200)
        after = mischief.region(player.window)
        player.grid = player.grid.moved(after.left - before.left, after.top - before.top)
        player.wait_for_marks(lambda marked: marked == {best})
        with mischief.cover(player.window):
            wait_until(lambda: not player.marked())
        player.wait_for_marks(lambda marked: marked == {best})
        mischief.minimise(player.window)
        wait_until(lambda: not player.marked())
        mischief.restore(player.window)
        player.wait_for_marks(lambda marked: marked == {best})
        mischief.ask_to_close(player.window)
        wait_until(lambda: "was closed" in player.panel.ask("status"))
