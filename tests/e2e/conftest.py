"""A private screen for the tests of a module, and the server that starts their programs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gui.private_screen import PrivateScreen
from tests.support.clients import adopt, screen_of_tests
from tests.support.forked import connect


@pytest.fixture(scope="session", autouse=True)
def _forks() -> None:
    """Programs are forked: `tests.support.forked`."""
    connect()


@pytest.fixture(scope="module")
def private_screen() -> Iterator[PrivateScreen]:
    """A real X server with a real window manager; on Windows, the desktop of the session."""
    with screen_of_tests(1280, 900) as screen:
        yield screen


@pytest.fixture
def screen(private_screen: PrivateScreen, monkeypatch: pytest.MonkeyPatch) -> PrivateScreen:
    """The same, as this process's own."""
    adopt(private_screen, monkeypatch)
    return private_screen
