"""Runs of games from the command line: played, watched, or on a private screen.

A real desktop is used if it can be read. Otherwise (no display, or Wayland) the built-in game is
played on a private screen.
"""

from __future__ import annotations

import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import wait
from contextlib import AbstractContextManager, ExitStack, closing, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import typer
from rich.text import Text

from bot.analysis import Cancelled
from bot.assist.coach import Verdict, review_game
from bot.assist.watcher import WatchedTurn
from bot.digging import hunter
from bot.frame import Status
from bot.loop import Stop, Stopped, Turn
from bot.planner import Style
from bot.solver import PLAYER, solver
from bot.solver.explain import explain
from bot.solver.warmup import IN_WORDS, PREPARATION
from gui.commands.progress import GameLog
from gui.console import Console, is_terminal, read_line
from gui.failures import Failure
from gui.interrupt import INTERRUPTED, stop_on_interrupt
from gui.private import has_private_screens
from gui.questions import ProgramQuestion
from gui.runner.protocol import Unattended
from gui.settings import AfterDialog, AfterGame, Settings, load
from vision.desktop import KeyTaken, desktop, require_display, require_real_desktop

if TYPE_CHECKING:
    from gui.private.game import PrivateGame
    from gui.questions import Around, ProgramAnswer
    from gui.runner.protocol import Operator
    from vision.learning.questions import Question

_SEARCHING: Final = "Looking for the board …"
_OPENING: Final = "Opening the built-in game …"
_INTERVAL: Final = 0.1
_KEY_SECONDS: Final = 1.0
"""Time after which a key is not given before the user answers the desktop."""
"""Seconds between checks whether the run was stopped."""
_BLOCKED = "something covers the board: waiting until it is gone"


class PicturesError(RuntimeError):
    """The folder for the pictures cannot be written."""


@dataclass(frozen=True)
class PlayOptions:
    """The options of `minesweeper-bot play`."""

    window: str | None
    level: str | None
    mines: int | None
    games: int
    solver: str | None
    """The solver; by default the strongest, or a hunter in the game of digging."""
    digging: bool
    style: Style
    look: str
    seed: int | None
    pace: float | None
    think: float | None
    """Seconds of simulated games at each guess; None for the user's setting."""
    panel: bool
    record: bool
    pictures: Path | None
    yes: bool = False
    """Whether to answer yes to questions about the right game and its whole board."""

    @property
    def settings(self) -> Settings:
        """The settings for the player and the panel, with the user's own theme."""
        chosen = {
            "digging": self.digging,
            "style": self.style,
            "games": self.games,
            "mines": self.mines,
            "level": self.level if self.window else None,
            "record": self.record,
            "pace": self.pace,
            "assume_yes": self.yes,
            # A run may be unattended: it never waits for Resume, and the number of games is given.
            "after_win": AfterGame.GO_ON,
            "after_loss": AfterGame.GO_ON,
            "after_dialog": AfterDialog.CLOSE,
        }
        if self.think is not None:
            chosen["simulate"] = self.think
        if self.solver is not None:
            chosen["hunter" if self.digging else "solver"] = self.solver
        return load().model_copy(update=chosen)

    @property
    def simulator(self) -> list[str]:
        """The arguments that open the built-in game."""
        seed = [] if self.seed is None else ["--seed", str(self.seed)]
        digging = ["--digging"] if self.digging else []
        return ["--level", self.level or "beginner", "--look", self.look, *seed, *digging]


def run_play(options: PlayOptions, console: Console) -> int:
    """Play, and print how every game ended; return the exit code.

    Raises:
        DisplayError: A window was named but no window can be played.
        PicturesError: The folder for the pictures cannot be written.
        UnknownSolver: There is no such solver.
        Exception: As the reader, the solver and the mouse raise them.
    """
    settings = check(options)
    stop = Stop()
    # Before the modules that take seconds to load.
    console.print(_SEARCHING if options.window is not None else _OPENING)
    if not options.panel:
        PREPARATION.begin()
    with ExitStack() as resources:
        stop_on_interrupt(resources, stop)
        environment = None
        if options.window is not None:
            # The process that plays for the panel asks for itself.
            require_real_desktop(console.print, stop.is_set, ask=not options.panel)
        elif has_private_screens() and (not desktop().has_screen or not desktop().lists_windows):
            environment = _private_screen(resources, console)
        else:
            require_display()
        # Imported here, because the reader and the mouse open the current display.
        from gui.runner.backend import Desktop  # noqa: PLC0415

        backend = Desktop(environment=environment)
        resources.callback(backend.simulators.close)
        window: str | int | None = options.window
        if window is None:
            window = backend.simulators.start(*options.simulator)
            console.print(_SEARCHING)
        from gui.commands.learn import print_broken_skins  # noqa: PLC0415 - loads the reader

        print_broken_skins(backend.broken)
        log = resources.enter_context(GameLog(console, options.games, settings.rules))
        if stop.is_set():
            return interrupted(console, stop)
        if options.panel:
            from gui.commands.panel import play_in_panel  # noqa: PLC0415
            from gui.runner.client import DesktopPlayer  # noqa: PLC0415

            player = DesktopPlayer(environment)
            resources.callback(player.close)
            failure = play_in_panel(player, window, settings, log, stop, options.pictures)
        else:
            try:
                if PREPARATION.must_compile(stop):
                    log.note(IN_WORDS)
            except Cancelled:
                return interrupted(console, stop)
            paused = threading.Event()
            if environment is None:
                hear_keys(resources, settings, stop, paused, log)
            operator = operator_of(console, log, stop, can_override=True)
            turns = backend.play(window, lambda: settings, operator)
            failure = follow(turns, log, stop, paused, options.pace, backend.failure)
    return conclude(console, log, failure, options, stop)


def check(options: PlayOptions) -> Settings:
    """Return the settings for a run, after a check of its options.

    Raises:
        PicturesError: The folder for the pictures cannot be written.
        UnknownSolver: There is no such solver.
        typer.BadParameter: The options contradict each other.
    """
    settings = options.settings
    name = (hunter(settings.hunter) if settings.digging else solver(settings.solver)).name
    if options.think and (settings.digging or name != PLAYER):
        played = "the game of digging" if settings.digging else f"the solver '{name}'"
        raise typer.BadParameter(
            f"--think has no effect with {played}, which simulates no games: leave it out, or "
            f"play Minesweeper with --solver {PLAYER}"
        )
    if options.pictures is not None:
        make_folder(options.pictures)
    return settings


def hear_keys(
    resources: ExitStack, settings: Settings, stop: Stop, paused: threading.Event, log: GameLog
) -> None:
    """Stop and pause the run on the user's keys in any window, if the desktop supports it.

    Args:
        resources: Ends the listening.
        settings: The keys.
        stop: Set by the stop key.
        paused: Set by the pause key, and cleared by its next press.
        log: Receives what was pressed, or why it cannot be heard.
    """

    def pause_or_resume() -> None:
        if paused.is_set():
            log.note("Resumed")
            paused.clear()
        else:
            paused.set()
            log.note(f"Paused. Press {settings.pause_key} to continue")

    for name, key, pressed in (
        ("stop key", settings.stop_key, lambda: stop.stop(f"Stopped with {settings.stop_key}.")),
        ("pause key", settings.pause_key, pause_or_resume),
    ):
        listener = desktop().open_global_key(name, pressed) if key else None
        if listener is None:
            continue
        resources.callback(listener.close)
        try:
            held = listener.hold(key)
            if not wait([held], _KEY_SECONDS).done:
                log.note(f"Answer your desktop's question about the {name}")
            held.result()
        except KeyTaken as error:
            instead = ". Ctrl-C in this terminal stops as well" if name == "stop key" else ""
            log.note(f"{error}{instead}")


def make_folder(folder: Path) -> None:
    """Create a folder for pictures.

    Raises:
        PicturesError: It cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        reason = "it is a file" if folder.is_file() else error.strerror or error
        raise PicturesError(
            f"{folder}: no picture can be written there: {reason}. Choose another folder"
        ) from error


def _private_screen(resources: ExitStack, console: Console) -> dict[str, str]:
    """Start a screen for the game, the reader and the mouse; the panel stays on the user's."""
    from gui.private_screen import PrivateScreen  # noqa: PLC0415 - for Linux

    wayland = desktop().has_screen
    if wayland:
        require_display()
    screen = resources.enter_context(PrivateScreen(1920, 1080))
    environment = screen.environment
    if wayland:
        console.print("Wayland: the game is played on a private screen, which the panel shows live")
        screen.adopt_beside_wayland()
    else:
        console.print(f"no display: playing on a private screen ({screen.display})")
        screen.adopt()
    return environment


def follow(
    turns: Iterator[Turn],
    log: GameLog,
    stop: threading.Event,
    paused: threading.Event,
    pace: float | None,
    failure: Callable[[BaseException], Failure],
) -> Failure | None:
    """Carry out and log turns; return why they ended early, or None.

    Args:
        turns: Closed at the end.
        log: Receives them.
        stop: Ends the run.
        paused: Set while no turn may be carried out.
        pace: Limit of turns with moves per second; None for no limit.
        failure: Converts an error to a failure.
    """
    clicked = time.perf_counter()
    with closing(turns):  # type: ignore[type-var]  # a generator
        try:
            for turn in turns:
                log.add(turn)
                due = clicked + 1 / pace if pace and turn.moves else clicked
                if stop.wait(max(due - time.perf_counter(), 0)):
                    return None
                while paused.is_set():
                    if stop.wait(_INTERVAL):
                        return None
                clicked = time.perf_counter()
        except Exception as error:  # noqa: BLE001 - reported below
            return None if stop.is_set() else failure(error)
    return None


def interrupted(console: Console, stop: Stop) -> int:
    """Print why a run was stopped; return the process's exit code."""
    if stop.reason:
        where = Console(stderr=True) if stop.failed else console
        where.print(stop.reason, highlight=False, soft_wrap=True)
    return 1 if stop.failed else INTERRUPTED


def conclude(
    console: Console, log: GameLog, failure: Failure | None, options: PlayOptions, stop: Stop
) -> int:
    """Print how a run ended, and where its pictures and recordings are; return the exit code."""
    code = interrupted(console, stop) if stop.is_set() else 0
    if options.pictures is not None and log.last is not None:
        from vision.files import write_whole  # noqa: PLC0415
        from vision.sessions.writer import encode_png  # noqa: PLC0415

        board = options.pictures / "board.png"
        write_whole(board, encode_png(log.last.frame.image))
        console.print(f"the final board: {board}", soft_wrap=True)
        if options.panel:
            panel = options.pictures / "panel.png"
            console.print(f"the panel: {panel}", soft_wrap=True)
    if options.record and log.last is not None:
        console.print(f"the recordings: {options.settings.sessions_folder}", soft_wrap=True)
    console.print(log.summary(), style="bold")
    if failure is not None:
        errors = Console(stderr=True)
        errors.print(Text(failure.report, "dim"), Text(str(failure), "red"), sep="", soft_wrap=True)
        return 1
    return code


def open_panel(console: Console, page: str = "play", what: object = None) -> int:
    """Open the control panel on the user's desktop, or raise the one that is open.

    Args:
        console: Receives the output.
        page: The page to open.
        what: What that page is to show.

    Raises:
        DisplayError: There is no display to open it on.
    """
    require_display()
    from gui.commands.panel import raise_open_panel, show_panel  # noqa: PLC0415

    if raise_open_panel(page, what):
        console.print("The panel was open already: it was brought to the front.")
        return 0
    stop = Stop()
    with ExitStack() as resources:
        stop_on_interrupt(resources, stop)
        return show_panel(stop, page, what)


class TerminalOperator(Unattended):
    """The user of a run in the terminal: answers questions, and presses Enter to resume.

    Args:
        console: Receives questions and messages.
        log: Hidden meanwhile; None if there is none.
        stopped: Ends all waiting too.
        can_override: Whether the mouse is the user's own.
    """

    can_answer = True

    def __init__(
        self, console: Console, log: GameLog | None, stopped: Stop, *, can_override: bool = False
    ) -> None:
        from gui.commands.learn import Asked  # noqa: PLC0415 - loads the reader

        super().__init__(stopped, None if log is None else log.note)
        self._console = console
        self._log = log
        self._read = partial(read_line, stopped)
        self._asked = Asked(console, leaving="end the run", read=self._read)
        self._why = ""
        self.can_override = can_override

    def ask(
        self, question: Question | ProgramQuestion, around: Around | None = None, /
    ) -> int | ProgramAnswer | None:
        """Ask, and wait for the answer or a stop."""
        from gui.commands.learn import ask_about_program  # noqa: PLC0415 - loads the reader

        with self._log_paused():
            if isinstance(question, ProgramQuestion):
                return ask_about_program(question, self._console, self._read)
            return self._asked(question, around)

    @property
    def allowed(self) -> bool:
        """Whether the run is not paused."""
        return not self._why

    def pause(self, why: str | Exception, /) -> None:
        """Pause the run; `wait_until_resumed` does the waiting."""
        self._why = str(why)

    def wait_until_resumed(self) -> None:
        """Wait for Enter if the run is paused.

        Raises:
            Stopped: The run was stopped, or the input has ended.
        """
        if not self._why:
            return
        with self._log_paused():
            try:
                self._console.print(f"{self._why}. Press Enter to continue, Ctrl-C to end")
                self._read()
            except EOFError:
                self.stopped.stop("Stopped: the terminal's input has ended.")
                raise Stopped from None
            finally:
                self._why = ""

    def _log_paused(self) -> AbstractContextManager[None]:
        return nullcontext() if self._log is None else self._log.paused()


def operator_of(
    console: Console, log: GameLog | None, stopped: Stop, *, can_override: bool = False
) -> Unattended:
    """Return the operator of a run that was started in a terminal, or without one."""
    if is_terminal(sys.stdin):
        return TerminalOperator(console, log, stopped, can_override=can_override)
    return Unattended(stopped, None if log is None else log.note)


def run_assist(window: str, mines: int | None, console: Console, *, record: bool) -> int:
    """Print advice on a window until Ctrl-C; return the exit code.

    Raises:
        DisplayError: No window can be watched here.
        Exception: As the reader raises them.
    """
    require_real_desktop(console.print)
    # Imported here, because the reader opens the display.
    from gui.runner.backend import Desktop  # noqa: PLC0415

    stop = Stop()
    settings = load().model_copy(update={"mines": mines, "record": record, "digging": False})
    with ExitStack() as resources:
        stop_on_interrupt(resources, stop)
        PREPARATION.begin()
        if PREPARATION.compiling:
            console.print(IN_WORDS)
        console.print("you play; nothing is clicked. Press Ctrl-C to end", style="dim")
        turns = Desktop().assist(window, lambda: settings, operator_of(console, None, stop))
        with closing(turns):  # type: ignore[type-var]  # a generator
            print_turns(turns, console)
    return INTERRUPTED if stop.is_set() else 0


def print_turns(turns: Iterable[WatchedTurn], console: Console) -> None:
    """Print each turn's advice, the verdicts on the previous moves, and each game's review."""
    verdicts: list[Verdict] = []
    for turn in turns:
        if turn.number == 0 and not turn.verdicts:
            verdicts.clear()
        verdicts += turn.verdicts
        for verdict in turn.verdicts:
            if str(verdict):
                console.print(Text(f"  {verdict}", "yellow"), soft_wrap=True)
        status = turn.reading.status
        if status is Status.BLOCKED:
            console.print(Text(_BLOCKED, "dim"))
        elif turn.verdicts and status.over:
            found = review_game(verdicts, status)
            for line in (found.headline, f"{found.statistics}.", *found.points):
                console.print(line, soft_wrap=True)
        elif not turn.verdicts and turn.analysis is not None and turn.analysis.reason != "":
            console.print(_advice(turn), soft_wrap=True)


def _advice(turn: WatchedTurn) -> str:
    """Return a turn's advice: '12: open row 4, column 5: safe: ...'."""
    assert turn.analysis is not None  # noqa: S101 - only called with an analysis
    where = ", ".join(f"open {move.cell.position_text}" for move in turn.moves if move.cell)
    reason = explain(turn.reading.board, turn.analysis).reason
    return f"{turn.number}: {where or 'nothing to open'}: {reason}"


def run_private(
    options: PlayOptions, command: Sequence[str], size: tuple[int, int], console: Console
) -> int:
    """Start a game on a private screen, play it, and end both; return the exit code.

    Args:
        options: As for `run_play`; a window is one of the game's.
        command: Starts the game.
        size: Of the screen, in pixels.
        console: Receives the output.

    Raises:
        PrivateScreenError: The game cannot be started, or has no screen.
        DisplayError: There is no display for the panel.
        PicturesError: The folder for the pictures cannot be written.
        UnknownSolver: There is no such solver.
    """
    settings = check(options).model_copy(update={"level": options.level})
    from gui.private.game import PrivateGame  # noqa: PLC0415 - for Linux

    stop = Stop()
    if not options.panel:
        PREPARATION.begin()
    with ExitStack() as resources:
        stop_on_interrupt(resources, stop)
        log = resources.enter_context(GameLog(console, options.games, settings.rules))
        if options.panel:
            require_display()
            from gui.commands.panel import play_private_in_panel  # noqa: PLC0415 - loads Qt

            failure = play_private_in_panel(command, size, settings, log, stop, options.pictures)
        else:
            # Before the game's screen replaces the user's.
            paused = threading.Event()
            hear_keys(resources, settings, stop, paused, log)
            game = resources.enter_context(PrivateGame(command, size))
            log.note(f"'{game.name}' is played on a private screen ({game.display})")
            operator = operator_of(console, log, stop)
            try:
                if PREPARATION.must_compile(stop):
                    log.note(IN_WORDS)
                failure = _play_private(game, options, settings, log, operator, paused)
            except (Cancelled, Stopped):
                return interrupted(console, stop)
    return conclude(console, log, failure, options, stop)


def _play_private(
    game: PrivateGame,
    options: PlayOptions,
    settings: Settings,
    log: GameLog,
    operator: Operator,
    paused: threading.Event,
) -> Failure | None:
    """Play the game in this process; return why it ended early, or None."""
    from gui.private_screen import adopt_screen  # noqa: PLC0415 - for Linux

    adopt_screen(game.access)
    # Imported here, because the reader and the mouse open the current display.
    from gui.commands.learn import print_broken_skins  # noqa: PLC0415
    from gui.runner.backend import Desktop  # noqa: PLC0415

    desktop = Desktop(environment=dict(os.environ))
    print_broken_skins(desktop.broken)
    board = desktop.await_board(
        game.name, operator.stopped, game.ended, options.window, settings.mines
    )
    window = board.key if isinstance(board.key, int) else options.window

    def failure(error: BaseException) -> Failure:
        return game.explained(desktop.failure(error))

    turns = desktop.play(window, lambda: settings, operator)
    return follow(turns, log, operator.stopped, paused, options.pace, failure)
