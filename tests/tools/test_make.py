"""`make test` runs every part of the tests, even after one has failed."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAM = """\
#!/bin/sh
echo "$0 $*" >> calls.txt
case "$0 $*" in *"$FAILING"*) exit 1;; esac
"""
PARTS = {
    "test-all": "-m pytest",
    "check": "ruff check",
}


@pytest.mark.parametrize("continuous", ["", "true"])
@pytest.mark.parametrize("failing", [None, *PARTS])
def test_every_part_is_run(tmp_path: Path, failing: str | None, continuous: str) -> None:
    """It ends with an error if any part failed, and says which; coverage is a part of CI."""
    for name in ("Makefile", ".ci", "pyproject.toml", "constraints.txt"):
        (tmp_path / name).symlink_to(ROOT / name)
    venv = tmp_path / ".venv"
    (venv / "bin").mkdir(parents=True)
    for name in ("python", "ruff", "mypy"):
        (venv / "bin" / name).write_text(PROGRAM)
        (venv / "bin" / name).chmod(0o755)
    # Made, in this order: nothing is to be installed.
    for name in ("system", "made", "installed", "system-test", "installed-test"):
        (venv / f".{name}").touch()
    # The make that runs the tests hands its own options on.
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "FAST"))
    }
    run = subprocess.run(
        ["make", "test"],
        cwd=tmp_path,
        env=kept | {"CI": continuous, "FAILING": PARTS[failing] if failing else "nothing"},
        capture_output=True,
        text=True,
        check=False,
    )
    called = (tmp_path / "calls.txt").read_text()
    assert all(part in called for part in PARTS.values()), called
    measured = bool(continuous) and failing != "test-all"
    assert ("-m tests.tools.covered" in called) is measured
    assert (run.returncode != 0) is bool(failing), run.stdout + run.stderr
    assert failing is None or failing in run.stdout + run.stderr
