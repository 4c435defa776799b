"""Explain a move on demand, and count the solutions that are left.

An explanation takes longer than a decision, and most decisions are never explained. So a solver
gives a reason only if its decision depends on one (an estimated chance to win, a published rule);
`explain` finds the reason for any other move from the board and the probabilities.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from bot.analysis import Analysis, Evidence, Limit, load_function
from bot.board import EXPLODED, MINE, Board, neighbours
from bot.solver.constraints import (
    Constraint,
    Simplified,
    System,
    against_a_mine,
    simplify,
    system_of,
)
from bot.solver.phrases import hint_name, hint_names, percent, quantity
from bot.solver.safest_cell import EQUAL

_COUNTABLE: Final = 100_000
"""Number of solutions up to which a risk is given as a count, above it in percent."""


class Explanation(NamedTuple):
    """The reason for opening a cell."""

    reason: str
    """The reason, in one sentence for the user."""
    evidence: Evidence
    """The hints and cells that the reason refers to."""


_explained: Final[WeakKeyDictionary[Analysis, Explanation]] = WeakKeyDictionary()


def explain(board: Board, analysis: Analysis) -> Explanation:
    """Explain the best cell of an analysis.

    The explanation is cached as long as the analysis exists. It takes some milliseconds on Expert,
    and loads the machine code of the exact solver.

    Args:
        board: The analysed board.
        analysis: Its analysis; a reason in it is returned as it is.
    """
    if analysis.reason is not None:
        return Explanation(analysis.reason, analysis.evidence)
    known = _explained.get(analysis)
    if known is None:
        known = _explained[analysis] = Explanation(*_why(board, analysis))
    return known


def note_explanation(analysis: Analysis, explanation: Explanation) -> None:
    """Let `explain` return what another process has found for the same analysis."""
    _explained[analysis] = explanation


def with_explanation(board: Board, analysis: Analysis) -> Analysis:
    """Return the analysis with its reason and evidence filled in, for another process."""
    reason, evidence = explain(board, analysis)
    return replace(analysis, reason=reason, evidence=evidence)


def count_solutions(board: Board, analysis: Analysis) -> int | None:
    """Count the solutions of a board; None if its analysis is not exact."""
    if analysis.solutions is not None or not analysis.exact:
        return analysis.solutions
    # numba takes half a second to import.
    count: Callable[[Board], int] = load_function("bot.solver.kernel.interface:count_solutions")
    return count(board)


def _why(board: Board, analysis: Analysis) -> tuple[str, Evidence]:
    system = system_of(board)
    if analysis.best is None:
        return _why_nothing(len(system.covered)), Evidence()
    index = analysis.best.row * board.cols + analysis.best.col
    risk = float(analysis.mine_probability[analysis.best])
    solutions = count_solutions(board, analysis)
    if risk == 0:
        return _why_safe(system, simplify(system.constraints), index, solutions)
    return _why_guess(system, analysis.mine_probability, index, solutions)


def _why_safe(
    system: System, simple: Simplified, best: int, solutions: int | None
) -> tuple[str, Evidence]:
    """Return the simplest proof found that the cell is safe."""
    index = simple.because.get(best)
    if index is not None:
        return _from_one_hint(system, simple, system.constraints[index], best)
    pair = _pair(system, simple.known, best)
    if pair is not None:
        first, second = pair
        shared = sorted(set(first.cells).intersection(second.cells).difference(simple.known))
        reason = (
            f"safe: the remaining mines of {_name(system, first)} are all among the cells it "
            f"shares with {_name(system, second)}"
        )
        return reason, _evidence(system, (first.hint, second.hint), (best, *shared))
    around = _hints_at(system, best)
    if not around:
        left = "all remaining mines touch a hint" if system.mines else "no mines are left"
        return f"safe: {left}", _evidence(system, (), system.floating)
    together = against_a_mine(system, best, Limit())
    if together:
        named = hint_names(system.board, together)
        reason = f"safe: a mine here would contradict {named}"
        return reason, Evidence(together, (system.cell(best),))
    if solutions == 1:
        return "safe: only one solution is left", _evidence(system, around, (best,))
    others = "the solutions" if solutions is None else f"the {_number(solutions)}"
    reason = f"safe: with {quantity(system.mines, 'mine')} left, none of {others} has one here"
    return reason, _evidence(system, around, (best,))


def _why_guess(
    system: System, probability: NDArray[np.float64], best: int, solutions: int | None
) -> tuple[str, Evidence]:
    """Return the risk of the guess in words; `solutions` is None if the risk is an estimate."""
    risk, least = float(probability.flat[best]), float(np.nanmin(probability))
    around = _hints_at(system, best)
    evidence = _evidence(system, around, (best,))
    if not system.constraints:
        return (
            f"nothing is known yet: {percent(risk, 1)} risk of a mine here, as everywhere",
            evidence,
        )
    floating = "" if around else ", touching no hint"
    share = f"{percent(risk, 1)} risk of a mine here"
    equals = int(np.count_nonzero(np.abs(probability - risk) <= EQUAL))
    if risk > least + EQUAL:
        rank = f"the safest cell has {percent(least, 1)}"
    elif solutions is None:
        rank = "the lowest risk found"
    else:
        rank = "the lowest risk on the board" + (
            f", the same in {equals} cells" if equals > 1 else ""
        )
    if solutions is None:
        return f"a guess by estimate: about {share}{floating}, {rank}", evidence
    if solutions <= _COUNTABLE:
        mines = round(risk * solutions)
        verb = "has" if mines == 1 else "have"
        share = f"{mines:,} of the {_number(solutions)} left {verb} a mine here"
        if 2 * mines == solutions:
            return f"a 50/50: {share}{floating}", evidence
        return f"{share}{floating}: {rank}", evidence
    return f"a guess: {share}{floating}, {rank}", evidence


def _why_nothing(covered: int) -> str:
    """Explain why there is no cell to open."""
    if not covered:
        return "no cell is covered"
    return "nothing is left to open: every covered cell is a mine"


def _from_one_hint(
    system: System, simple: Simplified, rule: Constraint, best: int
) -> tuple[str, Evidence]:
    table = neighbours(system.board.rows, system.board.cols)
    covered = set(rule.cells)
    mines = [
        cell
        for cell in table[rule.hint]
        if (cell in covered and simple.known.get(cell) == 1)
        or system.board[system.cell(cell)] in {MINE, EXPLODED}
    ]
    evidence = _evidence(system, (rule.hint,), (best, *mines))
    value = system.board[system.cell(rule.hint)]
    if not value:
        return f"safe: {_name(system, rule)} has no mine around it", evidence
    has = "its mine" if value == 1 else f"its {value} mines"
    return f"safe: {_name(system, rule)} already has {has}", evidence


def _pair(system: System, known: dict[int, int], best: int) -> tuple[Constraint, Constraint] | None:
    """Find two hints so that all mines that the first needs are in shared cells, not `best`."""
    open_cells = [
        frozenset(c for c in rule.cells if c not in known or c == best)
        for rule in system.constraints
    ]
    owed = [rule.mines - sum(known.get(c, 0) for c in rule.cells) for rule in system.constraints]
    for i, first in enumerate(system.constraints):
        if best not in first.cells:
            continue
        for j, second in enumerate(system.constraints):
            shared = open_cells[i] & open_cells[j]
            if i == j or not shared or best in shared:
                continue
            if owed[j] - len(open_cells[j] - shared) == owed[i]:
                return first, second
    return None


def _hints_at(system: System, cell: int) -> list[int]:
    return [rule.hint for rule in system.constraints if cell in rule.cells]


def _evidence(system: System, hints: Sequence[int], cells: Sequence[int]) -> Evidence:
    return Evidence(
        tuple(system.cell(hint) for hint in hints),
        tuple(system.cell(cell) for cell in dict.fromkeys(cells)),
    )


def _name(system: System, rule: Constraint) -> str:
    return hint_name(system.board, system.cell(rule.hint))


def _number(solutions: int) -> str:
    """Return '1 solution', '17 solutions' or 'about 10^23 solutions'."""
    if solutions == 1:
        return "1 solution"
    if solutions < 10**9:
        return f"{solutions:,} solutions"
    return f"about 10^{len(str(solutions)) - 1} solutions"
