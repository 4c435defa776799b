"""The hand: what it sends, in which order, and when it refuses."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace

import pytest

from bot.board import Board, Cell
from bot.frame import Grid, Point, Region
from bot.loop import Event, Stopped, Turn
from bot.mouse import (
    ClickChecks,
    ClickStyle,
    Mouse,
    MouseError,
    NoUser,
    UserGuard,
    parking_points,
)
from bot.planner import Action, Move
from tests.support.boards import grid_of, reading_of

SCREEN = Region(0, 0, 1280, 800)


class RecordingPointer:
    """A pointer that only writes down what it would do."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.position = Point(0, 0)

    def move(self, point: Point) -> None:
        """Write it down."""
        self.position = point
        self.events.append(Event("move", "", point))

    def click(self, point: Point, button: str, hold: Callable[[], object] | None) -> None:
        """Write it down."""
        if hold is not None:
            hold()
        self.events.append(Event("click", button, point))

    def press(self, key: str) -> None:
        """Write it down."""
        self.events.append(Event("key", key, None))


def presses(pointer: RecordingPointer) -> list[Event]:
    """Return the clicks among a pointer's events."""
    return [event for event in pointer.events if event.kind == "click"]


class Refused(Exception):
    """The guard's word in these tests."""


@pytest.fixture(autouse=True)
def strays() -> None:
    """Nothing is sent to a display here."""


def refuse(_points: Sequence[Point]) -> None:
    """Refuse the points: another window is there."""
    raise Refused


NO_CHECKS = ClickChecks(lambda _points: None, lambda: False)


def hand(
    pointer: RecordingPointer,
    checks: ClickChecks = NO_CHECKS,
    stop: threading.Event | None = None,
    user: UserGuard | None = None,
    chord: str = "middle",
) -> Mouse:
    """Return a mouse that records its events."""
    style = ClickStyle(chord=chord)
    return Mouse(pointer, checks, stop or threading.Event(), SCREEN, user, lambda: style)


def sent_for(what: Turn, pointer: RecordingPointer, chord: str = "middle") -> tuple[Event, ...]:
    """Return the events that a mouse reports for a turn; it reports them once."""
    acting = hand(pointer, chord=chord)
    acting.act(what)
    sent = acting.pop_events()
    assert acting.pop_events() == ()
    return sent


def turn(*moves: Move) -> Turn:
    """Return a turn on a board of 4 x 3 cells."""
    return Turn(0, reading_of(Board.covered(3, 4, 2)), None, moves)


def opens(count: int) -> Turn:
    """Return a turn that opens so many cells of the first row."""
    return turn(*(Move(Action.OPEN, Cell(0, col)) for col in range(count)))


def test_moves_become_clicks_in_the_middle_of_their_cells() -> None:
    """Left opens, right flags, middle chords; then the pointer leaves the board."""
    pointer = RecordingPointer()
    moves = (
        Move(Action.OPEN, Cell(0, 0)),
        Move(Action.FLAG, Cell(2, 3)),
        Move(Action.CHORD, Cell(1, 1)),
    )
    sent = sent_for(turn(*moves), pointer)
    assert [(event.kind, event.detail) for event in sent] == [
        ("click", "left"), ("click", "right"), ("click", "middle"), ("move", ""),
    ]  # fmt: skip
    grid = grid_of(3, 4)
    assert [grid.cell_at(event.point) for event in sent if event.point] == [
        Cell(0, 0), Cell(2, 3), Cell(1, 1), None,
    ]  # fmt: skip
    assert [event for event in sent if event.kind == "click"] == presses(pointer)
    assert pointer.events[0::2] == [Event("move", "", event.point) for event in sent]


def test_the_program_says_how_it_chords() -> None:
    """The left button; two clicks at one place; the right one while the left one is down."""
    chord, centre = turn(Move(Action.CHORD, Cell(1, 1))), grid_of(3, 4).center(Cell(1, 1))
    assert sent_for(chord, RecordingPointer(), chord="left")[0] == Event("click", "left", centre)
    double, both = RecordingPointer(), RecordingPointer()
    sent_for(chord, double, chord="double")
    assert presses(double) == [Event("click", "left", centre)] * 2
    sent = sent_for(chord, both, chord="both")
    # Each is written down when it is released.
    assert [event.detail for event in presses(both)] == ["right", "left"]
    assert sent[0] == Event("click", "left+right", centre)


def test_nothing_is_sent_if_the_guard_refuses() -> None:
    """Nothing is sent, not even a movement, where the window is not what lies there."""
    pointer = RecordingPointer()
    acting = hand(pointer, replace(NO_CHECKS, before_batch=refuse))
    for what in (opens(1), turn(Move(Action.RESTART))):
        with pytest.raises(Refused):
            acting.act(what)
    assert pointer.events == []


def test_a_stop_keeps_the_rest_back() -> None:
    """Once the event is set, the next click is not made."""
    pointer, stop = RecordingPointer(), threading.Event()

    def stop_after_the_first() -> bool:
        stop.set()
        return False

    with pytest.raises(Stopped):
        hand(pointer, replace(NO_CHECKS, button_down=stop_after_the_first), stop).act(opens(4))
    assert len(presses(pointer)) == 1


def test_the_next_click_waits_for_the_last_to_arrive() -> None:
    """A window manager may hold a click back: until it lets go, the pointer does not even move."""
    pointer = RecordingPointer()
    answers = iter([True, True, False, False])
    sent_before: list[int] = []

    def held() -> bool:
        sent_before.append(len(pointer.events))
        return next(answers)

    hand(pointer, replace(NO_CHECKS, button_down=held)).act(opens(2))
    assert sent_before == [2, 2, 2, 4]


def test_a_button_that_stays_down_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody holds the mouse: the second click is not sent."""
    monkeypatch.setattr("bot.mouse._ARRIVAL_SECONDS", 0.001)
    pointer = RecordingPointer()
    with pytest.raises(MouseError, match="is held down"):
        hand(pointer, replace(NO_CHECKS, button_down=lambda: True)).act(opens(2))
    assert len(presses(pointer)) == 1


def test_each_click_is_looked_at_with_the_pointer_there() -> None:
    """What comes in the way in the middle of a batch is waited out, or ends it."""
    pointer = RecordingPointer()
    seen: list[tuple[Point, Point]] = []
    answers = iter([None, "a key is down", None])

    def aim(point: Point) -> str | None:
        seen.append((point, pointer.position))
        answer = next(answers, "")
        if answer == "":
            raise Refused
        return answer

    with pytest.raises(Refused):
        hand(pointer, replace(NO_CHECKS, before_press=aim)).act(opens(4))
    grid = grid_of(3, 4)
    wanted = [grid.center(Cell(0, col)) for col in (0, 1, 1, 2)]
    assert seen == [(point, point) for point in wanted]
    assert [event.point for event in presses(pointer)] == wanted[:2]


def test_a_press_that_is_not_released_upon_the_game_was_sent() -> None:
    """Programs that act on the press may cover the cell, as by the dialog at the end of a game."""
    looks: list[Point] = []

    def still(point: Point) -> str | None:
        looks.append(point)
        if len(looks) == 2:
            raise Refused
        return None

    acting = hand(RecordingPointer(), replace(NO_CHECKS, before_release=still))
    with pytest.raises(Refused):
        acting.act(opens(3))
    assert not acting.idle
    assert acting.pop_events() == tuple(Event("click", "left", point) for point in looks)


def test_the_user_is_asked_before_every_event() -> None:
    """He is reported what comes next, and nothing is sent once he took the mouse."""
    pointer, announced = RecordingPointer(), []

    class Owner(NoUser):
        def expect(self, point: Point, presses: int) -> None:
            announced.append((point, presses, len(pointer.events)))

        def sending(self) -> AbstractContextManager[None]:
            if len(presses(pointer)) == 2:
                raise Refused
            return super().sending()

    acting = hand(pointer, user=Owner())
    with pytest.raises(Refused):
        acting.act(opens(4))
    with pytest.raises(Refused):
        acting.press("f2")
    points = [grid_of(3, 4).center(Cell(0, col)) for col in (0, 0, 1, 1)]
    assert announced == [(point, at % 2, at) for at, point in enumerate(points)]


def test_a_restart_is_a_click_on_the_face() -> None:
    """Without one nothing is sent."""
    pointer = RecordingPointer()
    restart = turn(Move(Action.RESTART))
    face = grid_of(3, 4).face
    assert face is not None
    assert sent_for(restart, pointer) == (Event("button", "left", face.center),)
    pointer.events.clear()
    object.__setattr__(restart.reading, "grid", Grid(100, 80, 16, 16, 3, 4))
    with pytest.raises(ValueError, match="needs a cell"):
        hand(pointer).act(restart)
    assert pointer.events == []


@pytest.mark.parametrize(
    ("left", "top"), [(0, 0), (0, 400), (1280 - 64, 0), (1280 - 64, 800 - 48), (300, 300)]
)
def test_the_pointer_is_parked_off_the_board_and_off_the_edge(left: float, top: float) -> None:
    """Wherever the board is, the parked pointer touches no cell and no fail-safe corner.

    Beside a board that fills the screen there is no place: the pointer stays where it is.
    """
    grid = Grid(left, top, 16, 16, 3, 4)
    place = parking_points(grid, SCREEN)[0]
    assert grid.cell_at(place) is None
    assert 1 < place.x < 1278
    assert 1 < place.y < 798
    assert not parking_points(Grid(0, 0, 40, 40, 20, 32), SCREEN)


def test_parking_is_a_motion_even_if_the_pointer_is_parked() -> None:
    """A board that cannot be read may show a cell that counts as held down, until a motion."""
    pointer = RecordingPointer()
    for _ in range(2):
        before = pointer.position
        sent = sent_for(turn(), pointer)
        assert {event.kind for event in sent} == {"move"}
        assert any(event.point != before for event in sent)
    assert pointer.position == parking_points(grid_of(3, 4), SCREEN)[0]


def test_the_pointer_is_taken_off_a_board_with_an_unread_tile() -> None:
    """It may be highlighted though the pointer is elsewhere: the board has moved below it."""
    pointer = RecordingPointer()
    mouse = hand(pointer)
    unread, read = (reading_of(Board.parse(text, mines=1)) for text in ("~./..", "#./.."))
    for reading, place, parked in (
        (read, Cell(0, 0), False),
        (unread, None, False),
        (unread, Cell(0, 0), True),
        (unread, Cell(1, 1), True),
    ):
        pointer.position = Point(0, 0) if place is None else reading.grid.center(place)
        assert mouse.uncover(reading) is parked
        assert (reading.grid.cell_at(pointer.position) is None) is (place is None or parked)
