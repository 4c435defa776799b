"""Starts the control panel, alone or with a run of games, on this screen or on a private one."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Final

from PyQt6.QtCore import QObject, QTimer, pyqtSignal
from PyQt6.QtWidgets import QApplication

from bot.loop import Stop, Stopped
from bot.solver.warmup import IN_WORDS
from gui.application import application, icon
from gui.commands.progress import GameLog
from gui.failures import Failure, ReportedFailure, describe, failure_of
from gui.panel import CLOSED, Panel
from gui.panel.pages import PLAY
from gui.private.screens import PrivateScreens
from gui.runner.client import DesktopPlayer
from gui.settings import Settings, load, settings_file
from vision.desktop import SessionKind, session_kind
from vision.files import PROGRAM, data_folder, is_open, mark_open

PANEL_PICTURE: Final = "panel.png"
_TICK_MS: Final = 50
_FRAME_TICKS: Final = 10
"""Number of ticks to wait for a window manager, which may be missing."""


@contextmanager
def report_crashes(
    show: Callable[[Failure], None], failure: Callable[[BaseException], Failure]
) -> Iterator[None]:
    """Report every uncaught error of any thread while the context is open.

    Args:
        show: Shows the failure; called in this thread.
        failure: Converts an error to a failure.
    """
    before, before_in_thread = sys.excepthook, threading.excepthook
    crash = _Crash()
    crash.happened.connect(show)

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if isinstance(error, Exception):
            show(failure_of(failure, error))
        else:
            before(kind, error, trace)

    def thread_hook(ended: threading.ExceptHookArgs) -> None:
        before_in_thread(ended)
        if isinstance(ended.exc_value, Exception):
            reported = failure_of(failure, ended.exc_value)
            ending = "A part of the program has ended. Save what you need and restart it"
            crash.happened.emit(replace(reported, message=f"{ending}: {reported.message}"))

    sys.excepthook, threading.excepthook = hook, thread_hook
    try:
        yield
    finally:
        sys.excepthook, threading.excepthook = before, before_in_thread


class _Crash(QObject):
    """A signal that takes a failure from any thread to the main one."""

    happened = pyqtSignal(object)


@contextmanager
def marked_open() -> Iterator[bool]:
    """Mark this panel as open for other panels.

    Yields:
        Whether another one was already open.
    """
    path = data_folder() / "panel.open"
    another = is_open(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        stream = path.open("ab")
    except OSError:
        # An unwritable folder is reported when something is to be saved in it.
        yield another
        return
    with stream:
        mark_open(stream)
        yield another


def _show_other_panel(panel: Panel) -> None:
    """Show the consequences of another open panel."""
    key = panel.stop_key
    stops = f" If both play, {key} stops only the one that started first." if key else ""
    panel.surface.banner.show_message(
        f"Another panel is open. Both save to the same settings file.{stops}",
        about="another panel",
    )


def show_panel(stop: threading.Event, page: str = PLAY, what: object = None) -> int:
    """Show the panel until it is closed; return the exit code.

    Args:
        stop: Set from outside to close it.
        page: The page to open.
        what: What that page is to show.
    """
    app = _application()
    first = not settings_file().exists()
    screens = PrivateScreens()
    native = session_kind() is SessionKind.NATIVE
    panel = Panel(screens, load(), screens=None if native else screens)
    if first:
        panel.welcome()

    def tick() -> None:
        if stop.is_set():
            panel.close()

    def begin() -> None:
        if page != PLAY:
            panel.shell.open(page, what)
        if another:
            _show_other_panel(panel)

    try:
        with marked_open() as another:
            return _shown(app, panel, tick, begin)
    finally:
        screens.close()


def play_in_panel(
    desktop: DesktopPlayer,
    window: str | int,
    settings: Settings,
    log: GameLog,
    stop: Stop,
    pictures: Path | None,
) -> Failure | None:
    """Play a run of games in the panel, and close it at the end.

    Args:
        desktop: Plays.
        window: The window to play.
        settings: Of this run; changes to them are not saved.
        log: Receives the turns.
        stop: Set from outside to end the run.
        pictures: The folder for the panel's picture, if wanted.

    Returns:
        Why the run ended early; None if it did not.
    """
    app = _application()
    try:
        board = desktop.candidate(window, settings.mines, stop)
    except Stopped:
        return None
    except ReportedFailure as error:
        return error.failure
    failures: list[Failure] = []
    panel = Panel(desktop, settings, save_settings=lambda _changed: None)
    panel.failed.connect(failures.append)
    waited = 0

    def tick() -> None:
        nonlocal waited
        if stop.is_set():
            panel.stop(stop.reason)
            panel.close()
        elif waited < _FRAME_TICKS:
            framed = panel.frameGeometry() != panel.geometry()
            waited = _FRAME_TICKS if framed else waited + 1
            if waited == _FRAME_TICKS:
                panel.play(board)

    _follow(panel, log, pictures, stop)
    _shown(app, panel, tick)
    if waited < _FRAME_TICKS:
        # Before the run began: nothing else reports it.
        stop.stop(CLOSED)
    return failures[0] if failures else None


def play_private_in_panel(
    command: Sequence[str],
    size: tuple[int, int],
    settings: Settings,
    log: GameLog,
    stop: Stop,
    pictures: Path | None,
) -> Failure | None:
    """Start a game on a private screen and play it, with the panel on the user's screen.

    Args:
        command: Starts the game.
        size: Of the private screen, in pixels.
        settings: Of this run; changes to them are not saved.
        log: Receives the turns.
        stop: Set from outside to end the run.
        pictures: The folder for the panel's picture, if wanted.

    Returns:
        Why the run ended early; None if it did not.
    """
    app = _application()
    screens = PrivateScreens(looks=False)
    panel = Panel(screens, settings, save_settings=lambda _changed: None, screens=screens)
    failures: list[Failure] = []

    def fail(failure: Failure) -> None:
        failures.append(failure)
        panel.close()

    def tick() -> None:
        if stop.is_set():
            panel.stop(stop.reason)
            panel.close()

    assert panel.private is not None  # noqa: S101 - it was given the screens
    panel.failed.connect(fail)
    _follow(panel, log, pictures, stop)
    try:
        _shown(app, panel, tick, partial(panel.private.start, command, size))
    finally:
        screens.close()
    return failures[0] if failures else None


def _application() -> QApplication:
    app = application(PROGRAM)
    app.setWindowIcon(icon())
    return app


def _shown(
    app: QApplication,
    panel: Panel,
    tick: Callable[[], object],
    begin: Callable[[], object] = lambda: None,
) -> int:
    """Show a panel until it is closed; return the exit code.

    Args:
        app: Runs the events.
        panel: The panel.
        tick: Called at short intervals, so that Python can handle signals.
        begin: Called when the panel is shown.
    """
    panel.closed.connect(app.quit)
    ticks = QTimer()
    ticks.timeout.connect(tick)
    ticks.start(_TICK_MS)
    panel.show()
    try:
        with report_crashes(panel.show_failure, partial(describe, frame=None)):
            # In the event loop, so that its errors are reported too.
            QTimer.singleShot(0, begin)
            return app.exec()
    finally:
        ticks.stop()


def _follow(panel: Panel, log: GameLog, pictures: Path | None, stop: Stop) -> None:
    """Log a run; at its end save its last picture if wanted, pass on its reason, and close."""
    noted = False

    def note_preparation() -> None:
        # A panel on a private screen is invisible.
        nonlocal noted
        if panel.run.waiting == IN_WORDS and not noted:
            noted = True
            log.note(IN_WORDS)

    def finish() -> None:
        if panel.run.reason:
            stop.stop(panel.run.reason, failed=panel.run.stop_failed)
        if pictures is not None:
            panel.grab().save(str(pictures / PANEL_PICTURE))
        panel.close()

    panel.run.state_changed.connect(note_preparation)
    panel.turn_played.connect(log.add)
    panel.run_finished.connect(finish)
