"""The positions that the page shows, and its jobs: read a picture, paint and save the result."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QBuffer, QIODevice, QRectF
from PyQt6.QtGui import QImage, QPainter

from bot.board import UNREAD, Board, Cell
from bot.frame import Frame, Reading
from bot.loop import Turn
from bot.solver.explain import explain
from gui.analyse.positions import analyse, reading_of, status_of
from gui.failures import Failure, ReportedFailure
from gui.images import to_qimage
from gui.looks import Look, look_named, paint_tile
from gui.panel.boardview import Show
from gui.panel.jobs import Progress
from gui.panel.marks import paint_chip, paint_thoughts, paint_unsure, unsure
from gui.questions import MarkedArea, ProgramQuestion, marked_again
from gui.skins.skin_jobs import Shelf

if TYPE_CHECKING:
    # Loading the reader takes a moment, so it is imported late.
    from gui.analyse_image import AnalysedBoard
    from vision.learning.questions import Question


@dataclass(frozen=True, eq=False)
class Item:
    """A position, and what it was read from."""

    source: Reading
    """As it was read; of a position that was set up, without a picture."""
    board: Board
    """The position, with the user's corrections; 0 mines if their number is unknown."""
    seen: AnalysedBoard | None = None
    """The board of a picture."""

    @property
    def corrected(self) -> NDArray[np.bool_]:
        """(rows, cols): the cells that the user corrected."""
        corrected: NDArray[np.bool_] = self.source.board.tiles != self.board.tiles
        return corrected

    @property
    def reading(self) -> Reading:
        """The reading with the user's corrections."""
        source, board = self.source, self.board
        if board == source.board:
            return source
        confidence = np.where(self.corrected, np.float32(1), source.confidence)
        unread = {cell: why for cell, why in source.unread.items() if board[cell] == UNREAD}
        return replace(
            source, board=board, status=status_of(board), confidence=confidence, unread=unread
        )

    def corrected_as(self, other: Item) -> Item:
        """Return the board with the corrections of another reading of it."""
        tiles = np.where(other.corrected, other.board.tiles, self.board.tiles)
        return replace(self, board=replace(self.board, tiles=tiles))

    @property
    def pictured(self) -> bool:
        """Whether there is a picture of the board."""
        return self.source.frame.image.size > 3

    @property
    def questions(self) -> tuple[Question, ...]:
        """Unanswered questions about tile clusters."""
        return () if self.seen is None else self.seen.tile_reader.questions


@dataclass(frozen=True, eq=False)
class Scene:
    """What the page shows: a position, or the boards of a picture.

    Every change makes another one, so that Undo can restore it.
    """

    items: tuple[Item, ...]
    number: int = 0
    """The selected position."""
    frame: Frame | None = None
    """The picture."""
    name: str = ""
    """The name of its file."""
    remarks: tuple[str, ...] = ()

    @property
    def item(self) -> Item:
        """The selected position."""
        return self.items[self.number]

    @property
    def board(self) -> Board:
        """The selected position's board."""
        return self.item.board

    def with_item(self, item: Item) -> Scene:
        """Return the scene with another selected position."""
        items = (*self.items[: self.number], item, *self.items[self.number + 1 :])
        return replace(self, items=items)

    def with_board(self, board: Board) -> Scene:
        """Return the scene with other tiles or mines; a board of another size has no picture."""
        if board.tiles.shape != self.board.tiles.shape:
            return scene_of(reading_of(board))
        return self.with_item(replace(self.item, board=board))


def scene_of(reading: Reading) -> Scene:
    """Return a single position without a screenshot."""
    return Scene((Item(reading, reading.board),))


@dataclass(frozen=True, eq=False)
class Unrecognised:
    """A picture in which no board was recognised: the user may mark it."""

    frame: Frame
    name: str
    why: str
    """A sentence."""
    question: ProgramQuestion


def read(
    shelf: Shelf, source: Path | NDArray[np.uint8], progress: Progress
) -> Scene | Unrecognised:
    """Find and read the boards of a picture.

    Args:
        shelf: The skins.
        source: A file, or pixels (h, w, 3) uint8 BGR.
        progress: Receives the progress.

    Raises:
        ReportedFailure: It cannot be read, or shows only a part of a board.
    """
    from gui.analyse_image import analyse_image  # noqa: PLC0415
    from vision.capture import ImageError, load_image  # noqa: PLC0415
    from vision.finder import BoardCut, BoardNotFound  # noqa: PLC0415

    file = source if isinstance(source, Path) else None
    name = file.name if file is not None else "the pasted picture"
    frame = None
    try:
        progress.report(None, f"Opening {name}")
        frame = load_image(file) if file is not None else Frame.of_image(np.asarray(source))
        boards, remarks = analyse_image(frame, shelf.skins(), None, None, progress.report)
    except (ImageError, BoardNotFound) as error:
        said = name if file is None else f"'{name}'"
        words = str(error) if file is None else str(error).replace(str(file), said)
        words = words if said in words else f"{said}: {words}"
        if frame is not None and not isinstance(error, BoardCut):
            return _unrecognised(frame, name, words)
        raise ReportedFailure(Failure(words)) from error
    return Scene(tuple(map(_item, boards)), 0, frame, name, tuple(remarks))


def _unrecognised(frame: Frame, name: str, why: str) -> Unrecognised:
    from vision.finder.marking import likely_board  # noqa: PLC0415

    question = ProgramQuestion(
        title="Where is the board?",
        why=(
            f"No board was recognised in {name}. If it shows a whole board, mark that from edge to "
            "edge and enter how many cells it has."
        ),
        picture=frame.image,
        leave="It shows none",
        keys=False,
        marks=True,
        board=likely_board(frame.image),
    )
    return Unrecognised(frame, name, why, question)


def read_marked(seen: Unrecognised, marked: MarkedArea, progress: Progress) -> Scene | Unrecognised:
    """Read the board that the user has marked in a picture; ask again if none can be there."""
    from gui.analyse_image import analyse_image  # noqa: PLC0415
    from vision.finder.marking import marked_grid  # noqa: PLC0415

    frame, area = seen.frame, (marked.region, marked.cols, marked.rows, marked.tolerance)
    try:
        grid = marked_grid(frame, *area)
    except ValueError as error:
        return replace(seen, question=marked_again(seen.question, marked, error))
    boards, _ = analyse_image(frame, (), None, None, progress.report, grid)
    return Scene(tuple(map(_item, boards)), 0, frame, seen.name)


def read_with(
    item: Item, mines: int, labelled: tuple[Question, int] | None, _progress: Progress
) -> Item | Question:
    """Read a board of a picture again, without the corrections.

    Args:
        item: The board.
        mines: The number of mines; 0 if it is unknown.
        labelled: The user's label for a tile cluster.

    Returns:
        The board; the question, to be asked again, if the label contradicts the board.
    """
    from gui.analyse_image import read_again  # noqa: PLC0415
    from vision.learning.learning_reader import LearningReader  # noqa: PLC0415
    from vision.learning.questions import AnswerRefused  # noqa: PLC0415

    if item.seen is None:
        return item
    reader = item.seen.tile_reader
    if labelled is not None and isinstance(reader, LearningReader):
        question, state = labelled
        # The other reader stays as it is: Undo shows its board again, and asks again.
        reader = deepcopy(reader)
        try:
            reader.answer(question, state)
        except AnswerRefused:
            return replace(question, refused=(*question.refused, state))
    return _item(read_again(item.source.frame, reader, mines or None, None))


def _item(seen: AnalysedBoard) -> Item:
    """Return a board of a picture as a position, even if its number of mines is unknown."""
    reading = seen.reading
    if reading is None:
        bare = reading_of(Board(seen.tiles, 0))
        why = {cell: seen.why_unread(cell) for cell in bare.board.cells(UNREAD)}
        confidence = seen.tile_reader.confidence
        reading = replace(bare, frame=seen.frame, grid=seen.grid, confidence=confidence, unread=why)
    return Item(reading, reading.board, seen)


def annotated(scene: Scene, show: Show, look: str, solver_name: str, progress: Progress) -> QImage:
    """Analyse all boards of a picture, and paint the results over it.

    Args:
        scene: Boards of a picture.
        show: What is painted over it; nothing for `Show.FRAME`.
        look: The name of the look of parsed tiles.
        solver_name: The solver.
        progress: Cancels it.

    Returns:
        A picture of the frame's size in pixels.
    """
    frame = scene.frame
    if frame is None:
        return QImage()
    turns = [analyse(item.reading, solver_name, progress).turn for item in scene.items]
    image = to_qimage(frame.image)
    with QPainter(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for item, turn in zip(scene.items, turns, strict=True):
            if show is not Show.FRAME:
                whole = item.corrected | (show is Show.PARSED)
                _paint(painter, frame, turn, whole, look_named(look))
    return image


def save_annotated(
    scene: Scene, show: Show, look: str, solver_name: str, path: Path, progress: Progress
) -> Path:
    """Save the annotated picture as PNG; return its path.

    Raises:
        ReportedFailure: It cannot be written.
    """
    from vision.files import write_whole  # noqa: PLC0415

    path = path if path.suffix.lower() == ".png" else path.with_name(f"{path.name}.png")
    try:
        write_whole(path, as_png(annotated(scene, show, look, solver_name, progress)))
    except OSError as error:
        why = f"{path} cannot be written: {error.strerror or error}"
        raise ReportedFailure(Failure(why)) from error
    return path


def as_png(image: QImage) -> bytes:
    """Return a picture as the content of a PNG file."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")
    return buffer.data().data()


def _paint(
    painter: QPainter, frame: Frame, turn: Turn, whole: NDArray[np.bool_], look: Look
) -> None:
    """Paint a board: the parsed tile on some cells, and marks on all."""
    reading, analysis = turn.reading, turn.analysis
    places = _places(frame, reading)
    marked = unsure(reading)
    for cell, place in places.items():
        if whole[cell]:
            paint_tile(painter, reading.board[cell], place, look)
        elif marked[cell]:
            paint_unsure(painter, reading.board[cell], place, look)
    if analysis is None:
        return
    probability = analysis.mine_probability
    for row, col in np.argwhere(~np.isnan(probability)).tolist():
        paint_chip(painter, places[Cell(row, col)], float(probability[row, col]))
    evidence = explain(reading.board, analysis).evidence
    paint_thoughts(painter, turn.moves, places.__getitem__, evidence=evidence)


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
