"""Measure the reader: finding, reading, learning, digits and counters.

    python -m tests.benchmarks.vision [--quick]

Each table is printed by a separate benchmark, which can also be run alone; both sides of a
comparison are measured in one run, alternately.
"""

from __future__ import annotations

import argparse

from tests.benchmarks import digits, finding, learning, reading
from tests.tools.report.console import Console
from vision.skins import SkinLibrary


def main() -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer perturbed tiles")
    quick = parser.parse_args().quick
    console = Console()
    skins = SkinLibrary().skins()
    finding.bench(console, skins)
    reading.bench(console, skins, quick=quick)
    learning.bench(console)
    digits.bench(console, skins)
    digits.bench_counters(console)


if __name__ == "__main__":
    main()
