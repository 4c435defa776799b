"""Starts the control panel, alone or with a run of games."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PyQt6.QtCore import QTimer

from bot.loop import Stop, Stopped
from bot.solver.warmup import IN_WORDS, PREPARATION
from gui.application import application
from gui.commands.progress import GameLog
from gui.failures import Failure
from gui.icon import icon
from gui.panel import CLOSED, Panel
from gui.panel.crash import crashes_told
from gui.panel.pages import PLAY
from gui.private.screens import PrivateScreens
from gui.runner.lazy_backend import LazyBackend
from gui.settings import PROGRAM, Settings, data_folder, load, settings_file
from vision.desktop import SessionKind, session_kind
from vision.files import is_open, mark_open

if TYPE_CHECKING:
    from gui.runner.backend import Desktop

PANEL_PICTURE: Final = "panel.png"
_TICK_MS: Final = 50
_FRAME_TICKS: Final = 10
"""How long to wait for a window manager, which may be missing."""


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


def _tell_another(panel: Panel) -> None:
    """Show the consequences of another open panel."""
    key = panel.stop_key
    stops = f" While both play, {key} stops only the one that began first." if key else ""
    panel.surface.banner.tell(
        f"Another panel is open. Both keep their choices in the same settings file.{stops}",
        about="another panel",
    )


def show_panel(stop: threading.Event, page: str = PLAY, what: object = None) -> int:
    """Open the panel and wait until it is closed.

    Args:
        stop: Set from outside to close it.
        page: The page to open.
        what: What that page is to show.

    Returns:
        The process's exit code.
    """
    app = application(PROGRAM)
    app.setWindowIcon(icon())
    first = not settings_file().exists()
    desktop = LazyBackend()
    screens = PrivateScreens(desktop)
    native = session_kind() is SessionKind.NATIVE
    panel = Panel(screens, load(), screens=None if native else screens)
    panel.closed.connect(app.quit)
    if first:
        panel.welcome()

    def tick() -> None:
        # Only after the window is shown, as loading would delay it.
        PREPARATION.begin()
        panel.surface.set_preparing(PREPARATION.compiling)
        if stop.is_set():
            panel.close()

    ticks = ticking(tick)
    panel.show()
    if page != PLAY:
        panel.shell.open(page, what)
    try:
        with marked_open() as another, crashes_told(panel.tell_failure, desktop.failure):
            if another:
                _tell_another(panel)
            return app.exec()
    finally:
        ticks.stop()
        screens.close()
        desktop.close()


def ticking(tick: Callable[[], object]) -> QTimer:
    """Return a timer with a short interval, so that Python can handle signals."""
    ticks = QTimer()
    ticks.timeout.connect(tick)
    ticks.start(_TICK_MS)
    return ticks


def play_in_panel(
    desktop: Desktop,
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
    app = application(PROGRAM)
    app.setWindowIcon(icon())
    try:
        board = desktop.candidate(window, settings.mines, stop)
    except Stopped:
        return None
    failures: list[Failure] = []
    panel = Panel(desktop, settings, save_settings=lambda _changed: None)
    panel.turn_played.connect(log.add)
    panel.failed.connect(failures.append)
    panel.run_finished.connect(partial(finish, panel, pictures, stop))
    panel.closed.connect(app.quit)
    waited = 0
    told = False

    def tick() -> None:
        nonlocal waited, told
        if PREPARATION.compiling and not told:
            # A panel on a private screen is invisible.
            told = True
            log.note(IN_WORDS)
        panel.surface.set_preparing(PREPARATION.compiling)
        if stop.is_set():
            panel.stop(stop.reason)
            panel.close()
        elif waited < _FRAME_TICKS:
            waited = _FRAME_TICKS if _framed(panel) else waited + 1
            if waited == _FRAME_TICKS:
                panel.play(board)

    ticks = ticking(tick)
    panel.show()
    with crashes_told(panel.tell_failure, desktop.failure):
        app.exec()
    ticks.stop()
    if waited < _FRAME_TICKS:
        # Before the run began: nothing else reports it.
        stop.stop(CLOSED)
    return failures[0] if failures else None


def _framed(panel: Panel) -> bool:
    """Return whether the window has its frame, so that it can be placed."""
    return bool(panel.frameGeometry() != panel.geometry())


def finish(panel: Panel, pictures: Path | None, stop: Stop, _tally: object) -> None:
    """Save a run's last picture if wanted, pass on why it stopped, and close the panel."""
    if panel.run.reason:
        stop.stop(panel.run.reason, failed=panel.run.stop_failed)
    if pictures is not None:
        panel.grab().save(str(pictures / PANEL_PICTURE))
    panel.close()
