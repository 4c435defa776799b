"""The user's mouse: when it is taken, and when only something else happened to the pointer."""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress

import numpy as np
import pytest

from bot.frame import Point, Region
from bot.loop import Stop, Stopped
from gui.private_screen import PrivateScreen
from tests.support.clients import Keyboard, Mice, PictureWindow, focus, wait_until
from tests.support.operators import Unattended
from vision.desktop import OWN_CLASS, desktop
from vision.desktop.base import InputEvent, InputEvents
from vision.desktop.user_mouse import DeviceMouse, MouseInUse, UserMouse, in_corner

pytestmark = [
    pytest.mark.long,
    pytest.mark.usefixtures("display"),
]


@pytest.fixture(autouse=True)
def strays() -> None:
    """The pointer is tried here without a game."""


@pytest.fixture
def mice() -> Iterator[Mice]:
    """Somebody else's hand."""
    with Mice() as made:
        made.warp(200, 200)
        yield made


def opened_events() -> InputEvents:
    """The events of the devices."""
    events = desktop().open_input_events()
    assert events is not None
    return events


SENT = pytest.param("sent", marks=pytest.mark.linux)
"""Windows does not tell a sent motion from a device's, and one that moves nothing is none."""


class Listening(Unattended):
    """The user's mouse, with its reports: False for an override, True for a corner."""

    can_override = True

    def __init__(self, events: InputEvents | None = None, began: Point | None = None) -> None:
        super().__init__(Stop())
        self.stopped.call_when_set(lambda: self._tell(cornered=True))
        self.reported: list[bool] = []
        self.heard = threading.Event()
        self.mouse = DeviceMouse(events or opened_events(), self, desktop().open_pointer(), began)

    def pause(self, _why: object, /) -> None:
        """The user has taken the mouse."""
        self._tell(cornered=False)

    def _tell(self, *, cornered: bool) -> None:
        self.reported.append(cornered)
        self.heard.set()

    @contextmanager
    def waiting(self, wait: Callable[[float], bool]) -> Iterator[None]:
        """Wait by a function of the test in the block."""
        waits = self.mouse._waits
        before, waits.wait = waits.wait, wait
        try:
            yield
        finally:
            waits.wait = before


@pytest.fixture
def user() -> Iterator[Listening]:
    """Listens, and minds; the pointer is in no corner, where another test may have left it."""
    pointer, middle = desktop().open_pointer(), Point(640, 400)
    pointer.move(middle)
    wait_until(lambda: pointer.position == middle)
    made = Listening()
    made.mouse.wait_until_idle()
    yield made
    made.mouse.close()


def put(user: Listening, place: Point, meanwhile: Callable[[], object] = lambda: None) -> None:
    """Put the pointer somewhere as a run does; another thread may do something meanwhile."""
    pointer = desktop().open_pointer()
    user.mouse.expect(place, 0)
    meanwhile()
    user.mouse.note_position(pointer.move(place))
    # A window manager may hold it back together with a click before it.
    wait_until(lambda: pointer.position == place)


def barrier(user: Listening, mice: Mice) -> None:
    """Wait until all that was done is heard: what comes last is heard last."""
    mice.click()
    assert user.heard.wait(20)
    assert user.reported == [False]


def test_announced_events_are_no_override(user: Listening, mice: Mice) -> None:
    """A hundred clicks of our own, announced; then one of the user's, which is heard."""
    pointer = desktop().open_pointer()
    for at in range(100):
        point = Point(100 + at, 300)
        user.mouse.expect(point, 0)
        pointer.move(point)
        user.mouse.expect(point, 1)
        pointer.click(point, "left", None)
    assert pointer.position == Point(199, 300)
    assert not user.mouse.overridden
    barrier(user, mice)


def test_warped_pointer_is_no_override(mice: Mice, user: Listening) -> None:
    """Window managers do when the focus changes, and some games do."""
    for at in (300, 400):
        mice.warp(at, 300)
        user.mouse.button_held()
    assert mice.place == Point(400, 300)
    assert user.reported == []
    barrier(user, mice)


def test_pointer_warped_along_a_path_is_an_override(user: Listening, mice: Mice) -> None:
    """As `xdotool mousemove` does, of which no device tells; reported once."""
    put(user, Point(300, 300))
    places = iter(range(200, 10_000))
    wait_until(lambda: mice.warp(next(places), 301) or user.heard.is_set())
    assert user.mouse.overridden
    user.mouse.wait_until_idle()
    assert user.reported == [False]


def test_two_small_motions_are_no_override(user: Listening, mice: Mice) -> None:
    """Two small motions and no more."""
    mice.push(1, 0, times=2)
    assert user.reported == []
    barrier(user, mice)


def test_the_pointer_is_not_moved_once_the_pause_is_reported(user: Listening, mice: Mice) -> None:
    """What the user does while an event is being sent is reported when it has been sent."""
    with user.mouse.sending():
        mice.click()
        assert not user.heard.wait(0.5)
        put(user, Point(300, 300))
    assert user.heard.wait(20)
    user.can_override = False
    with pytest.raises(MouseInUse), user.mouse.sending():
        raise AssertionError


class Counted:
    """The events of the devices; tells when so many have been judged."""

    def __init__(self, count: int) -> None:
        self._events = opened_events()
        self._left = count
        self.judged = threading.Event()

    @property
    def handle(self) -> int:
        """As of the events."""
        return self._events.handle

    @property
    def pending(self) -> bool:
        """Whether there are more; asked once those before have been judged."""
        if self._left <= 0:
            self.judged.set()
        return self._events.pending

    def pop_events(self) -> list[InputEvent]:
        """Return the events since the last call."""
        found = self._events.pop_events()
        self._left -= len(found)
        return found

    def close(self) -> None:
        """Stop listening."""
        self._events.close()


def test_motion_before_the_start_is_no_override(mice: Mice) -> None:
    """Until it is minded the mouse may move, and a stop ends the waiting for it."""

    def waits() -> bool:
        events = Counted(5)
        user = Listening(events)
        try:
            mice.push(2, 1, times=5)
            assert events.judged.wait(20)
            with suppress(Stopped):
                with user.waiting(lambda _seconds: True):
                    user.mouse.wait_until_idle()
                # On a busy machine the mouse was at rest before this was asked.
                return False
            user.mouse.wait_until_idle()
            assert user.reported == []
            assert not user.mouse.overridden
            return True
        finally:
            user.mouse.close()

    wait_until(waits)


@pytest.mark.linux
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
        assert desktop().monitors() == [Region(0, 0, 800, 800), Region(800, 0, 480, 800)]
        mice.warp(830, 30)
        mice.push(-1, -1, times=3)
        wait_until(lambda: user.mouse.overridden)
        assert not user.mouse.cornered
        mice.warp(801, 1)
        mice.push(-1, -1)
        wait_until(lambda: user.mouse.cornered)
        wait_until(lambda: user.reported == [False, True])
    finally:
        for name in ("one", "two"):
            subprocess.run(["xrandr", "--delmonitor", name], env=environment, check=True)


@pytest.mark.parametrize("corner", [(0, 0), (1279, 0), (0, 799), (1279, 799)])
def test_a_pointer_that_a_program_puts_into_a_corner_counts(
    user: Listening, mice: Mice, corner: tuple[int, int]
) -> None:
    """No device tells of it, as none does of `xdotool mousemove 0 0`."""
    mice.warp(*corner)
    wait_until(lambda: user.reported == [True])
    assert not user.mouse.overridden


def test_a_corner_that_the_run_moves_the_pointer_away_from_counts(
    user: Listening, mice: Mice
) -> None:
    """At full speed the pointer stays there for less than a millisecond."""
    mice.warp(0, 0)
    put(user, Point(300, 300))
    assert user.reported == [True]


def test_a_corner_in_which_the_run_put_the_pointer_or_found_it_does_not_count(mice: Mice) -> None:
    """Only that the user comes there during the run does, and then it counts at each borrowing."""
    mice.warp(0, 0)
    user = Listening()
    user.mouse.wait_until_idle()
    for place in (Point(0, 0), Point(50, 50), Point(1279, 0), Point(300, 300)):
        assert not user.mouse.borrow_pointer()
        # The corner is also looked at after a motion was announced, and before it was made.
        put(user, place, user.mouse.button_held)
        user.mouse.return_pointer()
        assert not user.mouse.button_held()
    assert user.reported == []
    mice.warp(0, 0)
    user.mouse.borrow_pointer()
    # It may be heard as well as found there.
    assert set(user.reported) == {True}
    user.mouse.close()


@contextmanager
def our_window(*, popup: bool = False) -> Iterator[PictureWindow]:
    """Show a window of this program."""
    picture = np.full((200, 300, 3), 90, np.uint8)
    with PictureWindow(picture, (500, 300), "panel", OWN_CLASS, popup=popup) as made:
        wait_until(lambda: desktop().place_of(made.id))
        left, top = made.region[:2]
        # The frame of a window that was closed just before may still lie there.
        wait_until(lambda: desktop().uncovered(made.id, [Point(left + 150, top + 100)]) == [True])
        yield made


# In Wine the window manager draws the frame, and Windows programs do not hear of the input there.
@pytest.fixture(params=["window", pytest.param("frame", marks=pytest.mark.linux)])
def ours(request: pytest.FixtureRequest) -> Iterator[tuple[int, int]]:
    """A window of this program: a point in it, or on its frame."""
    with our_window() as made:
        left, top = made.region[:2]
        yield (left + 150, top - 8) if request.param == "frame" else (left + 150, top + 100)
        made.close()


def test_an_open_menu_of_this_program_is_waited_for(user: Listening, mice: Mice) -> None:
    """It would take the click and close; what is done in it is no override."""
    with our_window(popup=True) as menu:
        mice.warp(650, 400)
        mice.push(1, 1, times=4)
        mice.click()
        waits: list[float] = []

        def wait(seconds: float) -> bool:
            waits.append(seconds)
            if len(waits) == 4:
                menu.close()
            return threading.Event().wait(seconds)

        with user.waiting(wait):
            assert user.mouse.borrow_pointer()
        user.mouse.return_pointer()
    assert len(waits) >= 4
    assert user.reported == []


@pytest.mark.parametrize("how", ["a hand", "a click", SENT, "a wheel that is sent"])
def test_input_in_a_window_of_this_program_is_no_override(
    user: Listening, mice: Mice, ours: tuple[int, int], how: str
) -> None:
    """On the desktop beside it the same is one, until the mouse is at rest again."""
    x, y = ours

    def act(x: int, y: int) -> None:
        if how == "sent":
            mice.send(x, y)
        elif how == "a hand":
            mice.push(1, 0, times=4)
        elif how == "a click":
            mice.click()
        else:
            mice.send_click(4)

    mice.warp(x, y)
    act(x, y)
    place = mice.place
    # Heard, and waited for.
    assert user.mouse.borrow_pointer()
    put(user, Point(50, 60))
    assert user.mouse.position_to_restore() == place
    user.mouse.return_pointer()
    assert user.reported == []
    mice.warp(100, 100)
    act(100, 100)
    wait_until(lambda: user.reported == [False])
    assert user.mouse.overridden
    assert not user.mouse.cornered
    user.mouse.wait_until_idle()
    assert not user.mouse.overridden
    assert user.reported == [False]


def test_the_pointer_stays_for_a_while_where_the_user_has_put_it(
    user: Listening, mice: Mice, ours: tuple[int, int]
) -> None:
    """The user looks before pressing; what follows a start or Resume at once counts for less."""
    mice.warp(*ours)
    # To and fro, as on a busy machine it takes many pushes until one is heard.
    step = 1

    def moved_and_borrowed() -> float:
        nonlocal step
        step = -step
        mice.push(step, 0, times=4)
        begin = time.monotonic()
        user.mouse.borrow_pointer()
        user.mouse.return_pointer()
        return time.monotonic() - begin

    wait_until(lambda: moved_and_borrowed() > 1)
    wait_until(lambda: user.mouse.note_resumption() or moved_and_borrowed() < 1)
    assert user.reported == []


def test_a_pointer_that_left_the_start_button_stays_for_a_while(
    mice: Mice, ours: tuple[int, int]
) -> None:
    """The user has gone on to another control while the run was being prepared."""
    mice.warp(*ours)
    listening = Listening(began=Point(ours[0] + 60, ours[1]))
    listening.mouse.wait_until_idle()
    begin = time.monotonic()
    assert listening.mouse.borrow_pointer()
    assert time.monotonic() - begin > 1
    listening.mouse.close()


def test_a_borrowed_pointer_is_put_back(user: Listening, mice: Mice, ours: tuple[int, int]) -> None:
    """A hand that moves it meanwhile meant to move it there; elsewhere it is only parked."""
    x, y = ours
    mice.warp(x, y)
    for _ in range(2):
        user.mouse.borrow_pointer()
        put(user, Point(50, 60))
        assert user.mouse.position_to_restore() == Point(x, y)
        mice.push(2, 2, times=5)
        wait_until(lambda: user.mouse.in_use)
        assert not user.mouse.overridden
        put(user, Point(x, y))
        user.mouse.return_pointer()
    mice.warp(100, 100)
    assert not user.mouse.borrow_pointer()
    put(user, Point(50, 60))
    assert user.mouse.position_to_restore() is None


@pytest.mark.linux
def test_a_program_that_moves_a_borrowed_pointer_elsewhere_takes_it(
    user: Listening, mice: Mice, ours: tuple[int, int]
) -> None:
    """Its events name their place: within a window of this program they are no override."""
    x, y = ours
    mice.warp(x, y)
    user.mouse.borrow_pointer()
    mice.send(x + 1, y)
    wait_until(lambda: user.mouse.in_use)
    assert user.reported == []
    mice.send(100, 100)
    wait_until(lambda: user.reported == [False])


def test_a_pointer_that_ended_the_run_is_not_put_back(
    user: Listening, mice: Mice, ours: tuple[int, int]
) -> None:
    """It stays in the corner, though it was borrowed from a window of this program."""
    mice.warp(*ours)
    user.mouse.borrow_pointer()
    put(user, Point(50, 60))
    mice.warp(0, 0)
    wait_until(lambda: user.reported == [True])
    assert user.mouse.position_to_restore() is None


def test_a_press_on_the_game_counts_while_the_pointer_is_borrowed(
    user: Listening, mice: Mice, ours: tuple[int, int]
) -> None:
    """One that came before the pointer was borrowed fell into our own window, however late."""
    mice.warp(*ours)
    user.mouse.borrow_pointer()
    put(user, Point(*ours))
    mice.send_click()
    put(user, Point(50, 60))
    wait_until(lambda: user.mouse.in_use)
    assert user.reported == []
    mice.send_click()
    put(user, Point(*ours))
    user.mouse.return_pointer()
    wait_until(lambda: user.reported == [False])


def test_button_held_in_own_window_is_waited_for(
    user: Listening, mice: Mice, ours: tuple[int, int]
) -> None:
    """The pointer is not taken from under a button that is held down there."""
    mice.warp(*ours)
    user.mouse.borrow_pointer()
    user.mouse.return_pointer()
    waits: list[float] = []
    with ExitStack() as held:
        held.enter_context(mice.button_down())

        def wait(seconds: float) -> bool:
            waits.append(seconds)
            if len(waits) == 3:
                held.close()
            return False

        with user.waiting(wait):
            assert user.mouse.borrow_pointer()
    assert len(waits) >= 3
    user.mouse.return_pointer()
    assert user.reported == []


def test_typing_in_own_window_is_waited_for(user: Listening, mice: Mice) -> None:
    """Wherever the pointer is; a key in another program's window, and F7, are nothing to wait for.

    No key is an override.
    """
    mice.warp(200, 200)
    with Keyboard() as keyboard:
        waits: list[float] = []

        def wait(seconds: float) -> bool:
            waits.append(seconds)
            if len(waits) == 1:
                keyboard.press("b")
            return threading.Event().wait(seconds)

        def press_unminded(key: str) -> None:
            user.mouse.wait_until_idle()
            user.reported.clear()
            user.heard.clear()
            keyboard.press(key)
            # Heard after the key; a click would change which window has the keyboard.
            mice.push(2, 1, times=4)
            assert user.heard.wait(20)
            with user.waiting(wait):
                assert not user.mouse.borrow_pointer()
            user.mouse.return_pointer()
            assert user.reported == [False]

        with our_window() as made:
            focus(made.id)
            with user.waiting(wait):
                wait_until(lambda: user.mouse.borrow_pointer() or keyboard.press("a"))
            user.mouse.return_pointer()
            assert user.reported == []
            press_unminded("F7")
        with PictureWindow(np.full((90, 90, 3), 9, np.uint8), (20, 20), "game", "game") as other:
            wait_until(lambda: desktop().place_of(other.id))
            focus(other.id)
            press_unminded("a")
    assert waits


def test_corners_are_the_last_pixels() -> None:
    """All four of them, and not the one beside."""
    monitors = [Region(0, 0, 800, 600), Region(800, 100, 400, 300)]
    for x, y in ((0, 0), (799, 0), (0, 599), (799, 599), (800, 100), (1199, 399)):
        assert in_corner(Point(x, y), monitors)
    for x, y in ((1, 0), (0, 1), (800, 0), (1199, 400)):
        assert not in_corner(Point(x, y), monitors)


def test_position_decides_without_device_events(mice: Mice) -> None:
    """Only what is more than a tremble from where the pointer was left counts."""
    mouse = UserMouse(Unattended(), desktop().open_pointer())
    assert not mouse.overridden
    mouse.expect(Point(200, 200), 0)
    assert not mouse.overridden
    mice.warp(203, 200)
    assert not mouse.overridden
    mice.warp(204, 200)
    assert mouse.overridden
    mouse.wait_until_idle()
    assert not mouse.overridden


@pytest.mark.linux
def test_missing_server_has_no_input_events(monkeypatch: pytest.MonkeyPatch) -> None:
    """No error, and no thread is begun."""
    monkeypatch.setenv("DISPLAY", ":4711")
    assert desktop().open_input_events() is None
