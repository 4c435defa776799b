"""A recorded screenshot, told in a terminal: the board, the probabilities, the move."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import numpy as np
from rich.console import Console
from rich.text import Text

from bot.analysis import Analysis, Limit
from bot.board import UNREAD, Board
from bot.frame import Reading, Status
from bot.solver import solver
from vision.capture import load_image
from vision.finder import BoardNotFound
from vision.reader import read_image
from vision.skins import Skin, load_skins

_SAFE: Final = "bold blue"
_MINE: Final = "bold dark_orange"
_HINT: Final = "dim"


def read_picture(
    path: Path, mines: int | None, solver_name: str
) -> list[tuple[Reading, Skin, Analysis | None]]:
    """Find and analyse every board in a picture.

    Returns:
        For each board what was read, in which skin, and what the solver thinks of it: None
        where the game is over or a tile was not read.

    Raises:
        ImageError: The file is no picture that can be read.
        BoardNotFound: There is no board in it.
        MinesUnknown: Nobody knows how many mines the board has.
        InconsistentBoard: The hints contradict each other.
    """
    solve = solver(solver_name).solve
    found = []
    for reading, skin in read_image(load_image(path), load_skins(), mines):
        playing = reading.status is Status.PLAYING and not (reading.board.tiles == UNREAD).any()
        found.append((reading, skin, solve(reading.board, Limit()) if playing else None))
    if not found:
        raise BoardNotFound(f"{path}: no Minesweeper board of a known skin is in this picture")
    return found


def print_reading(
    console: Console, reading: Reading, skin: Skin, analysis: Analysis | None
) -> None:
    """The board as text, its probabilities as a table in colour, and the move with its reason."""
    board = reading.board
    console.print(
        f"{board.cols} x {board.rows} cells, {board.mines} mines, skin '{skin.name}', "
        f"{reading.status.value}{_header(reading)}",
        highlight=False,
    )
    for remark in reading.remarks:
        console.print(f"note: {remark}", style="yellow", highlight=False)
    console.print(Text(board.rows_text()), soft_wrap=True)
    for cell in board.cells(UNREAD):
        console.print(
            f"[red]row {cell.row}, column {cell.col} looks like nothing in the skin[/] (~)"
        )
    if analysis is None:
        return
    console.print("\nprobability of a mine in %, [bold blue]ok[/] proved safe, "
                  "[bold dark_orange]**[/] a proved mine:")  # fmt: skip
    console.print(_table(board, analysis), soft_wrap=True)
    if analysis.best is not None:
        row, col = analysis.best
        risk = analysis.mine_probability[analysis.best]
        console.print(
            f"open row {row}, column {col} (risk {risk:.1%}): {analysis.reason}", highlight=False
        )


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


def as_json(reading: Reading, skin: Skin, analysis: Analysis | None) -> str:
    """The same for programs: one JSON object; probabilities are null where opened."""
    grid = reading.grid
    fields: dict[str, object] = {
        "skin": skin.name,
        "status": reading.status.value,
        "board": reading.board.rows_text().split("\n"),
        "mines": reading.board.mines,
        "mines_left": reading.mines_left,
        "clock": reading.clock,
        "remarks": list(reading.remarks),
        "region": list(grid.region),
        "lowest_confidence": round(float(reading.confidence.min()), 4),
    }
    if analysis is not None:
        fields |= {
            "mine_probability": [
                [None if np.isnan(p) else p for p in row]
                for row in analysis.mine_probability.tolist()
            ],
            "best": None if analysis.best is None else list(analysis.best),
            "exact": analysis.exact,
            "solutions": None if analysis.solutions is None else str(analysis.solutions),
            "reason": analysis.reason,
        }
    return json.dumps(fields)
