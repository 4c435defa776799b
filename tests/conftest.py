"""In any test that plays, not one event outside of the board, its face or a known dialog."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.strays import Strays, found


@pytest.fixture(autouse=True)
def strays(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[Strays]:
    """Looks at everything that is sent in this process, and by the programs that it starts."""
    made = Strays(monkeypatch.setattr)
    yield made
    folder: Path | None = request.node.funcargs.get("tmp_path")
    assert made.found + (found(folder) if folder else []) == []
