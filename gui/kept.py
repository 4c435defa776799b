"""Small tables that are kept in a JSON file of the data folder, for threads and processes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from threading import RLock
from typing import Final

from gui.settings import data_folder
from vision.files import read_whole, write_whole

_MOST_BYTES: Final = 1_000_000
_MOST: Final = 1_000
"""Rows of each kind that are kept, the newest."""

Row = list[object]


class KeptRows:
    """Rows of several kinds in one file. Each row begins with its key.

    A file that another process has written is read again. A file of another form holds nothing,
    and if the file cannot be written, the rows hold for this process.

    Args:
        name: Of the file.

    Attributes:
        lock: Held by each method; hold it to read and write in one step.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self.lock = RLock()
        self._rows: dict[str, list[Row]] = {}
        self._read_at: tuple[Path, int, int] | None = None

    @property
    def path(self) -> Path:
        """Where the rows are kept."""
        return data_folder() / self._name

    def rows(self, kind: str) -> list[Row]:
        """Return the rows of a kind, the newest first."""
        with self.lock:
            self._read()
            return self._rows.get(kind, [])[::-1]

    def put(self, kind: str, key: Sequence[object], *values: object) -> None:
        """Keep a row in the place of the one with the same key."""
        with self.lock:
            self.remove(kind, key, write=False)
            self._rows.setdefault(kind, []).append([*key, *values])
            self._write()

    def remove(self, kind: str, key: Sequence[object], *, write: bool = True) -> None:
        """Forget the row with that key."""
        with self.lock:
            self._read()
            rows = self._rows.get(kind, [])
            left = [row for row in rows if row[: len(key)] != list(key)]
            self._rows[kind] = left
            if write and len(left) != len(rows):
                self._write()

    def _read(self) -> None:
        stamp = self._stamp()
        if stamp == self._read_at:
            return
        kept: object = None
        with suppress(OSError, ValueError, RecursionError):
            kept = json.loads(read_whole(self.path, _MOST_BYTES))
        kinds = kept.items() if isinstance(kept, dict) else ()
        self._rows = {
            kind: [row for row in rows if isinstance(row, list)]
            for kind, rows in kinds
            if isinstance(rows, list)
        }
        self._read_at = stamp

    def _write(self) -> None:
        self._rows = {kind: rows[-_MOST:] for kind, rows in self._rows.items()}
        with suppress(OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self.path, json.dumps(self._rows).encode())
            self._read_at = self._stamp()

    def _stamp(self) -> tuple[Path, int, int] | None:
        """Return what changes when the file is written; None if there is no file."""
        try:
            stat = self.path.stat()
        except OSError:
            return None
        return self.path, stat.st_ino, stat.st_mtime_ns
