"""Which recorded sessions are kept: the newest, those that the user marked, and those in work."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bot.analysis import Cancelled
from bot.loop import Turn
from vision.files import clear_leftovers
from vision.sessions import SessionError
from vision.sessions.session_files import (
    TURNS,
    age,
    delete,
    is_being_written,
    is_kept,
    is_ours,
    is_session,
)


@dataclass(frozen=True)
class Held:
    """A session as it lies on the disk."""

    folder: Path
    bytes: int
    kept: bool
    """Whether it may not go: the user marked it, or a game is being recorded into it."""


def held(sessions: Path, tick: Callable[[], object] = lambda: None) -> list[Held]:
    """Return the sessions of a folder, the oldest first: their names say which that is.

    Args:
        sessions: The folder; without it there are none.
        tick: Called before each; may raise, to break it off.
    """
    return Sizes().held(sessions, tick)


class Sizes:
    """Remembers how large sessions are, look after look: one that is over stays as it is."""

    def __init__(self) -> None:
        self._known: dict[Path, tuple[object, int]] = {}

    def held(self, sessions: Path, tick: Callable[[], object] = lambda: None) -> list[Held]:
        """As the function of this name."""
        found = []
        folders = sessions.iterdir() if sessions.is_dir() else ()
        for folder in sorted(folders, key=lambda one: age(one.name)):
            if not is_session(folder):
                continue
            tick()
            kept = is_kept(folder) or is_being_written(folder)
            found.append(Held(folder, self._of(folder), kept))
        return found

    def _of(self, folder: Path) -> int:
        try:
            turns = (folder / TURNS).stat()
            stamp: object = turns.st_mtime_ns, turns.st_size
        except OSError:
            stamp = None
        known = self._known.get(folder)
        if stamp is None or known is None or known[0] != stamp:
            size = sum(file.lstat().st_size for file in folder.rglob("*") if file.is_file())
            known = self._known[folder] = stamp, size
        return known[1]


def superfluous(found: Sequence[Held], sessions: int | None, megabytes: int | None) -> list[Held]:
    """Return what has to go, the oldest first; never the newest one, nor one that may not go.

    Args:
        found: As `held` returns them.
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
    sizes: Sizes | None = None,
) -> int:
    """Remove what has to go, and what killed processes left behind.

    Args:
        sessions: The folder.
        most: Sessions that may stay; None for all.
        megabytes: Millions of bytes that they may take; None for any number.
        tick: Called again and again; may raise, to break it off.
        sizes: Remembered from the last time.

    Returns:
        How many sessions were removed.

    Raises:
        SessionError: One cannot be removed; the others were.
    """
    clear_leftovers(sessions, is_ours)
    going = superfluous((sizes or Sizes()).held(sessions, tick), most, megabytes)
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


class Room:
    """Keeps a folder within its limits while games are recorded into it, behind the play."""

    def __init__(self) -> None:
        self._sizes = Sizes()
        self._limits: tuple[Path, int | None, int | None] | None = None
        self._ending = threading.Event()
        self._thread: threading.Thread | None = None
        self._trouble = ""

    def make(self, sessions: Path, most: int | None, megabytes: int | None) -> None:
        """Remove what is too much, without waiting; nothing where that is still under way."""
        self._limits = None if most is None and megabytes is None else (sessions, most, megabytes)
        if self._limits is None or (self._thread is not None and self._thread.is_alive()):
            return
        self._thread = threading.Thread(target=self._prune, args=self._limits, name="making room")
        self._thread.start()

    def remarked(self, turn: Turn) -> Turn:
        """Return the turn, with why a session could not be removed as a remark."""
        if not self._trouble:
            return turn
        reading = turn.reading
        return replace(turn, reading=replace(reading, remarks=(*reading.remarks, self._trouble)))

    def close(self) -> None:
        """Break off what is under way; where nothing is, the last session counts as well."""
        if self._thread is not None and self._thread.is_alive():
            self._ending.set()
            self._thread.join()
        elif self._limits is not None:
            self._prune(*self._limits)

    def _prune(self, sessions: Path, most: int | None, megabytes: int | None) -> None:
        try:
            prune(sessions, most, megabytes, self._tick, self._sizes)
            self._trouble = ""
        except SessionError as error:
            self._trouble = str(error)
        except OSError as error:
            self._trouble = f"{sessions} cannot be read: {error.strerror or error}"
        except Cancelled:
            return

    def _tick(self) -> None:
        if self._ending.is_set():
            raise Cancelled
