"""Which recorded sessions are kept: the newest, and those that the user marked.

Only what is a session is ever removed: a folder of its own in the folder of sessions, with
a `session.json`. That file goes last, so that a removal that was broken off is found again.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

KEPT: Final = "kept"
"""An empty file of this name in a session's folder keeps it for good."""
_INFO: Final = "session.json"


class PruningError(RuntimeError):
    """A session cannot be marked or removed; the message names it and the reason."""


@dataclass(frozen=True)
class Held:
    """A session as it lies on the disk."""

    folder: Path
    bytes: int
    kept: bool
    """Whether the user marked it."""


def is_kept(session: Path) -> bool:
    """Whether a session is never removed by itself."""
    return (session / KEPT).exists()


def set_kept(session: Path, kept: bool) -> None:
    """Mark a session, or take the mark away.

    Raises:
        PruningError: The folder cannot be written.
    """
    try:
        if kept:
            (session / KEPT).touch()
        else:
            (session / KEPT).unlink(missing_ok=True)
    except OSError as error:
        raise PruningError(f"{session} cannot be marked: {error.strerror or error}") from error


def held(sessions: Path, tick: Callable[[], object] = lambda: None) -> list[Held]:
    """The sessions of a folder, the oldest first: their names begin with their time.

    Args:
        sessions: The folder; without it there are none.
        tick: Called before each; may raise, to break it off.
    """
    found = []
    for folder in sorted(sessions.iterdir()) if sessions.is_dir() else ():
        if folder.is_symlink() or not (folder / _INFO).is_file():
            continue
        tick()
        size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
        found.append(Held(folder, size, is_kept(folder)))
    return found


def superfluous(found: Sequence[Held], sessions: int | None, megabytes: int | None) -> list[Held]:
    """What has to go, the oldest first; never the newest one, nor one that is marked.

    Args:
        found: As `held` tells them.
        sessions: How many may stay; None for all.
        megabytes: How many millions of bytes they may take; None for any number.
    """
    count, size = len(found), sum(one.bytes for one in found)
    going = []
    for one in found[:-1]:
        few = sessions is None or count <= sessions
        small = megabytes is None or size <= megabytes * 1_000_000
        if few and small:
            break
        if not one.kept:
            going.append(one)
            count -= 1
            size -= one.bytes
    return going


def prune(
    sessions: Path,
    most: int | None,
    megabytes: int | None,
    tick: Callable[[], object] = lambda: None,
) -> int:
    """Remove what has to go.

    Returns:
        How many sessions were removed.

    Raises:
        PruningError: One cannot be removed.
    """
    going = superfluous(held(sessions, tick), most, megabytes)
    for one in going:
        tick()
        try:
            for part in one.folder.iterdir():
                if part.is_dir() and not part.is_symlink():
                    shutil.rmtree(part)
                elif part.name != _INFO:
                    part.unlink()
            shutil.rmtree(one.folder)
        except OSError as error:
            raise PruningError(
                f"the recorded game {one.folder} cannot be removed: {error.strerror or error}"
            ) from error
    return len(going)
