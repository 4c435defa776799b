"""What a turn did to the board: what of it shows, and what cannot be its effect.

Another game in the same window: somebody began one, or chose another level.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np

from bot.board import COVERED, FLAG, QUESTION, UNOPENED, UNREAD, Board, Cell
from bot.frame import Reading, Status
from bot.planner import Action, Move

_OPENS: Final = (COVERED, QUESTION)
"""What a chord opens."""

Moves = tuple[Move, ...]


def is_restart(moves: Moves) -> bool:
    """Return whether the moves begin the next game."""
    return any(move.action is Action.RESTART for move in moves)


def target_cells(board: Board, moves: Moves) -> tuple[Cell, ...]:
    """Return the cells that look another way when all of these moves have had their effect."""
    return tuple(dict.fromkeys(cell for move in moves for cell in _touched(board, move)))


def _touched(board: Board, move: Move) -> Iterable[Cell]:
    if move.cell is None:
        return ()
    if move.action is not Action.CHORD:
        return (move.cell,)
    return (cell for cell in board.around(move.cell) if board[cell] in _OPENS)


def find_problem(reading: Reading, before: Reading | None, moves: Moves) -> str | None:
    """Explain why a reading cannot be played from; None where it can.

    Args:
        reading: What is seen now.
        before: What was seen before the moves were made; None at the start.
        moves: Those.
    """
    if reading.status is Status.BLOCKED:
        return "something lies over the board: move it away, then go on"
    unread = list(reading.board.cells(UNREAD))
    if len(unread) == reading.board.tiles.size:
        return (
            "the board cannot be read: the game is paused, or something lies over it. Let it be "
            "seen, then go on"
        )
    # Of a game that is over, nothing more is clicked: what could not be read is of no account.
    if unread and not reading.status.over:
        more = f" and {len(unread) - 1} more" if len(unread) > 1 else ""
        return f"the tile at {unread[0].words}{more} cannot be read"
    return _impossible_hint(reading.board) or (
        None if before is None else _not_carried_out(reading, before, moves)
    )


def _impossible_hint(board: Board) -> str | None:
    """Return a hint that counts more mines than there are closed cells around it is misread.

    sgt-mines flashes all cells at a loss, and one was then read as another hint.
    """
    closed = np.zeros((board.rows + 2, board.cols + 2), np.int8)
    closed[1:-1, 1:-1] = board.tiles < 0
    across = closed[:, :-2] + closed[:, 1:-1] + closed[:, 2:]
    wrong = board.tiles > across[:-2] + across[1:-1] + across[2:]
    if not wrong.any():
        return None
    cell = Cell(*map(int, np.argwhere(wrong)[0]))
    return f"the {board[cell]} at {cell.words} cannot be"


def _not_carried_out(reading: Reading, before: Reading, moves: Moves) -> str | None:
    if other_game_began(reading, before, moves):
        return None
    lost = ineffective_moves(reading, before, moves)
    if not lost:
        # A program may open a region by itself: started is not the same as covered.
        new = reading.status.over or is_restart(moves)
        return None if new else _changed_hint(before.board, reading.board)
    cell = lost[0].cell
    if cell is None:
        return "the game did not start again"
    return f"the click at {cell.words} had no effect"


def ineffective_moves(reading: Reading, before: Reading, moves: Moves) -> Moves:
    """Return the moves whose effect does not show."""
    if is_restart(moves):
        return moves if reading.status.over else ()
    was, now = before.board, reading.board
    if reading.status.over or other_game_began(reading, before, moves) or _changed_hint(was, now):
        return ()
    return tuple(move for move in moves if not _shows(move, was, now))


def other_game_began(reading: Reading, before: Reading, moves: Moves) -> bool:
    """Return whether somebody else began another game since."""
    over = reading.status.over or is_restart(moves)
    return not over and is_other_game(before.board, reading.board)


def _shows(move: Move, before: Board, after: Board) -> bool:
    if move.cell is None:
        return True
    if move.action is Action.CHORD:
        return all(after[cell] not in _OPENS for cell in after.around(move.cell))
    if move.action is Action.OPEN:
        return after[move.cell] not in UNOPENED
    # A flag that cannot be read yet is set: sent again, it would be taken away.
    return after[move.cell] == UNREAD or (after[move.cell] == FLAG) != (before[move.cell] == FLAG)


def _changed_hint(before: Board, after: Board) -> str | None:
    """Return an opened hint never changes and never closes: if one seems to, nothing is clicked."""
    changed = (before.tiles >= 0) & (after.tiles != before.tiles)
    if not changed.any():
        return None
    row, col = np.argwhere(changed)[0]
    cell = Cell(int(row), int(col))
    return (
        f"the hint at {cell.words} changed from {before[cell]} to "
        f"{after[cell]}: a misread, or somebody started another game"
    )


_MANY: Final = 4
"""One in so many opened cells that is another one is no misread, where it is not alone."""


def is_other_game(before: Board, after: Board) -> bool:
    """Return whether a board is of another game than the one of a moment ago.

    It is where it has another size, where most cells that were open are closed again, and where
    several are closed or show another hint: clicks that were under way may have opened all of
    those cells in the new game. On boards with one to five such clicks beside what was open 0.2 %
    are not known; a single cell that is another one is a misread.
    """
    if before.tiles.shape != after.tiles.shape:
        return True
    opened = before.tiles >= 0
    number = int(np.count_nonzero(opened))
    closed = int(np.count_nonzero(opened & (after.tiles < 0)))
    changed = int(np.count_nonzero(opened & (after.tiles != before.tiles)))
    several = changed > 1 and _MANY * changed > number
    return several or 2 * closed > number
