"""Manage sessions as files: name, mark as kept, copy, pack, delete, prune.

The name of a session's folder begins with the local time. The names sort in the order of creation,
even if the clock was set back.

Only the files of a session are ever deleted: a folder with other files keeps them and remains. A
session is deleted completely or not at all, even if the process is killed.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import threading
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Final

from bot.analysis import Cancelled
from bot.loop import Turn
from vision.files import PART, clear_leftovers, is_leftover, is_open, remove_folder, write_whole
from vision.sessions import Session, SessionError

INFO: Final = "session.json"
TURNS: Final = "turns.jsonl"
FRAMES: Final = "frames"
KEPT: Final = "kept"
"""Name of an empty file in a session's folder that excludes it from automatic deletion."""

Progress = Callable[[float], object]
"""Called with the completed share, 0..1; raises if the work was cancelled."""

_NAME: Final = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}-[0-9]{2}-[0-9]{2})(?:-([0-9]{1,9}))?"
)


def is_ours(name: str) -> bool:
    """Return whether a folder's name has the form of the names created here."""
    return _NAME.fullmatch(name) is not None


def age(name: str) -> tuple[str, int]:
    """Return the sort key of folders, the oldest first; `-10` comes after `-9`."""
    ours = _NAME.fullmatch(name)
    return (name, 0) if ours is None else (ours[1], int(ours[2] or 1))


def new_session_folder(sessions: Path, started: datetime) -> Path:
    """Create a folder that sorts after all existing ones.

    Raises:
        SessionError: The folder cannot be created.
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
            f"{sessions} cannot be written: {error.strerror}. Choose another folder, or play "
            "without recording"
        ) from error
    raise AssertionError


def is_kept(folder: Path) -> bool:
    """Return whether a session is marked: it is not deleted to free space."""
    return (folder / KEPT).is_file()


def is_session(folder: Path) -> bool:
    """Return whether a folder is a session, or the rest of one left by a killed process."""
    if folder.is_symlink() or not folder.is_dir():
        return False
    if (folder / INFO).is_file():
        return True
    return is_ours(folder.name) and not _others(folder, _parts(folder))


def is_being_written(folder: Path) -> bool:
    """Return whether a game is being recorded into the session."""
    return is_open(folder / TURNS)


def keep(folder: Path, *, kept: bool) -> None:
    """Mark a session, or remove the mark.

    Raises:
        SessionError: The folder cannot be written.
    """
    try:
        if kept:
            (folder / KEPT).touch()
        else:
            (folder / KEPT).unlink(missing_ok=True)
    except OSError as error:
        raise SessionError(f"{folder} cannot be written: {error.strerror or error}") from error


def delete(folder: Path) -> None:
    """Delete a session.

    Raises:
        SessionError: The folder is no session, is a link, is being written, holds other files, or
            cannot be deleted; the remaining files are kept.
    """
    if folder.is_symlink():
        raise SessionError(f"{folder} is a link: delete it yourself, or what it points to")
    parts = list(_parts(folder))
    others = _others(folder, parts)
    # A session whose process was killed at once is empty.
    if others and not any((folder / name).is_file() for name in (INFO, TURNS)):
        raise SessionError(f"{folder} is no session: nothing was deleted")
    if is_being_written(folder):
        raise SessionError(f"{folder} is being written: stop the game first")
    try:
        if not others:
            remove_folder(folder)
            return
        # The files that identify a session are deleted last, so that an interrupted deletion can be
        # repeated.
        for path in reversed(parts):
            path.unlink()
    except OSError as error:
        raise SessionError(f"{folder} cannot be deleted: {error.strerror or error}") from error
    names = ", ".join(sorted(path.name for path in others)[:3])
    raise SessionError(f"{folder} holds files that are no session's ({names}): they were left")


def copy(folder: Path, target: Path, progress: Progress = lambda _share: None) -> None:
    """Copy a session into a new folder; all of it or nothing.

    Raises:
        SessionError: The target exists, or the session cannot be read or written.
    """
    parts = list(_parts(folder))
    begun = target.with_name(f".{target.name}{PART}")
    if os.path.lexists(target):
        raise SessionError(f"{target} is there already: choose another name")
    try:
        shutil.rmtree(begun, ignore_errors=True)
        (begun / FRAMES).mkdir(parents=True)
        for number, path in enumerate(parts):
            progress(number / len(parts))
            shutil.copyfile(path, begun / path.relative_to(folder))
        begun.rename(target)
    except OSError as error:
        raise SessionError(f"{target} cannot be written: {error.strerror or error}") from error
    finally:
        shutil.rmtree(begun, ignore_errors=True)


def pack(folder: Path, target: Path, progress: Progress = lambda _share: None) -> None:
    """Copy a session into a zip file, in a folder of its name; all of it or nothing.

    Raises:
        SessionError: The session cannot be read or written.
    """
    parts = list(_parts(folder))
    begun = target.with_name(f".{target.name}{PART}")
    try:
        with zipfile.ZipFile(begun, "w", zipfile.ZIP_DEFLATED) as archive:
            for number, path in enumerate(parts):
                progress(number / len(parts))
                # Pictures are compressed already.
                how = zipfile.ZIP_STORED if path.suffix == ".png" else zipfile.ZIP_DEFLATED
                name = f"{folder.name}/{path.relative_to(folder).as_posix()}"
                archive.write(path, name, how)
        begun.replace(target)
    except OSError as error:
        raise SessionError(f"{target} cannot be written: {error}") from error
    finally:
        with suppress(OSError):
            begun.unlink(missing_ok=True)


def write_json(session: Session, target: Path, progress: Progress = lambda _share: None) -> None:
    """Write a session as one JSON document: `info`, and `turns` with the content of the lines.

    Cells are [row, column], zero-based.

    Raises:
        SessionError: The file cannot be written.
    """
    turns = []
    for number, record in enumerate(session.records):
        progress(number / len(session))
        turns.append(record.model_dump_json())
    torn = json.dumps(session.torn)
    text = (
        f'{{"info": {session.info.model_dump_json()},\n"torn": {torn},\n"turns": [\n'
        + ",\n".join(turns)
        + "\n]}\n"
    )
    write_text(target, text)


def write_text(target: Path, text: str) -> None:
    """Write a text file atomically.

    Raises:
        SessionError: The file cannot be written.
    """
    try:
        write_whole(target, text.encode())
    except OSError as error:
        raise SessionError(f"{target} cannot be written: {error.strerror or error}") from error


def _parts(folder: Path) -> Iterator[Path]:
    """Yield the files of a session; links are skipped because they may lead anywhere."""
    frames = folder / FRAMES
    pictures = sorted(frames.glob("*.png")) if not frames.is_symlink() else ()
    for path in (*(folder / name for name in (INFO, TURNS, KEPT)), *pictures):
        if path.is_file() and not path.is_symlink():
            yield path


def _others(folder: Path, parts: Iterable[Path]) -> set[Path]:
    """Return the files that do not belong to the session, without leftovers of killed processes."""
    known = {*parts, folder / FRAMES}
    return {
        path
        for path in folder.rglob("*")
        if path.is_symlink() or (path not in known and not is_leftover(path))
    }


@dataclass(frozen=True)
class Held:
    """A session on the disk."""

    folder: Path
    bytes: int
    kept: bool
    """Whether it must not be deleted: the user marked it, or a game is being recorded into it."""


def held(sessions: Path, tick: Callable[[], object] = lambda: None) -> list[Held]:
    """Return the sessions of a folder, the oldest first by name.

    `tick` is called before each; it may raise to cancel.
    """
    return Sizes().held(sessions, tick)


class Sizes:
    """Cache of session sizes: a finished session does not change."""

    def __init__(self) -> None:
        self._known: dict[Path, tuple[object, int]] = {}

    def held(self, sessions: Path, tick: Callable[[], object] = lambda: None) -> list[Held]:
        """Return the sessions of a folder, like the function of this name."""
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
    """Return the sessions to delete, the oldest first; never the newest, nor a protected one.

    None means no limit on the number of sessions, or on their size in millions of bytes.
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
    """Delete superfluous sessions and leftovers of killed processes; return their number.

    None means no limit. `tick` is called repeatedly; it may raise to cancel. `sizes` is a cache
    from earlier calls.

    Raises:
        SessionError: A session cannot be deleted; the others were.
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
    """Keeps a folder within its limits while games are recorded, in a background thread."""

    def __init__(self) -> None:
        self._sizes = Sizes()
        self._limits: tuple[Path, int | None, int | None] | None = None
        self._ending = threading.Event()
        self._thread: threading.Thread | None = None
        self._trouble = ""

    def make(self, sessions: Path, most: int | None, megabytes: int | None) -> None:
        """Delete superfluous sessions, without waiting; do nothing if that is still in progress."""
        self._limits = None if most is None and megabytes is None else (sessions, most, megabytes)
        if self._limits is None or (self._thread is not None and self._thread.is_alive()):
            return
        self._thread = threading.Thread(target=self._prune, args=self._limits, name="making room")
        self._thread.start()

    def remarked(self, turn: Turn) -> Turn:
        """Return the turn, with a remark if a session could not be deleted."""
        if not self._trouble:
            return turn
        reading = turn.reading
        return replace(turn, reading=replace(reading, remarks=(*reading.remarks, self._trouble)))

    def close(self) -> None:
        """Cancel the work in progress; without any, check the last session as well."""
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
