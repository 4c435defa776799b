"""What the panel is given: eye, brain and hand behind one protocol, and what they hand over.

`gui.backend` wires the concrete ones; a test stands in for them (`tests.gui.tabletop`).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bot.frame import Frame, Region
from bot.game import Rules
from bot.loop import Stop, Turn
from bot.manners import PauseControl
from gui.failures import Failure
from gui.settings import Choices

if TYPE_CHECKING:
    # The panel's start loads none of the eye's learning.
    from gui.questions import Around, ProgramAnswer, ProgramQuestion
    from vision.desktop import StopKey, Window
    from vision.learning.learner import Question


Tell: TypeAlias = Callable[[str], None]
"""Says what is waited for; an empty text if nothing is any more."""


def untold(_text: str) -> None:
    """Say nothing."""


class Ask(Protocol):
    """Asks the user, and waits."""

    def __call__(
        self, question: Question | ProgramQuestion, around: Around | None = None, /
    ) -> int | ProgramAnswer | None:
        """Return the answer: the code of a tile, or what is done; None if it is left open.

        Args:
            question: About a tile, or about the program.
            around: What is around the tile on the board, where that is known.
        """


@dataclass(frozen=True, eq=False)
class Candidate:
    """A board that can be played, as the panel lists it."""

    title: str
    """The window's title."""
    skin: str
    rows: int
    cols: int
    mines: int | None
    """None where nobody knows: the user is asked."""
    thumbnail: NDArray[np.uint8]
    """(h, w, 3) uint8 BGR, the board as it is."""
    key: object
    """What the backend needs to find it again; equal from one look to the next."""
    region: Region | None = None
    """Where it is on the desktop, in points: the panel makes way for it. None where unknown."""
    covered: bool = False
    """Whether it cannot be seen at the moment: it is brought to the front before it is played."""
    mines_said: bool = False
    """Whether the number of mines is known from the user alone, who may correct it."""


@dataclass(frozen=True, eq=False)
class Found:
    """What a look for boards found."""

    boards: tuple[Candidate, ...]
    remarks: tuple[str, ...] = ()
    """Boards that are seen but cannot be played, and why."""
    broken: tuple[str, ...] = ()
    """Skins that cannot be used and were left out, and why."""
    incomplete: bool = False
    """Whether another look, a moment later, may find more."""


class Backend(Protocol):
    """What the panel is given: the concrete eye, brain and hand, wired in `gui.backend`."""

    def boards(self, *, thorough: bool = False) -> Found:
        """Return the boards on the screen. Slow: called from a worker thread.

        Args:
            thorough: Whether all windows are searched, also those that are unlikely to have one.
        """

    def release_windows(self) -> None:
        """Undo what `boards` does to covered windows. Called in the same thread."""

    def turns(
        self,
        candidate: Candidate,
        choices: Choices,
        stop: Stop,
        ask: Ask,
        hold: Callable[[Failure], None],
        pauses: PauseControl | None = None,
        tell: Tell = untold,
    ) -> Iterator[Turn]:
        """Plays as many games as are chosen. Called and advanced in the player's thread alone.

        `ask` and `hold` are called in that thread too, and raise `bot.loop.Stopped` at a stop;
        `hold` tells why and pauses until the user goes on. `pauses` is told when the user takes
        the mouse; `tell` says what is waited for while no turn comes, and empty when nothing is.
        """

    def watch(
        self, candidate: Candidate, choices: Choices, stop: threading.Event, ask: Ask
    ) -> Iterator[Turn]:
        """Watches somebody play until it is stopped: each turn's moves are advice.

        Called and advanced as `turns` is; sends nothing.
        """

    def snapshot(self, candidate: Candidate) -> tuple[Frame, Window | None]:
        """The window of a board as it looks, and the window. Slow."""

    def open_simulator(self, rules: Rules) -> None:
        """Opens a built-in game of that game in a process of its own."""

    def stop_key(self, pressed: Callable[[], None]) -> StopKey | None:
        """Hears the key that stops from everywhere; None where none can be heard.

        `pressed` is called in a thread of its own.
        """

    def failure(self, error: BaseException) -> Failure:
        """Words for an error, its frame saved."""
