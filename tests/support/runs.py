"""Runs of the command in a process of its own, and what they recorded."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from gui.private_screen import PrivateScreen
from tests.support.readings import recorded_boards
from vision.sessions import Session, load_session
from vision.sessions.audit import Audit

_COMMAND: Final = (sys.executable, "-m", "gui")
BOT: Final = ("env", "--default-signal=INT", *_COMMAND)
"""The command as a terminal starts it: what a shell starts in the background, these tests too,
ignores SIGINT, and a process that is started inherits that."""
IN_BACKGROUND: Final = ("env", "--ignore-signal=INT", *_COMMAND)
"""The command as a shell without job control starts it with `&`."""
OFFLINE: Final = Path(__file__).parent / "offline"
"""Python processes that have it on their path end when they turn to the network, and what they
send to a display is looked at (`tests.support.strays`)."""
_SCREEN_VARIABLES: Final = ("DISPLAY", "WAYLAND_DISPLAY", "XDG_SESSION_TYPE", "QT_QPA_PLATFORM")
_SECONDS: Final = 300.0


def environment(home: Path, screen: PrivateScreen | None = None) -> dict[str, str]:
    """A process's environment: its own home, a screen or none at all, and no network."""
    kept = {name: value for name, value in os.environ.items() if name not in _SCREEN_VARIABLES}
    kept |= screen.environment if screen else {}
    path = os.pathsep.join(filter(None, (str(OFFLINE), os.environ.get("PYTHONPATH"))))
    ours = {"MINESWEEPER_BOT_HOME": str(home), "COLUMNS": "200", "PYTHONPATH": path}
    # An interpreter that crashes says where: otherwise it only ends.
    return kept | ours | {"PYTHONFAULTHANDLER": "1"}


def bot(
    home: Path,
    *arguments: str,
    screen: PrivateScreen | None = None,
    seconds: float = _SECONDS,
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end.

    Args:
        home: Where it keeps its things.
        arguments: Of `minesweeper-bot`.
        screen: Where its windows are; none at all without.
        seconds: After which it counts as stuck.

    Raises:
        AssertionError: It was stuck; tells what it had printed.
    """
    try:
        return subprocess.run(
            [*BOT, *arguments],
            env=environment(home, screen),
            capture_output=True,
            text=True,
            check=False,
            timeout=seconds,
        )
    except subprocess.TimeoutExpired as stuck:
        # Bytes, whatever `text` says.
        printed = b"".join(part for part in (stuck.stdout, stuck.stderr) if part)
        raise AssertionError(f"stuck for {seconds:.0f} s: {printed.decode()}") from stuck


def sessions(home: Path) -> list[Session]:
    """What was recorded, in order."""
    folder = home / "sessions"
    return [load_session(path) for path in sorted(folder.iterdir())] if folder.is_dir() else []


def audited(recorded: Sequence[Session]) -> Audit:
    """The audit of recordings."""
    audit = Audit()
    for session in recorded:
        audit.add(session.folder.name, session.turns(), session.info.rules)
    return audit


def account(run: subprocess.CompletedProcess[str], home: Path) -> str:
    """All that a run left behind, for the message of a test that fails where nobody can look.

    What it printed, how every game ended, and each finding with the board before and after.
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
