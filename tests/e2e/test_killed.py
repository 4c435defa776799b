"""Whatever happens to the process or to the disk, what was written can be read."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

_REFUSED = """
import os, resource, signal, sys
from pathlib import Path
from tests.support.writers import REFUSALS, WRITERS

class Enough(BaseException):
    pass

def done(number):
    if number > limit:
        raise Enough

def begin(folder):
    os.environ["MINESWEEPER_BOT_HOME"] = str(folder)
    (folder / "sessions").mkdir(parents=True)

home, how = Path(sys.argv[1]), sys.argv[2]
# Whoever may write nowhere may not load what is loaded late, either.
limit = 1
begin(home / "before")
for writer in WRITERS:
    try:
        writer.write(home / "before", done)
    except Enough:
        writer.check(home / "before", 0)
home = home / "home"
begin(home)
if how == "full":
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (3000, resource.RLIM_INFINITY))
else:
    for folder in (home / "sessions", home):
        folder.chmod(0o555)
    if os.getuid() == 0:
        # Root may write anywhere.
        os.setgroups([]), os.setgid(65534), os.setuid(65534)

for writer in WRITERS:
    # The history tries again after every game, and settings wait for the disk.
    limit = 10 if writer.name in ("history", "settings") else 40
    try:
        writer.write(home, done)
    except REFUSALS as error:
        print(writer.name, "refused:", error)
    except Enough:
        print(writer.name, "went on")
    if how == "full":
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
        print(writer.name, writer.check(home, 0) or "is whole")
        resource.setrlimit(resource.RLIMIT_FSIZE, (3000, resource.RLIM_INFINITY))
"""


@pytest.mark.slow
def test_a_writer_that_is_killed_at_any_moment() -> None:
    """A few times each."""
    command = [sys.executable, "-m", "tests.support.killed", "6"]
    run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=_tree())
    assert run.returncode == 0, run.stdout + run.stderr


def _tree() -> Path:
    return Path(__file__).parents[2]


def refused(home: Path, how: str) -> str:
    """What a process tells that writes where it cannot."""
    command = [sys.executable, "-c", _REFUSED, str(home), how]
    run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=_tree())
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


def test_a_disk_that_takes_no_more(tmp_path: Path) -> None:
    """No file over 3,000 bytes: each writer says so in its own words, and all is whole."""
    told = refused(tmp_path, "full")
    assert told.count("is whole") == 6, told
    assert told.count("refused:") >= 3, told


def test_a_folder_that_cannot_be_written() -> None:
    """Each writer says so with its own error; the history alone goes on without."""
    with tempfile.TemporaryDirectory() as place:
        Path(place).chmod(0o755)
        told = refused(Path(place), "read-only")
    assert told.count("refused:") == 5, told
    assert "history went on" in told
