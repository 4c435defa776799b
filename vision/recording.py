"""Sessions: a game written down turn by turn, and read back as a second eye.

A session is a folder:

    session.json     who played what, where and with which solver
    turns.jsonl      one line a turn, flushed before the turn is carried out
    frames/*.png     the captured view of each turn, lossless

A process that is killed leaves at most its last line torn; the reader leaves that line
out and says so. A session may come from anybody (a bug report): names are checked,
sizes are limited, and nothing in it is executed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from bot.frame import Frame, Region
from bot.loop import Turn
from vision.capture import load_image
from vision.files import write_whole
from vision.records import SessionInfo, TurnRecord, line_of, turn_of

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
        """The turns as they were played, their frames loaded one at a time.

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
        """The picture of one turn.

        Raises:
            ImageError: It is missing or damaged.
        """
        record = self.records[index]
        image = load_image(self.folder / record.frame).image
        return Frame(image, Region(*record.region), record.time, record.number)


def load_session(folder: Path) -> Session:
    """Read a session folder.

    Raises:
        SessionError: It is none, is damaged, or was written by a later version.
    """
    try:
        info = SessionInfo.model_validate_json((folder / "session.json").read_bytes())
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
    with path.open("rb") as file:
        while line := file.readline(LINE_BYTES):
            room -= len(line)
            if len(line) == LINE_BYTES or len(lines) == _LINES or room < 0:
                raise SessionError(f"{path}: larger than any session of ours")
            lines.append(line)
    return lines


def first_problem(error: ValidationError) -> str:
    """What is wrong with a file that was checked, and where in it."""
    problem = error.errors()[0]
    place = ".".join(str(part) for part in problem["loc"])
    return f"{place}: {problem['msg']}" if place else problem["msg"]


class SessionWriter:
    """Writes one session, turn by turn.

    Args:
        folder: Made where it is missing; holds no session yet.
        info: What goes into session.json.

    Raises:
        SessionError: The folder cannot be made or written.
    """

    def __init__(self, folder: Path, info: SessionInfo) -> None:
        self.folder = folder
        try:
            (folder / "frames").mkdir(parents=True)
            write_whole(folder / "session.json", info.model_dump_json(indent=2).encode() + b"\n")
            self._turns = (folder / "turns.jsonl").open("ab")
        except OSError as error:
            raise SessionError(f"{folder} cannot be written: {error}") from error

    def write(self, turn: Turn) -> None:
        """Append a turn: its frame first, so that a line never names a missing one.

        Raises:
            SessionError: The disk is full, or the folder went away.
        """
        name = f"frames/{turn.number:04}.png"
        try:
            write_whole(self.folder / name, encode_png(turn.reading.frame.image))
            self._turns.write(line_of(turn, name))
            self._turns.flush()
        except OSError as error:
            raise SessionError(f"{self.folder} cannot be written: {error}") from error

    def close(self) -> None:
        """Nothing more will be written."""
        self._turns.close()


def record(
    turns: Iterator[Turn], open_session: Callable[[], SessionWriter | None]
) -> Iterator[Turn]:
    """Write each turn down before it is passed on; a new session for every game.

    Args:
        turns: What is passed on.
        open_session: Makes a session; None where nothing is to be written at present.

    Closing this closes `turns` too.
    """
    writer: SessionWriter | None = None
    try:
        for turn in turns:
            if writer is not None and turn.number == 0:
                # Somebody began another game in the middle of the one before.
                writer.close()
                writer = None
            writer = writer or open_session()
            if writer is not None:
                writer.write(turn)
            yield turn
            if writer is not None and turn.reading.status.over:
                writer.close()
                writer = None
    finally:
        if writer is not None:
            writer.close()
        turns.close()  # type: ignore[attr-defined]  # every caller gives a generator


def new_session_folder(sessions: Path, started: datetime) -> Path:
    """Make a folder whose name sorts by time.

    Raises:
        SessionError: It cannot be made.
    """
    stem = started.strftime("%Y-%m-%dT%H-%M-%S")
    for number in count(1):
        folder = sessions / (stem if number == 1 else f"{stem}-{number}")
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            if not folder.is_dir():
                raise SessionError(f"{folder} cannot be made: a file is in its place") from None
        except OSError as error:
            raise SessionError(
                f"{folder} cannot be made: {error.strerror}. Play with --no-record, or say where "
                "with MINESWEEPER_BOT_HOME"
            ) from error
        else:
            return folder
    raise AssertionError


def encode_png(image: NDArray[np.uint8]) -> bytes:
    """Lossless, fast rather than small."""
    done, data = cv2.imencode(".png", image, [cv2.IMWRITE_PNG_COMPRESSION, 1])
    if not done:
        raise SessionError("the frame could not be written as PNG")
    return data.tobytes()
