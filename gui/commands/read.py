"""Reads a screenshot and prints the board, the probabilities and the move."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import numpy as np
from rich.text import Text

from bot.analysis import Analysis, Limit
from bot.board import Board
from bot.frame import Reading
from bot.solver import solver
from bot.solver.explain import count_solutions, explain
from gui.commands.learn import usable_skins
from gui.console import Console
from gui.seeing import Seen, called, header_in_words, look_at, unread_in_words
from vision.capture import load_image
from vision.finder import BoardNotFound
from vision.skins import Skin

_SAFE: Final = "bold blue"
_MINE: Final = "bold dark_orange"
_HINT: Final = "dim"


def read_picture(path: Path, mines: int | None, solver_name: str) -> tuple[list[Seen], list[str]]:
    """Find and analyse every board in a picture; an unusable one does not hide others.

    Returns:
        The boards, and a remark for each board that is incomplete.

    Raises:
        ImageError: The file is no readable picture.
        BoardNotFound: There is no board in it.
        UnknownSolver: There is no such solver.
    """
    solve = solver(solver_name).solve
    frame, skins = load_image(path), usable_skins()
    try:
        return look_at(frame, skins, mines, lambda board: solve(board, Limit()))
    except BoardNotFound as error:
        raise type(error)(f"{path}: {error}") from None


def print_seen(console: Console, seen: Seen) -> None:
    """Print a board, and in red why anything is missing."""
    if seen.reading is not None:
        print_reading(console, seen.reading, seen.skin, seen.analysis)
    else:
        console.print(seen.title)
    if seen.trouble:
        console.print(Text(seen.trouble, "red"), soft_wrap=True)


def print_reading(
    console: Console, reading: Reading, skin: Skin, analysis: Analysis | None
) -> None:
    """Print the board, its probabilities as a coloured table, and the move with its reason."""
    board = reading.board
    console.print(
        f"{board.cols} x {board.rows} cells, {board.mines} mines, {called(skin)}, "
        f"{reading.status.value}{header_in_words(reading)}",
    )
    for remark in reading.remarks:
        console.print(f"note: {remark}", style="yellow", soft_wrap=True)
    console.print(Text(board.rows_text()), soft_wrap=True)
    unread = unread_in_words(board)
    if unread:
        console.print(Text(unread, "red"), soft_wrap=True)
    if analysis is None:
        return
    console.print(
        Text.assemble(
            "\nprobability of a mine in %, ",
            ("ok", _SAFE),
            " proved safe, ",
            ("**", _MINE),
            " a proved mine:",
        )
    )
    console.print(_table(board, analysis), soft_wrap=True)
    if analysis.best is not None:
        risk = analysis.mine_probability[analysis.best]
        reason = explain(board, analysis).reason
        console.print(
            f"open {analysis.best.position_text} (risk {risk:.1%}): {reason}",
            soft_wrap=True,
        )


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
    """Return the result as a JSON object; probabilities are null for opened cells."""
    fields: dict[str, object] = {"skin": seen.skin.name, "region": list(seen.grid.region)}
    if seen.trouble:
        fields["error"] = seen.trouble
    if seen.reading is not None:
        fields |= _reading_fields(seen.reading)
    if seen.reading is not None and seen.analysis is not None:
        fields |= _analysis_fields(seen.reading.board, seen.analysis)
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


def _analysis_fields(board: Board, analysis: Analysis) -> dict[str, object]:
    solutions = count_solutions(board, analysis)
    return {
        "mine_probability": [
            [None if np.isnan(p) else p for p in row] for row in analysis.mine_probability.tolist()
        ],
        "best": None if analysis.best is None else list(analysis.best),
        "exact": analysis.exact,
        "solutions": None if solutions is None else str(solutions),
        "reason": explain(board, analysis).reason,
    }
