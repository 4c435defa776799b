"""What is left when the program is killed, or the disk is full: `python -m tests.bench_killed`.

A process that writes without end is killed (SIGKILL) at a random moment, again and again, in the
same folder; then everything in it is read. Sessions and the history may lack the last turn or
game that was passed on, and nothing else may be missing, half or left in the way. With
`--disk N` (root) the same writers fill N small disks of their own until they are refused.
"""

from __future__ import annotations

import argparse
import mmap
import os
import select
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from itertools import count
from pathlib import Path
from random import Random
from typing import Final

from rich.table import Table

from bot.lab.playing import Outcome
from bot.lab.results import Plan, ResultsError, opened, read_results
from bot.loop import Turn
from gui.history.keeping import Keeper
from gui.history.schema import HistoryError
from gui.history.store import History
from gui.settings import Settings, SettingsError, load, save
from tests.boards import SESSIONS
from tests.gui.history.made import game
from tests.report.console import Console
from tests.runs import BOT, environment, sessions
from vision.files import is_leftover
from vision.ownskins import rename_skin
from vision.pruning import prune
from vision.recording import Session, SessionError, SessionWriter, load_session, record
from vision.records import SessionInfo
from vision.sessionfiles import copy, delete, pack
from vision.sessionnames import new_session_folder
from vision.skins import BUNDLED, Skin, SkinError, forget_skin, load_skin, save_skin, skin_folders
from vision.skinzip import export_skin, import_skin
from vision.summaries import session_folders, summarise

LONGEST: Final = 0.15
"""Seconds after which a writer is killed, at the latest."""
_OPERATIONS: Final = 60
"""After which a disk that is nearly full has proved nothing more."""
REFUSALS: Final = (SessionError, SettingsError, SkinError, HistoryError, ResultsError)
Done = Callable[[int], None]
"""Told how much was done: it is known even when the process is killed at once."""


@dataclass(frozen=True)
class Writer:
    """Something that writes, and what must be true whenever it is killed."""

    name: str
    write: Callable[[Path, Done], None]
    """Writes without end into a home folder."""
    check: Callable[[Path, int], str]
    """What is wrong in that folder, given how much was done; empty where nothing is."""


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


def _check_sessions(home: Path, done: int) -> str:
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
    """One skin, as it was and as it is learned further."""
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
    keeper = Keeper(home / "history.sqlite")
    for number in count(1):
        keeper.keep(game(), [])
        done(number)


def _history(home: Path) -> list[int]:
    with History.to_read(home / "history.sqlite") as history:
        numbers: list[int] = history.numbers().tolist()
        return numbers


def _check_history(home: Path, done: int) -> str:
    path = home / "history.sqlite"
    kept = len(_history(home))
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
    with opened(home / "run.jsonl", _PLAN) as file:
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
    Writer("sessions recorded", _record, _check_sessions),
    Writer("sessions copied, zipped, deleted", _tidy, _check_tidied),
    Writer("settings", _set, _check_settings),
    Writer("skins saved, imported, renamed, deleted", _learn, _check_skins),
    Writer("history", _keep, _check_history),
    Writer("results of the laboratory", _play_lab, _check_lab),
)


def killed(writer: Writer, kills: int, seed: int, home: Path) -> tuple[int, list[str]]:
    """Kill a writer again and again; how much it did in all, and what was wrong."""
    dice = Random(f"{seed} {writer.name}")
    wrong, whole = [], 0
    (home / "sessions").mkdir(parents=True, exist_ok=True)
    _turns(), _skins()
    with mmap.mmap(-1, 8) as note:
        for number in range(kills):
            note[:] = bytes(8)
            moment = dice.uniform(0, LONGEST)
            pid = os.fork()
            if pid == 0:
                _endless(writer, home, note)
            # Its moment, or its own end before that.
            child = os.pidfd_open(pid)
            select.select([child], [], [], moment)
            os.close(child)
            os.kill(pid, signal.SIGKILL)
            _, status = os.waitpid(pid, 0)
            done = struct.unpack("q", note[:])[0]
            whole += done
            try:
                problem = writer.check(home, done)
            except (*REFUSALS, sqlite3.Error, OSError) as error:
                problem = f"{type(error).__name__}: {error}"
            if status != signal.SIGKILL:
                problem = f"it ended by itself ({status}); {problem}"
            if problem:
                wrong.append(f"kill {number} after {moment * 1000:.1f} ms: {problem}")
    return whole, wrong


def _endless(writer: Writer, home: Path, note: mmap.mmap) -> None:
    """The process that is killed; never returns."""

    def done(number: int) -> None:
        note[:] = struct.pack("q", number)

    try:
        writer.write(home, done)
    finally:
        os._exit(1)


class _Enough(BaseException):
    """No error of ours: nobody catches it."""


def filled(writer: Writer, room: int, home: Path) -> tuple[bool, str]:
    """Let a writer go on while a disk has so many bytes left.

    Returns:
        Whether it was refused; and what was wrong.
    """
    (home / "sessions").mkdir(parents=True, exist_ok=True)
    last = 0

    def done(number: int) -> None:
        nonlocal last
        last = number
        if number >= _OPERATIONS:
            raise _Enough

    ballast = home / "ballast"
    with suppress(OSError), ballast.open("wb", buffering=0) as file:
        while file.write(bytes(4096)) == 4096:
            pass
    os.truncate(ballast, max(0, ballast.stat().st_size - room))
    refused = False
    try:
        writer.write(home, done)
    except _Enough:
        pass
    except REFUSALS:
        refused = True
    ballast.unlink()
    if writer.name == "history":
        # It goes on without its history, and tells so.
        refused = len(_history(home)) < last
    return refused, writer.check(home, 0)


def _kill_all(kills: int, seed: int, table: Table) -> int:
    faults = 0
    for writer in WRITERS:
        with tempfile.TemporaryDirectory() as place:
            os.environ["MINESWEEPER_BOT_HOME"] = place
            begin = time.monotonic()
            whole, wrong = killed(writer, kills, seed, Path(place))
            left = sum(is_leftover(path) for path in Path(place).rglob("*"))
            figures = (f"{kills:,}", f"{whole:,}", f"{left:,}", f"{len(wrong)}")
            table.add_row(writer.name, *figures, f"{time.monotonic() - begin:.0f}")
            for problem in wrong[:5]:
                Console().print(f"{writer.name}: {problem}", markup=False, soft_wrap=True)
            faults += len(wrong)
    return faults


def _fill_all(times: int, seed: int, table: Table) -> int:
    """On a disk of four megabytes, which only root may make."""
    faults = 0
    dice = Random(seed)
    for writer in WRITERS:
        refusals = wrong = 0
        begin = time.monotonic()
        for _ in range(times):
            with tempfile.TemporaryDirectory() as place:
                command = ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", place]
                subprocess.run(command, check=True)
                os.environ["MINESWEEPER_BOT_HOME"] = place
                try:
                    refused, problem = filled(writer, int(100_000 ** dice.random()), Path(place))
                except (*REFUSALS, sqlite3.Error, OSError) as error:
                    refused, problem = False, f"{type(error).__name__}: {error}"
                finally:
                    subprocess.run(["umount", place], check=True)
                refusals += refused
                if problem:
                    wrong += 1
                    Console().print(f"{writer.name}: {problem}", markup=False, soft_wrap=True)
        seconds = f"{time.monotonic() - begin:.0f}"
        table.add_row(writer.name, f"{times:,}", f"{refusals:,}", "", f"{wrong}", seconds)
        faults += wrong
    return faults


def _kill_runs(runs: int, seed: int, table: Table) -> int:
    """The command itself, while it plays on a private screen."""
    dice, faults, kept = Random(seed), 0, 0
    begin = time.monotonic()
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as place:
            home = Path(place)
            command = [*BOT, "play", "--games", "1000", "--no-panel", "--solver", "exact"]
            with subprocess.Popen(
                command, env=environment(home), stdout=subprocess.PIPE, stderr=subprocess.STDOUT
            ) as process:
                assert process.stdout is not None
                for line in process.stdout:
                    if line.startswith(b"game 1 "):
                        break
                with suppress(subprocess.TimeoutExpired):
                    process.wait(dice.uniform(0, 3))
                process.kill()
            ended = [one for one in sessions(home) if one.records[-1:] and over(one)]
            kept += len(ended)
            problem = _check_sessions(home, 0) or _check_history(home, len(ended))
            faults += bool(problem)
            if problem:
                Console().print(f"play: {problem}", markup=False, soft_wrap=True)
    seconds = f"{time.monotonic() - begin:.0f}"
    table.add_row("play, the command itself", f"{runs}", f"{kept} games", "", f"{faults}", seconds)
    return faults


def over(session: Session) -> bool:
    """Whether its last turn is the end of a game."""
    return session.records[-1].status.over


def main() -> None:
    """Print the table; the exit code tells whether anything was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=500, help="of each writer")
    parser.add_argument("--disk", type=int, default=0, help="full disks for each writer; root only")
    parser.add_argument("--runs", type=int, default=10, help="of the command itself")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    table = Table(title=f"Killed within {LONGEST * 1000:.0f} ms, seed {options.seed}")
    for heading in ("what writes", "kills", "operations", "left over", "faults", "seconds"):
        table.add_column(heading, justify="left" if heading == "what writes" else "right")
    faults = _kill_all(options.kills, options.seed, table)
    faults += _kill_runs(options.runs, options.seed, table)
    Console().print(table)
    if options.disk:
        table = Table(title=f"A full disk (tmpfs, 4 MB), seed {options.seed}")
        for heading in ("what writes", "disks", "refused", "", "faults", "seconds"):
            table.add_column(heading, justify="left" if heading == "what writes" else "right")
        faults += _fill_all(options.disk, options.seed, table)
        Console().print(table)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
