"""The user's mouse: when it is taken, and when only something else happened to the pointer."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Iterator

import pytest

from bot.frame import Point, Region
from bot.loop import Stopped
from gui.private_screen import PrivateScreen
from tests.xclient import Mice, wait_until
from vision import windows
from vision.usermouse import PlaceOnly, UserMouse, in_corner
from vision.x11.pointer import XPointer
from vision.x11.rawinput import NoRawInput, RawInput

pytestmark = pytest.mark.usefixtures("display")


@pytest.fixture(autouse=True)
def strays() -> None:
    """The pointer is tried here without a game."""


@pytest.fixture
def mice() -> Iterator[Mice]:
    """Somebody else's hand."""
    with Mice() as made:
        made.warp(200, 200)
        yield made


class Listening:
    """The user's mouse, and what it told."""

    def __init__(self) -> None:
        self.told: list[bool] = []
        self.heard = threading.Event()
        self.mouse = UserMouse(self._tell)

    def _tell(self, cornered: bool) -> None:
        self.told.append(cornered)
        self.heard.set()


@pytest.fixture
def user() -> Iterator[Listening]:
    """Listens, and minds."""
    made = Listening()
    made.mouse.mind(threading.Event().wait)
    yield made
    made.mouse.close()


def barrier(user: Listening, mice: Mice) -> None:
    """Wait until all that was done is heard: what comes last is heard last."""
    mice.click()
    assert user.heard.wait(20)
    assert user.told == [False]


def test_what_is_sent_here_is_not_the_users(user: Listening, mice: Mice) -> None:
    """A hundred clicks of our own, announced; then one of the user's, which is heard."""
    pointer = XPointer()
    for at in range(100):
        point = Point(100 + at, 300)
        user.mouse.expect(point, 0)
        pointer.move(point)
        user.mouse.expect(point, 1)
        pointer.click(point, "left", None)
    assert pointer.position == Point(199, 300)
    assert not user.mouse.taken
    barrier(user, mice)


def test_programs_that_put_the_pointer_elsewhere_are_not_the_user(
    user: Listening, mice: Mice
) -> None:
    """Window managers do when the focus changes, and some games do."""
    for at in range(20):
        mice.warp(300 + 10 * at, 300)
    assert mice.place == Point(490, 300)
    assert user.told == []
    barrier(user, mice)


def test_a_table_that_is_bumped_into_is_not_the_user(user: Listening, mice: Mice) -> None:
    """Two small motions and no more."""
    mice.push(1, 0, times=2)
    assert user.told == []
    barrier(user, mice)


@pytest.mark.parametrize("how", ["a hand", "a click", "sent elsewhere", "a wheel that is sent"])
def test_the_user_takes_the_mouse(user: Listening, mice: Mice, how: str) -> None:
    """Each of these is told once, and stays until the mouse is at rest again."""
    if how == "a hand":
        mice.push(2, 1, times=4)
    elif how == "a click":
        mice.click()
    elif how == "sent elsewhere":
        mice.send(400, 401)
    else:
        mice.send_click(4)
    assert user.heard.wait(20)
    assert user.mouse.taken
    assert not user.mouse.cornered
    user.mouse.mind(threading.Event().wait)
    assert not user.mouse.taken
    assert user.told == [False]


def test_whoever_starts_may_let_go_first(mice: Mice) -> None:
    """Until it is minded the mouse may move, and a stop ends the waiting for it."""
    user = Listening()
    mice.push(2, 1, times=5)
    stop = threading.Event()
    stop.set()
    wait_until(lambda: user.mouse._stirred > 0)
    with pytest.raises(Stopped):
        user.mouse.mind(stop.wait)
    user.mouse.mind(threading.Event().wait)
    assert user.told == []
    assert not user.mouse.taken
    user.mouse.close()


def test_every_monitor_has_its_corners(
    user: Listening, mice: Mice, private_screen: PrivateScreen
) -> None:
    """Two monitors side by side: the corner between them counts as well."""
    environment = private_screen.environment
    for name, place in (("one", "800/200x800/200+0+0"), ("two", "480/100x800/200+800+0")):
        output = "screen" if name == "one" else "none"
        command = ["xrandr", "--setmonitor", name, place, output]
        subprocess.run(command, env=environment, check=True)
    try:
        assert windows.monitors() == [Region(0, 0, 800, 800), Region(800, 0, 480, 800)]
        mice.warp(830, 30)
        mice.push(-1, -1, times=3)
        wait_until(lambda: user.mouse.taken)
        assert not user.mouse.cornered
        mice.warp(801, 1)
        mice.push(-1, -1)
        wait_until(lambda: user.mouse.cornered)
        assert user.told == [False, True]
    finally:
        for name in ("one", "two"):
            subprocess.run(["xrandr", "--delmonitor", name], env=environment, check=True)


def test_corners_are_the_last_pixels() -> None:
    """All four of them, and not the one beside."""
    monitors = [Region(0, 0, 800, 600), Region(800, 100, 400, 300)]
    for x, y in ((0, 0), (799, 0), (0, 599), (799, 599), (800, 100), (1199, 399)):
        assert in_corner(Point(x, y), monitors)
    for x, y in ((1, 0), (0, 1), (800, 0), (1199, 400)):
        assert not in_corner(Point(x, y), monitors)


def test_where_devices_are_not_heard_the_place_tells(mice: Mice) -> None:
    """Only what is more than a tremble from where the pointer was left counts."""
    mouse = PlaceOnly(lambda: mice.place)
    assert not mouse.taken
    mouse.expect(Point(200, 200), 0)
    assert not mouse.taken
    mice.warp(203, 200)
    assert not mouse.taken
    mice.warp(204, 200)
    assert mouse.taken
    mouse.mind(threading.Event().wait)
    assert not mouse.taken


def test_a_server_that_is_not_there_tells_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is said so, and no thread is begun."""
    monkeypatch.setenv("DISPLAY", ":4711")
    with pytest.raises(NoRawInput):
        RawInput()
