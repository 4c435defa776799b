"""What a solver that only proves says of the cells that it could not settle: an estimate.

A cell that touches hints is as dangerous as the worst of them makes it: the largest share
of mines owed by the cells left around one. A floating cell, or one all of whose hints are
silent, has the share of the mines left in all cells left. Neither looks at two hints at
once, and neither ever says 0 or 1: those are proofs.

Source: none. 000, 001 and 004 do not say what to open where nothing is proved.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.analysis import Analysis, Evidence
from bot.solver.constraints import System
from bot.solver.guessing import safest

UNPROVED: Final = 1e-6
"""Estimates stay this far from 0 and 1."""


@dataclass(frozen=True)
class Proof:
    """Why a cell is safe: a sentence, and what it speaks of."""

    reason: str
    evidence: Evidence


def within(chance: float) -> float:
    """Return an estimate, kept off 0 and 1."""
    return min(max(chance, UNPROVED), 1 - UNPROVED)


def shares(system: System, known: Mapping[int, int]) -> NDArray[np.float64]:
    """Mine probabilities, (rows, cols) float64: proofs as they are, estimates elsewhere.

    Args:
        system: The board.
        known: Cells settled so far, 1 for a mine and 0 for a safe cell.
    """
    flat = np.full(system.board.tiles.size, np.nan)
    left = [cell for cell in system.covered if cell not in known]
    if left:
        flat[left] = within((system.mines - sum(known.values())) / len(left))
    worst: dict[int, float] = {}
    for rule in system.constraints:
        blank = [cell for cell in rule.cells if cell not in known]
        owed = rule.mines - sum(known.get(cell, 0) for cell in rule.cells)
        for cell in blank:
            worst[cell] = max(worst.get(cell, 0.0), owed / len(blank))
    for cell, share in worst.items():
        flat[cell] = within(share)
    for cell, value in known.items():
        flat[cell] = value
    return flat.reshape(system.board.tiles.shape)


def settled_or_shared(
    system: System,
    known: Mapping[int, int],
    proofs: Mapping[int, Proof],
    method: str,
    besides: str = "",
) -> Analysis:
    """Return the answer of a solver that has proved `known`, and estimates the rest.

    Args:
        system: The board.
        known: Cells settled, 1 for a mine and 0 for a safe cell.
        proofs: Why each safe cell is safe.
        method: The solver's name.
        besides: What else was proved, in words; said where no cell was proved safe.
    """
    probability = shares(system, known)
    best = safest(probability, system.floating)
    unsettled = probability[(probability > 0) & (probability < 1)]
    error = float(np.maximum(unsettled, 1 - unsettled).max()) if unsettled.size else 0.0
    if best is None:
        words = "nothing is left to open: every covered cell is a mine"
        words = words if system.covered else "no cell is covered"
        proof = Proof(f"{words} ({besides})" if besides else words, Evidence())
    elif known.get(best) == 0:
        proof = proofs[best]
    else:
        proof = _guess(system, best, float(probability.ravel()[best]), besides)
    return Analysis(
        probability,
        None if best is None else system.cell(best),
        not unsettled.size,
        method,
        proof.reason,
        None,
        error,
        proof.evidence,
    )


def _guess(system: System, best: int, chance: float, besides: str) -> Proof:
    around = tuple(system.constraints[index].hint for index in system.touching.get(best, ()))
    where = "" if around else ", away from all hints"
    proved = f" (mines were proved: {besides})" if besides else ""
    return Proof(
        f"a guess by estimate, nothing was proved safe{proved}: about {chance:.1%} risk of a mine "
        f"here{where}",
        Evidence(tuple(system.cell(hint) for hint in around), (system.cell(best),)),
    )
