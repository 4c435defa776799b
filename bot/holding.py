"""How long a click takes: some programs lose one that is over too soon.

Programs in a browser ignore a click without a pause between press and release; programs that ask
where the pointer is when they handle the release (`winfo_pointerxy` of Tk) take the cell to which
it has moved on. A skin says what its program needs. If that is not enough it is found out: what
had no effect is clicked again, held longer, with the pointer staying on the cell after the
release. If that helps, the next click that is lost tells which of the two it was, and from then
on every click is made so.

A longer press also gives a busy program time to handle the release before the pointer leaves, now
and then: if clicks are lost although that seemed to be what helped, it was the other one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple

_LONGER: Final = 0.03
"""Seconds: games in a browser took none of eight clicks at 0, four at 0.005, all at 0.02."""
_STAY: Final = 0.1
"""Seconds: a user does not notice so much, and a program that takes longer is stuck."""
CONVINCING: Final = 2
"""Times in a row; a single click may be lost for another reason (the first one on a window that
was not in front), and holding every click makes a game several times as long."""


class Timing(NamedTuple):
    """How a click is made."""

    hold: float
    """Seconds between press and release."""
    stay: float
    """Seconds for which the pointer stays on the cell after the release."""


class Holding:
    """What a program needs, as far as that is known.

    Args:
        seconds: Between press and release; what the skin says.
        needed: Called with a longer time once that was found out.
        stay: Seconds after the release; what the skin says.
        stay_needed: Called with a longer time once that was found out.

    Attributes:
        seconds: Between press and release, of the next click.
        stay: After its release.
    """

    def __init__(
        self,
        seconds: float = 0.0,
        needed: Callable[[float], None] = lambda _seconds: None,
        stay: float = 0.0,
        stay_needed: Callable[[float], None] = lambda _seconds: None,
    ) -> None:
        self.seconds = seconds
        self.stay = stay
        self._needed = needed
        self._stay_needed = stay_needed
        self._in_a_row = 0
        self._shorter: float | None = None
        """How long a press lasted before a longer one was found to help."""
        self._lost = False

    def sufficed(self) -> None:
        """Register that clicks had their effect."""
        self._in_a_row = 0

    def attempts(self) -> list[Timing]:
        """Return in which ways to make a click again that had no effect, one after the other."""
        self._lost = True
        longer, stay = max(2 * self.seconds, _LONGER), max(2 * self.stay, _STAY)
        both = Timing(longer, stay)
        if not self._in_a_row:
            return [both]
        held = Timing(longer, self.stay)
        if self._shorter is None:
            return [held, Timing(self.seconds, stay), both]
        return [Timing(self._shorter, stay), held, both]

    def take_lost(self) -> bool:
        """Return whether any click had no effect since this was asked last."""
        lost, self._lost = self._lost, False
        return lost

    @contextmanager
    def tried(self, timing: Timing) -> Iterator[None]:
        """Click so within the block, in which clicks are made again; it raises if in vain."""
        usual = self.seconds, self.stay
        self.seconds, self.stay = timing
        try:
            yield
            self._in_a_row += 1
        finally:
            self.seconds, self.stay = usual
        if self._in_a_row == CONVINCING:
            self._in_a_row = 0
            self._adopt(timing)

    @contextmanager
    def slowly(self) -> Iterator[None]:
        """Click within the block so that no program loses it: for clicks that are made once."""
        usual = self.seconds, self.stay
        self.seconds, self.stay = max(self.seconds, _LONGER), max(self.stay, _STAY)
        try:
            yield
        finally:
            self.seconds, self.stay = usual

    def _adopt(self, timing: Timing) -> None:
        if timing.hold != self.seconds:
            self._shorter, self.seconds = self.seconds, timing.hold
            self._needed(timing.hold)
        if timing.stay != self.stay:
            self.stay = timing.stay
            self._stay_needed(timing.stay)
