"""Which recorded sessions are kept: the newest, and those that the user marked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from vision.recording import SessionError
from vision.sessionfiles import INFO, delete, is_kept


@dataclass(frozen=True)
class Held:
    """A session as it lies on the disk."""

    folder: Path
    bytes: int
    kept: bool
    """Whether the user marked it."""


def held(sessions: Path, tick: Callable[[], object] = lambda: None) -> list[Held]:
    """The sessions of a folder, the oldest first: their names begin with their time.

    Args:
        sessions: The folder; without it there are none.
        tick: Called before each; may raise, to break it off.
    """
    found = []
    for folder in sorted(sessions.iterdir()) if sessions.is_dir() else ():
        if folder.is_symlink() or not (folder / INFO).is_file():
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
        SessionError: One cannot be removed; the others were.
    """
    going = superfluous(held(sessions, tick), most, megabytes)
    trouble: SessionError | None = None
    for one in going:
        tick()
        try:
            delete(one.folder)
        except SessionError as error:
            trouble = trouble or error
    if trouble is not None:
        raise trouble
    return len(going)
