"""A changed file is read, or refused with the reader's own error, and nothing else is written."""

from __future__ import annotations

import io
import json
import math
import shutil
import sqlite3
import struct
import tempfile
import tomllib
import zipfile
import zlib
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import cv2
import numpy as np
import pytest
import tomli_w
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.board import Board
from bot.lab.boards import BoardFileError, ImpossibleBoards, read_boards
from bot.lab.results import ResultsError
from bot.lab.worker import UnknownGame
from bot.solver import UnknownSolver
from gui.games.film import load_film
from gui.history.schema import HistoryError
from gui.history.statistics import RISK_PARTS, compute_statistics
from gui.history.store import EVERYTHING, History, write_csv
from gui.lab.runs import OrderError, find_runs, read_order
from gui.lab.sheets import put_together, sheets_of
from gui.panel.jobs import Progress
from gui.settings import SettingsError
from gui.settings import load as load_settings
from tests.gui.history.made import game, games
from vision.capture import ImageError, load_image
from vision.sessions import SessionError, load_session
from vision.sessions.rawvf import RawvfError, rawvf
from vision.sessions.summaries import summarise
from vision.skins import BUNDLED, load_skin, user_folder
from vision.skins.own_skins import SkinError
from vision.skins.skin import load_text
from vision.skins.skin_zip import import_skin

STORED: Final = Path(__file__).with_name("stored")
SESSION: Final = STORED / "sessions" / "2026-11-23T13-16-56"
VALUES: Final = (
    0, -1, 256, 10**6, 2**31, 2**63, 10**30, 0.5, -0.0, 1e300, math.inf, math.nan, None, True, [],
    {},
    "", "\0", "../..", "/etc/passwd", "x" * 70_000, "\u202e", "é", "٣", "9" * 5000, "[" * 3000,
    "<b>",
    "9999-12-31T23:59:59-23:59", "0001-01-01T00:00:00+23:59", "mines: 99999999999999999999", "won",
)  # fmt: skip
SCHEMES: Final = (
    "PRAGMA user_version = 99", "DROP TABLE guesses", "ALTER TABLE games DROP COLUMN note",
    "ALTER TABLE games ADD COLUMN more TEXT", "CREATE VIEW more AS SELECT * FROM games",
)  # fmt: skip


def bytes_changed(dice: Random, data: bytes) -> bytes:
    """Return bytes with one to three of them replaced, left out or doubled."""
    made = bytearray(data)
    for _ in range(dice.randint(1, 3)):
        at, size = dice.randrange(len(made) + 1), dice.choice((1, 4, 200))
        made[at : at + size] = dice.choice(
            (b"", bytes([dice.randrange(256)]), 2 * made[at : at + size])
        )
    return bytes(made)


def value_changed(dice: Random, value: Any) -> Any:
    """Return a value with one part replaced, left out, added or doubled."""
    if isinstance(value, dict) and value and dice.random() < 0.9:
        key = dice.choice(list(value))
        if dice.random() < 0.2:
            return {name: one for name, one in value.items() if name != key}
        return value | {key: value_changed(dice, value[key])}
    if isinstance(value, list) and value and dice.random() < 0.9:
        at = dice.randrange(len(value))
        one = [value_changed(dice, value[at])] if dice.random() < 0.7 else 2 * [value[at]]
        return value[:at] + one + value[at + 1 :]
    if isinstance(value, str) and value and dice.random() < 0.5:
        return bytes_changed(dice, value.encode()).decode("utf-8", "replace")
    if isinstance(value, int) and dice.random() < 0.4:
        return dice.choice((value + 1, -value, value * 1000, value / 3))
    return dice.choice(VALUES)


def json_changed(dice: Random, data: bytes) -> bytes:
    """Return lines of JSON, or one document of many lines, with another content."""
    if len(data.splitlines()) > 1 and data.splitlines()[0].endswith(b"}"):
        lines = data.splitlines()
        at = dice.randrange(len(lines))
        lines[at] = json_changed(dice, lines[at])
        return b"\n".join(lines) + b"\n"
    return json.dumps(value_changed(dice, json.loads(data))).encode()


def toml_changed(dice: Random, data: bytes) -> bytes:
    """Return a TOML table with another content."""
    try:
        return tomli_w.dumps(value_changed(dice, tomllib.loads(data.decode()))).encode()
    except (ValueError, TypeError, AttributeError):
        return bytes_changed(dice, data)


def png_changed(dice: Random, data: bytes) -> bytes:
    """Return a PNG with a changed chunk, or one more, and right checksums."""
    chunks, at = [], 8
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        chunks.append((data[at + 4 : at + 8], data[at + 8 : at + 8 + length]))
        at += 12 + length
    at = dice.randrange(len(chunks))
    kind, body = chunks[at]
    if kind == b"IHDR":
        body = struct.pack(">II", *dice.choices((0, 7, 9000, 2**31 - 1), k=2)) + body[8:]
    elif dice.random() < 0.3:
        chunks.insert(at, (b"zTXt", b"x\0\0" + zlib.compress(bytes(3_000_000))))
    chunks[at] = dice.choice((kind, kind, b"PLTE", b"tRNS")), bytes_changed(dice, body)
    sums = (struct.pack(">I", zlib.crc32(kind + body)) for kind, body in chunks)
    return data[:8] + b"".join(
        struct.pack(">I", len(body)) + kind + body + check
        for (kind, body), check in zip(chunks, sums, strict=True)
    )


def database_changed(dice: Random, data: bytes) -> bytes:
    """Return a database that SQLite wrote, with values of other types, or other tables."""
    with closing(sqlite3.connect(":memory:")) as connection, suppress(sqlite3.Error, OverflowError):
        # A rollback journal is the only one that is possible in memory.
        connection.deserialize(data[:18] + b"\1\1" + data[20:])
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("UPDATE sqlite_schema SET sql = REPLACE(sql, 'STRICT', '')")
        connection.commit()
        data = connection.serialize()
    with closing(sqlite3.connect(":memory:")) as connection, suppress(sqlite3.Error, OverflowError):
        connection.deserialize(data)
        column = dice.choice([row[1] for row in connection.execute("PRAGMA table_info(games)")])
        value = dice.choice([one for one in VALUES if not isinstance(one, list | dict)])
        query = f"UPDATE games SET {column} = ? WHERE id % 2 = 0"  # noqa: S608 - one of its columns
        connection.execute(query, (value,))
        if dice.random() < 0.3:
            connection.execute(dice.choice(SCHEMES))
        connection.commit()
        data = connection.serialize()
    return data


@cache
def skin_zips() -> Sequence[bytes]:
    """Return a zip of a skin."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted((STORED / "skins" / "mine").iterdir()):
            archive.write(file, f"mine/{file.name}")
    return [buffer.getvalue()]


def read_skin_zip(path: Path) -> None:
    """Import a skin; nothing is left behind of one that is refused."""
    try:
        skin = import_skin(path)
    except SkinError:
        assert not user_folder().exists() or not list(user_folder().iterdir())
        raise
    assert load_skin(user_folder() / skin.name).name == skin.name
    shutil.rmtree(user_folder())


@cache
def pictures() -> Sequence[bytes]:
    """Return pictures of three formats."""
    small = np.zeros((20, 20, 3), np.uint8)
    encoded = [cv2.imencode(ending, small)[1].tobytes() for ending in (".jpg", ".bmp")]
    return [(BUNDLED / "winemine" / "flag.png").read_bytes(), *encoded]


def picture_changed(dice: Random, data: bytes) -> bytes:
    """Return a changed picture."""
    return (png_changed if data[1:4] == b"PNG" else bytes_changed)(dice, data)


def read_stored(name: str) -> list[bytes]:
    """Return the content of a file that version 0.1.0 wrote."""
    return [(STORED / name).read_bytes()]


def read_session(path: Path) -> None:
    """Read a session whose other files are valid."""
    for file in SESSION.rglob("*.*"):
        copy = path.parent / file.relative_to(SESSION)
        copy.parent.mkdir(exist_ok=True)
        if copy != path:
            shutil.copyfile(file, copy)
    summarise(path.parent)
    film = load_film(path.parent, Progress(lambda _share, _words: None))
    for index in range(len(film)):
        film.guess(index)
    turns = [turn for turn in film.turns if turn is not None]
    for turn in turns:
        _ = turn.reading.grid.view, turn.reading.grid.column_edges(turn.reading.frame.region)
    try:
        rawvf(film.session.info, turns)
    except RawvfError:
        list(load_session(path.parent).turns())


def read_settings(path: Path) -> None:
    """Load settings and use them."""
    loaded = load_settings(path)
    _ = loaded.rules, loaded.player_name, loaded.sessions_folder


def read_history(path: Path) -> None:
    """Use a history as the pages do, and add a game."""
    with History.to_read(path) as history:
        numbers = history.numbers()
        history.entries(numbers.tolist()[:20])
        if len(numbers):
            history.guesses(int(numbers[0]))
        history.choices()
        compute_statistics(history.outcomes(), history.guessed(EVERYTHING, RISK_PARTS))
        write_csv(history, numbers, io.StringIO(newline=""))
    with History.to_write(path, 0.1) as history:
        history.add([(game(), [])])


@cache
def histories() -> Sequence[bytes]:
    """Return a database of twelve games."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "history.sqlite"
        with History.to_write(path) as history:
            history.add(games(12))
        return [path.read_bytes()]


def read_sets(path: Path) -> None:
    """Lay the mines of some boards of a file."""
    boards = read_boards(path)
    for number in range(min(boards.count, 3)):
        boards.spec(number).game()
        boards.spec(number).dig_game()


def read_position(path: Path) -> None:
    """Parse a board, and write it again."""
    board = Board.parse(path.read_text("utf-8", "replace"))
    assert Board.parse(str(board)) == board


def read_results(path: Path) -> None:
    """Compute the tables of the laboratory's results."""
    find_runs(path.parent)
    sheets_of(*put_together([path], ()))


def read_run(path: Path) -> None:
    """Make the plan of an order, except with boards from a file, which may be at any path."""
    run = path.with_name("run.jsonl")
    run.touch()
    order = read_order(run)
    if order is not None and order.boards is None:
        _ = order.label, order.plan(order.sets())


ORDERS: Final = (
    b'{"players": ["hunter"], "game": "digging", "games": 5, "sweep": "digs-by-size"}',
    b'{"players": ["exact", "lookahead"], "size": [16, 30, 99]}',
)
BOARDS: Final = (
    b"# rows=9 cols=9 mines=10\nfirst_row,first_col,mines_hex,record_won\n"
    b"0,0,030010028104120002000,1\n0,0,0a0006044180400000008,1\n"
)
POSITIONS: Final = (b"1#1/#2#/1#1/mines: 3", b"F?*\n!x~\n01.\n#8#\nmines: 4")


class Reader(NamedTuple):
    """A reader of files that may come from elsewhere."""

    file: str
    seeds: Callable[[], Sequence[bytes]]
    """Valid files."""
    read: Callable[[Path], object]
    refuses: tuple[type[Exception], ...]
    """The errors for invalid files; any other one is a fault of the program."""
    changed: Callable[[Random, bytes], bytes] = bytes_changed
    """Changes the content, and keeps the format."""


READERS: Final = (
    Reader("picture", pictures, load_image, (ImageError,), picture_changed),
    Reader(
        "skin.toml",
        lambda: [(BUNDLED / "winemine" / "skin.toml").read_bytes()],
        load_text,
        (SkinError,),
        toml_changed,
    ),
    Reader("skin.zip", skin_zips, read_skin_zip, (SkinError,)),
    *(
        Reader(
            file,
            lambda file=file: [(SESSION / file).read_bytes()],
            read_session,
            (SessionError,),
            json_changed,
        )
        for file in ("session.json", "turns.jsonl")
    ),
    Reader(
        "settings.toml",
        lambda: read_stored("settings.toml"),
        read_settings,
        (SettingsError,),
        toml_changed,
    ),
    Reader("history.sqlite", histories, read_history, (HistoryError,), database_changed),
    Reader("boards.csv", lambda: [BOARDS], read_sets, (BoardFileError,)),
    Reader("position.txt", lambda: POSITIONS, read_position, (ValueError,)),
    Reader(
        "run.jsonl",
        lambda: read_stored("lab/beginner.jsonl"),
        read_results,
        (ResultsError,),
        json_changed,
    ),
    Reader(
        "run.order.json",
        lambda: [*read_stored("lab/beginner.order.json"), *ORDERS],
        read_run,
        (OrderError, UnknownGame, UnknownSolver, ImpossibleBoards, BoardFileError),
        json_changed,
    ),
)


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.file)
@settings(max_examples=60, derandomize=True, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_changed_file_is_read_or_refused(
    reader: Reader, home: Path, tmp_path: Path, data: st.DataObject
) -> None:
    """Half of the changes keep the format, and pass the first check."""
    dice = data.draw(st.randoms(use_true_random=True))
    change = reader.changed if dice.random() < 0.5 else bytes_changed
    place = tmp_path / "input"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    path = place / reader.file
    path.write_bytes(change(dice, dice.choice(reader.seeds())))
    with suppress(*reader.refuses):
        reader.read(path)
    assert set(tmp_path.iterdir()) <= {place, home}


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.file)
def test_valid_file_is_read(reader: Reader, home: Path, tmp_path: Path) -> None:
    """So the changed ones are not refused for the wrong reason."""
    assert not home.exists()
    for seed in reader.seeds():
        path = tmp_path / reader.file
        path.write_bytes(seed)
        reader.read(path)
