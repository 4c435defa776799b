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
case "$*" in *--missing) printf "$MISSING";; esac
case "$0 $*" in *"$FAILING"*) exit 1;; esac
"""
PARTS = {
    "test-all": "-m pytest",
    "check": "ruff check",
}
ELSEWHERE = {
    "test-wayland": ("gnome-shell", "-m pytest -v tests/e2e/wayland"),
    "test-windows": ("wine", "-m tests.e2e.windows.wine\n"),
}
"""Of tests on another desktop: a program that they need, and what runs them."""


def run_in_copy(
    folder: Path, command: str, **variables: str
) -> tuple[subprocess.CompletedProcess[str], str]:
    """Run a command in a set-up copy of the project, whose programs only say that they are called.

    Returns:
        How it ended, and what was called.
    """
    for name in ("Makefile", ".ci", "pyproject.toml", "constraints.txt"):
        (folder / name).symlink_to(ROOT / name)
    venv, system = folder / ".venv", folder / "system"
    (venv / "bin").mkdir(parents=True)
    system.mkdir()
    programs = [venv / "bin" / name for name in ("python", "ruff", "mypy")]
    # No package is installed, and none can be.
    for program in (*programs, system / "dpkg-query", system / "apt-get", system / "sudo"):
        program.write_text(PROGRAM)
        program.chmod(0o755)
    # Made, in this order: nothing is to be installed.
    for name in ("system", "made", "installed", "system-test", "installed-test"):
        (venv / f".{name}").touch()
    # The make that runs the tests hands its own options on.
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "FAST"))
    }
    path = os.pathsep.join((str(system), kept["PATH"]))
    run = subprocess.run(
        command.split(),
        cwd=folder,
        env=kept | {"PATH": path, "MISSING": "", "FAILING": "nothing"} | variables,
        capture_output=True,
        text=True,
        check=False,
    )
    return run, (folder / "calls.txt").read_text("utf-8")


@pytest.mark.parametrize("continuous", ["", "true"])
@pytest.mark.parametrize("failing", [None, *PARTS])
def test_every_part_is_run(tmp_path: Path, failing: str | None, continuous: str) -> None:
    """It ends with an error if any part failed, and says which; coverage is a part of CI."""
    part = PARTS[failing] if failing else "nothing"
    run, called = run_in_copy(tmp_path, "make test", CI=continuous, FAILING=part)
    assert all(part in called for part in PARTS.values()), called
    measured = bool(continuous) and failing != "test-all"
    assert ("-m tests.tools.covered" in called) is measured
    assert (run.returncode != 0) is bool(failing), run.stdout + run.stderr
    assert failing is None or failing in run.stdout + run.stderr


@pytest.mark.parametrize("tests", ELSEWHERE)
def test_a_desktop_that_cannot_be_installed_fails_nothing(tmp_path: Path, tests: str) -> None:
    """A line says that its tests were not run."""
    needed, command = ELSEWHERE[tests]
    run, called = run_in_copy(tmp_path, f"make {tests}", MISSING=needed, FAILING="apt-get")
    assert command not in called
    assert run.returncode == 0, run.stdout + run.stderr
    (reported,) = [line for line in run.stdout.splitlines() if "NOT RUN" in line]
    assert needed in reported
