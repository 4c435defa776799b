"""The command plays: real processes, real windows on private screens, real clicks."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bot.board import EXPLODED
from bot.frame import Status
from gui.private_screen import PrivateScreen
from tests.gui.history.test_recorded import same_games
from tests.support import runs
from tests.support.forked import BOT, bot, simulated
from tests.support.games import start
from tests.support.real_programs import PROGRAMS
from tests.support.runs import audited, environment, finished, sessions
from tests.support.shown import require
from vision.sessions import Session


@pytest.mark.slow
def test_without_a_screen_it_plays_on_a_private_one(tmp_path: Path) -> None:
    """Do what `make play` does: every game printed and recorded, pictures made, a clean audit."""
    pictures = tmp_path / "pictures"
    run = runs.bot(tmp_path, "play", "--games", "3", "--seed", "1", "--pictures", str(pictures))
    assert run.returncode == 0, run.stderr
    results = re.findall(r"^game (\d) of 3: (won|lost) in", run.stdout, re.MULTILINE)
    assert [number for number, _ in results] == ["1", "2", "3"]
    won = sum(result == "won" for _, result in results)
    assert f"won {won} of 3 games" in run.stdout
    assert (pictures / "panel.png").stat().st_size > 10_000
    assert (pictures / "board.png").exists()
    recorded = sessions(tmp_path)
    assert len(recorded) == 3
    audit = audited(recorded)
    assert audit.findings == []
    assert (audit.won, audit.lost) == (won, 3 - won)
    same_games(run.stdout, tmp_path)


@pytest.mark.slow
def test_the_game_of_digging_is_played(tmp_path: Path) -> None:
    """By its own rules: mines are dug on the way, every list is right, and no proof was wrong."""
    options = ("--solver", "hunter", "--games", "2", "--seed", "3", "--no-panel")
    run = bot(tmp_path, "play", "--digging", *options)
    assert run.returncode == 0, run.stderr
    assert "won 2 of 2 games" in run.stdout
    reported = re.findall(r"(\d+) digs, (\d+) of them mines", run.stdout)
    recorded = sessions(tmp_path)
    assert [(int(digs), int(mines)) for digs, mines in reported] == [dug(s) for s in recorded]
    assert any(
        (turn.reading.board.tiles == EXPLODED).any() and turn.reading.status is Status.PLAYING
        for session in recorded
        for turn in session.turns()
    )
    audit = audited(recorded)
    assert audit.findings == []
    assert audit.proofs > 0


def test_digging_in_minesweeper_is_refused(tmp_path: Path) -> None:
    """As soon as a click opens more than a dig does."""
    play = ("play", "--window", "minesweeper", "--digging", "--games", "1", "--no-panel")
    with PrivateScreen() as screen, simulated(screen, tmp_path, "--first-click", "zero"):
        run = bot(tmp_path, *play, screen=screen)
    assert run.returncode == 1
    assert "plays Minesweeper and not 'Find all mines': one click opened" in run.stderr


@pytest.mark.slow
def test_digging_in_sgt_mines_is_refused_before_the_first_click(tmp_path: Path) -> None:
    """Its skin promises that the first cell is never a mine."""
    require("sgt-mines")
    play = ("play", "--window", PROGRAMS["sgt-mines"].title, "--digging", "--no-panel")
    with (
        PrivateScreen() as screen,
        start("sgt-mines", "beginner", screen.environment, tmp_path / "program"),
    ):
        run = bot(tmp_path, *play, screen=screen)
    assert run.returncode == 1
    assert "its first cell is never a mine" in run.stderr
    assert sessions(tmp_path) == []


def dug(session: Session) -> tuple[int, int]:
    """The tiles that a recorded game shows as dug at its end, and the mines among them."""
    tiles = list(session.turns())[-1].reading.board.tiles
    mines = int((tiles == EXPLODED).sum())
    return int((tiles >= 0).sum()) + mines, mines


def test_a_missing_window_is_reported(tmp_path: Path) -> None:
    """The message names what was asked for and says what to do."""
    with PrivateScreen() as screen:
        run = bot(tmp_path, "play", "--window", "solitaire", screen=screen)
    assert run.returncode == 1
    assert "solitaire" in run.stderr
    assert "Traceback" not in run.stderr


@contextmanager
def wayland(folder: Path) -> Iterator[dict[str, str]]:
    """A Wayland session, by the compositor Weston without a screen."""
    folder.chmod(0o700)
    process = subprocess.Popen(
        ["weston", "--backend=headless-backend.so", "--socket=wayland-0", "--width=1600"],
        env=environment(folder) | {"XDG_RUNTIME_DIR": str(folder)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    try:
        assert any("launching" in line for line in process.stdout), "Weston did not start"
        yield {"WAYLAND_DISPLAY": "wayland-0", "XDG_RUNTIME_DIR": str(folder)}
    finally:
        process.terminate()
        process.communicate()


@pytest.mark.slow
def test_on_wayland_the_built_in_game_is_on_a_private_screen(tmp_path: Path) -> None:
    """The panel is a Wayland window; the game, its reader and its clicks are elsewhere."""
    runtime = tmp_path / "runtime"
    runtime.mkdir()
    with wayland(runtime) as session:
        run = finished(
            [*BOT, "play", "--games", "2", "--pictures", str(tmp_path / "pictures")],
            environment(tmp_path) | session,
        )
    assert run.returncode == 0, run.stderr
    assert "Wayland: the game is played on a private screen" in run.stdout
    assert "game 2 of 2" in run.stdout
    assert (tmp_path / "pictures" / "panel.png").exists()
    assert audited(sessions(tmp_path)).findings == []
