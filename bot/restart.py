"""Start the next game of an unknown program, and tell how a hidden game has ended."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.board import COVERED, EXPLODED, MINE, UNREAD, Board, count_neighbours
from bot.effects import target_cells
from bot.frame import Reading, Status
from bot.loop import Stopped
from bot.metrics import three_bv_done
from bot.planner import Action, Move
from bot.waiting import LOOK_INTERVAL

_PATIENCE: Final = 3.0
"""Seconds within which a way to restart must have an effect."""


def try_restart(
    way: Callable[[], None],
    before: Board,
    look: Callable[[], Reading],
    wait: Callable[[float], bool],
    clock: Callable[[], float] = time.monotonic,
) -> bool:
    """Try a way to start the next game; return whether a new game has started.

    Args:
        way: Presses a key or clicks a button.
        before: The board of the game that has ended.
        look: Takes a reading.
        wait: Waits the given seconds; True when the user stopped (an event's `wait`).
        clock: Monotonic seconds.

    Raises:
        Stopped: The user stopped.
    """
    way()
    deadline = clock() + _PATIENCE
    while clock() < deadline:
        reading = look()
        if reading.status is Status.PLAYING and is_new_game(before, reading.board):
            return True
        if wait(LOOK_INTERVAL):
            raise Stopped
    return False


def is_new_game(before: Board, after: Board) -> bool:
    """Return whether a board is the start of another game than the one that has ended.

    Some programs open a first region by themselves, so one opening may be visible. A game that was
    loaded again, or whose last move was undone, shows more than that, or the same hints.

    Args:
        before: The board at the end of the old game.
        after: The present board.
    """
    opened = after.tiles >= 0
    if not (opened | (after.tiles == COVERED)).all() or three_bv_done(after) > 1:
        return False
    if before.tiles.shape != after.tiles.shape:
        return True
    if not opened.any():
        return bool((before.tiles != COVERED).any())
    return bool((before.tiles != after.tiles)[opened].any())


def infer_result(hidden: Board, before: Board, moves: tuple[Move, ...]) -> Status:
    """Return how a game has ended that is partly hidden; ENDED if that is unknown.

    Args:
        hidden: The board at its end; hidden cells are UNREAD.
        before: The board before the last moves.
        moves: The last moves.
    """
    tiles = hidden.tiles
    if ((tiles == MINE) | (tiles == EXPLODED)).any():
        return Status.LOST
    if int(np.count_nonzero((tiles < 0) & (tiles != UNREAD))) > before.mines:
        # A won game has no other covered cells than its mines.
        return Status.LOST
    # At most one move of a turn is a guess; a hint on its cell says that it was no mine.
    guesses = [move.cell for move in moves if move.risk > 0 and move.cell is not None]
    won = bool(moves) and all(tiles[cell] >= 0 for cell in guesses)
    return Status.WON if won else Status.ENDED


def result_if_replaced(
    before: Board, moves: tuple[Move, ...], proved_mines: NDArray[np.bool_]
) -> Status:
    """Return how a game has ended that another one replaced right after some moves.

    ENDED if that is unknown: proved moves that leave cells to open end no game, so that the user
    has started another one; and a guess may have opened the last cell, or a zero with all others,
    or hit a mine.

    Args:
        before: The board before the moves.
        moves: What was done last.
        proved_mines: The cells that were proved to be mines.
    """
    opened = set(target_cells(before, tuple(one for one in moves if one.action is not Action.FLAG)))
    # A chord opens no cell that the same turn has flagged.
    opened -= {move.cell for move in moves if move.action is Action.FLAG}
    last = int(np.count_nonzero(before.tiles < 0)) - len(opened) <= before.mines
    guesses = [move.cell for move in moves if move.risk > 0 and move.cell is not None]
    if guesses:
        beside_mines = count_neighbours(proved_mines)
        no_zero = all(beside_mines[cell] > 0 for cell in guesses)
        return Status.LOST if no_zero and not last else Status.ENDED
    return Status.WON if last and opened else Status.ENDED
