"""The documents' figures are those that the benchmarks left."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from rich.table import Table
from rich.text import Text

from tests.tools.report.__main__ import documents, filled
from tests.tools.report.console import KEPT_IN, Console
from tests.tools.report.results import Result, Sheet, results

ROOT = Path(__file__).parents[2]
FIGURE = re.compile(r"\d\s?(%|ms|µs|MB|games/s|games a second)(?!\w)")
"""What only a benchmark can tell."""


@pytest.mark.parametrize("path", list(documents()), ids=lambda path: path.parent.name)
def test_every_figure_is_that_of_the_results(path: Path) -> None:
    """Each part is, letter by letter, what the results make it, and none is empty."""
    text = path.read_text("utf-8")
    assert re.findall(r"<!-- report:(\w+) --><!-- /report -->", text) == []
    assert filled(text, results()) == text, "run: python -m tests.tools.report --write"


def test_the_readme_holds_no_other_figures() -> None:
    """Without its measured parts, no time, share or rate is left in it: none was typed."""
    bare = re.sub(
        r"<!-- report:.*?<!-- /report -->",
        "",
        (ROOT / "README.md").read_text("utf-8"),
        flags=re.DOTALL,
    )
    assert [bare[max(0, found.start() - 40) : found.end()] for found in FIGURE.finditer(bare)] == []


def test_tables_are_kept_as_they_are_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Plain or marked up, from string or text; anything else that is printed is left out."""
    monkeypatch.setenv(KEPT_IN, str(tmp_path / "kept"))
    table = Table("who", "[b]won[/]", title=Text("Games"))
    table.add_row(Text("us"), "[green]41[/]")
    console = Console(quiet=True)
    console.print("a word")
    console.print(table)
    line = '{"title": "Games", "columns": ["who", "won"], "rows": [["us", "41"]]}\n'
    assert (tmp_path / "kept").read_text("utf-8") == line


def test_a_part_says_when_and_how_it_was_measured() -> None:
    """A document's part is made from a result's table, and empty without one."""
    columns = ["what", "while", "until", "median", "p99", "worst"]
    rows = [["the stop key", "thinking", "the last event", "1.0", "9.5", "12.0"]]
    sheet = Sheet("ms, 100 of each kind", columns, rows)
    result = Result("stopkey", "python -m x", "2026-01-02", "2 cores", 4.0, 60, [sheet])
    text = "So: <!-- report:stopkey -->old<!-- /report -->."
    reported = filled(text, {"stopkey": result})
    assert "|the stop key|thinking|the last event|1.0|9.5|12.0|" in reported
    assert "2026-01-02, 2 cores, with 4 other processes; `make report ONLY=stopkey`" in reported
    assert filled(text, {}) == "So: <!-- report:stopkey --><!-- /report -->."
