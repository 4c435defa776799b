"""The playing page: its parts and their layout; the panel connects their behaviour."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PyQt6.QtCore import QSize, Qt, pyqtSignal
from PyQt6.QtGui import QResizeEvent
from PyQt6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from bot.solver.warmup import IN_WORDS
from gui.panel.banner import Banner
from gui.panel.board_list import Chooser
from gui.panel.boardview import BoardArea, BoardView, LayerSwitch, Legend
from gui.panel.controls import KEYS, Controls
from gui.panel.details import Details
from gui.panel.options import Options
from gui.panel.program_question import ProgramPage
from gui.panel.theme import SPACE
from gui.panel.tile_question import TeachPage
from gui.panel.widgets import headline, order_by_layout, scrolled, sentence, wrapped_label
from gui.questions import ProgramQuestion
from gui.runner.protocol import Found, State
from gui.settings import Settings
from vision.supported import SUPPORTED

if TYPE_CHECKING:
    # The panel's start must not load the reader's learning modules.
    from gui.questions import Around
    from vision.learning.questions import Question

_LIST_HIDDEN: Final = "Open the list of windows (F9) and choose one"
_LOST: Final = "lost board"
_SKINS: Final = "skins"
"""The subject of messages about skins."""
SIDEBAR: Final = 270
"""Width of the list and the options, in points."""
LEAST_DETAILS: Final = 0
"""Height in points of the figures if the board needs the room; they scroll."""
MARGIN: Final = SPACE + 4
ASSIST_PLAYS: Final = (
    "Assist works only with the game 'Minesweeper'. Choose it beside 'Game', then press Assist "
    "again."
)
_WATCHING: Final = {
    State.PLAYING: "You play, and nothing is clicked",
    State.PAUSED: "Paused: your moves are not followed",
}
"""Texts for the player's states while the user plays."""


class EmptyPage(QFrame):
    """A page with instructions for the start.

    Signals:
        simulator_wanted(): The button was pressed.
    """

    simulator_wanted = pyqtSignal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("card", True)
        self._found: Found | None = None
        """The result of the last search."""
        self._list_visible = True
        self.title = headline()
        self.title.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.advice = QLabel()
        self.advice.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.advice.setWordWrap(True)
        self.advice.setTextFormat(Qt.TextFormat.PlainText)
        self.advice.setProperty("muted", True)
        self.simulate = QPushButton("Play the &built-in game")
        self.simulate.setAccessibleName("Open the built-in game and play it")
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(*[2 * SPACE] * 4)
        column.setSpacing(SPACE)
        column.addStretch(1)
        column.addWidget(self.title)
        column.addWidget(self.advice)
        column.addStretch(1)
        page = QVBoxLayout(self)
        page.setContentsMargins(SPACE, SPACE, SPACE, 2 * SPACE)
        # The text may be longer than a small window is high.
        page.addWidget(scrolled(content), 1)
        # At the bottom, it stays in place when the text changes or a message appears above.
        page.addWidget(self.simulate, 0, Qt.AlignmentFlag.AlignHCenter)
        self.simulate.clicked.connect(self.simulator_wanted)
        self.title.setText("Looking for Minesweeper windows …")
        self.advice.setText("A moment, please.")

    def set_list_visible(self, visible: bool) -> None:
        """Adapt the instructions to the visibility of the list of windows."""
        self._list_visible = visible
        if self._found is not None:
            self.set_found(self._found)

    def set_found(self, found: Found) -> None:
        """Show instructions for the result of a search."""
        self._found = found
        if found.boards:
            self.title.setText("Ready to play")
            first = "Choose a window on the left" if self._list_visible else _LIST_HIDDEN
            self.advice.setText(
                f"{first}, then press Play ({KEYS['play']}), or Assist "
                f"({KEYS['assist']}) to play it yourself and be shown what is known."
            )
        elif found.remarks:
            self.title.setText("No board that can be played")
            self.advice.setText("\n\n".join(map(sentence, found.remarks)))
        else:
            self.title.setText("No Minesweeper window found")
            self.advice.setText(
                "Open one, or play the built-in game.\nMinimised windows cannot be found.\n\n"
                f"{SUPPORTED}."
            )

    def set_blind(self) -> None:
        """Show that the search failed; the message bar shows the reason."""
        self._found = None
        self.title.setText("The screen could not be searched")
        self.advice.setText("The message above says why. Press Refresh to look again.")


class Surface(QWidget):
    """The page that plays.

    Args:
        settings: The user's last choices.
        banner: The window's message bar, shared with the other pages.
    """

    def __init__(self, settings: Settings, banner: Banner, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.chooser, self.options = Chooser(), Options(settings)
        self.controls, self.banner, self.empty = Controls(), banner, EmptyPage()
        self.view, self.layers = BoardView(), LayerSwitch()
        self.view.set_numbered(settings.coordinates)
        self.legend = Legend(self.view)
        self.teach, self.details, self.status = TeachPage(), Details(), wrapped_label("State")
        self.program = ProgramPage()
        self._question: QWidget = self.teach
        """The page with the question."""
        self._page: QWidget = self.empty
        self._asking = self._preparing = False
        self._state, self._opening = State.IDLE, False
        self._words = self._outcome = ""
        self._focused: QWidget | None = None
        self._broken: tuple[str, ...] = ()
        self._searched: bool | None = None
        """Whether the last search for boards succeeded; None before the first one."""
        self.status.setProperty("muted", True)
        self._side = _column(self.chooser, self.options)
        self.sidebar = scrolled(self._side, SIDEBAR)
        columns = QHBoxLayout(self)
        columns.setContentsMargins(MARGIN, MARGIN, MARGIN, SPACE)
        columns.setSpacing(MARGIN)
        columns.addWidget(self.sidebar)
        self._figures = scrolled(self.details)
        self._figures.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Maximum)
        self._figures.setMinimumHeight(LEAST_DETAILS)
        pages = self._built_pages()
        middle = _Middle(pages)
        self.banner_place = middle.banner_place
        self.banner_place.addWidget(banner)
        main = _column(self.controls, middle, self._figures, self.status)
        columns.addWidget(main, 1)
        self.options.mines.valueChanged.connect(self.chooser.tell_mines)
        self.options.changed.connect(self._show_obstacles)
        self.controls.sidebar.toggled.connect(self.sidebar.setVisible)
        self.controls.sidebar.toggled.connect(self.empty.set_list_visible)
        self.layers.chosen.connect(self.view.set_layers)
        order_by_layout(self)

    def narrowest(self) -> int:
        """Return the width in points of the buttons with the margins."""
        return self.controls.room_for_words + 2 * MARGIN

    @property
    def board_shown(self) -> bool:
        """Whether a turn has been shown."""
        return self._page is self._board_page

    def add_private(self, button: QWidget, box: QWidget) -> None:
        """Add the button for a private screen and the box that shows it."""
        self.chooser.append(button)
        column = self._side.layout()
        if isinstance(column, QVBoxLayout):
            column.insertWidget(1, box)
        order_by_layout(self)

    def show_found(self, found: Found) -> None:
        """List the result of a search, and report a skipped skin once."""
        self.chooser.show_found(found.boards)
        if not self.chooser.lost:
            self.banner.retract(_LOST)
        if found.boards or found.remarks or not found.incomplete:
            # Otherwise it is not known yet whether there are any.
            self._searched = True
            self.empty.set_found(found)
        # If the page in the middle shows them, the list need not.
        beside = found.boards or self.board_shown
        self.chooser.show_remarks(found.remarks if beside else ())
        if found.broken != self._broken:
            self._broken = found.broken
            self.banner.retract(_SKINS)
            if found.broken:
                broken = "\n".join(f"A skin was skipped: {one}" for one in found.broken)
                self.banner.tell(broken, about=_SKINS)

    @property
    def searching(self) -> bool:
        """Whether the first search for boards has not ended yet."""
        return self._searched is None

    def tell_lost(self) -> None:
        """Report that the selected board is gone; nothing else is played in its place."""
        self.banner.tell(
            f"'{self.chooser.lost}' has closed. Open it again, or choose another "
            "window in the list.",
            about=_LOST,
        )

    def set_blind(self) -> None:
        """Show that the search failed; the message bar shows the reason."""
        self._searched = False
        self.empty.set_blind()
        self._tell_state()

    def clear_board(self) -> None:
        """Clear the board after another one was selected."""
        self.view.show_turn(None)
        self.details.clear()
        self.details.coach.hide()
        self._page = self.empty
        self._turn_page()

    def show_speed(self) -> None:
        """Scroll the choice of the speed into view."""
        self.controls.sidebar.setChecked(True)
        self.sidebar.ensureWidgetVisible(self.options.pace)

    def show_board(self) -> None:
        """Show the board, unless there is a question."""
        self._page = self._board_page
        self._turn_page()

    def show_question(
        self, question: Question | ProgramQuestion | None, around: Around | None = None
    ) -> None:
        """Show a question in place of the board; None for no question."""
        if question is not None and not self._asking:
            window = self.window()
            self._focused = window.focusWidget() if window is not None else None
        self._asking = question is not None
        about_program = isinstance(question, ProgramQuestion)
        self._question = self.program if about_program else self.teach
        self._turn_page()
        if isinstance(question, ProgramQuestion):
            self.program.ask(question)
        elif question is not None:
            self.teach.ask(question, around)
        elif self._focused is not None:
            self._focused.setFocus()

    def show_state(
        self,
        state: State,
        *,
        opening: bool,
        outcome: str,
        assist: bool = False,
        why: str = "",
    ) -> None:
        """Enable the available controls and show the state.

        Args:
            state: The player's state.
            opening: A built-in game is being opened.
            outcome: The result of the last games, in a sentence.
            assist: The user plays.
            why: Why it is paused, or what it waits for while it plays; empty for neither.
        """
        idle = state is State.IDLE and not opening
        can_step = self.chooser.current is not None
        self.controls.show_state(state, opening=opening, can_step=can_step)
        self._show_obstacles()
        self.chooser.setEnabled(idle)
        self.options.set_playing(not idle)
        self.empty.simulate.setEnabled(idle)
        if state is not State.ASKING and self._asking:
            self.show_question(None)
        self._state, self._opening, self._outcome = state, opening, outcome
        self._words = _WATCHING.get(state, "") if assist else why
        self.details.show_state(state)
        self._tell_state()

    def set_preparing(self, preparing: bool) -> None:
        """Show whether the solvers are still being compiled."""
        if preparing != self._preparing:
            self._preparing = preparing
            self._tell_state()

    def _show_obstacles(self) -> None:
        lost, digging = self.chooser.lost, self.options.settings.digging
        missing = f"'{lost}' has closed: choose another window in the list"
        self.controls.show_obstacles(missing if lost else "", ASSIST_PLAYS if digging else "")

    def _tell_state(self) -> None:
        """Update the status line, which nothing else writes to."""
        waits = self._preparing and self._state is State.PLAYING
        self.status.setText(f"{IN_WORDS} …" if waits else self._words or self._state_in_words())

    def _built_pages(self) -> QStackedWidget:
        """Return the stack of the board and the page that precedes it."""
        self._board_page = BoardArea(self.view, self.legend, self.layers)
        self._pages = _Pages()
        self._pages.addWidget(self.empty)
        self._pages.addWidget(self._board_page)
        self._pages.addWidget(self.teach)
        self._pages.addWidget(self.program)
        self._pages.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        for page in (self.teach, self.program):
            # A hidden page must not reserve space that the figures need.
            page.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)
        return self._pages

    def _turn_page(self) -> None:
        """Show the current page, and the figures unless there is a question."""
        self._pages.setCurrentWidget(self._question if self._asking else self._page)
        self._figures.setVisible(not self._asking)

    def _state_in_words(self) -> str:
        if self._opening:
            return "Opening the built-in game …"
        return {
            State.IDLE: f"{self._outcome}{self._boards_in_words()}",
            State.PLAYING: "Playing",
            State.PAUSED: "Paused. The moves shown are next",
            State.ASKING: f"Waiting for your answer: {self._asked_about()}",
            State.STOPPING: "Stopping …",
        }[self._state]

    def _asked_about(self) -> str:
        if self._question is self.teach:
            return "what is this tile?"
        title = self.program.title.text()
        return title[:1].lower() + title[1:]

    def _boards_in_words(self) -> str:
        if self._searched is None:
            return "Looking for Minesweeper windows …"
        if not self._searched:
            return "The screen could not be searched"
        if self.chooser.lost:
            return f"'{self.chooser.lost}' has closed: choose another window"
        found = len(self.chooser.model.found)
        return f"Ready: {found or 'no'} board{'' if found == 1 else 's'} on the screen"


class _Pages(QStackedWidget):
    """A stack that may be lower than its pages' preferred height."""

    def hasHeightForWidth(self) -> bool:
        """Return False."""
        return False


class _Middle(QWidget):
    """A message and the pages below it, which shrink for it so that nothing else moves.

    Args:
        pages: The pages.

    Attributes:
        banner_place: The message's container.
    """

    def __init__(self, pages: QWidget) -> None:
        super().__init__()
        self._pages = pages
        self.banner_place = QVBoxLayout()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(SPACE)
        self._column.addLayout(self.banner_place)
        self._column.addWidget(pages, 1)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def hasHeightForWidth(self) -> bool:
        """Return False: the pages' preferred height does not depend on the message."""
        return False

    def sizeHint(self) -> QSize:
        """Return the pages' preferred size at the current width."""
        return QSize(self._pages.sizeHint().width(), self._pages.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:
        """Return the size that the message and the pages need at the current width."""
        least = self._column.minimumSize()
        if self._column.hasHeightForWidth():
            least.setHeight(self._column.minimumHeightForWidth(self.width()))
        return least

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Update the geometry when the width changes."""
        super().resizeEvent(event)
        if event is not None and event.size().width() != event.oldSize().width():
            self.updateGeometry()


def _column(*parts: QWidget) -> QWidget:
    """Return a widget with these parts in a column without margins."""
    widget = QWidget()
    column = QVBoxLayout(widget)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(SPACE)
    for part in parts:
        column.addWidget(part)
    return widget
