"""Randomly changed inputs: valid ones with mutations.

Half of the changes are to bytes, the other half keep the format (JSON, TOML, the checksums of a
PNG, the table of a zip, a database) and change the content, which passes the first check.
"""

from __future__ import annotations

import io
import json
import math
import sqlite3
import struct
import tomllib
import warnings
import zipfile
import zlib
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final

import tomli_w

Mutator = Callable[[Random, bytes], bytes]

NUMBERS: Final = (
    0, 1, -1, 2, 7, 255, 256, 999, 1000, 65535, 10**6, 10**6 + 1, 2**31 - 1, 2**31, -(2**31),
    2**32, 2**53, 2**63 - 1, 2**63, -(2**63) - 1, 10**30, 0.5, -0.0, 1e-300, 1e300, math.inf,
    -math.inf, math.nan,
)  # fmt: skip
TEXTS: Final = (
    "", " ", "\0", "..", "../..", "/etc/passwd", "..\\..", "C:\\x", "a" * 300, "x" * 70_000,
    "\u202e", "\ud83d\ude00", "é", "٣", "nan", "1e999", "-1", "0x10", "9" * 5000, "[" * 3000,
    "<b>", "%s%n", "'; DROP TABLE games; --", "=1+1", "frames/0000.png", "frames/../x.png",
    "2026-01-01T00:00:00+00:00", "9999-12-31T23:59:59-23:59", "0001-01-01T00:00:00+23:59",
    "#########", "mines: 99999999999999999999", "won", "PLAYING", "open", "classic",
)  # fmt: skip
_CHUNKS: Final = (
    b"\0", b"\xff", b"\n", b'"', b"{", b"}", b"[", b"]", b",", b":", b"=", b"'", b"\r\n",
    b"\xef\xbb\xbf", b"\x00\x00\x00\x00", b"\xff\xff\xff\xff", b"\x7f\xff\xff\xff", b"IHDR",
    b"IDAT", b"IEND", b"\xff\xd8", b"\xff\xc0", b"\xff\xd9", b"BM", b"PK\x01\x02", b"PK\x03\x04",
    b"PK\x05\x06", b"../", b"1e999", b"-", b"9" * 40, b"null", b"true", b"[" * 2000,
    b"\xed\xa0\x80",
)  # fmt: skip


def bytes_changed(dice: Random, data: bytes) -> bytes:
    """Return bytes with one to eight changes to bytes, or to runs of them."""
    made = bytearray(data)
    for _ in range(dice.choice((1, 1, 1, 2, 3, 8))):
        at = dice.randrange(len(made) + 1)
        end = min(len(made), at + dice.choice((1, 2, 4, 16, 200)))
        match dice.randrange(7):
            case 0 if at < len(made):
                made[at] ^= 1 << dice.randrange(8)
            case 1 if at < len(made):
                made[at] = dice.randrange(256)
            case 2:
                made[at:at] = dice.choice(_CHUNKS)
            case 3:
                del made[at:end]
            case 4:
                made[at:at] = made[at:end] * dice.choice((1, 2, 50))
            case 5:
                del made[at:]
            case _:
                other = dice.randrange(len(made) + 1)
                made[at:end] = made[other : other + end - at]
    return bytes(made)


def letters_changed(dice: Random, data: bytes) -> bytes:
    """Return a text with a few characters replaced by others that occur in it."""
    made = bytearray(data)
    for _ in range(dice.choice((1, 1, 2, 4))):
        made[dice.randrange(len(made))] = dice.choice(data)
    return bytes(made)


def _nasty(dice: Random) -> Any:
    return dice.choice((dice.choice(NUMBERS), dice.choice(TEXTS), None, True, False, [], {}))


def value_changed(dice: Random, value: Any) -> Any:
    """Return a value with one part replaced, left out, doubled or added."""
    if isinstance(value, dict) and value and dice.random() < 0.9:
        return _table_changed(dice, value)
    if isinstance(value, list) and value and dice.random() < 0.9:
        return _list_changed(dice, value)
    if isinstance(value, str) and value and dice.random() < 0.5:
        return bytes_changed(dice, value.encode("utf-8", "replace")).decode("utf-8", "replace")
    if isinstance(value, int | float) and not isinstance(value, bool) and dice.random() < 0.4:
        return dice.choice((value + 1, value - 1, -value, value * 1000, value / 3))
    return _nasty(dice)


def _table_changed(dice: Random, table: dict[str, Any]) -> dict[str, Any]:
    key = dice.choice(list(table))
    match dice.randrange(8):
        case 0:
            return {name: one for name, one in table.items() if name != key}
        case 1:
            return table | {str(dice.choice(TEXTS)): _nasty(dice)}
        case 2:
            return table | {key: table[dice.choice(list(table))]}
        case _:
            return table | {key: value_changed(dice, table[key])}


def _list_changed(dice: Random, values: list[Any]) -> list[Any]:
    at = dice.randrange(len(values))
    match dice.randrange(8):
        case 0:
            return values[:at] + values[at + 1 :]
        case 1:
            return values[:at] + [values[at]] * dice.choice((2, 3, 100)) + values[at + 1 :]
        case _:
            return [*values[:at], value_changed(dice, values[at]), *values[at + 1 :]]


def json_changed(dice: Random, data: bytes) -> bytes:
    """Return lines of JSON, one of them with another content; the format is kept."""
    lines = data.splitlines() or [b"{}"]
    at = dice.randrange(len(lines))
    try:
        lines[at] = json.dumps(value_changed(dice, json.loads(lines[at]))).encode()
    except ValueError:
        # One document on many lines.
        try:
            return json.dumps(value_changed(dice, json.loads(data))).encode()
        except ValueError:
            return bytes_changed(dice, data)
    return b"\n".join(lines) + dice.choice((b"\n", b"\n", b""))


def toml_changed(dice: Random, data: bytes) -> bytes:
    """Return a TOML table with another content."""
    try:
        return tomli_w.dumps(value_changed(dice, tomllib.loads(data.decode()))).encode()
    except (ValueError, TypeError, AttributeError):
        return bytes_changed(dice, data)


_ZEROS: Final = tuple(zlib.compress(bytes(size)) for size in (10, 10_000, 3_000_000))


def png_changed(dice: Random, data: bytes) -> bytes:
    """Return a PNG with changed chunks and right checksums; sometimes its pixels are a bomb."""
    chunks, at = [], 8
    while at + 12 <= len(data):
        length = struct.unpack(">I", data[at : at + 4])[0]
        chunks.append((data[at + 4 : at + 8], data[at + 8 : at + 8 + length]))
        at += 12 + length
    if not chunks:
        return bytes_changed(dice, data)
    at = dice.randrange(len(chunks))
    kind, body = chunks[at]
    match dice.randrange(6):
        case 0 if kind == b"IHDR" and len(body) == 13:
            size = struct.pack(">II", *dice.choices((0, 1, 7, 8, 100, 9000, 2**31 - 1), k=2))
            body = size + body[8:]
        case 1:
            zeros = dice.choice(_ZEROS)
            chunks.insert(at, (dice.choice((b"IDAT", b"zTXt", b"iCCP")), b"x\0\0" + zeros))
        case 2:
            chunks.insert(at, chunks[dice.randrange(len(chunks))])
        case 3:
            kind = dice.choice((b"PLTE", b"tRNS", b"acTL", b"fcTL", b"gAMA", b"eXIf", b"IHDR"))
        case 4 if kind == b"IHDR" and len(body) == 13:
            depth, colour = dice.choice((1, 2, 4, 8, 16, 3)), dice.choice((0, 2, 3, 4, 6, 9))
            body = body[:8] + bytes((depth, colour)) + body[10:]
        case _:
            body = bytes_changed(dice, body)
    chunks[at] = kind, body
    made = [data[:8]]
    for kind, body in chunks:
        sum32 = struct.pack(">I", zlib.crc32(kind + body))
        made.append(struct.pack(">I", len(body)) + kind + body + sum32)
    return b"".join(made)


def zip_changed(dice: Random, data: bytes) -> bytes:
    """Return a zip with one file changed, renamed, doubled, or made a link or a bomb."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        files = [(info.filename, archive.read(info)) for info in archive.infolist()]
    at = dice.randrange(len(files))
    name, body = files[at]
    kind = 0
    match dice.randrange(8):
        case 0:
            name = dice.choice(
                ("../evil.png", "/var/evil.png", "a/../../evil", "C:/evil.png", name.upper(), "x",
                 "mine/skin.toml", f"mine/{dice.choice(TEXTS)[:300]}", "mine/16/1.png", "mine\\a")
            )  # fmt: skip
        case 1:
            kind = dice.choice((0o120777, 0o060666, 0o010666, 0o040755)) << 16
        case 2:
            body = bytes(dice.choice((1 << 20, (1 << 20) + 1)))
        case 3:
            del files[at]
            at = dice.randrange(len(files))
            name, body = files[at]
        case 4 if name.endswith(".toml"):
            body = toml_changed(dice, body)
        case _ if name.endswith(".png"):
            body = png_changed(dice, body)
        case _:
            body = bytes_changed(dice, body)
    files[at] = name, body
    if dice.random() < 0.1:
        files.append(dice.choice(files))
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive, warnings.catch_warnings():
        # A duplicate name is intended.
        warnings.simplefilter("ignore")
        for number, (name, body) in enumerate(files):
            info = zipfile.ZipInfo(
                name.encode("utf-8", "replace").decode().replace("\0", "") or "x"
            )
            info.external_attr = kind if number == at else 0
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, body)
    return made.getvalue()


def database_changed(dice: Random, data: bytes) -> bytes:
    """Return a database that SQLite itself wrote, with foreign rows or tables."""
    connection = sqlite3.connect(":memory:")
    try:
        connection.deserialize(_journal(data, 1))
        # Written past the checks: rows that the types of a strict table forbid.
        connection.execute("PRAGMA writable_schema = ON")
        if dice.random() < 0.7:
            connection.execute("UPDATE sqlite_schema SET sql = REPLACE(sql, 'STRICT', '')")
            connection.execute("UPDATE sqlite_schema SET sql = REPLACE(sql, 'NOT NULL', '')")
            connection.commit()
            data = connection.serialize()
            connection.close()
            connection = sqlite3.connect(":memory:")
            connection.deserialize(data)
        columns = [row[1] for row in connection.execute("PRAGMA table_info(games)")]
        for _ in range(dice.choice((1, 2, 5))):
            value = _nasty(dice)
            value = json.dumps(value) if isinstance(value, list | dict) else value
            value = (
                value.encode("utf-8", "replace")
                if isinstance(value, str) and dice.random() < 0.2
                else value
            )
            connection.execute(
                f"UPDATE games SET {dice.choice(columns)} = ? WHERE id % ? = 0",  # noqa: S608
                (value, dice.choice((1, 2, 3))),
            )
        if dice.random() < 0.2:
            connection.execute(dice.choice(_SCHEMES))
        connection.commit()
        return _journal(connection.serialize(), dice.choice((1, 2)))
    except (sqlite3.Error, OverflowError, UnicodeEncodeError):
        return bytes_changed(dice, data)
    finally:
        connection.close()


def _journal(data: bytes, kind: int) -> bytes:
    """Set a rollback journal (1), the only one possible in memory, or a write-ahead log (2)."""
    return data[:18] + bytes((kind, kind)) + data[20:]


_SCHEMES: Final = (
    "PRAGMA user_version = 0",
    "PRAGMA user_version = 99",
    "PRAGMA user_version = -1",
    "DROP TABLE guesses",
    "DROP TABLE games",
    "ALTER TABLE games DROP COLUMN note",
    "ALTER TABLE games ADD COLUMN more TEXT",
    "CREATE VIEW more AS SELECT * FROM games",
    (
        "CREATE TRIGGER endless AFTER INSERT ON games BEGIN INSERT INTO guesses WITH RECURSIVE "
        "t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT 1, n, 0, 0, 0, 0 FROM t; END"
    ),
    "CREATE INDEX costly ON games (hex(zeroblob(10000 + rows)))",
)


def changed(dice: Random, seeds: Sequence[bytes], shaped: Mutator | None) -> bytes:
    """Return one of the seeds, changed."""
    data = dice.choice(seeds)
    if shaped is not None and dice.random() < 0.6:
        data = shaped(dice, data)
        if dice.random() < 0.8:
            return data
    if dice.random() < 0.05:
        other = dice.choice(seeds)
        data = data[: dice.randrange(len(data) + 1)] + other[dice.randrange(len(other) + 1) :]
    return bytes_changed(dice, data)
