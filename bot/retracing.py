"""Which moves lead from one look at a board to the next one: seen only by what they changed.

A zero opens a region, and any of its zeros may be the one that was clicked; a chord opens
what is left around a hint, and so would a click on each of those cells. The fewest clicks
that explain a change are taken for what was done.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.board import COVERED, EXPLODED, FLAG, QUESTION, Board, Cell, neighbours
from bot.planner import Action


class Made(NamedTuple):
    """A move that was made."""

    action: Action
    cells: tuple[Cell, ...]
    """Where: one of these was clicked; more than one only where a region was opened."""
    opened: tuple[Cell, ...]
    """What it opened, row by row."""


def moves_between(before: Board, after: Board, *, over: bool = False) -> tuple[Made, ...]:
    """The moves that made one board of the other, of the same game: flags first, then chords.

    Args:
        before: The board at the earlier look.
        after: At the later one.
        over: Whether its game is over: the end shows mines, and flags, that nobody set.
    """
    opened = before.unopened & ((after.tiles >= 0) | (after.tiles == EXPLODED))
    flags = tuple(
        Made(Action.FLAG, (cell,), ())
        for cell in before.cells(COVERED, QUESTION, FLAG)
        if not over
        and (after[cell] == FLAG) != (before[cell] == FLAG)
        and after[cell] in (COVERED, QUESTION, FLAG)
    )
    parts = _parts(after, set(np.flatnonzero(opened.ravel()).tolist()))
    chords = []
    for hint in _chords(before, after, opened):
        touched = [part for part in parts if hint.cells & part.whole]
        # What one click explains needs no chord.
        if len(touched) > 1:
            chords.append(_made(Action.CHORD, (hint.at,), touched, after))
            parts = [part for part in parts if part not in touched]
    opens = [_made(Action.OPEN, sorted(part.clicked), [part], after) for part in parts]
    return (*flags, *chords, *opens)


class _Part(NamedTuple):
    """What one click opened."""

    clicked: frozenset[int]
    """Any of them may have been."""
    whole: frozenset[int]


class _Chord(NamedTuple):
    at: int
    cells: frozenset[int]
    """What was left around the hint."""


def _parts(after: Board, opened: set[int]) -> list[_Part]:
    """Regions, and single cells that no region explains."""
    table = neighbours(after.rows, after.cols)
    tiles = after.tiles.ravel()
    zeros = {index for index in opened if tiles[index] == 0}
    parts = []
    explained: set[int] = set()
    while zeros:
        region = {zeros.pop()}
        edge = list(region)
        while edge:
            near = zeros.intersection(table[edge.pop()])
            zeros -= near
            region |= near
            edge += near
        whole = region | {near for index in region for near in table[index] if near in opened}
        parts.append(_Part(frozenset(region), frozenset(whole)))
        explained |= whole
    single = (frozenset({index}) for index in sorted(opened - explained))
    return [*parts, *(_Part(one, one) for one in single)]


def _chords(before: Board, after: Board, opened: NDArray[np.bool_]) -> list[_Chord]:
    """Hints around which everything that had no flag was opened, the largest first."""
    table = neighbours(before.rows, before.cols)
    was, now, open_now = before.tiles.ravel(), after.tiles.ravel(), opened.ravel()
    beside = {near for index in np.flatnonzero(open_now).tolist() for near in table[index]}
    found = []
    for index in sorted(beside):
        if was[index] <= 0:
            continue
        closed = [near for near in table[index] if was[near] in (COVERED, QUESTION, FLAG)]
        flagged = [near for near in closed if FLAG in (was[near], now[near])]
        left = frozenset(near for near in closed if open_now[near])
        if len(flagged) == was[index] and left and len(left) + len(flagged) == len(closed):
            found.append(_Chord(index, left))
    return sorted(found, key=lambda chord: -len(chord.cells))


def _made(action: Action, cells: Iterable[int], parts: list[_Part], board: Board) -> Made:
    opened = sorted(set().union(*(part.whole for part in parts)))
    return Made(
        action,
        tuple(Cell(*divmod(index, board.cols)) for index in cells),
        tuple(Cell(*divmod(index, board.cols)) for index in opened),
    )
