"""All writers of files, each in an endless loop, with a check of the files left.

`tests.support.killed` kills them, `tests.e2e.test_killed` also fills their disk and closes their
folder.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from itertools import count
from pathlib import Path
from typing import Final

from bot.lab.results import Plan, ResultsError, open_results, read_results
from bot.lab.worker import Outcome
from bot.loop import Turn
from gui.history.schema import HistoryError
from gui.history.store import History
from gui.history.writer import GameWriter
from gui.settings import Settings, SettingsError, load, save
from tests.gui.history.made import game
from tests.support.boards import SESSIONS
from vision.sessions import SessionError, SessionInfo, load_session
from vision.sessions.session_files import copy, delete, new_session_folder, pack, prune
from vision.sessions.summaries import session_folders, summarise
from vision.sessions.writer import SessionWriter, record
from vision.skins import BUNDLED, Skin, SkinError, forget_skin, load_skin, save_skin, skin_folders
from vision.skins.own_skins import rename_skin
from vision.skins.skin_zip import export_skin, import_skin

REFUSALS: Final = (SessionError, SettingsError, SkinError, HistoryError, ResultsError)
Done = Callable[[int], None]
"""A function that receives the work done so far, which is known even if the process is killed."""


@dataclass(frozen=True)
class Writer:
    """A writer, and the condition that must hold when it is killed at any time."""

    name: str
    write: Callable[[Path, Done], None]
    """Writes without end into a home folder."""
    check: Callable[[Path, int], str]
    """Returns what is wrong in that folder, given the work done; empty if nothing is."""


def prepare() -> None:
    """Read the data to write: a process that is killed early has no time for it."""
    _turns(), _skins()


# Sessions


@cache
def _turns() -> tuple[Turn, ...]:
    return tuple(load_session(SESSIONS / "classic-beginner-won").turns())


def _info() -> SessionInfo:
    return load_session(SESSIONS / "classic-beginner-won").info


def _record(home: Path, done: Done) -> None:
    sessions, played = home / "sessions", count(1)

    def turns() -> Iterator[Turn]:
        while True:
            yield from _turns()

    def begin() -> SessionWriter:
        return SessionWriter(new_session_folder(sessions, datetime.now(UTC)), _info())

    for _turn in record(turns(), begin):
        done(next(played))


def check_sessions(home: Path, done: int) -> str:
    """Return what is wrong with the sessions, given the turns written; remove them."""
    sessions = home / "sessions"
    kept = 0
    for folder in session_folders(sessions):
        if not (folder / "turns.jsonl").exists():
            if folder != session_folders(sessions)[0]:
                return f"{folder.name} has no turns, and is not the last one"
            continue
        session = load_session(folder)
        kept += sum(1 for _ in session.turns())
        if len(session) and summarise(folder).problem:
            return summarise(folder).problem
    if kept < done - 1:
        return f"{kept} turns of {done}"
    if not sessions.exists():
        return ""
    prune(sessions, 1, None)
    if len(list(sessions.iterdir())) > 1:
        return f"left: {sorted(one.name for one in sessions.iterdir())}"
    shutil.rmtree(sessions)
    return ""


def _tidy(home: Path, done: Done) -> None:
    """Copies, zips and deletes sessions."""
    sessions = home / "sessions"
    for number in count(1):
        made = sessions / f"2026-01-01T00-00-{number % 4:02}"
        if made.exists():
            delete(made)
        copy(SESSIONS / "classic-beginner-won", made)
        pack(made, home / "session.zip")
        done(number)


def _check_tidied(home: Path, _done: int) -> str:
    for folder in session_folders(home / "sessions"):
        if len(list(load_session(folder).turns())) != len(_turns()):
            return f"{folder.name} is not whole"
    path = home / "session.zip"
    if path.exists():
        shutil.unpack_archive(path, home / "unpacked")
        if len(list(load_session(next((home / "unpacked").iterdir())).turns())) != len(_turns()):
            return "the zip is not whole"
        shutil.rmtree(home / "unpacked")
    return ""


# Settings, skins


def _set(home: Path, done: Done) -> None:
    for number in count(1):
        save(Settings(mines=number), home / "settings.toml")
        done(number)


def _check_settings(home: Path, done: int) -> str:
    mines = load(home / "settings.toml").mines
    return "" if mines in (done, done + 1) or not done else f"{mines} after {done}"


@cache
def _skins() -> tuple[Skin, Skin]:
    """Write one skin repeatedly, in its original and a learned version."""
    skin = load_skin(BUNDLED / "winemine").model_copy(update={"name": "mine"})
    return skin, skin.model_copy(update={"version": "another"})


def _learn(home: Path, done: Done) -> None:
    mine, zipped = home / "skins" / "mine", home / "mine.zip"
    for number in count(1):
        for skin in _skins():
            save_skin(skin, mine)
        export_skin(mine, zipped)
        import_skin(zipped, replace=True)
        rename_skin("mine", "other")
        forget_skin("other")
        done(number)


def _check_skins(home: Path, _done: int) -> str:
    names = []
    for folder in skin_folders(home / "skins"):
        skin = load_skin(folder)
        names.append(skin.name)
        if {code: len(looks) for code, looks in skin.pictures.items()} != {
            code: len(looks) for code, looks in _skins()[0].pictures.items()
        }:
            return f"{folder.name} is not whole"
    if len(names) > 1:
        return f"several: {names}"
    for name in names:
        forget_skin(name)
    return f"came back: {names}" if skin_folders(home / "skins") else ""


# The history, the laboratory


def _keep(home: Path, done: Done) -> None:
    keeper = GameWriter(home / "history.sqlite")
    for number in count(1):
        keeper.keep(game(), [])
        done(number)


def history(home: Path) -> list[int]:
    """Return the numbers of the games in the history."""
    with History.to_read(home / "history.sqlite") as kept:
        numbers: list[int] = kept.numbers().tolist()
        return numbers


def check_history(home: Path, done: int) -> str:
    """Return what is wrong with the history, given the games stored; remove them."""
    path = home / "history.sqlite"
    kept = len(history(home))
    if path.exists():
        with closing(sqlite3.connect(path)) as connection:
            told = connection.execute("PRAGMA integrity_check").fetchone()[0]
            connection.execute("DELETE FROM games")
            connection.commit()
        if told != "ok":
            return str(told)
    return "" if kept >= done - 1 else f"{kept} games of {done}"


_PLAN: Final = Plan("classic", ("9x9/10: seeds",), ("beginner",), None)


def _play_lab(home: Path, done: Done) -> None:
    with open_results(home / "run.jsonl", _PLAN) as file:
        for number in count(len(file.results.outcomes)):
            file.add(0, [Outcome("exact", number, True, 71, 2, {10: 3}, 0.25, 0.1, None)])
            done(number + 1)


def _check_lab(home: Path, done: int) -> str:
    path = home / "run.jsonl"
    if done == 0 or not path.stat().st_size:
        return ""
    played = len(read_results(path).outcomes)
    if played < done - 1:
        return f"{played} games of {done}"
    if path.stat().st_size > 300_000:
        path.unlink()
    return ""


WRITERS: Final = (
    Writer("sessions recorded", _record, check_sessions),
    Writer("sessions copied, zipped, deleted", _tidy, _check_tidied),
    Writer("settings", _set, _check_settings),
    Writer("skins saved, imported, renamed, deleted", _learn, _check_skins),
    Writer("history", _keep, check_history),
    Writer("results of the laboratory", _play_lab, _check_lab),
)
