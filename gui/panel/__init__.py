"""The control panel: finds a game, plays it, shows what it sees and what it thinks.

Nothing here captures, matches, solves, saves or waits. Turns come from the player's
thread; looking for boards, opening a simulated window and writing the settings are
errands for a thread of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from PyQt6.QtCore import QRect, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QCloseEvent, QGuiApplication, QResizeEvent
from PyQt6.QtWidgets import QApplication, QMainWindow, QWidget

from bot.frame import Region
from bot.loop import Turn
from gui.failures import Failure
from gui.panel import theme
from gui.panel.assisting import Assisting
from gui.panel.banner import Banner
from gui.panel.inspector import Inspector
from gui.panel.jobs import Jobs
from gui.panel.lookout import Lookout
from gui.panel.page import Context
from gui.panel.pages import HELP, PLAY, SIMULATED
from gui.panel.placement import logical, step_aside
from gui.panel.playing import make_player, prune_recordings
from gui.panel.pointing import Pointing
from gui.panel.rail import NARROW
from gui.panel.shell import Shell
from gui.panel.stopwatch import StopWatch
from gui.panel.surface import MARGIN, SIDEBAR, Surface
from gui.panel.throttle import FIGURES, Throttle
from gui.player import Backend, Candidate, Found, Player, State
from gui.settings import Settings, save
from gui.tally import Tally

if TYPE_CHECKING:
    # The panel's start loads none of the eye's learning.
    from gui.questions import Around
    from vision.learning.learner import Question

SIZE: Final = QSize(1060, 740)
"""Of the window at first, in points, where the screen is large enough."""
ROOM_FOR_WORDS: Final = 1000
"""Width, in points, from which on the pages' names stand below their signs."""
LEAST_HEIGHT: Final = 280
"""Points: a 1024x768 screen at 200 % has 384, and the board has to stay free."""
_OUT_OF_SIGHT: Final = (
    "The board leaves no room on the screen: the panel was minimised so that it does not cover "
    "it. It comes back when the games are played."
)


class Panel(QMainWindow):
    """The main window.

    Args:
        backend: Eye, brain and hand.
        settings: What the user chose last.
        save_settings: Called in the errands' thread with every change.

    Signals:
        settings_changed(Settings): The user changed a setting; it takes effect at once.
        state_changed(State): The player's state, as the buttons show it.
        turn_played(Turn): Every turn, about to be carried out.
        failed(Failure): Something went wrong; the panel tells it by itself.
        run_finished(Tally): The player ended, for whatever reason.
        closed(): The window is closed and all its threads have ended.
    """

    settings_changed = pyqtSignal(object)
    state_changed = pyqtSignal(object)
    turn_played = pyqtSignal(object)
    failed = pyqtSignal(object)
    run_finished = pyqtSignal(object)
    closed = pyqtSignal()

    def __init__(
        self,
        backend: Backend,
        settings: Settings,
        save_settings: Callable[[Settings], None] = save,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._backend = backend
        self._save = save_settings
        self._player: Player | None = None
        self._closing = self._out_of_sight = self._watching = False
        self._played: object = None
        self._outcome = ""
        self._stop_key = settings.stop_key
        self.tally = Tally()
        banner = Banner()
        self.surface = Surface(settings, banner)
        self._jobs = Jobs(backend.failure, self)
        context = Context(
            backend,
            self._jobs,
            lambda: self.settings,
            self.surface.options.take,
            lambda: self._player is not None,
        )
        self.shell = Shell(self.surface, banner, context)
        self.setCentralWidget(self.shell)
        self.setWindowTitle("Minesweeper bot")
        self._throttle = Throttle(parent=self)
        self._figures = Throttle(FIGURES, self)
        self._assist = Assisting(self.surface.details.coach, settings.marks, self)
        self.stop_watch = StopWatch(backend, self)
        self._lookout = Lookout(backend, self._may_look, self)
        # Escape stops a game, whatever else it may leave.
        pointing = Pointing(self.surface.view, keeps_escape=False)
        self.inspector = Inspector(self.surface.view, self._jobs, pointing)
        self._connect()
        self.surface.controls.show_stop_key(settings.stop_key)
        self._retheme()
        self._update_state()
        screen = QGuiApplication.primaryScreen()
        room = screen.availableGeometry() if screen else QRect()
        self.setMinimumSize(self.surface.narrowest() + NARROW, LEAST_HEIGHT)
        self.resize(SIZE.boundedTo(room.size() - QSize(16, 48)))
        self.surface.controls.start.setFocus()
        self._lookout.start()
        self._prune()

    @property
    def state(self) -> State:
        """What the player is doing."""
        return State.IDLE if self._player is None else self._player.state

    @property
    def settings(self) -> Settings:
        """What the user chose."""
        return self.surface.options.settings

    def _connect(self) -> None:
        surface, lookout = self.surface, self._lookout
        surface.controls.show_mode(assist=self.settings.assist)
        surface.controls.assist.toggled.connect(self._choose_mode)
        surface.controls.start.clicked.connect(self.start)
        surface.controls.pause.clicked.connect(self.pause_or_resume)
        surface.controls.step.clicked.connect(self.step)
        surface.controls.stop.clicked.connect(self.stop)
        surface.chooser.chosen.connect(self._chosen)
        surface.chooser.opened.connect(self.open_simulator)
        surface.chooser.refresh_wanted.connect(lookout.look)
        surface.empty.simulator_wanted.connect(partial(self.open_simulator, play=True))
        surface.options.changed.connect(self._settle)
        surface.teach.answered.connect(self._answer)
        lookout.found.connect(self._list)
        lookout.blind.connect(surface.empty.set_blind)
        lookout.opening_changed.connect(self._update_state)
        lookout.opened.connect(self._simulator_opened)
        lookout.missed.connect(self._simulator_missed)
        lookout.failed.connect(self.tell_failure)
        # Queued: to close within `closeEvent` takes the window away, and nobody is told.
        later = Qt.ConnectionType.QueuedConnection
        lookout.ended.connect(self._close_if_ended, later)  # type: ignore[call-arg]  # PyQt's own gap
        self._jobs.ended.connect(self._close_if_ended, later)  # type: ignore[call-arg]
        self._throttle.passed.connect(self._show)
        self.stop_watch.pressed.connect(self.stop)
        self.stop_watch.refused.connect(surface.banner.tell)
        self.shell.asked.connect(self._asked)
        self._figures.passed.connect(self._tell)
        hints = QGuiApplication.styleHints()
        if hints is not None:
            hints.colorSchemeChanged.connect(self._retheme)

    # What the user can do

    def welcome(self) -> None:
        """Show the first steps, once: with the settings written the next start is not the first."""
        self.shell.open(HELP)
        self._lookout.also(partial(self._save, self.settings))

    def look(self) -> None:
        """Look for boards, without waiting for the answer."""
        self._lookout.look()

    def start(self) -> None:
        """Play the chosen window; a simulated one is opened first."""
        self._begin(paused=False)

    def step(self) -> None:
        """Carry out one turn; where nothing is played yet, show the first one."""
        if self._player is None:
            self._begin(paused=True)
        else:
            self._player.step()

    def pause_or_resume(self) -> None:
        """Pause where it plays, go on where it is paused."""
        if self._player is not None and self.state is State.PAUSED:
            self.surface.banner.hide()
            if self._out_of_sight:
                self.showMinimized()
            self._player.resume()
        elif self._player is not None:
            self._player.pause()

    def stop(self) -> None:
        """Stop playing, and waiting for a simulated window."""
        self._lookout.forget_opening()
        if self._player is not None:
            self._player.stop()

    def open_simulator(self, *, play: bool = False) -> None:
        """Open a simulated window, choose it when it is found, and play it if asked to."""
        if self._player is None and not self._closing:
            self._lookout.open_simulator(self.settings.rules, play=play)

    def play(self, board: Candidate, *, paused: bool = False) -> None:
        """Play a board, listed or not.

        Args:
            board: What to play.
            paused: Show the first turn and wait for `step` or `pause_or_resume`.
        """
        if self._player is not None or self._closing:
            return
        chooser = self.surface.chooser
        self.surface.banner.hide()
        self.shell.open(PLAY)
        if chooser.model.row_of(board.key) is None:
            chooser.show_found([*chooser.model.found, board])
        chooser.select_board(board)
        played = (board.key, self.settings.rules)
        if played != self._played:
            self.tally, self._played = Tally(self.settings.rules), played
            self.surface.details.clear()
        if board.region is not None:
            self.make_way(board.region)
        mines, watching = self.surface.options.mines_told, self.settings.assist
        self._watching = watching and not self.settings.digging
        self._assist.begin(watching=self._watching)
        player = make_player(
            self._backend, board, lambda: self.settings, mines, self, watching=self._watching
        )
        self._player = player
        player.turn_played.connect(self.show_turn)
        player.asked.connect(self._ask)
        player.state_changed.connect(self._update_state)
        player.held.connect(self._tell_held)
        player.failed.connect(self.tell_failure)
        player.finished.connect(self._ended)
        if paused:
            player.pause()
        self.stop_watch.hold(self.settings.stop_key, player.halt)
        player.start()
        self._update_state()

    def show_turn(self, turn: Turn) -> None:
        """Count a turn and show it, at once or with the next repaint."""
        self.tally.add(turn)
        self._assist.take(turn)
        self._throttle.offer(turn)
        self._figures.offer(turn)
        self.turn_played.emit(turn)

    def make_way(self, region: Region) -> None:
        """Move aside, shrink or, where the screen has no room, minimise.

        Args:
            region: What must not be covered, in points of the desktop.
        """
        if not step_aside(self, logical(region)):
            self.surface.banner.tell(_OUT_OF_SIGHT)
            self._out_of_sight = True
            self.showMinimized()

    def closeEvent(self, event: QCloseEvent | None) -> None:
        """Stop what is under way, hidden and without waiting, and only then close."""
        if event is None:
            return
        if not self._at_work:
            self.stop_watch.end()
            event.accept()
            self.closed.emit()
            return
        event.ignore()
        self.hide()
        if not self._closing:
            self._closing = True
            self.stop()
            self._lookout.end()
            self._jobs.end()

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """A narrow window keeps its room for the board."""
        super().resizeEvent(event)
        if event is None:
            return
        rail = self.shell.rail
        rail.set_narrow(narrow=self.width() < ROOM_FOR_WORDS or self.height() < rail.room)
        least = self.surface.narrowest() + SIDEBAR + MARGIN + NARROW
        narrow, was_narrow = self.width() < least, event.oldSize().width() < least
        if narrow != was_narrow or not event.oldSize().isValid():
            self.surface.controls.sidebar.setChecked(not narrow)

    # Playing

    def _begin(self, *, paused: bool) -> None:
        if self._player is not None or self._lookout.opening or self._closing:
            return
        board, options = self.surface.chooser.current, self.surface.options
        if self.surface.chooser.lost:
            self.surface.tell_lost()
        elif board is None:
            self.open_simulator(play=True)
        elif options.mines_missing:
            self.surface.ask_mines()
        else:
            self.play(board, paused=paused)

    def _ended(self) -> None:
        player, self._player = self._player, None
        self.stop_watch.release()
        if player is not None:
            player.deleteLater()
        self._throttle.flush()
        self._figures.flush()
        games = f"{self.tally.games} game{'' if self.tally.games == 1 else 's'}"
        self._assist.end()
        self._outcome = f"{games} played, {self.tally.won} won. "
        self._update_state()
        if self._out_of_sight and not self._closing:
            self._out_of_sight = False
            self.showNormal()
            self.surface.banner.retract(_OUT_OF_SIGHT)
        self.run_finished.emit(self.tally)
        # What was learned while it played is known from now on.
        self._lookout.look()
        if not self._closing:
            self._prune()
        self._close_if_ended()

    def _prune(self) -> None:
        job = prune_recordings(self._jobs, self.settings)
        if job is not None:
            job.failed.connect(self.tell_failure)

    def _close_if_ended(self) -> None:
        if self._closing and not self._at_work:
            self.close()

    @property
    def _at_work(self) -> bool:
        return self._player is not None or self._lookout.running or self._jobs.running

    def _update_state(self) -> None:
        """Show the player's state; its signals only say that there is another one."""
        state = self.state
        if state is State.PAUSED:
            # Whoever steps wants board and words of the same turn.
            self._throttle.flush()
            self._figures.flush()
        why = "" if self._player is None else self._player.why
        if why and self._out_of_sight:
            self.showNormal()
        self.surface.show_state(
            state,
            opening=self._lookout.opening,
            outcome=self._outcome,
            assist=self._watching,
            why=f"{why}. Go on when it is free" if why else "",
        )
        self.state_changed.emit(state)

    def _ask(self, question: Question, around: Around | None) -> None:
        """Show what the player asks, unless it was stopped since."""
        if self.state is not State.ASKING or self._closing:
            return
        if self._out_of_sight:
            self.showNormal()
        self.shell.open(PLAY)
        self.surface.show_question(question, around)
        self._update_state()
        QApplication.alert(self)

    def _tell_held(self, why: Failure) -> None:
        """Say what is in the way, unless it was stopped since."""
        if self.state is not State.PAUSED or self._closing:
            return
        if self._out_of_sight:
            self.showNormal()
        self.shell.open(PLAY)
        self.surface.banner.tell_failure(why)
        QApplication.alert(self)

    def _answer(self, state: int | None) -> None:
        if self._out_of_sight:
            self.showMinimized()
        if self._player is not None:
            self._player.answer(state)
        self._update_state()

    def _show(self, turn: Turn) -> None:
        self.surface.show_board()
        self.surface.view.show_turn(turn)
        self._assist.show(turn)

    def _tell(self, turn: Turn) -> None:
        self.surface.details.show_turn(turn, self.tally)

    # What the lookout tells

    def _may_look(self) -> bool:
        return self._player is None and self.isVisible() and not self.isMinimized()

    def _list(self, found: Found) -> None:
        if self._player is None:
            self.surface.show_found(found)
            self._update_state()

    def _simulator_opened(self, board: Candidate, play: bool) -> None:
        self.surface.chooser.select_board(board)
        if play:
            self.play(board)

    def _simulator_missed(self) -> None:
        self.surface.banner.tell(
            "The simulated window was opened but cannot be seen on the screen. "
            "Move other windows away from it, then press Refresh."
        )

    def tell_failure(self, failure: Failure) -> None:
        """Show what went wrong, with its picture and its report."""
        self.surface.banner.tell_failure(failure)
        self.failed.emit(failure)

    # What follows from a choice

    def _chosen(self, board: Candidate | None) -> None:
        self.surface.options.ask_mines(board)
        self._update_state()

    def _asked(self, what: object) -> None:
        """Another page wants something of this one."""
        if what == SIMULATED:
            self.open_simulator(play=True)

    def _settle(self, settings: Settings) -> None:
        if self._player is not None and not self._watching:
            self._player.set_pace(settings.pace)
        self.surface.controls.show_mode(assist=settings.assist)
        self._assist.set_marked(settings.marks)
        if settings.stop_key != self._stop_key:
            self._stop_key = settings.stop_key
            self.stop_watch.try_key(settings.stop_key, keep=self._player is not None)
            self.surface.controls.show_stop_key(settings.stop_key)
        self._retheme()
        self._lookout.also(partial(self._save, settings))
        self.settings_changed.emit(settings)

    def _choose_mode(self, assist: bool) -> None:
        """Play or assist, from the next start on."""
        self.surface.options.take(self.settings.model_copy(update={"assist": assist}))

    def _retheme(self) -> None:
        chosen = theme.chosen_theme(self.settings.theme)
        theme.apply(chosen, self)
        self.surface.set_theme(chosen)
        self.shell.set_theme(chosen)
