"""The real programs are started, played and ended: real windows on private screens, real clicks."""

from __future__ import annotations

from pathlib import Path

import pytest

from gui.private_screen import PrivateScreen
from tests.support.forked import bot
from tests.support.games import start
from tests.support.real_programs import PROGRAMS
from tests.support.runs import account, audited, sessions
from tests.support.shown import require, windows_shown

PLAYED = [(program, "beginner", 2) for program in PROGRAMS]
LARGER = [(program, level, 1) for program in PROGRAMS for level in ("intermediate", "expert")]


@pytest.mark.parametrize(
    ("program", "level", "games"),
    [*PLAYED, *(pytest.param(*one, marks=pytest.mark.slow) for one in LARGER)],
)
def test_a_real_program_is_played(tmp_path: Path, program: str, level: str, games: int) -> None:
    """A program of other authors: found, read, played, restarted, and nothing wrong.

    With CI set it must be installed; elsewhere what was not run is said aloud. It opens one
    window on its private screen, goes on after the player has left, and is gone afterwards.
    """
    require(program)
    title = PROGRAMS[program].title
    with PrivateScreen(1600, 900) as screen:
        with start(program, level, screen.environment, tmp_path / "program") as process:
            assert windows_shown(screen.environment, title, program=process) == 1
            given = ("--window", title, "--level", level, "--games", str(games))
            run = bot(tmp_path, "play", *given, screen=screen)
            assert process.poll() is None, account(run, tmp_path)
        assert process.poll() is not None
        assert windows_shown(screen.environment, title, "look") == 0
    audit = audited(sessions(tmp_path))
    ended = (run.returncode, audit.findings, audit.won + audit.lost)
    assert ended == (0, [], games), account(run, tmp_path)
