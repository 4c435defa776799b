"""What stops the real program, and what it does at a dialog: on private screens, with real keys."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from bot.frame import Point
from gui.private_screen import PrivateScreen
from tests.e2e.test_confirming import frameless
from tests.support.clients import Keyboard, Mice, wait_until
from tests.support.forked import PYTHON, running, simulated
from tests.support.runs import audited, environment, finished, sessions, wait_for_line
from vision.desktop import desktop

AT_A_DIALOG = """
import sys
from bot.loop import Stopped
from gui.runner.backend import Desktop
from tests.support.operators import Unattended
from gui.settings import AfterDialog, Settings, defaults

settings = Settings(games=None, record=False, after_dialog=AfterDialog(sys.argv[1]))

class Operator(Unattended):
    can_resume = True

    def pause(self, why):
        print("held", flush=True)
        raise Stopped

won, operator = 0, Operator()
try:
    for turn in Desktop().play("minesweeper", lambda: settings, operator):
        won += turn.reading.status.name == "WON"
        if won == 2:
            print("went on", flush=True)
            break
    else:
        print("ended:", operator.stopped.reason, flush=True)
except Exception as error:
    print(type(error).__name__, error, flush=True)
"""


@contextmanager
def at_play(home: Path, screen: PrivateScreen, **streams: Any) -> Iterator[subprocess.Popen[str]]:
    """The program, without end, on an Intermediate board, once it has played a game."""
    given = {"stdin": subprocess.DEVNULL, "stderr": subprocess.PIPE} | streams
    arguments = "play", "--window", "minesweeper", "--games", "100000", "--no-panel"
    with (
        simulated(screen, home, "--level", "intermediate"),
        running(home, screen, *arguments, **given) as process,
    ):
        assert process.stdout is not None
        # At once: finding the board takes some seconds.
        assert process.stdout.readline() == "Looking for the board …\n"
        wait_for_line(process.stdout, "game 1")
        yield process


def test_keys_pause_resume_and_stop_a_run_in_the_terminal(
    tmp_path: Path, screen: PrivateScreen
) -> None:
    """The game has the focus; the run ends like one that was interrupted, nothing torn."""
    with at_play(tmp_path, screen) as process, Keyboard() as keyboard:
        assert process.stdout is not None
        keyboard.press("F6")
        wait_for_line(process.stdout, "Paused. Press F6 to continue")
        keyboard.press("F6")
        wait_for_line(process.stdout, "Resumed")
        assert "game" in process.stdout.readline()
        wait_until(lambda: (seen := desktop().focused()) is not None and not seen.own)
        keyboard.press("F8")
        out, errors = process.communicate(timeout=60)
    assert process.returncode == 130, out + errors
    assert "Stopped with F8." in out
    assert not any(session.torn for session in sessions(tmp_path))
    assert audited(sessions(tmp_path)).findings == []


def test_moving_the_mouse_ends_an_unattended_run(tmp_path: Path, screen: PrivateScreen) -> None:
    """Without a user who could resume it, the run ends with a reason, and the pointer stays put."""
    with at_play(tmp_path, screen) as process, Mice() as mice:

        def ended() -> bool:
            # On Windows a motion is not seen if the run puts the pointer elsewhere just then.
            mice.push(2, 2, times=4)
            return process.poll() is not None

        wait_until(ended)
        out, errors = process.communicate(timeout=60)
        place = mice.place
        mice.push(0, 0)
        assert mice.place == place
    assert process.returncode == 1, out + errors
    assert "you moved the mouse" in errors
    assert "Traceback" not in errors
    assert audited(sessions(tmp_path)).findings == []


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (signal.SIGINT, "with Ctrl-C."),
        pytest.param(signal.SIGTERM, "by SIGTERM.", marks=pytest.mark.slow),
    ],
)
@pytest.mark.linux
def test_a_signal_ends_a_run_and_is_named(
    tmp_path: Path, screen: PrivateScreen, number: signal.Signals, said: str
) -> None:
    """The run ends like one that was stopped with the key."""
    with at_play(tmp_path, screen) as process:
        process.send_signal(number)
        out, errors = process.communicate(timeout=60)
    assert process.returncode == 130, out + errors
    assert out.count(f"Stopped {said}") == 1
    assert not any(session.torn for session in sessions(tmp_path))


@pytest.mark.slow
def test_closing_the_panel_ends_a_run_and_is_named(tmp_path: Path, screen: PrivateScreen) -> None:
    """The run ends like one that was stopped with the key."""
    arguments = "play", "--window", "minesweeper", "--games", "100000", "--panel"
    with (
        simulated(screen, tmp_path, "--level", "expert"),
        Mice() as client,
        running(tmp_path, screen, *arguments, stdin=subprocess.DEVNULL) as process,
    ):
        assert process.stdout is not None
        wait_for_line(process.stdout, "game 1")
        client.ask_to_close(next(one.id for one in desktop().list_windows() if one.own))
        out, _ = process.communicate(timeout=60)
    assert process.returncode == 130, out
    assert out.count("Stopped: the panel was closed.") == 1
    assert audited(sessions(tmp_path)).findings == []


@pytest.mark.parametrize("pace", ["0.5", pytest.param(None, marks=pytest.mark.slow)])
def test_a_pointer_that_a_program_puts_into_a_corner_ends_the_run(
    tmp_path: Path, screen: PrivateScreen, pace: str | None
) -> None:
    """No device tells of it, and the next click may not be due for a while."""
    options = () if pace is None else ("--pace", pace)
    arguments = "play", "--window", "minesweeper", "--games", "100000", "--no-panel", *options
    streams: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    with (
        simulated(screen, tmp_path, "--level", "expert"),
        Mice() as mice,
        running(tmp_path, screen, *arguments, **streams) as process,
    ):
        mice.warp(700, 700)
        # The first clicks have parked the pointer.
        wait_until(lambda: mice.place != Point(700, 700), 60)

        def ended() -> bool:
            # Between two clicks in a hurry the run may put it elsewhere before anybody has looked.
            mice.warp(0, 0)
            return process.poll() is not None

        wait_until(ended, 60)
        out, errors = process.communicate()
    assert process.returncode == 1, out + errors
    assert "Stopped: the pointer was moved into a corner of the screen." in errors
    assert not any(session.torn for session in sessions(tmp_path))


@pytest.mark.slow
@pytest.mark.linux
def test_the_mouse_is_given_back_in_the_terminal(tmp_path: Path, screen: PrivateScreen) -> None:
    """Nothing happens until Enter; then the games go on, until the next corner ends them."""
    ours, its = os.openpty()
    try:
        with at_play(tmp_path, screen, stdin=its) as process, Mice() as mice:
            assert process.stdout is not None
            mice.push(2, 2, times=4)
            heard = wait_for_line(process.stdout, "Press Enter")
            place = mice.place
            assert "you moved the mouse" in heard
            assert mice.place == place
            os.write(ours, b"\n")
            wait_for_line(process.stdout, "game")
            # From wherever the bot, which is quick, has put it meanwhile.
            mice.push(-5000, -5000, times=4)
            _, errors = process.communicate(timeout=60)
    finally:
        os.close(ours)
        os.close(its)
    assert process.returncode == 1
    assert "into a corner" in errors
    assert audited(sessions(tmp_path)).findings == []


@pytest.mark.parametrize(
    ("stop", "code", "said"),
    [
        ("F8", 130, "Stopped with F8."),
        pytest.param(signal.SIGINT, 130, "Stopped with Ctrl-C.", marks=pytest.mark.slow),
        pytest.param(signal.SIGTERM, 130, "Stopped by SIGTERM.", marks=pytest.mark.slow),
        (b"\x04", 1, "You did not confirm that this is the game to play"),
    ],
)
@pytest.mark.linux
def test_a_question_in_the_terminal_ends_with_the_run(
    tmp_path: Path, screen: PrivateScreen, stop: str | bytes | signal.Signals, code: int, said: str
) -> None:
    """By what stops a run, and by the end of the input."""
    ours, its = os.openpty()
    arguments = "play", "--window", "Frameless", "--no-panel"
    streams: dict[str, Any] = {"stdin": its, "stderr": subprocess.STDOUT}
    try:
        with (
            frameless("Frameless tiles"),
            Keyboard() as keyboard,
            running(tmp_path, screen, *arguments, **streams) as process,
        ):
            assert process.stdout is not None
            wait_for_line(process.stdout, "or nothing (No, end the run)")
            if isinstance(stop, bytes):
                os.write(ours, stop)
            elif isinstance(stop, signal.Signals):
                process.send_signal(stop)
            else:
                keyboard.press(stop)
            out, _ = process.communicate(timeout=60)
    finally:
        os.close(ours)
        os.close(its)
    assert (process.returncode, said in out) == (code, True), out


@pytest.mark.linux
def test_a_display_that_goes_ends_the_run_in_words(tmp_path: Path) -> None:
    """The server ends in mid-game: what was played is kept, and no traceback is shown."""
    with ExitStack() as programs:
        with PrivateScreen() as screen:
            process = programs.enter_context(at_play(tmp_path, screen))
        out, errors = process.communicate(timeout=60)
    assert process.returncode == 1, out + errors
    assert "display" in errors
    assert "is gone" in errors
    assert "Traceback" not in out + errors
    assert not any(session.torn for session in sessions(tmp_path))


@pytest.mark.parametrize(
    ("choice", "reported"),
    [
        ("close", "went on"),
        pytest.param("stop", "DialogOpen the game has opened", marks=pytest.mark.slow),
        pytest.param("pause", "held", marks=pytest.mark.slow),
    ],
)
def test_a_dialog_is_handled_as_chosen(
    tmp_path: Path, screen: PrivateScreen, choice: str, reported: str
) -> None:
    """Closed, left for the user, or the end of the run."""
    with simulated(screen, tmp_path, "--seed", "5", "--win-dialog"):
        run = finished([*PYTHON, "-c", AT_A_DIALOG, choice], environment(tmp_path, screen))
    assert reported in run.stdout, run.stdout + run.stderr
