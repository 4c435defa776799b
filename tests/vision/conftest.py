"""Screens, skins and an empty data folder for the tests of the reader."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import cv2  # noqa: F401 - imported for what it does to the environment, undone below
import pytest

from gui.private_screen import PrivateScreen
from tests.support.clients import adopt, screen_of_tests
from vision.desktop import Screen, desktop
from vision.skins import Skin, SkinLibrary

os.environ["QT_QPA_PLATFORM"] = "offscreen"
for _name in ("QT_QPA_PLATFORM_PLUGIN_PATH", "QT_QPA_FONTDIR"):
    os.environ.pop(_name, None)
if sys.platform == "win32":
    # The offscreen platform finds no fonts there.
    os.environ["QT_QPA_FONTDIR"] = f"{os.environ['WINDIR']}/Fonts"


@pytest.fixture(scope="session")
def skins() -> tuple[Skin, ...]:
    """The bundled ones; a fixture of the session because matchers remember by skin."""
    return SkinLibrary().skins()


@pytest.fixture(scope="module")
def private_screen() -> Iterator[PrivateScreen]:
    """A real X server with a real window manager; on Windows its desktop."""
    with screen_of_tests(1280, 800) as screen:
        yield screen


@pytest.fixture
def display(private_screen: PrivateScreen, monkeypatch: pytest.MonkeyPatch) -> PrivateScreen:
    """The private screen as this process's own."""
    adopt(private_screen, monkeypatch)
    return private_screen


@pytest.fixture
def screen(display: PrivateScreen) -> Iterator[Screen]:
    """Captures the private screen."""
    assert display.region.width > 0
    with desktop().open_screen() as opened:
        yield opened
