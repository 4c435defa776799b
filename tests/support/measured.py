"""Add a process that a test starts to the coverage measured by `make test`.

SlipCover measures only the processes of pytest. Its plugin adds up all files of a certain name, in
a folder that it names in the environment: other processes write their files here.
"""

from __future__ import annotations

import json
import os
import tomllib
from pathlib import Path

_ROOT = Path(__file__).parents[2]


class Measured:
    """Measures the imports and execution of this process and its forks from now on."""

    def __init__(self) -> None:
        folder = os.environ.get("SLIPCOVER_COVERAGE_DIR")
        self._folder = Path(folder) if folder else None
        if self._folder:
            # Imported late: a run that is not measured takes no time for it.
            from slipcover import FileMatcher, ImportManager, Slipcover  # noqa: PLC0415

            asked = tomllib.loads((_ROOT / "pyproject.toml").read_text())["tool"]["slipcover"]
            self._counter = Slipcover(branch=asked["branch"], omit=asked["omit"])
            matcher = FileMatcher(sources=asked["source"], omit=asked["omit"])
            ImportManager(self._counter, matcher).__enter__()

    def write(self) -> None:
        """Write the lines run so far; a fork's file has its own process id."""
        if self._folder:
            file = self._folder / f"coverage-gw-{os.getpid()}.json"
            file.write_text(json.dumps(self._counter.get_coverage()))
