"""Run the benchmarks, and write the documents' figures from their output.

    python -m tests.tools.report                  all of them: hours
    python -m tests.tools.report solver stopkey   some
    python -m tests.tools.report --write          none; only the documents, from what was kept
    python -m tests.tools.report --list           what there is, and when it was measured

The results are kept in `tests/tools/report/results/`, one file per benchmark.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from rich.table import Table

from tests.tools.report.blocks import BLOCKS
from tests.tools.report.console import Console, parser_of
from tests.tools.report.results import ROOT, Result, measure, results

BOARDS: Final = ROOT.parent / "shared" / "data"
"""The record holder's boards with its results, if available; they may not be redistributed."""
BENCHMARKS: Final = {
    "start": "tests.benchmarks.start",
    "solver": "tests.benchmarks.solver",
    "player": "tests.benchmarks.solver --solver lookahead",
    "endgame": "tests.benchmarks.endgame --tiny",
    "strength": "tests.benchmarks.strength --fresh 20000 --solver 40",
    "thinking": "tests.benchmarks.rollouts build/rollouts.jsonl --rollouts 360 3600 --bits 330 "
    "--seed 760000000 --processes 2 --games 1600",
    "longthinking": "tests.benchmarks.rollouts build/rollouts-long.jsonl --rollouts 36000 "
    "--bits 330 --seed 760000000 --processes 2 --games 160",
    "intermediatethinking": "tests.benchmarks.rollouts build/rollouts-intermediate.jsonl "
    "--level intermediate --rollouts 3600 --seed 760000000 --games 800",
    "beginnerthinking": "tests.benchmarks.rollouts build/rollouts-beginner.jsonl "
    "--level beginner --rollouts 3600 --seed 760000000 --processes 2 --games 2000",
    "stopping": "tests.benchmarks.stopping",
    "stopkey": "tests.benchmarks.stopkey",
    "planner": "tests.benchmarks.planner",
    "finding": "tests.benchmarks.finding",
    "reading": "tests.benchmarks.reading",
    "learning": "tests.benchmarks.learning",
    "wayland": "tests.benchmarks.wayland",
    "systems": "tests.benchmarks.systems --games 40",
    "waylandexpert": "tests.benchmarks.wayland --level expert --games 10",
    "playing": "tests.benchmarks.playing",
    "faults": "tests.benchmarks.faults",
    "programs": "tests.benchmarks.soak --games 100,60,40",
}
"""Module and arguments by name."""
_BLOCK: Final = re.compile(r"(<!-- report:(\w+) -->)(.*?)(<!-- /report -->)", re.DOTALL)


def documents() -> Iterator[Path]:
    """Yield the documents that may contain figures."""
    yield ROOT / "README.md"
    for folder in ("bot", "vision", "gui", "templates", "tests"):
        yield from sorted((ROOT / folder).glob("**/*.md"))


def filled(text: str, kept: Mapping[str, Result]) -> str:
    """Return a document with every part generated again; empty unless its benchmarks were run.

    Raises:
        KeyError: There is no such part.
        NotMeasured: The benchmark was run without the result that the part needs.
    """

    def part(found: re.Match[str]) -> str:
        needs, write = BLOCKS[found[2]]
        measured = [kept[name] for name in needs if name in kept]
        words = write(*measured) if len(measured) == len(needs) else ""
        # A table needs its own lines, a sentence stays in its paragraph.
        gap = "\n" if "\n" in words else ""
        return f"{found[1]}{gap}{words}{gap}{found[4]}"

    return _BLOCK.sub(part, text)


def main() -> None:
    """Run the command line."""
    parser = parser_of("tests.tools.report", __doc__)
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
    """Return the command, with the record holder's boards if available."""
    boards = sorted(BOARDS.glob("boards_*.csv")) if name == "strength" else []
    paths = [f"../{path.relative_to(ROOT.parent).as_posix()}" for path in boards]
    return " ".join([BENCHMARKS[name], *(["--boards", *paths] if paths else [])])


def _overview() -> Table:
    table = Table("name", "measured", "seconds", "command", title="Benchmarks")
    kept = results()
    for name, command in BENCHMARKS.items():
        result = kept.get(name)
        when, took = (result.date, f"{result.seconds:.0f}") if result else ("never", "")
        table.add_row(name, when, took, f"python -m {command}")
    return table


if __name__ == "__main__":
    main()
