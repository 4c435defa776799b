"""Complete the result of a solver that only proves cells: estimates, best cell and reason.

An undecided cell that touches hints gets the largest share of any of them: the mines that the hint
still needs, divided by its undecided cells. Other cells get the remaining mines divided by the
remaining cells. Neither considers two hints together.

Source: none. 000, 001 and 004 do not say what to open if nothing is proved.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bot.analysis import Analysis, Evidence, clip_estimate
from bot.solver.constraints import System
from bot.solver.phrases import percent
from bot.solver.safest_cell import safest


@dataclass(frozen=True)
class Proof:
    """The proof that a cell is safe: a sentence, and the cells that it refers to."""

    reason: str
    evidence: Evidence


def estimate(system: System, known: Mapping[int, int]) -> NDArray[np.float64]:
    """Return mine probabilities (rows, cols) float64: proofs, and estimates for the other cells.

    Args:
        system: The board.
        known: Proved cells, 1 for a mine and 0 for a safe cell.
    """
    flat = np.full(system.board.tiles.size, np.nan)
    left = [cell for cell in system.covered if cell not in known]
    if left:
        flat[left] = clip_estimate((system.mines - sum(known.values())) / len(left))
    highest: dict[int, float] = {}
    for rule in system.constraints:
        undecided = [cell for cell in rule.cells if cell not in known]
        owed = rule.mines - sum(known.get(cell, 0) for cell in rule.cells)
        for cell in undecided:
            highest[cell] = max(highest.get(cell, 0.0), owed / len(undecided))
    for cell, share in highest.items():
        flat[cell] = clip_estimate(share)
    for cell, value in known.items():
        flat[cell] = value
    return flat.reshape(system.board.tiles.shape)


def analysis_of_proofs(
    system: System,
    known: Mapping[int, int],
    proofs: Mapping[int, Proof],
    method: str,
    proved_mines: str = "",
) -> Analysis:
    """Return the analysis of a solver that has proved `known`; the other cells are estimated.

    Args:
        system: The board.
        known: Proved cells, 1 for a mine and 0 for a safe cell.
        proofs: The proofs of safe cells; at least that of the first one.
        method: The solver's name.
        proved_mines: The last proof of a mine, in words; part of the reason if no cell is safe.
    """
    probability = estimate(system, known)
    best = safest(probability, system.floating)
    estimated = probability[(probability > 0) & (probability < 1)]
    error = float(np.maximum(estimated, 1 - estimated).max()) if estimated.size else 0.0
    if best is None:
        reason = "nothing is left to open: every covered cell is a mine"
        reason = reason if system.covered else "no cell is covered"
        proof = Proof(f"{reason} ({proved_mines})" if proved_mines else reason, Evidence())
    elif known.get(best) == 0:
        proof = proofs[best]
    else:
        proof = _guess(system, best, float(probability.ravel()[best]), proved_mines)
    return Analysis(
        probability,
        None if best is None else system.cell(best),
        not estimated.size,
        method,
        proof.reason,
        None if estimated.size else 1,
        error=error,
        evidence=proof.evidence,
    )


def _guess(system: System, best: int, chance: float, proved_mines: str) -> Proof:
    around = tuple(system.constraints[index].hint for index in system.touching.get(best, ()))
    where = "" if around else ", away from all hints"
    proved = f" (mines were proved: {proved_mines})" if proved_mines else ""
    return Proof(
        f"a guess by estimate, nothing was proved safe{proved}: about {percent(chance, 1)} "
        f"risk of a mine here{where}",
        Evidence(tuple(system.cell(hint) for hint in around), (system.cell(best),)),
    )
