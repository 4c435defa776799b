"""The playing page: its parts and their layout; the panel connects their behaviour."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from PyQt6.QtCore import (
    QSignalBlocker,
    QSize,
    Qt,
    QTimer,
    pyqtSignal,
)
from PyQt6.QtGui import QIcon, QResizeEvent
from PyQt6.QtWidgets import (
    QCheckBox,
    QFrame,
    QLabel,
    QListWidget,
    QPushButton,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from bot.frame import Reading
from bot.solver import PLAYER
from gui.panel import widgets
from gui.panel.banner import Banner
from gui.panel.boardview import BoardArea, BoardView, Legend
from gui.panel.controls import KEYS, Controls
from gui.panel.details import Details
from gui.panel.edit_button import EditButton
from gui.panel.icons import icon
from gui.panel.options import Options
from gui.panel.program_question import ProgramPage
from gui.panel.theme import SPACE, on_theme_change
from gui.panel.tile_question import TeachPage
from gui.questions import ProgramQuestion
from gui.runner.protocol import Candidate, Found, State
from gui.settings import Settings
from vision import SUPPORTED
from vision.desktop import desktop

if TYPE_CHECKING:
    # The panel's start must not load the reader's learning modules.
    from gui.questions import Around
    from vision.learning.questions import Question


_LIST_HIDDEN: Final = "Open the list of windows (F9) and choose one"
_LOST: Final = "lost board"
_CLOSED_ADVICE: Final = "Open the game again and choose it, or choose another window"
_OTHERS_ADVICE: Final = "Choose another board in the list, or open the game again"
_SKINS: Final = "skins"
"""The subject of messages about skins."""
SIDEBAR: Final = 270
"""Width of the list and the options, in points."""


@dataclass(frozen=True)
class Sizes:
    """Sizes of the page, in points."""

    low: tuple[int, int] = (330, 12)
    """Height in points, and in lines of text, that the rest takes before the details get any: the
    probabilities on a beginner's board are readable then."""
    usual_details: int = 70
    """Least height of the details: a lower page shows them only if the user opens them."""
    least_details: int = 24
    """Height in points of opened details on the lowest page; they scroll."""
    lowest: int = 266
    """Height in points that the rest of the page needs at least."""


_SIZE: Final = Sizes()

MARGIN: Final = SPACE + 4
ASSIST_PLAYS: Final = (
    "Assist works only with the game 'Minesweeper'. Choose it on the page Lab, then press "
    "Assist again."
)
_WATCHING: Final = {
    State.PLAYING: "You play; the bot clicks nothing",
    State.PAUSED: "Paused: your moves are not watched",
}
"""Texts for the player's states while the user plays."""
SIMULATED: Final = "Built-in game"
_SIMULATED_DETAIL: Final = "Opens when you press Play"
THUMBNAIL: Final = QSize(48, 48)
_UNRECOGNISED: Final = " If yours is not, check 'List windows without a board'."


class EmptyPage(QFrame):
    """A page with instructions for the start.

    Signals:
        simulator_wanted(): The button was pressed.
    """

    simulator_wanted = pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("card", True)
        self._found: Found | None = None
        """The result of the last search."""
        self._run = ""
        """The state of a run whose first board is not read yet; empty without a run."""
        self._list_visible = True
        self._board: Candidate | None = None
        self._lost = ""
        self.title = widgets.headline()
        self.title.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.advice = QLabel()
        self.advice.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.advice.setWordWrap(True)
        self.advice.setTextFormat(Qt.TextFormat.PlainText)
        self.advice.setProperty("muted", True)
        self.simulate = QPushButton("Play the &built-in game")
        widgets.name_control(self.simulate, "Open the built-in game and play it")
        content = QWidget()
        widgets.lay_column(1, self.title, self.advice, 1, on=content, margins=2 * SPACE)
        page = QVBoxLayout(self)
        page.setContentsMargins(SPACE, SPACE, SPACE, 2 * SPACE)
        # The text may be longer than a small window is high.
        page.addWidget(widgets.scrolled(content), 1)
        # At the bottom, it stays in place when the text changes or a message appears above.
        page.addWidget(self.simulate, 0, Qt.AlignmentFlag.AlignHCenter)
        self.simulate.clicked.connect(self.simulator_wanted)
        self.show_search()

    def show_search(self, *, postponed: bool = False) -> None:
        """Show that the screen is searched, for which the user may have to permit it.

        Args:
            postponed: What the user pressed begins after the search.
        """
        then = ", then it begins" if postponed else ""
        self.title.setText(f"Looking for Minesweeper windows{then} …")
        self.advice.setText(desktop().access_hint or "A moment, please.")

    def set_list_visible(self, visible: bool) -> None:
        """Adapt the instructions to the visibility of the list of windows."""
        self._list_visible = visible
        if self._found is not None:
            self.set_found(self._found)

    def set_choice(self, board: Candidate | None, lost: str) -> None:
        """Adapt the instructions to the selected board.

        Args:
            board: The board; None for the built-in game.
            lost: Why the selected board is no longer found; empty if it is.
        """
        self._board, self._lost = board, lost
        if self._found is not None:
            self.set_found(self._found)

    def set_run(self, state: str) -> None:
        """Show the state of a run whose first board is not read yet; empty without a run."""
        ended = self._run and not state
        self._run = state
        if state:
            self.title.setText("Starting …")
            self.advice.setText(state)
        elif ended and self._found is not None:
            self.set_found(self._found)
        elif ended:
            self.show_search()

    def set_found(self, found: Found) -> None:
        """Show instructions for the result of a search."""
        self._found = found
        if self._run:
            return
        board = self._board
        if self._lost:
            self.title.setText("No board to show")
            self.advice.setText(f"{self._lost}.")
        elif board is not None and board.unrecognised:
            self.title.setText("No board recognised in this window")
            self.advice.setText(
                f"Begin a game in it. If the whole board is shown, press Play ({KEYS['play']}) or "
                f"Assist ({KEYS['assist']}): you are asked where the board is."
            )
        elif board is not None and board.covered:
            self.title.setText(
                "This game hides its board"
                if board.hidden
                else "The game's window is not fully visible"
            )
            self.advice.setText(
                f"It may pause beside another window: press Play ({KEYS['play']}) or Assist "
                f"({KEYS['assist']}), and it comes to the front. If that does not help, resume it "
                "with its own button or menu; enlarge its window if the board is cut off."
                if board.hidden
                else "Move the window that covers it aside, perhaps this panel, to see the "
                f"probabilities. Or press Play ({KEYS['play']}) or Assist ({KEYS['assist']}): the "
                "game then comes to the front."
            )
        elif board is not None:
            self.title.setText("Ready to play")
            self.advice.setText(
                f"Press Play ({KEYS['play']}), or Assist ({KEYS['assist']}) to play it yourself "
                "and see the probabilities."
            )
        elif found.boards:
            self.title.setText(SIMULATED)
            other = "Choose a window on the left" if self._list_visible else _LIST_HIDDEN
            self.advice.setText(
                f"Press Play ({KEYS['play']}) to let the bot play it, or Assist "
                f"({KEYS['assist']}) to play it yourself. {other} to play that one."
            )
        elif found.remarks:
            self.title.setText("No board that can be played")
            self.advice.setText("\n\n".join(map(widgets.sentence, found.remarks)))
        else:
            self.title.setText("No Minesweeper window found")
            self.advice.setText(
                "Open one, or play the built-in game.\n"
                "Its window must not be minimised, and its board must lie within the screen.\n\n"
                f"{SUPPORTED}.{_UNRECOGNISED if desktop().lists_windows else ''}"
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

    def __init__(self, settings: Settings, banner: Banner) -> None:
        super().__init__()
        self.chooser, self.options = Chooser(), Options(settings)
        self.controls, self.banner, self.empty = Controls(), banner, EmptyPage()
        self.view = BoardView()
        self.view.set_numbered(settings.coordinates)
        self.legend, self.edit = Legend(self.view), EditButton(self.view)
        self.move_now = widgets.named_button(
            "Move &now", "Move now", "End the simulation, and play the best cell found so far"
        )
        # Disabled at its own click, it would pass the focus on.
        self.move_now.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.teach, self.details, self.status = (
            TeachPage(),
            Details(self),
            widgets.wrapped_label("State"),
        )
        self.layers = self.details.layers
        self.more = widgets.named_button(
            "Detai&ls", "Details", "Show the times, and what the board is painted from"
        )
        self.more.setCheckable(True)
        self.more.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.program = ProgramPage()
        self._question: QWidget = self.teach
        """The page with the question."""
        self._page: QWidget = self.empty
        self._asking = False
        self._state, self._opening = State.IDLE, False
        self._words = self._outcome = self._progress = ""
        self._focused: QWidget | None = None
        self._broken: tuple[str, ...] = ()
        self._searched: bool | None = None
        """Whether the last search for boards succeeded; None before the first one."""
        self.status.setProperty("muted", True)
        self._side = widgets.column_of(self.chooser, self.options)
        self.sidebar = widgets.scrolled(self._side, SIDEBAR)
        self._columns = widgets.lay_row(
            self.sidebar, on=self, margins=widgets.PAGE_MARGINS, gap=MARGIN
        )
        self._narrow, self._roomy = False, True
        """Whether the list is shown in place of the board, not beside it."""
        pages = self._built_pages()
        self._middle = _Middle(pages)
        self.banner_place = self._middle.banner_place
        self.banner_place.addWidget(banner)
        main = self._built_column()
        self._columns.addWidget(main, 1)
        self.options.mines.valueChanged.connect(self.chooser.set_mines)
        self.options.changed.connect(self._show_obstacles)
        self.chooser.chosen.connect(self._show_choice)
        self.chooser.picked.connect(self._clear_covered)
        self.controls.sidebar.toggled.connect(self._show_parts)
        self.controls.sidebar.toggled.connect(self.empty.set_list_visible)
        self.layers.chosen.connect(self.view.set_layers)
        self.more.toggled.connect(self.details.show_more)
        self.more.toggled.connect(self._share_height)
        self.details.highlight_on(self.view)
        widgets.order_by_layout(self)

    def narrowest(self) -> int:
        """Return the width in points of the buttons with the margins."""
        return self.controls.width_with_words + 2 * MARGIN

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
        widgets.order_by_layout(self)

    def show_found(self, found: Found) -> None:
        """List the result of a search, and report a skipped skin once."""
        self.chooser.show_found(found.boards, found.closed)
        self._show_choice()
        if not self.chooser.lost:
            self.banner.retract(_LOST)
        elif self.board_shown:
            self.clear_board()
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
                self.banner.show_message(broken, about=_SKINS)

    @property
    def searching(self) -> bool:
        """Whether the first search for boards has not ended yet."""
        return self._searched is None

    def show_closed(self) -> None:
        """Report that the selected board is gone; nothing else is played in its place."""
        self.banner.show_message(
            f"{self.chooser.lost_text}.",
            about=_LOST,
        )

    def show_search(self) -> None:
        """Show that the screen is searched, in place of the reason why it could not be."""
        if not self._searched:
            self.empty.show_search()

    def set_blind(self) -> None:
        """Show that the search failed; the message bar shows the reason."""
        self._searched = False
        self.empty.set_blind()
        self._update_state_text()

    def clear_board(self) -> None:
        """Clear the board after another one was selected."""
        self.view.show_turn(None)
        self.details.clear()
        self.details.coach.hide()
        self._page = self.empty
        self._turn_page()
        self._update_state_text()

    def _show_choice(self) -> None:
        self.empty.set_choice(self.chooser.current, self.chooser.lost_text)

    def _clear_covered(self, board: Candidate) -> None:
        """Clear what was shown before when the user chooses a covered board."""
        if board.covered:
            self.clear_board()

    def set_narrow(self, *, narrow: bool) -> None:
        """Show the list beside the board, or in place of it, and then only when asked for."""
        if narrow != self._narrow:
            self._narrow = narrow
            self.sidebar.set_fixed(fixed=not narrow)
            if narrow:
                self._middle.column.insertWidget(1, self.sidebar, 1)
            else:
                self._columns.insertWidget(0, self.sidebar)
            widgets.order_by_layout(self)
        self.controls.sidebar.setChecked(not narrow)
        self._show_parts()

    def uncover_board(self) -> None:
        """Close a list that is shown in place of the board."""
        if self._narrow:
            self.controls.sidebar.setChecked(False)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Leave most of a low window to the board and the reason; the details scroll."""
        super().resizeEvent(event)
        self._share_height()

    def _share_height(self) -> None:
        points, lines = _SIZE.low
        spare = self.height() - points - lines * self.fontMetrics().lineSpacing()
        needed = self._details_area.sizeHint().height()
        self._roomy = spare >= _SIZE.usual_details
        least = min(max(self.height() - _SIZE.lowest, _SIZE.least_details), _SIZE.usual_details)
        most = max(spare, least)
        self._details_area.setMinimumHeight(min(needed, most))
        self._details_area.setMaximumHeight(most)
        self._show_parts()

    def _show_parts(self) -> None:
        """Show the list, what it leaves room for, and no details during a question."""
        listed, focused = self.controls.sidebar.isChecked(), self.focusWidget()
        self.sidebar.setVisible(listed)
        free = not (self._narrow and listed)
        self._pages.setVisible(free)
        explained = free and not self._asking
        self._explanations.setVisible(explained)
        self._details_area.setVisible(explained and (self._roomy or self.more.isChecked()))
        if focused is not None and not focused.isVisibleTo(self):
            self.controls.sidebar.setFocus()

    def show_board(self) -> None:
        """Show the board, unless there is a question."""
        self._page = self._board_page
        self._turn_page()
        self._update_state_text()

    def show_question(
        self, question: Question | ProgramQuestion | None, around: Around | None = None
    ) -> None:
        """Show a question in place of the board; None for no question."""
        if question is not None and not self._asking:
            window = self.window()
            self._focused = window.focusWidget() if window is not None else None
        self._asking = question is not None
        if self._asking:
            self.uncover_board()
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
        thinking: bool = False,
        progress: str = "Playing",
    ) -> None:
        """Enable the available controls and show the state.

        Args:
            state: The player's state.
            opening: A built-in game is being opened.
            outcome: The result of the last games, in a sentence.
            assist: The user plays.
            why: Why it is paused, or what it waits for while it plays; empty for neither.
            thinking: The player takes time for a decision.
            progress: Which game is played.
        """
        self.move_now.setEnabled(thinking and not assist and state is State.PLAYING)
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
        self._progress = progress
        if opening:
            why = "Opening the built-in game to play it …"
        self._words = why or (_WATCHING.get(state, "") if assist else "")
        self.details.show_state(state)
        self._update_state_text()

    def _show_obstacles(self) -> None:
        settings = self.options.settings
        digging = settings.digging
        self.move_now.setVisible(settings.simulate > 0 and settings.player_name == PLAYER)
        self.controls.show_obstacles(self.chooser.lost_text, ASSIST_PLAYS if digging else "")

    def _update_state_text(self) -> None:
        """Update the status line, which nothing else writes to."""
        text = self._words or self._state_text()
        self.status.setText(text)
        self.status.setAccessibleDescription(text)
        self.empty.set_run("" if self._state is State.IDLE and not self._opening else text)

    def _built_pages(self) -> QStackedWidget:
        """Return the stack of the board and the page that precedes it."""
        self._board_page = BoardArea(self.view, self.legend, self.edit, self.more)
        self._pages = _Pages()
        self._pages.addWidget(self.empty)
        self._pages.addWidget(self._board_page)
        self._pages.addWidget(self.teach)
        self._pages.addWidget(self.program)
        self._pages.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        for page in (self.teach, self.program):
            # A hidden page must not reserve space that the details need.
            page.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)
        return self._pages

    def _built_column(self) -> QWidget:
        """Return the column of the buttons, the board, and what explains it."""
        self._details_area = widgets.scrolled(self.details)
        self._details_area.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Maximum)
        self._explanations = widgets.column_of(self.details.coach, self.details.why)
        policy = self._explanations.sizePolicy()
        policy.setVerticalPolicy(QSizePolicy.Policy.Maximum)
        self._explanations.setSizePolicy(policy)
        bottom = QWidget()
        widgets.lay_row((self.status, 1), self.move_now, on=bottom)
        return widgets.column_of(
            self.controls,
            self._middle,
            self._explanations,
            self._details_area,
            bottom,
        )

    def _turn_page(self) -> None:
        """Show the current page, and the details unless there is a question."""
        self._pages.setCurrentWidget(self._question if self._asking else self._page)
        self._show_parts()

    def _state_text(self) -> str:
        return {
            State.IDLE: f"{self._outcome}{self._boards_text()}",
            State.PLAYING: self._progress if self.board_shown else "Reading the board …",
            State.PAUSED: self._paused_text(),
            State.ASKING: f"Waiting for your answer: {self._asked_about()}",
            State.STOPPING: "Stopping …",
        }[self._state]

    def _paused_text(self) -> str:
        if not self.board_shown:
            return "Paused before the first move"
        over = self.view.turn is not None and self.view.turn.reading.status.over
        return "Paused" if over else "Paused. The moves shown are next"

    def _asked_about(self) -> str:
        if self._question is self.teach:
            return "what is this tile?"
        title = self.program.title.text()
        return title[:1].lower() + title[1:]

    def _boards_text(self) -> str:
        if self._searched is None:
            return "Looking for Minesweeper windows …"
        if not self._searched:
            return "The screen could not be searched"
        found = len(self.chooser.found)
        return f"Ready: {found or 'no'} board{'' if found == 1 else 's'} on the screen"


class _Pages(QStackedWidget):
    """A stack that may be lower than its pages' preferred height."""

    def hasHeightForWidth(self) -> bool:
        """Return False."""
        return False


class _Middle(QWidget):
    """A message and the pages below it, which shrink for it so that nothing else moves.

    Attributes:
        banner_place: The message's container.
        column: The layout of both.
    """

    def __init__(self, pages: QStackedWidget) -> None:
        super().__init__()
        self._pages = pages
        pages.currentChanged.connect(lambda _: self.updateGeometry())
        self.banner_place = QVBoxLayout()
        self.column = widgets.lay_column(self.banner_place, (pages, 1), on=self)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def hasHeightForWidth(self) -> bool:
        """Return False: the pages' preferred height does not depend on the message."""
        return False

    def sizeHint(self) -> QSize:
        """Return the page's preferred size at the current width: the details need the rest."""
        page = self._pages.currentWidget() or self._pages
        size = page.sizeHint()
        if page.hasHeightForWidth():
            size.setHeight(page.heightForWidth(self.width()))
        return size

    def minimumSizeHint(self) -> QSize:
        """Return the size that the message and the pages need at the current width."""
        least = self.column.minimumSize()
        if self.column.hasHeightForWidth():
            least.setHeight(self.column.minimumHeightForWidth(self.width()))
        return least

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Update the geometry when the width changes."""
        super().resizeEvent(event)
        if event is not None and event.size().width() != event.oldSize().width():
            self.updateGeometry()


def described(candidate: Candidate, entered: int | None = None) -> tuple[str, str]:
    """Return a board's skin and occlusion, and its size and mines, as text.

    Args:
        candidate: The board.
        entered: The number of mines that the user entered, used if nothing else gives it.
    """
    count = entered if candidate.mines is None else candidate.mines
    seen = "not fully visible" if candidate.covered else ""
    seen = "board hidden" if candidate.hidden else seen
    if candidate.unrecognised:
        return "No board recognised", "Play to show where it is"
    if not candidate.rows:
        # The skin is one of those of its program.
        return seen.capitalize(), "Play to see it"
    mines = "mines unknown" if count is None else f"{count} mines"
    return (
        ", ".join(filter(None, (candidate.skin, seen))),
        f"{candidate.cols} \N{MULTIPLICATION SIGN} {candidate.rows} \N{MIDDLE DOT} {mines}",
    )


def board_rows(
    boards: Sequence[Candidate], entered: tuple[object, int | None] = (None, None)
) -> list[tuple[QIcon, tuple[str, ...]]]:
    """Return the picture of each board, and what is known of it, a line each.

    Args:
        boards: The boards, those with the same title are numbered.
        entered: The key of the board for which the user entered a number of mines, and the number.
    """
    rows: list[tuple[QIcon, tuple[str, ...]]] = []
    for board in boards:
        alike = [one.key for one in boards if one.title == board.title]
        number = f" ({alike.index(board.key) + 1})" if len(alike) > 1 else ""
        mines = entered[1] if board.key == entered[0] else None
        sign = widgets.picture_icon(board.thumbnail, THUMBNAIL)
        lines = filter(None, (f"{board.title}{number}", *described(board, mines)))
        rows.append((sign, tuple(lines)))
    return rows


class _List(QListWidget):
    """A list that is at least two rows high: a lower page scrolls as a whole."""

    def minimumSizeHint(self) -> QSize:
        """Return the size for a board and the built-in game."""
        port = self.viewport()
        frame = self.height() - port.height() if port is not None else 0
        return QSize(super().minimumSizeHint().width(), 2 * self.sizeHintForRow(0) + frame)


class Chooser(QWidget):
    """The list of the boards found, with the selected one.

    Signals:
        chosen(Candidate | None): Another row is current; None is the built-in game.
        picked(Candidate): The user selected a board, or clicked the selected one again.
        refresh_wanted(): The user asked for another search.
    """

    chosen = pyqtSignal(object)
    picked = pyqtSignal(object)
    refresh_wanted = pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        self.found: tuple[Candidate, ...] = ()
        """The boards, without the built-in game's row."""
        self._mines: tuple[object, int | None] = (None, None)
        """The board for which the user entered a number of mines, and the number."""
        self.view = _List()
        self.view.setIconSize(THUMBNAIL)
        self.view.setSpacing(SPACE // 2)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.setAccessibleName("Minesweeper windows")
        self.view.setAccessibleDescription("Boards found on the screen, and the built-in game")
        self.heading = QLabel("Minesweeper &windows")
        self.heading.setProperty("heading", True)
        self.heading.setBuddy(self.view)
        self.refresh = widgets.named_button(
            "Refresh", "Look for windows again", "Look for windows again (Ctrl+R)"
        )
        self.refresh.setShortcut("Ctrl+R")
        top = widgets.lay_row((self.heading, 1), self.refresh, gap=-1)
        column = widgets.lay_column(top, (self.view, 1), on=self)
        self.remarks = widgets.explanation("Boards that cannot be played")
        self.remarks.hide()
        column.addWidget(self.remarks)
        self.every = QCheckBox("&List windows without a board")
        widgets.name_control(
            self.every,
            "List windows without a board",
            "If your game is not recognised, you can show where its board is",
        )
        self.every.setVisible(desktop().lists_windows)
        column.addWidget(self.every)
        self._key: object = None
        self._title = ""
        self._closed: Container[object] = frozenset()
        self._listing = False
        self.refresh.clicked.connect(self.refresh_wanted)
        self.every.toggled.connect(self.refresh_wanted)
        self.view.clicked.connect(self._activate)
        self.view.activated.connect(self._activate)
        self.view.currentRowChanged.connect(self._changed)
        self.view.itemSelectionChanged.connect(lambda: QTimer.singleShot(0, self._note_selected))
        self.show_found(())
        on_theme_change(self._draw_icons)

    def append(self, button: QWidget) -> None:
        """Add another button below the list."""
        column = self.layout()
        if column is not None:
            column.addWidget(button)

    @property
    def current(self) -> Candidate | None:
        """The selected board; None for the built-in game."""
        row = self.view.currentRow()
        return self.found[row] if 0 <= row < len(self.found) else None

    @property
    def lost(self) -> str:
        """The title of the selected board if it is no longer found, else empty."""
        return "" if self._key in (None, SIMULATED) or self.current is not None else self._title

    @property
    def closed(self) -> bool:
        """Whether the window of the selected board was closed."""
        return bool(self.lost) and self._key in self._closed

    @property
    def lost_text(self) -> str:
        """Return the reason why the selected board is no longer found; empty if it is."""
        if not self.lost:
            return ""
        if self.closed:
            advice = _OTHERS_ADVICE if self.found else _CLOSED_ADVICE
            return f"The window '{self.lost}' was closed. {advice}"
        # It may hide its board while it is paused.
        if not desktop().lists_windows:
            return (
                f"'{self.lost}' shows no board: its window was closed, is no longer shared, or "
                "hides it. Continue or reopen the game, or choose another window"
            )
        return f"'{self.lost}' shows no board. Continue the game, or choose another window"

    def show_played(self, reading: Reading) -> None:
        """Show the selected board, which its program hid before the run, as it is played."""
        board, frame = self.current, reading.frame
        if board is None or not (board.hidden or not board.rows) or not frame.image.size:
            return
        seen = replace(
            board,
            skin=board.skin if board.rows else "",
            rows=reading.grid.rows,
            cols=reading.grid.cols,
            mines=reading.board.mines,
            thumbnail=frame.image[frame.pixels(reading.grid.region)],
            covered=False,
            hidden=False,
        )
        self.found = tuple(seen if one is board else one for one in self.found)
        self._describe_rows()

    def _draw_icons(self) -> None:
        self.refresh.setIcon(icon("refresh"))
        self._describe_rows()

    def set_mines(self, mines: int) -> None:
        """Set the selected board's number of mines as the user entered it; 0 for unknown."""
        if self.current is not None:
            self._mines = self.current.key, mines or None
            self._describe_rows()

    def _describe_rows(self) -> None:
        """Show what is known of each board, and the built-in game."""
        for row, (sign, lines) in enumerate(board_rows(self.found, self._mines)):
            self._describe_row(row, sign, lines)
        self._describe_row(len(self.found), icon("add"), (SIMULATED, _SIMULATED_DETAIL))

    def _describe_row(self, row: int, sign: QIcon, lines: Sequence[str]) -> None:
        item = self.view.item(row)
        if item is not None:
            item.setIcon(sign)
            item.setText("\n".join(lines))
            item.setToolTip(widgets.tip_text(", ".join(lines)))
            item.setData(Qt.ItemDataRole.AccessibleTextRole, ", ".join(lines))

    def row_of(self, key: object) -> int | None:
        """Return a board's row, or None if it is gone."""
        return next((row for row, board in enumerate(self.found) if board.key == key), None)

    def show_remarks(self, remarks: Iterable[str]) -> None:
        """Show below the list which boards were found but cannot be played."""
        self.remarks.setText("\n".join(map(widgets.sentence, remarks)))
        self.remarks.setVisible(bool(self.remarks.text()))

    def show_found(
        self, found: Sequence[Candidate], closed: Container[object] = frozenset()
    ) -> None:
        """List the result of a search; the selection is cleared if its board is gone.

        If the user selected nothing yet, the first board is selected.

        Args:
            found: The boards.
            closed: The keys of boards whose windows were closed.
        """
        self._closed = closed
        wanted = self._key
        self._listing = True
        before, self.found = [board.key for board in self.found], tuple(found)
        if not self.view.count() or [board.key for board in found] != before:
            with QSignalBlocker(self.view):
                self.view.clear()
                self.view.addItems([""] * (len(found) + 1))
        self._describe_rows()
        # Selecting another row would suggest that it is played next.
        boards = (row for row, one in enumerate(found) if not one.unrecognised)
        rows = {None: next(boards, len(found)), SIMULATED: len(found)}
        self.select(rows[wanted] if wanted in rows else self.row_of(wanted))
        self._listing = False

    def select(self, row: int | None) -> None:
        """Select a row; None for none."""
        self.view.setCurrentRow(-1 if row is None else row)

    def select_board(self, board: Candidate) -> None:
        """Select a listed board."""
        row = self.row_of(board.key)
        if row is not None:
            self.select(row)

    def _changed(self) -> None:
        board = self.current
        if board is not None:
            self._key, self._title = board.key, board.title
        elif not self._listing:
            # The user selected it, as opposed to the default.
            self._key = SIMULATED
        self.chosen.emit(board)
        if board is not None and not self._listing and self.view.hasFocus():
            self.picked.emit(board)

    def _note_selected(self) -> None:
        """Make the selected row the current one: a screen reader only selects it."""
        for item in self.view.selectedItems():
            self.view.setCurrentItem(item)

    def _activate(self) -> None:
        if self.current is not None:
            self.picked.emit(self.current)
        else:
            self._key = SIMULATED
