"""Runs of games from the command line: played, watched, or on a private screen.

A real desktop is used if it can be read. Otherwise (no display, or Wayland) the built-in game is
played on a private screen.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import typer
from rich.text import Text

from bot.assist.coach import Verdict, review_game
from bot.assist.watcher import WatchedTurn
from bot.digging import hunter
from bot.frame import Status
from bot.loop import Stop, Stopped, Turn
from bot.solver import PLAYER, solver
from bot.solver.explain import explain
from gui.commands.progress import GameLog
from gui.commands.terminal_run import TerminalRun
from gui.console import Console
from gui.failures import Failure, ReportedFailure
from gui.interrupt import INTERRUPTED, stop_on_interrupt
from gui.private import has_private_screens
from gui.runner.protocol import Begin
from gui.settings import AfterDialog, AfterGame, Settings, check_writable, load
from vision.desktop import desktop, require_display, require_real_desktop

if TYPE_CHECKING:
    from gui.panel import Panel

_SEARCHING: Final = "Looking for the board …"
_OPENING: Final = "Opening the built-in game …"
_BLOCKED = "something covers the board: waiting until it is gone"


@dataclass(frozen=True)
class PlayOptions:
    """The options of `minesweeper-bot play`."""

    window: str | None
    """A part of the title, class or skin of the window to play."""
    settings: Settings
    """The settings for the player and the panel."""
    simulator: tuple[str, ...]
    """The arguments that open the built-in game."""
    command: tuple[str, ...]
    """What starts a game on a private screen; empty to play on the desktop."""
    size: tuple[int, int]
    """Width and height of the private screen in pixels."""
    panel: bool
    pictures: Path | None


def settings_of_run(solver_name: str | None, think: float | None, **chosen: Any) -> Settings:
    """Return the user's settings with those of a run.

    Args:
        solver_name: The solver; by default the strongest, or a hunter in the game of digging.
        think: Seconds of simulated games at each guess; None for the user's setting.
        chosen: Other settings.

    Raises:
        UnknownSolver: There is no such solver.
        SettingsError: The settings cannot be read.
        typer.BadParameter: The options contradict each other.
    """
    if think is not None:
        chosen["simulate"] = think
    if solver_name is not None:
        chosen["hunter" if chosen["digging"] else "solver"] = solver_name
    # A run may be unattended: it never waits for Resume, and the number of games is given.
    chosen["after_win"] = chosen["after_loss"] = AfterGame.GO_ON
    settings = load().model_copy(update={**chosen, "after_dialog": AfterDialog.CLOSE})
    name = (hunter(settings.hunter) if settings.digging else solver(settings.solver)).name
    if think and (settings.digging or name != PLAYER):
        played = "the game of digging" if settings.digging else f"the solver '{name}'"
        raise typer.BadParameter(
            f"--think has no effect with {played}, which simulates no games: leave it out, or "
            f"play Minesweeper with --solver {PLAYER}"
        )
    return settings


def run_play(options: PlayOptions, console: Console) -> int:
    """Play, and print how every game ended; return the exit code.

    Raises:
        DisplayError: A window was named but no window can be played; or there is no display.
        PrivateScreenError: The game cannot be started on a private screen, or has none.
        SettingsError: The folder for the pictures cannot be written.
        ReportedFailure: The run ended early.
    """
    if options.pictures is not None:
        check_writable(options.pictures)
    stop = Stop()
    failure: Failure | None
    with ExitStack() as resources:
        stop_on_interrupt(resources, stop)
        log = GameLog(console, options.settings.games, options.settings.rules)
        run = _play_privately if options.command else _play_on_desktop
        try:
            failure = run(options, resources, log, stop)
        except Stopped:
            return _report_stop(console, stop)
        except ReportedFailure as error:
            failure = error.failure
    return _conclude(log, failure, options, stop)


def _play_on_desktop(
    options: PlayOptions, resources: ExitStack, log: GameLog, stop: Stop
) -> Failure | None:
    """Play a window of this desktop, or the built-in game; return why the run ended early."""
    settings, console = options.settings, log.console
    # Before the modules that take seconds to load.
    console.print(_SEARCHING if options.window is not None else _OPENING)
    environment = None
    if options.window is not None:
        # The process that plays asks for itself.
        require_real_desktop(console.print, stop.is_set, ask=False)
    elif has_private_screens() and (not desktop().has_screen or not desktop().lists_windows):
        environment = _private_screen(resources, console)
    else:
        require_display()
    from gui.runner.client import DesktopPlayer  # noqa: PLC0415

    player = DesktopPlayer(environment)
    resources.callback(player.close)
    resources.enter_context(log.progress)
    window: str | int | None = options.window
    if window is None:
        window = player.open_simulator(*options.simulator, stop=stop)
        console.print(_SEARCHING)
    from gui.commands.learn import usable_skins  # noqa: PLC0415 - loads the reader

    usable_skins()
    if options.panel:
        from gui.commands.panel import play_in_panel  # noqa: PLC0415

        board = player.candidate(window, settings.mines, stop)
        return play_in_panel(
            player, lambda panel: panel.play(board), settings, log, stop, options.pictures
        )
    keys = settings.keys if environment is None else {}
    terminal = TerminalRun(player, console, log, stop, can_override=True, keys=keys)
    return terminal.follow(Begin(window, settings), log.add)


def _play_privately(
    options: PlayOptions, resources: ExitStack, log: GameLog, stop: Stop
) -> Failure | None:
    """Start a game on a private screen, play it, and end both; return why the run ended early."""
    settings, command, size = options.settings, options.command, options.size
    resources.enter_context(log.progress)
    from gui.private.screens import PrivateScreens  # noqa: PLC0415 - for Linux

    screens = PrivateScreens(looks=False)
    resources.callback(screens.close)
    if options.panel:
        require_display()
        from gui.commands.panel import play_in_panel  # noqa: PLC0415 - loads Qt

        def start(panel: Panel) -> None:
            assert panel.private is not None  # noqa: S101 - it was given the screens
            panel.private.start(command, size)

        return play_in_panel(screens, start, settings, log, stop, options.pictures, screens)
    from gui.commands.learn import usable_skins  # noqa: PLC0415 - loads the reader

    # Without a screen nothing hears a key.
    keys = settings.keys if desktop().has_screen else {}
    terminal = TerminalRun(screens, log.console, log, stop, keys=keys)
    game = screens.start(command, size)
    log.console.note(f"'{game.name}' is played on a private screen ({game.display})")
    usable_skins()
    board = screens.await_board(stop, options.window, settings.mines)
    return terminal.follow(Begin(board, settings), log.add)


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


def _report_stop(console: Console, stop: Stop) -> int:
    """Print why a run was stopped; return the process's exit code."""
    if stop.reason:
        where = Console(stderr=True) if stop.failed else console
        where.print(stop.reason, highlight=False, soft_wrap=True)
    return 1 if stop.failed else INTERRUPTED


def _conclude(log: GameLog, failure: Failure | None, options: PlayOptions, stop: Stop) -> int:
    """Print how a run ended, and where its pictures and recordings are; return the exit code.

    Raises:
        ReportedFailure: It ended early.
    """
    console = log.console
    code = _report_stop(console, stop) if stop.is_set() else 0
    if options.pictures is not None and log.last is not None:
        from vision.files import write_whole  # noqa: PLC0415
        from vision.sessions.writer import encode_png  # noqa: PLC0415

        board = options.pictures / "board.png"
        write_whole(board, encode_png(log.last.frame.image))
        console.print(f"the final board: {board}", soft_wrap=True)
        if options.panel:
            panel = options.pictures / "panel.png"
            console.print(f"the panel: {panel}", soft_wrap=True)
    if options.settings.record and log.last is not None:
        console.print(f"the recordings: {options.settings.sessions_folder}", soft_wrap=True)
    console.print(log.summary(), style="bold")
    if failure is not None:
        raise ReportedFailure(failure)
    return code


def open_panel(console: Console, page: str = "play", what: object = None) -> int:
    """Open the control panel on the user's desktop, or raise the one that is open.

    Raises:
        DisplayError: There is no display to open it on.
        SettingsError: The settings cannot be read.
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


def run_assist(window: str, mines: int | None, console: Console, *, record: bool) -> int:
    """Print advice on a window until Ctrl-C; return the exit code.

    Raises:
        DisplayError: No window can be watched here.
        SettingsError: The settings cannot be read.
        ReportedFailure: The game cannot be watched any more.
    """
    require_real_desktop(console.print, ask=False)
    from gui.runner.client import DesktopPlayer  # noqa: PLC0415

    stop = Stop()
    settings = load().model_copy(update={"mines": mines, "record": record, "digging": False})
    with ExitStack() as resources:
        stop_on_interrupt(resources, stop)
        player = DesktopPlayer()
        resources.callback(player.close)
        console.note("you play; nothing is clicked. Press Ctrl-C to end")
        run, printer = TerminalRun(player, console, None, stop), AdvicePrinter(console)
        failure = run.follow(Begin(window, settings, watch=True), printer.add)
    if failure is not None:
        raise ReportedFailure(failure)
    return INTERRUPTED if stop.is_set() else 0


class AdvicePrinter:
    """A printer of advice on a watched game."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._verdicts: list[Verdict] = []

    def add(self, turn: Turn) -> None:
        """Print a turn's advice, the verdicts on the previous moves, and the game's review."""
        assert isinstance(turn, WatchedTurn)  # noqa: S101 - the user plays
        console, verdicts = self._console, self._verdicts
        if turn.number == 0 and not turn.verdicts:
            verdicts.clear()
        verdicts += turn.verdicts
        for verdict in turn.verdicts:
            if str(verdict):
                console.print(Text(f"  {verdict}", "yellow"), soft_wrap=True)
        status = turn.reading.status
        if status is Status.BLOCKED:
            console.note(_BLOCKED)
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
