"""Pages that read pictures, for tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from pytestqt.qtbot import QtBot

from gui.panel import Panel
from gui.picture.picture_page import PicturePage
from tests.gui.panels import PATIENCE

SCREENS = Path(__file__).parents[2] / "screens"
Opened = Callable[[], tuple[Panel, PicturePage]]


def settled(qtbot: QtBot, page: PicturePage) -> None:
    """Wait until nothing is under way."""
    qtbot.waitUntil(lambda: not page.context.jobs.running, timeout=PATIENCE)


def read(qtbot: QtBot, page: PicturePage, picture: np.ndarray) -> None:
    """Read a picture."""
    page.read(picture)
    settled(qtbot, page)
