"""Whether cells look like those of a game: few kinds, and none of what other grids have.

Keys, icons and calendars show something else in every cell, or write it beside the middle;
a board for chess alternates two shades that are far apart.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.finder.placing import Span
from vision.finder.tile_clusters import CellPictures, Floats, Kinds, Tolerance, kinds_of

KINDS: Final = 16
"""A board shows fourteen tile states, some of them in two shades."""
_FEW: Final = 0.12
"""Part of the cells that may be of further kinds: a pointer, a hover, an animation."""
_SINGLE: Final = 6
"""Cells that may be alone of their kind on the smallest board: it has a dozen states to show."""
_USUAL: Final = 0.45
"""Least part of the cells that belong to the three commonest kinds."""
_CHESS: Final = (36.0, 12, 0.7)
"""Grey levels between the shades of a chess board, its most squares along a side with what it
is mistaken for around it, and the part of them that alternate."""
_INNER_SHADES: Final = 12.0
"""Grey levels within a cell that make a glyph, or between two that make them different."""
_WRITTEN: Final = 0.03
"""Part of the cells with a glyph from which on there is something to read."""
_OTHERS: Final = 0.05
"""Part of cells without one that may have another shade: a pointer, a hover."""
_GROUNDS: Final = 2
"""Kinds that what is written stands on: covered and empty."""
_INK: Final = 20.0
"""Grey levels between a block and its ground that count as written."""
_COMMON: Final = 0.12
"""Least part of the cells that are of such a kind."""
_FILLED: Final = 0.8
"""Part of a cell beyond which it is not written on, but of another colour."""
_BESIDE: Final = 3, 0.08, 0.2
"""Cells with something written that tell, at least so many and that part of all, and the part of
a cell by which half of them may have it beside their middle. Measured: boards 0.19 at most,
calendars 0.18 to 0.31."""


def like_a_game(cells: CellPictures, span: Span, tolerance: Tolerance) -> bool:
    """Return whether cells are of so few kinds, and look as those of a game may."""
    described = cells.of(span)
    kinds = kinds_of(described, tolerance)
    if not of_few_kinds(kinds):
        return False
    return not (_chess(described, span) or _patchwork(described) or _aside(described, kinds))


def of_few_kinds(kinds: Kinds) -> bool:
    """Return whether most cells are of very few kinds, as those of a game are."""
    shares = kinds.counts / kinds.counts.sum()
    rare = shares[KINDS:].sum() + shares[:KINDS][kinds.counts[:KINDS] == 1].sum()
    few = max(_FEW, _SINGLE / kinds.counts.sum())
    return bool(shares[:3].sum() >= _USUAL and rare <= few)


def _chess(described: Floats, span: Span) -> bool:
    """Return whether the cells' corners alternate between two shades as on a board for chess.

    Where a game alternates its shades, they are much nearer to each other.
    """
    if max(span.rows, span.cols) > _CHESS[1]:
        return False
    corner = described[:, :, 0, 0].mean(axis=-1)
    odd = np.add.outer(np.arange(span.rows), np.arange(span.cols)) % 2 == 1
    usual = np.where(odd, np.median(corner[odd]), np.median(corner[~odd]))
    gap = abs(float(usual[0, 0] - usual[0, 1]))
    return gap > _CHESS[0] and float((np.abs(corner - usual) < gap / 3).mean()) > _CHESS[2]


def _patchwork(described: Floats) -> bool:
    """Return whether plain cells of several shades lie side by side without a glyph among them.

    In a game there are hints between covered and empty cells; where it alternates two shades,
    each cell has that of its place. Calendars of work done have as many as days are busy.
    """
    inner = described[:, :, 2:-2, 2:-2]
    written = np.ptp(inner, axis=(2, 3)).max(axis=-1) > _INNER_SHADES
    if written.mean() > _WRITTEN:
        return False
    shades = inner.mean(axis=(2, 3))
    odd = np.add.outer(*map(np.arange, written.shape)) % 2 == 1
    for some in (shades[odd & ~written], shades[~odd & ~written]):
        usual = np.median(some, axis=0)
        if (np.abs(some - usual).max(axis=1) > _INNER_SHADES).mean() > _OTHERS:
            return True
    return False


def _aside(described: Floats, kinds: Kinds) -> bool:
    """Return whether text in cells is off-centre, as in tables and calendars."""
    n = described.shape[2]
    cells = described.reshape(-1, n, n, 3)
    common = int((kinds.counts[:_GROUNDS] >= _COMMON * len(cells)).sum())
    if not common:
        return False
    cells, grounds = cells[kinds.which >= common], kinds.looks[:common]
    differs = np.abs(cells[:, None] - grounds).max(axis=-1)
    ground = differs.mean(axis=(2, 3)).argmin(axis=1)
    ink = differs[np.arange(len(cells)), ground][:, 1:-1, 1:-1]
    ink = np.where(ink > _INK, ink, 0)
    part = (ink > 0).mean(axis=(1, 2))
    ink = ink[(part > 0) & (part <= _FILLED)]
    if len(ink) < max(_BESIDE[0], _BESIDE[1] * len(kinds.which)):
        return False
    at = (np.arange(n - 2) - (n - 3) / 2) / n
    across, down = ((ink.sum(axis=axis) * at).sum(axis=1) for axis in (1, 2))
    return bool(np.median(np.hypot(across, down) / ink.sum(axis=(1, 2))) > _BESIDE[2])
