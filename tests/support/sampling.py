"""Parameters of tests of which `make test` uses only some, and `make test-slow` all."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def sampled(values: Iterable[object], quick: int = 1) -> list[Any]:
    """Return the values as parameters; all but the first `quick` are slow."""
    return [
        value if number < quick else pytest.param(value, marks=pytest.mark.slow)
        for number, value in enumerate(values)
    ]
