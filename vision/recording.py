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

import base64
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated, Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from bot.analysis import Analysis, Evidence
from bot.board import Board, Cell
from bot.frame import Frame, Grid, Point, Reading, Region, Status
from bot.loop import Event, Turn
from bot.planner import Action, Move
from vision.capture import load_image

FORMAT: Final = 1
_LINE_BYTES: Final = 4_000_000
_LINES: Final = 100_000
_Whole = Annotated[int, Field(ge=-(10**6), le=10**6)]
_Index = Annotated[int, Field(ge=0, lt=1000)]
_FrameName = Annotated[str, StringConstraints(pattern=r"^frames/\d{4,6}\.png$")]
_Extent = Annotated[int, Field(gt=0, le=10**5)]
_RegionFields = tuple[_Whole, _Whole, _Extent, _Extent]
_CellFields = tuple[_Index, _Index]


class SessionError(ValueError):
    """A session that cannot be read or written; names the file and the reason."""


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class SessionInfo(_Record):
    """Who played what."""

    format: Literal[1] = FORMAT
    version: str
    """The program's version that wrote it."""
    started: str
    """Local time with its offset, ISO 8601."""
    window: str
    """The window's title."""
    skin: str
    solver: str
    style: str


class _GridRecord(_Record):
    left: float
    top: float
    pitch_x: Annotated[float, Field(gt=0, le=1000)]
    pitch_y: Annotated[float, Field(gt=0, le=1000)]
    rows: Annotated[int, Field(gt=0, le=1000)]
    cols: Annotated[int, Field(gt=0, le=1000)]
    scale: Annotated[float, Field(gt=0, le=16)]
    face: _RegionFields | None
    mine_counter: _RegionFields | None
    clock: _RegionFields | None


class _AnalysisRecord(_Record):
    mine_probability: tuple[Annotated[float, Field(ge=0, le=1)], ...]
    """Of the unopened cells, row by row."""
    best: _CellFields | None
    exact: bool
    method: str
    reason: str
    solutions: str | None
    """Decimal: it may have hundreds of digits."""
    error: float
    hints: tuple[_CellFields, ...]
    cells: tuple[_CellFields, ...]
    seconds: float


class _MoveRecord(_Record):
    action: Action
    cell: _CellFields | None
    risk: Annotated[float, Field(ge=0, le=1)]


class _EventRecord(_Record):
    kind: Literal["click", "key", "move"]
    detail: str
    point: tuple[float, float] | None


class _TurnRecord(_Record):
    number: Annotated[int, Field(ge=0)]
    frame: _FrameName
    region: _RegionFields
    time: float
    grid: _GridRecord
    board: tuple[str, ...]
    mines: Annotated[int, Field(ge=0, le=10**6)]
    status: Status
    confidence: str
    """Base 64 of a byte a cell, row by row: 255 is certain."""
    analysis: _AnalysisRecord | None
    moves: tuple[_MoveRecord, ...]
    events: tuple[_EventRecord, ...]
    seconds: dict[str, float]


@dataclass(frozen=True)
class Session:
    """A recorded game."""

    folder: Path
    info: SessionInfo
    records: tuple[_TurnRecord, ...]
    torn: bool
    """Whether the last line was cut off and left out."""

    def __len__(self) -> int:
        return len(self.records)

    def turns(self) -> Iterator[Turn]:
        """The turns as they were played, their frames loaded one at a time.

        Raises:
            SessionError: A frame is missing or damaged, or a record contradicts itself.
        """
        for record in self.records:
            try:
                yield _turn(record, self._frame(record))
            except (ValueError, OSError) as error:
                raise SessionError(
                    f"{self.folder}: turn {record.number} ({record.frame}): {error}"
                ) from error

    def boards(self) -> Iterator[Board]:
        """The board of each turn, without loading a frame."""
        return (Board.parse("\n".join(record.board), record.mines) for record in self.records)

    def _frame(self, record: _TurnRecord) -> Frame:
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
        raise SessionError(f"{folder / 'session.json'}: {_first(error)}") from error
    records = []
    torn = False
    for number, line in enumerate(lines, 1):
        try:
            records.append(_TurnRecord.model_validate_json(line))
        except ValidationError as error:
            if number == len(lines) and not line.endswith(b"\n"):
                torn = True
                break
            raise SessionError(
                f"{folder / 'turns.jsonl'}, line {number}: {_first(error)}"
            ) from error
    return Session(folder, info, tuple(records), torn)


def _lines(path: Path) -> list[bytes]:
    lines: list[bytes] = []
    with path.open("rb") as file:
        while line := file.readline(_LINE_BYTES):
            if len(line) == _LINE_BYTES or len(lines) == _LINES:
                raise SessionError(f"{path}: larger than any session of ours")
            lines.append(line)
    return lines


def _first(error: ValidationError) -> str:
    problem = error.errors()[0]
    place = ".".join(str(part) for part in problem["loc"])
    return f"{place}: {problem['msg']}" if place else problem["msg"]


class SessionWriter:
    """Writes one session, turn by turn.

    Args:
        folder: Made here; must not exist.
        info: What goes into session.json.

    Raises:
        SessionError: The folder cannot be made or written.
    """

    def __init__(self, folder: Path, info: SessionInfo) -> None:
        self.folder = folder
        try:
            (folder / "frames").mkdir(parents=True)
            _write_whole(folder / "session.json", info.model_dump_json(indent=2).encode() + b"\n")
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
            _write_whole(self.folder / name, encode_png(turn.reading.frame.image))
            self._turns.write(_line(turn, name))
            self._turns.flush()
        except OSError as error:
            raise SessionError(f"{self.folder} cannot be written: {error}") from error

    def close(self) -> None:
        """Nothing more will be written."""
        self._turns.close()


def record(turns: Iterator[Turn], open_session: Callable[[], SessionWriter]) -> Iterator[Turn]:
    """Write each turn down before it is passed on; a new session for every game.

    Closing this closes `turns` too.
    """
    writer: SessionWriter | None = None
    try:
        for turn in turns:
            writer = writer or open_session()
            writer.write(turn)
            yield turn
            if turn.reading.status.over:
                writer.close()
                writer = None
    finally:
        if writer is not None:
            writer.close()
        turns.close()  # type: ignore[attr-defined]  # every caller gives a generator


def new_session_folder(sessions: Path, started: datetime) -> Path:
    """A folder name that sorts by time and is not taken."""
    stem = started.strftime("%Y-%m-%dT%H-%M-%S")
    taken = {path.name for path in sessions.glob(f"{stem}*")}
    return sessions / next(
        name for name in (stem, *(f"{stem}-{n}" for n in range(2, 10_000))) if name not in taken
    )


def encode_png(image: NDArray[np.uint8]) -> bytes:
    """Lossless, fast rather than small."""
    done, data = cv2.imencode(".png", image, [cv2.IMWRITE_PNG_COMPRESSION, 1])
    if not done:
        raise SessionError("the frame could not be written as PNG")
    return data.tobytes()


def _write_whole(path: Path, data: bytes) -> None:
    """Write a file that is there whole or not at all."""
    partial = path.with_name(path.name + ".part")
    partial.write_bytes(data)
    partial.replace(path)


def _line(turn: Turn, frame: str) -> bytes:
    reading = turn.reading
    grid = reading.grid
    fields = {
        "number": turn.number,
        "frame": frame,
        "region": reading.frame.region,
        "time": reading.frame.time,
        "grid": {name: getattr(grid, name) for name in _GridRecord.model_fields},
        "board": reading.board.rows_text().split("\n"),
        "mines": reading.board.mines,
        "status": reading.status.value,
        "confidence": _packed(reading.confidence),
        "analysis": _analysis_fields(turn.analysis, reading.board) if turn.analysis else None,
        "moves": [
            {"action": move.action.value, "cell": move.cell, "risk": move.risk}
            for move in turn.moves
        ],
        "events": [event._asdict() for event in turn.events],
        "seconds": dict(turn.seconds),
    }
    return json.dumps(fields, separators=(",", ":"), allow_nan=False).encode() + b"\n"


def _packed(confidence: NDArray[np.float32]) -> str:
    return base64.b64encode(np.rint(confidence * 255).astype(np.uint8).tobytes()).decode()


def _unpacked(text: str, shape: tuple[int, ...]) -> NDArray[np.float32]:
    packed = np.frombuffer(base64.b64decode(text, validate=True), np.uint8)
    return (packed.reshape(shape) / np.float32(255)).astype(np.float32)


def _analysis_fields(analysis: Analysis, board: Board) -> dict[str, object]:
    return {
        "mine_probability": analysis.mine_probability[board.unopened].tolist(),
        "best": analysis.best,
        "exact": analysis.exact,
        "method": analysis.method,
        "reason": analysis.reason,
        "solutions": None if analysis.solutions is None else str(analysis.solutions),
        "error": analysis.error,
        "hints": analysis.evidence.hints,
        "cells": analysis.evidence.cells,
        "seconds": analysis.seconds,
    }


def _turn(record: _TurnRecord, frame: Frame) -> Turn:
    board = Board.parse("\n".join(record.board), record.mines)
    parts = {
        name: None if region is None else Region(*region)
        for name, region in (
            ("face", record.grid.face),
            ("mine_counter", record.grid.mine_counter),
            ("clock", record.grid.clock),
        )
    }
    grid = Grid(**(record.grid.model_dump() | parts))
    reading = Reading(
        frame,
        grid,
        board,
        record.status,
        _unpacked(record.confidence, board.tiles.shape),
    )
    return Turn(
        record.number,
        reading,
        None if record.analysis is None else _analysis(record.analysis, board),
        tuple(
            Move(move.action, None if move.cell is None else Cell(*move.cell), move.risk)
            for move in record.moves
        ),
        record.seconds,
        tuple(
            Event(event.kind, event.detail, None if event.point is None else Point(*event.point))
            for event in record.events
        ),
    )


def _analysis(record: _AnalysisRecord, board: Board) -> Analysis:
    probability = np.full(board.tiles.shape, np.nan)
    probability[board.unopened] = record.mine_probability
    return Analysis(
        probability,
        None if record.best is None else Cell(*record.best),
        record.exact,
        record.method,
        record.reason,
        None if record.solutions is None else _big_int(record.solutions),
        record.error,
        Evidence(
            tuple(Cell(*cell) for cell in record.hints), tuple(Cell(*cell) for cell in record.cells)
        ),
        record.seconds,
    )


def _big_int(digits: str) -> int:
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 4000):
        raise ValueError("'solutions' is no whole number")
    return int(digits)
