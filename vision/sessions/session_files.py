"""Sessions as files: named, marked as kept, copied, packed, deleted.

The name of a session's folder begins with the local time. The order of the names is that in which
the folders were made, even if the clock was set back.

Nothing is ever deleted but what a session consists of: a folder that holds anything else
keeps it, and stays. A session goes as a whole, whenever the process is killed.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Final

from vision.files import PART, is_leftover, is_open, remove_folder, write_whole
from vision.sessions import Session, SessionError

INFO: Final = "session.json"
TURNS: Final = "turns.jsonl"
FRAMES: Final = "frames"
KEPT: Final = "kept"
"""An empty file of this name in a session's folder: it is never deleted by itself."""

ReportProgress = Callable[[float], object]
"""Called with the completed share, 0..1; raises if the work was cancelled."""

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


def is_kept(folder: Path) -> bool:
    """Return whether a session is marked: it is not deleted to make room."""
    return (folder / KEPT).is_file()


def is_session(folder: Path) -> bool:
    """Return whether a folder is a session, or what a process that was killed left of one."""
    if folder.is_symlink() or not folder.is_dir():
        return False
    if (folder / INFO).is_file():
        return True
    return is_ours(folder.name) and not _others(folder, _parts(folder))


def is_being_written(folder: Path) -> bool:
    """Return whether a game is recorded into it at this moment; never true on Windows."""
    return is_open(folder / TURNS)


def keep(folder: Path, *, kept: bool) -> None:
    """Mark a session, or take the mark away.

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
        SessionError: It is no session, a link, being written, holds other files, or cannot be
            deleted; what was not deleted is still there.
    """
    if folder.is_symlink():
        raise SessionError(f"{folder} is a link: delete it yourself, or what it points to")
    parts = list(_parts(folder))
    others = _others(folder, parts)
    # One whose process was killed at once has nothing in it.
    if others and not any((folder / name).is_file() for name in (INFO, TURNS)):
        raise SessionError(f"{folder} is no session: nothing was deleted")
    if is_being_written(folder):
        raise SessionError(f"{folder} is being written: stop the game first")
    try:
        if not others:
            remove_folder(folder)
            return
        # What makes it a session goes last: whatever stops here, it can be tried again.
        for path in reversed(parts):
            path.unlink()
    except OSError as error:
        raise SessionError(f"{folder} cannot be deleted: {error.strerror or error}") from error
    names = ", ".join(sorted(path.name for path in others)[:3])
    raise SessionError(f"{folder} holds files that are no session's ({names}): they were left")


def copy(folder: Path, target: Path, report: ReportProgress = lambda _share: None) -> None:
    """Copy a session into a folder that is made for it; all of it or nothing.

    Raises:
        SessionError: There is something already, or it cannot be read or written.
    """
    parts = list(_parts(folder))
    begun = target.with_name(f".{target.name}{PART}")
    if os.path.lexists(target):
        raise SessionError(f"{target} is there already: choose another name")
    try:
        shutil.rmtree(begun, ignore_errors=True)
        (begun / FRAMES).mkdir(parents=True)
        for number, path in enumerate(parts):
            report(number / len(parts))
            shutil.copyfile(path, begun / path.relative_to(folder))
        begun.rename(target)
    except OSError as error:
        raise SessionError(f"{target} cannot be written: {error.strerror or error}") from error
    finally:
        shutil.rmtree(begun, ignore_errors=True)


def pack(folder: Path, target: Path, report: ReportProgress = lambda _share: None) -> None:
    """Copy a session into a zip file, in a folder of its name; all of it or nothing.

    Raises:
        SessionError: It cannot be read or written.
    """
    parts = list(_parts(folder))
    begun = target.with_name(f".{target.name}{PART}")
    try:
        with zipfile.ZipFile(begun, "w", zipfile.ZIP_DEFLATED) as archive:
            for number, path in enumerate(parts):
                report(number / len(parts))
                # Pictures are packed already.
                how = zipfile.ZIP_STORED if path.suffix == ".png" else zipfile.ZIP_DEFLATED
                name = f"{folder.name}/{path.relative_to(folder).as_posix()}"
                archive.write(path, name, how)
        begun.replace(target)
    except OSError as error:
        raise SessionError(f"{target} cannot be written: {error}") from error
    finally:
        with suppress(OSError):
            begun.unlink(missing_ok=True)


def write_json(
    session: Session, target: Path, report: ReportProgress = lambda _share: None
) -> None:
    """Write a session as one JSON document: `info`, and `turns` as the lines have them.

    Cells are [row, column], zero-based.

    Raises:
        SessionError: It cannot be written.
    """
    turns = []
    for number, record in enumerate(session.records):
        report(number / len(session))
        turns.append(record.model_dump_json())
    torn = json.dumps(session.torn)
    text = (
        f'{{"info": {session.info.model_dump_json()},\n"torn": {torn},\n"turns": [\n'
        + ",\n".join(turns)
        + "\n]}\n"
    )
    write_text(target, text)


def write_text(target: Path, text: str) -> None:
    """Write a text file, whole or not at all.

    Raises:
        SessionError: It cannot be written.
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
    """Return the files that do not belong to the session, without what a killed process left."""
    known = {*parts, folder / FRAMES}
    return {
        path
        for path in folder.rglob("*")
        if path.is_symlink() or (path not in known and not is_leftover(path))
    }
