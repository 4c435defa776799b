"""The states of a run: one value, and one function that returns the next one.

The player owns the value. The panel keeps a copy, to which it applies the user's orders at once
with the same function, so that its buttons do not wait for the player. The table of the states,
with what ends each of them, is in `gui/runner/README.md`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, Final


class State(Enum):
    """What the buttons show of a run."""

    IDLE = "idle"
    PLAYING = "playing"
    PAUSED = "paused"
    ASKING = "asking"
    """The player waits for the user's answer to a question."""
    STOPPING = "stopping"


class Activity(Enum):
    """What the player does unless it is paused or asks."""

    SEARCHING = "searching"
    PLAYING = "playing"
    WAITING = "waiting for the board"
    DIALOG = "dialog open"
    BETWEEN_GAMES = "between games"


@dataclass(frozen=True)
class Status:
    """The state of a run."""

    acknowledged: int = 0
    """The number of the last order that it includes."""
    activity: Activity = Activity.SEARCHING
    waiting: str = ""
    """The reason why the player waits during a game, or for the compiler; else empty."""
    turns_left: int | None = None
    """The number of turns that may still be begun; None without a limit."""
    stepping: bool = False
    """Whether a turn that was begun by a step is in progress, without a pause since."""
    turn_held: bool = False
    """Whether an obstacle, or a pause before its next input, holds the current turn, until the
    player has noticed the resumption."""
    why: str = ""
    """The reason why the player paused by itself, without titles of windows; else empty."""
    obstructed: bool = False
    """Whether it paused because of an obstacle."""
    resumed: bool = False
    """Whether the user pressed Resume or Step, or has answered, and the player has not noticed that
    yet."""
    hurried: bool = False
    """Whether the user paused, or wants the move now, since the last turn began."""
    asking: bool = False
    """Whether it waits for the answer to a question."""
    stopping: bool = False

    @property
    def state(self) -> State:
        """The state shown by the buttons."""
        if self.stopping:
            return State.STOPPING
        if self.asking:
            return State.ASKING
        return State.PAUSED if self.paused else State.PLAYING

    @property
    def paused(self) -> bool:
        """Whether no turn follows, or only the requested steps."""
        return self.turns_left is not None

    @property
    def allowed(self) -> bool:
        """Whether a turn that was begun may still be carried out."""
        return not self.paused or self.stepping

    @property
    def waits_for_user(self) -> bool:
        """Whether the player paused by itself, and the user has not resumed it."""
        again = self.turn_held and self.turns_left == 0
        return bool(self.why) or self.obstructed or again


class Event(Enum):
    """What happens to a run: the user's orders, then what the player does."""

    PAUSE = "make no further moves"
    RESUME = "play on"
    STEP = "carry out one turn, then pause and show the next one"
    MOVE_NOW = "end a long decision with what was found so far"
    ANSWER = "accept the answer to the question"
    STOP = "end the run"

    OBSTACLE = "pause because of an obstacle, which holds the current turn"
    HOLD = "keep the current turn while the user has paused"
    NOTICE = "continue the turn that was held"
    READ = "read the board, and so obey Resume and Step"
    ASK = "ask the user"
    SHOW = "show a turn before it is carried out"
    REST = "pause after a game, as the settings say"
    BEGIN = "carry out the turn that is shown"


@dataclass(frozen=True)
class WaitsFor:
    """The player waits for a reason; empty: it waits no longer."""

    why: str


@dataclass(frozen=True)
class PausesItself:
    """The player pauses for a reason, unless it is paused or waits for the user anyway."""

    why: str


_HALT: Final[Mapping[str, Any]] = {"turns_left": 0, "stepping": False, "hurried": True}
_RELEASE: Final[Mapping[str, Any]] = {
    "resumed": True,
    "hurried": False,
    "why": "",
    "obstructed": False,
}
_CHANGES: Final[Mapping[Event, Mapping[str, Any]]] = {
    Event.PAUSE: {**_HALT, "why": ""},
    Event.RESUME: {**_RELEASE, "turns_left": None},
    Event.STEP: _RELEASE,
    Event.MOVE_NOW: {"hurried": True},
    # Who answers wants the game to go on, like one who presses Resume.
    Event.ANSWER: {"asking": False, "resumed": True},
    Event.STOP: {"stopping": True},
    Event.OBSTACLE: {**_HALT, "obstructed": True, "turn_held": True},
    Event.HOLD: {"turn_held": True},
    Event.NOTICE: {"turn_held": False},
    Event.READ: {"resumed": False},
    Event.ASK: {"asking": True},
    Event.SHOW: {"activity": Activity.PLAYING, "waiting": "", "hurried": False},
    Event.REST: {"turns_left": 0},
    Event.BEGIN: {},
}
"""What each event changes, beside the number of turns that are left."""


def after(status: Status, event: Event | Activity | WaitsFor | PausesItself) -> Status:
    """Return the next state."""
    if isinstance(event, Activity):
        return replace(status, activity=event)
    if isinstance(event, WaitsFor):
        return replace(status, waiting=event.why)
    if isinstance(event, PausesItself):
        waits = status.asking or status.paused
        return status if waits else replace(status, why=event.why, **_HALT)
    left, stepping = status.turns_left, status.stepping
    if event is Event.STEP:
        left = (left or 0) + 1
    elif event is Event.BEGIN or (event is Event.NOTICE and status.turn_held):
        # A step at an obstacle was for the rest of the current turn.
        stepping = status.paused or (stepping and event is Event.NOTICE)
        left = None if left is None else left - 1
    return replace(replace(status, turns_left=left, stepping=stepping), **_CHANGES[event])
