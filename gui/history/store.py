"""The history: games (rows, filters, queries, changes, export as CSV), and puzzles to practise."""

from __future__ import annotations

import csv
import io
import re
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, fields
from datetime import date, datetime, timedelta
from enum import Enum, StrEnum
from pathlib import Path
from typing import Any, Final, NamedTuple, Self, TextIO

import numpy as np
from numpy.typing import NDArray

from bot.analysis import Cancelled
from bot.game import FirstClick, Rules
from gui.history import schema
from vision.files import write_whole

INTERVALS: Final = (1, 3, 7, 21, 60)
"""Days until a puzzle is due again: after a mistake, and the more the more often it was solved.

The scheme is Leitner's: So lernt man lernen, 1972.
"""
FIRST_MINE: Final = 9
"""`Entry.first_tile` if the first click hit a mine."""
PATIENCE: Final = 5.0
"""Seconds to wait for another writer if the wait blocks nothing."""


@dataclass(frozen=True)
class StoreLimits:
    """Limits of questions to the database."""

    batch: int = 500
    """Rows per statement: older builds of SQLite allow 999 parameters."""
    rows: int = 1000
    """Rows of a long result that are converted or written at a time."""
    steps: int = 20_000
    """SQLite instructions between checks for cancellation; well under 1 ms."""


_STORE: Final = StoreLimits()

_FORMULA: Final = tuple("=+-@\N{FULLWIDTH EQUALS SIGN}\N{FULLWIDTH PLUS SIGN}"
                        "\N{FULLWIDTH HYPHEN-MINUS}\N{FULLWIDTH COMMERCIAL AT}")  # fmt: skip
"""First characters of a formula in a spreadsheet, ignoring leading spaces and tabs.

A window's title may begin with one. Source: OWASP, CSV Injection.
"""


def today() -> date:
    """Return the local date."""
    return datetime.now().astimezone().date()


class Result(StrEnum):
    """The result of a game."""

    WON = "won"
    LOST = "lost"
    ENDED = "ended"
    """The result is unknown because the next game began at once."""
    STOPPED = "stopped"
    """Stopped before its end: by the user, or because it could not be continued."""


class Player(StrEnum):
    """The player who made the moves."""

    BOT = "bot"
    USER = "user"


@dataclass(frozen=True)
class Guess:
    """A move that could have gone wrong, with its result."""

    risk: float
    """The stated probability of a mine, above 0, at most 1."""
    hit: bool
    """Whether it was a mine."""
    first: bool = False
    """Whether no cell was open before: most programs make that click safe."""
    exact: bool = True
    """Whether the risk was exact, as opposed to an estimate."""


@dataclass(frozen=True)
class Entry:
    """A row of the history."""

    started: datetime
    """Start time with its offset from UTC."""
    program: str
    """The skin's name."""
    window: str
    """The window's title."""
    rows: int
    cols: int
    mines: int
    level: str
    """The program's name for this size; empty if it has none."""
    rules: Rules
    solver: str
    """The solver that chose or suggested the moves; a hunter in the game of digging."""
    style: str
    player: Player
    whole: bool
    """Whether it was observed from its first click."""
    seconds: float
    """Seconds from the first reading to the end."""
    result: Result
    turns: int
    """Number of turns that were carried out."""
    clicks: int
    """Number of clicks sent; for the user, the least number that explains the board's changes."""
    guesses: int
    """Number of moves with a risk whose result was observed, without the first click."""
    digs: int | None = None
    """Tiles dug, in the game of digging."""
    three_bv: int | None = None
    """Opened 3BV, the board's own for a win; None in the game of digging."""
    first_click: FirstClick | None = None
    """The program's rule for the first click; None if unknown."""
    first_tile: int | None = None
    """The result of the first click: a hint, or FIRST_MINE; None if it was not observed."""
    session: str = ""
    """The recording's folder: its name among the others, or its path; empty for none."""
    note: str = ""
    """The reason why the game was stopped, unless the user stopped it."""
    worst_guess: float | None = None
    """The largest risk of its guesses; None if there was none, or before it is written."""

    @property
    def speed(self) -> float | None:
        """3BV per second; None if it would be meaningless."""
        known = self.three_bv is not None and self.whole and self.seconds > 0
        return (self.three_bv or 0) / self.seconds if known else None

    @property
    def efficiency(self) -> float | None:
        """3BV per click; None if it would be meaningless."""
        known = self.three_bv is not None and self.whole and self.clicks > 0
        return (self.three_bv or 0) / self.clicks if known else None


FIELDS: Final = tuple(field.name for field in fields(Entry))
"""The columns of the history, in order."""
_WRITTEN: Final = FIELDS[: FIELDS.index("worst_guess")]
_GUESSED: Final = "FROM guesses WHERE game = games.id AND NOT first)"
_DERIVED: Final = {
    # The stored number is not used: earlier versions counted first clicks.
    "guesses": f"(SELECT COUNT(*) {_GUESSED}",
    "worst_guess": f"(SELECT MAX(risk) {_GUESSED}",
}
_COLUMNS: Final = ", ".join(_DERIVED.get(name, name) for name in FIELDS)
_OUTCOME_COLUMNS: Final = (
    "result = 'won', result = 'lost', result = 'ended', whole, seconds, clicks, "
    f"{_DERIVED['guesses']}, digs, three_bv"
)
"""The columns of `Outcomes`."""


class RecordingState(StrEnum):
    """Whether a game has a recording."""

    ANY = "recorded"
    PROTECTED = "protected"
    BROKEN = "broken"
    NONE = "none"


@dataclass(frozen=True)
class Recording:
    """The recording of a game."""

    folder: Path
    kept: bool
    """Whether it is protected from automatic deletion."""
    problem: str = ""
    """The reason why it cannot be shown; empty if none is known."""

    @property
    def state(self) -> RecordingState:
        """Its state in the list."""
        if self.problem:
            return RecordingState.BROKEN
        return RecordingState.PROTECTED if self.kept else RecordingState.ANY


class Size(NamedTuple):
    """The size of a board."""

    rows: int
    cols: int
    mines: int


@dataclass(frozen=True)
class Filter:
    """A filter for games that match all its values; None matches any."""

    program: str | None = None
    size: Size | None = None
    solver: str | None = None
    player: Player | None = None
    result: Result | None = None
    since: datetime | None = None
    """Aware; games that began at this time or later."""
    recording: RecordingState | None = None
    words: str = ""
    """Words that must all occur in the texts of a game."""

    def where(self) -> tuple[str, tuple[object, ...]]:
        """Return an SQL condition on the table of games, and its parameters."""
        size = self.size or (None, None, None)
        said = {
            "program = ?": self.program,
            "rows = ?": size[0],
            "cols = ?": size[1],
            "mines = ?": size[2],
            "solver = ?": self.solver,
            "player = ?": self.player,
            "result = ?": self.result,
            "at >= ?": self.since and self.since.timestamp(),
        }
        terms = [(text, value) for text, value in said.items() if value is not None]
        for word in _TIMES.sub("x", self.words).split():
            # Else 9x9 is found in 19x9.
            text = f" {word}" if _SIZE.match(word) else word
            escaped = text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
            terms.append((f"{_TEXTS} LIKE ? ESCAPE '\\'", f"%{escaped}%"))
        if self.recording is RecordingState.ANY:
            terms.append((f"{_STATE} <> ?", RecordingState.NONE.value))
        elif self.recording is not None:
            terms.append((f"{_STATE} = ?", self.recording.value))
        return " AND ".join(text for text, _ in terms) or "TRUE", tuple(v for _, v in terms)


EVERYTHING: Final = Filter()

_TIMES: Final = re.compile(r"(?<=\d)\s*[xX\N{MULTIPLICATION SIGN}]\s*(?=\d)")
_SIZE: Final = re.compile(r"\d+x\d")

_RECORDINGS: Final = "CREATE TEMP TABLE recordings (session TEXT PRIMARY KEY, state TEXT)"
_STATE: Final = (
    "COALESCE((SELECT state FROM recordings WHERE recordings.session = games.session),'none')"
)
_TEXTS: Final = (
    "(program || ' ' || window || ' ' || solver || ' ' || style || ' ' || player || ' ' || cols "
    "|| 'x' || rows || ', ' || mines || ' (' || level || ') ' || started || ' ' || session "
    "|| IIF(rules = 'digging', ' find all mines', '') "
    "|| CASE result WHEN 'stopped' THEN ' unfinished' WHEN 'ended' THEN ' unknown' "
    "ELSE ' ' || result END)"
)
_RECKONED: Final = {
    "recording": _STATE,
    "started": "at",
    "size": "rows * cols, mines, rows",
    "speed": "CASE WHEN whole AND seconds > 0 THEN three_bv / seconds END",
    "efficiency": "CASE WHEN whole AND clicks > 0 THEN 1.0 * three_bv / clicks END",
}
ORDERS: Final = {name: name for name in FIELDS} | _DERIVED | _RECKONED
"""The possible sort keys, as SQL."""


@dataclass(frozen=True)
class Order:
    """A sort order; equal games are sorted by the order in which they were written."""

    by: str = "started"
    """A key of ORDERS."""
    falling: bool = True

    def sql(self) -> str:
        """Return the terms for ORDER BY."""
        way = "DESC" if self.falling else "ASC"
        terms = [f"{term} {way} NULLS LAST" for term in ORDERS[self.by].split(", ")]
        return ", ".join([*terms, f"id {way}"])


NEWEST_FIRST: Final = Order()


class Attempt(NamedTuple):
    """The first answer to a puzzle on some day."""

    day: date
    solved: bool


@dataclass(frozen=True)
class Puzzle:
    """A position in which a safe cell is to be found."""

    board: str
    """The text form, with the mines."""
    pattern: str
    """Pattern that proves the easiest safe cell."""
    day: str
    """The day of the user's game, ISO 8601; empty for an example."""
    number: int = 0
    """Its number in the history; 0 before it is written."""
    attempts: tuple[Attempt, ...] = ()
    """In order."""

    @property
    def due(self) -> date:
        """The day from which it is to be repeated; the earliest possible one for a new puzzle."""
        due, step = date.min, -1
        for attempt in self.attempts:
            if not attempt.solved:
                step = 0
            elif attempt.day >= due:
                step = min(step + 1, len(INTERVALS) - 1)
            else:
                # Solving it before it is due proves nothing about the interval.
                continue
            due = attempt.day + timedelta(days=INTERVALS[step])
        return due


class Choices(NamedTuple):
    """The available filter choices, the most frequent first."""

    programs: tuple[str, ...] = ()
    sizes: tuple[tuple[Size, str], ...] = ()
    """Sizes with the level's name; empty if there is none, or more than one."""
    solvers: tuple[str, ...] = ()


class Outcomes(NamedTuple):
    """The games of a filter, oldest first, one column each: (n,)."""

    won: NDArray[np.bool_]
    lost: NDArray[np.bool_]
    ended: NDArray[np.bool_]
    """Whether the result is unknown."""
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
        if connection is not None:
            connection.execute("PRAGMA temp_store = MEMORY")
            connection.execute(_RECORDINGS)
        if connection is not None and cancelled is not None:
            connection.set_progress_handler(cancelled.is_set, _STORE.steps)

    @classmethod
    def to_write(cls, path: Path, patience: float = PATIENCE) -> Self:
        """Open the history, and create it if it is missing.

        Args:
            path: Its file.
            patience: Seconds to wait for another writer.

        Raises:
            HistoryError: It cannot be opened; nothing was changed.
        """
        return cls(path, schema.open_for_writing(path, patience))

    @classmethod
    def to_read(cls, path: Path, cancelled: threading.Event | None = None) -> Self:
        """Open the history read-only; empty if it does not exist.

        Raises:
            HistoryError: It cannot be opened.
        """
        return cls(path, schema.open_for_reading(path, PATIENCE), cancelled)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()

    def add_recordings(self, recordings: Mapping[str, Recording], entries: Iterable[Entry]) -> None:
        """Add what recordings exist to this connection; nothing is written to the file.

        Args:
            recordings: By `Entry.session`.
            entries: Games that have no row. They are listed with negative numbers, and do not
                count in the statistics.
        """
        if self._connection is None:
            self._connection = sqlite3.connect(":memory:", isolation_level=None)
            for statement in (statement for step in schema.STEPS for statement in step):
                self._connection.execute(statement)
            self._connection.execute(_RECORDINGS)
        connection = self._connection
        with self._asking():
            connection.executemany(
                "INSERT INTO recordings VALUES (?, ?)",
                [(_stored(name), one.state.value) for name, one in recordings.items()],
            )
            connection.execute("CREATE TEMP TABLE unlisted AS SELECT * FROM main.games LIMIT 0")
            for number, entry in enumerate(entries, 1):
                _insert(connection, "unlisted", entry, number=-number)
            # It hides the table of that name from all later queries.
            connection.execute(
                "CREATE TEMP VIEW games AS "
                "SELECT * FROM main.games UNION ALL SELECT * FROM temp.unlisted"
            )

    def recorded(self, recordings: Mapping[str, Recording]) -> dict[int, Recording]:
        """Return recordings that were added, by the numbers of their games."""
        stored = {_stored(name): one for name, one in recordings.items()}
        rows = self._rows("SELECT id, session FROM games JOIN recordings USING (session)", ())
        return {number: stored[session] for number, session in rows}

    def sessions(self) -> frozenset[str]:
        """Return `Entry.session` of all games."""
        return frozenset(one for (one,) in self._rows("SELECT session FROM main.games", ()))

    # Changes

    def add(self, games: Iterable[tuple[Entry, Sequence[Guess]]]) -> None:
        """Write games with their guesses: all of them or none.

        Raises:
            HistoryError: They cannot be written.
        """
        with self._changing() as connection:
            for entry, guesses in games:
                row = _insert(connection, "games", entry)
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

    def add_puzzles(self, puzzles: Iterable[Puzzle], game: int | None = None) -> None:
        """Write new puzzles, and note the game in which they were found; known ones are skipped.

        Raises:
            HistoryError: They cannot be written.
        """
        with self._changing() as connection:
            connection.executemany(
                "INSERT OR IGNORE INTO puzzles (board, pattern, day) VALUES (?, ?, ?)",
                [(one.board, one.pattern, one.day) for one in puzzles],
            )
            if game is not None:
                # The game may have been deleted meanwhile.
                connection.execute(
                    "INSERT OR IGNORE INTO searched SELECT id FROM games WHERE id = ?", (game,)
                )

    def add_attempt(self, puzzle: int, attempt: Attempt) -> None:
        """Write an answer to a puzzle, by its number.

        Raises:
            HistoryError: It cannot be written.
        """
        with self._changing() as connection:
            connection.execute(
                "INSERT INTO attempts SELECT id, ?, ? FROM puzzles WHERE id = ?",
                (attempt.day.isoformat(), attempt.solved, puzzle),
            )

    @contextmanager
    def _changing(self) -> Iterator[sqlite3.Connection]:
        connection = self._connection
        if connection is None:
            raise ValueError("there is no history to write to")
        with schema.as_text(self._path), schema.transaction(connection, "IMMEDIATE"):
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
        rows = self._rows("SELECT COUNT(*), COALESCE(MAX(id), 0) FROM main.games", ())
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
        for start in range(0, len(numbers), _STORE.batch):
            batch = [int(number) for number in numbers[start : start + _STORE.batch]]
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

    def puzzles(self) -> list[Puzzle]:
        """Return all puzzles with their attempts, in the order in which they were written."""
        attempts: dict[int, list[Attempt]] = {}
        for number, day, solved in self._rows("SELECT * FROM attempts ORDER BY rowid", ()):
            try:
                attempt = Attempt(date.fromisoformat(day), bool(solved))
            except ValueError as error:
                raise schema.HistoryError(
                    f"{self._path} holds an attempt of no day: {error}"
                ) from error
            attempts.setdefault(number, []).append(attempt)
        return [
            Puzzle(board, pattern, day, number, tuple(attempts.get(number, ())))
            for board, pattern, day, number in self._rows(
                "SELECT board, pattern, day, id FROM puzzles ORDER BY id", ()
            )
        ]

    def unsearched(self) -> list[int]:
        """Return the numbers of the user's recorded games not yet searched for puzzles."""
        rows = self._rows(
            "SELECT id FROM games WHERE player = ? AND rules = ? AND session <> '' "
            "AND id NOT IN (SELECT game FROM searched) ORDER BY id",
            (Player.USER.value, Rules.CLASSIC.value),
        )
        return [number for (number,) in rows]

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
        text = (
            f"SELECT {_OUTCOME_COLUMNS} FROM games "  # noqa: S608
            f"WHERE id > 0 AND {where} ORDER BY at, id"
        )
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
            while rows := cursor.fetchmany(_STORE.rows):
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
        fields = dict(zip(FIELDS, row, strict=True))
        try:
            fields["started"] = datetime.fromisoformat(fields["started"])
            fields["rules"] = Rules(fields["rules"])
            promise = fields["first_click"]
            fields["first_click"] = None if promise is None else FirstClick(promise)
            fields["player"], fields["result"] = Player(fields["player"]), Result(fields["result"])
        except (ValueError, TypeError) as error:
            raise schema.HistoryError(
                f"{self._path} holds a game that this program cannot have written: {error}. "
                "Correct it, or move the file away"
            ) from error
        fields["whole"] = bool(fields["whole"])
        return Entry(**fields)

    @contextmanager
    def _asking(self) -> Iterator[None]:
        with schema.as_text(self._path):
            try:
                yield
            except sqlite3.OperationalError:
                if self._cancelled is not None and self._cancelled.is_set():
                    raise Cancelled from None
                raise


def _insert(
    connection: sqlite3.Connection, table: str, entry: Entry, number: int | None = None
) -> int | None:
    """Insert a game and return its number, by default the next one."""
    values = (number, entry.started.timestamp(), *(_stored(getattr(entry, f)) for f in _WRITTEN))
    marks = ", ".join("?" * len(values))
    text = f"INSERT INTO {table} (id, at, {', '.join(_WRITTEN)}) VALUES ({marks})"  # noqa: S608
    return connection.execute(text, values).lastrowid


def _stored(value: object) -> object:
    """Return a value as SQLite stores it."""
    if isinstance(value, datetime):
        return value.isoformat(timespec="seconds")
    if isinstance(value, str):
        # A window's title may contain invalid characters.
        return str(value).encode("utf-8", "replace").decode()
    return value.value if isinstance(value, Enum) else value


def export_csv(
    history: History,
    numbers: NDArray[np.int64],
    path: Path,
    report: Callable[[float], None] = lambda _share: None,
) -> int:
    """Write games as CSV: all of them, or the file stays as it was.

    Args:
        history: Contains them.
        numbers: Numbers of the games, in the wanted order: (n,).
        path: The file.
        report: Called with the share done, 0..1; may raise to end the export.

    Returns:
        The number of games written.

    Raises:
        HistoryError: The file cannot be written, or the history cannot be read.
    """
    stream = io.StringIO(newline="")
    written = write_csv(history, numbers, stream, report)
    try:
        write_whole(path, stream.getvalue().encode())
    except OSError as error:
        raise schema.HistoryError(
            f"{path} cannot be written: {error.strerror or error}. Choose another folder or name"
        ) from error
    return written


def write_csv(
    history: History,
    numbers: NDArray[np.int64],
    stream: TextIO,
    report: Callable[[float], None] = lambda _share: None,
) -> int:
    """Write games as CSV to a stream without newline translation; return their number.

    Source: RFC 4180 (a header, CRLF, quoted texts). The arguments are those of `export_csv`.
    """
    # Quote all texts, because some spreadsheets split cells at semicolons too.
    rows = csv.writer(stream, quoting=csv.QUOTE_NONNUMERIC)
    rows.writerow(FIELDS)
    written = 0
    for start in range(0, len(numbers), _STORE.rows):
        report(start / len(numbers))
        batch = numbers[start : start + _STORE.rows].tolist()
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
