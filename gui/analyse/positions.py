"""Positions: their analysis, the line that follows, and the file of saved ones.

A saved position is a line of JSON, in the format of the solver's test positions
(`tests/positions/positions.jsonl`): `id`, `kind`, `mines`, `board` (rows of `#` and `0` to `8`),
`solutions` (a decimal number as text), and `mine_probability` (of each `#`, row by row).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
from pydantic import BaseModel, ValidationError

from bot.analysis import Analysis, Limit
from bot.board import COVERED, EXPLODED, MISFLAG, UNREAD, Board, Cell, InconsistentBoard
from bot.frame import Frame, Grid, Reading, Status
from bot.loop import Turn, unplayed_turn
from bot.solver import solver
from bot.solver.explain import count_solutions
from bot.solver.outcomes import Outcomes, possible_outcomes
from bot.solver.warmup import IN_WORDS, PREPARATION
from gui.failures import Failure, ReportedFailure
from gui.panel.jobs import Progress
from gui.panel.widgets import sentence
from vision.files import data_folder, read_whole

LINE: Final = 5
"""Number of moves of the line that is shown."""


@dataclass(frozen=True)
class PositionLimits:
    """Limits of a position; times in seconds."""

    pitch: float = 16.0
    """Points a cell of the grid; the board view scales it."""
    solver_seconds: float = 10.0
    """After this time the solver uses an estimate."""
    hint_seconds: float = 2.0
    """Time limit for each hint that a cell may show."""
    most_bytes: int = 50_000_000
    """Size of the largest file of positions that is read."""


_POSITION: Final = PositionLimits()

_UNREAD: Final = (
    "Some tiles were not recognised. Point at one to see why; click it until it is right."
)


@dataclass(frozen=True, eq=False)
class Position:
    """A board with its analysis, or with the reason why it has none."""

    turn: Turn
    trouble: str = ""
    """Why there is no analysis, in a sentence; empty if there is one."""
    hints: tuple[Cell, ...] = ()
    """The hints that contradict each other."""


@dataclass(frozen=True)
class Step:
    """A move of a line, and the hint that most probably appears."""

    cell: Cell
    risk: float
    value: int
    chance: float
    """The probability of the hint."""


class SavedPosition(BaseModel):
    """A line of the file of saved positions."""

    id: str
    kind: str = "saved"
    mines: int
    assumed: bool = False
    board: list[str]
    solutions: str | None = None
    mine_probability: list[float] | None = None


def solving(solver_name: str, progress: Progress) -> Callable[[Board], Analysis]:
    """Return a solver that waits until the solvers are compiled."""
    solve = solver(solver_name).solve

    def think(board: Board) -> Analysis:
        PREPARATION.wait(progress.cancelled, lambda: progress.report(None, IN_WORDS))
        return solve(board, Limit(seconds=_POSITION.solver_seconds, cancel=progress.cancelled))

    return think


def reading_of(board: Board) -> Reading:
    """Return a board that was read from no picture as a reading."""
    grid = Grid(0.0, 0.0, _POSITION.pitch, _POSITION.pitch, board.rows, board.cols)
    frame = Frame(np.zeros((1, 1, 3), np.uint8), grid.region, 0.0)
    return Reading(frame, grid, board, status_of(board), np.ones(board.tiles.shape, np.float32))


def status_of(board: Board) -> Status:
    """Return the status of a position, by its tiles."""
    return Status.LOST if np.isin(board.tiles, (EXPLODED, MISFLAG)).any() else Status.PLAYING


def turn_of(board: Board) -> Turn:
    """Return a board that was read from no picture as a turn for the board view."""
    return Turn(0, reading_of(board), None, ())


def analyse(reading: Reading, solver_name: str, progress: Progress) -> Position:
    """Analyse a position; one with 0 mines is one whose number of mines is unknown."""
    board, bare = reading.board, Turn(0, reading, None, ())
    if reading.status.over:
        return Position(bare, "The game is over.")
    if not board.mines:
        return Position(bare, "Enter the number of mines.")
    if UNREAD in board.tiles:
        return Position(bare, _UNREAD)
    try:
        return Position(unplayed_turn(reading, solving(solver_name, progress)(board)))
    except InconsistentBoard as error:
        return Position(bare, f"Impossible board: {error}.", error.hints)


def follow(position: Position, solver_name: str, progress: Progress) -> tuple[Step, ...]:
    """Return the next moves, each followed by the hint that is most probable."""
    steps: list[Step] = []
    turn, solve = position.turn, solving(solver_name, progress)
    while turn.analysis is not None and turn.moves and len(steps) < LINE:
        cell, board = turn.moves[0].cell, turn.reading.board
        if cell is None or not (outcomes := outcomes_of(board, cell, progress).by_hint):
            break
        likely = max(outcomes, key=lambda one: one.chance)
        risk = float(turn.analysis.mine_probability[cell])
        steps.append(Step(cell, risk, likely.value, likely.chance))
        board = with_tiles(board, {cell: likely.value})
        turn = unplayed_turn(reading_of(board), solve(board))
    return tuple(steps)


def outcomes_of(board: Board, cell: Cell, progress: Progress) -> Outcomes:
    """Return the hints that a covered cell may show."""
    return possible_outcomes(
        board, cell, Limit(seconds=_POSITION.hint_seconds, cancel=progress.cancelled)
    )


def with_tiles(board: Board, tiles: dict[Cell, int]) -> Board:
    """Return a board with other tiles in some cells."""
    changed = board.tiles.copy()
    for cell, tile in tiles.items():
        changed[cell] = tile
    return replace(board, tiles=changed)


def resized(board: Board, rows: int, cols: int, mines: int) -> Board:
    """Return a board of another size, with the tiles that lie on both.

    Another number of mines is the user's.
    """
    tiles = np.full((rows, cols), COVERED, np.int8)
    part = board.tiles[:rows, :cols]
    tiles[: part.shape[0], : part.shape[1]] = part
    mines = min(mines, tiles.size)
    return Board(tiles, mines, board.assumed and mines == board.mines)


def saved_positions_file() -> Path:
    """Return the file of saved positions."""
    return data_folder() / "positions.jsonl"


def save(board: Board, name: str, _progress: Progress) -> Path:
    """Add a position to the saved ones, with its exact probabilities; return the file.

    Raises:
        OSError: The file cannot be written.
        InconsistentBoard: The board is impossible.
    """
    # Flags are the player's opinion: a position has none.
    covered = replace(board, tiles=np.where(board.unopened, COVERED, board.tiles))
    analysis = solver("exact").solve(covered, Limit(seconds=_POSITION.hint_seconds))
    solutions = count_solutions(covered, analysis)
    line = SavedPosition(
        id=name,
        mines=board.mines,
        assumed=board.assumed,
        board=covered.rows_text().replace(".", "0").splitlines(),
        solutions=None if solutions is None else str(solutions),
        mine_probability=analysis.mine_probability[covered.unopened].tolist()
        if analysis.exact
        else None,
    )
    path = saved_positions_file()
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        # A certain position is one of `tests/positions`, whose format it has.
        plain = set() if board.assumed else {"assumed"}
        file.write(line.model_dump_json(exclude=plain) + "\n")
    return path


def load(path: Path, _progress: Progress) -> dict[str, Board]:
    """Return the positions of a file by their names; the last of several with a name.

    Raises:
        ReportedFailure: The file cannot be read, or a line is no position.
    """
    positions, number = {}, 0
    try:
        text = read_whole(path, _POSITION.most_bytes).decode(errors="replace")
        for number, line in enumerate(filter(str.strip, text.splitlines()), 1):  # noqa: B007
            saved = SavedPosition.model_validate_json(line)
            board = Board.parse("\n".join(saved.board), saved.mines)
            positions[saved.id] = replace(board, assumed=saved.assumed)
    except OSError as error:
        why = f"{path} cannot be read: {error.strerror or error}"
    except ValidationError:
        why = f"line {number} of {path.name} is no position"
    except ValueError as error:
        why = f"line {number} of {path.name}: {error}"
    else:
        if positions:
            return positions
        why = f"{path.name} holds no positions"
    raise ReportedFailure(Failure(sentence(why)))
