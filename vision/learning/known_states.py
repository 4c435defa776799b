"""What is known of the kinds of tile: their states, how sure each is, and who said so."""

from __future__ import annotations

from collections.abc import Container, Iterable

import numpy as np
from numpy.typing import NDArray

from bot.board import UNREAD
from vision.learning.rules import feasible


class KnownStates:
    """The states of kinds.

    Attributes:
        codes: Kind -> state, in the order in which they became known.
        answers: Kinds that the user was asked about, in that order.
        version: Another one whenever any of it changes.
    """

    def __init__(self) -> None:
        self.codes: dict[int, int] = {}
        self.answers: list[int] = []
        self.version = 0
        self._sure: dict[int, float] = {}
        self._told: set[int] = set()

    def settle(self, kind: int, code: int, confidence: float) -> None:
        """Take a state for a kind's."""
        self.codes[kind] = code
        self._sure[kind] = confidence
        self.version += 1

    def tell(self, kind: int, code: int) -> None:
        """Set the state of a kind to the user's answer."""
        self.settle(kind, code, 1.0)
        self._told.add(kind)

    def tell_all(self) -> None:
        """Take every state that was concluded as the word of somebody who knows."""
        for kind in self.codes:
            self._sure[kind] = 1.0
            self._told.add(kind)
        self.version += 1

    def retell(self, kind: int, code: int, seen: Container[int]) -> None:
        """Take a state for a kind's, and forget what an error in it may have led to.

        Nothing is forgotten where the kind was concluded to be just that, or was open.

        Args:
            kind: The kind.
            code: Its state.
            seen: Kinds of the last board. Those can be concluded anew; of all others, met in
                earlier pictures, nothing would be known any more.
        """
        if self.codes.get(kind, code) != code:
            self.forget({one for one in self.codes.keys() - self._told if one in seen})
        self.tell(kind, code)

    def was_told(self, kind: int) -> bool:
        """Return whether its state is known on somebody's word."""
        return kind in self._told

    def confidence(self, kind: int) -> float:
        """How sure a kind's state is; 0 where it is not known."""
        return self._sure.get(kind, 0.0)

    def forget(self, kinds: Iterable[int]) -> None:
        """Know nothing of these any more."""
        for kind in list(kinds):
            del self.codes[kind], self._sure[kind]
            self._told.discard(kind)
        self.answers = [kind for kind in self.answers if kind in self.codes]
        self.version += 1

    def take_back(self) -> bool:
        """Forget the last answer, and what was learned since then; whether there was one."""
        if not self.answers:
            return False
        last = self.answers[-1]
        order = list(self.codes)
        later = set(order[order.index(last) + 1 :]) - self._told
        self.forget({last, *later})
        return True

    def give_up(self, cells: NDArray[np.intp]) -> None:
        """Forget what makes a board impossible: what was told, or all but that.

        Args:
            cells: (rows, cols) kinds.
        """
        was_told = np.isin(cells, list(self._told))
        named, present = self.named(cells), set(np.unique(cells).tolist())
        to_blame = was_told.any() and feasible(np.where(was_told, np.int8(UNREAD), named))
        if to_blame:
            self.forget(present & self._told & self.codes.keys())
        else:
            self.forget(self.codes.keys() - self._told)

    def named(self, cells: NDArray[np.intp]) -> NDArray[np.int8]:
        """Return the states of kinds, UNREAD where none is known and where the kind is -1."""
        names = np.full(self._room(cells), UNREAD, np.int8)
        names[list(self.codes)] = list(self.codes.values())
        codes: NDArray[np.int8] = names[cells]
        return codes

    def sureness(self, cells: NDArray[np.intp]) -> NDArray[np.float32]:
        """How sure those are, 0 elsewhere."""
        sure = np.zeros(self._room(cells), np.float32)
        sure[list(self._sure)] = list(self._sure.values())
        confidences: NDArray[np.float32] = sure[cells]
        return confidences

    def _room(self, cells: NDArray[np.intp]) -> int:
        return max(int(cells.max(initial=0)), max(self.codes, default=0)) + 2
