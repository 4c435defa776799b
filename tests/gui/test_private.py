"""A game on a private screen, from the panel's side: what comes over the line, and the real one."""

from __future__ import annotations

import os
import queue
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import groupby
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PyQt6.QtCore import Qt
from pytestqt.qtbot import QtBot

from bot.game import BEGINNER, EXPERT
from bot.mouse import CORNER
from bot.solver.warmup import IN_WORDS
from gui.failures import Failure, ReportedFailure
from gui.images import from_qimage
from gui.logfile import log_folder
from gui.panel import Panel
from gui.panel.private_game import GameDialog, live_picture
from gui.private.game import PrivateGame
from gui.private.games import (
    game_environment,
    installed,
    on_its_own_bus,
    remember,
    remembered,
)
from gui.private.screens import PrivateBoard, PrivateScreens
from gui.private_screen import PrivateScreen
from gui.runner import protocol
from gui.runner.process import PlayerServer
from gui.settings import Settings
from tests.e2e.test_private import BEGINNER as XDEMINEUR
from tests.e2e.test_private import ended, named
from tests.gui.tabletop import LocalScreens, Tabletop
from tests.support.runs import environment
from tests.support.shown import require
from tests.support.strays import looked_at

pytestmark = [pytest.mark.linux, pytest.mark.long]

CHOSEN = Settings(games=2, think=60)


def alone(line: Connection[Any, Any]) -> Any:
    """Return a game whose screen is not needed, with as much of it as is asked for."""
    game = SimpleNamespace(name="tabletop", display=":none", ending="")
    game.connect = lambda: line
    game.close = lambda: None
    game.lost = lambda: "it is lost"
    game.ended = lambda _patience=0.0: game.ending
    game.explained = lambda failure: replace(failure, message=game.ending or failure.message)
    return game


@pytest.fixture
def there() -> Tabletop:
    """What is on the private screen."""
    return Tabletop(BEGINNER)


@pytest.fixture
def screens(there: Tabletop) -> Iterator[LocalScreens]:
    """The panel's end of a line; threads play at the other end."""
    near, far = Pipe()
    thread = threading.Thread(target=PlayerServer(far, there).serve)
    thread.start()
    made = LocalScreens(Tabletop())
    made.adopt(alone(near))
    yield made
    made.close()
    thread.join()


def begin(screens: PrivateScreens, *, paused: bool = False) -> Iterator[protocol.RunEvent]:
    """Begin a run; return what comes of it, up to its end."""
    events: queue.SimpleQueue[protocol.RunEvent] = queue.SimpleQueue()
    screens.begin(protocol.Begin(the_board(screens), CHOSEN, paused=paused), events.put)

    def received() -> Iterator[protocol.RunEvent]:
        while not isinstance(event := events.get(timeout=60), protocol.Ended):
            yield event
        yield event

    return received()


def the_board(screens: PrivateScreens) -> protocol.Candidate:
    """The only one that is listed."""
    (board,) = (one for one in screens.boards().boards if isinstance(one.key, PrivateBoard))
    return board


def test_private_board_has_no_desktop_region_and_is_analysed_until_its_screen_ends(
    screens: LocalScreens, there: Tabletop
) -> None:
    """The panel need not step aside for it, and cannot take it for one of its own desktop.

    Another board is on the desktop; the list says afterwards that the private one was closed.
    """
    desk = screens.table
    desk.levels.append(EXPERT)
    desk.live = there.live = ()
    there.region = there.candidate(0).region
    board = the_board(screens)
    assert board.region is None
    assert board.title == "Tabletop beginner (private)"
    assert board.key == the_board(screens).key
    turn = screens.analyse(board, "exact", fresh=True)
    assert turn is not None
    assert turn.reading.board.rows == BEGINNER.rows
    assert board.key not in screens.boards().closed
    screens.end_game()
    assert screens.analyse(board, "exact", fresh=True) is None
    assert board.key in screens.boards().closed


def test_events_of_the_private_screen_reach_the_panel(
    screens: PrivateScreens, there: Tabletop
) -> None:
    """As what is waited for and what stops the run; if the game has ended, that is reported."""
    there.waits = {0: "start the next game", 1: ""}
    there.stops = {2: (CORNER, True)}
    *events, end = begin(screens)
    states = [event for event in events if isinstance(event, protocol.Status)]
    waits = [waiting for waiting, _ in groupby(state.waiting for state in states)]
    assert waits[1:] == ["start the next game", ""]
    assert isinstance(end, protocol.Ended)
    assert (end.reason, end.failed) == (CORNER, True)
    there.stops.clear()
    there.error = RuntimeError("the board has gone")
    *_, end = begin(screens)
    failure = end.failure
    assert failure.message == "the board has gone"
    assert failure.report == "report of RuntimeError"
    assert the_board(screens)
    run = begin(screens)
    game: Any = screens.game
    game.ending = "'tabletop' ended unexpectedly"
    *_, end = run
    assert end.failure.message == "'tabletop' ended unexpectedly"
    assert screens.boards().boards == ()


@pytest.mark.parametrize("ended_by_user", [False, True])
def test_a_game_that_the_user_ended_during_a_search_is_not_reported(
    screens: PrivateScreens, there: Tabletop, monkeypatch: pytest.MonkeyPatch, ended_by_user: bool
) -> None:
    """A search that fails says why, unless there is no game any more."""

    def fail(_thorough: bool, _every: bool) -> protocol.Found:
        if ended_by_user:
            screens.game = None
        raise RuntimeError("the screen has gone")

    monkeypatch.setattr(there, "boards", fail)
    remarks = screens.boards().remarks
    assert remarks == (() if ended_by_user else ("the screen has gone",))


def test_the_stop_key_needs_no_main_thread(screens: LocalScreens, there: Tabletop) -> None:
    """What plays on the desktop hears it, and a run here ends without an order."""
    heard: queue.SimpleQueue[protocol.Event] = queue.SimpleQueue()
    screens.listen(heard.put)
    screens.hold_key("stop key", "F8")
    run = begin(screens, paused=True)
    screens.table.press_key()
    *_, end = run
    assert end.reason == "Stopped with F8."
    assert there.carried_out == []
    while heard.get(timeout=60) != protocol.KeyPressed("stop key", "F8"):
        pass


def test_what_is_prepared_or_lost_concerns_its_run_alone() -> None:
    """The process that plays on the desktop may have compiled the solver already."""
    near, far = Pipe()
    screens = LocalScreens(Tabletop())
    heard: queue.SimpleQueue[protocol.Event] = queue.SimpleQueue()
    screens.listen(heard.put)
    screens.adopt(alone(near))
    board = replace(Tabletop(BEGINNER).candidate(0), key=PrivateBoard(":none", 0))
    events: queue.SimpleQueue[protocol.RunEvent] = queue.SimpleQueue()
    screens.begin(protocol.Begin(board, CHOSEN), events.put)
    preparing = protocol.Status(waiting=IN_WORDS)
    far.send(preparing)
    far.close()
    assert events.get(timeout=60) == preparing
    end = events.get(timeout=60)
    assert end.failure == Failure("it is lost")
    assert heard.empty()
    screens.close()


def test_exhausted_pipe_is_not_waited_for() -> None:
    """The panel's main thread asks for it."""
    with PrivateGame(("sleep", "600")) as game:
        game.connect().close()
        begin = time.monotonic()
        with pytest.raises(ReportedFailure, match="start the game again"):
            game.connect()
        asked = time.monotonic() - begin
        assert game.lost()
        assert asked < time.monotonic() - begin - asked


def test_the_picture_changes_with_the_screen() -> None:
    """Read from the server's memory: every colour in its place, whatever the width."""
    with PrivateScreen(601, 399) as screen:
        picture = live_picture(screen.framebuffer)
        assert from_qimage(picture)[0, 0].tolist() == [0, 0, 0]
        paint = ["xsetroot", "-solid", "#102030"]
        subprocess.run(paint, env=screen.environment, check=True)
        seen = from_qimage(picture)
        assert seen.shape == (399, 601, 3)
        # But for the pointer, in the middle.
        assert (seen[:100] == [0x30, 0x20, 0x10]).all()


@pytest.mark.slow
def test_the_panel_starts_shows_plays_and_ends_a_game(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By its button: typed, started, seen live, played, stopped; killed, and reported; ended."""
    require("xdemineur")
    for name in ("MINESWEEPER_BOT_HOME", "PYTHONPATH"):
        monkeypatch.setenv(name, environment(tmp_path)[name])
    screens = LocalScreens(Tabletop())
    panel = Panel(screens, Settings(games=None), lambda _settings: None, screens=screens)
    corner = panel.private
    panel.show()

    def until(reached: Callable[[], object]) -> None:
        qtbot.waitUntil(lambda: bool(reached()))

    qtbot.mouseClick(corner.button, Qt.MouseButton.LeftButton)
    dialog = panel.findChild(GameDialog)
    dialog.command.setEditText("no-such-game")
    dialog.start.click()
    assert "There is no program 'no-such-game'" in dialog.trouble.text()
    dialog.command.setEditText("true")
    dialog.start.click()
    until(lambda: "ended unexpectedly" in panel.surface.banner.message.text())
    until(corner.button.isEnabled)
    assert (screens.game, corner.box.isHidden(), remembered()) == (None, True, [])
    qtbot.mouseClick(corner.button, Qt.MouseButton.LeftButton)
    dialog = panel.findChildren(GameDialog)[-1]
    dialog.command.setEditText(" ".join(XDEMINEUR))
    dialog.start.click()
    until(lambda: panel.statistics.turns > 2)
    assert not corner.box.isHidden()
    assert from_qimage(corner.box.view.grab().toImage()).std() > 0
    panel.stop()
    until(lambda: panel.state is protocol.State.IDLE)
    assert remembered() == [" ".join(XDEMINEUR)]
    until(lambda: panel.surface.chooser.current is not None)
    panel.start()
    turns = panel.statistics.turns
    until(lambda: panel.statistics.turns > turns + 2)
    named(tmp_path, "xdemineur").kill()
    until(lambda: panel.state is protocol.State.IDLE)
    assert "was closed" in panel.run.outcome
    until(lambda: "ended unexpectedly" in corner.box.words.text())
    corner.box.close_game.click()
    until(lambda: screens.game is None)
    assert ended(tmp_path)
    # What plays there is another process, and has a log file of its own.
    logs = [path.read_text("utf-8") for path in log_folder().glob("*.log")]
    assert any("gui.runner.backend: Playing" in text for text in logs)
    assert looked_at(tmp_path)[0] > 0
    with qtbot.waitSignal(panel.closed):
        panel.close()
    screens.close()


def test_a_private_game_starts_no_portal(tmp_path: Path) -> None:
    """It would mount its file system over that of the user's own portal, in the user's folder."""
    services = tmp_path / "data" / "dbus-1" / "services"
    services.mkdir(parents=True)
    for name in ("org.freedesktop.portal.Desktop", "org.example.Other"):
        text = f"[D-BUS Service]\nName={name}\nExec=/bin/mkdir {tmp_path / name} /\n"
        (services / f"{name}.service").write_text(text)
        call = ["dbus-send", "--print-reply", f"--dest={name}", "/", "org.example.Any"]
        theirs = {**os.environ, "XDG_DATA_HOME": str(tmp_path / "data")}
        subprocess.run(on_its_own_bus(call), env=game_environment(theirs, tmp_path), check=False)
    assert [one.name for one in tmp_path.glob("org.*")] == ["org.example.Other"]


@pytest.mark.usefixtures("home")
def test_commands_are_remembered() -> None:
    """The last one first, each once, and not all of them for ever."""
    assert remembered() == []
    for number in [*range(12), 11, 9]:
        remember(f"game {number}")
    assert remembered()[:3] == ["game 9", "game 11", "game 10"]
    assert len(remembered()) == 8


def test_installed_games_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Among the menus' entries: Minesweepers that are there, by their command."""
    entries = {
        "one": "[Desktop Entry]\nName=Mines\nExec=sh -q %c --fast %U\nCategories=Game;Logic;\n"
        "Actions=A;\n[Desktop Action A]\nExec=sh --other\n",
        "chess": "[Desktop Entry]\nName=Chess\nExec=sh\nCategories=Game;\n",
        "mining": "[Desktop Entry]\nName=Data mine\nExec=sh\nCategories=Office;\n",
        "gone": "[Desktop Entry]\nName=Bombs\nExec=no-such-program\nCategories=Game;\n",
        "text": "[Desktop Entry]\nName=Mines\nExec=cat\nCategories=Game;\nTerminal=true\n",
        "away": "[Desktop Entry]\nName=Mines\nExec=cat\nCategories=Game;\nHidden=true\n",
        "odd": '[Desktop Entry]\nName=Mines\nExec="sh\nCategories=Game;\n',
    }
    menu = tmp_path / "applications"
    menu.mkdir()
    for name, text in entries.items():
        (menu / f"{name}.desktop").write_text(text)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_DIRS", str(tmp_path / "none"))
    assert [one for one in installed() if not one.startswith("wine")] == ["sh --fast"]
