"""Recorded games, turn by turn: the format, and the reader.

A session is a folder:

    session.json     player, game, window and solver
    turns.jsonl      one line per turn, written before the next turn is passed on
    frames/*.png     the captured view of each turn, lossless

`writer` writes them, one turn behind the game: a process that is killed loses at most its last
turn. It may leave an incomplete last line, which the reader leaves out and reports.

A session may come from anyone (a bug report): names are checked, sizes are limited, and
nothing in it is executed. Cells are [row, column], zero-based; every field has a range, an unknown
field is an error.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Final, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
)

from bot.analysis import Analysis, Evidence
from bot.board import Board, Cell
from bot.frame import Frame, Grid, Point, Reading, Region, Status
from bot.game import Rules
from bot.loop import Event, Turn
from bot.planner import Action, Move
from bot.solver.explain import count_solutions, explain
from vision.capture import ImageError, load_image
from vision.files import open_file, read_whole
from vision.plaintext import one_line

FORMAT: Final = 1
_Line = Annotated[str, AfterValidator(one_line)]
_Whole = Annotated[int, Field(ge=-(10**6), le=10**6)]
_Index = Annotated[int, Field(ge=0, lt=1000)]
_FrameName = Annotated[str, StringConstraints(pattern=r"^frames/\d{4,6}\.png$")]
_Extent = Annotated[int, Field(gt=0, le=10**5)]
_RegionFields = tuple[_Whole, _Whole, _Extent, _Extent]
_CellFields = tuple[_Index, _Index]


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class SessionInfo(_Record):
    """The description of a recorded game."""

    format: Literal[1] = FORMAT
    version: _Line
    """The version of the program that wrote it."""
    started: _Line
    """Local time with its offset, ISO 8601."""
    window: _Line
    """The window's title."""
    skin: _Line
    solver: _Line
    style: _Line
    rules: Annotated[Rules, Field(strict=False)] = Rules.CLASSIC
    """The rules of the game; sessions from before there were two have none."""
    player: Literal["bot", "user"] = "bot"
    """The player; sessions from before the bot could watch have none."""


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
    wide_cols: Annotated[int, Field(ge=0, lt=1000)] = 0
    wide_rows: Annotated[int, Field(ge=0, lt=1000)] = 0
    wider: Annotated[float, Field(gt=0, le=16)] = 1.0


class _AnalysisRecord(_Record):
    mine_probability: tuple[Annotated[float, Field(ge=0, le=1)], ...]
    """Probabilities of the unopened cells, row by row."""
    best: _CellFields | None
    exact: bool
    method: _Line
    reason: _Line
    solutions: str | None
    """Decimal text, as it may have hundreds of digits."""
    error: float
    hints: tuple[_CellFields, ...]
    cells: tuple[_CellFields, ...]
    seconds: float


class _MoveRecord(_Record):
    action: Action
    cell: _CellFields | None
    risk: Annotated[float, Field(ge=0, le=1)]


class _EventRecord(_Record):
    kind: Literal["click", "button", "key", "move"]
    detail: _Line
    point: tuple[float, float] | None


class TurnRecord(_Record):
    """A line of `turns.jsonl`."""

    number: Annotated[int, Field(ge=0)]
    frame: _FrameName
    region: _RegionFields
    time: float
    grid: _GridRecord
    board: tuple[str, ...]
    mines: Annotated[int, Field(ge=0, le=10**6)]
    assumed: bool = False
    """Whether `mines` is only assumed; sessions from before this was recorded have none."""
    status: Status
    confidence: str
    """Base 64 of one byte per cell, row by row: 255 is certain."""
    mines_left: Annotated[int, Field(ge=-(10**6), le=10**6)] | None = None
    clock: Annotated[int, Field(ge=0, le=10**6)] | None = None
    remarks: tuple[Annotated[_Line, StringConstraints(max_length=1000)], ...] = ()
    analysis: _AnalysisRecord | None
    moves: tuple[_MoveRecord, ...]
    events: tuple[_EventRecord, ...]
    seconds: dict[str, float]

    def parsed_board(self) -> Board:
        """Return the board; raises ValueError if its rows are inconsistent."""
        board = Board.parse("\n".join(self.board), self.mines)
        return replace(board, assumed=self.assumed)


def line_of(turn: Turn, frame: str) -> bytes:
    """Return a turn as a line of `turns.jsonl`; `frame` names its picture."""
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
        "assumed": reading.board.assumed,
        "status": reading.status.value,
        "confidence": _packed(reading.confidence),
        "mines_left": reading.mines_left,
        "clock": reading.clock,
        "remarks": reading.remarks,
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
    reason, evidence = explain(board, analysis)
    solutions = count_solutions(board, analysis)
    return {
        "mine_probability": analysis.mine_probability[board.unopened].tolist(),
        "best": analysis.best,
        "exact": analysis.exact,
        "method": analysis.method,
        "reason": reason,
        "solutions": None if solutions is None else str(solutions),
        "error": analysis.error,
        "hints": evidence.hints,
        "cells": evidence.cells,
        "seconds": analysis.seconds,
    }


def turn_of(record: TurnRecord, frame: Frame) -> Turn:
    """Return the turn of a checked line.

    Raises:
        ValueError: The line is inconsistent.
    """
    board = record.parsed_board()
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
        record.mines_left,
        record.clock,
        record.remarks,
    )
    cells = [move.cell for move in record.moves if move.cell is not None]
    if any(row >= board.rows or col >= board.cols for row, col in cells):
        raise ValueError("a move lies off the board")
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
    unopened = int(board.unopened.sum())
    if len(record.mine_probability) != unopened:
        raise ValueError(
            f"{len(record.mine_probability)} probabilities for {unopened} unopened cells"
        )
    named = [*record.hints, *record.cells, *([] if record.best is None else [record.best])]
    if any(row >= board.rows or col >= board.cols for row, col in named):
        raise ValueError("the analysis names a cell off the board")
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


INFO_BYTES: Final = 1_000_000
"""Size limit of session.json."""
LINE_BYTES: Final = 4_000_000
"""Size limit of a line."""
_LINES: Final = 100_000
_BYTES: Final = 400_000_000
"""Size limit of all lines: an hour's game of this program has a hundredth of it."""

_PIXEL: Final = np.zeros((1, 1, 3), np.uint8)


class SessionError(ValueError):
    """A session cannot be read or written; the message names the file and the reason."""


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
            SessionError: A frame is missing or damaged, or a record is inconsistent.
        """
        for index in range(len(self)):
            yield self.turn(index)

    def turn(self, index: int) -> Turn:
        """Return one turn; raises as `turns` does."""
        record = self.records[index]
        try:
            return turn_of(record, self.frame(index))
        except (ValueError, OSError) as error:
            raise SessionError(
                f"{self.folder}: turn {record.number} ({record.frame}): {error}"
            ) from error

    def bare_turn(self, index: int) -> Turn:
        """Return one turn without its picture; its frame is one pixel: fast, for many turns.

        Raises:
            SessionError: The record is inconsistent.
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
            ImageError: The picture is missing or damaged.
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
        SessionError: The folder is no session, is damaged, or was written by a later version.
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
    """Return what is wrong with a checked file, and where in it."""
    problem = error.errors()[0]
    place = ".".join(str(part) for part in problem["loc"])
    return f"{place}: {problem['msg']}" if place else problem["msg"]
