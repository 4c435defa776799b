"""Console and command line of the benchmarks. Tables are also stored if a report needs them."""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path
from typing import Any, Final

from rich import console
from rich.table import Table
from rich.text import Text

_WIDTH: Final = 200
"""Characters of a line in a file, so that the widest table is not folded."""
KEPT_IN: Final = "MINESWEEPER_BOT_REPORT"
"""Environment variable: the file that gets a line of JSON for each table; inherited by a
benchmark's child processes."""


class Console(console.Console):
    """Prints, and appends every table to the report's file."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        if not self.is_terminal and "width" not in options:
            self.size = console.ConsoleDimensions(_WIDTH, self.height)

    def print(self, *objects: Any, **options: Any) -> None:
        """Print like rich's console."""
        super().print(*objects, **options)
        kept_in = os.environ.get(KEPT_IN)
        tables = [one for one in objects if isinstance(one, Table)]
        if kept_in is None or not tables:
            return
        with Path(kept_in).open("a", encoding="utf-8") as file:
            file.writelines(
                json.dumps(as_data(table), ensure_ascii=False) + "\n" for table in tables
            )


def parser_of(module: str, description: str | None) -> argparse.ArgumentParser:
    """Return a module's parser, whose help shows the description as it is written."""
    return argparse.ArgumentParser(
        prog=f"python -m {module}",
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def as_data(table: Table) -> dict[str, Any]:
    """Return a table's texts: title, headings, and rows of cells as printed."""
    columns = [[_plain(cell) for cell in column.cells] for column in table.columns]
    return {
        "title": _plain(table.title or ""),
        "columns": [_plain(column.header) for column in table.columns],
        "rows": [list(row) for row in zip(*columns, strict=True)],
    }


def _plain(cell: object) -> str:
    return cell.plain if isinstance(cell, Text) else Text.from_markup(str(cell)).plain
