"""Start the control panel, alone or with a run of games, on this screen or on a private one."""

from __future__ import annotations

import hashlib
import json
import logging
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Final

from PyQt6 import sip
from PyQt6.QtCore import QObject, QTimer, pyqtSignal
from PyQt6.QtNetwork import QLocalServer, QLocalSocket
from PyQt6.QtWidgets import QApplication

from bot.loop import Stop
from bot.solver.warmup import IN_WORDS
from gui.application import application, icon
from gui.commands.progress import GameLog
from gui.failures import Failure, describe, failure_of
from gui.panel import CLOSED, Panel
from gui.panel.pages import PAGES, PLAY
from gui.private import has_private_screens
from gui.runner.client import DesktopPlayer
from gui.settings import Settings, load, settings_file
from vision.desktop import desktop
from vision.files import PROGRAM, data_folder

if TYPE_CHECKING:
    from gui.private.screens import PrivateScreens

_log = logging.getLogger(__name__)

_CONNECT_MS: Final = 500
_ANSWER_MS: Final = 2000
"""Time limits for a panel that is open already, in milliseconds."""
_MOST_BYTES: Final = 8192
"""Longest line that a panel accepts."""
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


class OpenPanel(QObject):
    """The panel as later starts of the program find it: they raise it instead of opening another.

    Each of them sends a line of JSON with the page to show, and is sent the window's id.
    """

    def __init__(self, panel: Panel) -> None:
        super().__init__(panel)
        self._panel = panel
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._accept)
        # The socket of a panel that was killed.
        QLocalServer.removeServer(_server_name())
        if not self._server.listen(_server_name()):
            _log.warning("Later starts open another panel: %s", self._server.errorString())

    def close(self) -> None:
        """Stop accepting later starts."""
        self._server.close()

    def _accept(self) -> None:
        socket = self._server.nextPendingConnection()
        if socket is None:
            return
        socket.disconnected.connect(socket.deleteLater)
        socket.readyRead.connect(partial(self._answer, socket))

    def _answer(self, socket: QLocalSocket) -> None:
        if not socket.canReadLine():
            return
        try:
            asked = json.loads(bytes(socket.readLine(_MOST_BYTES)))
            page, what = str(asked["page"]), asked["what"]
        except (ValueError, KeyError, TypeError):
            socket.abort()
            return
        panel = self._panel
        if panel.isMinimized():
            panel.showNormal()
        panel.raise_()
        panel.activateWindow()
        if page != PLAY and page in {one.name for one in PAGES}:
            panel.shell.open(page, Path(what) if isinstance(what, str) else None)
        socket.write(f"{int(panel.winId())}\n".encode())


def raise_open_panel(page: str = PLAY, what: object = None) -> bool:
    """Raise the panel that is open already; return whether there is one that answers.

    Args:
        page: The page that it is to show.
        what: What that page is to show, if it is a path.
    """
    socket = QLocalSocket()
    socket.connectToServer(_server_name())
    if not socket.waitForConnected(_CONNECT_MS):
        return False
    asked = {"page": page, "what": str(what) if isinstance(what, Path) else None}
    socket.write(json.dumps(asked).encode() + b"\n")
    while not socket.canReadLine():
        if not socket.waitForReadyRead(_ANSWER_MS):
            # It hangs, or is just being closed.
            return False
    window = bytes(socket.readLine(_MOST_BYTES)).strip()
    # The user has started this process, so it may raise a window where the other one may not.
    for shown in desktop().list_windows():
        if shown.own and str(shown.id).encode() == window:
            desktop().activate(shown)
    return True


def _server_name() -> str:
    """Return the name under which the panel of this user and this folder is found."""
    folder = str(data_folder().absolute()).encode(errors="surrogateescape")
    return f"{PROGRAM}-{hashlib.sha256(folder).hexdigest()[:16]}"


def show_panel(stop: threading.Event, page: str = PLAY, what: object = None) -> int:
    """Show the panel until it is closed; return the exit code."""
    app = _application()
    first = not settings_file().exists()
    screens = _private_screens()
    player = screens or DesktopPlayer()
    panel = Panel(player, load(), screens=screens)
    opened = OpenPanel(panel)
    if first:
        panel.welcome()

    def tick() -> None:
        if stop.is_set():
            panel.close()

    def begin() -> None:
        if page != PLAY:
            panel.shell.open(page, what)

    try:
        return _shown(app, panel, tick, begin)
    finally:
        opened.close()
        player.close()
        _delete(panel)


def _private_screens() -> PrivateScreens | None:
    """Return the backend that also starts games on private screens; None if there are none."""
    if not has_private_screens():
        return None
    from gui.private.screens import PrivateScreens  # noqa: PLC0415 - for Linux

    return PrivateScreens()


def play_in_panel(
    player: DesktopPlayer,
    start: Callable[[Panel], object],
    settings: Settings,
    log: GameLog,
    stop: Stop,
    pictures: Path | None,
    screens: PrivateScreens | None = None,
) -> Failure | None:
    """Play a run of games in the panel, and close it at the end.

    Args:
        player: Plays.
        start: Starts the run once the panel is shown.
        settings: Of this run; changes to them are not saved.
        log: Receives the turns.
        stop: Set from outside to end the run.
        pictures: The folder for the panel's picture, if wanted.
        screens: The player, if the panel starts the game on a private screen.

    Returns:
        Why the run ended early; None if it did not.
    """
    app = _application()
    failures: list[Failure] = []
    panel = Panel(player, settings, save_settings=lambda _changed: None, screens=screens)
    waited = 0

    def fail(failure: Failure) -> None:
        failures.append(failure)
        if not panel.run.playing:
            panel.close()

    def tick() -> None:
        nonlocal waited
        if stop.is_set():
            panel.stop(stop.reason)
            panel.close()
        elif waited < _FRAME_TICKS:
            framed = panel.frameGeometry() != panel.geometry()
            waited = _FRAME_TICKS if framed else waited + 1
            if waited == _FRAME_TICKS:
                start(panel)

    panel.failed.connect(fail)
    _follow(panel, log, pictures, stop)
    try:
        _shown(app, panel, tick)
    finally:
        _delete(panel)
    if waited < _FRAME_TICKS:
        # Before the run began: nothing else reports it.
        stop.stop(CLOSED)
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


def _delete(panel: Panel) -> None:
    """Delete a closed panel while the application still exists.

    Left to Python, its widgets are deleted in no order while the application ends, which crashed.
    """
    sip.delete(panel)


def _follow(panel: Panel, log: GameLog, pictures: Path | None, stop: Stop) -> None:
    """Log a run; at its end save its last picture if wanted, pass on its reason, and close."""
    noted = False

    def note_preparation() -> None:
        # A panel on a private screen is invisible.
        nonlocal noted
        if panel.run.waiting == IN_WORDS and not noted:
            noted = True
            log.console.note(IN_WORDS)

    def finish() -> None:
        if panel.run.reason:
            stop.stop(panel.run.reason, failed=panel.run.stop_failed)
        if pictures is not None:
            panel.grab().save(str(pictures / PANEL_PICTURE))
        panel.close()

    panel.run.state_changed.connect(note_preparation)
    panel.turn_played.connect(log.add)
    panel.run_finished.connect(finish)
