"""Commands run in the test's process: no window is opened, and nothing is started."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from rich.console import ConsoleDimensions

from gui.__main__ import main
from gui.console import Console
from tests.support.runs import SCREEN_VARIABLES

Bot = Callable[..., CompletedProcess[str]]


@pytest.fixture
def bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Bot:
    """Runs a command to its end, without a display; `tmp_path` is its home."""
    for name in SCREEN_VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("MINESWEEPER_BOT_HOME", str(tmp_path))
    # A console reads COLUMNS when it is made: these are made with their modules.
    monkeypatch.setattr(Console, "size", ConsoleDimensions(200, 50))

    def run(*arguments: str) -> CompletedProcess[str]:
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main(list(arguments))
        return CompletedProcess(arguments, ended.value.code or 0, *capsys.readouterr())

    return run
