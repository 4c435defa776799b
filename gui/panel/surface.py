"""The page that plays: its parts and where they stand; what they do is the panel's business."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from PyQt6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from bot.solver.ready import IN_WORDS
from gui.panel.banner import Banner
from gui.panel.boardview import BoardView
from gui.panel.chooser import Chooser
from gui.panel.controls import Controls, LayerSwitch
from gui.panel.details import Details
from gui.panel.emptypage import EmptyPage
from gui.panel.icons import icon
from gui.panel.legend import Legend
from gui.panel.options import Options
from gui.panel.teach import TeachPage
from gui.panel.theme import SPACE, Theme
from gui.panel.tray import scrolled
from gui.player import State
from gui.protocol import Found
from gui.settings import Settings

if TYPE_CHECKING:
    # The panel's start loads none of the eye's learning.
    from gui.questions import Around
    from vision.learning.learner import Question

SIDEBAR: Final = 270
"""Width of the list and the options, in points."""
LEAST_DETAILS: Final = 0
"""Height, in points, of the figures where the board needs the room: they scroll."""
MARGIN: Final = SPACE + 4
_WATCHING: Final = {
    State.PLAYING: "Watching: you play, and nothing is clicked",
    State.PAUSED: "Paused: your moves are not looked at",
}
"""The player's states where the user plays."""


class Surface(QWidget):
    """The page that plays.

    Args:
        settings: What the user chose last.
        banner: The window's, which stands above every page.
    """

    def __init__(self, settings: Settings, banner: Banner, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.chooser, self.options = Chooser(), Options(settings)
        self.controls, self.banner, self.empty = Controls(), banner, EmptyPage()
        self.view, self.legend, self.layers = BoardView(), Legend(), LayerSwitch()
        self.teach, self.details, self.status = TeachPage(), Details(), QLabel()
        self._page: QWidget = self.empty
        self._asking = self._preparing = False
        self._state, self._words = State.IDLE, ""
        self._focused: QWidget | None = None
        self._broken: tuple[str, ...] = ()
        self.status.setAccessibleName("State")
        self.status.setProperty("muted", True)
        self._side = _column(self.chooser, self.options)
        self.sidebar = scrolled(self._side)
        self.sidebar.setFixedWidth(SIDEBAR)
        columns = QHBoxLayout(self)
        columns.setContentsMargins(MARGIN, MARGIN, MARGIN, SPACE)
        columns.setSpacing(MARGIN)
        columns.addWidget(self.sidebar)
        self._figures = scrolled(self.details)
        self._figures.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Maximum)
        self._figures.setMinimumHeight(LEAST_DETAILS)
        pages = self._built_pages()
        main = _column(self.controls, pages, self._figures, self.status)
        columns.addWidget(main, 1)
        self.options.mines.valueChanged.connect(self.chooser.tell_mines)
        self.controls.sidebar.toggled.connect(self.sidebar.setVisible)
        self.layers.chosen.connect(self.view.set_layers)
        self._order_focus()

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

    def show_found(self, found: Found) -> None:
        """List what a look found; a skin that is left out is told once."""
        self.chooser.show_found(found.boards)
        self.empty.set_found(found)
        # Where the page in the middle tells them, the list need not.
        beside = found.boards or self.board_shown
        self.chooser.show_remarks(found.remarks if beside else ())
        if found.broken and found.broken != self._broken:
            self.banner.tell("\n".join(f"A skin is left out: {one}" for one in found.broken))
        self._broken = found.broken

    def tell_lost(self) -> None:
        """The board that was chosen is not seen any more: nothing else is played in its place."""
        self.banner.tell(
            f"'{self.chooser.lost}' is not seen any more: bring it to the front, with its whole "
            "board uncovered, or choose another window in the list."
        )

    def ask_mines(self) -> None:
        """Nobody knows how many mines the chosen board has: the user is to say."""
        self.banner.tell(
            "How many mines does this board have? The screen does not tell. "
            "Enter the number beside 'Mines', then start."
        )
        self.controls.sidebar.setChecked(True)
        self.options.mines.setFocus()

    def show_board(self) -> None:
        """There is a turn to look at; a question comes first."""
        self._page = self._board_page
        self._turn_page()

    def show_question(self, question: Question | None, around: Around | None = None) -> None:
        """Ask what a tile is in place of the board; None when there is nothing to ask."""
        if question is not None and not self._asking:
            window = self.window()
            self._focused = window.focusWidget() if window is not None else None
        self._asking = question is not None
        self._turn_page()
        if question is not None:
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
            opening: A simulated window is being opened.
            outcome: How the last games went, in a sentence.
            assist: The user plays, and is watched.
            why: Why the player paused by itself, or what it waits for.
        """
        idle = state is State.IDLE and not opening
        can_step = self.chooser.current is not None
        self.controls.show_state(state, opening=opening, can_step=can_step)
        self.controls.show_missing(self.chooser.lost)
        self.chooser.setEnabled(idle)
        self.options.set_playing(not idle)
        self.empty.simulate.setEnabled(idle)
        if state is not State.ASKING and self._asking:
            self.show_question(None)
        self._state = state
        words = _WATCHING.get(state) if assist else why
        self._words = words or self._state_in_words(state, opening, outcome)
        self._tell_state()

    def set_preparing(self, preparing: bool) -> None:
        """Tell whoever waits for a decision that the solvers are still being compiled."""
        if preparing != self._preparing:
            self._preparing = preparing
            self._tell_state()

    def _tell_state(self) -> None:
        waits = self._preparing and self._state is State.PLAYING
        self.status.setText(f"{IN_WORDS} …" if waits else self._words)

    def set_theme(self, theme: Theme) -> None:
        """Colour what is painted by hand."""
        self.view.set_theme(theme)
        self.controls.set_theme(theme)
        self.teach.set_theme(theme)
        self.chooser.set_icon(icon("refresh", theme.text, theme.border))

    def _built_pages(self) -> QStackedWidget:
        """The board, and what is there before it."""
        under_board = QHBoxLayout()
        under_board.setSpacing(SPACE)
        under_board.addWidget(self.legend, 1)
        under_board.addWidget(self.layers)
        self._board_page = _column(self.view, under_board)
        self._pages = QStackedWidget()
        self._pages.addWidget(self.empty)
        self._pages.addWidget(self._board_page)
        self._pages.addWidget(self.teach)
        self._pages.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        return self._pages

    def _turn_page(self) -> None:
        """The figures speak of the board: a question has their room."""
        self._pages.setCurrentWidget(self.teach if self._asking else self._page)
        self._figures.setVisible(not self._asking)

    def _state_in_words(self, state: State, opening: bool, outcome: str) -> str:
        if opening:
            return "Opening a simulated window …"
        if self.chooser.lost and state is State.IDLE:
            return f"{outcome}'{self.chooser.lost}' is not seen any more: choose another window"
        found = len(self.chooser.model.found)
        boards = f"{found or 'no'} board{'' if found == 1 else 's'} on the screen"
        return {
            State.IDLE: f"{outcome}Ready: {boards}",
            State.PLAYING: "Playing",
            State.PAUSED: "Paused: the moves shown have not been carried out",
            State.ASKING: "Waiting for your answer: what is this tile?",
            State.STOPPING: "Stopping …",
        }[state]

    def _order_focus(self) -> None:
        """From the buttons over the list and the options to what is under the board."""
        controls, options = self.controls, self.options
        order: list[QWidget] = [controls.sidebar, controls.start, controls.pause, controls.step]
        order.insert(2, controls.assist)
        order += [controls.stop, self.chooser.view, self.chooser.refresh, options.mines]
        order += [options.games, options.style_box, options.pace, options.theme, options.record]
        order += [options.marks]
        order += [self.empty.simulate, self.teach, *self.teach.buttons.values(), self.teach.leave]
        order += [self.view, *self.layers.buttons.values()]
        for before, after in pairwise(order):
            self.setTabOrder(before, after)


def _column(*parts: QWidget | QHBoxLayout) -> QWidget:
    """Parts below each other, without a margin."""
    widget = QWidget()
    column = QVBoxLayout(widget)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(SPACE)
    for part in parts:
        if isinstance(part, QWidget):
            column.addWidget(part)
        else:
            column.addLayout(part)
    return widget
