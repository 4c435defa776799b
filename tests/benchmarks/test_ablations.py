"""The ablation tables name rules that exist."""

from __future__ import annotations

import importlib

import pytest

from tests.benchmarks.ablation import PARTS


@pytest.mark.parametrize("part", PARTS)
def test_each_rule_of_a_table_is_a_rule_of_the_program(part: str) -> None:
    """A rule that was renamed or moved would be measured no more, or fail in the middle."""
    rules = importlib.import_module(f"tests.benchmarks.ablations.{part}").RULES
    assert rules
    for rule in rules:
        rule.owner()
