"""A player for a board, and what follows its games: recordings beyond the limits are removed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from PyQt6.QtCore import QObject

from bot.loop import Stop, Turn
from gui.aftergames import rests
from gui.panel.jobs import Job, Jobs, Progress
from gui.player import Player
from gui.protocol import Ask, Backend, Candidate
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
    """Plays as is chosen at each moment; which game it is and its mines stay as they are.

    Args:
        backend: Eye, brain and hand.
        board: What is played.
        choices: What the user chose.
        mines: How many there are, where the user told.
        parent: Owns the player.
        watching: The user plays, and is watched: nothing waits, and nothing is clicked.
    """
    fixed = {"digging": choices().digging, "mines": mines}

    def now() -> Settings:
        return choices().model_copy(update=fixed)

    if watching:
        return Player(partial(backend.watch, board, now), backend.failure, parent)

    def turns(stop: Stop, ask: Ask) -> Iterator[Turn]:
        return backend.turns(board, now, stop, ask, player.hold, player, player.waits)

    player = Player(turns, backend.failure, parent, lambda turn: rests(now(), turn))
    player.set_pace(choices().pace)
    return player


def prune_recordings(jobs: Jobs, settings: Settings) -> Job | None:
    """Remove the oldest recordings, as many as the settings say; None where they say none."""
    limits = settings.keep_sessions, settings.keep_megabytes
    if limits == (None, None):
        return None

    def work(progress: Progress) -> int:
        # Here: reading sessions loads OpenCV, which would hold up the panel's start.
        from vision.pruning import prune  # noqa: PLC0415

        return prune(settings.sessions_folder, *limits, lambda: progress.tell(None))

    return jobs.start("Removing the oldest recordings", work)
