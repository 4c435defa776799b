"""The background jobs of the page: load a picture, read it, paint and save the result."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QBuffer, QIODevice, QRectF
from PyQt6.QtGui import QImage, QPainter

from bot.analysis import Analysis, Limit
from bot.board import Board, Cell
from bot.frame import Frame, Reading
from bot.loop import Turn
from bot.solver import solver
from bot.solver.explain import explain
from bot.solver.warmup import IN_WORDS, PREPARATION
from gui.images import to_qimage
from gui.looks import Look, look_named, paint_tile
from gui.panel.boardview import Show
from gui.panel.jobs import Progress
from gui.panel.marks import paint_chip, paint_thoughts, paint_unsure, unsure
from gui.skins.skin_jobs import Shelf

if TYPE_CHECKING:
    # Loading the reader takes a moment, so it is imported late.
    from gui.analyse_image import AnalysedBoard, Solve
    from vision.learning.questions import Question


_SECONDS: Final = 10.0
"""After this time the solver uses an estimate."""


@dataclass(frozen=True, eq=False)
class AnalysedPicture:
    """A picture and the boards in it."""

    name: str
    """The name of its file."""
    frame: Frame
    boards: tuple[AnalysedBoard, ...]
    remarks: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Refused:
    """An answer that contradicts the board."""

    question: Question


def read(
    shelf: Shelf, source: Path | NDArray[np.uint8], solver_name: str, progress: Progress
) -> AnalysedPicture | str:
    """Find and analyse the boards of a picture.

    Args:
        shelf: The skins.
        source: A file, or pixels (h, w, 3) uint8 BGR.
        solver_name: The solver.
        progress: Receives the progress.

    Returns:
        The boards, or why there are none.
    """
    from gui.analyse_image import analyse_image  # noqa: PLC0415
    from vision.capture import ImageError, load_image  # noqa: PLC0415
    from vision.finder import BoardNotFound  # noqa: PLC0415

    file = source if isinstance(source, Path) else None
    name = file.name if file is not None else "the pasted picture"
    try:
        progress.report(None, f"Opening {name}")
        frame = load_image(file) if file is not None else Frame.of_image(np.asarray(source))
        skins = shelf.skins()
        boards, remarks = analyse_image(
            frame, skins, None, solving(solver_name, progress), progress.report
        )
    except (ImageError, BoardNotFound) as error:
        said = name if file is None else f"'{name}'"
        words = str(error) if file is None else str(error).replace(str(file), said)
        return words if said in words else f"{said}: {words}"
    return AnalysedPicture(name, frame, tuple(boards), tuple(remarks))


def read_with(
    analysed: AnalysedPicture,
    seen: AnalysedBoard,
    mines: int | None,
    solver_name: str,
    progress: Progress,
) -> AnalysedBoard:
    """Read a board again with a number of mines."""
    from gui.analyse_image import read_again  # noqa: PLC0415

    return read_again(analysed.frame, seen.tile_reader, mines, solving(solver_name, progress))


def answer(
    analysed: AnalysedPicture,
    seen: AnalysedBoard,
    labelled: tuple[Question, int],
    mines: int | None,
    solver_name: str,
    progress: Progress,
) -> AnalysedBoard | Refused:
    """Apply the user's label for a tile cluster, and read the board again."""
    from vision.learning.learning_reader import LearningReader  # noqa: PLC0415
    from vision.learning.questions import AnswerRefused  # noqa: PLC0415

    question, state = labelled
    if isinstance(seen.tile_reader, LearningReader):
        try:
            seen.tile_reader.answer(question, state)
        except AnswerRefused:
            return Refused(replace(question, refused=(*question.refused, state)))
    return read_with(analysed, seen, mines, solver_name, progress)


def save_annotated(
    analysed: AnalysedPicture,
    turns: Sequence[Turn],
    show: Show,
    look: str,
    path: Path,
    _progress: Progress,
) -> Path | str:
    """Save a picture with its boards painted over it as PNG; return its path or the error."""
    from vision.files import write_whole  # noqa: PLC0415

    path = path if path.suffix.lower() == ".png" else path.with_name(f"{path.name}.png")
    try:
        write_whole(path, as_png(annotated(analysed.frame, turns, show, look)))
    except OSError as error:
        return f"{path} cannot be written: {error.strerror or error}"
    return path


def turn_of(seen: AnalysedBoard) -> Turn | None:
    """Return a board as a turn for the board view; None if it was not read."""
    if seen.reading is None:
        return None
    return Turn(0, seen.reading, seen.analysis, seen.moves)


def solving(solver_name: str, progress: Progress) -> Solve:
    """Return a solver that waits until the solvers are compiled."""
    solve = solver(solver_name).solve

    def think(board: Board) -> Analysis:
        PREPARATION.wait(progress.cancelled, lambda: progress.report(None, IN_WORDS))
        return solve(board, Limit(seconds=_SECONDS, cancel=progress.cancelled))

    return think


def annotated(frame: Frame, turns: Iterable[Turn], show: Show, look: str) -> QImage:
    """Paint a picture's boards over it; callable in any thread.

    Args:
        frame: The whole picture.
        turns: Of its boards.
        show: What is painted over it; nothing for `Show.FRAME`.
        look: The name of the look of parsed tiles.

    Returns:
        A picture of the frame's size in pixels.
    """
    image = to_qimage(frame.image)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for turn in turns:
        _paint(painter, frame, turn, show, look_named(look))
    painter.end()
    return image


def as_png(image: QImage) -> bytes:
    """Return a picture as the content of a PNG file."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")
    return buffer.data().data()


def _paint(painter: QPainter, frame: Frame, turn: Turn, show: Show, look: Look) -> None:
    if show is Show.FRAME:
        return
    reading, analysis = turn.reading, turn.analysis
    places = _places(frame, reading)
    _paint_tiles(painter, reading, places, look, parsed=show is Show.PARSED)
    if analysis is None:
        return
    probability = analysis.mine_probability
    for row, col in np.argwhere(~np.isnan(probability)).tolist():
        paint_chip(painter, places[Cell(row, col)], float(probability[row, col]))
    evidence = explain(reading.board, analysis).evidence
    paint_thoughts(painter, analysis, turn.moves, places.__getitem__, evidence=evidence)


def _paint_tiles(
    painter: QPainter, reading: Reading, places: dict[Cell, QRectF], look: Look, *, parsed: bool
) -> None:
    marked = unsure(reading)
    for cell, place in places.items():
        if parsed:
            paint_tile(painter, reading.board[cell], place, look)
        elif marked[cell]:
            paint_unsure(painter, reading.board[cell], place, look)


def _places(frame: Frame, reading: Reading) -> dict[Cell, QRectF]:
    """Return each cell's rectangle in whole pixels of the picture."""
    grid = reading.grid
    across = grid.column_edges(frame.region).tolist()
    down = grid.row_edges(frame.region).tolist()
    return {
        Cell(row, col): QRectF(
            across[col],
            down[row],
            across[col + 1] - across[col],
            down[row + 1] - down[row],
        )
        for row in range(grid.rows)
        for col in range(grid.cols)
    }
