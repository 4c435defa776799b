"""Summarise a session from the begin and end of its files, without the turns between.

Hundreds of them are listed at once, and some may be torn, damaged or no sessions at all:
nothing here raises; the summary contains the problem.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, Final

from pydantic import ValidationError

from bot.board import Board
from bot.frame import Status
from vision.files import open_file, read_whole
from vision.sessions import (
    INFO_BYTES,
    LINE_BYTES,
    SessionError,
    SessionInfo,
    TurnRecord,
    first_problem,
)
from vision.sessions.session_files import INFO, TURNS, age, is_kept

_STEP: Final = 1 << 16
"""Number of bytes read at once, from the end."""


@dataclass(frozen=True, eq=False)
class Summary:
    """A session in a list."""

    folder: Path
    started: datetime
    """Time by its own data; else the last modification of its folder."""
    kept: bool
    """Whether it is excluded from automatic deletion."""
    info: SessionInfo | None = None
    board: Board | None = None
    """The last recorded board."""
    status: Status | None = None
    """The status of that board."""
    turns: int = 0
    seconds: float = 0.0
    """Seconds from the first frame to the last one."""
    torn: bool = False
    """Whether the last line was cut off: the program was killed, or is writing it."""
    problem: str = ""
    """Reason why it cannot be shown; empty if it can."""

    @property
    def result(self) -> str:
        """'won', 'lost', 'unfinished' or 'broken'."""
        if self.problem or self.status is None:
            return "broken"
        return self.status.value if self.status.over else "unfinished"


def session_folders(folder: Path) -> list[Path]:
    """Return the folders that may be sessions, in reverse order of names: the newest first.

    Raises:
        SessionError: The folder cannot be read.
    """
    try:
        with os.scandir(folder) as entries:
            names = [entry.name for entry in entries if entry.is_dir() and entry.name[0] != "."]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise SessionError(f"{folder} cannot be read: {error.strerror or error}") from error
    return [folder / name for name in sorted(names, key=age, reverse=True)]


def stamp(folder: Path) -> tuple[object, ...]:
    """Return a value that changes whenever a session does, so that it is read only then."""
    changed: list[object] = [is_kept(folder)]
    for name in (INFO, TURNS):
        try:
            status = (folder / name).stat()
        except OSError:
            changed.append(None)
        else:
            changed.append((status.st_mtime_ns, status.st_size))
    return tuple(changed)


def summarise(folder: Path) -> Summary:
    """Read the ends of a session; a read error becomes the summary's `problem`."""
    kept = is_kept(folder)
    started = _changed(folder)
    info: SessionInfo | None = None
    file_name = INFO
    try:
        info = SessionInfo.model_validate_json(read_whole(folder / INFO, INFO_BYTES))
        file_name = TURNS
        started = _time(info.started) or started
        with open_file(folder / TURNS) as file:
            last, torn = _last(file)
            file.seek(0)
            first = _record(file.readline(LINE_BYTES))
        board = last.parsed_board()
    except FileNotFoundError as error:
        problem = f"it has no {Path(error.filename).name}"
    except OSError as error:
        problem = f"it cannot be read: {error.strerror or error}"
    except ValidationError as error:
        problem = f"{file_name}: {first_problem(error)}"
    except ValueError as error:
        problem = str(error)
    else:
        seconds = max(0.0, last.time - first.time)
        turns = last.number + 1
        return Summary(folder, started, kept, info, board, last.status, turns, seconds, torn)
    return Summary(folder, started, kept, info, problem=problem)


def _changed(folder: Path) -> datetime:
    try:
        return datetime.fromtimestamp(folder.stat().st_mtime, UTC).astimezone()
    except OSError:
        return datetime.fromtimestamp(0, UTC)


def _time(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text).astimezone()
    except (ValueError, OverflowError):
        return None


def _record(line: bytes) -> TurnRecord:
    return TurnRecord.model_validate_json(line)


def _last(file: BinaryIO) -> tuple[TurnRecord, bool]:
    """Return the last complete turn, and whether another one was begun after it.

    Raises:
        ValueError: There is no complete turn.
    """
    lines = _from_the_end(file)
    line = next(lines, b"")
    if not line:
        raise ValueError("it holds no turn: the program ended before the first one")
    if line.endswith(b"\n"):
        return _record(line), False
    try:
        return _record(line), False
    except ValidationError:
        before = next(lines, b"")
        if not before:
            raise ValueError("it holds no whole turn: the only one was cut off") from None
        return _record(before), True


def _from_the_end(file: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a file in reverse order, with their line ends."""
    at = file.seek(0, os.SEEK_END)
    rest = b""
    while at > 0:
        step = min(_STEP, at)
        at = file.seek(at - step)
        rest = file.read(step) + rest
        first, *lines = rest.splitlines(keepends=True)
        yield from reversed(lines)
        rest = first
        if len(rest) > LINE_BYTES:
            raise ValueError("it has a line that is longer than any of ours")
    if rest:
        yield rest
