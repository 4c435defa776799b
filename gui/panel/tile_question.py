"""The page that asks for a tile's label: the tile, its position, and a button per state.

Accidental answers are prevented: the page takes the focus itself, so that Space answers nothing,
and a held key or a double click answers only once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from PyQt6.QtCore import QRectF, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QIcon, QMouseEvent, QResizeEvent
from PyQt6.QtWidgets import (
    QFrame,
    QGridLayout,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from bot.board import COVERED, EXPLODED, FLAG, MINE, MISFLAG, OPENED, QUESTION, STATE_WORDS
from bot.frame import Region
from gui.images import to_qimage
from gui.looks import LOOKS
from gui.panel import widgets
from gui.panel.picture_view import PictureView
from gui.panel.theme import SPACE, restyle
from gui.questions import cells_text, likely_text, refused_text

if TYPE_CHECKING:
    # The panel's start must not load the reader's learning modules.
    from gui.questions import Around
    from vision.learning.questions import Question

LARGEST: Final = 162
"""Size in points of the enlarged tile with the line around it."""


@dataclass(frozen=True)
class Sizes:
    """Sizes of the page, in points."""

    smallest: int = 72
    room_around: int = 440
    """Height of the page in points below which the tile's surroundings are hidden."""
    drawing: int = 24
    """Size in points of the drawing on a button."""
    gap: int = 6
    widest: int = 112
    """Largest width in points of a button in a row of four."""


_SIZE: Final = Sizes()

KEYS: Final[dict[int, str]] = {
    **{hint: str(hint) for hint in range(9)},
    COVERED: "C",
    FLAG: "F",
    QUESTION: "?",
    MINE: "M",
    EXPLODED: "X",
    MISFLAG: "W",
    OPENED: "O",
}
"""The key that answers with a state, as its button shows it."""
LEAVE_KEY: Final = "L"
WHY: Final = (
    "Neither its shape nor the rules of the game identify it. Your answer is kept; "
    "the page Skins undoes a wrong one."
)
_NAMES: Final = {**STATE_WORDS, QUESTION: "question", EXPLODED: "exploded", OPENED: "opened"}
"""Names of states, short enough for a small button."""
_LOOK: Final = LOOKS["classic"]
"""The look of the drawings, which is the best known."""
_ACROSS: Final = (4, 2)
"""Possible numbers of buttons per row; sixteen states fill whole rows."""


class TileView(PictureView):
    """A view of a tile with square, unblurred pixels."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._framed = False
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        self.setMinimumHeight(_SIZE.smallest)
        self.setMaximumHeight(LARGEST)

    def show_tile(self, picture: np.ndarray, framed: Region | None = None) -> None:
        """Show a picture, (h, w, 3) uint8 BGR.

        Args:
            picture: A tile, or several.
            framed: The region to frame, in pixels.
        """
        self._framed = framed is not None
        high, wide = picture.shape[:2]
        self.setMaximumHeight(LARGEST if framed is None else min(LARGEST, LARGEST * high // wide))
        self.show_picture(to_qimage(picture), () if framed is None else [QRectF(*framed)])

    def sizeHint(self) -> QSize:
        """Return a square size."""
        return QSize(LARGEST, LARGEST)

    def factor(self, largest: float) -> float:
        """Return a whole factor for a tile; a neighbourhood fills the space.

        It shows the tile's position, not its details.
        """
        return largest if self._framed or largest < 1 else int(largest)


class Leaving(NamedTuple):
    """Texts about leaving a question open."""

    text: str
    """Text of the button."""
    name: str
    """Name for screen readers."""
    tip: str
    why: str
    """The reason why the question is asked."""


END_THE_RUN: Final = Leaving(
    "End the run",
    "Leave it open and end the run",
    "A board with an unknown tile cannot be played on, so the run ends and nothing more is clicked",
    WHY,
)


class TeachPage(QFrame):
    """A page with one question at a time.

    Args:
        leaving: The texts about leaving a question open.

    Signals:
        answered(int | None): A tile code; None leaves the question open, which ends the run.
    """

    answered = pyqtSignal(object)

    def __init__(self, leaving: Leaving = END_THE_RUN) -> None:
        super().__init__()
        self._leaving = leaving
        self.setProperty("card", True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.question: Question | None = None
        self.title = widgets.headline("What is this?")
        self.why = widgets.explanation("Why this is asked")
        self.tile = TileView("The tile, enlarged")
        self.around = TileView("Where the tile is: in the frame")
        self._around: Around | None = None
        self.cells = widgets.explanation("Where it is")
        self.leave = widgets.named_button(
            f"{leaving.text}  {LEAVE_KEY}",
            f"{leaving.name}, {LEAVE_KEY}",
            f"{leaving.tip} ({LEAVE_KEY})",
        )
        self.buttons = {code: AnswerButton(_NAMES[code], code) for code in STATE_WORDS}
        self.tab_order: list[QWidget] = [*self.buttons.values(), self.leave]
        """The answers come first, though they are on the right."""
        self.setAccessibleName("Question about a tile")
        self.setAccessibleDescription("Asked when a tile cannot be recognised")
        self._grid = QGridLayout()
        self._across = 0
        self._lay_out()
        for code, button in self.buttons.items():
            button.clicked.connect(lambda _checked, code=code: self._answer(code))
            widgets.add_key(KEYS[code], self, button.click, repeated=False)
        self.leave.clicked.connect(lambda: self._answer(None))
        widgets.add_key(LEAVE_KEY, self, self.leave.click, repeated=False)

    def ask(self, question: Question, around: Around | None = None, why: str = "") -> None:
        """Show a question, and where its tile is on the board, if known.

        Args:
            question: About a tile cluster.
            around: Where the tile is.
            why: Why it is asked; by default the usual text.
        """
        self.question, self._around = question, around
        self.tile.show_tile(question.picture)
        if around is not None:
            self.around.show_tile(around.picture, around.tile)
        self._show_around()
        refused = refused_text(question)
        self.why.setText(refused or why or self._leaving.why)
        self.cells.setText(cells_text(question))
        self.setAccessibleName(self.title.text())
        texts = (self.cells.text(), likely_text(question), self.why.text())
        self.setAccessibleDescription(" ".join(filter(None, texts)))
        for code, button in self.buttons.items():
            button.set_likely(code in question.likely)
        self._show_likely()
        self.setFocus()

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Adapt the number of buttons per row to the width."""
        super().resizeEvent(event)
        self._spread()
        self._show_around()
        self._show_likely()

    def _show_around(self) -> None:
        """Show the surroundings if there is room."""
        self.around.setVisible(self._around is not None and self.height() >= _SIZE.room_around)

    def _show_likely(self) -> None:
        """Scroll to the most likely answer."""
        if self.question is not None and self.question.likely:
            self._answers.ensureWidgetVisible(self.buttons[self.question.likely[0]], 0, 0)

    def _answer(self, state: int | None) -> None:
        if self.question is not None:
            self.question = None
            self.answered.emit(state)

    def _lay_out(self) -> None:
        content = self._content = QWidget()
        left = widgets.lay_column(self.tile, self.around, self.cells, self.leave, 1)
        widgets.lay_row(left, (self._laid_out_answers(), 1), on=content, gap=2 * SPACE)
        # A little above the middle, where users look first.
        widgets.lay_column(1, widgets.lay_row(content), 2, on=self, margins=SPACE + 4, gap=0)
        self._spread()

    def _laid_out_answers(self) -> QVBoxLayout:
        """Return the question with the buttons below it, which scroll if there is no room."""
        answers = QWidget()
        self._answers = widgets.scrolled(answers)
        self._answers.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        widgets.lay_column(self._grid, on=answers)
        self._grid.setSpacing(_SIZE.gap)
        right = widgets.lay_column(self.title, self.why, gap=4)
        right.addSpacing(4)
        right.addWidget(self._answers)
        right.addStretch(1)
        return right

    def _spread(self) -> None:
        least = max(button.minimumSizeHint().width() for button in self.buttons.values())
        room = self.width() - LARGEST - 6 * SPACE
        across = next(
            (n for n in _ACROSS if n * (least + _SIZE.gap) <= room + _SIZE.gap), _ACROSS[-1]
        )
        widest = _ACROSS[0] * (max(_SIZE.widest, least) + _SIZE.gap)
        self._content.setMaximumWidth(LARGEST + widest + 4 * SPACE)
        if across == self._across:
            return
        self._across = across
        buttons = list(self.buttons.values())
        for number, button in enumerate(buttons):
            self._grid.addWidget(button, *divmod(number, across))
        # The style's own minimum height would let the rows be squeezed.
        high, rows = buttons[0].sizeHint().height(), -(-len(buttons) // across)
        for number in range(len(buttons)):
            self._grid.setRowMinimumHeight(number, high if number < rows else 0)
            self._grid.setColumnStretch(number, int(number < across))


class AnswerButton(QToolButton):
    """A button with a drawing of a state, its name, and its key."""

    def __init__(self, name: str, code: int) -> None:
        super().__init__()
        self.code = code
        self._key = KEYS[code]
        self.setText(name if name == self._key else f"{name}  {self._key}")
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
        self.setIcon(QIcon(widgets.tile_pixmap(code, _LOOK, _SIZE.drawing)))
        self.setIconSize(QSize(_SIZE.drawing, _SIZE.drawing))
        self.setProperty("answer", True)
        self.setToolTip(f"{STATE_WORDS[code].capitalize()} ({self._key})")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.set_likely(False)

    def set_likely(self, likely: bool) -> None:
        """Highlight the button if it is a likely answer."""
        words = f"{STATE_WORDS[self.code].capitalize()}, {self._key}"
        self.setAccessibleName(f"{words}, likely" if likely else words)
        self.setProperty("likely", likely)
        restyle(self)

    def sizeHint(self) -> QSize:
        """Return a size in which the style sheet's padding does not cut the text."""
        return super().sizeHint() + QSize(0, SPACE)

    def minimumSizeHint(self) -> QSize:
        """Return the size hint."""
        return self.sizeHint()

    def mouseDoubleClickEvent(self, event: QMouseEvent | None) -> None:
        """Ignore the second click of a double click, which would answer the next question."""
        if event is not None:
            event.accept()
