"""Files of results, and the statistics of players in them.

A file has one line per game. Its first line describes boards, game, limit and the version of the
players; a run continues a file only with the same. Files of different versions can be compared.
Lines are appended as games finish, so an interrupted run loses nothing; half a line at the end (a
full disk, a lost machine) is removed when the run continues.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from functools import cache
from importlib.metadata import version
from math import fsum
from pathlib import Path
from typing import IO, Any, Final

from filelock import FileLock, Timeout

from bot.lab.statistics import Interval, Paired, bucket, mcnemar, mean, quantile, wilson
from bot.lab.worker import Outcome

VERSION: Final = 1
# Limits of what a file may hold: foreign files are not trusted.
_MOST_BYTES: Final = 1 << 31
_MOST_SECONDS: Final = 1e9

_PLAYERS: Final = ("solver/**/*.py", "solver/**/*.npz", "digging/*.py", "planner.py")
"""The sources that decide how a player plays, as patterns in the folder of `bot`."""
_UNKNOWN: Final = "unknown"
"""The version in files that were written before it was kept."""


@cache
def players_version() -> str:
    """Return the version of all players: that of the program, and a digest of their sources."""
    folder = Path(__file__).parents[1]
    digest = hashlib.sha256()
    for path in sorted(path for pattern in _PLAYERS for path in folder.glob(pattern)):
        digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return f"{version('minesweeper-bot')} {digest.hexdigest()[:16]}"


class ResultsError(Exception):
    """A file of results cannot be used; the message names the file and the reason."""


@dataclass(frozen=True)
class Plan:
    """The parameters of a run, from the first line of a results file."""

    game: str
    """'classic' or 'digging'."""
    boards: tuple[str, ...]
    """`BoardSet.key` of each set."""
    labels: tuple[str, ...]
    """`BoardSet.label` of each set."""
    nodes: int | None
    """Limit of a decision."""
    rollouts: int = 0
    """Simulated games at each guess."""

    def differs(self, other: Plan) -> str | None:
        """Return why the results of two plans cannot be compared; None if they can."""
        if self.game != other.game:
            return f"they are of the game {other.game!r}, not {self.game!r}"
        for mine, theirs in zip(self.boards, other.boards, strict=False):
            if mine != theirs:
                return f"they are of other boards: {theirs}; not {mine}"
        if len(self.boards) != len(other.boards):
            return f"they are of {len(other.boards)} sets of boards, not {len(self.boards)}"
        if self.nodes != other.nodes:
            return f"their limit was {other.nodes} nodes a decision, not {self.nodes}"
        if self.rollouts != other.rollouts:
            return f"{other.rollouts} games were simulated at each guess, not {self.rollouts}"
        return None


@dataclass(frozen=True)
class Results:
    """The content of a file."""

    plan: Plan
    outcomes: dict[tuple[int, str, int], Outcome]
    """By index of the set, player and index of the board."""
    players_version: str
    """The version of the players; see `players_version`."""


class ResultsFile:
    """A file of results that is open for appending."""

    def __init__(self, path: Path, stream: IO[bytes], results: Results) -> None:
        self._path = path
        self._stream = stream
        self.results = results

    def add(self, boards: int, outcomes: Iterable[Outcome]) -> None:
        """Append outcomes on boards of one set.

        Raises:
            ResultsError: They could not be written; earlier lines are kept.
        """
        outcomes = list(outcomes)
        lines = [json.dumps({"boards": boards, **asdict(outcome)}) for outcome in outcomes]
        try:
            _write(self._stream, "".join(f"{line}\n" for line in lines).encode())
        except OSError as error:
            raise ResultsError(
                f"{self._path}: cannot be written ({error.strerror or error}); the "
                f"{len(self.results.outcomes)} games written before are kept"
            ) from error
        for outcome in outcomes:
            self.results.outcomes[boards, outcome.player, outcome.number] = outcome


@contextmanager
def open_results(path: Path, plan: Plan) -> Iterator[ResultsFile]:
    """Open a file of results for appending, or create it.

    Raises:
        ResultsError: It cannot be opened, is invalid, has another plan or version of players, or
            another run writes it.
    """
    with _alone(path):
        yield from _opened(path, plan)


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Keep other runs from writing a file, where its file system has locks."""
    path = path.resolve()
    # A lock would make a folder that is missing.
    lock = FileLock(path.parent / f".{path.name}.lock", timeout=0, fallback_to_soft=False)
    try:
        if path.parent.is_dir():
            lock.acquire()
    except Timeout:
        raise ResultsError(
            f"another run is writing {path}: wait for it, or choose another file"
        ) from None
    except (OSError, NotImplementedError):
        pass
    try:
        yield
    finally:
        if lock.is_locked:
            # Another run must not get the lock of a deleted file; Windows deletes no open one.
            lock_file, deleted = Path(lock.lock_file), False
            with suppress(OSError):
                lock_file.unlink()
                deleted = True
            lock.release()
            if not deleted:
                with suppress(OSError):
                    lock_file.unlink()


def _opened(path: Path, plan: Plan) -> Iterator[ResultsFile]:
    exists = path.exists() and path.stat().st_size > 0
    results = Results(plan, {}, players_version())
    length = 0
    if exists:
        results, length = _read(path)
        reason = plan.differs(results.plan)
        if reason is not None:
            raise ResultsError(f"{path} cannot go on with this: {reason}")
        if results.players_version != players_version():
            raise ResultsError(
                f"{path} holds games by other versions of the solvers ({results.players_version}; "
                f"these are {players_version()}). Choose another file; 'lab show' compares the two"
            )
    try:
        # Unbuffered: a failed write is not repeated when the file is closed.
        with path.open("r+b" if exists else "wb", buffering=0) as stream:
            stream.truncate(length)
            stream.seek(0, os.SEEK_END)
            if not exists:
                head = {"version": VERSION, **asdict(plan), "players": results.players_version}
                _write(stream, json.dumps(head).encode() + b"\n")
            yield ResultsFile(path, stream, results)
    except OSError as error:
        raise ResultsError(
            f"{path} cannot be written: {error.strerror or error}. Choose another file or folder"
        ) from error


def _write(stream: IO[bytes], content: bytes) -> None:
    """Write everything; on a nearly full disk one write may be partial."""
    left = memoryview(content)
    while left:
        left = left[stream.write(left) :]


def read_results(path: Path) -> Results:
    """Read a file of results.

    Raises:
        ResultsError: It cannot be read, or a line is invalid.
    """
    return _read(path)[0]


def _read(path: Path) -> tuple[Results, int]:
    """Return the content, and the number of bytes in complete lines."""
    try:
        if not path.is_file():
            raise ResultsError(f"{path} is not a file")
        if path.stat().st_size > _MOST_BYTES:
            raise ResultsError(f"{path}: larger than {_MOST_BYTES >> 30} GB is no file of results")
        content = path.read_bytes()
    except OSError as error:
        raise ResultsError(f"{path} cannot be read: {error.strerror or error}") from error
    whole = content[: content.rfind(b"\n") + 1]
    lines = whole.splitlines()
    outcomes: dict[tuple[int, str, int], Outcome] = {}
    plan: Plan | None = None
    played_by = _UNKNOWN
    for number, line in enumerate(lines, start=1):
        try:
            fields = json.loads(line)
            if plan is None:
                plan, played_by = _plan(fields), str(fields.get("players", _UNKNOWN))
                continue
            boards = _set(fields.pop("boards"), plan)
            outcome = _outcome(fields)
        except KeyError as error:
            raise ResultsError(f"{path}, line {number} is no result: it lacks {error}") from error
        except (ValueError, TypeError, AttributeError, RecursionError) as error:
            raise ResultsError(f"{path}, line {number} is no result: {error}") from error
        outcomes[boards, outcome.player, outcome.number] = outcome
    if plan is None:
        raise ResultsError(f"{path} is no file of results: it has no first line")
    return Results(plan, outcomes, played_by), len(whole)


def _plan(fields: dict[str, Any]) -> Plan:
    if fields["version"] != VERSION:
        raise ValueError(f"version {fields['version']!r}, and {VERSION} is known")
    nodes = fields["nodes"]
    boards, labels = (tuple(map(str, fields[name])) for name in ("boards", "labels"))
    if len(boards) != len(labels):
        raise ValueError(f"{len(boards)} sets of boards, and {len(labels)} names of them")
    return Plan(
        str(fields["game"]),
        boards,
        labels,
        None if nodes is None else _whole(nodes),
        _whole(fields.get("rollouts", 0)),
    )


def _set(number: object, plan: Plan) -> int:
    boards = _whole(number)
    if boards >= len(plan.boards):
        raise ValueError(f"there are {len(plan.boards)} sets of boards, no number {boards}")
    return boards


def _outcome(fields: dict[str, Any]) -> Outcome:
    memory = fields["memory"]
    return Outcome(
        player=str(fields["player"]),
        number=_whole(fields["number"]),
        won=bool(fields["won"]),
        opened=_whole(fields["opened"]),
        guesses=_whole(fields["guesses"]),
        buckets={_bucket(number): _whole(count) for number, count in fields["buckets"].items()},
        seconds=_time(fields["seconds"]),
        worst=_time(fields["worst"]),
        memory=None if memory is None else _whole(memory),
    )


def _time(value: object) -> float:
    if not isinstance(value, int | float) or not 0 <= value < _MOST_SECONDS:
        raise ValueError(f"{value!r} is no time")
    return float(value)


def _bucket(name: str) -> int:
    number = int(name)
    if not bucket(0) <= number <= bucket(_MOST_SECONDS):
        raise ValueError(f"{name!r} is the number of no time")
    return number


def _whole(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError(f"{value!r} is no whole number")
    return value


@dataclass(frozen=True)
class Summary:
    """Statistics of one player on one set of boards."""

    player: str
    games: int
    won: Interval
    opened: Interval
    """Cells opened by the player's moves per game; in the game of digging, digs per game."""
    guesses: Interval
    """Guesses per game."""
    median: float
    """Median of the seconds per decision."""
    p95: float
    worst: float
    rate: float
    """Games per second of the decisions' processor time."""
    memory: int | None
    """Peak memory of a worker in bytes."""


def summarise(outcomes: Sequence[Outcome]) -> Summary:
    """Return the statistics of one player's games.

    Raises:
        ValueError: There are no games.
    """
    times: Counter[int] = Counter()
    for outcome in outcomes:
        times.update(outcome.buckets)
    seconds = fsum(outcome.seconds for outcome in outcomes)
    worst = max(outcome.worst for outcome in outcomes)
    return Summary(
        outcomes[0].player,
        len(outcomes),
        wilson(sum(outcome.won for outcome in outcomes), len(outcomes)),
        mean([outcome.opened for outcome in outcomes]),
        mean([outcome.guesses for outcome in outcomes]),
        min(quantile(times, 0.5), worst),
        min(quantile(times, 0.95), worst),
        worst,
        len(outcomes) / seconds if seconds else float("inf"),
        max((o.memory for o in outcomes if o.memory is not None), default=None),
    )


def outcomes_of(results: Results, boards: int, player: str) -> list[Outcome]:
    """Return the outcomes of one player on one set of boards, in the order of the boards."""
    found = (o for (b, p, _), o in results.outcomes.items() if b == boards and p == player)
    return sorted(found, key=lambda outcome: outcome.number)


def players(results: Results) -> list[str]:
    """Return all players, in the order of their first games."""
    return list(dict.fromkeys(player for _, player, _ in results.outcomes))


def compare_wins(first: Sequence[Outcome], second: Sequence[Outcome]) -> Paired | None:
    """Compare wins on the boards that both have played; None if there are none."""
    both = _both(first, second)
    return mcnemar([a.won for a, _ in both], [b.won for _, b in both]) if both else None


def compare_opened(first: Sequence[Outcome], second: Sequence[Outcome]) -> Interval | None:
    """Return the difference in opened cells per board that both have played; None if none."""
    both = _both(first, second)
    return mean([a.opened - b.opened for a, b in both]) if both else None


def _both(first: Sequence[Outcome], second: Sequence[Outcome]) -> list[tuple[Outcome, Outcome]]:
    others = {outcome.number: outcome for outcome in second}
    return [(one, others[one.number]) for one in first if one.number in others]
