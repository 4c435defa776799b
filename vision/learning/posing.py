"""Posing the puzzle of a look: which kinds are there, and what speaks for each state of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.board import COVERED, QUESTION, UNREAD
from vision.digits import NO_DIGIT, glyph_masks, read_glyphs
from vision.learning.evidence import (
    AT,
    Reading,
    another_of,
    appearance,
    beside_zero,
    of_replaced,
    with_addition,
)
from vision.learning.features import Traits, at_most, equal_parts
from vision.learning.history import History, turns
from vision.learning.label_priors import ONE_GROUND, Puzzle
from vision.learning.relations import Relations
from vision.learning.symbols import STATES, read_symbols
from vision.skin import Flood

Cells = NDArray[np.intp]

_READ_AT: Final = 48
"""Pixels at which marks are read at the most."""
_COUNTED: Final = 0.995
"""Probability that a mark of several equal parts, as dots and strokes, is a hint that counts them.
None of the pictures of all bundled skins and of 870 made-up ones has such parts."""
_NOT_WRITTEN: Final = 0.2
"""Probability of a digit below which parts are counted: of 4000 digits of seven segments 251 have
equal parts, and all reach it; dots and strokes reach 0.12."""


def mark_of(traits: Traits, picture: NDArray[np.uint8]) -> Reading:
    """What the readers of digits and of symbols make of a kind's picture."""
    if traits.plain:
        return Reading(np.eye(11)[10], 0.0)
    masks = glyph_masks(at_most(picture, _READ_AT)[None])
    read, symbols = read_glyphs(masks), read_symbols(masks)[0].astype(np.float64)
    question = min(float(read.question[0]), float(symbols[STATES.index(QUESTION)]))
    digits = read.scores[0].astype(np.float64)
    count = equal_parts(at_most(picture, _READ_AT), traits.ground)
    if 2 <= count <= 8 and digits[:NO_DIGIT].max() < _NOT_WRITTEN:
        digits = (1 - _COUNTED) * digits
        digits[count] += _COUNTED
    return Reading(digits, question, symbols)


def kinds_of(cells: Cells, last: Cells | None, settled: Mapping[int, int]) -> list[int]:
    """The kinds of a puzzle: those on the board, and those that tell of them.

    Settled ones that are not here still tell what grounds look like; those of the look before
    tell what has become of them.
    """
    before = np.unique(last).tolist() if last is not None and last.shape == cells.shape else []
    return sorted({*np.unique(cells).tolist(), *settled, *before})


def pose(
    cells: Cells,
    last: Cells | None,
    settled: Mapping[int, int],
    traits: Sequence[Traits],
    readings: Sequence[Reading],
    history: History,
    relations: Relations,
    mines: int | None,
    *,
    flood: Flood | None,
    at_rest: bool,
) -> Puzzle:
    """The puzzle of a look.

    Args:
        cells: (rows, cols) kinds.
        last: The same at the look before; None where there was none.
        settled: Kind -> state.
        traits: Of every kind.
        readings: Of every kind.
        history: What became of them.
        relations: Compares them.
        mines: On the whole board; None where nobody knows.
        flood: Which neighbours a zero opens.
        at_rest: Whether the board has stayed as it is for some seconds.
    """
    kinds = kinds_of(cells, last, settled)
    local = np.searchsorted(kinds, cells)
    counts = np.bincount(local.ravel(), minlength=len(kinds))
    became = turns(last, cells, kinds)
    # Of those that are gone, as many as there were.
    tiles = np.where(counts > 0, counts, became.sum(axis=1))
    scores = np.stack(
        [
            appearance(
                traits[kind], readings[kind], int(count), count / cells.size, history.past[kind]
            )
            for kind, count in zip(kinds, tiles, strict=True)
        ]
    )
    here = np.flatnonzero(counts)
    scores[(counts == 0) & (tiles > 0), AT[UNREAD]] = -np.inf
    if len(here) == 1:
        # Whatever it looks like: nothing else fills a whole board.
        scores[here] = -np.inf
        scores[here, AT[COVERED]] = 0.0
    if last is not None and last.shape == cells.shape:
        states = np.full(len(traits), UNREAD, np.int8)
        states[list(settled)] = list(settled.values())
        _keep_opened(scores, local, states[last], states[cells])
    apart, same, kin, unlike, within, adds = relations.table(kinds)
    puzzle = Puzzle(
        cells=local,
        traits=[traits[kind] for kind in kinds],
        scores=scores,
        beside_zero=np.stack(
            [beside_zero(traits[kind].plain, readings[kind], at_rest=at_rest) for kind in kinds]
        ),
        settled={at: settled[kind] for at, kind in enumerate(kinds) if kind in settled},
        apart=apart,
        same=same,
        kin=kin,
        unlike=unlike,
        within=within,
        adds=adds,
        came=[history.came.count(kind) for kind in kinds],
        became=became,
        clicks=history.clicks,
        familiar=COVERED in settled.values(),
        mines=mines,
        flood=flood,
        at_rest=at_rest,
    )
    _not_twice(puzzle, counts)
    return puzzle


def _keep_opened(
    scores: NDArray[np.float64], local: Cells, was: NDArray[np.int8], now: NDArray[np.int8]
) -> None:
    """Let no opened cell become anything else in the course of a game.

    What else is seen there lies over the board, as the message that KMines shows at a win.
    """
    opened = was >= 0
    if (opened & (now != UNREAD) & (now != was)).any():
        return
    for at in np.unique(local[opened & (now == UNREAD)]).tolist():
        states = np.unique(was[opened & (local == at)]).tolist()
        kept = [AT[COVERED], AT[UNREAD], *(AT[state] for state in states if len(states) == 1)]
        others = np.setdiff1d(np.arange(scores.shape[1]), kept)
        scores[at, others] = -np.inf


def _not_twice(puzzle: Puzzle, counts: NDArray[np.intp]) -> None:
    """Let no mark bear witness by its shape more than once."""
    scores = puzzle.scores
    for at in np.flatnonzero(puzzle.adds.any(axis=1)).tolist():
        scores[at] = with_addition(scores[at], int(counts[at]))
    again = np.tril(puzzle.same, -1) & (puzzle.apart < ONE_GROUND)
    for at in np.flatnonzero(again.any(axis=1)).tolist():
        scores[at] = another_of(scores[at])
    for at in np.flatnonzero(puzzle.replaced().any(axis=1)).tolist():
        scores[at] = of_replaced(scores[at])
