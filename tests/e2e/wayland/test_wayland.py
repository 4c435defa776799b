"""What is shared on a Wayland desktop is captured and clicked; every refusal has its message."""

from __future__ import annotations

import ctypes
import resource
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bot.analysis import Limit
from bot.board import COVERED, Board, InconsistentBoard
from bot.frame import Point, Region
from bot.mouse import MouseError
from bot.solver import solver
from gui.runner.backend import Desktop
from tests.e2e.test_faults import keep_promises
from tests.e2e.wayland.gnome import SIZE, Session, User, gnome
from tests.support.runs import audited, sessions
from tests.support.strays import found, looked_at
from tests.support.xclient import wait_until
from vision.desktop import AccessRefused, InputKind, KeyTaken, ScreenError, portal
from vision.desktop.portal_key import PortalKey
from vision.desktop.wayland import CONSENT, WaylandDesktop
from vision.files import APPLICATION_ID
from vision.finder import BoardNotFound, survey
from vision.learning.questions import Question
from vision.learning.skin_learner import LearnedSkin
from vision.matcher import Matcher
from vision.skins import Skin, SkinLibrary
from vision.skins.skin import SkinError
from vision.tracking.targets import survey_screen

_SUPER, _SHIFT, _LEFT, _RIGHT, _F8 = 0xFFEB, 0xFFE1, 0xFF51, 0xFF53, 0xFFC5
"""Keysyms."""
_SIZES = (1600, 1000), (1024, 768)
"""The sizes of two monitors."""
_FLASHES = """
import sys, time
from PyQt6.QtCore import QTimer
from PyQt6.QtGui import QColor, QPainter
from PyQt6.QtWidgets import QApplication, QWidget
class Flashing(QWidget):
    number = end = 0
    def mousePressEvent(self, event):
        self.number, self.end = self.number + 1, time.monotonic() + 1.5
        self.update()
    def paintEvent(self, event):
        colour = QColor(self.number, 0, 255)
        if (left := self.end - time.monotonic()) > 0:
            colour = QColor(255, int(left * 150), 0)
            QTimer.singleShot(5, self.update)
        QPainter(self).fillRect(self.rect(), colour)
app = QApplication(sys.argv)
window = Flashing()
window.showMaximized()
app.exec()
"""
"""A window that flashes for a second and a half after a press; then it is blue, with as much red as
there were presses."""


def shared(
    wayland: WaylandDesktop,
    user: User,
    *,
    control: bool = True,
    window: str | None = None,
    monitors: int = 0,
) -> list[str]:
    """Ask for access, which the user grants; return the messages that were reported."""
    reported: list[str] = []
    options = {"control": control, "window": window, "monitors": monitors}
    answer = threading.Thread(target=user.share, kwargs=options)
    answer.start()
    try:
        wayland.request_access(reported.append)
    finally:
        answer.join()
    return reported


def cancelled(user: User) -> threading.Thread:
    """Cancel the dialog once it is shown."""
    thread = threading.Thread(target=lambda: user.press("Cancel"))
    thread.start()
    return thread


@contextmanager
def mines(session: Session, user: User) -> Iterator[subprocess.Popen[bytes]]:
    """GNOME Mines with a small board, once it is shown."""
    process = session.game()
    try:
        wait_until(lambda: user.shows("Mines", "frame"))
        yield process
    finally:
        session.stop(process)


def test_a_shared_monitor_is_captured(wayland: WaylandDesktop, user: User) -> None:
    """All of it, or a part; nothing before the user was asked."""
    with pytest.raises(ScreenError, match="is shared with this program yet"):
        wayland.open_screen()
    assert shared(wayland, user) == [CONSENT]
    assert shared_again(wayland) == []
    with wayland.open_screen() as screen:
        whole, part = Region(0, 0, *SIZE), Region(100, 0, 40, 30)
        assert screen.region == whole
        assert wayland.monitors() == [whole]
        frame, cut = screen.grab(), screen.grab(part)
        assert frame.image.shape == (SIZE[1], SIZE[0], 3)
        assert np.array_equal(cut.image, frame.image[frame.pixels(part)])
        assert screen.grab(Region(-10, -10, 30, 30)).region == Region(0, 0, 20, 20)
        with pytest.raises(ScreenError, match="outside of what you share"):
            screen.grab(Region(5000, 0, 10, 10))
    for meaning in wayland.lacks.values():
        assert meaning[0].isupper()
        assert meaning.endswith(".")


def shared_again(wayland: WaylandDesktop) -> list[str]:
    """Ask again, which opens no dialog."""
    reported: list[str] = []
    wayland.request_access(reported.append)
    return reported


def test_the_pointer_goes_where_it_is_put(wayland: WaylandDesktop, user: User) -> None:
    """The stream tells its place, and whether this program or the user has moved it."""
    shared(wayland, user)
    pointer, events = wayland.open_pointer(), wayland.open_input_events()
    assert events is not None
    for place in (Point(300, 200), Point(310, 420), Point(700, 500)):
        pointer.move(place)
        wait_until(lambda place=place: pointer.position == place)
        # Others come first: a pointer that was hidden appears where it was.
        wait_until(lambda: events.pending and any(one.sent for one in events.pop_events()))
    user.move(40, 10)
    wait_until(lambda: pointer.position == Point(740, 510))
    (moved,) = events.pop_events()[-1:]
    assert (moved.kind, moved.sent, moved.point) == (InputKind.MOTION, False, None)
    pressed: list[str] = []
    pointer.move(Point(300, 300))
    wait_until(lambda: pointer.position == Point(300, 300))
    user.move(30, 0)
    wait_until(lambda: pointer.position == Point(330, 300))
    pointer.click(Point(300, 300), "left", lambda: pressed.append("left"))
    assert pressed == []
    pointer.move(Point(300, 300))
    pointer.click(Point(300, 300), "left", lambda: pressed.append("left"))
    assert pressed == ["left"]
    with pytest.raises(MouseError, match="outside of what you share"):
        pointer.move(Point(5000, 0))
    events.close()


def test_a_resting_screen_costs_nothing(wayland: WaylandDesktop, user: User) -> None:
    """Under 2 % of a core."""
    shared(wayland, user)
    before = resource.getrusage(resource.RUSAGE_SELF)
    threading.Event().wait(2)
    after = resource.getrusage(resource.RUSAGE_SELF)
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 0.02 * 2


def test_the_last_frame_is_seen(session: Session, wayland: WaylandDesktop, user: User) -> None:
    """Mutter drops frames while none is taken, here because native code keeps Python's lock."""
    shared(wayland, user)
    # Not before: over the dialog, it would keep GNOME from drawing it, and its switch from moving.
    program = session.start(sys.executable, "-c", _FLASHES)
    place = Region(0, 0, *SIZE).center
    beside = Region(round(place.x), round(place.y) + 60, 1, 1)
    with wayland.open_screen() as screen:
        pointer = wayland.open_pointer()

        def presses() -> int:
            """Return how many presses the window shows; less than 0 while it flashes."""
            blue, green, red = screen.grab(beside).image[0, 0].tolist()
            return red if (blue, green) == (255, 0) else -1

        def press() -> None:
            pointer.move(place)
            pointer.click(place, "left", None)

        wait_until(lambda: presses() == 0)
        # The first click on a new window may be lost.
        wait_until(lambda: press() or presses() != 0)
        wait_until(lambda: presses() > 0)
        for number in range(presses() + 1, presses() + 3):
            press()
            ctypes.PyDLL(None).usleep(2_000_000)
            wait_until(lambda number=number: presses() == number)
    session.stop(program)


def test_a_refusal_is_reported(wayland: WaylandDesktop, user: User) -> None:
    """The dialog is cancelled; afterwards the user can be asked again."""
    answer = cancelled(user)
    with pytest.raises(AccessRefused, match="was cancelled"):
        wayland.request_access()
    answer.join()
    with pytest.raises(AccessRefused, match="was cancelled"):
        wayland.request_access(again=False)
    shared(wayland, user)
    assert wayland.find_absence() is None


def test_sharing_without_control_is_reported(wayland: WaylandDesktop, user: User) -> None:
    """The switch for remote control is off at first."""
    with pytest.raises(AccessRefused, match="without remote control"):
        shared(wayland, user, control=False)


def test_an_unanswered_dialog_is_reported(
    wayland: WaylandDesktop, user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is closed again after a while, by when it is shown even on a busy machine."""
    monkeypatch.setattr(portal, "_WAITS", replace(portal._WAITS, dialog=8.0))
    with pytest.raises(AccessRefused, match="was not answered"):
        wayland.request_access()
    monkeypatch.undo()
    wait_until(lambda: not user.shows("Share"))


def test_a_stop_closes_the_dialog(wayland: WaylandDesktop, user: User) -> None:
    """Ctrl-C is heard while it is open."""
    with pytest.raises(AccessRefused, match="Stopped before"):
        wayland.request_access(stopped=lambda: user.shows("Share"))
    wait_until(lambda: not user.shows("Share"))
    shared(wayland, user)


def test_a_desktop_without_portals_is_reported(
    wayland: WaylandDesktop, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """No bus; the sentence says what to do."""
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", f"unix:path={tmp_path}/none")
    with pytest.raises(ScreenError, match="session bus does not answer"):
        wayland.request_access()


def test_a_window_alone_is_captured_and_clicked(
    session: Session, wayland: WaylandDesktop, user: User
) -> None:
    """Its part of the stream only; a click is relative to it."""
    with mines(session, user):
        shared(wayland, user, window="Mines")
        with wayland.open_screen() as screen:
            assert screen.region.width < SIZE[0]
            assert wayland.monitors() == []
            pointer, before = wayland.open_pointer(), screen.grab()
            place = Region(0, 0, *before.image.shape[1::-1]).center
            pointer.move(Point(place.x - 90, place.y + 40))
            pointer.click(Point(place.x - 90, place.y + 40), "left", None)
            wait_until(lambda: (screen.grab().image != before.image).mean() > 0.01)
    wait_until(lambda: not wayland.answers())
    assert "or the window was closed" in str(wayland.find_absence())


def test_a_window_of_x11_is_captured_and_clicked(
    session: Session, wayland: WaylandDesktop, user: User
) -> None:
    """As any other window, though XWayland lets no program read its screen."""
    game = session.start_x11("xdemineur")
    shared(wayland, user, window="xdémineur")
    with wayland.open_screen() as screen:
        pointer, before = wayland.open_pointer(), screen.grab()
        place = before.region.center

        def opened() -> bool:
            # A click is lost sometimes; another one on the same cell does nothing more.
            pointer.move(place)
            pointer.click(place, "left", None)
            return bool((screen.grab().image != before.image).any())

        wait_until(opened)
    session.stop(game)


class _WithoutSkin(Desktop):
    """A desktop on which GNOME Mines is an unknown program."""

    @property
    def skins(self) -> tuple[Skin, ...]:
        return tuple(skin for skin in super().skins if skin.name != "gnome-mines")


def test_a_skin_is_taught(session: Session, wayland: WaylandDesktop, user: User) -> None:
    """By the title of its window, which Wayland does not tell, and by the board in a list."""
    skins, desktop = SkinLibrary().skins(), _WithoutSkin()
    known = Matcher(next(skin for skin in skins if skin.name == "gnome-mines"))

    def answer(question: Question) -> int:
        return int(known.match(question.picture[None])[0][0])

    with mines(session, user):
        shared(wayland, user, window="Mines")
        pointer = wayland.open_pointer()

        def begun() -> bool:
            """Open a cell; return whether the board shows each kind that learning needs."""
            with wayland.open_screen() as screen:
                (target,), _ = survey_screen(screen, skins)
            tiles = target.sighting.tiles
            if {COVERED, 0, 1, 2} <= set(tiles.ravel().tolist()):
                return True
            try:
                best = solver("exact").solve(Board(tiles, 10), Limit()).best
            except InconsistentBoard:  # opened cells are still being drawn
                return False
            if best is not None:
                pointer.move(target.grid.center(best))
                pointer.click(target.grid.center(best), "left", None)
            # A cell under the pointer is highlighted.
            pointer.move(Point(target.grid.left - 20, target.grid.top))
            return False

        def learned() -> LearnedSkin | None:
            """Learn from what is shown, which may not yet be what was opened last."""
            try:
                return desktop.learn("Mines", "taught", None, answer)
            except (BoardNotFound, SkinError):
                return None

        wait_until(begun)
        wait_until(learned)
        assert (session.folder / "home/skins/taught").is_dir()
        (board,) = desktop.boards().boards
        assert board.skin == "taught"
        frame, _ = desktop.snapshot(board)
        (seen,), _ = survey(frame, desktop.skins)
        assert seen.tiles.shape == (8, 8)


@contextmanager
def playing(session: Session, user: User, monitors: int = 0) -> Iterator[subprocess.Popen[str]]:
    """GNOME Mines played without end on shared monitors, a turn in half a second."""
    home = session.folder / "home/sessions"
    before = written(home)
    with mines(session, user):
        run = session.play("--window", "gnome", "--games", "1000", "--pace", "2")
        try:
            user.share(monitors=monitors)
            wait_until(lambda: written(home) > before or run.poll() is not None, 120)
            yield run
        finally:
            session.stop(run)
            assert run.stdout is not None
            if not run.stdout.closed:
                # pytest shows it if the test fails.
                sys.stdout.write(run.stdout.read())
                run.stdout.close()


def ended(run: subprocess.Popen[str]) -> str:
    """Return what a run that ends by itself has printed."""
    printed, _ = run.communicate(timeout=60)
    assert run.returncode == 1
    return " ".join(printed.split())


def written(folder: Path) -> int:
    """Return the number of turns in all recordings."""
    return sum(one.read_bytes().count(b"\n") for one in folder.glob("*/turns.jsonl"))


def test_a_corner_of_the_monitor_ends_a_run(session: Session, user: User) -> None:
    """Wherever the pointer came from."""
    with playing(session, user) as run:
        # GNOME drops the first motion of a new mouse. Its upper left corner opens an overview.
        wait_until(lambda: user.move(5000, 5000) or run.poll() is not None)
        assert "corner of the screen" in ended(run)


def test_a_permission_may_be_taken_back(user: User, wayland: WaylandDesktop) -> None:
    """By the orange sign in GNOME's panel; the next run asks again."""
    shared(wayland, user)
    with wayland.open_screen() as screen:
        pointer, picture = wayland.open_pointer(), screen.grab().image
        pointer.move(Point(100, 100))
        user.revoke(picture, lambda: pointer.position)
        wait_until(lambda: not wayland.answers())
        assert "you took the permission back" in str(wayland.find_absence())
        with pytest.raises(ScreenError, match="you took the permission back"):
            screen.grab()
        with pytest.raises(MouseError, match="you took the permission back"):
            pointer.move(Point(100, 100))
    shared(wayland, user)
    assert wayland.find_absence() is None


def test_the_stop_key_is_heard(session: Session, user: User, wayland: WaylandDesktop) -> None:
    """Until it is released. The desktop asks once; after a refusal the reason is reported."""
    assert wayland.open_global_key("stop key", lambda: None) is None, "nothing is permitted yet"
    entry = session.folder / f"home/.local/share/applications/{APPLICATION_ID}.desktop"
    entry.parent.mkdir(parents=True, exist_ok=True)
    entry.write_text("[Desktop Entry]\nType=Application\nName=Minesweeper bot\nExec=true\n")
    asked = portal.Portal()
    offered = asked.registered and asked.versions().shortcuts
    asked.close()
    if not offered:
        pytest.skip("NOT RUN: this desktop has no portal GlobalShortcuts")
    pressed = threading.Event()
    key = PortalKey("stop key", pressed.set)
    held = key.hold("F8")
    user.press("Cancel")
    with pytest.raises(KeyTaken, match="does not give the key F8"):
        held.result()
    held = key.hold("F8")
    user.press("Add")
    held.result()
    for _ in range(2):
        wait_until(lambda: user.type(_F8) or pressed.is_set())
        key.release()
        key.join()
        pressed.clear()
        user.type(_F8)
        assert not pressed.wait(0.5)
        key.hold("F8").result()
    key.close()
    key.join()


def test_faults_are_handled_as_documented(tmp_path: Path) -> None:
    """The game is a program of X11, so that another one can do this to it; the bot sees Wayland.

    The window in front has a button, which is not clicked.
    """
    faults = "window in front", "minimised", "level changed"
    keep_promises(tmp_path, ("--wayland", *faults))


def test_gnome_mines_is_played(session: Session, user: User) -> None:
    """By the command in a terminal: every game is printed and recorded, with a clean audit.

    There are no best times yet, so that every win opens a dialog, which is closed.
    """
    (session.folder / "home/.local/share/gnome-mines/scores/8-8-10").unlink()
    with mines(session, user):
        run = session.play("--window", "gnome", "--games", "3")
        user.share()  # the whole monitor
        printed, _ = run.communicate(timeout=150)
    assert run.returncode == 0, printed
    assert CONSENT in " ".join(printed.split())
    assert "game 3 of 3" in printed
    recorded = sessions(session.folder / "home")
    assert len(recorded) >= 3
    assert audited(recorded).findings == []
    assert looked_at(session.folder)[0] > 10
    assert found(session.folder) == []


@pytest.fixture(scope="module")
def two_monitors() -> Iterator[tuple[Session, User]]:
    """A session with two monitors, of which the left one is scaled."""
    settings = "[org/gnome/mutter]\nexperimental-features=['scale-monitor-framebuffer']\n"
    with (
        tempfile.TemporaryDirectory(prefix="wl") as folder,
        gnome(Path(folder), monitors=_SIZES, settings=settings) as session,
    ):
        session.scale(_SIZES, (1.25, 1.0))
        yield session, User(session)


def test_two_monitors_of_different_scales_are_shared(
    two_monitors: tuple[Session, User], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Points are pixels of the streams, side by side; the pointer goes onto each pixel."""
    session, user = two_monitors
    for name, value in session.environment.items():
        monkeypatch.setenv(name, value)
    wayland = WaylandDesktop()
    shared(wayland, user, monitors=2)
    with wayland.open_screen() as screen:
        places = Region(0, 0, 1600, 1000), Region(1600, 0, 1024, 768)
        assert screen.monitors == places
        assert screen.grab().image.shape == (1000, 2624, 3)
        pointer = wayland.open_pointer()
        for place in (Point(1500, 900), Point(1700, 100), Point(2600, 700)):
            pointer.move(place)
            wait_until(lambda place=place: pointer.position == place)
    wayland.close()


def test_a_window_is_followed_to_another_monitor(two_monitors: tuple[Session, User]) -> None:
    """By GNOME's own keys; its board has another size there."""
    session, user = two_monitors
    played = session.folder / "home/sessions"
    with playing(session, user, monitors=2) as run:
        for arrow in (_RIGHT, _LEFT):
            before = written(played)
            user.type(_SUPER, _SHIFT, arrow)
            # A turn may have been under way.
            wait_until(lambda before=before: written(played) > before + 2 or run.poll() is not None)
            assert run.poll() is None, ended(run)


def test_a_compositor_that_goes_ends_a_run(two_monitors: tuple[Session, User]) -> None:
    """What was played so far is kept. This is the last test: the session ends."""
    session, user = two_monitors
    with playing(session, user, monitors=2) as run:
        session.shell.kill()
        reported = ended(run)
        assert "the desktop session has ended" in reported, reported
    assert sessions(session.folder / "home")
