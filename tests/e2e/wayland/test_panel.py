"""The panel plays on a monitor that is shared; it shows the board as well, which is no game."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

import vision.desktop
from bot.board import COVERED, EXPLODED, MINE, Board, Cell
from bot.frame import Point
from tests.e2e.wayland.gnome import Session, User, gnome
from tests.e2e.wayland.test_wayland import mines, shared, written
from tests.support.driven import page_number
from tests.support.runs import audited, sessions
from tests.support.strays import found, looked_at
from tests.support.xclient import wait_until
from vision.desktop.wayland import CONSENT, WaylandDesktop
from vision.finder import survey
from vision.skins import SkinLibrary, load_skin
from vision.tracking.targets import Target, survey_screen

_COVER = """
import os, sys
from PyQt6.QtCore import QSocketNotifier
from PyQt6.QtWidgets import QApplication, QLabel
def show():
    os.read(pipe, 99)
    label.hide()
    label.showMaximized()
app = QApplication([])
app.setQuitOnLastWindowClosed(False)
label = QLabel("Something else")
pipe = os.open(sys.argv[1], os.O_RDWR)
orders = QSocketNotifier(pipe, QSocketNotifier.Type.Read)
orders.activated.connect(show)
app.exec()
"""
"""A window that opens anew, in front of all others, at each line from a pipe."""


_COVERED = (0xC9, 0x8F, 0x5B)
"""The covered cells of a program, BGR."""
_MINES = 10
"""On the board of GNOME Mines."""
_ESCAPE = 0xFF1B
"""A keysym."""


class Panel(NamedTuple):
    """A session with the panel and a game."""

    session: Session
    user: User
    game: subprocess.Popen[bytes]

    @property
    def games(self) -> Path:
        """The folder of the recordings."""
        return self.session.folder / "home/sessions"

    @property
    def clicks(self) -> int:
        """The number of clicks that were sent so far."""
        return looked_at(self.session.folder)[0]

    def begin(self, button: str = "Play, F5") -> None:
        """Play or assist, once there is no other run."""
        wait_until(lambda: self.user.reads("Ready: 1 board"), 120)
        self.user.press(button, "push button")

    def await_clicks(self, more: int = 2) -> None:
        """Wait until so many more clicks were sent."""
        before = self.clicks
        wait_until(lambda: self.clicks >= before + more, 120)

    def pause(self) -> None:
        """Move the mouse until the run pauses."""
        wait_until(lambda: self.user.move(9, 4) or self.user.shows("Resume, F6", "push button"))

    def resume(self, ready: Callable[[], bool]) -> None:
        """Press Resume until something holds: a motion that arrives late pauses the run again."""
        wait_until(
            lambda: ready() or (self.user.press_once("push button", "Resume, F6") and False), 120
        )

    def end(self) -> None:
        """Stop the run; what was played is read and recorded rightly."""
        self.user.press("Stop, Esc", "push button")
        wait_until(lambda: self.user.reads("Ready: 1 board"), 120)
        assert audited(sessions(self.session.folder / "home")).findings == []


def ends(games: Path) -> int:
    """Return the number of recorded games that are over."""
    turns = [one.read_bytes() for one in games.glob("*/turns.jsonl")]
    return sum(b'"status":"won"' in one or b'"status":"lost"' in one for one in turns)


@pytest.fixture(scope="module")
def panel() -> Iterator[Panel]:
    """Refused, the panel says so until Refresh asks again."""
    with (
        tempfile.TemporaryDirectory(prefix="wl") as folder,
        gnome(Path(folder), monitors=((1920, 1080),)) as session,
    ):
        user = User(session)
        with mines(session, user) as game:
            # One game may end before the test has done what it does in its course.
            session.panel("games = 1000\npace = 2.0\n")
            wait_until(lambda: user.shows("Share"), 60)
            assert user.reads(CONSENT)
            user.press("Cancel")
            wait_until(lambda: user.reads("The screen was not shared"))
            user.press("Look for windows again", "push button")
            user.share()
            yield Panel(session, user, game)
        assert looked_at(session.folder)[0] > 1
        assert found(session.folder) == []


@pytest.fixture(autouse=True)
def stopped(panel: Panel) -> Iterator[None]:
    """The run is stopped, also if the test fails: the next one begins its own."""
    yield
    panel.user.press_once("push button", "Stop, Esc")


@pytest.fixture
def wayland(panel: Panel, monkeypatch: pytest.MonkeyPatch) -> Iterator[WaylandDesktop]:
    """The same monitor, shared with the test."""
    for name, value in panel.session.environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("DISPLAY", raising=False)
    made = WaylandDesktop()
    monkeypatch.setattr(vision.desktop, "_implementation", lambda _kind: made)
    shared(made, panel.user)
    yield made
    made.close()


def test_the_users_mouse_pauses_until_resume(panel: Panel) -> None:
    """Nothing is clicked meanwhile; then the game is played on."""
    panel.begin()
    panel.await_clicks()
    panel.pause()
    assert panel.user.reads("because you moved the mouse")
    before = panel.clicks
    panel.resume(lambda: panel.clicks > before)
    panel.end()


def test_a_covered_board_is_waited_for(panel: Panel) -> None:
    """Nothing is clicked; the user may move the mouse to uncover it, and need not resume."""
    pipe = panel.session.folder / "pipe"
    os.mkfifo(pipe)
    cover = panel.session.start(sys.executable, "-c", _COVER, str(pipe))
    with pipe.open("w", buffering=1) as orders:
        panel.begin()
        shown_at = panel.clicks

        def is_covered() -> bool:
            # A click under way brings the game to the front again.
            nonlocal shown_at
            if panel.clicks >= shown_at + 2:
                shown_at = panel.clicks
                orders.write("show\n")
            return panel.user.reads("Click on the game, or uncover it")

        wait_until(is_covered, 120)
    before = panel.clicks
    wait_until(lambda: panel.user.reads("Something else"))
    panel.user.move(9, 4)
    assert panel.clicks == before
    panel.session.stop(cover)
    # On a slow machine it was paused meanwhile.
    panel.resume(lambda: panel.clicks > before + 1)
    panel.end()


def test_the_users_game_is_watched(panel: Panel, wayland: WaylandDesktop) -> None:
    """What the user flags is recorded as the user's; the bot clicks nothing."""
    skins = SkinLibrary().skins()

    def left_unfinished() -> Target | None:
        """Stop a run in mid-game; its last click may have won or lost."""
        panel.begin()
        panel.await_clicks()
        panel.user.press("Stop, Esc", "push button")
        wait_until(lambda: panel.user.reads("Ready: 1 board"), 120)
        with wayland.open_screen() as screen:
            (target,), _ = survey_screen(screen, skins)
        tiles = target.sighting.tiles
        over = COVERED not in tiles or np.isin(tiles, (MINE, EXPLODED)).any()
        return None if over else target

    while (target := left_unfinished()) is None:
        pass
    panel.begin("Assist, F4")
    wait_until(lambda: panel.user.reads("You play; the bot clicks nothing"))
    clicks, pointer = panel.clicks, wayland.open_pointer()
    grid = target.grid
    covered = cycle(np.argwhere(target.sighting.tiles == COVERED).tolist())
    aside = Point(grid.left - grid.pitch_x, grid.top + grid.pitch_y)

    def is_recorded() -> bool:
        place = grid.center(Cell(*next(covered)))
        pointer.move(place)
        pointer.click(place, "right", None)
        # A cell under the pointer is highlighted, and not read.
        pointer.move(aside)
        assert panel.user.reads("You play; the bot clicks nothing")
        return any('"user"' in one.read_text("utf-8") for one in panel.games.glob("*/session.json"))

    wait_until(is_recorded)
    assert panel.clicks == clicks
    panel.user.press("Stop, Esc", "push button")
    wait_until(lambda: panel.user.reads("Ready: 1 board"), 120)


def test_one_of_two_boards_is_taught_and_played(panel: Panel, wayland: WaylandDesktop) -> None:
    """An unknown program beside GNOME Mines: its skin is learned on the page Skins."""
    session, user = panel.session, panel.user
    # Qt's own frame would cut the window off.
    options = "qt art=flat cell=32 first=zero button=left"
    program = (sys.executable, "-m", "tests.support.family.qt", options, "3")
    process = session.start("env", "QT_WAYLAND_DISABLE_WINDOWDECORATION=1", *program)
    log, pointer = session.folder / "env.log", wayland.open_pointer()

    def board() -> list[str]:
        """Return the board, as the program reports it."""
        events = map(json.loads, re.findall(r"^{.*}$", log.read_text("utf-8"), re.MULTILINE))
        return next((one["rows"] for one in reversed([*events]) if one["event"] == "board"), [])

    def covered() -> NDArray[np.intp]:
        with wayland.open_screen() as screen:
            return np.argwhere((screen.grab().image == _COVERED).all(axis=2))

    wait_until(lambda: covered().size)
    y, x = covered().mean(axis=0)
    middle = Point(round(x), round(y))

    def open_middle() -> bool:
        pointer.move(middle)
        pointer.click(middle, "left", None)
        return "." in "".join(board())

    # The first click on a new window may be lost.
    wait_until(open_middle)
    pointer.move(Point(1900, 1000))
    user.press(f"Page Skins, Alt+{page_number('skins')}", "check box")
    user.press("Learn a skin from a window, Ctrl+W", "push button")
    # The other board is the first choice.
    unknown = "unknown skin, 9 \N{MULTIPLICATION SIGN} 9 \N{MIDDLE DOT} 10 mines"
    wait_until(lambda: user.shows("OK", "push button") and user.select(unknown), 120)
    user.press("OK", "push button")
    cells = f"{''.join(board()).count('#')} cells"
    wait_until(lambda: user.shows(f"covered, not confirmed, {cells}", "list item"), 120)
    user.press("Confirm all guesses, Ctrl+Return", "push button")
    wait_until(lambda: user.shows(f"covered, confirmed, {cells}", "list item"), 120)
    user.press("Keep the skin under this name, Ctrl+S", "push button")
    wait_until(lambda: user.reads("is saved: "), 120)
    (folder,) = (session.folder / "home/skins").iterdir()
    with wayland.open_screen() as screen:
        (seen,), _ = survey(screen.grab(), [load_skin(folder)])
    assert np.array_equal(seen.tiles, Board.parse("/".join(board()), mines=10).tiles)
    user.press("Page Play, Alt+1", "check box")
    user.press("Look for windows again", "push button")
    wait_until(lambda: user.select(f"{folder.name}, 9 \N{MULTIPLICATION SIGN} 9 · 10 mines"), 120)
    before = set(panel.games.glob("*"))
    user.press("Play, F5", "push button")
    panel.await_clicks()
    user.press("Stop, Esc", "push button")
    wait_until(lambda: user.reads("Ready: 2 boards") or user.reads("Stopped with"), 120)
    played = [
        json.loads((one / "session.json").read_text("utf-8"))
        for one in set(panel.games.glob("*")) - before
    ]
    assert {one["skin"] for one in played} == {folder.name}
    assert audited(sessions(session.folder / "home")).findings == []
    assert user.select("gnome-mines, 8 \N{MULTIPLICATION SIGN} 8 · 10 mines")
    session.stop(process)


def test_a_game_that_is_closed_pauses_the_run(panel: Panel) -> None:
    """In mid-game or at its end; Wayland does not tell that a window was closed.

    What was played is kept.
    """
    game = panel.game
    for at_the_end in (False, True):
        before = written(panel.games)
        panel.begin()
        panel.await_clicks()
        expected = ends(panel.games) + at_the_end
        wait_until(lambda expected=expected: ends(panel.games) >= expected, 120)
        panel.session.stop(game)
        wait_until(lambda: panel.user.reads("the game is closed or paused"))
        panel.user.press("Stop, Esc", "push button")
        assert written(panel.games) > before
        # Else the list may still hold the game that was closed.
        wait_until(
            lambda: panel.user.reads("shows no board") or panel.user.reads("Ready: no boards")
        )
        # A right click that came just too late has opened the desktop's menu.
        panel.user.type(_ESCAPE)
        game = panel.session.game()
    panel.begin()
    panel.await_clicks()
    panel.end()


def test_a_permission_that_is_taken_back_ends_the_run(
    panel: Panel, wayland: WaylandDesktop
) -> None:
    """By the orange sign in GNOME's panel, and also if it is paused; what was played is kept."""
    with wayland.open_screen() as screen:
        picture, pointer = screen.grab().image, wayland.open_pointer()
    before = written(panel.games)
    panel.begin()
    panel.await_clicks()
    # The mouse would do so on its way; in between, the bot would move the pointer.
    panel.pause()
    panel.user.revoke(picture, lambda: pointer.position)
    wait_until(lambda: panel.user.reads("no longer shared"))
    assert written(panel.games) > before
