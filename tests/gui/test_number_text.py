"""Numbers as people write them."""

from __future__ import annotations

import pytest

from gui.graphs import PlainAxis
from gui.number_text import number_text, probability_text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1_212.4, "1,212"),
        (1_873_000, "1,873,000"),
        (25, "25"),
        (7.451, "7.45"),
        (0.0428, "0.0428"),
        (0.00000123, "0.00000123"),
        (0, "0"),
        (-0.5, "-0.5"),
        (float("nan"), "-"),
        (float("inf"), "-"),
    ],
)
def test_numbers_have_no_powers_of_ten(value: float, text: str) -> None:
    """Three digits that say something; large numbers whole, with their thousands apart."""
    assert number_text(value) == text


@pytest.mark.parametrize(
    ("value", "text"), [(1e-12, "< 0.0001"), (0.00042, "0.00042"), (0.051, "0.051"), (1.0, "1")]
)
def test_a_tiny_probability_is_only_said_to_be_small(value: float, text: str) -> None:
    """Nobody reads twelve zeros."""
    assert probability_text(value) == text


@pytest.mark.parametrize("most", [1e-5, 0.8, 12, 4_000, 250_000, 3e7])
def test_an_axis_writes_its_numbers_out(most: float) -> None:
    """Whatever its range: no number has an exponent, and no two are alike."""
    axis = PlainAxis("bottom")
    for spacing, values in axis.tickValues(0, most, 400):
        words = axis.tickStrings(values, 1.0, spacing)
        assert len(set(words)) == len(words)
        assert not any("e" in word for word in words)


def test_an_axis_of_games_has_whole_numbers() -> None:
    """There is no game 10.2."""
    axis = PlainAxis("bottom", whole=True)
    values = [value for _, values in axis.tickValues(10, 11, 400) for value in values]
    assert values
    assert all(value == int(value) for value in values)
