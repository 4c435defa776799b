"""How a program is chorded: as its skin says, or as it is found out while a game is played.

A chord is sent only to an open hint around which all mines carry flags. Any way to chord can be
tried there: the one that the program knows opens cells that are proved safe, and a click on an open
hint does nothing else. The ways are tried in the order of the harm that they could do in a program
that means something else by them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.board import UNOPENED, Board
from bot.planner import Action, Move

GESTURES: Final = ("left", "double", "middle", "both")
"""A click with the left or the middle button, a double click, and the left and the right button
held together."""
NO_CHORDS: Final = "none"
"""Known of a program in which none of them has an effect."""


class Chording:
    """How a program is chorded, as far as that is known.

    Args:
        known: What the skin says: a gesture, `NO_CHORDS`, or None.
        likely: What is tried first if nothing is known.
        tries: Whether anything else than what is known may be tried.

    Attributes:
        gesture: With which the next chord is made; None if cells are opened one by one.
        worked: How often this gesture was seen to have its effect.
        failed: Whether every gesture was tried in vain.
    """

    def __init__(self, known: str | None, likely: str | None, *, tries: bool) -> None:
        self._tries = tries
        self.gesture = None if known == NO_CHORDS else known
        if known is None and tries:
            self.gesture = likely or GESTURES[0]
        self.worked = 0
        self.failed = False

    def others(self) -> Sequence[str]:
        """Return the gestures to try after the present one had no effect."""
        return [one for one in GESTURES if one != self.gesture] if self._tries else ()

    def try_next(self, gesture: str) -> None:
        """Make the next chord in another way."""
        self.gesture, self.worked = gesture, 0

    def note_effect(self, before: Board, moves: Sequence[Move]) -> None:
        """Register that moves had their effect.

        Args:
            before: What they were made on. A chord on a cell that is opened by the same moves
                proves nothing: together with that click it may be a double click.
            moves: Those.
        """
        chords = [move.cell for move in moves if move.action is Action.CHORD and move.cell]
        self.worked += any(before[cell] not in UNOPENED for cell in chords)

    def give_up(self) -> None:
        """Register that no gesture had an effect: cells are opened one by one from now on."""
        self.gesture, self.worked, self.failed = None, 0, True
