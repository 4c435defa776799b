"""Read a screenshot or a window, and print the board, the probabilities and the move."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import numpy as np
from rich.table import Table
from rich.text import Text

from bot.analysis import Analysis, Limit
from bot.board import STATE_WORDS, UNREAD, Board, Cell
from bot.frame import Reading
from bot.solver import solver
from bot.solver.explain import count_solutions, explain
from bot.solver.phrases import percent, short_percent
from bot.unread import Cause
from gui.analyse_image import AnalysedBoard, analyse_image, header_text, unread_lines
from gui.commands.learn import usable_skins
from gui.console import Console
from gui.questions import MarkedArea
from vision.capture import load_image
from vision.finder import BoardNotFound
from vision.finder.marking import marked_grid
from vision.skins import STATE_NAMES, Skin

_SAFE: Final = "bold blue"
_MINE: Final = "bold dark_orange"
_HINT: Final = "dim"


_LIMITS: Final = {
    "rest": "difference from the nearest picture",
    "spot": "largest difference in one spot",
    "toward": "closeness to another state's picture, 0 to 1",
    "plain": "closeness to a plain patch, 0 to 1",
    "contradicted": "largest part that fits another state better",
    "contrast": "contrast of the nearest picture",
    "apart": "difference between the two states' pictures",
    "local": "confidence",
    "firm": "confidence without the tile's border",
    "sigmas": "distance from the other state, in units of noise",
    "margin": "likelihood compared with the best other reading of the board, in which it is "
    "another tile or unread, as a logarithm",
}
"""The names of `bot.unread.BrokenLimit` in words."""


def read_window(
    window: str, mines: int | None, solver_name: str
) -> tuple[list[AnalysedBoard], list[str]]:
    """Find and analyse the board of a window; as `read_picture`.

    Args:
        window: A part of its title, class or skin.
        mines: As for `read_picture`.
        solver_name: As for `read_picture`.

    Raises:
        DisplayError: No window can be captured here.
        BoardNotFound: There is no such window, or no board in it.
        UnknownSolver: There is no such solver.
    """
    from gui.runner.backend import Desktop  # noqa: PLC0415 - opens the display
    from vision.desktop import require_real_desktop  # noqa: PLC0415

    solve = solver(solver_name).solve
    require_real_desktop(Console(stderr=True).print)
    skins = usable_skins()
    frame, _ = Desktop().pictured(window, skins)
    return analyse_image(frame, skins, mines, lambda board: solve(board, Limit()))


def read_picture(
    path: Path, mines: int | None, solver_name: str, marked: MarkedArea | None = None
) -> tuple[list[AnalysedBoard], list[str]]:
    """Find and analyse every board in a picture; an unusable one does not hide others.

    With `marked`, that is the only one.

    Returns:
        The boards, and a remark for each board that is incomplete.

    Raises:
        ImageError: The file is no readable picture.
        BoardNotFound: There is no board in it, or none can be where it is marked.
        UnknownSolver: There is no such solver.
    """
    solve = solver(solver_name).solve
    frame, skins = load_image(path), usable_skins()
    try:
        area = None if marked is None else (marked.region, marked.cols, marked.rows)
        grid = None if area is None else marked_grid(frame, *area)
    except ValueError as error:
        raise BoardNotFound(f"{path}: --board marks no board: {error}") from None
    try:
        return analyse_image(frame, skins, mines, lambda board: solve(board, Limit()), marked=grid)
    except BoardNotFound as error:
        raise type(error)(f"{path}: {error}") from None


def print_boards(console: Console, seen: AnalysedBoard) -> None:
    """Print a board, and in red why anything is missing."""
    if seen.reading is not None:
        print_reading(console, seen.reading, seen.skin, seen.analysis)
    else:
        console.print(seen.title)
    if seen.trouble:
        console.print(Text(seen.trouble, "red"), soft_wrap=True)


def print_explanation(console: Console, seen: AnalysedBoard, cell: Cell) -> bool:
    """Print how a tile is read, or why it is not; return whether the board has that cell."""
    grid, reader = seen.grid, seen.tile_reader
    where = cell.position_text.capitalize()
    console.print(f"Board: {seen.title}")
    if cell.row >= grid.rows or cell.col >= grid.cols:
        size = f"{grid.rows} rows and {grid.cols} columns, both counted from 1"
        outside = f"{where} is not on this board, which has {size}"
        console.print(Text(outside, "red"), soft_wrap=True)
        return False
    code = seen.tiles[cell]
    if code != UNREAD:
        by = f"(confidence {reader.confidence[cell]:.0%})"
        if reader.codes[cell] == UNREAD:
            by = "by the hints around it"
        console.print(f"{where} is read as {STATE_NAMES[code]} {by}.", soft_wrap=True)
        if seen.trouble:
            console.print(Text(seen.trouble, "red"), soft_wrap=True)
        return True
    why = seen.why_unread(cell)
    console.print(f"{where} is not recognised. {why.text}", soft_wrap=True)
    if why.cause is Cause.UNLEARNED:
        nearest = _explanation("Likeliest states that the rules allow", "state", "probability")
    else:
        nearest = _explanation("Most similar states", "state", "score (1: identical)")
    for code, score in why.nearest:
        nearest.add_row(STATE_WORDS[code], f"{score:.4f}")
    limits = _explanation("Limits that it does not keep", "limit", "measured", "required")
    for one in why.broken:
        sign = "at most" if one.upper else "at least"
        limits.add_row(
            f"{one.name}: {_LIMITS[one.name]}", f"{one.value:.3g}", f"{sign} {one.limit:.3g}"
        )
    for table in (nearest, limits):
        if table.row_count:
            console.print(table)
    return True


def _explanation(title: str, *heads: str) -> Table:
    return Table(*heads, title=f"\n{title}", title_justify="left", title_style="bold")


def print_reading(
    console: Console, reading: Reading, skin: Skin, analysis: Analysis | None
) -> None:
    """Print the board, its probabilities as a coloured table, and the move with its reason."""
    board = reading.board
    console.print(
        f"{board.cols} x {board.rows} cells, {board.mines} mines, {skin.label}, "
        f"{reading.status.value}{header_text(reading)}",
        soft_wrap=True,
    )
    for remark in reading.remarks:
        console.print(f"note: {remark}", style="yellow", soft_wrap=True)
    console.print(Text(board.rows_text()), soft_wrap=True)
    for line in unread_lines(reading):
        console.print(Text(line, "red"), soft_wrap=True)
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
            f"open {analysis.best.position_text} (risk {percent(risk, 1)}): {reason}",
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
    return Text(f"{short_percent(probability):>3}")


def as_json(seen: AnalysedBoard) -> str:
    """Return the result as a JSON object; probabilities are null for opened cells.

    Rows and columns, as of the best cell, are zero-based.
    """
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
        "assumed": reading.board.assumed,
        "mines_left": reading.mines_left,
        "clock": reading.clock,
        "remarks": list(reading.remarks),
        "lowest_confidence": round(float(reading.confidence.min()), 4),
        "unread": [
            {
                "cell": list(cell),
                "cause": why.cause.value,
                "broken": {one.name: [one.value, one.limit] for one in why.broken},
                "nearest": {STATE_NAMES[code]: round(score, 4) for code, score in why.nearest},
            }
            for cell, why in reading.unread.items()
        ],
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
