"""A game on a private screen: played from anywhere, and nothing of it stays behind."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from gui.private_screen import PrivateScreen
from tests.e2e.test_play import wayland
from tests.support import runs
from tests.support.forked import BOT, bot
from tests.support.runs import account, audited, environment, finished, sessions, wait_for_line
from tests.support.shown import require, windows_shown
from tests.support.strays import looked_at

BEGINNER = ("xdemineur", "-geometry", "12x12", "-m", "20")
LEAVING_A_CHILD = ("sh", "-c", 'setsid sleep 1000 & exec "$@"', "sh")
"""Before a command: starts it, and a process that has nothing to do with it any more."""


def of(home: Path) -> list[psutil.Process]:
    """The processes that came from a bot with that home."""
    found = psutil.process_iter(["environ", "name"])
    return [one for one in found if str(home) in str(one.info["environ"])]


def named(home: Path, name: str) -> psutil.Process:
    """The first of them with a name."""
    return next(one for one in of(home) if one.info["name"] == name)


def ended(home: Path) -> bool:
    """Whether all of them have gone; waits on them, not on a clock."""
    _, left = psutil.wait_procs(of(home), 60)
    return not left + of(home)


@contextmanager
def playing(place: Mapping[str, str], *command: str) -> Iterator[subprocess.Popen[str]]:
    """A bot in an environment that has played a game on a private screen, and goes on.

    Not a fork: if that is killed, its server kills all that it started.
    """
    play = (*runs.BOT, "play", "--private", "--games", "100000", "--", *command)
    with runs.running(play, place, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        wait_for_line(process.stdout, "game 1 of")
        yield process


def test_a_program_is_played_without_a_display(tmp_path: Path) -> None:
    """As over SSH: it is started, found, played to the end, and gone with its screen."""
    require("xdemineur")
    run = bot(tmp_path, "play", "--private", "--games", "2", "--", *BEGINNER)
    audit = audited(sessions(tmp_path))
    assert (run.returncode, audit.findings, audit.won + audit.lost) == (0, [], 2), account(
        run, tmp_path
    )
    assert of(tmp_path) == []


@pytest.mark.parametrize(
    ("number", "command"),
    [
        (signal.SIGKILL, BEGINNER),
        pytest.param(signal.SIGTERM, ("sgt-mines", "9x9n10"), marks=pytest.mark.slow),
    ],
    ids=["SIGKILL", "SIGTERM"],
)
def test_all_processes_end_with_the_bot(
    tmp_path: Path,
    number: signal.Signals,
    command: tuple[str, ...],
) -> None:
    """Screen, window manager, game and what the game let go of: all of it ends with the bot."""
    require(command[0])
    with playing(environment(tmp_path), *LEAVING_A_CHILD, *command) as process:
        assert looked_at(tmp_path)[0] > 0
        assert {"Xvfb", "openbox", command[0], "sleep"} <= {
            one.info["name"] for one in of(tmp_path)
        }
        process.send_signal(number)
        _, reported = process.communicate(timeout=60)
    assert "Traceback" not in reported
    assert ended(tmp_path)
    assert not any(session.torn for session in sessions(tmp_path))


@pytest.mark.parametrize(
    ("victim", "words"),
    [
        pytest.param(
            "xdemineur", "'sh' ended unexpectedly (by the signal SIGKILL)", marks=pytest.mark.slow
        ),
        ("Xvfb", "the private screen of 'sh' ended unexpectedly (by the signal SIGKILL)"),
    ],
)
def test_a_game_that_ends_by_itself_is_reported(tmp_path: Path, victim: str, words: str) -> None:
    """Killed in mid-game, or its screen: a sentence, and nothing is left."""
    with playing(environment(tmp_path), *LEAVING_A_CHILD, *BEGINNER) as process:
        named(tmp_path, victim).kill()
        _, reported = process.communicate(timeout=60)
    assert process.returncode == 1
    assert words in reported
    assert "Traceback" not in reported
    assert ended(tmp_path)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (("no-such-game",), "there is no program 'no-such-game'"),
        (("sh", "-c", "echo no luck >&2; exit 3"), "(with the exit code 3). It said: no luck"),
    ],
)
def test_what_cannot_be_played_is_reported(
    tmp_path: Path, command: tuple[str, ...], words: str
) -> None:
    """A program that is not there, and one that ends before it opens a window."""
    run = bot(tmp_path, "play", "--private", "--", *command)
    assert run.returncode == 1
    assert words in run.stderr
    # The end of a game is reported as in every other run.
    assert ("no game was finished" in run.stdout) is (command[0] == "sh")
    assert "Traceback" not in run.stderr
    assert ended(tmp_path)


@pytest.mark.slow
def test_the_panel_is_on_another_screen(tmp_path: Path) -> None:
    """The user's pointer stays where it is, no game is among the windows; all ends with the bot."""
    with PrivateScreen() as desktop:
        pointer = ["xdotool", "getmouselocation"]
        before = subprocess.run(pointer, env=desktop.environment, capture_output=True, check=True)
        place = environment(tmp_path, desktop)
        with playing(place, *LEAVING_A_CHILD, *BEGINNER) as process:
            assert windows_shown(desktop.environment, "Minesweeper bot", "look") == 1
            assert windows_shown(desktop.environment, "", "look") == 1
            # By the player on the private screen.
            assert looked_at(tmp_path)[0] > 0
            process.kill()
        after = subprocess.run(pointer, env=desktop.environment, capture_output=True, check=True)
        assert after.stdout == before.stdout
        assert ended(tmp_path)
    recorded = sessions(tmp_path)
    assert not any(session.torn for session in recorded)
    assert audited(recorded).findings == []


@pytest.mark.slow
def test_on_wayland_the_panel_stays_there_and_the_game_does_not(tmp_path: Path) -> None:
    """GTK would find the session by itself."""
    require("gnome-mines")
    runtime = tmp_path / "runtime"
    runtime.mkdir()
    home = tmp_path / "home"
    with wayland(runtime) as session:
        run = finished(
            [*BOT, "play", "--private", "--games", "1", "--", "gnome-mines", "--small"],
            environment(home) | session,
        )
        audit = audited(sessions(home))
        assert (run.returncode, audit.findings, audit.won + audit.lost) == (0, [], 1), account(
            run, home
        )
        assert of(home) == []
