"""The game in a terminal, played by keys and the mouse in Textual's own headless terminal."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import numpy as np
import pytest
from textual.pilot import Pilot

from bot.board import COVERED, FLAG, Cell
from bot.frame import Status
from bot.game import FirstClick
from bot.solver import SOLVERS, UnknownSolver
from gui.terminal.app import CELL, HelpScreen, TerminalGame, TerminalOptions

pytestmark = pytest.mark.long

SMALL = TerminalOptions(9, 9, 10, FirstClick.ZERO, seed=3)

Script = Callable[[TerminalGame, "Pilot[None]"], Awaitable[None]]


def run(script: Script, options: TerminalOptions = SMALL, size: tuple[int, int] = (80, 24)) -> None:
    """Play a script in a terminal of a size."""

    async def played() -> None:
        game = TerminalGame(options)
        async with game.run_test(size=size) as pilot:
            await script(game, pilot)

    asyncio.run(played())


async def thought(game: TerminalGame, pilot: Pilot[None]) -> None:
    """Wait until no solver thinks."""
    await game.workers.wait_for_complete()
    await pilot.pause()


def test_keys_and_mouse_open_and_flag() -> None:
    """The cell under the cursor, which stays on the board, or under the pointer."""

    async def script(game: TerminalGame, pilot: Pilot[None]) -> None:
        await pilot.press(*["up"] * 12, *["left"] * 12)
        assert game.field.cursor == Cell(0, 0)
        await pilot.press("right", "down", "f")
        assert game.game.board[1, 1] == FLAG
        await pilot.press("f", "space")
        assert game.game.board[1, 1] == 0
        assert game.field.board == game.game.board
        row, col = (int(i) for i in np.argwhere(game.game.board.tiles == COVERED)[0])
        await pilot.click(game.field, offset=(CELL * col, row), button=3)
        assert game.game.board[row, col] == FLAG
        await pilot.press("n")
        await pilot.click(game.field, offset=(CELL * 4 + 1, 4))
        assert game.game.board[4, 4] == 0

    run(script)


def test_a_hint_shows_what_the_solver_thinks() -> None:
    """In percent, with the reason below; a move by hand makes it out of date."""

    async def script(game: TerminalGame, pilot: Pilot[None]) -> None:
        await pilot.press("space", "h")
        await thought(game, pilot)
        analysis = game.analysis
        assert analysis.best is not None
        expected = SOLVERS["exact"].solve(game.game.board, None)  # type: ignore[arg-type]
        np.testing.assert_array_equal(analysis.mine_probability, expected.mine_probability)
        texts = [strip.text for strip in game.field.render_lines(game.field.size.region)]
        assert " 0 " in "".join(texts)
        game.field.point_at(analysis.best)
        await pilot.press("space")
        await thought(game, pilot)
        assert game.analysis is not analysis

    run(script)


def test_a_hunter_finds_all_mines() -> None:
    """A move for each key press until the list is complete."""

    async def script(game: TerminalGame, pilot: Pilot[None]) -> None:
        for _ in range(30):
            await pilot.press("m")
            await thought(game, pilot)
            if game.game.status.over:
                break
        assert game.game.status is Status.WON
        assert game.won == 1

    run(script, TerminalOptions(5, 5, 4, seed=2, solver="hunter", digging=True))


def test_it_plays_by_itself_until_it_is_stopped() -> None:
    """Whole games, one after another; the tally counts them.

    It stops where nothing can be opened, on a board of nothing but mines: the solver would be asked
    for ever.
    """

    async def script(game: TerminalGame, pilot: Pilot[None]) -> None:
        await pilot.press("a")
        while not game.played:
            await thought(game, pilot)
        assert game.playing
        await pilot.press("a")
        assert not game.playing
        assert game.played == 1

    async def on_mines(game: TerminalGame, pilot: Pilot[None]) -> None:
        await pilot.press("a")
        while game.playing:
            await thought(game, pilot)
        assert (game.game.board.tiles == COVERED).all()

    run(script)
    run(on_mines, TerminalOptions(3, 3, 9, FirstClick.NONE, seed=3))


@pytest.mark.slow
def test_no_key_stops_the_game_in_the_terminal() -> None:
    """Also where the key makes what is being thought out of date, or shows it."""

    async def script(game: TerminalGame, pilot: Pilot[None]) -> None:
        await pilot.press("a")
        for keys in ("h", "s", "f", "aa", "n", "1"):
            while int((game.game.board.tiles != COVERED).sum()) < 30:
                await thought(game, pilot)
            await pilot.press(*keys)
            await thought(game, pilot)
            before, moves = game.game, game.game.board
            while game.game is before and game.game.board == moves:
                await thought(game, pilot)
        await pilot.press("a")
        assert not game.playing

    run(script, TerminalOptions(20, 20, 80, seed=3, digging=True))


def test_solvers_and_levels_are_chosen_by_key() -> None:
    """The next solver of the registry; 3 is Expert, in a terminal that it does not fit."""

    async def script(game: TerminalGame, pilot: Pilot[None]) -> None:
        await pilot.press("s", "3")
        assert game.solver_name == list(SOLVERS)[1]
        assert (game.game.rows, game.game.cols, game.game.mines) == (16, 30, 99)
        await pilot.press(*["right"] * 30, *["down"] * 16)
        await pilot.pause()
        assert game.field.cursor == Cell(15, 29)
        assert game.field.scroll_offset.x > 0

    run(script, size=(60, 14))


def test_help_explains() -> None:
    """It fits 24 lines, as it does not scroll; the clock goes on behind it until Escape."""

    async def script(game: TerminalGame, pilot: Pilot[None]) -> None:
        await pilot.press("space", "question_mark")
        assert isinstance(game.screen, HelpScreen)
        text = game.screen.query_one("Static")
        assert game.screen.region.contains_region(text.region)
        while "1 s" not in str(game.status_line.content):
            await pilot.pause()
        await pilot.press("escape")
        assert not isinstance(game.screen, HelpScreen)

    run(script)


def test_unknown_solver_is_reported() -> None:
    """Before the terminal is taken over; hunters are of the other game."""
    for name, digging in (("nobody", False), ("algorithm-a", False), ("exact", True)):
        with pytest.raises(UnknownSolver, match="there are: "):
            TerminalGame(TerminalOptions(5, 5, 4, solver=name, digging=digging))
