"""Compare the coverage of each package by the tests, lines and branches, with the required one.

    python -m tests.tools.covered build/coverage.json

reads SlipCover's results, and exits with 1 if a package has less. Omitted files are listed in
`pyproject.toml`, missing lines in `build/covered.txt`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from rich.table import Table

from tests.tools.report.console import Console

ASKED: Final = {"bot": 95.0, "vision": 95.0, "gui": 85.0}
"""Required percentage of lines and branches together, as coverage.py counts."""
KINDS: Final = ("lines", "branches", "together")


class Part(NamedTuple):
    """Numbers of lines or branches that were run, and that exist."""

    run: int
    of: int

    @property
    def percent(self) -> float:
        """The percentage; 100 if there is nothing to run."""
        return 100 * self.run / self.of if self.of else 100.0


def part(files: Iterable[Mapping[str, Any]], kind: str) -> Part:
    """Add up the lines or the branches of some files.

    Args:
        files: SlipCover's data of each file.
        kind: `lines` or `branches`.
    """
    counted = [(len(file[f"executed_{kind}"]), len(file[f"missing_{kind}"])) for file in files]
    return Part(sum(run for run, _ in counted), sum(map(sum, counted)))


def rooms(measured: Mapping[str, Any]) -> dict[str, dict[str, Part]]:
    """Return the lines and branches of each package, and both together.

    Args:
        measured: SlipCover's JSON.
    """
    files = {
        room: [file for path, file in measured["files"].items() if Path(path).parts[0] == room]
        for room in ASKED
    }
    found = {}
    for room in ASKED:
        lines, branches = part(files[room], "lines"), part(files[room], "branches")
        together = Part(lines.run + branches.run, lines.of + branches.of)
        found[room] = dict(zip(KINDS, (lines, branches, together), strict=True))
    return found


def lacking(found: Mapping[str, Mapping[str, Part]]) -> list[str]:
    """Return the packages below the required coverage, as text."""
    return [
        f"{room}: {parts['together'].percent:.2f} % of its lines and branches are run,"
        f" {ASKED[room]:.0f} % are asked for"
        for room, parts in found.items()
        if parts["together"].percent < ASKED[room]
    ]


def _table(found: Mapping[str, Mapping[str, Part]]) -> Table:
    table = Table(
        "Package", "Lines", "", "Branches", "", "Together", "", "Asked", title="What the tests run"
    )
    for room, parts in found.items():
        reported = [
            text
            for one in (parts[kind] for kind in KINDS)
            for text in (f"{one.run:,} of {one.of:,}", f"{one.percent:.1f} %")
        ]
        table.add_row(room, *reported, f"{ASKED[room]:.0f} %")
    return table


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path, help="SlipCover's JSON")
    measured = json.loads(parser.parse_args().file.read_text("utf-8"))
    found = rooms(measured)
    Console().print(_table(found))
    sys.exit("\n".join(lacking(found)) or None)


if __name__ == "__main__":
    main()
