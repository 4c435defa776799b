"""Creates a player for a board, and removes recordings beyond the limits after its games."""

from __future__ import annotations

from functools import partial

from PyQt6.QtCore import QObject

from gui.panel.jobs import Job, Jobs, Progress
from gui.runner.player import Player, pauses_before
from gui.runner.protocol import Backend, Candidate
from gui.settings import Choices, Settings


def make_player(
    backend: Backend,
    board: Candidate,
    choices: Choices,
    mines: int | None,
    parent: QObject,
    *,
    watching: bool = False,
) -> Player:
    """Create a player that follows the current settings; rules and mines stay fixed.

    Args:
        backend: Reads the screen, solves and clicks.
        board: The board to play.
        choices: Returns the current settings.
        mines: The number of mines, if the user entered it.
        parent: Owns the player.
        watching: The user plays; nothing waits and nothing is clicked.
    """
    fixed = {"digging": choices().digging, "mines": mines}

    def now() -> Settings:
        return choices().model_copy(update=fixed)

    if watching:
        return Player(partial(backend.watch, board, now), backend.failure, parent)
    turns = partial(backend.turns, board, now)
    player = Player(turns, backend.failure, parent, lambda turn: pauses_before(now(), turn))
    player.set_pace(choices().pace)
    return player


def prune_recordings(jobs: Jobs, settings: Settings) -> Job | None:
    """Remove the oldest recordings beyond the limits; None without limits."""
    limits = settings.keep_sessions, settings.keep_megabytes
    if limits == (None, None):
        return None

    def work(progress: Progress) -> int:
        # Imported here: it loads OpenCV, which would slow down the panel's start.
        from vision.sessions.pruning import prune  # noqa: PLC0415

        return prune(settings.sessions_folder, *limits, lambda: progress.tell(None))

    return jobs.start("Removing the oldest recordings", work)
