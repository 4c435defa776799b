"""The file of the history: how it is opened, its versions, and its errors.

A file is changed only after it proved to be a history of a known version. A broken file, one of a
later version, and a foreign file are not changed, and the error reports it.

The journal is a write-ahead log: the panel and a run in a terminal may be open at once, and with
the log readers do not block a writer. Measured on ext4: a row is committed in 0.014 ms, with a
rollback journal in 24 to 32 ms, and in up to 770 ms during a read. After a loss of power the last
games may be missing, but the file is consistent. If a folder cannot hold such a log, SQLite uses
the other journal by itself.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import cache
from pathlib import Path
from time import perf_counter
from typing import Final

from vision.files import data_folder

_VERSION_1: Final = (
    """
    CREATE TABLE games (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        at REAL NOT NULL,  -- seconds since 1970, for the order and for spans of time
        started TEXT NOT NULL,
        program TEXT NOT NULL,
        window TEXT NOT NULL,
        rows INTEGER NOT NULL,
        cols INTEGER NOT NULL,
        mines INTEGER NOT NULL,
        level TEXT NOT NULL,
        rules TEXT NOT NULL,
        solver TEXT NOT NULL,
        style TEXT NOT NULL,
        player TEXT NOT NULL,
        whole INTEGER NOT NULL,
        seconds REAL NOT NULL,
        result TEXT NOT NULL,
        turns INTEGER NOT NULL,
        clicks INTEGER NOT NULL,
        guesses INTEGER NOT NULL,
        digs INTEGER,
        three_bv INTEGER,
        first_click TEXT,
        first_tile INTEGER,
        session TEXT NOT NULL,
        note TEXT NOT NULL
    ) STRICT
    """,
    "CREATE INDEX games_by_time ON games (at)",
    """
    CREATE TABLE guesses (
        game INTEGER NOT NULL REFERENCES games ON DELETE CASCADE,
        number INTEGER NOT NULL,
        risk REAL NOT NULL,
        hit INTEGER NOT NULL,
        first INTEGER NOT NULL,
        exact INTEGER NOT NULL,
        PRIMARY KEY (game, number)
    ) STRICT, WITHOUT ROWID
    """,
)

_VERSION_2: Final = (
    """
    CREATE TABLE puzzles (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        board TEXT NOT NULL UNIQUE,
        pattern TEXT NOT NULL,
        day TEXT NOT NULL  -- of the game; empty for an example
    ) STRICT
    """,
    """
    CREATE TABLE attempts (
        puzzle INTEGER NOT NULL REFERENCES puzzles ON DELETE CASCADE,
        day TEXT NOT NULL,
        solved INTEGER NOT NULL
    ) STRICT
    """,
    "CREATE TABLE searched (game INTEGER PRIMARY KEY REFERENCES games ON DELETE CASCADE) STRICT",
)

_VERSION_3: Final = (
    # Opening a proved mine was not stored as a guess. Nothing else loses a game without one.
    """
    INSERT INTO guesses
    SELECT id, COALESCE((SELECT MAX(number) + 1 FROM guesses WHERE game = games.id), 0), 1, 1, 0, 1
    FROM games
    WHERE player = 'user' AND rules = 'classic' AND result = 'lost'
        AND NOT EXISTS (SELECT 1 FROM guesses WHERE game = games.id AND hit)
    """,
)

STEPS: Final[tuple[tuple[str, ...], ...]] = (_VERSION_1, _VERSION_2, _VERSION_3)
"""Statements that upgrade version n to n + 1; 0 is an empty file. Append only."""

VERSION: Final = len(STEPS)
"""The version that this program writes to `PRAGMA user_version`."""


_LONGEST: Final = 10_000_000
"""Bytes of a row or of a statement."""


class HistoryError(RuntimeError):
    """The history cannot be read or written; the message says why and what to do."""


class HistoryBusy(HistoryError):
    """Another program has locked the history; a later attempt may succeed."""


def history_file() -> Path:
    """Return the path of the history."""
    return data_folder() / "history.sqlite"


def open_for_writing(path: Path, patience: float) -> sqlite3.Connection:
    """Open a history; create it if it is missing, upgrade it if it is older.

    Args:
        path: The file; its folder is created too.
        patience: Seconds to wait for another writer.

    Raises:
        HistoryError: It cannot be opened; nothing was changed.
    """
    with as_text(path), ExitStack() as on_error:
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(path, timeout=patience, isolation_level=None)
        on_error.callback(connection.close)
        _distrust(connection)
        _migrate(connection, path)
        _use_log(connection, patience)
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA foreign_keys = ON")
        on_error.pop_all()
    return connection


def open_for_reading(path: Path, patience: float) -> sqlite3.Connection | None:
    """Open a history read-only; None if there is none yet.

    An earlier version is upgraded first.

    Raises:
        HistoryError: It cannot be opened.
    """
    with as_text(path):
        if not path.exists():
            return None
        connection, version = _reading(path, patience)
        if version < VERSION:
            connection.close()
            open_for_writing(path, patience).close()
            connection, _ = _reading(path, patience)
    return connection


@contextmanager
def transaction(connection: sqlite3.Connection, kind: str) -> Iterator[None]:
    """Run the block in a transaction that is committed or rolled back as a whole.

    Args:
        connection: Without a transaction so far.
        kind: DEFERRED to read, IMMEDIATE to write. Not DEFERRED to read and then write: SQLite
            does not wait for another writer there.
    """
    with connection:
        connection.execute(f"BEGIN {kind}")
        yield


def _reading(path: Path, patience: float) -> tuple[sqlite3.Connection, int]:
    """Return a read-only connection and the version of the history."""
    address = f"{path.absolute().as_uri()}?mode=ro"
    try:
        return _tried(address, path, patience)
    except sqlite3.OperationalError as error:
        if _code(error) not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
            raise
    # A log needs its own file, which cannot be created in a read-only folder. There the file cannot
    # change and needs no log.
    return _tried(f"{address}&immutable=1", path, patience)


def _tried(address: str, path: Path, patience: float) -> tuple[sqlite3.Connection, int]:
    with ExitStack() as on_error:
        connection = sqlite3.connect(address, timeout=patience, isolation_level=None, uri=True)
        on_error.callback(connection.close)
        _distrust(connection)
        with transaction(connection, "DEFERRED"):
            version = _checked_version(connection, path)
        on_error.pop_all()
    return connection, version


def _distrust(connection: sqlite3.Connection) -> None:
    """Restrict what an untrusted file can do: nothing in it is run, its sizes are checked."""
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")


def _checked_version(connection: sqlite3.Connection, path: Path) -> int:
    """Return the version of a history.

    Call it in a transaction, so that version and schema are consistent.

    Raises:
        HistoryError: The file is no history, or one of a later version.
    """
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version > VERSION:
        raise HistoryError(
            f"{path} was written by a later version of this program (its history is of version "
            f"{version}, this program knows {VERSION}): it was not changed. Update the program, "
            "or move the file away to start a new history"
        )
    if version < 0 or _scheme(connection) != _scheme_of(version):
        raise HistoryError(f"{path} is a database, but no history of games: {_LEFT}")
    return version


def _scheme(connection: sqlite3.Connection) -> set[tuple[str, str]]:
    """Return all tables, indices and other objects with their SQL."""
    return set(connection.execute("SELECT name, COALESCE(sql, '') FROM sqlite_schema"))


@cache
def _scheme_of(version: int) -> set[tuple[str, str]]:
    """Return the exact schema of a version.

    An unexpected trigger, view or generated column could run foreign SQL.
    """
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        for step in STEPS[:version]:
            for statement in step:
                connection.execute(statement)
        return _scheme(connection)


def _migrate(connection: sqlite3.Connection, path: Path) -> None:
    """Apply the missing upgrades, all or none; write nothing if there are none."""
    with transaction(connection, "DEFERRED"):
        if _checked_version(connection, path) == VERSION:
            return
    with transaction(connection, "IMMEDIATE"):
        # Another process may have upgraded it meanwhile.
        for step in STEPS[_checked_version(connection, path) :]:
            for statement in step:
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {VERSION}")


def _use_log(connection: sqlite3.Connection, patience: float) -> None:
    """Switch a history to the write-ahead log, once no other process uses it.

    SQLite waits only before it begins a transaction, not before this switch.
    """
    end = perf_counter() + patience
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if _code(error) != sqlite3.SQLITE_BUSY or perf_counter() > end:
                raise
        else:
            return
        with transaction(connection, "EXCLUSIVE"):
            pass


_LEFT: Final = (
    "it was not changed. Move it away to start a new history; until then no games are stored"
)


@contextmanager
def as_text(path: Path) -> Iterator[None]:
    """Convert SQLite's errors to messages for the user.

    Raises:
        HistoryBusy: Another process has locked the file.
        HistoryError: Anything else.
    """
    try:
        yield
    except (OverflowError, MemoryError, UnicodeDecodeError) as error:
        raise HistoryError(f"{path}: the history is broken ({error}): {_LEFT}") from error
    except sqlite3.Error as error:
        if _code(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise HistoryBusy(
                f"{path} is locked by another program, so games are not stored. Close that program"
            ) from error
        raise HistoryError(f"{path}: {_seen(error)}") from error
    except OSError as error:
        raise HistoryError(f"{path}: {_unwritable(error.strerror or error)}") from error


def _seen(error: sqlite3.Error) -> str:
    """Return the error and the remedy as text."""
    code = _code(error)
    if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
        return f"the history is broken ({error}): {_LEFT}"
    if code == sqlite3.SQLITE_FULL:
        return "the disk is full. Free some space; until then no games are stored in the history"
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return _unwritable(error)
    return f"the history cannot be used ({error}): games are not stored. If this persists, {_AWAY}"


def _unwritable(why: object) -> str:
    return (
        f"the history cannot be written ({why}): games are not stored. Allow writing there, or set "
        "another folder with MINESWEEPER_BOT_HOME"
    )


_AWAY: Final = "move the file away to start a new one"


def _code(error: sqlite3.Error) -> int:
    """Return SQLite's primary result code; 0 for an error of Python's own."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF
