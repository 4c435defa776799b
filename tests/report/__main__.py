"""Runs the benchmarks and writes the documents' figures from what they print.

    python -m tests.report                  all of them: hours
    python -m tests.report solver stopkey   some
    python -m tests.report --write          none; only the documents, from what was kept
    python -m tests.report --list           what there is, and when it was measured

The results are kept in `tests/report/results/`, a file a benchmark.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.table import Table

from tests.report.blocks import BLOCKS
from tests.report.results import ROOT, Result, measure, results

BOARDS: Final = ROOT.parent / "shared" / "data"
"""The record holder's boards with its results, where they are at hand: not ours to pass on."""
BENCHMARKS: Final = {
    "start": "tests.bench_start",
    "solver": "tests.bench_solver",
    "player": "tests.bench_solver --solver lookahead --games 20",
    "lookahead": "tests.bench_lookahead --tiny",
    "strength": "tests.bench_strength --fresh 20000 --solver 40",
    "stopping": "tests.bench_stopping",
    "stopkey": "tests.bench_stopkey",
    "consistency": "tests.bench_consistency",
    "planner": "tests.bench_planner",
    "lab": "tests.bench_lab",
    "finding": "tests.bench_finding",
    "found": "tests.bench_found",
    "arts": "tests.bench_arts --sizes 12:65:4",
    "reading": "tests.bench_reading",
    "scales": "tests.bench_scales",
    "learning": "tests.bench_learning",
    "digits": "tests.bench_digits",
    "panel": "tests.bench_panel",
    "assist": "tests.bench_assist",
    "playing": "tests.bench_playing",
    "faults": "tests.bench_faults",
    "unknown": "tests.bench_unknown",
    "killed": "tests.bench_killed",
    "history": "tests.bench_history",
    "fuzz": "tests.fuzz",
    "programs": "tests.soak --games 100,60,40",
}
"""Name -> module and arguments."""
_BLOCK: Final = re.compile(r"(<!-- report:(\w+) -->)(.*?)(<!-- /report -->)", re.DOTALL)


def documents() -> Iterator[Path]:
    """The texts that may hold figures."""
    yield ROOT / "README.md"
    for folder in ("bot", "vision", "gui", "templates", "tests"):
        yield from sorted((ROOT / folder).glob("**/*.md"))


def filled(text: str, kept: Mapping[str, Result]) -> str:
    """Return a document with every part made anew; empty unless its benchmarks were run.

    Raises:
        KeyError: There is no such part.
        NotMeasured: The benchmark was run, and did not leave what the part needs.
    """

    def part(found: re.Match[str]) -> str:
        needs, write = BLOCKS[found[2]]
        measured = [kept[name] for name in needs if name in kept]
        words = write(*measured) if len(measured) == len(needs) else ""
        # A table wants lines of its own, a sentence stays in its paragraph.
        gap = "\n" if "\n" in words else ""
        return f"{found[1]}{gap}{words}{gap}{found[4]}"

    return _BLOCK.sub(part, text)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.report",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*", choices=[*BENCHMARKS, []], metavar="NAME")
    parser.add_argument("--write", action="store_true", help="only the documents")
    parser.add_argument("--list", action="store_true", help="tell what there is")
    chosen = parser.parse_args()
    if chosen.list:
        Console().print(_overview())
        return
    console = Console()
    failed = []
    for name in () if chosen.write else chosen.names or BENCHMARKS:
        try:
            measure(name, _command(name))
        except subprocess.CalledProcessError as error:
            failed.append(f"{name}: {error}")
    kept = results()
    for path in documents():
        text = path.read_text("utf-8")
        made = filled(text, kept)
        if made != text:
            path.write_text(made, "utf-8")
            console.print(f"written: {path.relative_to(ROOT)}")
    if failed:
        sys.exit("\n".join(failed))


def _command(name: str) -> str:
    """With the record holder's boards, where they are at hand."""
    boards = sorted(BOARDS.glob("boards_*.csv")) if name == "strength" else []
    paths = [f"../{path.relative_to(ROOT.parent).as_posix()}" for path in boards]
    return " ".join([BENCHMARKS[name], *(["--boards", *paths] if paths else [])])


def _overview() -> Table:
    table = Table("name", "measured", "s", "command", title="Benchmarks")
    kept = results()
    for name, command in BENCHMARKS.items():
        result = kept.get(name)
        when, took = (result.date, f"{result.seconds:.0f}") if result else ("never", "")
        table.add_row(name, when, took, f"python -m {command}")
    return table


if __name__ == "__main__":
    main()
