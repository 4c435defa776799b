"""Runs of the command in a process of its own, and their recordings."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Final

from gui.private_screen import PrivateScreen
from tests.support.readings import recorded_boards
from vision.sessions import Session, load_session
from vision.sessions.audit import Audit

_COMMAND: Final = (sys.executable, "-m", "gui")
_WINDOWS: Final = sys.platform == "win32"
BOT: Final = _COMMAND if _WINDOWS else ("env", "--default-signal=INT", *_COMMAND)
"""The command as a terminal starts it: a process started in the background, like these tests,
ignores SIGINT, and its child processes inherit that."""
IN_BACKGROUND: Final = ("env", "--ignore-signal=INT", *_COMMAND)
"""The command as a shell without job control starts it with `&`."""
OFFLINE: Final = Path(__file__).parent / "offline"
"""A folder on the path of Python processes: with it they end when they use the network, and their
input to a display is checked (`tests.support.strays`)."""
SCREEN_VARIABLES: Final = ("DISPLAY", "WAYLAND_DISPLAY", "XDG_SESSION_TYPE", "QT_QPA_PLATFORM")
SECONDS: Final = 200.0
"""Time after which a run counts as stuck."""


def environment(home: Path, screen: PrivateScreen | None = None) -> dict[str, str]:
    """Return a process's environment: its own home, a screen or none at all, and no network."""
    kept = {name: value for name, value in os.environ.items() if name not in SCREEN_VARIABLES}
    kept |= screen.environment if screen else {}
    path = os.pathsep.join(filter(None, (str(OFFLINE), os.environ.get("PYTHONPATH"))))
    ours = {"MINESWEEPER_BOT_HOME": str(home), "COLUMNS": "200", "PYTHONPATH": path}
    # An interpreter that crashes prints a traceback; otherwise it only ends.
    return kept | ours | {"PYTHONFAULTHANDLER": "1"}


def bot(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command to its end, without a screen.

    Args:
        home: The home folder.
        arguments: Arguments of `minesweeper-bot`.

    Raises:
        AssertionError: It did not end in time; the message has its output.
    """
    return finished([*BOT, *arguments], environment(home))


def finished(
    command: Sequence[str], variables: Mapping[str, str], seconds: float = SECONDS
) -> subprocess.CompletedProcess[str]:
    """Run a program to its end.

    Args:
        command: The program and its arguments.
        variables: Its environment.
        seconds: Time after which it counts as stuck.

    Raises:
        AssertionError: It did not end in time; the message has its output.
    """
    try:
        return subprocess.run(
            command, env=variables, capture_output=True, text=True, check=False, timeout=seconds
        )
    except subprocess.TimeoutExpired as stuck:
        # Bytes, whatever `text` is.
        printed = b"".join(part for part in (stuck.stdout, stuck.stderr) if part)
        raise AssertionError(f"stuck for {seconds:.0f} s: {printed.decode()}") from stuck


@contextmanager
def running(
    command: Sequence[str], variables: Mapping[str, str], **streams: Any
) -> Iterator[subprocess.Popen[str]]:
    """A program, whose output can be read; whatever happens, it does not outlive the test."""
    process = subprocess.Popen(command, env=variables, stdout=subprocess.PIPE, text=True, **streams)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def wait_for_line(stream: IO[str], text: str) -> str:
    """Read lines until one contains a text; return it.

    Raises:
        AssertionError: The output ended before.
    """
    while text not in (line := stream.readline()):
        assert line, f"the output ended without '{text}'"
    return line


def sessions(home: Path) -> list[Session]:
    """Return the recorded sessions, in order."""
    folder = home / "sessions"
    return [load_session(path) for path in sorted(folder.iterdir())] if folder.is_dir() else []


def audited(recorded: Sequence[Session]) -> Audit:
    """Return the audit of recordings."""
    audit = Audit()
    for session in recorded:
        audit.add(session.folder.name, session.turns(), session.info.rules)
    return audit


def account(run: subprocess.CompletedProcess[str], home: Path) -> str:
    """Return all results of a run, for the message of a failed test.

    Its output, the end of every game, and each finding with the board before and after.
    """
    lines = [f"ended with {run.returncode}", run.stdout, run.stderr]
    for session in sessions(home):
        boards = {
            record.number: board
            for record, board in zip(session.records, recorded_boards(session), strict=True)
        }
        name, audit = session.folder.name, audited([session])
        lines.append(f"{name}: {len(boards)} turns, won {audit.won}, lost {audit.lost}")
        for finding in audit.findings:
            shown = (boards.get(number) for number in (finding.turn - 1, finding.turn))
            lines += [f"{name}, turn {finding.turn}: {finding.what}", *map(str, shown)]
    return "\n".join(lines)
