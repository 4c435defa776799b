"""The page that plays: its parts and where they stand; what they do is the panel's business."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PyQt6.QtCore import QSize
from PyQt6.QtGui import QResizeEvent
from PyQt6.QtWidgets import (
    QHBoxLayout,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from bot.solver.ready import IN_WORDS
from gui.panel.banner import Banner
from gui.panel.boardarea import BoardArea
from gui.panel.boardview import BoardView
from gui.panel.chooser import Chooser
from gui.panel.controls import Controls, LayerSwitch
from gui.panel.details import Details
from gui.panel.emptypage import EmptyPage
from gui.panel.icons import icon
from gui.panel.labels import wrapped_label
from gui.panel.legend import Legend
from gui.panel.options import Options
from gui.panel.programpage import ProgramPage
from gui.panel.taborder import order_by_layout
from gui.panel.teach import TeachPage
from gui.panel.theme import SPACE, Theme
from gui.panel.tray import scrolled
from gui.player import State
from gui.protocol import Found
from gui.questions import ProgramQuestion
from gui.settings import Settings

if TYPE_CHECKING:
    # The panel's start loads none of the eye's learning.
    from gui.questions import Around
    from vision.learning.learner import Question

_LOST: Final = "lost board"
_SKINS: Final = "skins"
"""What messages are about, beside the run."""
SIDEBAR: Final = 270
"""Width of the list and the options, in points."""
LEAST_DETAILS: Final = 0
"""Height, in points, of the figures where the board needs the room: they scroll."""
MARGIN: Final = SPACE + 4
ASSIST_PLAYS: Final = (
    "Assist knows the game 'Minesweeper' only. Choose it beside 'Game', then press Assist again."
)
_WATCHING: Final = {
    State.PLAYING: "Watching: you play, and nothing is clicked",
    State.PAUSED: "Paused: your moves are not looked at",
}
"""The player's states where the user plays."""


class Surface(QWidget):
    """The page that plays.

    Args:
        settings: What the user chose last.
        banner: The window's, which the other pages have as well.
    """

    def __init__(self, settings: Settings, banner: Banner, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.chooser, self.options = Chooser(), Options(settings)
        self.controls, self.banner, self.empty = Controls(), banner, EmptyPage()
        self.view, self.layers = BoardView(), LayerSwitch()
        self.legend = Legend(self.view)
        self.teach, self.details, self.status = TeachPage(), Details(), wrapped_label("State")
        self.program = ProgramPage()
        self._question: QWidget = self.teach
        """The page that asks."""
        self._page: QWidget = self.empty
        self._asking = self._preparing = False
        self._state, self._opening = State.IDLE, False
        self._words = self._outcome = ""
        self._focused: QWidget | None = None
        self._broken: tuple[str, ...] = ()
        self._searched: bool | None = None
        """Whether the last look for boards went well; None before the first one."""
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
        """Points that the buttons and the board need beside the margins."""
        return self.controls.room_for_words + 2 * MARGIN

    @property
    def board_shown(self) -> bool:
        """Whether there was a turn to look at."""
        return self._page is self._board_page

    def add_private(self, button: QWidget, box: QWidget) -> None:
        """What starts a game on a private screen, and where that screen is shown."""
        self.chooser.append(button)
        column = self._side.layout()
        if isinstance(column, QVBoxLayout):
            column.insertWidget(1, box)
        order_by_layout(self)

    def show_found(self, found: Found) -> None:
        """List what a look found; a skin that is left out is told once."""
        self.chooser.show_found(found.boards)
        if not self.chooser.lost:
            self.banner.retract(_LOST)
        if found.boards or found.remarks or not found.incomplete:
            # Else it is not known yet whether there are any.
            self._searched = True
            self.empty.set_found(found)
        # Where the page in the middle tells them, the list need not.
        beside = found.boards or self.board_shown
        self.chooser.show_remarks(found.remarks if beside else ())
        if found.broken != self._broken:
            self._broken = found.broken
            self.banner.retract(_SKINS)
            if found.broken:
                broken = "\n".join(f"A skin is left out: {one}" for one in found.broken)
                self.banner.tell(broken, about=_SKINS)

    def tell_lost(self) -> None:
        """The board that was chosen is not seen any more: nothing else is played in its place."""
        self.banner.tell(
            f"'{self.chooser.lost}' is not seen any more: open it again, or choose another "
            "window in the list.",
            about=_LOST,
        )

    def set_blind(self) -> None:
        """Say that the screen could not be searched; the message across the panel says why."""
        self._searched = False
        self.empty.set_blind()
        self._tell_state()

    def clear_board(self) -> None:
        """Show no game: another board is chosen than the one that was played."""
        self.view.show_turn(None)
        self.details.clear()
        self.details.coach.hide()
        self._page = self.empty
        self._turn_page()

    def show_speed(self) -> None:
        """Bring the choice of the speed into view."""
        self.controls.sidebar.setChecked(True)
        self.sidebar.ensureWidgetVisible(self.options.pace)

    def show_board(self) -> None:
        """There is a turn to look at; a question comes first."""
        self._page = self._board_page
        self._turn_page()

    def show_question(
        self, question: Question | ProgramQuestion | None, around: Around | None = None
    ) -> None:
        """Ask in place of the board; None when there is nothing to ask."""
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
        """Enable what makes sense and say what is going on.

        Args:
            state: What the player is doing.
            opening: A built-in game is being opened.
            outcome: How the last games went, in a sentence.
            assist: The user plays, and is watched.
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
        """Tell whoever waits for a decision that the solvers are still being compiled."""
        if preparing != self._preparing:
            self._preparing = preparing
            self._tell_state()

    def _show_obstacles(self) -> None:
        lost, digging = self.chooser.lost, self.options.settings.digging
        missing = f"'{lost}' is not seen any more: choose another window in the list"
        self.controls.show_obstacles(missing if lost else "", ASSIST_PLAYS if digging else "")

    def _tell_state(self) -> None:
        """Put what is going on at this moment into the status line; nothing else writes there."""
        waits = self._preparing and self._state is State.PLAYING
        self.status.setText(f"{IN_WORDS} …" if waits else self._words or self._state_in_words())

    def set_theme(self, theme: Theme) -> None:
        """Colour what is painted by hand."""
        self.view.set_theme(theme)
        self.controls.set_theme(theme)
        self.teach.set_theme(theme)
        self.program.set_theme(theme)
        self.chooser.set_icon(icon("refresh", theme.text, theme.border))

    def _built_pages(self) -> QStackedWidget:
        """The board, and what is there before it."""
        self._board_page = BoardArea(self.view, self.legend, self.layers)
        self._pages = _Pages()
        self._pages.addWidget(self.empty)
        self._pages.addWidget(self._board_page)
        self._pages.addWidget(self.teach)
        self._pages.addWidget(self.program)
        self._pages.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        for page in (self.teach, self.program):
            # A page that is rarely shown does not take the figures' room while it is not.
            page.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)
        return self._pages

    def _turn_page(self) -> None:
        """The figures speak of the board: a question has their room."""
        self._pages.setCurrentWidget(self._question if self._asking else self._page)
        self._figures.setVisible(not self._asking)

    def _state_in_words(self) -> str:
        if self._opening:
            return "Opening the built-in game …"
        return {
            State.IDLE: f"{self._outcome}{self._boards_in_words()}",
            State.PLAYING: "Playing",
            State.PAUSED: "Paused: the moves shown have not been carried out",
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
            return f"'{self.chooser.lost}' is not seen any more: choose another window"
        found = len(self.chooser.model.found)
        return f"Ready: {found or 'no'} board{'' if found == 1 else 's'} on the screen"


class _Pages(QStackedWidget):
    """Pages that can be less high than they would like to be as wide as they are."""

    def hasHeightForWidth(self) -> bool:
        """Return False."""
        return False


class _Middle(QWidget):
    """A message and the pages below it, which make room for it: nothing else moves.

    Args:
        pages: The pages.

    Attributes:
        banner_place: Where the message belongs.
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
        """Return False: what the pages would like does not depend on the message."""
        return False

    def sizeHint(self) -> QSize:
        """Return what the pages would like as wide as they are."""
        return QSize(self._pages.sizeHint().width(), self._pages.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:
        """Return the room that the message needs as wide as it is, and the pages below it."""
        least = self._column.minimumSize()
        if self._column.hasHeightForWidth():
            least.setHeight(self._column.minimumHeightForWidth(self.width()))
        return least

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Ask for the room that the message needs now."""
        super().resizeEvent(event)
        if event is not None and event.size().width() != event.oldSize().width():
            self.updateGeometry()


def _column(*parts: QWidget) -> QWidget:
    """Parts below each other, without a margin."""
    widget = QWidget()
    column = QVBoxLayout(widget)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(SPACE)
    for part in parts:
        column.addWidget(part)
    return widget
