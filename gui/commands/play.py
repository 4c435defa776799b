"""A run of games from the command line, on the available screen.

A real desktop is used if it can be read. Otherwise (no display, or Wayland) the built-in game is
played on a private screen.
"""

from __future__ import annotations

import signal
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from rich.text import Text

from bot.analysis import Cancelled
from bot.digging import hunter
from bot.loop import Stop, Turn
from bot.planner import Style
from bot.solver import solver
from bot.solver.warmup import IN_WORDS, PREPARATION
from gui.commands.progress import GameLog
from gui.commands.terminal_operator import operator_of
from gui.console import Console
from gui.failures import Failure
from gui.interrupt import INTERRUPTED
from gui.private_screen import PrivateScreen
from gui.settings import AfterDialog, AfterGame, Settings, load
from vision.desktop import (
    Feature,
    KeyTaken,
    SessionKind,
    desktop,
    require_display,
    require_real_desktop,
    session_kind,
)


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
    """By default the strongest; in the game of digging a hunter."""
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
    """Answers questions whether this is the right game and its whole board."""

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
    """Play, and print how every game ended.

    Returns:
        The process's exit code.

    Raises:
        DisplayError: A window was named but no window can be played.
        PicturesError: The folder for the pictures cannot be written.
        UnknownSolver: There is no such solver.
        Exception: As the reader, the solver and the mouse raise them.
    """
    settings = options.settings
    hunter(settings.hunter) if settings.digging else solver(settings.solver)
    if options.pictures is not None:
        make_folder(options.pictures)
    stop = Stop()
    if not options.panel:
        PREPARATION.begin()
    with ExitStack() as resources:
        stop_on_interrupt(resources, stop)
        environment = None
        if options.window is not None:
            # The process that plays for the panel asks for itself.
            require_real_desktop(console.print, stop.is_set, ask=not options.panel)
        elif session_kind() in (SessionKind.NONE, SessionKind.WAYLAND):
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
            if environment is None:
                hear_stop_key(resources, settings, stop, log)
            operator = operator_of(console, log, stop, can_override=True)
            turns = backend.play(window, lambda: settings, operator)
            failure = follow(turns, log, stop, options.pace, backend.failure)
    return conclude(console, log, failure, options, stop)


def hear_stop_key(resources: ExitStack, settings: Settings, stop: Stop, log: GameLog) -> None:
    """Stop the run on the stop key in any window, if the desktop supports it."""
    if not settings.stop_key or Feature.STOP_KEY in desktop().lacks:
        return
    key = desktop().open_stop_key(lambda: stop.stop(f"Stopped with {settings.stop_key}."))
    if key is None:
        return
    resources.callback(key.close)
    try:
        key.hold(settings.stop_key).result()
    except KeyTaken as error:
        log.note(f"{error}. Ctrl-C in this terminal stops as well")


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
    wayland = session_kind() is SessionKind.WAYLAND
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


def stop_on_interrupt(resources: ExitStack, stop: Stop) -> None:
    """Set an event on SIGINT (Ctrl-C) and SIGTERM, so that a run ends between two steps.

    A second signal raises KeyboardInterrupt. A signal that the process was started to ignore, as
    shells do for the background, stays ignored.
    """

    def interrupt(number: int, _frame: FrameType | None) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        how = "with Ctrl-C" if number == signal.SIGINT else f"by {signal.Signals(number).name}"
        stop.stop(f"Stopped {how}.")

    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) is signal.SIG_IGN:
            continue
        resources.callback(signal.signal, number, signal.signal(number, interrupt))


def follow(
    turns: Iterator[Turn],
    log: GameLog,
    stop: threading.Event,
    pace: float | None,
    failure: Callable[[BaseException], Failure],
) -> Failure | None:
    """Carry out and log turns; return why they ended early, or None.

    Args:
        turns: Closed at the end.
        log: Receives them.
        stop: Ends the run.
        pace: Limit of turns with moves per second; None for no limit.
        failure: Converts an error to a failure.
    """
    clicked = time.monotonic()
    with closing(turns):  # type: ignore[type-var]  # a generator
        try:
            for turn in turns:
                log.add(turn)
                due = clicked + 1 / pace if pace and turn.moves else clicked
                if stop.wait(max(due - time.monotonic(), 0)):
                    return None
                clicked = time.monotonic()
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
    """Print how a run ended, and where its pictures and recordings are.

    Returns:
        The process's exit code.
    """
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


def open_panel(page: str = "play", what: object = None) -> int:
    """Open the control panel on the user's desktop.

    Args:
        page: The page to open.
        what: What that page is to show.

    Raises:
        DisplayError: There is no display to open it on.
    """
    require_display()
    from gui.commands.panel import show_panel  # noqa: PLC0415

    stop = Stop()
    with ExitStack() as resources:
        stop_on_interrupt(resources, stop)
        return show_panel(stop, page, what)
