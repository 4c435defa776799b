"""The page for one position: read from a screenshot, set up by hand, pasted, or taken from a game.

Everything that takes time runs in jobs. Every change of the position makes another `Scene`, which
is analysed, and which Undo takes back.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QMimeData
from PyQt6.QtGui import (
    QAction,
    QDragEnterEvent,
    QDropEvent,
    QGuiApplication,
    QImage,
    QUndoCommand,
    QUndoStack,
)
from PyQt6.QtWidgets import QMenu

from bot.board import UNOPENED, Board, Cell
from bot.frame import Reading
from bot.game import BEGINNER, LEVELS
from bot.solver.outcomes import Outcomes
from gui.analyse.analyse_surface import MOST, AnalyseSurface, Brush
from gui.analyse.picture_jobs import (
    Item,
    Scene,
    Unrecognised,
    annotated,
    read,
    read_marked,
    read_with,
    save_annotated,
    scene_of,
)
from gui.analyse.positions import (
    Position,
    analyse,
    follow,
    load,
    outcomes_of,
    reading_of,
    resized,
    save,
    saved_positions_file,
    status_of,
    with_tiles,
)
from gui.dialogs import ask_choice, ask_open, ask_save, ask_text, local_files
from gui.images import from_qimage
from gui.panel.boardview import Show
from gui.panel.cell_info import Inspector, outcome_rows
from gui.panel.jobs import LatestJob, Progress
from gui.panel.pages import OPEN, Context, Page
from gui.panel.program_question import ask_in_dialog
from gui.panel.theme import current_theme
from gui.panel.widgets import connect_keyed, sentence
from gui.questions import MarkedArea, ProgramAnswer
from gui.skins.skin_jobs import Shelf

if TYPE_CHECKING:
    # Loading the reader takes a moment, so it is imported late.
    from vision.learning.questions import Question

_FILES: Final = "Pictures and positions (*.png *.jpg *.jpeg *.bmp *.jsonl)"
_POSITIONS: Final = ".jsonl"
"""Suffix of a file of positions."""
_UNTRIED: Final = "Only a covered cell of a possible board can be tried."
_FORM: Final = (
    "A position is a line for each row, of # (covered), 0 to 8 and F, and a last line 'mines: N'."
)


class _Change(QUndoCommand):
    """A change of what is shown, for Undo and Redo."""

    def __init__(
        self, text: str, before: Scene, after: Scene, show: Callable[[Scene], None]
    ) -> None:
        super().__init__(text)
        self._before, self._after, self._show = before, after, show

    def redo(self) -> None:
        """Show the position with the change."""
        self._show(self._after)

    def undo(self) -> None:
        """Show the position without it."""
        self._show(self._before)


class AnalysePage(Page):
    """The page that reads, edits and analyses a position."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        level = BEGINNER
        self.scene = scene_of(reading_of(Board.covered(level.rows, level.cols, level.mines)))
        self.position: Position | None = None
        """The position with its analysis; None until it is done."""
        self.history = QUndoStack(self)
        self._stroke_from = self.scene
        """What was shown before the stroke."""
        self._shelf = Shelf()
        self._reading = LatestJob(context.jobs, self.failed.emit, self._update_buttons)
        self._analysis, self._trial = (LatestJob(context.jobs, self.failed.emit) for _ in range(2))
        self._left_open: set[bytes] = set()
        """The questions that the user left open."""
        self._question: Question | None = None
        self._refused = False
        """Whether a message says that this position cannot be saved."""
        self.menu = QMenu(self)
        self.surface = AnalyseSurface(self, context.jobs)
        self.brush = Brush(self.surface.view)
        self.inspector = Inspector(self.surface.view, context.jobs, self.brush)
        self.setAcceptDrops(True)
        self._connect()
        self._show(self.scene)

    def _connect(self) -> None:
        surface, brush = self.surface, self.brush
        connect_keyed(
            self,
            {
                surface.open: self.ask_file,
                surface.paste: self.paste,
                surface.copy: self.copy,
                surface.save: self.ask_name,
                surface.undo: self.history.undo,
                surface.redo: self.history.redo,
            },
        )
        surface.saved.triggered.connect(self.ask_position)
        surface.save_picture.triggered.connect(self.ask_where)
        surface.copy_picture.triggered.connect(self.copy_picture)
        surface.learn.triggered.connect(self.teach_skin)
        self.history.canUndoChanged.connect(surface.undo.setEnabled)
        self.history.canRedoChanged.connect(surface.redo.setEnabled)
        surface.level_chosen.connect(self.new)
        surface.tile_chosen.connect(brush.set_tile)
        surface.picture.chosen.connect(self.show_board)
        surface.teach.answered.connect(self._answer)
        for field in (surface.rows, surface.cols, surface.mines):
            field.valueChanged.connect(self._resize)
        brush.begun.connect(self._begin_stroke)
        brush.painted.connect(self._paint)
        brush.ended.connect(self._end_stroke)
        brush.tried.connect(self.try_cell)
        brush.typed.connect(self._type)
        self.inspector.pointing.pointed.connect(surface.picture.point_at)

    @property
    def board(self) -> Board:
        """The position."""
        return self.scene.board

    @property
    def busy(self) -> bool:
        """Whether a picture is being read or painted, or the position analysed."""
        return self._reading.running or self._analysis.running

    def enter(self, what: object = None) -> None:
        """Take over a game's board, a `Reading`; with `OPEN`, let the user choose a file."""
        self.surface.view.set_numbered(self.context.settings().coordinates)
        self.surface.view.setFocus()
        if isinstance(what, Reading):
            reading = replace(what, status=status_of(what.board))
            self._change("Take over a position", scene_of(reading))
        elif what == OPEN:
            self.ask_file()

    # Where a position comes from

    def new(self, name: str) -> None:
        """Begin with the covered board of a level."""
        level = LEVELS[name]
        self._set_up("New board", Board.covered(level.rows, level.cols, level.mines))

    def ask_file(self) -> None:
        """Let the user choose a screenshot, or a file of positions."""
        ask_open(self, "Open a screenshot or positions", _FILES, lambda files: self.open(files[0]))

    def open(self, path: Path) -> None:
        """Read a picture, or let the user choose one of the positions of a file."""
        if path.suffix.lower() != _POSITIONS:
            self.read(path)
            return
        self._start(f"Reading {path.name}", partial(load, path), self._offer)

    def ask_position(self) -> None:
        """Let the user choose one of the saved positions."""
        path = saved_positions_file()
        if path.exists():
            self.open(path)
        else:
            self.message.emit("No position was saved yet. Save keeps the one that is shown.")

    def read(self, source: Path | NDArray[np.uint8]) -> None:
        """Read a picture: a file, or pixels (h, w, 3) uint8 BGR; the previous job is cancelled."""
        self._start("Reading the picture", partial(read, self._shelf, source), self._show_picture)

    def paste(self) -> None:
        """Read the picture, the file or the position in the clipboard."""
        clipboard = QGuiApplication.clipboard()
        data = clipboard.mimeData() if clipboard is not None else None
        if data is None or self._take(data):
            return
        text = data.text()
        try:
            # A number of mines that the text leaves out stays as it is.
            board = Board.parse(text, None if "mines:" in text else self.board.mines)
        except ValueError as error:
            self.message.emit(
                f"The clipboard holds no picture and no position: {error}. {_FORM} Or copy a "
                "screenshot, or a picture file, and paste again."
            )
            return
        if max(board.tiles.shape) > MOST:
            self.message.emit(f"A position has at most {MOST} rows and columns.")
            return
        self._set_up("Paste", board)

    def dragEnterEvent(self, event: QDragEnterEvent | None) -> None:
        """Accept the drag of files and pictures."""
        data = event.mimeData() if event is not None else None
        if event is not None and data is not None and (data.hasUrls() or data.hasImage()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent | None) -> None:
        """Read what was dropped."""
        data = event.mimeData() if event is not None else None
        if event is None or data is None:
            return
        event.acceptProposedAction()
        if not self._take(data):
            self.message.emit(
                "Only files on this computer can be dropped: PNG, JPEG, BMP, or positions (JSONL)."
            )

    def _take(self, data: QMimeData) -> bool:
        """Read a pasted or dropped file or picture; return whether there is one."""
        files = local_files(data)
        if files:
            self.open(files[0])
            if len(files) > 1:
                self.message.emit(
                    f"Only one file can be analysed at a time: {files[0].name} was opened."
                )
            return True
        image = data.imageData() if data.hasImage() else None
        if isinstance(image, QImage) and not image.isNull():
            self.read(from_qimage(image))
            return True
        return False

    def _offer(self, positions: dict[str, Board]) -> None:
        names = list(positions)
        ask_choice(
            self,
            "Open a position",
            "Saved position:",
            names,
            names[-1],
            lambda name: self._set_up("Open", positions[name]),
        )

    # Where a position goes to

    def copy(self) -> None:
        """Copy the position as text."""
        clipboard = QGuiApplication.clipboard()
        if clipboard is not None:
            clipboard.setText(str(self.board))
            self.succeeded.emit("The position is in the clipboard, as text.")

    def ask_name(self) -> None:
        """Let the user name the position, and save it; say first if that is impossible."""
        if not self._refuses_saving():
            ask_text(self, "Save this position", "Name of the position:", "", self.save)

    def save(self, name: str) -> None:
        """Add the position to the saved ones."""
        if self._refuses_saving():
            return
        if not name:
            self.message.emit("The position was not saved: it needs a name.")
            return
        self.outdated.emit()
        work = partial(save, self.board, name)
        job = self.context.jobs.start("Saving the position", work, keeps=True)
        job.done.connect(lambda path: self.saved.emit(f"Saved to {path} as '{name}'", path))
        job.failed.connect(self.failed)

    def _refuses_saving(self) -> bool:
        """Say why the position cannot be saved; return whether there is a reason."""
        trouble = self.position.trouble if self.position is not None else ""
        if trouble:
            self._refused = True
            self.message.emit(f"This position cannot be saved. {trouble}")
        return bool(trouble)

    def ask_where(self) -> None:
        """Let the user choose where to save the annotated picture."""
        name = f"{Path(self.scene.name).stem}-annotated.png"
        ask_save(self, "Save the annotated picture", "PNG pictures (*.png)", name, self.save_to)

    def save_to(self, path: Path) -> None:
        """Save the annotated picture."""
        self._start(
            f"Saving {path.name}",
            partial(save_annotated, *self._painted(), path),
            lambda saved: self.saved.emit(f"Annotated picture saved to {saved}", saved),
            only_looks=False,
        )

    def copy_picture(self) -> None:
        """Copy the annotated picture to the clipboard."""
        work = partial(annotated, *self._painted())
        self._start("Painting the annotated picture", work, self._put_in_clipboard)

    def _painted(self) -> tuple[Scene, Show, str, str]:
        """Return what the annotated picture shows."""
        show, look = self.surface.view.layers, current_theme().look
        return self.scene, show, look, self.context.settings().solver

    def _put_in_clipboard(self, image: QImage) -> None:
        clipboard = QGuiApplication.clipboard()
        if clipboard is not None:
            clipboard.setImage(image)
            self.succeeded.emit("The annotated picture is in the clipboard.")

    def teach_skin(self) -> None:
        """Open the page of skins with this picture."""
        self.wanted.emit("skins", self.scene.frame)

    # The picture, and what it does not say

    def _start(
        self,
        title: str,
        work: Callable[[Progress], object],
        then: Callable[[Any], object],
        *,
        only_looks: bool = True,
    ) -> None:
        """Start a job with a progress bar, and cancel the previous one."""
        self.outdated.emit()
        self.surface.job.follow(self._reading.start(title, work, then, only_looks=only_looks))
        self._update_buttons()

    def _show_picture(self, scene: Scene | Unrecognised) -> None:
        """Show a picture that was read, or ask where its board is."""
        if isinstance(scene, Unrecognised):
            ask_in_dialog(self, scene.question, partial(self._read_marked, scene))
            return
        # Only the position is kept for Undo: pictures are large.
        self.history.clear()
        self.scene = scene_of(reading_of(self.board))
        self._left_open = set()
        self._change("Read a picture", scene)
        self._ask_mines()

    def _read_marked(self, seen: Unrecognised, answer: ProgramAnswer | None) -> None:
        """Read a board that the user has marked; without one, say why there is none."""
        if isinstance(answer, MarkedArea):
            work = partial(read_marked, seen, answer)
            self._start("Reading the picture", work, self._show_picture)
        else:
            self.message.emit(sentence(seen.why))

    def show_board(self, number: int) -> None:
        """Select another board of the picture."""
        self._show(replace(self.scene, number=number))
        self._ask_mines()

    def _ask_mines(self) -> None:
        if not self.board.mines:
            self.surface.mines.setFocus()
            self.surface.mines.selectAll()

    def _answer(self, state: int | None) -> None:
        question = self._question
        if question is None:
            return
        if state is None:
            self._left_open.add(_key(question))
            self._show(self.scene)
        else:
            self._read_again("Answer", self.board.mines, (question, state))

    def _read_again(
        self, text: str, mines: int, labelled: tuple[Question, int] | None = None
    ) -> None:
        """Read the selected board again with what the user said, as one step of Undo."""
        work = partial(read_with, self.scene.item, mines, labelled)
        self._start("Reading the board again", work, partial(self._show_again, text, self.scene))

    def _show_again(self, text: str, before: Scene, result: Item | Question) -> None:
        """Show the board with what was corrected meanwhile; ask again if a label was refused."""
        scene, number = self.scene, before.number
        if scene.frame is not before.frame:
            return
        if isinstance(result, Item):
            item = result.corrected_as(scene.items[number])
            self._change(text, replace(scene, number=number).with_item(item))
        elif scene.number == number:
            self._ask(result)

    def _ask(self, question: Question) -> None:
        self._question = question
        self.surface.ask(self.scene.item, question)

    def _update_buttons(self) -> None:
        surface = self.surface
        for action in (surface.save_picture, surface.copy_picture, surface.learn):
            action.setEnabled(not self._reading.running)

    # The position and its analysis

    def set_tiles(self, tiles: dict[Cell, int], text: str) -> None:
        """Set tiles, as one step of Undo."""
        board = with_tiles(self.board, tiles)
        if board != self.board:
            self._change(text, self.scene.with_board(board))

    def _set_up(self, text: str, board: Board) -> None:
        """Show a position without a picture; the previous one is an Undo away."""
        if self.scene.frame is not None or board != self.board:
            self._change(text, scene_of(reading_of(board)))

    def _resize(self) -> None:
        surface, item = self.surface, self.scene.item
        size = surface.rows.value(), surface.cols.value(), surface.mines.value()
        board = resized(self.board, *size)
        if item.seen is not None and item.seen.reading is None and board.mines:
            self._read_again("Enter the mines", board.mines)
        elif board != self.board:
            self._change("Change the size or the mines", self.scene.with_board(board))

    def _change(self, text: str, scene: Scene) -> None:
        self.history.push(_Change(text, self.scene, scene, self._show))

    def _show(self, scene: Scene) -> None:
        """Show another position, and analyse it; ask about its tiles."""
        self.scene, self.position, self._question = scene, None, None
        self._trial.cancel()
        self.surface.show_scene(scene)
        work = partial(analyse, scene.item.reading, self.context.settings().solver)
        self._analysis.start("Analysing the position", work, self._show_position)
        open_ones = [one for one in scene.item.questions if _key(one) not in self._left_open]
        if open_ones and scene.board.mines and scene.item.reading.unread:
            self._ask(open_ones[0])

    def _show_position(self, position: Position) -> None:
        self.position = position
        self.surface.show_position(self.scene.item, position)
        if self._refused:
            self._refused = False
            self.outdated.emit()
        if not position.trouble:
            work = partial(follow, position, self.context.settings().solver)
            self._analysis.start("Analysing the position", work, self.surface.show_line)

    def _begin_stroke(self) -> None:
        self._stroke_from = self.scene

    def _paint(self, cells: dict[Cell, int]) -> None:
        """Show a stroke that has not ended yet."""
        before = self._stroke_from
        self._show(before.with_board(with_tiles(before.board, cells)))

    def _end_stroke(self) -> None:
        scene, self.scene = self.scene, self._stroke_from
        if scene.board != self.board:
            self._change("Paint", scene)

    def _type(self, tile: int | None) -> None:
        """Set the current cell's tile; None tries what it may show."""
        cell = self.inspector.pointing.cell
        if cell is None:
            self.message.emit("Choose a cell first: with the arrow keys, or the pointer on it.")
        elif tile is None:
            self.try_cell(cell)
        else:
            self.set_tiles({cell: tile}, "Type")

    def try_cell(self, cell: Cell) -> None:
        """Offer the hints that a covered cell may show, each with what would follow."""
        possible = self.position is not None and not self.position.trouble
        if not possible or self.board[cell] not in UNOPENED:
            self.message.emit(_UNTRIED)
            return
        self.outdated.emit()
        work = partial(outcomes_of, self.board, cell)
        self._trial.start("What opening the cell may show", work, partial(self._offer_hints, cell))

    def _offer_hints(self, cell: Cell, outcomes: Outcomes) -> None:
        if not outcomes.by_hint:
            self.message.emit(f"{cell.position_text.capitalize()} is a mine.")
            return
        self.menu.clear()
        for (value, chance, follows, win), one in zip(
            outcome_rows(outcomes), outcomes.by_hint, strict=True
        ):
            text = f"&{value}: {chance}, then {follows}" + (f", {win} to win" if win else "")
            action = QAction(text, self.menu)
            action.triggered.connect(
                lambda _checked, value=one.value: self.set_tiles({cell: value}, "What if")
            )
            self.menu.addAction(action)
        place = self.surface.view.place()
        if place is not None:
            corner = place.cell(cell).bottomRight().toPoint()
            self.menu.popup(self.surface.view.mapToGlobal(corner))


def _key(question: Question) -> bytes:
    return bytes(question.picture.tobytes())
