"""Write sessions (a game recorded turn by turn) and read them back for replay.

A session is a folder:

    session.json     who played what, where and with which solver
    turns.jsonl      one line a turn, written before the next turn is passed on
    frames/*.png     the captured view of each turn, lossless

A turn is written behind the play, while it is carried out, and the turn after it is not passed
on before it is written: a process that is killed, at any moment, loses its last turn at the
most. It may leave the last line torn; the reader leaves that line out and says so.

A session may come from anybody (a bug report): names are checked, sizes are limited, and
nothing in it is executed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from bot.analysis import Cancelled
from bot.frame import Frame, Region
from bot.loop import Stopped, Turn
from vision.capture import ImageError, load_image
from vision.files import mark_open, open_file, read_whole, write_whole
from vision.records import SessionInfo, TurnRecord, line_of, turn_of

INFO_BYTES: Final = 1_000_000
"""Of session.json, at the most."""
LINE_BYTES: Final = 4_000_000
"""A line is shorter than that."""
_LINES: Final = 100_000
_BYTES: Final = 400_000_000
"""Of all lines: an hour's game of ours has a hundredth of it."""

_PNG: Final = (
    cv2.IMWRITE_PNG_COMPRESSION,
    1,
    cv2.IMWRITE_PNG_FILTER,
    cv2.IMWRITE_PNG_FILTER_UP,
)
"""Without choosing among the filters for each row it takes half of the time, in as many bytes."""
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
            # With a buffer, what a full disk refuses once would be written after all when closing.
            self._turns = (folder / "turns.jsonl").open("ab", buffering=0)
            mark_open(self._turns)
        except OSError as error:
            raise _unwritten(folder, error) from error

    def write(self, turn: Turn) -> None:
        """Append a turn: its frame first, so that a line never names a missing one.

        Raises:
            SessionError: The disk is full, or the folder went away.
        """
        name = f"frames/{turn.number:04}.png"
        try:
            write_whole(self.folder / name, encode_png(turn.reading.frame.image))
            left = memoryview(line_of(turn, name))
            while left:
                left = left[self._turns.write(left) :]
        except OSError as error:
            raise _unwritten(self.folder, error) from error

    def close(self) -> None:
        """Nothing more will be written.

        Raises:
            SessionError: The folder went away, with what it is on.
        """
        try:
            self._turns.close()
        except OSError as error:
            raise _unwritten(self.folder, error) from error


def _unwritten(folder: Path, error: OSError) -> SessionError:
    return SessionError(
        f"{folder} cannot be written: {error.strerror or error}. Make room there, or play without "
        "recording (--no-record)"
    )


def record(
    turns: Iterator[Turn], open_session: Callable[[], SessionWriter | None]
) -> Iterator[Turn]:
    """Write each turn down while it is carried out; a new session for every game.

    The thread that writes is never more than one turn behind: where the disk is slow, the next
    turn waits. In the end, whatever it was, all turns that were passed on are written.

    Args:
        turns: What is passed on.
        open_session: Makes a session; None where nothing is to be written at present.

    Closing this closes `turns` too.

    Raises:
        SessionError: A turn was not written. It is raised in place of the next turn, which is
            not carried out; at the end, where another error ends it, that one comes first.
    """
    writer: SessionWriter | None = None
    behind = _Behind()
    failed = False
    try:
        for turn in turns:
            if writer is not None and turn.number == 0:
                # Somebody began another game in the middle of the one before.
                behind.start(writer.close)
                writer = None
            writer = writer or open_session()
            if writer is not None:
                behind.start(partial(writer.write, turn))
            yield turn
            if writer is not None and turn.reading.status.over:
                behind.start(writer.close)
                writer = None
    except (Stopped, Cancelled):
        raise
    except Exception:
        failed = True
        raise
    finally:
        turns.close()  # type: ignore[attr-defined]  # every caller gives a generator
        behind.end(writer, quietly=failed)


class _Behind:
    """Does one thing at a time in a thread of its own."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "recording")
        self._under_way: Future[None] | None = None

    def start(self, write: Callable[[], None]) -> None:
        """Begin with the next thing as soon as the one before is done; raises its error."""
        self._finish()
        self._under_way = self._thread.submit(write)

    def end(self, writer: SessionWriter | None, *, quietly: bool) -> None:
        """Wait until all is done, and close what is still open.

        Args:
            writer: What is open.
            quietly: There is something worse to tell than its error.
        """
        try:
            try:
                self._finish()
            finally:
                self._thread.shutdown()
                if writer is not None:
                    writer.close()
        except SessionError:
            if not quietly:
                raise

    def _finish(self) -> None:
        under_way, self._under_way = self._under_way, None
        if under_way is not None:
            under_way.result()


def encode_png(image: NDArray[np.uint8]) -> bytes:
    """Lossless, fast rather than small."""
    done, data = cv2.imencode(".png", image, _PNG)
    if not done:
        raise SessionError("the frame could not be written as PNG")
    return data.tobytes()
