"""The desktop that is played on: boards that are on their way to the front."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from bot.frame import Region
from bot.loop import Stopped
from gui.private_screen import PrivateScreen
from gui.runner import timeouts
from gui.runner.backend import Desktop, SharedBoards, covered
from gui.runner.protocol import UNKNOWN_SKIN, Candidate, Found
from gui.settings import Settings
from tests.support.boards import SESSIONS
from tests.support.clients import PictureWindow, wait_until
from tests.support.operators import Unattended
from tests.support.sampling import sampled
from vision.desktop import desktop
from vision.desktop.x11_desktop import X11Desktop
from vision.finder import BoardNotFound
from vision.sessions import load_session

pytestmark = pytest.mark.long

SETTINGS = Settings(games=1, record=False)


Picture = NDArray[np.uint8]
BOARD = next(load_session(SESSIONS / "winemine-expert-won").turns()).reading
COVER = np.full((700, 900, 3), 200, np.uint8)
"""A picture of another window, which lies over all of the board's."""


@pytest.fixture
def image(private_screen: PrivateScreen) -> Picture:
    """A picture of a board with a rim, for a window on the screen."""
    assert private_screen
    return np.pad(BOARD.frame.image, ((40, 40), (40, 40), (0, 0)))


class _Painting(threading.Event):
    """The program paints its window while it is waited for.

    Args:
        window: Its window.
        image: What it paints.
        focused: Whether it does so only while its window has the keyboard, as GNOME Mines.
    """

    def __init__(self, window: PictureWindow, image: Picture, *, focused: bool = False) -> None:
        super().__init__()
        self._window, self._image, self._focused = window, image, focused

    def wait(self, timeout: float | None = None) -> bool:
        focused = desktop().focused()
        if not self._focused or (focused is not None and focused.id == self._window.id):
            self._window.show(self._image)
        return super().wait(timeout)


def test_a_window_that_is_not_painted_yet_is_waited_for(image: Picture) -> None:
    """A program that has just been started: its window comes first, its board a moment later."""
    stopped = threading.Event()
    stopped.set()
    with PictureWindow(np.zeros_like(image), (60, 60), "WineMine", "winemine.exe") as window:
        with pytest.raises(Stopped):
            Desktop().candidate("WineMine", None, stopped)
        found = Desktop().candidate("WineMine", None, _Painting(window, image))
        assert found.key == window.id
        assert (found.rows, found.cols, found.mines) == (16, 30, 99)


@pytest.mark.linux
@pytest.mark.parametrize(
    ("cover", "at"), [(COVER, (20, 20)), (COVER[:60, :80], (300, 200))], ids=["all", "part"]
)
def test_a_board_under_another_window_is_listed(
    image: Picture, cover: Picture, at: tuple[int, int]
) -> None:
    """As it is, with what covers it named nowhere; and it is brought to the front to be played."""
    with PictureWindow(image, (60, 60), "WineMine", "winemine.exe") as window:
        backend = Desktop()
        (seen,) = backend.boards().boards
        assert not seen.covered
        with PictureWindow(cover, at, "Notes"):
            # Nothing is said of a cover until it is known whether it matters.
            first = Desktop().boards()
            assert (first.boards, first.remarks, first.incomplete) == ((), (), True)
            found = until(backend, lambda found: bool(found.boards) and not found.incomplete)
            (board,) = found.boards
            assert np.array_equal(board.thumbnail, seen.thumbnail)
            assert (board.key, board.covered, board.hidden) == (window.id, True, False)
            assert (board.region, board.rows, board.cols) == (seen.region, 16, 30)
            assert found.remarks == ()
            frame, pictured = backend.snapshot(board)
            assert pictured.id == window.id
            assert np.array_equal(frame.image, image)
            turns = backend.play(board, lambda: SETTINGS, Unattended())
            assert next(turns).reading.board == BOARD.board
            turns.close()  # type: ignore[attr-defined]  # a generator
            shown = desktop().list_windows()
            assert shown[0].id == window.id
            (board,) = backend.boards().boards
            assert not board.covered


def test_a_covered_board_is_searched_again_when_the_screen_changes(
    image: Picture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A search of the whole screen takes long: a panel at rest must not repeat it for ever."""
    monkeypatch.setattr(timeouts, "LIVE_SEARCH", 0.0)
    with PictureWindow(image, (60, 60), "WineMine", "winemine.exe") as window:
        backend = Desktop()
        (board,) = backend.boards().boards

        def seconds() -> float:
            begin = time.process_time()
            assert backend.analyse(board, "exact", fresh=False) is None
            return time.process_time() - begin

        with PictureWindow(COVER, (20, 20), "Notes"):
            searched = seconds()
            clock = np.full((40, 80, 3), 10, np.uint8)
            with PictureWindow(clock, (1000, 20), "Clock") as elsewhere:
                for shade in (50, 90, 130):
                    elsewhere.show(np.full_like(clock, shade))
                    assert seconds() < searched / 3
        wait_until(lambda: desktop().list_windows()[0].id == window.id)
        window.show(image)
        turn = backend.analyse(board, "exact", fresh=False)
        assert turn is not None
        assert turn.reading.board == BOARD.board
        assert backend.analyse(board, "exact", fresh=False) is None, "it has not changed"
        assert backend.analyse(board, "exact", fresh=True) is not None


@pytest.mark.parametrize("composite", sampled([True, False]), ids=["composite", "without"])
def test_a_covered_board_is_listed_until_its_window_is_closed(
    image: Picture, monkeypatch: pytest.MonkeyPatch, composite: bool
) -> None:
    """In every look, before the picture of its window is complete and where there is none."""
    if not composite:
        monkeypatch.setattr(X11Desktop, "redirect_window", lambda _desktop, _number: None)
    with PictureWindow(image, (60, 60), "WineMine", "winemine.exe") as window:
        backend = Desktop()
        (seen,) = backend.boards().boards
        with PictureWindow(COVER, (20, 20), "Notes"):
            for _ in range(3):
                (board,) = backend.boards().boards
                assert (board.key, board.covered) == (window.id, True)
            window.close()
            assert backend.boards().boards == ()
            with pytest.raises(BoardNotFound, match=r"^The window was closed") as closed:
                backend.candidate(window.id, None, threading.Event())
            assert str(window.id) not in str(closed.value)
        assert seen.key == window.id


@pytest.mark.linux
def test_a_covered_window_is_searched_again_if_it_may_hold_a_board(image: Picture) -> None:
    """One without a game's name only when that is asked for, or after it had a board."""
    plain = np.full_like(image, 90)

    def complete(found: Found) -> bool:
        return not found.incomplete

    with (
        PictureWindow(plain, (60, 60), "Letters", "Writer") as window,
        PictureWindow(COVER, (20, 20), "Notes"),
    ):
        backend = Desktop()
        assert until(backend, complete).boards == ()
        window.show(image)
        assert backend.boards().boards == ()
        (board,) = backend.boards(thorough=True).boards
        assert board.key == window.id
        window.show(plain)
        assert backend.boards().boards == ()
        window.show(image)
        assert [board.key for board in backend.boards().boards] == [window.id]
        # Painted as usual again, its picture has to be asked for anew.
        backend.release_windows()
        assert backend.boards().incomplete
        assert until(backend, complete).boards


def test_windows_without_a_board_are_listed_on_request(private_screen: PrivateScreen) -> None:
    """Those of unknown programs, as long as the user wants that."""
    assert private_screen
    plain = np.full((200, 300, 3), 90, np.uint8)
    with (
        PictureWindow(plain, (60, 60), "Letters", "Writer") as letters,
        PictureWindow(plain, (500, 60), "WineMine", "winemine.exe"),
        PictureWindow(plain, (60, 400), " ", "Nameless"),
    ):
        backend = Desktop()
        before = [board.title for board in backend.boards().boards]
        (listed,) = [one for one in backend.boards(every=True).boards if one.key == letters.id]
        assert (listed.rows, listed.skin) == (0, UNKNOWN_SKIN)
        after = [board.title for board in backend.boards(every=True).boards]
        assert set(after) - {*before, "WineMine"} == {"Letters"}
        assert "Letters" not in [board.title for board in backend.boards().boards]


def until(backend: Desktop, wanted: Callable[[Found], bool]) -> Found:
    """Look for boards until what was found is as wanted."""
    deadline = time.monotonic() + 60
    while not wanted(found := backend.boards()):
        assert time.monotonic() < deadline, found
    return found


def test_a_board_that_its_own_game_covers_stays_in_the_list(image: Picture) -> None:
    """And is played: its window is given the keyboard first. Another title is another game."""
    with PictureWindow(image, (60, 60), "WineMine", "winemine.exe") as window:
        backend = Desktop()
        seen = backend.boards().boards
        window.show(np.full_like(image, 90))
        for _ in range(2):
            (kept,) = backend.boards().boards
            assert (kept.key, kept.skin, kept.covered) == (window.id, "winemine", True)
            assert kept.hidden
        painting = _Painting(window, image, focused=True)
        assert backend.candidate(window.id, None, painting).key == window.id
        shown = desktop().list_windows()
        assert covered(seen, (), shown)
        assert not covered([replace(seen[0], title="Notes")], (), shown)
        assert not covered(seen, seen, shown)
    # The server takes a moment to clear the place of a window that was closed.
    wait_until(lambda: backend.boards().boards == ())


@pytest.mark.linux  # A process on Windows has one program.
def test_a_known_program_that_never_showed_its_board_is_listed(image: Picture) -> None:
    """As it is paused when the panel is opened; an unknown program's window is not."""
    blank = np.full_like(image, 90)
    with (
        PictureWindow(blank, (60, 60), "WineMine", "winemine.exe") as window,
        PictureWindow(blank, (700, 60), "Letters", "Writer"),
    ):
        (board,) = until(Desktop(), lambda found: not found.incomplete).boards
        assert (board.key, board.title, board.skin) == (window.id, "WineMine", "winemine")
        assert (board.rows, board.hidden, board.covered) == (0, True, True)
        backend = Desktop()
        first = backend.boards()
        assert (first.boards, first.incomplete) == ((), True), "it may just have been started"
        window.show(image)
        (board,) = backend.boards().boards
        assert (board.key, board.rows, board.hidden) == (window.id, 16, False)


def shared(left: int, top: int, rows: int = 8) -> Candidate:
    """Return a board on a shared screen of 1200x900 points."""
    region = Region(left, top, 200, 200)
    return Candidate("the screen", "flat", rows, 8, 10, BOARD.frame.image, None, region)


def test_boards_on_a_shared_screen_are_identified_by_place() -> None:
    """No window has a name there. A board keeps its key, also if it is moved or opened again."""
    boards, screen = SharedBoards(), Region(0, 0, 1200, 900)

    def keys(*found: Candidate) -> list[object]:
        return [one.key for one in boards.recognise(found, screen)]

    (one,) = boards.recognise([shared(50, 50)], screen)
    assert one.title == "the screen"
    first, other = boards.recognise([shared(900, 400), shared(60, 50)], screen)
    assert (first.title, other.title) == ("the screen, middle right", "the screen, upper left")
    assert other.key == one.key != first.key
    assert keys(shared(900, 400)) == [first.key]
    assert keys(shared(400, 600), shared(900, 400)) == [one.key, first.key]
    assert keys(shared(400, 600, rows=16)) == [one.key]
    assert keys(shared(50, 50, rows=9)) not in ([one.key], [first.key])
