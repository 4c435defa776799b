"""The program on Windows: real Windows programs, played and disturbed, with real input."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

if sys.platform == "win32":
    from tests.support.winconsole import console

from tests.support.clients import Client, wait_until
from tests.support.forked import BOT, bot, simulated
from tests.support.games import start
from tests.support.programs import start as start_program
from tests.support.real_programs import PROGRAMS
from tests.support.runs import account, audited, environment, sessions
from vision.desktop import desktop

pytestmark = [pytest.mark.windows, pytest.mark.desktop]

WINEMINE = PROGRAMS["winemine"].title


def wait_for_window(title: str) -> int:
    """Wait for a window of a title; return its number."""

    def numbers() -> list[int]:
        return [window.id for window in desktop().list_windows() if title in window.title]

    wait_until(numbers)
    return numbers()[0]


@pytest.mark.parametrize(("level", "games"), [("beginner", 20), ("expert", 10)])
def test_a_real_program_is_played(tmp_path: Path, level: str, games: int) -> None:
    """A native Win32 program: found, read, played, restarted, and nothing wrong."""
    with start("winemine", level, os.environ, tmp_path / "program") as process:
        wait_for_window(WINEMINE)
        run = bot(tmp_path, "play", "--window", WINEMINE, "--level", level, "--games", str(games))
        assert process.poll() is None, account(run, tmp_path)
    audit = audited(sessions(tmp_path))
    ended = (run.returncode, audit.findings, audit.won + audit.lost)
    assert ended == (0, [], games), account(run, tmp_path)


def test_an_unknown_program_is_asked_about_in_the_console(tmp_path: Path) -> None:
    """Tk's Minesweeper: the question is answered there, and what closes its dialog."""
    command = (*BOT, "play", "--window", "Tk Mine", "--games", "2", "--no-panel")
    with (
        start_program("tk", dict(os.environ), tmp_path / "tk", dialog="toplevel", key="F2") as game,
        console(command, environment(tmp_path)) as shown,
    ):
        shown.wait_for("or nothing (No, end the run)")
        assert game.events("click") == []
        shown.type("y\r")
        shown.wait_for("How is 'Game over' closed?")
        shown.wait_for("nothing (Leave it open and end the run) Your answer:")
        shown.type("key return\r")
        shown.wait_for("nothing (End the run) Your answer:")
        shown.type("key f2\r")
        shown.wait_for("of 2 games")
        assert shown.process.wait(60) == 0
        assert len(game.events("end")) == 2
    assert audited(sessions(tmp_path)).findings == []


def test_commands_in_a_console(tmp_path: Path) -> None:
    """Each once, in a folder with a space and letters beyond ASCII; Ctrl-C ends a run."""
    home = tmp_path / "J\u00f6rg \u0141ukasz"
    variables = environment(home)
    with simulated(None, home, "--level", "intermediate"):
        with console((*BOT, "assist", "--window", "minesweeper"), variables) as shown:
            shown.wait_for("0: open row")
            shown.type("c", control=True)
            assert shown.process.wait(60) == 130
        with console((*BOT, "play", "--window", "minesweeper", "--no-panel"), variables) as shown:
            shown.wait_for("game 1")
            shown.type("c", control=True)
            shown.wait_for("Stopped with Ctrl-C.")
            assert shown.process.wait(60) == 130
    picture = "tests/screens/two-games-1280.png"
    boards = ("--games", "4", "--solvers", "human", "--workers", "2", "--out", str(home / "runs"))
    once: dict[tuple[str, ...], tuple[str, int]] = {
        ("read", picture): ("skin 'winemine'", 0),
        ("learn", picture): ("there is nothing to learn", 1),
        ("lab", *boards): ("saved to", 0),
        ("history",): ("100.0", 0),
        ("doctor",): ("F8, while the bot plays", 0),
    }
    for arguments, (wanted, code) in once.items():
        with console((*BOT, *arguments), variables) as shown:
            shown.wait_for(wanted)
            assert shown.process.wait(60) == code, shown.text
            assert "Traceback" not in shown.text
    with console((*BOT, "replay"), variables) as shown:
        # It opens the panel.
        Client().ask_to_close(wait_for_window("Minesweeper bot"))
        assert shown.process.wait(60) == 0
