"""Who has moved the pointer of a shared screen, and which keys can be typed there."""

from __future__ import annotations

import pytest

from bot.frame import Point
from bot.mouse import MouseError
from vision.desktop import InputEvent, InputKind
from vision.desktop.wayland import Cursor, WaylandInputEvents, keysym_of

pytestmark = pytest.mark.linux


def heard(cursor: Cursor, *places: Point | None) -> list[InputEvent]:
    """Return the events of the pointer's places, as a stream tells them."""
    events = WaylandInputEvents(cursor, lambda: False)
    for place in places:
        cursor.note(0, place)
    found = events.pop_events() if events.pending else []
    events.close()
    return found


def motion(point: Point | None) -> InputEvent:
    """A motion: of this program to a point, or of the user."""
    return InputEvent(InputKind.MOTION, point is not None, point)


def test_an_announced_motion_is_the_programs_own() -> None:
    """Even if the stream rounds it, or leaves out the ones before it; its place is the rounded one.

    `user_mouse` compares the two: a difference of a pixel would be a motion of the user.
    """
    cursor = Cursor()
    for point in (Point(10.5, 20), Point(30, 40), Point(50.5, 60)):
        cursor.announce(point)
    assert set(heard(cursor, Point(11, 20))) == {motion(Point(10, 20))}
    assert set(heard(cursor, Point(51, 60))) == {motion(Point(50, 60))}
    assert cursor.place == Point(50, 60)


def test_a_pointer_that_appears_was_not_moved_by_the_user() -> None:
    """It was hidden until the first motion of this program, and appears where it was."""
    cursor = Cursor()
    cursor.announce(Point(30, 40))
    assert heard(cursor, Point(400, 300)) == []
    assert cursor.foreign == 0
    assert set(heard(cursor, Point(30, 40))) == {motion(Point(30, 40))}
    assert set(heard(cursor, Point(33, 40))) == {motion(None)}


def test_a_place_on_the_way_is_not_reported() -> None:
    """A point beyond those that the portal accepts is reached in two steps."""
    cursor = Cursor()
    cursor.announce(Point(10, 20), passing=True)
    cursor.announce(Point(30, 40))
    assert heard(cursor, Point(10, 20)) == []
    assert set(heard(cursor, Point(30, 40))) == {motion(Point(30, 40))}
    assert cursor.foreign == 0


def test_any_other_motion_is_the_users() -> None:
    """On the way, and to a place where the program had put it before."""
    cursor = Cursor()
    cursor.note(0, Point(1, 1))
    cursor.announce(Point(10, 20))
    cursor.announce(Point(30, 40))
    assert set(heard(cursor, Point(12, 23))) == {motion(None)}
    assert set(heard(cursor, Point(30, 40))) == {motion(Point(30, 40))}
    assert set(heard(cursor, Point(10, 20))) == {motion(None)}


def test_a_long_way_counts_as_several_motions() -> None:
    """A frame tells one place only; a table that is bumped into moves the mouse by less."""
    cursor = Cursor()
    cursor.note(0, Point(10, 20))
    assert len(heard(cursor, Point(12, 21))) == 1
    assert len(heard(cursor, Point(40, 21))) == 3


def test_resting_pointer_makes_no_event() -> None:
    """A frame repeats its place; outside of what is shared it has none."""
    cursor = Cursor()
    cursor.note(0, Point(2, 2))
    assert heard(cursor, Point(1, 1)) != []
    assert heard(cursor, Point(1, 1)) == []
    cursor.note(1, None)
    assert cursor.place == Point(1, 1)
    cursor.note(0, None)
    assert cursor.place is None


def test_a_late_frame_of_the_monitor_that_was_left_is_no_motion() -> None:
    """Streams are not in step on a busy machine. The user's way back is one."""
    cursor = Cursor()
    for stream, place in enumerate((Point(1, 1), Point(1601, 1))):
        cursor.announce(place)
        cursor.note(stream, place)
    cursor.note(0, Point(1, 1))
    assert (cursor.place, cursor.foreign) == (Point(1601, 1), 0)
    cursor.note(0, None)
    cursor.note(0, Point(4, 1))
    assert (cursor.place, cursor.foreign) == (Point(4, 1), 1)


def test_a_monitor_may_report_a_short_visit_late() -> None:
    """The pointer was there between two places on another monitor, which reported first."""
    cursor = Cursor()
    cursor.note(0, None)
    for place in (Point(1601, 1), Point(1, 1), Point(1650, 60)):
        cursor.announce(place)
    cursor.note(1, Point(1601, 1))
    cursor.note(1, Point(1650, 60))
    cursor.note(0, Point(1, 1))
    assert (cursor.place, cursor.foreign) == (Point(1650, 60), 0)


def test_late_frame_may_have_a_new_position() -> None:
    """The program had moved the pointer on to another monitor, which reported first."""
    cursor = Cursor()
    for place in (Point(1, 1), Point(50, 60), Point(1601, 1)):
        cursor.announce(place)
    cursor.note(0, Point(1, 1))
    cursor.note(1, Point(1601, 1))
    cursor.note(0, Point(50, 60))
    assert (cursor.place, cursor.foreign) == (Point(1601, 1), 0)
    cursor.announce(Point(50, 60))
    cursor.note(0, Point(50, 60))
    assert (cursor.place, cursor.foreign) == (Point(50, 60), 0)


@pytest.mark.parametrize(
    ("key", "keysym"),
    [("a", 0x61), ("f2", 0xFFBF), ("Escape", 0xFF1B), ("ctrl", 0xFFE3), ("+", 0x2B)],
)
def test_a_key_has_a_keysym(key: str, keysym: int) -> None:
    """By the names of skins."""
    assert keysym_of(key) == keysym


def test_an_unknown_key_is_refused() -> None:
    """With what to do."""
    with pytest.raises(MouseError, match="name another key"):
        keysym_of("hyper")
