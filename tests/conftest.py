"""In any test that plays, not one event outside of the board, its face or a known dialog."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from pytestqt.qtbot import QtBot

from tests.support.strays import Strays, found

for _wait in (QtBot.waitUntil, QtBot.waitSignal, QtBot.waitSignals, QtBot.waitExposed):
    # A limit ends what hangs. The library's 5 seconds also end what waits for a busy machine.
    _wait.__kwdefaults__["timeout"] = 60_000
# An example that takes 0.2 seconds on a busy machine is no failure either.
settings.register_profile(
    "busy", settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("busy")


@pytest.fixture(autouse=True)
def strays(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[Strays]:
    """Looks at everything that is sent in this process, and by the programs that it starts."""
    made = Strays(monkeypatch.setattr)
    yield made
    folder: Path | None = request.node.funcargs.get("tmp_path")
    assert made.found + (found(folder) if folder else []) == []
