"""The page that reads a screenshot: opened, dropped or pasted, without the game's window.

The analysis is that of a game and runs in a job (`picture_jobs`). The page shows it and asks for
what the picture does not contain: the number of mines, and the labels of tiles of an unknown skin.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QMimeData, QRectF, QSize, Qt, pyqtSignal
from PyQt6.QtGui import (
    QColor,
    QDragEnterEvent,
    QDropEvent,
    QGuiApplication,
    QImage,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PyQt6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QSizePolicy,
    QSpinBox,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from bot.loop import Turn
from bot.planner import Action, Move
from bot.solver.explain import explain
from gui.dialogs import ask_open, ask_save, local_files
from gui.failures import Failure
from gui.images import from_qimage, to_qimage
from gui.panel.boardview import BoardArea, BoardView, LayerSwitch, Legend
from gui.panel.cell_info import Inspector
from gui.panel.cell_label import CellLabel
from gui.panel.edit_button import EditButton
from gui.panel.jobs import Job, JobBar, Jobs, Progress
from gui.panel.marks import CHOSEN
from gui.panel.pages import OPEN, Context, Page
from gui.panel.theme import SPACE, current_theme
from gui.panel.think_longer import ThinkLonger
from gui.panel.tile_question import Leaving, TeachPage
from gui.panel.widgets import (
    ANY_SIZE,
    PAGE_MARGINS,
    Flow,
    connect_keyed,
    explanation,
    headline,
    keyed,
    lay_column,
    lay_row,
    name_control,
    named_button,
    scrolled,
    sentence,
    wrapped_label,
)
from gui.picture.picture_jobs import (
    AnalysedPicture,
    Refused,
    annotated,
    answer,
    read,
    read_with,
    save_annotated,
    turn_of,
)
from gui.skins.skin_jobs import Shelf

if TYPE_CHECKING:
    # Loading the reader takes a moment, so it is imported late.
    from gui.analyse_image import AnalysedBoard
    from gui.questions import Around
    from vision.learning.questions import Question


PICTURES: Final = "Pictures (*.png *.jpg *.jpeg *.bmp)"
_SMALL: Final = 480
"""Longer side of the scaled-down picture in pixels."""
_SHOWN_MOVES: Final = 6
"""Number of moves that are listed; the others are counted."""
_WIDE: Final = 640
"""Width in points from which the list of boards fits beside the board."""
_LEAST_BOARD: Final = 220
"""Least size in points of a readable Expert board."""
_MOST_TEXT_HEIGHT: Final = 180
"""Largest height in points of a board's description; it scrolls."""
_MOST_MINES: Final = 10_000
_LEAVING: Final = Leaving(
    "Leave it open",
    "Leave it open",
    "Leave it open: nothing is proved on a board with an unknown tile",
    "Neither its shape nor the rules of the game identify it. Your answer holds for this picture; "
    "'Teach this skin' keeps it.",
)
_HELP: Final = (
    "Open a screenshot (Ctrl+O), drop one here, or paste it (Ctrl+V): PNG, JPEG or BMP. "
    "Every Minesweeper board in it is read, and you see how likely each cell is a mine."
)
WIDTH: Final = 220
"""Width in points of the list beside the board."""
_LARGEST: Final = 200
"""Largest height in points of the overview."""


class PicturePage(Page):
    """The page that reads a screenshot."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.analysed: AnalysedPicture | None = None
        self._shelf = Shelf()
        self._number = 0
        self._job: Job | None = None
        self._left_open: set[bytes] = set()
        self._question: Question | None = None
        self.surface = PictureSurface(self, context.jobs)
        self.inspector = Inspector(self.surface.view, context.jobs)
        self.setAcceptDrops(True)
        self._connect()
        self._update_buttons()

    def _connect(self) -> None:
        surface = self.surface
        connect_keyed(
            self,
            (
                (surface.open, "Ctrl+O", self.ask_file),
                (surface.paste, "Ctrl+V", self.paste),
                (surface.save, "Ctrl+S", self.ask_where),
                (surface.copy, "Ctrl+C", self.copy),
                (surface.learn, "Ctrl+T", self.teach_skin),
            ),
        )
        surface.boards.chosen.connect(self.show_board)
        surface.layers.chosen.connect(surface.view.set_layers)
        surface.mines_entered.connect(self.set_mines)
        surface.teach.answered.connect(self._answer)
        surface.edit.wanted.connect(partial(self.wanted.emit, "editor"))

    @property
    def seen(self) -> AnalysedBoard | None:
        """The selected board."""
        return self.analysed.boards[self._number] if self.analysed is not None else None

    def enter(self, what: object = None) -> None:
        """Read a picture that another page sends, a file or pixels, or let the user choose one."""
        self.surface.view.set_numbered(self.context.settings().coordinates)
        if isinstance(what, Path | np.ndarray):
            self.read(what)
        elif what == OPEN:
            self.ask_file()

    # What the user can do

    def ask_file(self) -> None:
        """Let the user choose a picture."""
        ask_open(self, "Open a screenshot", PICTURES, lambda files: self.read(files[0]))

    def paste(self) -> None:
        """Read the picture or file in the clipboard."""
        clipboard = QGuiApplication.clipboard()
        data = clipboard.mimeData() if clipboard is not None else None
        if data is None or not self._take(data):
            self.message.emit(
                "There is no picture in the clipboard. Copy a screenshot, or a picture file, "
                "and paste again."
            )

    def ask_where(self) -> None:
        """Let the user choose where to save the annotated picture."""
        if self.analysed is not None:
            name = f"{Path(self.analysed.name).stem}-annotated.png"
            ask_save(self, "Save the annotated picture", "PNG pictures (*.png)", name, self.save_to)

    def save_to(self, path: Path) -> None:
        """Save the annotated picture."""
        if self.analysed is not None:
            show, look = self.surface.view.layers, current_theme().look
            work = partial(save_annotated, self.analysed, self._turns(), show, look, path)
            self._start(f"Saving {path.name}", work, self._saved)

    def copy(self) -> None:
        """Copy the annotated picture to the clipboard."""
        analysed = self.analysed
        if analysed is None:
            return
        turns, show, look = self._turns(), self.surface.view.layers, current_theme().look

        def work(_progress: Progress) -> QImage:
            return annotated(analysed.frame, turns, show, look)

        self._start("Painting the annotated picture", work, self._copied)

    def teach_skin(self) -> None:
        """Open the page of skins with this picture."""
        if self.analysed is not None:
            self.wanted.emit("skins", self.analysed.frame)

    def read(self, source: Path | NDArray[np.uint8]) -> None:
        """Read a picture: a file, or pixels (h, w, 3) uint8 BGR; the previous job is cancelled."""
        solver = self.context.settings().solver
        work = partial(read, self._shelf, source, solver)
        self._start("Reading the picture", work, self._show, only_looks=True)

    def set_mines(self, mines: int) -> None:
        """Read the board again with this number of mines."""
        seen, analysed = self.seen, self.analysed
        if seen is not None and analysed is not None:
            solver = self.context.settings().solver
            work = partial(read_with, analysed, seen, mines, solver)
            self._start("Reading the board", work, self._replace)

    def show_board(self, number: int) -> None:
        """Select another board of the picture."""
        if self.analysed is None:
            return
        self._number = number
        self._show_seen()

    # Drag and drop

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
                "Only picture files on this computer can be dropped: PNG, JPEG or BMP."
            )

    def _take(self, data: QMimeData) -> bool:
        """Read pasted or dropped data; return whether there is anything to read."""
        files = local_files(data)
        if files:
            self.read(files[0])
            if len(files) > 1:
                self.message.emit(
                    f"Only one picture can be analysed at a time: {files[0].name} was opened."
                )
            return True
        image = data.imageData() if data.hasImage() else None
        if isinstance(image, QImage) and not image.isNull():
            self.read(from_qimage(image))
            return True
        return False

    # Results of jobs

    def _start(
        self,
        title: str,
        work: Callable[[Progress], object],
        then: Callable[[object], None],
        *,
        only_looks: bool = False,
    ) -> None:
        """Run a job and cancel the previous one."""
        self.outdated.emit()
        if self._job is not None:
            self._job.cancel()
        job = self._job = self.context.jobs.start(title, work, only_looks=only_looks)
        job.done.connect(lambda result: then(result) if job is self._job else None)
        job.failed.connect(self.failed)
        job.ended.connect(lambda: self._ended(job))
        self.surface.job.follow(job)
        self._update_buttons()

    def _ended(self, job: Job) -> None:
        if job is self._job:
            self._job = None
            self._update_buttons()

    def _show(self, result: object) -> None:
        """Show a picture that was read, or why it cannot be."""
        if isinstance(result, str):
            self.failed.emit(Failure(result))
        elif isinstance(result, AnalysedPicture):
            self.analysed, self._number, self._left_open = result, 0, set()
            self.surface.show_picture(result, _small(result))
            self._show_seen()

    def _replace(self, result: object) -> None:
        """Show a board that was read again, or ask again if an answer was refused."""
        if isinstance(result, Refused):
            self._ask(result.question)
            return
        analysed = self.analysed
        if analysed is None:
            return
        boards = list(analysed.boards)
        seen = boards[self._number] = cast("AnalysedBoard", result)
        self.analysed = replace(analysed, boards=tuple(boards))
        self.surface.boards.update_board(self._number, seen)
        self._show_seen()

    def _show_seen(self) -> None:
        """Show the board, or ask for what is missing."""
        seen, analysed = self.seen, self.analysed
        if seen is None or analysed is None:
            return
        self._question = None
        self.surface.show_seen(seen, turn_of(seen), analysed.remarks)
        questions = [one for one in seen.questions if _key(one) not in self._left_open]
        if questions and seen.reading is not None:
            self._ask(questions[0])
        self._update_buttons()

    def _ask(self, question: Question) -> None:
        from gui.questions import around  # noqa: PLC0415

        self._question, seen = question, self.seen
        if seen is not None and seen.reading is not None:
            self.surface.ask(question, around(seen.reading, question.cells[0]))

    def _answer(self, state: int | None) -> None:
        question, seen, analysed = self._question, self.seen, self.analysed
        if question is None or seen is None or analysed is None:
            return
        if state is None:
            self._left_open.add(_key(question))
            self._show_seen()
            return
        mines = seen.reading.board.mines if seen.reading is not None else None
        solver = self.context.settings().solver
        work = partial(answer, analysed, seen, (question, state), mines, solver)
        self._start("Reading the board again", work, self._replace)

    def _saved(self, result: object) -> None:
        if isinstance(result, Path):
            self.saved.emit(f"Annotated picture saved to {result}", result)
        else:
            self.failed.emit(Failure(str(result)))

    def _copied(self, result: object) -> None:
        clipboard = QGuiApplication.clipboard()
        if clipboard is not None and isinstance(result, QImage):
            clipboard.setImage(result)
            self.succeeded.emit("The annotated picture is in the clipboard.")

    def _turns(self) -> list[Turn]:
        boards = self.analysed.boards if self.analysed is not None else ()
        return [turn for turn in map(turn_of, boards) if turn is not None]

    def _update_buttons(self) -> None:
        idle = self._job is None
        for button in (self.surface.save, self.surface.copy):
            button.setEnabled(idle and bool(self._turns()))
        seen = self.seen
        strange = seen is not None and bool(seen.skin.learned)
        self.surface.learn.setEnabled(idle and strange)
        self.surface.learn.setVisible(strange)


def _key(question: Question) -> bytes:
    return bytes(question.picture.tobytes())


def _small(analysed: AnalysedPicture) -> QImage:
    image = to_qimage(analysed.frame.image[:: _step(analysed), :: _step(analysed)])
    keep, smooth = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
    return image.scaled(_SMALL, _SMALL, keep, smooth)


def _step(analysed: AnalysedPicture) -> int:
    """Return the step with which a large picture is subsampled before it is scaled down."""
    height, width = analysed.frame.image.shape[:2]
    return max(1, int(max(height, width)) // (4 * _SMALL))


class PictureSurface(QWidget):
    """The page's content; the page handles its signals.

    Args:
        page: The page.

    Signals:
        mines_entered(int): The user entered the number of mines.
    """

    mines_entered = pyqtSignal(int)

    def __init__(self, page: QWidget, jobs: Jobs) -> None:
        super().__init__(page)
        self.open = keyed("&Open …", "Open a screenshot", "Ctrl+O")
        self.open.setProperty("primary", True)
        self.paste = keyed("&Paste", "Read the picture in the clipboard", "Ctrl+V")
        self.save = keyed("&Save annotated …", "Save the picture with the probabilities", "Ctrl+S")
        self.copy = keyed("&Copy annotated", "Copy the picture with the probabilities", "Ctrl+C")
        self.learn = keyed("&Teach this skin …", "Save the look of these tiles as a skin", "Ctrl+T")
        self.job, self.boards, self.view = JobBar(), Boards(), BoardView()
        self.layers, self.teach = LayerSwitch(), TeachPage(_LEAVING)
        self.legend, self.think = Legend(self.view), ThinkLonger(self.view, jobs)
        self.edit = EditButton(self.view)
        self.title, self.reason = wrapped_label("The board"), CellLabel("Why this move")
        self.moves, self.remarks = CellLabel("Best moves"), explanation("More about this move")
        for label in (self.reason, self.moves):
            label.highlight_on(self.view)
        self.mines = QSpinBox()
        self._several = False
        self._lay_out()
        lay_column(self, on=page)

    def show_picture(self, analysed: AnalysedPicture, small: QImage) -> None:
        """List the boards of a picture."""
        self._several = len(analysed.boards) > 1
        self.boards.show_boards(analysed, small)
        self.boards.list.setCurrentRow(0)
        self._body.setCurrentWidget(self._content)
        self._show_boards()

    def show_seen(self, seen: AnalysedBoard, turn: Turn | None, remarks: Iterable[str]) -> None:
        """Show a board: what was read, what to do, or why it could not be read."""
        from gui.analyse_image import header_text, unread_lines  # noqa: PLC0415

        self.view.show_turn(turn)
        self._middle.setCurrentWidget(self._board if turn is not None else self._asking_mines)
        reading, analysis = seen.reading, seen.analysis
        words, notes = seen.title, list(remarks)
        if reading is not None:
            words += f", {reading.board.mines} mines, {reading.status.value}"
            words += header_text(reading)
            notes = [*unread_lines(reading), *reading.remarks, *notes]
        self.title.setText(sentence(words))
        why = (
            explain(reading.board, analysis).reason
            if reading is not None and analysis is not None
            else _no_move(seen)
        )
        self.reason.setText(sentence(why))
        self.moves.setText(_text(turn.moves if turn is not None else ()))
        self.moves.setVisible(bool(self.moves.text()))
        self.remarks.setText(" ".join(map(sentence, filter(None, notes))))
        self.remarks.setVisible(bool(self.remarks.text()))
        self._fit_text_column()
        if turn is None:
            self.mines.setMaximum(min(seen.grid.rows * seen.grid.cols - 1, _MOST_MINES))
            self.mines.setFocus()

    def ask(self, question: Question, around: Around) -> None:
        """Ask for a tile's label in place of the board."""
        self._middle.setCurrentWidget(self.teach)
        self.teach.ask(question, around)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Show the list only if there is room."""
        super().resizeEvent(event)
        self._show_boards()
        self._fit_text_column()

    def _show_boards(self) -> None:
        wide = self.width() >= _WIDE
        self.boards.setVisible(self._several or wide)
        self._beside.setDirection(
            QHBoxLayout.Direction.LeftToRight if wide else QHBoxLayout.Direction.TopToBottom
        )
        self.boards.overview.setVisible(wide)
        if wide:
            self.boards.setFixedWidth(220)
            self.boards.setMaximumHeight(ANY_SIZE)
        else:
            self.boards.setMinimumWidth(0)
            self.boards.setMaximumWidth(ANY_SIZE)
            self.boards.setMaximumHeight(56)

    def _lay_out(self) -> None:
        buttons = Flow(self.open, self.paste, self.save, self.copy, self.learn)
        column = lay_column(buttons, self.job, on=self, margins=PAGE_MARGINS)
        self._body = QStackedWidget()
        self._body.addWidget(_welcome())
        # If a window is too low for all of it, the page scrolls.
        self._content = scrolled(self._built_content())
        self._body.addWidget(self._content)
        column.addWidget(self._body, 1)
        order: list[QWidget] = [self.open, self.paste, self.save, self.copy, self.learn]
        order += [self.job.cancel, self.boards.list, self.view, self.edit, self.think]
        order += [
            *self.layers.buttons.values(),
            self.mines,
            self.read,
            self.teach,
            *self.teach.buttons.values(),
        ]
        for before, after in pairwise([*order, self.teach.leave]):
            self.setTabOrder(before, after)

    def _built_content(self) -> QWidget:
        self.view.setMinimumHeight(_LEAST_BOARD)
        self._board = BoardArea(self.view, self.legend, self.layers, self.edit, self.think)
        self._asking_mines = self._built_mines()
        self._middle = QStackedWidget()
        for part in (self._board, self._asking_mines, self.teach):
            self._middle.addWidget(part)
        main = lay_column((self._middle, 1), self._build_text_column())
        content = QWidget()
        self._beside = lay_row(self.boards, (main, 1), on=content)
        return content

    def _build_text_column(self) -> QWidget:
        """Return the description of the board, in a scroll area."""
        card = QFrame()
        card.setProperty("card", True)
        self.title.setProperty("heading", True)
        labels = (self.title, self.reason, self.moves, self.remarks)
        lay_column(*labels, 1, on=card, margins=SPACE, gap=4)
        self._text_column = scrolled(card)
        self._text_column.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        return self._text_column

    def _fit_text_column(self) -> None:
        """Set the height of the description, which is known only after its lines were wrapped."""
        card = self._text_column.widget()
        layout = card.layout() if card is not None else None
        if layout is not None:
            wanted = layout.heightForWidth(max(self._text_column.width(), 100))
            self._text_column.setFixedHeight(min(wanted + 2, _MOST_TEXT_HEIGHT))

    def _built_mines(self) -> QWidget:
        """Return the field for the number of mines."""
        self.mines.setRange(1, _MOST_MINES)
        self.mines.setAccessibleName("Mines on this board")
        self.mines.setToolTip("Number of mines on this board (Enter analyses it)")
        self.read = named_button(
            "&Analyse",
            "Analyse the board with this number of mines",
            "Analyse the board with this number of mines (Enter)",
        )
        self.read.clicked.connect(lambda: self.mines_entered.emit(self.mines.value()))
        line = self.mines.lineEdit()
        if line is not None:
            line.returnPressed.connect(self.read.click)
        question = headline()
        question.setText("How many mines does this board have?")
        row = lay_row(self.mines, self.read, 1, gap=-1)
        card = QFrame()
        card.setProperty("card", True)
        column = QVBoxLayout(card)
        column.addStretch(1)
        column.addWidget(question)
        column.addWidget(QLabel("The mine count is not visible."))
        column.addLayout(row)
        column.addStretch(2)
        return card


def _welcome() -> QWidget:
    """Return the content that is shown without a picture."""
    card = QFrame()
    card.setProperty("card", True)
    title, words = headline(), explanation("What to do")
    title.setText("Analyse a screenshot")
    title.setAlignment(Qt.AlignmentFlag.AlignCenter)
    words.setText(_HELP)
    words.setAlignment(Qt.AlignmentFlag.AlignCenter)
    lay_column(1, title, words, 1, on=card, margins=2 * SPACE, gap=-1)
    return scrolled(card)


def _no_move(seen: AnalysedBoard) -> str:
    """Return why a board that was read has no move."""
    if seen.reading is None:
        return "enter the number of mines: it is not visible"
    if seen.trouble:
        return seen.trouble
    if not seen.whole:
        return "no probabilities: some tiles were not recognised"
    return "the game is over"


def _text(moves: tuple[Move, ...]) -> str:
    lines = [f"{number}. {_move(move)}" for number, move in enumerate(moves[:_SHOWN_MOVES], 1)]
    if len(moves) > _SHOWN_MOVES:
        lines[-1] = f"and {len(moves) - _SHOWN_MOVES + 1} more"
    return " \N{MIDDLE DOT} ".join(lines)


def _move(move: Move) -> str:
    if move.cell is None:
        return "start the next game"
    risk = "safe" if move.risk == 0 else f"{move.risk:.1%} risk"
    verb = {Action.OPEN: "open", Action.FLAG: "flag", Action.CHORD: "chord"}[move.action]
    return f"{verb} {move.cell.position_text}: {risk}"


class Boards(QWidget):
    """A selector for the boards of a picture.

    Signals:
        chosen(int): The number of the selected board.
    """

    chosen = pyqtSignal(int)

    def __init__(self) -> None:
        super().__init__()
        self.overview, self.list = Overview(), QListWidget()
        name_control(self.list, "Boards in the picture", "The boards in the picture: choose one")
        self.list.setWordWrap(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        lay_column(self.overview, (self.list, 1), on=self)
        self.setFixedWidth(WIDTH)
        self.list.currentRowChanged.connect(self._choose)
        self.overview.chosen.connect(self.list.setCurrentRow)

    def show_boards(self, analysed: AnalysedPicture, small: QImage) -> None:
        """List the boards of a picture, with none selected.

        Args:
            analysed: The picture.
            small: The whole picture, scaled down.
        """
        self.list.blockSignals(True)
        self.list.clear()
        for number, seen in enumerate(analysed.boards, 1):
            self.list.addItem(QListWidgetItem(f"{number}. {board_summary(seen)}"))
        self.list.blockSignals(False)
        height, width = analysed.frame.image.shape[:2]
        shares = [
            QRectF(
                region.left / width,
                region.top / height,
                region.width / width,
                region.height / height,
            )
            for region in (seen.grid.region for seen in analysed.boards)
        ]
        self.overview.show_picture(small, shares)

    def update_board(self, number: int, seen: AnalysedBoard) -> None:
        """Update the description of a board."""
        item = self.list.item(number)
        if item is not None:
            item.setText(f"{number + 1}. {board_summary(seen)}")

    def _choose(self, row: int) -> None:
        if row >= 0:
            self.overview.mark(row)
            self.chosen.emit(row)


class Overview(QWidget):
    """A scaled-down picture with a frame around each board.

    Signals:
        chosen(int): The number of the board that was clicked.
    """

    chosen = pyqtSignal(int)

    def __init__(self) -> None:
        super().__init__()
        self._picture: QImage | None = None
        self._boards: Sequence[QRectF] = ()
        self._marked = 0
        name_control(self, "The whole picture", "The whole picture: click a board to choose it")
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_picture(self, picture: QImage, boards: Sequence[QRectF]) -> None:
        """Show a picture; the boards are given in fractions of its size."""
        self._picture, self._boards, self._marked = picture, boards, 0
        self.updateGeometry()
        self.update()

    def mark(self, number: int) -> None:
        """Mark the selected board."""
        self._marked = number
        self.update()

    def hasHeightForWidth(self) -> bool:
        """Return True: the height follows from the picture's aspect ratio."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the picture's height, limited."""
        if self._picture is None or not self._picture.width():
            return 0
        return min(_LARGEST, width * self._picture.height() // self._picture.width())

    def sizeHint(self) -> QSize:
        """Return the size at the width of the list."""
        return QSize(WIDTH, self.heightForWidth(WIDTH))

    def minimumSizeHint(self) -> QSize:
        """Return a low size, so that the list gets the space."""
        return QSize(WIDTH, min(60, self.heightForWidth(WIDTH)))

    def paintEvent(self, _event: QPaintEvent | None) -> None:
        """Paint the picture, then the frames."""
        painter = QPainter(self)
        place = self.place()
        if self._picture is not None:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(place, self._picture)
        for number, share in enumerate(self._boards):
            board = self._rect(share)
            for color, width in ((QColor("#ffffff"), 4), (self._color(number), 2)):
                painter.setPen(QPen(color, width))
                painter.drawRect(board)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent | None) -> None:
        """Select the clicked board."""
        if event is None:
            return
        for number, share in enumerate(self._boards):
            if self._rect(share).contains(event.position()):
                # If two boards touch, both contain the point.
                self.chosen.emit(number)
                return

    def place(self) -> QRectF:
        """Return where the picture is drawn, in points."""
        if self._picture is None:
            return QRectF()
        size = self._picture.size().scaled(self.size(), Qt.AspectRatioMode.KeepAspectRatio)
        return QRectF((self.width() - size.width()) / 2, 0, size.width(), size.height())

    def _rect(self, share: QRectF) -> QRectF:
        place = self.place()
        return QRectF(
            place.left() + share.left() * place.width(),
            share.top() * place.height(),
            share.width() * place.width(),
            share.height() * place.height(),
        )

    def _color(self, number: int) -> QColor:
        return CHOSEN if number == self._marked else QColor(current_theme().accent)


def board_summary(seen: AnalysedBoard) -> str:
    """Return a board's size, skin and state as text."""
    if seen.reading is None:
        return f"{seen.title}: how many mines?"
    if seen.trouble:
        return f"{seen.title}: impossible board"
    if not seen.whole:
        return f"{seen.title}: not fully read"
    return f"{seen.title}, {seen.reading.board.mines} mines, {seen.reading.status.value}"
