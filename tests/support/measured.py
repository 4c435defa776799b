"""Has a process that a test starts add to what `make test` measures, where it measures.

SlipCover follows the processes of pytest alone. Its plugin adds up every file of a certain name,
in a folder that it tells in the environment: here the others write theirs.
"""

from __future__ import annotations

import json
import os
import tomllib
from pathlib import Path

_ROOT = Path(__file__).parents[2]


class Measured:
    """Measures what this process imports from here on, and what its forks run of it."""

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
        """Add what was run so far; a fork's own name is its process's."""
        if self._folder:
            file = self._folder / f"coverage-gw-{os.getpid()}.json"
            file.write_text(json.dumps(self._counter.get_coverage()))
