"""How long a button is held down: some programs ignore a click without a pause in it.

Programs in a browser do. A skin says what its program needs; where that is not enough it is
found out: what had no effect is clicked again, held longer, and if that is what it takes
twice in a row, it is what the program needs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

_LONGER: Final = 0.03
"""Seconds: games in a browser took none of eight clicks at 0, four at 0.005, all at 0.02."""
_CONVINCING: Final = 2
"""Times in a row; a single click may be lost for another reason (the first one on a window that
was not in front), and holding every click makes a game several times as long."""


class Holding:
    """What a program needs, as far as that is known.

    Args:
        seconds: Between press and release; what the skin says.
        needed: Told what was found out.
    """

    def __init__(
        self, seconds: float = 0.0, needed: Callable[[float], None] = lambda _seconds: None
    ) -> None:
        self.seconds = seconds
        self._needed = needed
        self._in_a_row = 0

    def sufficed(self) -> None:
        """Be told that clicks had their effect."""
        self._in_a_row = 0

    @contextmanager
    def longer(self) -> Iterator[None]:
        """Hold longer within the block, in which clicks are made again; it raises if in vain."""
        usual, longer = self.seconds, max(2 * self.seconds, _LONGER)
        self.seconds = longer
        try:
            yield
            self._in_a_row += 1
        finally:
            self.seconds = usual
        if self._in_a_row == _CONVINCING:
            self.seconds, self._in_a_row = longer, 0
            self._needed(longer)
