"""Recorded games, turn by turn: the format, and the reader.

A session is a folder:

    session.json     who played what, where and with which solver
    turns.jsonl      one line a turn, written before the next turn is passed on
    frames/*.png     the captured view of each turn, lossless

`writer` writes them, one turn behind the game: a process that is killed loses at most its last
turn. It may leave an incomplete last line, which the reader leaves out and reports.

A session may come from anyone (a bug report): names are checked, sizes are limited, and
nothing in it is executed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from pydantic import ValidationError

from bot.frame import Frame, Region
from bot.loop import Turn
from vision.capture import ImageError, load_image
from vision.files import open_file, read_whole
from vision.sessions.records import SessionInfo, TurnRecord, turn_of

INFO_BYTES: Final = 1_000_000
"""Of session.json, at the most."""
LINE_BYTES: Final = 4_000_000
"""A line is shorter than that."""
_LINES: Final = 100_000
_BYTES: Final = 400_000_000
"""Of all lines: an hour's game of ours has a hundredth of it."""

_PIXEL: Final = np.zeros((1, 1, 3), np.uint8)


class SessionError(ValueError):
    """A session that cannot be read or written; names the file and the reason."""


@dataclass(frozen=True)
class Session:
    """A recorded game."""

    folder: Path
    info: SessionInfo
    records: tuple[TurnRecord, ...]
    torn: bool
    """Whether the last line was cut off and left out."""

    def __len__(self) -> int:
        return len(self.records)

    def turns(self) -> Iterator[Turn]:
        """Yield the turns in order, and load their frames one at a time.

        Raises:
            SessionError: A frame is missing or damaged, or a record contradicts itself.
        """
        for index in range(len(self)):
            yield self.turn(index)

    def turn(self, index: int) -> Turn:
        """One turn; raises as `turns` does."""
        record = self.records[index]
        try:
            return turn_of(record, self.frame(index))
        except (ValueError, OSError) as error:
            raise SessionError(
                f"{self.folder}: turn {record.number} ({record.frame}): {error}"
            ) from error

    def bare_turn(self, index: int) -> Turn:
        """One turn without its picture, whose frame is a single pixel: fast, for many turns.

        Raises:
            SessionError: Its record contradicts itself.
        """
        record = self.records[index]
        frame = Frame(_PIXEL, Region(*record.region), record.time, record.number)
        try:
            return turn_of(record, frame)
        except ValueError as error:
            raise SessionError(f"{self.folder}: turn {record.number}: {error}") from error

    def frame(self, index: int) -> Frame:
        """Return the picture of one turn.

        Raises:
            ImageError: It is missing or damaged.
        """
        record = self.records[index]
        path = self.folder / record.frame
        if path.is_symlink() or path.parent.is_symlink():
            raise ImageError(f"{path} is a link, which may lead anywhere: it is not followed")
        image = load_image(path).image
        return Frame(image, Region(*record.region), record.time, record.number)


def load_session(folder: Path) -> Session:
    """Read a session folder.

    Raises:
        SessionError: It is none, is damaged, or was written by a later version.
    """
    try:
        info = SessionInfo.model_validate_json(read_whole(folder / "session.json", INFO_BYTES))
        lines = _lines(folder / "turns.jsonl")
    except FileNotFoundError as error:
        raise SessionError(
            f"{folder} is no session: it has no {Path(error.filename).name}"
        ) from error
    except OSError as error:
        raise SessionError(f"{folder} cannot be read: {error}") from error
    except ValidationError as error:
        raise SessionError(f"{folder / 'session.json'}: {first_problem(error)}") from error
    records = []
    torn = False
    for number, line in enumerate(lines, 1):
        try:
            records.append(TurnRecord.model_validate_json(line))
        except ValidationError as error:
            if number == len(lines) and not line.endswith(b"\n"):
                torn = True
                break
            raise SessionError(
                f"{folder / 'turns.jsonl'}, line {number}: {first_problem(error)}"
            ) from error
    return Session(folder, info, tuple(records), torn)


def _lines(path: Path) -> list[bytes]:
    lines: list[bytes] = []
    room = _BYTES
    with open_file(path) as file:
        while line := file.readline(LINE_BYTES):
            room -= len(line)
            if len(line) == LINE_BYTES or len(lines) == _LINES or room < 0:
                raise SessionError(f"{path}: larger than any session of ours")
            lines.append(line)
    return lines


def first_problem(error: ValidationError) -> str:
    """Return what is wrong with a file that was checked, and where in it."""
    problem = error.errors()[0]
    place = ".".join(str(part) for part in problem["loc"])
    return f"{place}: {problem['msg']}" if place else problem["msg"]
