"""The interfaces of a run: its supervisor, its player, and their messages.

The supervisor, a panel or a terminal, plays nothing itself. A process of its own
(`gui.runner.process`) captures, solves and clicks (`gui.runner.backend`), one for the desktop and
one for each private screen. It never waits for its supervisor, except for answers.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from bot.frame import Region
from bot.loop import Stop, Turn
from gui.failures import Failure
from gui.runner import states
from gui.settings import KeyName, Settings

if TYPE_CHECKING:
    # The panel's start must not load the reader's learning modules.
    from bot.solver.explain import Explanation
    from gui.questions import Around, ProgramAnswer, ProgramQuestion
    from vision.learning.questions import Question

State = states.State
Status = states.Status
"""What is sent of a run's state, and what the buttons show of it."""


class Operator(Protocol):
    """The supervisor of a run: `gui.runner.player.Player`.

    All methods except `pause` are called in the thread that plays.
    """

    @property
    def stopped(self) -> Stop:
        """Set to end the run, and all waiting in it."""

    @property
    def can_answer(self) -> bool:
        """Whether `ask` reaches a user; if not, the run ends where it would have to ask."""

    @property
    def can_resume(self) -> bool:
        """Whether a user can remove an obstacle and resume; if not, a lasting one ends the run."""

    @property
    def can_override(self) -> bool:
        """Whether the user may take the mouse, which pauses the run; if not, it ends the run."""

    def ask(
        self, question: Question | ProgramQuestion, around: Around | None = None, /
    ) -> int | ProgramAnswer | None:
        """Return the answer: a tile code, or an answer about the program; None if left open.

        Args:
            question: About a tile, or about the program.
            around: The tile's surroundings on the board, if known.

        Raises:
            Stopped: The user stopped the run instead.
        """

    def report(self, waiting: str, /) -> None:
        """Show the reason for waiting while there is no turn; empty for none."""

    def doing(self, activity: states.Activity, /) -> AbstractContextManager[None]:
        """Return a context in which the run does this, and then again what it did before."""

    @property
    def hurried(self) -> bool:
        """Whether the user does not want to wait for the current decision."""

    def show_interim(self, turn: Turn, /) -> None:
        """Show the state of a long decision: a turn without moves, which is not carried out."""

    @property
    def allowed(self) -> bool:
        """Whether a turn that has begun may still be carried out: the run is not paused."""

    def pause(self, why: str | Exception, /) -> None:
        """Pause until the user resumes, without waiting; callable from any thread.

        Args:
            why: An obstacle; or a reason, which has no effect while the run is
                paused or waits for the user anyway.
        """

    def wait_until_resumed(self) -> None:
        """Wait until the user resumes, if the run has paused itself.

        Raises:
            Stopped: The user stopped instead.
        """

    def hold_turn(self) -> bool:
        """Wait within a turn while the user has paused; return whether they had.

        Raises:
            Stopped: The user stopped instead.
        """

    def pop_resume_request(self) -> bool:
        """Return whether the user has pressed Resume or Step, or answered, since the last call."""


@dataclass(frozen=True)
class Abilities:
    """What the user of a run can do; see `Operator`."""

    can_answer: bool = True
    can_resume: bool = True
    can_override: bool = True


class SharedBoard(NamedTuple):
    """The key of a board in an unknown window, on a shared screen."""

    number: int


UNKNOWN_SKIN: Final = "unknown skin"
"""The name that is shown where no skin fits, in any program."""


@dataclass(frozen=True, eq=False)
class Candidate:
    """A board that can be played, as the panel lists it."""

    title: str
    """The window's title."""
    skin: str
    rows: int
    """0, as `cols`, if the program hides a board that was not visible yet."""
    cols: int
    mines: int | None
    """The number of mines; None if unknown, in which case the user is asked."""
    thumbnail: NDArray[np.uint8]
    """(h, w, 3) uint8 BGR, the board's picture."""
    key: object
    """Identifies the board to the backend; equal in every search: a window's id, `SharedBoard`."""
    region: Region | None = None
    """The region on the desktop in points that the panel leaves uncovered; None if unknown."""
    covered: bool = False
    """Whether it is currently hidden and must be brought to the front before it is played."""
    hidden: bool = False
    """Whether its own program hides it, such as a paused game; then `covered` is set, too."""
    mines_said: bool = False
    """Whether only the user gave the number of mines, and may correct it."""

    @property
    def unrecognised(self) -> bool:
        """Whether it is only a window of an unknown program, in which no board is recognised."""
        return self.skin == UNKNOWN_SKIN and not self.rows


@dataclass(frozen=True, eq=False)
class Found:
    """The result of a search for boards."""

    boards: tuple[Candidate, ...]
    remarks: tuple[str, ...] = ()
    """The reasons why some boards that were found cannot be played."""
    broken: tuple[str, ...] = ()
    """The reasons why some skins cannot be used and were left out."""
    incomplete: bool = False
    """Whether another search, a moment later, may find more."""
    closed: frozenset[object] = frozenset()
    """The keys of boards found earlier whose windows were closed."""
    stop_key: bool = False
    """Whether the permission lets the stop key be heard in other windows."""


class Line(Protocol):
    """One end of the connection between a supervisor and the process that plays for it."""

    def send(self, message: Any, /) -> None:
        """Send a message."""

    def recv(self) -> Any:
        """Wait for a message and return it."""

    def close(self) -> None:
        """Close this end: then the other one ends, too."""


# The messages between a supervisor and a process that plays, pickled over a connection. Both ends
# are the same version of this program, started by the same user.


@dataclass(frozen=True)
class Call:
    """A request to call a method of the backend in the thread that searches; see `Returned`."""

    number: int
    method: str
    arguments: tuple[object, ...]


@dataclass(frozen=True)
class Cancel:
    """A request to end a call that waits for something."""

    number: int


@dataclass(frozen=True)
class HoldKey:
    """A request to hear a key; see `gui.runner.client.PlayerClient.hold_key`."""

    name: KeyName
    key: str
    keep: bool


@dataclass(frozen=True)
class Begin:
    """A request to begin a run."""

    board: Candidate | str | int | None
    """A board that was found, or what selects one: a window's id, or a part of its title; None for
    the only one."""
    settings: Settings
    """The settings, with the number of mines that the user entered."""
    paused: bool = False
    """Whether to show the first turn and wait."""
    watch: bool = False
    """Whether to watch the user play."""
    user: Abilities = Abilities()


@dataclass(frozen=True)
class Change:
    """Other settings for the run; game and mines stay fixed."""

    settings: Settings


@dataclass(frozen=True)
class Order:
    """The user's order to the player of the run, which answers with a `Status`."""

    number: int
    """The number of the order in its run, from 1."""
    event: states.Event
    """What the user orders."""
    argument: Any = ""
    """The answer, or why it stops, in a sentence."""


@dataclass(frozen=True, eq=False)
class Returned:
    """The end of a call: its value, or the reason for its failure."""

    number: int
    value: Any
    failure: Failure | None = None


@dataclass(frozen=True)
class KeyPressed:
    """A key was pressed; the detecting or receiving process has obeyed it."""

    name: KeyName
    key: str


@dataclass(frozen=True)
class KeyRefused:
    """The reason why a key is not available."""

    name: KeyName
    why: str


@dataclass(frozen=True, eq=False)
class Played:
    """Turns that are about to be carried out, or have been by now."""

    turns: tuple[Turn, ...]
    """The turns since the last message; only the newest has its picture."""
    explained: bool
    """Whether the newest turn so far can be explained without the solver."""
    why: Explanation | None = None
    """The explanation of its analysis, if it has one."""


@dataclass(frozen=True, eq=False)
class Interim:
    """The state of a long decision."""

    turn: Turn
    """A turn without moves, which is not carried out."""


@dataclass(frozen=True, eq=False)
class Asked:
    """A question for the next `Status` that asks."""

    question: Question | ProgramQuestion
    around: Around | None


@dataclass(frozen=True)
class Held:
    """An obstacle for the next `Status` that is obstructed."""

    failure: Failure


@dataclass(frozen=True)
class Ended:
    """The end of a run."""

    reason: str = ""
    """The reason why it was stopped, in a sentence; empty if it ended by itself."""
    failed: bool = False
    """Whether that stop counts as a failure."""
    failure: Failure | None = None
    """The error that ended it."""


Message = Call | Cancel | HoldKey | KeyPressed | Begin | Change | Order | None
"""A message to the process that plays; None asks it to end."""
RunEvent = Played | Interim | Asked | Held | Status | Ended
Event = Returned | KeyPressed | KeyRefused | RunEvent
"""A message from the process that plays."""
