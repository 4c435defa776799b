"""A window whose title is made to do harm is played like any other, and nothing acts on it."""

from __future__ import annotations

from pathlib import Path

import pytest

from gui.private_screen import PrivateScreen
from tests.support.forked import bot, simulated
from tests.support.runs import sessions
from tests.support.xclient import Client, adopt, wait_until
from vision.desktop import desktop

TITLE = "=cmd() [/b] [red]<b>Mines</b> \x1b[31m\x1b]0;x\x07\u202eX\nnew\tline"
SHOWN = "=cmd() [/b] [red]<b>Mines</b> X new line"


def rename(window: int, title: str) -> None:
    """Give another program's window a title."""
    with Client() as client:
        atom = client.display.intern_atom
        name, kind = atom("_NET_WM_NAME"), atom("UTF8_STRING")
        client.resource(window).change_property(name, kind, 8, title.encode())
        client.display.sync()
    wait_until(lambda: all(one.title == SHOWN for one in desktop().list_windows()))


@pytest.mark.slow
def test_a_hostile_title_is_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Named by its visible text; printed, recorded and exported as plain text."""
    with PrivateScreen() as screen, simulated(screen, tmp_path) as game:
        adopt(screen, monkeypatch)
        rename(game, TITLE)
        played = bot(
            tmp_path, "play", "--window", SHOWN, "--games", "1", "--no-panel", screen=screen
        )
        missed = bot(tmp_path, "play", "--window", "no such", "--no-panel", screen=screen)
    assert played.returncode == 0, played.stderr
    assert missed.returncode == 1
    assert f"'{SHOWN}'" in missed.stderr
    assert [session.info.window for session in sessions(tmp_path)] == [SHOWN]
    table = tmp_path / "games.csv"
    assert bot(tmp_path, "history", "--csv", str(table)).returncode == 0
    assert f'"\'{SHOWN}"' in table.read_text("utf-8")
