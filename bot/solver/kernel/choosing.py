"""The choice among equals, in machine code: see `bot.solver.guessing`."""

from __future__ import annotations

from bot.solver.compiled import compiled
from bot.solver.guessing import EQUAL
from bot.solver.kernel.workspace import Bytes, Floats


@compiled
def choose(probability: Floats, loose: Bytes, rows: int, cols: int) -> tuple[int, int]:
    """The cell to open, and how many are as safe.

    Args:
        probability: At least (rows * cols,) mine probability, NaN where opened.
        loose: For each, 1 where it touches no hint.
        rows: Of the board.
        cols: Of the board.

    Returns:
        A flat index, -1 where every covered cell is a mine; and the number of its equals,
        itself included.
    """
    least = 1.0
    for place in range(rows * cols):
        least = min(least, probability[place])
    if least == 1.0:
        return -1, 0
    margin = EQUAL if least > 0 else 0.0
    best, equals = -1, 0
    best_rank = 1 << 62
    for place in range(rows * cols):
        if not probability[place] <= least + margin:
            continue
        equals += 1
        row, col = place // cols, place % cols
        across, down = min(col, cols - 1 - col), min(row, rows - 1 - row)
        # First whether it floats, then the distance to the nearest side, then to the next.
        rank = ((int(loose[place]) << 28 | min(across, down)) << 28) | max(across, down)
        if best < 0 or (least > 0 and rank < best_rank):
            best, best_rank = place, rank
    return best, equals
