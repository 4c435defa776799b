"""A board that changes its colours all at once, as some do when a game is over.

Opened cells never close and hints never change: where nearly every opened cell looks new,
but cells that were alike still are, each is what it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.board import COVERED, FLAG, QUESTION
from vision.learning.evidence import Reading, kin_mark, resemblance
from vision.learning.features import Features

_LEAST: Final = 5
"""Opened cells that tell a change of colours from a new game."""
_MOST_CHANGED: Final = 0.8
"""Part of the opened cells that look new."""
_SAME_SHAPE: Final = 0.97
_SAME_INK: Final = 40.0
"""Grey levels between the colours of one mark on two grounds."""
_APART: Final = 10.0
"""Grey levels between a covered and an opened ground."""


def retinted(
    last: NDArray[np.intp],
    cells: NDArray[np.intp],
    was: NDArray[np.int8],
    features: Sequence[Features],
    readings: Sequence[Reading],
) -> tuple[dict[int, int], dict[int, int]]:
    """Kinds that replaced others all over the board; none where the board did not change so.

    Args:
        last: (rows, cols) kinds at the look before.
        cells: The same now.
        was: (rows, cols) states at the look before, UNREAD where they are not known.
        features: Of each kind.
        readings: Of each kind.

    Returns:
        Kind -> state, and kind -> the kind that it was, where that has the same mark.
    """
    opened = was >= 0
    states = np.unique(was[opened])
    if opened.sum() < _LEAST or len(states) < 2:
        return {}, {}
    covered = was == COVERED
    changed = [(last != cells)[of].mean() for of in (opened, covered) if of.any()]
    if max(changed) < _MOST_CHANGED:
        return {}, {}
    found: dict[int, int] = {}
    for kind in np.unique(cells[opened]).tolist():
        before = np.unique(was[(cells == kind) & opened]).tolist()
        if len(before) > 1:
            return {}, {}
        (state,) = before
        if features[kind].plain == (state == 0) and (
            state == 0 or readings[kind].digits[state] > 0.5
        ):
            found[kind] = state
    grounds = [features[kind].ground for kind in found]
    closed: list[Features] = []
    same: dict[int, int] = {}
    # The plain ones first: marks are held against their grounds.
    others = set(np.unique(cells[~opened]).tolist()) - set(found)
    for kind in sorted(others, key=lambda kind: not features[kind].plain):
        olds, before = (np.unique(of[cells == kind]).tolist() for of in (last, was))
        trait = features[kind]
        if trait.plain:
            apart = [float(np.abs(trait.ground - ground).max()) for ground in grounds]
            if before == [COVERED] and min(apart, default=0.0) > _APART:
                found[kind] = COVERED
                closed.append(trait)
        elif len(olds) == 1 and _same_mark(trait, features[olds[0]]):
            if not any(float(np.abs(trait.ground - one.ground).max()) < _APART for one in closed):
                continue
            same[kind] = olds[0]
            if before[0] in (FLAG, QUESTION):
                found[kind] = before[0]
    return found, same


def redressed(
    last: NDArray[np.intp],
    cells: NDArray[np.intp],
    was: NDArray[np.int8],
    features: Sequence[Features],
) -> dict[int, int]:
    """Kinds that stand exactly where question marks stood, with much the same mark.

    Arguments as for `retinted`. Only question marks are told so: a flag may turn out wrong.
    """
    found: dict[int, int] = {}
    for kind in np.unique(cells[(was == QUESTION) & (last != cells)]).tolist():
        olds = np.unique(last[cells == kind]).tolist()
        alone = len(olds) == 1 and bool((was[cells == kind] == QUESTION).all())
        if alone and kin_mark(features[kind], features[olds[0]]):
            found[kind] = QUESTION
    return found


def _same_mark(one: Features, other: Features) -> bool:
    ink = float(np.abs(one.colours[0] - other.colours[0]).max())
    return ink < _SAME_INK and resemblance(one, other) > _SAME_SHAPE
