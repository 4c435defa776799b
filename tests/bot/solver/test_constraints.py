"""The simple deductions from constraints; that they are sound is seen in test_contract."""

from __future__ import annotations

import pytest

from bot.solver.constraints import Constraint, Contradiction, simplify


@pytest.mark.parametrize(
    "rules",
    [
        [Constraint(9, (1, 2), 2), Constraint(8, (2, 1), 1)],
        [Constraint(9, (1, 2, 3), 1), Constraint(8, (1, 2), 2)],
        [Constraint(9, (1, 2, 3, 4), 1), Constraint(8, (1, 2), 1), Constraint(7, (3, 4), 1)],
    ],
)
def test_contradictions_are_found(rules: list[Constraint]) -> None:
    """By single hints, by equal sets of cells, by subtraction."""
    with pytest.raises(Contradiction):
        simplify(rules)
