"""Starts the terminal game."""

from __future__ import annotations

import sys

from gui.terminal.app import TerminalGame
from gui.terminal.options import TerminalOptions


class NoTerminal(RuntimeError):
    """There is no terminal to play in."""


def run_terminal(options: TerminalOptions) -> int:
    """Run the game in this terminal until the user leaves.

    Returns:
        The process's exit code.

    Raises:
        NoTerminal: Input or output is a file or a pipe.
        UnknownSolver: There is no such solver.
    """
    game = TerminalGame(options)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise NoTerminal("--terminal plays in a terminal, and this is a file or a pipe")
    game.run()
    return game.return_code or 0
