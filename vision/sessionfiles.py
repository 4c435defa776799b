"""Sessions as files: marked as kept, copied, packed, deleted.

Nothing is ever deleted but what a session consists of: a folder that holds anything else
keeps it, and stays.
"""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from vision.files import write_whole
from vision.recording import Session, SessionError

INFO: Final = "session.json"
TURNS: Final = "turns.jsonl"
FRAMES: Final = "frames"
KEPT: Final = "kept"
"""An empty file of this name in a session's folder: it is never deleted by itself."""

Tell = Callable[[float], object]
"""Is told the share that is done, 0..1; raises where the work is not wanted any more."""


def is_kept(folder: Path) -> bool:
    """Whether a session is marked: whoever makes room leaves it alone."""
    return (folder / KEPT).is_file()


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
        SessionError: It is no session, a link, holds other files, or cannot be deleted; what
            was not deleted is still there.
    """
    if folder.is_symlink():
        raise SessionError(f"{folder} is a link: delete it yourself, or what it points to")
    if not any((folder / name).is_file() for name in (INFO, TURNS)):
        raise SessionError(f"{folder} is no session: nothing was deleted")
    parts = list(_parts(folder))
    others = {path for path in folder.rglob("*") if not path.is_dir()} - set(parts)
    try:
        for path in parts:
            path.unlink()
        if not others:
            if (folder / FRAMES).is_dir():
                (folder / FRAMES).rmdir()
            folder.rmdir()
    except OSError as error:
        raise SessionError(f"{folder} cannot be deleted: {error.strerror or error}") from error
    if others:
        names = ", ".join(sorted(path.name for path in others)[:3])
        raise SessionError(f"{folder} holds files that are no session's ({names}): they were left")


def copy(folder: Path, target: Path, tell: Tell = lambda _share: None) -> None:
    """Copy a session into a folder that is made for it.

    Raises:
        SessionError: There is something already, or it cannot be read or written.
    """
    parts = list(_parts(folder))
    try:
        target.mkdir(parents=True)
    except FileExistsError as error:
        raise SessionError(f"{target} is there already: choose another name") from error
    except OSError as error:
        raise SessionError(f"{target} cannot be written: {error.strerror or error}") from error
    try:
        (target / FRAMES).mkdir()
        for number, path in enumerate(parts):
            tell(number / len(parts))
            shutil.copyfile(path, target / path.relative_to(folder))
    except BaseException as error:
        shutil.rmtree(target, ignore_errors=True)
        if isinstance(error, OSError):
            raise SessionError(f"{target} cannot be written: {error}") from error
        raise


def pack(folder: Path, target: Path, tell: Tell = lambda _share: None) -> None:
    """Copy a session into a zip file, in a folder of its name; all of it or nothing.

    Raises:
        SessionError: It cannot be read or written.
    """
    parts = list(_parts(folder))
    begun = target.with_name(f".{target.name}.part")
    try:
        with zipfile.ZipFile(begun, "w", zipfile.ZIP_DEFLATED) as archive:
            for number, path in enumerate(parts):
                tell(number / len(parts))
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


def write_json(session: Session, target: Path, tell: Tell = lambda _share: None) -> None:
    """Write a session as one JSON document: `info`, and `turns` as the lines have them.

    Raises:
        SessionError: It cannot be written.
    """
    turns = []
    for number, record in enumerate(session.records):
        tell(number / len(session))
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
    """The files that a session consists of."""
    for name in (INFO, TURNS, KEPT):
        if (folder / name).is_file():
            yield folder / name
    frames = folder / FRAMES
    if frames.is_dir() and not frames.is_symlink():
        yield from sorted(path for path in frames.glob("*.png") if path.is_file())
