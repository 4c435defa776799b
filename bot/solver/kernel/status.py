"""How a run of the kernels ended."""

from __future__ import annotations

from typing import Final

SOLVED: Final = 0
UNREAD_TILE: Final = 1
"""A tile is unread."""
WRONG_HINT: Final = 2
"""A hint alone cannot be: `number[BAD]`."""
WRONG_ROOM: Final = 3
"""More mines than covered cells, or fewer than show."""
CONFLICT: Final = 4
"""The hints contradict each other."""
WRONG_NUMBER: Final = 5
"""The number of mines does not agree with the hints."""
TOO_WIDE: Final = 6
"""A component would cost more nodes than allowed (`part[p, WIDE]`), or than can be held."""
TOO_SMALL: Final = 7
"""The workspace is: see `workspace.grown`."""
PAUSED: Final = 8
"""The budget of this call is spent: `advance` goes on."""
