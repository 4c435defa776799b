"""Numbers as text: without exponents, with thousands separators."""

from __future__ import annotations

from math import floor, isfinite, log10

_LEAST_P = 0.0001


def number_text(value: float, digits: int = 3) -> str:
    """Return a number with so many significant digits, for example 1,870, 25 or 0.0428."""
    if not isfinite(value):
        return "-"
    if value == 0:
        return "0"
    decimals = max(0, digits - 1 - floor(log10(abs(value))))
    text = f"{value:,.{decimals}f}"
    return text.rstrip("0").rstrip(".") if decimals else text


def probability_text(value: float) -> str:
    """Return a probability with two significant digits; a very small one as an upper limit."""
    return f"< {_LEAST_P}" if 0 < value < _LEAST_P else number_text(value, 2)
