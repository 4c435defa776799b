"""The parts of the page that reads a picture, and their layout."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from PyQt6.QtCore import Qt, pyqtSignal
from PyQt6.QtGui import QImage, QResizeEvent
from PyQt6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QSpinBox,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from bot.loop import Turn
from bot.planner import Action, Move
from bot.solver.explain import explain
from gui.panel.boardview import BoardArea, BoardView, LayerSwitch, Legend
from gui.panel.jobs import JobBar
from gui.panel.theme import SPACE
from gui.panel.tile_question import Leaving, TeachPage
from gui.panel.widgets import Flow, explanation, headline, keyed, scrolled, sentence, wrapped_label
from gui.picture.boards import Boards

if TYPE_CHECKING:
    # Loading the reader takes a moment, so it is imported late.
    from gui.picture.work import Looked
    from gui.questions import Around
    from gui.seeing import Seen
    from vision.learning.questions import Question

MARGIN: Final = SPACE + 4
_SHOWN_MOVES: Final = 6
"""Number of moves that are listed; the others are counted."""
_WIDE: Final = 640
"""Width in points from which the list of boards fits beside the board."""
_LEAST_BOARD: Final = 220
"""Points in which an Expert board is readable."""
_MOST_TOLD: Final = 180
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


class PictureSurface(QWidget):
    """The page's content; the page handles its signals.

    Args:
        page: The page.

    Signals:
        mines_told(int): The user entered the number of mines.
    """

    mines_told = pyqtSignal(int)

    def __init__(self, page: QWidget) -> None:
        super().__init__(page)
        self.open = keyed("&Open …", "Open a screenshot", "Ctrl+O")
        self.open.setProperty("primary", True)
        self.paste = keyed("&Paste", "Read the picture in the clipboard", "Ctrl+V")
        self.save = keyed("&Save annotated …", "Save the picture with the probabilities", "Ctrl+S")
        self.copy = keyed("&Copy annotated", "Copy the picture with the probabilities", "Ctrl+C")
        self.learn = keyed("&Teach this skin …", "Save the look of these tiles as a skin", "Ctrl+T")
        self.job, self.boards, self.view = JobBar(), Boards(), BoardView()
        self.layers, self.teach = LayerSwitch(), TeachPage(_LEAVING)
        self.legend = Legend(self.view)
        self.title, self.reason = wrapped_label("The board"), wrapped_label("Why this move")
        self.moves, self.remarks = wrapped_label("Best moves"), explanation("More about this move")
        self.mines = QSpinBox()
        self._several = False
        self._lay_out()
        outside = QVBoxLayout(page)
        outside.setContentsMargins(0, 0, 0, 0)
        outside.addWidget(self)

    def show_looked(self, looked: Looked, small: QImage) -> None:
        """List the boards of a picture."""
        self._several = len(looked.boards) > 1
        self.boards.show_boards(looked, small)
        self.boards.list.setCurrentRow(0)
        self._body.setCurrentWidget(self._content)
        self._show_boards()

    def show_seen(self, seen: Seen, turn: Turn | None, remarks: Iterable[str]) -> None:
        """Show a board: what was read, what to do, or why it could not be read."""
        from gui.seeing import header_in_words, unread_in_words  # noqa: PLC0415

        self.view.show_turn(turn)
        self._middle.setCurrentWidget(self._board if turn is not None else self._asking_mines)
        reading, analysis = seen.reading, seen.analysis
        words, notes = seen.title, list(remarks)
        if reading is not None:
            words += f", {reading.board.mines} mines, {reading.status.value}"
            words += header_in_words(reading)
            notes = [unread_in_words(reading.board), *reading.remarks, *notes]
        self.title.setText(sentence(words))
        why = (
            explain(reading.board, analysis).reason
            if reading is not None and analysis is not None
            else _no_move(seen)
        )
        self.reason.setText(sentence(why))
        self.moves.setText(_in_words(turn.moves if turn is not None else ()))
        self.moves.setVisible(bool(self.moves.text()))
        self.remarks.setText(" ".join(map(sentence, filter(None, notes))))
        self.remarks.setVisible(bool(self.remarks.text()))
        self._fit_told()
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
        self._fit_told()

    def _show_boards(self) -> None:
        wide = self.width() >= _WIDE
        self.boards.setVisible(self._several or wide)
        self._beside.setDirection(
            QHBoxLayout.Direction.LeftToRight if wide else QHBoxLayout.Direction.TopToBottom
        )
        self.boards.overview.setVisible(wide)
        if wide:
            self.boards.setFixedWidth(220)
            self.boards.setMaximumHeight(16777215)
        else:
            self.boards.setMinimumWidth(0)
            self.boards.setMaximumWidth(16777215)
            self.boards.setMaximumHeight(56)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(MARGIN, MARGIN, MARGIN, SPACE)
        column.setSpacing(SPACE)
        column.addLayout(Flow(self.open, self.paste, self.save, self.copy, self.learn))
        column.addWidget(self.job)
        self._body = QStackedWidget()
        self._body.addWidget(_welcome())
        # If a window is too low for all of it, the page scrolls.
        self._content = scrolled(self._built_content())
        self._body.addWidget(self._content)
        column.addWidget(self._body, 1)
        order: list[QWidget] = [self.open, self.paste, self.save, self.copy, self.learn]
        order += [self.job.cancel, self.boards.list, self.view, *self.layers.buttons.values()]
        order += [self.mines, self.read, self.teach, *self.teach.buttons.values()]
        for before, after in pairwise([*order, self.teach.leave]):
            self.setTabOrder(before, after)

    def _built_content(self) -> QWidget:
        self.view.setMinimumHeight(_LEAST_BOARD)
        self._board = BoardArea(self.view, self.legend, self.layers)
        self._asking_mines = self._built_mines()
        self._middle = QStackedWidget()
        for part in (self._board, self._asking_mines, self.teach):
            self._middle.addWidget(part)
        main = QVBoxLayout()
        main.setSpacing(SPACE)
        main.addWidget(self._middle, 1)
        main.addWidget(self._built_told())
        content = QWidget()
        self._beside = QHBoxLayout(content)
        self._beside.setContentsMargins(0, 0, 0, 0)
        self._beside.setSpacing(SPACE)
        self._beside.addWidget(self.boards)
        self._beside.addLayout(main, 1)
        return content

    def _built_told(self) -> QWidget:
        """Return the description of the board, in a scroll area."""
        card = QFrame()
        card.setProperty("card", True)
        column = QVBoxLayout(card)
        column.setContentsMargins(*[SPACE] * 4)
        column.setSpacing(4)
        self.title.setProperty("heading", True)
        self.reason.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        for label in (self.title, self.reason, self.moves, self.remarks):
            column.addWidget(label)
        column.addStretch(1)
        self._told = scrolled(card)
        self._told.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        return self._told

    def _fit_told(self) -> None:
        """Set the height of the description, which is known only after its lines were wrapped."""
        card = self._told.widget()
        layout = card.layout() if card is not None else None
        if layout is not None:
            wanted = layout.heightForWidth(max(self._told.width(), 100))
            self._told.setFixedHeight(min(wanted + 2, _MOST_TOLD))

    def _built_mines(self) -> QWidget:
        """Return the field for the number of mines."""
        self.mines.setRange(1, _MOST_MINES)
        self.mines.setAccessibleName("Mines on this board")
        self.mines.setToolTip("Number of mines on this board (Enter analyses it)")
        self.read = QPushButton("&Analyse")
        self.read.setAccessibleName("Analyse the board with this number of mines")
        self.read.setToolTip("Analyse the board with this number of mines (Enter)")
        self.read.clicked.connect(lambda: self.mines_told.emit(self.mines.value()))
        line = self.mines.lineEdit()
        if line is not None:
            line.returnPressed.connect(self.read.click)
        question = headline()
        question.setText("How many mines does this board have?")
        row = QHBoxLayout()
        row.addWidget(self.mines)
        row.addWidget(self.read)
        row.addStretch(1)
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
    title.setText("Read a screenshot")
    title.setAlignment(Qt.AlignmentFlag.AlignCenter)
    words.setText(_HELP)
    words.setAlignment(Qt.AlignmentFlag.AlignCenter)
    column = QVBoxLayout(card)
    column.setContentsMargins(*[2 * SPACE] * 4)
    column.addStretch(1)
    column.addWidget(title)
    column.addWidget(words)
    column.addStretch(1)
    return scrolled(card)


def _no_move(seen: Seen) -> str:
    """Return why a board that was read has no move."""
    if seen.reading is None:
        return "enter the number of mines: it is not visible"
    if seen.trouble:
        return seen.trouble
    if not seen.whole:
        return "no probabilities: not every tile could be read"
    return "the game is over"


def _in_words(moves: tuple[Move, ...]) -> str:
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
