"""The command that opens the panel."""

from __future__ import annotations

from pathlib import Path

import pytest

from gui.commands.panel import marked_open


def test_a_second_panel_knows_of_the_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As long as that is open."""
    monkeypatch.setenv("MINESWEEPER_BOT_HOME", str(tmp_path / "home"))
    with marked_open() as another:
        assert not another
        with marked_open() as second:
            assert second
    with marked_open() as another:
        assert not another
