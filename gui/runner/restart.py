"""Detect a new game, and infer how a hidden or replaced game has ended."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from bot.board import (
    COVERED,
    EXPLODED,
    FLAG,
    MINE,
    OPENED,
    QUESTION,
    UNREAD,
    Board,
    count_neighbours,
)
from bot.effects import target_cells
from bot.frame import Status
from bot.metrics import three_bv_done
from bot.planner import Action, Move


def is_new_game(before: Board, after: Board) -> bool:
    """Return whether a board is the start of another game than the one that has ended.

    Some programs open a first region by themselves, so one opening may be visible. A game that was
    loaded again, or whose last move was undone, shows more than that, or the same hints.

    Args:
        before: The board at the end of the old game.
        after: The present board.
    """
    # An icon in place of a hint may be where the program opened the region.
    unhinted = np.where(after.tiles == OPENED, np.int8(0), after.tiles)
    opened = unhinted >= 0
    whole = bool((opened | (unhinted == COVERED)).all())
    if not whole or three_bv_done(replace(after, tiles=unhinted)) > 1:
        return False
    if before.tiles.shape != after.tiles.shape:
        return True
    if not opened.any():
        return bool((before.tiles != COVERED).any())
    # One cell that shows the same as before by chance: no undone move closes so many others.
    closed_again = 4 * int((before.tiles >= 0).sum()) > before.tiles.size and opened.sum() == 1
    return bool(closed_again or (before.tiles != after.tiles)[opened].any())


def hides(now: NDArray[np.int8], before: NDArray[np.int8]) -> bool:
    """Return whether tiles (rows, cols) are the same but for some that cannot be read any more."""
    if now.shape != before.shape:
        return False
    same, hidden = now == before, (now == UNREAD) & (before != UNREAD)
    return bool(hidden.any() and (same | hidden).all())


def completes(before: Board, moves: tuple[Move, ...], after: Board) -> bool:
    """Return whether all cells that are no mines must be open, though many cannot be read.

    As many cells as there are mines have stayed covered in any case. A cell is open if it was open
    before, or a proved move has opened it.

    Args:
        before: The board before the moves.
        moves: The last moves.
        after: The board after them; cells that cannot be read are UNREAD.
    """
    tiles = after.tiles
    if np.isin(tiles, (MINE, EXPLODED)).any():
        return False
    hidden = (tiles == UNREAD) & (before.tiles < 0)
    if not any(move.risk for move in moves):
        for cell in target_cells(before, tuple(m for m in moves if m.action is not Action.FLAG)):
            hidden[cell] = False
    closed = np.isin(tiles, (COVERED, FLAG, QUESTION)) | hidden
    return int(closed.sum()) <= before.mines


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
    # At most one move of a turn is a guess; a hint on its cell shows that it was no mine.
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
        moves: The last moves.
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
