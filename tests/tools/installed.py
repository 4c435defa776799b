"""Test an installed program: it plays from an empty folder, without the source tree or a display.

    python -m tests.tools.installed COMMAND              the program as it is (a one-folder build)
    python -m tests.tools.installed --wheel FILE.whl     installed into a fresh environment first

Nothing is inherited from the caller: no home, no display, no import path. The kernels are compiled
in about a minute, as at a user's first start; a later start loads them.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path
from typing import Final

from rich.console import Console

ROOT: Final = Path(__file__).parents[2]
CHECKS: Final = {
    "--version": r"^minesweeper-bot \d+\.\d+",
    "doctor": r"skins +[│|] works .* winemine",
    f"read {ROOT}/tests/screens/two-games-1280.png --solver human": r"skin 'winemine'",
    "play --games 1 --pictures pictures": r"won \d of 1 game",
    "play --games 2 --no-panel": r"won \d of 2 games",
    "lab --solvers human,exact --games 4 --level beginner --workers 2 --out runs": r"saved to runs",
    "desktop-entry": r"Saved to .*\.(svg|ico)",
    "desktop-entry --remove": r"Deleted",
}
"""Arguments, and the required output of the program."""


def main(arguments: list[str]) -> int:
    """Run every check, and print the results.

    Returns:
        The process's exit code.
    """
    console = Console(highlight=False)
    with tempfile.TemporaryDirectory(prefix="minesweeper-bot-installed-") as name:
        folder = Path(name)
        command = Path(arguments[-1]).resolve()
        if arguments[0] == "--wheel":
            command = _install(command, folder / "environment")
        home = folder / "home"
        home.mkdir()
        failed = 0
        for check, expected in CHECKS.items():
            start = time.perf_counter()
            printed = _run(command, check, home)
            good = re.search(expected, printed, re.MULTILINE | re.DOTALL) is not None
            failed += not good
            verdict = "[green]works[/]" if good else "[red]does not work[/]"
            console.print(f"{verdict}  {time.perf_counter() - start:6.1f} s  {check}")
            if not good:
                console.print(printed, markup=False)
        kept = sum(1 for _ in folder.rglob("*.nbc")) + sum(1 for _ in command.parent.rglob("*.nbc"))
        console.print(f"{kept} kernels were compiled and kept")
    return int(failed > 0 or kept == 0)


def _install(wheel: Path, environment: Path) -> Path:
    """Install only the wheel with its dependencies, like pipx."""
    venv.create(environment, with_pip=True)
    pip = [environment / "bin" / "python", "-m", "pip", "--disable-pip-version-check"]
    constraints = ROOT / "constraints.txt"
    subprocess.run([*pip, "install", "--quiet", "-c", constraints, wheel], check=True)
    return environment / "bin" / "minesweeper-bot"


def _run(command: Path, arguments: str, home: Path) -> str:
    """Return the output of the program, including errors."""
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(home), "LANG": "C.UTF-8"}
    if sys.platform == "win32":
        # Without the system's own variables no program starts.
        environment = os.environ | {"MINESWEEPER_BOT_HOME": str(home), "PYTHONIOENCODING": "cp850"}
    run = subprocess.run(
        [command, *arguments.split()],
        cwd=home,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="cp850" if sys.platform == "win32" else "utf-8",
        check=False,
    )
    return run.stdout


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
