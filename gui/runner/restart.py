"""Detect a new game, and find out how a game has ended that is hidden, replaced, or misleading."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

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
from bot.effects import opened_mine, opens_all, other_game_began, target_cells
from bot.frame import Reading, Status
from bot.loop import Turn
from bot.metrics import three_bv_done
from bot.planner import Action, Move
from vision.focus import Dialogs, is_known_program
from vision.reader import Reader

_MARKED: Final = 0.05
"""Greatest share of the cells of a board without a move that a mark or a hint covers."""


def is_new_game(before: Board, after: Board) -> bool:
    """Return whether a board is the start of another game than the one that has ended.

    Some programs open a first region by themselves, so one opening may be visible. A game that was
    loaded again, or whose last move was undone, shows more than that, or the same hints.
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


def fresh_board(reading: Reading) -> Reading | None:
    """Return a board without a move, with its few unread tiles as covered ones; else None.

    Some programs mark a cell to begin at, or show a hint over a few cells until the first click.
    """
    tiles = reading.board.tiles
    unread = tiles == UNREAD
    others_covered = bool((tiles[~unread] == COVERED).all())
    if reading.status is not Status.PLAYING or not others_covered or unread.mean() > _MARKED:
        return None
    board = replace(reading.board, tiles=np.where(unread, np.int8(COVERED), tiles))
    return replace(reading, board=board, unread={}) if unread.any() else None


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
    if tiles.shape != before.tiles.shape or np.isin(tiles, (MINE, EXPLODED)).any():
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


def replaced_game(reading: Reading, last: Turn | None) -> Reading | None:
    """Return how the last turn's game has ended if the program began the next one at once.

    None if it has not, or if that is unknown.
    """
    if last is None or not other_game_began(reading, last.reading, last.moves):
        return None
    before = last.reading.board
    if before.tiles.shape != reading.board.tiles.shape or not is_new_game(before, reading.board):
        return None
    result = result_if_replaced(before, last.moves, _proved_mines(last))
    if result is Status.ENDED:
        return None
    return replace(_never_captured(last), status=result, seconds=reading.seconds)


def won_out_of_sight(last: Turn) -> Reading | None:
    """Return the game that the last turn has won if its board cannot be seen; None if it may go on.

    Its moves were proved, and leave as many cells as there are mines.
    """
    result = result_if_replaced(last.reading.board, last.moves, _proved_mines(last))
    return replace(_never_captured(last), status=result) if result is Status.WON else None


def _never_captured(last: Turn) -> Reading:
    """Return a turn's reading without the cells that its moves have opened since."""
    board = last.reading.board
    tiles = board.tiles.copy()
    for cell in target_cells(board, last.moves):
        tiles[cell] = UNREAD
    return replace(last.reading, board=replace(board, tiles=tiles))


def _proved_mines(turn: Turn) -> NDArray[np.bool_]:
    if turn.analysis is None:
        return np.zeros(turn.reading.board.tiles.shape, np.bool_)
    return np.asarray(turn.analysis.mine_probability == 1, np.bool_)


def hidden_end(reading: Reading, last: Turn) -> Reading:
    """Return how the game has ended below what its program has drawn over it.

    A page that fills the board may look like empty cells: then opened hints are not what they were,
    and only the moves tell the result.
    """
    before, now = last.reading.board, reading.board.tiles
    was = before.tiles
    same_shape = now.shape == was.shape
    if not (same_shape and ((was > 0) & (now >= 0) & (now != was)).any()):
        return replace(reading, status=infer_result(reading.board, before, last.moves))
    tiles = np.where(now == was, now, np.int8(UNREAD))
    result = result_if_replaced(before, last.moves, _proved_mines(last))
    return replace(reading, board=replace(reading.board, tiles=tiles), status=result)


def with_true_result(reading: Reading, sent: Turn | None, *, digging: bool) -> Reading:
    """Return a reading whose end is corrected by the moves that led to it.

    Args:
        reading: The reading.
        sent: The last turn of the game that was carried out.
        digging: Whether it is the game of digging, in which a mine does not end the game.
    """
    if sent is None:
        return reading
    bare = reading.status in (Status.WON, Status.ENDED) and not digging
    if bare and opened_mine(reading, sent.reading, sent.moves):
        reading = replace(reading, status=Status.LOST)
    shown = reading
    if reading.status is Status.ENDED:
        # Beside all mines that are shown, a flag is one.
        tiles = np.where(reading.board.tiles == FLAG, np.int8(MINE), reading.board.tiles)
        shown = replace(reading, board=replace(reading.board, tiles=tiles))
    unsure = reading.status in (Status.LOST, Status.ENDED)
    if unsure and opens_all(shown, sent.reading, sent.moves):
        reading = replace(reading, status=Status.WON)
    return reading


def result_over_board(reader: Reader, board: Board, last: Turn) -> Status | None:
    """Return how the game has ended by what an unknown program has written over unread tiles.

    The last turn must be able to have ended it so: a box in the middle of a game may speak of wins.
    """
    if is_known_program(reader.skin, reader.window) or UNREAD not in board.tiles:
        return None
    status = reader.end_over_board()
    if status is Status.WON:
        return status if infer_result(board, last.reading.board, last.moves) is status else None
    dead = bool(np.isin(board.tiles, (MINE, EXPLODED)).any())
    return status if dead or any(move.risk for move in last.moves) else None


def banner_result(
    reader: Reader, reading: Reading, last: Turn, *, by_moves: bool = True
) -> Reading | None:
    """Return the ended game if a banner in an unknown program says so; None otherwise.

    With `by_moves`, a game whose safe cells must all be open is won, whatever its tiles look like
    then.
    """
    if is_known_program(reader.skin, reader.window) or reader.page_dialog is not None:
        return None
    if reading.status is Status.BLOCKED:
        return None
    unread, before = reading.board.tiles == UNREAD, last.reading.board.tiles
    if unread.shape != before.shape or not (unread & (before >= 0)).any():
        return None
    whole = by_moves and completes(last.reading.board, last.moves, reading.board)
    status = reader.end_over_board() or (Status.WON if whole else None)
    return None if status is None else replace(reading, status=status)


def dialog_result(reader: Reader, dialogs: Dialogs, reading: Reading) -> Reading | None:
    """Return the ended game if a dialog, or a text over unread tiles, says so; None otherwise.

    This is asked about unknown programs alone.
    """
    if is_known_program(reader.skin, reader.window):
        return None
    dialog = dialogs.open_dialog()
    if dialog is None:
        status = reader.end_over_board()
    else:
        # Capture the dialog, not the board below it.
        reader.screen.select_desktop()
        status = reader.end_in(dialog)
    return None if status is None else replace(reading, status=status)
