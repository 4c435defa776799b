"""The history as a table for other programs.

Source: RFC 4180 (a header, CRLF, texts in quotes), in UTF-8.
"""

from __future__ import annotations

import csv
import os
import tempfile
from collections.abc import Callable
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import Final, TextIO

import numpy as np
from numpy.typing import NDArray

from gui.history.entry import FIELDS
from gui.history.schema import HistoryError
from gui.history.store import History

_BATCH: Final = 2000
_FORMULA: Final = tuple("=+-@\N{FULLWIDTH EQUALS SIGN}\N{FULLWIDTH PLUS SIGN}"
                        "\N{FULLWIDTH HYPHEN-MINUS}\N{FULLWIDTH COMMERCIAL AT}")  # fmt: skip
"""What a spreadsheet would take for the beginning of a formula, spaces and tabs before it left out:
a window's title may be one. Source: OWASP, CSV Injection."""


def export_csv(
    history: History,
    numbers: NDArray[np.int64],
    path: Path,
    tell: Callable[[float], None] = lambda _share: None,
) -> int:
    """Write games as CSV: all of them, or the file is as it was before.

    Args:
        history: Where they are.
        numbers: Of the games, in the order wanted: (n,).
        path: The file.
        tell: Is told the share done, 0..1; may raise to end it.

    Returns:
        How many games were written.

    Raises:
        HistoryError: The file cannot be written, or the history cannot be read.
    """
    part = ""
    try:
        handle, part = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}", suffix=".part")
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as stream:
            written = _write(history, numbers, stream, tell)
        Path(part).replace(path)
    except OSError as error:
        raise HistoryError(
            f"{path} cannot be written: {error.strerror or error}. Choose another folder or name"
        ) from error
    finally:
        if part:
            Path(part).unlink(missing_ok=True)
    return written


def write_csv(history: History, numbers: NDArray[np.int64], stream: TextIO) -> int:
    """Write games as CSV to a stream that leaves line ends as they are; returns how many."""
    return _write(history, numbers, stream, lambda _share: None)


def _write(
    history: History, numbers: NDArray[np.int64], stream: TextIO, tell: Callable[[float], None]
) -> int:
    # All texts in quotes: some spreadsheets begin a cell at a semicolon, too.
    rows = csv.writer(stream, quoting=csv.QUOTE_NONNUMERIC)
    rows.writerow(FIELDS)
    written = 0
    for start in range(0, len(numbers), _BATCH):
        tell(start / len(numbers))
        batch = numbers[start : start + _BATCH].tolist()
        found = history.entries(batch)
        entries = [found[number] for number in batch if number in found]
        rows.writerows([_cell(getattr(entry, name)) for name in FIELDS] for entry in entries)
        written += len(entries)
    return written


def _cell(value: object) -> object:
    """A value as text that a spreadsheet takes for what it is."""
    if isinstance(value, datetime):
        return value.isoformat(timespec="seconds")
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, float):
        return round(value, 3)
    if isinstance(value, str) and value.lstrip().startswith(_FORMULA):
        return f"'{value}"
    return value
