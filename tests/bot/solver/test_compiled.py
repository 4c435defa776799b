"""Machine code that is kept: found again, and never stale."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bot.solver import compiled

pytestmark = [pytest.mark.long, pytest.mark.slow]

PROGRAM = "from bot.outer import twice\nprint(twice(3), sum(twice.stats.cache_hits.values()))"
DECORATED = "from bot.solver.compiled import compiled\n\n\n@compiled\ndef "


def copied(root: Path, name: str = "inner.py") -> Path:
    """A package `bot` with two compiled functions, one calling the other; the file of that."""
    room = root / "bot" / "solver"
    room.mkdir(parents=True)
    (room / "compiled.py").write_text(Path(compiled.__file__).read_text(encoding="utf-8"))
    (root / "bot" / "outer.py").write_text(
        f"from bot.inner import step\n{DECORATED}twice(n):\n    return step(n)\n"
    )
    inner = root / "bot" / name
    inner.parent.mkdir(exist_ok=True)
    inner.write_text(f"{DECORATED}step(n):\n    return n + n\n")
    return inner


def started(root: Path) -> subprocess.Popen[str]:
    """The program in a process: it prints a result, and how often kept code was found."""
    environment = os.environ | {"PYTHONPATH": str(root), "XDG_CACHE_HOME": str(root / "cache")}
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        cwd=root,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("name", ["inner.py", "inner/__init__.py"])
def test_code_is_stale_when_what_it_calls_has_changed(tmp_path: Path, name: str) -> None:
    """Loaded the second time; made again when a file that its own file imports has changed."""
    inner = copied(tmp_path, name)
    assert started(tmp_path).communicate()[0] == "6 0\n"
    assert started(tmp_path).communicate()[0] == "6 1\n"
    inner.write_text(f"{DECORATED}step(n):\n    return n * n\n")
    assert started(tmp_path).communicate()[0] == "9 0\n"


@pytest.mark.parametrize("cached", [True, False])
def test_a_read_only_installation_works(tmp_path: Path, cached: bool) -> None:
    """Code is kept in the user's cache; without a writable one it is compiled at each start."""
    copied(tmp_path)
    # Nothing can be written into a file as if it were a folder, not even by root.
    (tmp_path / "bot" / "__pycache__").write_text("")
    if not cached:
        (tmp_path / "cache").write_text("")
    # Two processes that compile at once do not disturb each other.
    both = [started(tmp_path), started(tmp_path)]
    printed = {process.communicate()[0] for process in both}
    # The later one may find what the other has just kept.
    assert "6 0\n" in printed
    assert printed <= {"6 0\n", "6 1\n"}
    assert started(tmp_path).communicate()[0] == ("6 1\n" if cached else "6 0\n")
    assert any((tmp_path / "cache").rglob("*.nbi")) == cached
