"""The panel's window: finds a game, plays it, and shows the board and the solver's results.

Nothing here captures, matches, solves, saves or waits. Turns come from the process that plays.
The search for boards, opening a built-in game and writing the settings run on a worker thread.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final

from PyQt6.QtCore import QEvent, QRect, QSize, Qt, pyqtSignal
from PyQt6.QtGui import (
    QCloseEvent,
    QColor,
    QGuiApplication,
    QKeyEvent,
    QMoveEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PyQt6.QtWidgets import QMainWindow, QPushButton, QToolButton

from gui.failures import Failure, describe
from gui.panel import theme
from gui.panel.banner import Banner
from gui.panel.board_search import BoardSearch
from gui.panel.boardview import Pointing
from gui.panel.cell_info import Inspector
from gui.panel.jobs import Jobs
from gui.panel.live import LiveAnalysis
from gui.panel.overlay import Outline
from gui.panel.pages import HELP, PLAY, SIMULATED, Context, Page
from gui.panel.placement import Placement
from gui.panel.play_page import ASSIST_PLAYS, MARGIN, Surface
from gui.panel.run import RUN, Run, prune_recordings
from gui.panel.run_display import RunDisplay
from gui.panel.shell import NARROW, Shell
from gui.run_statistics import RunStatistics
from gui.runner.client import PlayerClient
from gui.runner.protocol import Candidate, Found, SharedBoard, State
from gui.settings import Settings, save
from vision.desktop import OWN_FRAME, desktop

if TYPE_CHECKING:
    # A panel without private screens loads none of them.
    from gui.panel.private_game import PrivateCorner
    from gui.private.screens import PrivateScreens


SIZE: Final = QSize(1060, 740)
"""The window's initial size in points, if the screen is large enough."""


@dataclass(frozen=True)
class WindowSizes:
    """Sizes of the window, in points."""

    names_from_width: int = 1000
    """Width in points from which the rail shows the pages' names below their icons."""
    frame: int = 2
    """Width of the window's own frame, in points."""
    least_width: int = 500
    least_height: int = 280
    """Least height in points. A 1024x768 screen at 200 % has 512 x 384, and the board must stay
    uncovered."""


_WINDOW: Final = WindowSizes()

GAME: Final = "game"
"""The subject of messages about the game, beside those about the run."""
CLOSED: Final = "Stopped: the panel was closed."
_NOTHING: Final = object()


class Panel(QMainWindow):
    """The main window.

    Args:
        backend: Reads the screen, solves and clicks.
        settings: The user's last choices.
        save_settings: Called on the worker thread with every change.
        screens: Starts games on a private screen. Without it that feature is absent.

    Signals:
        turn_played(Turn): Every turn, before it is carried out.
        failed(Failure): Something went wrong. The panel reports it itself.
        run_finished(RunStatistics): The run ended.
        closed(): The window is closed and all its threads have ended.
    """

    turn_played = pyqtSignal(object)
    failed = pyqtSignal(object)
    run_finished = pyqtSignal(object)
    closed = pyqtSignal()

    def __init__(
        self,
        backend: PlayerClient,
        settings: Settings,
        save_settings: Callable[[Settings], None] = save,
        screens: PrivateScreens | None = None,
    ) -> None:
        super().__init__()
        self._save = save_settings
        self._closing = self._closed = False
        self._enter_for: QPushButton | QToolButton | None = None
        """The button that had the focus when the last key was pressed."""
        self._keys = settings.stop_key, settings.pause_key
        self._postponed: Callable[[], None] | None = None
        """An action that waits for the end of the first search."""
        self._played: object = _NOTHING
        """The key of the board that was played last."""
        banner = Banner()
        self.surface = Surface(settings, banner)
        self.run = Run(backend, lambda: self.settings, self.surface.details.coach, self)
        # A page's failure has nothing to do with the frame that was played last.
        self._jobs = Jobs(partial(describe, frame=None), self)
        self.private = None if screens is None else self._corner(screens)
        context = Context(
            backend,
            self._jobs,
            lambda: self.settings,
            self.surface.options.take,
            lambda: self.run.playing,
            lambda: self.stop_key,
            lambda: self.pause_key,
            lambda: self.surface.chooser.found,
        )
        self.shell = Shell(self.surface, banner, context)
        self.setCentralWidget(self.shell)
        self._framed = not desktop().lists_windows
        if self._framed:
            self.setContentsMargins(*[_WINDOW.frame] * 4)
        self.setWindowTitle("Minesweeper bot")
        self._placement = Placement(self, banner, self.surface.details.why)
        self._display = RunDisplay(self.run, self.surface, self.shell, self._placement, self)
        self._search = BoardSearch(backend, self.surface, self.run, lambda: self.settings, self)
        self._live = LiveAnalysis(
            backend, self.surface, self.run, self._search, lambda: self.settings, self
        )
        # Escape always stops a running game.
        self._outline = Outline(self)
        pointing = Pointing(self.surface.view, keeps_escape=False)
        self.inspector = Inspector(self.surface.view, self._jobs, pointing)
        self._connect()
        if self.private is not None:
            self._attach(self.private)
        self._show_keys()
        self._retheme()
        self._update_state()
        screen = QGuiApplication.primaryScreen()
        room = screen.availableGeometry() if screen else QRect()
        self.setMinimumSize(
            max(self.surface.narrowest() + NARROW, _WINDOW.least_width), _WINDOW.least_height
        )
        self.resize(SIZE.boundedTo(room.size() - QSize(16, 48)))
        self.surface.controls.play.setFocus()
        self._search.found.connect(self._open_beside)
        self._search.found.connect(self._begin_postponed)
        self._search.found.connect(self._update_help)
        self._search.found.connect(self._show_keys)
        self._search.blind.connect(self._begin_postponed)
        self._search.start()
        self._prune()

    @property
    def state(self) -> State:
        """The player's state."""
        return self.run.state

    @property
    def statistics(self) -> RunStatistics:
        """The statistics of the games so far."""
        return self.run.statistics

    @property
    def settings(self) -> Settings:
        """The user's settings."""
        return self.surface.options.settings

    @property
    def stop_key(self) -> str:
        """The key that stops from every window; empty if none is set or supported."""
        return self.settings.stop_key if self.run.hears_stop_key else ""

    @property
    def pause_key(self) -> str:
        """The key that pauses from every window; empty if none is set or supported."""
        return self.settings.pause_key if self.run.hears_keys else ""

    def _corner(self, screens: PrivateScreens) -> PrivateCorner:
        from gui.panel.private_game import PrivateCorner  # noqa: PLC0415 - for Linux

        return PrivateCorner(screens, self._jobs, self)

    def _show_keys(self) -> None:
        self.surface.controls.show_keys(self.stop_key, self.pause_key)

    def _connect(self) -> None:
        surface, search = self.surface, self._search
        surface.controls.play.clicked.connect(partial(self.start, assist=False))
        surface.controls.assist.clicked.connect(partial(self.start, assist=True))
        surface.controls.pause_pressed.connect(self.pause_or_resume)
        surface.controls.step.clicked.connect(self.step)
        surface.controls.stop_pressed.connect(lambda by: self.stop(f"Stopped with {by}."))
        surface.empty.simulator_wanted.connect(self.show_demo)
        surface.options.changed.connect(self._apply_settings)
        surface.edit.wanted.connect(partial(self.shell.open, "analyse"))
        surface.chooser.chosen.connect(self._show_chosen)
        surface.chooser.picked.connect(self._outline_board)
        self._search.changed.connect(self._update_state)
        self._display.changed.connect(self._update_state)
        search.failed.connect(self.show_failure)
        search.went_well.connect(self.surface.banner.retract)
        # Queued: closing within `closeEvent` destroys the window before the signal is delivered.
        later = Qt.ConnectionType.QueuedConnection
        search.ended.connect(self._close_if_ended, later)  # type: ignore[call-arg]  # PyQt's own gap
        self._jobs.ended.connect(self._close_if_ended, later)  # type: ignore[call-arg]
        self._follow(self.run)
        self.shell.asked.connect(self._asked)
        hints = QGuiApplication.styleHints()
        if hints is not None:
            hints.colorSchemeChanged.connect(self._retheme)

    def _follow(self, run: Run) -> None:
        run.turn_played.connect(self.turn_played)
        run.state_changed.connect(self._update_state)
        run.failed.connect(partial(self.show_failure, about=RUN))
        run.statistics_reset.connect(self.surface.details.clear)
        run.ended.connect(self._ended)
        run.key_pressed.connect(self._follow_key)
        run.key_refused.connect(lambda name, why: self.surface.banner.show_message(why, about=name))

    def _attach(self, corner: PrivateCorner) -> None:
        self.surface.add_private(corner.button, corner.box)
        corner.found.connect(self.play)
        corner.ending.connect(self.stop)
        corner.changed.connect(self._search.look)
        corner.failed.connect(partial(self.show_failure, about="private screen"))
        corner.starting.connect(partial(self.surface.banner.retract, "private screen"))

    # What the user can do

    def welcome(self) -> None:
        """Show the first steps once; saving the settings marks this as done."""
        self.shell.open(HELP)
        self._search.also(partial(self._save, self.settings))

    def look(self) -> None:
        """Start a search for boards without waiting for its result."""
        self._search.look()

    def start(self, *, paused: bool = False, assist: bool = False) -> None:
        """Play the selected window, or open the built-in game first if none is selected.

        Args:
            paused: Show the first turn and wait for `step` or `pause_or_resume`.
            assist: Assist the user instead of playing.
        """
        if self.run.playing or self._closing or self._search.opening:
            return
        board = self.surface.chooser.current
        begin = partial(self.play, paused=paused, assist=assist)
        if assist and self.settings.digging:
            self.surface.banner.show_message(ASSIST_PLAYS, about=GAME)
        elif self.surface.chooser.lost:
            self.surface.show_closed()
        elif board is None and self.surface.searching:
            # The search may find a game, which is then played instead of the built-in one.
            self._postponed = partial(self.start, paused=paused, assist=assist)
            self.surface.empty.show_search(postponed=True)
        elif board is None:
            self._search.open_simulator(begin)
        else:
            begin(board)

    def step(self) -> None:
        """Carry out one turn, or show the first one if nothing is played yet."""
        if self.run.playing:
            self._display.go_on()
            self.run.step()
        else:
            self.start(paused=True)

    def pause_or_resume(self, resume: bool) -> None:
        """Resume the run, or pause it."""
        if resume:
            self._display.go_on()
            self.run.resume()
        else:
            self.run.pause()

    def stop(self, reason: str = "") -> None:
        """Stop the run and stop waiting for a built-in game.

        Args:
            reason: Why it stops, in a sentence.
        """
        self._postponed = None
        self._search.forget_opening()
        self.surface.banner.retract(RUN)
        self.run.stop(reason)

    def show_demo(self) -> None:
        """Open a built-in game and play it."""
        self._search.open_simulator(self.play)

    def play(self, board: Candidate, *, paused: bool = False, assist: bool = False) -> None:
        """Play a board, listed or not; the other arguments are those of `start`."""
        if self.run.playing or self._closing:
            return
        self._outline.hide()
        self.surface.uncover_board()
        self.surface.banner.clear()
        self.shell.open(PLAY)
        # A window that covers it is moved away, or the game is brought to the front.
        self._search.choose(replace(board, covered=False))
        self._played = board.key
        if board.region is not None and self._placement.make_way(
            board.region, self.stop_key, can_raise=not isinstance(board.key, SharedBoard)
        ):
            board = replace(board, covered=True)
        mines = self.surface.options.mines_entered
        self.run.begin(board, mines, paused=paused, assist=assist)

    def closeEvent(self, event: QCloseEvent | None) -> None:
        """Hide the window, stop all work without waiting, and close when it has ended."""
        if event is None:
            return
        self._outline.hide()
        if not self._at_work:
            self._closed = True
            event.accept()
            self.closed.emit()
            return
        event.ignore()
        self.hide()
        if not self._closing:
            self._closing = True
            self.stop(CLOSED)
            self._live.end()
            self._search.end()
            self._jobs.end()

    def _open_beside(self, found: Found) -> None:
        """Move the window off the board of the first search, narrowed if needed."""
        if found.incomplete:
            return
        self._search.found.disconnect(self._open_beside)
        board = self.surface.chooser.current
        if board is not None and board.region is not None and not self.run.playing:
            smallest = QSize(self._width_for_list, self.height())
            self._placement.open_beside(board.region, smallest)

    def paintEvent(self, event: QPaintEvent | None) -> None:
        """Frame the window where it cannot be found otherwise, so that no board is read in it."""
        super().paintEvent(event)
        if self._framed:
            with QPainter(self) as painter:
                painter.setPen(QPen(QColor(*OWN_FRAME), 2 * _WINDOW.frame))
                painter.drawRect(self.rect())

    def moveEvent(self, event: QMoveEvent | None) -> None:
        """Search again, as the window now covers another part of the screen."""
        super().moveEvent(event)
        self._search.look_soon()

    def keyPressEvent(self, event: QKeyEvent | None) -> None:
        """Let Enter press the focused button, as Space does."""
        enter = event is not None and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        button, self._enter_for = self._enter_for, None
        if not enter or button is None:
            super().keyPressEvent(event)
        elif event is not None and not event.isAutoRepeat():
            button.click()

    def event(self, event: QEvent | None) -> bool:
        """Remember which button has the focus before a key is handled.

        A field that handles Enter may have moved the focus to a button by the time of the key
        event.
        """
        if event is not None and event.type() == QEvent.Type.ShortcutOverride:
            button = self.focusWidget()
            self._enter_for = button if isinstance(button, QPushButton | QToolButton) else None
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Adapt the rail and the list of windows to a small window."""
        super().resizeEvent(event)
        if event is None:
            return
        rail = self.shell.rail
        rail.set_narrow(narrow=self.width() < _WINDOW.names_from_width or self.height() < rail.room)
        least = self._width_for_list
        narrow, was_narrow = self.width() < least, event.oldSize().width() < least
        if narrow != was_narrow or not event.oldSize().isValid():
            self.surface.set_narrow(narrow=narrow)

    @property
    def _width_for_list(self) -> int:
        """Width in points from which the list of windows is shown beside the board."""
        return self.surface.narrowest() + self.surface.sidebar.needed_width + MARGIN + NARROW

    # Playing

    def _update_help(self) -> None:
        """Let the first steps offer the boards that were found meanwhile."""
        page = self.shell.page(self.shell.name)
        if isinstance(page, Page) and self.shell.name == HELP:
            page.enter()

    def _begin_postponed(self) -> None:
        if self._postponed is not None and not self.surface.searching:
            begin, self._postponed = self._postponed, None
            begin()

    def _ended(self) -> None:
        self._update_state()
        if not self._closing:
            self._placement.come_back()
        self.run_finished.emit(self.statistics)
        # Use from now on what was learned during the run.
        self._search.look()
        if not self._closing:
            self._prune()
        self._close_if_ended()

    def _prune(self) -> None:
        job = prune_recordings(self._jobs, self.settings)
        if job is not None:
            job.failed.connect(partial(self.show_failure, about="recordings"))
            job.done.connect(lambda _removed: self.surface.banner.retract("recordings"))

    def _close_if_ended(self) -> None:
        if self._closing and not self._closed and not self._at_work:
            self.close()

    @property
    def _at_work(self) -> bool:
        return self.run.playing or self._search.running or self._jobs.running

    def _update_state(self) -> None:
        if self.run.why:
            self._placement.show_for_question()
        if self.state is State.PAUSED:
            self.surface.banner.retract(self._placement)
        self._display.show_state(opening=self._search.opening)

    def show_failure(self, failure: Failure, about: str = "") -> None:
        """Show a failure with its picture and its report."""
        self.surface.banner.show_failure(failure, about=about or None)
        self.failed.emit(failure)

    # Consequences of the user's choices

    def _asked(self, what: object) -> None:
        """Handle another page's request."""
        if what == SIMULATED:
            self.show_demo()

    def _show_chosen(self, board: Candidate | None) -> None:
        """Clear the shown game when another board is selected."""
        if self.run.playing or self.surface.chooser.lost:
            if board is not None:
                # A program has replaced the window of a paused run.
                self._played = board.key
            return
        key = _NOTHING if board is None else board.key
        if key != self._played:
            self._played = key
            self.run.outcome = ""
            self.surface.clear_board()
            self._update_state()

    def _follow_key(self, name: str) -> None:
        """Prepare for the effect of a key that was pressed in some window."""
        if name == "stop key":
            self._search.forget_opening()
            self._placement.stopped_by_key = True
        else:
            self._display.go_on()

    def _outline_board(self, board: Candidate) -> None:
        """Show for a moment where a board is; one on a private screen is nowhere."""
        if board.region is not None and not self.run.playing:
            self._outline.show_around(board.region)

    def _apply_settings(self, settings: Settings) -> None:
        banner = self.surface.banner
        keys = settings.stop_key, settings.pause_key
        for name, key, before in zip(("stop key", "pause key"), keys, self._keys, strict=True):
            if key != before:
                banner.retract(name)
        self._keys = keys
        if not settings.digging:
            banner.retract(GAME)
        self.run.apply_settings(settings)
        self.surface.view.set_numbered(settings.coordinates)
        self._show_keys()
        if theme.chosen_theme(settings.theme) != theme.current_theme():
            self._retheme()
        self._search.also(partial(self._save, settings))

    def _retheme(self) -> None:
        theme.apply(theme.chosen_theme(self.settings.theme), self)
