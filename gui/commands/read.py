"""A recorded screenshot, told in a terminal: the board, the probabilities, the move."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from rich.console import Console
from rich.text import Text

from bot.analysis import Analysis, Limit
from bot.board import UNREAD, Board, Cell, InconsistentBoard
from bot.frame import Frame, Grid, Reading, Status
from bot.solver import solver
from gui.commands.learn import usable_skins
from vision.capture import load_image
from vision.finder import BoardNotFound
from vision.finding.strangers import UNSEEN
from vision.following.parsing import Follower, followers, reading_of
from vision.numbers.header import Header
from vision.numbers.mines import MinesUnknown
from vision.skins import Skin

_SAFE: Final = "bold blue"
_MINE: Final = "bold dark_orange"
_HINT: Final = "dim"
_NAMED: Final = 8
"""Unread tiles named one by one; the others are counted."""


@dataclass(frozen=True, eq=False)
class Seen:
    """One board of a picture, and what came of it."""

    grid: Grid
    skin: Skin
    reading: Reading | None
    """What was read; None where it could not be."""
    analysis: Analysis | None
    """None where the game is over, a tile was not read, or it could not be."""
    trouble: str = ""
    """Why it could not be read or thought about; empty where it could."""

    @property
    def whole(self) -> bool:
        """Whether all of it was read, and makes sense."""
        return not self.trouble and self.reading is not None and UNREAD not in _tiles(self.reading)


def read_picture(path: Path, mines: int | None, solver_name: str) -> tuple[list[Seen], list[str]]:
    """Find and analyse every board in a picture; one that cannot be used hides no other.

    Returns:
        The boards, and a remark for each that is seen but is no whole board.

    Raises:
        ImageError: The file is no picture that can be read.
        BoardNotFound: There is no board in it.
        UnknownSolver: There is no such solver.
    """
    solve = solver(solver_name).solve
    frame, skins = load_image(path), usable_skins()
    eyes, remarks = followers(frame, skins)
    if not eyes:
        seen = "; ".join(remarks) or "no Minesweeper board is in this picture"
        raise BoardNotFound(f"{path}: {seen}")
    return [_seen(frame, eye, mines, lambda board: solve(board, Limit())) for eye in eyes], remarks


def _seen(
    frame: Frame, eye: Follower, mines: int | None, solve: Callable[[Board], Analysis]
) -> Seen:
    eye.see(frame)
    try:
        reading = reading_of(frame, eye, Header(frame, eye.grid, mines))
    except MinesUnknown as error:
        return Seen(eye.grid, eye.skin, None, None, str(error))
    if reading.status is not Status.PLAYING or UNREAD in _tiles(reading):
        return Seen(reading.grid, eye.skin, reading, None)
    try:
        return Seen(reading.grid, eye.skin, reading, solve(reading.board))
    except InconsistentBoard as error:
        return Seen(reading.grid, eye.skin, reading, None, str(error))


def _tiles(reading: Reading) -> set[int]:
    return set(np.unique(reading.board.tiles).tolist())


def print_seen(console: Console, seen: Seen) -> None:
    """What is known of a board, and in red why no more is."""
    if seen.reading is not None:
        print_reading(console, seen.reading, seen.skin, seen.analysis)
    else:
        grid = seen.grid
        console.print(f"{grid.cols} x {grid.rows} cells, {_called(seen.skin)}", highlight=False)
    if seen.trouble:
        console.print(Text(seen.trouble, "red"), soft_wrap=True)


def print_reading(
    console: Console, reading: Reading, skin: Skin, analysis: Analysis | None
) -> None:
    """The board as text, its probabilities as a table in colour, and the move with its reason."""
    board = reading.board
    console.print(
        f"{board.cols} x {board.rows} cells, {board.mines} mines, {_called(skin)}, "
        f"{reading.status.value}{_header(reading)}",
        highlight=False,
    )
    for remark in reading.remarks:
        console.print(f"note: {remark}", style="yellow", highlight=False, soft_wrap=True)
    console.print(Text(board.rows_text()), soft_wrap=True)
    unread = list(board.cells(UNREAD))
    if unread:
        console.print(Text(_unread_in_words(unread), "red"), soft_wrap=True)
    if analysis is None:
        return
    console.print("\nprobability of a mine in %, [bold blue]ok[/] proved safe, "
                  "[bold dark_orange]**[/] a proved mine:")  # fmt: skip
    console.print(_table(board, analysis), soft_wrap=True)
    if analysis.best is not None:
        row, col = analysis.best
        risk = analysis.mine_probability[analysis.best]
        console.print(
            f"open row {row}, column {col} (risk {risk:.1%}): {analysis.reason}",
            highlight=False,
            soft_wrap=True,
        )


def _called(skin: Skin) -> str:
    return "a skin never seen" if skin.name == UNSEEN else f"skin '{skin.name}'"


def _unread_in_words(cells: list[Cell]) -> str:
    """How many tiles were not read, and where the first of them are."""
    named = "; ".join(f"row {cell.row}, column {cell.col}" for cell in cells[:_NAMED])
    more = f"; and {len(cells) - _NAMED} more" if len(cells) > _NAMED else ""
    tiles = "1 tile (~) looks" if len(cells) == 1 else f"{len(cells)} tiles (~) look"
    return f"{tiles} like nothing in the skin: {named}{more}"


def _header(reading: Reading) -> str:
    """What stands beside the board, as far as it was read."""
    left = "" if reading.mines_left is None else f", its counter shows {reading.mines_left}"
    return left if reading.clock is None else f"{left}, its clock {reading.clock} s"


def _table(board: Board, analysis: Analysis) -> Text:
    text = Text(no_wrap=True)
    for row in range(board.rows):
        for col in range(board.cols):
            text.append_text(_entry(board, analysis, row, col))
        text.append("\n")
    text.right_crop()
    return text


def _entry(board: Board, analysis: Analysis, row: int, col: int) -> Text:
    probability = analysis.mine_probability[row, col]
    if np.isnan(probability):
        hint = board[row, col]
        return Text("  ." if hint == 0 else f"  {hint}", _HINT)
    if probability == 0.0:
        return Text(" ok", _SAFE)
    if probability == 1.0:
        return Text(" **", _MINE)
    # Only a proof may look like one.
    return Text(f" {min(max(round(probability * 100), 1), 99):2}")


def as_json(seen: Seen) -> str:
    """The same for programs: one JSON object; probabilities are null where opened."""
    fields: dict[str, object] = {"skin": seen.skin.name, "region": list(seen.grid.region)}
    if seen.trouble:
        fields["error"] = seen.trouble
    if seen.reading is not None:
        fields |= _reading_fields(seen.reading)
    if seen.analysis is not None:
        fields |= _analysis_fields(seen.analysis)
    return json.dumps(fields)


def _reading_fields(reading: Reading) -> dict[str, object]:
    return {
        "status": reading.status.value,
        "board": reading.board.rows_text().split("\n"),
        "mines": reading.board.mines,
        "mines_left": reading.mines_left,
        "clock": reading.clock,
        "remarks": list(reading.remarks),
        "lowest_confidence": round(float(reading.confidence.min()), 4),
    }


def _analysis_fields(analysis: Analysis) -> dict[str, object]:
    return {
        "mine_probability": [
            [None if np.isnan(p) else p for p in row] for row in analysis.mine_probability.tolist()
        ],
        "best": None if analysis.best is None else list(analysis.best),
        "exact": analysis.exact,
        "solutions": None if analysis.solutions is None else str(analysis.solutions),
        "reason": analysis.reason,
    }
