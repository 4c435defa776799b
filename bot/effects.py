"""Compare two readings: moves without effect, impossible changes, another game."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np

from bot.board import (
    COVERED,
    EXPLODED,
    FLAG,
    MINE,
    QUESTION,
    UNOPENED,
    UNREAD,
    Board,
    Cell,
    count_neighbours,
)
from bot.frame import Reading, Status
from bot.metrics import hints_of
from bot.planner import Action, Move
from bot.unread import Cause, Unread

_OPENED_BY_CHORD: Final = (COVERED, QUESTION)

Moves = tuple[Move, ...]


def is_restart(moves: Moves) -> bool:
    """Return whether the moves start the next game."""
    return any(move.action is Action.RESTART for move in moves)


def target_cells(board: Board, moves: Moves) -> tuple[Cell, ...]:
    """Return the cells that look different once all moves have had their effect."""
    return tuple(dict.fromkeys(cell for move in moves for cell in _targets(board, move)))


def _targets(board: Board, move: Move) -> Iterable[Cell]:
    if move.cell is None:
        return ()
    if move.action is not Action.CHORD:
        return (move.cell,)
    return (cell for cell in board.around(move.cell) if board[cell] in _OPENED_BY_CHORD)


def opened_mine(reading: Reading, before: Reading, moves: Moves) -> bool:
    """Return whether a move has opened a cell that shows a mine, or a guess something unknown.

    Only valid for a board on which all safe cells are open.
    """
    if reading.board.tiles.shape != before.board.tiles.shape:
        return False
    clicks = tuple(move for move in moves if move.action is not Action.FLAG)
    guessed = tuple(move for move in clicks if move.risk > 0)
    return any(
        reading.board[cell] in shown
        for some, shown in ((clicks, (MINE, EXPLODED)), (guessed, (UNREAD,)))
        for cell in target_cells(before.board, some)
    )


def opens_all(reading: Reading, before: Reading, moves: Moves) -> bool:
    """Return whether moves have opened all cells that are no mines, and no mine.

    Only valid for a finished board that shows all its mines: some programs draw them like those of
    a lost game, and leave cells covered that the last zeros would have opened.
    """
    tiles, mines = reading.board.tiles, reading.board.tiles == MINE
    if tiles.shape != before.board.tiles.shape or EXPLODED in tiles:
        return False
    targets = target_cells(before.board, tuple(m for m in moves if m.action is not Action.FLAG))
    if not targets or int(mines.sum()) != reading.board.mines or any(mines[c] for c in targets):
        return False
    opened = (before.board.tiles >= 0) | (tiles >= 0)
    for cell in targets:
        opened[cell] = True
    zero = hints_of(mines) == 0
    while True:
        flooded = opened | (count_neighbours(opened & zero) > 0)
        if (flooded == opened).all():
            return bool((opened | mines).all())
        opened = flooded


def find_problem(reading: Reading, before: Reading | None, moves: Moves) -> str | None:
    """Return why a reading cannot be used, for example an unread tile; None if it can.

    Args:
        reading: The present reading.
        before: The reading before the moves; None at the start.
        moves: The moves made since.
    """
    if reading.status is Status.BLOCKED:
        text = Unread(reading.blocked or Cause.COVERED).text.rstrip(".")
        return ": ".join(part[0].lower() + part[1:] for part in text.split(". "))
    unread = list(reading.board.cells(UNREAD))
    if len(unread) == reading.board.tiles.size:
        return (
            "the board cannot be read: the game is closed or paused, or something covers it. Make "
            "it visible"
        )
    # Nothing is clicked in a finished game, so unread tiles do not matter there.
    if unread and not reading.status.over:
        more = f" and {len(unread) - 1} more" if len(unread) > 1 else ""
        why = reading.why_unread(unread[0]).rstrip(".")
        return f"the tile at {unread[0].position_text}{more} cannot be read{why and f'. {why}'}"
    return _impossible_hint(reading.board) or (
        None if before is None else _not_carried_out(reading, before, moves)
    )


def _impossible_hint(board: Board) -> str | None:
    """Name a hint that is larger than its number of covered neighbours: it is misread.

    sgt-mines flashes all cells at a loss, and one was then read as another hint.
    """
    wrong = board.tiles > count_neighbours(board.tiles < 0)
    if not wrong.any():
        return None
    cell = Cell(*map(int, np.argwhere(wrong)[0]))
    return f"the {board[cell]} at {cell.position_text} cannot be"


def _not_carried_out(reading: Reading, before: Reading, moves: Moves) -> str | None:
    if other_game_began(reading, before, moves):
        return None
    ineffective = ineffective_moves(reading, before, moves)
    if not ineffective:
        # A program may open the first region by itself, so a new game need not be covered.
        new = reading.status.over or is_restart(moves)
        return None if new else _changed_hint(before.board, reading.board)
    cell = ineffective[0].cell
    if cell is None:
        return "the game did not start again"
    return f"the click at {cell.position_text} had no effect"


def ineffective_moves(reading: Reading, before: Reading, moves: Moves) -> Moves:
    """Return the moves whose effect is not visible."""
    if is_restart(moves):
        return moves if reading.status.over else ()
    was, now = before.board, reading.board
    if reading.status.over or other_game_began(reading, before, moves) or _changed_hint(was, now):
        return ()
    return tuple(move for move in moves if not _shows(move, was, now))


def other_game_began(reading: Reading, before: Reading, moves: Moves) -> bool:
    """Return whether another game has begun since, not by these moves."""
    over = reading.status.over or is_restart(moves)
    return not over and is_other_game(before.board, reading.board)


def _shows(move: Move, before: Board, after: Board) -> bool:
    if move.cell is None:
        return True
    if move.action is Action.CHORD:
        return all(after[cell] not in _OPENED_BY_CHORD for cell in after.around(move.cell))
    if move.action is Action.OPEN:
        return after[move.cell] not in UNOPENED
    # An unread flag counts as set: a second click would remove it.
    return after[move.cell] == UNREAD or (after[move.cell] == FLAG) != (before[move.cell] == FLAG)


def _changed_hint(before: Board, after: Board) -> str | None:
    """Name an opened hint that has changed: that is a misread or another game."""
    changed = (before.tiles >= 0) & (after.tiles != before.tiles)
    if not changed.any():
        return None
    row, col = np.argwhere(changed)[0]
    cell = Cell(int(row), int(col))
    return (
        f"the hint at {cell.position_text} changed from {before[cell]} to "
        f"{after[cell]}: a misread, or another game"
    )


def is_other_game(before: Board, after: Board) -> bool:
    """Return whether a board belongs to another game than the board before.

    It does if its size differs, if most open cells are covered again, or if several, more than a
    quarter of them, are covered or show another hint: clicks under way may have opened all the
    others in the new game. With one to five such clicks 0.2 % of new games are missed. A single
    changed cell is a misread.
    """
    if before.tiles.shape != after.tiles.shape:
        return True
    opened = before.tiles >= 0
    number = int(np.count_nonzero(opened))
    closed = int(np.count_nonzero(opened & (after.tiles < 0)))
    changed = int(np.count_nonzero(opened & (after.tiles != before.tiles)))
    several = changed > 1 and 4 * changed > number
    return several or 2 * closed > number
