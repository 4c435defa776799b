"""Write a session while its game is played.

A turn is written while it is carried out, and the next turn is not passed on before that: a
process that is killed, at any moment, loses at most its last turn.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from textwrap import wrap
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.analysis import Cancelled
from bot.frame import Reading
from bot.loop import Stopped, Turn
from vision.files import OpenMark, write_whole
from vision.sessions import SessionError, SessionInfo, line_of
from vision.sessions.session_files import Room

_log = logging.getLogger(__name__)

_PNG: Final = (
    cv2.IMWRITE_PNG_COMPRESSION,
    1,
    cv2.IMWRITE_PNG_FILTER,
    cv2.IMWRITE_PNG_FILTER_UP,
)
"""Options of the PNG encoder: without choosing among the filters for each row it takes half of the
time, for as many bytes."""
_FRAME_COLOR: Final = (255, 0, 255)
"""BGR of the frames around unread tiles: no skin has it."""


@dataclass(frozen=True)
class NoteSizes:
    """Sizes of a picture with notes, in pixels."""

    line: int = 18
    """Height of a line of notes, in pixels."""
    letter: int = 7
    """Width of the widest letters of a note, in pixels."""
    width: int = 480
    """Least width of a picture with notes, in pixels."""


_NOTE: Final = NoteSizes()


class SessionWriter:
    """Writes one session, turn by turn, into a folder that holds none yet.

    Raises:
        SessionError: The folder cannot be created or written.
    """

    def __init__(self, folder: Path, info: SessionInfo) -> None:
        self.folder = folder
        try:
            (folder / "frames").mkdir(parents=True)
            write_whole(folder / "session.json", info.model_dump_json(indent=2).encode() + b"\n")
            # With a buffer, data that a full disk refused once would still be written on closing.
            self._turns = (folder / "turns.jsonl").open("ab", buffering=0)
            self._mark = OpenMark(folder / "turns.jsonl")
        except OSError as error:
            raise _unwritten(folder, error) from error

    def write(self, turn: Turn) -> None:
        """Append a turn: its frame first, so that a line never names a missing one.

        Raises:
            SessionError: The disk is full, or the folder is gone.
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
        """Close the files.

        Raises:
            SessionError: The folder, or its disk, is gone.
        """
        try:
            self._turns.close()
            self._mark.close()
        except OSError as error:
            raise _unwritten(self.folder, error) from error


def _unwritten(folder: Path, error: OSError) -> SessionError:
    return SessionError(
        f"{folder} cannot be written: {error.strerror or error}. Make room there, or play without "
        "recording"
    )


def record(
    turns: Iterator[Turn],
    open_session: Callable[[], SessionWriter | None],
    room: Room | None = None,
) -> Iterator[Turn]:
    """Write each turn while it is carried out; begin a new session for every game.

    The writing thread is never more than one turn behind: with a slow disk, the next turn waits. At
    the end, also after an error, all turns that were passed on are written. Nothing is written
    while `open_session` returns None, or of a game that was over before. `room` adds its remarks to
    the turns. Closing this closes `turns` and `room` too.

    Raises:
        SessionError: A turn was not written. It is raised instead of the next turn, which is not
            carried out; if another error ends the generator, that error has priority.
    """
    writer: SessionWriter | None = None
    behind = _Behind()
    # An error that is passed on: one of `end` itself would hide it.
    failed = True
    try:
        for turn in turns:
            if writer is not None and turn.number == 0:
                # Another game was started before this one ended.
                behind.start(writer.close)
                writer = None
            if writer is None and not turn.reading.status.over:
                writer = open_session()
            if writer is not None:
                behind.start(partial(writer.write, turn))
            yield turn if room is None else room.remarked(turn)
            if writer is not None and turn.reading.status.over:
                behind.start(writer.close)
                writer = None
        failed = False
    except (Stopped, Cancelled, GeneratorExit):
        failed = False
        raise
    finally:
        turns.close()  # type: ignore[attr-defined]  # every caller gives a generator
        try:
            behind.end(writer, quietly=failed)
        finally:
            if room is not None:
                room.close()


class _Behind:
    """Runs one task at a time in a thread of its own."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "recording")
        self._under_way: Future[None] | None = None

    def start(self, write: Callable[[], None]) -> None:
        """Start the next task when the previous one is done; raise the previous one's error."""
        self._finish()
        self._under_way = self._thread.submit(write)

    def end(self, writer: SessionWriter | None, *, quietly: bool) -> None:
        """Wait until all tasks are done, and close what is still open."""
        try:
            try:
                self._finish()
            finally:
                self._thread.shutdown()
                if writer is not None:
                    writer.close()
        except SessionError as error:
            if not quietly:
                raise
            _log.warning("The recording was not completed: %s", error)

    def _finish(self) -> None:
        under_way, self._under_way = self._under_way, None
        if under_way is not None:
            under_way.result()


def encode_png(image: NDArray[np.uint8]) -> bytes:
    """Return a frame as a lossless PNG, encoded for speed rather than size."""
    done, data = cv2.imencode(".png", image, _PNG)
    if not done:
        raise SessionError("the frame could not be written as PNG")
    return data.tobytes()


def with_notes(reading: Reading, notes: Iterable[str]) -> NDArray[np.uint8]:
    """Return a reading's picture with its unread tiles framed, and notes below it."""
    frame, grid = reading.frame, reading.grid
    width = max(frame.image.shape[1], _NOTE.width)
    lines = [line for note in notes for line in wrap(note, width // _NOTE.letter)]
    height, notes_height = frame.image.shape[0], (len(lines) + 1) * _NOTE.line
    image = np.full((height + notes_height, width, 3), 255, np.uint8)
    image[:height, : frame.image.shape[1]] = frame.image
    down, across = grid.row_edges(frame.region).tolist(), grid.column_edges(frame.region).tolist()
    for row, col in reading.unread:
        corners = (across[col], down[row]), (across[col + 1] - 1, down[row + 1] - 1)
        cv2.rectangle(image, *corners, _FRAME_COLOR, 1)
    for number, line in enumerate(lines, 1):
        place = 4, height + number * _NOTE.line
        cv2.putText(image, line, place, cv2.FONT_HERSHEY_SIMPLEX, 0.4, (0, 0, 0), 1, cv2.LINE_AA)
    return image
