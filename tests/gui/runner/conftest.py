"""A screen on which the tests' process itself plays."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gui.private_screen import PrivateScreen
from tests.support.clients import adopt, screen_of_tests


@pytest.fixture
def private_screen(monkeypatch: pytest.MonkeyPatch) -> Iterator[PrivateScreen]:
    """This process's own screen."""
    with screen_of_tests(1280, 800) as screen:
        adopt(screen, monkeypatch)
        yield screen
