"""What the folders of sessions are called, and which is the older of two.

A name begins with the local time, but the order is that in which the folders were made: a
clock that was set back, or the hour that a time zone has twice, would else make the newest
session the oldest, and the first to go.
"""

from __future__ import annotations

import re
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Final

from vision.recording import SessionError

_NAME: Final = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}-[0-9]{2}-[0-9]{2})(?:-([0-9]{1,9}))?"
)


def is_ours(name: str) -> bool:
    """Return whether a folder's name is one that is given here."""
    return _NAME.fullmatch(name) is not None


def age(name: str) -> tuple[str, int]:
    """Return what folders' names are sorted by, the oldest first; `-10` comes after `-9`."""
    ours = _NAME.fullmatch(name)
    return (name, 0) if ours is None else (ours[1], int(ours[2] or 1))


def new_session_folder(sessions: Path, started: datetime) -> Path:
    """Make a folder that sorts after all that are there.

    Raises:
        SessionError: It cannot be made.
    """
    stem, begin = started.strftime("%Y-%m-%dT%H-%M-%S"), 1
    try:
        sessions.mkdir(parents=True, exist_ok=True)
        ours = (age(child.name) for child in sessions.iterdir() if is_ours(child.name))
        newest = max(ours, default=("", 0))
        if newest >= (stem, begin):
            stem, begin = newest[0], newest[1] + 1
        for number in count(begin):
            folder = sessions / (stem if number == 1 else f"{stem}-{number}")
            try:
                folder.mkdir()
            except FileExistsError:
                # Another process was faster.
                continue
            return folder
    except OSError as error:
        raise SessionError(
            f"{sessions} cannot be written: {error.strerror}. Play with --no-record, or say where "
            "with MINESWEEPER_BOT_HOME"
        ) from error
    raise AssertionError
