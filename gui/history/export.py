"""Export of the history as CSV.

Source: RFC 4180 (a header, CRLF, quoted texts), in UTF-8.
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
"""First characters of a formula in a spreadsheet, ignoring leading spaces and tabs.

A window's title may begin with one. Source: OWASP, CSV Injection.
"""


def export_csv(
    history: History,
    numbers: NDArray[np.int64],
    path: Path,
    tell: Callable[[float], None] = lambda _share: None,
) -> int:
    """Write games as CSV: all of them, or the file stays as it was.

    Args:
        history: Contains them.
        numbers: Numbers of the games, in the wanted order: (n,).
        path: The file.
        tell: Called with the share done, 0..1; may raise to end the export.

    Returns:
        The number of games written.

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
    """Write games as CSV to a stream without newline translation; return their number."""
    return _write(history, numbers, stream, lambda _share: None)


def _write(
    history: History, numbers: NDArray[np.int64], stream: TextIO, tell: Callable[[float], None]
) -> int:
    # Quote all texts, because some spreadsheets split cells at semicolons too.
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
    """Return a value as text that a spreadsheet interprets correctly."""
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
