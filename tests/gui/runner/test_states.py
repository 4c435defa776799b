"""The states of a run: what each event changes."""

from __future__ import annotations

import re
from functools import reduce
from pathlib import Path

import pytest

from bot import waiting
from gui.runner import timeouts
from gui.runner.states import Activity, Event, PausesItself, State, Status, WaitsFor, after

MOUSE = PausesItself("you moved the mouse")


@pytest.mark.parametrize(
    ("events", "state", "allowed", "waits"),
    [
        ([], State.PLAYING, True, False),
        ([Event.PAUSE], State.PAUSED, False, False),
        ([Event.PAUSE, Event.STEP], State.PAUSED, False, False),
        ([Event.PAUSE, Event.STEP, Event.BEGIN], State.PAUSED, True, False),
        ([Event.PAUSE, Event.STEP, Event.BEGIN, Event.PAUSE], State.PAUSED, False, False),
        ([Event.PAUSE, Event.RESUME], State.PLAYING, True, False),
        ([MOUSE], State.PAUSED, False, True),
        ([MOUSE, Event.RESUME], State.PLAYING, True, False),
        ([MOUSE, Event.PAUSE], State.PAUSED, False, False),
        ([Event.PAUSE, MOUSE], State.PAUSED, False, False),
        ([Event.ASK, MOUSE], State.ASKING, True, False),
        ([Event.ASK, Event.PAUSE, Event.ANSWER], State.PAUSED, False, False),
        ([Event.OBSTACLE], State.PAUSED, False, True),
        ([Event.OBSTACLE, Event.PAUSE], State.PAUSED, False, True),
        ([Event.OBSTACLE, Event.RESUME, Event.PAUSE], State.PAUSED, False, True),
        ([Event.OBSTACLE, Event.STEP], State.PAUSED, False, False),
        ([Event.OBSTACLE, Event.STEP, Event.NOTICE], State.PAUSED, True, False),
        ([Event.OBSTACLE, Event.RESUME, Event.NOTICE], State.PLAYING, True, False),
        ([Event.REST], State.PAUSED, False, False),
        ([Event.PAUSE, Event.HOLD], State.PAUSED, False, True),
        ([Event.PAUSE, Event.HOLD, Event.STEP, Event.NOTICE], State.PAUSED, True, False),
        ([Event.PAUSE, Event.HOLD, Event.RESUME, Event.NOTICE], State.PLAYING, True, False),
        ([Event.PAUSE, Event.ASK, Event.STOP], State.STOPPING, False, False),
    ],
)
def test_events_lead_to_a_state(
    events: list[Event | PausesItself], state: State, *, allowed: bool, waits: bool
) -> None:
    """Whether the present turn may be carried out, and whether the player waits to be resumed."""
    status = reduce(after, events, Status())
    assert (status.state, status.allowed, status.waits_for_user) == (state, allowed, waits)


def test_steps_are_counted_and_used_up() -> None:
    """A step at an obstacle is for the turn that it holds, any other one for the next turn."""
    status = reduce(after, [Event.PAUSE, Event.STEP, Event.STEP], Status())
    assert status.turns_left == 2
    status = reduce(after, [Event.BEGIN, Event.OBSTACLE, Event.STEP, Event.NOTICE], status)
    assert (status.turns_left, status.stepping) == (0, True)


def test_a_turn_ends_what_went_before() -> None:
    """A reason for waiting and haste; a resumption counts until the board is read again.

    An answer counts as one: the game comes in front of the panel.
    """
    for events in ((Event.PAUSE, Event.RESUME), (Event.ASK, Event.ANSWER)):
        status = reduce(after, events, Status())
        assert status.resumed
        assert not after(status, Event.READ).resumed
    why = "a dialog is open"
    status = reduce(after, [Activity.DIALOG, WaitsFor(why), Event.MOVE_NOW], Status())
    assert (status.activity, status.waiting, status.hurried) == (Activity.DIALOG, why, True)
    status = after(status, Event.SHOW)
    assert (status.activity, status.waiting, status.hurried) == (Activity.PLAYING, "", False)


def test_the_table_names_every_state_and_limits_that_exist() -> None:
    """What is written beside the runner about its states is true of them."""
    text = (Path(timeouts.__file__).parent / "README.md").read_text("utf-8")
    rows = [line for line in text.splitlines() if line.startswith("| ") and line.count("|") == 6]
    states = {word for row in rows for word in re.findall(r"\(`([A-Z_]+)`\)", row)}
    assert states == {one.name for one in (*State, *Activity)}
    column = " ".join(row.split("|")[3] for row in rows)
    limits = {*re.findall(r"`(?:bot\.waiting\.)?([A-Z_]+)`", column)}
    assert limits
    assert limits <= {*dir(timeouts), *dir(waiting)}
