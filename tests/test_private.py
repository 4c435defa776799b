"""A game on a private screen: played from anywhere, and nothing of it stays behind."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from gui.private_screen import PrivateScreen
from tests.runs import BOT, account, audited, bot, environment, sessions
from tests.shown import may_run, windows_shown

BEGINNER = ("xdemineur", "-geometry", "12x12", "-m", "20")
LEAVING_A_CHILD = ("sh", "-c", 'setsid sleep 1000 & exec "$@"', "sh", *BEGINNER)
"""The same, and a process that has nothing to do with it any more."""


def of(home: Path) -> dict[int, str]:
    """The processes that came from a bot with that home, and their names."""
    found = {}
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if os.fsencode(home) in (process / "environ").read_bytes():
                found[int(process.name)] = (process / "comm").read_text().strip()
    return found


def ended(home: Path) -> bool:
    """Whether all of them have gone; waits on them, not on a clock."""
    for process in of(home):
        subprocess.run(["tail", f"--pid={process}", "-f", "/dev/null"], check=True, timeout=60)
    return not of(home)


@contextmanager
def playing(home: Path, *command: str) -> Iterator[subprocess.Popen[str]]:
    """A bot with no display that has played a game on a private screen, and goes on."""
    options = ("--private", "--no-panel", "--games", "100000")
    process = subprocess.Popen(
        [*BOT, "play", *options, "--", *command],
        env=environment(home),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        assert any(line.startswith("game 1 of") for line in process.stdout)
        yield process
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize(
    "command", [BEGINNER, ("sgt-mines", "9x9n10"), ("gnome-mines", "--small")], ids=lambda c: c[0]
)
def test_a_program_is_played_without_a_display(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: tuple[str, ...]
) -> None:
    """As over SSH: it is started, found, played to the end, and gone with its screen."""
    if not may_run(command[0], capsys):
        return
    run = bot(tmp_path, "play", "--private", "--games", "2", "--", *command)
    audit = audited(sessions(tmp_path))
    assert (run.returncode, audit.findings, audit.won + audit.lost) == (0, [], 2), account(
        run, tmp_path
    )
    assert of(tmp_path) == {}


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_nothing_is_left_of_a_bot_that_ends(tmp_path: Path, number: signal.Signals) -> None:
    """Screen, window manager, game and what the game let go of: all of it ends with the bot."""
    with playing(tmp_path, *LEAVING_A_CHILD) as process:
        assert {"Xvfb", "openbox", "xdemineur", "sleep"} <= set(of(tmp_path).values())
        process.send_signal(number)
        _, told = process.communicate(timeout=60)
    assert "Traceback" not in told
    assert ended(tmp_path)
    assert not any(session.torn for session in sessions(tmp_path))


@pytest.mark.parametrize(
    ("victim", "words"),
    [
        ("xdemineur", "'sh' ended by itself (by the signal SIGKILL)"),
        ("Xvfb", "the private screen of 'sh' ended by itself (by the signal SIGKILL)"),
    ],
)
def test_a_game_that_ends_by_itself_is_told(tmp_path: Path, victim: str, words: str) -> None:
    """Killed in mid-game, or its screen: a sentence, and nothing is left."""
    with playing(tmp_path, *LEAVING_A_CHILD) as process:
        os.kill(next(pid for pid, name in of(tmp_path).items() if name == victim), signal.SIGKILL)
        _, told = process.communicate(timeout=60)
    assert process.returncode == 1
    assert words in told
    assert "Traceback" not in told
    assert ended(tmp_path)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (("no-such-game",), "there is no program 'no-such-game'"),
        (("sh", "-c", "echo no luck >&2; exit 3"), "(with the exit code 3). It said: no luck"),
    ],
)
def test_what_cannot_be_played_is_told(
    tmp_path: Path, command: tuple[str, ...], words: str
) -> None:
    """A program that is not there, and one that ends before it opens a window."""
    run = bot(tmp_path, "play", "--private", "--", *command)
    assert run.returncode == 1
    assert words in run.stderr
    assert "Traceback" not in run.stderr
    assert ended(tmp_path)


@pytest.mark.parametrize("number", [None, signal.SIGKILL], ids=["to its end", "killed"])
def test_the_panel_is_on_another_screen(tmp_path: Path, number: signal.Signals | None) -> None:
    """The user's pointer stays where it is, no game is among the windows there; all ends."""
    with PrivateScreen() as desktop:
        pointer = ["xdotool", "getmouselocation"]
        before = subprocess.run(pointer, env=desktop.environment, capture_output=True, check=True)
        games = "2" if number is None else "100000"
        process = subprocess.Popen(
            [*BOT, "play", "--private", "--games", games, "--", *LEAVING_A_CHILD],
            env=environment(tmp_path, desktop),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        assert any(line.startswith("game 1 of") for line in process.stdout)
        if number is not None:
            assert windows_shown(desktop.environment, "Minesweeper bot", "look") == 1
            assert windows_shown(desktop.environment, "", "look") == 1
            process.send_signal(number)
        process.communicate(timeout=120)
        after = subprocess.run(pointer, env=desktop.environment, capture_output=True, check=True)
    assert after.stdout == before.stdout
    assert process.returncode == (0 if number is None else -number)
    assert ended(tmp_path)
    recorded = sessions(tmp_path)
    assert not any(session.torn for session in recorded)
    assert audited(recorded).findings == []
