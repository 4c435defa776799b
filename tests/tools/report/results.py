"""The results of the benchmarks: a file each in `results/`, with its date and conditions."""

from __future__ import annotations

import json
import os
import platform
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from tests.tools.report.console import KEPT_IN

RESULTS: Final = Path(__file__).with_name("results")
ROOT: Final = Path(__file__).parents[3]


class NotMeasured(LookupError):
    """A required figure has no result; the message names it."""


@dataclass(frozen=True)
class Sheet:
    """One table of a benchmark, as it was printed."""

    title: str
    columns: list[str]
    rows: list[list[str]]

    def named(self) -> list[dict[str, str]]:
        """Return the rows, with each cell by its heading."""
        return [dict(zip(self.columns, cells, strict=True)) for cells in self.rows]


@dataclass(frozen=True)
class Result:
    """All results of one benchmark."""

    name: str
    command: str
    """The command, as it can be typed again."""
    date: str
    """Date of the end in UTC: YYYY-MM-DD."""
    machine: str
    load: float
    """The system's load average at the start."""
    seconds: float
    sheets: list[Sheet]

    def sheet(self, pattern: str) -> Sheet:
        """Return the first table with such a title, or such a first heading.

        Args:
            pattern: A regular expression.

        Raises:
            NotMeasured: There is no such table.
        """
        for sheet in self.sheets:
            if re.search(pattern, f"{sheet.title}\n{(sheet.columns or [''])[0]}"):
                return sheet
        raise NotMeasured(f"{self.name} left no table '{pattern}'")

    @property
    def conditions(self) -> str:
        """Date, machine and command, for a reader."""
        busy = f", with {self.load:.0f} other processes" if self.load >= 1 else ""
        return f"{self.date}, {self.machine}{busy}; `make report ONLY={self.name}`"


def measure(name: str, command: str) -> Result:
    """Run a benchmark, show its output, and store its tables.

    Args:
        name: Name of the result's file.
        command: A module and its arguments.

    Raises:
        subprocess.CalledProcessError: The benchmark failed; the earlier result is kept.
    """
    with tempfile.TemporaryDirectory() as folder:
        kept_in = Path(folder) / "tables.jsonl"
        kept_in.touch()
        load, begun = round(os.getloadavg()[0], 1), time.monotonic()
        subprocess.run(
            [sys.executable, "-m", *command.split()],
            cwd=ROOT,
            env=os.environ | {KEPT_IN: str(kept_in)},
            check=True,
        )
        sheets = [Sheet(**json.loads(line)) for line in kept_in.read_text("utf-8").splitlines()]
    seconds = round(time.monotonic() - begun)
    today = datetime.now(UTC).date().isoformat()
    result = Result(name, f"python -m {command}", today, machine(), load, seconds, sheets)
    RESULTS.mkdir(exist_ok=True)
    text = json.dumps(asdict(result), indent=1, ensure_ascii=False)
    (RESULTS / f"{name}.json").write_text(text + "\n", "utf-8")
    return result


def machine() -> str:
    """Return the machine's properties on which figures depend."""
    cores = len(os.sched_getaffinity(0))
    system = platform.freedesktop_os_release()
    release = f"{system.get('ID', '')} {system.get('VERSION_ID', '')}".strip()
    python = platform.python_version()
    return f"{cores} cores {_processor()}, {release}, Python {python}"


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text("utf-8").splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def results() -> dict[str, Result]:
    """Return all stored results, by name."""
    found = {}
    for path in sorted(RESULTS.glob("*.json")):
        kept = json.loads(path.read_text("utf-8"))
        sheets = [Sheet(**sheet) for sheet in kept.pop("sheets")]
        found[path.stem] = Result(**kept, sheets=sheets)
    return found
