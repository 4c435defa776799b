"""The readers of untrusted files, with valid files as seeds."""

from __future__ import annotations

import io
import json
import tempfile
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Final

import cv2

from bot.board import Board
from bot.lab.boards import BoardFileError, ImpossibleBoards, read_boards
from bot.lab.results import ResultsError
from bot.lab.worker import UnknownGame
from bot.solver import UnknownSolver
from gui.commands.lab import put_together, sheets_of
from gui.games.film import load_film
from gui.history.schema import HistoryError
from gui.history.statistics import RISK_PARTS, compute_statistics
from gui.history.store import EVERYTHING, History, write_csv
from gui.lab.runs import OrderError, find_runs, read_order
from gui.panel.jobs import Progress
from gui.settings import SettingsError
from gui.settings import load as load_settings
from tests.benchmarks.fuzz_mutators import (
    Mutator,
    bytes_changed,
    database_changed,
    json_changed,
    letters_changed,
    png_changed,
    toml_changed,
    zip_changed,
)
from tests.gui.history.made import game, games
from tests.support.boards import SESSIONS
from vision.capture import ImageError, load_image
from vision.sessions import SessionError, load_session
from vision.sessions.rawvf import RawvfError, rawvf
from vision.sessions.summaries import summarise
from vision.skins import BUNDLED, load_skin, skin_folders, user_folder
from vision.skins.own_skins import SkinError
from vision.skins.skin import load_text
from vision.skins.skin_zip import import_skin


@dataclass(frozen=True)
class Target:
    """A reader of untrusted files."""

    name: str
    seeds: Callable[[], Sequence[bytes]]
    """Valid files."""
    read: Callable[[bytes, Path], object]
    """Writes an input into an empty folder, and reads it like the program."""
    refuses: tuple[type[Exception], ...]
    """The errors for invalid files; any other one is a fault of the program."""
    shaped: Mutator | None = None
    """Changes the content of a file and keeps its format."""


def _written(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


# Pictures


@cache
def _pictures() -> Sequence[bytes]:
    seeds = [(BUNDLED / "winemine" / f"{name}.png").read_bytes() for name in ("1", "flag")]
    seeds.append((SESSIONS / "classic-beginner-won" / "frames" / "0001.png").read_bytes())
    image = cv2.imread(str(SESSIONS / "classic-beginner-won" / "frames" / "0001.png"))
    assert image is not None
    small = image[:40, :40]
    for ending in (".png", ".jpg", ".bmp"):
        grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
        seeds += [cv2.imencode(ending, colours)[1].tobytes() for colours in (small, grey)]
    seeds.append(cv2.imencode(".png", cv2.cvtColor(small, cv2.COLOR_BGR2BGRA))[1].tobytes())
    return seeds


def _picture_changed(dice: Random, data: bytes) -> bytes:
    return (png_changed if data[:4] == b"\x89PNG" else bytes_changed)(dice, data)


def _read_picture(data: bytes, folder: Path) -> None:
    image = load_image(_written(folder / "picture", data)).image
    assert image.shape[0] * image.shape[1] <= 64_000_000


# Skins


def _skin_text() -> Sequence[bytes]:
    return [(BUNDLED / name / "skin.toml").read_bytes() for name in ("winemine", "gnome-mines")]


def _read_skin_text(data: bytes, folder: Path) -> None:
    load_text(_written(folder / "skin.toml", data))


@cache
def _skin_zips() -> Sequence[bytes]:
    made = []
    for of in ("winemine", "xbomb"):
        data = io.BytesIO()
        with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in sorted((BUNDLED / of).glob("*")):
                body = file.read_bytes() if file.is_file() else b""
                if file.name == "skin.toml":
                    body = body.replace(f'"{of}"'.encode(), b'"mine"', 1)
                if body and "@" not in file.name:
                    archive.writestr(f"mine/{file.name}", body)
        made.append(data.getvalue())
    return made


def _read_skin_zip(data: bytes, folder: Path) -> None:
    import_skin(_written(folder / "skin.zip", data))
    for kept in skin_folders(user_folder()):
        load_skin(kept)


# Sessions


@cache
def _short_session() -> dict[str, bytes]:
    """Return the files of a session of three turns with small pictures."""
    of = SESSIONS / "classic-beginner-won"
    lines = (of / "turns.jsonl").read_bytes().splitlines(keepends=True)
    picture = (BUNDLED / "winemine" / "1.png").read_bytes()
    kept = lines[:2] + lines[-1:]
    frames = {json.loads(line)["frame"]: picture for line in kept}
    info = (of / "session.json").read_bytes()
    return {"session.json": info, "turns.jsonl": b"".join(kept), **frames}


def _session_file(name: str) -> Callable[[], Sequence[bytes]]:
    return lambda: [_short_session()[name]]


def _read_session(name: str) -> Callable[[bytes, Path], None]:
    def read(data: bytes, folder: Path) -> None:
        session = folder / "session"
        (session / "frames").mkdir(parents=True)
        for file, contents in (_short_session() | {name: data}).items():
            _written(session / file, contents)
        summarise(session)
        film = load_film(session, Progress(lambda _share, _words: None))
        for index in range(len(film)):
            film.guess(index)
        _ = film.times
        turns = [turn for turn in film.turns if turn is not None]
        for turn in turns:
            _ = turn.reading.grid.view, turn.reading.grid.column_edges(turn.reading.frame.region)
        try:
            rawvf(film.session.info, turns)
        except RawvfError:
            list(load_session(session).turns())

    return read


# Settings, history


def _settings() -> Sequence[bytes]:
    return [
        (
            b'solver = "lookahead"\nstyle = "no flags"\ngames = 0\nmines = 99\npace = 2.5\n'
            b'think = 10.0\nafter_win = "go on"\nafter_dialog = "close"\nsessions = "/tmp/x"\n'
            b'keep_sessions = 100\nkeep_megabytes = 500\nstop_key = "Ctrl+Alt+S"\ntheme = "dark"\n'
        ),
        b"record = true\nassist = false\ndigging = true\n",
    ]


def _read_settings(data: bytes, folder: Path) -> None:
    settings = load_settings(_written(folder / "settings.toml", data))
    _ = settings.rules, settings.player_name, settings.sessions_folder


@cache
def _histories() -> Sequence[bytes]:
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "history.sqlite"
        with History.to_write(path) as history:
            history.add(games(12))
        return [path.read_bytes()]


def _read_history(data: bytes, folder: Path) -> None:
    path = _written(folder / "history.sqlite", data)
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


# The laboratory


def _boards() -> Sequence[bytes]:
    return [
        (
            b"# rows=9 cols=9 mines=10\nfirst_row,first_col,mines_hex,record_won\n"
            b"0,0,030010028104120002000,1\n0,0,0a0006044180400000008,1\n"
        ),
        b"# rows=3 cols=4 mines=2\nfirst_row,first_col,mines_hex\n1,1,3\n2,3,11\n",
    ]


def _read_boards(data: bytes, folder: Path) -> None:
    boards = read_boards(_written(folder / "boards.csv", data))
    for number in range(min(boards.count, 3)):
        boards.spec(number).game()
        boards.spec(number).dig_game()


def _positions() -> Sequence[bytes]:
    return [b"1#1/#2#/1#1/mines: 3", b"...\n.1#\n.1#\nmines: 1", b"F?*\n!x~\n01.\n#8#\nmines: 4"]


def _read_position(data: bytes, _folder: Path) -> None:
    board = Board.parse(data.decode("utf-8", "replace"))
    assert Board.parse(str(board)) == board


def _results() -> Sequence[bytes]:
    plan = (
        b'{"version": 1, "game": "classic", "boards": ["9x9/10: seeds"], "labels": ["b"], '
        b'"nodes": 9}'
    )
    line = (
        b'{"boards": 0, "player": "%s", "number": %d, "won": true, "opened": 71, "guesses": 2, '
        b'"buckets": {"10": 3, "17": 1}, "seconds": 0.25, "worst": 0.1, "memory": 123456}'
    )
    lines = [line % (who, number) for who in (b"exact", b"lookahead") for number in range(3)]
    return [b"\n".join([plan, *lines]) + b"\n"]


def _read_results(data: bytes, folder: Path) -> None:
    path = _written(folder / "run.jsonl", data)
    find_runs(folder)
    results, names = put_together([path], ())
    sheets_of(results, names)


def _orders() -> Sequence[bytes]:
    return [
        (
            b'{"game": "classic", "players": ["exact", "lookahead"], "games": 100, '
            b'"level": "expert",'
            b'"size": [16, 30, 99], "boards": null, "sweep": null, "first_click": "safe", '
            b'"seed": 0,'
            b'"nodes": 1000, "workers": 2}'
        ),
        b'{"players": ["hunter"], "game": "digging", "games": 5, "sweep": "digs-by-size"}',
    ]


def _read_order(data: bytes, folder: Path) -> None:
    _written(folder / "run.order.json", data)
    order = read_order(_written(folder / "run.jsonl", b""))
    # A file of boards may be at any path that the order's author names.
    if order is not None and order.boards is None:
        _ = order.label, order.plan(order.sets())


TARGETS: Final = {
    target.name: target
    for target in (
        Target("picture", _pictures, _read_picture, (ImageError,), _picture_changed),
        Target("skin text", _skin_text, _read_skin_text, (SkinError,), toml_changed),
        Target("skin zip", _skin_zips, _read_skin_zip, (SkinError,), zip_changed),
        Target(
            "session",
            _session_file("session.json"),
            _read_session("session.json"),
            (SessionError,),
            json_changed,
        ),
        Target(
            "turns",
            _session_file("turns.jsonl"),
            _read_session("turns.jsonl"),
            (SessionError,),
            json_changed,
        ),
        Target("settings", _settings, _read_settings, (SettingsError,), toml_changed),
        Target("history", _histories, _read_history, (HistoryError,), database_changed),
        Target("boards", _boards, _read_boards, (BoardFileError,), letters_changed),
        Target("position", _positions, _read_position, (ValueError,), letters_changed),
        Target("results", _results, _read_results, (ResultsError,), json_changed),
        Target(
            "order",
            _orders,
            _read_order,
            (OrderError, UnknownGame, UnknownSolver, ImpossibleBoards, BoardFileError),
            json_changed,
        ),
    )
}
"""Targets by name."""
