"""The last look before a click, at real windows."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from Xlib import X

from bot.board import Board, Cell
from bot.frame import Grid, Point, Region
from bot.loop import Turn
from bot.mouse import ClickChecks, ClickStyle, ClickTiming, Mouse
from bot.planner import Action, Move
from gui.private_screen import PrivateScreen
from tests.support.boards import reading_of
from tests.support.xclient import (
    PATIENCE,
    Keyboard,
    Mice,
    PictureWindow,
    adopt,
    button_held,
    wait_until,
)
from vision.click_guard import ClickGuard, SessionGone, find_cause, refuse_absence, refuse_others
from vision.desktop import Window, desktop
from vision.desktop.x11_connection import connected
from vision.desktop.x11_desktop import X11Pointer
from vision.focus import NotInFront

pytestmark = [pytest.mark.linux, pytest.mark.usefixtures("display")]
GREY = np.full((200, 300, 3), 120, np.uint8)


@pytest.fixture(autouse=True)
def strays() -> None:
    """The pointer is tried here without a game."""


@pytest.fixture
def game() -> Iterator[PictureWindow]:
    """A window with a frame."""
    with PictureWindow(GREY, (200, 150), "game") as made:
        yield made


def seen(game: PictureWindow) -> Window:
    """The window as it is at this moment."""
    return next(one for one in desktop().list_windows() if one.id == game.id)


def guarded(game: PictureWindow) -> tuple[ClickGuard, Point]:
    """A guard of a window that was checked, and a point in it on which the pointer is."""
    window = seen(game)
    point = Point(window.region.left + 50, window.region.top + 60)
    guard = ClickGuard(lambda: window, lambda points: refuse_others(window, points))
    guard.check_batch([point])
    X11Pointer().move(point)
    assert guard.check_press(point) is None
    return guard, point


@pytest.mark.parametrize("popup", [True, False], ids=["a menu", "a window"])
def test_no_click_after_another_window_covers_the_game(game: PictureWindow, popup: bool) -> None:
    """The next click is not made, and the batch after it is refused as well."""
    guard, point = guarded(game)
    at = (round(point.x) - 20, round(point.y) - 20)
    with PictureWindow(GREY, at, "other", popup=popup) as other:
        desktop().activate(next(iter(desktop().list_windows()))) if popup else desktop().activate(
            seen(other)
        )
        wait_until(lambda: desktop().uncovered(game.id, [point]) == [False])
        with pytest.raises(NotInFront, match="came over"):
            guard.check_press(point)
        with pytest.raises(NotInFront, match="lies"):
            guard.check_batch([point])


def test_a_window_that_is_closed_or_minimised_between_two_clicks(game: PictureWindow) -> None:
    """Neither is clicked on."""
    guard, point = guarded(game)
    game.window.unmap()
    game.display.sync()
    with pytest.raises(NotInFront, match=r"moved|came over"):
        guard.check_press(point)
    game.close()
    with pytest.raises(NotInFront, match="was closed"):
        guard.check_press(point)
    with pytest.raises(NotInFront, match="was closed"):
        guard.check_batch([point])


def test_a_board_in_no_window_is_not_clicked_on() -> None:
    """Where windows can be asked about, one of them must be it."""
    with pytest.raises(NotInFront, match="in no window"):
        ClickGuard(lambda: None, lambda _points: None).check_batch([Point(5, 5)])


def test_the_pointer_must_be_where_it_was_put(game: PictureWindow) -> None:
    """A tremble is allowed for; a game or a window manager that moves it is waited for."""
    guard, point = guarded(game)
    pointer = X11Pointer()
    with Mice() as mice:
        # What `at` leaves to be sent with the press is sent with any other question.
        assert pointer.position
        mice.warp(round(point.x) + 2, round(point.y) - 2)
        assert guard.check_press(point) is None
        assert pointer.position
        mice.warp(round(point.x) + 3, round(point.y))
        assert "pointer" in (guard.check_press(point) or "")


@pytest.mark.parametrize("name", ["Shift_L", "Control_L", "Alt_L", "Super_L"])
def test_a_key_that_is_held_changes_what_a_click_means(game: PictureWindow, name: str) -> None:
    """Alt and a drag move a window: nothing is clicked meanwhile."""
    guard, point = guarded(game)
    with Keyboard() as keyboard:
        keyboard.hold(name)
        assert "key" in (guard.check_press(point) or "")
        keyboard.let_go(name)
        assert guard.check_press(point) is None


def test_a_button_that_the_user_holds_is_waited_for(game: PictureWindow) -> None:
    """A press in the middle of a drag belongs to the drag."""
    guard, point = guarded(game)
    connection = connected()
    assert connection is not None
    connection.send_button(2, down=True)
    try:
        assert "button" in (guard.check_press(point) or "")
    finally:
        connection.send_button(2, down=False)
    wait_until(lambda: guard.check_press(point) is None)


@pytest.mark.parametrize("order", [[1, 2, 3], [3, 2, 1]], ids=["right-handed", "left-handed"])
def test_swapped_mouse_buttons_are_respected(game: PictureWindow, order: list[int]) -> None:
    """What a program is reported is the button that was meant."""
    mapping = game.display.get_pointer_mapping()
    game.window.change_attributes(event_mask=X.ButtonPressMask)
    game.display.set_pointer_mapping(order + mapping[3:])
    try:
        pointer, (_, point) = X11Pointer(), guarded(game)
        reported: list[int] = []
        for button in ("left", "middle", "right"):
            pointer.click(point, button, None)
            wait_until(lambda: not button_held())
            wait_until(game.display.pending_events)
            reported += (event.detail for event in _events(game) if event.type == X.ButtonPress)
    finally:
        game.display.set_pointer_mapping(mapping)
    assert reported == [1, 2, 3]


def _events(game: PictureWindow) -> list[Any]:
    """What a window was reported of."""
    return [game.display.next_event() for _ in range(game.display.pending_events())]


def test_locked_or_inactive_screen_is_not_clicked() -> None:
    """Locked, or another session on the screen; as long as it lasts."""
    refuse_absence()
    with Mice() as mice:
        mice.tell("_SCREENSAVER_STATUS", "INTEGER", mice.display.intern_atom("LOCK"))
        with pytest.raises(SessionGone, match="the screen is locked: nothing more is clicked"):
            refuse_absence()
        mice.tell("_SCREENSAVER_STATUS", "INTEGER", mice.display.intern_atom("BLANK"))
        refuse_absence()
        mice.tell("XFree86_has_VT", "INTEGER", 0)
        assert desktop().find_absence() == "another session is on the screen"
        mice.tell("XFree86_has_VT", "INTEGER", 1)
        assert desktop().find_absence() is None
        for name in ("_SCREENSAVER_STATUS", "XFree86_has_VT"):
            mice.unsay(name)


@pytest.mark.parametrize(
    ("changed", "gone"),
    [
        ({}, True),
        ({"STATE": "active"}, False),
        ({"DISPLAY": ":77"}, False),
        ({"UID": "77"}, False),
    ],
)
def test_logind_reports_another_session(
    tmp_path: Path,
    private_screen: PrivateScreen,
    monkeypatch: pytest.MonkeyPatch,
    changed: dict[str, str],
    gone: bool,
) -> None:
    """Ours is the one of this user and display; one of another display is not asked about."""
    reported = {"UID": str(os.getuid()), "DISPLAY": private_screen.environment["DISPLAY"]}
    reported |= {"ACTIVE": "0", "STATE": "online"} | changed
    lines = "".join(f"{name}={value}\n" for name, value in reported.items())
    (tmp_path / "2").write_text(f"# This is private data. Do not parse.\n{lines}")
    monkeypatch.setattr("vision.desktop.x11_desktop.SESSIONS", tmp_path)
    assert (desktop().find_absence() is not None) == gone
    monkeypatch.setattr("vision.desktop.x11_desktop.SESSIONS", tmp_path / "none")
    assert desktop().find_absence() is None


def test_a_display_that_is_gone_is_the_cause_of_everything(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whatever error that makes; while it is there, errors are what they are."""
    error = KeyError("whatever")
    assert find_cause(error) is error
    with PrivateScreen() as screen:
        adopt(screen, monkeypatch)
        pointer = X11Pointer()
        pointer.move(Point(5, 5))
        assert pointer.position == Point(5, 5)
    assert "is gone" in str(find_cause(error))
    with pytest.raises(SessionGone, match="is gone"):
        refuse_absence()
    reported = _until_it_fails(lambda: pointer.move(Point(6, 6)))
    assert "is gone: nothing more is clicked" in str(reported)


def _until_it_fails(send: Callable[[], None]) -> Exception:
    """A broken connection is noticed by the second event at the latest."""
    for _ in range(3):
        try:
            send()
        except Exception as error:  # noqa: BLE001 - it is looked at by the caller
            return error
    raise AssertionError("nothing failed")


class Game:
    """A window that the test clicks on, and the mouse events that it receives.

    Args:
        shown: The window.
        pointer: Sends the events.
        while_held: Called when a press has arrived; the button is then held for a moment.
    """

    def __init__(
        self,
        shown: PictureWindow,
        pointer: X11Pointer | None = None,
        while_held: Callable[[], object] | None = None,
    ) -> None:
        self.shown = shown
        shown.window.change_attributes(event_mask=X.ButtonPressMask | X.ButtonReleaseMask)
        shown.display.sync()
        found = desktop().window_at(shown.region.center)
        assert found is not None
        self._window = found
        place = self._window.region
        self.grid = Grid(place.left + 20, place.top + 20, 16, 16, 3, 4)
        guard = ClickGuard(lambda: self._window, lambda points: refuse_others(self._window, points))

        def still(point: Point) -> str | None:
            obstacle = guard.check_release(point)
            if obstacle is None and while_held is not None:
                while_held()
            return obstacle

        self._hand = Mouse(
            pointer or X11Pointer(),
            ClickChecks(
                guard.check_batch, button_held, guard.check_press, still, guard.find_release_point
            ),
            threading.Event(),
            Region(0, 0, 1280, 800),
            style=lambda: ClickStyle(ClickTiming(hold=0.001 if while_held else 0.0)),
        )

    def open(self, cell: Cell) -> None:
        """Click on a cell."""
        reading = replace(reading_of(Board.covered(3, 4, 2)), grid=self.grid)
        self._hand.act(Turn(0, reading, None, (Move(Action.OPEN, cell),)))

    def reported(self) -> list[Cell | None]:
        """Return the cells at which a button was pressed and released, as the window has it."""
        wait_until(lambda: not button_held())
        self.shown.display.sync()
        corner = self._window.region
        points = (
            Point(one.event_x + corner.left, one.event_y + corner.top)
            for one in _events(self.shown)
            if one.type in (X.ButtonPress, X.ButtonRelease)
        )
        return [self.grid.cell_at(point) for point in points]


@contextmanager
def busy(private_screen: PrivateScreen) -> Iterator[None]:
    """Let the window manager be busy within the block: what it is asked to do is done after it."""
    manager = private_screen.processes[1]
    manager.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        manager.send_signal(signal.SIGCONT)


def test_a_press_and_its_release_fall_on_the_cell(game: PictureWindow) -> None:
    """Whether a window manager holds the press back or not; the pointer ends where it was put."""
    clicked = Game(game)
    for cell in (Cell(0, 0), Cell(2, 3), Cell(1, 1)):
        clicked.open(cell)
        assert clicked.reported() == [cell, cell]


@pytest.mark.parametrize("cover", [False, True], ids=["moved", "covered"])
def test_a_window_manager_that_holds_a_press_back(
    game: PictureWindow, private_screen: PrivateScreen, cover: bool
) -> None:
    """Meanwhile it moves the window, or puts another one over it: there is no click in either."""
    clicked = Game(game)
    at = (game.region.left - 30, game.region.top - 30)
    with PictureWindow(GREY, at, "other") as other, ThreadPoolExecutor() as threads:
        desktop().activate(seen(game))
        wait_until(
            lambda: desktop().uncovered(game.id, [clicked.grid.center(Cell(1, 1))]) == [True]
        )
        other.window.change_attributes(event_mask=X.ButtonPressMask | X.ButtonReleaseMask)
        with busy(private_screen):
            if cover:
                other.keep_above(other.id)
            else:
                other.resource(game.id).configure(x=game.region.left - 17)
                other.display.sync()
            click = threads.submit(clicked.open, Cell(1, 1))
            wait_until(lambda: button_held() or click.done())
        with pytest.raises(NotInFront, match="came over" if cover else "has moved"):
            click.result(PATIENCE)
        wait_until(lambda: not button_held())
        for window in (game, other):
            released = [one for one in _events(window) if one.type == X.ButtonRelease]
            inside = [
                Region(0, 0, 300, 200).contains(Point(e.event_x, e.event_y)) for e in released
            ]
            assert not any(inside)


def test_a_window_that_moves_between_the_last_look_and_the_press() -> None:
    """The press falls on the cell nevertheless, and nothing is released there."""

    class Mover(X11Pointer):
        def click(self, point: Point, button: str, hold: Callable[[], object] | None) -> None:
            shown.window.configure(x=216)
            shown.display.sync()
            super().click(point, button, hold)

    with PictureWindow(GREY, (200, 150), "game", popup=True) as shown:
        clicked = Game(shown, pointer=Mover())
        with pytest.raises(NotInFront, match="has moved"):
            clicked.open(Cell(1, 1))
        assert clicked.reported() == [Cell(1, 1), None]


def test_a_window_that_moves_while_a_button_is_held(game: PictureWindow) -> None:
    """Programs that need a longer press get no release on another cell."""

    def move() -> None:
        game.move(game.region.left + 16, game.region.top)

    clicked = Game(game, while_held=move)
    with pytest.raises(NotInFront, match="has moved"):
        clicked.open(Cell(1, 1))
    assert clicked.reported() == [Cell(1, 1), None]
