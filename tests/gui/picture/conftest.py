"""The page, opened in a panel."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.solver.warmup import PREPARATION
from gui.panel import Panel
from gui.picture.picture_page import PicturePage
from tests.gui.panels import Shown
from tests.gui.picture.pages import Opened
from tests.gui.tabletop import Tabletop


@pytest.fixture(scope="module", autouse=True)
def ready() -> None:
    """The solver is compiled: that may take longer than a signal is waited for."""
    PREPARATION.wait()


@pytest.fixture
def opened(shown: Shown, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Opened:
    """Opens the page, in a panel, with no skins of the user's."""
    monkeypatch.setenv("MINESWEEPER_BOT_HOME", str(tmp_path / "home"))

    def make() -> tuple[Panel, PicturePage]:
        panel = shown(Tabletop())
        panel.shell.open("picture")
        page = panel.shell.page("picture")
        assert isinstance(page, PicturePage)
        return panel, page

    return make
