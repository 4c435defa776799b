"""A run of games on a private screen, shown in the panel."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from bot.loop import Stop
from bot.solver.warmup import PREPARATION
from gui.application import application
from gui.commands.panel import finish, ticking
from gui.commands.progress import GameLog
from gui.failures import Failure
from gui.icon import icon
from gui.panel import Panel
from gui.panel.crash import crashes_told
from gui.private.screens import PrivateScreens
from gui.runner.lazy_backend import LazyBackend
from gui.settings import PROGRAM, Settings


def play_shown(
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
    app = application(PROGRAM)
    app.setWindowIcon(icon())
    desktop = LazyBackend()
    screens = PrivateScreens(desktop, looks=False)
    panel = Panel(screens, settings, save_settings=lambda _changed: None, screens=screens)
    failures: list[Failure] = []

    def fail(failure: Failure) -> None:
        failures.append(failure)
        panel.close()

    panel.turn_played.connect(log.add)
    panel.failed.connect(fail)
    panel.run_finished.connect(partial(finish, panel, pictures, stop))
    panel.closed.connect(app.quit)

    def tick() -> None:
        panel.surface.set_preparing(PREPARATION.compiling)
        if stop.is_set():
            panel.stop(stop.reason)
            panel.close()

    ticks = ticking(tick)
    panel.show()
    assert panel.private is not None  # noqa: S101 - it was given the screens
    panel.private.start(command, size)
    try:
        with crashes_told(panel.tell_failure, desktop.failure):
            app.exec()
    finally:
        ticks.stop()
        screens.close()
        desktop.close()
    return failures[0] if failures else None
