"""The page that asks about the program.

It asks how the program's next game starts, how its dialog is closed, whether its whole board is
visible, or how many mines it has. The answer is a point in the program's picture, a key that the
user allows, that the user does it, yes, or a number. Each button has a key: its number, or the
letter that it shows. Return and Space cannot answer by accident, as the page takes the focus
itself. A number is typed and sent with Return.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PyQt6.QtCore import QPointF, QRectF, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QColor, QIntValidator, QKeySequence, QPainter, QShortcut
from PyQt6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QFrame,
    QKeySequenceEdit,
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from gui.images import to_qimage
from gui.panel import widgets
from gui.panel.marks import FRAME
from gui.panel.picture_view import PictureView
from gui.panel.theme import SPACE
from gui.questions import ByUser, ClickAt, Number, PressKey, Yes

if TYPE_CHECKING:
    from gui.questions import ProgramAnswer, ProgramQuestion

_OFFERED: Final = 6
"""Number of the program's buttons that are offered by number; others are clicked in the picture."""
_BY_USER, _YES, _NO = "M", "Y", "N"
"""Keys of the answers that have no number."""
_SHOWN: Final = QSize(280, 260)
"""Size of the program's picture in points, if there is room."""
_LEAST: Final = QSize(80, 80)
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
            f"{'Or click' if question.buttons else 'Click'} the place in the picture."
        )
        self.point.setVisible(question.points)
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
        self.setAccessibleName(question.title)
        self.setAccessibleDescription(self.why.text())
        if question.most:
            # A digit typed by accident has no effect before Enter is pressed.
            self.number.setFocus()
            self.number.selectAll()
        elif not isinstance(QApplication.focusWidget(), QLineEdit | QAbstractSpinBox):
            # Text that is being typed elsewhere continues to go there and answers nothing.
            self.setFocus()

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
        for part in (self.point, self.number, self.use_number, self.yes, self.by_user, self.leave):
            column.addWidget(part)
        keys = widgets.lay_row(self.key_label, (self.key, 1))
        column.addLayout(keys)
        column.addWidget(self.send)
        column.addWidget(self.note)
        column.addStretch(1)
        row = widgets.lay_row((self.picture, 1), on=self, margins=SPACE + 4, gap=2 * SPACE)
        # They scroll if there is no room.
        self._area = widgets.scrolled(answers)
        row.addWidget(self._area, 1)


class ProgramPicture(PictureView):
    """The program's window with a number at each of its buttons."""

    def __init__(self) -> None:
        super().__init__("The program's window")
        self._signs: list[QRectF] = []
        """Where the numbers are painted."""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(_LEAST)

    def show_question(self, question: ProgramQuestion) -> None:
        """Show the picture of a question."""
        buttons = [QRectF(*button) for button in question.buttons[:_OFFERED]]
        self.show_picture(to_qimage(question.picture), buttons)
        points = question.points
        self.setCursor(Qt.CursorShape.CrossCursor if points else Qt.CursorShape.ArrowCursor)

    def sizeHint(self) -> QSize:
        """Return a size in which a button can be clicked."""
        return _SHOWN

    def factor(self, largest: float) -> float:
        """Return at most two points per pixel, so that the picture stays recognisable."""
        return min(largest, 2 * self.devicePixelRatioF())

    def paint_frame(self, painter: QPainter, frame: QRectF, number: int) -> None:
        """Paint a frame around a button with its number in a corner, where no other number is."""
        super().paint_frame(painter, frame, number)
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
