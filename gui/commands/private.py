"""A run of games with a program that is started on its own private screen."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING

from bot.analysis import Cancelled
from bot.digging import hunter
from bot.loop import Stop, Stopped
from bot.solver import solver
from bot.solver.warmup import IN_WORDS, PREPARATION
from gui.commands.play import (
    PlayOptions,
    conclude,
    follow,
    hear_stop_key,
    interrupted,
    make_folder,
    stop_on_interrupt,
)
from gui.commands.progress import GameLog
from gui.commands.terminal_operator import operator_of
from gui.console import Console
from gui.failures import Failure
from gui.private.game import PrivateGame
from gui.private_screen import adopt_screen
from gui.settings import Settings
from vision.desktop import require_display

if TYPE_CHECKING:
    from gui.runner.protocol import Operator


def run_private(
    options: PlayOptions, command: Sequence[str], size: tuple[int, int], console: Console
) -> int:
    """Start a game on a private screen, play it there, and end both.

    Args:
        options: As for `gui.commands.play.run_play`; a window is one of the game's.
        command: Starts the game.
        size: Of the screen, in pixels.
        console: Receives the output.

    Returns:
        The process's exit code.

    Raises:
        PrivateScreenError: The game cannot be started, or has no screen.
        DisplayError: There is no display for the panel.
        PicturesError: The folder for the pictures cannot be written.
        UnknownSolver: There is no such solver.
    """
    settings = options.settings.model_copy(update={"level": options.level})
    hunter(settings.hunter) if settings.digging else solver(settings.solver)
    if options.pictures is not None:
        make_folder(options.pictures)
    stop = Stop()
    if not options.panel:
        PREPARATION.begin()
    with ExitStack() as resources:
        stop_on_interrupt(resources, stop)
        log = resources.enter_context(GameLog(console, options.games, settings.rules))
        if options.panel:
            require_display()
            from gui.commands.panel import play_private_in_panel  # noqa: PLC0415 - loads Qt

            failure = play_private_in_panel(command, size, settings, log, stop, options.pictures)
        else:
            # Before the game's screen replaces the user's.
            hear_stop_key(resources, settings, stop, log)
            game = resources.enter_context(PrivateGame(command, size))
            log.note(f"'{game.name}' is played on a private screen ({game.display})")
            operator = operator_of(console, log, stop)
            try:
                if PREPARATION.must_compile(stop):
                    log.note(IN_WORDS)
                failure = _play(game, options, settings, log, operator)
            except (Cancelled, Stopped):
                return interrupted(console, stop)
    return conclude(console, log, failure, options, stop)


def _play(
    game: PrivateGame,
    options: PlayOptions,
    settings: Settings,
    log: GameLog,
    operator: Operator,
) -> Failure | None:
    """Play the game in this process; return why it ended early, or None."""
    adopt_screen(game.access)
    # Imported here, because the reader and the mouse open the current display.
    from gui.commands.learn import print_broken_skins  # noqa: PLC0415
    from gui.private.opening import await_board  # noqa: PLC0415
    from gui.runner.backend import Desktop  # noqa: PLC0415

    desktop = Desktop(environment=dict(os.environ))
    print_broken_skins(desktop.broken)
    board = await_board(
        desktop, game.name, game.ended, options.window, settings.mines, operator.stopped
    )
    window = board.key if isinstance(board.key, int) else options.window

    def failure(error: BaseException) -> Failure:
        return game.explained(desktop.failure(error))

    turns = desktop.play(window, lambda: settings, operator)
    return follow(turns, log, operator.stopped, options.pace, failure)
