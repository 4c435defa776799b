"""Queries and changes of the history: one open connection, used in one thread."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from bot.analysis import Cancelled
from bot.game import FirstClick, Rules
from gui.history.entry import FIELDS, Entry, Guess, Player, Result
from gui.history.filters import EVERYTHING, NEWEST_FIRST, Filter, Order, Size
from gui.history.schema import (
    HistoryError,
    in_words,
    open_for_reading,
    open_for_writing,
    transaction,
)

PATIENCE: Final = 5.0
"""Seconds to wait for another writer when nothing is held up by that."""
_BATCH: Final = 500
"""Rows per statement: older builds of SQLite allow 999 parameters."""
_ROWS: Final = 1000
"""Rows of a long result that are converted at a time."""
_STEPS: Final = 20_000
"""SQLite instructions between checks for cancellation; well under 1 ms."""
_COLUMNS: Final = ", ".join(FIELDS)
_TOLD: Final = (
    "result = 'won', result = 'lost', result = 'ended', whole, seconds, clicks, guesses, digs, "
    "three_bv"
)
"""The columns of `Outcomes`."""


class Choices(NamedTuple):
    """The available filter choices, the most frequent first."""

    programs: tuple[str, ...] = ()
    sizes: tuple[tuple[Size, str], ...] = ()
    """With the level's name; empty if there is none, or more than one."""
    solvers: tuple[str, ...] = ()


class Outcomes(NamedTuple):
    """The games of a filter, oldest first, one column each: (n,)."""

    won: NDArray[np.bool_]
    lost: NDArray[np.bool_]
    ended: NDArray[np.bool_]
    """The result is unknown."""
    whole: NDArray[np.bool_]
    seconds: NDArray[np.float64]
    clicks: NDArray[np.float64]
    guesses: NDArray[np.float64]
    digs: NDArray[np.float64]
    """NaN for none; the same holds for the next one."""
    three_bv: NDArray[np.float64]


class History:
    """An open history.

    Args:
        path: Its file.
        connection: The open file; None if it does not exist yet.
        cancelled: Set to end a long query.
    """

    def __init__(
        self,
        path: Path,
        connection: sqlite3.Connection | None,
        cancelled: threading.Event | None = None,
    ) -> None:
        self._path, self._connection, self._cancelled = path, connection, cancelled
        if connection is not None and cancelled is not None:
            connection.set_progress_handler(cancelled.is_set, _STEPS)

    @classmethod
    def to_write(cls, path: Path, patience: float = PATIENCE) -> Self:
        """Open the history, and create it if it is missing.

        Args:
            path: Its file.
            patience: Seconds to wait for another writer.

        Raises:
            HistoryError: It cannot be opened; nothing was changed.
        """
        return cls(path, open_for_writing(path, patience))

    @classmethod
    def to_read(cls, path: Path, cancelled: threading.Event | None = None) -> Self:
        """Open the history read-only; empty if it does not exist.

        Raises:
            HistoryError: It cannot be opened.
        """
        return cls(path, open_for_reading(path, PATIENCE), cancelled)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()

    # Changes

    def add(self, games: Iterable[tuple[Entry, Sequence[Guess]]]) -> None:
        """Write games with their guesses: all of them or none.

        Raises:
            HistoryError: They cannot be written.
        """
        with self._changing() as connection:
            for entry, guesses in games:
                values = (entry.started.timestamp(), *map(_stored, _values(entry)))
                marks = ", ".join("?" * len(values))
                row = connection.execute(
                    f"INSERT INTO games (at, {_COLUMNS}) VALUES ({marks})",  # noqa: S608 - names
                    values,
                ).lastrowid
                connection.executemany(
                    "INSERT INTO guesses VALUES (?, ?, ?, ?, ?, ?)",
                    [
                        (row, number, one.risk, one.hit, one.first, one.exact)
                        for number, one in enumerate(guesses)
                    ],
                )

    def forget(self, games: Iterable[int]) -> None:
        """Delete games and their guesses by the games' numbers.

        Raises:
            HistoryError: They cannot be deleted; all are still there.
        """
        with self._changing() as connection:
            connection.execute("PRAGMA secure_delete = ON")
            connection.executemany("DELETE FROM games WHERE id = ?", ((one,) for one in games))

    @contextmanager
    def _changing(self) -> Iterator[sqlite3.Connection]:
        connection = self._connection
        if connection is None:
            raise ValueError("there is no history to write to")
        with in_words(self._path), transaction(connection, "IMMEDIATE"):
            yield connection

    # Queries

    @contextmanager
    def at_one_moment(self) -> Iterator[None]:
        """Run all queries of the block on one state of the history."""
        if self._connection is None:
            yield
            return
        with self._asking():
            self._connection.execute("BEGIN")
        try:
            yield
        finally:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")

    def state(self) -> tuple[int, int]:
        """Return the number of games and the last one's number, which differ after every change."""
        rows = self._rows("SELECT COUNT(*), COALESCE(MAX(id), 0) FROM games", ())
        return tuple(rows[0]) if rows else (0, 0)

    def numbers(
        self, chosen: Filter = EVERYTHING, order: Order = NEWEST_FIRST
    ) -> NDArray[np.int64]:
        """Return the numbers of the games of a filter, in order: (n,)."""
        where, values = chosen.where()
        text = f"SELECT id FROM games WHERE {where} ORDER BY {order.sql()}"  # noqa: S608
        parts = [np.array(rows, np.int64)[:, 0] for rows in self._batches(text, values)]
        return np.concatenate(parts) if parts else np.empty(0, np.int64)

    def entries(self, numbers: Sequence[int]) -> dict[int, Entry]:
        """Return games by their numbers, without those deleted meanwhile."""
        found: dict[int, Entry] = {}
        for start in range(0, len(numbers), _BATCH):
            batch = [int(number) for number in numbers[start : start + _BATCH]]
            marks = ", ".join("?" * len(batch))
            rows = self._rows(
                f"SELECT id, {_COLUMNS} FROM games WHERE id IN ({marks})",  # noqa: S608
                batch,
            )
            found.update((row[0], self._entry(row[1:])) for row in rows)
        return found

    def guesses(self, number: int) -> list[Guess]:
        """Return the guesses of a game, in order."""
        rows = self._rows(
            "SELECT risk, hit, first, exact FROM guesses WHERE game = ? ORDER BY number", (number,)
        )
        return [
            Guess(risk, bool(hit), bool(first), bool(exact)) for risk, hit, first, exact in rows
        ]

    def choices(self) -> Choices:
        """Return the available filter choices."""
        sizes = self._rows(
            "SELECT rows, cols, mines, IIF(MIN(level) = MAX(level), MIN(level), '') FROM games "
            "GROUP BY rows, cols, mines ORDER BY COUNT(*) DESC",
            (),
        )
        return Choices(
            self._kinds("program"),
            tuple((Size(*size), level) for *size, level in sizes),
            self._kinds("solver"),
        )

    def _kinds(self, column: str) -> tuple[str, ...]:
        text = f"SELECT {column} FROM games GROUP BY 1 ORDER BY COUNT(*) DESC, 1"  # noqa: S608
        return tuple(row[0] for row in self._rows(text, ()))

    def outcomes(self, chosen: Filter = EVERYTHING) -> Outcomes:
        """Return the data for the statistics."""
        where, values = chosen.where()
        text = f"SELECT {_TOLD} FROM games WHERE {where} ORDER BY at, id"  # noqa: S608
        parts = [np.array(rows, np.float64) for rows in self._batches(text, values)]
        table = np.concatenate(parts) if parts else np.empty((0, len(Outcomes._fields)))
        won, lost, ended, whole = table[:, :4].astype(bool).T
        return Outcomes(won, lost, ended, whole, *table[:, 4:].T)

    def guessed(self, chosen: Filter, bins: int) -> list[tuple[int, int, float, int]]:
        """Return the results of the guesses with an exact risk, without first clicks.

        Args:
            chosen: Selects the games.
            bins: Number of equal intervals into which the risks 0..1 are sorted.

        Returns:
            (interval, number of guesses, their mean risk, number that hit a mine), by interval.
        """
        where, values = chosen.where()
        return self._rows(
            f"""
            SELECT MIN(CAST(risk * {bins:d} AS INTEGER), {bins - 1:d}) AS part,
                   COUNT(*), AVG(risk), SUM(hit)
            FROM guesses JOIN games ON games.id = guesses.game
            WHERE {where} AND exact AND NOT first GROUP BY part ORDER BY part
            """,  # noqa: S608
            values,
        )

    def _batches(self, text: str, values: Sequence[object]) -> Iterator[list[Any]]:
        """Yield all rows of a long result in batches; raises as `_rows` does.

        100,000 rows at once, with the garbage collection that they cause, would block the main
        thread for 0.1 s.
        """
        if self._connection is None:
            return
        with self._asking(), closing(self._connection.cursor()) as cursor:
            cursor.execute(text, values)
            while rows := cursor.fetchmany(_ROWS):
                yield rows

    def _rows(self, text: str, values: Sequence[object]) -> list[Any]:
        """Return all rows of a result; none if there is no history yet.

        Raises:
            Cancelled: The query was cancelled.
            HistoryError: It failed.
        """
        if self._connection is None:
            return []
        with self._asking(), closing(self._connection.cursor()) as cursor:
            return cursor.execute(text, values).fetchall()

    def _entry(self, row: Sequence[Any]) -> Entry:
        told = dict(zip(FIELDS, row, strict=True))
        try:
            told["started"] = datetime.fromisoformat(told["started"])
            told["rules"] = Rules(told["rules"])
            promise = told["first_click"]
            told["first_click"] = None if promise is None else FirstClick(promise)
            told["player"], told["result"] = Player(told["player"]), Result(told["result"])
        except (ValueError, TypeError) as error:
            raise HistoryError(
                f"{self._path} holds a game that this program cannot have written: {error}. "
                "Mend it, or move the file away"
            ) from error
        told["whole"] = bool(told["whole"])
        return Entry(**told)

    @contextmanager
    def _asking(self) -> Iterator[None]:
        with in_words(self._path):
            try:
                yield
            except sqlite3.OperationalError:
                if self._cancelled is not None and self._cancelled.is_set():
                    raise Cancelled from None
                raise


def _values(entry: Entry) -> list[object]:
    return [getattr(entry, name) for name in FIELDS]


def _stored(value: object) -> object:
    """Return a value as SQLite stores it."""
    if isinstance(value, datetime):
        return value.isoformat(timespec="seconds")
    if isinstance(value, str):
        # A window's title may contain invalid characters.
        return str(value).encode("utf-8", "replace").decode()
    return value.value if isinstance(value, Enum) else value
