"""The panel's interface to reader, solver and mouse, and the values that it exchanges.

`gui.runner.backend` implements it; the tests use a substitute (`tests.gui.tabletop`).
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
from gui.failures import Failure
from gui.runner.user_override import PauseControl
from gui.settings import Choices

if TYPE_CHECKING:
    # The panel's start must not load the reader's learning modules.
    from gui.questions import Around, ProgramAnswer, ProgramQuestion
    from vision.desktop import StopKey, Window
    from vision.learning.questions import Question


Tell: TypeAlias = Callable[[str], None]
"""Receives what is waited for; an empty text for nothing."""


def untold(_text: str) -> None:
    """Ignore the text."""


class Ask(Protocol):
    """A function that asks the user and waits."""

    def __call__(
        self, question: Question | ProgramQuestion, around: Around | None = None, /
    ) -> int | ProgramAnswer | None:
        """Return the answer: a tile code, or an answer about the program; None if left open.

        Args:
            question: About a tile, or about the program.
            around: The tile's surroundings on the board, if known.
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
    """None if unknown, in which case the user is asked."""
    thumbnail: NDArray[np.uint8]
    """(h, w, 3) uint8 BGR, the board's picture."""
    key: object
    """Identifies the board to the backend; equal in every search."""
    region: Region | None = None
    """The region on the desktop in points that the panel leaves uncovered; None if unknown."""
    covered: bool = False
    """Whether it is currently hidden and must be brought to the front before it is played."""
    mines_said: bool = False
    """Whether only the user gave the number of mines, and may correct it."""


@dataclass(frozen=True, eq=False)
class Found:
    """The result of a search for boards."""

    boards: tuple[Candidate, ...]
    remarks: tuple[str, ...] = ()
    """Why some boards that were found cannot be played."""
    broken: tuple[str, ...] = ()
    """Why some skins cannot be used and were left out."""
    incomplete: bool = False
    """Whether another search, a moment later, may find more."""


class Backend(Protocol):
    """The panel's interface to reader, solver and mouse, implemented in `gui.runner.backend`."""

    def boards(self, *, thorough: bool = False) -> Found:
        """Return the boards on the screen. Slow: called from a worker thread.

        Args:
            thorough: Whether to search windows that are unlikely to have a board.
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
        """Play the chosen number of games. Called and advanced only in the player's thread.

        `ask` and `hold` are called in that thread too, and raise `bot.loop.Stopped` at a stop.
        `hold` reports an obstacle and pauses until the user resumes. `pauses` is notified when the
        user takes the mouse. `tell` receives what is waited for while no turn comes, and an empty
        text for nothing.
        """

    def watch(
        self, candidate: Candidate, choices: Choices, stop: threading.Event, ask: Ask
    ) -> Iterator[Turn]:
        """Watch the user play until it is stopped; each turn's moves are advice.

        Called and advanced as `turns` is; sends nothing.
        """

    def snapshot(self, candidate: Candidate) -> tuple[Frame, Window | None]:
        """Return the window of a board with its current picture. Slow."""

    def open_simulator(self, rules: Rules) -> None:
        """Open a built-in game with these rules in its own process."""

    def stop_key(self, pressed: Callable[[], None]) -> StopKey | None:
        """Listen for the stop key in all windows; None if that is not supported.

        `pressed` is called in its own thread.
        """

    def failure(self, error: BaseException) -> Failure:
        """Convert an error to a failure, saving its frame."""
