"""The page that asks about the program.

It asks how the program's next game starts, how its dialog is closed, where its board is, whether
that is wholly visible, or how many mines it has. The answer is a point in the program's picture, a
key that the user allows, that the user does it, yes, a number, or a board that is marked in the
picture: dragged from corner to corner, moved by the arrow keys, or with Shift made larger and
smaller. Each button has a key: its number, or the letter that it shows. Return and Space cannot
answer by accident, as the page or its picture takes the focus. A number is typed and sent with
Return.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from PyQt6.QtCore import QPointF, QRectF, QSignalBlocker, QSize, Qt, pyqtSignal
from PyQt6.QtGui import (
    QColor,
    QIntValidator,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPen,
    QResizeEvent,
    QShortcut,
)
from PyQt6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QBoxLayout,
    QDialog,
    QFrame,
    QKeySequenceEdit,
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from bot.frame import Region
from gui.images import to_qimage
from gui.panel import widgets
from gui.panel.marks import FRAME
from gui.panel.picture_view import PictureView
from gui.panel.theme import SPACE
from gui.questions import ByUser, ClickAt, MarkedArea, Number, PressKey, Yes, corners
from vision import LEAST_CELL, LEAST_LINES, MOST_LINES

if TYPE_CHECKING:
    from gui.questions import ProgramAnswer, ProgramQuestion

_OFFERED: Final = 6
"""Number of the program's buttons that are offered by number; others are clicked in the picture."""
_BY_USER, _YES, _NO = "M", "Y", "N"
"""Keys of the answers that have no number."""
_SHOWN: Final = QSize(280, 260)
"""Size of the program's picture in points, if there is room."""
_LEAST: Final = QSize(80, 80)
_DIALOG: Final = QSize(900, 560)
"""Size of a dialog with a question, in points."""
_ABOVE: Final = 300
"""Least height in points of a picture above the answers."""
_HAND: Final = 4
"""Points by which a corner that is dragged with the mouse may be off."""
_HOW_TO_MARK: Final = (
    "Drag from corner to corner of the board in the picture. The arrow keys move the frame by a "
    "pixel, with Shift its lower right corner. Count its columns and rows: the numbers are a guess."
)
_USUAL: Final = {16 / 30: (16, 30), 9 / 9: (9, 9), 30 / 16: (30, 16)}
"""Columns and rows of usual boards, by the shape of the board."""
_ARROWS: Final = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}
_NUMBER: Final = 18
"""Size in points of the label that carries a number."""


class ProgramPage(QFrame):
    """A page with one question at a time.

    Signals:
        answered(ProgramAnswer | None): None leaves the question open.
    """

    answered = pyqtSignal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("card", True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Question about the program")
        self.setAccessibleDescription("Asked when the bot does not know what the program wants")
        self.question: ProgramQuestion | None = None
        self.title = widgets.headline()
        self.why = widgets.explanation("Why this is asked")
        self.picture = ProgramPicture()
        self.point = widgets.explanation("How to answer with the picture")
        self.buttons = [QPushButton() for _ in range(_OFFERED)]
        self.key = QKeySequenceEdit()
        self.key.setMaximumSequenceLength(1)
        self.key.setClearButtonEnabled(True)
        widgets.name_control(
            self.key, "Key: press it here", "Click here, then press the key that does it"
        )
        self.key_label = QLabel("Key")
        self.key_label.setBuddy(self.key)
        self.send = QPushButton("Allow this key")
        self.send.setToolTip("The key is sent to this program, now and after later games")
        self.note = widgets.explanation("About the key")
        self.send.setAccessibleName("Allow this key")
        self.number, self.use_number = QLineEdit(), QPushButton("Use this number")
        self.number.setAccessibleName("Number")
        widgets.set_least_height(self.number)
        self.number.setToolTip("Enter the number, then press Enter")
        widgets.name_control(self.use_number, "Use this number")
        self.cells, self.use_board = Cells(), QPushButton("This is the board")
        widgets.name_control(self.use_board, "This is the board")
        self.by_user, self.yes, self.leave = QPushButton(), QPushButton(), QPushButton()
        widgets.name_control(self.by_user, "You do it yourself")
        widgets.name_control(self.yes, "Yes")
        widgets.name_control(self.leave, "Leave the question open")
        for number, button in enumerate(self.buttons, start=1):
            widgets.name_control(button, f"Click the place marked {number}")
        self._lay_out()
        for number, button in enumerate(self.buttons):
            button.clicked.connect(lambda _checked, number=number: self._click_on(number))
        self.picture.clicked.connect(self._point_at)
        self.picture.marked.connect(self._propose_cells)
        self.cells.changed.connect(self._show_cells)
        self.cells.confirmed.connect(self._use_board)
        self.use_board.clicked.connect(self._use_board)
        self.key.keySequenceChanged.connect(self._show_key)
        self.send.clicked.connect(self._press_key)
        self.number.textChanged.connect(self._show_number)
        # Not emitted while the text is no valid answer.
        self.number.returnPressed.connect(self._use_number)
        self.use_number.clicked.connect(self._use_number)
        self.by_user.clicked.connect(lambda: self._answer(ByUser()))
        self.yes.clicked.connect(self._say_yes)
        self.leave.clicked.connect(lambda: self._answer(None))
        self._add_keys()

    def ask(self, question: ProgramQuestion) -> None:
        """Show a question."""
        self.question = question
        self.title.setText(question.title)
        self.why.setText(" ".join(filter(None, (question.refused, question.why))))
        self.picture.show_question(question)
        self.point.setText(
            _HOW_TO_MARK
            if question.marks
            else f"{'Or click' if question.buttons else 'Click'} the place in the picture."
        )
        self.point.setVisible(question.points or question.marks)
        self.cells.setVisible(question.marks)
        self.use_board.setVisible(question.marks)
        self.cells.entered = question.cells is not None
        if question.cells is not None:
            self.cells.set_values(*question.cells)
        self._propose_cells()
        for number, button in enumerate(self.buttons, start=1):
            button.setText(f"Click the place marked {number}")
            button.setToolTip(f"Click the place marked {number} in the picture ({number})")
            button.setVisible(question.points and number <= len(question.buttons))
        self.key.setKeySequence(QKeySequence(question.key))
        for part in (self.key_label, self.key, self.send):
            part.setVisible(question.keys)
        self.number.setValidator(QIntValidator(1, question.most, self.number))
        self.number.setPlaceholderText(f"1 to {question.most}")
        self.number.setText("" if question.likely is None else str(question.likely))
        self._show_number()
        self.number.setVisible(question.most > 0)
        self.use_number.setVisible(question.most > 0)
        self.by_user.setText(f"{question.by_user}  {_BY_USER}")
        self.by_user.setVisible(bool(question.by_user))
        self.yes.setText(f"{question.yes}  {_YES}")
        self.yes.setVisible(bool(question.yes))
        # Without a Yes button, Escape ends the run as everywhere.
        self.leave.setText(f"{question.leave}  {_NO}" if question.yes else question.leave)
        self._no.setEnabled(bool(question.yes))
        widgets.name_control(
            self.leave, question.leave if question.yes else "Leave the question open"
        )
        self._show_key()
        self._make_space()
        self._arrange()
        self.setAccessibleName(question.title)
        self.setAccessibleDescription(self.why.text())
        if question.most:
            # A digit typed by accident has no effect before Enter is pressed.
            self.number.setFocus()
            self.number.selectAll()
        elif not isinstance(QApplication.focusWidget(), QLineEdit | QAbstractSpinBox):
            # Text that is being typed elsewhere continues to go there and answers nothing.
            (self.picture if question.marks else self).setFocus()

    def _make_space(self) -> None:
        """Set the width that the answers need, without horizontal scrolling."""
        answers, bar = self._area.widget(), self._area.verticalScrollBar()
        if answers is not None and bar is not None:
            least = answers.minimumSizeHint().width() + bar.sizeHint().width()
            self._area.setMinimumWidth(least)

    def _add_keys(self) -> None:
        """Add a key for each answer that works while its button is visible."""

        def add(key: str, button: QPushButton) -> QShortcut:
            def press() -> None:
                if button.isVisible():
                    button.click()

            return widgets.add_key(key, self, press, focused=True, repeated=False)

        for number, button in enumerate(self.buttons, start=1):
            add(str(number), button)
        add(_BY_USER, self.by_user)
        add(_YES, self.yes)
        self._no = add(_NO, self.leave)

    def _click_on(self, number: int) -> None:
        if self.question is not None and number < len(self.question.buttons):
            self._answer(ClickAt(*self.question.buttons[number].center))

    def _point_at(self, place: QPointF) -> None:
        if self.question is not None and self.question.points:
            self._answer(ClickAt(place.x(), place.y()))

    def _propose_cells(self) -> None:
        """Propose the usual size of a board of the shape that is marked, until one was entered."""
        board = self.picture.board
        if not self.cells.entered:
            shape = 1.0 if board is None else board.width / board.height
            self.cells.set_values(*_USUAL[min(_USUAL, key=lambda usual: abs(usual - shape))])
        self._show_cells()

    def _show_cells(self) -> None:
        self.picture.show_cells(*self.cells.values)
        self.use_board.setEnabled(self.picture.board is not None)

    def _use_board(self) -> None:
        if (board := self.picture.board) is not None:
            self._answer(MarkedArea(board, *self.cells.values, self.picture.tolerance))

    def _key_chosen(self) -> str:
        """Return the key in the field as a skin writes it.

        Raises:
            ValueError: The key cannot be sent.
        """
        # Imported here: the panel's start must not load the reader.
        from vision.skins.skin import check_key  # noqa: PLC0415

        return check_key(self._key_text())

    def _key_text(self) -> str:
        return self.key.keySequence().toString(QKeySequence.SequenceFormat.PortableText)

    def _show_key(self) -> None:
        note = ""
        if self._key_text():
            try:
                self._key_chosen()
            except ValueError:
                note = f"{self._key_text()} cannot be sent: choose another key."
        self.send.setEnabled(bool(self._key_text()) and not note)
        self.note.setText(note)
        self.note.setVisible(bool(note))

    def _press_key(self) -> None:
        self._answer(PressKey(self._key_chosen()))

    def _show_number(self) -> None:
        self.use_number.setEnabled(self.number.hasAcceptableInput())

    def _use_number(self) -> None:
        self._answer(Number(int(self.number.text())))

    def _say_yes(self) -> None:
        """Answer yes; with the number, if the user has entered another one."""
        likely = None if self.question is None else self.question.likely
        if self.use_number.isVisible() and self.number.text() not in ("", str(likely)):
            if self.number.hasAcceptableInput():
                self._use_number()
        else:
            self._answer(Yes())

    def _answer(self, answer: ProgramAnswer | None) -> None:
        if self.question is not None:
            self.question = None
            self.answered.emit(answer)

    def _lay_out(self) -> None:
        answers = QWidget()
        column = widgets.lay_column(self.title, self.why, on=answers)
        for button in self.buttons:
            column.addWidget(button)
        # What is answered with one press comes before the key, which may need to be scrolled to.
        column.addWidget(self.point)
        column.addWidget(self.cells)
        for part in (self.use_board, self.number, self.use_number, self.yes, self.by_user):
            column.addWidget(part)
        column.addWidget(self.leave)
        keys = widgets.lay_row(self.key_label, (self.key, 1))
        column.addLayout(keys)
        column.addWidget(self.send)
        column.addWidget(self.note)
        column.addStretch(1)
        self._row = widgets.lay_row((self.picture, 1), on=self, margins=SPACE + 4, gap=2 * SPACE)
        # They scroll if there is no room.
        self._area = widgets.scrolled(answers)
        self._row.addWidget(self._area, 1)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Put the answers beside the picture, or below it."""
        self._arrange()
        super().resizeEvent(event)

    def _arrange(self) -> None:
        """Give the picture all of the width if a board is to be marked in it and there is room."""
        answers = self._area.widget()
        marks = self.question is not None and self.question.marks
        below = (
            marks and answers is not None and self.height() > _ABOVE + answers.sizeHint().height()
        )
        self._row.setDirection(
            QBoxLayout.Direction.TopToBottom if below else QBoxLayout.Direction.LeftToRight
        )
        self._row.setStretch(1, 0 if below else 1)
        policy = QSizePolicy.Policy
        self._area.setSizePolicy(policy.Expanding, policy.Maximum if below else policy.Expanding)


def ask_in_dialog(
    parent: QWidget,
    question: ProgramQuestion,
    then: Callable[[ProgramAnswer | None], object],
) -> None:
    """Ask a question in a dialog of its own, without waiting.

    Args:
        parent: The dialog's parent.
        question: The question.
        then: Called with the answer; None leaves it open, as the dialog's closing does.
    """
    dialog, page = QDialog(parent), ProgramPage()
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle(question.title)
    widgets.lay_column((page, 1), on=dialog)
    dialog.resize(_DIALOG)
    answers: list[ProgramAnswer | None] = []
    page.answered.connect(answers.append)
    page.answered.connect(dialog.accept)
    dialog.finished.connect(lambda: then(answers[0] if answers else None))
    page.ask(question)
    dialog.open()


class Cells(QWidget):
    """How many columns and rows a board has.

    Signals:
        changed(): Another number was entered.
        confirmed(): Return was pressed in a number.
    """

    changed = pyqtSignal()
    confirmed = pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        self.entered = False
        """Whether the user has entered them."""
        self.cols = widgets.NumberBox(LEAST_LINES, MOST_LINES)
        self.rows = widgets.NumberBox(LEAST_LINES, MOST_LINES)
        columns, rows = QLabel("Columns"), QLabel("Rows")
        for label, control in ((columns, self.cols), (rows, self.rows)):
            label.setBuddy(control)
            widgets.name_control(control, label.text())
            control.valueChanged.connect(self._note)
            if (edit := control.lineEdit()) is not None:
                edit.returnPressed.connect(self.confirmed)
        widgets.lay_row(columns, (self.cols, 1), rows, (self.rows, 1), on=self)

    @property
    def values(self) -> tuple[int, int]:
        """The numbers of columns and rows."""
        return self.cols.value(), self.rows.value()

    def set_values(self, cols: int, rows: int) -> None:
        """Show other numbers, which the user did not enter now."""
        for control, value in ((self.cols, cols), (self.rows, rows)):
            with QSignalBlocker(control):
                control.setValue(value)

    def _note(self) -> None:
        self.entered = True
        self.changed.emit()


class ProgramPicture(PictureView):
    """The program's window with a number at each of its buttons, or with the board in it.

    Signals:
        marked(): The user has marked another part of the picture.
    """

    marked = pyqtSignal()

    def __init__(self) -> None:
        super().__init__("The program's window")
        self._signs: list[QRectF] = []
        """Where the numbers are painted."""
        self.board: Region | None = None
        """The marked board, in pixels of the picture."""
        self.tolerance = 0
        """Pixels by which each side of it may be off."""
        self._marks = False
        self._cells = 1, 1
        self._corner: QPointF | None = None
        """Where the user began to drag, in pixels of the picture."""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(_LEAST)

    def show_question(self, question: ProgramQuestion) -> None:
        """Show the picture of a question."""
        buttons = [QRectF(*button) for button in question.buttons[:_OFFERED]]
        self._marks, self.board, self.tolerance = question.marks, question.board, 0
        self._corner = None
        self.show_picture(to_qimage(question.picture), buttons)
        self._show_board()
        self.setFocusPolicy(
            Qt.FocusPolicy.StrongFocus if question.marks else Qt.FocusPolicy.NoFocus
        )
        points = question.points or question.marks
        self.setCursor(Qt.CursorShape.CrossCursor if points else Qt.CursorShape.ArrowCursor)

    def show_cells(self, cols: int, rows: int) -> None:
        """Divide the marked board into cells."""
        self._cells = cols, rows
        self.update()

    def mousePressEvent(self, event: QMouseEvent | None) -> None:
        """Begin to drag a frame around the board."""
        if self._marks and event is not None and event.button() == Qt.MouseButton.LeftButton:
            self._corner = self._pixel(event.position())

    def mouseMoveEvent(self, event: QMouseEvent | None) -> None:
        """Show the frame between the two corners."""
        if self._corner is None or event is None:
            return
        dragged = QRectF(self._corner, self._pixel(event.position())).normalized().toRect()
        if min(dragged.width(), dragged.height()) >= LEAST_LINES * LEAST_CELL:
            self.board = Region(dragged.x(), dragged.y(), dragged.width(), dragged.height())
            # A point of the view may be several pixels of the picture.
            self.tolerance = round(_HAND * self.picture.width() / self.place().width())
            self._show_board()
            self.marked.emit()

    def mouseReleaseEvent(self, event: QMouseEvent | None) -> None:
        """End the dragging, or emit the clicked point."""
        self._corner = None
        if not self._marks:
            super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent | None) -> None:
        """Move the marked board by a pixel, or with Shift its lower right corner."""
        if event is None or event.key() not in _ARROWS or not self._marks:
            super().keyPressEvent(event)
            return
        right, down = _ARROWS[Qt.Key(event.key())]
        least, size = LEAST_LINES * LEAST_CELL, self.picture.size()
        # The first key shows a frame in the middle.
        middle = Region(
            size.width() // 4, size.height() // 4, size.width() // 2, size.height() // 2
        )
        left, top, width, height = self.board or middle
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            width = min(max(width + right, least), size.width() - left)
            height = min(max(height + down, least), size.height() - top)
        else:
            left = min(max(left + right, 0), size.width() - width)
            top = min(max(top + down, 0), size.height() - height)
        self.board, self.tolerance = Region(left, top, width, height), 0
        self._show_board()
        self.marked.emit()

    def _pixel(self, point: QPointF) -> QPointF:
        """Return the pixel of the picture at a point of the view, or the next one to it."""
        place = self.place()
        x = min(max((point.x() - place.left()) / place.width(), 0), 1) * self.picture.width()
        y = min(max((point.y() - place.top()) / place.height(), 0), 1) * self.picture.height()
        return QPointF(round(x), round(y))

    def _show_board(self) -> None:
        if self._marks:
            frames = [] if self.board is None else [QRectF(*self.board)]
            self.show_picture(self.picture, frames)
        marked = "" if self.board is None else f"Marked {corners(self.board)}"
        self.setAccessibleDescription(marked if self._marks else "")

    def sizeHint(self) -> QSize:
        """Return a size in which a button can be clicked."""
        return _SHOWN

    def factor(self, largest: float) -> float:
        """Return at most two points per pixel, so that the picture stays recognisable."""
        return min(largest, 2 * self.devicePixelRatioF())

    def paint_frame(self, painter: QPainter, frame: QRectF, number: int) -> None:
        """Paint a frame around the board with its cells, or a button with its number.

        The number is in a corner where no other one is.
        """
        super().paint_frame(painter, frame, number)
        if self._marks:
            painter.setPen(QPen(QColor(FRAME), 0))
            cols, rows = self._cells
            for col in range(1, cols):
                x = frame.left() + frame.width() * col / cols
                painter.drawLine(QPointF(x, frame.top()), QPointF(x, frame.bottom()))
            for row in range(1, rows):
                y = frame.top() + frame.height() * row / rows
                painter.drawLine(QPointF(frame.left(), y), QPointF(frame.right(), y))
            return
        self._signs = self._signs[:number]
        corners = frame.topLeft(), frame.bottomLeft(), frame.topRight(), frame.bottomRight()
        places = [QRectF(0, 0, _NUMBER, _NUMBER) for _ in corners]
        for place, corner in zip(places, corners, strict=True):
            place.moveCenter(corner)
            place.moveLeft(max(place.left(), 0))
            place.moveTop(max(place.top(), 0))
        free = (one for one in places if not any(map(one.intersects, self._signs)))
        sign = next(free, places[0])
        self._signs.append(sign)
        painter.fillRect(sign, QColor("#000000"))
        painter.setPen(QColor(FRAME))
        painter.drawText(sign, Qt.AlignmentFlag.AlignCenter, str(number + 1))
